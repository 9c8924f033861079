"""What speaks against a game only if it is so at every table: nothing uses it, nobody can take it, it never holds.

A state that only a fifth player has is used at a table of five; a reading that is not the default asks for an option.
So these are told for every table that is looked at, whether they hold there or not, and reported if they hold at all
that know the place.
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
