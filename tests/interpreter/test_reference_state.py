"""States of the reference: plain values, with frames as described in `interpreter/stack/state.py`."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest

from ludex.interpreter import ChanceEvent, Generator, Move, Refused, SpecFault, playout
from ludex.interpreter.reference import Reference
from ludex.interpreter.stack.routines import routines_of
from ludex.interpreter.stack.state import DECLINED, Frame
from ludex.spec import OverBudget, load
from ludex.spec import model as m

from ..once import engine_once, game_once
from .build import ONE_CARD_EACH, game_from, move, walk

TURNS = """
type Card = 1..3

zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
state last: 0..9 = 0

setup
  deck:
    fill deck with Card
    shuffle deck
  hands: each player in seats
    draw 1 from deck to my hand

action bow
  choose deep in Bool

play
  turns: repeat 2 times
    each player in seats
      each x in {4, 5}, y in 6..7 where x + y > 10
        let before = x
        last := before
        choose z in 1..2
        last := z + y
        as opponent(me)
          bow
  bids: all players
    choose k in 1..2
    last := k

score last: last
"""


def test_frames_describe_the_steps_still_to_do() -> None:
    reference = Reference(game_from(TURNS))
    state = reference.start()
    (dealing,) = state.frames
    assert dealing.routine == "setup"
    deck, hand = (reference.game.element[name].offset for name in ("deck", "hand"))
    assert dealing.kept == (((1,), None), (1, deck, hand)), (
        "frames: the other player; one card left to draw, from deck to hand"
    )
    for _ in range(2):
        state = reference.apply(state, reference.chance(state)[0][0])
    (turn,) = state.frames
    x, y, before, z = range(1, 5)
    assert turn.routine == "play"
    assert turn.kept == (1, ((1,), None), ((5,), ())), (
        "frames: one more time; the other player; 5, and an empty rest of 6..7"
    )
    assert [turn.slots[slot] for slot in (0, x, y)] == [0, 4, 7]
    assert [turn.slots[slot] for slot in (before, z)] == [None, None], (
        "the frames must not hold values that are overwritten before they are read"
    )
    assert isinstance(step_at(reference, turn), m.Decide)
    state = reference.apply(state, move(0, "play.turns", z=1))
    (turn,) = state.frames
    assert (turn.slots[0], turn.kept) == (1, (1, ((1,), None), ((5,), ()), 0)), (
        "frames: as the other player; then as the first again"
    )
    assert turn.slots[y] is None


def test_simultaneous_choices_are_stored_until_all_have_chosen() -> None:
    reference = Reference(game_from(TURNS))
    state = reference.start()
    while len(reference.to_move(state)) < 2:
        state = reference.apply(state, (reference.chance(state) or [reference.legal_moves(state)])[0][0])
    (frame,) = state.frames
    assert frame.kept == ((None, None),)
    state = reference.apply(state, move(1, "play.bids", k=2))
    assert state.frames[0].kept == ((None, (0, (2,))),)
    assert reference.is_terminal(reference.apply(state, move(0, "play.bids", k=1)))


CALLS = """
action step(most: 1..2)
  choose n in 1..most
  done: nothing
  rest:
    random die in 1..2

play
  turns: repeat 2 times
    each player in seats
      repeat may step(2)
