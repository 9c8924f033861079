"""Citation checks: each cited span is compared with the text, with a report for each fault.

`cited_spans` decides the status of every span once; reports, coverage, number accounting and recording use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ludex.grammar import Citation, Diagnostic, Diagnostics, Note, Span, did_you_mean

from .files import span_words
from .source_codes import (
    ANOTHER_TEXT,
    CITATION_STALE,
    CITATION_TOO_LONG,
    CITATION_UNCONFIRMED,
    CONFIRMATION_UNUSED,
    LINE_IN_NO_TEXT,
    LINE_UNCLASSIFIED,
    LINES_BACKWARDS,
    LINES_EMPTY,
    LINES_OF_ANOTHER_TEXT,
    LINES_OUT_OF_RANGE,
    TEXT_CHANGED,
    TEXT_LINES,
    UNKNOWN_DOCUMENT,
)
from .texts import (
    BLANK,
    CitedClause,
    CitedGame,
    Confirmation,
    DocumentPart,
    LineChange,
    LineClass,
    Source,
    StoredText,
    TextWords,
    span_fingerprint,
)

# A longer span could cover a page with one clause, and no reader would find the sentence.
LONGEST_SPAN = 12
"""The largest number of lines of text in a cited span. Blank lines and lines that are not text are not counted."""


class CitationStatus(StrEnum):
    """The status of a cited span. Only `confirmed` and `unconfirmed` spans count towards coverage."""

    UNKNOWN_DOCUMENT = "unknown document"
    BACKWARDS = "backwards"
    UNREAD = "unread"  # nothing usable is stored of the document, which is reported once for the document
    OUT_OF_RANGE = "out of range"
    EMPTY = "empty"
    TOO_LONG = "too long"
    OTHER_TEXT = "of another text"
    STALE = "stale"
    UNCONFIRMED = "unconfirmed"
    CONFIRMED = "confirmed"

    @property
    def covers(self) -> bool:
        return self in {CitationStatus.CONFIRMED, CitationStatus.UNCONFIRMED}


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """One span of lines that one clause cites, and its status.

    Attributes:
        first, last: the lines, counted from 1.
        fingerprint: the fingerprint of the lines as they are now; empty if there are no such lines.
        confirmed: the fingerprint in the lock; None if there is none.
    """

    clause: CitedClause
    citation: Citation
    # The numbers are the author's and may point to nothing, so they are checked before they index the text.
    first: int
    last: int
    status: CitationStatus
    fingerprint: str = ""
    confirmed: str | None = None

    @property
    def document(self) -> str:
        return self.citation.document

    @property
    def key(self) -> tuple[str, str, int, int]:
        return (self.clause.edition, self.clause.path, self.first, self.last)

    @property
    def words(self) -> str:
        return span_words(self.first, self.last)

    @property
    def covers(self) -> bool:
        """Whether the span counts towards coverage. A mark of silence does not, as its lines do not state the
        clause."""
        return self.status.covers and not self.clause.is_silence


def cited_spans(game: CitedGame) -> tuple[CitedSpan, ...]:
    """Return every cited span with its status, in the order of the clauses."""
    # Many clauses cite one document, so sources and locks are found by tag.
    sources = {source.document.tag: source for source in game.sources}
    locks = {tag: source.lock.by_key() for tag, source in sources.items() if source.lock}
    return tuple(
        _cited_span(
            CitedSpan(clause, citation, first, last, CitationStatus.UNREAD),
            sources.get(citation.document),
            locks.get(citation.document),
            game.parts,
        )
        for clause in game.clauses
        for citation in clause.citations
        for first, last in citation.lines
    )


def _cited_span(
    span: CitedSpan,
    source: Source | None,
    lock: dict[tuple[str, str, int, int], Confirmation] | None,
    parts: Sequence[DocumentPart],
) -> CitedSpan:
    if source is None:
        return replace(span, status=CitationStatus.UNKNOWN_DOCUMENT)
    # A new document has no lock yet, so no line of it is confirmed.
    confirmation = lock.get(span.key) if lock else None
    span = replace(span, confirmed=confirmation.fingerprint if confirmation else None)
    text = source.present
    # Faults in the author's numbers come first, as what they point to means nothing.
    if span.first > span.last:
        return replace(span, status=CitationStatus.BACKWARDS)
    # The missing text is reported once for the document.
    if text is None:
        return span
    if span.first < 1 or span.last > len(text.lines):
        return replace(span, status=CitationStatus.OUT_OF_RANGE)
    mark = span_fingerprint(text.fingerprints, span.first, span.last)
    # A stale confirmation comes before other faults: lines that were confirmed and are blank now have moved, and the
    # author did not miscount them.
    if confirmation and confirmation.fingerprint != mark:
        return replace(span, status=CitationStatus.STALE, fingerprint=mark)
    # A broken lock is reported once, so its citations are not reported as unconfirmed.
    good = CitationStatus.CONFIRMED if confirmation or lock is None else CitationStatus.UNCONFIRMED
    return replace(span, status=_fault(span, text, parts) or good, fingerprint=mark)


def _fault(span: CitedSpan, text: StoredText, parts: Sequence[DocumentPart]) -> CitationStatus | None:
    size = _size(text, span.first, span.last)
    if size == 0:
        return CitationStatus.EMPTY
    if size > LONGEST_SPAN:
        return CitationStatus.TOO_LONG
    return CitationStatus.OTHER_TEXT if _strays(span, text, parts) else None


def _strays(span: CitedSpan, text: StoredText, parts: Sequence[DocumentPart]) -> list[int]:
    """Return the lines of a span that belong to other texts only. A clause that no text states may cite every line."""
    own = [part for part in parts if part.edition == span.clause.edition]
    document = [part for part in parts if part.document == span.document]
    if not own or not document:
        return []
    own_parts = [part for part in document if part.edition == span.clause.edition]
    lines = text.lines[span.first - 1 : span.last]
    return [
        line.number for line in lines if line.line_class.is_text and not any(p.holds(line.number) for p in own_parts)
    ]


def _size(text: StoredText, first: int, last: int) -> int:
    return sum(line.line_class.is_text for line in text.lines[first - 1 : last])


# ---- reports -----------------------------------------------------------------------------------------------------


def check_sources(game: CitedGame) -> tuple[Diagnostic, ...]:
    """Return all faults of citations and of the stored files, in the order of `CHECKS`."""
    spans = cited_spans(game)
    diagnostics = Diagnostics()
    # A text that changed explains stale citations, so its faults come first.
    for check in CHECKS:
        diagnostics.extend(check(game, spans))
    return tuple(diagnostics.items)


def check_texts(game: CitedGame, spans: tuple[CitedSpan, ...]) -> Iterator[Diagnostic]:
    """Compare the text at hand with the stored one, line by line."""
    for source in game.sources:
        if source.stored and source.words:
            yield from _text_changes(source, source.stored, source.words)


def _text_changes(source: Source, stored: StoredText, words: TextWords) -> Iterator[Diagnostic]:
    # A report for every line would hide that this is another text.
    if source.is_another_text:
        lost = f"{source.lost_lines} of the recorded lines of `{source.document.tag}`"
        yield Diagnostic(ANOTHER_TEXT, f"{lost}, more than half, are not in this text", Span(words.file, 1, 1, 1, 1))
        return
    for change in source.text_changes:
        yield _text_change(change, source.document.tag, stored, words)


def _text_change(change: LineChange, tag: str, stored: StoredText, words: TextWords) -> Diagnostic:
    if change.new is None:
        message = f"line {change.old} of `{tag}`, as it was recorded, is not in the text at hand"
        # A line that is gone has a place only in the stored file.
        return Diagnostic(TEXT_CHANGED, message, stored.row_span(change.old or 1))
    place = words.line_span(change.new)
    if change.kind == "added":
        kind = "blank line" if words.fingerprints[change.new - 1] == BLANK else "line"
        return Diagnostic(TEXT_CHANGED, f"line {change.new} is a {kind} that `{tag}` did not have", place)
    verb = "is another line now" if change.kind == "changed" else f"is line {change.new} now"
    return Diagnostic(TEXT_CHANGED, f"line {change.old} of `{tag}`, as it was recorded, {verb}", place)


def check_classes(game: CitedGame, spans: tuple[CitedSpan, ...]) -> Iterator[Diagnostic]:
    """Check that every line of every text has a class."""
    for source in game.sources:
        for line in source.stored.lines if source.stored else ():
            if source.stored and line.line_class is LineClass.UNCLASSIFIED:
                message = f"line {line.number} of `{source.document.tag}` has no class yet"
                yield Diagnostic(LINE_UNCLASSIFIED, message, source.stored.row_span(line.number))


def check_parts(game: CitedGame, spans: tuple[CitedSpan, ...]) -> Iterator[Diagnostic]:
    """Check that the parts of the texts are within their documents and cover every line of text."""
    for source in game.sources:
        parts = [part for part in game.parts if part.document == source.document.tag]
        if source.present is None or not parts:
            continue
        faults = list(_part_faults(parts, len(source.present.lines)))
        yield from faults
        # A faulty range would leave out lines that its author meant.
        if not faults:
            yield from _lines_left_out(source, source.present, parts)


def _part_faults(parts: list[DocumentPart], count: int) -> Iterator[Diagnostic]:
    for part in parts:
        for first, last in part.lines or ():
            lines = f"{first}..{last}"
            if first > last:
                hint = f"write `{last}..{first}`"
                yield Diagnostic(TEXT_LINES, f"the lines {lines} run backwards", part.span, hint)
            elif first < 1 or last > count:
                message = f"`{part.document}` has the lines 1..{count}; {lines} is not within them"
                yield Diagnostic(TEXT_LINES, message, part.span)


def _lines_left_out(source: Source, text: StoredText, parts: list[DocumentPart]) -> Iterator[Diagnostic]:
    numbers = (line.number for line in text.lines if line.line_class.is_text)
    left_out = [number for number in numbers if not any(part.holds(number) for part in parts)]
    if left_out:
        lines = _lines(_runs(left_out))
        names = ", ".join(f"`{part.edition}`" for part in parts)
        message = f"no text's part of `{source.document.tag}` holds {lines}; the texts are {names}"
        yield Diagnostic(LINE_IN_NO_TEXT, message, parts[-1].span)


def check_citations(game: CitedGame, spans: tuple[CitedSpan, ...]) -> Iterator[Diagnostic]:
    """Yield one report for each citation and kind of fault."""
    unlocked = {source.document.tag for source in game.sources if source.lock and not source.lock.exists}
    yield from _nothing_confirmed(game, spans, unlocked)
    grouped: dict[tuple[int, int, CitationStatus], list[CitedSpan]] = {}
    # The spans of one citation go into one report, but those of two equal citations do not.
    for span in spans:
        grouped.setdefault((id(span.clause), id(span.citation), span.status), []).append(span)
    for (_, _, status), group in grouped.items():
        report = _REPORTS.get(status)
        # A document without a lock got its one report above.
        if report and not (status is CitationStatus.UNCONFIRMED and group[0].document in unlocked):
            yield report(game, group)


def _nothing_confirmed(game: CitedGame, spans: tuple[CitedSpan, ...], unlocked: set[str]) -> Iterator[Diagnostic]:
    """Yield one report for a document without a lock, in place of one for every citation."""
    for source in game.sources:
        tag = source.document.tag
        waiting = sum(span.document == tag and span.status is CitationStatus.UNCONFIRMED for span in spans)
        if waiting and tag in unlocked:
            message = f"no citation of `{tag}` is confirmed yet ({waiting} spans are cited)"
            hint = "when the clauses have been compared with the lines: `ludex coverage GAME --record`"
            yield Diagnostic(CITATION_UNCONFIRMED, message, source.document.span, hint)


def _unknown_document(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    tag, known = group[0].document, [source.document.tag for source in game.sources]
    names = ", ".join(f"`{name}`" for name in known)
    # A wrong tag is often a typing error; else the author needs the list.
    hint = did_you_mean(tag, known) or (f"the game's documents: {names}" if known else None)
    message = f"`{tag}` is not a document of this game" if known else "this game names no document to cite"
    return Diagnostic(UNKNOWN_DOCUMENT, message, group[0].citation.span, hint)


def _backwards(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    span = group[0]
    message = f"the span {span.first}-{span.last} ends before it begins"
    return Diagnostic(LINES_BACKWARDS, message, span.citation.span, f"write `{span.last}-{span.first}`")


def _out_of_range(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    text = _present(game, group[0].document)
    message = f"`{group[0].document}` has the lines 1 to {len(text.lines)}, but {_listed(group)} is cited"
    return Diagnostic(LINES_OUT_OF_RANGE, message, group[0].citation.span, _moved_hint(game, group))


def _empty(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    message = f"there is no text in {_listed(group)} of `{group[0].document}`"
    return Diagnostic(LINES_EMPTY, message, group[0].citation.span, _neighbour_hint(game, group[0]))


def _neighbour_hint(game: CitedGame, span: CitedSpan) -> str | None:
    """Return a hint at the nearest rule or example, in case the author miscounted."""
    lines = _present(game, span.document).lines
    near = [line.number for line in lines if line.line_class.needs_clause]
    # The lines of a text that was just recorded have no class yet.
    if not near:
        return None
    # Of two lines at the same distance, the first is taken, so that the hint is always the same.
    best = min(near, key=lambda number: (abs(number - span.first), number))
    return f"the nearest rule or example is line {best}"


def _too_long(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    span = group[0]
    size = _size(_present(game, span.document), span.first, span.last)
    message = f"the span {span.words} has {size} lines of text; one span may have at most {LONGEST_SPAN}"
    return Diagnostic(CITATION_TOO_LONG, message, span.citation.span)


def _other_text(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    span, text = group[0], _present(game, group[0].document)
    edition = span.clause.edition
    # One citation may list several spans that share lines.
    strays = sorted({number for each in group for number in _strays(each, text, game.parts)})
    parts = [part for part in game.parts if part.document == span.document]
    holders = [f"`{part.edition}`" for part in parts if part.edition != edition and part.holds(strays[0])]
    belongs = "it belongs" if len(strays) == 1 else "they belong"
    hint = f"{belongs} to the text {' and '.join(holders)}" if holders else None
    if own := next((part for part in parts if part.edition == edition), None):
        message = f"the text `{edition}` is in another part of `{span.document}` than {_lines(_runs(strays))}"
        notes: tuple[Note, ...] = (Note("the text's part", own.span),)
    else:
        message, notes = f"the text `{edition}` is not in `{span.document}`", ()
    return Diagnostic(LINES_OF_ANOTHER_TEXT, message, span.citation.span, hint, notes)


def _stale(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    span = group[0]
    message = f"the text of {_listed(group)} of `{span.document}` has changed since this citation was confirmed"
    again = f"`ludex coverage GAME --record --confirm {span.clause.path}`"
    hint = _moved_hint(game, group) or f"compare the clause with the line as it is now, then {again}"
    return Diagnostic(CITATION_STALE, message, span.citation.span, hint)


def _moved_hint(game: CitedGame, group: list[CitedSpan]) -> str | None:
    moved = [_moved_to(game, each) for each in group]
    places = ", ".join(place for place in moved if place)
    # A hint for some of the lines only would leave the others unexplained.
    return f"the confirmed text is at {places} now" if all(moved) else None


def _moved_to(game: CitedGame, span: CitedSpan) -> str | None:
    """Return the present lines of a confirmed span, the nearest if there are several; None if they changed."""
    marks, length = _present(game, span.document).fingerprints, span.last - span.first
    starts = range(1, len(marks) - length + 1)
    moved = [first for first in starts if span_fingerprint(marks, first, first + length) == span.confirmed]
    # The lines were changed and not only moved.
    if not moved:
        return None
    best = min(moved, key=lambda first: (abs(first - span.first), first))
    return span_words(best, best + length)


def _unconfirmed(game: CitedGame, group: list[CitedSpan]) -> Diagnostic:
    message = f"nobody has confirmed yet that this clause follows {_listed(group)} of `{group[0].document}`"
    hint = "compare them, then `ludex coverage GAME --record`"
    return Diagnostic(CITATION_UNCONFIRMED, message, group[0].citation.span, hint)


def _listed(group: list[CitedSpan]) -> str:
    return _lines([(span.first, span.last) for span in group])


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Group rising numbers into spans."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        # The list grows while it is read, so the last run is its last item.
        follows = runs and runs[-1][1] == number - 1
        runs[-1:] = [(runs[-1][0], number)] if follows else [*runs[-1:], (number, number)]
    return runs


def _lines(spans: list[tuple[int, int]]) -> str:
    several = len(spans) > 1 or spans[0][0] != spans[0][1]
    return f"{'lines' if several else 'line'} {', '.join(span_words(first, last) for first, last in spans)}"


def _present(game: CitedGame, tag: str) -> StoredText:
    """Return the stored text of a document that a span cites. A span with a status beyond `unread` has one."""
    return next(source.present for source in game.sources if source.document.tag == tag and source.present)


def check_lock(game: CitedGame, spans: tuple[CitedSpan, ...]) -> Iterator[Diagnostic]:
    """Check that every confirmation in a lock belongs to a citation."""
    for source in game.sources:
        # A confirmation whose clause cites another document now is unused too.
        asked = {span.key for span in spans if span.document == source.document.tag}
        for confirmation in source.lock.confirmations if source.lock else ():
            if source.lock and confirmation.key not in asked:
                lines = _lines([(confirmation.first, confirmation.last)])
                message = f"`{confirmation.path}` of `{confirmation.edition}` does not cite {lines} any more"
                # A lock that was not read from a file has no rows.
                place = Span(source.lock.file, max(confirmation.row, 1), 1, max(confirmation.row, 1), 1)
                yield Diagnostic(CONFIRMATION_UNUSED, message, place)


_REPORTS: dict[CitationStatus, Callable[[CitedGame, list[CitedSpan]], Diagnostic]] = {
    CitationStatus.UNKNOWN_DOCUMENT: _unknown_document,
    CitationStatus.BACKWARDS: _backwards,
    CitationStatus.OUT_OF_RANGE: _out_of_range,
    CitationStatus.EMPTY: _empty,
    CitationStatus.TOO_LONG: _too_long,
    CitationStatus.OTHER_TEXT: _other_text,
    CitationStatus.STALE: _stale,
    CitationStatus.UNCONFIRMED: _unconfirmed,
}

CHECKS = (check_texts, check_classes, check_parts, check_citations, check_lock)
