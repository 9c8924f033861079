"""Legality: listing and judging agree, a refusal names every reason, and no event makes the engine raise."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.interpreter import (
    DECLINE,
    ChanceEvent,
    Engine,
    Event,
    Generator,
    Move,
    Reference,
    RefusalKind,
    Refused,
    SpecFault,
    State,
    explain,
    notation,
)
from ludex.interpreter.program import Compiled
from ludex.interpreter.reference.judging import ELSEWHERE
from ludex.interpreter.state.subsets import sub_bags
from ludex.spec import load
from ludex.spec.values.types import values

from ..once import engine_once, game_once
from .build import chance, engine_from, game_from, move, play, walk

SHOP = """
type Card = (rank: 1..3, suit: 1..2)
zone shop: bag of Card, open
zone hand(Player): bag of Card, open
zone deck: pile of Card, hidden
state coins(Player): 0..9 = 4
state debt(Player): 0..9 = 0

setup
  shop:
    fill shop with set(c for c in Card where c.rank < 3) + bag(Card(1, 1) for i in 1..2)

action pay(n: 0..9)
  require enough: my coins >= n
  cost: coins(me) -= n

action buy
  choose card in shop, price in 1..4
  require low: card.rank <= price
    except poor: when my coins < 2
  require fair: price <= 3
  require even: card.suit = 2 implies price mod 2 = 0
  cost: pay(price)
  take: move card from shop to my hand

action sell
  choose cards within my hand where size(cards) > 0
  back: move cards from my hand to shop
  gain: coins(me) += size(cards) up to 9

action borrow
  choose other in Player
  require not_self: other != me
  require honest: debt(other) = 0
  take: debt(me) += 1

play
  turns: repeat 99 times
    each player in seats
      may choose buy or sell or borrow
"""


@pytest.fixture(scope="module")
def shop() -> Engine:
    return engine_from(SHOP)


CARDS = {(1, 1): 0, (1, 2): 1, (2, 1): 2, (2, 2): 3, (3, 1): 4, (3, 2): 5}


# ---- listing and judging


def every_move(engine: Engine, state: State) -> set[Move]:
    """Return all moves of the game's signatures with finite arguments, for every player."""
    moves = {Move(player, DECLINE) for player in range(engine.game.players)}
    for signature in engine.game.moves.values():
        if any(within for _, _, within in signature.arguments):
            continue
        names = [name for name, _, _ in signature.arguments]
        for given_values in product(*(values(of) for _, of, _ in signature.arguments)):
            arguments = tuple(zip(names, given_values, strict=True))
            moves |= {Move(player, signature.name, arguments) for player in range(engine.game.players)}
    return moves


@pytest.mark.parametrize("seed", range(3))
def test_exactly_the_unlisted_moves_are_refused(shop: Engine, seed: int) -> None:
    for state, _ in walk(shop, seed, most=25):
        listed = {event for event in shop.legal_moves(state) if event.action != "sell"}
        assert {event for event in every_move(shop, state) if shop.refusal(state, event) is None} == listed


@pytest.mark.parametrize("name", ("tic_tac_toe", "pig", "kuhn_poker"))
def test_exactly_the_unlisted_moves_are_refused_in_shipped_games(name: str) -> None:
    engine = engine_once(game_once(name))
    for state, _ in walk(engine, 1, most=60):
        listed = set(engine.legal_moves(state))
        assert {event for event in every_move(engine, state) if engine.refusal(state, event) is None} == listed


def test_moves_are_listed_once_in_a_fixed_order(shop: Engine) -> None:
    for state, _ in walk(shop, 7, most=30):
        listed = shop.legal_moves(state)
        assert len(set(listed)) == len(listed)
        assert listed == shop.legal_moves(state.clone())
        assert listed[-1].action == DECLINE


def test_equal_pieces_are_one_option(shop: Engine) -> None:
    start = shop.start()
    cards = [dict(event.arguments)["card"] for event in shop.legal_moves(start) if event.action == "buy"]
    assert cards.count(CARDS[1, 1]) == 3, "equal cards must give three prices, however many there are"


