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
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from .estimate import Bound, Bounds, Estimates, Number, Wholes, ends_of, together
from .evaluate import UNDECIDED, Expressions, Fn, Slots, order_of
from .state import State
from .walk import free_slots

MOST_SUMS = 2_000
"""More sums than these are not kept apart; all between the least and the greatest then count as reached."""
FEW = 2
"""Of no more pieces than these all parts are listed: fewer than it is worth to ask what they must come to."""

Bag: TypeAlias = tuple[t.Value, ...]
Take: TypeAlias = Callable[[int], None]
"""Takes units of work from a budget. Raises OverBudget."""


def _unmetered(units: int) -> None:
    """Work that nobody counts."""


def pieces_of(x: Expressions, choice: m.Choice, path: str) -> Fn:
    """What a part may consist of, in value order: a part of a list is a bag."""
    items = x.items(choice.domain, path)
    if not isinstance(choice.domain.type, t.ListOf):
        return items
    put_in_order = order_of(choice.domain.type.of)
    return lambda s, f: put_in_order(items(s, f))


def part_lists(
    x: Expressions, choices: Sequence[m.Choice], requirements: Sequence[m.Requirement], path: str
) -> dict[int, Callable[[State, Slots], Iterator[Bag]]]:
    """For each choice of a part, by its slot, what lists the parts that can be chosen once the choices before it are
    bound: all that the requirements allow, and perhaps others."""
    outlooks: dict[frozenset[int], Outlook] = {}
    lists: dict[int, Callable[[State, Slots], Iterator[Bag]]] = {}
    for at, choice in enumerate(choices):
        if choice.within:
            unknown = frozenset(each.slot for place, each in enumerate(choices) if each.within or place > at)
            if unknown not in outlooks:
                outlooks[unknown] = Outlook(x, choices, unknown, requirements, path)
            lists[choice.slot] = Listing(x, choices, at, outlooks[unknown], requirements, path).parts
    return lists


# ---- what the requirements leave of each collection

Left: TypeAlias = tuple[Sequence[t.Value], Bounds]
"""The pieces that a part can hold, and what they must come to."""


class Outlook:
    """What can be told of the parts of a decision while none of them is chosen, nor any other choice in `unknown`.

    parts: those choices that take a part of what is known by then. The state keeps what was found until it changes."""

    def __init__(
        self,
        x: Expressions,
        choices: Sequence[m.Choice],
        unknown: frozenset[int],
        requirements: Sequence[m.Requirement],
        path: str,
    ) -> None:
        self.parts = [each for each in choices if each.within and not free_slots(each.domain) & unknown]
        self.unknown = unknown
        places = {each.slot: place for place, each in enumerate(self.parts)}
        self._pieces = [pieces_of(x, each, path) for each in self.parts]
        self._said = [
            list(
                map(
                    Estimates(x, {**dict.fromkeys(unknown), **places}, place, path).requirement,
                    _about(each, requirements),
                )
            )
            for place, each in enumerate(self.parts)
        ]
        read = [*(each.domain for each in self.parts), *requirements]
        self.reads = free_slots(*read) - unknown
        self.keeps = not x.may_hang(*read)
        self._key = sorted(self.reads)

    def left(self, place: int, state: State, slots: Slots) -> Sequence[t.Value] | None:
        """The pieces that a part can hold; None if it cannot be chosen. An undecided expression may raise."""
        if not self.keeps:
            return self._left(place, state, slots)
        key = (self, place, *[slots[slot] for slot in self._key])
        if key not in state.known:
            state.known[key] = self._left(place, state, slots)
        found: Sequence[t.Value] | None = state.known[key]
        return found

    def _left(self, place: int, state: State, slots: Slots) -> Sequence[t.Value] | None:
        wholes = [_if_decided(pieces, state, slots) for pieces in self._pieces]
        held = wholes[place] = tuple(self._pieces[place](state, slots))
        said = together(self._said[place], state, slots, wholes)
        found = None if said is None else fitting(held, said)
        return None if found is None else found[0]


