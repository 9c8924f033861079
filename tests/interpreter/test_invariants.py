"""Invariants: held to in positions, examples and audits, and never evaluated in play."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import in_language
from ludex.interpreter import Engine, Generator, Reference, Validator, parse_log, pick, position_of, read_position
from ludex.interpreter.explanation.invariants import broken_invariants
from ludex.interpreter.play.examples import check_beginning, run_example
from ludex.interpreter.simulate.audit import Audit
from ludex.interpreter.simulate.simulation import Simulation
from ludex.interpreter.stack.state import StackState
from ludex.spec import load, model, shipped_games

from ..cases import cases
from ..once import engine_once, game_once
from .build import game_from, written

Maker = Callable[..., model.Game]

HEAP = """
state heap: 0..99 = 9
state taken(Player): 0..99 = 0

action take
  choose n in 1..2
  require enough: n <= heap
  away: heap -= n
  keep: taken(me) += GAIN

play
  turns: repeat
    each player in seats
      take
  until heap < 3

invariant all_of_them: heap + sum(taken(p) for p in Player) = 9  convention "nine stones"
invariant not_many: every p in Player has taken(p) < 10
"""


@pytest.fixture
def heap(tmp_path: Path) -> Maker:
    """Return a maker of the game; its file stays, as reports quote it."""
    return lambda gain="n", more="": load(written(tmp_path, HEAP.replace("GAIN", gain) + more))


def refused(game: model.Game, position: Any) -> list[str]:
    read = read_position(Reference(game), position, ("Anna", "Boris"))
    return [] if isinstance(read, StackState) else [f"{each.code.code} {each.message}" for each in read]


# ---- positions ------------------------------------------------------------------------------------------------------

ALL_WHITE = ["1 1 1"] * 3 + ["1 1 1 1 1 1"] + ["1 1 1"] * 3


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "the position breaks invariant.men_each (nine men each, on the board and in hand): p = White, "),
        ("ru", "позиция нарушает invariant.men_each (по девять фишек, на доске и в руке): p = White, "),
        ("he", "העמדה מפרה את invariant.men_each (תשעה כלים לכל שחקן, על הלוח וביד): p = White, "),
    ],
)
def test_a_position_of_24_men_is_refused(language: str, words: str) -> None:
    header = {"ludex": 1, "game": "nine_mens_morris", "players": ["White", "Black"]}
    position = {**header, "from": {"state": {"man": ALL_WHITE, "in_hand": {"1": 0, "2": 0}}}}
    (finding,) = Validator(game_once).validate(parse_log(json.dumps(position), "men.jsonl")).findings
    assert finding.code.code == "L519"
    said = in_language(finding.message, language)
    assert said.startswith(words + "count(q in Point where man(q) = p) + in_hand(p) = 24, ")
    assert [each.clause for each in finding.why] == ["invariant.men_each"]
    assert "Gasser" in finding.why[0].authority


def test_a_position_is_held_to_each_invariant(heap: Maker) -> None:
    game = heap()
    assert refused(game, {"state": {"heap": 5, "taken": {"1": 4}}}) == []
    assert refused(game, {"state": {"heap": 5, "taken": {"1": 14}}}) == [
        "L519 the position breaks invariant.all_of_them: heap + sum(taken(p) for p in Player) = 19, heap = 5",
        "L519 the position breaks invariant.not_many: p = Anna, taken(p) = 14",
    ]
    flow = {"at": "play.turns", "me": 1}
    assert refused(game, {"state": {"heap": 10}, "flow": flow})[0].startswith("L519")
    assert refused(game, {"state": {"heap": 10}, "flow": "over"})[0].startswith("L519")


def test_an_invariant_without_a_value_is_broken(heap: Maker) -> None:
    game = heap("n", "\ndefine few: 0..9 = heap\ninvariant few_left: few >= 0\n")
    assert refused(game, {"state": {"heap": 10, "taken": {}}})[1].startswith(
        "L519 the position breaks invariant.few_left"
    )


def test_a_long_sum_is_told_by_its_terms(heap: Maker) -> None:
    long = "\ninvariant long_one: heap + sum(taken(p) + 0 * heap + 0 * taken(p) + 0 * heap for p in Player) <= 9\n"
    told = refused(heap("n", long), {"state": {"heap": 12}})[-1]
    assert told == (
        "L519 the position breaks invariant.long_one: heap = 12, "
        "sum(taken(p) + 0 * heap + 0 * taken(p) + 0 * heap for p …) = 0"
    )


HIDDEN = """
type Card = red | black | blue

zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private

setup
  deck:
    fill deck with Card
    shuffle deck

action take
  choose k in 1..2
  up: draw k from deck to my hand

play
  turns: repeat 1 times
    each player in seats
      take

invariant all_cards: size(deck) + sum(size(hand(p)) for p in Player) = 3
"""


def test_pieces_that_nobody_has_seen_are_counted() -> None:
    game = game_from(HIDDEN)
    state = {"deck": "? x2", "hand": {"1": ["red"]}}
    assert refused(game, {"state": state, "unseen": [["black", "blue"]]}) == []
    reference = Reference(game)
    assert isinstance(read_position(reference, position_of(reference, reference.start())), StackState)


def test_cards_that_set_up_repeats_are_counted_without_an_invariant() -> None:
    engine = engine_once(game_once("crazy_eights"))
    state, rng = engine.start(), Generator(0)
    while engine.awaits(state) == "chance":
        engine.advance(state, pick(engine, state, rng).event)
    position = json.loads(json.dumps(position_of(engine.reference, engine.to_reference(state))))
    assert isinstance(read_position(engine.reference, position), StackState)
    position["state"]["hand"]["1"] *= 2
    doubled = read_position(engine.reference, position)
    assert isinstance(doubled, tuple)
    assert {each.code.code for each in doubled} == {"L523"}


# ---- examples and audits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "gain", "codes"),
    [
        ("heap := 8\n    taken(anna) := 1", "n", []),
        ("heap := 8", "n", ["P308"]),
        ("heap := 9", "1", ["P308"]),
    ],
    ids=["holds", "the position breaks it", "a move breaks it"],
)
def test_an_example_is_held_to_the_invariants(heap: Maker, given_: str, gain: str, codes: list[str]) -> None:
    more = f"\nexample one\n  with anna, boris\n  given\n    {given_}\n  after anna take(n: 2)\n"
    game = heap(gain, more)
    findings = run_example(Reference(game), game.examples[0]).findings
    assert [each.code.code for each in findings] == codes
    assert all("`invariant.all_of_them` does not hold: heap + sum" in each.message for each in findings)


def test_the_audit_finds_a_broken_invariant_and_keeps_the_play(heap: Maker) -> None:
    game = heap("1")
    played = Simulation(game, audit=True, long=False).play(Generator(3))
    assert len(played.wrong) == 1
    assert "`invariant.all_of_them` does not hold: heap + sum(taken(p) for p in Player) = " in played.wrong[0]
    assert Validator(lambda *_, **__: game).validate(parse_log(played.log, "a.jsonl")).verdict == "legal"
    assert Simulation(heap(), audit=True, long=False).play(Generator(3)).wrong == ()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", []),
        ("invariant fewer: heap < 9", ["P309 at the beginning of a play `invariant.fewer` does not hold: heap = 9"]),
        ("setup\n  spread: taken(seat(1)) += 1", ["P309 at the beginning of a play `invariant.all_of_them` does not"]),
        ("setup\n  too_many: taken(seat(1)) -= 1", ["P901 "]),
    ],
    ids=["all hold", "an initial value", "a step of set-up", "set-up fails"],
)
def test_the_beginning_of_a_play_is_held_to_the_invariants(heap: Maker, more: str, said: list[str]) -> None:
    findings = check_beginning(Reference(heap("n", f"\n{more}\n")))
    assert len(findings) == len(said)
    for finding, start in zip(findings, said, strict=True):
        assert f"{finding.code.code} {finding.message}".startswith(start)


def test_the_audit_finds_one_that_is_false_at_the_beginning(heap: Maker) -> None:
    engine = Engine(heap("n", "\ninvariant fewer: heap < 9\n"))
    audit = Audit(engine)
    assert audit.look(engine.start(audit.trace)) == ("`invariant.fewer` does not hold: heap = 9",)


@given(st.integers(0, 2**32))
@cases(60)
def test_every_state_of_a_random_play_fulfils_all_invariants(seed: int) -> None:
    names = shipped_games()
    engine = engine_once(game_once(names[seed % len(names)]))
    rng, state = Generator(seed), engine.start()
    for _ in range(60):
        assert list(broken_invariants(engine.reference, engine.to_reference(state))) == []
        if engine.is_terminal(state):
            return
        engine.advance(state, pick(engine, state, rng).event)


def test_every_shipped_game_has_invariants() -> None:
    assert [name for name in shipped_games() if not game_once(name).invariants] == []


def test_the_rules_are_not_blamed_for_a_position_that_breaks_an_invariant() -> None:
    reference = engine_once(game_once("pig")).reference
    (said,) = broken_by(reference, {"state": {"banked": {"1": 104}}})
    assert said.startswith("the position breaks invariant.turn_goes_on: ")
    both = broken_by(reference, {"state": {"banked": {"1": 104, "2": 105}, "over": True}})
    assert [each.split(":")[0] for each in both] == ["the position breaks invariant.first_there"]


EMPTY = [". . . . . . . ."] * 8


@pytest.mark.parametrize(
    ("name", "changes", "broken"),
    (
        ("pig", {"pot": 1}, "no_one"),
        ("pig", {"banked": {"2": 1}}, "no_one"),
        ("pig", {"over": True}, "turn_goes_on"),
        ("kuhn_poker", {"stake": {"1": 0}}, "ante"),
        ("leduc_poker", {"paid": {"1": 0}}, "ante"),
        ("leduc_poker", {"folded": {"1": True, "2": True}}, "speakers"),
        ("leduc_poker", {"folded": {"1": True}, "to_speak": 2}, "speakers"),
        ("leduc_poker", {"paid": {"1": 3}, "raised": 1, "to_speak": 0}, "alike"),
        ("leduc_poker", {"paid": {"1": 4, "2": 4}}, "raises"),
        ("crazy_eights", {"suit": "OTHER"}, "asked_for"),
        ("crazy_eights", {"plays": 3}, "laid"),
        ("crazy_eights", {"passes": 1}, "passed"),
        ("crazy_eights", {"owed": 2}, "twos"),
        ("crazy_eights", {"backwards": True}, "round"),
        ("othello", {"disc": [*EMPTY[:3], ". . . 2 1 . . .", ". . . 1 . . . .", *EMPTY[:3]]}, "middle"),
        (
            "othello",
            {"disc": [*EMPTY[:3], ". . . 2 1 . . .", ". . . 1 2 . . .", *EMPTY[:2], "1 . . . . . . ."]},
            "touching",
        ),
        ("connect_four", {"disc": [". . . . . . ."] * 5 + ["1 1 1 1 2 2 2"], "flow": {"me": 2}}, "over"),
        ("nim", {"last": 1}, "in_turns"),
        ("nim", {"flow": "over"}, "over"),
        ("liars_dice", {"bid": {"count": 1, "face": 1}, "bidder": 1}, "in_turns"),
        ("english_draughts", {"loser": 1}, "over"),
        ("kuhn_poker", {"stake": {"1": 2, "2": 2}}, "speaker"),
        ("nine_mens_morris", {"loser": 1}, "over"),
        ("breakthrough", {"flow": "over"}, "over"),
        ("oware", {"flow": "over"}, "over"),
    ),
)
def test_a_position_that_no_play_reaches_is_refused(name: str, changes: dict[str, Any], broken: str) -> None:
    engine = engine_once(game_once(name))
    state, rng = engine.start(), Generator(1)
    while engine.awaits(state) == "chance":
        engine.advance(state, pick(engine, state, rng).event)
    reference = engine.reference
    position = json.loads(json.dumps(position_of(reference, engine.to_reference(state))))
    assert broken_by(reference, position) == []
    held = position.setdefault("state", {})
    position["flow"] = changes.get("flow", position["flow"])
    for of, value in changes.items():
        if of == "flow":
            continue
        if isinstance(value, dict):
            held[of] = {**held.get(of, {}), **value}
        else:
            held[of] = (
                next(suit for suit in ("spades", "hearts") if suit != held.get("suit")) if value == "OTHER" else value
            )
    assert [each for each in broken_by(reference, position) if f" invariant.{broken} " in f"{each} ".replace(":", " ")]


@pytest.mark.parametrize(
    ("held", "unseen", "broken"),
    (
        ({"hand": {"1": [1, 2], "2": [1, 2, 3]}, "spent": [3], "prizes": "? x3"}, [1, 2, 3], "hands_alike"),
        (
            {"hand": {"1": [1, 2], "2": [1, 2]}, "offer": {"1": 3, "2": 3}, "spent": [3], "prizes": "? x2"},
            [1, 2],
            "hands_alike",
        ),
        ({"hand": {"1": [1, 1, 2], "2": [2, 3, 3]}, "prizes": "? x3"}, [1, 2, 3], "hand_once"),
        (
            {"hand": {"1": [1, 2], "2": [1, 2]}, "won": {"1": [3], "2": [3]}, "spent": [3], "prizes": "? x2"},
            [1, 2],
            "prizes_once",
        ),
        ({"hand": {"1": [1, 2], "2": [1, 2]}, "spent": [3, 3], "prizes": "? x3"}, [1, 2, 3], "prizes_left"),
        (
            {"hand": {"1": [1, 2], "2": [1, 2]}, "spent": [3, 3], "prize": [1, 2], "prizes": "? x1"},
            [3],
            "one_prize",
        ),
    ),
)
def test_cards_of_goofspiel_that_no_play_leaves_so_are_refused(held: Any, unseen: list[int], broken: str) -> None:
    reference = engine_once(game_once("goofspiel", options={"cards": 3})).reference
    assert [each for each in broken_by(reference, {"state": held, "unseen": [unseen]}) if f"invariant.{broken}" in each]


@pytest.mark.parametrize(
    ("flow", "rows", "broken"),
    [
        ({"me": 1}, ["1 . .", ". 2 .", ". . ."], []),
        ({"me": 2}, ["1 . .", ". 2 .", ". . ."], ["in_turns"]),
        ({"me": 1}, ["1 . .", ". 1 .", ". . ."], ["in_turns"]),
        ({"me": 2}, ["1 . .", ". 2 .", ". . 1"], []),
        (None, ["1 . .", ". 2 .", ". . 1"], ["in_turns"]),
        ({"me": 2}, ["1 1 1", "2 2 .", ". . ."], ["over"]),
        ("over", ["1 1 1", "2 2 .", ". . ."], []),
        ("over", ["1 1 .", "2 2 .", ". . ."], ["over"]),
    ],
)
def test_a_position_has_the_right_player_to_move_and_the_right_end(
    flow: Any, rows: list[str], broken: list[str]
) -> None:
    position = {"state": {"mark": rows}} | ({} if flow is None else {"flow": flow})
    said = broken_by(engine_once(game_once("tic_tac_toe")).reference, position)
    assert [name for name in ("in_turns", "over") if any(f"invariant.{name}" in each for each in said)] == broken
    assert len(said) == len(broken)


TURNS = """
state n: 0..9 = 0

