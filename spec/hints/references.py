"""Phases and pages: a letter or a number by which two texts point to different things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from .hint import Hint, listed
from .passages import Agreed, Passages
from .reading import Line, places

_LOOKS: Mapping[str, str] = {"а": "a", "с": "c", "е": "e"}
"""Cyrillic letters that no reader tells from Latin ones."""
SHOWN = 3
"""So many of the lines with a letter are shown."""


def phase_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """Clauses beside which two texts name phases by letters, and none in common."""
    for each in found:
        named = {
            name: phases
            for name, clause in each.stated.items()
            if at.is_direct(name, clause) and (phases := at.reader.phases(at.own(name, clause)))
        }
        for one, other in combinations(named, 2):
            if not any(places(a) & places(b) for a in named[one] for b in named[other]):
                words = {name: _flat(named.get(name, {})) for name in each.stated}
                why = f"the lines of {one} name another phase than those of {other}"
                yield Hint("phase", each.clause, (one, other), each.spans, words, why)
                break


def lettering_hints(at: Passages) -> Iterator[Hint]:
    """Phases that one text names by two letters: *Фаза Б* and *Фазы B*. Letters that look alike are one."""
    for edition, citing in at.citing.items():
        where: dict[str, list[Line]] = {}
        for line in sorted(citing):
            for letter in at.reader.phases([line]):
                where.setdefault(_LOOKS.get(letter, letter), []).append(line)
        for one, other in combinations(where, 2):
            if len(places(one)) == 1 and places(one) == places(other):
                rare, common = sorted((one, other), key=lambda letter: len(where[letter]))
                yield _lettered(edition, where[rare], where[common], at)


def _lettered(edition: str, rare: Sequence[Line], common: Sequence[Line], at: Passages) -> Hint:
    shown = sorted({*rare[:SHOWN], *common[:SHOWN]})
    spans = tuple((document, number, number) for document, number in shown)
    words = dict.fromkeys(word for line in shown for word in _flat(at.reader.phases([line])))
    count = f"{len(common)} against {len(rare)}"
    why = f"the text of {edition} names one phase by two letters, in {count} of the lines that are cited"
    clause = at.citing[edition][rare[0]][0].path
    return Hint("phase", clause, (edition,), {edition: spans}, {edition: tuple(words)}, why)


def page_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """Pages to which two texts point beside one clause, in an order that most other such pairs contradict: of two books
    with the same chapters, what comes later in one comes later in the other."""
    pairs: dict[tuple[str, str], list[tuple[int, int, Agreed]]] = {}
    for each in found:
        pages = _single_pages(each, at)
        for one, other in combinations(pages, 2):
            pairs.setdefault((one, other), []).append((pages[one], pages[other], each))
    for editions, pointers in pairs.items():
        for left, right, each in pointers:
            against = sum((a - left) * (b - right) < 0 for a, b, _ in pointers)
            if against * 2 > len(pointers) - 1:
                words = {name: _flat(at.reader.pages(at.own(name, clause))) for name, clause in each.stated.items()}
                why = f"{listed(editions)} point to pages {left} and {right}; their other pointers contradict that"
                yield Hint("page", each.clause, editions, each.spans, words, why)


def _single_pages(each: Agreed, at: Passages) -> dict[str, int]:
    """The page to which each edition points, if it is one."""
    direct = {name: clause for name, clause in each.stated.items() if at.is_direct(name, clause)}
    pages = {name: tuple(at.reader.pages(at.own(name, clause))) for name, clause in direct.items()}
    return {name: these[0] for name, these in pages.items() if len(these) == 1}


def _flat(found: Mapping[str, tuple[str, ...]] | Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(word for words in found.values() for word in words)
