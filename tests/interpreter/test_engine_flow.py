"""Control flow: decisions of every form, loops, who acts, passes without a legal option, the end."""

from __future__ import annotations

import pytest

from ludex.grammar import Failure
from ludex.interpreter import DECLINE, Awaits, Engine, Move, RefusalKind, SpecFault, Trace

from .build import engine_from, move, outcomes, play

COINS = "state coins(Player): 0..9 = 0\n"


def names(engine: Engine, state: object, player: int | None = None) -> list[str]:
    return [move.action for move in engine.legal_moves(state, player)]  # type: ignore[arg-type]


def test_a_procedure_runs_without_an_event_and_passes_me_on() -> None:
    engine = engine_from(
        COINS
        + """
action earn(n: 1..3)
  own: coins(me) += n
action twice
  one: earn(1)
  two: earn(2)
action work
  choose n in 1..2
  go: twice
  more: coins(me) += n
play
  turns: each player in seats
    work
"""
    )
    state = play(engine, move(0, "work", n=2))
    assert engine.cell(state, "coins", [0]) == 5
    assert engine.to_move(state) == (1,)
    assert engine.is_terminal(play(engine, move(1, "work", n=1), state=state))


def test_a_decision_may_be_inside_an_effect_inside_an_action() -> None:
    engine = engine_from(
        COINS
        + """
action outer
  choose n in 1..2
  first: coins(me) += n
  inner: each k in 1..2
    inner(k)
  last: coins(me) += 1
action inner(k: 1..2)
  choose extra in 0..k
  add: coins(me) += extra
play
  turns: as seat(2)
    outer
"""
    )
    state = play(engine, move(1, "outer", n=1), move(1, "inner", extra=1))
    assert [m.arguments[0][1] for m in engine.legal_moves(state)] == [0, 1, 2]
    state = play(engine, move(1, "inner", extra=2), state=state)
    assert engine.is_terminal(state)
    assert engine.cell(state, "coins", [1]) == 5


def test_may_can_be_declined_and_the_rest_of_the_block_is_skipped() -> None:
    engine = engine_from(
        COINS
        + """
play
  turn: as seat(1)
    gift:
      may
        choose n in 1..3 where n > coins(seat(1))
        coins(seat(1)) := n
    after: coins(seat(2)) += 1
"""
    )
    start = engine.start()
    assert names(engine, start) == ["play.turn.gift"] * 3 + [DECLINE]
    declined = play(engine, Move(0, DECLINE), state=start)
    assert [engine.cell(declined, "coins", [seat]) for seat in (0, 1)] == [0, 1]
    taken = play(engine, move(0, "play.turn.gift", n=3), state=start)
    assert [engine.cell(taken, "coins", [seat]) for seat in (0, 1)] == [3, 1]


def test_repeat_may_goes_on_until_declined_or_nothing_is_legal() -> None:
    engine = engine_from(
        COINS
        + """
action earn
  require poor: my coins < 2
  own: coins(me) += 1
play
  turns: each player in seats
    work: repeat may earn
"""
    )
    trace = Trace()
    state = play(engine, move(0, "earn"), Move(0, DECLINE))
    assert engine.to_move(state) == (1,)
    assert engine.advance(state, move(1, "earn"), trace) is None
    assert engine.advance(state, move(1, "earn"), trace) is None
    assert engine.is_terminal(state), "with two coins nothing is legal, so the decision must end"
    assert not trace.passed, "the end of a repeated decision is not a pass"


def test_a_decision_without_a_legal_option_is_passed_over_and_counted() -> None:
    engine = engine_from(
        COINS
        + """
action spend
  choose n in 1..3
  require has: my coins >= n
  pay: coins(me) -= n
play
  turns: repeat 2 times
    each player in seats
      spend: spend
      wage: coins(me) += 1
  last: as seat(1)
    final: spend
"""
    )
    trace = Trace()
    state = engine.start(trace)
    assert engine.legal_moves(state) == (move(0, "spend", n=1),)
    assert trace.passed == {"play.turns.spend": 2}


def test_windows_offer_every_power_declared_for_them() -> None:
    engine = engine_from(
        COINS
        + """
state favour(Player): 0..2 = 2
window gaining(n: 1..2)
action double during gaining(n: 1..2)
  require favoured: my favour > 0
  pay: favour(me) -= 1
  more: coins(me) += n
action skip during gaining(n: 1..2)
  require much: n = 2 and my favour > 0
  pay: favour(me) := 0
play
  turn: as seat(1)
    moment: window gaining(2)
    moment2: window gaining(1)
"""
    )
    start = engine.start()
    assert names(engine, start) == ["double", "skip", DECLINE]
    state = play(engine, move(0, "double"), Move(0, DECLINE), state=start)
    assert names(engine, state) == ["double", DECLINE]
    assert engine.is_terminal(play(engine, move(0, "skip"), state=start)), "without favours the windows must not open"