def test_each_part_of_a_bag_is_listed_once() -> None:
    parts = list(sub_bags((1, 1, 2, 3)))
    assert len(parts) == len(set(parts)) == 3 * 2 * 2
    assert parts == sorted(parts)
    assert parts[0] == ()
    assert len(list(sub_bags(tuple(range(10))))) == sum(comb(10, k) for k in range(11))


def test_a_part_of_a_bag_is_judged_without_a_listing(shop: Engine) -> None:
    state = shop.start()
    for card, price in (((1, 1), 1), ((1, 1), 1), ((2, 1), 2)):
        state = play(shop, move(0, "buy", card=CARDS[card], price=price), Move(1, DECLINE), state=state)
    one, two = CARDS[1, 1], CARDS[2, 1]
    sold = [dict(event.arguments)["cards"] for event in shop.legal_moves(state) if event.action == "sell"]
    assert sold == [(one,), (one, one), (one, one, two), (one, two), (two,)]
    for cards, kind in (
        ((one, one), None),
        ((one, one, one), RefusalKind.OUT_OF_DOMAIN),
        ((), RefusalKind.REQUIREMENT),
        ((two, one), RefusalKind.WRONG_ARGUMENT),
    ):
        refusal = shop.refusal(state, move(0, "sell", cards=cards))
        assert (refusal.kind if refusal else None) == kind


# ---- reasons


@pytest.mark.parametrize(
    ("card", "price", "kind", "clauses"),
    [
        ((2, 1), 1, RefusalKind.REQUIREMENT, ("buy.low",)),
        ((2, 2), 1, RefusalKind.REQUIREMENT, ("buy.low", "buy.even")),
        ((1, 1), 4, RefusalKind.REQUIREMENT, ("buy.fair",)),
        ((3, 1), 3, RefusalKind.OUT_OF_DOMAIN, ("buy",)),
    ],
)
def test_every_failed_requirement_is_reported(
    shop: Engine, card: tuple[int, int], price: int, kind: RefusalKind, clauses: tuple[str, ...]
) -> None:
    refusal = shop.refusal(shop.start(), move(0, "buy", card=CARDS[card], price=price))
    assert refusal is not None
    assert (refusal.kind, refusal.clauses) == (kind, clauses)


def test_a_requirement_after_the_first_steps_forbids_the_move(shop: Engine) -> None:
    state = play(shop, move(0, "buy", card=CARDS[1, 1], price=3), Move(1, DECLINE))
    dear = move(0, "buy", card=CARDS[1, 1], price=3)
    assert dear not in shop.legal_moves(state)
    refusal = shop.refusal(state, dear)
    assert refusal is not None
    assert (refusal.kind, refusal.clauses) == (RefusalKind.REQUIREMENT, ("pay.enough",))
    before = state.clone()
    assert shop.advance(state, dear) == refusal
    assert state == before
    with pytest.raises(Refused) as caught:
        shop.apply(state, dear)
    assert caught.value.refusal == refusal


