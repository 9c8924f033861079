"""Refusals of moves quote the rule, with the values for which it fails."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Diagnostic, Span, Why
from ludex.interpreter.explanation.spec_quotes import source_text
from ludex.interpreter.explanation.wording import why
from ludex.interpreter.generator import Generator
from ludex.interpreter.information.event_visibility import HIDDEN
from ludex.interpreter.information.visibility import UNSEEN_ACTION
from ludex.interpreter.logs.judge.report_json import finding_to_json
from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.record.log import parse_log, write_log
from ludex.interpreter.logs.structure.event_lines import FullEntry, LineReader, PlainEntry, line_of
from ludex.interpreter.logs.tracking.clause_text import worded
from ludex.interpreter.simulate.playouts import playout
from ludex.interpreter.state.events import ChanceEvent, Move
from ludex.spec import load

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
RULES = """\
game shop
  title: en "Shop"
  players: 2
  convention: "made for this test"

type Ware = apple | bread | cake

state coins(Player): 0..9 = 3
state owns(Player, Ware): Bool

define price(w: Ware): 0..9 =
  match w
    apple => 1
    bread => 2
    cake => 5

define fair(w: Ware): Bool = price(w) < 5

action buy
  choose ware in Ware
  require {rule}
  pay: coins(me) -= 1
  take: owns(me, ware) := true

action stop
  stop: end game

play
  turns: repeat
    each player in seats
      shop: choose buy or stop

score coins: my coins

winner
  most: highest total(me)
"""


def refused(tmp_path: Path, rule: str, ware: str = "cake") -> Diagnostic:
    path = tmp_path / "shop.ludex"
    path.write_text(RULES.format(rule=rule), encoding="utf-8")
    header: dict[str, Any] = {"ludex": 1, "game": str(path), "players": 2}
    log = parse_log(write_log(header, [{"player": 1, "action": "buy", "args": {"ware": ware}}]))
    (finding,) = VALIDATOR.validate(log).findings
    assert finding.code.name == "illegal-move", finding
    return finding


@pytest.mark.parametrize(
    ("rule", "text", "values"),
    [
        ("price(ware) <= my coins", "price(ware) <= my coins", ": price(ware) = 5, my coins = 3"),
        ("price(ware) < 5", "price(ware) < 5", ": price(ware) = 5"),
        ("ware = cake implies my coins > 4", "ware = cake implies my coins > 4", ": my coins = 3, ware = cake"),
        ("ware = cake and my coins > 4", "ware = cake and my coins > 4", ": my coins = 3"),
        ("price(ware) in 1..my coins", "price(ware) in 1..my coins", ": price(ware) = 5, my coins = 3"),
        ("ware in {apple, bread}", "ware in {apple, bread}", ": ware = cake"),
        ("fair(ware)", "fair(ware)", ": fair(ware) = false"),
        (
            "ware = cake  # sweet\n      implies my coins > 4",
            "ware = cake implies my coins > 4",
            ": my coins = 3, ware = cake",
        ),
    ],
)
def test_a_refusal_shows_the_rule_and_its_values(tmp_path: Path, rule: str, text: str, values: str) -> None:
    finding = refused(tmp_path, f"enough: {rule}")
    data = finding_to_json(finding)
    assert data["why"][0]["text"] == f"require enough: {text}"
    assert data["notes"][0]["message"] == f"`buy.enough` does not hold{values}"
    assert data["notes"][0]["line"] == data["why"][0]["line"]


def test_every_rule_that_fails_is_reported(tmp_path: Path) -> None:
    finding = refused(tmp_path, "cheap: price(ware) < 3\n  require rich: my coins > 5\n  require any: true")
    messages = [note.message for note in finding.notes]
    assert messages == ["`buy.cheap` does not hold: price(ware) = 5", "`buy.rich` does not hold: my coins = 3"]


def test_a_rule_whose_file_is_gone_is_only_named(tmp_path: Path) -> None:
    path = tmp_path / "shop.ludex"
    path.write_text(RULES.format(rule="enough: price(ware) <= my coins"), encoding="utf-8")
    game = load(path)
    (kept,) = worded(game, [Why("buy.enough", "")])
    path.unlink()
    (lost,) = worded(game, [Why("buy.enough", "")])
    assert (getattr(kept, "text", None), getattr(lost, "text", "")) == (
        "require enough: price(ware) <= my coins",
        None,
    )


def test_invalid_places_have_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.ludex"
    path.write_text("one\n", encoding="utf-8")
    assert source_text(Span(str(path), 1, 1, 1, 4)) == "one"
    assert source_text(Span(str(path), 7, 1, 8, 4)) is None
    assert source_text(Span(str(tmp_path / "none"), 1, 1, 1, 4)) is None


def test_comments_are_cut_off_and_texts_with_their_sign_are_not(tmp_path: Path) -> None:
    path = tmp_path / "x.ludex"
    path.write_text('game x\n  title "1 # 2"  # three\n  players 2  # four\n', encoding="utf-8")
    assert source_text(Span(str(path), 2, 3, 3, 12)) == 'title "1 # 2" players 2'


def test_a_clause_has_the_authority_of_the_clause_around_it() -> None:
    game = game_once("boreal")
    inner, outer = why(game, ["resolve.peek3.keep", "resolve.peek3"])
    assert inner.authority == outer.authority != ""


def test_hidden_values_of_a_view_are_written_as_unknown() -> None:
    game = game_once("kuhn_poker")
    reader = LineReader(game)
    for event in (ChanceEvent("setup.deal", HIDDEN), Move(0, UNSEEN_ACTION)):
        assert reader.read(line_of(game, event)) == FullEntry(event)


@pytest.mark.parametrize("name", ["kuhn_poker", "boreal", "crazy_eights", "goofspiel"])
def test_hidden_values_of_an_event_view_are_written_as_unknown(name: str) -> None:
    """A complete view is read as the event; the line of any other one states a part of the event's line, and nothing
    else.
    """
    engine = engine_once(game_once(name))
    state, reader, hidden = engine.start(), LineReader(engine.game), 0
    for turn in playout(engine, Generator(4)):
        whole = line_of(engine.game, turn.event)
        for viewer in (None, 0, 1):
            view = engine.view_of_event(state, turn.event, viewer)
            line = line_of(engine.game, view)
            if view == turn.event:
                assert reader.read(line) == PlainEntry(turn.event)
                continue
            hidden += 1
            assert said(line).items() <= said(whole).items(), "the line of the view must be a part of the event's line"
            assert said(line) != said(whole)
        engine.advance(state, turn.event)
    assert hidden > 0, "take another seed: no event of the play was hidden from anybody"


def said(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the known members of a line."""
    members = {**line, **{f"args.{name}": value for name, value in line.get("args", {}).items()}}
    return {name: value for name, value in members.items() if value != "unknown" and name != "args"}