"""


def test_a_calling_frame_is_at_its_call() -> None:
    reference = Reference(game_from(CALLS))
    state = reference.apply(reference.start(), move(0, "step", n=2))
    play, step = state.frames
    assert isinstance(step_at(reference, play), m.Decide)
    assert step == Frame("step", step.at, (0, None, None, None), ())
    assert isinstance(step_at(reference, step), m.RandomValue)
    asked_again = reference.apply(state, ChanceEvent("step.rest", 1))
    assert asked_again == reference.start(), "states with equal futures must be equal"
    assert hash(asked_again) == hash(reference.start())


def step_at(reference: Reference, frame: Frame) -> m.Step:
    return routines_of(reference.game)[frame.routine].statements[frame.at]


def test_a_hidden_decline_differs_from_no_choice_yet() -> None:
    text = """
    zone hand(Player): bag of 1..2, private

    setup
      deal: put 1 in hand(seat(1))
      more: put 2 in hand(seat(2))

    play
      bids: all players
        choose c in my hand where c = 2
        remove c from my hand
    """
    reference = Reference(game_from("\n".join(line[4:] for line in text.split("\n"))))
    state = reference.start()
    assert reference.legal_moves(state, 0) == (Move(0, "decline"),)
    assert reference.apply(state, Move(0, "decline")).frames[0].kept == ((DECLINED, None),)


# ---- bad input


def test_data_of_another_form_are_refused() -> None:
    reference = Reference(load("tic_tac_toe"))
    good = reference.state_to_json(reference.start())
    assert reference.state_from_json(good) == reference.start()
    frame = good["stack"][0]
    bad: tuple[Any, ...] = (
        None,
        {},
        good | {"cells": good["cells"][1:]},
        good | {"stack": [frame | {"at": 0}]},
        good | {"stack": [frame | {"at": 99}]},
        good | {"stack": [frame | {"routine": "nowhere"}]},
        good | {"stack": [{key: held for key, held in frame.items() if key != "kept"}]},
        good | {"pools": [[1]]},
    )
    for data in bad:
        with pytest.raises(ValueError, match=r"\w"):
            reference.state_from_json(data)


WRONG: tuple[Any, ...] = (None, True, -1, 9, 10**30, [], [9], [None], {"set": []}, {"ticket": 0}, [[0, [9]], None])
"""Values put into damaged states; some of them are valid in parts of frames."""


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "crazy_eights", "backgammon"])
def test_a_damaged_stack_is_refused_or_can_be_played_on(name: str) -> None:
    engine = engine_once(game_once(name))
    states = list(islice((state for state, _ in walk(engine, 2)), 6))
    for written in map(engine.state_to_json, states):
        for wrong, (frame, part) in product(WRONG, product(range(len(written["stack"])), ("slots", "kept"))):
            for at in range(len(written["stack"][frame][part])):
                damaged = json.loads(json.dumps(written))
                damaged["stack"][frame][part][at] = wrong
                with suppress(ValueError):
                    read = engine.state_from_json(damaged)
                    engine.observe(read, 0)
                    with suppress(SpecFault):
                        list(islice(playout(engine, Generator(1), state=read), 20))


def test_a_place_for_one_piece_holds_no_list() -> None:
    engine = engine_once(game_once("kuhn_poker"))
    written = engine.state_to_json(engine.start())
    written["cells"][1] = [0, 1]
    with pytest.raises(ValueError, match="card cannot hold this"):
        engine.state_from_json(written)


def test_impossible_arguments_are_reported_at_the_api() -> None:
    reference = Reference(load("tic_tac_toe"))
    state = reference.start()
    with pytest.raises(TypeError, match="`state` must be StackState"):
        reference.legal_moves(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`event` must be Move or ChanceEvent"):
        reference.apply(state, "claim")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a seat from 0 to 1"):
        reference.observe(state, 2)
    with pytest.raises(ValueError, match="did you mean `mark`"):
        reference.cell(state, "mrak")
    with pytest.raises(TypeError, match="`game` must be Game"):
        Reference("tic_tac_toe")  # type: ignore[arg-type]
    with pytest.raises(Refused) as refused:
        reference.apply(state, Move(1, "claim", (("cell", 0),)))
    assert refused.value.refusal.players == (0,)
    assert reference.nearest_legal(state, Move(1, "claim", (("cell", 0),)), 1) == (Move(0, "claim", (("cell", 0),)),)


# ---- requirements


def test_a_requirement_without_a_value_is_excused_by_one_that_fails() -> None:
    text = """
action go
  choose a in 1..2, b in 1..2
  require much: a + b > 3
  require divided: 8 div (a - 1) = 8

play
  once: as seat(1)
    go
"""
    reference = Reference(game_from(text))
    state = reference.start()
    assert reference.legal_moves(state) == (move(0, "go", a=2, b=2),)
    refusal = reference.refusal(state, move(0, "go", a=1, b=2))
    assert refusal is not None
    assert refusal.clauses == ("go.much",)


PEEK = """
type Card = jack | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private

action peek
  require king: king in my hand
  look: nothing

action pass_on
  choose k in 1..2
  require REQUIREMENT

play
  one: each player in seats
    may pass_on
"""


@pytest.mark.parametrize("requirement", ("bare: not can peek", "bare: can peek implies 1 = 2"))
def test_what_a_player_can_do_with_hidden_cards_is_unknown(requirement: str) -> None:
    """The holder of the king can do it, so no move is legal; but no other player knows that."""
    reference = Reference(game_from(PEEK.replace("REQUIREMENT", requirement) + ONE_CARD_EACH))
    state = reference.start()
    for card in (1, 0):
        state = reference.apply(state, next(event for event, _ in reference.chance(state) if event.outcome == card))
    assert reference.legal_moves(state) == (Move(0, "decline"),)


# ---- faults and budgets


def test_a_fault_in_a_move_stops_playing_it_and_not_listing_it() -> None:
    text = """
action go
  choose n in 1..2
  require alone: n > 0
  up: count += n
  require few: count < 3

play
  turns: repeat 3 times
    each player in seats
      go

state count: 0..2 = 1
"""
    reference = Reference(game_from(text))
    state = reference.start()
    assert len(reference.legal_moves(state)) == 2
    with pytest.raises(SpecFault, match="this value is 3"):
        reference.apply(state, move(0, "go", n=2))
    assert reference.cell(reference.apply(state, move(0, "go", n=1)), "count") == 2


def test_listing_all_parts_of_a_large_hand_exceeds_the_budget() -> None:
    text = """
zone hand: bag of 1..30, open

setup
  deal: fill hand with 1..30

action pay
  choose cards within hand where sum(c for c in cards) = 999

play
  once: as seat(1)
    pay
"""
    game = game_from(text)
    game = replace(game, budget=replace(game.budget, work=20_000))
    with pytest.raises(OverBudget) as met:
        Reference(game).start()
    assert met.value.limit == 20_000, "the report must give the game's budget, not the reference's"


@pytest.mark.parametrize(
    "turn",
    (
        "here := true",
        "round := (round + 1) mod 50\n    here := round < 50",
        "each player in seats\n      may\n        choose n in 1..9 where not here\n        here := false",
    ),
)
def test_a_loop_without_an_event_is_reported_at_its_first_repetition(turn: str) -> None:
    text = f"""
state here: Bool = true
state round: 0..50 = 0

play
  rounds: repeat
    {turn}
  until not here
"""
    reference = Reference(game_from(text))
    with pytest.raises(SpecFault, match="loop never ends") as fault:
        reference.start()
    assert fault.value.path == "play.rounds"
    assert reference.meter.used < 2_000
