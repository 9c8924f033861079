"""Parts of collections with a required sum are listed completely, and without trying all other parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import getsource
from itertools import combinations, product
from math import inf

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ludex.grammar import Failure
from ludex.interpreter import Engine, Move, Reference, SpecFault, State
from ludex.interpreter.program import COMPACT, WIDE, Compiled
from ludex.interpreter.program.ir.traversal import each_expression
from ludex.interpreter.program.lowering.payments import Estimates
from ludex.interpreter.state import subsets
from ludex.interpreter.state.subsets import MOST_SUMS, SumBound, Sums, fitting, parts_within, sub_bags
from ludex.spec.values.types import Value

from .build import engine_from, move

# ---- listing within bounds

WEIGHTS = st.one_of(st.integers(0, 9), st.integers(-5, 5), st.just(0), st.just(1))
ENDS = st.integers(-12, 25)


@st.composite
def piles(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[SumBound, ...]]:
    """Pieces in order, and bounds on the sums of weights by kind."""
    pieces = tuple(sorted(draw(st.lists(st.integers(1, 5), max_size=8))))
    bounds = []
    for _ in range(draw(st.integers(0, 3))):
        by_kind = draw(st.lists(WEIGHTS, min_size=6, max_size=6))
        low, high = sorted(draw(st.tuples(ENDS, st.one_of(ENDS, st.sampled_from([-inf, inf])))))
        weights = tuple(by_kind[piece] for piece in pieces)
        bounds.append((weights, low, draw(st.sampled_from([low, high])) if low > -inf else high))
    return pieces, tuple(bounds)


def by_hand(pieces: tuple[int, ...], bounds: tuple[SumBound, ...] = ()) -> list[tuple[int, ...]]:
    """Return all parts within the bounds, by trying every one."""
    places = [at for size in range(len(pieces) + 1) for at in combinations(range(len(pieces)), size)]
    kept = (at for at in places if all(low <= sum(weights[i] for i in at) <= high for weights, low, high in bounds))
    return sorted({tuple(pieces[i] for i in at) for at in kept})


@given(piles())
def test_exactly_the_parts_within_bounds_are_listed(
    pile: tuple[tuple[int, ...], tuple[SumBound, ...]],
) -> None:
    pieces, bounds = pile
    expected = by_hand(pieces, bounds)
    assert list(sub_bags(pieces, bounds)) == expected
    left = fitting(pieces, bounds)
    if left is None:
        assert expected == []
    else:
        assert list(sub_bags(*left)) == expected, "pieces that fit no part must not change the result"
    flat = [each for bound in bounds for each in bound]
    assert list(parts_within(pieces, flat)) == expected, "with few pieces the parts must be tried one by one"


def test_few_pieces_are_looked_through_only_where_a_part_begins() -> None:
    few = subsets._few
    assert few((2, 4, 6, 8), (2, 4, 6, 8), 9, 9) == ([], 1), "no sum of even numbers is odd"
    # The empty part, 3, and 3 and 8; after 2, 4 or 5 nothing adds up to 11 but 2, 4 and 5.
    assert few((2, 3, 4, 5, 8), (2, 3, 4, 5, 8), 11, 11) == ([(2, 4, 5), (3, 8)], 6)


@given(piles())
def test_masks_of_sums_list_the_same_as_extreme_sums(pile: tuple[tuple[int, ...], tuple[SumBound, ...]]) -> None:
    pieces, bounds = pile
    by_masks = [subsets._few(pieces, *bound)[0] for bound in bounds]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "MASKED", -1)
        assert by_masks == [subsets._few(pieces, *bound)[0] for bound in bounds]


@pytest.mark.parametrize(
    ("within", "old", "new", "weights"),
    [
        ("_Totals", "| self.marked[-1] >> weight", "", (1, 2, 3)),
        ("_Totals", "- max(0, weight)", "", (1, 2000, 3)),
        ("_Totals", "- min(0, weight)", "", (5, 5, -6)),
        ("_few", ">> more & 1", "& 1", (1, 2, 3)),
        ("_few", "<= most[at + 1]", "< most[at + 1]", (1, 2000, 3)),
    ],
)
def test_a_mutant_of_the_sums_is_caught(within: str, old: str, new: str, weights: tuple[int, ...]) -> None:
    text, names, pieces = getsource(getattr(subsets, within)), dict(vars(subsets)), (1, 2, 3)
    assert old in text
    exec(text.replace(old, new), names)  # noqa: S102 - the text is our own
    exec(getsource(subsets._few) if within == "_Totals" else "", names)  # noqa: S102 - so that it uses the mutant
    bound = max(weights) - 2, max(weights)
    expected = [
        part
        for part in sorted(part for size in range(4) for part in combinations(pieces, size))
        if bound[0] <= sum(weights[each - 1] for each in part) <= bound[1]
    ]
    assert subsets._few(pieces, weights, *bound)[0] == expected != names["_few"](pieces, weights, *bound)[0]


def test_too_many_different_sums_are_treated_as_a_range() -> None:
    weights = tuple(2**at for at in range(MOST_SUMS.bit_length() + 3))
    sums = Sums((weights, sum(weights) + 1, inf))
    assert not sums.within(0, 0)
    assert sums.within(1, 0)
    pieces = tuple(range(len(weights)))
    parts = list(sub_bags(pieces, ((weights, 5, 6),)))
    assert parts == [(0, 2), (1, 2)]


# ---- listing in games: as if every choice were tried

GAME = """
type Piece = 1..4
type Kind = plain | costly