def test_equal_lines_of_several_logs_are_read_by_the_game_and_players_of_each() -> None:
    import_module("msgspec")  # here the fast decoder, which shares the data of equal lines, is loaded
    line = {"player": "Ada", "action": "claim", "args": {"cell": {"row": 1, "col": 1}}}

    def seats(game: str, *names: str) -> list[int]:
        log = write_log({"ludex": 1, "game": game, "players": list(names)}, [line])
        return [event.player for event in VALIDATOR.play(parse_log(log)).events if isinstance(event, Move)]

    for _ in range(2):
        assert seats("tic_tac_toe", "Ada", "Bea") == [0]
        assert seats("tic_tac_toe", "Bea", "Ada") == []  # here it is Bea's turn
        assert seats("tic_tac_toe", "Bea", "Cleo") == []
        assert seats("nim", "Ada", "Bea") == []


STUCK = """game stuck
  players: 2
  convention: "a sample"

state left(Player): 0..1 = 1

action take
  require enough: my left > 0
  less: left(me) -= 1

play
  turns: repeat 3 times
    each player in seats
      throw: random die in 1..2
      move: choose take

score rest: my left

winner
  most: highest total(me)
"""
TAKES = ({"chance": "play.turns.throw", "outcome": 1}, {"player": 1, "action": "take"})


def test_a_player_without_a_move_is_told_so(tmp_path: Path) -> None:
    """The decision was passed over, and the report says it where a chance event is awaited in its place."""
    (tmp_path / "stuck.ludex").write_text(STUCK, encoding="utf-8")
    header = {"ludex": 1, "game": str(tmp_path / "stuck.ludex"), "players": 2}
    lines = [header, *TAKES, TAKES[0], {**TAKES[1], "player": 2}, *TAKES]
    (finding,) = VALIDATOR.play(parse_log("\n".join(map(json.dumps, lines)), "log")).report.findings
    assert finding.code.name == "chance-awaited"
    assert "`play.turns.move` was passed over: no move was legal there" in [note.message for note in finding.notes]
