"""What an edition does not state, under the letter: reported at the word that needs it, with the way out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.grammar import syntax as s
from ludex.spec import GameText, Request, build, read_game

WAY_OUT = "another edition states it: borrow it (`--silence borrow`), or state it here"

GAME = """\
game toll
  players: 2
  editions: en, he
  convention: "a frame"

type Step = 1..3

state at(Player): Step = 1
"""
WHOLE = """\
edition en of toll
  convention: "a frame"

fact last = 3
fact toll(step: Step): 0..3 =
  match step
    1 => 0
    2 => 1
    3 => last

window paying

action give during paying
  choose n in 0..toll(my at)
  go: at(me) := max(n, 1)

define rest(p: Player) = last - at(p)

fork direction
  up: "upwards"
  down: "downwards"
  default up "as printed"

play
  turns: each player in seats
    walk

action walk
  choose goal in Step where goal >= my at or direction = down
  go: at(me) := goal
  skip: if goal = 3 then at(me) := last
  pay: window paying

score far: my rest
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("toll", GAME), ("en", WHOLE), ("he", 'edition he of toll\n  convention: "a frame"\n')):
        (tmp_path / f"{name}.ludex").write_text(text, encoding="utf-8")
    return tmp_path


def without(folder: Path, *pieces: str) -> list[tuple[str, str | None]]:
    """What is reported under the letter of an edition that states all of another one but these pieces."""
    text = WHOLE.replace("edition en", "edition he")
    for piece in pieces:
        assert text.count(piece) == 1, piece
        text = text.replace(piece, "")
    (folder / "he.ludex").write_text(text, encoding="utf-8")
    game = read_game(folder)
    assert build(game, Request(edition="he")).diagnostics == (), "borrowed, nothing is amiss"
    return [(each.message, each.hint) for each in build(game, Request(edition="he", silence="literal")).diagnostics]


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ("    2 => 1\n", "this edition is silent about `2` here"),
        ("define rest(p: Player) = last - at(p)\n", "this edition is silent about `rest`"),
        (
            'fork direction\n  up: "upwards"\n  down: "downwards"\n  default up "as printed"\n',
            "this edition is silent about `direction`",
        ),
        (
            "action walk\n" + WHOLE.split("action walk\n")[1].partition("\n\n")[0] + "\n",
            "this edition is silent about `walk`",
        ),
        (
            "play\n  turns: each player in seats\n    walk\n",
            "this edition is silent about `play`: nothing ever happens",
        ),
    ],
)
def test_what_is_needed_and_not_stated(folder: Path, piece: str, message: str) -> None:
    assert without(folder, piece) == [(message, WAY_OUT)]


def test_a_fact_that_is_missing_is_told_where_it_is_asked_for(folder: Path) -> None:
    found = without(folder, "fact last = 3\n")
    assert {message for message, _ in found} == {"this edition is silent about `last`"}
    assert {hint for _, hint in found} == {WAY_OUT}


@pytest.mark.parametrize("piece", ["score far: my rest\n", "  skip: if goal = 3 then at(me) := last\n"])
def test_what_nobody_asks_for_is_simply_left_out(folder: Path, piece: str) -> None:
    assert without(folder, piece) == []


def test_an_empty_edition_has_no_game(folder: Path) -> None:
    (found,) = build(read_game(folder), Request(edition="he", silence="literal")).diagnostics
    assert (found.message, found.hint) == ("this edition is silent about `play`: nothing ever happens", WAY_OUT)
    assert Path(found.span.file).name == "he.ludex"


# ---- nothing raises -------------------------------------------------------------------------------------------------


def lacking(text: GameText, edition: str) -> Iterator[GameText]:
    """The game, each time with one declaration less in an edition."""
    file = text.editions[edition]
    for at in range(len(file.module.declarations)):
        left = tuple(node for place, node in enumerate(file.module.declarations) if place != at)
        module: s.Module = replace(file.module, declarations=left)
        editions = {**text.editions, edition: replace(file, module=module)}
        yield GameText(text.folder, text.game, editions, text.diagnostics)


@pytest.mark.parametrize("silence", ["borrow", "literal"])
def test_what_is_missing_is_a_report_and_what_nobody_needs_is_not(folder: Path, silence: str) -> None:
    """No other edition states anything here, so nothing can be borrowed."""
    text = read_game(folder)
    names = [getattr(node, "name", "play") for node in text.editions["en"].module.declarations]
    built = [build(each, Request(edition="en", silence=silence)).game for each in lacking(text, "en")]
    spare = {name for name, game in zip(names, built, strict=True) if game is not None}
    assert spare == {"give", "far"}
    assert set(names) - spare == {"last", "toll", "paying", "rest", "direction", "play", "walk"}
