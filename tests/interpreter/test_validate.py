"""Validation of logs: each kind of fault is reported once, at its place, with the clause and a legal alternative."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Diagnostic, Message, Severity, in_language
from ludex.interpreter.generator import Generator
from ludex.interpreter.logs.judge.report_json import report_to_json
from ludex.interpreter.logs.judge.validate import Validator, validate_log
from ludex.interpreter.logs.record.log import parse_log, read_log, write_line, write_log
from ludex.interpreter.logs.structure.early_end import EARLY_ENDS
from ludex.interpreter.logs.structure.event_lines import line_of
from ludex.interpreter.logs.tracking.report import Report, Verdict
from ludex.interpreter.simulate.playouts import playout
from ludex.spec import load

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
NAMES = ["Ann", "Bob"]
TIC_TAC_TOE: dict[str, Any] = {"ludex": 1, "game": "tic_tac_toe", "players": NAMES}
PIG: dict[str, Any] = {"ludex": 1, "game": "pig", "players": 2}
KUHN: dict[str, Any] = {"ludex": 1, "game": "kuhn_poker", "players": 2}


def claim(player: int | str, row: int, col: int, **more: Any) -> dict[str, Any]:
    return {"player": player, "action": "claim", "args": {"cell": {"row": row, "col": col}}, **more}


def move(player: int, action: str, **more: Any) -> dict[str, Any]:
    return {"player": player, "action": action, **more}


def throw(pips: Any, **more: Any) -> dict[str, Any]:
    return {"chance": "roll.throw", "outcome": pips, **more}


def test_every_wrong_part_of_a_value_is_a_finding() -> None:
    cells: tuple[dict[str, Any], ...] = (
        {"row": 0, "col": 9},
        {"row": "x", "col": 9},
        {"row": 1, "coll": 9},
        {},
        {"row": 1, "col": 2},
    )
    lines = [{"player": 1, "action": "claim", "args": {"cell": cell}} for cell in cells]
    report = VALIDATOR.validate(parse_log(write_log({"ludex": 1, "game": "tic_tac_toe", "players": 2}, lines)))
    found = [(each.span.line, (each.pointer or "").removeprefix("/args/cell")) for each in report.findings]
    assert found == [(2, "/row"), (2, "/col"), (3, "/row"), (3, "/col"), (4, "/coll"), (5, ""), (5, "")]
    text = "Game: boreal\nPlayers: Anna, Boris\n\nAnna: study s07 at 5,9\n"
    assert [each.span.column for each in VALIDATOR.validate(parse_log(text, "x.ludexlog")).findings] == [20, 22]


@pytest.mark.parametrize(
    ("members", "pointers"),
    [
        ({"silence": "loud"}, []),
        ({"players": ["Anna", "Anna"]}, []),
        ({"from": 5, "note": 5}, []),
        ({"players": 9}, ["/players"]),
        ({"silence": "loud", "players": 9}, ["/players"]),
    ],
)
def test_each_member_of_a_header_is_judged_by_itself(members: dict[str, Any], pointers: list[str]) -> None:
    wrong = {"edition": "xx", "readings": {"scout_refill": "x", "foo": "x", "numbering": 5}, "options": {"bar": 1}}
    header = {"ludex": 1, "game": "boreal", "players": 2, **wrong, **members}
    report = VALIDATOR.validate(parse_log(json.dumps(header)))
    found = [each.pointer for each in report.findings]
    rest = {"/edition", "/readings/scout_refill", "/readings/foo", "/readings/numbering", "/options/bar", *pointers}
    assert rest <= set(found)
    assert len(found) == len(rest) + len([each for each in members if f"/{each}" not in pointers])


def test_a_header_with_a_fault_names_a_game_that_is_not_there_in_the_same_run() -> None:
    report = VALIDATOR.validate(parse_log('{"ludex": 1, "game": "boreaal", "silence": "loud"}'))
    assert {each.code.code for each in report.findings} == {"L423", "L424", "L425"}


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("x.ludexlog", "Game: pig\nPlayer: Anna, Boris\n\nAnna: roll\n", 2),
        ("x.ludexlog", "Gamme: pig\nPlayers: Anna, Boris\n\nAnna: roll\n", 1),
        ("x.yaml", "ludex: 1\ngame: pig\ntags:\n  player: x\nevents: []\n", 4),
    ],
)
def test_a_misspelt_tag_for_a_required_member_is_one_finding(name: str, text: str, line: int) -> None:
    (finding,) = VALIDATOR.validate(parse_log(text, name)).findings
    assert (finding.code.code, finding.span.line, "layer" in str(finding.hint) or "Game" in str(finding.hint)) == (
        "L423",
        line,
        True,
    )


def test_a_position_that_no_play_reaches_is_at_fault_before_the_rules() -> None:
    header = {**PIG, "from": {"state": {"banked": {"1": 104}, "over": True}}}
    text = json.dumps(header)
    (finding,) = VALIDATOR.validate(parse_log(text, "pig.jsonl")).findings
    assert (finding.code.code, finding.pointer) == ("L468", "/from")
    assert finding.span is not None
    assert finding.span.column == text.index('{"state"') + 1
    assert finding.message.startswith("the play does not go on from this position: ")
    assert finding.hint == "it may be a position that no play reaches: check its values"


@pytest.mark.parametrize("players", [2**31, 999999999999, 2**63])
@pytest.mark.parametrize(
    ("language", "start"), [("en", "`nim` is for 2 players, not"), ("ru", "`nim`: игроков должно быть 2, а не")]
)
def test_a_wrong_number_of_players_is_quoted_whatever_its_size(players: int, language: str, start: str) -> None:
    log = parse_log(json.dumps({"ludex": 1, "game": "nim", "players": players}), "nim.jsonl")
    (finding,) = VALIDATOR.validate(log).findings
    assert (finding.code.code, in_language(finding.message, language)) == ("L429", f"{start} {players}")


def deal(card: Any, **more: Any) -> dict[str, Any]:
    return {"chance": "setup.deal", "outcome": card, **more}


WIN = [claim(1, 1, 1), claim(2, 2, 1), claim("Ann", 1, 2), claim("Bob", 2, 2), claim(1, 1, 3)]


def judged(header: Mapping[str, Any], *events: Mapping[str, Any]) -> Report:
    return VALIDATOR.validate(parse_log(write_log(header, events), "game.jsonl"))


def only(report: Report) -> Diagnostic:
    assert len(report.findings) == 1, report.findings
    return report.findings[0]


def found(report: Report) -> list[tuple[str, int]]:
    return [(finding.code.name, finding.span.line) for finding in report.findings]


# ---- good logs


def test_a_good_log_is_legal() -> None:
    report = judged(
        TIC_TAC_TOE, *WIN[:4], {**WIN[4], "claim": {"scores": [1, 0], "winners": ["Ann"], "terminal": True}}
    )
    assert (report.verdict, report.findings) == (Verdict.LEGAL, ())
    assert (report.events, report.replayed, report.stopped_at) == (5, 5, None)
    assert report.result is not None
    assert [scores.total for scores in report.result.scores] == [1, 0]
    assert report.result.outcome.winners == (0,)


def test_notes_right_claims_and_a_good_fingerprint_are_legal() -> None:
    fingerprint = load("tic_tac_toe").fingerprint
    at = [{"row": 1, "col": 1}]
    claims = [{"of": "mark", "at": at, "is": "Ann"}, {"of": "mark", "at": [{"row": 3, "col": 3}], "is": None}]
    lines = [{"note": "off we go"}, WIN[0], {"claim": {"state": claims, "terminal": False}}]
    report = judged({**TIC_TAC_TOE, "fingerprint": fingerprint, "note": "in the park"}, *lines)
    assert (report.verdict, report.findings, report.events) == (Verdict.LEGAL, (), 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.jsonl", '{"ludex": 1, "game": "pig", "players": 2}\n{"player": 1, "action": "roll"}\n[' + 200_000 * " "),
        ("x.yaml", "ludex: 1\ngame: pig\nplayers: 2\nevents: 5\n"),
        ("x.yaml", "ludex: 1\ngame: pig\ngame: pig\nplayers: 2\nevents: []\n"),
        ("x.ludexlog", "Game: pig\nPlayers: 2\nresult resigned 1\n"),
        ("x.ludexlog", "Game: pig\nPlayers: 2\n1: roll\n"),
    ],
)
def test_a_log_that_was_not_read_to_its_end_is_not_called_unfinished(name: str, text: str) -> None:
    (finding,) = VALIDATOR.validate(parse_log(text, name)).findings
    assert finding.is_error


def test_an_unfinished_log_is_legal_and_reported_as_unfinished() -> None:
    report = judged(PIG, move(1, "roll"), throw(4))
    finding = only(report)
    assert report.verdict is Verdict.LEGAL
    assert (finding.code.name, finding.span.line) == ("log-unfinished", 3)
    assert "seat(1) (roll, hold)" in finding.message
    assert found(judged(PIG)) == [("log-unfinished", 1)]


def test_a_log_that_claims_to_be_unfinished_gets_no_warning() -> None:
    assert not judged(PIG, move(1, "roll"), throw(4, claim={"terminal": False})).findings


def test_all_shipped_forms_of_a_log_have_the_same_report() -> None:
    yaml = json.dumps({**TIC_TAC_TOE, "events": WIN}, indent=1)
    listed = json.dumps([TIC_TAC_TOE, *WIN], indent=1)
    reports = [VALIDATOR.validate(parse_log(text, "x.yaml")) for text in (yaml, listed)]
    assert [(report.verdict, report.replayed) for report in reports] == [(Verdict.LEGAL, 5)] * 2


# ---- the header


@pytest.mark.parametrize(
    ("change", "name", "pointer"),
    [
        ({"ludex": 2}, "format-version", "/ludex"),
        ({"ludex": True}, "format-version", "/ludex"),
        ({"ludex": "1"}, "format-version", "/ludex"),
        ({"game": "tic_tac_to"}, "log-unknown-game", "/game"),
        ({"game": ""}, "log-unknown-game", "/game"),
        ({"game": "\0"}, "log-unknown-game", "/game"),
        ({"game": 3}, "header-wrong-value", "/game"),
        ({"game": None}, "header-wrong-value", "/game"),
        ({"edition": "he"}, "log-unknown-edition", "/edition"),
        ({"edition": 3}, "header-wrong-value", "/edition"),
        ({"silence": "loud"}, "header-wrong-value", "/silence"),
        ({"players": 3}, "log-wrong-players", "/players"),
        ({"players": 0}, "log-wrong-players", "/players"),
        ({"players": 10**18}, "log-wrong-players", "/players"),
        ({"players": True}, "header-wrong-value", "/players"),
        ({"players": "Ann"}, "header-wrong-value", "/players"),
        ({"players": []}, "log-wrong-players", "/players"),
        ({"players": ["Ann", "Ann"]}, "log-wrong-players", "/players/1"),
        ({"players": ["Ann", 2]}, "header-wrong-value", "/players/1"),
        ({"players": ["Ann", "2"]}, "header-wrong-value", "/players/1"),
        ({"players": ["Ann", " "]}, "header-wrong-value", "/players/1"),
        ({"options": {"size": 3}}, "log-unknown-option", "/options/size"),
        ({"options": []}, "header-wrong-value", "/options"),
        ({"readings": {"first": "a"}}, "log-unknown-reading", "/readings/first"),
        ({"readings": {"first": 1}}, "header-wrong-value", "/readings/first"),
        ({"fingerprint": 3}, "header-wrong-value", "/fingerprint"),
        ({"note": 3}, "header-wrong-value", "/note"),
        ({"plyers": 2}, "header-unknown-field", "/plyers"),
    ],
    ids=str,
)
def test_a_wrong_header_is_reported_at_its_member(change: dict[str, Any], name: str, pointer: str) -> None:
    finding = only(judged({**TIC_TAC_TOE, **change}, *WIN))
    assert (finding.code.name, finding.pointer, finding.span.line) == (name, pointer, 1)


@pytest.mark.parametrize("missing", ["game", "players"])
def test_required_members_of_a_header_are_reported(missing: str) -> None:
    header = {name: value for name, value in TIC_TAC_TOE.items() if name != missing}
    assert found(judged(header, *WIN)) == [("header-missing-field", 1)]


def test_a_log_without_a_header_is_unreadable() -> None:
    report = VALIDATOR.validate(parse_log(write_log(WIN[0], WIN[1:])))
    assert (report.verdict, found(report)) == (Verdict.UNREADABLE, [("no-header", 1)])


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ('{"game": "pig", "players": 2}\n', "lacks `ludex`", 'begin it with {"ludex": 1, ...'),
        ("game: pig\nplayers: 2\nevents: []\n", "lacks `ludex`", "add `ludex: 1`"),
        ("- {game: pig, players: 2}\n", "lacks `ludex`", "add `ludex: 1`"),
        ("- {player: 1, action: roll}\n", "does not begin with a header", "such as `ludex: 1`, `game:"),
        ('{"player": 1, "action": "roll"}\n', "does not begin with a header", 'such as {"ludex": 1, "game":'),
        ('[{"game": "pig", "players": 2}]\n', "lacks `ludex`", "add `ludex: 1`"),
    ],
)
def test_a_missing_header_member_is_shown_in_the_form_of_the_log(text: str, message: str, hint: str) -> None:
    finding = only(VALIDATOR.validate(parse_log(text)))
    assert finding.code.name == "no-header"
    assert message in finding.message
    assert (finding.hint or "").startswith(hint)


def test_a_reader_may_find_the_file_of_an_unknown_game() -> None:
    log = parse_log(write_log({**TIC_TAC_TOE, "game": "tic_tac"}, WIN))
    finding = only(VALIDATOR.validate(log))
    assert finding.hint == (
        "did you mean `tic_tac_toe`? if you have its specification (it begins with `game tic_tac`), use --game PATH"
    )
    report = only(Validator(load, ["noughts"]).validate(log))
    assert report.message == 'there is no game "tic_tac" here; the given specification is of "noughts"'
    assert "must name the same game" in (report.hint or "")


def test_a_wrong_fingerprint_gets_a_hint_at_other_rules() -> None:
    assert "--game PATH" in (only(judged({**TIC_TAC_TOE, "fingerprint": "00"}, *WIN)).hint or "")


@pytest.mark.parametrize("game", ["passing.ludex", "./passing.ludex", "../here/passing.ludex"])
def test_a_path_is_looked_up_beside_the_log_first(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders have different games of one name, each with a log beside it."""
    validator = Validator(load)
    for folder, last in (("there/here", "stop"), ("here", "give")):
        place = tmp_path / folder
        place.mkdir(parents=True)
        (place / "passing.ludex").write_text(
            PASSING.replace("action stop", f"action {last}s").replace("choose take or stop", f"choose take or {last}s"),
            encoding="utf-8",
        )
        log = place / "log.jsonl"
        log.write_text(write_log({"ludex": 1, "game": game, "players": 2}, [{"claim": {"terminal": False}}]))
        monkeypatch.chdir(tmp_path)
        play = validator.play(read_log(log))
        assert play.report.verdict is Verdict.LEGAL
        assert play.engine is not None
        assert f"{last}s" in play.engine.game.moves


