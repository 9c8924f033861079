"""What every report of `ludex diff` tells, and the words in which it is told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Any

from ludex.grammar import Citation
from ludex.interpreter import Beside, Bounds, Effect, Finding, Shown, Side, bounds_to_json
from ludex.spec import ACCEPT, Comparison, Divergence, Gap, Hint, Ruling, Said

from ..books import Books, Quoted
from ..report import plural

SILENT = "-"
MOST_LINES = 12
"""So many lines of a book are shown beside a clause."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EFFECTS: tuple[Effect, ...] = ("legal-moves", "score", "setup", "unknown", "none")
EFFECT_WORDS: Mapping[str, str] = {
    "legal-moves": "changes what may be done",
    "score": "changes points or the winner",
    "setup": "changes the set-up",
    "unknown": "effect not known",
    "none": "cannot matter in play",
}


@dataclass(frozen=True, slots=True)
class Telling:
    """A run of `ludex diff`.

    Attributes:
        documents: the file of each text by the tag that citations use.
        beside: rulings, fingerprints and the paths of written logs.
        played: whether games were searched for at all.
        everything: also what cannot matter in play is told.
        only_undecided: what a ruling decides is not told.
        books: the rulebooks' words, if they are at hand.
        hints: places to read again; None where no texts were at hand to look for them.
        positions: of witnesses, by the divergence's id: what lies on the table after each event.
    """

    game: str
    title: str
    comparison: Comparison
    findings: tuple[Finding, ...]
    documents: Mapping[str, str]
    beside: Beside = field(default_factory=Beside)
    played: bool = True
    everything: bool = False
    only_undecided: bool = False
    books: Books | None = None
    hints: tuple[Hint, ...] | None = None
    positions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def told(self) -> tuple[Finding, ...]:
        """The findings that the report tells one by one."""
        matter = (each for each in self.findings if self.everything or each.effect != "none")
        return tuple(each for each in matter if not self.only_undecided or self.ruling(each) is None)

    def ruling(self, finding: Finding) -> Ruling | None:
        return self.beside.rulings.get(finding.divergence.id)

    def words(self, cited: Iterable[Citation]) -> list[Quoted]:
        """What the book says in some lines, the first of them if they are many."""
        return self.quoted(" ".join(map(lines_text, cited)))

    def quoted(self, citations: str) -> list[Quoted]:
        """The same for citations as a spec writes them (`[ru 120-124]`)."""
        return list(islice(self.books.cited(citations), MOST_LINES)) if self.books else []


# ---- words ------------------------------------------------------------------------------------------------------


def letters(divergence: Divergence) -> dict[str, str]:
    """A letter for each edition: those with one letter say the same. `-` of one that is silent."""
    found: dict[str, str] = {}
    for letter, group in zip(LETTERS, divergence.groups, strict=False):
        found |= {name: SILENT if divergence.row.statements[name] is None else letter for name in group}
    return {name: found.get(name, "?") for name in divergence.row.statements}


def spans_text(lines: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in lines)


def lines_text(citation: Citation) -> str:
    """`[ru 120-124]`"""
    return f"[{citation.document} {spans_text(citation.lines)}]"


def would_stand(cited: Iterable[Citation]) -> str:
    """Where a silent edition would state a clause."""
    return f"would stand near {' '.join(map(lines_text, cited))}"


def rests_on(clause: Said) -> str:
    """Its citations, or that it rests on a ruling of the transcriber."""
    kinds = dict.fromkeys(reason.kind for reason in clause.authority.reasons)
    return " ".join([*map(lines_text, clause.authority.citations), *kinds])


def marks(finding: Finding) -> list[str]:
    """Kind, verdict, effect and the rest of it, in a few words each."""
    divergence = finding.divergence
    found = [divergence.kind, *_verdict(finding), EFFECT_WORDS[finding.effect]]
    found += ["candidate"] if finding.candidate else []
    found += ["internal"] if divergence.internal else []
    found += [f"{divergence.odd} stands alone"] if divergence.odd else []
    return found


def _verdict(finding: Finding) -> list[str]:
    match finding.verdict:
        case "unknown":
            return []
        case "stricter" | "looser":
            return [f"{finding.divergence.groups[1][0]} is {finding.verdict}"]
        case verdict:
            return [verdict]


def remarks(finding: Finding) -> Iterator[str]:
    """What else is to be said of the clause as such."""
    divergence = finding.divergence
    if divergence.gap:
        yield gap_words(divergence.gap)
    if divergence.under:
        yield f"and {plural(len(divergence.under), 'clause')} with it: {', '.join(divergence.under)}"
    if finding.reason:
        yield finding.reason
    if finding.witness is None and finding.bounds is not None:
        yield f"searched: {bounds_words(finding.bounds)}"


