"""Picture of an observation. Nothing here knows any one game: its shape follows from what each element is indexed by.

| indexed by                     | shown as                                                               |
|--------------------------------|------------------------------------------------------------------------|
| nothing                        | a word among others: `stack: 27 hidden`                                |
| a player                       | a row of the table of players, who are side by side                    |
| one other thing                | a row; of pieces with printed values, a table with a row for each piece |
| a record of two fields, or two | a grid; one whose rows grow shorter becomes a pyramid                  |
| a player and one of those      | the same for each player, side by side; of many places a table with a  |
|                                | row for each player                                                    |
| anything else                  | a list of what is not empty                                            |

On a grid, and in a long row, words are shown as signs (`board_signs.py`), with a legend. Elements of words or players
with the same indices are one board, so that the owner and the kind of a piece appear together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ludex.interpreter import HIDDEN_JSON
from ludex.spec import (
    EMPTY,
    MANY_VALUES,
    ElementShape,
    JsonFault,
    from_json,
    grid_fields,
    has_columns,
    has_signs,
    is_pyramid,
    shape_of,
    signs_for,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..reporting import broken, cells, padded, table, without_directions
from .board_signs import legend_rows, spread
from .observation_text import NONE_SIGN, Observation, Viewer, is_nothing, unseen_count

MOST_EXPLAINED = 12
"""The largest number of pieces whose printed values are shown without a request, besides those in a row."""
SHORT_ROW = 8
GAP = "    "


def picture_rows(viewer: Viewer, seen: Observation, width: int = 100, explain: bool | None = None) -> list[str]:
    """Draw an observation. explain: list what is printed on all pieces that can be seen (None: where they are few)."""
    picture = _Picture(viewer, seen)
    blocks = [
        *_wrapped(picture.words(), width),
        *(block for group in picture.lines(width) for block in _side_by_side(group, width)),
        *(block for group in picture.grids(width) for block in _side_by_side(group, width)),
        picture.players(width),
        picture.others(),
        picture.printed(explain),
    ]
    return [row for block in blocks if block for row in ("", *block)][1:]


class _Picture:
    """The parts of one picture; each part is a block of rows, or several blocks that may be side by side."""

    def __init__(self, viewer: Viewer, seen: Observation) -> None:
        self.viewer, self.game = viewer, viewer.game
        self.held = {**seen["states"], **seen["zones"]}
        kept_back = self.game.picture.not_shown
        self.shapes = {each.name: shape_of(each) for each in self.game.elements if each.name not in kept_back}
        self.explained: set[tuple[str, str]] = set()

    def _elements(self, by_player: bool, kind: str) -> list[m.Element]:
        return [
            element for element in self.game.elements if self.shapes.get(element.name) == ElementShape(by_player, kind)
        ]

    def _cells(self, element: m.Element) -> dict[tuple[t.Value, ...], Any]:
        """Return the content of each cell, by its indices."""
        every = product(*map(t.values, element.indices))
        held = self.held[element.name]
        # An observation has the cells in the order of their indices' values.
        return dict(zip(every, held.values() if element.indices else [held], strict=True))

    # ---- words

    def words(self) -> list[list[str]]:
        """Write the elements without an index, each piece by piece; empty collections are only named."""
        shown, empty = [], []
        for element in self._elements(False, "word"):
            first, *others = self.viewer.items(element, self.held[element.name])
            if element.kind in ("pile", "bag") and is_nothing(element, self.held[element.name]):
                empty.append(self.viewer.called(element))
            else:
                shown.append([f"{self.viewer.called(element)}: {first}", *others])
        return [*shown, [f"{self.viewer.frame('empty')}: {empty[0]}", *empty[1:]]] if empty else shown

    def players(self, width: int) -> list[str]:
        """Draw the elements of each player, the players side by side; what is too wide has a row for each player."""
        held = {element: list(self._cells(element).values()) for element in self._elements(True, "word")}
        together = dict(held)
        # Without the widest element the others may fit side by side.
        while together and max(map(cells, self._side_by_side(together))) > width:
            # The widest goes, since it brings most.
            del together[max(together, key=lambda element: max(map(cells, self._cell_texts(element, held[element]))))]
        rows = self._side_by_side(together) if together else []
        apart = [element for element in held if element not in together]
        if rows and apart:
            rows.append("")
        for element in apart:
            for seat, data in enumerate(held[element]):
                rows += self._own(element, seat, data, width)
        return rows

    def _side_by_side(self, held: Mapping[m.Element, Sequence[Any]]) -> list[str]:
        named = ([self.viewer.called(element), *self._cell_texts(element, data)] for element, data in held.items())
        return table([["", *self.viewer.speech.players], *named], gap="   ")

    def _cell_texts(self, element: m.Element, held: Sequence[Any]) -> list[str]:
        return [self.viewer.cell(element, data) for data in held]

    def _own(self, element: m.Element, seat: int, data: Any, width: int) -> list[str]:
        first, *others = self.viewer.items(element, data)
        return broken([f"{self.viewer.of_player(element, seat)}: {first}", *others], width)

    # ---- lines

    def lines(self, width: int) -> Iterator[list[list[str]]]:
        for element in self._elements(False, "line"):
            yield [self._line(element, self._cells(element), self.viewer.called(element), width)]
        for element in self._elements(True, "line"):
            # Many places in a line need a row for each player, below one head.
            if (t.size(element.indices[-1]) or 0) > SHORT_ROW and not has_columns(element):
                yield [self._table(element, width)]
                continue
            yield [
                self._line(element, cells_, self.viewer.of_player(element, seat), width)
                for seat, cells_ in self._by_player(element)
            ]

    def _table(self, element: m.Element, width: int) -> list[str]:
        """Draw many places of each player: a row for each, in which empty places are dots."""
        index = element.indices[-1]
        heads = [self.viewer.in_words(index, value) for value in t.values(index)]
        held = self._cells(element)
        contents, signs = self._signed(element, held)
        rows = {
            self.viewer.player(seat): [
                EMPTY if is_nothing(element, held[indices]) else word
                for indices, word in contents.items()
                if indices[0] == seat
            ]
            for seat in range(self.game.players)
        }
        return [*spread(self.viewer.called(element), heads, rows, width), *legend_rows(signs, width)]

    def _signed(
        self, element: m.Element, held: Mapping[tuple[t.Value, ...], Any]
    ) -> tuple[dict[tuple[t.Value, ...], str], dict[str, str]]:
        """Return the content of each cell, in signs where words are long, and the signs in sight, by word."""
        if isinstance(element.type, t.Bool):
            return {indices: "x" if data is True else EMPTY for indices, data in held.items()}, {}
        shown_as = {indices: self.viewer.cell(element, data, brief=True) for indices, data in held.items()}
        if element.kind not in ("state", "one") or not has_signs(element.type):
            return shown_as, {}
        of = t.strip_optional(element.type)
        seen = {
            at for at, data in held.items() if data not in (None, HIDDEN_JSON) and unseen_count(element, data) is None
        }
        shown = {shown_as[indices] for indices in seen}
        # Signs are made for all values, in sight or not, so that none changes its meaning as play continues.
        if (t.size(of) or MANY_VALUES + 1) <= MANY_VALUES:
            values: Iterable[Any] = t.values(of)
        else:
            # A type of very many values has signs for those in sight only.
            read = (from_json(of, data) for indices, data in held.items() if indices in seen)
            values = sorted(value for value in read if not isinstance(value, JsonFault))
        parts = {self.viewer.in_words(of, value, brief=True): self._parts(of, value) for value in values}
        # The marks of direction are not part of a word, and are put on again afterwards.
        signed = signs_for(map(without_directions, parts.values()))
        begun = {
            word: signed[without_directions(part)] for word, part in parts.items() if without_directions(part) in signed
        }
        signs = {word: self.viewer.speech.sign(sign) for word, sign in begun.items()}
        in_sight = {word: sign for word, sign in signs.items() if word in shown}
        return {indices: signs.get(word, word) for indices, word in shown_as.items()}, in_sight

    def _parts(self, type_: t.Type, value: Any) -> str:
        """Write what distinguishes a value from others of its type: a record without its name, which all have."""
        if not isinstance(type_, t.Record):
            return self.viewer.in_words(type_, value, brief=True)
        fields = zip(type_.fields, type_.members[value], strict=True)
        return ", ".join(self.viewer.in_words(of, part, brief=True) for (_, of), part in fields)

    def _by_player(self, element: m.Element) -> Iterator[tuple[int, dict[tuple[t.Value, ...], Any]]]:
        held = self._cells(element)
        for seat in range(self.game.players):
            yield seat, {indices[1:]: data for indices, data in held.items() if indices[0] == seat}

    def _line(self, element: m.Element, held: Mapping[tuple[t.Value, ...], Any], title: str, width: int) -> list[str]:
        index = element.indices[-1]
        heads = [self.viewer.in_words(index, indices[0]) for indices in held]
        if has_columns(element):
            assert isinstance(element.type, t.ComponentType)
            return self._cards(element, element.type, list(zip(heads, held.values(), strict=True)), title)
        if len(heads) > SHORT_ROW and has_signs(element.type):
            signed, signs = self._signed(element, held)
            return [*spread(title, heads, {"": list(signed.values())}, width), *legend_rows(signs, width)]
        contents = [self.viewer.cell(element, data) for data in held.values()]
        wide = table([[title, *heads], ["", *contents]], right=frozenset(range(1, len(heads) + 1)))
        # What is too wide gets a row for each place.
        if max(map(cells, wide)) <= width:
            return wide
        return [title, *(f"  {row}" for row in table(list(zip(heads, contents, strict=True))))]

    def _cards(
        self, element: m.Element, type_: t.ComponentType, places: Sequence[tuple[str, Any]], title: str
    ) -> list[str]:
        """Draw a row for each place, with what is printed on the piece that lies there."""
        rows = [[title, *self._heads(type_)]]
        for head, data in places:
            value = None if data is None or isinstance(data, dict) else from_json(type_, data)
            if isinstance(value, int):
                # A kind that is drawn with its values here need not be explained again.
                self.explained.add((str(type_), type_.ids[value]))
                rows.append([head, *self._printed(type_, value)])
            else:
                rows.append([head, self.viewer.cell(element, data), *("" for _ in type_.columns)])
        return table(rows, right=frozenset({0}))

    def _printed(self, type_: t.ComponentType, kind: int) -> list[str]:
        """Write a kind's id and the values of its columns."""
        values = zip(type_.columns, type_.rows[kind], strict=True)
        printed = (
            NONE_SIGN if value is None or value is False else self.viewer.in_words(of, value)
            for (_, of), value in values
        )
        return [self.viewer.in_words(type_, kind), *printed]

    def _heads(self, type_: t.ComponentType) -> list[str]:
        word = self.viewer.speech.word
        return [word(str(type_)), *(word(f"{type_}.{name}", name) for name, _ in type_.columns)]

    # ---- grids

    def grids(self, width: int) -> Iterator[list[list[str]]]:
        for board in self._boards():
            title = ", ".join(map(self.viewer.called, board))
            yield [self._grid(board, [self._cells(element) for element in board], title, width)]
        for element in self._elements(True, "grid"):
            yield [
                self._grid([element], [held], self.viewer.of_player(element, seat), width)
                for seat, held in self._by_player(element)
            ]

    def _boards(self) -> list[list[m.Element]]:
        """Return the elements that are shown as one grid: those of pieces with the same indices."""
        boards: list[list[m.Element]] = []
        for element in self._elements(False, "grid"):
            # Boards that lie on the same places are one picture for a player.
            first = next((board for board in boards if self._stand_together(board[0], element)), None)
            if first:
                first.append(element)
            else:
                boards.append([element])
        return boards

    def _stand_together(self, one: m.Element, other: m.Element) -> bool:
        """Return whether both grids are of pieces on the same places, and drawn the same way up."""
        turned = self.game.picture.from_below
        # Numbers have no signs, so two of them on one place could not be distinguished.
        pieces = all(each.kind in ("state", "one") and has_signs(each.type) for each in (one, other))
        return pieces and one.indices == other.indices and (one.name in turned) == (other.name in turned)

    def _grid(
        self, board: Sequence[m.Element], held: Sequence[Mapping[tuple[t.Value, ...], Any]], title: str, width: int
    ) -> list[str]:
        """Turn a grid that is too wide for the page: its columns are shown as rows."""
        element = board[0]
        fields, places = grid_fields(element)
        layers = [self._signed(each, cells_) for each, cells_ in zip(board, held, strict=True)]
        grid: dict[t.Value, dict[t.Value, str]] = {}
        for indices in layers[0][0]:
            row, column = places(indices)
            signs = [contents[indices] for contents, _ in layers]
            grid.setdefault(row, {})[column] = EMPTY if set(signs) == {EMPTY} else "".join(signs)
        # Signs have one width, and words are padded to it only where signs are.
        step = max(cells(word) for row in grid.values() for word in row.values()) if layers[0][1] else 0
        (row_name, _), (column_name, column_type) = fields
        if row_name:
            call, record = self.viewer.speech.word, str(element.indices[-1])
            row_name, column_name = call(f"{record}.{row_name}", row_name), call(f"{record}.{column_name}", column_name)
        row_head, column_head = (self._head(element, *field) for field in fields)
        heads = {row: row_head(row) for row in grid}
        columns = [column for column in t.values(column_type) if any(column in row for row in grid.values())]
        if is_pyramid([list(row) for row in grid.values()]):
            return _pyramid(title, row_name, heads, grid)
        corners = [f"{row_name}\\{column_name}", f"{column_name}\\{row_name}"] if row_name else ["", ""]
        top = [corners[0], *map(column_head, columns)]
        rows = [top, *([heads[row], *(padded(grid[row].get(column, " "), step) for column in columns)] for row in grid)]
        explained = (row for _, signs in layers for row in legend_rows(signs, width))
        # The first row of a chess board is the nearest.
        from_below = element.name in self.game.picture.from_below
        shown = table([top, *reversed(rows[1:])] if from_below else rows, right=frozenset({0}))
        if max(map(cells, shown)) > width:
            turned = [list(line) for line in zip(*rows, strict=True)]
            shown = table([[corners[1], *turned[0][1:]], *turned[1:]], right=frozenset({0}))
        return [title, *shown, *explained]

    def _head(self, element: m.Element, field: str, type_: t.Type) -> Callable[[t.Value], str]:
        """Return what writes the head of a row or column, a letter where the notation of squares has one."""
        record, letter = element.indices[-1], self.viewer.writer.vocabulary.letter
        if not isinstance(record, t.Record):
            return lambda value: self.viewer.in_words(type_, value)
        return lambda value: letter(record, field, value) or self.viewer.in_words(type_, value)

    # ---- the rest

    def others(self) -> list[str]:
        """Write the elements of any other shape, unless they are empty."""
        rows = []
        for element in (*self._elements(False, "list"), *self._elements(True, "list")):
            for indices, data in self._cells(element).items():
                if not is_nothing(element, data):
                    inside = ", ".join(map(self.viewer.in_words, element.indices, indices))
                    rows.append(f"{self.viewer.called(element)}({inside}): {self.viewer.cell(element, data)}")
        return rows

    def printed(self, explain: bool | None) -> list[str]:
        """Draw what is printed on the pieces in sight, except those that a row has shown; if it is asked for, also what
        is printed on the board: components that are not pieces."""
        blocks: list[str] = []
        for type_ in self.game.components:
            # Kinds without a zone are values of states, which any place may have.
            on_board = not any(element.is_zone and element.type == type_ for element in self.game.elements)
            kinds = list(range(len(type_.ids))) if on_board and explain else self._in_sight(type_)
            if not type_.columns or not kinds:
                continue
            if explain is False or (explain is None and len(kinds) > MOST_EXPLAINED):
                continue
            blocks += table([self._heads(type_), *(self._printed(type_, kind) for kind in kinds)])
        return blocks

    def _in_sight(self, type_: t.ComponentType) -> list[int]:
        kinds: set[int] = set()
        for element in self.game.elements:
            if element.is_zone and element.type == type_ and element.name in self.shapes:
                for data in self._cells(element).values():
                    ids = data if isinstance(data, list) else [data]
                    kinds.update(type_.positions[each] for each in ids if isinstance(each, str))
        return sorted(kind for kind in kinds if (str(type_), type_.ids[kind]) not in self.explained)


