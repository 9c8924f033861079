"""Positions: every state of every play survives writing and reading; impossible positions are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.grammar import Failure
from ludex.interpreter import Reference, Validator, parse_log, position_of, read_log, read_position
from ludex.interpreter.logs.structure import Problem
from ludex.interpreter.play.examples import run_example
from ludex.interpreter.stack.state import StackState
from ludex.spec import shipped_games

from ..once import engine_once, game_once
from ..tiers import PythonTier, ReferenceTier, TierQueries
from .build import game_from
from .test_reference_state import TURNS

LOGS = Path(__file__).parents[2] / "spec" / "games"

ODD = """
type Piece = stone(owner: Player) | wall
type Suit = red | blue
type Pair = (suit: Suit, rank: 1..2)
type Place = (row: 1..3, col: 1..3) where row + col <= 4

zone board(Place): one Piece, open
zone cup: bag of Pair, hidden
zone tray: bag of Pair, hidden
zone hand(Player): bag of Pair, private
state past: list of Piece? up to 6 = {}
state order: list of Player = {}
state flag(Place): Bool = false

action wait
  choose n in 1..2
  past := list(p for p in {none, stone(me)})
  order := list(p for p in {me})

setup
  fill cup with Pair
  shuffle cup
  draw 2 from cup to tray
  put stone(seat(1)) in board(Place(1, 1))
  put wall in board(Place(2, 1))

play
  turns: repeat 3 times
    each player in {seat(2), seat(1)}
      draw 1 from cup to my hand
      flag(Place(1, 2)) := not flag(Place(1, 2))
      may wait
"""


def roundtrip(reference: Reference, state: StackState, names: tuple[str, ...] = ()) -> Any:
    data = json.loads(json.dumps(position_of(reference, state, names)))
    return read_position(reference, data, names)


def play(tier: TierQueries, rng: Random, most: int) -> Iterator[Any]:
    """The states of a random play."""
    state = tier.start()
    for _ in range(most):
        yield state
        if tier.is_terminal(state):
            return
        events: list[Any] = [event for event, _ in tier.chance(state)] or [*tier.legal_moves(state)]
        state = tier.apply(state, rng.choice(events))


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", shipped_games())
def test_a_play_continues_alike_from_its_position(name: str, rng: Random) -> None:
    game = game_once(name)
    tier, reference = PythonTier(game), engine_once(game).reference
    names = rng.choice([(), tuple(f"Player {letter}" for letter in "ABCD"[: game.players])])
    for state in play(tier, rng, 200):
        if rng.random() < 0.05 or tier.is_terminal(state):
            read = roundtrip(reference, tier.standing(state), names)
            assert read == tier.standing(state)
            begun = tier.taken(read)
            assert begun.key() == state.key()
            assert tier.legal_moves(begun) == tier.legal_moves(state)
            assert tier.chance(begun) == tier.chance(state)


@pytest.mark.parametrize("spec", [TURNS, ODD], ids=["turns", "odd"])
@pytest.mark.parametrize("make", [ReferenceTier, PythonTier])
def test_a_position_gives_the_same_play_in_each_tier(spec: str, make: Any, rng: Random) -> None:
    game = game_from(spec)
    engine, reference = make(game), ReferenceTier(game)
    for state in play(engine, rng, 40):
        read = roundtrip(reference, engine.standing(state))
        assert read == engine.standing(state)
        assert engine.legal_moves(engine.taken(read)) == engine.legal_moves(state)


def boreal() -> tuple[Reference, dict[str, Any]]:
    """Boreal, and its position after forty events, in which three kinds of pieces are hidden."""
    engine = engine_once(game_once("boreal"))
    play = Validator(game_once, compiled=engine_once).play(read_log(LOGS / "boreal/logs/full.jsonl"), 40)
    assert play.state is not None
    return engine.reference, position_of(engine.reference, engine.to_reference(play.state))


def leaves(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every object or list in the data, with each of its keys."""
    if isinstance(data, dict | list):
        for key, inner in [*(data.items() if isinstance(data, dict) else enumerate(data))]:
            yield data, key
            yield from leaves(inner)


ODDITIES: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "?",
    "?9",
    "? x9",
    "x x99999",
    ". .",
    [],
    {},
    [[]],
    {"at": "play"},
    "over",
)


