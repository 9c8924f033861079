"""A game of two texts, the second of which states little."""

from __future__ import annotations

DUEL = """\
game duel
  players: 2
  document: en "duel.txt", he "duel-he.txt"
  convention: "shared nouns"

state coins(Player): 0..9 = 0

play
  turns: repeat                                                 [en 2]
    each player in seats
      take

action take
  choose n in 1..3
  require enough: my coins + n <= 9                             [en 3]
  gain: coins(me) += n up to 9                                  [en 4]
    variant he: coins(me) += 2 * n up to 9                      [he 2]
    except full: nothing when my coins = 9                      [he 2]
  tell: nothing                                                 [en 5]
    silent he                                                   [he 2]
  stop: if my coins = 9 then end game                           [en 6]

fact goal = 9                                                   [he 3]

score coins: my coins                                           [en 7]
  variant he: if my coins = goal then my coins else 0           [he 3]
"""
