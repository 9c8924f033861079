"""A game in one edition: the origin of each clause, and the merged spec."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ludex.grammar import Declaration, format_module, parse, same_meaning
from ludex.grammar import syntax as s
from ludex.spec import (
    Account,
    DeclaredEdition,
    GameText,
    Origin,
    Request,
    declared,
    left_out,
    listing_rows,
    load,
    read_game,
    rows_by_clause,
    shipped_games,
)

GAME = """\
game duel
  players: 2
  document: en "duel.txt", he "duel-he.txt"
  convention: "shared nouns"

state coins(Player): 0..9 = 0

action take                                                     [en 2]
  choose n in 1..3
  require enough: coins(me) + n <= last                         [en 3]
  gain:                                                         [en 4]
    add: coins(me) += n
      variant he: coins(me) += 2 * n up to 9                    [he 2]
      except full: nothing when my coins = 9                    ruling "nothing more fits"
    tell: nothing
  stop: if my coins = last then end game                        convention "it must end"

play
  turns: repeat                                                 [en 2]
    each player in seats
      take

score coins: my coins                                           [en 7] ruling "all of them"

note boards = 1                                                 [en 9]

fact last = 9                                                   ruling "no text says when it ends"

fork first                                                      [he 8]
  left: "who sits left of the dealer"                           [en 8]
  right: "who sits right of the dealer"
  default left "it is usual"
