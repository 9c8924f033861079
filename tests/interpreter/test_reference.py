"""The reference and the engine agree: at every event all queries have the same answers."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import settings as settings_of_hypothesis

from ludex.interpreter import Engine, Event, SpecFault, State, Trace
from ludex.interpreter.program import COMPACT, WIDE
from ludex.interpreter.reference import Mode, Reference, halted, run, seen_by
from ludex.interpreter.stack.state import StackState
from ludex.spec import Evaluation, Meter, OverBudget, Unknown, is_known, load, shipped_games, value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ..games.candidates import candidates
from ..games.plays import SAMPLES, TABLES, Table, engine_of, seeded
from ..once import EAGER, EVALUATED
from ..tiers import options_of
from .build import ONE_CARD_EACH, game_from
from .test_one_meaning import bodies, read_define
from .test_stated_parameters import BUILD, SECRET
from .test_veil import CARDS, KING, SAY, cards

ROOM = 10
"""The factor by which the reference may exceed the budget of the game."""
WORK, LONG_WORK = 60_000, 1_000_000
"""The work of the reference after which a play is cut off."""
STATES, LONG_STATES = 25, 150
WIDTH = 5
"""The number of states of a level, and of successors of each."""
TRIED, LONG_TRIED = 5, 40
"""The number of events, most of them illegal, tried in each state."""


LARGE = ("breakthrough", "othello")
"""Games of which the reference lists the moves for minutes on the largest boards."""


def settings(game: m.Game) -> Iterator[dict[str, Any]]:
    """Yield the tables of a game that differ from the first in one setting: players, text, an option, a reading."""
    counts = game.player_counts
    yield from ({"players": count} for count in sorted({counts[0], counts[len(counts) // 2], counts[-1]}))
    yield from ({"edition": edition} for edition in game.editions)
    for option in game.options:
        values = t.values(option.type)
        for value in {values[0], values[0 if game.name in LARGE else -1]} - {option.default}:
            yield {"options": {option.name: _as_given(option.type, value)}}
    for fork in game.forks:
        yield from ({"readings": {fork.name: name}} for name, _ in fork.readings if name != fork.chosen)


def _as_given(of: t.Type, value: t.Value) -> object:
    return of.cases[value].name if isinstance(of, t.Words) else value


@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", shipped_games())
def test_both_engines_play_every_game_alike(name: str, rng: Random, is_long: bool) -> None:
    every = list(settings(load(name)))
    for setting in every if is_long else rng.sample(every, 1):
        try:
            game = load(name, **setting)
        except ValueError:
            continue
        follow(Engine(game, rng.choice((WIDE, COMPACT, EAGER))), rng, is_long, f"{name} {setting}")


def test_facts_that_are_evaluated_once_change_neither_moves_nor_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a run that is not long, the reference of the tests keeps the values of facts (`evaluate_facts_once`)."""
    game = load("breakthrough", options={"size": 5})
    found = []
    for called in (EVALUATED, Evaluation.called, Evaluation.called):
        monkeypatch.setattr(Evaluation, "called", called)
        reference = Reference(game)
        moves = reference.legal_moves(reference.start())
        found.append((moves, reference.meter.done))
    assert found[0] == found[1] == found[2]


