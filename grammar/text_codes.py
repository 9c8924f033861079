"""Catalogue of the diagnostics of `ludex.grammar`: F1xx for files, C2xx for YAML, S1xx for syntax."""

from __future__ import annotations

from .diagnostics import Code, Severity, codes_in

MISSING_FILE = Code(
    "F101",
    "missing-file",
    "There is no file of this name.",
    "Check the name and the folder.",
)
NOT_A_FILE = Code(
    "F102",
    "not-a-file",
    "The name belongs to a folder, or to something else that is not a text file.",
    "Name the file itself.",
)
UNREADABLE_FILE = Code(
    "F103",
    "unreadable-file",
    "The file exists, but the system does not allow it to be read.",
    "Check the file's permissions and the disk.",
)
BINARY_FILE = Code(
    "F104",
    "binary-file",
    "The file holds bytes that cannot occur in a text, so it is probably an archive, an image or a damaged file.",
    "Name a text file; if it should be one, restore it from a good copy.",
)
NOT_UTF8 = Code(
    "F105",
    "not-utf8",
    "The file is not in UTF-8, the only supported encoding.",
    "Save the file as UTF-8 in your editor.",
)
FILE_TOO_LARGE = Code(
    "F106",
    "file-too-large",
    "The file is larger than any text that Ludex needs.",
    "Check that this is the right file; if it is, split it.",
)
UNWRITABLE_FILE = Code(
    "F107",
    "unwritable-file",
    "A file could not be written; its old content is unchanged.",
    "Check the permissions and the disk; name the file itself, not a link to it.",
    explanation="Ludex does not follow a symbolic link out of the folder to which the file belongs.",
)

BAD_YAML = Code(
    "C201",
    "bad-yaml",
    "The file cannot be read as YAML from this place on, so its content is unknown.",
    "Correct the marked place; usually a quote or bracket is open, an indentation is wrong, or a text needs quotes.",
)
YAML_TAB = Code(
    "C202",
    "yaml-tab",
    "There is a tab where YAML allows only spaces.",
    "Replace the tab with spaces; most editors can do so for the whole file.",
    explanation="Editors show tabs in different widths.",
)
YAML_CHARACTER = Code(
    "C203",
    "yaml-character",
    "The file contains a character that is not allowed in a text, such as a control character or half a character.",
    "Remove it; a line ends with an ordinary line break.",
)
YAML_REFERENCE = Code(
    "C204",
    "yaml-reference",
    "The file uses YAML's anchors and references (`&name`, `*name`).",
    "Write the value itself. In a component file, a name under `sources` can be the source of several data. A text "
    "that begins with `&` or `*` needs quotes.",
    explanation="A datum is then not written where it is used, and a small file can expand to a gigantic one.",
)
YAML_TAG = Code(
    "C205",
    "yaml-tag",
    "The file uses YAML's tags (`!name`, `!!str`).",
    "Remove the tag. A text that begins with `!` needs quotes.",
    explanation="The purpose of the file determines the types of its values.",
)
SEVERAL_DOCUMENTS = Code(
    "C206",
    "several-documents",
    "The file contains a second YAML document, after a line `---` or `...`.",
    "Join them, or move the second to a file of its own.",
    explanation="A file may contain only one.",
)
YAML_TOO_DEEP = Code(
    "C207",
    "yaml-too-deep",
    "Lists and fields are nested deeper than in any file that Ludex needs.",
    "Look for brackets that are not closed, and for unintended brackets or dashes.",
)
YAML_TOO_LARGE = Code(
    "C208",
    "yaml-too-large",
    "The file is larger than any YAML file that Ludex needs.",
    "Check that this is the right file. Write a long log as JSON Lines.",
)
DUPLICATE_KEY = Code(
    "C209",
    "duplicate-key",
    "Two fields of one mapping have the same name, so it is unclear which value counts.",
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
    "A number begins with a zero.",
    "Remove the zero; a text of digits needs quotes.",
    explanation="Programs disagree about such numbers: some read them as octal.",
)

