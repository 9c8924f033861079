"""Explanation of what a line of a log says of the state: claims, recorded positions, results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Json
from ludex.interpreter import ExplainedLine, Play, Validator, explain_line, line_at, parse_log, read_log
from ludex.interpreter.logs.judge.asked_line import TELLING, AskedLine
from ludex.spec import load

from .record_samples import RECORDED, samples_of
from .test_validate import PASSING

VALIDATOR = Validator(load)
DEALT: list[dict[str, Any]] = [
    {"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]},
    {"chance": "setup.deal", "outcome": "queen"},
    {"chance": "setup.deal", "outcome": "king"},
]
UNSEEN: list[dict[str, Any]] = [*DEALT[:2], {"chance": "setup.deal", "outcome": "unknown"}]
BETS: list[dict[str, Any]] = [{"player": "Anna", "action": "bet"}, {"player": "Boris", "action": "bet"}]


def explained(lines: Sequence[Json], **how: bool) -> ExplainedLine | Play:
    """Explain the last of some lines."""
    log = parse_log("".join(f"{json.dumps(line)}\n" for line in lines), "log.jsonl")
    asked = line_at(VALIDATOR, log, len(lines))
    assert isinstance(asked, AskedLine)
    return explain_line(VALIDATOR, log, asked, **how)


def parts(lines: Sequence[Json], **how: bool) -> dict[str, tuple[bool | None, list[str]]]:
    found = explained(lines, **how)
    assert isinstance(found, ExplainedLine)
    return {str(part.sentence): (part.holds, list(map(str, part.facts))) for part in found.parts}


def claim(**told: Json) -> dict[str, Json]:
    return {"claim": told}


@pytest.mark.parametrize("game", RECORDED)
def test_a_line_is_explained_as_it_is_judged(game: str) -> None:
    for log in map(read_log, samples_of(game)):
        records = [] if log.is_unread else log.events
        telling = [record.place().line for record in records if record.data and TELLING.keys() & record.data.keys()]
        report = VALIDATOR.validate(log) if telling else None
        for line in telling:
            assert report is not None
            asked = line_at(VALIDATOR, log, line)
            assert isinstance(asked, AskedLine)
            found = explain_line(VALIDATOR, log, asked)
            if report.stopped_at is not None and report.stopped_at.line <= line:
                assert isinstance(found, Play), (log.file, line)
                continue
            assert isinstance(found, ExplainedLine), (log.file, line)
            wrong = {finding.span.line for finding in report.findings if finding.is_error}
            assert (found.holds is False) == (line in wrong), (log.file, line)


def test_each_part_of_a_claim_is_compared_with_the_state() -> None:
    cells = [
        {"of": "card", "at": ["Anna"], "is": "king"},
        {"of": "stake", "at": ["Boris"], "is": 2},
        {"of": "deck", "size": 1},
    ]
    told = claim(state=cells, terminal=True, scores={"Anna": -2, "Boris": 3}, winners=["Boris"])
    assert parts([*DEALT, *BETS, told]) == {
        "card(Anna) holds king": (False, ["card(Anna) holds queen, not king"]),
        "stake(Boris) is 2": (True, []),
        "deck has the size 1": (True, []),
        "the game is over": (True, []),
        "Anna has -2 points": (True, ["score.chips: -2"]),
        "Boris has 3 points": (False, ["Boris has 2 points, not 3", "score.chips: 2"]),
        "winners: Boris": (True, []),
    }


def test_a_claim_about_the_end_is_compared_with_a_game_that_goes_on() -> None:
    awaited = "the game is not over; awaited: Anna (pass, bet)"
    assert parts([*DEALT, claim(terminal=False)]) == {"the game goes on": (True, [awaited])}
    assert parts([*DEALT, claim(terminal=True)]) == {"the game is over": (False, [awaited])}
    (verdict,) = parts([*DEALT, claim(winners=[])]).items()
    assert verdict[0] == "winners: nobody"
    assert verdict[1][0] is False


def test_what_decides_a_part_is_cited() -> None:
    found = explained([*DEALT, *BETS, claim(scores=[-2, 2], winners=["Anna"])])
    assert isinstance(found, ExplainedLine)
    clauses = [part.clauses for part in found.parts]
    assert clauses == [("score.chips",), ("score.chips",), ("winner.chips",)]
    assert [part.pointer for part in found.parts] == ["/claim/scores/0", "/claim/scores/1", "/claim/winners"]


def test_where_not_everything_is_known_a_part_may_hold() -> None:
    cells: list[Json] = [
        {"of": "card", "at": ["Boris"], "is": "king"},
        {"of": "stake", "at": ["Boris"], "is": 2},
        {"of": "card", "at": ["Anna"], "is": "king"},
    ]
    assert parts([*UNSEEN, *BETS, claim(state=cells, scores=[-2, 2])]) == {
        "card(Boris) holds king": (None, ["perhaps card(Boris) holds jack, not king"]),
        "stake(Boris) is 2": (True, []),
        "card(Anna) holds king": (False, ["card(Anna) cannot hold king here"]),
        # The first part decides who wins.
        "Anna has -2 points": (True, []),
        "Boris has 2 points": (True, []),
    }
    (points,) = parts([*UNSEEN, *BETS, claim(scores={"Anna": -2})]).values()
    assert points == (None, ["perhaps Anna has 2 points, not -2"])


def test_a_claim_is_compared_with_the_state_after_declines_that_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "passing.ludex"
    short = PASSING.replace("    each player in seats\n", "    as seat(1)\n").replace("choose take or stop", "stop")
    path.write_text(short, encoding="utf-8")
    begun = [{"ludex": 1, "game": str(path), "players": 2}, {"player": 1, "action": "take"}]
    assert parts([*begun, claim(winners=[1], terminal=True)]) == {
        "the game is over": (True, []),
        "winners: seat(1)": (True, []),
    }


def test_a_claim_that_is_true_after_one_decline_or_several_may_hold(tmp_path: Path) -> None:
    path = tmp_path / "passing.ludex"
    never_stopped = "      last:\n        points(me) += 5\n        if points(me) > 80 then end game\n"
    path.write_text(PASSING.replace("      last: choose take or stop\n", never_stopped), encoding="utf-8")
    begun = [{"ludex": 1, "game": str(path), "players": 2}, {"player": 1, "action": "take"}]
    told = parts([*begun, claim(scores=[6, 0])])
    assert told["seat(2) has 0 points"][0] is True
    holds, facts = told["seat(1) has 6 points"]
    assert holds is None
    assert "perhaps true after declines that the log leaves out" in facts


def test_a_position_is_compared_part_by_part() -> None:
    head = {"ludex": 1, "game": "tic_tac_toe", "players": ["Anna", "Boris"]}
    move = {"player": "Anna", "action": "claim", "args": {"cell": {"row": 2, "col": 2}}}
    flow = {"at": "play.turns.claim", "me": "Boris"}
    right: dict[str, Json] = {"position": {"state": {"mark": [". . .", ". A .", ". . ."]}, "flow": flow}}
    assert {holds for holds, _ in parts([head, move, right]).values()} == {True}
    wrong: dict[str, Json] = {"position": {"state": {"mark": ["A . .", ". . .", ". . ."]}}}
    assert parts([head, move, wrong]) == {
        "mark": (False, ['recorded: ["A . .", ". . .", ". . ."]', 'in the play: [". . .", ". A .", ". . ."]'])
    }
    begun: dict[str, Json] = {"position": {"state": {}, "flow": {"at": "play.turns.claim", "me": "Anna"}}}
    told = parts([head, move, begun])
    assert told["mark"][1][0] == "recorded: as at the beginning"
    assert told["flow"][0] is False


def test_a_claim_beside_a_position_is_about_the_state_after_it() -> None:
    head = {"ludex": 1, "game": "tic_tac_toe", "players": ["Anna", "Boris"]}
    flow = {"at": "play.turns.claim", "me": "Boris"}
    cell = {"of": "mark", "at": [{"row": 1, "col": 1}], "is": "Anna"}
    both = {"position": {"state": {"mark": ["A . .", ". . .", ". . ."]}, "flow": flow}, **claim(state=[cell])}
    told = "mark(Cell(1, 1)) is Anna"
    shown = {resyncs: parts([head, both], resyncs=resyncs) for resyncs in (False, True)}
    assert [name for name in shown[False] if name.startswith("mark(")], shown
    verdicts = [next(v for name, v in shown[at].items() if name.startswith("mark("))[0] for at in (False, True)]
    assert verdicts == [False, True], told


def test_a_result_holds_while_the_game_goes_on() -> None:
    result = {"result": {"by": "resigned", "player": "Boris"}}
    told = "Boris resigned; winners: Anna"
    assert parts([*DEALT, result])[told][0] is True
    over = parts([*DEALT, *BETS, result])
    assert over[told][0] is False
    # Who is to move is not known after a gap, and whether anybody is.
    assert parts([*DEALT, {"gap": True}, result])[told][0] is None
    loser = {"result": {"by": "resigned", "player": "Boris", "winners": ["Boris"]}}
    assert [holds for holds, _ in parts([*DEALT, loser]).values()] == [False]


def test_a_line_after_a_fault_is_explained_where_the_replay_goes_on() -> None:
    head = {"ludex": 1, "game": "tic_tac_toe", "players": ["Anna", "Boris"]}
    move = {"player": "Anna", "action": "claim", "args": {"cell": {"row": 2, "col": 2}}}
    flow = {"at": "play.turns.claim", "me": "Anna"}
    position = {"position": {"state": {"mark": ["B . .", ". A .", ". . ."]}, "flow": flow}}
    lines = [head, move, move, position, claim(terminal=False)]
    assert isinstance(explained(lines), Play)
    assert parts(lines, resyncs=True)["the game goes on"][0] is True


def test_claims_of_earlier_lines_narrow_what_is_known() -> None:
    cell = {"of": "card", "at": ["Boris"], "is": "king"}
    assert parts([*UNSEEN, claim(state=[cell]), claim(state=[cell])]) == {"card(Boris) holds king": (True, [])}