def gap_words(gap: Gap) -> str:
    """What a stretch that is left out is to its edition."""
    lines = f"what {gap.of} says in [{gap.document} {spans_text((gap.lines,))}]"
    if gap.at_end:
        return f"the text of {gap.editions[0]} ends before this: nothing there speaks of {lines}"
    says = "says" if len(gap.editions) == 1 else "say"
    return f"left out as a whole: {', '.join(gap.editions)} {says} nothing of {lines}"


def ruling_words(ruling: Ruling) -> str:
    return f"{'accepted' if ruling.decision == ACCEPT else f'decided for {ruling.decision}'}: {ruling.reason}"


def bounds_words(bounds: Bounds) -> str:
    told = [
        plural(bounds.seeds, "random play"),
        plural(bounds.events, "event"),
        f"at most {bounds.depth} deep",
        *([f"{' and '.join(map(str, bounds.tables))} players"] if bounds.tables else []),
        *([f"{plural(bounds.faults, 'play')} ended where the rules do not say what happens"] if bounds.faults else []),
        *(["stopped by the clock"] if bounds.timed_out else []),
    ]
    return ", ".join(told)


def event_words(line: Mapping[str, Any]) -> str:
    """A line of a log, for people."""
    if "chance" in line:
        return f"chance, {line['chance']}: {_value(line.get('outcome'))}"
    if "action" in line:
        arguments = ", ".join(f"{name}: {_value(value)}" for name, value in dict(line.get("args") or {}).items())
        return f"{_player(line.get('player'))}: {line['action']}({arguments})"
    return json.dumps(dict(line), ensure_ascii=False)


def _player(player: object) -> str:
    return f"player {player}" if isinstance(player, int) else str(player)


def _value(value: object) -> str:
    match value:
        case str():
            return value
        case dict():
            return "(" + ", ".join(f"{name}: {_value(part)}" for name, part in value.items()) + ")"
        case list():
            return "[" + ", ".join(map(_value, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def side_words(side: Side) -> str:
    """What one edition says where the game parts them, with the clauses that say so."""
    verdict = {True: "allows it", False: "refuses it", None: "comes to"}[side.allowed]
    return f"{side.edition} {verdict}{': ' if side.told else ''}{side.told}"


def side_clauses(side: Side) -> list[str]:
    return [f"{path}{''.join(f' [{each}]' for each in cited)}" for path, cited in side.clauses]


def with_logs(telling: Telling, finding: Finding) -> list[tuple[Shown, str | None]]:
    """Each witness, with the file of its log if it was written."""
    return list(zip_longest(finding.witnesses, telling.beside.logs.get(finding.divergence.id, ())))


def events_of(shown: Shown) -> list[Mapping[str, Any]]:
    """The log's events, without its header."""
    return list(shown.lines[1:])


def parting_words(shown: Shown) -> str:
    """Where in the game the two part."""
    events = len(shown.lines) - 1
    if shown.line > len(shown.lines):
        return f"{plural(shown.players, 'player')}, {plural(events, 'event')}; what it comes to is not the same"
    return f"{plural(shown.players, 'player')}, after {plural(shown.line - 2, 'event')}"


# ---- the run as a whole -----------------------------------------------------------------------------------------


def sum_rows(telling: Telling) -> Iterator[str]:
    """How many divergences of which effect, what was decided, and how far was searched."""
    comparison = telling.comparison
    effects = Counter(finding.effect for finding in telling.findings)
    parts = "; ".join(f"{effects[name]} {EFFECT_WORDS[name]}" for name in EFFECTS if effects[name])
    count = plural(len(telling.findings), "divergence")
    yield f"{' against '.join(comparison.editions)}: {count}{f' ({parts})' if parts else ''}"
    yield f"{plural(len(comparison.agreements), 'clause')} said alike"
    shown = sum(finding.witness is not None for finding in telling.findings)
    if telling.played:
        yield f"{shown} shown by a game; {_searched(telling)}"
    else:
        yield "nothing was played, so no effect was looked for (--no-play)"
    if telling.hints is not None:
        yield f"{plural(len(telling.hints), 'place')} to read again (hints, no findings)"
    if telling.beside.rulings:
        yield f"{len(telling.beside.rulings)} decided by rulings"
    if effects["none"] and not telling.everything:
        yield f"{effects['none']} that cannot matter in play are not told (--all tells them)"


def _searched(telling: Telling) -> str:
    """The bounds of the run: nothing is said of what lies beyond them."""
    found = bounds_to_json(finding.bounds for finding in telling.findings)
    late = f", {found['timed_out']} stopped by the clock" if found["timed_out"] else ""
    far = f", {found['not_reached']} where no play came to what matters" if found["not_reached"] else ""
    return (
        f"searched for {found['searches']}{late}{far}: {plural(found['seeds'], 'random play')}, "
        f"{plural(found['events'], 'event')}, at most {found['depth']} deep"
    )
