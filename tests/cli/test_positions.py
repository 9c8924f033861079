"""Positions: files written by `show`, from which `play`, `perft` and `simulate` begin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludex.cli.reporting.exit_codes import Exit

from .running import ludex

GAMES = Path(__file__).parents[2] / "spec" / "games"
FORK = GAMES / "tic_tac_toe" / "positions" / "fork.yaml"
BOREAL = GAMES / "boreal" / "logs" / "full.jsonl"


def test_show_writes_a_position_that_show_and_validate_read(tmp_path: Path) -> None:
    written = ludex("show", BOREAL, "--at", 40, "--format", "position")
    assert (written.code, written.stderr) == (Exit.GOOD, "")
    position = tmp_path / "position.yaml"
    position.write_text(written.stdout, encoding="utf-8")
    assert "position.yaml: legal, 0 events" in ludex("validate", position).output
    again = ludex("show", position, "--format", "position")
    assert again.stdout == written.stdout
    shown, at_once = (ludex("show", *of).stdout.splitlines() for of in ((position,), (BOREAL, "--at", 40)))
    assert shown[1:] == at_once[1:], "only the number of events may differ"


def test_findings_in_a_log_do_not_prevent_its_position(tmp_path: Path) -> None:
    done = ludex("show", "tests/games/bad_logs/boreal/study-affordable.jsonl", "--format", "position")
    assert "L460" in done.stderr
    file = tmp_path / "before.yaml"
    file.write_text(done.stdout, encoding="utf-8")
    assert ludex("validate", file).code == 0


def test_components_are_read_by_their_shown_numbers_and_each_unknown_one_is_reported_once(tmp_path: Path) -> None:
    men = ". . 2 1 . . 4 1 1 . . . . 4 . . . . . . 1 1 . . . ."
    file = tmp_path / "men.yaml"
    header = "ludex: 1\ngame: backgammon\nplayers: [Anna, Boris]\nfrom:\n  state:\n    men:\n"
    rows = f"      Anna: {men}\n      Boris: {' '.join(reversed(men.split()))}\n"
    file.write_text(header + rows, encoding="utf-8")
    assert ludex("validate", file).code == 0
    written = ludex("show", file, "--format", "position").stdout
    assert f"      Anna: {men.replace('.', '0')}\n" in written
    file.write_text((header + rows).replace("1", "z").replace("ludex: z", "ludex: 1"), encoding="utf-8")
    assert ludex("validate", file).stdout.count("L522") == 2


def test_games_from_a_position_are_legal_logs(tmp_path: Path) -> None:
    ran = ludex("simulate", "tic_tac_toe", "--from", FORK, "--games", 5, "--audit", "--out", tmp_path, "--jobs", 2)
    assert ran.code == Exit.GOOD, ran.output
    logs = sorted(tmp_path.iterdir())
    assert len(logs) == 5
    header, first, *_ = map(json.loads, logs[0].read_text(encoding="utf-8").splitlines())
    assert header["from"]["state"] == {"mark": ["1 . 2", ". 1 .", "1 . 2"]}
    assert first["player"] == 2
    assert ludex("validate", tmp_path).code == Exit.GOOD


def test_a_play_from_a_position_can_be_resumed_and_undone_to_it(tmp_path: Path) -> None:
    log = tmp_path / "log.yaml"
    ran = ludex("play", "tic_tac_toe", "--from", FORK, "--save", log, stdin="1\nundo\n1\nquit\n")
    assert ran.code == Exit.GOOD, ran.output
    assert "players: [Cross, Nought]" in log.read_text(encoding="utf-8")
    assert "1 event" in ludex("validate", log).output
    ludex("play", "tic_tac_toe", "--resume", log, stdin="1\nquit\n")
    assert "2 events" in ludex("validate", log).output


def test_perft_counts_from_a_position() -> None:
    assert ludex("perft", "tic_tac_toe", "--from", FORK, "--depth", 1).stdout.split() == ["depth", "1", "4"]


def test_a_log_without_its_initial_position_is_shown_from_a_given_one(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"ludex": 1, "game": "tic_tac_toe", "players": 2}\n'
        '{"player": 2, "action": "claim", "args": {"cell": {"row": 2, "col": 1}}}\n',
        encoding="utf-8",
    )
    assert ludex("show", log).code == Exit.FINDINGS
    assert "after 1 event" in ludex("show", log, "--from", FORK).stdout


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("perft", "pig", "--depth", 1, "--from", FORK), "is of `tic_tac_toe`, not of `pig`"),
        (("perft", "tic_tac_toe", "--depth", 1, "--from", FORK, "--players", 2), "takes the table from the position"),
        (("play", "tic_tac_toe", "--from", FORK, "--resume", FORK), "give only one of them"),
        (("show", BOREAL, "--as", 1, "--format", "position"), "writes the whole state"),
        (("show", "--merged", "ru", "boreal", "--format", "position"), "needs a log"),
        (("show", "--merged", "ru", "boreal", "--from", FORK), "--from needs a log"),
    ],
)
def test_wrong_usage_is_named(command: tuple[object, ...], words: str) -> None:
    ran = ludex(*command)
    assert ran.code == Exit.USAGE
    assert words in ran.stderr


@pytest.mark.parametrize("command", ["perft --depth 1", "simulate", "play"])
def test_an_unreadable_position_is_reported_like_a_log(command: str, tmp_path: Path) -> None:
    name, *options = command.split()
    broken = tmp_path / "broken.yaml"
    broken.write_text(FORK.read_text(encoding="utf-8").replace("C . N", "C . Q", 1), encoding="utf-8")
    ran = ludex(name, "tic_tac_toe", "--from", broken, *options)
    assert (ran.code, "broken.yaml:9:" in ran.output, "L522" in ran.output) == (Exit.FINDINGS, True, True)
    assert ludex(name, "tic_tac_toe", "--from", tmp_path / "none.yaml", *options).code == Exit.UNREADABLE


HEADER = '{"ludex": 1, "game": "pig", "players": 2, "from": {"state": {"banked": {"1": 104, "2": %s}}}}\n'


@pytest.mark.parametrize(
    ("text", "code", "message"),
    (
        ("", Exit.UNREADABLE, "L402 the position file is empty"),
        (" \n", Exit.UNREADABLE, "L402 the position file is empty"),
        (HEADER[:40], Exit.UNREADABLE, "C201 this bracket is never closed"),
        (HEADER % ("1" * 23), Exit.UNREADABLE, "L408"),
        (HEADER % "106", Exit.FINDINGS, "L521"),
        (HEADER % "105", Exit.FINDINGS, "L519 the position breaks invariant.turn_goes_on"),
        # Nobody plays on who has won.
        (
            HEADER.replace('"from": {"state": {', '"from": {"state": {"over": true, ') % "0",
            Exit.FINDINGS,
            "L468 the play does not",
        ),
    ),
)
def test_a_bad_position_has_the_same_exit_code_wherever_it_is_read(
    tmp_path: Path, text: str, code: Exit, message: str
) -> None:
    file, log = tmp_path / "position.json", tmp_path / "log.jsonl"
    file.write_text(text, encoding="utf-8")
    log.write_text('{"ludex": 1, "game": "pig", "players": 2, "from": "position.json"}\n', encoding="utf-8")
    for command in (
        ("perft", "pig", "--depth", 1, "--from", file),
        ("play", "pig", "--from", file),
        ("simulate", "pig", "--games", 1, "--from", file),
        ("validate", log),
    ):
        ran = ludex(*command)
        assert (command[0], ran.code) == (command[0], code)
        if command[0] == "validate" and code == Exit.UNREADABLE:
            # A log may name any file, so the report shows no part of one that is not a position.
            assert f" {message.split(maxsplit=1)[0]} position.json" in ran.output.replace(f"{tmp_path}/", "")
            continue
        assert message in ran.output + ran.stderr
