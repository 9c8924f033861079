"""The catalogue of what collating finds: K10x about transcriptions."""

from __future__ import annotations

from ludex.grammar import Code

NO_TRANSCRIPTION = Code(
    "K101",
    "no-transcription",
    "A file that is to be collated is no transcription of this game.",
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
    "A transcription cites lines of several documents, so it is not made from one text alone.",
    "Write the clauses of the other text in a transcription of their own.",
)
NO_DOCUMENT = Code(
    "K104",
    "no-document",
    "Nothing says which file the lines of a transcribed text are from.",
    'Add `document: en "FILE"` to the header of the transcription.',
)
COLLATION_CODES = (
    NO_TRANSCRIPTION,
    TRANSCRIBED_TWICE,
    SEVERAL_DOCUMENTS_CITED,
    NO_DOCUMENT,
)
