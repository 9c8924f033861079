"""Coverage: which lines of a text no clause cites, and which clauses cite no text.

`measure` returns plain data; the functions after it format the data as text without colours, for a terminal or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ludex.grammar import Diagnostic, Span

from .citations import CitationStatus, CitedSpan, cited_spans
from .files import span_words
from .numbers import citing_spans
from .source_codes import LINE_UNCOVERED
from .texts import SILENCE, CitedClause, CitedGame, DocumentPart, LineClass, Source, SourceLine, StoredText, TextWords

# ---- data ----------------------------------------------------------------------------------------------------


class LineState(StrEnum):
    """The state of a line. `stale`: it is cited only by citations that were confirmed before its text changed."""

    COVERED = "covered"
    UNCOVERED = "uncovered"
    STALE = "stale"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True)
class Citer:
    """A clause that cites a line.

    It covers the line if its status is `confirmed` or `unconfirmed`, unless it is a mark of silence.
    """

    edition: str
    path: str
    kind: str
    status: CitationStatus


@dataclass(frozen=True, slots=True)
class LineCoverage:
    """The coverage of one line of a document.

    place: the line in the text at hand, else the line's row in the `.lines` file.
    """

    number: int
    line_class: LineClass
    state: LineState
    clauses: tuple[Citer, ...]
    place: Span


@dataclass(frozen=True, slots=True)
class LineTally:
    """Counts of lines: those that need a clause, and how many of these are in each state."""

    needed: int
    covered: int
    stale: int
    uncovered: int

    @property
    def is_full(self) -> bool:
        """Whether every line that needs a clause has one."""
        return self.covered == self.needed


@dataclass(frozen=True, slots=True)
class EditionCoverage:
    """The coverage of a text's own part of a document by its own clauses and those that no text states."""

    edition: str
    lines: tuple[LineCoverage, ...]

    @property
    def tally(self) -> LineTally:
        return tally(self.lines)


@dataclass(frozen=True, slots=True)
class DocumentCoverage:
    """The coverage of one document by all clauses together, and by those of each text."""

    tag: str
    name: str
    lines: tuple[LineCoverage, ...]
    editions: tuple[EditionCoverage, ...]

    @property
    def tally(self) -> LineTally:
        return tally(self.lines)


@dataclass(frozen=True, slots=True)
class TextlessClause:
    """A clause without a citation, and its authority instead."""

    edition: str
    path: str
    kind: str
    span: Span
    rests_on: Literal["ruling", "convention", "nothing"]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of a game.

    Documents without a usable `.lines` file are left out; reading them reports that.
    """

    documents: tuple[DocumentCoverage, ...]
    textless: tuple[TextlessClause, ...]


# ---- measuring ---------------------------------------------------------------------------------------------------


def measure(game: CitedGame) -> Coverage:
    """Return the coverage of every document by the clauses of a game, and the clauses without a citation."""
    spans = cited_spans(game)
    documents = tuple(
        _document_coverage(game, source, source.present, spans) for source in game.sources if source.present
    )
    textless = tuple(_textless(clause) for clause in game.clauses if not clause.citations)
    return Coverage(documents, textless)


def _document_coverage(
    game: CitedGame, source: Source, text: StoredText, spans: Sequence[CitedSpan]
) -> DocumentCoverage:
    tag = source.document.tag
    parts = [part for part in game.parts if part.document == tag]
    editions = tuple(_edition_coverage(source, text, part, parts, spans) for part in parts)
    return DocumentCoverage(tag, text.name, _line_coverages(source, text, spans), editions)


def _edition_coverage(
    source: Source, text: StoredText, part: DocumentPart, parts: Sequence[DocumentPart], spans: Sequence[CitedSpan]
) -> EditionCoverage:
    others = {each.edition for each in parts} - {part.edition}
    # Clauses that no text states serve every text.
    own = [span for span in spans if span.clause.edition not in others]
    lines = _line_coverages(source, text, own)
    return EditionCoverage(part.edition, tuple(line for line in lines if part.holds(line.number)))


def _line_coverages(source: Source, text: StoredText, spans: Sequence[CitedSpan]) -> tuple[LineCoverage, ...]:
    # Spans outside the text are reported as faulty citations.
    within = [span for span in spans if 1 <= span.first <= span.last <= len(text.lines)]
    citing = citing_spans(source.document.tag, within)
    return tuple(_line_coverage(source, text, line, citing.get(line.number, ())) for line in text.lines)


def _line_coverage(source: Source, text: StoredText, line: SourceLine, citing: Sequence[CitedSpan]) -> LineCoverage:
    words = source.own_words
    # The document at hand shows the words, and the stored file does not.
    place = words.line_span(line.number) if words else text.row_span(line.number)
    return LineCoverage(line.number, line.line_class, _state(line, citing), _citers(citing), place)


def _state(line: SourceLine, citing: Sequence[CitedSpan]) -> LineState:
    if not line.line_class.needs_clause:
        return LineState.NOT_NEEDED
    # One good citation is enough, however many others are stale.
    if any(span.covers for span in citing):
        return LineState.COVERED
    stale = any(span.status is CitationStatus.STALE and not span.clause.is_silence for span in citing)
    return LineState.STALE if stale else LineState.UNCOVERED


def _citers(citing: Sequence[CitedSpan]) -> tuple[Citer, ...]:
    citers = (Citer(span.clause.edition, span.clause.path, span.clause.kind, span.status) for span in citing)
    # A clause may cite a line by several spans.
    return tuple(dict.fromkeys(citers))


def _textless(clause: CitedClause) -> TextlessClause:
    rests_on = clause.reasons[0].kind if clause.reasons else "nothing"
    reasons = tuple(reason.text for reason in clause.reasons)
    return TextlessClause(clause.edition, clause.path, clause.kind, clause.span, rests_on, reasons)


def tally(lines: Sequence[LineCoverage]) -> LineTally:
    """Count the lines by state."""

    def count(state: LineState) -> int:
        return sum(line.state is state for line in lines)

    covered, stale, uncovered = (count(s) for s in (LineState.COVERED, LineState.STALE, LineState.UNCOVERED))
    return LineTally(covered + stale + uncovered, covered, stale, uncovered)


def coverage_findings(coverage: Coverage) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each run of rules or examples that no clause cites.

    In a document with the parts of several texts, each text has to cite the lines of its own part. Lines that another
    check reports are left out: those of a faulty or stale citation, and those in no text's part.
    """
    return tuple(fault for document in coverage.documents for fault in _uncovered_in(document))


