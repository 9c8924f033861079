"""Constant propagation in a unit, with the removal of code that nothing reaches or reads.

It continues until nothing changes: a loop over nothing is left out, then its list is empty, then loops over that list
are left out, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

from ludex.spec import types as t

from ...ir import code as c
from ...ir.failing import has_value
from ...ir.operations import BOOL, FALSE, INT, TRUE, ZERO, both, either_of, folded, op
from ...ir.traversal import SETTING, each_part, parts, rebuilt, replaced, statements, variables, variables_set

EMPTY_LIST = c.Const((), t.ListOf(INT))
NONE_AND_NONE = c.Const(((),), t.ListOf(t.ListOf(INT)))
"""The parts of nothing: the empty one."""
Known = Mapping[c.Expr, c.Expr]
"""The known values of variables, cells and other expressions."""
UNDECIDED = c.Attempt, c.Loop
"""Statements that make it open which others are carried out."""


class Propagation:
    """Rewrites bodies of the units of one program, to which more may be added."""

    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units = units

    def body(self, body: c.Body, known: Known, outside: Set[c.Var] = frozenset()) -> c.Body:
        """Return the body, which has no attempts, simplified by what is known.

        outside: variables that are set or read elsewhere, too, if it is a part of a unit.
        """
        before: c.Body = ()
        while body != before:
            before, body = body, _read(self._simplified(body, known), outside)
            # Another part of the unit may set such a variable to another value.
            found = {var: value for var, value in _constants(body).items() if var not in outside}
            known = {**found, **self._copies(body, found, outside)}
        return body

    def _copies(self, body: c.Body, known: Known, outside: Set[c.Var]) -> Known:
        """Return the variables that hold what another one or a cell holds, or its negation, each with that expression.

        Such a variable is set at one place, after all places where the other one is.
        """
        order = statements(body)
        sites = Counter(variables_set(body))
        before, copies = Counter[c.Var](), dict[c.Expr, c.Expr]()
        for statement in order:
            match statement:
                case c.Set(var=var, value=value) if sites[var] == 1 and var not in outside and var not in known:
                    read = [*variables(value)]
                    if (
                        _is_copy(value)
                        and all(before[each] == sites[each] for each in read)
                        and outside.isdisjoint(read)
                    ):
                        copies[var] = self.expr(value, {**known, **copies})
            if isinstance(statement, SETTING):
                before[statement.var] += 1
        return copies

    def _simplified(self, body: c.Body, known: Known) -> c.Body:
        def of(expr: c.Expr) -> c.Expr:
            return self.expr(expr, known)

        result: list[c.Statement] = []
        for statement in body:
            match statement:
                case c.Set(var=var) | c.New(var=var) if var in known:
                    continue
                case c.Set(value=value) | c.Return(value=value):
                    result.append(replace(statement, value=of(value)))
                case c.Append(item=item):
                    result.append(replace(statement, item=of(item)))
                case c.If():
                    result += self._chosen(result, statement, known)
                case c.Each(items=items):
                    result += self._turns(replace(statement, items=of(items)), known)
                case _:
                    result.append(statement)
        return tuple(result)

    def _chosen(self, before: Sequence[c.Statement], branch: c.If, known: Known) -> c.Body:
        test, then, otherwise = self.expr(branch.test, known), known, known
        match before[-1:]:
            # A test of a variable that was just chosen tests the same as the choice (jump threading).
            case [c.Set(var=var, value=c.Pick(test=chosen, yes=c.Const() as yes, no=c.Const() as no) as value)] if (
                not _is_set((branch,), var) and self.expr(replaced(test, {var: value}), {}) == chosen
            ):
                test, then, otherwise = chosen, {**known, var: yes}, {**known, var: no}
        if isinstance(test, c.Const):
            return self._simplified(branch.then if test.value else branch.otherwise, known)
        # A branch that sets a variable of the test changes what the test says.
        if not any(_is_set((branch,), var) for var in variables(test)):
            then, otherwise = {**then, **_facts(test, holds=True)}, {**otherwise, **_facts(test, holds=False)}
        return (c.If(test, self._simplified(branch.then, then), self._simplified(branch.otherwise, otherwise)),)

    def _turns(self, each: c.Each, known: Known) -> c.Body:
        match each.items:
            case c.Const(value=()):
                return ()
            # A choice of parts of nothing is the test whether there is the empty one.
            case c.Pick(test=test, yes=yes, no=no) if (yes, no) == (NONE_AND_NONE, EMPTY_LIST) and not ends(each.body):
                return (c.If(test, self._simplified(each.body, {**known, each.var: EMPTY_LIST})),)
        return (replace(each, body=self._simplified(each.body, known)),)

    def expr(self, expr: c.Expr, known: Known) -> c.Expr:
        """Return an expression simplified by what is known."""
        match expr:
            case c.Var() | c.Load() | c.Lookup() | c.Op() | c.Pick() if expr in known:
                return known[expr]
            # The place of the cell decides whether everybody sees it, so the place has to stay.
            case c.Op(name="look"):
                return expr

        def of(part: c.Expr) -> c.Expr:
            return self.expr(part, known)

        match expr:
            case c.Op(name="parts" | "fitting" as name):
                simpler = rebuilt(expr, of)
                match name, parts(simpler):
                    case "parts", [c.Const(value=()), *limits]:
                        return either_of(_is_zero_within(limits), NONE_AND_NONE, EMPTY_LIST, expr.type)
                    case "fitting", [c.Const(value=()), *limits]:
                        return either_of(_is_zero_within(limits), EMPTY_LIST, c.Const(None, t.Never()), expr.type)
                return simpler
            case c.Call(unit=number):
                call = rebuilt(expr, of)
                # Simplifying the called unit for this call is worth the time if loops over an empty list are left out.
                return (EMPTY_LIST in parts(call) and self._result(self._units[number], parts(call))) or call
        return _shorter(folded(expr, of))

    def _result(self, unit: c.Unit, given: Sequence[c.Expr]) -> c.Const | None:
        """Return the result of a unit if it follows from the constants among the arguments."""
        if unit.cycle is not None or unit.keeps or any(isinstance(each, UNDECIDED) for each in statements(unit.body)):
            return None
        pairs = zip(unit.parameters, given, strict=True)
        match self.body(unit.body, {var: value for var, value in pairs if isinstance(value, c.Const)}):
            case (c.Return(value=c.Const() as result),):
                return result
        return None


def _read(body: c.Body, outside: Set[c.Var]) -> c.Body:
    """Leave out variables and lists that nothing reads."""
    read = {*outside, *(part for part in each_part(body) if isinstance(part, c.Var))}
    for statement in statements(body):
        # An item that may fail has to be evaluated.
        if isinstance(statement, c.Append) and not has_value(statement.item):
            read.add(statement.var)

    def needed(statement: c.Statement) -> c.Body:
        match statement:
            case c.Set(var=var, value=value) if var not in read and has_value(value):
                return ()
            case c.New(var=var) | c.Append(var=var) if var not in read:
                return ()
            case c.If(test=test, then=then, otherwise=otherwise):
                then, otherwise = _all(then), _all(otherwise)
                return (c.If(test, then, otherwise),) if then or otherwise or not has_value(test) else ()
            case c.Each(items=items, body=inner):
                inner = _all(inner)
                return (replace(statement, body=inner),) if inner or not has_value(items) else ()
        return (statement,)

    def _all(body: c.Body) -> c.Body:
        return tuple(chain.from_iterable(map(needed, body)))

    return _all(body)


def _constants(body: c.Body) -> dict[c.Expr, c.Const]:
    """Return the variables that get the same constant wherever they are set, or stay an empty list."""
    found, varying = dict[c.Expr, c.Const](), set[c.Expr]()
    for statement in statements(body):
        match statement:
            case c.Set(var=var, value=c.Const() as value) if _is_same(found.setdefault(var, value), value):
                pass
            case c.New(var=var) if _is_same(found.setdefault(var, EMPTY_LIST), EMPTY_LIST):
                pass
            case c.Set(var=var) | c.New(var=var) | c.Append(var=var) | c.Each(var=var):
                varying.add(var)
    return {var: value for var, value in found.items() if var not in varying}


def _is_copy(expr: c.Expr) -> bool:
    match expr:
        case c.Op(name="not", args=(inner,)):
            return isinstance(inner, c.Var)
        # A unit changes no cell, so a cell holds the same wherever the copy is read.
        case c.Load(index=index):
            return index is None
    return isinstance(expr, c.Var)


def _facts(test: c.Expr, holds: bool) -> Known:
    """Return what is known where a test holds, or where it does not."""
    match test:
        case c.Op(name="not", args=(inner,)):
            return _facts(inner, not holds)
        case c.Op(name="and" | "or" as name, args=args) if (name == "and") == holds:
            facts = dict[c.Expr, c.Expr]()
            for each in args:
                facts.update(_facts(each, holds))
            return facts
    return {test: TRUE if holds else FALSE}


def _shorter(expr: c.Expr) -> c.Expr:
    """Simplify sums and differences as the limits of payments have them."""
    match expr:
        case c.Op(name="add", args=(one, c.Op(name="mul", args=(two, c.Const(value=-1))))):
            return _shorter(c.Op("sub", (one, two), INT))
        case c.Op(name="sub", args=(one, c.Op(name="mul", args=(two, c.Const(value=-1))))):
            return op("add", one, two, gives=INT)
        case c.Op(name="sub", args=(c.Const(value=0), c.Op(name="sub", args=(one, two)))):
            return c.Op("sub", (two, one), INT)
        case c.Op(name=("le" | "ge") as name, args=(c.Op(name="sub", args=(one, two)), c.Const(value=0))):
            return c.Op(name, (one, two), BOOL)
        case c.Op(name=("le" | "ge") as name, args=(c.Const(value=0), c.Op(name="sub", args=(one, two)))):
            return c.Op(name, (two, one), BOOL)
        case c.Op(
            name=("le" | "ge") as name,
            args=(c.Op(name="add", args=(one, c.Const(value=int() as by))), c.Const(value=0)),
        ):
            return c.Op(name, (one, c.Const(-by, INT)), BOOL)
    return expr


def _is_same(one: c.Const, other: c.Const) -> bool:
    # `True` equals 1 in Python, and is another value of a game.
    return type(one.value) is type(other.value) and one.value == other.value


def _is_set(body: c.Body, var: c.Var) -> bool:
    return var in variables_set(body)


def ends(body: c.Body) -> bool:
    """Return whether a body ends the loop that it is the body of."""
    return any(
        isinstance(each, c.Break) or (isinstance(each, c.If) and (ends(each.then) or ends(each.otherwise)))
        for each in body
    )


def _is_zero_within(limits: Sequence[c.Expr]) -> c.Expr:
    """Return the test whether 0 is within all bounds of a flat sequence of limits."""
    within: c.Expr = TRUE
    for low, high in zip(limits[1::3], limits[2::3], strict=True):
        within = both(both(within, op("le", low, ZERO, gives=BOOL)), op("le", ZERO, high, gives=BOOL))
    return within