class Listing:
    """Lists the part that one of the choices takes, when those before it are bound.

    It looks ahead: a later part that cannot be chosen makes this one vain, and what a later one cannot hold pays for
    nothing. What the requirements say is the same for all parts chosen before, unless they speak of those, too."""

    def __init__(
        self,
        x: Expressions,
        choices: Sequence[m.Choice],
        at: int,
        outlook: Outlook,
        requirements: Sequence[m.Requirement],
        path: str,
    ) -> None:
        choice, slots = choices[at], frozenset(each.slot for each in choices[at:])
        self._outlook, self._pieces = outlook, pieces_of(x, choice, path)
        meter, span = x.meter, choice.domain.span
        self._take: Take = lambda units: meter.take(units, path, span)
        self._later = [place for place, each in enumerate(outlook.parts) if each in choices[at + 1 :]]
        self._is_foreseen = choice in outlook.parts
        self._own = outlook.parts.index(choice) if self._is_foreseen else len(outlook.parts)
        unknown = {**dict.fromkeys(slots), choice.slot: self._own}
        unknown |= {outlook.parts[place].slot: place for place in self._later}
        about, bound = _about(choice, requirements), frozenset(each.slot for each in choices[:at] if each.within)
        estimate = Estimates(x, unknown, self._own, path).requirement
        self._settled = [estimate(each) for each in about if not free_slots(each) & bound]
        self._hanging = [estimate(each) for each in about if free_slots(each) & bound]
        self._keeps = outlook.keeps and not x.may_hang(choice.domain)
        self._key = sorted((outlook.reads | free_slots(choice.domain)) - slots)

    def parts(self, state: State, slots: Slots) -> Iterator[Bag]:
        """All parts that the requirements allow, and perhaps others, in order."""
        pieces = tuple(self._pieces(state, slots))
        if len(pieces) <= FEW:
            return sub_bags(pieces, (), self._take)
        left = self._left(pieces, state, slots)
        if left is None:
            return iter(())
        if not self._hanging or len(left[0]) <= FEW:
            return sub_bags(*left, self._take)
        wholes = self._wholes(left[0], state, slots)
        more = None if wholes is None else together(self._hanging, state, slots, wholes)
        found = None if more is None else fitting(left[0], left[1] + more)
        return iter(()) if found is None else sub_bags(*found, self._take)

    def _left(self, pieces: Bag, state: State, slots: Slots) -> Left | None:
        """What all but the hanging requirements leave."""
        if not self._keeps:
            return self._narrowed(pieces, state, slots)
        key = (self, *[slots[slot] for slot in self._key])
        if key not in state.known:
            state.known[key] = self._narrowed(pieces, state, slots)
        found: Left | None = state.known[key]
        return found

    def _narrowed(self, pieces: Bag, state: State, slots: Slots) -> Left | None:
        held = self._outlook.left(self._own, state, slots) if self._is_foreseen else pieces
        wholes = None if held is None else self._wholes(held, state, slots)
        if held is None or wholes is None:
            return None
        said = together(self._settled, state, slots, wholes)
        return None if said is None else fitting(held, said)

    def _wholes(self, pieces: Sequence[t.Value], state: State, slots: Slots) -> Wholes | None:
        """What each part may consist of that is still open; None if a later one cannot be chosen."""
        wholes: list[Sequence[t.Value] | None] = [None] * (len(self._outlook.parts) + 1)
        wholes[self._own] = pieces
        for place in self._later:
            try:
                wholes[place] = self._outlook.left(place, state, slots)
            except UNDECIDED:
                continue
            if wholes[place] is None:
                return None
        return wholes


def _if_decided(pieces: Fn, state: State, slots: Slots) -> Bag | None:
    try:
        return tuple(pieces(state, slots))
    except UNDECIDED:
        return None


def _about(choice: m.Choice, requirements: Sequence[m.Requirement]) -> list[m.Requirement]:
    return [each for each in requirements if choice.slot in free_slots(each)]


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