zone left(Player): bag of Piece, open
zone right(Player): list_or_bag of Piece, open
zone spent: bag of Piece, open
state coins(Player): 0..9 = 3
state kind: Kind = plain

define worth(p: Piece): 0..8 = if kind = plain then p else 9 - 2 * p
define tally(part: bag of Piece, n: 1..2): 0..99 =
  match n
    1 => sum(y for y in part)
    2 => size(part)
define fair(part: bag of Piece, other: bag of Piece) =
  let big = sum(worth(y) for y in part)
  big >= size(other) and no z in other has z > 3

setup
  deal: each player in seats
PUT
action pay
  CHOOSE
REQUIRE
  pay: move ones from my left to spent

play
  turns: repeat 2 times
    each player in seats
      pay
"""
CHOICES = {"n": "n in 1..2", "ones": "ones within my left", "twos": "twos within my right"}
NESTED = {**CHOICES, "twos": "twos within ones"}
PARTS = st.sampled_from(["ones", "twos"])
SMALL = st.integers(0, 8).map(str)
KIND = st.integers(1, 4).map(str)
COMPARE = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])


class Names:
    """Generates names of loop variables, each new."""

    def __init__(self) -> None:
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"x{self.count}"


def numbers(draw: st.DrawFn, names: Names, depth: int) -> str:
    """A number that depends on the parts."""
    part, name, small = draw(PARTS), names.new(), draw(SMALL)
    plain: list[Callable[[], str]] = [
        lambda: small,
        lambda: f"size({part})",
        lambda: f"sum({name} for {name} in {part})",
        lambda: f"sum(worth({name}) for {name} in {part} where {name} > {draw(KIND)})",
        lambda: f"count({name} in {part} where {name} = {draw(KIND)})",
        lambda: f"tally({part}, n)",
        lambda: "my coins",
        lambda: "n",
    ]
    nested: list[Callable[[], str]] = [
        lambda: f"({numbers(draw, names, depth - 1)} + {numbers(draw, names, depth - 1)})",
        lambda: f"({numbers(draw, names, depth - 1)} - {numbers(draw, names, depth - 1)})",
        lambda: f"{draw(st.integers(2, 3))} * {numbers(draw, names, 0)}",
        lambda: f"n * {numbers(draw, names, 0)}",
        lambda: f"(if {conditions(draw, names, 0)} then {numbers(draw, names, 0)} else {numbers(draw, names, 0)})",
        lambda: f"max({numbers(draw, names, 0)}, {numbers(draw, names, 0)})",
    ]
    return draw(st.sampled_from(plain + (nested if depth > 0 else [])))()


def conditions(draw: st.DrawFn, names: Names, depth: int) -> str:
    """A condition on the parts."""
    part, other, name, second = draw(PARTS), draw(PARTS), names.new(), names.new()
    quantifier = draw(st.sampled_from(["some", "every", "no"]))
    plain: list[Callable[[], str]] = [
        lambda: f"{numbers(draw, names, depth)} {draw(COMPARE)} {numbers(draw, names, depth)}",
        lambda: f"{numbers(draw, names, depth)} {draw(COMPARE)} {draw(SMALL)}",
        lambda: f"({quantifier} {name} in {part} has {name} > {draw(KIND)})",
        lambda: f"({quantifier} {name} in {part} where {name} != {draw(KIND)} has worth({name}) < {draw(SMALL)})",
        lambda: f"({quantifier} {name} in {part}, {second} in {other} has {name} < {second})",
        lambda: f"{part} is {draw(st.sampled_from(['', 'not ']))}empty",
        lambda: f"fair({part}, {other})",
        lambda: "kind = plain",
    ]
    nested: list[Callable[[], str]] = [
        lambda: f"({conditions(draw, names, depth - 1)} and {conditions(draw, names, depth - 1)})",
        lambda: f"({conditions(draw, names, depth - 1)} or {conditions(draw, names, depth - 1)})",
        lambda: f"({conditions(draw, names, depth - 1)} implies {conditions(draw, names, depth - 1)})",
        lambda: f"not ({conditions(draw, names, depth - 1)})",
        lambda: "(if {} then {} else {})".format(*[conditions(draw, names, depth - 1) for _ in range(3)]),
    ]
    return draw(st.sampled_from(plain + (nested if depth > 0 else [])))()


@st.composite
def games(draw: st.DrawFn) -> tuple[str, tuple[str, ...]]:
    """A game with random hands and requirements, and its choices in order."""
    order = tuple(draw(st.permutations(list(CHOICES))))
    choices = draw(st.sampled_from([CHOICES, NESTED])) if order.index("ones") < order.index("twos") else CHOICES
    hands = {zone: draw(st.lists(KIND, max_size=most)) for zone, most in (("left", 5), ("right", 4))}
    put = [f"    put {piece} in my {zone}" for zone, hand in hands.items() for piece in hand] or ["    nothing"]
    names, lines = Names(), []
    for at in range(draw(st.integers(1, 3))):
        lines.append(f"  require r{at}: {conditions(draw, names, 1)}")
        if draw(st.booleans()) and at == 0:
            lines.append(f"    except waived: when {conditions(draw, names, 0)}")
    text = GAME.replace("PUT", "\n".join(put)).replace("REQUIRE", "\n".join(lines))
    text = text.replace("list_or_bag", draw(st.sampled_from(["bag", "pile"])))
    text = text.replace("CHOOSE", f"choose {', '.join(choices[name] for name in order)}")
    return text.replace("kind: Kind = plain", f"kind: Kind = {draw(st.sampled_from(['plain', 'costly']))}"), order


def tried(engine: Engine, state: State, order: tuple[str, ...], player: int) -> list[Move]:
    """Return the legal moves, by judging every move with finite arguments."""
    domains: dict[str, list[Value]] = {"n": [1, 2]}
    left, right = (engine.cell(state, zone, [player]) for zone in ("left", "right"))
    domains["ones"], domains["twos"] = list(by_hand(tuple(sorted(left)))), list(by_hand(tuple(sorted(left + right))))
    stated = product(*[domains[name] for name in order])
    moves = (move(player, "pay", **dict(zip(order, values, strict=True))) for values in stated)
    return [each for each in moves if engine.is_legal(state, each)]


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None, max_examples=30)
@given(games())
def test_the_listed_moves_are_the_legal_ones(drawn: tuple[str, tuple[str, ...]]) -> None:
    text, order = drawn
    try:
        engine = engine_from(text)
    except Failure:
        assume(False)  # a condition that the checker knows to be always or never true
    programs = [Compiled(engine.game, limits) for limits in (WIDE, COMPACT)]
    state, plays = engine.start(), [each.start() for each in programs]
    for _ in range(3):  # the second player's choice, then the first one's again: cached results are outdated
        for player in engine.to_move(state):
            listed = engine.legal_moves(state, player)
            assert list(listed) == tried(engine, state, order, player), text
            for program, play in zip(programs, plays, strict=True):
                assert program.legal_moves(play, player) == listed, text
            state = engine.apply(state, listed[-1])
            plays = [program.apply(play, listed[-1]) for program, play in zip(programs, plays, strict=True)]


# ---- listing in games: what is ruled out is not tried

LARGE = """
type Card = 1..20
type Stone = 1..15
type Money = by_card | by_stone

