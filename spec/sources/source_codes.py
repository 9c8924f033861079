"""Catalogue of the diagnostics for citations, coverage and the stored fingerprints of a rulebook's text: A2xx."""

from __future__ import annotations

from ludex.grammar import Code, Severity, codes_in

# ---- citations ---------------------------------------------------------------------------------------------------

UNKNOWN_DOCUMENT = Code(
    "A201",
    "unknown-document",
    "A citation names a document that the game does not have, so nobody can look the clause up.",
    "Use a tag from the header's `document:` line, or add the document there.",
)
LINES_OUT_OF_RANGE = Code(
    "A202",
    "lines-out-of-range",
    "A citation names a line that the document does not have.",
    "Look the lines up again: they are the physical lines of the text file, counted from 1.",
)
LINES_BACKWARDS = Code(
    "A203",
    "lines-backwards",
    "A citation's span ends before it begins.",
    "Write the smaller line number first.",
)
LINES_EMPTY = Code(
    "A204",
    "lines-empty",
    "A citation names only blank lines, or lines that are classed as not part of the text, so they cannot support "
    "the clause.",
    "Cite the lines that hold the sentence, or correct their class in the `.lines` file.",
)
CITATION_TOO_LONG = Code(
    "A205",
    "citation-too-long",
    "A citation spans so many lines that a reader cannot find the sentence, and one clause could `cover` a whole page.",
    "Cite only the sentences that the clause states; name several short spans, or split the clause.",
)
LINES_OF_ANOTHER_TEXT = Code(
    "A206",
    "lines-of-another-text",
    "A statement of one text cites a line that belongs to another text's part of the document, or a document of other "
    "texts only.",
    "Cite the text whose part holds the line, or correct the `lines:` of the text (`text en`).",
    explanation="A text is cited by its own lines.",
)
CITATION_STALE = Code(
    "A207",
    "citation-stale",
    "The cited lines have changed since the citation was confirmed, so the clause may no longer agree with them.",
    "Read the lines again, correct the clause or its line numbers, then confirm the clause by name.",
    explanation="A stale citation does not count towards coverage.",
)
CITATION_UNCONFIRMED = Code(
    "A208",
    "citation-unconfirmed",
    "No fingerprint of the cited lines is recorded for this clause, so a later change of the text would go unseen.",
    "Compare the clause with the lines, then record it: `ludex coverage GAME --record`.",
)
CONFIRMATION_UNUSED = Code(
    "A209",
    "confirmation-unused",
    "The lock holds a confirmation without a citation: the clause was renamed or removed, or cites other lines.",
    "Record again (`ludex coverage GAME --record`); the row that is left over is dropped.",
    Severity.WARNING,
)

# ---- what is stored of a text ------------------------------------------------------------------------------------

DOCUMENT_NAME = Code(
    "A210",
    "document-name",
    "The name of a document is not a plain file name.",
    'Write the file\'s name without folders: `document: ru "rules.txt"`.',
    explanation="Documents are looked up in one folder, never outside it.",
)
TEXT_NOT_RECORDED = Code(
    "A211",
    "text-not-recorded",
    "No fingerprints are stored of a document that the game names, so its citations cannot be checked.",
    "With the text at hand, record it: `ludex coverage GAME --sources DIR --record`; then class its lines.",
)
LINES_FILE_BROKEN = Code(
    "A212",
    "lines-file-broken",
    "A `.lines` file (the fingerprint and class of every line of a text) cannot be parsed.",
    "Mend the row: `number fingerprint class`, with an optional note after `#`.",
)
NORMALISER_DIFFERS = Code(
    "A213",
    "normaliser-differs",
    "The fingerprints were made by another version of the normaliser and cannot be compared with today's.",
    "Use the version of Ludex that wrote them, or delete the file and record the text again.",
)
LINE_UNCLASSIFIED = Code(
    "A214",
    "line-unclassified",
    "This line of the text has no class yet: is it a rule, an example, a heading or something else?",
    "Read the line and write its class in the `.lines` file in place of `unclassified`.",
)
TEXT_LINES = Code(
    "A215",
    "lines-of-text",
    "The `lines:` of a text name lines that its document does not have.",
    "Give the first and the last line of the text's part of the document, the smaller one first.",
)
LINE_IN_NO_TEXT = Code(
    "A216",
    "line-in-no-text",
    "Several texts divide the document among them, and a line of text is in none of the parts.",
    "Add the line to the `lines:` of the text that it belongs to; if it is not part of the rules, class it so "
    "(`not_text`).",
)
DOCUMENT_DIFFERS = Code(
    "A217",
    "document-differs",
    "The stored fingerprints were made from a document of another name than the game's header names.",
    "Correct the header's `document:` line; if the same text only has a new name, correct the `.lines` file.",
)
LOCK_BROKEN = Code(
    "A218",
    "lock-broken",
    "A `.lock` file (which clause was compared with which lines) cannot be parsed.",
    "Restore the row from version control, or delete it and record again after reading the lines.",
)
EXCUSES_BROKEN = Code(
    "A219",
    "excuses-broken",
    "An `.excuses` file (the numbers of a text that no clause needs to contain) cannot be parsed.",
    "Mend the row: `line number reason`.",
)

# ---- the text at hand --------------------------------------------------------------------------------------------

TEXT_CHANGED = Code(
    "A220",
    "text-changed",
    "A line of the text at hand is not the line that was fingerprinted: it was changed, added or removed.",
    "If the new text is the right one, record it (`ludex coverage GAME --sources DIR --record`) and read the stale "
    "clauses again.",
)
ANOTHER_TEXT = Code(
    "A221",
    "another-text",
    "Most lines of the text at hand are not those that were fingerprinted: it is another text, or another extraction.",
    "Give the folder with the document from which the fingerprints were made; to start with another text, delete the "
    "`.lines` file and record.",
)

# ---- coverage ----------------------------------------------------------------------------------------------------

LINE_UNCOVERED = Code(
    "A230",
    "line-uncovered",
    "A rule or an example of the text is cited by no clause (or only by stale or faulty citations); or it lies in the "
    "parts of two texts, and only one of them cites it.",
    "Write the clause that states it, cite it where it is stated already, or correct the line's class.",
)
NUMBER_UNACCOUNTED = Code(
    "A231",
    "number-unaccounted",
    "A number in a rule of the text is contained in no clause that cites the line.",
    "Put the number where it belongs, or write an excuse with its reason in the `.excuses` file.",
)
EXCUSE_NOT_NEEDED = Code(
    "A232",
    "excuse-not-needed",
    "An excuse is not needed: a clause contains the number, or the line does not.",
    "Delete the row from the `.excuses` file, or correct its line number.",
)
TEXT_NOT_CONFIRMED = Code(
    "A233",
    "text-not-confirmed",
    "The attestation of a clause is incomplete: it is open whether one of the game's texts states it.",
    "Cite its lines at the clause, add a `variant` or mark the silence: `silent en [en 12-14]`. A lost page is "
    "declared by `lacuna:` of the text.",
)
NOTHING_TO_CONFIRM = Code(
    "A240",
    "nothing-to-confirm",
    "The clause that was named for confirmation has no stale citation.",
    "Name a clause by its path (`study.refill`), or by text and path (`ru:study.refill`).",
)
NOT_WRITTEN = Code(
    "A241",
    "not-written",
    "A file of the `sources` folder could not be written; its old content is untouched.",
    "Check that the folder exists and may be written to.",
)

SOURCE_CODES = codes_in(globals())