"""


@pytest.fixture
def text(tmp_path: Path) -> GameText:
    (tmp_path / "duel.ludex").write_text(GAME, encoding="utf-8")
    return read_game(tmp_path / "duel.ludex")


def merged(text: GameText, edition: str | None, silence: str = "borrow") -> DeclaredEdition:
    return declared(text, Request(edition=edition, silence=silence))


def origins(edition_read: DeclaredEdition) -> dict[str, str]:
    return {
        path: f"{clause.origin} {clause.stated_by}" for path, clause in edition_read.clauses.items() if clause.origin
    }


# ---- where clauses come from ------------------------------------------------------------------------------------


def test_an_edition_borrows_clauses_that_its_text_lacks(text: GameText) -> None:
    assert origins(merged(text, "he")) == {
        "coins": "shared duel",
        "take": "borrowed en",
        "take.enough": "borrowed en",
        "take.gain": "borrowed en",
        "take.gain.add": "own he",
        "take.gain.add.full": "ruled duel",
        "take.stop": "convention duel",
        "play.turns": "borrowed en",
        "score.coins": "borrowed en",
        "boards": "borrowed en",
        "last": "ruled duel",
        "first": "own he",
    }


def test_inner_clauses_are_reported_with_the_clause_that_has_the_authority(text: GameText) -> None:
    edition_read = origins(merged(text, "en"))
    assert edition_read["take"] == edition_read["take.gain"] == "own en"
    assert not {"take.gain.add", "take.gain.tell"} & set(edition_read)


@pytest.mark.parametrize(("edition", "lines"), [("en", (8, 8)), ("he", (8, 8))])
def test_a_fork_rests_on_the_lines_in_which_the_text_decides_it_or_leaves_it_open(
    text: GameText, edition: str, lines: tuple[int, int]
) -> None:
    """A fork that another text leaves open is not borrowed from it."""
    fork = merged(text, edition).clauses["first"]
    assert (fork.origin, fork.stated_by) == (Origin.OWN, edition)
    assert [(each.document, each.lines) for each in fork.authority.citations] == [(edition, (lines,))]


def test_a_fork_on_which_a_text_is_silent_is_borrowed_or_shared(text: GameText, tmp_path: Path) -> None:
    (tmp_path / "duel.ludex").write_text(GAME.replace("[he 8]", "      "), encoding="utf-8")
    alone = read_game(tmp_path / "duel.ludex")
    assert origins(merged(alone, "he"))["first"] == "borrowed en"
    assert origins(merged(alone, "he", "literal"))["first"] == "shared duel"


def test_a_literal_edition_has_no_borrowed_clauses(text: GameText) -> None:
    edition_read = merged(text, "he", "literal")
    assert Origin.BORROWED not in {clause.origin for clause in edition_read.clauses.values()}
    missing = {each.path: each.stated_by for each in left_out(text, edition_read)}
    assert missing == {"play.turns": "en", "score.coins": "en", "take.enough": "en"}


def test_the_account_counts_every_clause_once(text: GameText) -> None:
    account = Account.of(merged(text, "en").clauses.values())
    counts = {"own": 6, "borrowed": 0, "ruled": 2, "convention": 1, "shared": 1}
    assert {origin.value: count for origin, count in account.counts.items()} == counts
    assert sum(account.counts.values()) == len(account.clauses)
    assert "boards" not in {clause.path for clause in account.clauses}


def test_the_loaded_game_has_the_same_clauses(text: GameText) -> None:
    game = load(text.game.path, edition="he")
    assert game.clauses == merged(text, "he").clauses


# ---- the one spec ---------------------------------------------------------------------------------------------------


def spec_of(text: GameText, edition_read: DeclaredEdition) -> str:
    return "".join(f"{row.text}\n" for row in listing_rows(text, edition_read))


def open_(node: Declaration) -> Declaration:
    """Return a fork without the mark that a text decides it: the cited lines already say so."""
    return replace(node, decided=False) if isinstance(node, s.ForkDeclaration) else node


def by_name(declarations: tuple[Declaration, ...]) -> list[tuple[str, str, Declaration]]:
    """Return the declarations that concern play, sorted by kind and name; those without a name keep their order."""
    kinds = ("NoteDeclaration", "InvariantDeclaration", "ExampleDeclaration", "TermsDeclaration")
    named = ((type(node).__name__, str(getattr(node, "name", "")), open_(node)) for node in declarations)
    return sorted((each for each in named if each[0] not in kinds), key=lambda each: each[:2])


@pytest.mark.parametrize("silence", ["borrow", "literal"])
@pytest.mark.parametrize("name", [name for name in shipped_games() if read_game(name).names])
def test_the_merged_spec_is_in_canonical_layout_and_means_the_same(name: str, silence: str) -> None:
    text = read_game(name)
    for edition in text.names:
        edition_read = merged(text, edition, silence)
        spec = spec_of(text, edition_read)
        parsed = parse(spec, "played.ludex")
        assert parsed.diagnostics == (), edition
        assert format_module(parsed.module) == spec, edition
        wanted, shown = by_name(edition_read.declarations), by_name(parsed.module.declarations)
        assert [each[:2] for each in shown] == [each[:2] for each in wanted], edition
        pairs = zip(wanted, shown, strict=True)
        assert [kind_and_name for (*kind_and_name, one), (*_, other) in pairs if not same_meaning(one, other)] == []


def test_a_game_without_editions_is_listed_unchanged() -> None:
    text = read_game("pig")
    edition_read = merged(text, None)
    assert parse(spec_of(text, edition_read), "played.ludex").diagnostics == ()
    assert {row.origin for row in listing_rows(text, edition_read)} <= {
        None,
        Origin.OWN,
        Origin.RULED,
        Origin.CONVENTION,
    }


def test_every_clause_has_its_text(text: GameText) -> None:
    edition_read = merged(text, "he")
    rows = rows_by_clause(listing_rows(text, edition_read))
    words = {path: [row.text for row in own] for path, own in rows.items()}
    assert set(words) == {clause.path for clause in Account.of(edition_read.clauses.values()).clauses}
    words_of_step = "\n".join(words["take.gain.add"]).split()
    assert words_of_step == [
        "add:",
        "coins(me)",
        "+=",
        "2",
        "*",
        "n",
        "up",
        "to",
        "9",
        "[he",
        "2]",
    ]
    assert words["play.turns"][1:] == ["    each player in seats", "      take"]


def test_a_clause_without_authority_is_shared(text: GameText) -> None:
    (text.game.path).write_text(
        GAME.replace("action take                                                     [en 2]", "action take"),
        encoding="utf-8",
    )
    text = read_game(text.game.path)
    rows = {row.text.strip(): row for row in listing_rows(text, merged(text, "he"))}
    assert (rows["choose n in 1..3"].origin, rows["choose n in 1..3"].path) == (Origin.SHARED, None)
    assert rows["action take"].origin is rows["play"].origin is None
