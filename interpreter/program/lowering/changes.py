"""Requirements after a change that the state before it answers.

A requirement often follows the price of a move, and reads nothing that the price changes. A guard tests it in advance:
it goes on after a change, which it leaves out, up to the first read of a cell that the change has written. There it
fails because it has no value, and so refuses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.operations import BOOL, INT, op
from ..ir.traversal import calls, each_expression, expressions, parts, rebuilt, statements

_Cells = frozenset[int]


# ---- changes without a fault


@dataclass(frozen=True, slots=True)
class OmittedChange:
    """A change that a guard may leave out.

    Attributes:
        cells: the first cell and the number of cells, for each row of cells that it writes in.
        needs: the tests without which it is a fault.
    """

    cells: tuple[tuple[int, int], ...]
    needs: tuple[c.Expr, ...] = ()

    def marks(self) -> c.Body:
        """Return statements that say which cells change."""
        return tuple([c.Put(base, None, size, c.Const(None, t.Never())) for base, size in self.cells])


def change_of(statement: c.Statement, program: c.Program) -> OmittedChange | None:
    """Return the change that a statement makes, if it is known what it writes and when it is a fault."""
    match statement:
        case c.Put(base=base, index=None):
            return OmittedChange(((base, 1),))
        case c.Put(base=base, index=c.Const(value=int() as at)):
            return OmittedChange(((base + at, 1),))
        case c.Put(base=base, size=size):
            return OmittedChange(((base, size),))
        case c.Do(name="move", args=(source, target, pieces), at=at):
            step = program.services[at].statement
            assert isinstance(step, m.MovePiece)
            return _move(step.source.element, step.target.element, source, target, pieces)
    return None


def _move(one: m.Element, two: m.Element, source: c.Expr, target: c.Expr, pieces: c.Expr) -> OmittedChange | None:
    """Return the change that moves a single piece out of a zone whose pieces are known."""
    match pieces:
        case c.Op(name="list_of", args=(piece,)):
            pass
        case c.Const(value=(only,)):
            piece = c.Const(only, one.type)
        case _:
            return None
    # `has` asks a collection, and of hidden pieces it has no answer.
    if one.kind == "one" or one.visibility == "hidden":
        return None
    needs = [op("has", piece, _contents(one, source), gives=BOOL)]
    if two.kind == "one":
        needs.append(op("none", _contents(two, target), gives=BOOL))
    elif two.most is not None:
        room = op("size", _contents(two, target), gives=INT)
        needs.append(op("lt", room, c.Const(two.most, INT), gives=BOOL))
    return OmittedChange(((one.offset, one.count), (two.offset, two.count)), tuple(needs))


def _contents(zone: m.Element, place: c.Expr) -> c.Load:
    """Lower the contents of a zone, given the number of its cell."""
    of: t.Type = t.Optional(zone.type) if zone.kind == "one" else t.BagOf(zone.type)
    if isinstance(place, c.Const):
        return c.Load(place.value, None, 1, of)
    return c.Load(zone.offset, op("sub", place, c.Const(zone.offset, INT), gives=INT), zone.count, of)


# ---- what the state before a change answers


class _Unanswered(Exception):
    """An expression reads a cell that has changed."""


@dataclass(eq=False, repr=False)
class Unchanged:
    """Rewrites code after changes for the state before them: what reads a changed cell fails there."""

    program: c.Program
    _read: dict[int, _Cells | None] = field(default_factory=dict)
    _variants: dict[tuple[int, _Cells], tuple[int, bool] | None] = field(default_factory=dict)

    def body(self, body: c.Body, copies: bool = True) -> tuple[c.Body, bool]:
        """Leave out the marks of changes.

        Returns also whether the state before the changes answers all that follows them. copies: units that may read
        changed cells are copied; else they are called as they are, which answers no question.
        """
        if not any(isinstance(each, c.Put) for each in statements(body)):
            return body, True
        rewritten = _Rewriting(self, copies)
        result, _ = rewritten.body(body, frozenset())
        return result, rewritten.is_answered

    def call(self, call: c.Call, changed: _Cells, copies: bool) -> tuple[c.Call, bool]:
        """Return the call of a unit as it is before the changes, and whether it never fails for their sake.

        Raises _Unanswered.
        """
        read = self.reads(call.unit)
        if read is not None and read.isdisjoint(changed):
            return call, True
        if not copies:
            return call, False
        key = call.unit, changed if read is None else read & changed
        if key not in self._variants:
            self._variants[key] = None  # a unit that calls itself is not followed
            self._variants[key] = self._variant(*key) if read is not None else None
        found = self._variants[key]
        if found is None:
            raise _Unanswered
        return replace(call, unit=found[0]), found[1]

    def _variant(self, number: int, changed: _Cells) -> tuple[int, bool] | None:
        unit, rewritten = self.program.units[number], _Rewriting(self, True)
        body, _ = rewritten.body(unit.body, changed)
        if not any(isinstance(each, c.Return) for each in statements(body)):  # it would always fail
            return None
        self.program.units.append(c.Unit(f"{unit.name} before a change", unit.parameters, body, unit.keeps))
        return len(self.program.units) - 1, rewritten.is_answered

    def reads(self, number: int) -> _Cells | None:
        """Return the cells that a unit may read, with all that it calls; None if that is not known."""
        if number not in self._read:
            self._read[number] = self._reads(number)
        return self._read[number]

    def _reads(self, number: int) -> _Cells | None:
        found, waiting, cells = {number}, [number], set[int]()
        while waiting:
            unit = self.program.units[waiting.pop()]
            # The body of a unit that is being lowered is empty.
            if not unit.body or unit.cycle is not None:
                return None
            for expr in each_expression(unit.body):
                if not _collect(expr, cells):
                    return None
            further = set(calls(unit.body)) - found
            found |= further
            waiting += further
        return frozenset(cells)


def _collect(expr: c.Expr, cells: set[int]) -> bool:
    """Add the cells that an expression reads itself; False if it may read any."""
    if isinstance(expr, c.Serve):
        return False
    if isinstance(expr, c.Load):
        cells |= _cells_of(expr)
    return all(_collect(part, cells) for part in parts(expr))


def _cells_of(load: c.Load) -> _Cells:
    return frozenset((load.base,)) if load.index is None else frozenset(range(load.base, load.base + load.size))


class _Rewriting:
    """Rewrites one body.

    is_answered: nothing in it fails because it reads a changed cell.
    """

    def __init__(self, unchanged: Unchanged, copies: bool) -> None:
        self._unchanged, self._copies = unchanged, copies
        self.is_answered = True

    def body(self, body: Sequence[c.Statement], changed: _Cells) -> tuple[c.Body, _Cells]:
        """Rewrite statements, given the cells that changed before them. Returns also those that changed after them."""
        result = list[c.Statement]()
        for statement in body:
            # The change is not made: only its marks are here (`OmittedChange.marks`).
            if isinstance(statement, c.Put):
                changed |= frozenset(range(statement.base, statement.base + statement.size))
                continue
            try:
                rewritten, changed = self._statement(statement, changed)
            except _Unanswered:
                self.is_answered = False
                return (*result, self._fail()), changed
            result += rewritten
        return tuple(result), changed

    def _fail(self) -> c.Fail:
        return c.Fail("changed", None, self._unchanged.program.game.play.body.span)

    def _statement(self, statement: c.Statement, changed: _Cells) -> tuple[c.Body, _Cells]:
        of = self._in(changed)
        match statement:
            case c.If(test=test, then=then, otherwise=otherwise):
                test = of(test)
                (then, one), (otherwise, two) = self.body(then, changed), self.body(otherwise, changed)
                # What a branch changes before it returns or fails does not matter to the statements that follow.
                after = [cells for body, cells in ((then, one), (otherwise, two)) if not _ends(body)]
                return (c.If(test, then, otherwise),), changed.union(*after)
            # In an attempt a failure would not end the guard.
            case c.Attempt(body=inner):
                before, self.is_answered = self.is_answered, True
                inner, _ = self.body(inner, changed)
                if not self.is_answered:
                    raise _Unanswered
                self.is_answered = before
                return (c.Attempt(inner),), changed
            case c.Each(items=items, body=inner):
                return (replace(statement, items=of(items), body=self.body(inner, changed)[0]),), changed
            case c.Loop(body=inner):
                return (replace(statement, body=self.body(inner, changed)[0]),), changed
            # Only the chosen value is read.
            case c.Set(value=c.Pick() as pick) | c.Return(value=c.Pick() as pick) if self._reads(pick, changed):
                yes, no = replace(statement, value=pick.yes), replace(statement, value=pick.no)
                return self._statement(c.If(pick.test, (yes,), (no,)), changed)
            case c.Set(value=value) | c.Return(value=value):
                return (replace(statement, value=of(value)),), changed
            case c.Append(item=item):
                return (replace(statement, item=of(item)),), changed
        assert not expressions(statement), "a guard has no other statements"
        return (statement,), changed

    def _in(self, changed: _Cells) -> Callable[[c.Expr], c.Expr]:
        def of(expr: c.Expr) -> c.Expr:
            if not changed or expr.__class__ is c.Const or expr.__class__ is c.Var:
                return expr
            if isinstance(expr, c.Serve) or (isinstance(expr, c.Load) and not changed.isdisjoint(_cells_of(expr))):
                raise _Unanswered
            if isinstance(expr, c.Call):
                expr, is_answered = self._unchanged.call(expr, changed, self._copies)
                self.is_answered &= is_answered
            return rebuilt(expr, of)

        return of

    def _reads(self, expr: c.Expr, changed: _Cells) -> bool:
        """Return whether an expression may read a changed cell."""
        match expr:
            case c.Load() if not changed.isdisjoint(_cells_of(expr)):
                return True
            case c.Call(unit=unit):
                read = self._unchanged.reads(unit)
                if read is None or not read.isdisjoint(changed):
                    return True
        return any(self._reads(part, changed) for part in parts(expr))


def _ends(body: c.Body) -> bool:
    return bool(body) and isinstance(body[-1], c.Return | c.Fail)
