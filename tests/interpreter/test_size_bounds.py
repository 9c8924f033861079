"""Upper bounds of the sizes of collections, which decide whether the iterations of a loop are counted."""

from __future__ import annotations

import pytest

from ludex.interpreter.program import Compiled
from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import INT
from ludex.interpreter.program.ir.size_bounds import Sizes
from ludex.interpreter.program.python.printing import statements
from ludex.spec import types as t

from .build import game_from

LIST, ITEM = c.Var(0, t.ListOf(INT)), c.Var(1, INT)


def listing(count: int) -> c.Body:
    """A body that lists this many numbers."""
    numbers = c.Op("interval", (c.Const(1, INT), c.Const(count, INT)), t.ListOf(INT))
    return c.New(LIST), c.Each(ITEM, numbers, (c.Append(LIST, ITEM),), None), c.Return(LIST)


def test_the_bound_of_a_body_that_is_gone_is_not_that_of_another() -> None:
    """A printer rewrites bodies, asks about each, and drops it; Python soon gives its id to another one."""
    bounds = Sizes([])
    assert [bounds.of(LIST, listing(count)) for count in range(50)] == list(range(50))


PURSE = """
zone purse: bag of 1..9, open

setup
  fill: put bag(n for n in 1..9, again in 1..{each}) in purse

play
  turns: repeat 2 times
    each player in seats
      choose pay

action pay
  choose n in 1..9
  require held: sum(coin for coin in purse where {test}) >= n
  pay: nothing
"""


def work(each: int, test: str) -> int:
    """Return the work that it takes to list the moves where the purse holds 9 times so many coins."""
    engine = Compiled(game_from(PURSE.format(each=each, test=test)))
    engine.legal_ids(state := engine.start())
    engine.legal_ids(state)
    return engine.meter.whole - engine.meter.left


def test_loops_over_few_items_take_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(2, "coin < 9") == 0
    assert work(9, "coin < 9") >= 4 * 81
    monkeypatch.setattr(statements, "UNCOUNTED", 81)
    assert work(9, "coin < 9") == 0, "the mutant must be caught"


def test_the_turns_of_loops_inside_one_another_multiply() -> None:
    assert work(2, "some other in purse has other > coin") == 0
    inner = "some other in purse has (some third in purse has third + other > 17 and third > coin)"
    assert work(2, inner) >= 4 * 18, "the third loop counts"
