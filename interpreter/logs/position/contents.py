"""Contents of a position: what every state and zone contains, and the candidates for unseen pieces.

Only what differs from the beginning of the game is written: the initial values of states, and empty zones. A board is
written in rows of signs, as `ludex show` draws it, an unseen piece as the number of its pool (`?2`; `?` is pool 1),
equal pieces next to each other as one text (`earth x3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, product
from typing import TypeAlias

from ludex.grammar import Json, Message, did_you_mean, escaped
from ludex.spec import (
    EMPTY,
    NOT_SEEN,
    BoardLayout,
    Indices,
    JsonFault,
    Signs,
    found_words,
    from_json,
    has_signs,
    layout_of,
    show,
    signs_of,
    to_json,
    words_of,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ...explanation.wording import why
from ...state.contents import Pools, Ticket
from ...state.pools import PoolEntry, arranged, entries_of
from ...state.zones import cell_of
from .. import log_codes
from ..record import Block, Rows
from ..structure import Problem, SeatedTable, is_player, quoted, unknown_members, wrong_value

_MOST_PIECES = 10_000
"""Limit of one cell or pool of a position, in pieces: copies of one in a thousand cells would exhaust the memory."""

_COPIES = re.compile(r"(.+) x([0-9]{1,5})")
_TICKET = re.compile(r"\?([0-9]{0,5})")

Cells: TypeAlias = Sequence[t.Value]


def is_compound(type_: t.Type) -> bool:
    """Test whether JSON writes values of the type as objects, which are written as one word here."""
    return isinstance(type_, t.Record) or (isinstance(type_, t.Words) and any(data for _, data in type_.members))


class Index:
    """The words for the values of some index types: `Site(1, 2)`; a player by name, and also by number."""

    def __init__(self, types: Sequence[t.Type], seats: Sequence[str], players: Sequence[str]) -> None:
        every = list(product(*map(t.values, types)))
        # Names win over seats: a player may be called `2`.
        tables = [{self._words(types, each, names): each for each in every} for names in (seats, players or seats)]
        self.read = tables[0] | tables[1]
        self.written = {each: words for words, each in tables[1].items()}

    def _words(self, types: Sequence[t.Type], values: Indices, names: Sequence[str]) -> str:
        return ", ".join(show(of, value, names) for of, value in zip(types, values, strict=True))


class Spelling:
    """The spelling of the contents at one table. seats: the numbers of the seats."""

    def __init__(self, table: SeatedTable) -> None:
        self.table, self.game = table, table.game
        self.seats = tuple(str(seat + 1) for seat in range(table.game.players))
        self._signs: dict[str, Signs | None] = {}
        self._indices: dict[tuple[str, ...], Index] = {}

    def signs(self, type_: t.Type) -> Signs | None:
        """Return the signs of a type's values."""
        name = str(type_)
        if name not in self._signs:
            self._signs[name] = signs_of(type_, self.seats, self.table.names)
        return self._signs[name]

    def index(self, types: Sequence[t.Type]) -> Index:
        """Return the words for the values of some index types."""
        names = tuple(map(str, types))
        if names not in self._indices:
            self._indices[names] = Index(types, self.seats, self.table.names)
        return self._indices[names]

    def indices(self, types: Sequence[t.Type], words: str) -> Indices | None:
        """Read the indices of a cell, as positions or as the notation write them; None if there are no such ones."""
        known = self.index(types).read.get(words)
        texts = words.split(", ") if len(types) > 1 else [words]
        if known is not None or len(texts) != len(types):
            return known
        found = [from_json(of, self.table.plain(of, text)) for of, text in zip(types, texts, strict=True)]
        return None if any(isinstance(each, JsonFault) for each in found) else tuple(found)

    def layout(self, element: m.Element) -> BoardLayout:
        """Return how the cells of an element are written."""
        from_below = element.name in self.game.picture.from_below
        return layout_of(element, from_below, self.seats, self.table.names, self.signs(element.type))


def _cell_at(layout: BoardLayout, *indices: t.Value) -> int:
    return cell_of(layout.element, indices)


# ---- writing --------------------------------------------------------------------------------------------------------


