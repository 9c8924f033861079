"""States as plain values: clone, equality, hash, JSON; drawing, refilling and moving hidden pieces."""

from __future__ import annotations

import json
from fractions import Fraction
from inspect import signature
from itertools import islice

import pytest

from ludex.interpreter import Awaits, Engine, Generator, Move, Reference, Ticket, inventory, playout
from ludex.interpreter.state.questions import Questions
from ludex.spec import load
from ludex.spec import types as t

from ..once import engine_once, game_once
from .build import chance, engine_from, move, outcomes, play, walk

GAMES = ("tic_tac_toe", "pig", "kuhn_poker")


@pytest.mark.parametrize("name", GAMES)
def test_a_state_survives_json_at_every_event(name: str) -> None:
    engine = engine_once(game_once(name))
    for seed in range(3):
        for state, event in walk(engine, seed):
            data = json.loads(json.dumps(engine.state_to_json(state)))
            again = engine.state_from_json(data)
            assert again == state
            assert hash(again) == hash(state)
            assert engine.state_to_json(again) == engine.state_to_json(state)
            assert engine.legal_moves(again) == engine.legal_moves(state)
            assert engine.chance(again) == engine.chance(state)
            if event is not None:
                assert engine.apply(again, event) == engine.apply(state, event)


@pytest.mark.parametrize("name", GAMES)
def test_apply_keeps_its_state_and_advance_changes_it(name: str) -> None:
    engine = engine_once(game_once(name))
    for state, event in walk(engine, 5):
        if event is not None:
            before = state.clone()
            after = engine.apply(state, event)
            assert state == before
            assert engine.advance(state, event) is None
            assert state == after


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_play(name: str) -> None:
    game = load(name)
    one = list(playout(Engine(game), Generator(11)))
    assert one == list(playout(Engine(game), Generator(11)))
    assert all(turn.choices >= 1 for turn in one)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: None,
        lambda data: [],
        lambda data: data | {"cells": data["cells"][:-1]},
        lambda data: data | {"cells": [99, *data["cells"][1:]]},
        lambda data: data | {"cells": [{"ticket": 0}, *data["cells"][1:]]},
        lambda data: data | {"pools": [[1]]},
        lambda data: data | {"stack": [{"routine": "nowhere", "at": 0, "slots": []}]},
        lambda data: data | {"stack": [data["stack"][0] | {"at": 10_000}]},
        lambda data: data | {"stack": [data["stack"][0] | {"at": 0}]},
        lambda data: data | {"more": 1},
        lambda data: data | {"cells": [1.5, *data["cells"][1:]]},
    ],
)
def test_json_of_another_form_is_refused(damage: object) -> None:
    engine = Engine(load("tic_tac_toe"))
    data = damage(engine.state_to_json(engine.start()))  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"\w+"):
        engine.state_from_json(data)


def test_values_that_are_never_read_again_are_not_in_the_state() -> None:
    engine = engine_from(
        """
state n: 0..9 = 0
action think
  choose a in 1..3, b in 1..3
  let both = a + b
  keep: n := if both > 3 then 1 else 0
  again: as seat(2)
    answer
action answer
  choose c in 1..2
  keep: n := c
play
  turns: repeat 2 times
    as seat(1)
      think
"""
    )
    one, two = play(engine, move(0, "think", a=1, b=1)), play(engine, move(0, "think", a=2, b=1))
    assert one == two, "only the answer may be left in the state, not the thoughts"
    assert one != play(engine, move(0, "think", a=2, b=2))


# ---- drawing


def deck(rest: str, zones: str = "") -> Engine:
    return engine_from(
        f"""
type Card = 1..4
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open
{zones}
setup
  deck:
    fill deck with Card
    shuffle deck
{rest}
"""
    )


def test_drawing_several_pieces_is_one_event_for_each() -> None:
    engine = deck("play\n  deal: draw 3 from deck to hand(seat(2))\n  more: draw 3 from deck to table\n")
    state = engine.start()
    assert outcomes(engine, state) == dict.fromkeys((1, 2, 3, 4), Fraction(1, 4))
    state = play(engine, chance(engine, state, 3), state=state)
    assert engine.cell(state, "hand", [1]) == (3,)
    assert outcomes(engine, state) == dict.fromkeys((1, 2, 4), Fraction(1, 3))
    for kind in (4, 1, 2):
        state = play(engine, chance(engine, state, kind), state=state)
    assert engine.is_terminal(state), "all pieces must be drawn if there are fewer"
    assert engine.cell(state, "table") == (2,)