def test_a_path_is_looked_up_in_the_current_folder_next(
    passing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(passing["game"]).parent
    log = folder / "logs" / "log.jsonl"
    log.parent.mkdir()
    log.write_text(write_log({**passing, "game": "passing.ludex"}, [{"claim": {"terminal": False}}]))
    monkeypatch.chdir(folder)
    assert VALIDATOR.validate(read_log(log)).verdict is Verdict.LEGAL
    monkeypatch.chdir(log.parent)
    finding = only(validate_log(read_log(log), load))
    assert finding.code.name == "log-unknown-game"
    assert "a path is relative to the log's folder" in (finding.hint or "")


def test_a_wrong_fingerprint_does_not_stop_the_replay() -> None:
    report = judged({**TIC_TAC_TOE, "fingerprint": "0123456789abcdef"}, *WIN)
    assert (report.verdict, found(report), report.replayed) == (Verdict.FINDINGS, [("wrong-fingerprint", 1)], 5)


def test_a_game_with_faults_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "broken.ludex"
    path.write_text(
        'game broken\n  title: en "x"\n  players: 2\n  convention: "x"\n\nplay\n  turn: oops\n', encoding="utf-8"
    )
    finding = only(judged({"ludex": 1, "game": str(path), "players": 2}))
    assert finding.code.name == "game-at-fault"
    assert finding.notes


# ---- structure


@pytest.mark.parametrize(
    ("line", "name", "pointer", "column"),
    [
        ({"player": 1, "action": "clam"}, "log-unknown-action", "/action", 25),
        ({"player": 1, "action": 3}, "wrong-value", "/action", 25),
        ({"player": 1, "action": "unknown", "args": {"cell": 1}}, "unknown-field", "/args/cell", None),
        ({"player": 3, "action": "decline"}, "log-unknown-player", "/player", 12),
        ({"player": "Eve", "action": "decline"}, "log-unknown-player", "/player", 12),
        ({"player": True, "action": "decline"}, "log-unknown-player", "/player", 12),
        ({"player": 1.0, "action": "decline"}, "log-unknown-player", "/player", 12),
        ({"action": "decline"}, "missing-field", "", 1),
        ({"player": 1}, "missing-field", "", 1),
        ({"outcome": 1}, "missing-field", "", 1),
        ({"player": 1, "action": "claim"}, "missing-field", "", 1),
        ({"player": 1, "action": "claim", "args": {}}, "missing-field", "/args", 42),
        ({"player": 1, "action": "claim", "args": 3}, "wrong-value", "/args", 42),
        ({**claim(1, 1, 1), "arg": 1}, "unknown-field", "/arg", None),
        ({"player": 1, "action": "decline", "args": {"x": 1}}, "unknown-field", "/args/x", 45),
        (claim(1, 4, 1), "wrong-value", "/args/cell/row", None),
        (claim(1, 10**18, 1), "wrong-value", "/args/cell/row", None),
        (
            {"player": 1, "action": "claim", "args": {"cell": {"row": "unknown", "col": 1}}},
            "misplaced-unknown",
            "/args/cell/row",
            None,
        ),
        ({"chance": "roll", "outcome": 1}, "log-unknown-chance", "/chance", 12),
        ({"chance": 1, "outcome": 1}, "wrong-value", "/chance", 12),
        ({"action": "claim", "chance": "roll"}, "unclear-line", "", 1),
        ({"acton": "claim"}, "unclear-line", "/acton", 2),
        ({}, "unclear-line", "", 1),
        ({"x": 1}, "unclear-line", "", 1),
        ({"note": 1}, "wrong-value", "/note", 10),
        ({"note": "x", "player ": 1}, "unknown-field", "/player ", 15),
        (TIC_TAC_TOE, "second-log-header", "/ludex", 2),
        ({"claim": {}}, "wrong-value", "/claim", 11),
        ({"claim": {"winner": 1}}, "unknown-field", "/claim/winner", 12),
        ({"claim": {"terminal": 1}}, "wrong-value", "/claim/terminal", None),
        ({"claim": {"scores": [1]}}, "wrong-value", "/claim/scores", None),
        ({"claim": {"scores": {"Eve": 1}}}, "log-unknown-player", "/claim/scores/Eve", None),
        ({"claim": {"scores": {"Ann": 1, "1": 1}}}, "log-unknown-player", "/claim/scores/1", None),
        ({"claim": {"scores": {"Ann": "1"}}}, "wrong-value", "/claim/scores/Ann", None),
        ({"claim": {"winners": 1}}, "wrong-value", "/claim/winners", None),
        ({"claim": {"winners": [1, "Ann"]}}, "wrong-value", "/claim/winners/1", None),
        ({"claim": {"winners": [3]}}, "log-unknown-player", "/claim/winners/0", None),
        ({"claim": {"state": []}}, "wrong-value", "/claim/state", None),
        ({"claim": {"state": [3]}}, "wrong-value", "/claim/state/0", None),
        ({"claim": {"state": [{"is": 3}]}}, "missing-field", "/claim/state/0", None),
        ({"claim": {"state": [{"of": "marks", "is": 3}]}}, "wrong-value", "/claim/state/0/of", None),
        ({"claim": {"state": [{"of": "mark", "is": 1}]}}, "missing-field", "/claim/state/0", None),
        ({"claim": {"state": [{"of": "mark", "at": [], "is": 1}]}}, "wrong-value", "/claim/state/0/at", None),
        ({"claim": {"state": [{"of": "mark", "at": [{"row": 1, "col": 1}]}]}}, "missing-field", "/claim/state/0", None),
    ],
    ids=str,
)
def test_a_fault_of_structure_is_reported_at_its_member(
    line: dict[str, Any], name: str, pointer: str, column: int | None
) -> None:
    """One fault has one report at the faulty member, and the good line before it is played."""
    report = judged(TIC_TAC_TOE, WIN[0], line, WIN[1])
    finding = only(report)
    assert (finding.code.name, finding.pointer, finding.span.line) == (name, pointer, 3)
    assert column is None or finding.span.column == column
    assert (report.verdict, report.replayed) == (Verdict.FINDINGS, 1)
    assert report.stopped_at is not None
    assert report.stopped_at.line == 3


def test_each_fault_of_structure_is_reported() -> None:
    report = judged(TIC_TAC_TOE, {"player": 9, "action": "clam", "arg": 1}, claim(1, 9, 9), claim(1, 1, 1))
    assert found(report) == [
        ("log-unknown-player", 2),
        ("log-unknown-action", 2),
        ("unknown-field", 2),
        ("wrong-value", 3),
        ("wrong-value", 3),
    ]
    assert report.replayed == 0


MISSPELT = (
    ({"player": "Ann", "action": "claim", "args": {"cel": {"row": 1, "col": 1}}}, "/args/cel"),
    ({"player": "Ann", "action": "claim", "arg": {"cell": {"row": 1, "col": 1}}}, "/arg"),
    ({"plaier": "Ann", "action": "claim", "args": {"cell": {"row": 1, "col": 1}}}, "/plaier"),
    ({"claim": {"state": [{"off": "mark", "at": [{"row": 1, "col": 1}], "is": None}]}}, "/claim/state/0/off"),
)


@pytest.mark.parametrize(("line", "pointer"), MISSPELT)
def test_a_misspelt_member_is_not_missing_as_well(line: dict[str, Any], pointer: str) -> None:
    (finding,) = [each for each in judged(TIC_TAC_TOE, line).findings if each.code.severity is Severity.ERROR]
    assert (finding.code.code, finding.pointer) == ("L442", pointer)


def test_a_misspelt_member_of_the_header_is_not_missing_as_well() -> None:
    finding = only(judged({"ludex": 1, "game": "tic_tac_toe", "playres": 2}))
    assert (finding.code.code, finding.pointer) == ("L422", "/playres")


def test_a_hint_names_the_nearest_word() -> None:
    hints = [finding.hint for finding in judged(TIC_TAC_TOE, {"player": "An", "action": "clam", "arg": 1}).findings]
    assert hints == ["did you mean `Ann`?", "did you mean `claim`?", "did you mean `args`?"]


@pytest.mark.parametrize(
    ("line", "message", "mended"),
    [
        (
            {"player": 1, "action": "claim", "cell": {"row": 1, "col": 2}, "note": "x"},
            "`cell` belongs in `args`",
            claim(1, 1, 2, note="x"),
        ),
        (
            {"player": 1, "action": "claim", "args": {}, "cell": {"row": 1, "col": 2}},
            "`cell` belongs in `args`",
            claim(1, 1, 2),
        ),
    ],
)
def test_an_argument_beside_args_is_reported_once(line: dict[str, Any], message: str, mended: dict[str, Any]) -> None:
    finding = only(judged(TIC_TAC_TOE, line))
    assert (finding.code.name, finding.message, finding.pointer) == ("unknown-field", message, "/cell")
    assert (finding.hint or "").startswith("write ")
    assert json.loads((finding.hint or "").removeprefix("write ")) == mended


def test_arguments_beside_args_do_not_hide_other_faults() -> None:
    lines = [{"player": 9, "action": "claim", "cell": 3, "why": 1}, {**claim(1, 1, 1), "cell": {"row": 1, "col": 1}}]
    report = judged(TIC_TAC_TOE, *lines)
    assert [(finding.span.line, finding.pointer) for finding in report.findings] == [
        (2, "/player"),
        (2, "/cell"),
        (2, "/why"),
        (3, "/cell"),
    ]


def test_a_damaged_line_stops_the_replay_and_keeps_the_lines_before() -> None:
    text = write_log(TIC_TAC_TOE, WIN[:2]) + '{"player": 1,\n' + write_log(claim(1, 9, 9), [])
    report = VALIDATOR.validate(parse_log(text))
    assert found(report) == [("broken-json", 4), ("wrong-value", 5), ("wrong-value", 5)]
    assert (report.verdict, report.replayed, report.events) == (Verdict.UNREADABLE, 2, 4)


# ---- play


def test_an_illegal_move_is_reported() -> None:
    report = judged(TIC_TAC_TOE, WIN[0], claim("Bob", 1, 1), claim(1, 9, 1), WIN[2])
    first, second = report.findings
    assert (first.code.name, first.span.line, first.pointer) == ("illegal-move", 3, "/args")
    assert [why.clause for why in first.why] == ["claim.free"]
    assert first.why[0].authority.startswith('convention "')
    assert [json.loads(line) for line in first.legal] == [claim("Bob", 1, 2), claim("Bob", 2, 1), claim("Bob", 1, 3)]
    assert (second.code.name, second.span.line) == ("wrong-value", 4)
    assert (report.verdict, report.replayed, report.events) == (Verdict.FINDINGS, 1, 4)


@pytest.mark.parametrize(
    ("header", "lines", "name", "pointer", "clause", "legal"),
    [
        (TIC_TAC_TOE, [claim(2, 1, 1)], "wrong-player", "/player", "play.turns.claim", claim("Ann", 1, 1)),
        (TIC_TAC_TOE, [move(1, "decline")], "not-offered", "/action", "play.turns.claim", claim("Ann", 1, 1)),
        (TIC_TAC_TOE, [*WIN, claim(2, 3, 3)], "after-the-end", "", "play.turns.won", None),
        (PIG, [move(1, "hold")], "illegal-move", "/action", "hold.something", move(1, "roll")),
        (PIG, [move(1, "roll"), move(1, "roll")], "chance-awaited", "/action", "roll.throw", throw(1)),
        (PIG, [throw(1)], "move-awaited", "/chance", "turn.rolling", move(1, "roll")),
        (KUHN, [deal("king"), deal("king")], "wrong-outcome", "/outcome", "setup.deal", deal("jack")),
    ],
)
def test_an_illegal_event_is_reported_with_its_reasons(
    header: dict[str, Any], lines: list[Any], name: str, pointer: str, clause: str | None, legal: dict[str, Any] | None
) -> None:
    report = judged(header, *lines)
    finding = only(report)
    assert (finding.code.name, finding.pointer, finding.span.line) == (name, pointer, len(lines) + 1)
    assert [why.clause for why in finding.why] == ([clause] if clause else [])
    assert (json.loads(finding.legal[0]) if finding.legal else None) == legal
    assert (report.verdict, report.replayed) == (Verdict.FINDINGS, len(lines) - 1)


def test_scores_are_reported_for_a_log_that_goes_on_after_the_end() -> None:
    report = judged(TIC_TAC_TOE, *WIN, claim(2, 3, 3))
    assert report.result is not None
    assert report.result.outcome.winners == (0,)


# ---- claims


@pytest.mark.parametrize(
    ("said", "name", "pointer", "words"),
    [
        ({"scores": [1, 1]}, "wrong-scores", "/claim/scores/1", "Bob has 0 points, not 1"),
        ({"scores": {"Ann": 2}}, "wrong-scores", "/claim/scores/Ann", "Ann has 1 point, not 2"),
        ({"scores": {"2": -1}}, "wrong-scores", "/claim/scores/2", "Bob has 0 points, not -1"),
        ({"winners": [2]}, "wrong-winners", "/claim/winners", "Ann won, not Bob"),
        ({"winners": []}, "wrong-winners", "/claim/winners", "Ann won, not nobody"),
        ({"winners": [1, 2]}, "wrong-winners", "/claim/winners", "Ann won, not Ann and Bob"),
        ({"terminal": False, "winners": [2]}, "wrong-end", "/claim/terminal", "the game is over"),
        (
            {"state": [{"of": "mark", "at": [{"row": 1, "col": 1}], "is": 2}]},
            "wrong-state",
            "/claim/state/0/is",
            "not seat(2)",
        ),
    ],
)
def test_wrong_claims_at_the_end_are_reported(said: dict[str, Any], name: str, pointer: str, words: str) -> None:
    report = judged(TIC_TAC_TOE, *WIN, {"claim": said})
    finding = only(report)
    assert (finding.code.name, finding.pointer, finding.span.line) == (name, pointer, 7)
    assert words in finding.message
    assert (report.verdict, report.replayed) == (Verdict.FINDINGS, 5)


def test_wrong_claims_do_not_stop_the_replay() -> None:
    wrong = {"scores": [5, 0], "winners": [1], "terminal": True}
    report = judged(TIC_TAC_TOE, {**WIN[0], "claim": wrong}, *WIN[1:])
    assert found(report) == [("wrong-scores", 2)]
    assert report.replayed == 5


def test_wrong_claims_of_one_record_are_one_finding() -> None:
    wrong = {"scores": [5, 7], "terminal": True, "state": [{"of": "mark", "at": [{"row": 3, "col": 3}], "is": 1}]}
    finding = only(judged(TIC_TAC_TOE, {**WIN[0], "claim": wrong}, *WIN[1:]))
    assert finding.pointer == "/claim/scores/0"
    notes = [note.message.split(";")[0] for note in finding.notes if note.span and note.span.file == "game.jsonl"]
    assert notes == ["Bob has 0 points, not 7", "the game is not over", "mark(Cell(3, 3)) is none, not seat(1)"]


def test_a_repeated_wrong_claim_is_no_new_finding() -> None:
    """After a right claim it is a fault of its own."""
    at = [{"row": 1, "col": 1}]
    wrong, right = ({"claim": {"state": [{"of": "mark", "at": at, "is": value}]}} for value in (2, 1))
    other = {"claim": {"state": [{"of": "mark", "at": [{"row": 3, "col": 3}], "is": 2}]}}
    report = judged(TIC_TAC_TOE, WIN[0], wrong, wrong, WIN[1], wrong, other, right, wrong, *WIN[2:])
    assert found(report) == [("wrong-state", 3), ("wrong-state", 7), ("wrong-state", 9)]
    assert [note.message for note in report.findings[0].notes] == [
        "2 later claims about the same thing are also wrong, the last one here"
    ]
    assert [note.span.line for note in report.findings[0].notes if note.span] == [6]
    assert report.verdict is Verdict.FINDINGS


DELETED = [
    path
    for name in ("tic_tac_toe", "pig", "nim", "kuhn_poker", "goofspiel", "liars_dice", "leduc_poker")
    for path in sorted(Path("spec/games", name, "logs").glob("*.*"))
    if path.suffix in (".jsonl", ".yaml")
]


@pytest.mark.parametrize("path", DELETED, ids=lambda path: f"{path.parts[2]}-{path.stem}")
def test_a_deleted_line_gives_one_finding(path: Path) -> None:
    """Or none, if the log is legal without it. Every third line of a long log is tried."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number in range(0, len(lines), 1 if len(lines) < 20 else 3):
        text = "\n".join(lines[:number] + lines[number + 1 :]) + "\n"
        findings = VALIDATOR.validate(parse_log(text, path.name)).findings
        assert len(findings) <= 1, f"{path} without line {number + 1}"


def test_a_wrong_score_shows_its_parts() -> None:
    finding = only(judged(TIC_TAC_TOE, *WIN, {"claim": {"scores": [2, 0]}}))
    assert [note.message for note in finding.notes] == ["score.line: 1"]
    assert [why.clause for why in finding.why] == ["score.line"]


def test_hidden_values_cannot_be_claimed() -> None:
    cells = [{"of": "deck", "is": ["queen"]}, {"of": "deck", "size": 1}, {"of": "card", "at": [1], "is": "king"}]
    report = judged(KUHN, deal("king"), deal("jack"), {"claim": {"state": cells, "terminal": False}})
    finding = only(report)
    assert (finding.code.name, finding.pointer) == ("claim-unknowable", "/claim/state/0/is")


# ---- declines that were left out

PASSING = """\
game passing
  title: en "Passing"
  players: 2
  convention: "made for this test"

state points(Player): 0..90 = 0

action take
  gain: points(me) += 1

action give
  choose amount in 1..3
  gain: points(opponent(me)) += amount

action stop
  stop: end game

play
  rounds: repeat
    each player in seats
      first: may take
      second: may give
      last: choose take or stop

score points: my points

winner
  most: highest total(me)
"""


@pytest.fixture
def passing(tmp_path: Path) -> dict[str, Any]:
    path = tmp_path / "passing.ludex"
    path.write_text(PASSING, encoding="utf-8")
    return {"ludex": 1, "game": str(path), "players": 2}


def give(player: int, amount: int) -> dict[str, Any]:
    return move(player, "give", args={"amount": amount})


def test_a_decline_may_be_left_out(passing: dict[str, Any]) -> None:
    report = judged(passing, give(1, 2), move(1, "stop"))
    assert (report.verdict, report.findings) == (Verdict.LEGAL, ())
    assert [(each.span.line, json.loads(each.line)) for each in report.left_out] == [(2, move(1, "decline"))]
    assert (report.events, report.replayed) == (2, 2)
    assert report.result is not None
    assert report.result.outcome.winners == (1,)


def test_several_declines_may_be_left_out(passing: dict[str, Any]) -> None:
    report = judged(passing, move(1, "stop"))
    assert not report.findings
    assert len(report.left_out) == 2


def test_written_declines_count_as_events(passing: dict[str, Any]) -> None:
    report = judged(passing, move(1, "decline"), move(1, "decline"), move(1, "stop"))
    assert (report.findings, report.left_out, report.events) == ((), (), 3)


def test_an_event_that_fits_now_is_not_taken_for_a_later_one(passing: dict[str, Any]) -> None:
    """`take` is legal now, and also after two declines."""
    report = judged(passing, move(1, "take", claim={"scores": [1, 0], "terminal": False}))
    assert (report.findings, report.left_out) == ((), ())


def test_a_claim_may_hold_after_a_decline(passing: dict[str, Any]) -> None:
    """Here it holds after one decline and after several. It is accepted, and the number of declines stays open."""
    never_stopped = "      last:\n        points(me) += 5\n        if points(me) > 80 then end game\n"
    again = PASSING.replace("      last: choose take or stop\n", never_stopped)
    Path(passing["game"]).write_text(again, encoding="utf-8")
    report = judged(passing, give(1, 1), {"claim": {"scores": [5, 1], "terminal": False}})
    assert report.left_out == ()
    report = judged(passing, move(1, "take"), {"claim": {"scores": [6, 0], "terminal": False}})
    assert not report.findings
    assert report.left_out == ()


def test_a_claim_about_the_end_may_hold_after_a_decline(passing: dict[str, Any]) -> None:
    short = PASSING.replace("    each player in seats\n", "    as seat(1)\n").replace(
        "      last: choose take or stop\n", "      last: stop\n"
    )
    Path(passing["game"]).write_text(short, encoding="utf-8")
    report = judged(passing, move(1, "take", claim={"scores": [1, 0], "winners": [1], "terminal": True}))
    assert (report.findings, len(report.left_out)) == ((), 1)
    assert report.result is not None


def test_a_decline_that_fits_in_two_places_is_not_filled_in(passing: dict[str, Any]) -> None:
    never_stopped = "      last: may give\n      if points(me) > 80 then end game\n"
    again = PASSING.replace("      last: choose take or stop\n", never_stopped)
    Path(passing["game"]).write_text(again, encoding="utf-8")
    finding = only(judged(passing, give(1, 2)))
    assert finding.code.name == "ambiguous-decline"
    assert [why.clause for why in finding.why] == ["play.rounds.first"]


def test_no_decline_is_assumed_for_a_move_that_stays_illegal(passing: dict[str, Any]) -> None:
    finding = only(judged(passing, move(2, "stop")))
    assert finding.code.name == "wrong-player"


def test_a_missing_move_is_suggested_only_if_it_explains_the_line() -> None:
    """A move by Ann may be missing before Bob's second move; nothing explains a move on a taken cell."""
    opening = [claim(1, 1, 1), claim(2, 2, 1)]
    hint = only(judged(TIC_TAC_TOE, *opening, claim(2, 3, 1))).hint or ""
    sentence, _, line = hint.partition(", for example ")
    assert sentence == "a move by Ann may be missing before this line"
    assert not judged(TIC_TAC_TOE, *opening, json.loads(line), claim(2, 3, 1), {"claim": {"terminal": False}}).findings
    taken = only(judged(TIC_TAC_TOE, *opening, claim(2, 1, 1)))
    assert (taken.code.name, taken.hint) == ("wrong-player", None)


def test_a_move_that_is_not_offered_may_lack_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "optional.ludex"
    steps = "      first: take\n      last: choose rest\n"
    path.write_text(
        OPTIONAL.replace("      take\n", steps).replace("play\n", "action rest\n  go: nothing\n\nplay\n", 1),
        encoding="utf-8",
    )
    header = {"ludex": 1, "game": str(path), "players": 2}
    finding = only(judged(header, move(1, "rest")))
    assert finding.code.name == "not-offered"
    line = '{"player": 1, "action": "take", "args": {"amount": 1}}'
    assert (finding.hint or "").endswith(f"may be missing before this line, for example {line}")
    assert [note.message for note in finding.notes[:1]] == [
        "on offer at `play.rounds.last`; the play is at `play.rounds.first`"
    ]


OPTIONAL = """\
game optional
  title: en "Optional"
  players: 2
  convention: "made for this test"

option most: 1..3 = 1

state points(Player): 0..90 = 0

action take
  choose amount in 1..3
  require few: amount <= most
  gain: points(me) += amount up to 90

play
  rounds:
    each player in seats
      take

score points: points(me)

winner
  points: highest total(me)
"""


def test_a_line_excluded_by_an_option_names_the_option(tmp_path: Path) -> None:
    """The domain of a choice is known before play, so that the line is invalid in this game; the report names the
    option.
    """
    path = tmp_path / "optional.ludex"
    path.write_text(OPTIONAL.replace("in 1..3", "in 1..most"), encoding="utf-8")
    header = {"ludex": 1, "game": str(path), "players": 2}
    two, one = (move(player, "take", args={"amount": amount}) for player, amount in ((1, 2), (2, 1)))
    finding = only(judged(header, two, one))
    assert finding.code.name == "wrong-value"
    assert "judged with most = 1" in finding.notes[-1].message
    assert finding.notes[-1].message.endswith("it is legal with most = 2 or most = 3")
    assert not only(judged(header, move(1, "take", args={"amount": 9}), one)).notes, "no value of the option allows it"


def test_a_refusal_gives_the_options_under_which_the_log_is_legal(tmp_path: Path) -> None:
    path = tmp_path / "optional.ludex"
    path.write_text(OPTIONAL, encoding="utf-8")
    header = {"ludex": 1, "game": str(path), "players": 2}

    def take(player: int, amount: int) -> dict[str, Any]:
        return move(player, "take", args={"amount": amount})

    assert not judged(header, take(1, 1), take(2, 1)).findings
    note = only(judged(header, take(1, 2), take(2, 1))).notes[-1].message
    assert "most = 1" in note
    assert note.endswith("it is legal with most = 2 or most = 3")
    nowhere = only(judged(header, take(1, 2), take(1, 1))).notes
    assert not nowhere or "legal with" not in nowhere[-1].message
    finding = only(judged({**header, "options": {"most": 1}}, take(1, 2), take(2, 1)))
    assert all("options" not in each.message for each in finding.notes)


# ---- faults of the rules


def test_a_spec_fault_in_play_is_reported(passing: dict[str, Any]) -> None:
    Path(passing["game"]).write_text(PASSING.replace("points(me) += 1", "points(me) += 90"), encoding="utf-8")
    report = judged(passing, move(1, "take"), move(1, "decline"), move(1, "take"))
    finding = only(report)
    assert (finding.code.name, finding.span.line) == ("rules-at-fault", 4)
    assert [why.clause for why in finding.why] == ["take.gain"]
    assert (report.verdict, report.replayed) == (Verdict.FINDINGS, 2)


# ---- the report as JSON


def test_a_report_is_written_as_json() -> None:
    report = report_to_json(judged(TIC_TAC_TOE, WIN[0], claim(2, 1, 1)))
    finding = report.pop("findings")[0]
    assert report == {
        "file": "game.jsonl",
        "verdict": "findings",
        "game": "tic_tac_toe",
        "edition": "tic_tac_toe",
        "silence": "borrow",
        "players": NAMES,
        "events": 2,
        "replayed": 1,
        "stopped_at": 3,
        "left_out": [],
        "result": None,
    }
    assert (finding["code"], finding["line"], finding["column"], finding["pointer"]) == ("L460", 3, 42, "/args")
    assert finding["why"][0]["clause"] == "claim.free"
    assert len(finding["legal"]) == 3
    assert json.dumps(finding)


def test_a_finished_report_is_written_as_json() -> None:
    assert report_to_json(judged(TIC_TAC_TOE, *WIN))["result"] == {
        "by": "rules",
        "scores": [1, 0],
        "breakdown": [{"score.line": 1}, {"score.line": 0}],
        "winners": [1],
        "decided_by": "winner.line",
        "shared": False,
        "undecided": False,
    }


def test_replay_gives_the_state_after_any_event() -> None:
    engine = engine_once(game_once("pig"))
    turns = [turn.event for turn in playout(engine, Generator(5))]
    log = parse_log(write_log(PIG, [line_of(engine.game, event) for event in turns]))
    state = engine.start()
    for number, event in enumerate(turns):
        play = VALIDATOR.play(log, until=number)
        assert play.state == state
        assert play.events == tuple(turns[:number])
        engine.advance(state, event)
    assert VALIDATOR.play(log).state == state


def test_validate_log_is_the_validator_for_one_log() -> None:
    assert validate_log(parse_log(write_log(TIC_TAC_TOE, WIN)), load).verdict is Verdict.LEGAL


KUHN_HEADER = '{"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]}\n'
CARDS = '{"chance": "setup.deal", "outcome": "queen"}\n{"chance": "setup.deal", "outcome": "king"}\n'


def ended(result: dict[str, Any], *more: dict[str, Any]) -> Report:
    lines = "".join(f"{write_line(line)}\n" for line in ({"result": result}, *more))
    return VALIDATOR.validate(parse_log(KUHN_HEADER + CARDS + lines, "ended.jsonl"))


@pytest.mark.parametrize(
    "result, winners",
    [
        ({"by": "resigned", "player": "Boris"}, (0,)),
        ({"by": "time", "player": 1}, (1,)),
        ({"by": "agreed"}, (0, 1)),
        ({"by": "adjudicated", "winners": ["Boris"]}, (1,)),
        ({"by": "abandoned"}, ()),
    ],
)
def test_a_game_ended_by_its_players_has_the_stated_winner(result: dict[str, Any], winners: tuple[int, ...]) -> None:
    report = ended(result, {"note": "they shook hands"})
    assert report.findings == ()
    assert report.early_end is not None
    assert (report.early_end.by, report.early_end.winners) == (result["by"], winners)


@pytest.mark.parametrize(
    "result, pointer",
    [
        ({"by": "resigned"}, "/result"),
        ({"by": "resigned", "player": "Clara"}, "/result/player"),
        ({"by": "adjudicated"}, "/result"),
        ({"by": "abandoned", "winners": [1]}, "/result/winners"),
        ({"by": "resinged", "player": 2}, "/result/by"),
        ({}, "/result"),
        ([], "/result"),
    ],
)
def test_a_result_without_winner_or_reason_is_a_finding(result: Any, pointer: str) -> None:
    (finding,) = [each for each in ended(result).findings if each.is_error]
    assert finding.pointer == pointer


@pytest.mark.parametrize("by", [by for by, kind in EARLY_ENDS.items() if "player" in kind.demanded])
def test_a_player_who_loses_before_the_end_is_no_winner(by: str) -> None:
    (finding,) = [each for each in ended({"by": by, "player": 2, "winners": [2]}).findings if each.is_error]
    assert (finding.pointer, finding.message) == ("/result/winners", Message("loser-wins"))


def test_a_resignation_among_more_than_two_players_must_name_the_winner() -> None:
    header = '{"ludex": 1, "game": "pig", "players": 3}\n'
    for winners, faults in (("", 1), (', "winners": [1, 3]', 0)):
        line = f'{{"result": {{"by": "resigned", "player": 2{winners}}}}}\n'
        assert len(VALIDATOR.validate(parse_log(header + line, "three.jsonl")).findings) == faults
