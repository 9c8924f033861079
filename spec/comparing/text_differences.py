"""Differences between the texts of a game, row by row, derived from the apparatus and the decisions.

A row is one thing that the texts state differently, omit or leave open: one decision, with all clauses that it
covers. A clause in which texts differ without a decision is a row of its own. Differences at the same lines, or
omissions at the same place, share one row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from ludex.grammar import Citation, LineRanges, lines_text
from ludex.grammar import syntax as s

from ..collation.clause_tree import has_apparatus, with_apparatus
from ..collation.open_items import clause_text
from ..collation.text_decisions import TextDecision, TextEntry
from ..text import NEEDS_AUTHORITY, AttestedClause, Standing, Text, TextStanding, all_stated


class Section(StrEnum):
    """The sections of a report, in its order.

    is_decided: a team decides its rows, in a game of several texts. Its rows are played, and only here some matter and
    others do not.
    """

    CONTRADICTION = "contradiction", True
    DUTY = "duty", True
    OMISSION = "omission", True
    VAGUENESS = "vagueness", True
    LACUNA = "lacuna", False
    RULING = "ruling", False
    SUMMARY = "summary", False

    is_decided: bool

    def __new__(cls, name: str, is_decided: bool) -> Self:
        """Make a member: its name is what a text is, and its value."""
        member = str.__new__(cls, name)
        member._value_, member.is_decided = name, is_decided
        return member


BINDING = ("play", "score", "setup", "", "nobody")
"""The effects of a row's rule on play, the most important first; empty if nobody decided. They are the order of
rows."""


@dataclass(frozen=True, slots=True)
class AttestedReading:
    """A reading of some clauses, with the texts that have it.

    Attributes:
        lines: by siglum, the cited lines.
        words: one plain sentence, by language; without a decision, the clause itself under the key `""`.
        between: for texts that leave the question open, the sentence of each reading, by language; else empty.
        adds: by siglum, what has to be added to the lines to read them so.
        names: the names of the readings that the words admit; none without a decision.
        is_both: the texts state each of `between`, at different lines.
    """

    lines: Mapping[str, LineRanges]
    words: Mapping[str, str]
    between: tuple[Mapping[str, str], ...] = ()
    adds: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    is_both: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fork that a text leaves open, with two of its readings.

    Attributes:
        readings: the names of the two; if another text decides the fork, its reading is the first.
        words: a sentence for each reading, by language.
    """

    fork: str
    readings: tuple[str, str]
    words: tuple[Mapping[str, str], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class TextRow:
    """One difference between texts.

    Attributes:
        name: the path of its first clause; it is the same in every run.
        clauses: all clauses that it covers, those of `together` included; forks: the names of the forks among them.
        about: its subject, by language.
        readings: the readings of the texts, in the order of the texts.
        silent: by siglum of each silent text, the lines near which the clause would be.
        lost: the texts that are torn there.
        binds: what the rule affects: `play`, `score`, `setup`, `nobody`; empty without a decision.
        why, readers: the reason for the decision, and how many read the lines; empty and 0 without a decision.
        together: the rows at the same lines that this one was merged from; none if it was not merged.
        part_of: a clause of the row that this one belongs to, by the decision of the readers.
    """

    section: Section
    name: str
    clauses: tuple[str, ...]
    about: Mapping[str, str]
    readings: tuple[AttestedReading, ...]
    silent: Mapping[str, LineRanges] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    binds: str = ""
    kind: str = ""
    why: str = ""
    readers: int = 0
    together: tuple[TextRow, ...] = ()
    part_of: str | None = None
    forks: tuple[str, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether the difference affects players, or nobody decided about it."""
        return self.binds != "nobody"

    @property
    def parts(self) -> tuple[TextRow, ...]:
        """The rows that it was merged from, or itself; it is named after the first."""
        return self.together or (self,)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The sigla of two texts whose readings can be played against each other; None if there are no two.

        They are the first text of the first reading, and the first of another reading, or a silent one. If all texts
        leave the question open, a text is played against itself, in two readings of a fork."""
        if self.doubt and len(self.readings) == 1:
            only = next(iter(self.readings[0].lines))
            return only, only
        sigla = [next(iter(reading.lines), None) for reading in self.readings]
        # A row without lines has no text to play.
        first = next((name for name in sigla if name), None)
        other = next((name for name in sigla[1:] if name), None) or next(iter(self.silent), None)
        return (first, other) if first and other else None

    @property
    def doubt(self) -> Doubt | None:
        """The fork that the last text of the pair leaves open; None if there is none."""
        fork = next(iter(self.forks), None)
        opened = next((reading for reading in self.readings if reading.between), None)
        if fork is None or opened is None or self.together:
            return None
        words = dict(zip(opened.names, opened.between, strict=True))
        decided = next((reading.names[0] for reading in self.readings if not reading.between), None)
        # The decided reading comes first, as the pair plays it against the one that is left open.
        ordered = sorted(words, key=lambda name: name != decided)
        return Doubt(fork, (ordered[0], ordered[1]), (words[ordered[0]], words[ordered[1]]))


def rows(
    clauses: Sequence[AttestedClause],
    texts: Mapping[str, Text],
    decisions: Iterable[TextDecision],
    declarations: Iterable[s.Declaration] = (),
) -> tuple[TextRow, ...]:
    """Return the rows of a report, sorted by section and importance.

    clauses: the attested clauses of the game. texts: the texts that are compared, by siglum; the others are ignored.
    decisions: what readers of the lines decided. declarations: the game's, if its house rulings get rows too."""
    known = [_among(decision, texts) for decision in decisions]
    covered = {path for decision in known for path in decision.clauses}
    # A generator could be used only once.
    rulings = tuple(_house_rulings(declarations))
    ruled = {path for row in rulings for path in row.clauses}
    # The game's own ruling answers a decision that no text says it.
    every = [row for row in (_decided_row(each, texts) for each in known) if row and not _is_answered(row, ruled)]
    every += [
        row for row in (_undecided_row(each, texts) for each in clauses if each.clause.path not in covered) if row
    ]
    every += _lacunae(clauses, texts)
    every += rulings
    return tuple(sorted(_merged(every, texts), key=_rank(texts)))


def _rank(texts: Mapping[str, Text]) -> Callable[[TextRow], tuple[int, ...]]:
    order = list(Section)

    def rank(row: TextRow) -> tuple[int, ...]:
        full = [each for each in row.readings if any(not _is_summary(texts, name) for name in each.lines)]
        # A difference that only a summary makes weighs less.
        is_of_summary = len(full) + any(not _is_summary(texts, name) for name in row.silent) < 2
        is_wording = row.kind == "wording"
        return (order.index(row.section), not row.matters, is_of_summary, is_wording, BINDING.index(row.binds))

    return rank


def _is_summary(texts: Mapping[str, Text], name: str) -> bool:
    return name in texts and texts[name].summary is not None


def _merged(rows: Iterable[TextRow], texts: Mapping[str, Text]) -> Iterator[TextRow]:
    """Merge the rows that share a place: the same lines, or omissions near the same lines."""
    # Groups are disjoint sets: a row that shares places with several groups joins them into one.
    groups: dict[Hashable, list[TextRow]] = {}
    for row in rows:
        places = tuple(_places(row, texts))
        known = {id(groups[place]): groups[place] for place in places if place in groups}
        joined = [row for group in known.values() for row in group] + [row]
        for place in [*places, *(place for place, group in groups.items() if id(group) in known)]:
            groups[place] = joined
    for group in {id(group): group for group in groups.values()}.values():
        # The part comes after the whole that it is a part of.
        each = sorted(group, key=lambda row: row.part_of is not None)
        clauses = tuple(dict.fromkeys(path for row in each for path in row.clauses))
        forks = tuple(dict.fromkeys(name for row in each for name in row.forks))
        together, binds = tuple(each), min((row.binds for row in each), key=BINDING.index)
        merged = replace(each[0], clauses=clauses, forks=forks, binds=binds, together=together)
        yield merged if len(each) > 1 else each[0]


def _places(row: TextRow, texts: Mapping[str, Text]) -> Iterator[Hashable]:
    """Yield the places of a row; rows that share one are merged.

    The lines near which a summary is silent are not a place, since a summary leaves out most of the rules there."""
    if row.section is not Section.LACUNA:  # it lists the clauses of other rows
        yield from (("part of", path) for path in ([row.part_of] if row.part_of else row.clauses))
    speaking = tuple(frozenset(reading.lines) for reading in row.readings)
    who = row.section, row.matters, speaking, frozenset(row.silent), row.lost
    if row.section is Section.RULING or not row.readings:
        yield *who, row.name
        return
    yield *who, tuple(tuple(reading.lines.items()) for reading in row.readings)
    silent = tuple((name, near) for name, near in row.silent.items() if not _is_summary(texts, name))
    if silent and row.section is Section.OMISSION:
        yield *who, silent
    elif row.section is Section.SUMMARY:
        yield *who, tuple(row.silent.items())


# ---- rows of decisions -----------------------------------------------------------------------------------------------


def _among(decision: TextDecision, texts: Mapping[str, Text]) -> TextDecision:
    """Return the decision restricted to these texts, with the verdict that then follows."""
    entries = {name: each for name, each in decision.texts.items() if name in texts}
    if len(entries) == len(decision.texts) or decision.verdict == "none":
        return decision
    restricted = replace(decision, texts=entries)
    # Without the other texts only one reading may be left.
    return replace(restricted, verdict=restricted.implied_verdict if restricted.groups else "same")


def _decided_row(decision: TextDecision, texts: Mapping[str, Text]) -> TextRow | None:
    section = _section(decision, texts)
    if section is None:
        return None
    silent = {name: each.lines for name, each in decision.texts.items() if _is_silent(each)}
    return TextRow(
        section,
        next(iter(decision.clauses), None) or decision.suggest or _named(decision.about),
        decision.clauses,
        decision.about,
        tuple(_readings(decision)) or tuple(AttestedReading({}, words) for words in decision.readings.values()),
        silent,
        tuple(name for name, each in decision.texts.items() if each.is_lost),
        decision.binds,
        decision.kind,
        decision.why,
        decision.readers,
        part_of=decision.part_of,
        forks=decision.forks,
    )


def _named(about: Mapping[str, str]) -> str:
    """Return a name for a row without a clause."""
    return "_".join((about.get("en") or next(iter(about.values()), "no_clause")).lower().split())


def _readings(decision: TextDecision) -> Iterator[AttestedReading]:
    """Yield the readings of a decision with their texts; those of texts that leave the question open come last."""
    for names, sigla in sorted(decision.groups.items(), key=lambda group: len(group[0]) > 1):
        is_both = decision.contradicted.issuperset(sigla)
        lines = {name: decision.texts[name].lines for name in sigla}
        adds = {name: added for name in sigla if (added := decision.texts[name].adds)}
        words = decision.readings[names[0]] if len(names) == 1 else {}
        between = tuple(decision.readings[name] for name in names) if len(names) > 1 else ()
        yield AttestedReading(lines, words, between, adds, names, is_both)


def _section(decision: TextDecision, texts: Mapping[str, Text]) -> Section | None:
    """Return the section of a decision; None if the texts say the same, or nothing."""
    match decision.verdict:
        case "differ":
            return Section.DUTY if decision.kind == "duty" else Section.CONTRADICTION
        case "vague" | "open":
            return Section.CONTRADICTION if decision.contradicted else Section.VAGUENESS
        case "none":
            return Section.RULING
    if not decision.groups:
        return None  # only texts that are not compared state it
    silent = [name for name, each in decision.texts.items() if _is_silent(each)]
    if any(name in texts and not texts[name].summary for name in silent):
        return Section.OMISSION
    return Section.SUMMARY if silent else None


def _is_silent(entry: TextEntry) -> bool:
    return not entry.readings and not entry.is_lost


# ---- rows of the apparatus alone -------------------------------------------------------------------------------------


def _undecided_row(attested: AttestedClause, texts: Mapping[str, Text]) -> TextRow | None:
    varying, silent = (
        [name for name in _here(attested, standing) if name in texts] for standing in (Standing.VARIES, Standing.SILENT)
    )
    if not varying and not silent:
        return None
    groups: dict[int, tuple[TextStanding, dict[str, LineRanges]]] = {}
    for name, evidence in attested.texts.items():
        if name in texts and evidence.standing in (Standing.STATES, Standing.VARIES):
            # Texts of one variant are one group, and all that state the clause are another.
            key = id(evidence.entry) if isinstance(evidence.entry, s.Variant) else 0
            groups.setdefault(key, (evidence, {}))[1][name] = _lines_of(evidence.authority.citations)
    if len(groups) + bool(silent) < 2:
        return None  # only a text that is not compared says something else
    readings = tuple(AttestedReading(lines, {"": _text_of(attested, evidence)}) for evidence, lines in groups.values())
    left_out = Section.OMISSION if any(not texts[name].summary for name in silent) else Section.SUMMARY
    section = Section.CONTRADICTION if len(groups) > 1 else left_out
    near = {name: _lines_of(attested.texts[name].authority.citations) for name in silent}
    lost = tuple(name for name in attested.having(Standing.LOST) if name in texts)
    path = attested.clause.path
    return TextRow(section, path, (path,), {"en": path}, readings, near, lost)


def _text_of(attested: AttestedClause, evidence: TextStanding) -> str:
    """Return the clause or its variant, which a report shows where there is no sentence."""
    if isinstance(evidence.entry, s.Variant):
        return clause_text(evidence.entry.body).strip()
    node = attested.clause.node
    return clause_text(with_apparatus(node, ()) if has_apparatus(node) else node).strip()


def _house_rulings(declarations: Iterable[s.Declaration]) -> Iterator[TextRow]:
    """Yield a row for each reason of a ruling on clauses that no text states.

    Clauses by convention get no row: they are bookkeeping that a machine needs and a reader does not."""
    reasons: dict[str, list[str]] = {}
    for clause in all_stated(declarations):
        ruled = [each.text for each in clause.authority.reasons if each.kind == "ruling"]
        if clause.kind in NEEDS_AUTHORITY and ruled and not clause.authority.citations:
            reasons.setdefault("; ".join(ruled), []).append(clause.path)
    for reason, paths in reasons.items():
        once = tuple(dict.fromkeys(paths))
        yield TextRow(Section.RULING, once[0], once, {"en": reason}, ())


def _is_answered(row: TextRow, ruled: set[str]) -> bool:
    """Return whether a row of the section "ruling" repeats a ruling of the game, which has a row of its own."""
    return row.section is Section.RULING and not ruled.isdisjoint(row.clauses)


def _here(attested: AttestedClause, standing: Standing) -> tuple[str, ...]:
    """Return the texts whose standing is marked at the clause itself. A clause around it has its own row."""
    own = {id(entry) for entry in attested.clause.apparatus}
    return tuple(name for name in attested.having(standing) if id(attested.texts[name].entry) in own)


def _lacunae(clauses: Sequence[AttestedClause], texts: Mapping[str, Text]) -> Iterator[TextRow]:
    """Yield one row for each text that has lost clauses."""
    for name, text in texts.items():
        lost = tuple(each.clause.path for each in clauses if name in each.having(Standing.LOST))
        if lost:
            stretches = ", ".join(
                f"{other} {lines_text(span for name, span in text.lacuna if name == other)}"
                for other in dict.fromkeys(other for other, _ in text.lacuna)
            )
            yield TextRow(Section.LACUNA, f"lacuna.{name}", lost, {"en": stretches}, (), {}, (name,))


def _lines_of(citations: Iterable[Citation]) -> LineRanges:
    """Return the lines of some citations."""
    return tuple(span for citation in citations for span in citation.lines)
