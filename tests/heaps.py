"""The common part of the specs of small games in which players take from a heap."""

from __future__ import annotations

TURNS_OF_TEXTS = """\
play
  turns: repeat                                                 [ru 2] [en 2] [he 2]
    each player in seats
      turn: take
  until heap = 0

action take
  choose n in 1..3
  require enough: n <= heap                                     [ru 3] [en 3]
    silent he                                                   [he 3]"""
"""The turns of a game of three texts; more requirements and steps of `take` follow."""

TAKING = """\
  away: stones -= n
  mark: last := me
  tell: if stones = 0
    closing: end game

play
  turns: repeat
    each player in seats
      turn: take"""
"""The steps of `take` and the turns of a game without a text."""
