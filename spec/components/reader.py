"""Reader for component files: the YAML tables of what is printed on a game's pieces.

    text -> `read_components` -> ComponentFile (ids known) -> `decode_table` with the declared columns -> Table

There are two steps because a column may hold ids of another table, or of its own. The declarations in the spec define
the columns; `component_schema` derives a JSON Schema from them, for editors and other tools. It accepts what this
reader accepts, except for what a schema cannot express: ids and names that must agree, data without provenance, counts
that must add up.

`docs/components.md` shows the layout.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ludex.grammar import (
    Diagnostic,
    Diagnostics,
    Note,
    Span,
    did_you_mean,
    escaped,
    nearest,
    read_text,
    shown_text,
    suggested,
    whole_file,
)
from ludex.grammar import yaml_tree as y

from ..values.phrases import found_words
from .component_codes import (
    BAD_ID,
    DUPLICATE_ID,
    MISSING_ENTRY,
    MISSING_TABLE,
    UNKNOWN_ENTRY,
    UNKNOWN_PROVENANCE,
    UNKNOWN_TABLE,
    WRONG_COPIES,
    WRONG_LAYOUT,
)
from .data import ID, MOST_COPIES, ROW_ENTRIES, ComponentFile, Fact, RawCount, RawRow, RawTable
from .provenance import Provenance, ProvenanceReader

FILE_ENTRIES = ("sources", "facts", "tables")
TABLE_ENTRIES = ("provenance", "provenance_of", "counts", "rows")
COUNT_ENTRIES = ("count", "where", "provenance")
FACT_ENTRIES = ("fact", "provenance")


def load_components(path: Path) -> ComponentFile:
    """Read a component file from disk. A file that cannot be read gives a diagnostic."""
    text, faults = read_text(path)
    if text is None:
        return ComponentFile(str(path), whole_file(str(path)), diagnostics=faults, readable=False)
    return read_components(text, str(path))


# Each table of a game asks for its files again.
@lru_cache(maxsize=16)
def read_components(text: str, file: str) -> ComponentFile:
    """Return the tables of a file as written, with the faults that can be found without the declarations.

    text: the content of the file; file: its path as reports show it. Since parsing YAML is slow, the results for the
    last files are cached.
    """
    root, faults = y.read_yaml(text, file)
    if root is None:
        return ComponentFile(file, whole_file(file), diagnostics=faults, readable=False)
    reader = _FileReader(file)
    reader.diagnostics.extend(faults)
    return reader.read(root)


def check_tables(file: ComponentFile, declared: Mapping[str, Span]) -> tuple[Diagnostic, ...]:
    """Return reports of the tables that the spec does not declare, and of the declared ones that the file lacks.

    declared: the components that take their data from this file, with the places of their declarations.
    """
    diagnostics = Diagnostics()
    # A file that cannot be read is reported as such, and not for each table that it lacks.
    missing = [name for name in declared if name not in file.tables] if file.readable else []
    for name, table in file.tables.items():
        if name in declared:
            continue
        near = nearest(name, missing)
        if near is not None:
            # A misspelt table is one fault: it is no longer missing.
            missing.remove(near)
        meant = suggested(near) or f"declared are: {', '.join(declared) or 'none'}"
        diagnostics.report(UNKNOWN_TABLE, f'the game declares no component "{shown_text(name)}"', table.span, meant)
    for name in missing:
        note = Note(f"{name} is declared here", declared[name])
        diagnostics.report(MISSING_TABLE, f"there is no table {name}", file.span, None, (note,))
    return tuple(diagnostics.items)


def check_documents(file: ComponentFile, documents: Collection[str]) -> tuple[Diagnostic, ...]:
    """Return reports of citations of documents that the game does not name. documents: the tags of those it names."""
    diagnostics = Diagnostics()
    for citation in file.citations:
        if citation.document not in documents:
            hint = did_you_mean(citation.document, documents) or f"the game names: {', '.join(documents) or 'none'}"
            message = f'the game names no document "{citation.document}"'
            diagnostics.report(UNKNOWN_PROVENANCE, message, citation.span, hint)
    return tuple(diagnostics.items)


@dataclass(slots=True)
class _FileReader:
    file: str
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    provenances: ProvenanceReader = field(init=False)

    def __post_init__(self) -> None:
        self.provenances = ProvenanceReader(self.diagnostics)

    def read(self, root: y.Node) -> ComponentFile:
        if isinstance(root, y.Scalar) and root.value is None:
            self.diagnostics.report(WRONG_LAYOUT, "the file is empty", root.span)
            return self._result(root.span, {}, (), readable=False)
        top = self._fields(root, "the fields `tables`, and if wanted `sources` and `facts`")
        if top is None:
            return self._result(whole_file(self.file), {}, (), readable=False)
        self._check_entries(top, FILE_ENTRIES, "a component file")
        sources = self._entry_fields(top, "sources", "names with their provenances")
        # Sources are read first, since facts and rows use them by name.
        for name, entry in sources.items():
            self.provenances.name(name, entry)
        facts = tuple(fact for node in self._entry_items(top, "facts") if (fact := self._fact(node)))
        tables = {
            name: self._table(name, entry)
            for name, entry in self._entry_fields(top, "tables", "a table for each component, by name").items()
        }
        if "tables" not in top.entries:
            self.diagnostics.report(MISSING_ENTRY, "the file has no `tables`", whole_file(self.file))
        self.provenances.report_unused(sources)
        tables_entry = top.entries.get("tables")
        if tables_entry is None or not isinstance(tables_entry.node, y.Fields):
            # The file counts as unreadable, so that the tables that cannot be found are not reported as missing, too.
            return self._result(whole_file(self.file), {}, facts, readable=False)
        return self._result(tables_entry.key, tables, facts, readable=True)

    def _result(
        self, span: Span, tables: Mapping[str, RawTable], facts: tuple[Fact, ...], readable: bool
    ) -> ComponentFile:
        named, every = self.provenances.named, tuple(self.provenances.all)
        return ComponentFile(self.file, span, tables, named, facts, every, tuple(self.diagnostics.items), readable)

    # -- layout

    def _wrong(self, node: y.Node, expected: str) -> None:
        self.diagnostics.report(WRONG_LAYOUT, f"expected {expected}, found {found_words(y.plain(node))}", node.span)

    def _fields(self, node: y.Node, expected: str) -> y.Fields | None:
        if isinstance(node, y.Fields):
            return node
        self._wrong(node, expected)
        return None

    def _entry_fields(self, fields: y.Fields, name: str, expected: str) -> Mapping[str, y.Entry]:
        """Return the fields of an optional entry."""
        if name not in fields.entries:
            return {}
        inner = self._fields(fields.entries[name].node, f"{expected} (under `{name}`)")
        return inner.entries if inner else {}

    def _entry_items(self, fields: y.Fields, name: str) -> tuple[y.Node, ...]:
        entry = fields.entries.get(name)
        if entry is None:
            return ()
        if isinstance(entry.node, y.Items):
            return entry.node.items
        self._wrong(entry.node, f"a list (`- ...`) under `{name}`")
        return ()

    def _check_entries(self, fields: y.Fields, known: Collection[str], owner: str) -> None:
        for name, entry in fields.entries.items():
            if name in known:
                continue
            hint = did_you_mean(name, known) or f"it may have: {', '.join(known)}"
            # Names of components begin with a capital, those of entries do not.
            if owner == "a component file" and name[:1].isupper():
                hint = "put the tables under `tables`, indented"
            self.diagnostics.report(UNKNOWN_ENTRY, f'{owner} has no entry "{shown_text(name)}"', entry.key, hint)

    def _provenance(self, fields: y.Fields) -> Provenance | None:
        entry = fields.entries.get("provenance")
        return self.provenances.read(entry.node) if entry else None

    def _provenance_of(self, fields: y.Fields) -> tuple[dict[str, Provenance], dict[str, Span]]:
        entries = self._entry_fields(fields, "provenance_of", "provenances by column")
        read = {name: self.provenances.read(entry.node) for name, entry in entries.items()}
        return read, {name: entry.key for name, entry in entries.items()}

    # -- facts, tables, rows

    def _fact(self, node: y.Node) -> Fact | None:
        fields = self._fields(node, "a fact with its provenance")
        if fields is None:
            return None
        self._check_entries(fields, FACT_ENTRIES, "a fact")
        absent = [name for name in FACT_ENTRIES if name not in fields.entries]
        for name in absent:
            self.diagnostics.report(MISSING_ENTRY, f"this fact has no `{name}`", fields.span)
        provenance = self._provenance(fields)
        text = fields.entries["fact"].node if "fact" in fields.entries else None
        if text is None or provenance is None:
            return None
        if not isinstance(text, y.Scalar) or not isinstance(text.value, str):
            self._wrong(text, "words")
            return None
        return Fact(text.value.strip(), provenance, text.span)

    def _table(self, name: str, entry: y.Entry) -> RawTable:
        fields = self._fields(entry.node, "a table with `rows`")
        if fields is None:
            # The table counts as incomplete, so that nothing is counted in it.
            return RawTable(name, entry.key, (), (), None, {}, {}, complete=False)
        self._check_entries(fields, TABLE_ENTRIES, "a table")
        pointer = f"/tables/{escaped(name)}"
        nodes = self._entry_items(fields, "rows")
        if "rows" not in fields.entries:
            self.diagnostics.report(MISSING_ENTRY, f'the table "{shown_text(name)}" has no `rows`', entry.key)
        # What is not a list was reported when its items were asked for.
        elif not nodes and isinstance(fields.entries["rows"].node, y.Items):
            self._wrong(fields.entries["rows"].node, "at least one row")
        rows = self._rows(nodes, pointer)
        counts = [
            self._count(node, f"{pointer}/counts/{at}") for at, node in enumerate(self._entry_items(fields, "counts"))
        ]
        provenance_of, keys = self._provenance_of(fields)
        known = tuple(count for count in counts if count)
        complete = bool(nodes) and len(rows) == len(nodes)
        return RawTable(name, entry.key, rows, known, self._provenance(fields), provenance_of, keys, complete)

    def _rows(self, nodes: tuple[y.Node, ...], pointer: str) -> tuple[RawRow, ...]:
        rows: dict[str, RawRow] = {}
        for at, node in enumerate(nodes):
            row = self._row(node, f"{pointer}/rows/{at}")
            if row is None:
                continue
            if row.id in rows:
                note = Note(f"{row.id} is here already", rows[row.id].span)
                message = f'a second row has the id "{row.id}"'
                self.diagnostics.report(
                    DUPLICATE_ID, message, row.span, "equal pieces are one row with `copies`", (note,)
                )
                continue
            rows[row.id] = row
        return tuple(rows.values())

    def _row(self, node: y.Node, pointer: str) -> RawRow | None:
        fields = self._fields(node, "a row: an `id` and a value for each column")
        if fields is None:
            return None
        entry = fields.entries.get("id")
        if entry is None:
            self.diagnostics.report(MISSING_ENTRY, "this row has no `id`", fields.span.start)
        id_ = self._id(entry.node) if entry else None
        provenance_of, keys = self._provenance_of(fields)
        provenance, copies = self._provenance(fields), self._copies(fields)
        # All parts are read before a row without an id is dropped, so that all its faults are reported at once.
        cells = {name: cell for name, cell in fields.entries.items() if name not in ROW_ENTRIES}
        if entry is None or id_ is None:
            return None
        return RawRow(id_, entry.node.span, cells, copies, provenance, provenance_of, keys, pointer)

    def _id(self, node: y.Node) -> str | None:
        value = node.value if isinstance(node, y.Scalar) else None
        if isinstance(value, str) and re.fullmatch(ID, value):
            return value
        message = f"an id is expected here, not {found_words(y.plain(node))}"
        self.diagnostics.report(BAD_ID, message, node.span, _id_hint(value))
        return None

    def _copies(self, fields: y.Fields) -> int:
        entry = fields.entries.get("copies")
        if entry is None:
            return 1
        value = y.plain(entry.node)
        # In Python, true is a whole number.
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_COPIES:
            return value
        message = f"`copies` is a whole number from 1 to {MOST_COPIES}, found {found_words(value)}"
        self.diagnostics.report(WRONG_COPIES, message, entry.node.span)
        # The row stays usable: its other values are still checked.
        return 1

    def _count(self, node: y.Node, pointer: str) -> RawCount | None:
        fields = self._fields(node, "a count, `where` it holds if not of all, and its provenance")
        if fields is None:
            return None
        self._check_entries(fields, COUNT_ENTRIES, "a count")
        where = self._entry_fields(fields, "where", "columns with values")
        provenance = self._provenance(fields)
        entry = fields.entries.get("count")
        if entry is None:
            self.diagnostics.report(MISSING_ENTRY, "this entry of `counts` has no `count`", fields.span.start)
            return None
        value = y.plain(entry.node)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self._wrong(entry.node, "a whole number, 0 or more")
            return None
        return RawCount(value, where, provenance, entry.node.span, pointer)


def _id_hint(value: object) -> str:
    if isinstance(value, str):
        id_ = re.sub(r"[^a-z0-9]+", "_", value[:40].lower()).strip("_")
        if re.fullmatch(ID, id_):
            return f"write {id_}"
    return "small letters, digits and _, not beginning with a digit"
