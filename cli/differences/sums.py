"""The run as a whole: what was found, counted, and how far was looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ludex.interpreter import Effect, bounds_to_json

from ..report import plural
from . import hints as h
from .telling import EFFECT_OF_SEVERAL, EFFECT_WORDS, EFFECTS, Telling, listed, tables_words

MOST_NAMES = 40
"""So many clauses are named where a row lists them."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The divergences of one effect."""

    effect: Effect
    found: int
    shown: int
    candidates: int


def counts(telling: Telling) -> tuple[Counted, ...]:
    """By effect, what matters most first."""
    by_effect = {name: [each for each in telling.parted if each.effect == name] for name in EFFECTS}
    return tuple(
        Counted(name, len(found), sum(f.witness is not None for f in found), sum(f.candidate for f in found))
        for name, found in by_effect.items()
        if found
    )


def kinds(telling: Telling) -> dict[str, int]:
    """How many of each kind are told, the most frequent first."""
    return dict(Counter(finding.divergence.kind for finding in telling.told).most_common())


def against(telling: Telling) -> str:
    """The editions compared, as a heading names them."""
    return " against ".join(telling.comparison.editions)


def sum_rows(telling: Telling) -> Iterator[str]:
    """What was found, in a few rows: divergences by effect, agreements, what is decided, what is not told."""
    parts = "; ".join(count_words(each) for each in counts(telling) if telling.played)
    yield f"{against(telling)}: {plural(len(telling.parted), 'divergence')}{f' ({parts})' if parts else ''}"
    yield from other_rows(telling)
    idle = sum(each.found for each in counts(telling) if each.effect == "none")
    if idle and not telling.everything:
        yield f"{idle} that cannot matter in play are not told (--all tells them)"


def other_rows(telling: Telling) -> Iterator[str]:
    """The same without the divergences by effect."""
    found = counts(telling)
    if telling.clauses:
        yield f"only {', '.join(telling.clauses)}, with all inside"
    yield agreed_words(telling)
    if telling.played:
        yield f"{sum(each.shown for each in found)} shown by a game"
    if telling.hints is not None:
        yield h.count_words(telling)
    if telling.beside.rulings:
        yield f"{len(telling.beside.rulings)} decided by rulings"


def count_words(counted: Counted) -> str:
    """`42 change what may be done`"""
    words = EFFECT_WORDS if counted.found == 1 else EFFECT_OF_SEVERAL
    return f"{counted.found} {words[counted.effect]}"


def agreed_words(telling: Telling) -> str:
    """`412 clauses said alike, 31 of them in other words`"""
    rows = telling.comparison.agreements
    others = len(telling.reworded) + sum(1 + len(row.together) for row in rows if row.together)
    same = sum(not row.together for row in rows)
    alike = f"{plural(same + others, 'clause')} said alike"
    return f"{alike}, {others} of them in other words" if others else alike


# ---- how far was looked -----------------------------------------------------------------------------------------


def bounds_rows(telling: Telling) -> Iterator[str]:
    """The bounds of the run: nothing is said of what lies beyond them."""
    if not telling.played:
        yield "nothing was played, so no effect was looked for (--no-play)"
        return
    searches = [finding for finding in telling.findings if finding.bounds is not None]
    if not searches:
        yield "no game was looked for: nothing that differs is carried out"
        return
    if telling.effort is not None:
        effort = telling.effort
        most = f"at most {plural(effort.events, 'event')} and {effort.seconds:g} s for each pair of readings"
        yield f"{plural(len(searches), 'divergence')} looked into, {most}, seed {effort.seed}"
    found = bounds_to_json(searches)
    players = f"; {tables_words(found['tables'])} players" if found["tables"] else ""
    states = f"{plural(found['states'], 'different state')} (each search counts its own)"
    plays, events = plural(found["seeds"], "random play"), plural(found["events"], "event")
    played = f"{plays}, {events}, {states}, at most {found['depth']} deep"
    yield played + players
    if found["faults"]:
        yield f"{plural(found['faults'], 'play')} ended where the rules do not say what happens"
    yield f"stopped by the clock: {listed(found['late'], MOST_NAMES) or 'none'}"
    yield f"no play came to where it could matter: {listed(found['unreached'], MOST_NAMES) or 'none'}"
    bare = sum(finding.witness is None for finding in searches)
    if bare:
        yield f"no game was found for {bare} of them within these bounds, which is no proof that there is none"
