"""Editions without borrowing (`literal`): one report lists the missing clauses, where they are used, and the remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.spec import GameText, Request, build, read_game

WAY_OUT = "play it with `--silence borrow`: what it leaves out is then taken from the other texts"

GAME = """\
game toll
  players: 2
  document: en "toll.txt", he "toll-he.txt"
  convention: "a frame"

type Step = 1..3

state at(Player): Step = 1

fact last = 3 @last
fact toll(step: Step): 0..3 = @toll
  match step
    1 => 0 @one
    2 => 1 @two
    3 => last @three

window paying

action give during paying
  choose n in 0..toll(my at)
  go: at(me) := max(n, 1) @go

define rest(p: Player) = last - at(p) @rest

play
  turns: each player in seats @play
    walk

action walk @walk
  choose goal in Step where goal >= my at
  go: at(me) := goal
  skip: if goal = 3 then at(me) := last @skip
  pay: window paying

score far: my rest @far
"""
"""The name after `@` names the line, or the block below it."""


def written(folder: Path, *left_out: str) -> GameText:
    """Write the game without the Hebrew citations of some clauses."""

    def cited(match: re.Match[str]) -> str:
        return "[en 1]" if match[1] in left_out else "[en 1] [he 1]"

    path = folder / "toll.ludex"
    path.write_text(re.sub("@([a-z]+)", cited, GAME), encoding="utf-8")
    return read_game(path)


def without(folder: Path, *left_out: str) -> list[tuple[str, str | None]]:
    """Return the reports on a literal edition of a text that omits these clauses."""
    game = written(folder, *left_out)
    assert build(game, Request(edition="he")).diagnostics == (), "with borrowing there must be no fault"
    return [(each.message, each.hint) for each in build(game, Request(edition="he", silence="literal")).diagnostics]


@pytest.mark.parametrize(
    ("piece", "missing"),
    [
        ("two", "`2` of `toll`"),
        ("rest", "`rest`"),
        ("walk", "`walk`"),
        ("play", "`play` (the course of the game)"),
    ],
)
def test_a_missing_clause_is_reported(tmp_path: Path, piece: str, missing: str) -> None:
    left_out = (piece, "skip") if piece == "walk" else (piece,)
    message = f"`he` alone is not a complete game: only other texts state {missing}"
    assert without(tmp_path, *left_out) == [(message, WAY_OUT)]


def test_a_missing_fact_is_reported_where_it_is_used(tmp_path: Path) -> None:
    game = written(tmp_path, "last")
    (diagnostic,) = build(game, Request(edition="he", silence="literal")).diagnostics
    assert diagnostic.code.code == "V106"
    assert {note.message for note in diagnostic.notes} == {"here `last` is needed"}
    lines = game.game.text.splitlines()
    assert all(note.span and "last" in lines[note.span.line - 1] for note in diagnostic.notes)


def test_all_missing_clauses_are_in_one_report(tmp_path: Path) -> None:
    ((message, _),) = without(tmp_path, "last", "rest", "two")
    assert message.endswith("only other texts state `2` of `toll`, `last`, `rest`")


@pytest.mark.parametrize("piece", ["far", "skip"])
def test_an_unused_clause_is_left_out_without_a_report(tmp_path: Path, piece: str) -> None:
    assert without(tmp_path, piece) == []


def test_a_text_that_states_nothing_is_incomplete(tmp_path: Path) -> None:
    game = written(tmp_path, *re.findall("@([a-z]+)", GAME))
    (diagnostic,) = build(game, Request(edition="he", silence="literal")).diagnostics
    assert diagnostic.message.startswith(
        "`he` alone is not a complete game: only other texts state `play` (the course of"
    )
    place = game.game.text.splitlines()[diagnostic.span.line - 1][
        diagnostic.span.column - 1 : diagnostic.span.end_column - 1
    ]
    assert place == "he", "the report must be at the text's document"


# ---- nothing raises -------------------------------------------------------------------------------------------------


def lacking(text: GameText) -> Iterator[GameText]:
    """Yield the game without each declaration in turn."""
    nodes = text.declarations
    for node in nodes:
        module = replace(text.game.module, declarations=tuple(each for each in nodes if each is not node))
        yield GameText(text.home, replace(text.game, module=module), text.diagnostics)


@pytest.mark.parametrize("silence", ["borrow", "literal"])
def test_a_missing_declaration_is_reported_only_if_it_is_used(tmp_path: Path, silence: str) -> None:
    text = written(tmp_path)
    names = [getattr(node, "name", "play") for node in text.declarations]
    built = [build(each, Request(edition="en", silence=silence)).game for each in lacking(text)]
    spare = {name for name, game in zip(names, built, strict=True) if game is not None}
    assert spare == {"give", "far"}
    assert set(names) - spare == {"Step", "at", "last", "toll", "paying", "rest", "play", "walk"}
