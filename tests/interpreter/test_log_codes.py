"""Every code of the catalogue has a log that gets it and nothing else; with the fault corrected the log is legal."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.log_codes import LOG_CODES, UNREADABLE_CODES
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.tracking.report import Report, Verdict
from ludex.interpreter.unknowns import following

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
PIG = '{"ludex": 1, "game": "pig", "players": 2}\n'
KUHN = '{"ludex": 1, "game": "kuhn_poker", "players": 2}\n'
ROLL = '{"player": 1, "action": "roll"}\n'
FOUR = '{"chance": "roll.throw", "outcome": 4}\n'
GOES_ON = '{"claim": {"terminal": false}}\n'
KING = '{"chance": "setup.deal", "outcome": "king"}\n'
QUEEN = '{"chance": "setup.deal", "outcome": "queen"}\n'
BET = '{"player": 1, "action": "bet"}\n'
BETS = '{"player": 1, "action": "bet"}\n{"player": 2, "action": "bet"}\n'


def claim(**members: Any) -> str:
    return write_line({"claim": members}) + "\n"


RESIGNED = '{"result": {"by": "resigned", "player": 2}}\n'
PLAYED = KUHN + KING + QUEEN + BETS
DEAL = '{"deal": "setup.deal", "to": 1, "cards": ["king"]}\n'

TIC_TAC_TOE = '{"ludex": 1, "game": "tic_tac_toe", "players": 2}\n'
FORK = "spec/games/tic_tac_toe/positions/fork.yaml"
"""A position of tic-tac-toe, as a path from the project's folder, in which the tests run."""


def begun(header: str, **position: Any) -> str:
    """Return the log of a play that begins in a position."""
    return header[:-2] + f', "from": {json.dumps(position)}}}\n'


def marks(*rows: str) -> dict[str, Any]:
    return {"mark": list(rows)}


def dealt(first: str, second: str, deck: str, *unseen: str) -> str:
    cards = {"card": {"1": first, "2": second}, "stake": {"1": 1, "2": 1}, **({"deck": deck} if deck else {})}
    return begun(KUHN, state=cards, **({"unseen": [list(unseen)]} if unseen else {}))


TEXT_PIG = "Game: pig\nPlayers: 2\n\n"
CLAIMED = "claim not over\n"
TEXT_BOREAL = "Game: boreal\nPlayers: 2\n\nsetup.tokens = 1\n"
TEXT_BIDS = "Game: goofspiel\nPlayers: 2\nOption cards: 3\n\nreveal = 2\n"


def name_of(text: str) -> str:
    return "sample.ludexlog" if text.startswith("Game") else "sample.jsonl"


