"""Players without a choice are asked where others cannot know that: skipping them would reveal it."""

from __future__ import annotations

import json

import pytest

from ludex.interpreter import DECLINE, Engine, Move, RefusalKind, State

from .build import ONE_CARD_EACH, chance, engine_from, move, play

CARDS = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open
state coins(Player): 0..9 = 1
state seen(Player): Card? = none, private
state shown(Player): Bool = false

action show
  CHOICE
  require rich: coins(me) >= 1
  pay: coins(me) -= 1
  go: GO

play
  one: each player in seats
    FLOW
"""
SAY = "\n    may\n      choose k in 1..3 where k = n\n      shown(me) := true"
KING = ("choose card in my hand", "move card from my hand to table")


def cards(flow: str, choice: str = KING[0], go: str = KING[1], requirement: str = "card = king") -> Engine:
    """A game in which the holder of a certain card may show it."""
    text = CARDS.replace("FLOW", flow).replace("CHOICE", f"{choice}\n  require it: {requirement}").replace("GO", go)
    return engine_from(text + ONE_CARD_EACH)


def dealt(engine: Engine, *kinds: int) -> State:
    state = engine.start()
    for kind in kinds:
        state = play(engine, chance(engine, state, kind), state=state)
    return state


def asked(engine: Engine, state: State) -> tuple[tuple[int, ...], list[str]]:
    return engine.to_move(state), [each.action for each in engine.legal_moves(state)]


@pytest.mark.parametrize("flow", ("may show", "repeat may show", "choose show"))
def test_a_player_without_a_choice_declines_where_nobody_else_can_know(flow: str) -> None:
    engine = cards(flow)
    state = dealt(engine, 0, 2)
    assert asked(engine, state) == ((0,), [DECLINE]), (
        "with a jack there is nothing to show, which nobody else may learn"
    )
    assert engine.offered(state) == ("show", DECLINE)
    assert engine.observe(state, 1) == engine.observe(dealt(engine, 2, 0), 1) | {
        "zones": engine.observe(state, 1)["zones"]
    }
    refusal = engine.refusal(state, move(0, "show", card=0))
    assert refusal is not None
    assert refusal.kind is RefusalKind.REQUIREMENT
    state = play(engine, Move(0, DECLINE), state=state)
    assert engine.to_move(state) == (1,)


def test_a_player_who_must_act_and_can_may_not_decline() -> None:
    engine = cards("choose show")
    state = dealt(engine, 2, 0)
    assert asked(engine, state) == ((0,), ["show"])
    refusal = engine.refusal(state, Move(0, DECLINE))
    assert refusal is not None
    assert refusal.kind is RefusalKind.NOT_OFFERED
    assert refusal.offered == ("show",)
    state = play(engine, move(0, "show", card=2), state=state)
    assert asked(engine, state) == ((1,), [DECLINE])
    assert engine.is_terminal(play(engine, Move(1, DECLINE), state=state))


def test_a_player_is_passed_over_if_everybody_sees_that_there_is_no_choice() -> None:
    poor = cards("coins(me) := 0\n    may show")
    assert poor.is_terminal(dealt(poor, 0, 1)), "nobody has a coin, whatever the hidden cards are"
    bare = cards("move all from my hand to table\n    may show")
    assert bare.is_terminal(dealt(bare, 0, 1)), "nobody has a card"
    known = cards("may show", "choose card in table", "nothing")
    assert known.is_terminal(dealt(known, 0, 1)), "the table is empty"


@pytest.mark.parametrize(
    "requirement",
    (
        "size(hand(me)) >= 2 and card = king",
        "card = king and size(hand(me)) >= 2",
        "not (card = king implies size(my hand) = 1)",
        "not (card = king or size(my hand) = 1)",
        "some other in my hand has other != card",
        "(some other in my hand has other != card) and card = king",
    ),
)
def test_a_requirement_for_two_cards_fails_publicly_for_one_card(requirement: str) -> None:
    engine = cards("may show", requirement=requirement)
    assert engine.is_terminal(dealt(engine, 0, 1))


def test_later_requirements_count_as_far_as_they_are_public() -> None:
    """The requirements are in the steps of the action, before and after those that depend on hidden cards."""
    steps = "\n    require known: some c in my hand has c = king\n    LATER"
    for later, is_asked in (("require free: my shown", False), ("require free: not my shown", True)):
        engine = cards("may show", go=steps.replace("LATER", later), requirement="coins(me) > 0")
        state = dealt(engine, 0, 1)
        assert engine.to_move(state) == ((0,) if is_asked else ())


def test_a_private_state_is_hidden_too() -> None:
    engine = cards("seen(me) := if king in my hand then king else jack\n    may show", requirement="my seen = king")
    state = dealt(engine, 0, 2)
    assert asked(engine, state) == ((0,), [DECLINE])
    assert asked(engine, play(engine, Move(0, DECLINE), state=state)) == ((1,), ["show", DECLINE])


def test_a_name_with_a_hidden_value_hides_the_decision() -> None:
    engine = cards("let n = count(c in my hand where c = king)" + SAY)
    state = dealt(engine, 0, 2)
    assert asked(engine, state) == ((0,), [DECLINE])
    assert asked(engine, play(engine, Move(0, DECLINE), state=state)) == ((1,), ["play.one", DECLINE])


def test_a_name_with_a_public_value_hides_nothing() -> None:
    engine = cards("let n = size(my hand) - 1" + SAY)
    assert engine.is_terminal(dealt(engine, 0, 2))


TOGETHER = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone bid(Player): one Card, open
state round: 0..2 = 0

play
  rounds: repeat 2 times
    bids: all players
      choose card in my hand where card != jack
      move card from my hand to my bid
    round += 1
"""


def test_a_player_without_a_simultaneous_choice_declines_unseen() -> None:
    engine = engine_from(TOGETHER + ONE_CARD_EACH)
    state = dealt(engine, 0, 1)
    assert engine.to_move(state) == (0, 1)
    assert [each.action for each in engine.legal_moves(state, 0)] == [DECLINE]
    assert engine.refusal(state, Move(1, DECLINE)) is not None
    declined = play(engine, Move(0, DECLINE), state=state)
    assert engine.to_move(declined) == (1,)
    assert engine.observe(declined, 0)["stated"] == {"action": DECLINE, "args": {}}
    assert engine.observe(declined, 1)["stated"] is None
    assert engine.view_of_event(state, Move(0, DECLINE), 1) == Move(0, "hidden")
    assert engine.state_from_json(json.loads(json.dumps(engine.state_to_json(declined)))) == declined
    bids = play(engine, move(1, "play.rounds.bids", card=1), state=declined)
    assert engine.cell(bids, "round") == 1
    assert engine.to_move(bids) == (0,), "everybody sees that the other player has no card left"
    assert engine.observe(bids, 1)["to_move"] == ["seat(1)"]
    refusal = engine.refusal(bids, Move(1, DECLINE))
    assert refusal is not None
    assert engine.is_terminal(play(engine, Move(0, DECLINE), state=bids))
