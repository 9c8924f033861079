"""Data of component files: as written (`ComponentFile`, `RawTable`), and as values of declared types (`Table`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludex.grammar import Citation, Diagnostic, Span
from ludex.grammar import yaml_tree as y

from ..values.types import Value
from .provenance import Kind, Provenance

ID = r"^[a-z_][a-z0-9_]*$"
MOST_COPIES = 10_000
ROW_ENTRIES = ("id", "copies", "provenance", "provenance_of")
"""What every row may have, so that no column can be named so."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as written; what stands in its columns is not judged yet.

    Attributes:
        span: of its id.
        cells: what is written for columns, by name.
        provenance: of everything in the row, if written here.
        provenance_of: of single fields; `provenance_keys` are the places of their names.
        pointer: JSON pointer to the row in the file.
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
    """How many pieces there are, of those that have certain values in certain columns."""

    count: int
    where: Mapping[str, y.Entry]
    provenance: Provenance | None
    span: Span
    pointer: str


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as written.

    Attributes:
        span: of its name.
        complete: no row had to be left out for a fault.
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
        return tuple(row.id for row in self.rows)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known of the components that is no datum of a table."""

    text: str
    provenance: Provenance
    span: Span


@dataclass(frozen=True, slots=True)
class ComponentFile:
    """One component file.

    Attributes:
        file: its name, as shown to readers.
        span: the place to blame when a table is missing.
        sources: named provenances.
        provenances: every provenance written in the file, each once; their citations are to be checked.
        readable: False if no table is known because the file could not be read.
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
        found = (citation for provenance in self.provenances for citation in provenance.citations)
        return tuple(sorted(found, key=lambda citation: citation.span))


@dataclass(frozen=True, slots=True)
class Table:
    """A table as values. If `diagnostics` holds an error, values that could not be read are None.

    Attributes:
        rows: for every id, its value in every column.
        copies: for every id, how many equal pieces there are.
        provenance: for every id, where each field comes from: `id` (that there is such a piece), `copies`, the columns.
    """

    rows: tuple[tuple[Value, ...], ...]
    copies: tuple[int, ...]
    provenance: tuple[Mapping[str, Provenance], ...]
    diagnostics: tuple[Diagnostic, ...]

    def data_by_kind(self) -> dict[Kind, int]:
        """How many data are stated, found and assumed. A row's id and copies count as one datum."""
        counts: dict[Kind, int] = {"stated": 0, "found": 0, "assumed": 0}
        for row in self.provenance:
            for name, provenance in row.items():
                if name != "copies":
                    counts[provenance.kind] = counts.get(provenance.kind, 0) + 1
        return counts