BIDS = """
type Card = 1..3
zone hand(Player): bag of Card, private
zone bid(Player): one Card, open
setup
  hands: each player in seats
    fill my hand with Card
play
  round: repeat 2 times
    bids: all players
      choose card in my hand where card != 3 or me = seat(1)
      move card from my hand to my bid
    clear: each player in seats
      remove the(c in Card where my bid = c) from my bid
"""


def test_all_players_decide_unseen_and_in_any_order() -> None:
    engine = engine_from(BIDS, players=3)
    start = engine.start()
    assert engine.to_move(start) == (0, 1, 2)
    assert len(engine.legal_moves(start)) == 3 + 2 + 2
    assert len(engine.legal_moves(start, 1)) == 2
    name = "play.round.bids"
    one = play(engine, move(2, name, card=1), move(0, name, card=3), state=start)
    assert engine.to_move(one) == (1,)
    assert engine.cell(one, "hand", [2]) == (1, 2, 3), "nothing may happen before all have chosen"
    again = engine.refusal(one, move(2, name, card=2))
    assert again is not None
    assert again.kind is RefusalKind.WRONG_PLAYER
    assert engine.observe(one, 2)["stated"] == {"action": name, "args": {"card": 1}}
    assert set(engine.observe(one, 2)["zones"]["bid"].values()) == {None}
    assert engine.observe(one, 1)["stated"] is None
    other = play(engine, move(0, name, card=3), move(2, name, card=1), state=start)
    assert one == other, "the order of the choices must not matter"
    state = play(engine, move(1, name, card=2), state=one)
    assert [engine.cell(state, "hand", [seat]) for seat in range(3)] == [(1, 2), (1, 3), (2, 3)]
    assert engine.to_move(state) == (0, 1, 2)


def test_a_player_without_a_choice_is_not_waited_for() -> None:
    engine = engine_from(BIDS.replace("card != 3 or me = seat(1)", "me != seat(2)"))
    state = engine.start()
    assert engine.to_move(state) == (0,)
    refusal = engine.refusal(state, move(1, "play.round.bids", card=1))
    assert refusal is not None
    assert refusal.clauses == ("play.round.bids",), "the refusal must name the clause"


def test_as_and_each_player_bind_me_and_restore_it() -> None:
    engine = engine_from(
        COINS
        + """
action step
  choose k in 1..1
  own: coins(me) += k
play
  turns: each player in reversed(clockwise(seat(2)))
    step
    other: as next(me)
      step
    own: coins(me) += 3
""",
        players=3,
    )
    order = []
    state = engine.start()
    while not engine.is_terminal(state):
        order.append(engine.to_move(state)[0])
        assert engine.advance(state, engine.legal_moves(state)[0]) is None
    assert order == [0, 1, 2, 0, 1, 2]
    assert [engine.cell(state, "coins", [seat]) for seat in range(3)] == [5, 5, 5]


def test_end_game_empties_the_stack_everywhere() -> None:
    engine = engine_from(
        COINS
        + """
action deep
  choose n in 1..2
  go: each k in 1..3
    deeper(k)
action deeper(k: 1..3)
  stop: if k = 2 then end game
  own: coins(me) += 1
play
  turns: repeat
    each player in seats
      deep
"""
    )
    state = play(engine, move(0, "deep", n=1))
    assert engine.is_terminal(state)
    assert engine.awaits(state) is Awaits.NOTHING
    assert engine.legal_moves(state) == ()
    assert engine.cell(state, "coins", [0]) == 1
    refusal = engine.refusal(state, move(1, "deep", n=1))
    assert refusal is not None
    assert refusal.kind is RefusalKind.OVER


def test_a_loop_evaluates_its_domain_once() -> None:
    engine = engine_from(
        """
state bag_of_numbers: set of 1..6 = {1, 3}
state seen: list of 1..6 up to 50 = list(n for n in {})
play
  go: each n in bag_of_numbers, k in 1..n where k != 2
    bag_of_numbers := {6}
    seen := seen + list(i for i in {n + k})
""".replace("list(n for n in {})", "list(n for n in 1..6 where n > 6)")
    )
    assert engine.cell(engine.start(), "seen") == (2, 4, 6)


def test_match_binds_data_and_falls_to_otherwise() -> None:
    engine = engine_from(
        COINS
        + """
type Effect = nothing_more | gain(x: 1..3) | lose(x: 1..3)
action resolve
  choose effect in Effect
  now: match effect
    gain(x) => coins(me) += x
    lose(x) => coins(opponent(me)) += x
    otherwise => end game
play
  turns: repeat
    as seat(1)
      resolve
"""
    )
    state = play(engine, move(0, "resolve", effect=3), move(0, "resolve", effect=5))
    assert [engine.cell(state, "coins", [seat]) for seat in (0, 1)] == [3, 2]
    assert engine.is_terminal(play(engine, move(0, "resolve", effect=0), state=state))


