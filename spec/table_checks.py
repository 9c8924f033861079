"""Faults that count only if they hold at every table, such as an unused declaration.

For example, only a fifth player may have a certain state, so it is unused at a table of four. Therefore each check
records its result for every table that is looked at, and a fault is reported only if it holds at all tables that have
the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ludex.grammar import Code, Diagnostic, Span

TopicKey: TypeAlias = tuple[str, Span, str]


@dataclass(frozen=True, slots=True)
class TableCheck:
    """The result of a check at one table: whether its report holds there.

    topic: distinguishes two faults with the same code at one place.
    """

    diagnostic: Diagnostic
    holds: bool
    topic: str = ""

    @property
    def key(self) -> TopicKey:
        return self.diagnostic.code.code, self.diagnostic.span, self.topic


@dataclass(slots=True)
class TableChecks:
    """The results of checks at one table.

    muted: whether a table or type is faulty, so that unknown words may be its words, and every check of them is
        doubtful.
    """

    results: list[TableCheck] = field(default_factory=list)
    muted: bool = False

    def add(self, holds: bool, code: Code, message: str, span: Span, hint: str | None = None) -> None:
        """Record a check's result, unless the checks are muted."""
        if not self.muted:
            self.results.append(TableCheck(Diagnostic(code, message, span, hint), holds))

    def mute(self) -> None:
        """Record no more results."""
        self.muted = True

    def drop(self, span: Span) -> None:
        """Drop the results inside the span, because the whole span is reported."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        self.results = [
            check
            for check in self.results
            if check.diagnostic.span.file != span.file
            or not start <= (check.diagnostic.span.line, check.diagnostic.span.column) < end
        ]


def held_everywhere(checks: Iterable[TableCheck]) -> Iterator[Diagnostic]:
    """Yield each report that holds at every table at which it was checked, once, in the order of the checks."""
    checks = tuple(checks)
    done = {check.key for check in checks if not check.holds}
    for check in checks:
        if check.key not in done:
            done.add(check.key)
            yield check.diagnostic
