"""The texts that hints may go by: those at hand that are as they were when their lines were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludex.grammar import Diagnostic, Span

from ..sources.codes import ANOTHER_TEXT, TEXT_CHANGED
from ..sources.texts import CitedGame, LineClass, Source, Words


def texts_at_hand(game: CitedGame) -> tuple[Mapping[str, tuple[str, ...]], tuple[Diagnostic, ...]]:
    """The lines of each document by its tag, those that are no text of it empty; and which documents are left out,
    because they are not what was recorded, so that what clauses cite may stand elsewhere in them."""
    faults = tuple(fault for source in game.sources for fault in _faults(source))
    left_out = {source.document.tag for source in game.sources if any(True for _ in _faults(source))}
    at_hand = (source for source in game.sources if source.document.tag not in left_out)
    return {source.document.tag: _lines(source, source.words) for source in at_hand if source.words}, faults


def excused_numbers(game: CitedGame) -> frozenset[tuple[str, int, int]]:
    """The document, line and number of each excuse: no number of a rule."""
    return frozenset(
        (source.document.tag, excuse.line, excuse.number) for source in game.sources for excuse in source.excuses or ()
    )


def _lines(source: Source, words: Words) -> tuple[str, ...]:
    if source.stored is None:
        return words.lines
    classes = (line.line_class for line in source.stored.lines)
    return tuple("" if kind is LineClass.NOT_TEXT else line for line, kind in zip(words.lines, classes, strict=False))


def _faults(source: Source) -> Iterator[Diagnostic]:
    if source.words is None or not source.text_changes:
        return
    tag, count = source.document.tag, len(source.text_changes)
    code = ANOTHER_TEXT if source.is_another_text else TEXT_CHANGED
    lines = "line" if count == 1 else "lines"
    message = f"{count} {lines} of `{tag}` are not as they were recorded, so no hints are taken from this text"
    hint = "`ludex coverage GAME --sources DIR` tells which"
    yield Diagnostic(code, message, Span(source.words.file, 1, 1, 1, 1), hint)