def test_damaged_positions_are_read_or_refused(rng: Random) -> None:
    reference, whole = boreal()
    for _ in range(150):
        damaged = json.loads(json.dumps(whole))
        holder, key = rng.choice(list(leaves(damaged)))
        if rng.random() < 0.3:
            del holder[key]
        else:
            holder[key] = rng.choice(ODDITIES)
        read = read_position(reference, damaged)
        if isinstance(read, tuple):
            assert all(problem.code.code.startswith("L52") for problem in read)
        else:
            assert roundtrip(reference, read) == read


def test_no_card_is_lost_or_doubled(rng: Random) -> None:
    reference, whole = boreal()
    places = [(cards, at) for cards in whole["state"]["reserve"].values() if isinstance(cards, list) for at in range(2)]
    for number, (_, at) in enumerate(places):
        for doubled in (False, True):
            damaged = json.loads(json.dumps(whole))
            cards = [each for each in damaged["state"]["reserve"].values() if isinstance(each, list)][number // 2]
            cards[at : at + 1] = [cards[at]] * 2 if doubled else []
            read = read_position(reference, damaged)
            assert isinstance(read, tuple)
            assert [problem.code.name for problem in read] == [f"position-piece-{'created' if doubled else 'lost'}"]


def test_a_card_that_stands_for_another_is_one_fault_where_it_lies() -> None:
    reference, whole = boreal()
    reserves = whole["state"]["reserve"]
    player, cards = next((player, cards) for player, cards in reserves.items() if isinstance(cards, list))
    lost, cards[0] = cards[0], cards[1]
    read = read_position(reference, whole)
    assert isinstance(read, tuple)
    assert [(fault.code.code, fault.pointer) for fault in read] == [("L523", "/state/reserve")]
    assert f"reserve(seat({player})); one of them may have to be Place {lost}" in str(read[0].hint)


def test_a_position_without_a_place_in_the_flow_begins_the_first_turn() -> None:
    reference = engine_once(game_once("tic_tac_toe")).reference
    begun = read_position(reference, {"state": {"mark": ["2 . .", ". 1 .", ". . ."]}})
    assert isinstance(begun, StackState)
    assert reference.to_move(begun) == (0,)
    assert len(reference.legal_moves(begun)) == 7


@pytest.mark.parametrize(
    ("position", "code", "words"),
    [
        ({"flow": {"at": "play.turn"}}, "L526", "did you mean `play.turns.claim`"),
        ({"flow": {"at": [[1]], "me": 2}}, "L526", "the name of a place in the flow, found a list of 1"),
        ({"flow": {"at": [[1]], "me": 2}}, "L526", "the places are play.turns.claim"),
        ({"flow": {"at": ["play.turns.clam"]}}, "L526", "did you mean `play.turns.claim`"),
        ({"flow": {}}, "L526", "a place such as play.turns.claim"),
        ({"flow": {"at": "play.turns.claim"}}, "L526", "lacks `me`, the acting player"),
        ({"flow": {"at": "play.turns.claim", "me": 3}}, "L521", "a seat number from 1 to 2"),
        ({"flow": {"at": "play.turns.claim", "me": 1, "with": {"x": 1}}}, "L520", "no member"),
        ({"flow": {"at": "play.turns.claim", "me": 1, "left": {"play.turns": {"players": [3]}}}}, "L521", "seat"),
        ({"state": {"mark": ["1 2", ". . .", ". . ."]}}, "L522", "3 signs"),
        ({"state": {"mark": "1 2 1"}}, "L522", "3 rows"),
        ({"states": {}}, "L520", "did you mean `state`"),
        ({}, "L521", "a position"),
        ({"unseen": [[1]]}, "L525", "no zone contains a piece of pool 1"),
    ],
)
def test_each_fault_of_a_position_is_reported(position: Any, code: str, words: str) -> None:
    read = read_position(engine_once(game_once("tic_tac_toe")).reference, position)
    assert isinstance(read, tuple)
    assert [problem.code.code for problem in read] == [code]
    assert words in f"{read[0].message}; {read[0].hint() if callable(read[0].hint) else read[0].hint}"


@pytest.mark.parametrize(
    ("deck", "unseen", "pointer", "words"),
    [
        ("? x2", [["jack"]], "/unseen/0", "pool 1 contains 1 piece, but `?` is written for 2"),
        ("?", [["jack", "queen"]], "/unseen/0", "pool 1 contains 2 pieces, but `?` is written for 1"),
        (["?", "?2"], [["jack"]], "/unseen", "`?2` is written for 1, but `unseen` has no pool 2"),
    ],
)
def test_a_pool_of_the_wrong_size_is_named(deck: Any, unseen: Any, pointer: str, words: str) -> None:
    position = {"state": {"card": {"1": "king"}, "deck": deck}, "unseen": unseen}
    read = read_position(engine_once(game_once("kuhn_poker")).reference, position)
    assert isinstance(read, tuple)
    assert [(problem.code.code, problem.pointer, str(problem.message)) for problem in read] == [
        ("L525", pointer, words)
    ]


@pytest.mark.parametrize(
    ("game", "state", "words", "zone"),
    [
        (
            "kuhn_poker",
            {"card": {"1": "?", "2": "king"}, "deck": "?"},
            "each player sees what is in their own card",
            "card",
        ),
        ("crazy_eights", {"discards": ["? x3"]}, "everybody sees what is in discards", "discards"),
        ("boreal", {"removed": ["l01", "?2"]}, "everybody sees what is in removed", "removed"),
    ],
)
def test_an_unseen_piece_where_somebody_sees_it_gets_the_reason(game: str, state: Any, words: str, zone: str) -> None:
    read = read_position(engine_once(game_once(game)).reference, {"state": state, "unseen": [["jack", "queen"]]})
    assert isinstance(read, tuple)
    (fault,) = read
    assert (fault.code.code, [each.clause for each in fault.why]) == ("L521", [zone])
    assert words in fault.message


def test_a_huge_position_is_refused_at_once() -> None:
    reference = engine_once(game_once("boreal")).reference
    read = read_position(reference, {"state": {"removed": ["l01 x99999"] * 1_000}})
    assert isinstance(read, tuple)
    assert read[0].code.code == "L521"


DRAWN = """
type Place = (row: 1..2, col: 1..2)
type Man = king(owner: Player) | rook(owner: Player)

state mark(Place): Player? = none
state heap(Player, 1..3): 0..20 = 0
zone man(Place): one Man, open
zone pile: pile of Man, hidden

play
  turns: repeat 2 times
    nothing

example drawn
  with anna, boris
  given
{drawing}
  expect mark(Place(1, 2)) = anna and mark(Place(2, 1)) = none and heap(boris, 3) = 12
  expect man(Place(2, 2)) = rook(boris) and man(Place(1, 1)) is empty
"""
GOOD = """
    mark drawn as
      "b a"
      ". 2"
    heap(boris) drawn as
      "0 5 12"
    man drawn as
      ". ka"
      ". rook(boris)"
"""


def drawn(drawing: str) -> str:
    return DRAWN.replace("{drawing}", drawing.strip("\n"))


def test_an_example_may_begin_in_a_drawn_position() -> None:
    game = game_from(drawn(GOOD))
    assert run_example(Reference(game), game.examples[0]).findings == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"b a"', '"b x"'), "`mark` has no sign `x`"),
        (('"b a"', '"b a a"'), "this row of `mark` has 2 signs, not 3"),
        (('      "b a"\n', ""), "`mark` has 2 rows of signs, not 1"),
        (('"0 5 12"', '"0 - 12"'), "`heap` has no sign `-`"),
        (("heap(boris) drawn", "heap drawn"), "heap"),
        (("man drawn as", "pile drawn as"), "`pile` has no board"),
        (("man drawn as", "men drawn as"), "men"),
    ],
)
def test_a_faulty_drawing_gets_one_report(change: tuple[str, str], words: str) -> None:
    with pytest.raises(Failure) as raised:
        game_from(drawn(GOOD.replace(*change)))
    (fault,) = raised.value.diagnostics
    assert words in fault.message