def test_an_exception_waives_its_requirement(shop: Engine) -> None:
    state = play(shop, move(0, "buy", card=CARDS[1, 1], price=3), Move(1, DECLINE))
    assert shop.refusal(state, move(0, "buy", card=CARDS[2, 1], price=1)) is None, (
        "with one coin the exception must lower the price"
    )


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Move(1, DECLINE), RefusalKind.WRONG_PLAYER),
        (Move(7, "buy"), RefusalKind.WRONG_PLAYER),
        (Move(0, "steal"), RefusalKind.UNKNOWN_ACTION),
        (Move(0, "pay"), RefusalKind.UNKNOWN_ACTION),
        (Move(0, DECLINE, (("card", 1),)), RefusalKind.EXTRA_ARGUMENT),
        (move(0, "buy", card=0), RefusalKind.MISSING_ARGUMENT),
        (move(0, "buy", card=0, price=1, tip=1), RefusalKind.EXTRA_ARGUMENT),
        (move(0, "buy", card=99, price=1), RefusalKind.WRONG_ARGUMENT),
        (move(0, "buy", card=0, price=True), RefusalKind.WRONG_ARGUMENT),
        (move(0, "buy", card="c", price=1), RefusalKind.WRONG_ARGUMENT),
        (Move(0, "buy", (("card", 0), ("card", 0), ("price", 1))), RefusalKind.WRONG_ARGUMENT),
        (ChanceEvent("setup.shop", 1), RefusalKind.MOVE_AWAITED),
    ],
)
def test_each_fault_of_a_move_has_its_refusal(shop: Engine, event: Event, kind: RefusalKind) -> None:
    refusal = shop.refusal(shop.start(), event)
    assert refusal is not None
    assert refusal.kind is kind
    assert refusal.players == (0,)
    assert shop.offered(shop.start()) == ("buy", "sell", "borrow", DECLINE)
    assert refusal.offered == (shop.offered(shop.start()) if kind in ELSEWHERE else ())
    assert explain(refusal, shop.game).message


def test_each_fault_of_a_chance_event_has_its_refusal() -> None:
    engine = engine_from("state n: 0..6 = 0\nplay\n  die: random k in 1..6 where k != 2\n  keep: n := n\n")
    state = engine.start()
    for event, kind in (
        (Move(0, DECLINE), RefusalKind.CHANCE_AWAITED),
        (ChanceEvent("play.dice", 1), RefusalKind.WRONG_CHANCE),
        (ChanceEvent("play.die", 2), RefusalKind.WRONG_OUTCOME),
        (ChanceEvent("play.die", 7), RefusalKind.WRONG_OUTCOME),
        (ChanceEvent("play.die", "six"), RefusalKind.WRONG_OUTCOME),
        (ChanceEvent("play.die", 1, (0,)), RefusalKind.WRONG_OUTCOME),
    ):
        refusal = engine.refusal(state, event)
        assert refusal is not None
        assert refusal.kind is kind
        assert refusal.awaited == "play.die"
        assert explain(refusal, engine.game).message


def test_a_requirement_that_depends_on_a_failed_one_is_not_reported() -> None:
    engine = engine_from(
        """
type Card = (rank: 1..3, suit: 1..2)
zone slot(1..2): one Card, open
play
  open: put Card(2, 1) in slot(1)
  turn: as seat(1)
    take
action take
  choose at in 1..2, bonus in 1..3
  require there: slot(at) is not empty
  require high: slot(at).rank >= bonus
  gone: remove slot(at) from slot(at)
""".replace("remove slot(at) from slot(at)", "nothing")
    )
    state = engine.start()
    refusal = engine.refusal(state, move(0, "take", at=2, bonus=1))
    assert refusal is not None
    assert refusal.clauses == ("take.there",), "a requirement about a missing card must not be reported"
    refusal = engine.refusal(state, move(0, "take", at=1, bonus=3))
    assert refusal is not None
    assert refusal.clauses == ("take.high",)
    assert [dict(event.arguments) for event in engine.legal_moves(state)] == [
        {"at": 1, "bonus": 1},
        {"at": 1, "bonus": 2},
    ]


def test_an_early_test_comes_after_the_requirement_that_it_depends_on() -> None:
    """`ranked` needs only the first choice, but may depend on `there`, which needs both."""
    engine = engine_from(
        """
type Card = (rank: 1..3, suit: 1..2)
zone slot(1..2): one Card, open
action take
  choose at in 1..2, other in 1..2
  require there: other = at and slot(at) is not empty
  require ranked: slot(at).rank >= 2
  go: nothing
play
  open: put Card(2, 1) in slot(1)
  turn: as seat(1)
    take
"""
    )
    assert engine.legal_moves(engine.start()) == (move(0, "take", at=1, other=1),)


