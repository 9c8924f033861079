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
    """The result of a check at one table: whether its report holds there.

    topic: distinguishes two faults with the same code at one place.
    """

    report: Diagnostic
    holds: bool
    topic: str = ""

    @property
    def key(self) -> Key:
        return self.report.code.code, self.report.span, self.topic


def held_everywhere(checks: Iterable[TableCheck]) -> Iterator[Diagnostic]:
    """Yield each report that holds at every table at which it was checked, once, in the order of the checks."""
    checks = tuple(checks)
    done = {check.key for check in checks if not check.holds}
    for check in checks:
        if check.key not in done:
            done.add(check.key)
            yield check.report
