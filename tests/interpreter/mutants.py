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

# A requirement that reads what the move has written cannot be tested in advance: its trial needs the public state.
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
  require three: card + shown = 3 + shown

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

BELOW_ZERO = """
type Card = LEAST..3
zone hand(Player): bag of Card, private
zone row(Player): pile of Card, private
zone slot(Player): one Card, private
zone table: bag of Card, open
zone deck: pile of Card, DECK
zone odd: bag of -500..-400, open
state last(Player): Card? = none, private
state worth(Player): -9999..9999 = 0, private

setup
  odd: put {-450, -410} in odd
  deck:
    put {LEAST, LEAST, -1, 0, 2, 3} in deck
    SHUFFLE
  deal: each player in seats
    put {LEAST, -1, 3} in my hand
    put {2, LEAST} in my row
    put LEAST in my slot

action show
  choose card in my hand, part within my row
  require plain: card in part or some o in odd has o < -440
  go:
    move card from my hand to table
    last(me) := card
    worth(me) := sum(c for c in part)
    require low: my slot = LEAST or worth(me) < 0
    require least: top(my row) = LEAST or some c in table has c = LEAST

play
  rounds: repeat 3 times
    turns: each player in seats
      may show
      DRAW
    bids: all players
      choose card in my hand + {LEAST} where card != my last
      last(me) := card

score table: sum(c for c in table)
"""
POOLS = """
zone first: pile of 1..9, hidden
zone second: pile of 1..9, hidden
zone third: bag of 1..9, hidden
zone last: pile of 1..9, hidden
zone row: bag of 1..9, open

setup
  last:
    put {7, 8} in last
    shuffle last
  second:
    put {1, 2} in second
    put {1, 5} in second
    shuffle second
  third:
    put {3, 4} in first
    shuffle first
    move all from first to third

action before
  go: draw 1 from second to first

action other
  require some: last is not empty
  go: draw 1 from last to first

action beside
  go: draw 1 from second to third

action back
  require some: first is not empty
  go: draw 1 from first to second

action show
  require some: second is not empty
  go: draw 1 from second to row

action mix
  require some: first is not empty
  go:
    move all from first to second
    shuffle second

action gather
  require some: third is not empty and second is not empty
  go:
    move all from third to second
    shuffle second

play
  turns: repeat 6 times
    each player in seats
      choose before or other or beside or back or show or mix or gather
"""


UNION = """
type Card = -2..3
zone hand(Player): bag of Card, private
zone deck: pile of Card, hidden
zone low: bag of -9..-4, open
state n: 0..9 = 0

setup
  deck:
    put {-2, -2, -1, 0, 2, 3} in deck
    shuffle deck
  deal: each player in seats
    draw 1 from deck to my hand

action show
  choose card in my hand + OTHERS
  go: n := 0
  require above: card > n

play
  rounds: repeat 3 times
    turns: each player in seats
      may show
      n := 1 + n mod 8
"""
"""A private number is among numbers of a wider range."""


def below_zero(least: int, deck: str) -> str:
    """Return a game with private pieces from `least` on, and an open zone of lower ones. deck: its visibility."""
    shuffle, draw = ("shuffle deck", "draw 1 from deck to my hand") if deck == "hidden" else ("nothing", "nothing")
    text = BELOW_ZERO.replace("LEAST", str(least))
    return text.replace("DECK", deck).replace("SHUFFLE", shuffle).replace("DRAW", draw)


GAMES: dict[str, Callable[[], Game]] = {
    "sums": partial(game_from, SUMS),
    "board": partial(game_from, BOARD),
    "rows": partial(load, "othello", options={"size": 4}),
    "long rows": partial(load, "othello"),
    "cards": partial(game_from, CARDS),
    "track": partial(game_from, TRACK),
    "purses": partial(game_from, PURSES),
    "shown": partial(game_from, SHOWN),
    "below zero": partial(game_from, below_zero(-2, "hidden")),
    "pools": partial(game_from, POOLS),
    **{f"a union with {others}": partial(game_from, UNION.replace("OTHERS", others)) for others in ("low", "{-7}")},
}


def method(of: type, name: str, printer: Callable[..., Any]) -> Mutate:
    """Replace a method by another function, which gets the original."""
    return lambda patch: patch.setattr(of, name, partialmethod(printer, getattr(of, name)))


def partialmethod(printer: Callable[..., Any], before: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *args, **named: printer(partial(before, self), self, *args, **named)