def test_only_moves_from_hidden_to_open_zones_are_events() -> None:
    engine = deck(
        """
play
  away: draw 2 from deck to aside
  on: move all from aside to spread
  open: move all from spread to row
""",
        "zone aside: pile of Card, hidden\nzone spread: bag of Card, hidden\nzone row: pile of Card, open",
    )
    state = engine.start()
    assert engine.cell(state, "spread") == (Ticket(0), Ticket(0))
    state = play(engine, chance(engine, state, 4), state=state)
    assert outcomes(engine, state) == dict.fromkeys((1, 2, 3), Fraction(1, 3))
    state = play(engine, chance(engine, state, 2), state=state)
    assert engine.is_terminal(state)
    assert engine.cell(state, "row") == (2, 4)
    assert inventory(engine.game, state).total() == 4


def test_a_pile_that_is_turned_over_keeps_its_order() -> None:
    engine = deck("play\n  open: move all from deck to row\n", "zone row: pile of Card, open")
    state = engine.start()
    for kind in (3, 1, 4, 2):
        state = play(engine, chance(engine, state, kind), state=state)
    assert engine.cell(state, "row") == (2, 4, 1, 3), "the first visible card must stay on top"


def test_known_pieces_are_drawn_without_an_event() -> None:
    engine = deck(
        """
play
  look: draw 2 from deck to hand(seat(1))
  back: move all from hand(seat(1)) to bottom of deck
  drop: draw 2 from deck to gone
  draw: draw 2 from deck to table
""",
        "zone gone: pile of Card, hidden",
    )
    state = engine.start()
    state = play(engine, chance(engine, state, 3), state=state)
    state = play(engine, chance(engine, state, 1), state=state)
    assert engine.is_terminal(state)
    assert engine.cell(state, "table") == (1, 3)
    assert engine.cell(state, "gone") == (Ticket(0), Ticket(0))
    assert state.pools == ((2, 4),)


def test_a_swap_and_a_single_piece_may_reveal_too() -> None:
    engine = deck(
        """
play
  lay: draw 1 from deck to face_down
  show: swap face_down with face_up
  again: draw 1 from deck to face_down
  last: move face_down to table
""",
        "zone face_down: one Card, hidden\nzone face_up: one Card, open",
    )
    state = play(engine, chance(engine, engine.start(), 2))
    assert engine.cell(state, "face_up") == 2
    assert outcomes(engine, state) == dict.fromkeys((1, 3, 4), Fraction(1, 3))
    state = play(engine, chance(engine, state, 4), state=state)
    assert engine.is_terminal(state)
    assert engine.cell(state, "table") == (4,)


SACK = """
type Stone = 1..2
zone sack: bag of Stone, hidden
zone spent: bag of Stone, open
zone hand(Player): bag of Stone, private
refill sack from spent
setup
  sack: fill sack with bag(i for i in {1, 2}) + bag(i for i in {1})
play
  draw: draw 2 from sack to hand(seat(1))
  spend: move all from hand(seat(1)) to spent
  more: draw 2 from sack to hand(seat(2))
"""


def test_a_deck_is_refilled_as_soon_as_it_is_empty() -> None:
    engine = engine_from(
        """
type Card = 1..4
zone deck: pile of Card, hidden
zone spent: bag of Card, open
zone row: bag of Card, open
refill deck from spent
setup
  deck:
    fill deck with {1}
    fill spent with {2, 3}
play
  first: draw 1 from deck to row
  paid: put 4 in spent
  second: draw 3 from deck to row
"""
    )
    state = engine.start()
    assert engine.cell(state, "spent") == (4,), "pieces put there later must wait for the next refill"
    assert outcomes(engine, state) == {2: Fraction(1, 2), 3: Fraction(1, 2)}
    for kind in (2, 3, 4):
        state = play(engine, chance(engine, state, kind), state=state)
    assert (engine.cell(state, "row"), engine.is_terminal(state)) == ((1, 2, 3, 4), True)


