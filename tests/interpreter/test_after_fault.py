"""Lines after the first refused one: faults of their own are reported, consequences are not."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Generator, Report, Validator, line_of, playout
from ludex.interpreter.logs.record.log import parse_log, write_line

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
VALIDATOR = Validator(game_once, compiled=engine_once)
LONGEST = 60


def recorded(name: str, seed: int) -> list[dict[str, Any]]:
    engine = engine_once(game_once(name))
    events = [turn.event for turn in islice(playout(engine, Generator(seed)), LONGEST)]
    return [line_of(engine.game, event) for event in events]


def judged(name: str, lines: list[dict[str, Any]]) -> Report:
    header = {"ludex": 1, "game": name, "players": game_once(name).players}
    text = "".join(f"{write_line(line)}\n" for line in (header, *lines))
    return VALIDATOR.play(parse_log(text, "log.jsonl"), goes_on=True).report


def error_lines(report: Report) -> list[int]:
    return [each.span.line for each in report.findings if each.is_error]


def test_two_exchanged_lines_are_one_fault() -> None:
    lines = recorded("pig", 5)
    lines[10], lines[11] = lines[11], lines[10]
    report = judged("pig", lines)
    assert error_lines(report) == [12]
    assert report.consequences == ()
    assert (
        report.findings[0].notes[0].message
        == "this line and line 13 are legal in the reverse order, each with the outcomes after it"
    )


def test_two_independent_faults_are_both_reported() -> None:
    lines = recorded("pig", 5)
    first, second = (at for at in (7, 31))
    throws = [at for at, line in enumerate(lines) if "chance" in line]
    one, other = throws[first // 2], throws[second // 2]
    doubled = [*lines[: one + 1], lines[one], *lines[one + 1 : other + 1], lines[other], *lines[other + 1 :]]
    assert error_lines(judged("pig", doubled)) == [one + 3, other + 4]


def test_consequences_of_a_fault_are_not_reported() -> None:
    cell = [{"row": row, "col": col} for row in (1, 2, 3) for col in (1, 2, 3)]
    claims = [
        {"player": at % 2 + 1, "action": "claim", "args": {"cell": cell[number]}}
        for at, number in enumerate((0, 4, 0, 1))
    ]
    end = {"claim": {"state": [{"of": "mark", "at": [cell[0]], "is": None}]}}
    report = judged("tic_tac_toe", [*claims, end])
    assert error_lines(report) == [4, 6]
    assert [place.line for place in report.consequences] == [5]  # if the third claim was meant for the cell beside


def test_a_wrong_claim_after_a_fault_is_reported_with_all_its_wrong_parts() -> None:
    claim = {"claim": {"scores": [500, 600]}}
    finding = judged("pig", [{"player": 2, "action": "hold"}, claim]).findings[-1]
    assert finding.message == "seat(1) cannot have 500 points here"
    assert [note.message for note in finding.notes] == [
        "this is wrong, whatever line 2 should have been",
        "seat(2) cannot have 600 points here",
    ]


def test_missing_lines_of_unseen_events_are_one_fault() -> None:
    """A player forgets to record three looks, a keep and two returned cards; a later line plays a card from the wrong
    place.
    """
    text = (ROOT / "spec/games/boreal/logs/by_hand.ludexlog").read_text("utf-8")
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if "= ?" in line)
    del lines[first : first + 5]
    wrong = lines.index("Olle: study l10 at 1,5")
    lines[wrong] = "Olle: study l01 at 1,5"
    report = VALIDATOR.play(parse_log("\n".join([*lines, ""]), "log.ludexlog"), goes_on=True).report
    assert error_lines(report) == [first + 1, wrong + 1]
    assert report.findings[0].hint == (
        "5 lines may be missing before this one: 3 x `resolve.peek3.look = ?`, `Olle: resolve.peek3.keep ?` and "
        "`Olle: resolve.peek3.under ? lower ?`; `--fill` lists all that are missing"
    )
    filled = VALIDATOR.play(parse_log("\n".join([*lines, ""]), "log.ludexlog"), fills=True).report
    # Not all that may be missing before the wrong line can be tried.
    assert [(each.code.code, each.span.line) for each in filled.findings] == [("L475", first + 1), ("L471", wrong + 1)]
    assert [each.line for each in filled.missing][3:] == [
        "Olle: resolve.peek3.keep ?",
        "Olle: resolve.peek3.under ? lower ?",
    ]


@pytest.mark.parametrize("name", ("tic_tac_toe", "othello", "nim", "kuhn_poker", "crazy_eights", "pig", "backgammon"))
@pytest.mark.parametrize("damage", ("drop", "double", "swap", "alter"))
def test_one_fault_gives_one_finding(name: str, damage: str, rng: Random) -> None:
    lines = recorded(name, rng.randrange(10**6))
    at = rng.randrange(len(lines) - 1)
    match damage:
        case "drop":
            del lines[at]
        case "double":
            lines.insert(at + 1, lines[at])
            at += 1
        case "swap":
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        case "alter":
            lines[at] = rng.choice(lines)
    report = judged(name, lines)
    if report.stopped_at is not None and report.stopped_at.line == at + 2:
        assert error_lines(report) == [at + 2], report.findings


def told(*lines: str, game: str) -> Report:
    """Judge a text log; its lines have numbers from 4 on."""
    text = "\n".join((f"Game: {game}", "Players: Anna, Boris", "", *lines, ""))
    return VALIDATOR.play(parse_log(text, "log.ludexlog"), goes_on=True).report


def test_a_line_that_may_be_swapped_is_no_fault_in_any_case() -> None:
    # With Anna in line 6 all is legal, though the lines 6 to 9 also fit in another order.
    turns = "Anna: roll", "throw = 6", "Boris: roll", "throw = 4", "Anna: hold"
    report = told(*turns, "Boris: roll", "throw = 1", "Anna: roll", "throw = 2", "claim scores Anna 10", game="pig")
    assert [each.span.line for each in report.findings if each.is_error] == [6]
    assert [each.line for each in report.consequences] == [13]


def test_nothing_is_said_of_lines_after_a_wrong_card_of_a_hand() -> None:
    boris = "deal setup.deal to Boris = {10S, 8H, KC, 3D, JS, 2C, 4C}"
    anna = "deal setup.deal to Anna = {10H, 9H, QC, 2D, 7S, AC, 10S}"
    report = told("dealer = Boris", boris, anna, "start = 7H", "Anna: lay 9H", "Boris: lay 8H", game="crazy_eights")
    assert [(each.code.code, each.span.line) for each in report.findings if each.is_error] == [("L465", 6)]
