"""Positions recorded within a log are compared with the play, and judging resumes from them after damage."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ludex.grammar import Span
from ludex.interpreter import Generator, Report, Validator, line_of, playout
from ludex.interpreter.logs.position.position import position_of
from ludex.interpreter.logs.record.log import parse_log, write_line

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
GAMES = ("tic_tac_toe", "pig", "crazy_eights", "boreal")


def recorded(name: str, rng: Random, most: int = 40) -> list[dict[str, Any]]:
    """Return the lines of a play, with its position after the event in the middle."""
    engine = engine_once(game_once(name))
    state, lines = engine.start(), []
    for turn in playout(engine, Generator(rng.randrange(10**6))):
        lines.append(line_of(engine.game, turn.event))
        state = engine.apply(state, turn.event)
        if len(lines) == most // 2 or (len(lines) == 4 and name == "tic_tac_toe"):
            lines.append({"position": position_of(engine.reference, engine.to_reference(state))})
        if len(lines) > most:
            break
    return lines


def judged(name: str, lines: list[dict[str, Any]], resyncs: bool = False, goes_on: bool = False) -> Report:
    header = {"ludex": 1, "game": name, "players": game_once(name).players}
    text = "".join(f"{write_line(line)}\n" for line in (header, *lines))
    return VALIDATOR.play(parse_log(text, "log.jsonl"), resyncs=resyncs, goes_on=goes_on).report


def errors(report: Report) -> list[tuple[str, int]]:
    return [(each.code.code, each.span.line) for each in report.findings if each.is_error]


@pytest.mark.parametrize("name", GAMES)
def test_a_position_of_the_play_is_accepted(name: str, rng: Random) -> None:
    lines = recorded(name, rng)
    assert errors(judged(name, lines)) == []


@pytest.mark.parametrize("name", GAMES)
def test_judging_resumes_from_a_recorded_position(name: str, rng: Random) -> None:
    lines = recorded(name, rng)
    lines[2], lines[-1] = lines[1], {"player": 1, "action": "nothing_of_the_kind"}
    first, last = judged(name, lines), judged(name, lines, resyncs=True)
    assert first.replayed < len(lines) // 2
    behind = len(lines) - 2 - next(at for at, line in enumerate(lines) if "position" in line)
    assert last.replayed == first.replayed + behind
    assert {line for _, line in errors(last)} == {line for _, line in errors(first)}
    assert (first.resumed, last.resumed) == (False, True)


def marks(*cells: int) -> list[dict[str, Any]]:
    """Return marks of both players in turn; the first digit of each cell is its row."""
    return [
        {"player": at % 2 + 1, "action": "claim", "args": {"cell": {"row": cell // 10, "col": cell % 10}}}
        for at, cell in enumerate(cells)
    ]


def test_a_replay_that_stops_says_where_resync_would_go_on() -> None:
    lines = marks(22, 22, 11, 33, 21, 21)
    assert errors(judged("tic_tac_toe", lines, goes_on=True))
    (first, *_) = judged("tic_tac_toe", lines, goes_on=True).findings
    assert not any("--resync" in note.message for note in first.notes)
    lines[3]["claim"] = {"state": [{"of": "mark", "at": [{"row": 1, "col": 2}], "is": 2}]}
    (first, *_) = judged("tic_tac_toe", lines, goes_on=True).findings
    (note,) = [note for note in first.notes if "--resync" in note.message]
    assert note.span is not None
    assert (note.span.line, "claim" in note.message) == (5, True)
    lines.insert(2, {"position": {"state": {"mark": [". . .", ". 1 .", ". . ."]}}})
    (first, *_) = judged("tic_tac_toe", lines, goes_on=True).findings
    (note,) = [note for note in first.notes if "--resync" in note.message]
    assert note.span is not None
    assert (note.span.line, "position" in note.message) == (4, True)
    for quiet in (judged("tic_tac_toe", lines), judged("tic_tac_toe", lines, resyncs=True, goes_on=True)):
        assert not any("--resync" in note.message for finding in quiet.findings for note in finding.notes)


def test_judging_resumes_from_a_claim_that_is_true_in_a_possible_game() -> None:
    lines = marks(22, 22, 11, 33, 21, 21)
    lines[3]["claim"] = {"state": [{"of": "mark", "at": [{"row": 1, "col": 2}], "is": 2}]}
    report = judged("tic_tac_toe", lines, resyncs=True, goes_on=True)
    assert errors(report) == [("L460", 3), ("L460", 7)]
    assert report.findings[0].notes[-1].span == Span("log.jsonl", 5, 1, 5, len(write_line(lines[3])) + 1)
    assert not report.findings[1].notes[0].message.startswith("whatever"), "the state before it must be known"
    lines[3]["claim"]["state"][0]["is"] = None  # true after many other moves
    assert len(judged("tic_tac_toe", lines, resyncs=True, goes_on=True).findings[0].notes) == 1


def test_a_wrong_position_is_reported_with_the_differences() -> None:
    claim = {"player": 1, "action": "claim", "args": {"cell": {"row": 2, "col": 2}}}
    position = {"state": {"mark": ["1 . .", ". . .", ". . ."]}, "flow": {"at": "play.turns.claim", "me": 2}}
    report = judged("tic_tac_toe", [claim, {"position": position}])
    assert errors(report) == [("L476", 3)]
    (error,) = [each for each in report.findings if each.is_error]
    assert error.message == "the recorded position differs from the play in mark"
    for recorded in ({"mark": [". . .", ". . .", ". . ."]}, {}):
        report = judged("tic_tac_toe", [claim, {"position": {"state": recorded}}])
        (error,) = [each for each in report.findings if each.is_error]
        assert error.message == "the recorded position differs from the play in mark"


def test_a_position_determines_what_a_gap_left_unknown() -> None:
    position = {"state": {"mark": ["1 2 .", ". 1 .", ". . ."]}, "flow": {"at": "play.turns.claim", "me": 2}}
    over = {"claim": {"terminal": True}}
    assert errors(judged("tic_tac_toe", [{"gap": 3}, {"position": position}, over])) == [("L482", 4)]


def test_a_faulty_position_is_reported_at_its_place() -> None:
    position = {"state": {"mark": ["1 2 .", ". 9 .", ". . ."]}}
    assert [line for _, line in errors(judged("tic_tac_toe", [{"position": position}]))] == [2]
    assert errors(judged("tic_tac_toe", [{"position": 3}])) == [("L444", 2)]
