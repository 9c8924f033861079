"""Pools of unknown pieces (tickets) compared with a full enumeration of all equally likely orders of the hidden pieces.

The enumeration distinguishes all pieces; the pools know only kinds and tickets. After every step both must give the
same probabilities of what a piece is, given everything seen before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from ludex.interpreter import State, Ticket
from ludex.interpreter.state.contents import DrawnTicket
from ludex.interpreter.state.pools import (
    HiddenCells,
    arranged,
    entries_of,
    make_canonical,
    normalise,
    outcomes,
    route_of,
    settle,
    shuffled,
    stays_normal,
    without,
)

from ..cases import cases
from .build import chance, engine_from

PILES = 4
BAG = PILES
TWO_PILES = """
zone one: pile of 1..9, hidden
zone two: pile of 1..9, hidden
zone table: bag of 1..9, open

setup
  piles:
    put {1, 2, 3} in one
    shuffle one
    put {1, 2} in two
    shuffle two

play
  draws:
    draw 1 from one to table
    draw 1 from two to table
"""
HIDDEN = HiddenCells(tuple(range(PILES + 1)), frozenset({BAG}))


def is_normal(state: State, hidden: HiddenCells) -> bool:
    other = state.clone()
    make_canonical(other, hidden)
    return (other.cells, other.pools) == (state.cells, state.pools)


World = tuple[tuple[int, ...], ...]
"""The place of each piece: for each cell the numbers of its pieces, a pile's top last."""


@dataclass
class Table:
    """Four hidden piles and a hidden bag, played both with tickets and as a set of weighted worlds."""

    kinds: list[int]
    state: State = field(init=False)
    worlds: dict[World, Fraction] = field(init=False)

    def __post_init__(self) -> None:
        self.state = State([tuple(self.kinds), *[()] * PILES])
        self.worlds = {(tuple(range(len(self.kinds))), *[()] * PILES): Fraction(1)}

    # ---- what can be done, in both

    def shuffle(self, cell: int) -> None:
        self.state.put(cell, shuffled(self.state, self.state.cells[cell]))
        self._branch(lambda world: [put(world, cell, order) for order in permutations(world[cell])])

    def move(self, source: int, target: int, bottom: bool) -> None:
        """Move the top of a pile, or any piece of the bag, without a look."""
        if not self.state.cells[source]:
            return
        if source == BAG:
            self.shuffle(BAG)
        entry = self.state.cells[source][-1]
        self.state.put(source, without(self.state.cells[source], entry))
        held = self.state.cells[target]
        held = (entry, *held) if bottom else (*held, entry)
        self.state.put(target, arranged(held) if target == BAG else held)
        self._branch(lambda world: [moved(world, source, target, bottom)])

    def see(self, source: int, pick: int) -> None:
        """Reveal and remove the top of a pile, or any piece of the bag; the probabilities of both must agree."""
        entries = self.state.cells[source] if source == BAG else self.state.cells[source][-1:]
        if not entries:
            return
        if source == BAG:
            self._branch(lambda world: [put(world, BAG, order) for order in permutations(world[BAG])])
        expected: defaultdict[int, Fraction] = defaultdict(Fraction)
        for world, weight in self.worlds.items():
            expected[self.kinds[world[source][-1]]] += weight
        shares: defaultdict[int, Fraction] = defaultdict(Fraction)
        ways = outcomes(self.state, entries)
        for kind, _, share in ways:
            shares[kind] += share
        assert dict(shares) == dict(expected)
        kind, via, _ = ways[pick % len(ways)]
        if via is not None:
            raise ManyWays
        route = route_of(self.state, entries, kind, via)
        assert route is not None
        out = Ticket(route[0]) if route else kind
        was_normal = is_normal(self.state, HIDDEN)
        self.state.put(source, without(self.state.cells[source], out))
        settle(self.state, route, kind)
        if (
            was_normal
            and source != BAG
            and len(route) == 1
            and stays_normal(self.state, HIDDEN, source, Ticket(*route))
        ):
            assert is_normal(self.state, HIDDEN)
        self._observe(source, kind)

    # ---- the worlds

    def _branch(self, successors: object) -> None:
        after: defaultdict[World, Fraction] = defaultdict(Fraction)
        for world, weight in self.worlds.items():
            nexts = successors(world)  # type: ignore[operator]
            for other in nexts:
                after[other] += weight / len(nexts)
        self.worlds = dict(after)

    def _observe(self, source: int, kind: int) -> None:
        after: defaultdict[World, Fraction] = defaultdict(Fraction)
        for world, weight in self.worlds.items():
            if self.kinds[world[source][-1]] == kind:
                after[put(world, source, world[source][:-1])] += weight
        whole = sum(after.values(), Fraction())
        self.worlds = {world: weight / whole for world, weight in after.items()}

    def normalise(self) -> None:
        normalise(self.state, HIDDEN)
        held = [entry for cell in self.state.cells for entry in entries_of(cell)]
        tickets = Counter(entry.pool for entry in (*held, *sum(self.state.pools, ())) if isinstance(entry, Ticket))
        assert tickets == {number: len(pool) for number, pool in enumerate(self.state.pools)}
        assert all(map(len, self.state.pools))


