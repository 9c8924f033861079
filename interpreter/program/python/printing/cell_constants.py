"""Constants in cells: which cells of a block hold values that are known where a statement is printed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from ludex.spec import types as t

from ...ir import code as c
from ...ir.operations import folded
from ...ir.traversal import expressions, rebuilt, statements
from .patterns import FEWEST_IN_SLICE, is_pure

OF_ZONES = ("enter", "leave", "shuffle", "move", "move_all", "swap", "draw_unseen")
"""Services that change zones and pools, and nothing else."""


@dataclass
class CellConstants:
    """Constant propagation through cells, along one path of a block.

    held: the cells that hold constants here.
    """

    program: c.Program
    held: dict[int, c.Const] = field(default_factory=dict)

    def follow(self, statement: c.Statement) -> None:
        """Note which cells hold constants after a statement."""
        match statement:
            case c.Put(base=base, index=None, value=c.Const(value=value) as constant) if _is_small(value):
                self.held[base] = constant
            case c.If():
                pass  # by its branches
            case _:
                self.forget((statement,))

    def forget(self, body: c.Body) -> None:
        """Forget the constants in cells that statements may change."""
        changed = set[int]()
        for statement in statements(body):
            if isinstance(statement, c.Put):
                changed.update(range(statement.base, statement.base + statement.size))
            if not all(map(is_pure, expressions(statement))) or (
                isinstance(statement, c.Do) and statement.name not in OF_ZONES
            ):
                self.held = {}
                return
            if isinstance(statement, c.Do):
                changed |= self._zone_cells
        self.held = {cell: constant for cell, constant in self.held.items() if cell not in changed}

    def meet(self, other: dict[int, c.Const]) -> None:
        """Keep what holds on another path, too."""
        self.held = {cell: constant for cell, constant in self.held.items() if _is_same(other.get(cell), constant)}

    @cached_property
    def _zone_cells(self) -> frozenset[int]:
        zones = (each for each in self.program.game.elements if each.is_zone)
        return frozenset(chain.from_iterable(range(each.offset, each.offset + each.count) for each in zones))

    def resolved(self, statement: c.Statement) -> c.Statement:
        """Replace the cells that hold constants in the expressions of a statement."""
        match statement:
            case c.Set(value=value):
                return replace(statement, value=self.value(value))
            case c.Put(index=index, value=value):
                place = None if index is None else self.value(index)
                match place:
                    case c.Const(value=int() as by) if 0 <= by < statement.size:
                        return c.Put(statement.base + by, None, 1, self.value(value))
                return replace(statement, index=place, value=self.value(value))
            case c.If(test=test):
                return replace(statement, test=self.value(test))
            case c.Each(items=items):
                return replace(statement, items=self.value(items))
            case c.Append(item=item):
                return replace(statement, item=self.value(item))
            case c.Do(args=args):
                return replace(statement, args=tuple(map(self.value, args)))
        return statement

    def value(self, expr: c.Expr) -> c.Expr:
        match expr:
            case c.Load(base=base, index=None):
                return self.held.get(base, expr)
            # The place of the cell decides whether everybody sees it, so the place has to stay.
            case c.Op(name="look"):
                return expr
            case c.Op(type=t.SetOf() | t.BagOf() | t.ListOf()):
                return rebuilt(expr, self.value)
        try:
            resolved = folded(expr, self.value)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return expr  # it has no value: the flow does not come here
        return self.value(resolved) if isinstance(resolved, c.Load) and resolved.index is None else resolved


def _is_small(value: t.Value) -> bool:
    """Return whether a value has a literal, or is a short tuple of such."""
    return value is None or isinstance(value, int) or (isinstance(value, tuple) and len(value) <= FEWEST_IN_SLICE)


def _is_same(one: c.Const | None, other: c.Const) -> bool:
    return one is not None and type(one.value) is type(other.value) and one.value == other.value