SAMPLES: dict[str, tuple[str, str]] = {
    # code: (a log that gets it, the log with the fault corrected)
    "L402": ("\n", PIG + GOES_ON),
    "L405": (PIG + ROLL.replace(",", "", 1) + FOUR, PIG + ROLL + FOUR),
    "L406": (PIG + ROLL[:-3], PIG + ROLL),
    "L407": (PIG + ROLL.replace("{", '{"player": 2, '), PIG + ROLL),
    "L408": (PIG + FOUR.replace("4", "NaN"), PIG + ROLL),
    "L409": (PIG + '{"note": ' * 70, PIG + '{"note": ""}\n'),
    "L410": (PIG + "[1]\n", PIG + ROLL),
    "L414": (PIG + "\n" + GOES_ON, PIG + GOES_ON),
    "L415": (PIG + r'{"note": "\ud83c"}' + "\n", PIG + r'{"note": "\ud83c\udfb2"}' + "\n"),
    "L420": (ROLL, PIG + ROLL),
    "L421": (PIG.replace("1", "2", 1), PIG),
    "L422": (PIG.replace("{", '{"date": "today", '), PIG.replace("{", '{"note": "today", ')),
    "L423": (PIG.replace(', "players": 2', ""), PIG),
    "L424": (PIG.replace("2", '"two"'), PIG),
    "L425": (PIG.replace("pig", "pigs"), PIG),
    "L426": (PIG.replace("{", '{"edition": "en", '), PIG.replace("{", '{"edition": "pig", ')),
    "L427": (PIG.replace("{", '{"options": {"goal": 50}, '), PIG),
    "L428": (PIG.replace("{", '{"readings": {"ones": "lose"}, '), PIG),
    "L429": (PIG.replace("2", "1"), PIG),
    "L430": (PIG.replace("{", '{"fingerprint": "00", ') + GOES_ON, PIG + GOES_ON),
    "L431": (PIG + PIG, PIG),
    "L440": (PIG + '{"turn": 1}\n', PIG + ROLL),
    "L441": (PIG + ROLL.replace("roll", "rol"), PIG + ROLL),
    "L442": (PIG + ROLL.replace("}", ', "pips": 4}'), PIG + ROLL),
    "L443": (PIG + ROLL.replace('"player": 1, ', ""), PIG + ROLL),
    "L444": (PIG + ROLL + FOUR.replace("4", "7"), PIG + ROLL + FOUR),
    "L445": (PIG + ROLL + FOUR.replace("roll.throw", "throw"), PIG + ROLL + FOUR),
    "L446": (PIG + ROLL.replace("1", "3"), PIG + ROLL),
    "L447": (KUHN + KING + QUEEN + claim(state=[{"of": "deck", "is": ["unknown"]}]), KUHN + KING + QUEEN + GOES_ON),
    "L460": (PIG + ROLL.replace("roll", "hold"), PIG + ROLL),
    "L461": (PIG + ROLL.replace("roll", "decline"), PIG + ROLL),
    "L462": (PIG + ROLL + ROLL, PIG + ROLL + FOUR + ROLL),
    "L463": (PIG + FOUR, PIG + ROLL + FOUR),
    "L464": (PIG + ROLL.replace("1", "2"), PIG + ROLL),
    "L465": (KUHN + KING + KING, KUHN + KING + QUEEN),
    "L466": (PLAYED + BETS[:31], PLAYED),
    "L471": (PIG + '{"gap": true}\n' + claim(scores=[1, 1]), PIG + '{"gap": true}\n' + claim(scores=[2, 0])),
    "L472": (PLAYED + RESIGNED, KUHN + KING + QUEEN + RESIGNED),
    "L473": (KUHN + KING + QUEEN + RESIGNED + BET, KUHN + KING + QUEEN + BET + RESIGNED),
    "L474": (KUHN + DEAL.replace("]", ', "queen"]') + QUEEN, KUHN + DEAL + QUEEN),
    "L480": (PLAYED + claim(scores=[1, -2]), PLAYED + claim(scores=[2, -2])),
    "L481": (PLAYED + claim(winners=[2]), PLAYED + claim(winners=[1])),
    "L482": (PLAYED + claim(terminal=False), PLAYED + claim(terminal=True)),
    "L483": (
        PLAYED + claim(state=[{"of": "stake", "at": [1], "is": 1}]),
        PLAYED + claim(state=[{"of": "stake", "at": [1], "is": 2}]),
    ),
    "L484": (PLAYED + claim(state=[{"of": "deck", "is": ["jack"]}]), PLAYED + claim(state=[{"of": "deck", "size": 1}])),
    "L519": (
        begun(TIC_TAC_TOE, state=marks("2 . .", ". 2 .", ". . .")),
        begun(TIC_TAC_TOE, state=marks("2 . .", ". 1 .", ". . .")),
    ),
    "L520": (begun(PIG, state={"pott": 5}), begun(PIG, state={"pot": 5})),
    "L521": (begun(PIG, state={"pot": 500}), begun(PIG, state={"pot": 5})),
    "L522": (
        begun(TIC_TAC_TOE, flow={"me": 2}, state=marks(". 2 1", ". Q .", ". . .")),
        begun(TIC_TAC_TOE, flow={"me": 2}, state=marks(". 2 1", ". 1 .", ". . .")),
    ),
    "L523": (dealt("king", "king", "? x2", "jack", "queen"), dealt("king", "queen", "?", "jack")),
    "L524": (dealt("king", "queen", ""), dealt("king", "queen", "?", "jack")),
    "L525": (dealt("king", "queen", "? x2", "jack"), dealt("king", "queen", "?", "jack")),
    "L526": (
        begun(TIC_TAC_TOE, flow={"at": "play.turns", "me": 2}, state=marks(". . .", ". 1 .", ". . .")),
        begun(TIC_TAC_TOE, flow={"at": "play.turns.claim", "me": 2}, state=marks(". . .", ". 1 .", ". . .")),
    ),
    "L527": (
        begun(TIC_TAC_TOE, flow={"at": "play.turns.claim", "me": 1}, state=marks("1 2 1", "1 2 2", "2 1 1")),
        begun(TIC_TAC_TOE, flow="over", state=marks("1 2 1", "1 2 2", "2 1 1")),
    ),
    "L528": (
        TIC_TAC_TOE[:-2] + ', "from": "spec/games/tic_tac_toe/logs/full.jsonl"}\n',
        TIC_TAC_TOE[:-2] + f', "from": "{FORK}"}}\n',
    ),
    "L529": (PIG[:-2] + f', "from": "{FORK}"}}\n', TIC_TAC_TOE[:-2] + f', "from": "{FORK}"}}\n'),
    "L490": (PIG + ROLL, PIG + ROLL + GOES_ON),
    "L500": (TEXT_PIG + "well thrown\n", TEXT_PIG + "1: roll\n"),
    "L501": (TEXT_PIG + "1: roll 4\n", TEXT_PIG + "1: roll\n"),
    "L502": (TEXT_BOREAL + "refill = s03\n", TEXT_BOREAL + "setup.row = s03\n"),
    "L570": (TEXT_PIG.replace("\n\n", "\nEditon: ru\n\n") + CLAIMED, TEXT_PIG + CLAIMED),
    "L590": (TEXT_BIDS + "bid 3\n" + CLAIMED, TEXT_BIDS + "1: bid 3\n" + CLAIMED),
    "L591": (
        TEXT_PIG + "2. roll\n" + "roll.throw = 4\n" + CLAIMED,
        TEXT_PIG + "1. roll\n" + "roll.throw = 4\n" + CLAIMED,
    ),
    "L503": (TEXT_PIG.replace("\n\n", "\n1 rolls\n\n") + "1: roll\n", TEXT_PIG + "1: roll\n"),
}
ELSEWHERE = {
    "L530": "test_migrate.py",
    "L531": "test_migrate.py",
    "L532": "test_migrate.py",
    "L533": "test_migrate.py",
    "L416": "test_log.py: YAML of another shape",
    "L432": "test_validate.py: a game with faults of its own",
    "L434": "test_named_files.py: a file that a log may not name",
    "L433": "test_which_game.py: a game of a shipped name beside the log",
    "L468": "test_validate.py: rules that fail in play",
    "L469": "test_validate.py: a decline that could be in two places",
    "L476": "test_snapshots.py: a recorded position",
    "L475": "test_deals_and_gaps.py: only a run that looks for missing lines reports them",
    "L491": "test_own_faults.py: a fault of Ludex itself",
    "L540": "test_many_logs.py: a compressed file",
    "L541": "test_many_logs.py: a compressed file",
    "L542": "test_many_logs.py: a compressed file",
    "L470": "below: it takes a game with two chance events in a row",
}


