"""Editions over a lender over the game file, clause by clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Failure
from ludex.spec import Request, build, check_game, cited_game, load, read_game

from .duel import DUEL, write_files

ENGLISH = """\
edition en of duel

action take
  require enough: coins(me) + n <= 9                            [en 3]
  gain: coins(me) += n up to 9                                  [en 4]
  tell: nothing                                                 [en 5]
  stop: if my coins = 9 then end game                           [en 6]

play
  turns: repeat                                                 [en 2]
    each player in seats
      take

score coins: my coins                                           [en 7]
"""
HEBREW = """\
edition he of duel

action take
  gain: coins(me) += 2 * n up to 9                              [he 2]
    except full: nothing when my coins = 9                      [he 2]

fact goal = 9                                                   [he 3]

score coins: if my coins = goal then my coins else 0            [he 3]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "duel", duel=DUEL, en=ENGLISH, he=HEBREW)


def test_the_first_edition_named_is_the_default(folder: Path) -> None:
    assert load(folder).edition == "en"
    assert load(folder, edition="he").edition == "he"


def test_a_clause_is_its_own_editions_or_borrowed(folder: Path) -> None:
    game = load(folder, edition="he")
    assert game.clauses["take.gain"].layer == "he"
    assert not game.clauses["take.gain"].borrowed
    assert game.clauses["take.enough"].layer == "en"
    assert game.clauses["take.enough"].borrowed
    assert game.clauses["take"].layer == "he"


def test_borrowed_steps_stand_where_the_lender_has_them(folder: Path) -> None:
    paths = [path for path in load(folder, edition="he").clauses if path.startswith("take.")]
    assert paths == ["take.enough", "take.gain", "take.gain.full", "take.tell", "take.stop"]


def test_an_edition_keeps_the_lenders_exceptions_that_it_does_not_state(folder: Path) -> None:
    assert "take.gain.full" in load(folder, edition="en").clauses


def test_literal_silence_leaves_out_what_is_not_stated(folder: Path) -> None:
    built = build(read_game(folder), Request(edition="he", silence="literal"))
    assert built.game is None
    assert [d.code.code for d in built.diagnostics] == ["V106"], "the Hebrew text has no flow of its own"


def test_silent_clauses_are_listed(folder: Path) -> None:
    game = load(folder, edition="en", silence="literal")
    assert game.silent == ("goal", "take.gain.full")


def test_what_one_edition_uses_is_used(folder: Path) -> None:
    """The English text has no use for what only the Hebrew one speaks of; a note is nobody's to borrow."""
    with (folder / "en.ludex").open("a", encoding="utf-8") as file:
        file.write("\nnote boards = 2                                                 [en 8]\n")
    assert load(folder, edition="he").silent == ()
    assert check_game(folder) == ()


def test_what_no_edition_uses_is_told_whatever_is_silent(folder: Path) -> None:
    for edition in ("en", "he"):
        with (folder / f"{edition}.ludex").open("a", encoding="utf-8") as file:
            file.write(f"\nnote boards_{edition} = 2                                          [{edition} 8]\n")
    with (folder / "duel.ludex").open("a", encoding="utf-8") as file:
        file.write("\nfact spare = 3\n")
    assert [fault.message for fault in check_game(folder)] == ["nothing uses the fact `spare`"]


def test_editions_have_fingerprints_of_their_own(folder: Path) -> None:
    assert load(folder, edition="en").fingerprint != load(folder, edition="he").fingerprint
    assert load(folder, edition="en").fingerprint != load(folder, edition="en", silence="literal").fingerprint


def test_comments_and_citations_do_not_change_a_fingerprint(folder: Path) -> None:
    before = load(folder).fingerprint
    text = ENGLISH.replace("[en 4]", "[en 40]").replace("edition en of duel", "# a comment\nedition en of duel")
    (folder / "en.ludex").write_text(text, encoding="utf-8")
    assert load(folder).fingerprint == before


def test_another_spelling_does_not_change_a_fingerprint(folder: Path) -> None:
    before = load(folder).fingerprint
    (folder / "en.ludex").write_text(ENGLISH.replace("my coins = 9", "coins(me) = 9"), encoding="utf-8")
    assert load(folder).fingerprint == before


def test_a_rule_changed_changes_the_fingerprint(folder: Path) -> None:
    before = load(folder).fingerprint
    (folder / "en.ludex").write_text(ENGLISH.replace("up to 9", "up to 8"), encoding="utf-8")
    assert load(folder).fingerprint != before


def test_nouns_that_disagree_are_reported(folder: Path) -> None:
    text = HEBREW.replace("fact goal", "state coins(Player): 0..8 = 0\n\nfact goal")
    (folder / "he.ludex").write_text(text, encoding="utf-8")
    found = check_game(folder)
    assert {d.code.code for d in found} == {"H102"}
    assert found[0].notes[0].span is not None


