"""A rulebook of our own, short enough to count by hand, and a game that cites it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ludex.grammar import Citation, Diagnostic, Reason, Span
from ludex.spec.sources.texts import (
    CitedClause,
    CitedGame,
    Confirmation,
    Document,
    DocumentPart,
    Excuse,
    LineClass,
    Lock,
    Source,
    SourceLine,
    StoredText,
    TextWords,
    fingerprint,
    span_fingerprint,
)

BOOK = (
    "Snail race",  # 1
    "",
    "A wet morning in the garden, and nobody is in a hurry.",  # 3
    "Each player takes 2 snails.",  # 4
    "Roll the die; move one snail that far.",  # 5
    "",
    "For example, Ann rolls 3 and moves her red snail.",  # 7
    "The race ends when a snail has passed",  # 8
    "12. Whoever owns it wins.",  # 9
    "www.snails.example - page 1",  # 10
)

CLASSES = (
    LineClass.HEADING,
    LineClass.BLANK,
    LineClass.FLAVOUR,
    LineClass.RULE,
    LineClass.RULE,
    LineClass.BLANK,
    LineClass.EXAMPLE,
    LineClass.RULE,
    LineClass.RULE,
    LineClass.NOT_TEXT,
)

NAME = "snails.txt"
HEADER = Document("en", NAME, Span("snails.ludex", 4, 3, 4, 30))
_rows = iter(range(10, 100_000))


def stored(lines: Sequence[str] = BOOK, classes: Sequence[LineClass] = CLASSES, name: str = NAME) -> StoredText:
    rows = zip(lines, classes, strict=True)
    numbered = (SourceLine(n, fingerprint(line), kind, row=n + 5) for n, (line, kind) in enumerate(rows, start=1))
    return StoredText("sources/en.lines", name, tuple(numbered))


def cite(*spans: tuple[int, int] | int, document: str = "en") -> Citation:
    """Return a citation at a position of its own."""
    lines = tuple((span, span) if isinstance(span, int) else span for span in spans)
    row = next(_rows)
    return Citation(Span("snails.ludex", row, 40, row, 50), document, lines)


def clause(
    path: str,
    *spans: tuple[int, int] | int,
    edition: str = "en",
    document: str = "en",
    numbers: Iterable[int] = (),
    kind: str = "step",
    ruling: str | None = None,
) -> CitedClause:
    row = next(_rows)
    place = Span("snails.ludex", row, 3, row, 30)
    citations = (cite(*spans, document=document),) if spans else ()
    reasons = (Reason(place, "ruling", ruling),) if ruling else ()
    return CitedClause(edition, path, kind, place, citations, reasons, frozenset(numbers))


def whole() -> tuple[CitedClause, ...]:
    """Return clauses that cover the book and account for its numbers."""
    return (
        clause("setup.snails", 4, numbers={2}),
        clause("turn.move", 5, numbers={1}),
        clause("ann", 7, kind="example"),
        clause("end", (8, 9), numbers={12}),
    )


def confirmed(clauses: Iterable[CitedClause], lines: Sequence[str] = BOOK) -> Lock:
    """Return a lock in which every span within the text is confirmed with its present words."""
    marks = [fingerprint(line) for line in lines]
    rows = {
        (each.edition, each.path, first, last): span_fingerprint(marks, first, last)
        for each in clauses
        for citation in each.citations
        if citation.document == HEADER.tag
        for first, last in citation.lines
        if 1 <= first <= last <= len(marks)
    }
    return Lock("sources/en.lock", tuple(Confirmation(*key, mark) for key, mark in rows.items()))


def part(*lines: tuple[int, int], edition: str = "en") -> DocumentPart:
    return DocumentPart(edition, "en", lines or None, Span(f"{edition}.ludex", 2, 3, 2, 20))


def excuse(line: int, number: int, reason: str = "it counts nothing that a clause could hold") -> Excuse:
    return Excuse(line, number, reason, Span("sources/en.excuses", line, 1, line, 40))


def game(
    clauses: Sequence[CitedClause] | None = None,
    *,
    text: StoredText | None = None,
    lock: Lock | Literal["confirmed"] | None = "confirmed",
    words: Sequence[str] | None = None,
    parts: Sequence[DocumentPart] = (),
    excuses: Sequence[Excuse] = (),
) -> CitedGame:
    """Return a game of one document; arguments not given have faultless values."""
    chosen = whole() if clauses is None else tuple(clauses)
    source = Source(
        HEADER,
        text or stored(),
        confirmed(chosen) if lock == "confirmed" else lock,
        tuple(excuses),
        TextWords(f"books/{NAME}", tuple(words)) if words is not None else None,
    )
    return CitedGame((source,), tuple(parts), chosen)


def codes(reports: Iterable[Diagnostic]) -> list[str]:
    return [report.code.code for report in reports]
