"""Guards: tests, before a move changes anything, of the requirements after it.

A requirement after a move usually belongs to the action that the move performs first: whether the price can be paid.
As long as nothing but slots of routines has been stored, it can be tested without a trial. The code from the option's
block up to the first change becomes a test of the option's instances, in which those slots are variables. It is
specialized for arguments that are constant. A guard goes on after a change if a requirement follows (`changes.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ludex.spec import types as t

from ..ir import code as c
from ..ir.failing import has_value
from ..ir.operations import BOOL, FALSE, TRUE, both, either, folded, negation
from ..ir.refusals import Refusals
from ..ir.traversal import each_expression, expressions, parts, size, statements, variables, variables_set, weight
from .changes import Unchanged, change_of
from .expressions import ExpressionLowering
from .scope import UnitScope

_LONGEST = 2_000
"""The largest size of a guard."""
_VARIANTS = 64
"""A guard is specialized for at most this many sets of constant arguments."""
_SHORT = 30
"""A guard no larger than this is inlined."""


@dataclass(eq=False, repr=False)
class Guard:
    """The test that no requirement refuses a move of an option before the move changes anything.

    Attributes:
        settles: no requirement can refuse the move after that.
        is_needed: it may refuse a move, or settles.
        key: equal for guards that test the same.
        units: those of all guards so far, by parameters and body.
        unchanged: rewrites what follows a change.
    """

    program: c.Program
    refusals: Refusals
    option: c.Option
    x: ExpressionLowering
    units: dict[tuple[tuple[c.Var, ...], c.Body], int]
    unchanged: Unchanged
    settles: bool = field(init=False)
    is_needed: bool = field(init=False)
    key: Hashable = field(init=False)
    _variants: dict[tuple[c.Const | None, ...], tuple[c.Expr, tuple[int, ...]]] = field(default_factory=dict)
    _bodies: dict[bool, _Body] = field(default_factory=dict)

    def __post_init__(self) -> None:
        whole = self._whole(False)
        body, self.settles = self._before_changes(whole)
        # It has to settle what all can tell, too, where the guard goes on after a change.
        if self.settles and body is not whole.statements and self.x.concealment.elements:
            self.settles = self._before_changes(self._whole(True))[1]
        refuses = any(statement == ALWAYS_REFUSED for statement in statements(body))
        self.is_needed = not whole.is_too_long and (refuses or self.settles)
        self.key = tuple(whole.parameters), whole.statements, whole.settles

    def _before_changes(self, whole: _Body) -> tuple[c.Body, bool]:
        """Return a guard without its changes, and whether no requirement can refuse the move after it."""
        body, is_answered = self.unchanged.body(whole.statements, copies=False)
        return body, whole.settles and is_answered

    def holds(self, values: Sequence[c.Expr], scope: UnitScope, is_public: bool = False) -> c.Expr:
        """Lower the test for the values of all arguments.

        A guard that fails because it has no value, or that the public state does not determine, refuses nothing.
        """
        known = tuple([value if isinstance(value, c.Const) else None for value in values])
        key = (c.Const(is_public, BOOL), *known)
        if key not in self._variants:
            if len(self._variants) >= _VARIANTS:
                # Beyond the limit, one variant serves all constants.
                key = (key[0], *[None] * len(values))
            if key not in self._variants:
                self._variants[key] = self._variant(key[1:], is_public)
        test, positions = self._variants[key]
        if isinstance(test, c.Call):
            test = replace(test, args=tuple(values[at] for at in positions))
        if isinstance(test, c.Const) or not (is_public or self.x.bodies.may_fail(test)):
            return test
        var = scope.set(TRUE, BOOL)
        scope.out.append(c.Attempt((c.Set(var, test),)))
        return var

    def offers(self, values: Sequence[c.Expr], scope: UnitScope, is_public: bool = False) -> c.Expr:
        """Lower the test whether the instance is a choice: in a trial, its leading requirements are enough for that."""
        return either(c.Op("is_trial", (), BOOL), self.holds(values, scope, is_public))

    def _whole(self, is_public: bool) -> _Body:
        """Return the guard before it is specialized for arguments."""
        if is_public not in self._bodies:
            self._bodies[is_public] = _Body(self, is_public)
        return self._bodies[is_public]

    def _variant(self, known: tuple[c.Const | None, ...], is_public: bool) -> tuple[c.Expr, tuple[int, ...]]:
        """Return the test for these constants, without arguments, and the numbers of the arguments that it needs."""
        whole = self._whole(is_public)
        body = _read(_decided(self.unchanged.body(whole.specialized(known))[0]))
        read = _variables(body)
        tests = [statement.test for statement in body if isinstance(statement, c.If)]
        if body == (*(c.If(test, (ALWAYS_REFUSED,)) for test in tests), ALLOWED):
            test: c.Expr = TRUE
            for each in tests:
                test = both(test, negation(each))
            if size(test) <= _SHORT and not read:
                return test, ()
        if body == (ALWAYS_REFUSED,):
            return FALSE, ()
        positions = tuple(at for at, var in enumerate(whole.parameters) if var.number in read)
        parameters = tuple(whole.parameters[at] for at in positions)
        # Options of several decisions often perform one action, whose guards are equal.
        unit = self.units.setdefault((parameters, body), len(self.program.units))
        if unit == len(self.program.units):
            self.program.units.append(c.Unit(f"{self.option.name} guard", parameters, body))
        return c.Call(unit, (), BOOL), positions


ALLOWED, ALWAYS_REFUSED = c.Return(TRUE), c.Return(FALSE)
ENDS = (ALLOWED, ALWAYS_REFUSED)


class _Body:
    """The statements of a guard.

    Constants are propagated, and statements that nothing reads are left out.
    """

    def __init__(self, guard: Guard, is_public: bool) -> None:
        self._program, self._refusals = guard.program, guard.refusals
        self._concealed = guard.x.concealment.elements
        self._is_public = c.Const(is_public, BOOL)
        self._numbers = count(1_000_000)  # beyond those of the variables in the bodies that are copied
        self._names: dict[int, c.Var] = {}
        arguments = guard.option.arguments
        # An argument may be unknown to the public.
        types = [t.Never() if is_public else each.type for each in arguments]
        self.parameters = [c.Var(next(self._numbers), of) for of in types]
        self._known: dict[int, c.Const] = {}  # by the numbers of variables, which hash faster than variables
        self._stored: set[int] = set()
        self._is_special = False
        for argument, var in zip(arguments, self.parameters, strict=True):
            if argument.cell is not None:
                self._names[argument.cell] = var
        # The arguments are parameters already; the other cells that are named below are read when the guard begins.
        given = frozenset(self._names)
        self.settles, self.is_too_long, self._left = True, False, _LONGEST
        self._inside: list[int] = []
        self._repeats = 0  # the loops and attempts around the statement
        body = _ended(self._body(self._program.blocks[guard.option.entry].body, ()))
        first = [c.Set(var, c.Load(cell, None, 1, var.type)) for cell, var in self._names.items() if cell not in given]
        self.statements = _read((*first, *body))

    def specialized(self, known: Sequence[c.Const | None]) -> c.Body:
        """Return the statements for constants in place of some arguments."""
        pairs = zip(self.parameters, known, strict=True)
        self._known = {var.number: value for var, value in pairs if value is not None}
        if not self._known:
            return self.statements
        self._names, self._is_special = {}, True  # all cells that were stored are variables already
        return _read(_ended(self._body(self.statements, ())))

    def _body(self, body: c.Body, behind: Sequence[c.Body]) -> c.Body:
        """Lower the statements up to the first change. behind: what may follow them."""
        statements: list[c.Statement] = []
        # Which changes the guard as a whole goes on after is known by then.
        if self._is_special:
            for statement in body:
                statements += self._statement(statement, ())
                if statements and statements[-1] in ENDS:
                    break
            return tuple(statements)
        for at, statement in enumerate(body):
            self._left -= weight((statement,)) if not isinstance(statement, c.If | c.Each | c.Attempt) else 1
            # A longer guard takes more time than a trial.
            if self._left < 0:
                self.is_too_long = True
                return tuple(statements)
            rest = (body[at + 1 :], *behind)
            # A service may read anything, or draw a piece: the guard ends before it, as before a change.
            if any(map(_serves, expressions(statement))):
                statements += self._changed((*rest, (statement,)))
                return tuple(statements)
            lowered = self._statement(statement, rest)
            statements += lowered
            if lowered and lowered[-1] in ENDS:
                break
        return tuple(statements)

    def _changed(self, behind: Sequence[c.Body]) -> tuple[c.Statement, ...]:
        if any(map(self._refusals.in_, behind)):
            self.settles = False
        return (ALLOWED,)

    def _statement(self, statement: c.Statement, rest: Sequence[c.Body]) -> tuple[c.Statement, ...]:
        of = self._named
        match statement:
            case c.Refuse():
                return (ALWAYS_REFUSED,)
            case c.Wait() | c.End():
                return (ALLOWED,)
            case c.Goto(block=block):
                if block in self._inside:  # a loop, whose number of iterations is known only in play
                    return self._changed([(statement,)])
                self._inside.append(block)
                inlined = self._body(self._program.blocks[block].body, ())
                self._inside.pop()
                return _ended(inlined)
            # A slot of a routine is not part of the game's state: it becomes a variable.
            case c.Put(base=cell, index=None, value=value) if cell >= self._program.game.cell_count:
                return self._set(self._name(cell), of(value))
            case c.Put() if self._is_special:
                return (statement,)
            # A test carries nothing out, so it writes no trace.
            case c.Note():
                return ()
            case c.If(test=test, then=then, otherwise=otherwise):
                test = of(test)
                if isinstance(test, c.Const):
                    return self._body(then if test.value else otherwise, rest)
                return (c.If(test, *self._branches((then, otherwise), rest)),)
            case c.Each(items=items, body=inner):
                items = of(items)
                for each in statements(inner):  # a later turn reads what an earlier one has stored
                    if isinstance(each, c.Put) and each.base >= self._program.game.cell_count:
                        self._known.pop(self._name(each.base).number, None)
                    elif isinstance(each, c.Set):
                        self._known.pop(each.var.number, None)
                # After a turn may follow another one, so that the body itself counts among what a change may lead to.
                return (replace(statement, items=items, body=self._repeated(inner, (inner, *rest))),)
            case c.Attempt(body=inner):
                return (c.Attempt(self._repeated(inner, rest)),)
            case c.Set(var=var, value=value):
                return self._set(var, of(value))
            case c.Append(item=item):
                return (replace(statement, item=of(item)),)
            case c.New() | c.Break() | c.Fail() | c.Return():
                return (statement,)
        return self._after(statement, rest) or self._changed((*rest, (statement,)))

    def _after(self, statement: c.Statement, rest: Sequence[c.Body]) -> c.Body:
        """Return what a change leaves of its statement if a requirement may follow it; () to end the guard there."""
        # A later turn would read what an earlier one has changed, and an attempt may end before the change.
        if self._repeats or not any(map(self._refusals.in_, rest)):
            return ()
        change = change_of(statement, self._program)
        # Pieces that not everybody sees are not compared in a public state.
        if change is None or (self._is_public.value and any(map(self._is_concealed, change.cells))):
            return ()
        needs = [c.If(negation(self._named(need)), (ALLOWED,)) for need in change.needs]
        # The values are computed all the same, as that may fail.
        values = [c.Set(c.Var(next(self._numbers), each.type), self._named(each)) for each in expressions(statement)]
        return (*values, *needs, *change.marks())

    def _is_concealed(self, row: tuple[int, int]) -> bool:
        first, size = row
        return any(each.offset < first + size and first < each.offset + each.count for each in self._concealed)

    def _branches(self, bodies: Sequence[c.Body], rest: Sequence[c.Body]) -> list[c.Body]:
        """Lower bodies that may be run, or not, or in part. What they store is not known after them."""
        before, outside, lowered = self._known, self._stored, list[c.Body]()
        self._stored = set()
        for body in bodies:
            self._known = dict(before)
            lowered.append(self._body(body, rest))
        self._known = {number: value for number, value in before.items() if number not in self._stored}
        self._stored |= outside
        return lowered

    def _repeated(self, body: c.Body, rest: Sequence[c.Body]) -> c.Body:
        """Lower the body of a loop or an attempt."""
        self._repeats += 1
        (lowered,) = self._branches((body,), rest)
        self._repeats -= 1
        return lowered

    def _set(self, var: c.Var, value: c.Expr) -> tuple[c.Statement, ...]:
        self._known.pop(var.number, None)
        self._stored.add(var.number)
        if isinstance(value, c.Const):
            self._known[var.number] = value
        return (c.Set(var, value),)

    def _name(self, cell: int) -> c.Var:
        """Return the variable of a cell that is stored."""
        if cell not in self._names:
            of = self._program.frame[cell - self._program.game.cell_count]
            self._names[cell] = c.Var(next(self._numbers), of)
        return self._names[cell]

    def _named(self, expr: c.Expr) -> c.Expr:
        """Replace the cells that were stored by variables, and those whose value is known by it."""
        if isinstance(expr, c.Load) and expr.index is None and expr.base in self._names:
            expr = self._names[expr.base]
        if isinstance(expr, c.Var):
            return self._known.get(expr.number, expr)
        if isinstance(expr, c.Op) and expr.name == "is_public":
            return self._is_public
        if isinstance(expr, c.Op) and expr.name == "look":
            looked = self._named(expr.args[0])
            # Only a cell has to be looked at: a variable holds what was seen there.
            return replace(expr, args=(looked,)) if isinstance(looked, c.Load) else looked
        return folded(expr, self._named)


def _serves(expr: c.Expr) -> bool:
    return isinstance(expr, c.Serve) or any(map(_serves, parts(expr)))


def _ended(body: c.Body) -> c.Body:
    """Append an end to the body: a move that reaches it is allowed."""
    return body if body and body[-1] in ENDS else (*body, ALLOWED)


def _decided(body: c.Body) -> c.Body:
    """Leave out what follows an end that is surely reached, and tests of a bound that earlier tests imply: a price that
    can be paid can be subtracted.
    """
    least = dict[c.Expr, int]()  # of numbers, which are no smaller where the flow goes on
    result = list[c.Statement]()
    for statement in body:
        match statement:
            case c.Each(items=c.Const(value=items), body=(end,)) if items and end in ENDS:
                return (*result, end)
            case c.If(test=c.Op(name="lt", args=(number, c.Const(value=int() as low))), then=then, otherwise=()):
                if low <= least.get(number, low - 1):
                    continue
                if then and isinstance(then[-1], c.Return | c.Fail):
                    least[number] = low
        given = {*variables_set((statement,))}
        if given:
            least = {number: low for number, low in least.items() if given.isdisjoint(variables(number))}
        match statement:
            case c.Set(var=var, value=c.Op(name="add" | "sub" as name, args=(number, c.Const(value=int() as by)))) if (
                number in least
            ):
                least[var] = least[number] + (by if name == "add" else -by)
        result.append(statement)
    return tuple(result)


def _variables(body: c.Body) -> set[int]:
    """Return the numbers of the variables that a body reads."""
    return {var.number for var in variables(*each_expression(body))}


def _read(body: c.Body) -> c.Body:
    """Leave out assignments to variables that are never read."""
    # A removed assignment may have been the only reader of other variables.
    while True:
        read = _variables(body)
        if not any(isinstance(each, c.Set) and _is_dead(each, read) for each in statements(body)):
            return body
        body = _without_dead(body, read)


def _is_dead(statement: c.Set, read: set[int]) -> bool:
    return statement.var.number not in read and has_value(statement.value)


def _without_dead(body: c.Body, read: set[int]) -> c.Body:
    return tuple(
        _without_dead_inside(each, read) for each in body if not (isinstance(each, c.Set) and _is_dead(each, read))
    )


def _without_dead_inside(statement: c.Statement, read: set[int]) -> c.Statement:
    match statement:
        case c.If(test=test, then=then, otherwise=otherwise):
            return c.If(test, _without_dead(then, read), _without_dead(otherwise, read))
        case c.Each(body=inner) | c.Attempt(body=inner):
            return replace(statement, body=_without_dead(inner, read))
    return statement