def test_an_exception_replaces_a_step() -> None:
    text = (
        COINS
        + """
state night: Bool = false
state storm: Bool = false
action fish
  choose weather in 1..4
  look:
    night := weather in {2, 4}
    storm := weather in {3, 4}
  catch: coins(me) += 1
    except by_night: coins(me) += 2 when night
    except in_storm: coins(me) += STORM when storm
play
  turns: repeat 2 times
    as seat(1)
      fish
"""
    )
    engine = engine_from(text.replace("STORM", "3"))
    for weather, caught in ((1, 1), (2, 2), (3, 3)):
        assert engine.cell(play(engine, move(0, "fish", weather=weather)), "coins", [0]) == caught
    with pytest.raises(SpecFault, match=r"fish\.catch\.by_night and fish\.catch\.in_storm both hold"):
        play(engine, move(0, "fish", weather=4))
    same = engine_from(text.replace("STORM", "2"))
    assert same.cell(play(same, move(0, "fish", weather=4)), "coins", [0]) == 2, "equal exceptions must not conflict"


def test_options_with_the_same_effect_are_one_move() -> None:
    engine = engine_from(
        COINS
        + """
action take(n: 1..3)
  require room: my coins + n < 4
  own: coins(me) += n
play
  turns: repeat 2 times
    as seat(1)
      choose take(1) or take(1 + my coins)
"""
    )
    assert engine.legal_moves(engine.start()) == (move(0, "take", n=1),)
    state = play(engine, move(0, "take", n=1))
    assert engine.legal_moves(state) == (move(0, "take", n=1), move(0, "take", n=2)), (
        "options with different effects must be different moves"
    )


# ---- faults of the spec


@pytest.mark.parametrize(
    ("body", "path", "words"),
    [
        ("over: coins(seat(1)) := m + n + 6", "turn.over", "only 0..9"),
        ("none: coins(seat(1)) := the(c in 1..3 where c = n + 5)", "turn.none", "there is none"),
        ("many: coins(seat(1)) := the(c in 1..3 where c <= n + 1)", "turn.many", "more than one"),
        ("divide: coins(seat(1)) := 4 div (n - 2)", "turn.divide", "divided by 0"),
        ("gone: move n from pile_one to pile_two", "turn.gone", "is not there"),
        ("full: put {1, 2} in slot", "turn.full", "can hold only one piece"),
        ("empty: random k in 1..4 where k > n + 4", "turn.empty", "nothing to draw at random"),
        ("ever: repeat\n    coins(seat(1)) := 0\n  until coins(seat(1)) > n", "turn.ever", "loop never ends"),
    ],
)
def test_a_fault_of_the_spec_names_its_clause_and_leaves_the_state(body: str, path: str, words: str) -> None:
    engine = engine_from(
        COINS
        + f"""
type Card = 1..3
zone pile_one: pile of Card, open
zone pile_two: pile of Card, open
zone slot: one Card, open
action turn
  choose n in 2..2, m in 1..3
  {body}
play
  turns: as seat(1)
    turn
"""
    )
    state = engine.start()
    before = state.clone()
    with pytest.raises(SpecFault, match=words) as caught:
        engine.advance(state, move(0, "turn", n=2, m=3))
    assert caught.value.path == path
    assert caught.value.span.line > 1
    assert state == before
    with pytest.raises(SpecFault):
        engine.apply(state, move(0, "turn", n=2, m=3))
    assert state == before


def test_a_requirement_before_any_choice_is_a_fault_of_the_spec() -> None:
    with pytest.raises(Failure, match="comes too late"):
        engine_from(
            COINS
            + """
action tax
  require rich: coins(seat(1)) > 3
  pay: coins(seat(1)) -= 3
play
  die: random n in 1..6
  tax: tax
"""
        )


# ---- chance


def test_random_is_uniform_over_the_values_that_satisfy_its_condition() -> None:
    engine = engine_from(
        """
state n: 0..6 = 0
play
  die: random k in 1..6 where k != 3
  keep: n := n
  bag: random c in {1, 2} + bag(i for i in {2})
"""
    )
    state = engine.start()
    assert outcomes(engine, state) == dict.fromkeys((1, 2, 4, 5, 6), pytest.approx(1 / 5))
    state = play(engine, engine.chance(state)[0][0], state=state)
    assert {str(key): str(value) for key, value in outcomes(engine, state).items()} == {"1": "1/3", "2": "2/3"}
