"""Phases and pages: a letter or a number by which two texts point to different things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from .hint import Hint, listed
from .passages import Agreed, Passages


def phase_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """Clauses beside which two texts name phases by letters, and none in common."""
    for each in found:
        named = {
            name: phases
            for name, clause in each.stated.items()
            if at.is_direct(name, clause) and (phases := at.reader.phases(at.own(name, clause)))
        }
        for one, other in combinations(named, 2):
            if not any(a & b for a in named[one] for b in named[other]):
                words = {name: _flat(named.get(name, {})) for name in each.stated}
                why = f"the lines of {one} name another phase than those of {other}"
                yield Hint("phase", each.clause, (one, other), each.spans, words, why)
                break


def page_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """Pages to which two texts point beside one clause, in an order that most other such pairs contradict: of two books
    with the same chapters, what comes later in one comes later in the other."""
    pairs: dict[tuple[str, str], list[tuple[int, int, Agreed]]] = {}
    for each in found:
        pages = _single_pages(each, at)
        for one, other in combinations(pages, 2):
            pairs.setdefault((one, other), []).append((pages[one], pages[other], each))
    for editions, places in pairs.items():
        for left, right, each in places:
            against = sum((a - left) * (b - right) < 0 for a, b, _ in places)
            if against * 2 > len(places) - 1:
                words = {name: _flat(at.reader.pages(at.own(name, clause))) for name, clause in each.stated.items()}
                why = f"{listed(editions)} point to pages {left} and {right}; their other pointers contradict that"
                yield Hint("page", each.clause, editions, each.spans, words, why)


def _single_pages(each: Agreed, at: Passages) -> dict[str, int]:
    """The page to which each edition points, if it is one."""
    direct = {name: clause for name, clause in each.stated.items() if at.is_direct(name, clause)}
    pages = {name: tuple(at.reader.pages(at.own(name, clause))) for name, clause in direct.items()}
    return {name: these[0] for name, these in pages.items() if len(these) == 1}


def _flat(found: Mapping[frozenset[int], tuple[str, ...]] | Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(word for words in found.values() for word in words)
