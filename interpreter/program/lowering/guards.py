"""Guards: test the requirements behind a move before the move changes anything.

A requirement behind a move usually belongs to the action that the move performs first: whether the price can be paid.
As long as nothing but slots of routines has been stored, it can be tested without a trial. The code from the option's
block up to the first change becomes a unit, in which those slots are variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from ..ir import code as c
from ..ir.operations import FALSE, TRUE
from ..ir.traversal import expressions, parts, rebuilt, statements, weight

LONGEST = 2_000
"""The largest size of a guard."""


class Refusals:
    """The places from which a requirement may be reached before the next event.

    blocks: the blocks that test one, or lead to one.
    """

    def __init__(self, program: c.Program) -> None:
        after, leaving = dict[int, set[int]](), dict[int, set[int]]()
        self.blocks: set[int] = set()
        self._back: dict[int, set[int]] = {}
        for number, block in enumerate(program.blocks):
            for statement in statements(block.body):
                if isinstance(statement, c.Back):
                    leaving.setdefault(statement.cell, set()).add(number)
        for number, block in enumerate(program.blocks):
            for statement in statements(_until_asked(program, block.body)):
                match statement:
                    case c.Refuse():
                        self.blocks.add(number)
                    case c.Goto(block=target):
                        after.setdefault(target, set()).add(number)
                    case c.Put(base=cell, value=c.Const(value=target)) if cell in leaving:
                        self._back.setdefault(cell, set()).add(target)
                        for routine in leaving[cell]:
                            after.setdefault(target, set()).add(routine)
        waiting = list(self.blocks)
        while waiting:
            for before in after.get(waiting.pop(), ()):
                if before not in self.blocks:
                    self.blocks.add(before)
                    waiting.append(before)

    def in_(self, body: c.Body) -> bool:
        """Whether a requirement can be reached in a body or behind it."""
        return any(map(self._in, statements(body)))

    def _in(self, statement: c.Statement) -> bool:
        match statement:
            case c.Refuse():
                return True
            case c.Goto(block=block):
                return block in self.blocks
            case c.Back(cell=cell):
                return not self.blocks.isdisjoint(self._back.get(cell, ()))
        return False


def _until_asked(program: c.Program, body: c.Body) -> c.Body:
    """Return the part of a body that a trial can reach.

    A decision with an option without requirements ends it: whether that option is refused in turn is not examined
    there.
    """
    for at, statement in enumerate(body):
        match statement:
            case c.If(test=c.Serve(name="offers", args=(c.Const(value=number), *_))):
                wait = program.waits[number]
                if isinstance(wait, c.Decision) and any(option.free for option in wait.options):
                    return body[: at + 1]
    return body


def guard(program: c.Program, refusals: Refusals, option: c.Option) -> tuple[c.Unit, bool] | None:
    """Return the unit that tests, given the arguments, that no requirement refuses the move before it changes anything.

    The second result says whether no requirement can refuse it after that. Returns None if the guard would test
    nothing.
    """
    made = _Guard(program, refusals, option)
    body = made.body(program.blocks[option.entry].body, ())
    first = tuple(
        c.Set(var, c.Load(cell, None, 1, var.type)) for cell, var in made.names.items() if cell not in made.given
    )
    refuses = any(statement == REFUSED for statement in statements(body))
    if made.is_too_long or not (refuses or made.settles):
        return None
    parameters = tuple(made.parameters)
    return c.Unit(f"{option.name} guard", parameters, (*first, *body, ALLOWED)), made.settles


ALLOWED, REFUSED = c.Return(TRUE), c.Return(FALSE)


class _Guard:
    def __init__(self, program: c.Program, refusals: Refusals, option: c.Option) -> None:
        self._program, self._refusals = program, refusals
        self._numbers = count(1_000_000)
        self.names: dict[int, c.Var] = {}
        self.parameters = [c.Var(next(self._numbers), each.type) for each in option.arguments]
        for argument, var in zip(option.arguments, self.parameters, strict=True):
            if argument.cell is not None:
                self.names[argument.cell] = var
        self.given = frozenset(self.names)
        self.settles, self.is_too_long, self._left = True, False, LONGEST
        self._inside: list[int] = []

    def body(self, body: c.Body, behind: Sequence[c.Body]) -> c.Body:
        """Lower the statements up to the first change. behind: what may follow them."""
        kept: list[c.Statement] = []
        for at, statement in enumerate(body):
            self._left -= weight((statement,)) if not isinstance(statement, c.If | c.Each | c.Attempt) else 1
            if self._left < 0:
                self.is_too_long = True
                return tuple(kept)
            rest = (body[at + 1 :], *behind)
            if any(map(_serves, expressions(statement))):
                kept += self._changed((*rest, (statement,)))
                return tuple(kept)
            made = self._statement(statement, rest)
            kept += made
            if made and made[-1] in (ALLOWED, REFUSED):
                break
        return tuple(kept)

    def _changed(self, behind: Sequence[c.Body]) -> tuple[c.Statement, ...]:
        if any(map(self._refusals.in_, behind)):
            self.settles = False
        return (ALLOWED,)

    def _statement(self, statement: c.Statement, rest: Sequence[c.Body]) -> tuple[c.Statement, ...]:
        of = self._named
        match statement:
            case c.Refuse():
                return (REFUSED,)
            case c.Wait() | c.End():
                return (ALLOWED,)
            case c.Goto(block=block):
                if block in self._inside:
                    return self._changed([(statement,)])
                self._inside.append(block)
                inlined = self.body(self._program.blocks[block].body, ())
                self._inside.pop()
                return inlined if inlined and inlined[-1] in (ALLOWED, REFUSED) else (*inlined, ALLOWED)
            case c.Put(base=cell, index=None, value=value) if cell >= self._program.game.cell_count:
                value = of(value)
                if cell not in self.names:
                    self.names[cell] = c.Var(
                        next(self._numbers), self._program.frame[cell - self._program.game.cell_count]
                    )
                return (c.Set(self.names[cell], value),)
            case c.Note():
                return ()
            case c.If(test=test, then=then, otherwise=otherwise):
                return (c.If(of(test), self.body(then, rest), self.body(otherwise, rest)),)
            case c.Each(items=items, body=inner):
                return (replace(statement, items=of(items), body=self.body(inner, (inner, *rest))),)
            case c.Attempt(body=inner):
                return (c.Attempt(self.body(inner, rest)),)
            case c.Doubt(body=inner, otherwise=otherwise):
                return (c.Doubt(self.body(inner, rest), self.body(otherwise, rest)),)
            case c.Set(value=value):
                return (replace(statement, value=of(value)),)
            case c.Append(item=item):
                return (replace(statement, item=of(item)),)
            case c.New() | c.Break() | c.Fail() | c.Unknown():
                return (statement,)
        return self._changed((*rest, (statement,)))

    def _named(self, expr: c.Expr) -> c.Expr:
        """Replace the cells that were stored by variables."""
        if isinstance(expr, c.Load) and expr.index is None and expr.base in self.names:
            return self.names[expr.base]
        return rebuilt(expr, self._named)


def _serves(expr: c.Expr) -> bool:
    return isinstance(expr, c.Serve) or any(map(_serves, parts(expr)))
