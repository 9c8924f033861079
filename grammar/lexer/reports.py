"""Diagnostics of faults that are found without the parser: in the layout, between tokens, and in the finished tree."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from .. import text_codes
from ..diagnostics import Diagnostic, Note
from ..source import Span
from . import words


def tab(places: Sequence[Span]) -> Diagnostic:
    """Return one report for all tabs of a file, at the first. places: the places of the tabs."""
    more = len(places) - 1
    others = f" (and {more} more line{'s' if more > 1 else ''})" if more else ""
    return Diagnostic(text_codes.TAB_INDENTATION, f"a tab indents this line{others}", places[0], "indent with spaces")


def uneven_dedent(span: Span, indent: int, levels: Sequence[int]) -> Diagnostic:
    known = ", ".join(str(level) for level in sorted(set(levels)))
    message = f"this line is indented by {indent}, but the blocks open here are indented by {known}"
    return Diagnostic(text_codes.UNEVEN_INDENTATION, message, span)


def inner_declaration(word: str, span: Span) -> Diagnostic:
    message = f"the declaration `{word}` is inside a block"
    return Diagnostic(text_codes.UNKNOWN_DECLARATION, message, span, "declarations begin at column 1")


def unclosed_bracket(bracket: str, span: Span) -> Diagnostic:
    return Diagnostic(text_codes.UNCLOSED_BRACKET, f"this `{bracket}` is never closed", span)


def stray_bracket(bracket: str, span: Span, opening: str | None, place: Span | None) -> Diagnostic:
    if opening is None:
        return Diagnostic(text_codes.STRAY_BRACKET, f"this `{bracket}` closes nothing", span)
    message = f"this `{bracket}` cannot close `{opening}`"
    return Diagnostic(text_codes.STRAY_BRACKET, message, span, notes=(Note(f"`{opening}` is opened here", place),))


def too_many_brackets(span: Span) -> Diagnostic:
    return Diagnostic(text_codes.TOO_DEEP, "brackets are nested too deeply", span)


def too_many_blocks(span: Span) -> Diagnostic:
    return Diagnostic(text_codes.TOO_DEEP, "blocks are nested too deeply", span)


def too_deep(span: Span) -> Diagnostic:
    return Diagnostic(text_codes.TOO_DEEP, "expressions are nested too deeply to be read from here on", span)


def too_many_faults(span: Span) -> Diagnostic:
    return Diagnostic(
        text_codes.TOO_MANY_FAULTS, "there are too many faults; the text is not read beyond this line", span
    )


def unclosed_text(span: Span) -> Diagnostic:
    return Diagnostic(text_codes.UNCLOSED_TEXT, "this text is not closed on its line", span.start)


def bad_escape(written: str, span: Span) -> Diagnostic:
    return Diagnostic(text_codes.BAD_ESCAPE, f"`{written}` is not an escape sequence", span)


def foreign_sign(sign: str, span: Span) -> Diagnostic:
    hint = words.FOREIGN_SIGNS.get(sign)
    return Diagnostic(text_codes.FOREIGN_SIGN, f"`{sign}` is not a sign of the language", span, hint)


def unknown_character(written: str, span: Span) -> Diagnostic:
    """Return the report of a character, or of a run of characters beyond ASCII."""
    shown = f"`{written}`" if len(written) > 1 else _character(written)
    hint = words.FOREIGN_SIGNS.get(written[0])
    if hint is None and any(character.isalpha() for character in written):
        hint = 'names are plain ASCII; words in other scripts are written in texts, between `"`'
    return Diagnostic(text_codes.UNKNOWN_CHARACTER, f"{shown} is not part of the language", span, hint)


def _character(character: str) -> str:
    name = unicodedata.name(character, "").lower() or "a control character"
    point = f"U+{ord(character):04X}"
    return f"`{character}` ({point}, {name})" if character.isprintable() else f"{point} ({name})"


def bad_citation(written: str, span: Span) -> Diagnostic:
    shown = f"`{written}`" if len(written) <= 40 else "this"
    hint = "write the document and its lines: `[ru 113, 120-124]`"
    if not written.endswith("]"):
        return Diagnostic(text_codes.BAD_CITATION, "this citation is not closed with `]`", span, hint)
    if written[1:-1].strip().isdigit():
        hint = "a citation names its document first (`[ru 12]`); an index is written in round brackets (`row(1)`)"
    return Diagnostic(text_codes.BAD_CITATION, f"{shown} is not a citation", span, hint)


def bad_cited_lines(written: str, span: Span, backwards: bool) -> Diagnostic:
    if not written:
        return Diagnostic(text_codes.BAD_CITATION, "a line number is missing here", span)
    if backwards:
        return Diagnostic(text_codes.BAD_CITATION, f"the lines `{written}` end before they begin", span)
    message = f"`{written}` is neither a line number nor a range of lines"
    return Diagnostic(text_codes.BAD_CITATION, message, span, "lines count from 1: `12`, `12-15`")


def citation_in_comment(written: str, span: Span) -> Diagnostic:
    message = f"the citation {written} is in a comment, so it cites nothing"
    return Diagnostic(text_codes.CITATION_IN_COMMENT, message, span, "move it before the `#`")


def unclaimed_authority(span: Span, cited: bool) -> Diagnostic:
    what = "this citation belongs" if cited else "this reason belongs"
    hint = "give the line a label (`pay: ...`), or move it to the clause it is about"
    return Diagnostic(text_codes.MISPLACED_AUTHORITY, f"{what} to no clause", span, hint)


def reserved(word: str, span: Span) -> Diagnostic:
    """Return the report of a reserved word that is used as a name."""
    message = f"`{word}` is a word of the language and cannot be a name"
    hint = f"choose another, such as `{words.other_name(word)}`; labels of clauses and fields may be called `{word}`"
    return Diagnostic(text_codes.RESERVED_WORD, message, span, hint)


def label_for_word(word: str, span: Span) -> Diagnostic:
    """Return the report of a colon after `else` or `repeat`, which would otherwise silently become labels."""
    hint = f"write `{word}` without a colon; the indented block below is enough"
    return Diagnostic(text_codes.COLON, f"the colon makes `{word}` a label", span, hint)


def number_too_large(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(text_codes.NUMBER_TOO_LARGE, f"this number is too large; the largest is {limit}", span)


def missing_header(span: Span) -> Diagnostic:
    hint = "begin the file with `game NAME` or `part NAME of GAME`"
    return Diagnostic(text_codes.MISSING_HEADER, "the file has no header", span, hint)


def second_header(span: Span, first: Span) -> Diagnostic:
    notes = (Note("the first header is here", first),)
    return Diagnostic(text_codes.SECOND_HEADER, "a file has only one header, at its top", span, notes=notes)


def late_header(span: Span) -> Diagnostic:
    return Diagnostic(text_codes.SECOND_HEADER, "the header must be above all declarations", span)
