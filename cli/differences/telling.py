"""What every report of `ludex diff` tells, and the words in which it is told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal

from ludex.grammar import Citation
from ludex.interpreter import Beside, Bounds, Effect, Effort, Finding, Shown
from ludex.spec import ACCEPT, Comparison, Divergence, Gap, Hint, Ruling, Said

from ..books import Books, Quoted
from ..report import plural
from .positions import Picture

SILENT = "-"
ALONE = "stands alone"
MOST_LINES = 60
"""So many lines of a book are shown beside a clause."""
MOST_UNDER = 8
"""So many clauses that stand inside or behind another are named."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EFFECTS: tuple[Effect, ...] = ("legal-moves", "score", "setup", "unknown", "none")
Section = Effect | Literal["summary"]
SECTIONS: tuple[Section, ...] = ("legal-moves", "score", "setup", "unknown", "summary", "none")
KINDS: Mapping[str, str] = {
    "value": "Editions give different values.",
    "modality": "What one edition allows, another demands.",
    "condition": "Editions set different conditions.",
    "missing": "An edition does not state a clause.",
    "extra": "Only one edition states a clause.",
    "order": "Editions do things in different orders.",
    "destination": "Something goes to different places.",
    "scope": "A clause covers more in one edition than in another.",
    "actor": "Different players act.",
    "timing": "A clause stands at different points of the game.",
    "reference": "Editions speak of different things.",
    "layout": "What is printed is laid out otherwise.",
    "example": "An example of the book is not the same.",
    "term": "A thing is called otherwise.",
}
EFFECT_WORDS: Mapping[str, str] = {
    "legal-moves": "changes what may be done",
    "score": "changes points or the winner",
    "setup": "changes the set-up",
    "unknown": "effect not known",
    "none": "cannot matter in play",
}
BY: Mapping[str, str] = {
    "form": "the same once it is put in order",
    "enumeration": "all cases gone through",
    "solver": "proved by a solver",
    "": "what is carried out is the same",
}
EFFECT_OF_SEVERAL: Mapping[str, str] = {
    "legal-moves": "change what may be done",
    "score": "change points or the winner",
    "setup": "change the set-up",
    "unknown": "with no known effect",
    "none": "cannot matter in play",
}
SECTION_WORDS: Mapping[str, str] = {**EFFECT_WORDS, "summary": "only a summary leaves it out"}
EFFECT_SHORT: Mapping[str, str] = {
    "legal-moves": "what may be done",
    "score": "points, winner",
    "setup": "set-up",
    "unknown": "not known",
    "none": "nothing",
}


@dataclass(frozen=True, slots=True)
class Telling:
    """A run of `ludex diff`.

    Attributes:
        documents: the file of each text by the tag that citations use.
        beside: rulings, fingerprints and the paths of written logs.
        effort: how far games were searched for; None: not at all.
        clauses: only these were compared, with all inside; empty: everything.
        details: every finding is told with its words and games, not only the few that fit on a page.
        everything: also what cannot matter in play is told.
        only_undecided: what a ruling decides is not told.
        books: the rulebooks' words, if they are at hand.
        hints: places to read again; None where no texts were at hand to look for them.
        names: the words of things in the game's languages, by their paths.
        positions: by the divergence's id, for each witness: what lies on the table before each event.
    """

    game: str
    title: str
    comparison: Comparison
    findings: tuple[Finding, ...]
    documents: Mapping[str, str]
    beside: Beside = field(default_factory=Beside)
    effort: Effort | None = None
    clauses: tuple[str, ...] = ()
    details: bool = False
    everything: bool = False
    only_undecided: bool = False
    books: Books | None = None
    hints: tuple[Hint, ...] | None = None
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    positions: Mapping[str, tuple[tuple[Picture, ...], ...]] = field(default_factory=dict)

    @property
    def played(self) -> bool:
        """Whether the divergences were judged, and not only listed."""
        return self.effort is not None

    @property
    def parted(self) -> tuple[Finding, ...]:
        """Where the editions do not say the same."""
        return tuple(each for each in self.findings if not each.is_agreement)

    @property
    def reworded(self) -> tuple[Finding, ...]:
        """Where they say the same in other words."""
        return tuple(each for each in self.findings if each.is_agreement)

    @property
    def told(self) -> tuple[Finding, ...]:
        """The findings that the report tells one by one, what matters most first (`weight`)."""
        matter = (each for each in self.parted if self.everything or each.effect != "none")
        told = (each for each in matter if not self.only_undecided or self.ruling(each) is None)
        return tuple(sorted(told, key=weight))

    def ruling(self, finding: Finding) -> Ruling | None:
        """What the file of rulings says of a finding."""
        return self.beside.rulings.get(finding.divergence.id)

    def words(self, cited: Iterable[Citation]) -> list[Quoted]:
        """What the book says in some lines, the first of them if they are very many."""
        return self.quoted(" ".join(map(lines_text, cited)))

    def quoted(self, citations: str) -> list[Quoted]:
        """The same for citations as a spec writes them (`[ru 120-124]`)."""
        return list(self.books.cited(citations, MOST_LINES))[:MOST_LINES] if self.books else []