def _uncovered_in(document: DocumentCoverage) -> Iterator[Diagnostic]:
    in_some_part = {line.number for each in document.editions for line in each.lines}
    # The sets let each run be reported once, either here or for one text below.
    nowhere = {line.number for line in document.lines if _is_bare(line)}
    for run in _bare_runs(document.lines, nowhere & in_some_part if document.editions else nowhere):
        yield _uncovered(document.tag, run, "no clause")
    for part in document.editions:
        # A line that no text's clause cites was reported above, once for all.
        bare = {line.number for line in part.lines if _is_bare(line)}
        covered = {line.number for line in document.lines if line.state is LineState.COVERED}
        for run in _bare_runs(part.lines, bare & covered):
            yield _uncovered(document.tag, run, f"no clause of the text `{part.edition}`")


def _is_bare(line: LineCoverage) -> bool:
    # A line that a faulty citation names is reported at the citation.
    return line.state is LineState.UNCOVERED and all(citer.kind == SILENCE for citer in line.clauses)


def _bare_runs(lines: Sequence[LineCoverage], bare: Set[int]) -> Iterator[list[LineCoverage]]:
    """Yield the bare lines in runs; blank lines do not end a run."""
    run: list[LineCoverage] = []
    for line in lines:
        if line.number in bare:
            run.append(line)
        elif line.line_class is not LineClass.BLANK and run:
            yield run
            run = []
    if run:
        yield run


def _uncovered(tag: str, run: Sequence[LineCoverage], by: str) -> Diagnostic:
    first, last = run[0].number, run[-1].number
    kinds = " and ".join(sorted({line.line_class.value for line in run}, reverse=True))
    if first == last:
        message = f"line {first} of `{tag}` ({kinds}) is cited by {by}"
    else:
        message = f"lines {span_words(first, last)} of `{tag}` ({len(run)} lines, {kinds}) are cited by {by}"
    return Diagnostic(LINE_UNCOVERED, message, run[0].place)


# ---- strip --------------------------------------------------------------------------------------------------

_CLASS_MARKS = {
    LineClass.RULE: "r",
    LineClass.EXAMPLE: "e",
    LineClass.HEADING: "h",
    LineClass.COMPONENT_LIST: "c",
    LineClass.FLAVOUR: "f",
    LineClass.REFERENCE: "x",
    LineClass.NOT_TEXT: "-",
    LineClass.BLANK: ".",
    LineClass.UNCLASSIFIED: "?",
}

STALE_MARK = "!"

_MEANINGS = {
    "r": "rule, covered",
    "R": "rule without a clause",
    "e": "example, covered",
    "E": "example without a clause",
    "!": "stale",
    "?": "not classified yet",
    "c": "component list",
    "h": "heading",
    "f": "flavour",
    "x": "reference",
    "-": "no part of the text",
    ".": "blank",
}

# Marks of work that is left come first, so that a cell of several lines does not hide it.
COVERAGE_MARKS = "!RE?recxhf-."
"""All marks, the gravest first. A mark for several lines is the gravest of theirs."""


