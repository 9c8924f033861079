"""Typing of component tables: raw rows to values of the declared types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from ludex.grammar import Diagnostic, Diagnostics, Json, Span, at_pointer, nearest, shown_text, suggested
from ludex.grammar import yaml_tree as y

from ..values.codec import JsonFault, from_json
from ..values.phrases import show, words_of
from ..values.types import Bool, Range, Type, Value
from .component_codes import (
    MISSING_COLUMN,
    NO_PROVENANCE,
    RESERVED_COLUMN,
    UNKNOWN_COLUMN,
    WRONG_CELL,
    WRONG_COUNT,
)
from .data import ROW_ENTRIES, ComponentTable, RawCount, RawRow, RawTable
from .provenance import Provenance

Columns: TypeAlias = tuple[tuple[str, Type], ...]


def decode_table(raw: RawTable, name: str, columns: Columns) -> ComponentTable:
    """Return a table's values in the declared columns, their provenance, and the faults against the types.

    name: the name of the component. columns: its columns with their types; a component type needs its `ids`, its rows
    may still be empty.
    """
    decoder = _Decoder(raw, name, columns)
    decoder.check_columns()
    rows = tuple(tuple(decoder.value(row, column, type_) for column, type_ in columns) for row in raw.rows)
    provenance = tuple(decoder.provenance(row) for row in raw.rows)
    decoder.check_provenance(provenance)
    decoder.check_counts(rows)
    return ComponentTable(rows, tuple(row.copies for row in raw.rows), provenance, tuple(decoder.diagnostics.items))


class _Decoder:
    def __init__(self, raw: RawTable, name: str, columns: Columns) -> None:
        self.raw = raw
        self.name = name
        self.columns = columns
        self.names = [column for column, _ in columns]
        self.diagnostics = Diagnostics()

    # -- columns

    def check_columns(self) -> None:
        for column in self.names:
            if column in ROW_ENTRIES:
                self.diagnostics.report(RESERVED_COLUMN, f"{self.name} cannot have a column `{column}`", self.raw.span)
        unknown: dict[str, list[tuple[Span, str | None]]] = {}
        missing: dict[str, list[RawRow]] = {}
        for row in self.raw.rows:
            # A column with a reserved name is reported above, and its cells are not among the row's.
            lacking = [column for column in self.names if column not in row.cells and column not in ROW_ENTRIES]
            for stranger, cell in row.cells.items():
                if stranger not in self.names:
                    unknown.setdefault(stranger, []).append((cell.key, self._nearest_column(stranger, lacking)))
            for column in lacking:
                missing.setdefault(column, []).append(row)
        self._report_unknown(unknown)
        self._report_missing(missing)
        for keys in (self.raw.provenance_keys, *(row.provenance_keys for row in self.raw.rows)):
            self._check_keys(keys, ["id", "copies", *self.names])

    def _nearest_column(self, stranger: str, lacking: list[str]) -> str | None:
        """Return the column that is probably meant. One that the row lacks is removed from `lacking`, so that a
        misspelt column gives one report."""
        near = nearest(stranger, lacking)
        if near is None:
            return nearest(stranger, self.names)
        lacking.remove(near)
        return near

    def _everywhere(self, number: int) -> bool:
        # In a table with one row the row itself is the better place.
        return number == len(self.raw.rows) > 1

    def _report_unknown(self, unknown: Mapping[str, list[tuple[Span, str | None]]]) -> None:
        for stranger, places in unknown.items():
            once = self._everywhere(len(places))
            for place, near in places[:1] if once else places:
                self._stranger(stranger, place, near, " (the same in all rows)" if once else "")

    def _report_missing(self, missing: Mapping[str, list[RawRow]]) -> None:
        for column, rows in missing.items():
            if self._everywhere(len(rows)):
                message = f"no row of {self.name} has the column `{column}`"
                self.diagnostics.report(MISSING_COLUMN, message, self.raw.span, self._expected(column))
                continue
            for row in rows:
                self.diagnostics.report(MISSING_COLUMN, f"{row.id} has no `{column}`", row.span, self._expected(column))

    def _expected(self, column: str) -> str:
        return f"expected: {words_of(self.columns[self.names.index(column)][1])}"

    def _stranger(self, name: str, span: Span, near: str | None, more: str = "") -> None:
        hint = suggested(near) or f"its columns are: {', '.join(self.names) or 'none'}"
        self.diagnostics.report(UNKNOWN_COLUMN, f'{self.name} has no column "{shown_text(name)}"{more}', span, hint)

    def _check_keys(self, keys: Mapping[str, Span], known: Collection[str]) -> None:
        for key, span in keys.items():
            if key not in known:
                self._stranger(key, span, nearest(key, known))

    # -- values

    def value(self, row: RawRow, column: str, type_: Type) -> Value:
        cell = row.cells.get(column)
        if cell is None:
            # A missing value is reported with the columns.
            return None
        result = self._decode(cell, type_, f"`{column}` of {row.id}", f"{row.pointer}/{column}")
        return None if isinstance(result, JsonFault) else result

    def _decode(self, cell: y.Entry, type_: Type, what: str, pointer: str) -> Value | JsonFault:
        data = y.plain(cell.node)
        result = from_json(type_, data)
        if isinstance(result, JsonFault):
            span = y.locate(cell.node, result.pointer, at_key=result.kind == "unknown")
            # The value at fault may be a part of the cell.
            hint = _hint(result, at_pointer(data, result.pointer))
            self.diagnostics.add(
                Diagnostic(WRONG_CELL, f"{what}: {result}", span, hint, pointer=pointer + result.pointer)
            )
        return result

    # -- provenance

    def provenance(self, row: RawRow) -> Mapping[str, Provenance]:
        fields = ((field, self._provenance_of(row, field)) for field in ("id", "copies", *self.names))
        return {field: provenance for field, provenance in fields if provenance is not None}

    def _provenance_of(self, row: RawRow, field: str) -> Provenance | None:
        """Return the innermost provenance that applies: of the field in the row, the row, the column, or the table."""
        nearest_first = (
            row.provenance_of.get(field),
            row.provenance,
            self.raw.provenance_of.get(field),
            self.raw.provenance,
        )
        innermost = next((provenance for provenance in nearest_first if provenance is not None), None)
        # A player who knows that the piece exists also knows how many copies there are.
        return self._provenance_of(row, "id") if innermost is None and field == "copies" else innermost

    def check_provenance(self, provenance: tuple[Mapping[str, Provenance], ...]) -> None:
        for count in self.raw.counts:
            if count.provenance is None and self.raw.provenance is None:
                self.diagnostics.report(NO_PROVENANCE, "this count has no provenance", count.span)
        fields = ("id", *self.names)
        bare = [tuple(field for field in fields if field not in known) for known in provenance]
        # The same gap in all rows is one fault of the table.
        if bare and bare[0] and self._everywhere(bare.count(bare[0])):
            what = self._their_data(bare[0])
            message = f"no row of {self.name} says where {what} from"
            self.diagnostics.report(NO_PROVENANCE, message, self.raw.span, "give the table a `provenance`")
            return
        for row, lacking in zip(self.raw.rows, bare, strict=True):
            if lacking:
                message = f"{row.id} does not say where {self._their_data(lacking)} from"
                self.diagnostics.report(NO_PROVENANCE, message, self._place_of(row, lacking))

    def _their_data(self, lacking: tuple[str, ...]) -> str:
        # The id counts as one more field than the columns.
        if len(lacking) == len(self.names) + 1:
            return "its data come"
        return f"`{'`, `'.join(lacking)}` {'come' if len(lacking) > 1 else 'comes'}"

    def _place_of(self, row: RawRow, lacking: tuple[str, ...]) -> Span:
        cell = row.cells.get(lacking[0]) if len(lacking) == 1 else None
        return cell.node.span if cell else row.span

    # -- counts

    def check_counts(self, rows: tuple[tuple[Value, ...], ...]) -> None:
        """Check that the rows add up to the counts, unless rows are missing or wrong, which is reported already."""
        # This comes before the return: a wrong condition is reported in any case.
        wanted = [self._wanted(count) for count in self.raw.counts]
        # A sum over faulty rows would be a consequence of their faults.
        if not self.raw.complete or self.diagnostics.has_errors:
            return
        for count, values in zip(self.raw.counts, wanted, strict=True):
            fitting = (
                row.copies
                for row, cells in zip(self.raw.rows, rows, strict=True)
                if all(cells[at] == value for at, value in values.items())
            )
            self._compare(count, sum(fitting))

    def _compare(self, count: RawCount, pieces: int) -> None:
        if pieces == count.count:
            return
        condition = " and ".join(f"`{name}` {show(*self._typed(name, entry))}" for name, entry in count.where.items())
        message = f"the rows{' with ' + condition if condition else ''} make {pieces} of {self.name}, not {count.count}"
        self.diagnostics.report(WRONG_COUNT, message, count.span)

    def _typed(self, column: str, entry: y.Entry) -> tuple[Type, Value]:
        type_ = self.columns[self.names.index(column)][1]
        return type_, from_json(type_, y.plain(entry.node))

    def _wanted(self, count: RawCount) -> dict[int, Value]:
        """Return the values of the rows that a count is about, by the index of their column."""
        self._check_keys({name: entry.key for name, entry in count.where.items()}, self.names)
        known = [(self.names.index(name), name, entry) for name, entry in count.where.items() if name in self.names]
        return {
            at: self._decode(entry, self.columns[at][1], f"`{name}`", f"{count.pointer}/where/{name}")
            for at, name, entry in known
        }


YES_AND_NO = frozenset({"yes", "no", "on", "off", "y", "n"})


def _hint(fault: JsonFault, data: Json) -> str | None:
    """Return a hint for values that YAML reads otherwise than their author may expect."""
    if isinstance(data, str) and data.lower() in YES_AND_NO and isinstance(fault.type, Bool):
        return "write true or false; yes, no, on and off are texts"
    if isinstance(data, str) and data.strip("+-").isdecimal() and isinstance(fault.type, Range):
        return "take the quotes off"
    if isinstance(data, float) and isinstance(fault.type, Range):
        return "write it without a decimal point"
    return None
