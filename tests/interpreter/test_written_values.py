"""Logs and positions of data take the values that `show`, the prompt and reports print: `10♠` in place of a record."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Json, suggested
from ludex.interpreter import NotationWriter
from ludex.interpreter.logs.position.contents import Spelling
from ludex.interpreter.logs.schema.json_schema import log_schema
from ludex.interpreter.logs.structure.claims import claim_type
from ludex.interpreter.logs.structure.event_lines import Entry, LineReader
from ludex.interpreter.logs.structure.problems import Problem
from ludex.interpreter.logs.structure.seating import SeatedTable
from ludex.interpreter.logs.text_logs.text_writer import TextWriter
from ludex.spec import Game, from_json, shipped_games, validator
from ludex.spec import types as t

from ..cli.running import ludex
from ..once import game_once

GAMES = Path(__file__).parents[2] / "spec" / "games"


def written(writer: NotationWriter, type_: t.Type, data: Any) -> Any:
    """The data with each value as it is printed; a number, a player and a collection stay data."""
    if isinstance(type_, t.SetOf | t.BagOf | t.ListOf) and isinstance(data, list):
        return [written(writer, type_.of, item) for item in data]
    if isinstance(t.strip_optional(type_), t.PlayerType | t.Range | t.SetOf | t.BagOf | t.ListOf):
        return data
    return writer.value(type_, from_json(type_, data))


def as_printed(game: Game, names: tuple[str, ...], language: str | None, line: dict[str, Any]) -> dict[str, Any]:
    write = partial(written, NotationWriter(game, names, language))
    if "args" in line:
        types = {name: of for name, of, _ in game.moves[line["action"]].arguments}
        line = {**line, "args": {name: write(types[name], value) for name, value in line["args"].items()}}
    if "chance" in line:
        line = {**line, "outcome": write(game.chances[line["chance"]].outcome, line["outcome"])}
    return line


def whole_log(name: str) -> tuple[Game, tuple[str, ...], list[dict[str, Any]]]:
    text = (GAMES / name / "logs" / "full.jsonl").read_text(encoding="utf-8")
    header, *lines = map(json.loads, text.splitlines())
    names = tuple(header["players"]) if isinstance(header["players"], list) else ()
    count = len(names) or header["players"]
    game = game_once(name, count, header.get("edition"), header.get("options"), header.get("readings"))
    return game, names, lines


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_a_log_of_data_takes_values_as_they_are_printed_in_every_language(name: str) -> None:
    game, names, lines = whole_log(name)
    reader, takes, writer = LineReader(game, names), validator(log_schema(game, names)), TextWriter(game, names)
    for language in (None, *game.languages):
        for line in lines:
            printed = as_printed(game, names, language, line)
            assert reader.read(printed) == reader.read(line), (language, printed)
            assert takes.is_valid(printed), (language, printed)
            assert writer.canonical(printed) == writer.canonical(line)


def test_a_claim_and_a_deal_take_values_as_they_are_printed() -> None:
    game = game_once("crazy_eights", 2)
    reader, takes, writer = LineReader(game), validator(log_schema(game)), TextWriter(game)
    card = {"rank": "ten", "suit": "spades"}
    (hand,) = (element for element in game.elements if element.name == "hand")
    assert isinstance(claim_type(hand), t.BagOf)
    for sign in ("10♠", "10S", card):
        claim: Json = {"claim": {"state": [{"of": "hand", "at": [1], "is": [sign]}]}}
        deal: Json = {"deal": "setup.deal", "to": 1, "cards": [sign, "unknown"]}
        for each in (claim, deal):
            assert isinstance(reader.read(each), Entry), each
            assert takes.is_valid(each)
        assert writer.canonical(claim)["claim"]["state"][0]["is"] == [card]
        assert writer.canonical(deal)["cards"] == [card, "unknown"]
    for wrong in ("11♠", "K♠ ", "", "?"):
        line: Json = {"claim": {"state": [{"of": "hand", "at": [1], "is": [wrong]}]}}
        assert not isinstance(reader.read(line), Entry)
        assert not takes.is_valid(line)


def test_a_yaml_log_and_a_position_take_signs(tmp_path: Path) -> None:
    log = tmp_path / "log.yaml"
    log.write_text(
        "ludex: 1\ngame: breakthrough\nplayers: [Anna, Boris]\nevents:\n"
        "  - {player: Anna, action: advance, args: {origin: a7, target: a6}}\n"
        "  - {player: Boris, action: advance, args: {origin: b2, target: b3}}\n",
        encoding="utf-8",
    )
    assert ludex("validate", log).code == 0
    assert "Anna: a7 a6" in ludex("convert", log, "--to", "ludexlog").stdout


def test_a_position_takes_signs(tmp_path: Path) -> None:
    log = GAMES / "crazy_eights/logs/full.jsonl"
    position = tmp_path / "position.yaml"
    plain = ludex("show", "--format", "position", log, "--at", 30).stdout
    signs = (
        plain.replace("nine-hearts", "9♥").replace("[ace-clubs, ace-diamonds", '["A♣", A♦').replace("six-hearts", "6♥")
    )
    assert signs.count("♥") == 2
    assert "A♣" in signs
    begun = []
    for text in (plain, signs):
        position.write_text(text, encoding="utf-8")
        begun.append(ludex("show", position).stdout)
    assert begun[0] == begun[1]
    assert "face_up: nine hearts" in begun[0]


def test_a_cell_of_a_position_is_named_as_it_is_printed() -> None:
    game = game_once("othello")
    (disc,) = (element for element in game.elements if element.name == "disc")
    spelling = Spelling(SeatedTable(game))
    signs = {spelling.indices(disc.indices, sign) for sign in ("a1", "b1", "h8", "i1", "A1, B1")}
    assert len(signs) == 4
    assert None in signs


@pytest.mark.parametrize("text, sign", {"2 C": "2♣", "9 of diamonds": "9♦", "spades 10": "10♠", "a card": None}.items())
def test_a_text_that_is_no_sign_is_answered_with_the_sign_that_it_may_mean(text: str, sign: str | None) -> None:
    table = SeatedTable(game_once("crazy_eights"))
    card = table.game.chances["setup.deal"].outcome
    for type_, data in ((card, text), (t.SetOf(card), ["A♠", text])):
        problems: list[Problem] = []
        assert table.value(type_, data, "/args/card", problems) is None
        (problem,) = problems
        assert callable(problem.hint)
        assert problem.hint() == (suggested(sign) if sign else None)
