"""Index-set splitting: a loop over constants becomes several, in each of which the tests of the constants are decided.

Of a place the tables of a game say what may be built there and what pays for it. In a run of places that are alike in
this, such tests are known before play. What is then the same for all places of a run is computed once in front of its
loop (loop-invariant code motion), and what one iteration would compute twice is computed once (common subexpression
elimination), loops that add up or collect something included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby

from ludex.spec import types as t

from ...ir import code as c
from ...ir.failing import Failing
from ...ir.operations import both
from ...ir.traversal import (
    alike,
    each_expression,
    each_part,
    parts,
    replaced,
    statements,
    variables,
    variables_set,
    weight,
    with_variables,
)
from .propagation import UNDECIDED, Propagation, ends

_LONG = 8
"""A loop over fewer constants is left as it is."""
_TURNS = 4
"""The least number of constants of a run, on average."""
_MOST = 6_000
"""The most code that the loops of all runs may have together."""


class IndexSets:
    """Rewrites the units of one program."""

    def __init__(self, propagation: Propagation, failing: Failing) -> None:
        self._propagation, self._failing = propagation, failing

    def split(self, parameters: tuple[c.Var, ...], body: c.Body) -> c.Body:
        """Return the body of a unit with its loops over constants split."""
        if any(isinstance(each, UNDECIDED) for each in statements(body)):
            return body
        body = self._all(body, frozenset(parameters), _occurrences(body))
        # Options that need some number of the same pieces each count them.
        return _Sites(body, frozenset(), self._failing).shared(body, [], {})

    def _all(self, body: c.Body, given: Set[c.Var], occurrences: Counter[c.Var]) -> c.Body:
        result: list[c.Statement] = []
        for statement in body:
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    branches = self._all(then, given, occurrences), self._all(otherwise, given, occurrences)
                    result.append(c.If(statement.test, *branches))
                case c.Each(items=c.Const(value=tuple() as items)) if len(items) >= _LONG and not ends(statement.body):
                    # A loop that may end early is not split, as the loops after it would still run.
                    outside = {var for var, count in (occurrences - _occurrences((statement,))).items() if count}
                    for run in self._runs(*self._filtered(statement)):
                        result += self._once(self._alike(run, outside), given, outside)
                case _:
                    result.append(statement)
        return tuple(result)

    def _filtered(self, loop: c.Each) -> tuple[c.Each, list[c.Const]]:
        """Leave out the constants for which the test around the body is known to fail."""
        assert isinstance(loop.items, c.Const)
        items = [c.Const(value, loop.var.type) for value in loop.items.value]
        while True:
            match loop.body:
                case (c.If(test=test, then=then, otherwise=()),):
                    first, *others = test.args if isinstance(test, c.Op) and test.name == "and" else (test,)
                    results = self._results(first, loop.var, items)
                    if results is None:
                        return loop, items
                    items = [item for item, holds in zip(items, results, strict=True) if holds.value]
                    # The first test holds for all constants that are left. The next one is looked at in another turn.
                    rest = then
                    if others:
                        inner = others[0]
                        for other in others[1:]:
                            inner = both(inner, other)
                        rest = (c.If(inner, then),)
                    loop = replace(loop, body=rest)
                case _:
                    return loop, items

    def _results(self, expr: c.Expr, var: c.Var, items: Sequence[c.Const]) -> list[c.Const] | None:
        """Return the values of an expression for the constants, if it depends on nothing else."""
        if {*variables(expr)} != {var} or not _is_closed(expr):
            return None
        try:
            results = [self._propagation.expr(expr, {var: item}) for item in items]
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None  # a test in front of it excludes a constant for which it has no value
        return [each for each in results if isinstance(each, c.Const)] if items else None

    def _runs(self, loop: c.Each, items: list[c.Const]) -> Iterator[c.Each]:
        """Divide the constants into runs for which the same tests hold."""
        tests = [expr for expr in _closed(loop.body, loop.var) if isinstance(expr.type, t.Bool)]
        columns = [found for test in tests if (found := self._results(test, loop.var, items))]
        rows = [tuple(each.value for each in row) for row in zip(*columns, strict=True)] or [()] * len(items)
        runs = [[item for item, _ in run] for _, run in groupby(zip(items, rows, strict=True), lambda pair: pair[1])]
        # Many short runs are more code to compile than their tests take to run.
        if len(runs) * _TURNS > len(items) or len(runs) * weight(loop.body) > _MOST:
            runs = [items]
        for run in runs:
            yield replace(loop, items=c.Const(tuple(each.value for each in run), loop.items.type))

    def _alike(self, loop: c.Each, outside: Set[c.Var]) -> c.Each:
        """Decide in the loop what is the same for all its constants."""
        assert isinstance(loop.items, c.Const)
        items = [c.Const(value, loop.var.type) for value in loop.items.value]
        known: dict[c.Expr, c.Const] = {}
        for expr in _closed(loop.body, loop.var):
            results = self._results(expr, loop.var, items)
            if results and all(each == results[0] for each in results):
                known[expr] = results[0]
        return replace(loop, body=self._propagation.body(loop.body, known, outside))

    def _once(self, loop: c.Each, given: Set[c.Var], outside: Set[c.Var]) -> c.Body:
        """Return the loop without what it computes twice, after what is the same in every iteration."""
        body = _Sites((loop,), outside, self._failing).shared(loop.body, [], {})
        loop, moved = replace(loop, body=self._propagation.body(body, {}, outside)), list[c.Statement]()
        loop = replace(loop, body=_Sites((loop,), outside, self._failing).moved(loop.body, given, moved))
        return (*moved, loop) if loop.body else ()


def _occurrences(body: c.Body) -> Counter[c.Var]:
    """Count where variables are set and read."""
    found = Counter(variables(*each_expression(body)))
    found.update(variables_set(body))
    return found


def _closed(body: c.Body, var: c.Var) -> dict[c.Expr, None]:
    """Collect the largest expressions of a body that depend on nothing but a variable."""
    found: dict[c.Expr, None] = {}

    def look(expr: c.Expr) -> None:
        if isinstance(expr, c.Var | c.Const):
            return
        if _is_closed(expr) and {*variables(expr)} == {var}:
            found[expr] = None
            return
        for part in parts(expr):
            look(part)

    for expr in each_expression(body):
        look(expr)
    return found


def _is_closed(expr: c.Expr) -> bool:
    """Return whether an expression reads only variables, constants and constant tables."""
    return isinstance(expr, c.Const | c.Var | c.Lookup | c.Op | c.Pick) and all(map(_is_closed, parts(expr)))


# ---- what is computed once


class _Sites:
    """The places of a body where variables are set. outside: variables that are used outside of it, too."""

    def __init__(self, body: c.Body, outside: Set[c.Var], failing: Failing) -> None:
        self._set = Counter(variables_set(body))
        self._read = Counter(variables(*each_expression(body)))
        self._outside, self._failing = outside, failing

    def group(self, body: c.Body) -> c.Body:
        """Return the leading statements that compute one variable, which nothing else changes; () if there are none."""
        # A list or count and the loop that fills it are one computation.
        for size in (2, 1):
            group = body[:size]
            match group:
                case (c.Set(var=var) | c.New(var=var), c.Each()) | (c.Set(var=var),):
                    pass
                case _:
                    continue
            own = Counter(variables_set(group))
            read = Counter(variables(*each_expression(group)))
            is_own = all(self._set[each] == count and each not in self._outside for each, count in own.items())
            is_alone = all(self._read[each] == read[each] for each in own if each != var)
            kinds = c.Set, c.New, c.Append, c.Each, c.If, c.Break
            is_plain = all(isinstance(each, kinds) for each in statements(group))
            if is_own and is_alone and is_plain and not (size == 2 and own[var] < 2):
                return group
        return ()

    def shared(self, body: c.Body, known: list[c.Body], renaming: dict[c.Expr, c.Var]) -> c.Body:
        """Leave out what was computed before. known: by which groups; renaming: the variables that replace others."""
        result: list[c.Statement] = []
        before, at = len(known), 0
        while at < len(body):
            group = self.group(body[at:])
            if group:
                at += len(group)
                group = tuple(with_variables(each, renaming) for each in group)
                same = next((each for each in known if alike(each, group, _free(group))), None)
                if same is not None:
                    renaming[_target(group)] = _target(same)
                    continue
                known.append(group)
                result += group
                continue
            statement = body[at]
            at += 1
            # What reads a variable that is set here, now or in another iteration, has another result afterwards.
            changed = {var.number for var in variables_set((statement,))}
            # Groups are emptied and not removed, so the first `before` of them are still those from outside this body.
            known[:] = [() if changed & _free(each).keys() else each for each in known]
            match statement:
                case c.If(test=test, then=then, otherwise=otherwise):
                    branches = (self.shared(each, known, renaming) for each in (then, otherwise))
                    result.append(c.If(_renamed(test, renaming), *branches))
                case c.Each(items=items, body=inner):
                    inner = self.shared(inner, known, renaming)
                    result.append(replace(statement, items=_renamed(items, renaming), body=inner))
                case _:
                    result.append(with_variables(statement, renaming))
        del known[before:]
        return tuple(result)

    def moved(self, body: c.Body, given: Set[c.Var], to: list[c.Statement]) -> c.Body:
        """Move the groups out of the loop that are the same in every iteration, and cannot fail."""
        result: list[c.Statement] = []
        at = 0
        while at < len(body):
            group = self.group(body[at:])
            is_same = _free(group).keys().isdisjoint(var.number for var in self._set)
            if group and is_same and self._is_total(group, given):
                at += len(group)
                to += group
                # The loop sets these variables no more, so a later group that reads them may be moved as well.
                self._set -= Counter(variables_set(group))
                continue
            statement = body[at]
            at += 1
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    branches = (self.moved(each, given, to) for each in (then, otherwise))
                    statement = c.If(statement.test, *branches)
                case c.Each(body=inner):
                    statement = replace(statement, body=self.moved(inner, given, to))
            result.append(statement)
        return tuple(result)

    def _is_total(self, group: c.Body, given: Set[c.Var]) -> bool:
        """Return whether a group has a result wherever the unit is called, and takes longer than reading a variable."""
        if len(group) == 1 and not (isinstance(group[0], c.Set) and isinstance(group[0].value, c.Load)):
            return False
        return all(self._is_sure(expr, given) for expr in each_part(group))

    def _is_sure(self, expr: c.Expr, given: Set[c.Var]) -> bool:
        match expr:
            case c.Load(index=index) if index is not None:  # each player has a cell
                return all(var in given and isinstance(var.type, t.PlayerType) for var in variables(index))
        return self._failing.is_total(expr)


def _renamed(expr: c.Expr, renaming: Mapping[c.Expr, c.Var]) -> c.Expr:
    return replaced(expr, {var: new for var, new in renaming.items() if isinstance(var, c.Var)})


def _target(group: c.Body) -> c.Var:
    first = group[0]
    assert isinstance(first, c.Set | c.New)
    return first.var


def _free(group: c.Body) -> dict[int, int]:
    """Return the variables that a group reads and does not set, each by itself."""
    own = {*variables_set(group)}
    return {var.number: var.number for var in variables(*each_expression(group)) if var not in own}
