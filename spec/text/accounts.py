"""Counts of an edition's clauses by origin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..model import NO_RULES, ClauseInfo, Origin


@dataclass(frozen=True)
class Account:
    """The clauses of an edition that affect play and have an authority of their own."""

    clauses: tuple[ClauseInfo, ...]

    @classmethod
    def of(cls, clauses: Iterable[ClauseInfo]) -> Account:
        """Return the account of an edition. clauses: all its clauses."""
        return cls(tuple(clause for clause in clauses if clause.origin and clause.kind not in NO_RULES))

    @cached_property
    def counts(self) -> Mapping[Origin, int]:
        """The number of clauses of each origin, in the order of `Origin`."""
        counted = Counter(clause.origin for clause in self.clauses)
        # Each origin is listed, so that a report can show that there is none of it.
        return {origin: counted[origin] for origin in Origin}

    @cached_property
    def lenders(self) -> Mapping[str, int]:
        """The number of clauses borrowed from each text, the largest first."""
        return dict(Counter(clause.stated_by for clause in self.borrowed).most_common())

    @property
    def borrowed(self) -> tuple[ClauseInfo, ...]:
        return self._of(Origin.BORROWED)

    @property
    def ruled(self) -> tuple[ClauseInfo, ...]:
        return self._of(Origin.RULED)

    def _of(self, origin: Origin) -> tuple[ClauseInfo, ...]:
        return tuple(clause for clause in self.clauses if clause.origin is origin)
