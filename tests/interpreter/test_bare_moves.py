"""Moves of text logs without a player: the rules decide whose move it is, or the line is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludex.grammar import in_language
from ludex.interpreter import Report, Validator, parse_log

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
VALIDATOR = Validator(game_once, compiled=engine_once)
SAMPLES = sorted((ROOT / "spec/games").glob("*/logs/full*.jsonl"))
BOARD = "Game: breakthrough\nPlayers: Anna, Boris\n\n"
SIMULTANEOUS = ("goofspiel",)


def lines_of(text: str) -> list[dict[str, object]]:
    written = VALIDATOR.convert(parse_log(text.encode(), "log.ludexlog"), "json")
    assert isinstance(written, str), written
    return [json.loads(line) for line in written.splitlines()]


def movers(text: str) -> list[object]:
    return [line["player"] for line in lines_of(text) if "player" in line]


def report(text: str) -> Report:
    return VALIDATOR.validate(parse_log(text.encode(), "log.ludexlog"))


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    "path", [path for path in SAMPLES if path.parts[-3] not in SIMULTANEOUS], ids=lambda path: path.parts[-3]
)
def test_no_log_needs_players_where_only_one_can_move(path: Path) -> None:
    """The log is written with two moves on each numbered line, and reads as the same log."""
    text = path.read_text(encoding="utf-8")
    written = VALIDATOR.convert(parse_log(text.encode(), "log"), "text")
    assert isinstance(written, str)
    header, _, body = written.partition("\n\n")
    bare = [re.sub(r'^([\w ]+|"[^"]*"): ', "", line) for line in body.splitlines()]
    rows: list[str] = []
    number, is_open = 0, False
    for line, before in zip(bare, body.splitlines(), strict=True):
        is_move = line != before
        if is_move and is_open:
            rows[-1] += f" {line}"
        else:
            number += is_move
            rows.append(f"{number}. {line}" if is_move else line)
        is_open = is_move and not is_open and not {";", "#"} & set(line)
    assert number
    assert VALIDATOR.convert(parse_log("\n".join([header, "", *rows]).encode(), "log.ludexlog"), "json") == text


@pytest.mark.parametrize(
    ("lines", "players"),
    [
        ("a7 a6\na2 a3", "AB"),
        ("1. a7 a6\n2. a2 a3", "AB"),
        ("1. a7 a6 a2 a3", "AB"),
        ("1.a7 a6 a2 a3 2.b7 b6", "ABA"),
        ("1. a7 a6\n1... a2 a3", "AB"),
        ("1. a7 a6\n1. a2 a3", "AB"),
        ("1. Anna: a7 a6\n2. a2 a3", "AB"),
        ("1. a7 a6 a2 a3; clock 0:12  # the second\n2. b7 b6", "ABA"),
        ("1. advance a7 a6 origin a2 target a3", "AB"),
        ("1. a7 a6 a2 a3\n# a remark", "AB"),
    ],
)
def test_the_rules_determine_the_player(lines: str, players: str) -> None:
    assert movers(BOARD + lines + "\n") == [{"A": "Anna", "B": "Boris"}[each] for each in players]


def test_claims_after_moves_belong_to_the_last_move() -> None:
    first, second = lines_of(f"{BOARD}1. a7 a6 a2 a3; clock 0:12; claim not over  # quick\n")[1:]
    assert set(first) == {"player", "action", "args"}
    assert {name: second[name] for name in ("clock", "note", "claim")} == {
        "clock": "0:12",
        "note": "quick",
        "claim": {"terminal": False},
    }


def test_an_action_that_is_a_keyword_of_text_logs_is_read_after_a_number() -> None:
    text = "Game: tic_tac_toe\nPlayers: Cross, Nought\n\n1. claim 2,2 claim 1,2\n"
    assert movers(text) == ["Cross", "Nought"]


@pytest.mark.parametrize(
    ("lines", "code", "place", "message"),
    [
        ("1. a7 a6 a7 a6\n", "L460", (4, 10), "Boris: a7 a6"),
        ("1. a7 a6 a2\n", "L501", (4, 12), "a move"),
        ("1.\n", "L500", (4, 2), "expected an action"),
        ("1. a7 a6\n3. a2 a3\n", "L591", (5, 1), "3 is out of order: 2 was expected"),
        ("2. a7 a6\n", "L591", (4, 1), "2 is out of order: 1 was expected"),
        ("1. a7 a6 4. a2 a3\n", "L591", (4, 10), "4 is out of order: 2 was expected"),
    ],
)
def test_a_mistake_is_reported_at_its_place(lines: str, code: str, place: tuple[int, int], message: str) -> None:
    [finding] = [each for each in report(BOARD + lines).findings if each.code.code == code]
    assert (finding.span.line, finding.span.column) == place
    assert message in finding.message or code == "L501"


def test_a_number_out_of_order_is_only_a_warning() -> None:
    assert report(f"{BOARD}1. a7 a6\n5. a2 a3\n").verdict.value == "legal"


def test_a_number_that_cannot_be_read_is_one_fault() -> None:
    for second, codes in (("2)", ["L500"]), ("2. Anne:", ["L446"]), ("3. Anne:", ["L591", "L446"])):
        findings = report(f"{BOARD}1. a7 a6 a2 a3\n{second} b7 b6\n3. b2 b3\n").findings
        assert [each.code.code for each in findings if each.code.code != "L490"] == codes


def test_simultaneous_moves_must_name_their_players() -> None:
    text = "Game: goofspiel\nPlayers: Anna, Boris\nOption cards: 3\n\nreveal = 2\nbid 3\n"
    [finding] = report(text).findings
    assert finding.code.code == "L590"
    assert finding.hint == "write the player before the move: `Anna: bid 3` or `Boris: bid 3`"
    assert "Anna или Boris" in in_language(finding.message, "ru")
    assert "Anna או Boris" in in_language(finding.message, "he")
    assert not isinstance(VALIDATOR.convert(parse_log(text.encode(), "log.ludexlog"), "json"), str)


def test_no_player_is_requested_after_a_fault() -> None:
    findings = report(f"{BOARD}a7 a6\na7 a6\nb7 b6\nb2 b3\n").findings
    assert [finding.code.code for finding in findings if finding.is_error] == ["L460"]


def test_a_log_by_one_player_needs_no_players_either() -> None:
    """The player to move is the same in every possible play."""
    lines = "setup.deal = queen\nsetup.deal = ?\nbet\nbet\nclaim card(Boris) = king\n"
    text = f"Game: kuhn_poker\nPlayers: Anna, Boris\n\n{lines}"
    assert report(text).verdict.value == "legal"
    assert movers(text) == ["Anna", "Boris"]


def test_a_line_that_is_no_notation_is_no_move() -> None:
    [finding] = report("Game: tic_tac_toe\nPlayers: 2\n\nwell played\n").findings
    assert finding.code.code == "L500"