zone hand(Player): bag of Card, open
zone pouch(Player): bag of Stone, open
zone spent: bag of Card, open
state money: Money = by_card
state wild: set of Card = {}

define price(n: 1..3): 1..9 = 3 * n
define paid(n: 1..3, cards: bag of Card, stones: bag of Stone): 0..999 =
  match money
    by_card => sum(c for c in cards)
    by_stone => sum(s for s in stones)

setup
  deal: each player in seats
    fill my hand with bag(c for c in Card, i in 1..2)
    fill my pouch with Stone

action pay
  choose n in 1..3, cards within my hand, stones within my pouch
REQUIRE
  pay: move cards from my hand to spent

play
  turns: each player in seats
    pay
"""
ONE_OR_OTHER = "require money: if money = by_card then size(stones) = 0 else size(cards) = 0"
EXACT = 2 + 7 + 16  # sums 3, 6 and 9 with no number more than twice
RULED_OUT: dict[str, tuple[int, list[str]]] = {
    "exact": (EXACT, [ONE_OR_OTHER, "require exact: sum(c for c in cards) + sum(s for s in stones) = price(n)"]),
    "in a define": (EXACT, [ONE_OR_OTHER, "require exact: paid(n, cards, stones) = price(n)"]),
    "turned round": (EXACT, [ONE_OR_OTHER, "require exact: price(n) - sum(c for c in cards) = sum(s for s in stones)"]),
    "one way left": (
        EXACT,
        ["require none: stones is empty", "require exact: size(stones) > 0 or sum(c for c in cards) = price(n)"],
    ),
    "not waived": (
        EXACT,
        [
            ONE_OR_OTHER,
            "require exact: sum(c for c in cards) = price(n)",
            "  except gift: when count(s in stones where s = 3) > 20",
        ],
    ),
    "of one kind": (
        3 * (2 + 4 + 8),
        ["require kind: every c in cards has c = n", "require others: no s in stones has s > n"],
    ),
    "few": (3 * (1 + 20 + 15), ["require few: size(cards) + size(stones) < 2"]),
    "denied": (
        3 * 3,
        ["require few: not (some c in cards has c < 20)", "require no_stone: not (stones is not empty)"],
    ),
    "nothing": (0, ["require no_stone: every s in stones has s > 15", "require some: size(stones) = n"]),
    "a set": (3 * 15, ["require wild: every c in cards has c in wild", "require one: size(stones) = 1"]),
}


@pytest.mark.parametrize("name", RULED_OUT)
def test_parts_ruled_out_by_requirements_are_not_tried(name: str) -> None:
    """Trying all 3 ** 20 * 2 ** 15 ways of paying would not end."""
    count, lines = RULED_OUT[name]
    engine = engine_from(LARGE.replace("REQUIRE", "\n".join(f"  {line}" for line in lines)))
    assert len(engine.legal_moves(engine.start(), 0)) == count
    program = Compiled(engine.game)
    assert len(program.legal_moves(program.start(), 0)) == count


FREED = """
zone hand(Player): bag of 1..6, open
zone left: bag of 1..6, open

