"""Faults that count only if they hold at every table, such as an unused declaration.

For example, only a fifth player may have a certain state, so it is unused at a table of four. Therefore each check
records its result for every table that is looked at, and a fault is reported only if it holds at all tables that have
the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ludex.grammar import Diagnostic, Span

Key: TypeAlias = tuple[str, Span, str]


@dataclass(frozen=True, slots=True)
class TableCheck:
    """topic: what it is about, where one place can be at fault in two ways that share a code."""

    report: Diagnostic
    holds: bool
    topic: str = ""

    @property
    def key(self) -> Key:
        return self.report.code.code, self.report.span, self.topic


def held_everywhere(findings: Iterable[TableCheck]) -> Iterator[Diagnostic]:
    """The reports that no table contradicts, each once, in the order met."""
    known = tuple(findings)
    done = {finding.key for finding in known if not finding.holds}
    for finding in known:
        if finding.key not in done:
            done.add(finding.key)
            yield finding.report
