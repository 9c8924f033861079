"""Bounds on parts of collections, told by requirements before a part is listed (see `parts.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ludex.spec import model as m
from ludex.spec import types as t

from .estimate import Estimates, Wholes, together
from .evaluate import UNDECIDED, Expressions, Fn, Slots, order_of
from .parts import Bag, Left, Take, fitting, sub_bags
from .state import State
from .walk import free_slots

FEW = 2
"""Of no more pieces than these all parts are listed: fewer than it is worth to ask what they must come to."""


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
