"""`ludex games GAME --moves`: the notation of every move and chance event, with examples that can be read back."""

from __future__ import annotations

import json
import re

import pytest

from ludex.cli.view.cheat_sheet import sample_names
from ludex.grammar import languages
from ludex.interpreter import parse_event, parse_log
from ludex.interpreter.logs.structure.early_end import EARLY_ENDS
from ludex.interpreter.logs.structure.event_lines import Entry, line_reader
from ludex.interpreter.logs.structure.header import read_log_header
from ludex.interpreter.logs.text_logs.text_reader import TextReader
from ludex.spec import shipped_games

from ..letters import LETTERS
from ..once import game_once
from .running import ludex

READING = "neighbours=beside"


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", shipped_games())
def test_the_examples_are_moves_of_the_game(name: str) -> None:
    game = game_once(name)
    rows = json.loads(ludex("games", name, "--moves", "--format", "json").stdout)
    assert [row["name"] for row in rows["moves"] if row["name"] != "decline"] == list(game.moves)
    assert [row["name"] for row in rows["chances"]] == list(game.chances)
    examples = [row["example"] for row in (*rows["moves"], *rows["chances"])]
    for example in examples:
        parse_event(game, example, sample_names(game.players, "en"))
    reader = TextReader(game, sample_names(game.players, "en"))
    for row in rows["lines"]:
        (content,) = reader.lines(row["example"], lambda: (0,))
        assert content.data


@pytest.mark.parametrize("players", [2, 3])
def test_the_examples_of_results_are_complete(players: int) -> None:
    game, names = game_once("mangrovia", players=players), sample_names(players, "en")
    sheet = json.loads(ludex("games", "mangrovia", "--moves", "--players", players, "--format", "json").stdout)
    examples = [row["example"] for row in sheet["lines"] if row["name"] in EARLY_ENDS]
    assert len(examples) == len(EARLY_ENDS)
    for example in examples:
        (content,) = TextReader(game, names).lines(example, lambda: (0,))
        assert isinstance(line_reader(game, names).read(content.data), Entry), example


TYPED = {"deal", "to", "gap", "chance", "clock", "claim", "scores", "winners", "over", "not", "result", "none", "size"}
TYPED |= {*EARLY_ENDS, "ludexlog"}
TAGS = {"Game", "Edition", "Players", "Date", "Language", "Option", "Reading"}


@pytest.mark.drawn(2)
@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("name", shipped_games())
def test_the_sheet_is_in_one_language(name: str, language: str) -> None:
    """Latin words in it are only those that are typed in Latin: tags, words of text logs, ids, names from the rules."""
    game = game_once(name)
    output = ludex("games", name, "--moves", "--lang", language).output
    named = {game.name, *game.editions, *(part for path in game.moves for part in path.split("."))}
    ids = {each for of in game.components for each in of.ids}
    words = {word for word in re.findall(r"\w+", output) if len(re.findall("[A-Za-z]", word)) > 1}
    assert not words - named - ids - TYPED - TAGS - {language}


@pytest.mark.parametrize(("language", "names"), [("ru", ("Анна", "Борис")), ("he", ("אנה", "בועז"))])
def test_the_examples_in_other_languages_are_read(language: str, names: tuple[str, ...]) -> None:
    game = game_once("boreal")
    rows = json.loads(ludex("games", "boreal", "--moves", "--lang", language, "--format", "json").stdout)
    assert names == sample_names(2, language)
    for row in (*rows["moves"], *rows["chances"]):
        assert row["example"]
        parse_event(game, row["example"], names)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_every_move_has_an_example_and_every_state_and_zone_is_listed(name: str) -> None:
    game = game_once(name)
    output = ludex("games", name, "--moves").output
    rows = json.loads(ludex("games", name, "--moves", "--format", "json").stdout)
    assert [row["name"] for row in (*rows["moves"], *rows["chances"]) if not row["example"]] == []
    listed = re.sub(r"\s+", " ", output.split("\nStates and zones: ")[1])
    assert [each.name for each in game.elements if not re.search(rf"\b{each.name}\b", listed)] == []
    claims = [row["example"] for row in rows["lines"] if row["name"] in ("cell", "size")]
    assert claims
    assert all(not claim.startswith("{") for claim in claims)


def test_a_log_can_begin_with_the_sheets_first_lines() -> None:
    output = ludex("games", "boreal", "--moves", "--edition", "aid", "--reading", READING).output
    begun = [line.strip().partition("  ")[0] for line in output.split("\n\n")[1].splitlines()[1:]]
    log = parse_log("\n".join([*begun, "", ""]), "begun.ludexlog")
    assert not log.faults
    assert log.header is not None
    header, problems = read_log_header(log.header.data or {})
    assert header is not None
    assert not problems
    assert (header.game, header.players, header.edition) == ("boreal", 2, "aid")
    assert header.readings == dict([READING.split("=")])


def test_declining_is_listed_only_if_the_game_allows_it() -> None:
    assert "decline" not in ludex("games", "kuhn_poker", "--moves").output
    assert "decline" in ludex("games", "mangrovia", "--moves").output


def test_the_sheet_of_a_card_game() -> None:
    output = ludex("games", "crazy_eights", "--moves", "--lang", "ru").output
    assert "заказать масть: масть" in output
    assert "положить A♣..K♠" in output
    assert ": положить " in output
    assert "♣ (треф, C)" in output
    assert "♣ (clubs, C)" in ludex("games", "crazy_eights", "--moves").output
    assert "A♣ = туз,треф, ..., K♠ = король,пик" in output, "a keyboard may lack the signs, so words must do"


def test_numbered_cards_and_plain_letters_are_abbreviated() -> None:
    assert "карта: s01..s12, l01..l24, a1..a8" in ludex("games", "boreal", "--moves", "--lang", "ru").output
    assert "♠ (spades, S)" in ludex("games", "crazy_eights", "--moves").output


def test_places_that_are_written_by_numbers_have_their_ranges() -> None:
    assert "\nplace: level 1..4, column 1..7\n" in ludex("games", "boreal", "--moves", "--lang", "en").output
    assert "\nместо: уровень 1..4, столбец 1..7\n" in ludex("games", "boreal", "--moves", "--lang", "ru").output


def test_outcomes_in_a_row_are_listed_only_if_the_game_has_them() -> None:
    assert "deal roll.throw = {" in ludex("games", "backgammon", "--moves").output
    assert "in-a-row" not in ludex("games", "pig", "--moves", "--format", "json").stdout


def test_wrong_usage() -> None:
    assert ludex("games", "--moves").code == ludex("games", "pig", "nim", "--moves").code == 3
    assert ludex("games", "pig", "--lang", "fr").code == 3
    assert ludex("games", "pig", "--moves", "--lang", "fr").code == 3
    assert ludex("games", "mangrovia", "--moves", "--players", "9").code != 0


@pytest.mark.parametrize("language", [None, *languages()])
def test_a_report_uses_the_words_of_the_sheet(language: str | None) -> None:
    given = ["--format", "json", *(["--lang", language] if language else [])]
    rows = json.loads(ludex("games", "bora_bora", "--moves", *given).stdout)["moves"]
    words = next(row["notation"].split()[0] for row in rows if row["name"] == "take_person")
    log = "tests/games/bad_logs/bora_bora/take_person-there.jsonl"
    (finding,) = json.loads(ludex("validate", log, *given).stdout)["logs"][0]["findings"]
    assert f"`Anna: {words} 2 " in finding["message"]