@pytest.mark.drawn(3)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_slots_that_nothing_reads_make_no_difference(
    table: Table, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both engines empty them by one liveness analysis, so that lockstep would not show a fault in it."""
    played = seeded(table, rng.randrange(1000), 30)
    events = played.events
    looked = sorted(rng.sample(range(len(events) + 1), min(3, len(events) + 1)))

    def answers() -> Iterator[Any]:
        reference = Reference(played.engine.game)
        state = reference.start()
        for at, event in enumerate([*events, None]):
            if at in looked:
                yield reference.legal_moves(state), reference.chance(state), reference.to_move(state)
                yield reference.returns(state), [reference.observe(state, seat) for seat in range(table.players)]
            if event is not None:
                state = reference.apply(state, event)

    emptied = list(answers())
    monkeypatch.setattr(run, "without_dead", lambda routines, frames: tuple(frames))
    assert list(answers()) == emptied, "`without_dead` empties a slot that is read later"


LATE_GAMES = ("backgammon", "bora_bora", "mangrovia")
"""Games with requirements after moves."""
OTHERS = [table for table in TABLES if table.game not in LATE_GAMES]


@pytest.mark.drawn(4)
@pytest.mark.parametrize("table", (*OTHERS, *SAMPLES), ids=str)
def test_no_trial_fails_where_no_statement_can_reach_a_requirement(table: Table, rng: Random) -> None:
    """A partial run relies on it: what is unknown leaves no doubt about a move of such a game."""
    play = seeded(table, rng.randrange(1000), 12)
    game = play.engine.game
    reference = Reference(replace(game, budget=game.budget.times(ROOM)))
    if reference.rules.may_refuse_late:
        return
    state = rng.choice(play.states)
    run = reference.at(play.engine.to_reference(state))
    for move in play.engine.legal_moves(state):
        assert not halted(run, move), f"mend `Rules.may_refuse_late`: the trial of {move} fails"


@pytest.mark.drawn(8)
@pytest.mark.parametrize("table", SAMPLES, ids=str)
def test_both_engines_play_every_construct_alike(table: Table, rng: Random, is_long: bool) -> None:
    follow(engine_of(table), rng, is_long, str(table))


@pytest.mark.drawn(4)
@pytest.mark.parametrize("table", (*TABLES, *SAMPLES), ids=str)
def test_states_that_are_equal_in_the_engine_are_equal(table: Table, is_long: bool) -> None:
    """States are equal however the play reached them: finished parts of a play leave no trace."""
    engine = engine_of(table)
    reference = Reference(engine.game)
    waiting, known = deque([(engine.start(), reference.start())]), dict[State, StackState]()
    reference.meter.begin_game()
    most, work = (LONG_STATES, LONG_WORK) if is_long else (STATES, WORK)
    while waiting and len(known) < most and reference.meter.used < work:
        here, there = waiting.popleft()
        if here not in known:
            events = engine.legal_moves(here)[:WIDTH] or [event for event, _ in engine.chance(here)][:WIDTH]
            waiting += [(engine.apply(here, event), reference.apply(there, event)) for event in events]
        assert known.setdefault(here, there) == there


def follow(engine: Engine, rng: Random, is_long: bool, name: str) -> None:
    """Play at random in both engines, until the work is used up."""
    game = engine.game
    reference = Reference(replace(game, budget=game.budget.times(ROOM)))
    reference.meter.begin_game()
    here, there, number = engine.start(), reference.start(), 0
    while reference.meter.used < (LONG_WORK if is_long else WORK):
        place = f"{name}, event {number}"
        event = same_state(engine, reference, here, there, rng, place, LONG_TRIED if is_long else TRIED)
        if event is None:
            break
        one, other = Trace(), Trace()
        after = came(partial(engine.apply, here, event, one)), came(partial(reference.apply, there, event, other))
        if not isinstance(after[0], State):
            assert after[0] == after[1], place
            break
        here, there = after
        assert replace(one, named=set()) == replace(other, named=set()), place
        assert one.named <= other.named, place
        number += 1


def same_state(
    engine: Engine, reference: Reference, here: State, there: StackState, rng: Random, place: str, tried: int
) -> Event | None:
    """Assert that both answer all queries alike. Returns the next event; None at the end."""
    assert engine.to_reference(here) == there, place
    assert engine.awaits(here) == reference.awaits(there), place
    assert engine.to_move(here) == reference.to_move(there), place
    assert engine.offered(here) == reference.offered(there), place
    assert engine.legal_moves(here) == reference.legal_moves(there), place
    assert engine.chance(here) == reference.chance(there), place
    assert engine.chance_for(here) == reference.chance_for(there), place
    assert came(partial(engine.scores, here)) == came(partial(reference.scores, there)), place
    assert came(partial(engine.returns, here)) == came(partial(reference.returns, there)), place
    assert engine.public_view(here) == reference.public_view(there), place
    seats = range(engine.game.players)
    for seat in seats:
        assert engine.observe(here, seat) == reference.observe(there, seat), f"{place}, seat {seat}"
    assert reference.state_from_json(json.loads(json.dumps(reference.state_to_json(there)))) == there, place
    assert engine.is_terminal(here) == reference.is_terminal(there), place
    if engine.is_terminal(here):
        assert engine.winners(here) == reference.winners(there), place
        return None
    options = options_of(engine, here)
    event = rng.choice(options)
    for seat in (None, *seats):
        assert engine.view_of_event(here, event, seat) == reference.view_of_event(there, event, seat), place
    every = list(islice(candidates(engine.game, options, rng), 2_000))
    for other in rng.sample(every, min(tried, len(every))):
        one, two = came(partial(engine.refusal, here, other)), came(partial(reference.refusal, there, other))
        assert one == two, f"{place}: {other}"
    return event


def came(work: Callable[[], Any]) -> Any:
    """Return a value, or a fault with its clause and place."""
    try:
        return work()
    except OverBudget:
        raise
    except SpecFault as fault:
        return fault.message, fault.path, fault.span


# ---- small games, each of a few things that seldom come together

PIECES = """
type Card = 1..3

zone deck: pile of Card, hidden
zone box: bag of Card up to 20, hidden
zone sack: bag of Card up to 20, hidden
zone tray: bag of Card, open
zone heap: pile of Card, open
zone hand(Player): bag of Card, private
zone kept(Player): one Card, private

refill deck from heap

setup
  deck:
    fill deck with bag(c for c in Card) + bag(c for c in Card)
    shuffle deck
  tray: put Card in tray

action play_some
  choose cards within my hand
  lay: move cards from my hand to top of heap

action keep
  choose card in my hand
  require room: my kept is empty
  put_by: move card from my hand to my kept

action mix
  choose n in 1..2
  aside: draw n from deck to box
  more: draw 1 from box to sack
  open_some: draw 1 from box to heap
  unseen: draw 1 from tray to sack
  again:
    move all from heap to deck
    shuffle deck
  back: draw 1 from sack to my hand

play
  turns: repeat 4 times
    each player in seats
      cards: draw 2 from deck to my hand
      random d in 1..3
      let a = d
      first: choose mix or play_some
      if a > 2 and size(my hand) > 9 then end game
      each u in 1..2, v in 1..2 where u + v + a > 5
        may keep
"""
ASKING = """
state coins(Player): 0..9 = 2

action pay(n: 1..2)
  require enough: my coins >= n
  cost: coins(me) -= n

action buy
  first: pay(2)
  then_more:
    choose k in 1..2 where k <= my coins
    coins(me) -= k

action turn
  choose n in 1..2
  require can_buy: n = 2 implies can buy
  now: if can buy then buy

play
  turns: repeat 2 times
    each player in seats
      choose turn or pay(1)
      coins(me) += 1
"""
NAMES = (CARDS.replace("FLOW", f"let n = count(c in my hand where c = king){SAY}").replace("CHOICE", KING[0])).replace(
    "GO", KING[1]
) + ONE_CARD_EACH
NEVER = """
state n: 0..9 = 0
state m: 0..9 = 0

action never
  choose k in 1..3
  require no: k > 5
  go:
    n := k
    require late: n < 8

action once
  choose k in 1..3
  require small: k > n
  go:
    n := n + k
    require late: n < 5
  again: if can once then m := m + 1

play
  turns: repeat 4 times
    each player in seats
      may once
      if can never then m := 9
"""
TEXTS = {
    "pieces": PIECES,
    "asking": ASKING,
    "stated": BUILD,
    "stated in secret": SECRET,
    "secret names": NAMES,
    "never, and asked in itself": NEVER,
}


@pytest.mark.parametrize("name", TEXTS)
def test_both_engines_play_small_games_alike(name: str, rng: Random, is_long: bool) -> None:
    engine = Engine(game_from(TEXTS[name]), rng.choice((WIDE, COMPACT, EAGER)))
    for _ in range(20 if is_long else 2):
        follow(engine, rng, is_long, name)


# ---- what everybody can see

SHOWN = (
    "may show",
    "repeat may show",
    "choose show",
    "coins(me) := 0\n    may show",
    "let n = size(my hand) - 1" + SAY,
)
ASKED = ("card = king", "not (card = king or size(my hand) = 1)", "some other in my hand has other != card")


@pytest.mark.parametrize("flow", SHOWN)
@pytest.mark.parametrize("requirement", ASKED)
def test_both_engines_ask_the_same_players_without_a_choice(flow: str, requirement: str, rng: Random) -> None:
    follow(cards(flow, requirement=requirement), rng, False, f"{flow}, {requirement}")


@settings_of_hypothesis(max_examples=60)
@given(bodies())
def test_public_values_are_right_for_all_hidden_values(body: str) -> None:
    game = read_define(body)
    assume(isinstance(game, m.Game))
    assert isinstance(game, m.Game)
    define = game.defines["made"]
    for y in range(4):
        seen = Evaluation(game.defines, None, set(), Meter(game.budget), is_partial=True)
        value = seen.of(define.body, {1: Unknown(), 2: y}, "made")
        if is_known(value):
            worth = {came(partial(value_of, define.body, {1: x, 2: y}, game.defines)) for x in range(4)}
            assert all(each == value for each in worth if not isinstance(each, tuple)), (y, worth)


def test_a_nested_run_knows_no_more() -> None:
    reference = Reference(load("kuhn_poker"))
    run = reference.at(reference.start())
    for player, mode in ((0, Mode(is_partial=True)), (None, Mode(is_partial=True, is_public=True))):
        assert seen_by(run, player).within((), Mode(is_probe=True)).mode == replace(mode, is_probe=True)
    assert run.within(()).mode == Mode()