@cache
def judged(text: str) -> Report:
    """Return the report on a sample, made once for all tests. The limit of work is lower than a user's: reaching that
    takes ten seconds.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(following, "MOST_WORK", 200_000)
        return VALIDATOR.validate(parse_log(text, name_of(text)))


def codes_of(text: str) -> list[str]:
    return [finding.code.code for finding in judged(text).findings]


@pytest.mark.parametrize("code", SAMPLES)
def test_the_sample_gets_the_code(code: str) -> None:
    bad, mended = SAMPLES[code]
    unfinished = [] if code == "L490" else ["L490"]
    assert [finding for finding in codes_of(bad) if finding not in unfinished] == [code]
    assert judged(mended).verdict is Verdict.LEGAL
    assert code not in codes_of(mended)


def test_every_code_has_a_sample() -> None:
    assert sorted([*SAMPLES, *ELSEWHERE]) == [code.code for code in LOG_CODES]


def test_another_chance_event_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "dice.ludex"
    path.write_text(
        'game dice\n  title: en "Dice"\n  players: 2\n  convention: "made for this test"\n\n'
        "state points(Player): 0..12 = 0\n\nplay\n"
        "  throws: each player in seats\n"
        "    first:\n      random pips in 1..6\n      points(me) += pips\n"
        "    second:\n      random pips in 1..6\n      points(me) += pips\n\n"
        "score points: my points\n\nwinner\n  most: highest total(me)\n  tie: share\n",
        encoding="utf-8",
    )
    header = json.dumps({"ludex": 1, "game": str(path), "players": 2}) + "\n"
    first, second = (write_line({"chance": f"play.throws.{name}", "outcome": 3}) + "\n" for name in ("first", "second"))
    assert codes_of(header + second) == ["L470"]
    assert codes_of(header + (first + second) * 2) == []


def test_the_code_decides_whether_a_log_is_unreadable() -> None:
    unreadable = {code.code for code in UNREADABLE_CODES}
    for code, (bad, _) in SAMPLES.items():
        assert (judged(bad).verdict is Verdict.UNREADABLE) == (code in unreadable)


FULL = (Path(__file__).parents[2] / "spec/games/tic_tac_toe/logs/full.jsonl").read_text(encoding="utf-8")
WON = "".join(line for line in FULL.splitlines(True) if '"claim": {' not in line or '"action"' in line)
MARKED = '{"player": 1, "action": "claim", "args": {"cell": {"row": 1, "col": 1}}}\n'
ENDED = ["play.turns.won"]


@pytest.mark.parametrize(
    ("log", "clauses"),
    [
        (WON + claim(terminal=False), ENDED),
        (WON + MARKED, ENDED),
        # The last part of its flow is conditional, and was not carried out.
        (PLAYED + claim(terminal=False), []),
        (KUHN + KING + claim(terminal=True), ["setup.deal"]),
        (KUHN + KING + claim(winners=[1]), ["setup.deal"]),
    ],
)
def test_what_is_wrong_about_the_end_names_the_clause(log: str, clauses: list[str]) -> None:
    """The one that ended the game, or the one that awaits something."""
    finding = VALIDATOR.play(parse_log(log)).report.findings[0]
    assert [each.clause for each in finding.why] == clauses
