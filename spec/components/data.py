"""Data of component files: as written (`ComponentFile`, `RawTable`), and as typed values (`ComponentTable`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludex.grammar import Citation, Diagnostic, Span
from ludex.grammar import yaml_tree as y

from ..values.types import Value
from .provenance import Provenance

ID = r"^[a-z_][a-z0-9_]*$"
"""The form of an id; the JSON Schema of the file has it, too."""
MOST_COPIES = 10_000
"""The most equal pieces that one row may stand for."""
ROW_ENTRIES = ("id", "copies", "provenance", "provenance_of")
"""The entries that every row may have; no column can have these names."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as written, before its cells are checked against types.

    Attributes:
        span: the place of its id.
        cells: the cells by name of column.
        copies: how many equal pieces there are.
        provenance: the provenance of the whole row, if the row has one.
        provenance_of: the provenances of single fields; `provenance_keys` are the places of their names.
        pointer: the JSON pointer to the row in the file.
    """

    id: str
    span: Span
    cells: Mapping[str, y.Entry]
    copies: int
    provenance: Provenance | None
    provenance_of: Mapping[str, Provenance]
    provenance_keys: Mapping[str, Span]
    pointer: str


@dataclass(frozen=True, slots=True)
class RawCount:
    """A declared number of pieces, of all or of those with certain values (`where`, by column)."""

    count: int
    where: Mapping[str, y.Entry]
    provenance: Provenance | None
    span: Span
    pointer: str


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as written.

    Attributes:
        span: the place of its name.
        complete: whether no row was left out because of a fault.
    """

    name: str
    span: Span
    rows: tuple[RawRow, ...]
    counts: tuple[RawCount, ...]
    provenance: Provenance | None
    provenance_of: Mapping[str, Provenance]
    provenance_keys: Mapping[str, Span]
    complete: bool

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its rows, in order."""
        return tuple(row.id for row in self.rows)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about the components that is not a datum of a table."""

    text: str
    provenance: Provenance
    span: Span


@dataclass(frozen=True, slots=True)
class ComponentFile:
    """One component file.

    Attributes:
        file: its path as reports show it.
        span: the place of reports about missing tables.
        tables: the tables by name.
        sources: the named provenances.
        provenances: every provenance written in the file, each once, so that their citations can be checked.
        readable: whether the file could be read; if not, it has no tables.
    """

    file: str
    span: Span
    tables: Mapping[str, RawTable] = field(default_factory=dict)
    sources: Mapping[str, Provenance] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    provenances: tuple[Provenance, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    readable: bool = True

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations, in reading order."""
        citations = (citation for provenance in self.provenances for citation in provenance.citations)
        # The citations under `sources` are read first, wherever they are written, so all are sorted by place.
        return tuple(sorted(citations, key=lambda citation: citation.span))


@dataclass(frozen=True, slots=True)
class ComponentTable:
    """A table with typed values. If `diagnostics` has an error, values that could not be read are None.

    Attributes:
        rows: for every id, its value in every column.
        copies: for every id, the number of equal pieces.
        provenance: for every id, the provenance of each field: `id` (that there is such a piece), `copies`, the
        columns.
    """

    rows: tuple[tuple[Value, ...], ...]
    copies: tuple[int, ...]
    provenance: tuple[Mapping[str, Provenance], ...]
    diagnostics: tuple[Diagnostic, ...]
