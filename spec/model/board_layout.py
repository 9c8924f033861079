"""Board layout: how the cells of a state or zone are arranged, which follows from its indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, TypeAlias

from ..values import types as t
from ..values.board_signs import Signs, signs_of
from . import nodes as m

MOST_COLUMNS = 24
_MOST_PLACES = 64
"""The largest number of places in a player's row that can be shown in parts."""

Indices: TypeAlias = tuple[t.Value, ...]


@dataclass(frozen=True, slots=True)
class ElementShape:
    """The form in which an element is shown.

    Attributes:
        by_player: its first index is a player.
        kind: of the rest: `word` (no index), `line` (one), `grid` (two, or a record of two fields), `list`.
    """

    by_player: bool
    kind: str


def shape_of(element: m.Element) -> ElementShape:
    """Return how an element is shown."""
    indices = list(element.indices)
    by_player = bool(indices) and isinstance(indices[0], t.PlayerType)
    rest = indices[1:] if by_player else indices
    if not rest:
        return ElementShape(by_player, "word")
    if len(rest) == 1 and isinstance(rest[0], t.Record) and len(rest[0].fields) == 2:
        return ElementShape(by_player, "grid")
    if len(rest) == 1:
        short = _few(rest[0], _MOST_PLACES if by_player else MOST_COLUMNS)
        return ElementShape(by_player, "line" if short or has_columns(element) else "list")
    return ElementShape(by_player, "grid" if len(rest) == 2 and all(map(_few, rest)) else "list")


def _few(type_: t.Type, most: int = MOST_COLUMNS) -> bool:
    return (t.size(type_) or 0) <= most


def has_columns(element: m.Element) -> bool:
    """Test whether an element holds single pieces of a component with columns."""
    return element.kind == "one" and isinstance(element.type, t.ComponentType) and bool(element.type.columns)


def rows_of(element: m.Element, from_below: bool = False) -> list[list[Indices]]:
    """List the indices of the cells of a line or grid in rows, the top one first, without the player's.

    from_below: the first row is the lowest, as it is in a pyramid.
    """
    shape = shape_of(element)
    cells = list(product(*map(t.values, element.indices[shape.by_player :])))
    if shape.kind == "line":
        return [cells]
    _, place_of = grid_fields(element)
    rows: dict[t.Value, list[Indices]] = {}
    for cell in cells:
        rows.setdefault(place_of(cell)[0], []).append(cell)
    listed = list(rows.values())
    return listed[::-1] if from_below or is_pyramid(listed) else listed


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The written form of the cells of one state or zone.

    Attributes:
        shape: how its cells are arranged.
        signs: the signs of its values, if it is written in rows of signs.
        rows: the indices of its cells in these rows, without the player's.
    """

    element: m.Element
    shape: ElementShape
    signs: Signs | None
    rows: list[list[Indices]]

    @property
    def may_be_empty(self) -> bool:
        """Whether `.` can be a place without anything."""
        return self.element.kind == "one" or isinstance(self.element.type, t.Optional)


def layout_of(
    element: m.Element, from_below: bool, seats: Sequence[str], players: Sequence[str] = (), signs: Signs | None = None
) -> BoardLayout:
    """Return how the cells of an element are written. signs: of its type, if they are known; if not, see `signs_of`."""
    shape = shape_of(element)
    is_board = shape.kind in ("line", "grid") and element.kind in ("state", "one")
    own = (signs or signs_of(element.type, seats, players)) if is_board else None
    return BoardLayout(element, shape, own, rows_of(element, from_below) if own else [])


def grid_fields(element: m.Element) -> tuple[tuple[tuple[str, t.Type], tuple[str, t.Type]], Any]:
    """Return the names and types of a grid's rows and columns, and how the two follow from a cell's last indices."""
    last = element.indices[-1]
    if isinstance(last, t.Record) and len(last.fields) == 2:
        first, second = last.fields
        members = last.members
        return (first, second), lambda indices: members[indices[0]]
    return (("", element.indices[-2]), ("", last)), lambda indices: indices


def is_pyramid(rows: Sequence[Sequence[object]]) -> bool:
    """Test whether every row has one place less than the row before, and there are at least three."""
    sizes = [len(row) for row in rows]
    # Two rows that differ by one place need not be a pyramid.
    return len(sizes) > 2 and all(below - above == 1 for below, above in pairwise(sizes))
