"""Listing of a program for people: cells, units, blocks, and what the flow may wait for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ludex.spec import Unknown
from ludex.spec import model as m
from ludex.spec import types as t

from . import code as c

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod", "eq": "=", "ne": "!=", "lt": "<", "le": "<=",
    "gt": ">", "ge": ">=", "and": "and", "or": "or", "has": "in", "sum": "+", "union": "+", "minus": "-", "concat": "+",
}  # fmt: skip
_LONGEST = 60
"""Constants longer than this are cut off."""


def listing(program: c.Program) -> Iterator[str]:
    """Yield the lines of a program's listing."""
    text = _Listing(program.complete())
    yield from text.cells()
    for number, unit in enumerate(program.units):
        yield from text.unit(number, unit)
    for number, block in enumerate(program.blocks):
        yield f"block {number}  # {block.name}"
        yield from text.body(block.body, 1)
    for number, wait in enumerate(program.waits):
        if wait is not None:
            yield from text.wait(number, wait)
    yield from map(text.action_test, program.action_tests)
    yield f"begin at block {program.first}"
    yield from (f"points by unit {number}  # {path}" for path, number in program.scores)
    for criterion, worth in program.winner:
        yield f"winner: {criterion.kind}{'' if worth is None else f' of unit {worth}'}  # {criterion.path}"