def weight(finding: Finding) -> tuple[int, int, bool]:
    """Where a finding stands in a report: by its section (`section`) and effect; then what editions say in different
    ways before what one of them leaves out."""
    return SECTIONS.index(section(finding)), EFFECTS.index(finding.effect), _voices(finding) < 2


def section(finding: Finding) -> Section:
    """Its effect; or that only a margin, summary or aid leaves it out, which need not say everything."""
    statements = finding.divergence.row.statements
    silent = [name for name, clause in statements.items() if clause is None]
    only_summary = _voices(finding) < 2 and all(is_summary(name, statements) for name in silent)
    return "summary" if only_summary and finding.effect != "none" else finding.effect


def _voices(finding: Finding) -> int:
    """So many different things are said."""
    statements = finding.divergence.row.statements
    return sum(any(statements[name] is not None for name in group) for group in finding.divergence.groups)


def is_summary(edition: str, editions: Collection[str]) -> bool:
    """Whether it is a margin, summary or aid of another edition that is compared: `ru.margin` of `ru`."""
    book, dot, _ = edition.partition(".")
    return bool(dot) and book in editions


# ---- words ------------------------------------------------------------------------------------------------------


def letters(divergence: Divergence) -> dict[str, str]:
    """A letter for each edition: those with one letter say the same. `-` of one that is silent."""
    found: dict[str, str] = {}
    for letter, group in zip(LETTERS, divergence.groups, strict=False):
        found |= {name: SILENT if divergence.row.statements[name] is None else letter for name in group}
    return {name: found.get(name, "?") for name in divergence.row.statements}


def spans_text(lines: tuple[tuple[int, int], ...]) -> str:
    """`3, 120-124`"""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in lines)


def lines_text(citation: Citation) -> str:
    """`[ru 120-124]`"""
    return f"[{citation.document} {spans_text(citation.lines)}]"


def would_stand(cited: Iterable[Citation]) -> str:
    """Where a silent edition would state a clause."""
    return f"would stand near {' '.join(map(lines_text, cited))}"


def rests_on(*clauses: Said | None) -> str:
    """The citations of clauses that say the same, and what transcribers decided where a text is silent."""
    said = [clause.authority for clause in clauses if clause is not None]
    cited = dict.fromkeys(lines_text(each) for authority in said for each in authority.citations)
    reasons = dict.fromkeys(f"{each.kind}: {each.text}" for authority in said for each in authority.reasons)
    return "; ".join(filter(None, (" ".join(cited), *reasons)))


def marks(telling: Telling, finding: Finding) -> list[str]:
    """Kind, verdict, effect and the rest of it, in a few words each."""
    divergence = finding.divergence
    found = [divergence.kind, *verdict_words(finding)]
    if telling.played or finding.effect != "unknown":
        found.append(EFFECT_WORDS[finding.effect])
    found += ["candidate"] if telling.played and finding.candidate else []
    found += ["internal"] if divergence.internal else []
    found += [f"{divergence.odd} {ALONE}"] if divergence.odd else []
    return found


