"""Units that see only how many pieces lie in concealed zones.

In a play that is not public, all pieces of such a zone are unknown. So what a unit returns that reads no other cell
depends on its arguments and on the sizes of the zones, and is kept by them for all games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ludex.spec import model as m
from ludex.spec import types as t

from ...ir import code as c
from ...ir.traversal import each_expression, parts


def sizes_seen(unit: c.Unit, elements: Mapping[int, m.Element]) -> list[tuple[c.Load, m.Element]] | None:
    """Return the cells of concealed elements that a unit looks at, if it reads nothing else; None if it does.

    elements: for each cell of a concealed element, the element.
    """
    looked = list(dict.fromkeys(load for expr in each_expression(unit.body) for load in _read(expr)))
    if not looked or any(load is None for load in looked):
        return None
    given = frozenset(unit.parameters)
    found = [(load, elements.get(load.base)) for load in looked if load is not None and _has_place(load, given)]
    seen = [(load, element) for load, element in found if element is not None and _is_within(load, element)]
    return seen if len(seen) == len(looked) else None


def _read(expr: c.Expr) -> Iterator[c.Load | None]:
    """Yield the cells that an expression looks at; None for what depends on anything else."""
    match expr:
        case c.Op(name="look", args=(c.Load() as load,)):
            yield load
            return
        case c.Load() | c.Call() | c.Serve() | c.Op(name="is_public" | "is_trial"):
            yield None
            return
    for part in parts(expr):
        yield from _read(part)


def _has_place(load: c.Load, given: Set[c.Var]) -> bool:
    """Return whether the place of a cell is computed from parameters alone, so that there always is such a cell."""
    return load.index is None or _is_computed(load.index, given)


def _is_computed(index: c.Expr, given: Set[c.Var]) -> bool:
    match index:
        case c.Var(type=of):
            return index in given and not isinstance(of, t.Optional)
        case c.Op(name="add" | "sub" | "mul", args=args):
            return all(_is_computed(arg, given) for arg in args)
    return isinstance(index, c.Const)


def _is_within(load: c.Load, element: m.Element) -> bool:
    return element.offset <= load.base and load.base + load.size <= element.offset + element.count
