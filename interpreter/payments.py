"""Parts of collections, listed by what they must come to: `choose cards within my hand`, paid exactly.

A hand of 15 cards has thousands of parts, and times the parts of a second collection millions. What the requirements
say of a part is known as bounds on sums of weights over its pieces (`estimate.py`) before it is listed. A piece that no
part within the bounds can hold is left out at once. Then the parts are listed piece by piece, as they would be without
bounds; of what still lies behind, all sums that can be reached are known beforehand (subset sums, by dynamic
programming from the end), and a beginning from which no sum within the bounds can be reached is not gone on with. So
the work grows with the parts that are found, and not with those that there are. The requirements are tested all the
same: bounds only leave out what they refuse.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .estimate import Bound, Bounds, Estimates, Number, OfCondition, Wholes, ends_of
from .evaluate import UNDECIDED, Expressions, Fn, Slots, order_of
from .state import State
from .walk import free_slots

MOST_SUMS = 2_000
"""More sums than these are not kept apart; all between the least and the greatest then count as reached."""
FEW = 2
"""Of no more pieces than these all parts are listed: fewer than it is worth to ask what they must come to."""

Bag: TypeAlias = tuple[t.Value, ...]


def pieces_of(x: Expressions, choice: m.Choice, path: str) -> Fn:
    """What a part may consist of, in value order: a part of a list is a bag."""
    items = x.items(choice.domain, path)
    if not isinstance(choice.domain.type, t.ListOf):
        return items
    put_in_order = order_of(choice.domain.type.of)
    return lambda s, f: put_in_order(items(s, f))


def parts_of(
    x: Expressions, choices: Sequence[m.Choice], at: int, requirements: Sequence[m.Requirement], path: str
) -> Callable[[State, Slots], Iterator[Bag]]:
    """Lists the parts that can be chosen at a place among the choices, those before being bound: all that the
    requirements allow, and perhaps others."""
    earlier = frozenset(choice.slot for choice in choices[:at] if choice.within)
    return Listing(x, choices[at:], earlier, requirements, path).parts


# ---- what the requirements leave of each collection


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part that is not chosen yet: what it may consist of, and what the requirements say of it that speak of no part
    chosen before."""

    pieces: Fn
    requirements: tuple[OfCondition, ...]


Left: TypeAlias = tuple[tuple[Sequence[t.Value], ...], Bounds]
"""Of each open part the pieces that it can hold, and what those of the first must come to."""


class Listing:
    """Lists the part that the first of some choices takes.

    What the requirements say of the open parts is the same for all parts chosen before, unless they speak of those; so
    it is worked out once, and the state keeps it until it changes."""

    def __init__(
        self,
        x: Expressions,
        choices: Sequence[m.Choice],
        earlier: frozenset[int],
        requirements: Sequence[m.Requirement],
        path: str,
    ) -> None:
        """choices: the first, and those behind it. earlier: the slots of the parts chosen before."""
        slots = frozenset(choice.slot for choice in choices)
        parts = [choice for choice in choices if choice.within and not free_slots(choice.domain) & slots]
        unknown: dict[int, int | None] = dict.fromkeys(slots)
        unknown |= {choice.slot: place for place, choice in enumerate(parts)}
        settled = [each for each in requirements if not free_slots(each) & earlier]
        self._open = []
        for place, choice in enumerate(parts):
            estimates = Estimates(x, unknown, place, path)
            about = (each for each in settled if choice.slot in free_slots(each))
            self._open.append(OpenPart(pieces_of(x, choice, path), tuple(map(estimates.requirement, about))))
        about_earlier = [each for each in requirements if free_slots(each) & earlier]
        estimates = Estimates(x, unknown, 0, path)
        self._fresh = [estimates.requirement(each) for each in about_earlier if choices[0].slot in free_slots(each)]
        domains = [choice.domain for choice in parts]
        self._reads = sorted(free_slots(*domains, *settled) - slots)
        self._keeps = not x.may_hang(*domains, *settled)
        self._bounded = bool(self._fresh) or any(part.requirements for part in self._open)

    def parts(self, state: State, slots: Slots) -> Iterator[Bag]:
        """All parts that the requirements allow, and perhaps others, in order."""
        if not self._bounded:
            return sub_bags(tuple(self._open[0].pieces(state, slots)))
        left = self._left(state, slots)
        if left is None:
            return iter(())
        wholes, bounds = left
        if self._fresh and len(wholes[0]) > FEW:
            more = _said(self._fresh, state, slots, wholes)
            if more is None:
                return iter(())
            found = fitting(wholes[0], bounds + more)
            return iter(()) if found is None else sub_bags(*found)
        return sub_bags(wholes[0], bounds)

    def _left(self, state: State, slots: Slots) -> Left | None:
        if not self._keeps:
            return self._narrowed(state, slots)
        key = (self, *[slots[slot] for slot in self._reads])
        if key not in state.known:
            state.known[key] = self._narrowed(state, slots)
        found: Left | None = state.known[key]
        return found

    def _narrowed(self, state: State, slots: Slots) -> Left | None:
        """What can be in each open part; None if one of them cannot be chosen. The later ones are looked at first: what
        they cannot hold pays for nothing."""
        pieces = tuple(self._open[0].pieces(state, slots))
        try:
            wholes: list[Sequence[t.Value]] = [pieces, *[tuple(part.pieces(state, slots)) for part in self._open[1:]]]
        except UNDECIDED:
            return (pieces,), ()
        bounds: Bounds = ()
        for place in reversed(range(len(wholes))):
            said = _said(self._open[place].requirements, state, slots, wholes)
            found = None if said is None else fitting(wholes[place], said)
            if found is None:
                return None
            wholes[place], bounds = found
        return tuple(wholes), bounds


def _said(requirements: Iterable[OfCondition], state: State, slots: Slots, wholes: Wholes) -> Bounds | None:
    """What some requirements say together."""
    bounds: Bounds = ()
    for requirement in requirements:
        said = requirement(state, slots, wholes)
        if said is None:
            return None
        bounds += said
    return bounds


def fitting(pieces: Sequence[t.Value], bounds: Bounds) -> tuple[Sequence[t.Value], Bounds] | None:
    """The pieces that a part within the bounds can hold, and the bounds that still rule something out; None if there is
    no such part."""
    if not bounds:
        return pieces, ()
    ends = [(bound, *ends_of(bound.weights)) for bound in bounds]
    kept = [
        at
        for at in range(len(pieces))
        if all(
            least + max(bound.weights[at], 0) <= bound.high and most + min(bound.weights[at], 0) >= bound.low
            for bound, least, most in ends
        )
    ]
    left: list[Bound] = []
    for bound in bounds:
        weights = tuple([bound.weights[at] for at in kept])
        least, most = ends_of(weights)
        if least > bound.high or most < bound.low:
            return None
        if least < bound.low or most > bound.high:
            left.append(Bound(weights, bound.low, bound.high))
    return tuple([pieces[at] for at in kept]), tuple(left)


# ---- listing


def sub_bags(pieces: Sequence[t.Value], bounds: Bounds = ()) -> Iterator[Bag]:
    """All parts, within the bounds, of pieces that stand in order, each once: the empty one first, then as in a
    dictionary."""
    if not pieces and not bounds:
        return iter(((),))
    return _listed(pieces, [Sums(bound) for bound in bounds])


def _listed(pieces: Sequence[t.Value], sums: Sequence[Sums]) -> Iterator[Bag]:
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
