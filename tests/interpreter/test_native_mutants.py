"""Mutants of the native printer: each change of what it prints, however small, is caught by play in lockstep."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from ludex.spec import Game, OverBudget

from .build import game

pytest.importorskip("llvmlite")

from ludex.interpreter.program.native import (
    Native,
    Stopped,
    decisions,
    generator,
    library,
    memo,
    parts,
    values,
    whole,
    writer,
    zones,
)
from ludex.interpreter.program.native import text as printed
from ludex.interpreter.program.native.replay import played

from .test_native import BOARD, TRACK, lockstep, words

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


def compared(name: str, instruction: str) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setitem(writer.COMPARED, name, instruction)


def reworded(module: Any, name: str, old: str, new: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A text that is the same for all programs is another one."""
    assert old in getattr(module, name)
    return lambda patch: patch.setattr(module, name, getattr(module, name).replace(old, new))


def method(of: type, name: str, made: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """A method is another one, which is given the first."""
    return lambda patch: patch.setattr(of, name, partialmethod(made, getattr(of, name)))


def partialmethod(made: Callable[..., Any], before: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *args, **named: made(partial(before, self), self, *args, **named)


def printing(old: str, new: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Every instruction that begins so is another one."""

    def let(before: Callable[..., str], self: printed.Function, text: str) -> str:
        return before(text.replace(old, new, 1) if text.startswith(old) else text)

    return method(printed.Function, "let", let)


def turned(before: Callable[..., Any], self: Any, *args: Any) -> list[Any]:
    """The values that a move states, for its arguments in the other order."""
    found = before(*args)
    return [(*value[:2], other[2]) for value, other in zip(found, found[::-1], strict=True)]


MUTANTS: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "equal is different": ("sums", compared("eq", "ne")),
    "less is at most": ("sums", compared("lt", "sle")),
    "at most is less": ("sums", compared("le", "slt")),
    "more is at least": ("sums", compared("gt", "sge")),
    "at least is more": ("sums", compared("ge", "sgt")),
    "min is max": ("sums", printing("call i64 @llvm.smin", "call i64 @llvm.smax")),
    "no absolute value": ("sums", lambda patch: patch.setitem(writer.ARITHMETIC, "abs", writer.ARITHMETIC["int"])),
    "division rounds to zero": ("sums", printing("icmp slt i64 %t", "icmp ult i64 %t")),
    "what is between is short of its end": ("sums", printing("icmp sle i64", "icmp slt i64")),
    "a loop leaves out its last turn": (
        "sums",
        method(printed.Function, "counted", lambda before, self, low, end: before(low, self.let(f"sub i64 {end}, 1"))),
    ),
    "a bit is one too far": (
        "board",
        method(values.Values, "item_of", lambda before, self, at, shape: before(self.f.let(f"add i64 {at}, 1"), shape)),
    ),
    "a scan looks for the others": (
        "board",
        method(
            writer.Writer,
            "_holding",
            lambda before, self, at, wide, what: self.f.let(f"xor i{wide} {before(at, wide, what)}, -1"),
        ),
    ),
    "a scan begins one cell later": (
        "board",
        method(writer.Writer, "_holding", lambda before, self, at, wide, what: before(int(at) + 1, wide, what)),
    ),
    "what a unit returned is never open": ("sums", method(whole.Whole, "changed", lambda before, self, *_: None)),
    "what reads cells is kept for ever": (
        "sums",
        method(
            memo.Memo,
            "_place",
            lambda before, self, number, stride, ranges, lasting: before(number, stride, ranges, True),
        ),
    ),
    "pieces go to the other end": (
        "cards",
        method(
            zones.Zones, "add", lambda before, self, *args: before(*args[:4], not (args[4] if len(args) > 4 else False))
        ),
    ),
    "a piece stays where it was": (
        "track",
        reworded(whole, "TAKE", "%less = sub i32 %short, 1", "%less = add i32 %short, 0"),
    ),
    "nothing is out of sight": ("cards", method(decisions.Decisions, "_veil_zone", lambda *_: None)),
    "a part comes to anything": ("purses", lambda patch: patch.setattr(parts, "_is_met", lambda *_: "true")),
    "no part is gone on with": ("purses", lambda patch: patch.setattr(parts, "_reaches", lambda *_: "false")),
    "arguments in the other order": ("sums", method(decisions.Decisions, "_values", turned)),
    "whoever ties with the best wins alone": ("sums", printing("or i64 %t", "and i64 %t")),
    "the generator turns its words less": ("sums", reworded(generator, "LLVM", "i64 45)", "i64 44)")),
}


def games() -> dict[str, Callable[[], Game]]:
    return {
        "sums": lambda: game(SUMS),
        "board": lambda: game(BOARD),
        "cards": lambda: game(CARDS),
        "track": lambda: game(TRACK),
        "purses": lambda: game(PURSES),
    }


def differs(of: Game) -> bool:
    """Whether native code plays otherwise than the engine in Python, or does not run at all."""
    try:
        code = Native(of, optimise=False)
        for seed in range(3):
            lockstep(code, random.Random(seed), 60)
        found = code.playouts(20, seed=1, threads=1)
        for number in range(20):
            points, winners, count = played(code.engine, 1, number)
            assert list(words(found.points)[number * len(points) : (number + 1) * len(points)]) == points
            assert (found.winners[number], found.events[number], found.stopped) == (winners, count, {})
    except (AssertionError, Stopped, RuntimeError, ValueError, LookupError, OverBudget):
        return True
    return False


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "there", lambda key: None)
    monkeypatch.setattr(library, "kept", lambda key, make: make())


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.drawn(3)
def test_a_mutant_of_the_native_printer_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played_at, mutate = MUTANTS[name]
    of = games()[played_at]()
    assert not differs(of), "the printer as it is"
    mutate(monkeypatch)
    assert differs(of), f"{name}: nothing was caught"
