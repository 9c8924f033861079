"""One trial: a changed text is compared by everything that `ludex diff A B` does; the result is one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any

from ludex.interpreter import RowPlayer, RowResult, SearchLimits
from ludex.spec import TwoVersions

from .provenance import UNKNOWN
from .sampling import ChangedText
from .texts import Original
from .truth import play, replays

LESS = 4
"""Controls are known to be equivalent: their plain play is shorter by this factor."""


@dataclass(frozen=True, slots=True)
class Work:
    """The effort of the search.

    Attributes:
        events, seconds: for each row, as for `ludex diff --effort`.
        harder: if nothing is found, the search is repeated with so many times the effort and another seed.
        code: the state of the code that is measured.
    """

    events: int
    seconds: float
    seed: int
    harder: int = 0
    code: str = UNKNOWN

    @property
    def run(self) -> str:
        """The key of results that may be counted together.

        `harder` is not part of it: it only adds detail to misses.
        """
        return f"{self.code}, seed {self.seed}, {self.events} events, {self.seconds:g} s"


def tried(mutant: ChangedText, original: Original, work: Work) -> dict[str, Any]:
    """Return the line of results for one changed text."""
    begun = process_time()
    two = mutant.copy.compared
    table = RowPlayer(SearchLimits(work.events, work.seconds), work.seed)
    whole = table.play(two.whole) if two.whole and not two.same else None
    rows = [_row(two, at, table) for at in range(len(two.rows))]
    # What follows checks the search, and is not part of it.
    taken = process_time() - begun
    line: dict[str, Any] = {
        "run": work.run,
        "id": mutant.id,
        "game": mutant.game,
        "edition": mutant.edition,
        "control": mutant.control,
        "operator": mutant.operator,
        "clause": mutant.clause,
        "told": list(mutant.told),
        "seconds": round(taken, 2),
        "verdict": _verdict(two, whole),
        "rows": rows,
        "whole": _played(whole, original, mutant) if whole else None,
    }
    if not (line["whole"] or {}).get("replays"):
        line |= _looked_harder(mutant, original, two, work)
    return line | {"work": round(process_time() - begun, 2)}


def _verdict(two: TwoVersions, whole: RowResult | None) -> str:
    """Return the verdict on both games as a whole."""
    if two.same:
        return "one form"
    if whole is not None and whole.shown is not None:
        return "parted"
    return "all plays" if whole is not None and whole.exhaustive is not None and whole.exhaustive.alike else "not found"


def _row(two: TwoVersions, at: int, table: RowPlayer) -> dict[str, Any]:
    row = two.rows[at]
    readings = two.row_pair(row) if row.matters else "it binds nobody"
    result = RowResult(row.pair, why=readings) if isinstance(readings, str) else table.play(readings)
    return {
        "clauses": [row.name, *row.clauses],
        "section": row.section.value,
        "matters": row.matters,
        "effect": result.parting,
        "why": result.why,
    }


def _played(whole: RowResult, original: Original, mutant: ChangedText) -> dict[str, Any]:
    shown = whole.shown
    return {
        "effect": whole.parting,
        "log": len(shown.lines) - 1 if shown else None,
        "by_points": shown.left.scores is not None if shown else None,
        "replays": replays(shown, original.text, mutant.copy.text) if shown else None,
        "timed_out": whole.searched.timed_out if whole.searched else False,
    }


def _looked_harder(mutant: ChangedText, original: Original, two: TwoVersions, work: Work) -> Mapping[str, Any]:
    """Return the findings of plain play, and then of the search with more effort."""
    share = LESS if mutant.control else 1
    # The seed is another one, so that this does not repeat the search that is measured.
    played = play(original, mutant.copy.text, work.events // share, work.seconds / 2 / share, work.seed + 1)
    harder: dict[str, Any] = {"plain": {"parted": played.parted, "events": played.events, "table": played.table}}
    if played.parted is None and work.harder and two.whole and not two.same and not mutant.control:
        again = RowPlayer(SearchLimits(work.harder * work.events, 2 * work.seconds), work.seed + 1).play(two.whole)
        is_shown = again.shown is not None and replays(again.shown, original.text, mutant.copy.text)
        harder["harder"] = again.parting if is_shown else None
    return harder
