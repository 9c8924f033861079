"""Findings of logs that need more than their text: a game of their own, other rules, a compressed file."""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from ludex.grammar import Diagnostic
from ludex.interpreter import Migration, Validator, logs_in, report_of_fault
from ludex.interpreter.logs.record.log import parse_log
from ludex.spec import load

from .test_validate import PASSING

GAMES = Path(__file__).parents[2] / "spec" / "games"
DICE = (
    'game dice\n  title: en "Dice"\n  players: 2\n  convention: "made for this test"\n\n'
    "state points(Player): 0..12 = 0\n\nplay\n"
    "  throws: each player in seats\n"
    "    first:\n      random pips in 1..6\n      points(me) += pips\n"
    "    second:\n      random pips in 1..6\n      points(me) += pips\n\n"
    "score points: my points\n\nwinner\n  most: highest total(me)\n  tie: share\n"
)
TAKE = {"player": 1, "action": "take"}
GIVE = {"player": 1, "action": "give", "args": {"amount": 2}}
DECLINE = {"player": 1, "action": "decline"}
CLAIM = {"player": 1, "action": "claim", "args": {"cell": {"row": 2, "col": 2}}}
LAST = "      last: choose take or stop\n"
AGAIN = "      last: may give\n      if points(me) > 80 then end game\n"
OWN_GAMES: dict[str, tuple[str, list[dict[str, object]]]] = {
    "L432": ("game passing\n  players: many\n", [TAKE]),
    "L468": (PASSING.replace("points(me) += 1", "points(me) += 90"), [TAKE, DECLINE, TAKE]),
    "L469": (PASSING.replace(LAST, AGAIN), [GIVE]),
    "L470": (DICE, [{"chance": "play.throws.second", "outcome": 3}]),
}
"""For a code a game, and the events of a log."""
CROSS = [dict(CLAIM, player=at % 2 + 1, args={"cell": {"row": row, "col": col}}) for at, (row, col) in enumerate(
    [(1, 1), (1, 2), (2, 2), (1, 3), (3, 3)]
)]  # fmt: skip
NO_DIAGONALS = ("or column_of_three(p) or diagonal(p)", "or column_of_three(p)")
NO_LAST_ROW = ("  require free: mark(cell) is empty\n", "  require free: mark(cell) is empty and cell.row < 3\n")


def unusual_findings() -> dict[str, tuple[Diagnostic, ...]]:
    """Return the findings for each code. No text of them names the folder in which they were made."""
    # The folder is the working one, so that games are named without it.
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        found = dict(_all(Path()))
    assert [code for code, each in found.items() if code not in [one.code.code for one in each]] == []
    return found


def _text(game: str, *lines: dict[str, object], players: int = 2) -> str:
    header = {"ludex": 1, "game": game, "players": players}
    return "".join(f"{json.dumps(line)}\n" for line in (header, *lines))


def _all(folder: Path) -> Iterator[tuple[str, tuple[Diagnostic, ...]]]:
    judge = Validator(load)
    yield "L416", judge.validate(parse_log("just words", "sample.yaml")).findings
    for code, (spec, events) in OWN_GAMES.items():
        name = "dice" if spec is DICE else "passing"
        (folder / f"{name}.ludex").write_text(spec, encoding="utf-8")
        log = parse_log(_text(name, *events), str(folder / "sample.jsonl"))
        # Its own validator, as another one may have the game of this name already.
        yield code, Validator(load).validate(log).findings
    copytree(GAMES / "nim", folder / "nim")
    yield "L433", judge.validate(parse_log(_text("nim"), str(folder / "sample.jsonl"))).findings
    named = json.dumps({"ludex": 1, "game": "pig", "players": 2, "from": "pot.yaml"})
    yield "L434", Validator(load, files=False).validate(parse_log(f"{named}\n", "sample.jsonl")).findings
    roll = {"player": 1, "action": "roll"}
    yield "L475", judge.play(parse_log(_text("pig", roll, roll), "sample.jsonl"), fills=True).report.findings
    board = {"state": {"mark": [". . .", ". . 1", ". . ."]}, "flow": {"at": "play.turns.claim", "me": 2}}
    yield "L476", judge.validate(parse_log(_text("tic_tac_toe", CLAIM, {"position": board}), "sample.jsonl")).findings
    (text,) = logs_in(_text("nim"), "sample.jsonl")
    yield "L491", report_of_fault(text, RuntimeError("out of luck")).findings
    yield from _migrated(folder)
    yield from _packed()


def _migrated(folder: Path) -> Iterator[tuple[str, tuple[Diagnostic, ...]]]:
    won, gap = _text("tic_tac_toe", *CROSS), _text("tic_tac_toe", *CROSS[:2], {"gap": True})
    changes = (
        ("L530", NO_LAST_ROW, "claim.free", won),
        ("L531", NO_DIAGONALS, "line", won),
        ("L533", NO_DIAGONALS, "line", gap),
    )
    for code, change, clause, text in changes:
        file = copytree(GAMES / "tic_tac_toe", folder / code / "tic_tac_toe") / "tic_tac_toe.ludex"
        file.write_text(file.read_text("utf-8").replace(*change), "utf-8")
        new = Validator(lambda name, *more, at=file.parent, **others: load(at, *more, **others))
        carried = Migration(new, Validator(load), partial(tuple, (clause,))).test(parse_log(text, "sample.jsonl"))
        yield code, (*carried.findings, *carried.remarks)
    illegal = parse_log(_text("tic_tac_toe", CLAIM, CLAIM), "sample.jsonl")
    yield "L532", Migration(Validator(load), Validator(load), tuple).test(illegal).findings


def _packed() -> Iterator[tuple[str, tuple[Diagnostic, ...]]]:
    text = _text("nim").encode()
    yield "L540", tuple(logs_in(gzip.compress(text)[:-1], "sample.jsonl.gz"))[-1].faults
    yield "L541", tuple(logs_in(gzip.compress(text * 20_000), "sample.jsonl.gz"))[-1].faults
    with pytest.MonkeyPatch.context() as patch:
        name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        patch.setitem(sys.modules, name, None)
        package = sys.modules.get(name.partition(".")[0])
        if package is not None:
            patch.delattr(package, "zstd", raising=False)
        yield "L542", tuple(logs_in(b"\x28\xb5\x2f\xfd...", "sample.jsonl.zst"))[-1].faults
