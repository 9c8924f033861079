"""Enumeration of sub-multisets under bounds on weighted sums: `choose cards within my hand`, paid exactly.

A hand of 15 cards has thousands of subsets, and together with those of a second collection millions. The requirements
give bounds on sums of weights over the chosen pieces before any subset is listed. First, a piece that no subset within
the bounds can hold is left out. Then the subsets are listed piece by piece, in the order without bounds. For the pieces
not yet considered, all reachable sums are computed beforehand (subset sums, by dynamic programming from the end); a
prefix from which no sum within the bounds can be reached is cut off. So the work grows with the number of listed
subsets, not of all subsets. The requirements are still tested: the bounds only cut off subsets that they refuse.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from ludex.spec import types as t

MOST_SUMS = 2_000
"""The largest number of sums that are stored one by one; with more, all sums between the least and the greatest count
as reachable."""

MASKED = 500
"""Sums up to this are kept as the bits of a number, where few pieces are listed."""
FEW_PIECES = 12
"""Subsets of at most this many pieces within one bound are listed without computing the sums that can be reached."""
_KEPT, LISTS = 50, 4_000
"""Lists of so many subsets are memoized, and at most so many lists: the same few cards pay for many things."""

Extended: TypeAlias = int | float
"""A bound: a whole number or infinity."""
Bag: TypeAlias = tuple[t.Value, ...]
Take: TypeAlias = Callable[[int], None]
"""Takes units of work from a budget. Raises OverBudget."""


SumBound: TypeAlias = tuple[tuple[int, ...], Extended, Extended]
"""Bounds on a sum: the weights of the pieces, and the least and the most to which those of the chosen must add up."""
SumBounds: TypeAlias = tuple[SumBound, ...]
Left: TypeAlias = tuple[Sequence[t.Value], SumBounds]
"""The pieces that a subset may hold, and the bounds on it."""


def _unmetered(units: int) -> None:
    """Ignore the work: no budget is kept."""


def ends_of(weights: Sequence[int]) -> tuple[int, int]:
    """Compute the least and the greatest sum of any of the weights."""
    if not weights or min(weights) >= 0:
        return 0, sum(weights)
    least = sum([weight for weight in weights if weight < 0])
    return least, sum(weights) - least


def fitting(pieces: Sequence[t.Value], bounds: SumBounds) -> Left | None:
    """Drop pieces that no subset within the bounds can hold, and bounds that exclude nothing; return None if there is
    no subset.

    It repeats until nothing changes, as each dropped piece narrows the sums of the others.
    """
    tight = []
    for bound in bounds:
        weights, low, high = bound
        least, most = ends_of(weights)
        if least > high or most < low:
            return None
        if least < low or most > high:
            tight.append((bound, low - most, high - least))
    if not tight:
        return pieces, ()
    kept: Sequence[int] = range(len(pieces))
    for bound, smallest, largest in tight:  # the weights that a subset within the bound can hold
        weights = bound[0]
        kept = [at for at in kept if smallest <= weights[at] <= largest]
    if len(kept) == len(pieces):
        return pieces, tuple([bound for bound, _, _ in tight])
    left = [(tuple([bound[0][at] for at in kept]), *bound[1:]) for bound, _, _ in tight]
    return fitting(tuple([pieces[at] for at in kept]), tuple(left))


# ---- as operations of programs

FlatBounds: TypeAlias = Sequence[Any]
"""Bounds as a flat sequence: the weights, the least, the most, and so on."""


def pieces_within(pieces: Sequence[t.Value], *limits: Any) -> Sequence[t.Value] | None:
    """Select the pieces that a subset within the limits can hold; None if there is no such subset."""
    if not pieces:
        return pieces if _are_zero(limits) else None
    left = fitting(pieces, _bounds(limits))
    return None if left is None else left[0]


def parts_within(pieces: Sequence[t.Value], limits: FlatBounds, take: Take = _unmetered) -> Iterator[Bag]:
    """Enumerate all subsets within the limits, in order."""
    if not pieces:
        return iter(((),) if _are_zero(limits) else ())
    if len(limits) == 3 and len(pieces) <= FEW_PIECES:
        weights, low, high = limits
        # An equal key may hold `True` for 1, and the parts are made of the pieces of the key.
        few = listed_few if type(pieces[0]) is int else _few
        found, looked = few(tuple(pieces), tuple(weights), low, high)
        take(looked)
        return iter(found)
    left = fitting(pieces, _bounds(limits))
    return iter(()) if left is None else sub_bags(*left, take)


def _few(pieces: Bag, weights: tuple[int, ...], low: Extended, high: Extended) -> tuple[list[Bag], int]:
    """List the subsets of few pieces within one bound, in order, and count the examined prefixes.

    A prefix is examined only if some subset within the bound begins with it, as far as `_Totals` can tell.
    """
    size, found, looked = len(pieces), list[Bag](), 0
    weights = weights or (0,) * size
    allowed = _Totals(weights, low, high)
    if not allowed.has(0, 0):
        return found, 1
    is_exact, marked, least, most = allowed.is_exact, allowed.marked, allowed.least, allowed.most
    parts: list[tuple[Bag, int, int]] = [((), 0, 0)]
    while parts:
        part, total, first = parts.pop()
        looked += 1
        if low <= total <= high:
            found.append(part)
        # The parts are pushed in reverse, so that the stack gives the subsets in lexicographic order.
        for at in range(size - 1, first - 1, -1):
            # An equal piece that was passed over would begin the same subsets again.
            if at == first or pieces[at] != pieces[at - 1]:
                more = total + weights[at]
                # This is `has`: a call would take as long as the rest.
                if marked[at + 1] >> more & 1 if is_exact else least[at + 1] <= more <= most[at + 1]:
                    parts.append(((*part, pieces[at]), more, at + 1))
    return found, looked


class _Totals:
    """Reachable prefix sums: for each place, the sums of the pieces chosen before it from which a bound can be reached.

    marked: these totals as the bits of a number, if `is_exact`; otherwise `least` and `most` bound them, for weights
    that are negative or large.
    """

    def __init__(self, weights: tuple[int, ...], low: Extended, high: Extended) -> None:
        smallest, largest = ends_of(weights)
        self.is_exact = smallest == 0 and largest <= MASKED
        first, last = int(max(low, smallest)), int(min(high, largest))
        self.least, self.most = [first], [last]
        self.marked = [(1 << last + 1) - (1 << first) if self.is_exact and first <= last else 0]
        for weight in reversed(weights):
            if self.is_exact:
                self.marked.append(self.marked[-1] | self.marked[-1] >> weight)
            else:
                self.least.append(self.least[-1] - max(0, weight))
                self.most.append(self.most[-1] - min(0, weight))
        for each in (self.marked, self.least, self.most):
            each.reverse()

    def has(self, total: int, at: int) -> bool:
        """Test whether the pieces before a place may add up to the total."""
        return bool(self.marked[at] >> total & 1) if self.is_exact else self.least[at] <= total <= self.most[at]


known_lists: dict[tuple[Bag, tuple[int, ...], Extended, Extended], tuple[list[Bag], int]] = {}
"""The results of `listed_few`. It alone adds to it; generated code looks here first, which saves a call."""


def listed_few(pieces: Bag, weights: tuple[int, ...], low: Extended, high: Extended) -> tuple[list[Bag], int]:
    """List the same, memoized. The pieces are whole numbers."""
    key = pieces, weights, low, high
    known = known_lists.get(key)
    if known is None:
        known = _few(*key)
        if len(known[0]) <= _KEPT:
            if len(known_lists) >= LISTS:
                known_lists.clear()
            known_lists[key] = known
    return known


def _are_zero(limits: FlatBounds) -> bool:
    """Test whether the empty subset is within the limits."""
    for at in range(1, len(limits), 3):  # noqa: SIM110 - this takes half the time of `all`
        if not limits[at] <= 0 <= limits[at + 1]:
            return False
    return True


def _bounds(limits: FlatBounds) -> SumBounds:
    return tuple([tuple(limits[at : at + 3]) for at in range(0, len(limits), 3)])


# ---- listing


def sub_bags(pieces: Sequence[t.Value], bounds: SumBounds = (), take: Take = _unmetered) -> Iterator[Bag]:
    """Enumerate the distinct subsets, within the bounds, of sorted pieces: the empty one first, then lexicographically.

    take: is charged for each examined prefix, and for each sum that is computed beforehand.
    """
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
                # What is out of reach with this piece is out of reach with any equal one.
                at = others[at]
        elif taken:
            parts.pop()
            totals.pop()
            # The subsets with this piece are done: continue without it, and without its equals.
            at = others[taken.pop()]
        else:
            return


def _are_met(sums: Sequence[Sums], totals: Sequence[int]) -> bool:
    return all(each.low <= total <= each.high for total, each in zip(totals, sums, strict=True))


def _next_kinds(pieces: Sequence[t.Value]) -> list[int]:
    """Compute for each piece the index of the next one that is not equal to it."""
    places = [len(pieces)] * len(pieces)
    for at in range(len(pieces) - 2, -1, -1):
        places[at] = places[at + 1] if pieces[at + 1] == pieces[at] else at + 1
    return places


class Sums:
    """Table of the sums that a bound's weights can reach, by the index from which pieces may still be taken."""

    def __init__(self, bound: SumBound) -> None:
        # With negated weights that are all positive, sums above the bound can be dropped from the table.
        weights, low, high = bound
        turned = sum(weights) < 0
        self.weights = tuple([-weight for weight in weights]) if turned else weights
        self.low, self.high = (-high, -low) if turned else (low, high)
        # With negative weights a sum above the bound may still fall below it.
        most: Extended = self.high if all(weight >= 0 for weight in self.weights) else float("inf")
        self._reached: list[Sequence[int]] = [(0,)]
        for weight in reversed(self.weights):
            self._reached.append(_with(self._reached[-1], weight, most))
        self._reached.reverse()

    @property
    def size(self) -> int:
        """The number of sums that were computed."""
        return sum(map(len, self._reached))

    def within(self, total: int, at: int) -> bool:
        """Test whether pieces from an index on can bring the total within the bound."""
        reached = self._reached[at]
        first = bisect_left(reached, self.low - total)
        return first < len(reached) and reached[first] <= self.high - total


def _with(sums: Sequence[int], weight: int, most: Extended) -> Sequence[int]:
    """Merge the sums with the same sums plus the weight, sorted, up to the most that matters."""
    if weight == 0:
        return sums
    # An interval includes sums that cannot be reached. That only prunes less, as requirements are tested in any case.
    if isinstance(sums, range) or len(sums) > MOST_SUMS:
        return range(min(sums[0], sums[0] + weight), max(sums[-1], sums[-1] + weight) + 1)
    return sorted(total for total in {*sums, *[total + weight for total in sums]} if total <= most)