class PositionWriter:
    """Writes the contents of states of one table. blank: the cells at the beginning of the game."""

    def __init__(self, table: SeatedTable, blank: Cells) -> None:
        self.table, self.game, self.blank, self.spelling = table, table.game, blank, Spelling(table)

    def contents(self, cells: Cells, pools: Pools) -> dict[str, Json]:
        """Return the members `state` and `unseen` of a position."""
        self.is_one_pool = len(pools) == 1
        changed = {element.name: element for element in self.game.elements if self._differs(element, cells)}
        state = {name: self._element(element, cells) for name, element in changed.items()}
        types = types_of_pools(self.game, cells, pools)
        unseen = [self._pieces(types[at], pool) for at, pool in enumerate(pools)]
        members: dict[str, Json] = {"state": state, "unseen": unseen}
        return {name: content for name, content in members.items() if content}

    def _differs(self, element: m.Element, cells: Cells) -> bool:
        own = slice(element.offset, element.offset + element.count)
        return tuple(cells[own]) != tuple(self.blank[own])

    def _element(self, element: m.Element, cells: Cells) -> Json:
        layout = self.spelling.layout(element)
        if not layout.shape.by_player:
            return self._part(layout, (), cells)
        index = self.spelling.index(element.indices[:1])
        parts = {index.written[seat,]: self._part(layout, (seat,), cells) for seat in range(self.game.players)}
        changed = {player: part for player, part in parts.items() if part is not None and part != {}}
        return Block(changed) if layout.signs else changed

    def _part(self, layout: BoardLayout, first: Indices, cells: Cells) -> Json:
        """Write the cells of one player, or all of them; None, or {}, if they are as at the beginning."""
        element = layout.element
        at = {rest: _cell_at(layout, *first, *rest) for row in layout.rows for rest in row}
        if layout.signs and all(cells[cell] == self.blank[cell] for cell in at.values()):
            return None
        if layout.signs:
            signed = [[self._sign(layout.signs, cells[at[rest]]) for rest in row] for row in layout.rows]
            rows = Rows(_in_columns(signed))
            return rows[0] if layout.shape.kind == "line" else rows
        if layout.shape.kind == "word":
            cell = _cell_at(layout, *first)
            return None if first and cells[cell] == self.blank[cell] else self._cell(element, cells[cell])
        index = self.spelling.index(element.indices[len(first) :])
        places = {words: _cell_at(layout, *first, *rest) for rest, words in index.written.items()}
        return {
            words: self._cell(element, cells[cell]) for words, cell in places.items() if cells[cell] != self.blank[cell]
        }

    def _sign(self, signs: Signs, held: t.Value) -> str:
        return self._ticket(held) if isinstance(held, Ticket) else signs.written[held]

    def _cell(self, element: m.Element, held: t.Value) -> Json:
        match element.kind:
            case "state":
                return self.value(element.type, held)
            case "one":
                return None if held is None else self._entry(element.type, held)
            case _:
                return self._pieces(element.type, entries_of(held))

    def value(self, type_: t.Type, value: t.Value) -> Json:
        """Write a value, a player by name; a collection of pieces as a row of signs."""
        if is_player(type_) and value is not None and self.table.names:
            return self.table.names[value]
        if not isinstance(type_, t.ListOf | t.BagOf | t.SetOf):
            return to_json(type_, value)
        items = t.in_order(type_.of, value) if isinstance(type_, t.SetOf) else value
        signs = self.spelling.signs(type_.of) if has_signs(type_.of) else None
        return " ".join(signs.written[item] for item in items) if signs else [self.value(type_.of, e) for e in items]

    def _pieces(self, type_: t.Type, entries: Sequence[PoolEntry]) -> Json:
        """Write the entries of a pile, bag or pool; a single text without the list around it."""
        items: list[Json] = []
        for item, equal in groupby(self._entry(type_, entry) for entry in entries):
            count = len(list(equal))
            items += [f"{item} x{count}"] if count > 1 and isinstance(item, str) else [item] * count
        return items[0] if len(items) == 1 and isinstance(items[0], str) else items

    def _entry(self, type_: t.Type, entry: PoolEntry) -> Json:
        if isinstance(entry, Ticket):
            return self._ticket(entry)
        signs = self.spelling.signs(type_) if is_compound(type_) else None
        return signs.words[entry] if signs else self.value(type_, entry)

    def _ticket(self, ticket: Ticket) -> str:
        return NOT_SEEN if self.is_one_pool else f"{NOT_SEEN}{ticket.pool + 1}"