def test_the_player_who_acts_says_enough_where_there_is_one_place_for_it() -> None:
    header = {"ludex": 1, "game": "tic_tac_toe", "players": ["Anna", "Boris"]}
    rows = {"mark": [". . .", ". A .", ". . ."]}
    for flow in ({"me": "Boris"}, {"at": "play.turns.claim", "me": "Boris"}):
        position = {**header, "from": {"state": rows, "flow": flow}}
        lines = [position, {"player": "Boris", "action": "claim", "args": {"cell": {"row": 1, "col": 1}}}]
        report = Validator(game_once).validate(parse_log("".join(f"{json.dumps(line)}\n" for line in lines), "a.jsonl"))
        assert report.verdict == "legal", report.findings


@pytest.mark.parametrize("name", ["english_draughts", "pig", "othello", "crazy_eights", "liars_dice"])
def test_the_player_to_move_says_where_the_play_is(name: str, rng: Random) -> None:
    game = game_once(name)
    tier, reference = PythonTier(game), engine_once(game).reference
    standing = [tier.standing(state) for state in play(tier, rng, 40) if len(tier.to_move(state)) == 1]
    for state in rng.sample([each for each in standing if len(each.frames) < 3], 1):
        # The place inside a move is the second choice: the turn around it fits as well.
        if game.name != "crazy_eights" or len(state.frames) == 1:
            data = position_of(reference, state)
            assert read_position(reference, {**data, "flow": {"me": reference.to_move(state)[0] + 1}}) == state


