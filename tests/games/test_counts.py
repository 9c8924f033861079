"""Counts and probabilities that are known from other sources: perft of many games, all plays of tic-tac-toe and Kuhn
poker, probabilities in Pig.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from ludex.interpreter import Awaits, ChanceEvent, Engine, Move, State, leaf_counts
from ludex.spec import load

from ..tiers import options_of
from .plays import Table, engine_of

# ---- ways to play ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """The number of ways to play 1, 2, 3, ... steps.

    Attributes:
        tested: the depth tested by every run, in a second or two; a long run tests all rows.
        by_turn: whether a step is a turn.
    """

    game: str
    tested: int
    leaves: tuple[int, ...]
    by_turn: bool = False
    options: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])


KNOWN = (
    Known("tic_tac_toe", 10, (9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0)),
    Known("connect_four", 6, (7, 49, 343, 2_401, 16_807, 117_649, 823_536)),
    Known("breakthrough", 3, (22, 484, 11_132, 256_036)),
    Known("breakthrough", 4, (16, 256, 4_308, 71_478, 1_248_290), options={"size": 6}),
    Known("othello", 5, (4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216)),
    Known("english_draughts", 4, (7, 49, 302, 1_469, 7_361, 36_768, 179_740), by_turn=True),
    Known("nine_mens_morris", 3, (24, 552, 12_144, 255_024), by_turn=True),
    Known("oware", 6, (6, 36, 190, 1_014, 5_219, 27_332, 139_157)),
)


@pytest.mark.parametrize("known", KNOWN, ids=str)
def test_perft_has_the_known_counts(known: Known, is_long: bool) -> None:
    engine, depth = Engine(load(known.game, options=known.options)), len(known.leaves) if is_long else known.tested
    counts = leaf_counts(engine, engine.start(), depth, known.by_turn)
    assert tuple(counts) == known.leaves[:depth]


# ---- tic-tac-toe ----------------------------------------------------------------------------------------------------

PERFT = (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)
"""The numbers of plays of so many moves: 9 * 8 * 7 * 6 * 5 until games can be over; then finished
games do not count.
"""
GAMES = 255_168
STATES = 5_478
ENDINGS = {"first wins": 131_184, "second wins": 77_904, "draw": 46_080}


@cache
def layers() -> tuple[dict[State, int], ...]:
    """Return the states after 0, 1, ... 9 moves, each with the number of ways that lead to it."""
    engine = engine_of(Table("tic_tac_toe", 2))
    layer_list = [{engine.start(): 1}]
    while layer_list[-1]:
        following: defaultdict[State, int] = defaultdict(int)
        for state, ways in layer_list[-1].items():
            for move in engine.legal_moves(state):
                following[engine.apply(state, move)] += ways
        layer_list.append(dict(following))
    return tuple(layer_list[:-1])


def test_the_ways_to_each_depth_are_the_known_numbers() -> None:
    assert tuple(sum(layer.values()) for layer in layers()) == PERFT


def test_the_number_of_plays_is_the_known_one() -> None:
    engine = engine_of(Table("tic_tac_toe", 2))
    endings: Counter[str] = Counter()
    names = {(0,): "first wins", (1,): "second wins", (0, 1): "draw"}
    for layer in layers():
        for state, ways in layer.items():
            if engine.is_terminal(state):
                endings[names[engine.winners(state).winners]] += ways
    assert endings == ENDINGS
    assert endings.total() == GAMES


def test_the_number_of_boards_is_the_known_one() -> None:
    """The number includes the empty board. Equal boards are equal states: the board determines whose turn it is."""
    boards = {tuple(state.cells) for layer in layers() for state in layer}
    assert len(boards) == STATES
    assert sum(map(len, layers())) == STATES


# ---- Kuhn poker -----------------------------------------------------------------------------------------------------
# Two of three cards are dealt: 3 * 2 deals, each with probability 1/6. The moves after a deal form a tree of nine
# nodes: (), p, b, pp, pb, bp, bb, pbp, pbb; five of them end the play, four are decisions. Nodes: 1 before the first
# card, 3 before the second, 6 * 9 after: 58. Terminals: 6 * 5 = 30. If every move has probability 1/2: where both
# stakes are equal at the end, the higher card wins, and each deal has its mirror image, so these plays have an average
# of 0. The other plays end with a fold: b, p (probability 1/4) wins the first player the second's ante; p, b, p (1/8)
# costs that player the own ante. So 1/4 - 1/8 = 1/8.

KUHN_VALUE = Fraction(1, 8)


def nodes(engine: Engine, state: State) -> Iterator[State]:
    """Yield the state at every node of the tree, once for each way to it."""
    yield state
    for event in options_of(engine, state):
        yield from nodes(engine, engine.apply(state, event))


def test_kuhn_poker_has_58_nodes_30_of_them_ends() -> None:
    engine = engine_of(Table("kuhn_poker", 2))
    awaited = Counter(map(engine.awaits, nodes(engine, engine.start())))
    assert awaited == {Awaits.CHANCE: 1 + 3, Awaits.MOVE: 6 * 4, Awaits.NOTHING: 6 * 5}


def test_every_deal_of_kuhn_poker_has_one_chance_in_six() -> None:
    engine = engine_of(Table("kuhn_poker", 2))
    start = engine.start()
    deals: Counter[tuple[object, object]] = Counter()
    for first, share in engine.chance(start):
        assert share == Fraction(1, 3)
        for second, next_share in engine.chance(engine.apply(start, first)):
            deals[first.outcome, second.outcome] += share * next_share  # type: ignore[assignment]
    assert deals == dict.fromkeys(permutations(range(3), 2), Fraction(1, 6))


def value(engine: Engine, state: State) -> Fraction:
    """Return the expected points of the first player if all moves are equally likely."""
    if engine.is_terminal(state):
        return Fraction(engine.returns(state)[0])
    chances = engine.chance(state) or [(move, None) for move in engine.legal_moves(state)]
    shares = [share if share is not None else Fraction(1, len(chances)) for _, share in chances]
    values = (value(engine, engine.apply(state, event)) for event, _ in chances)
    return sum((share * each for share, each in zip(shares, values, strict=True)), Fraction(0))


def test_the_value_of_random_play_in_kuhn_poker() -> None:
    engine = engine_of(Table("kuhn_poker", 2))
    assert value(engine, engine.start()) == KUHN_VALUE


def test_the_value_of_random_play_in_kuhn_poker_by_hand() -> None:
    """The value is computed from the rules of the game alone, without the engine."""
    total = Fraction(0)
    for first, second in permutations("JQK", 2):
        better = 1 if "JQK".index(first) > "JQK".index(second) else -1
        words = {"pp": better, "pbp": -1, "pbb": 2 * better, "bp": 1, "bb": 2 * better}
        total += sum((Fraction(points, 2 ** len(word)) for word, points in words.items()), Fraction(0)) / 6
    assert total == KUHN_VALUE


def test_kuhn_poker_is_zero_sum() -> None:
    engine = engine_of(Table("kuhn_poker", 2))
    ends = [engine.returns(state) for state in nodes(engine, engine.start()) if engine.is_terminal(state)]
    assert all(sum(points) == 0 for points in ends)
    assert Counter(points[0] for points in ends) == {1: 3 + 6, -1: 3 + 6, 2: 2 * 3, -2: 2 * 3}


# ---- Pig ------------------------------------------------------------------------------------------------------------


def turn_of_pig(hold_at: int) -> dict[int, Fraction]:
    """Return the distribution of the first turn's points, for a player who rolls until the pot has at
    least `hold_at`.
    """
    engine = engine_of(Table("pig", 2))
    under_way = {engine.start(): Fraction(1)}
    brought: defaultdict[int, Fraction] = defaultdict(Fraction)
    while under_way:
        following: defaultdict[State, Fraction] = defaultdict(Fraction)
        for state, share in under_way.items():
            if engine.to_move(state) == (1,):
                brought[engine.returns(state)[0]] += share
                continue
            word = "hold" if engine.cell(state, "pot") >= hold_at else "roll"
            for event, part in engine.chance(state) or ((Move(0, word), Fraction(1)),):
                following[engine.apply(state, event)] += share * part
        under_way = following
    return dict(brought)


def turn_by_hand(hold_at: int) -> dict[int, Fraction]:
    """Return the same distribution by induction: the probability to have n in the pot, from those of one
    to six less.
    """
    has = [Fraction(1), *[Fraction(0)] * (hold_at + 5)]
    for pot in range(hold_at):
        for die in range(2, 7):
            has[pot + die] += has[pot] / 6
    held = {pot: has[pot] for pot in range(hold_at, hold_at + 6) if has[pot]}
    return {**held, 0: 1 - sum(held.values(), Fraction(0))}


@pytest.mark.parametrize("hold_at", (1, 2, 10, 20, 25))
def test_the_points_of_a_turn_of_pig(hold_at: int) -> None:
    assert turn_of_pig(hold_at) == turn_by_hand(hold_at)


def test_holding_at_twenty_in_pig_has_the_published_probabilities() -> None:
    """Rounded to four decimals, as they are usually quoted."""
    rounded = {points: round(float(share), 4) for points, share in turn_of_pig(20).items()}
    assert rounded == {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}


def test_the_die_of_pig_is_fair() -> None:
    engine = engine_of(Table("pig", 3))
    state = engine.apply(engine.start(), Move(0, "roll"))
    assert engine.chance(state) == tuple((ChanceEvent("roll.throw", pips), Fraction(1, 6)) for pips in range(1, 7))


# ---- Boreal ---------------------------------------------------------------------------------------------------------


def test_the_row_of_boreal_is_dealt_fairly() -> None:
    """Eight of the twelve start cards are dealt: each next one is equally likely among the rest."""
    engine = engine_of(Table("boreal", 2, "ru"))
    state = engine.apply(engine.start(), engine.chance(engine.start())[0][0])
    for dealt in range(8):
        chances = engine.chance(state)
        assert [share for _, share in chances] == [Fraction(1, 12 - dealt)] * (12 - dealt)
        state = engine.apply(state, chances[0][0])


def test_the_pile_of_boreal_may_hold_any_archive_card() -> None:
    """Three of eight archive cards, unknown to all, are shuffled with the 24 locations. So the top card is a given
    location with probability 1/27, and a given archive card with 3/8 of that.
    """
    engine = engine_of(Table("boreal", 2, "ru"))
    state = engine.start()
    while engine.chance(state):
        state = engine.apply(state, engine.chance(state)[0][0])
    state = engine.apply(state, engine.legal_moves(state)[0])
    while not engine.chance(state):
        state = engine.apply(state, engine.legal_moves(state)[0])
    shares = Counter(share for _, share in engine.chance(state))
    assert shares == {Fraction(1, 27): 24, Fraction(3, 8 * 27): 8}
