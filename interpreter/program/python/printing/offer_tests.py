"""Tests of offers: those that are made twice, and those that are known to hold at a place of a block."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from ...ir import code as c
from ...ir.failing import Failing
from ...ir.operations import BOOL, negation
from ...ir.traversal import alike, calls, each_expression, reads, statements, weight
from .patterns import NO_VALUE, is_const, is_pure, leaves

_LONG = 150
"""The result of a test that is larger than this, or a loop, is kept if it is asked again while no cell changes."""


@dataclass
class OfferTests:
    """The tests of one program whether an option is on offer, or an action can be done.

    holding: for each test after which the flow would have left, the alternatives of which one holds here.
    """

    program: c.Program
    failing: Failing
    holding: list[frozenset[Hashable]] = field(default_factory=list)

    @cached_property
    def _twins(self) -> dict[int, int]:
        """The units for `can`, each with the unit that makes the same test for an offer."""
        units, offers = self.program.units, dict[str, dict[int, None]]()
        for wait in self.program.waits:
            for option in wait.options if isinstance(wait, c.Decision | c.Together) else ():
                offers.setdefault(f"can {option.name}", {})[option.offers] = None
        twins = dict[int, int]()
        for number, unit in enumerate(units):
            if not unit.parameters:
                same = (each for each in offers.get(unit.name, ()) if alike(unit.body, units[each].body, {}))
                twins.update((number, each) for each in islice(same, 1))
        return twins

    @cached_property
    def often(self) -> frozenset[int]:
        """The long ones of those tests that requirements ask again, whose results are kept while no cell changes."""
        options = (each for wait in self.program.waits if isinstance(wait, c.Decision) for each in wait.options)
        asking = {unit for option in options for unit in (option.lists, option.offers)} if self._twins else ()
        units = (self.program.units[number] for number in asking)
        # A unit that asks what can be done is never deferred.
        tested = {each for unit in units if not isinstance(unit, c.Deferred) for each in calls(unit.body)}
        twins = (twin for number, twin in self._twins.items() if number in tested)
        return frozenset(each for each in twins if _takes_long(self.program.units[each].body))

    def same(self, call: c.Call) -> c.Call:
        """Return the call of the unit that makes the same test as the called one."""
        twin = self._twins.get(call.unit)
        # A twin is like a unit without parameters, so it does not read who decides.
        return call if twin is None else c.Call(twin, (NO_VALUE,), call.type)

    def _test_of(self, call: c.Expr) -> Hashable:
        """Return what a call tests, or None if that depends on more than the cells."""
        if not isinstance(call, c.Call):
            return None
        call = self.same(call)
        unit = self.program.units[call.unit]
        # Variables may have other values at the other place.
        used = [arg for var, arg in zip(unit.parameters, call.args, strict=True) if reads(unit.body, var)]
        return (call.unit, *used) if all(map(is_const, used)) else None

    def learn(self, statement: c.Statement) -> None:
        """Note what is known to hold after a statement: one of the tests after which the flow would have left."""
        if isinstance(statement, c.If) and not statement.otherwise and leaves(statement.then):
            # A test that draws, or continues to the next player, changes cells.
            if not is_pure(statement.test):
                self.holding = []
            tests = frozenset(map(self._test_of, _alternatives(negation(statement.test))))
            if None not in tests:
                self.holding.append(tests)
        elif any(isinstance(each, c.Put | c.Do) for each in statements((statement,))) or not all(
            map(is_pure, each_expression((statement,)))
        ):
            self.holding = []

    def is_known_to_hold(self, test: c.Expr) -> bool:
        """Return whether the test is one of an offer that is known to hold."""
        match test:
            case c.Serve(name="offers", args=(c.Const(value=number), acting)) if self.holding:
                decision = self.program.waits[number]
                assert isinstance(decision, c.Decision | c.Together)
                units = [option.offers for option in decision.options]
                if any(option.refusable for option in decision.options) or (
                    len(units) > 1 and any(map(self.failing.unit, units))
                ):
                    return False
                offered = frozenset(self._test_of(c.Call(unit, (acting,), BOOL)) for unit in units)
                return None not in offered and offered in self.holding
        return False


def _takes_long(body: c.Body) -> bool:
    return weight(body) > _LONG or any(isinstance(each, c.Each) for each in statements(body))


def _alternatives(test: c.Expr) -> tuple[c.Expr, ...]:
    return test.args if isinstance(test, c.Op) and test.name == "or" else (test,)