class _Listing:
    def __init__(self, program: c.Program) -> None:
        self._program = program
        self._elements = sorted(program.game.elements, key=lambda each: each.offset)
        self._offsets = [element.offset for element in self._elements]

    def cells(self) -> Iterator[str]:
        """List the layout of the buffer."""
        for element in self._elements:
            yield f"cells {element.offset}..{element.offset + element.count - 1}: {_declared(element)}"
        first = self._program.game.cell_count
        for at, of in enumerate(self._program.frame):
            yield f"cell {first + at}: {of}"

    def unit(self, number: int, unit: c.Unit) -> Iterator[str]:
        given = ", ".join(f"v{var.number}: {var.type}" for var in unit.parameters)
        memo = {"": "", "state": ", remembered while no cell changes", "always": ", remembered"}[unit.keeps]
        yield f"unit {number}({given})  # {unit.name}{memo}"
        if unit.cycle is not None:
            yield f"  met again: {self._expr(unit.cycle)}"
        yield from self.body(unit.body, 1)

    def wait(self, number: int, wait: c.Waiting) -> Iterator[str]:
        kind = {c.Decision: "decision", c.Together: "decision of all", c.Chance: "chance", c.Hidden: "unseen piece"}
        who = ""
        if isinstance(wait, c.Decision):
            who = f" of {self._expr(wait.me)}{', who may decline' if wait.optional else ''}"
        choices = f", stated in {self._cell(wait.stated, None)}" if isinstance(wait, c.Together) else ""
        yield f"wait {number}: {kind[type(wait)]}{who}{choices}, then block {wait.then}  # {wait.statement.path}"
        match wait:
            case c.Decision(options=options) | c.Together(options=options):
                yield from map(self._option, options)
            case c.Chance(lists=lists, cell=cell):
                yield f"  one of unit {lists}, into {self._cell(cell, None)}"
            case c.Hidden(kind=how, source=source, target=target, bottom=bottom):
                yield f"  {how} from {source.name} to {'the bottom of ' if bottom else ''}{target.name}"

    def _option(self, option: c.Option) -> str:
        arguments = ", ".join(
            f"{each.name}: {each.type}{'' if each.cell is None else f' in {self._cell(each.cell, None)}'}"
            for each in option.arguments
        )
        units = f"listed by {option.lists}, offered by {option.offers}, admitted by {option.admits}"
        units += "" if option.seen is None else f", as all see it by {option.seen}"
        units += ", guarded" if option.guarded else ""
        trial = ", tried" if option.refusable else ""
        return f"  {option.name}({arguments}): {units}; block {option.entry}{trial}"

    def action_test(self, test: c.ActionTest) -> str:
        """Describe an action that `can` tests."""
        given, chosen = (", ".join(self._cell(each, None) for each in at) for at in (test.cells, test.choices))
        choices = f", chosen in {chosen} of unit {test.lists}, block {test.body}" if test.choices else ""
        back = self._cell(test.back, None)
        return f"can {test.action}({given}): block {test.entry}{choices}, back by {back}"

    # ---- statements

    def body(self, body: c.Body, depth: int) -> Iterator[str]:
        for statement in body:
            yield from self._statement(statement, depth)

    def _statement(self, statement: c.Statement, depth: int) -> Iterator[str]:
        pad = "  " * depth
        match statement:
            case c.If(test=test, then=then, otherwise=otherwise):
                yield f"{pad}if {self._expr(test)}"
                yield from self.body(then, depth + 1)
                if otherwise:
                    yield f"{pad}else"
                    yield from self.body(otherwise, depth + 1)
            case c.Each(var=var, items=items, body=body):
                yield f"{pad}each v{var.number} in {self._expr(items)}"
                yield from self.body(body, depth + 1)
            case c.Loop(body=body) | c.Attempt(body=body):
                yield f"{pad}{type(statement).__name__.lower()}"
                yield from self.body(body, depth + 1)
            case _:
                yield f"{pad}{self._plain(statement)}"

    def _plain(self, statement: c.Statement) -> str:
        match statement:
            case c.Set(var=var, value=value):
                return f"v{var.number} := {self._expr(value)}"
            case c.Put(base=base, index=index, value=value):
                return f"{self._cell(base, index)} := {self._expr(value)}"
            case c.New(var=var):
                return f"v{var.number} := new list"
            case c.Append(var=var, item=item):
                return f"v{var.number} append {self._expr(item)}"
            case c.Return(value=value):
                return f"return {self._expr(value)}"
            case c.Do(name=name, args=args):
                return f"do {name}({self._all(args)})"
            case c.Fail(kind=kind, path=path):
                return f"fail {kind}  # {path}"
            case c.Refuse(path=path):
                return f"refuse  # {path}"
            case c.Note(kind=kind, path=path):
                return f"note {kind}  # {path}"
            case c.Goto(block=number) | c.Wait(number=number):
                return f"{type(statement).__name__.lower()} {number}"
            case c.Back(cell=cell):
                return f"back to {self._cell(cell, None)}"
        return type(statement).__name__.lower()

    # ---- expressions

    def _cell(self, base: int, index: c.Expr | None) -> str:
        at = "" if index is None else f"[{self._expr(index)}]"
        if base >= self._program.game.cell_count:
            return f"cell {base}{at}"
        # Elements cover the first cells without gaps, so the last one that begins at or before a cell holds it.
        element = self._elements[bisect_right(self._offsets, base) - 1]
        first = base - element.offset
        if index is None:
            return element.name if element.count == 1 else f"{element.name}[{first}]"
        return f"{element.name}[{self._expr(index)}{f' + {first}' if first else ''}]"

    def _all(self, exprs: tuple[c.Expr, ...]) -> str:
        return ", ".join(map(self._expr, exprs))

    def _expr(self, expr: c.Expr) -> str:
        match expr:
            case c.Const(value=value):
                return _constant(value)
            case c.Var(number=number):
                return f"v{number}"
            case c.Load(base=base, index=index):
                return self._cell(base, index)
            case c.Lookup(table=table, index=index):
                return f"{_constant(table)}[{self._expr(index)}]"
            case c.Pick(test=test, yes=yes, no=no):
                return f"(if {self._expr(test)} then {self._expr(yes)} else {self._expr(no)})"
            case c.Call(unit=unit, args=args):
                return f"unit {unit}({self._all(args)})"
            case c.Op(name=name, args=args) if name in _SIGNS:
                return f"({f' {_SIGNS[name]} '.join(map(self._expr, args))})"
            case c.Serve(name="can" | "asking" as name, args=args, at=at):
                return f"{name} {self._program.action_tests[at].action}({self._all(args)})"
            case c.Op(name=name, args=args) | c.Serve(name=name, args=args):
                return f"{name}({self._all(args)})"


def _declared(element: m.Element) -> str:
    indices = f"({', '.join(map(str, element.indices))})" if element.indices else ""
    kind = "" if element.kind == "state" else f"{element.kind} of "
    return f"{element.name}{indices}: {kind}{element.type}"


def _constant(value: t.Value) -> str:
    # The type is tested first, since `1 == True` would list the number 1 as `true`.
    text = {None: "none", True: "true", False: "false"}.get(value) if isinstance(value, bool | None) else None
    text = "unknown" if isinstance(value, Unknown) else text or str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