state wild: set of 1..6 = {1, 4}

setup
  fill: each player in seats
    put {1, 1, 2, 4, 5} in my hand

play
  turns: repeat 2 times
    each player in seats
      choose pay

action pay
  choose n in 1..3, cards within my hand
  require marked: every c in cards has c in wild
    except three: when n = 3
  require some: size(cards) > 0
  pay: move cards from my hand to left
"""


LOOPING = replace(WIDE, loop=0, choice=0)
"""Limits by which no loop is unrolled."""


def _tests_of_marks(engine: Compiled) -> int:
    """Count the places where code that lists moves tests whether a card is in `wild`."""
    units = [unit for unit in engine.program.complete().units if unit.lists_moves]
    return sum(str(expr).count("name='has'") for unit in units for expr in each_expression(unit.body))


def test_a_requirement_with_an_exception_is_not_tested_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = engine_from(FREED).game
    engine = Compiled(game, LOOPING)
    again = Estimates._any_of
    with monkeypatch.context() as patch:
        patch.setattr(Estimates, "_any_of", lambda self, all_: replace(again(self, all_), is_exact=False))
        assert _tests_of_marks(engine) < _tests_of_marks(Compiled(game, LOOPING))
    assert _moves(engine) == _moves(Reference(game))


def test_exceptions_that_restrict_a_part_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two conditions that may both hold restrict nothing, so the requirement must not be left out."""
    text = FREED.replace("when n = 3", "when n >= 2 and (every c in cards has c > n)")
    game = engine_from(text).game
    assert _moves(Compiled(game)) == _moves(Reference(game))
    again = Estimates._any_of
    monkeypatch.setattr(Estimates, "_any_of", lambda self, all_: replace(again(self, all_), is_exact=True))
    assert _moves(Compiled(game)) != _moves(Reference(game)), "the mutant must be caught"


def _moves(engine: Compiled | Reference) -> tuple[Move, ...]:
    return engine.legal_moves(engine.start())  # type: ignore[arg-type]


def test_a_spec_fault_in_a_requirement_is_reported() -> None:
    engine = engine_from(LARGE.replace("REQUIRE", "  require odd: 6 div (size(cards) - 1) > 5"))
    with pytest.raises(SpecFault, match="divided by 0"):
        engine.legal_moves(engine.start(), 0)
    program = Compiled(engine.game)
    with pytest.raises(SpecFault, match="zero"):
        program.legal_moves(program.start(), 0)


def test_a_fault_that_is_never_reached_is_not_reported() -> None:
    text = LARGE.replace("state money", "state nobody: 0..9 = 0\nstate money").replace(
        "stones within my pouch", "stones within my pouch, gifts within bag(c for c in 1..(9 div nobody))"
    )
    engine = engine_from(text.replace("REQUIRE", "  require few: size(cards) = 1 and size(stones) > 20 - size(cards)"))
    assert engine.legal_moves(engine.start(), 0) == ()
    program = Compiled(engine.game)
    assert program.legal_moves(program.start(), 0) == ()
    engine = engine_from(text.replace("REQUIRE", "  require few: size(cards) = 1 and size(stones) = 1"))
    with pytest.raises(SpecFault, match="divided by 0"):
        engine.legal_moves(engine.start(), 0)
