"""Zones that stay empty: units are simplified for plays in which no piece ever comes into them.

An option may keep pieces of a game in the box: a variant without tiles still asks, for each place, which tiles help to
pay. No statement of the program then brings a piece into a player's tiles (reachability over the moves between zones).
A unit that reads such a zone is printed as if it were empty, after a test that it is: a state may come from outside,
with pieces wherever somebody puts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from ludex.spec import model as m
from ludex.spec import piece_flow

from ...ir import code as c
from ...ir.traversal import each_expression, parts, variables


def empty_cells(program: c.Program) -> frozenset[int]:
    """Return the cells of the bags and piles that everybody sees and into which no statement brings a piece."""
    filled, moves = set[m.Element](), list[tuple[m.Element, m.Element]]()
    for each in (*program.game.refills, *(service.statement for service in program.services)):
        flow = piece_flow(each)
        filled |= {zone.element for zone in flow.entered}
        moves += [(one.element, two.element) for one, two in flow.moved]
    # A piece may go on from zone to zone.
    while more := {two for one, two in moves if one in filled} - filled:
        filled |= more
    empty = (each for each in program.game.elements if each.kind in ("bag", "pile") and each.visibility == "open")
    return frozenset(
        cell for each in empty if each not in filled for cell in range(each.offset, each.offset + each.count)
    )


def reads_of(body: c.Body, cells: Set[int], given: Set[c.Var]) -> list[c.Load]:
    """Return the reads of these cells in a unit, at places that are known when it is called.

    given: the parameters of the unit.
    """

    if not cells:
        return []

    def found(expr: c.Expr) -> Iterator[c.Load]:
        # The place of the cell decides whether everybody sees it, so the place has to stay.
        if isinstance(expr, c.Op) and expr.name == "look":
            return
        if (
            isinstance(expr, c.Load)
            and {*range(expr.base, expr.base + expr.size)} <= cells
            and given >= {*variables(expr)}
        ):
            yield expr
        for part in parts(expr):
            yield from found(part)

    return [*dict.fromkeys(load for expr in each_expression(body) for load in found(expr))]