def _in_columns(rows: list[list[str]]) -> list[str]:
    """Write rows of signs below each other."""
    width = max(len(sign) for row in rows for sign in row)
    return [" ".join(sign.ljust(width) for sign in row).rstrip() for row in rows]


def types_of_pools(game: m.Game, cells: Cells, pools: Pools) -> dict[int, t.Type]:
    """Return the type of the pieces of each pool of which a piece is somewhere: that of the zone that holds it."""
    types: dict[int, t.Type] = {}
    waiting = [
        (entry.pool, element.type)
        for element in game.elements
        if element.visibility == "hidden" and element.is_zone
        for cell in range(element.offset, element.offset + element.count)
        for entry in entries_of(cells[cell])
        if isinstance(entry, Ticket)
    ]
    while waiting:
        pool, type_ = waiting.pop()
        # In a file a number may mean no pool, and pools may contain each other.
        if pool not in types and pool < len(pools):
            types[pool] = type_
            waiting += [(entry.pool, type_) for entry in pools[pool] if isinstance(entry, Ticket)]
    return types


# ---- reading --------------------------------------------------------------------------------------------------------


class Reader:
    """Reads the contents of positions of one table. Faults are appended to `problems`."""

    def __init__(self, table: SeatedTable, blank: Cells, problems: list[Problem]) -> None:
        self.table, self.game, self.problems, self.spelling = table, table.game, problems, Spelling(table)
        self.cells: list[t.Value] = list(blank)

    def state(self, data: Json, pointer: str) -> None:
        """Read what the states and zones hold into `cells`."""
        if not isinstance(data, dict):
            self._wrong(pointer, Message("position-by-name"), data)
            return
        known = self.game.element
        self.problems += unknown_members(data, known, pointer, Message("position-the-game"), log_codes.POSITION_MEMBER)
        for name in (name for name in data if name in known):
            self._element(self.spelling.layout(known[name]), data[name], f"{pointer}/{escaped(name)}")

    def pools(self, data: Json, pointer: str) -> Pools:
        """Read the pools, after the state: the pieces of a pool have the type of the zones that hold them."""
        if not isinstance(data, list):
            self._wrong(pointer, Message("position-list-of-pools"), data)
            return ()
        pools: list[tuple[PoolEntry, ...]] = [()] * len(data)
        waiting = list(range(len(data)))
        while waiting:  # a pool in another one has a type once that one is read
            types = types_of_pools(self.game, self.cells, tuple(pools))
            ready = [at for at in waiting if at in types]
            if not ready:
                break
            for at in ready:
                pools[at] = arranged(self._pieces(types[at], data[at], f"{pointer}/{at}", can_hide=True))
            waiting = [at for at in waiting if at not in ready]
        # With another fault the pieces of a pool may have been refused themselves.
        for at in waiting if not self.problems else ():
            message = Message("position-empty-pool", pool=at + 1, sign=f"{NOT_SEEN}{at + 1}")
            self.problems.append(Problem(log_codes.POSITION_POOLS, f"{pointer}/{at}", message))
        return tuple(pools)

    def _wrong(self, pointer: str, expected: str, data: Json) -> None:
        self.problems.append(wrong_value(pointer, expected, data, log_codes.POSITION_VALUE))

    def _element(self, layout: BoardLayout, data: Json, pointer: str) -> None:
        if not layout.shape.by_player:
            self._part(layout, (), data, pointer)
            return
        types = layout.element.indices[:1]
        for player, part, place in self._members(types, data, pointer, Message("position-a-player")):
            self._part(layout, player, part, place)

    def _members(
        self, types: Sequence[t.Type], data: Json, pointer: str, what: str
    ) -> Iterator[tuple[Indices, Json, str]]:
        """Enumerate the members of an object by index, each index once."""
        if not isinstance(data, dict):
            self._wrong(pointer, Message("position-contents-by", what=what), data)
            return
        seen: set[Indices] = set()
        for words, content in data.items():
            place = f"{pointer}/{escaped(words)}"
            indices = self.spelling.indices(types, words)
            if indices is None or indices in seen:
                known = [*self.spelling.index(types).written.values()]
                message = Message("position-no-such" if indices is None else "position-twice", name=quoted(words))
                hint = did_you_mean(words, known) or Message("position-name-is", what=what, sample=known[0])
                self.problems.append(Problem(log_codes.POSITION_MEMBER, place, message, hint, at_name=True))
            else:
                seen.add(indices)
                yield indices, content, place

    def _part(self, layout: BoardLayout, first: Indices, data: Json, pointer: str) -> None:
        element = layout.element
        if layout.signs:
            self._rows(layout, first, data, pointer)
        elif layout.shape.kind == "word":
            self.cells[_cell_at(layout, *first)] = self._cell(element, data, pointer)
        else:
            types = element.indices[len(first) :]
            for rest, content, place in self._members(types, data, pointer, Message("position-its-index")):
                self.cells[_cell_at(layout, *first, *rest)] = self._cell(element, content, place)

    def _rows(self, layout: BoardLayout, first: Indices, data: Json, pointer: str) -> None:
        """Read rows of signs."""
        is_line, strange = layout.shape.kind == "line", set[str]()
        rows = [data] if is_line else data
        if not isinstance(rows, list) or len(rows) != len(layout.rows):
            self._misfit(pointer, Message("position-rows", count=len(layout.rows)), data)
            return
        for number, (row, places) in enumerate(zip(rows, layout.rows, strict=True)):
            place = pointer if is_line else f"{pointer}/{number}"
            signs = row.split() if isinstance(row, str) else [str(row)] if type(row) is int else None
            if signs is None or len(signs) != len(places):
                found = found_words(row) if signs is None else Message("position-signs-found", count=len(signs))
                message = Message("expected", expected=Message("position-signs", count=len(places)), found=found)
                self.problems.append(Problem(log_codes.POSITION_ROWS, place, message))
                continue
            for column, (sign, rest) in enumerate(zip(signs, places, strict=True), start=1):
                self.cells[_cell_at(layout, *first, *rest)] = self._signed(layout, sign, (column, place), strange)

    def _misfit(self, pointer: str, expected: str, data: Json) -> None:
        self.problems.append(wrong_value(pointer, expected, data, log_codes.POSITION_ROWS))

    def _signed(self, layout: BoardLayout, sign: str, at: tuple[int, str], strange: set[str]) -> t.Value:
        """Read a sign. at: the column and the row; strange: signs of the board that were reported, each once."""
        element, signs = layout.element, layout.signs
        assert signs is not None
        # In a zone that can hide pieces, `?` is a piece that nobody has seen.
        ticket = self._ticket(sign) if element.visibility == "hidden" and element.is_zone else None
        if ticket is not None:
            return ticket
        may_be_empty = layout.may_be_empty
        # The sign of nothing means an empty place only where a place may be empty.
        if sign in signs.read and (signs.read[sign] is not None or may_be_empty):
            return signs.read[sign]
        if sign in strange:
            return self.cells[element.offset]
        strange.add(sign)
        column, pointer = at
        if self._is_seen(element, sign, pointer):
            return self.cells[element.offset]
        known = [word for value, word in signs.written.items() if value is not None or may_be_empty]
        # A deck has dozens of signs, and a report is one line.
        hint = did_you_mean(sign, known) or Message("position-the-signs", signs=" ".join(known[:24]))
        message = Message("position-sign-unknown", sign=quoted(sign), column=column, name=element.name)
        self.problems.append(Problem(log_codes.POSITION_ROWS, pointer, message, hint))
        # A placeholder of the right type keeps the reader going, so that it reports all faults at once.
        return self.cells[element.offset]

    # ---- single cells

    def _cell(self, element: m.Element, data: Json, pointer: str) -> t.Value:
        can_hide = element.visibility == "hidden"
        if self._is_seen(element, data, pointer):
            return self.cells[element.offset]
        match element.kind:
            case "state":
                return self.value(element.type, data, pointer)
            case "one":
                return None if data is None else self._entry(element.type, data, pointer, can_hide)
            case "pile":
                return tuple(self._fitting(element, data, pointer, can_hide))
            case _:
                return arranged(self._fitting(element, data, pointer, can_hide))

    def _is_seen(self, element: m.Element, data: Json, pointer: str) -> bool:
        """Report an unseen piece in a zone whose pieces somebody sees; return whether there is one."""
        if not element.is_zone or element.visibility == "hidden":
            return False
        listed = list(enumerate(data)) if isinstance(data, list) else [(None, data)]
        for at, item in listed:
            copies = _COPIES.fullmatch(item) if isinstance(item, str) else None
            if self._ticket(copies[1] if copies else item) is not None and not self._is_piece(element.type, item):
                place = pointer if at is None else f"{pointer}/{at}"
                message = Message(f"position-seen-{element.visibility}", sign=quoted(str(item)), name=element.name)
                reason = why(self.game, (element.name,))
                self.problems.append(Problem(log_codes.POSITION_VALUE, place, message, why=reason))
                return True
        return False

    def _fitting(self, element: m.Element, data: Json, pointer: str, can_hide: bool) -> list[PoolEntry]:
        pieces = self._pieces(element.type, data, pointer, can_hide)
        # The rules would fail later, and the fault would be shown as one of the spec.
        if element.most is not None and len(pieces) > element.most:
            message = Message("fault-overfull", name=element.name, count=len(pieces), most=element.most)
            self.problems.append(Problem(log_codes.POSITION_VALUE, pointer, message))
        return pieces

    def value(self, type_: t.Type, data: Json, pointer: str) -> t.Value:
        """Read what `Writer.value` writes, a player also by seat; on a fault append a problem, and return the type's
        first value."""
        if isinstance(type_, t.ListOf | t.BagOf | t.SetOf) and isinstance(data, str | list):
            return self._collection(type_, data, pointer)
        faults: list[Problem] = []
        value = self.table.value(type_, data, pointer, faults)
        self.problems += [Problem(log_codes.POSITION_VALUE, each.pointer, each.message, each.hint) for each in faults]
        return t.zero(type_) if faults else value

    def _collection(self, type_: t.ListOf | t.BagOf | t.SetOf, data: str | list[Json], pointer: str) -> t.Value:
        signs = self.spelling.signs(type_.of) if isinstance(data, str) and has_signs(type_.of) else None
        # A text may be the value itself, if it is not made of signs.
        if signs is not None and isinstance(data, str) and all(sign in signs.read for sign in data.split()):
            items: list[t.Value] = [signs.read[sign] for sign in data.split()]
        elif isinstance(data, list):
            items = [self.value(type_.of, item, f"{pointer}/{at}") for at, item in enumerate(data)]
        else:
            self._wrong(pointer, words_of(type_, data), data)
            return t.zero(type_)
        if isinstance(type_, t.ListOf):
            return tuple(items)
        if isinstance(type_, t.SetOf) and len(set(items)) < len(items):
            self._wrong(pointer, Message("items-once"), data)
        return frozenset(items) if isinstance(type_, t.SetOf) else tuple(t.in_order(type_.of, items))

    def _pieces(self, type_: t.Type, data: Json, pointer: str, can_hide: bool) -> list[PoolEntry]:
        # A single piece needs no list.
        items = [data] if isinstance(data, str) else data
        if not isinstance(items, list):
            self._wrong(pointer, Message("position-list-of-pieces"), data)
            return []
        pieces: list[PoolEntry] = []
        for at, item in enumerate(items):
            place = pointer if isinstance(data, str) else f"{pointer}/{at}"
            # A piece may itself be called `earth x3`.
            copies = _COPIES.fullmatch(item) if isinstance(item, str) and not self._is_piece(type_, item) else None
            count = int(copies[2]) if copies else 1
            # They are counted before they are listed: `gold x99999` is short.
            if len(pieces) + count > _MOST_PIECES:
                self._wrong(place, Message("position-most-pieces", count=_MOST_PIECES), item)
                break
            pieces += [self._entry(type_, copies[1] if copies else item, place, can_hide)] * count
        # After any fault the contents are not used any more, and placeholders must not cause further reports.
        return [] if self.problems else pieces

    def _is_piece(self, type_: t.Type, item: Json) -> bool:
        return not isinstance(from_json(type_, item), JsonFault)

    def _entry(self, type_: t.Type, data: Json, pointer: str, can_hide: bool) -> PoolEntry:
        ticket = self._ticket(data) if can_hide else None
        if ticket is not None:
            return ticket
        signs = self.spelling.signs(type_) if is_compound(type_) and isinstance(data, str) else None
        return signs.read[data] if signs and data in signs.read and data != EMPTY else self.value(type_, data, pointer)

    def _ticket(self, data: Json) -> Ticket | None:
        """Read an unseen piece: `?` or, of another pool than the first, `?2`."""
        match = _TICKET.fullmatch(data) if isinstance(data, str) else None
        return Ticket(max(0, int(match[1] or 1) - 1)) if match else None