def test_parameters_that_disagree_are_reported(folder: Path) -> None:
    (folder / "en.ludex").write_text(ENGLISH + "\naction pay(n: 1..3)\n  cost: nothing [en 8]\n", encoding="utf-8")
    (folder / "he.ludex").write_text(HEBREW + "\naction pay(n: 1..4)\n  more: nothing [he 8]\n", encoding="utf-8")
    assert "H102" in {d.code.code for d in check_game(folder)}


def test_an_edition_named_without_a_file_is_reported(folder: Path) -> None:
    (folder / "he.ludex").unlink()
    assert [(d.code.code, d.hint) for d in check_game(folder)] == [("H101", "expected `he.ludex`")]


def test_an_edition_file_leads_to_its_game(folder: Path) -> None:
    assert read_game(folder / "he.ludex").name == "duel"


def test_an_edition_without_its_game_is_reported(folder: Path) -> None:
    (folder / "duel.ludex").unlink()
    with pytest.raises(Failure) as caught:
        read_game(folder / "he.ludex")
    assert [d.code.code for d in caught.value.diagnostics] == ["H101"]


def test_a_clause_goes_into_the_lenders_flow(folder: Path) -> None:
    """A reminder that restates one step of a round need not restate the round."""
    english = """\
edition en of duel

action take
  gain: coins(me) += n up to 9                                  [en 4]

play
  round: each player in seats                                   [en 2]
    turn: take
    finish: nothing
"""
    hebrew = """\
edition he of duel

play
  round:
    finish: if player_count = 2 then end game                   [he 9]
"""
    (folder / "en.ludex").write_text(english, encoding="utf-8")
    (folder / "he.ludex").write_text(hebrew, encoding="utf-8")
    game = load(folder, edition="he")
    assert game.clauses["play.round.turn"].layer == "en"
    assert game.clauses["play.round.finish"].layer == "he"


ROUNDS = """\
edition en of duel

action take
  gain: coins(me) += n up to 9                                  [en 4]

play
  rounds: repeat 3 times                                        [en 2]
    turns: each player in seats                                 [en 2]
      first: take                                               [en 2]
      second: take                                              [en 3]
    pause: nothing                                              [en 4]
"""
SAME_ROUNDS = """\
edition he of duel

play
  rounds: repeat 2 times                                        [he 2]
    turns: each player in clockwise(seat(2))                    [he 2]
      second: if my coins < 9 then take                         [he 3]
"""


def test_a_flow_stated_anew_keeps_the_lenders_clauses_inside(folder: Path) -> None:
    (folder / "en.ludex").write_text(ROUNDS, encoding="utf-8")
    (folder / "he.ludex").write_text(SAME_ROUNDS, encoding="utf-8")
    game = load(folder, edition="he")
    layers = {path: clause.layer for path, clause in game.clauses.items() if path.startswith("play.")}
    assert layers == {
        "play.rounds": "he",
        "play.rounds.turns": "he",
        "play.rounds.turns.first": "en",
        "play.rounds.turns.second": "he",
        "play.rounds.pause": "en",
    }
    assert game.silent == ()
    assert game.fingerprint != load(folder, edition="en").fingerprint, "the edition's own flow is kept around them"


# ---- terms ------------------------------------------------------------------------------------------------------

SHARED_TERMS = '\nterms\n  take: en "take", he "לקחת"\n  coins: en "coins"\n'
HEBREW_TERMS = '\nterms\n  take: he "ליטול"\n  take.n: he "כמה"\n'


@pytest.fixture
def spoken(folder: Path) -> Path:
    for name, terms in (("duel", SHARED_TERMS), ("he", HEBREW_TERMS)):
        with (folder / f"{name}.ludex").open("a", encoding="utf-8") as file:
            file.write(terms)
    return folder


def words(folder: Path, edition: str, silence: str = "borrow") -> dict[str, dict[str, tuple[str, str]]]:
    terms = load(folder, edition=edition, silence=silence).terms
    return {name: {word.language: (word.text, word.layer) for word in term.words} for name, term in terms.items()}


def test_an_editions_own_word_stands_before_the_game_files(spoken: Path) -> None:
    assert check_game(spoken) == ()
    assert words(spoken, "he") == {
        "take": {"he": ("ליטול", "he"), "en": ("take", "duel")},
        "take.n": {"he": ("כמה", "he")},
        "coins": {"en": ("coins", "duel")},
    }


def test_words_are_borrowed_like_clauses(spoken: Path) -> None:
    assert words(spoken, "en")["take"]["he"] == ("ליטול", "he")
    assert words(spoken, "en", "literal")["take"]["he"] == ("לקחת", "duel")
    assert "take.n" not in words(spoken, "en", "literal")


def test_a_term_is_a_clause_that_touches_no_rule(folder: Path) -> None:
    before = load(folder)
    with (folder / "en.ludex").open("a", encoding="utf-8") as file:
        file.write('\nterms\n  take: en "take"  [en 8]\n')
    after = load(folder)
    assert after.fingerprint == before.fingerprint
    assert after.silent == before.silent
    assert after.clauses["terms.take"].kind == "term"
    assert after.clauses["terms.take"].authority.citations[0].lines == ((8, 8),)


