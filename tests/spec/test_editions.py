"""Editions of a game: the default, silent clauses, fingerprints, and the vocabulary that all share."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.spec import Request, build, check_game, cited_game, load, read_game, silences

from .duel import DUEL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "duel.ludex", DUEL)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def add(path: Path, text: str) -> None:
    written(path, path.read_text(encoding="utf-8") + text)


def test_the_first_text_named_is_the_default(path: Path) -> None:
    assert load(path).edition == "en"
    assert load(path, edition="he").edition == "he"


def test_silence_literal_leaves_out_clauses_that_the_text_does_not_state(path: Path) -> None:
    assert load(path, edition="en", silence="literal").silent == ("goal", "take.gain.full")
    built = build(read_game(path), Request(edition="he", silence="literal"))
    assert built.game is None
    assert [diagnostic.code.code for diagnostic in built.diagnostics] == ["V106"], (
        "the Hebrew text has no play of its own"
    )


def test_marks_of_silence_are_read_and_change_no_play(path: Path) -> None:
    marked = silences(read_game(path).declarations, "he")
    assert {name: [cited.lines for cited in lines] for name, lines in marked.items()} == {"take.tell": [((2, 2),)]}
    bare = DUEL.replace("    silent he                                                   [he 2]\n", "")
    for edition in ("en", "he"):
        before, after = load(path, edition=edition), load(written(path, bare), edition=edition)
        assert (after.fingerprint, list(after.clauses)) == (before.fingerprint, list(before.clauses))
        written(path, DUEL)


def test_a_declaration_used_by_one_text_is_used(path: Path) -> None:
    """The English text uses no clause that only the Hebrew one states; a note is never borrowed."""
    add(path, "\nnote boards = 2                                                 [en 8]\n")
    assert load(path, edition="he").silent == ()
    assert check_game(path) == ()


def test_a_declaration_used_by_no_text_is_reported(path: Path) -> None:
    for text in ("en", "he"):
        add(path, f"\nnote boards_{text} = 2                                          [{text} 8]\n")
    add(path, "\nfact spare = 3\n")
    assert [fault.message for fault in check_game(path)] == ["nothing uses the fact `spare`"]


def test_a_declaration_used_only_by_clauses_of_other_texts_is_left_out(path: Path) -> None:
    """A fork that no clause uses would be offered and change nothing."""
    declaration = "  told: told := spoken                                          [he 4]\n  tell:"
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
    written(path, DUEL.replace("  tell:", declaration) + more)
    english, hebrew = load(path, edition="en", silence="literal"), load(path, edition="he")
    assert ([fork.name for fork in english.forks], [fork.name for fork in hebrew.forks]) == ([], ["spoken_of"])
    assert "told" not in english.element
    assert "told" in hebrew.element


# ---- fingerprints -----------------------------------------------------------------------------------------------


def test_editions_have_fingerprints_of_their_own(path: Path) -> None:
    games = (load(path, edition="en"), load(path, edition="he"), load(path, edition="en", silence="literal"))
    assert len({game.fingerprint for game in games}) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[en 4]", "[en 40]"),
        ("game duel", "# a comment\ngame duel"),
        ("my coins = 9 then", "coins(me) = 9 then"),
    ],
)
def test_comments_citations_and_layout_do_not_change_a_fingerprint(path: Path, old: str, new: str) -> None:
    before = load(path).fingerprint
    assert DUEL.count(old) == 1
    assert load(written(path, DUEL.replace(old, new))).fingerprint == before


def test_a_changed_rule_changes_the_fingerprints_of_the_texts_that_state_it(path: Path) -> None:
    before = [load(path, edition=edition).fingerprint for edition in ("en", "he")]
    written(path, DUEL.replace("+= n up to 9", "+= n up to 8"))
    after = [load(path, edition=edition).fingerprint for edition in ("en", "he")]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True]


# ---- terms ------------------------------------------------------------------------------------------------------


def words(path: Path) -> dict[str, dict[str, str]]:
    return {name: {word.language: word.text for word in term.words} for name, term in load(path).terms.items()}


def test_a_term_is_a_clause_that_changes_no_fingerprint(path: Path) -> None:
    before = load(path)
    add(path, '\nterms\n  take: en "take"  [en 8]\n')
    after = load(path)
    assert after.fingerprint == before.fingerprint
    assert after.silent == before.silent
    assert after.clauses["terms.take"].kind == "term"
    assert after.clauses["terms.take"].authority.citations[0].lines == ((8, 8),)


def test_a_term_may_cite_no_line(path: Path) -> None:
    """Coverage counts only terms that cite a line."""
    add(path, '\nterms\n  take: en "take"  [en 8]\n  coins: en "coins"\n')
    cited, _ = cited_game(read_game(path))
    terms = [(clause.edition, clause.path) for clause in cited.clauses if clause.path.startswith("terms.")]
    assert terms == [("en", "terms.take")]


def test_the_terms_of_all_files_are_one_vocabulary(path: Path) -> None:
    add(path, '\nterms\n  take: en "take"\n\nterms\n  take: he "לקחת"\n')
    written(path.parent / "words.ludex", 'part words of duel\n\nterms\n  take: ru "взять"\n  take.n: he "כמה"\n')
    assert check_game(path) == ()
    assert words(path) == {"take": {"en": "take", "he": "לקחת", "ru": "взять"}, "take.n": {"he": "כמה"}}


def test_two_words_for_one_thing_are_found_across_files(path: Path) -> None:
    add(path, '\nterms\n  take: he "ליטול"\n')
    part = written(path.parent / "words.ludex", 'part words of duel\n\nterms\n  take: he "לתפוס"\n')
    (fault,) = check_game(path)
    assert (fault.code.code, fault.span.file) == ("N106", str(part))


def test_terms_may_name_things_of_other_texts(path: Path) -> None:
    add(path, '\nterms\n  goal: he "מטרה"\n  take.tell: en "tell"\n')
    assert check_game(path) == ()


@pytest.mark.parametrize(
    "name, meant",
    [("n", "take.n"), ("take.m", "take.n"), ("enough", "take.enough"), ("Score", None), ("score.coin", "score.coins")],
)
def test_an_unknown_name_is_reported_with_the_nearest(path: Path, name: str, meant: str | None) -> None:
    add(path, f'\nterms\n  {name}: en "x"\n')
    (fault,) = check_game(path)
    assert (fault.code.code, fault.hint) == ("N105", f"did you mean `{meant}`?" if meant else None)