class ManyWays(Exception):
    """Ends the comparison: a piece of this kind may have several origins, which the worlds do not distinguish."""


def put(world: World, cell: int, pieces: tuple[int, ...]) -> World:
    return (*world[:cell], pieces, *world[cell + 1 :])


def moved(world: World, source: int, target: int, bottom: bool) -> World:
    *rest, piece = world[source]
    taken = put(world, source, tuple(rest))
    return put(taken, target, (piece, *taken[target]) if bottom else (*taken[target], piece))


def is_carried_out(table: Table, step: tuple[object, ...]) -> bool:
    """Carry out a step; return False where the comparison ends."""
    name, *arguments = step
    note(f"{name} {arguments} in {table.state.cells} {table.state.pools}")
    if name == "move" and arguments[0] == arguments[1]:
        return True
    try:
        getattr(table, str(name))(*arguments)
    except ManyWays:
        return False
    return True


cells = st.integers(0, BAG)
steps = st.one_of(
    st.tuples(st.just("shuffle"), cells),
    st.tuples(st.just("move"), cells, cells, st.booleans()),
    st.tuples(st.just("see"), cells, st.integers(0, 3)),
)


@cases(400)
@given(
    kinds=st.lists(st.integers(0, 4), min_size=1, max_size=5), program=st.lists(steps, max_size=14), tidy=st.booleans()
)
def test_probabilities_equal_those_of_full_enumeration(
    kinds: list[int], program: list[tuple[object, ...]], tidy: bool
) -> None:
    table = Table(kinds)
    for step in program:
        if not is_carried_out(table, step):
            return
        if tidy:
            table.normalise()


@cases(200)
@given(
    kinds=st.lists(st.integers(0, 2), min_size=2, max_size=5),
    program=st.lists(steps, max_size=14),
    data=st.data(),
)
def test_the_normal_form_does_not_depend_on_numbers(
    kinds: list[int], program: list[tuple[object, ...]], data: st.DataObject
) -> None:
    table = Table(kinds)
    for step in program:
        if not is_carried_out(table, step):
            return
    order = data.draw(st.permutations(range(len(table.state.pools))))
    other = renumbered(table.state, list(order))
    normalise(table.state, HIDDEN)
    normalise(other, HIDDEN)
    assert (table.state.cells, table.state.pools) == (other.cells, other.pools)
    again = other.clone()
    normalise(again, HIDDEN)
    assert (again.cells, again.pools) == (other.cells, other.pools)


def renumbered(state: State, order: list[int]) -> State:
    """Return the state with pool n renamed to order[n]."""

    def name(entry: object) -> object:
        return Ticket(order[entry.pool]) if isinstance(entry, Ticket) else entry

    held = [tuple(map(name, cell)) for cell in state.cells]
    held[BAG] = arranged(held[BAG])
    pools: list[tuple[object, ...]] = [()] * len(order)
    for number, pool in enumerate(state.pools):
        pools[order[number]] = arranged(map(name, pool))
    other = State(list(held))
    other.set_pools(pools)
    return other