# ---- pyramids --------------------------------------------------------------------------------------------------


def _pyramid(
    title: str, name: str, heads: Mapping[t.Value, str], grid: Mapping[t.Value, Mapping[t.Value, str]]
) -> list[str]:
    """Draw a pyramid: the shortest row on top, every row centred above the one below it."""
    width = max(cells(word) for row in grid.values() for word in row.values())
    width += 1 - width % 2  # an odd width and a gap of three: half a step is a whole column
    margin = max(map(cells, heads.values()))
    rows = []
    for depth, (row, held) in enumerate(reversed(list(grid.items()))):
        shift = (len(grid) - 1 - depth) * (width + 3) // 2
        places = "   ".join(_centred(word, width) for word in held.values())
        rows.append(f"{name} {padded(heads[row], margin, right=True)}  {' ' * shift}{places}".rstrip())
    return [title, *rows]


def _centred(word: str, width: int) -> str:
    left = (width - cells(word)) // 2
    return padded(" " * left + word, width)


# ---- arranging -------------------------------------------------------------------------------------------------


def _side_by_side(blocks: Sequence[list[str]], width: int) -> list[list[str]]:
    """Put blocks beside each other as one, if they fit."""
    widths = [max(map(cells, block), default=0) for block in blocks]
    # Blocks that do not fit stay below each other.
    if len(blocks) < 2 or sum(widths) + len(GAP) * (len(blocks) - 1) > width:
        return list(blocks)
    height = max(map(len, blocks))
    filled = [[*block, *[""] * (height - len(block))] for block in blocks]
    rows = zip(*filled, strict=True)
    return [[GAP.join(padded(row, w) for row, w in zip(line, widths, strict=True)).rstrip() for line in rows]]


def _wrapped(words: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """Put words one after another, in as many rows as they need; one wider than a row is broken between its parts."""
    rows: list[str] = []
    for parts in words:
        word = ", ".join(parts)
        if rows and cells(rows[-1]) + 3 + cells(word) <= width:
            rows[-1] += f"   {word}"
        elif cells(word) <= width:
            rows.append(word)
        else:
            rows += broken(parts, width)
    return [rows] if rows else []