def verdict_words(finding: Finding) -> list[str]:
    """What the second group's reading is against the first's, if it is known."""
    if finding.is_agreement:
        by = finding.decision.by if finding.decision else ""
        told = [BY.get(by, by), *([finding.decision.reason] if finding.decision and finding.decision.reason else [])]
        return [f"said in other words ({', '.join(told)})"]
    if len(finding.divergence.groups) < 2:
        return []
    left, right, is_silent = two_readings(finding)
    match finding.verdict:
        case "equal":
            return ["saying nothing comes to the same"]
        case "stricter":
            return ["without it less is allowed" if is_silent else f"{right} asks for more than {left}"]
        case "looser":
            return ["without it more is allowed" if is_silent else f"{right} allows more than {left}"]
        case _:
            return []


def two_readings(finding: Finding) -> tuple[str, str, bool]:
    """An edition of each of the two readings that a verdict is about, and whether the second says nothing."""
    left, right = (group[0] for group in finding.divergence.groups[:2])
    return left, right, finding.divergence.row.statements[right] is None


def remarks(telling: Telling, finding: Finding) -> Iterator[str]:
    """What else is to be said of the clause as such."""
    divergence = finding.divergence
    if divergence.gap:
        yield gap_words(divergence.gap)
    if divergence.under:
        yield f"{under_words(divergence)}: {listed(divergence.under, MOST_UNDER)}"
    yield from outcome(telling, finding)


def under_words(divergence: Divergence) -> str:
    """That a row stands for more clauses than its own."""
    return f"and {plural(len(divergence.under), 'clause')} with it"


def outcome(telling: Telling, finding: Finding) -> Iterator[str]:
    """What playing came to, or how far it was looked."""
    if finding.reason and telling.played:
        yield finding.reason
    decision = finding.decision
    if finding.verdict == "unknown" and decision is not None and decision.reason:
        yield f"which reading allows more is not known: {decision.reason}"
    if finding.witness is None and finding.bounds is not None:
        yield f"searched: {bounds_words(finding.bounds)}"


def listed(names: Sequence[str], most: int) -> str:
    """`a, b, c and 4 more`"""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def tables_words(tables: Sequence[int]) -> str:
    """`2, 3 and 4`"""
    *most, last = map(str, tables)
    return f"{', '.join(most)} and {last}" if most else last


def gap_words(gap: Gap) -> str:
    """What a stretch that is left out is to its edition."""
    lines = f"what {gap.of} says in [{gap.document} {spans_text((gap.lines,))}]"
    if gap.at_end:
        return f"the text of {gap.editions[0]} ends before this: nothing there speaks of {lines}"
    says = "says" if len(gap.editions) == 1 else "say"
    return f"left out as a whole: {', '.join(gap.editions)} {says} nothing of {lines}"


def ruling_words(ruling: Ruling) -> str:
    """What was decided, and why."""
    return f"{'accepted' if ruling.decision == ACCEPT else f'decided for {ruling.decision}'}: {ruling.reason}"


def bounds_words(bounds: Bounds) -> str:
    """How far it was looked."""
    told = [
        plural(bounds.seeds, "random play"),
        plural(bounds.events, "event"),
        plural(bounds.states, "different state"),
        f"at most {bounds.depth} deep",
        *([f"{tables_words(bounds.tables)} players"] if bounds.tables else []),
        *([f"{plural(bounds.faults, 'play')} ended where the rules do not say what happens"] if bounds.faults else []),
        *(["stopped by the clock"] if bounds.timed_out else []),
    ]
    return ", ".join(told)


def with_logs(telling: Telling, finding: Finding) -> list[tuple[Shown, str | None]]:
    """Each witness, with the file of its log if it was written."""
    return list(zip_longest(finding.witnesses, telling.beside.logs.get(finding.divergence.id, ())))