# ---- by hand


ENTRIES = st.one_of(st.integers(1, 3), st.integers(0, 2).map(Ticket), st.integers(0, 2).map(DrawnTicket))


@given(st.lists(ENTRIES, max_size=12), st.randoms(use_true_random=False))
def test_entries_have_one_order_pieces_first(held: list[int | Ticket], rng: Random) -> None:
    once = arranged(held)
    assert Counter(once) == Counter(held)
    number = sum(isinstance(each, int) for each in held)
    assert [*once[:number]] == sorted(each for each in held if isinstance(each, int))
    tickets = [each.pool for each in once[number:] if isinstance(each, Ticket)]
    assert tickets == sorted(tickets)
    rng.shuffle(held)
    assert arranged(held) == once


def test_a_pool_that_is_merged_into_another_is_removed() -> None:
    state = State([(1, 2), (3,), (), (), ()])
    state.put(0, shuffled(state, state.cells[0]))
    state.put(1, shuffled(state, state.cells[0] + state.cells[1]))
    state.put(0, ())
    normalise(state, HIDDEN)
    assert state.cells[1] == (Ticket(0),) * 3
    assert state.pools == ((1, 2, 3),)


def test_shuffling_a_shuffled_pile_changes_nothing() -> None:
    state = State([(1, 2, 2), (), (), (), ()])
    state.put(0, shuffled(state, state.cells[0]))
    before = state.clone()
    state.put(0, shuffled(state, state.cells[0]))
    normalise(state, HIDDEN)
    assert (state.cells, state.pools) == (before.cells, before.pools)


def test_cards_of_a_deck_may_be_shuffled_into_another() -> None:
    """The case is Boreal's stack: three of eight archive cards, unseen, and the locations."""
    state = State([tuple(range(8)), tuple(range(10, 15)), (), (), ()])
    archive = shuffled(state, state.cells[0])
    state.put(0, archive[3:])
    state.put(1, shuffled(state, archive[:3] + state.cells[1]))
    normalise(state, HIDDEN)
    chances = {kind: share for kind, _, share in outcomes(state, state.cells[1][-1:])}
    assert chances == {**dict.fromkeys(range(8), Fraction(3, 64)), **dict.fromkeys(range(10, 15), Fraction(1, 8))}
    route = route_of(state, state.cells[1][-1:], 5, None)
    assert route is not None
    settle(state, route, 5)
    state.put(1, state.cells[1][:-1])
    normalise(state, HIDDEN)
    chances = {kind: share for kind, _, share in outcomes(state, state.cells[0][-1:])}
    assert chances == dict.fromkeys((0, 1, 2, 3, 4, 6, 7), Fraction(1, 7))


TWO_TYPES = """
zone lots: pile of Bool, hidden
zone seats_drawn: pile of Player, hidden
zone yes: bag of Bool, open
zone who: bag of Player, open

setup
  lots:
    put {false, true, true} in lots
    shuffle lots
  people:
    put {seat(1), seat(2), seat(2)} in seats_drawn
    shuffle seats_drawn

play
  lot: draw 1 from lots to yes
  one: draw 1 from seats_drawn to who
"""


def test_pieces_of_two_types_are_distinguished_if_python_takes_them_as_equal() -> None:
    engine = engine_from(TWO_TYPES)
    lots = engine.start()
    people = engine.apply(lots, chance(engine, lots, True))
    for state, kinds in ((lots, [False, True]), (people, [0, 1])):
        drawn = [event.outcome for event, _ in engine.chance(state)]
        assert drawn == kinds
        assert list(map(type, drawn)) == list(map(type, kinds))