# ---- `can`


CAN = """
state coins(Player): 0..9 = COINS
action pay(n: 1..9)
  require enough: my coins >= n
  cost: coins(me) -= n
action work
  choose n in 2..4
  cost: pay(n)
action errand(hard: Bool)
  way:
    if hard then work
    else pay(1)
action luck
  cost: pay(1)
  die: random n in 1..6
action ask
  choose k in 1..3
  require doable: k = 1 implies can work
  require errand: k = 2 implies can errand(true)
  require luck: k = 3 implies can luck
  go: nothing
play
  turn: as seat(1)
    ask
"""


@pytest.mark.parametrize(("coins", "legal"), [(0, []), (1, [3]), (2, [1, 2, 3])])
def test_can_tries_the_requirements_before_the_first_decision(coins: int, legal: list[int]) -> None:
    engine = engine_from(CAN.replace("COINS", str(coins)))
    state = engine.start()
    assert [dict(event.arguments)["k"] for event in engine.legal_moves(state)] == legal
    assert engine.is_terminal(state) is (not legal)


# ---- nearest


def test_legal_moves_are_suggested_nearest_first(shop: Engine) -> None:
    near = shop.nearest_legal(shop.start(), move(0, "buy", card=CARDS[2, 1], price=4))
    assert [event.action for event in near] == ["buy"] * 3
    assert all(dict(event.arguments)["card"] == CARDS[2, 1] for event in near[:2])
    other = shop.nearest_legal(shop.start(), Move(1, "borrow", (("other", 1),)), limit=1)
    assert other == (move(0, "borrow", other=1),)


def test_events_are_described_in_words(shop: Engine) -> None:
    assert notation(shop.game, move(0, "buy", card=3, price=2)) == "1: buy 2,2 price 2"
    assert notation(shop.game, Move(0, DECLINE)) == "1: decline"
    engine = Engine(load("pig"))
    state = play(engine, Move(0, "roll"))
    assert notation(engine.game, chance(engine, state, 3)) == f"{engine.chance(state)[0][0].path} = 3"


# ---- anything may come in

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.floats(),
    lambda inner: st.tuples(inner, inner) | st.frozensets(st.integers(0, 3), max_size=2) | st.lists(inner, max_size=2),
    max_leaves=4,
)
strange_moves = st.builds(
    Move,
    st.integers(-1, 3),
    st.sampled_from(("buy", "sell", "borrow", "pay", DECLINE, "play", "")),
    st.lists(st.tuples(st.sampled_from(("card", "price", "cards", "other", "x")), junk), max_size=3).map(tuple),
)
strange_chances = st.builds(
    ChanceEvent, st.sampled_from(("play.turns", "setup.shop", "")), junk, st.none() | st.just((0,))
)


@given(event=strange_moves | strange_chances, steps=st.integers(0, 12))
def test_no_event_makes_the_engine_raise(shop: Engine, event: Event, steps: int) -> None:
    state = [state for state, _ in walk(shop, 3, most=steps)][-1]
    before = state.clone()
    refusal = shop.refusal(state, event)
    assert shop.advance(state, event) == refusal
    if refusal is not None:
        assert state == before
        assert explain(refusal, shop.game).message


def test_judging_a_move_lists_no_others() -> None:
    """Listing all moves here would never end."""
    engine = engine_from(
        """
type Number = 1..60000
zone heap: bag of Number, open
state n: 0..60000 = 0
setup
  heap: fill heap with set(i for i in 1..60)
action guess
  choose a in Number, b in Number, some_of within heap
  require odd: (a + b) mod 2 = 1
  require more: size(some_of) < 50
  keep: n := a
play
  turns: repeat 99 times
    as seat(1)
      may guess
"""
    )
    state = engine.start()
    legal = move(0, "guess", a=59_999, b=60_000, some_of=(3, 7, 60))
    assert engine.refusal(state, legal) is None
    refusal = engine.refusal(state, move(0, "guess", a=2, b=60_000, some_of=tuple(range(1, 60))))
    assert refusal is not None
    assert refusal.clauses == ("guess.odd", "guess.more")
    assert engine.advance(state, legal) is None
    assert engine.cell(state, "n") == 59_999


