"""The catalogue of faults in component files: C20x to C21x about YAML as such, C22x to C25x about what it says."""

from __future__ import annotations

from ludex.grammar import Code, Severity

BAD_YAML = Code(
    "C201",
    "bad-yaml",
    "The file cannot be read as YAML from this place on, so nothing in it is known.",
    "Mend the place named; most often a quote or bracket is open, an indentation is off, or a text needs quotes.",
)
YAML_TAB = Code(
    "C202",
    "yaml-tab",
    "A tab stands where YAML takes only spaces. Editors show tabs in different widths.",
    "Replace the tab with spaces; most editors can do so for the whole file.",
)
YAML_CHARACTER = Code(
    "C203",
    "yaml-character",
    "The file holds a character that is no part of a text, such as a control character or half of a letter.",
    "Take it out; a line ends with an ordinary line break.",
)
YAML_REFERENCE = Code(
    "C204",
    "yaml-reference",
    "The file uses YAML's anchors and references (`&name`, `*name`). A datum then does not stand where it is read, and "
    "a small file can unfold to a gigantic one.",
    "Write the value out. Where the data come from is shared by a name under `sources`. A text that begins with `&` or "
    "`*` needs quotes.",
)
YAML_TAG = Code(
    "C205",
    "yaml-tag",
    "The file uses YAML's tags (`!name`, `!!str`). What a value is follows from the game's declarations alone.",
    "Take the tag out. A text that begins with `!` needs quotes.",
)
SEVERAL_DOCUMENTS = Code(
    "C206",
    "several-documents",
    "The file holds a second YAML document, after a line `---` or `...`. All tables stand in one.",
    "Join them, or move the second to a file of its own.",
)
YAML_TOO_DEEP = Code(
    "C207",
    "yaml-too-deep",
    "Lists and fields lie within one another deeper than any table needs.",
    "Look for brackets or dashes that are not closed or not meant.",
)
YAML_TOO_LARGE = Code(
    "C208",
    "yaml-too-large",
    "The file is larger than the tables of any game.",
    "Check that this is the file that was meant.",
)
DUPLICATE_KEY = Code(
    "C209",
    "duplicate-key",
    "One name stands twice among the same fields, so it is unclear which value counts.",
    "Keep one of them.",
)
KEY_NOT_TEXT = Code(
    "C210",
    "key-not-text",
    "The name of a field is a number, a list or the like, not a text.",
    "Write a name before the colon; one that looks like a number, or is `true` or `null`, needs quotes.",
)
LEADING_ZERO = Code(
    "C211",
    "leading-zero",
    "A number begins with a zero. Programs disagree about such numbers: some count them in eights.",
    "Take the zero away; a text of digits needs quotes.",
)

WRONG_LAYOUT = Code(
    "C220",
    "wrong-layout",
    "The file is not laid out as component files are: something other than the expected fields or list stands here.",
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
    "An entry that must stand here is missing.",
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
    "Add the value. Where there is none on the piece, the column's type must allow `null`.",
)
WRONG_VALUE = Code(
    "C229",
    "wrong-value",
    "The value is not one that its column can hold.",
    "Correct the value; if the real piece shows it, widen the type that the spec declares.",
)
WRONG_COPIES = Code(
    "C230",
    "wrong-copies",
    "`copies` says how many equal pieces there are: a whole number, 1 or more.",
    "Correct the number, or leave `copies` out where there is one piece.",
)
WRONG_COUNT = Code(
    "C231",
    "wrong-count",
    "The rows do not add up to the number of pieces that the table itself says there are.",
    "Look for a row too many or too few, for wrong `copies`, or correct the count.",
)
RESERVED_COLUMN = Code(
    "C232",
    "reserved-column",
    "A column is named like an entry that every row has anyway.",
    "Rename the column in the spec.",
)

NO_PROVENANCE = Code(
    "C240",
    "no-provenance",
    "A datum does not say where it comes from: is it stated in the rulebook, found elsewhere, or assumed?",
    "Add `provenance` to the table or the row, or the field to `provenance_of`.",
    Severity.WARNING,
)
BAD_PROVENANCE = Code(
    "C241",
    "bad-provenance",
    "It is not clear where the data come from.",
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
    "An entry of `sources` is named nowhere, so no datum rests on it.",
    "Name it where its data stand, or take it out.",
    Severity.WARNING,
)
UNKNOWN_DOCUMENT = Code(
    "C244",
    "unknown-document",
    "A provenance cites a document that the game does not name.",
    'Use the tag that the game\'s header gives the rulebook: `document: ru "rules.txt"`.',
    Severity.WARNING,
)

COMPONENT_CODES = (
    BAD_YAML,
    YAML_TAB,
    YAML_CHARACTER,
    YAML_REFERENCE,
    YAML_TAG,
    SEVERAL_DOCUMENTS,
    YAML_TOO_DEEP,
    YAML_TOO_LARGE,
    DUPLICATE_KEY,
    KEY_NOT_TEXT,
    LEADING_ZERO,
    WRONG_LAYOUT,
    UNKNOWN_ENTRY,
    MISSING_ENTRY,
    UNKNOWN_TABLE,
    MISSING_TABLE,
    BAD_ID,
    DUPLICATE_ID,
    UNKNOWN_COLUMN,
    MISSING_COLUMN,
    WRONG_VALUE,
    WRONG_COPIES,
    WRONG_COUNT,
    RESERVED_COLUMN,
    NO_PROVENANCE,
    BAD_PROVENANCE,
    UNKNOWN_SOURCE,
    UNUSED_SOURCE,
    UNKNOWN_DOCUMENT,
)
