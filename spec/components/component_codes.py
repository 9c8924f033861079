"""Catalogue of the diagnostics for component files: C22x to C24x. Those for YAML are in `ludex.grammar`."""

from __future__ import annotations

from ludex.grammar import Code, Severity, codes_in

WRONG_LAYOUT = Code(
    "C220",
    "wrong-layout",
    "The file does not have the layout of a component file: other fields, or another list, are expected here.",
    "Compare with the layout in `docs/components.md`.",
)
UNKNOWN_ENTRY = Code(
    "C221",
    "unknown-entry",
    "Component files have no entry of this name here.",
    "Correct the name, or take it out; remarks go into a comment (`# ...`) or a `note`.",
)
MISSING_ENTRY = Code(
    "C222",
    "missing-entry",
    "A required entry is missing here.",
    "Add it; `docs/components.md` shows where.",
)
UNKNOWN_TABLE = Code(
    "C223",
    "unknown-table",
    "The game declares no component of this name that takes its data from this file.",
    "Write the name as the spec declares it, or declare the component there.",
)
MISSING_TABLE = Code(
    "C224",
    "missing-table",
    "The game declares a component that takes its data from this file, and the file has no table of that name.",
    "Add the table under `tables`, with a row for every kind of piece.",
)
BAD_ID = Code(
    "C225",
    "bad-id",
    "An id must be a name that rules and logs can use: small letters, digits and `_`, not beginning with a digit.",
    "Rename it, for instance `s01` for `S-01`.",
)
DUPLICATE_ID = Code(
    "C226",
    "duplicate-id",
    "Two rows of a table have one id, so rules and logs could not tell them apart.",
    "Rename one; several equal pieces are one row with `copies`.",
)
UNKNOWN_COLUMN = Code(
    "C227",
    "unknown-column",
    "The component has no column of this name.",
    "Write it as the spec declares it, or declare the column there.",
)
MISSING_COLUMN = Code(
    "C228",
    "missing-column",
    "A row lacks a value for a column that the spec declares.",
    "Add the value. If the piece has none, the column's type must allow `null`.",
)
WRONG_CELL = Code(
    "C229",
    "wrong-component-value",
    "The value is not of its column's type.",
    "Correct the value, or, if it is printed on the real piece, widen the type that the spec declares.",
)
WRONG_COPIES = Code(
    "C230",
    "wrong-copies",
    "`copies` says how many equal pieces there are: a whole number, 1 or more.",
    "Correct the number, or leave `copies` out if there is one piece.",
)
WRONG_COUNT = Code(
    "C231",
    "wrong-count",
    "The rows do not add up to the number of pieces that the table states.",
    "Look for a row too many or too few, for wrong `copies`, or correct the count.",
)
RESERVED_COLUMN = Code(
    "C232",
    "reserved-column",
    "A column has the name of an entry that every row has.",
    "Rename the column in the spec.",
)

# These are warnings, as a game can be played whatever its data rest on.
NO_PROVENANCE = Code(
    "C240",
    "no-provenance",
    "A datum has no provenance: is it stated in the rulebook, found elsewhere, or assumed?",
    "Add `provenance` to the table or the row, or the field to `provenance_of`.",
    Severity.WARNING,
)
BAD_PROVENANCE = Code(
    "C241",
    "bad-provenance",
    "The provenance of the data is malformed.",
    "Write exactly one of `stated: ru 41`, `found: https://...` or `assumed: why this value`, or the name of an entry "
    "of `sources`.",
    Severity.WARNING,
)
UNKNOWN_SOURCE = Code(
    "C242",
    "unknown-source",
    "A provenance names an entry that `sources` does not have.",
    "Write the name as `sources` has it, or add the entry.",
    Severity.WARNING,
)
UNUSED_SOURCE = Code(
    "C243",
    "unused-source",
    "An entry of `sources` is never used: no datum names it.",
    "Name it at its data, or remove it.",
    Severity.WARNING,
)
UNKNOWN_PROVENANCE = Code(
    "C244",
    "unknown-provenance",
    "A provenance cites a document that the game does not name.",
    'Use the tag that the game\'s header gives the rulebook: `document: ru "rules.txt"`.',
    Severity.WARNING,
)

COMPONENT_CODES = codes_in(globals())