PATHS = """
type Cell = (row: 1..3, col: 1..3)
state at: Cell? = none
state open_to_all: Bool = false
state walls: set of Cell = {Cell(3, 2)}

define around(c: Cell) = set(Cell(c.row + i, c.col + j) for i in -1..1, j in -1..1)
define twice = list(Cell(3, 4 - i) for k in 1..2, i in 1..3)

action walk
  choose target in Cell where target not in walls
  require near: at is not empty implies target in around(at)
  lay: at := target

action step
  choose target in Cell where target not in walls
  require there: at is not empty
  require near: target in around(at)
  lay: at := target

action fly
  choose target in Cell
  require down: target in twice
    except high: when open_to_all
  lay:
    at := target
    open_to_all := true

action pair
  choose a in Cell, b in Cell
  require low: a in twice and b in around(a) and a.col > 1
  lay: at := b

play
  turns: repeat 99 times
    each player in seats
      choose walk or step or fly or pair
"""


def test_moves_listed_from_a_collection_are_all_that_the_requirement_allows() -> None:
    """The collections have cells that are off the board, repeated, out of order or outside the choice; one collection
    has no value at first.
    """
    engine = engine_from(PATHS)
    sizes = set()
    for state, _ in walk(engine, 4, most=12):
        listed = engine.legal_moves(state)
        (player,) = engine.to_move(state)
        single = [move(player, name, target=cell) for name in ("walk", "step", "fly") for cell in range(9)]
        double = [move(player, "pair", a=a, b=b) for a, b in product(range(9), repeat=2)]
        assert list(listed) == [each for each in single + double if engine.refusal(state, each) is None]
        sizes.add(len(listed))
    assert len(sizes) > 2


TRIED = """
state coins(Player): 0..9 = 0
state tries: 0..2 = 0

action take
  choose n in 1..4
  add: coins(me) += n
  small: check(my coins)
  require odd: my coins mod 2 = 1
  more: tries += n

action check(n: 0..9)
  require few: n <= 3

play
  turns: repeat 99 times
    each player in seats
      take
"""


def test_a_trial_tests_every_requirement_and_nothing_after_them() -> None:
    """After the last requirement there is a fault of the spec, which is reported when the move is played."""
    tried = engine_from(TRIED)
    start = tried.start()
    assert tried.legal_moves(start) == (move(0, "take", n=1), move(0, "take", n=3))
    for n, paths in ((2, ("take.odd",)), (4, ("check.few",))):
        refusal = tried.refusal(start, move(0, "take", n=n))
        assert refusal is not None
        assert refusal.clauses == paths
    with pytest.raises(SpecFault):
        tried.apply(start, move(0, "take", n=3))


FAILING = """
state n: 0..9 = 0
action take
  choose k in 0..3
  require large: 6 div (3 - k) > 1
  go: n += 6 div (k - 1)

play
  turns: each player in seats
    take
"""
LAST, SECOND = move(0, "take", k=3), move(0, "take", k=1)


@pytest.mark.parametrize(
    "ask",
    (
        lambda engine, state: engine.is_legal(state, LAST),
        lambda engine, state: engine.refusal(state, LAST),
        lambda engine, state: engine.legal_moves(state),
        lambda engine, state: engine.legal_ids(state),
        lambda engine, state: engine.legal_ids(state, player=0),
        lambda engine, state: engine.mask(state),
        lambda engine, state: engine.drawn(state, Generator(1)),
        lambda engine, state: engine.apply(state, SECOND),
        lambda engine, state: engine.apply_id(state, engine.id_of(SECOND)),
        lambda engine, state: engine.advance(state, SECOND),
    ),
)
def test_each_question_says_in_the_author_s_words_why_the_rules_fail(ask: Callable[[Engine, State], object]) -> None:
    engine = engine_from(FAILING)
    state = engine.start()
    before = state.clone()
    with pytest.raises(SpecFault, match="a number is divided by 0 here"):
        ask(engine, state)
    assert state == before