action bid
  choose k in 1..2
  all_in: n += k up to 9

play
  turns: repeat 2 times
    both: all players
      bid

invariant who: if game_over then n >= 4 else some p in Player has to_move(p)
invariant both: to_move(seat(2)) or n > 0 or not to_move(seat(1))
"""


def test_in_a_simultaneous_decision_those_who_have_not_chosen_are_to_move() -> None:
    game = game_from(TURNS)
    reference = Reference(game)
    start = reference.start()
    assert list(broken_invariants(reference, start)) == []
    first, second = (reference.legal_moves(start, seat)[0] for seat in (0, 1))
    assert list(broken_invariants(reference, reference.apply(start, first))) == []
    (broken,) = broken_invariants(reference, reference.apply(start, second))
    assert broken.path == "invariant.both"


def test_before_its_first_move_an_example_is_not_held_to_a_turn(heap: Maker) -> None:
    turn = """
invariant turn: every p in Player has to_move(p) implies taken(p) <= taken(opponent(p))

example one
  with anna, boris
  given
    heap := 5
    taken(anna) := 2
    taken(boris) := 2
  after anna take(n: 2)
  expect to_move(boris) and not to_move(anna) and not game_over
  after boris take(n: 1)
"""
    game = heap("n", turn)
    assert run_example(Reference(game), game.examples[0]).findings == ()
    game = heap("n", turn.replace("take(n: 2)", "take(n: 1)").replace("taken(boris) := 2", "taken(boris) := 3"))
    (finding,) = run_example(Reference(game), game.examples[0]).findings
    assert "`invariant.all_of_them` does not hold" in finding.message


def broken_by(reference: Reference, position: Any) -> list[str]:
    """Return the messages about the invariants that a position breaks."""
    read = read_position(reference, position, ())
    return [] if isinstance(read, StackState) else [each.message for each in read if each.code.code == "L519"]


# ---- play -----------------------------------------------------------------------------------------------------------


def test_an_invariant_changes_neither_play_nor_fingerprint(tmp_path: Path) -> None:
    plain = HEAP.partition("invariant")[0].replace("GAIN", "n")
    texts = (plain, HEAP.replace("GAIN", "n"), plain + "invariant never: heap > 100\n")
    games = [load(written(tmp_path, text)) for text in texts]
    assert len({game.fingerprint for game in games}) == 1
    logs = {Simulation(game, long=False).play(Generator(1)).log for game in games}
    assert len(logs) == 1