def line_mark(line: LineCoverage) -> str:
    """Return the mark of a line: the letter of its class, a capital if a clause is missing, `!` if it is stale."""
    mark = _CLASS_MARKS[line.line_class]
    if line.state is LineState.STALE:
        return STALE_MARK
    return mark.upper() if line.state is LineState.UNCOVERED else mark


def strip(lines: Sequence[LineCoverage]) -> str:
    """Return the marks of lines as one string."""
    return "".join(line_mark(line) for line in lines)


def strip_text(lines: Sequence[LineCoverage], width: int = 80) -> str:
    """Return the strip in rows, each with the number of its first line.

    A line that is not among `lines`, as in a document with the parts of two texts, is a blank. width: the width of a
    row, its number included."""
    if not lines:
        return ""
    first, last = lines[0].number, lines[-1].number
    marks = {line.number: line_mark(line) for line in lines}
    margin = len(str(last)) + 1
    # Whole tens make a column easy to count.
    size = max(10, (width - margin) // 10 * 10)
    rows = {start: [marks.get(n, " ") for n in range(start, start + size)] for start in range(first, last + 1, size)}
    return "\n".join(
        f"{start:>{margin - 1}} {''.join(row).rstrip()}"
        for start, row in rows.items()
        # A part of a document begins late, and the empty rows before it say nothing.
        if any(mark != " " for mark in row)
    )


def legend(marks: str = COVERAGE_MARKS) -> str:
    """Return the meaning of each mark that occurs in `marks`, the gravest first, one a row."""
    return "\n".join(f"{mark}  {_MEANINGS[mark]}" for mark in COVERAGE_MARKS if mark in marks)


# ---- line by line ------------------------------------------------------------------------------------------------


def listing_text(
    lines: Sequence[LineCoverage], words: TextWords | None = None, wanted: Callable[[LineCoverage], bool] | None = None
) -> str:
    """Return a listing of lines, a row each: mark, number, class, state, the clauses that cite it.

    words: the document; the words of each line are then in a row below. wanted: chooses the lines that are listed; by
    default all that are not blank.
    """
    chosen = [line for line in lines if (wanted(line) if wanted else line.line_class is not LineClass.BLANK)]
    margin = len(str(lines[-1].number)) if lines else 1
    return "\n".join(row for line in chosen for row in _listing_rows(line, words, margin))


def _listing_rows(line: LineCoverage, words: TextWords | None, margin: int) -> Iterator[str]:
    state = "" if line.state is LineState.NOT_NEEDED else f", {line.state}"
    citers = "".join(f"  [{_citer_words(citer)}]" for citer in line.clauses)
    yield f"{line_mark(line)} {line.number:>{margin}}  {line.line_class}{state}{citers}"
    # The text at hand may be shorter than the stored one.
    if words and line.number <= len(words.lines):
        yield f"{'':{margin + 4}}{words.lines[line.number - 1].strip()}"


def _citer_words(citer: Citer) -> str:
    name = f"{citer.edition}:{citer.path}"
    # Confirmed is the usual state, which needs no word.
    return name if citer.status is CitationStatus.CONFIRMED else f"{name} ({citer.status})"


# ---- summary ------------------------------------------------------------------------------------------------------


def summary_text(coverage: Coverage) -> str:
    """Return a row for each document and each text's part of it, and one with the number of clauses without a text."""
    rows: list[str] = []
    for document in coverage.documents:
        rows.append(f"{document.tag} ({document.name}): {len(document.lines)} lines, {_tally_words(document.tally)}")
        rows += [f"  text {each.edition}: {_tally_words(each.tally)}" for each in document.editions]
    if coverage.textless:
        counts = {kind: sum(c.rests_on == kind for c in coverage.textless) for kind in _RESTS_ON}
        words = ", ".join(f"{count} {_RESTS_ON[kind]}" for kind, count in counts.items() if count)
        rows.append(f"clauses without a text: {len(coverage.textless)} ({words})")
    return "\n".join(rows)


_RESTS_ON = {"ruling": "by ruling", "convention": "by convention", "nothing": "without any authority"}


def _tally_words(counted: LineTally) -> str:
    words = f"{counted.covered} of {counted.needed} rule and example lines covered"
    gaps = [f"{count} {what}" for count, what in ((counted.uncovered, "uncovered"), (counted.stale, "stale")) if count]
    return f"{words} ({', '.join(gaps)})" if gaps else words


def textless_text(clauses: Sequence[TextlessClause]) -> str:
    """Return a row for each clause without a citation: its authority and the reasons."""
    return "\n".join(_textless_row(clause) for clause in clauses)


def _textless_row(clause: TextlessClause) -> str:
    reasons = "".join(f' "{reason}"' for reason in clause.reasons)
    return f"{clause.span}: {clause.edition}:{clause.path} ({clause.kind}), {_RESTS_ON[clause.rests_on]}{reasons}"
