"""Small games with many constructs, on which mutants of the printers are caught; and the making of mutants."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import pytest

from ludex.spec import Game, load

from .build import game_from

Mutate: TypeAlias = Callable[[pytest.MonkeyPatch], object]

SUMS = """
type Cell = 0..39

state held(Cell): -4..4 = 0
state turn: 0..30 = 0
state mark(Player): 0..9 = 0

play
  round: repeat
    turn: each player in seats
      choose set
      turn += 1
  until turn >= 10

define added = sum(held(c) for c in Cell)
define below(n: -4..4) = count(c in Cell where held(c) < n)
define above(n: -4..4) = count(c in Cell where held(c) > n)
define third(c: Cell, n: -4..4) = (held(c) - n * 2) div 3 + (held(c) + n) mod 3

action set
  choose c in Cell, n in -3..3
  require few: above(n) <= 2 and (turn < 4 or below(n) >= 37)
  require near: added + n >= -3 and added - n < 5
  require other: third(c, n) != 1 or held(c) = n
  require within: abs(held(c) - n) in 1..4
  on: held(c) := n

  note: mark(me) += abs(n) up to 9

score most: max(held(0), held(1)) - min(held(2), held(3)) + my mark

winner
  most: highest total(me)
  draw: share
"""
CARDS = """
type Card = 1..4

zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone row: pile of Card, open
zone kept(Player): bag of Card, private

setup
  fill: fill deck with Card
  mix: shuffle deck
  deal: each player in seats
    draw 1 from deck to my hand
  hide: each player in seats
    draw 1 from deck to my kept

state turns: 0..9 = 0

play
  round: repeat
    turn: each player in seats
      choose lay or under
      turns += 1 up to 9
  until turns >= 6

action lay
  choose card in my hand
  require higher: row is empty or some k in my kept has card > k
  on: move card from my hand to row

action under
  choose card in my hand
  require lower: some k in my kept has card < k - 1
  on: move card from my hand to bottom of row
"""
PURSES = """
type Coin = 1..3

zone purse(Player): bag of Coin, open
zone spent: bag of Coin, open

state bought(Player): 0..9 = 0

setup
  fill: each player in seats
    put {1, 1, 2, 3} in my purse

play
  round: repeat
    turn: each player in seats
      choose buy(2) or buy(3) or rest
  until size(spent) >= 6 or some p in Player has bought(p) = 9

action buy(price: 2..3)
  choose coins within my purse
  require exact: sum(k for k in coins) = price
  pay: move coins from my purse to spent
  note: bought(me) += price up to 9

action rest
  note: bought(me) += 1 up to 9

score bought: my bought
"""
TRACK = """
zone track(0..9): pile of Player, open
state went(Player): 0..9 = 0

setup
  stand: each p in Player
    put p in track(0)

play
  round: repeat
    turn: each player in seats
      choose go
  until some p in Player has lies(p) = 9

define lies(p: Player): 0..9 = first(s in 0..9 where p in track(s) else 0)

action go
  choose steps in 1..3
  on: move me from track(my lies) to track(ahead(lies(me), steps))
  note: went(me) := my lies

define ahead(s: 0..9, steps: 1..3): 0..9 = min(9, s + steps)
"""
BOARD = """
type Cell = 0..11

state mark(Cell): Player? = none

play
  round: repeat
    turn: each player in seats
      choose go
  until no c in Cell has mark(c) is empty

define alone(p: Player, c: Cell) = no d in Cell has mark(d) = p and d > c
define met(p: Player) = some c in Cell has mark(c) is not empty and mark(c) != p

action go
  choose c in Cell
  require free: mark(c) is empty
  require order: alone(me, c) or met(me)
  on: mark(c) := me

score marks: count(c in Cell where mark(c) = me)

score early: count(c in Cell where mark(c) != me and c < 3)
"""

SHOWN = """
type Card = 1..3

zone deck: bag of Card, hidden
zone hand(Player): bag of Card, private

state shown: 0..9 = 0

setup
  deck: fill deck with bag(c for c in Card) + bag(c for c in Card) + bag(c for c in Card)

action show
  choose card in my hand
  go: shown := (shown + 1) mod 9
  require three: card = 3

action hold
  choose card in my hand
  require three: not (card = 1 or card = 2)
  go: shown := (shown + 2) mod 9

play
  turns: repeat 4 times
    each player in seats
      dealt: draw 1 from deck to my hand
      shows: choose show
      holds: choose hold
"""

GAMES: dict[str, Callable[[], Game]] = {
    "sums": partial(game_from, SUMS),
    "board": partial(game_from, BOARD),
    "rows": partial(load, "othello", options={"size": 4}),
    "long rows": partial(load, "othello"),
    "cards": partial(game_from, CARDS),
    "track": partial(game_from, TRACK),
    "purses": partial(game_from, PURSES),
    "shown": partial(game_from, SHOWN),
}


def method(of: type, name: str, printer: Callable[..., Any]) -> Mutate:
    """Replace a method by another function, which gets the original."""
    return lambda patch: patch.setattr(of, name, partialmethod(printer, getattr(of, name)))


def partialmethod(printer: Callable[..., Any], before: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *args, **named: printer(partial(before, self), self, *args, **named)
