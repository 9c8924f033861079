"""What an edition does not state, under the letter: told once, with the words that need it and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.grammar import syntax as s
from ludex.spec import GameText, Request, build, read_game

WAY_OUT = "play it with `--silence borrow`: what it leaves out is then taken from the other texts"

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
        ("    2 => 1\n", "`2` of `toll`"),
        ("define rest(p: Player) = last - at(p)\n", "`rest`"),
        (
            'fork direction\n  up: "upwards"\n  down: "downwards"\n  default up "as printed"\n',
            "`direction`",
        ),
        (
            "action walk\n" + WHOLE.split("action walk\n")[1].partition("\n\n")[0] + "\n",
            "`walk`",
        ),
        (
            "play\n  turns: each player in seats\n    walk\n",
            "`play` (the course of the game)",
        ),
    ],
)
def test_what_is_needed_and_not_stated(folder: Path, piece: str, message: str) -> None:
    assert without(folder, piece) == [(f"`he` alone makes no complete game: only other texts state {message}", WAY_OUT)]


def test_a_fact_that_is_missing_is_told_where_it_is_asked_for(folder: Path) -> None:
    without(folder, "fact last = 3\n")
    (found,) = build(read_game(folder), Request(edition="he", silence="literal")).diagnostics
    assert found.code.code == "V106"
    assert [note.message for note in found.notes] == ["here `last` is needed"]
    assert found.notes[0].span is not None
    assert "3 => last" in (folder / "he.ludex").read_text(encoding="utf-8").splitlines()[found.notes[0].span.line - 1]


def test_all_that_is_missing_is_told_in_one_report(folder: Path) -> None:
    ((message, _),) = without(folder, "fact last = 3\n", "define rest(p: Player) = last - at(p)\n", "    2 => 1\n")
    assert message.endswith("only other texts state `2` of `toll`, `last`, `rest`")


@pytest.mark.parametrize("piece", ["score far: my rest\n", "  skip: if goal = 3 then at(me) := last\n"])
def test_what_nobody_asks_for_is_simply_left_out(folder: Path, piece: str) -> None:
    assert without(folder, piece) == []


def test_an_empty_edition_has_no_game(folder: Path) -> None:
    (found,) = build(read_game(folder), Request(edition="he", silence="literal")).diagnostics
    message = "`he` alone makes no complete game: only other texts state `play` (the course of the game)"
    assert (found.message, found.hint) == (message, WAY_OUT)
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