NESTED = """
state bids: 0..9 = 0

action bid
  choose n in 1..2
  count: bids += n up to 9

action rest
  choose n in 1..2
  count: bids := 0

action auction(high: Bool)
  bidding: each player in clockwise(me)
    bid
  over: if high then rest

play
  turns: repeat
    each player in seats
      open: auction(false)
      last: auction(true)
  until bids = 9
"""


def test_where_several_places_fit_each_is_shown_as_it_is_written() -> None:
    reference = Reference(game_from(NESTED))
    fault = refused_flow(reference, {"me": "Boris"})
    assert fault.message == "it does not follow from the position at which place Boris is to move"
    shown = re.findall("`(.*?)`", str(fault.hint))
    assert len(shown) == 6
    for text in shown:
        state = read_position(reference, {"flow": json.loads(text)}, ("Anna", "Boris"))
        assert isinstance(state, StackState)
        assert reference.to_move(state) == (1,)
    # Of the innermost place it says which one is meant.
    resting = {re.sub('"high": (true|false)', "", each) for each in shown if "auction.over" in each}
    assert resting == set(re.findall("`(.*?)`", str(refused_flow(reference, {"at": "auction.over", "me": 2}).hint)))


def test_a_turn_and_an_effect_that_is_pending_in_it_are_told_apart() -> None:
    """The pieces are the same whether a card's effect is still to come or was declined."""
    reference, whole = boreal()
    position = {**whole, "flow": {"me": 1}}
    problems = read_position(reference, position)
    assert isinstance(problems, tuple)
    (fault,) = problems
    assert fault.code.code == "L526"
    turn, *effects = re.findall("`(.*?)`", str(fault.hint))
    assert json.loads(turn) == {"at": "play.turns.explore", "me": 1}
    assert any("resolve.swap_market" in each for each in effects)
    for text in (turn, *effects):
        assert isinstance(read_position(reference, {**whole, "flow": json.loads(text)}), StackState)


def test_a_place_that_needs_more_is_shown_with_samples() -> None:
    reference = engine_once(game_once("nine_mens_morris")).reference
    fault = refused_flow(reference, {"me": "Anna"})
    shown = re.findall("`(.*?)`", str(fault.hint))
    assert shown == ['{"at": "play.placing", "me": "Anna", "left": {"play.placing#1": 0}}']
    assert isinstance(read_position(reference, {"flow": json.loads(shown[0])}, ("Anna", "Boris")), StackState)


@pytest.mark.parametrize(
    ("flow", "code", "words"),
    [
        ({"me": 3}, "L521", "a seat number from 1 to 2"),
        ({"me": 1, "wiht": {}}, "L520", "did you mean `with`"),
        ({"me": 1, "at": "play.turn"}, "L526", "did you mean `play.turns"),
        ({"me": 1, "left": {"play.rounds": 3}}, "L526", "expected a place such as play.turns.claim"),
    ],
)
def test_a_fault_beside_the_player_is_reported_as_such(flow: Any, code: str, words: str) -> None:
    fault = refused_flow(engine_once(game_once("tic_tac_toe")).reference, flow)
    assert fault.code.code == code
    assert words in f"{fault.message}; {fault.hint() if callable(fault.hint) else fault.hint}"


def refused_flow(reference: Reference, flow: Any) -> Problem:
    """Return the one fault of a position of Anna and Boris at this place in the flow."""
    read = read_position(reference, {"flow": flow}, ("Anna", "Boris"))
    assert isinstance(read, tuple)
    (fault,) = read
    return fault


def test_a_position_inside_a_log_may_be_the_board_alone() -> None:
    text = "Game: tic_tac_toe\nPlayers: Anna, Boris\n\nAnna: claim 2,2\nposition {}\nBoris: claim 3,3\n"
    for row, codes in ((". A .", []), (". . A", ["L476"])):
        rows = json.dumps({"state": {"mark": [". . .", row, ". . ."]}})
        report = Validator(game_once).validate(parse_log(text.replace("{}", rows), "a.ludexlog"))
        assert [each.code.code for each in report.findings if each.is_error] == codes
