"""`--lang` in play: the game's words in the language, the spec's own names where it has none; data never change."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludex.cli.reporting.source_excerpts import cells, isolated, without_directions
from ludex.cli.view.display_names import Speech
from ludex.cli.view.observation_picture import picture_rows
from ludex.cli.view.observation_text import Viewer
from ludex.grammar import languages
from ludex.interpreter import Engine, Generator, pick
from ludex.spec import load
from ludex.spec import types as t

from ..once import engine_once, game_once
from .running import ludex
from .specs import write

SPOKEN = """\
game spoken
  title: en "Spoken", ru "Сказано"
  players: 2
  convention: "made up"

type Suit = clubs | hearts
type Rank = two | three
type Card = (rank: Rank, suit: Suit)

state coins(Player): 0..9 = 1
state last: Card? = none
state owner: Player? = none

action lay
  choose card in Card
  cost: last := card
  mine: owner := me

play
  turns: each player in seats
    lay
    gift: may
      choose p in Player
      coins(p) += 1 up to 9

score coins: my coins

winner
  most: highest total(me)
  both: share

terms
  seat(1): en "black", he "שחור"
  coins: ru "монеты", he "מטבעות"
  lay.card: ru "карта"
  lay: ru "положить", he "להניח"
  Card.suit: ru "масть"
  Suit.clubs: ru "треф", he "תלתן"
  Rank.two: ru "двойка", he "שתיים"
  Card: ru "Карта"
  decline: ru "отказаться"
  score.coins: ru "за монеты"
  winner.most: ru "больше очков"
  play.turns.gift: ru "подарок"
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write(tmp_path, "spoken", SPOKEN)


def play(game: Path, *typed: str, args: tuple[str, ...] = ()) -> str:
    return ludex("play", game, *args, stdin="".join(f"{line}\n" for line in typed)).output


def test_play_is_in_the_language(game: Path) -> None:
    output = play(game, "1", "отказаться", "4", "2", args=("--lang", "ru"))
    assert "положить двойка,треф" in output
    assert "положить three,hearts" in output, "a thing without a word must keep its name"
    assert "подарок 2" in output
    assert "last: двойка треф" in output
    assert "монеты" in output
    assert "(за монеты 2)" in output
    assert "black: отказаться" in output
    assert "игрок 2 побеждает (больше очков)" in output


def test_a_move_is_typed_as_it_is_shown(game: Path) -> None:
    assert "last: двойка треф" in play(game, "ПОЛОЖИТЬ(карта: карта(двойка,треф))", "3", args=("--lang", "ru"))


def test_the_specs_own_names_may_be_typed_too(game: Path) -> None:
    output = play(game, "lay(card: Card(three, clubs))", "decline", args=("--lang", "ru"))
    assert "black: положить three,треф" in output
    assert "black: отказаться" in output


def test_seats_are_called_by_the_first_word_unless_a_language_or_names_are_given(game: Path) -> None:
    assert "black to move" in play(game)
    assert "ход: black" in play(game, args=("--lang", "ru"))
    assert "התור של שחור" in play(game, args=("--lang", "he"))
    assert "Anna to move" in play(game, args=("--names", "Anna,Boris"))


@pytest.mark.parametrize("tag, code", [("ru", 0), ("RU", 0), ("he", 0), ("fr", 3), ("", 3)])
def test_an_unknown_language_is_reported_with_the_known_ones(game: Path, tag: str, code: int) -> None:
    ran = ludex("play", game, "--lang", tag, stdin="quit\n")
    assert ran.code == code
    assert code == 0 or f"`spoken` has no word in `{tag}`; it has en, ru, he" in ran.stderr


def test_logs_and_data_do_not_depend_on_the_language(game: Path, tmp_path: Path) -> None:
    plain, spoken = tmp_path / "plain.jsonl", tmp_path / "spoken.jsonl"
    play(game, "1", "1", args=("--save", str(plain)))
    play(game, "1", "1", args=("--save", str(spoken), "--lang", "ru"))
    assert plain.read_bytes() == spoken.read_bytes()
    asked = ("show", plain, "--game", game, "--format", "json")
    english, russian = (json.loads(ludex(*asked, "--lang", tag).stdout) for tag in ("en", "ru"))
    findings = [english.pop("findings"), russian.pop("findings")]
    assert english == russian
    assert [each["code"] for each in findings[0]] == [each["code"] for each in findings[1]] == ["L490"]
    assert "ожидается" in findings[1][0]["message"]


def test_right_to_left_words_are_isolated_on_a_terminal_only(game: Path) -> None:
    loaded = load(game)
    plain, marked = Speech(loaded, (), "he", isolating=False), Speech(loaded, (), "he", isolating=True)
    assert plain.word("lay") == "להניח"
    assert marked.word("lay") == isolated("להניח")
    assert marked.word("lay.card", "card") == "card"
    assert cells(marked.word("lay")) == cells(plain.word("lay"))
    assert without_directions(marked.phrase([marked.word("Rank.two"), marked.word("Suit.clubs")])) == "שתיים תלתן"
    assert marked.phrase(["a", "b"]) == "a b"


def test_columns_are_aligned_in_every_language(game: Path) -> None:
    engine = Engine(load(game))
    seen = engine.observe(engine.start(), 0)
    for language in (None, *languages()):
        (row,) = [row for row in picture_rows(Viewer(engine.game, (), language), seen) if row.endswith("1")]
        head = Viewer(engine.game, (), language).speech.players
        assert row.index("1") >= cells(Viewer(engine.game, (), language).speech.word("coins"))
        assert len(head) == 2


def test_control_characters_in_a_word_cannot_break_the_page(tmp_path: Path) -> None:
    game = load(write(tmp_path, "spoken", SPOKEN.replace("положить", "по\u202eложить")))
    assert Speech(game, (), "ru", isolating=True).word("lay") == "по<U+202E>ложить"


@pytest.mark.parametrize("edition", ["ru", "aid"])
def test_boreal_has_a_russian_word_for_everything_shown(edition: str) -> None:
    """Sentences of Ludex stay English; cards have numbers and no names."""
    engine = engine_once(game_once("boreal", edition=edition))
    viewer, words = Viewer(engine.game, ("Анна", "Борис"), "ru"), set[str]()
    for seed in range(4):
        state, rng = engine.start(), Generator(seed)
        while not engine.is_terminal(state):
            event = pick(engine, state, rng).event
            words.add(viewer.event(event))
            engine.advance(state, event)
        words |= {viewer.speech.word(path) for scores in engine.scores(state) for path, _ in scores.breakdown}
        words.add(viewer.speech.word(engine.winners(state).criterion or "decline"))
    words |= {viewer.called(element) for element in engine.game.elements}
    (place,) = engine.game.components
    words |= {
        viewer.in_words(of, value) for _, of in place.columns for value in t.values(of) if not isinstance(of, t.Bool)
    }
    words |= {viewer.speech.word(f"Place.{column}") for column, _ in place.columns}
    foreign = {text for text in words if re.search("[A-Za-z]{2}", re.sub(r"\b[sal]\d+\b", "", text))}
    assert not foreign, "add words for these to the terms of spec/games/boreal"