SEARCHED = """
state k: 0..30 = 12
state r: 0..9 = 0

action take
  choose n in DOMAIN
  require it: CONDITION
  go: r += 1

play
  turns: each player in seats
    take
"""


@pytest.mark.parametrize("domain", ("1..30", "set(i for i in 1..30 where i mod 2 = 1)", "list(3 * i for i in 1..10)"))
@pytest.mark.parametrize(
    "condition",
    ("n <= k", "k >= n and n != 3", "n >= k", "n <= k and k < 40", "n in set(i for i in 1..30 where i > k)"),
)
def test_a_search_up_to_a_bound_finds_values_of_the_domain_only(domain: str, condition: str) -> None:
    engine = engine_from(SEARCHED.replace("DOMAIN", domain).replace("CONDITION", condition))
    moves, reference = engine.legal_moves(engine.start()), engine.reference
    assert moves == reference.legal_moves(reference.start())
    assert moves


HOLDER = """
state holder: Player = seat(1)
state full(1..2): Bool = false

play
  turns: repeat
    as holder
      choose mark or give
  until full(1) and full(2)

action mark
  choose n in 1..2
  require free: not full(n)
  mark: full(n) := true

action give
  choose other in Player
  give: holder := other
"""


@pytest.mark.parametrize("mutant", ("", "decider", "admits"))
def test_a_move_that_was_legal_once_is_judged_again(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How a move is played is memoized for each decision; whether it is legal is not."""
    engine, recorded = Compiled(game_from(HOLDER, 2)), Compiled._play_recorded
    mark, give = move(0, "mark", n=1), move(0, "give", other=1)
    marked = engine.apply(engine.start(), mark)
    given = engine.apply(engine.start(), give)
    if mutant:
        at = {"decider": 1, "admits": 2}[mutant]
        without: Any = lambda self, state, how: recorded(self, state, (*how[:at], None, *how[at + 1 :]))  # noqa: E731
        monkeypatch.setattr(Compiled, "_play_recorded", without)
    assert engine.play(marked, mark) == (mutant == "admits")
    assert engine.play(given, give) == (mutant == "decider")


def test_a_player_who_need_not_decide_has_no_numbers() -> None:
    row, bids = engine_once(game_once("tic_tac_toe")), engine_once(game_once("goofspiel"))
    assert row.legal_ids(row.start(), 0)
    assert row.legal_ids(row.start(), 1) == []
    assert not any(row.mask(row.start(), 1))
    state = bids.start()
    bids.advance(state, bids.chance(state)[0][0])
    first, second, *_ = bids.legal_ids(state, 1)
    bids.state_id(state, 1, first)
    assert bids.legal_ids(state, 1) == []
    before = state.clone()
    with pytest.raises(ValueError, match="seat 1 has chosen"):
        bids.state_id(state, 1, second)
    assert state == before


def test_a_number_of_a_move_that_is_not_on_offer_is_refused() -> None:
    engine = engine_once(game_once("boreal"))
    state = engine.start()
    while engine.is_chance(state):
        engine.advance(state, engine.chance(state)[0][0])
    before, number = state.clone(), engine.numbers.by_name["resolve.reserve_market"].first
    for played in (engine.apply_id, engine.advance_id):
        with pytest.raises(Refused, match="not offered"):
            played(state, number)
        assert state == before


def test_the_reference_refuses_a_state_of_another_game() -> None:
    reference, other = Reference(game_once("tic_tac_toe")), Reference(game_once("kuhn_poker")).start()
    for question in (reference.legal_moves, reference.awaits, reference.chance, reference.returns):
        with pytest.raises(ValueError, match="of another game or table than tic_tac_toe"):
            question(other)
