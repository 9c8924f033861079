"""What the differences between editions do in play: the findings that `ludex diff` tells.

A `Comparison` says where editions part; here each divergence is given its verdict, its effect on play, and, where there
is one, a log that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ludex.spec import Comparison, Divergence

from .deciding import Decision

Verdict = Literal["stricter", "looser", "equal", "incomparable", "unknown"]
Effect = Literal["legal-moves", "score", "setup", "none", "unknown"]


@dataclass(frozen=True, slots=True)
class Side:
    """What happens under one edition where a witness parts the two.

    Attributes:
        edition: whose reading it is.
        allowed: whether it allows the event; None where both go on, and what they come to differs.
        clauses: the paths of the clauses that say so, with their citations as `document first-last`.
        told: in a sentence.
        scores: every seat's points, where the play is over.
        where: the game it was played in, where that is no edition as it stands: `en without study.pay`.
    """

    edition: str
    allowed: bool | None
    clauses: tuple[tuple[str, tuple[str, ...]], ...]
    told: str
    scores: tuple[int, ...] | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class CellApart:
    """One thing on the table that is not the same on both sides.

    Attributes:
        name: of the state or zone.
        at: its indices in words (`Anna, 3`), empty if it has none.
        left, right: what it holds, as JSON.
    """

    name: str
    at: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Apart:
    """In what the tables of both sides differ when so many events have been played."""

    after: int
    cells: tuple[CellApart, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that was replayed under both editions, and parts them.

    Attributes:
        players: how many played.
        lines: the log, header first; the last is the event on which the two disagree, if they disagree on one.
        line: the number of that line, from 1; behind the last where what they come to differs.
        left, right: what happens there.
        apart: where the tables differ before that, near the end; nothing where they are the same.
    """

    players: int
    lines: tuple[Mapping[str, Any], ...]
    line: int
    left: Side
    right: Side
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search went that found nothing (or what it found).

    Attributes:
        seeds: random plays, each of another seed, besides going through all from the beginning.
        events: played under each of the two editions.
        depth: of the longest play.
        timed_out: it was stopped by the clock, so another run may go further.
        tables: the numbers of players it was tried with.
        reached: a play came to where the clause could matter: positions that differ, or a move on offer that is judged
            by other words.
        faults: plays that ended because the rules, with the clause in them, do not say what happens.
        states: that were looked at, each counted once for each table and trial, however often a play came to it; where
            both games stand alike it is one.
    """

    seeds: int
    events: int
    depth: int
    seconds: float
    timed_out: bool
    tables: tuple[int, ...] = ()
    reached: bool = True
    faults: int = 0
    states: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look for a witness.

    Attributes:
        events: to be played for one pair of readings, under each, over all numbers of players. Where that shows
            nothing, half as many more are played in the other edition's game, and some at each table that takes
            options or forks otherwise. A search that stops by them comes to the same at every run.
        seconds: a stop for one pair of readings, in case playing is slow.
        seed: other seeds make other plays.
        players: the numbers of players to try, in this order; all, the lowest first, if not given.
    """

    events: int = 16000
    seconds: float = 240.0
    seed: int = 0
    players: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One divergence, judged.

    Attributes:
        divergence: where some of its editions say the same in other words, they are one group.
        verdict: of what the second group says against the first. `equal`: they say the same in other words; or, where
            the second is silent, saying nothing comes to the same.
        effect: what a witness shows; `none` of what cannot be played; else unknown.
        candidate: it could matter in play, and no log shows it.
        others: where editions say three or more things, witnesses for the other pairs of readings.
        decision: how the verdict was found, with small states that tell the two apart.
        through: the clauses through which alone it matters, as it cannot be tried by itself: what is known of them is
            told of it too.
    """

    divergence: Divergence
    verdict: Verdict
    effect: Effect
    reason: str
    witness: Shown | None
    candidate: bool
    bounds: Bounds | None
    others: tuple[Shown, ...] = ()
    decision: Decision | None = None
    through: tuple[str, ...] = ()

    @property
    def is_agreement(self) -> bool:
        """All that speak say the same in other words, and nobody is silent."""
        return self.verdict == "equal" and len(self.divergence.groups) == 1

    @property
    def witnesses(self) -> tuple[Shown, ...]:
        """All of them, that of the first two readings first."""
        return () if self.witness is None else (self.witness, *self.others)


UNPLAYABLE = frozenset({"note", "example", "term"})
"""Clauses that no play can reach."""


def unplayed(comparison: Comparison) -> Iterator[Finding]:
    """The findings without any play: every effect that is not plain is unknown."""
    for divergence in comparison.divergences:
        if divergence.row.kind in UNPLAYABLE:
            yield Finding(divergence, "unknown", "none", f"{divergence.row.kind}s are not played", None, False, None)
        elif divergence.idle:
            yield Finding(divergence, "unknown", "none", "it asks for nothing and does nothing", None, False, None)
        else:
            yield Finding(divergence, "unknown", "unknown", "nothing was played", None, True, None)
