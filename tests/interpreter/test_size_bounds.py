"""Upper bounds of the sizes of collections, which decide whether the iterations of a loop are counted."""

from __future__ import annotations

from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.operations import INT
from ludex.interpreter.program.ir.sizes import Sizes
from ludex.spec import types as t

LIST, ITEM = c.Var(0, t.ListOf(INT)), c.Var(1, INT)


def listing(count: int) -> c.Body:
    """A body that lists this many numbers."""
    numbers = c.Op("interval", (c.Const(1, INT), c.Const(count, INT)), t.ListOf(INT))
    return c.New(LIST), c.Each(ITEM, numbers, (c.Append(LIST, ITEM),), None), c.Return(LIST)


def test_the_bound_of_a_body_that_is_gone_is_not_that_of_another() -> None:
    """A printer rewrites bodies, asks about each, and drops it; Python soon gives its id to another one."""
    bounds = Sizes([])
    assert [bounds.of(LIST, listing(count)) for count in range(50)] == list(range(50))