def test_a_bag_is_drawn_from_at_random_and_refilled_within_a_draw() -> None:
    engine = engine_from(SACK)
    state = engine.start()
    assert outcomes(engine, state) == {1: Fraction(2, 3), 2: Fraction(1, 3)}
    for kind in (1, 1):
        state = play(engine, chance(engine, state, kind), state=state)
    assert engine.cell(state, "spent") == (1, 1)
    assert outcomes(engine, state) == {2: Fraction(1)}, "the last piece of a bag must be drawn by an event, too"
    state = play(engine, chance(engine, state, 2), state=state)
    assert engine.cell(state, "spent") == (), "the bag must be refilled with one piece still to draw"
    assert outcomes(engine, state) == {1: Fraction(1)}
    state = play(engine, chance(engine, state, 1), state=state)
    assert engine.is_terminal(state)
    assert engine.cell(state, "hand", [1]) == (1, 2)
    assert inventory(engine.game, state) == {("Stone", 1): 2, ("Stone", 2): 1}


def test_a_piece_moved_from_a_bag_to_a_hidden_zone_is_unknown() -> None:
    engine = engine_from(
        SACK.split("play", maxsplit=1)[0]
        + """
play
  away: draw 1 from sack to hidden_stone
  draw: draw 2 from sack to hand(seat(1))
""".replace("hidden_stone", "aside")
        + "\nzone aside: one Stone, hidden\n"
    )
    state = engine.start()
    assert engine.cell(state, "aside") == Ticket(0)
    assert outcomes(engine, state) == {1: Fraction(2, 3), 2: Fraction(1, 3)}
    state = play(engine, chance(engine, state, 2), state=state)
    assert outcomes(engine, state) == {1: Fraction(1)}


def test_a_hidden_piece_stays_hidden_to_the_end() -> None:
    """The case is Boreal's stack: some hidden cards of one deck, shuffled into another."""
    engine = engine_from(
        """
type Card = 1..6
zone first: pile of Card, hidden
zone stack: pile of Card, hidden
zone row: bag of Card, open
setup
  first:
    fill first with {1, 2, 3}
    shuffle first
  stack:
    fill stack with {4, 5}
    draw 1 from first to stack
    shuffle stack
play
  turn: draw 3 from stack to row
"""
    )
    state = engine.start()
    third = Fraction(1, 3)
    assert outcomes(engine, state) == {**dict.fromkeys((1, 2, 3), third / 3), 4: third, 5: third}
    state = play(engine, chance(engine, state, 2), state=state)
    assert outcomes(engine, state) == {4: Fraction(1, 2), 5: Fraction(1, 2)}
    state = play(engine, chance(engine, state, 4), state=state)
    state = play(engine, chance(engine, state, 5), state=state)
    assert engine.awaits(state) is Awaits.NOTHING
    assert state.pools == ((1, 3),)
    assert inventory(engine.game, state).total() == 5


def test_a_declined_move_is_a_move() -> None:
    engine = engine_from(
        "state n: 0..3 = 0\naction go\n  choose k in 1..3\n  keep: n := k\nplay\n  turn: as seat(1)\n    may go\n"
    )
    assert engine.is_terminal(play(engine, Move(0, "decline")))


@pytest.mark.parametrize("name", ("boreal", "othello", "kuhn_poker"))
@pytest.mark.parametrize("kind", (Engine, Reference))
def test_every_query_has_its_own_budget(kind: type[Engine | Reference], name: str) -> None:
    engine, asked = kind(game_once(name)), engine_once(game_once(name))
    held, event = [(state, event) for state, event in islice(walk(asked, 1), 10) if event is not None][-1]
    element = engine.game.elements[0]
    state = asked.to_reference(held) if kind is Reference else held
    given = {
        "state": state,
        "event": event,
        "move": event if isinstance(event, Move) else Move(0, "decline"),
        "player": 0,
        "name": element.name,
        "indices": [t.values(of)[0] for of in element.indices],
        "data": asked.state_to_json(held),
    }
    for question in sorted(Questions.__abstractmethods__):
        answer = getattr(engine, question)
        arguments = {each: given[each] for each in signature(answer).parameters if each in given}
        answer(**arguments)
        once = engine.meter.done
        for _ in range(2):
            answer(**arguments)
            assert engine.meter.done <= once, f"`{question}` must not use the budget of the next query"


def test_an_engine_that_lacks_a_query_cannot_be_made() -> None:
    lacking = type("Lacking", (Reference,), {"winners": Questions.winners})
    with pytest.raises(TypeError, match="abstract method winners"):
        lacking(load("pig"))