UNEXPECTED_WORD = Code(
    "S101",
    "unexpected-word",
    "A word or sign is written where the grammar does not allow it.",
    "Write one of the words that the report names; also check the words just before it.",
)
RESERVED_WORD = Code(
    "S102",
    "reserved-word",
    "A word of the language is used as a name.",
    "Choose another name, perhaps a longer one (`fill_level`).",
    explanation="Labels (`fill:`) and fields (`x.fill`) are free, other names are not.",
)
TAB_INDENTATION = Code(
    "S103",
    "tab-indentation",
    "A line is indented with a tab.",
    "Indent with two spaces for each level; `ludex fmt` does so when the file has no syntax error.",
    explanation="Editors show tabs in different widths, so the blocks could look different there.",
)
UNEXPECTED_BLOCK = Code(
    "S104",
    "unexpected-block",
    "A line is indented deeper than the line above it, but that line opens no block.",
    "Give it the indentation of the line above, or give that line a label, so that it can have a block.",
)
UNEVEN_INDENTATION = Code(
    "S105",
    "uneven-indentation",
    "A line goes back to an indentation that no open block has, so it is unclear to which block it belongs.",
    "Give it exactly the indentation of the other lines of its block.",
)
MISSING_BLOCK = Code(
    "S106",
    "missing-block",
    "A line that needs a block below it has none.",
    "Indent the lines that belong to it by two spaces, or write what it does on the line itself.",
)
UNCLOSED_BRACKET = Code(
    "S107",
    "unclosed-bracket",
    "A bracket is not closed before the next clause begins.",
    "Close it where its content ends.",
)
STRAY_BRACKET = Code(
    "S108",
    "stray-bracket",
    "A closing bracket has no opening bracket, or closes one of another shape.",
    "Remove it, or write the matching bracket.",
)
UNCLOSED_TEXT = Code(
    "S109",
    "unclosed-text",
    "A text in quotes is not closed on its line.",
    'Close it with `"`; inside a text a quote is written `\\"`.',
    explanation="A text cannot continue on the next line.",
)
BAD_ESCAPE = Code(
    "S110",
    "bad-escape",
    "A backslash in a text is followed by something other than a quote or a backslash.",
    'Write `\\"` for a quote and `\\\\` for a backslash; nothing else needs a backslash.',
)
UNKNOWN_CHARACTER = Code(
    "S111",
    "unknown-character",
    "A character that the language does not use is written outside texts and comments.",
    "Remove it, or put it in quotes if it belongs to a text.",
    explanation="Names are plain ASCII.",
)
FOREIGN_SIGN = Code(
    "S112",
    "foreign-sign",
    "A sign of another language is used, such as `==`, `&&` or `->`.",
    "Write the sign or word that Ludex has for it; the report names it.",
)
ASSIGNMENT = Code(
    "S113",
    "assignment",
    "A comparison is written where an assignment is needed, or the reverse.",
    "Write `:=`, `+=` or `-=` in a step, and `=` in a condition or value.",
    explanation="`=` compares, `:=` assigns.",
)
COLON = Code(
    "S114",
    "colon",
    "A colon is not allowed here.",
    "Remove the colon (after `if c` write nothing or `then`), or write `=>` in an arm.",
    explanation="It makes the word before it a label; blocks need none, arms use `=>`.",
)
MISSING_WORD = Code(
    "S115",
    "missing-word",
    "A word that connects two parts is missing, such as `in`, `from`, `to`, `then` or `has`.",
    "Insert it where the report points.",
)
UNKNOWN_DECLARATION = Code(
    "S116",
    "unknown-declaration",
    "A line at column 1 does not begin with the first word of a declaration, or a declaration is indented.",
    "Begin it with `fact`, `define`, `action`, `zone` and so on at column 1, or indent a line that belongs to a block.",
)
MISPLACED_AUTHORITY = Code(
    "S117",
    "misplaced-authority",
    "A citation, ruling or convention is written where there is no clause, or before the end of its clause.",
    "Put it at the end of a line that has a label (or is a declaration, requirement or arm).",
)
BAD_CITATION = Code(
    "S118",
    "bad-citation",
    "A citation cannot be read.",
    "Write the document's tag, a space, then lines and spans of lines, separated by commas.",
    explanation="A citation is a document and line numbers in square brackets: `[ru 113, 120-124]`.",
)
CITATION_IN_COMMENT = Code(
    "S119",
    "citation-in-comment",
    "A comment contains text that looks like a citation.",
    "Move the citation before the `#`, or reword the comment.",
    Severity.WARNING,
    explanation="Comments are not read, so those lines are not cited.",
)
MISSING_HEADER = Code(
    "S120",
    "missing-header",
    "The file does not begin with `game NAME` or `part NAME of GAME`, so its game is unknown.",
    "Make the header the first line of the file.",
)
SECOND_HEADER = Code(
    "S121",
    "second-header",
    "A second header is written below the top of the file.",
    "Keep one header, at the top; give each part and each transcription a file of its own.",
    explanation="A file contains one game, one part of a game, or one transcription.",
)
LONE_PART = Code(
    "S122",
    "lone-part",
    "There is no block to which this `else`, `until` or `except` belongs, at its indentation.",
    "Put it directly below its block: `else` and `until` have the indentation of `if` and `repeat`, `except` has two "
    "spaces more than its clause.",
)
UNFINISHED = Code(
    "S123",
    "unfinished",
    "A line, or a block, ends before it is complete.",
    "Complete it; the report names what could follow.",
)
TRAILING_WORDS = Code(
    "S124",
    "trailing-words",
    "More words follow a complete statement.",
    "Start a new line, or insert the operator or word that connects the parts.",
    explanation="A line contains one statement.",
)
LOWER_CASE_TYPE = Code(
    "S125",
    "lower-case-type",
    "The name of a type or component begins with a small letter.",
    "Begin it with a capital letter.",
    explanation="Only these names begin with a capital letter.",
)
BAD_NAME = Code(
    "S126",
    "bad-name",
    "A name consists of small letters, digits and `_`, and begins with a letter.",
    "Rewrite the name: `card_name` for `cardName`, `first_player` for `1st_player`.",
    explanation="Only a type begins with a capital letter. A number is written without a unit.",
)
NUMBER_TOO_LARGE = Code(
    "S127",
    "number-too-large",
    "A number is larger than any board game needs.",
    "Write a smaller number; the limit is in the report.",
)
TOO_DEEP = Code(
    "S128",
    "too-deep",
    "Brackets, blocks or chains of operators are nested deeper than the parser, or a person, can read.",
    "Give the inner parts names of their own with `define` or `action`.",
)
TOO_MANY_FAULTS = Code(
    "S129",
    "too-many-faults",
    "The file has so many faults that the rest of it was not read.",
    "Correct the reported faults first, and check that this is a Ludex file.",
)

CODES = codes_in(globals())
FILE_CODES, YAML_CODES, SYNTAX_CODES = (tuple(each for each in CODES if each.code[0] == group) for group in "FCS")