def test_pieces_of_one_kind_with_two_origins_are_distinguished() -> None:
    """A red and a black card are hidden; one of them and an open red card are shuffled together."""
    state = State([(0, 1), (), (), (), ()])
    first = shuffled(state, state.cells[0])
    state.put(0, first[:1])
    state.put(1, shuffled(state, (first[1], 0)))
    normalise(state, HIDDEN)
    top = state.cells[1][-1:]
    assert outcomes(state, top) == [
        (0, (1,), Fraction(1, 2)),
        (0, (1, 0), Fraction(1, 4)),
        (1, None, Fraction(1, 4)),
    ]
    assert route_of(state, top, 0, None) is None, "the event must say which red card"
    assert route_of(state, top, 0, (1,)) == (1,)
    assert route_of(state, top, 1, None) == (1, 0)
    assert route_of(state, top, 1, (1, 0)) is None, "with one origin the event must not name it"
    direct, nested = state.clone(), state.clone()
    for after, way in ((direct, (1,)), (nested, (1, 0))):
        settle(after, way, 0)
        after.put(1, after.cells[1][:-1])
        normalise(after, HIDDEN)
    assert {kind: share for kind, _, share in outcomes(direct, direct.cells[0])} == {
        0: Fraction(1, 2),
        1: Fraction(1, 2),
    }
    assert {kind: share for kind, _, share in outcomes(nested, nested.cells[0])} == {1: 1}


@pytest.mark.parametrize("kinds", ((1, 1, 1), (2, 2)))
def test_equal_pieces_are_drawn_by_events(kinds: tuple[int, ...]) -> None:
    """Whether a draw is an event must not depend on the pieces that are left."""
    state = State([kinds, (), (), (), ()])
    state.put(0, shuffled(state, kinds))
    normalise(state, HIDDEN)
    assert isinstance(state.cells[0][-1], Ticket)
    assert outcomes(state, state.cells[0][-1:]) == [(kinds[0], None, Fraction(1))]


def test_renumbering_pools_keeps_known_pieces_in_hidden_places() -> None:
    state = State([5, (Ticket(1),), (Ticket(0),)])
    state.set_pools(((1,), (2,)))
    normalise(state, HiddenCells((0, 1, 2), frozenset()))
    assert state.cells == [5, (Ticket(0),), (Ticket(1),)]
    assert state.pools == ((2,), (1,))


BAG_FIRST = HiddenCells((BAG, 0, 1, 2, 3), frozenset({BAG}))
MOVED_ON = {
    "the pool has tickets only": (
        HIDDEN,
        [(Ticket(0),) * 3, (Ticket(1),), (), (), ()],
        ((1, Ticket(1), Ticket(1)), (5, 6, 7)),
        (Ticket(1), Ticket(1)),
    ),
    "a bag mentions the pool": (
        BAG_FIRST,
        [(Ticket(0),) * 2, (Ticket(1),), (), (), (Ticket(0), Ticket(1))],
        ((1, 2, 9), (1, 3)),
        (2, 9),
    ),
    "another pool mentions the pool": (
        HIDDEN,
        [(Ticket(0),) * 2, (Ticket(1),), (), (), (Ticket(2), Ticket(2), Ticket(3), Ticket(3))],
        ((1, 2, 9), (1, 3), (8, Ticket(0)), (8, Ticket(1))),
        (2, 9),
    ),
}
"""Draws of piece 1 from the first pile that change the normal form, by reason: the cells and pools before, and the rest
of the pool.
"""


@pytest.mark.parametrize("why", MOVED_ON)
def test_a_draw_that_changes_the_normal_form_is_found(why: str) -> None:
    hidden, cells, pools, left = MOVED_ON[why]
    state = State(list(cells))
    state.set_pools(pools)
    assert is_normal(state, hidden)
    settle(state, (0,), 1)
    state.put(0, state.cells[0][:-1])
    assert state.pools[0] == left
    assert not is_normal(state, hidden)
    assert not stays_normal(state, hidden, 0, Ticket(0))


def test_a_draw_from_pools_out_of_normal_form_gives_normal_form() -> None:
    engine = engine_from(TWO_PILES)
    state = engine.start()
    data = engine.state_to_json(state)
    (ones, twos, table), pools = data["cells"], data["pools"]
    other = engine.state_from_json(
        data | {"cells": [twos[:1] * len(ones), ones[:1] * len(twos), table], "pools": pools[::-1]}
    )
    assert other != state, "the state that is read must have other pool numbers"
    (event, _), *_ = engine.chance(state)
    assert engine.apply(other, event) == engine.apply(state, event)
