"""A game as one edition plays it: where each clause comes from, and the one spec that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Declaration, format_module, parse, same_meaning
from ludex.spec import (
    Account,
    Declared,
    GameText,
    Origin,
    Request,
    declared,
    left_out,
    load,
    played_rows,
    read_game,
    shipped_games,
    texts_of,
)

from .duel import DUEL, write_files

GAME = f"""\
{DUEL}
fact last = 9                                                   ruling "no text says when it ends"
"""
ENGLISH = """\
edition en of duel

action take                                                     [en 3]
  require enough: coins(me) + n <= last
  gain:                                                         [en 4]
    add: coins(me) += n
    tell: nothing
  stop: if my coins = last then end game                        convention "it must end"

play
  turns: repeat                                                 [en 2]
    each player in seats
      take

score coins: my coins                                           [en 7] ruling "all of them"

note boards = 1                                                 [en 9]
"""
HEBREW = """\
edition he of duel

action take
  gain:
    add: coins(me) += 2 * n up to 9                             [he 2]
      except full: nothing when my coins = 9                    ruling "nothing more fits"
"""


@pytest.fixture
def text(tmp_path: Path) -> GameText:
    return read_game(write_files(tmp_path, duel=GAME, en=ENGLISH, he=HEBREW) / "duel.ludex")


def merged(text: GameText, edition: str | None, silence: str = "borrow") -> Declared:
    return declared(text, Request(edition=edition, silence=silence))


def origins(found: Declared) -> dict[str, str]:
    return {path: f"{clause.origin} {clause.layer}" for path, clause in found.clauses.items() if clause.origin}


# ---- where clauses come from ------------------------------------------------------------------------------------


def test_an_edition_that_borrows(text: GameText) -> None:
    assert origins(merged(text, "he")) == {
        "coins": "shared duel",
        "take.enough": "borrowed en",
        "take.gain": "borrowed en",
        "take.gain.add": "own he",
        "take.gain.add.full": "ruled he",
        "take.stop": "convention en",
        "play.turns": "borrowed en",
        "score.coins": "borrowed en",
        "last": "ruled duel",
    }


def test_a_part_is_told_with_the_clause_that_speaks_for_it(text: GameText) -> None:
    found = origins(merged(text, "en"))
    assert found["take"] == found["take.gain"] == "own en"
    assert not {"take.enough", "take.gain.tell"} & set(found)


def test_what_spoke_for_a_borrowed_part_still_does(text: GameText) -> None:
    (citation,) = merged(text, "he").clauses["take.enough"].authority.citations
    assert (citation.document, citation.lines) == ("en", ((3, 3),))


def test_the_letter_of_an_edition(text: GameText) -> None:
    found = merged(text, "he", "literal")
    assert Origin.BORROWED not in {clause.origin for clause in found.clauses.values()}
    missing = {each.path: each.layer for each in left_out(text, found)}
    assert list(missing) == ["play.turns", "score.coins", "take.enough", "take.gain.tell", "take.stop"]
    assert set(missing.values()) == {"en"}


def test_the_account_counts_every_rule_once(text: GameText) -> None:
    account = Account.of(merged(text, "en").clauses.values())
    counts = {"own": 4, "borrowed": 0, "ruled": 2, "convention": 1, "shared": 1}
    assert {origin.value: count for origin, count in account.counts.items()} == counts
    assert sum(account.counts.values()) == len(account.clauses)
    assert "boards" not in {clause.path for clause in account.clauses}


def test_the_loaded_game_tells_the_same(text: GameText) -> None:
    game = load(text.game.path, edition="he")
    assert game.clauses == merged(text, "he").clauses


# ---- the one spec ---------------------------------------------------------------------------------------------------


def spec_of(text: GameText, found: Declared) -> str:
    return "".join(f"{row.text}\n" for row in played_rows(text, found))


def by_name(declarations: tuple[Declaration, ...]) -> list[tuple[str, str, Declaration]]:
    """What touches play, by kind and name; what has no name stays in its order."""
    kinds = ("NoteDeclaration", "ExampleDeclaration", "TermsDeclaration")
    named = ((type(node).__name__, str(getattr(node, "name", "")), node) for node in declarations)
    return sorted((each for each in named if each[0] not in kinds), key=lambda each: each[:2])


@pytest.mark.parametrize("silence", ["borrow", "literal"])
@pytest.mark.parametrize("name", [name for name in shipped_games() if read_game(name).editions])
def test_it_is_a_spec_in_canonical_layout_that_says_the_same(name: str, silence: str) -> None:
    text = read_game(name)
    for edition in text.editions:
        found = merged(text, edition, silence)
        spec = spec_of(text, found)
        parsed = parse(spec, "played.ludex")
        assert parsed.diagnostics == (), edition
        assert format_module(parsed.module) == spec, edition
        wanted, shown = by_name(found.declarations), by_name(parsed.module.declarations)
        assert [each[:2] for each in shown] == [each[:2] for each in wanted], edition
        pairs = zip(wanted, shown, strict=True)
        assert [kind_and_name for (*kind_and_name, one), (*_, other) in pairs if not same_meaning(one, other)] == []


def test_a_game_without_editions_is_shown_as_it_is() -> None:
    text = read_game("pig")
    found = merged(text, None)
    assert parse(spec_of(text, found), "played.ludex").diagnostics == ()
    assert {row.origin for row in played_rows(text, found)} <= {None, Origin.OWN, Origin.RULED, Origin.CONVENTION}


def test_every_clause_has_its_words(text: GameText) -> None:
    found = merged(text, "he")
    words = texts_of(played_rows(text, found))
    assert set(words) == set(origins(found))
    assert words["take.gain.add"].split() == ["add:", "coins(me)", "+=", "2", "*", "n", "up", "to", "9", "[he", "2]"]
    assert words["play.turns"].splitlines()[1:] == ["    each player in seats", "      take"]


def test_what_no_clause_states_is_told_by_its_file(text: GameText) -> None:
    rows = {row.text.strip(): row for row in played_rows(text, merged(text, "he"))}
    assert (rows["choose n in 1..3"].origin, rows["choose n in 1..3"].path) == (Origin.SHARED, None)
    heading = next(row for text, row in rows.items() if text.startswith("action take"))
    assert (heading.origin, heading.layer, heading.path) == (Origin.BORROWED, "en", None)
    assert rows["play"].origin is None
