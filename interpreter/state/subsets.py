"""Parts of a collection, listed by what they must come to: `choose cards within my hand`, paid exactly.

A hand of 15 cards has thousands of parts, and times the parts of a second collection millions. What the requirements
say of a part is known as bounds on sums of weights over its pieces before it is listed. A piece that no part within the
bounds can hold is left out at once. Then the parts are listed piece by piece, as they would be without bounds; of what
still lies behind, all sums that can be reached are known beforehand (subset sums, by dynamic programming from the end),
and a beginning from which no sum within the bounds can be reached is not gone on with. So the work grows with the parts
that are found, and not with those that there are. The requirements are tested all the same: bounds only leave out what
they refuse.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from ludex.spec import types as t

MOST_SUMS = 2_000
"""More sums than these are not kept apart; all between the least and the greatest then count as reached."""

Number: TypeAlias = int | float
"""A bound: a whole number, or infinite."""
Bag: TypeAlias = tuple[t.Value, ...]
Take: TypeAlias = Callable[[int], None]
"""Takes units of work from a budget. Raises OverBudget."""


class Bound(NamedTuple):
    """The weights of the pieces taken must come to something from low to high."""

    weights: tuple[int, ...]
    low: Number
    high: Number


Bounds: TypeAlias = tuple[Bound, ...]
Left: TypeAlias = tuple[Sequence[t.Value], Bounds]
"""The pieces that a part can hold, and what they must come to."""


def _unmetered(units: int) -> None:
    """Work that nobody counts."""


def ends_of(weights: Sequence[int]) -> tuple[int, int]:
    """The least and the most that some of the weights come to."""
    if not weights or min(weights) >= 0:
        return 0, sum(weights)
    least = sum([weight for weight in weights if weight < 0])
    return least, sum(weights) - least


def fitting(pieces: Sequence[t.Value], bounds: Bounds) -> Left | None:
    """The pieces that a part within the bounds can hold, and the bounds that still rule something out; None if there is
    no such part."""
    tight = []
    for bound in bounds:
        least, most = ends_of(bound.weights)
        if least > bound.high or most < bound.low:
            return None
        if least < bound.low or most > bound.high:
            tight.append((bound, least, most))
    if not tight:
        return pieces, ()
    kept = [at for at in range(len(pieces)) if all(_fits(at, *each) for each in tight)]
    if len(kept) == len(pieces):
        return pieces, tuple([bound for bound, _, _ in tight])
    left = [Bound(tuple([bound.weights[at] for at in kept]), bound.low, bound.high) for bound, _, _ in tight]
    return fitting(tuple([pieces[at] for at in kept]), tuple(left))


def _fits(at: int, bound: Bound, least: int, most: int) -> bool:
    """Whether a part within the bound can hold the piece. least, most: what all pieces can come to."""
    weight = bound.weights[at]
    return least + weight <= bound.high if weight > 0 else most + weight >= bound.low


# ---- as operations of programs

Limits: TypeAlias = Sequence[Any]
"""Bounds one after another: the weights, the least, the most."""


def pieces_within(pieces: Sequence[t.Value], *limits: Any) -> Sequence[t.Value] | None:
    """The pieces that a part within the limits can hold; None if there is no such part."""
    if not pieces:
        return pieces if _are_zero(limits) else None
    found = fitting(pieces, _bounds(limits))
    return None if found is None else found[0]


def parts_within(pieces: Sequence[t.Value], limits: Limits, take: Take = _unmetered) -> Iterator[Bag]:
    """All parts within the limits, in order."""
    if not pieces:
        return iter(((),) if _are_zero(limits) else ())
    found = fitting(pieces, _bounds(limits))
    return iter(()) if found is None else sub_bags(*found, take)


def _are_zero(limits: Limits) -> bool:
    """Whether nothing at all keeps the limits."""
    for at in range(1, len(limits), 3):  # noqa: SIM110 - this takes half the time of `all`
        if not limits[at] <= 0 <= limits[at + 1]:
            return False
    return True


def _bounds(limits: Limits) -> Bounds:
    return tuple([Bound(*limits[at : at + 3]) for at in range(0, len(limits), 3)])


# ---- listing


def sub_bags(pieces: Sequence[t.Value], bounds: Bounds = (), take: Take = _unmetered) -> Iterator[Bag]:
    """All parts, within the bounds, of pieces that stand in order, each once: the empty one first, then as in a
    dictionary. take: counts each beginning that is looked at, and each sum that is worked out beforehand."""
    if not pieces and not bounds:
        return iter(((),))
    sums = []
    for bound in bounds:
        sums.append(Sums(bound))
        take(sums[-1].size)
    return _listed(pieces, sums, take)


def _listed(pieces: Sequence[t.Value], sums: Sequence[Sums], take: Take) -> Iterator[Bag]:
    if not all(each.within(0, 0) for each in sums):
        return
    parts: list[Bag] = [()]
    totals: list[tuple[int, ...]] = [(0,) * len(sums)]
    taken: list[int] = []
    others = _next_kinds(pieces)
    if _are_met(sums, totals[-1]):
        yield ()
    at = 0
    while True:
        take(1)
        if at < len(pieces):
            total = tuple([had + each.weights[at] for had, each in zip(totals[-1], sums, strict=True)])
            if all(each.within(had, at + 1) for had, each in zip(total, sums, strict=True)):
                parts.append((*parts[-1], pieces[at]))
                totals.append(total)
                taken.append(at)
                if _are_met(sums, total):
                    yield parts[-1]
                at += 1
            else:
                at = others[at]
        elif taken:
            parts.pop()
            totals.pop()
            at = others[taken.pop()]
        else:
            return


def _are_met(sums: Sequence[Sums], totals: Sequence[int]) -> bool:
    return all(each.low <= total <= each.high for total, each in zip(totals, sums, strict=True))


def _next_kinds(pieces: Sequence[t.Value]) -> list[int]:
    """For each piece the place of the next that is not equal to it."""
    places = [len(pieces)] * len(pieces)
    for at in range(len(pieces) - 2, -1, -1):
        places[at] = places[at + 1] if pieces[at + 1] == pieces[at] else at + 1
    return places


class Sums:
    """The sums that a bound's weights can reach, by the place from which on pieces may still be taken."""

    def __init__(self, bound: Bound) -> None:
        turned = sum(bound.weights) < 0
        self.weights = tuple([-weight for weight in bound.weights]) if turned else bound.weights
        self.low, self.high = (-bound.high, -bound.low) if turned else (bound.low, bound.high)
        most: Number = self.high if all(weight >= 0 for weight in self.weights) else float("inf")
        self._reached: list[Sequence[int]] = [(0,)]
        for weight in reversed(self.weights):
            self._reached.append(_with(self._reached[-1], weight, most))
        self._reached.reverse()

    @property
    def size(self) -> int:
        """How many sums were worked out."""
        return sum(map(len, self._reached))

    def within(self, total: int, at: int) -> bool:
        """Whether pieces from a place on can bring the total into the bounds."""
        reached = self._reached[at]
        first = bisect_left(reached, self.low - total)
        return first < len(reached) and reached[first] <= self.high - total


def _with(sums: Sequence[int], weight: int, most: Number) -> Sequence[int]:
    """The sums and those with the weight added, in order, up to the most that matters."""
    if weight == 0:
        return sums
    if isinstance(sums, range) or len(sums) > MOST_SUMS:
        return range(min(sums[0], sums[0] + weight), max(sums[-1], sums[-1] + weight) + 1)
    return sorted(total for total in {*sums, *[total + weight for total in sums]} if total <= most)
