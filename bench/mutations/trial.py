"""One changed text put through all that `ludex diff` does, and what came of it as a line of the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from ludex.interpreter import Effort, Finding, judge

from .provenance import UNKNOWN
from .sampling import Made
from .texts import Original
from .truth import play, replays

LESS = 4
"""That a control is one is known beforehand: it is played so many times less."""


@dataclass(frozen=True, slots=True)
class Work:
    """How hard to look.

    Attributes:
        events, seconds: for each divergence, as for `ludex diff --effort`.
        harder: where nothing was found, it is looked for again with so many times the effort and another seed.
        code: the state of the code that looks.
    """

    events: int
    seconds: float
    seed: int
    harder: int = 0
    code: str = UNKNOWN

    @property
    def run(self) -> str:
        """What results must have in common to be counted together. Looking harder only tells more of what is missed."""
        return f"{self.code}, seed {self.seed}, {self.events} events, {self.seconds:g} s"


def tried(made: Made, original: Original, work: Work) -> dict[str, Any]:
    """The line of results for one changed text."""
    begun = process_time()
    comparison = made.copy.comparison
    effort = Effort(work.events, work.seconds, work.seed)
    findings = tuple(judge(made.copy.text, comparison, effort)) if comparison.divergences else ()
    taken = process_time() - begun
    told = [_finding(each, made, original) for each in findings]
    line: dict[str, Any] = {
        "run": work.run,
        "id": made.id,
        "game": made.game,
        "edition": made.edition,
        "control": made.control,
        "operator": made.operator,
        "clause": made.clause,
        "kinds": sorted(made.kinds),
        "told": list(made.told),
        "seconds": round(taken, 2),
        "findings": told,
    }
    if not any(each["replays"] for each in told):
        line |= _looked_harder(made, original, work)
    return line | {"whole": round(process_time() - begun, 2)}


def _finding(finding: Finding, made: Made, original: Original) -> dict[str, Any]:
    shown, bounds = finding.witness, finding.bounds
    return {
        "clause": finding.divergence.row.clause,
        "kind": finding.divergence.kind,
        "verdict": finding.verdict,
        "effect": finding.effect,
        "candidate": finding.candidate,
        "reason": finding.reason,
        "log": len(shown.lines) - 1 if shown else None,
        "by_points": shown.left.scores is not None if shown else None,
        "sides": [side.allowed for side in (shown.left, shown.right)] if shown else None,
        "replays": replays(shown, original.alone, made.copy.alone) if shown else None,
        "timed_out": bounds.timed_out if bounds else False,
    }


def _looked_harder(made: Made, original: Original, work: Work) -> Mapping[str, Any]:
    """What plain play, and then the search with more effort, find out."""
    share = LESS if made.control else 1
    played = play(original, made.copy.alone, work.events // share, work.seconds / 2 / share, work.seed + 1)
    found: dict[str, Any] = {"plain": {"parted": played.parted, "events": played.events, "table": played.table}}
    if played.parted is None and work.harder and made.copy.comparison.divergences and not made.control:
        found["harder"] = _harder(made, original, work)
    return found


def _harder(made: Made, original: Original, work: Work) -> str | None:
    """The effect that a witness shows; none of what no witness shows."""
    effort = Effort(work.harder * work.events, 2 * work.seconds, work.seed + 1)
    findings: Sequence[Finding] = tuple(judge(made.copy.text, made.copy.comparison, effort))
    for each in findings:
        if each.witness is not None and replays(each.witness, original.alone, made.copy.alone):
            return each.effect
    return None