def test_a_term_needs_no_text(spoken: Path) -> None:
    """Coverage counts the terms that cite a line, and no others."""
    with (spoken / "en.ludex").open("a", encoding="utf-8") as file:
        file.write('\nterms\n  take: en "take"  [en 8]\n')
    cited, _ = cited_game(read_game(spoken))
    terms = [(clause.edition, clause.path) for clause in cited.clauses if clause.path.startswith("terms.")]
    assert terms == [("en", "terms.take")]


def test_several_blocks_are_one_vocabulary(folder: Path) -> None:
    with (folder / "duel.ludex").open("a", encoding="utf-8") as file:
        file.write('\nterms\n  take: en "take"\n\nterms\n  take: he "לקחת"\n')
    assert check_game(folder) == ()
    assert words(folder, "en") == {"take": {"en": ("take", "duel"), "he": ("לקחת", "duel")}}


def test_what_no_table_uses_now_can_still_be_named(folder: Path) -> None:
    """A term may name what only another edition states."""
    with (folder / "duel.ludex").open("a", encoding="utf-8") as file:
        file.write('\nterms\n  goal: he "מטרה"\n  take.tell: en "tell"\n')
    assert check_game(folder) == ()


def test_two_words_for_one_thing_are_found_within_a_file_only(spoken: Path) -> None:
    with (spoken / "he.ludex").open("a", encoding="utf-8") as file:
        file.write('\nterms\n  take: he "לתפוס"\n')
    (fault,) = check_game(spoken)
    assert fault.code.code == "N106"
    assert fault.span.file.endswith("he.ludex")


@pytest.mark.parametrize(
    "name, meant",
    [("n", "take.n"), ("take.m", "take.n"), ("enough", "take.enough"), ("Score", None), ("score.coin", "score.coins")],
)
def test_an_unknown_name_is_told_with_the_nearest(folder: Path, name: str, meant: str | None) -> None:
    with (folder / "duel.ludex").open("a", encoding="utf-8") as file:
        file.write(f'\nterms\n  {name}: en "x"\n')
    (fault,) = check_game(folder)
    assert (fault.code.code, fault.hint) == ("N105", f"did you mean `{meant}`?" if meant else None)


def test_two_texts_may_lean_to_different_readings_of_one_question(folder: Path) -> None:
    fork = 'fork goal_of\n  low: "{0}"\n  high: "{0}"\n  default {1} "{0}"\n'
    fork += "\nfact goal = if goal_of = low then 5 else 9                      [{2} 3]\n"
    for edition, text, default in (
        ("en", ENGLISH, "low"),
        ("he", HEBREW.replace("fact goal = 9", "fact aim = 9"), "high"),
    ):
        more = fork.format(f"as {edition} has it", default, edition)
        (folder / f"{edition}.ludex").write_text(f"{text}\n{more}", encoding="utf-8")
    assert [load(folder, edition=edition).forks[0].default for edition in ("en", "he")] == ["low", "high"]
    (folder / "he.ludex").write_text(
        HEBREW + "\n" + fork.format("other", "low", "he").replace("high", "higher"), "utf-8"
    )
    assert "H102" in {d.code.code for d in check_game(folder)}


def test_what_only_the_lenders_own_clauses_ask_for_is_not_lent(folder: Path) -> None:
    """A fork that nothing asks about would be offered and change nothing."""
    told = "  tell: told := spoken                                          [he 4]\n\nfact goal"
    more = """
fork spoken_of
  once: "told once"
  twice: "told twice"
  default once "as it is"

fact spoken = if spoken_of = once then 1 else 2                 [he 4]

state told: 0..2 = 0                                            [he 4]

terms
  told: he "נאמר"
"""
    (folder / "he.ludex").write_text(HEBREW.replace("\nfact goal", told) + more, encoding="utf-8")
    english, hebrew = load(folder, edition="en"), load(folder, edition="he")
    assert ([fork.name for fork in english.forks], [fork.name for fork in hebrew.forks]) == ([], ["spoken_of"])
    assert "told" not in english.element
    assert "told" in hebrew.element


def test_a_requirement_stated_after_a_step_is_not_borrowed_before_it(folder: Path) -> None:
    text = ENGLISH.replace("  require enough: coins(me) + n <= 9                            [en 3]\n", "")
    late = text.replace("  tell:", "  require enough: coins(me) <= 9                                [en 3]\n  tell:")
    (folder / "en.ludex").write_text(late, encoding="utf-8")
    more = "action take\n  require enough: coins(me) + n < 9                             [he 4]\n"
    (folder / "he.ludex").write_text(HEBREW.replace("action take\n", more), encoding="utf-8")
    assert check_game(folder) == ()
    assert [path for path in load(folder, edition="en").clauses if path == "take.enough"] == ["take.enough"]
