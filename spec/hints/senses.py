"""Choice, denial and limits: what the lines allow, demand, deny and bound, beside clauses that agree.

Words of this sort stand in nearly every sentence, so by themselves they tell nothing. A hint is given where the clause
itself leaves a choice or denies, where its lines in the other editions have a word for that, and the lines of one have
none far and wide; and where two texts contradict each other, as a whole or in a sentence that stands beside another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass

from ludex.grammar import syntax as s

from ..clauses import Stated
from .hint import Hint, HintKind, listed
from .passages import Agreed, Passages, nodes
from .sentences import sentences_of, side_by_side
from .vocabulary import Sense

FREE: frozenset[Sense] = frozenset({"may", "need_not"})
BOUND: frozenset[Sense] = frozenset({"must", "must_not"})
PARTLY: frozenset[Sense] = frozenset({"only", "at_most"})
PLAIN: frozenset[Sense] = frozenset({"not", "must_not"})
DENIED: frozenset[Sense] = PLAIN | {"need_not"}
LIMITED: frozenset[Sense] = frozenset({"only", "at_most", "at_least", "less", "more"})
STRICT: frozenset[Sense] = frozenset({"more", "less"})
LOOSE: frozenset[Sense] = frozenset({"at_most", "at_least"})
UNCOUNTED = frozenset({"note", "term", "example"})


@dataclass(frozen=True, slots=True)
class Side:
    """One of two contrary things that a text may say: a word of some senses, and none of some others."""

    said: frozenset[Sense]
    never: frozenset[Sense]

    def is_of(self, own: Set[Sense], wide: Set[Sense]) -> bool:
        return bool(self.said & own) and not self.never & wide


@dataclass(frozen=True, slots=True)
class Compared:
    """A clause in the editions whose lines are at hand."""

    each: Agreed
    names: tuple[str, ...]
    at: Passages

    def own(self, name: str) -> dict[Sense, tuple[str, ...]]:
        return dict(self.at.reader.senses(self.at.own(name, self.each.stated[name])))

    def wide(self, name: str) -> Set[Sense]:
        return self.at.reader.senses(self.at.wide(name, self.each.stated[name])).keys()

    def near(self, name: str) -> Set[Sense]:
        """The senses of the sentences that the edition cites, as a whole."""
        whole = " ".join(sentences_of(name, self.each.stated[name], self.at))
        return self.own(name).keys() | self.at.reader.senses_in(whole).keys()

    def hint(self, kind: HintKind, again: Iterable[str], words: dict[str, tuple[str, ...]], why: str) -> Hint:
        told = {name: words.get(name, ()) for name in self.each.stated}
        chosen = set(again)
        return Hint(
            kind, self.each.clause, tuple(name for name in self.names if name in chosen), self.each.spans, told, why
        )


def sense_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """For each clause at most one hint of a kind."""
    for each in found:
        names = tuple(
            name for name, clause in each.stated.items() if at.own(name, clause) and at.is_direct(name, clause)
        )
        if each.kind not in UNCOUNTED and len(names) > 1:
            row = Compared(each, names, at)
            yield from filter(None, (_modality(row), _negation(row), _comparison(row)))


def _modality(row: Compared) -> Hint | None:
    why = "the lines of {one} allow what those of {other} demand or forbid"
    return (
        _lacking(row, "modality", _leaves_choice, FREE, FREE | PARTLY, "leaves a choice")
        or _contrary(row, "modality", Side(FREE, BOUND | {"only"}), Side(BOUND, FREE), why)
    )  # fmt: skip


def _negation(row: Compared) -> Hint | None:
    return _lacking(row, "negation", _denies, DENIED, DENIED | LIMITED, "denies something") or _undenied(row)


def _comparison(row: Compared) -> Hint | None:
    why = "the lines of {one} exclude the bound that those of {other} include"
    return _contrary(row, "comparison", Side(STRICT, LOOSE), Side(LOOSE, STRICT), why)


# ---- what a clause says -----------------------------------------------------------------------------------------


def _leaves_choice(clause: Stated) -> bool:
    return any(isinstance(node, s.May | s.RepeatMay) for node in nodes(clause))


def _denies(clause: Stated) -> bool:
    return any(map(_is_denial, nodes(clause)))


def _is_denial(node: s.Node) -> bool:
    match node:
        case s.Not() | s.IsEmpty(negated=False) | s.Quantified(kind="no") | s.Binary(operator="!=" | "not in"):
            return True
        case _:
            return False


def _lacking(
    row: Compared, kind: HintKind, is_said: Callable[[Stated], bool], said: Set[Sense], enough: Set[Sense], what: str
) -> Hint | None:
    """A hint where the clause says something, all other texts have a word for it and some have none. said: the words
    for it; enough: those that may stand for them."""
    lacking = [name for name in row.names if is_said(row.each.stated[name]) and not enough & row.near(name)]
    others = [name for name in row.names if name not in lacking]
    if not lacking or len(others) < len(lacking) or not all(said & row.own(name).keys() for name in others):
        return None
    words = {name: _flat(row.own(name), said) for name in others}
    why = f"the clause {what}, and the lines of {listed(others)} say so; those of {listed(lacking)} have no word for it"
    return row.hint(kind, lacking, words, why)


# ---- what texts say against each other --------------------------------------------------------------------------


def _contrary(row: Compared, kind: HintKind, one: Side, other: Side, why: str) -> Hint | None:
    """A hint where some texts say one thing and some the contrary: in all their lines, or in a sentence."""
    names = [[name for name in row.names if side.is_of(row.own(name).keys(), row.wide(name))] for side in (one, other)]
    words = {name: _flat(row.own(name), one.said | other.said) for name in row.names}
    if not all(names):
        names, words = _in_sentences(row, one, other)
    if not all(names):
        return None
    again = min(names, key=len) if len(names[0]) != len(names[1]) else names[0] + names[1]
    return row.hint(kind, again, words, why.format(one=listed(names[0]), other=listed(names[1])))


def _in_sentences(row: Compared, one: Side, other: Side) -> tuple[list[list[str]], dict[str, tuple[str, ...]]]:
    """Which texts say one thing in a sentence and which the contrary in the same sentence, and the words."""
    found: dict[str, tuple[str, ...]] = {}
    sides: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for names, senses in _side_by_side(row):
        for left, right in ((0, 1), (1, 0)):
            mine, theirs = senses[left], senses[right]
            if one.is_of(mine.keys(), mine.keys()) and other.is_of(theirs.keys(), theirs.keys()):
                found |= {names[left]: _flat(mine, one.said), names[right]: _flat(theirs, other.said)}
                sides[0][names[left]] = sides[1][names[right]] = None
    return [list(side) for side in sides], found


def _undenied(row: Compared) -> Hint | None:
    """A hint where a text denies something in a sentence, and the same sentence of another does not."""
    told: dict[str, tuple[str, ...]] = {}
    lacking: dict[str, None] = {}
    for names, senses in _side_by_side(row):
        for left, right in ((0, 1), (1, 0)):
            kept = senses[right].keys() | row.own(names[right]).keys()
            said = PLAIN & senses[left].keys() & row.own(names[left]).keys()
            if said and not (DENIED | LIMITED) & kept and not _is_told(row, names[left], names[right]):
                told[names[left]] = _flat(senses[left], PLAIN)
                lacking[names[right]] = None
    if not told:
        return None
    why = f"a sentence of {listed(list(told))} denies something, and that of {listed(list(lacking))} does not"
    return row.hint("negation", lacking, told, why)


def _is_told(row: Compared, one: str, other: str) -> bool:
    """Whether what a text denies is a clause that the other text does not state: then a finding tells it."""
    at = row.at
    lines = (line for line in at.own(one, row.each.stated[one]) if PLAIN & at.reader.senses([line]).keys())
    denying = (clause for line in lines for clause in at.citing[one][line] if _denies(clause))
    return any(other not in at.partners.get((one, clause.path), {}) for clause in denying)


def _side_by_side(row: Compared) -> Iterator[tuple[tuple[str, str], tuple[dict[Sense, tuple[str, ...]], ...]]]:
    reader = row.at.reader
    for one, other, left, right in side_by_side({name: row.each.stated[name] for name in row.names}, row.at):
        yield (one, other), (dict(reader.senses_of(left)), dict(reader.senses_of(right)))


def _flat(found: dict[Sense, tuple[str, ...]], senses: Set[Sense]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for sense, words in found.items() if sense in senses for word in words))
