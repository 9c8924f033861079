"""Differences between the texts of a game, row by row, derived from the apparatus and the decisions.

A row is one thing that the texts state differently, omit or leave open: one decision, with all clauses that it
covers. A clause in which texts differ without a decision is a row of its own. Differences at the same lines, or
omissions at the same place, share one row.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ludex.grammar import Citation
from ludex.grammar import syntax as s

from ..collation.citing import lines_text
from ..collation.clause_tree import has_apparatus, with_apparatus
from ..collation.decisions import Decision
from ..collation.decisions import Said as DecidedText
from ..collation.open_items import clause_text
from ..text.apparatus import all_stated
from ..text.attestation import Standing, Witness, Witnessed
from ..text.authority import NEEDS_AUTHORITY
from ..text.headers import Text


class Section(StrEnum):
    """The parts of a report, in its order."""

    CONTRADICTION = "contradiction"
    DUTY = "duty"
    OMISSION = "omission"
    VAGUENESS = "vagueness"
    LACUNA = "lacuna"
    RULING = "ruling"
    SUMMARY = "summary"


BINDING = ("play", "score", "setup", "", "nobody")
"""What a row may bind, what matters most first; empty where nobody decided."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reading, with the texts that have it.

    Attributes:
        lines: by siglum, as they are cited: `427-431, 440`.
        words: one plain sentence, by language; where nothing was decided, under `""` the clause
            itself, which no sentence shows.
        between: what they leave open, each reading by language; nothing where they do not.
        adds: by siglum, what one has to add to read it so.
        readings: names of the readings that the words admit; none where nothing was decided.
        is_both: the texts say each of `between`, at different lines.
    """

    lines: Mapping[str, str]
    words: Mapping[str, str]
    between: tuple[Mapping[str, str], ...] = ()
    adds: Mapping[str, str] = field(default_factory=dict)
    readings: tuple[str, ...] = ()
    is_both: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fork that a text leaves open, and two of its readings: that of a text that decides it first, if one does.

    words: a sentence for each reading, by language.
    """

    fork: str
    readings: tuple[str, str]
    words: tuple[Mapping[str, str], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class TextRow:
    """One difference between texts.

    Attributes:
        name: the path of its first clause: the same in every run.
        clauses: all clauses that it covers, those of `together`.
        about: what it is about, by language.
        said: what texts say, in the order of the texts.
        silent: by siglum, the lines near which it would stand. lost: texts that are cut there.
        binds: `play`, `score`, `setup`, `nobody`; empty where nothing was decided.
        why: what decided it, and how many readers did; nothing and 0 where nothing was decided.
        together: where several things are said, or left out, at the same place: each of them.
        part_of: a clause of the row to which readers of the lines said that this one belongs.
    """

    section: Section
    name: str
    clauses: tuple[str, ...]
    about: Mapping[str, str]
    said: tuple[Said, ...]
    silent: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    binds: str = ""
    kind: str = ""
    why: str = ""
    readers: int = 0
    together: tuple[TextRow, ...] = ()
    part_of: str | None = None

    @property
    def matters(self) -> bool:
        """Whether it binds players, as far as somebody decided."""
        return self.binds != "nobody"

    @property
    def parts(self) -> tuple[TextRow, ...]:
        """Each thing that it tells; the first is the one that it is named after."""
        return self.together or (self,)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The texts whose readings are played against each other: the first of the first group, and the first of
        another, or one that is silent. A text that leaves open what all do is played against itself."""
        if self.doubt and len(self.said) == 1:
            only = next(iter(self.said[0].lines))
            return only, only
        sigla = [next(iter(said.lines), None) for said in self.said]
        first = next((name for name in sigla if name), None)
        other = next((name for name in sigla[1:] if name), None) or next(iter(self.silent), None)
        return (first, other) if first and other else None

    @property
    def doubt(self) -> Doubt | None:
        """What the last text of the pair leaves open, where a fork has its readings."""
        fork = next((path.removeprefix("fork ") for path in self.clauses if path.startswith("fork ")), None)
        opened = next((said for said in self.said if said.between), None)
        if fork is None or opened is None or self.together:
            return None
        words = dict(zip(opened.readings, opened.between, strict=True))
        decided = next((said.readings[0] for said in self.said if not said.between), None)
        ordered = sorted(words, key=lambda name: name != decided)
        return Doubt(fork, (ordered[0], ordered[1]), (words[ordered[0]], words[ordered[1]]))


def rows(
    found: Sequence[Witnessed],
    texts: Mapping[str, Text],
    decisions: Iterable[Decision],
    declarations: Iterable[s.Declaration] = (),
) -> tuple[TextRow, ...]:
    """Every row of a game, by section, those that matter most first. texts: those that are compared; what others say
    counts for nothing. declarations: the game's, for what rests on no text."""
    known = [_among(decision, texts) for decision in decisions]
    covered = {path for decision in known for path in decision.clauses}
    rulings = tuple(_house_rulings(declarations))
    ruled = {path for row in rulings for path in row.clauses}
    made = [row for row in (_of_decision(each, texts) for each in known) if row and not _is_answered(row, ruled)]
    made += [row for row in (_undecided(each, texts) for each in found if each.clause.path not in covered) if row]
    made += _lacunae(found, texts)
    made += rulings
    return tuple(sorted(_gathered(made, texts), key=_rank(texts)))


def _rank(texts: Mapping[str, Text]) -> Callable[[TextRow], tuple[int, ...]]:
    order = list(Section)

    def rank(row: TextRow) -> tuple[int, ...]:
        whole = [said for said in row.said if any(not _sums_up(texts, name) for name in said.lines)]
        is_of_summary = len(whole) + any(not _sums_up(texts, name) for name in row.silent) < 2
        lay = row.kind == "wording"
        return (order.index(row.section), not row.matters, is_of_summary, lay, BINDING.index(row.binds))

    return rank


def _sums_up(texts: Mapping[str, Text], name: str) -> bool:
    return name in texts and texts[name].summary is not None


def _gathered(found: Iterable[TextRow], texts: Mapping[str, Text]) -> Iterator[TextRow]:
    """One row for one place: what the same lines say, and what is left out near the same lines."""
    groups: dict[Hashable, list[TextRow]] = {}
    for row in found:
        places = tuple(_places(row, texts))
        known = {id(groups[place]): groups[place] for place in places if place in groups}
        joined = [row for group in known.values() for row in group] + [row]
        for place in [*places, *(place for place, group in groups.items() if id(group) in known)]:
            groups[place] = joined
    for group in {id(group): group for group in groups.values()}.values():
        each = sorted(group, key=lambda row: row.part_of is not None)
        clauses = tuple(dict.fromkeys(path for row in each for path in row.clauses))
        binds = min((row.binds for row in each), key=BINDING.index)
        yield replace(each[0], clauses=clauses, binds=binds, together=tuple(each)) if len(each) > 1 else each[0]


def _places(row: TextRow, texts: Mapping[str, Text]) -> Iterator[Hashable]:
    """Rows that share one of these are told in one row. Near which lines a summary is silent tells nothing."""
    if row.section is not Section.LACUNA:  # it lists the clauses of other rows
        yield from (("part of", path) for path in ([row.part_of] if row.part_of else row.clauses))
    speaking = tuple(frozenset(said.lines) for said in row.said)
    who = row.section, row.matters, speaking, frozenset(row.silent), row.lost
    if row.section is Section.RULING or not row.said:
        yield *who, row.name
        return
    yield *who, tuple(tuple(said.lines.items()) for said in row.said)
    silent = tuple((name, near) for name, near in row.silent.items() if not _sums_up(texts, name))
    if silent and row.section is Section.OMISSION:
        yield *who, silent
    elif row.section is Section.SUMMARY:
        yield *who, tuple(row.silent.items())


# ---- of decisions -----------------------------------------------------------------------------------------------


def _among(decision: Decision, texts: Mapping[str, Text]) -> Decision:
    """The decision as far as it speaks of these texts."""
    told = {name: each for name, each in decision.texts.items() if name in texts}
    if len(told) == len(decision.texts) or decision.verdict == "none":
        return decision
    made = replace(decision, texts=told)
    return replace(made, verdict=made.found if made.groups else "same")


def _of_decision(decision: Decision, texts: Mapping[str, Text]) -> TextRow | None:
    section = _section(decision, texts)
    if section is None:
        return None
    silent = {name: lines_text(each.lines) for name, each in decision.texts.items() if _is_silent(each)}
    return TextRow(
        section,
        next(iter(decision.clauses), None) or decision.suggest or _named(decision.about),
        decision.clauses,
        decision.about,
        tuple(_groups(decision)) or tuple(Said({}, words) for words in decision.readings.values()),
        silent,
        tuple(name for name, each in decision.texts.items() if each.is_lost),
        decision.binds,
        decision.kind,
        decision.why,
        decision.readers,
        part_of=decision.part_of,
    )


def _named(about: Mapping[str, str]) -> str:
    """A name for what no clause states."""
    return "_".join((about.get("en") or next(iter(about.values()), "no_clause")).lower().split())


def _groups(decision: Decision) -> Iterator[Said]:
    """The texts by what they say, those that leave it open last."""
    for readings, sigla in sorted(decision.groups.items(), key=lambda group: len(group[0]) > 1):
        is_both = decision.contradicted.issuperset(sigla)
        lines = {name: lines_text(decision.texts[name].lines) for name in sigla}
        adds = {name: added for name in sigla if (added := decision.texts[name].adds)}
        words = decision.readings[readings[0]] if len(readings) == 1 else {}
        between = tuple(decision.readings[name] for name in readings) if len(readings) > 1 else ()
        yield Said(lines, words, between, adds, readings, is_both)


def _section(decision: Decision, texts: Mapping[str, Text]) -> Section | None:
    """None where the texts say the same, or nothing."""
    match decision.verdict:
        case "differ":
            return Section.DUTY if decision.kind == "duty" else Section.CONTRADICTION
        case "vague" | "open":
            return Section.CONTRADICTION if decision.contradicted else Section.VAGUENESS
        case "none":
            return Section.RULING
    if not decision.groups:
        return None  # only texts that are not compared say it
    silent = [name for name, each in decision.texts.items() if _is_silent(each)]
    if any(name in texts and not texts[name].summary for name in silent):
        return Section.OMISSION
    return Section.SUMMARY if silent else None


def _is_silent(said: DecidedText) -> bool:
    return not said.readings and not said.is_lost


# ---- of the apparatus alone -------------------------------------------------------------------------------------


def _undecided(found: Witnessed, texts: Mapping[str, Text]) -> TextRow | None:
    varying, silent = (
        [name for name in _here(found, standing) if name in texts] for standing in (Standing.VARIES, Standing.SILENT)
    )
    if not varying and not silent:
        return None
    groups: dict[int, tuple[Witness, dict[str, str]]] = {}
    for name, witness in found.texts.items():
        if name in texts and witness.standing in (Standing.STATES, Standing.VARIES):
            key = id(witness.entry) if isinstance(witness.entry, s.Variant) else 0
            groups.setdefault(key, (witness, {}))[1][name] = lines_of(witness.authority.citations)
    if len(groups) + bool(silent) < 2:
        return None  # only a text that is not compared says something else
    said = tuple(Said(lines, {"": _text_of(found, witness)}) for witness, lines in groups.values())
    left_out = Section.OMISSION if any(not texts[name].summary for name in silent) else Section.SUMMARY
    section = Section.CONTRADICTION if len(groups) > 1 else left_out
    near = {name: lines_of(found.texts[name].authority.citations) for name in silent}
    lost = tuple(name for name in found.having(Standing.LOST) if name in texts)
    path = found.clause.path
    return TextRow(section, path, (path,), {"en": path}, said, near, lost)


def _text_of(found: Witnessed, witness: Witness) -> str:
    """What is written in place of a sentence."""
    if isinstance(witness.entry, s.Variant):
        return clause_text(witness.entry.body).strip()
    node = found.clause.node
    return clause_text(with_apparatus(node, ()) if has_apparatus(node) else node).strip()


def _house_rulings(declarations: Iterable[s.Declaration]) -> Iterator[TextRow]:
    """What no text says, and a ruling does: one row for each reason. A convention is for what the machine needs."""
    reasons: dict[str, list[str]] = {}
    for clause in all_stated(declarations):
        ruled = [each.text for each in clause.authority.reasons if each.kind == "ruling"]
        if clause.kind in NEEDS_AUTHORITY and ruled and not clause.authority.citations:
            reasons.setdefault("; ".join(ruled), []).append(clause.path)
    for reason, paths in reasons.items():
        once = tuple(dict.fromkeys(paths))
        yield TextRow(Section.RULING, once[0], once, {"en": reason}, ())


def _is_answered(row: TextRow, ruled: set[str]) -> bool:
    """Whether no text says it and a ruling of the game, which has a row of its own, says what was chosen."""
    return row.section is Section.RULING and not ruled.isdisjoint(row.clauses)


def _here(found: Witnessed, standing: Standing) -> tuple[str, ...]:
    """The texts of which that is said at the clause itself, and not of a clause around it."""
    own = {id(entry) for entry in found.clause.apparatus}
    return tuple(name for name in found.having(standing) if id(found.texts[name].entry) in own)


def _lacunae(found: Sequence[Witnessed], texts: Mapping[str, Text]) -> Iterator[TextRow]:
    """One row for each text of which something is lost."""
    for name, text in texts.items():
        lost = tuple(each.clause.path for each in found if name in each.having(Standing.LOST))
        if lost:
            stretches = ", ".join(
                f"{other} {lines_text(span for name, span in text.lacuna if name == other)}"
                for other in dict.fromkeys(other for other, _ in text.lacuna)
            )
            yield TextRow(Section.LACUNA, f"lacuna.{name}", lost, {"en": stretches}, (), {}, (name,))


def lines_of(citations: Iterable[Citation]) -> str:
    """Cited lines as an author writes them, without the siglum: `427-431, 440`."""
    return lines_text(span for citation in citations for span in citation.lines)
