"""Catalogue of the diagnostics of collation: K10x for transcriptions, K11x for decisions, K12x for the apparatus."""

from __future__ import annotations

from ludex.grammar import Code, codes_in

NO_TRANSCRIPTION = Code(
    "K101",
    "no-transcription",
    "A file given for collation is not a transcription of this game.",
    "Begin it with `edition SIGLUM of GAME`; the siglum is a name without dots, such as `en` or `margin`.",
)
TRANSCRIBED_TWICE = Code(
    "K102",
    "transcribed-twice",
    "Two files transcribe one text.",
    "Leave one out, or give each text a siglum of its own.",
)
SEVERAL_DOCUMENTS_CITED = Code(
    "K103",
    "several-documents-cited",
    "A transcription cites lines of several documents, but a transcription covers one text.",
    "Write the clauses of the other text in a transcription of their own.",
)
NO_DOCUMENT = Code(
    "K104",
    "no-document",
    "The header does not name the file that contains the transcribed text.",
    'Add `document: en "FILE"` to the header of the transcription.',
)
DECISIONS_LAYOUT = Code(
    "K110",
    "decisions-layout",
    "A file of decisions does not have the expected layout, so its decisions cannot be read.",
    "`docs/collation.md` shows a record; `ludex schema GAME --decisions` prints the JSON Schema, which editors use.",
)
DECISION_TEXT = Code(
    "K111",
    "decision-text",
    "A decision names a text or a reading that does not exist.",
    "Use the sigla of the game, and the names under `readings`.",
)
DECIDED_TWICE = Code(
    "K112",
    "decided-twice",
    "Two decisions are about one clause.",
    "Join them, or name each clause in one record only.",
)
DECISION_VERDICT = Code(
    "K113",
    "decision-verdict",
    "The verdict of a decision does not follow from its entries for the texts.",
    "`same`: all texts that state it have one reading. `differ`: they have several. `vague`: one has a reading, "
    "another leaves it open. `open`: all leave it open. `none`: no text states it.",
)
DECIDED_NOTHING = Code(
    "K120",
    "decided-nothing",
    "A decision names a clause that is neither in the game nor in a transcription.",
    "Correct the path, or write the clause.",
)
DECIDED_LINES = Code(
    "K121",
    "decided-lines",
    "The lines of a decision and the lines that its clauses cite are not the same.",
    "Correct the lines where they are wrong: in the decision, or in the game.",
)
NOT_COLLATED = Code(
    "K122",
    "not-collated",
    "A transcription states something that the apparatus lacks for its text, and no decision covers it.",
    "Collate it, and decide from the lines of the texts.",
)
DECIDED_READING = Code(
    "K123",
    "decided-reading",
    "A fork disagrees with a decision about a text, or lacks a reading that a decision names; or a decision names no "
    "fork for a question that a text leaves open.",
    "Name the fork among the clauses of the decision. Cite a text that decides after its reading, and a "
    "text that leaves it open after the fork's name; use the same name for a reading in the decision and in the game.",
)

COLLATION_CODES = codes_in(globals())
