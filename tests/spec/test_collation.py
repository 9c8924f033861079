"""Collation: transcriptions are merged into one text with an apparatus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ludex.grammar import Diagnostics, parse
from ludex.grammar import syntax as s
from ludex.spec import Item, check_game, collate, load, read_game, read_transcriptions
from ludex.spec.collation.clause_normal_form import form

GAME = """\
game heap
  players: 2
  document: en "en.txt"

# of the heap
state stones: 0..9 = 9                                          # how many are left

play
  turns: repeat                                                 [en 3]
    each player in seats
      turn: take                                                [en 3]
  until stones = 0

action take
  choose n in 1..3
  require enough: n <= stones                                   [en 4]  # no more than there are
  away: stones -= n down to 0                                   [en 5]
  tell: nothing                                                 [en 6]

score last: points_of(stones)                                   [en 7]

define points_of(k: 0..9): 0..9 =                               [en 7]
  match k
    0 => 1
    otherwise => 0
"""

Folded = Callable[..., tuple[str, tuple[Item, ...]]]


@pytest.fixture
def folded(tmp_path: Path) -> Folded:
    """The game with transcriptions of its texts `he`, `ru`, ... merged into it, and the items to settle."""

    def run(*texts: str, game: str = GAME) -> tuple[str, tuple[Item, ...]]:
        folder = tmp_path / "heap"
        folder.mkdir()
        (folder / "heap.ludex").write_text(game, encoding="utf-8")
        paths = []
        for siglum, text in zip(("he", "ru", "margin"), texts, strict=False):
            paths.append(tmp_path / f"{siglum}.ludex")
            paths[-1].write_text(f'edition {siglum} of heap\n  document: {siglum} "x.txt"\n\n{text}', encoding="utf-8")
        report, read = Diagnostics(), read_game(folder)
        transcriptions = read_transcriptions(paths, "heap", read.documents, report)
        assert report.items == []
        collated = collate(read, transcriptions)
        out = tmp_path / "out" / "heap"
        out.mkdir(parents=True)
        (out / "heap.ludex").write_text(collated.files["heap.ludex"], encoding="utf-8")
        faults = [each for each in check_game(out) if each.is_error]
        assert faults == []
        return collated.files["heap.ludex"], collated.items

    return run


def sorts(items: tuple[Item, ...], siglum: str = "he") -> dict[str, str]:
    """Return the sorts of the items by path, without clauses that the text omits as a whole."""
    return {item.path: item.sort for item in items if item.siglum == siglum and item.sort != "omitted"}


def test_an_equal_clause_gets_another_citation(folded: Folded) -> None:
    text, items = folded("action take\n  require enough: not (stones < n)  [he 9]\n")
    assert "  require enough: n <= stones                                   [en 4] [he 9]  # no more" in text
    assert sorts(items) == {}


def test_a_differing_clause_becomes_a_variant(folded: Folded) -> None:
    text, items = folded("action take\n  require enough: n < stones  [he 9]\n")
    assert "[en 4]  # no more than there are\n    variant he: n < stones  " in text
    assert sorts(items) == {"take.enough": "words"}
    (item,) = (each for each in items if each.sort == "words")
    assert item.lines == {"en": ((4, 4),), "he": ((9, 9),)}
    assert item.words == {"en": "require enough: n <= stones", "he": "require enough: n < stones"}


def test_a_second_text_joins_a_variant(folded: Folded) -> None:
    text, _ = folded(*(f"action take\n  require enough: n < stones  [{each} 9]\n" for each in ("he", "ru")))
    assert "    variant he, ru: n < stones                                  [he 9] [ru 9]\n" in text


def test_arms_without_citations_belong_to_their_clause(folded: Folded) -> None:
    """A table is cited at its head, so another number in an arm is a variant of the whole table."""
    written = "define points_of(m: 0..9): 0..9 =  [he 7]\n  match m\n    0 => 2\n    otherwise => 0\n"
    text, items = folded(written)
    assert "  variant he:                                                   [he 7]\n    match k\n      0 => 2\n" in text
    assert sorts(items) == {"points_of": "words"}


def test_a_clause_of_one_text_is_put_where_it_is_in_that_text(folded: Folded) -> None:
    text, items = folded(
        "action take\n  require some: n > 0  [he 1]\n  away: stones -= n down to 0  [he 2]\n  wait: nothing  [he 3]\n"
    )
    rows = [row.split(":")[0].strip() for row in text[text.index("action take") :].split("\n")[2:7]]
    assert rows == ["require enough", "require some", "away", "wait", "tell"]
    left_out = {item.path: item.siglum for item in items if item.sort == "omitted"}
    assert left_out["take.some"] == left_out["take.wait"] == "en"


def test_comments_and_new_declarations_are_kept(folded: Folded) -> None:
    text, _ = folded("# ---- the box\n\nnote stones_in_box = 12  [he 1]\n")
    assert (
        "# of the heap\nstate stones: 0..9 = 9                                          # how many are left\n" in text
    )
    assert text.endswith("# ---- the box\n\nnote stones_in_box = 12                                         [he 1]\n")


def test_another_order_of_steps_is_marked(folded: Folded) -> None:
    text, items = folded("action take\n  tell: nothing  [he 5]\n  away: stones -= n down to 0  [he 6]\n")
    assert "  order he: tell, away                                          [he 5, 6]\n" in text
    assert sorts(items) == {"take": "order"}
    assert [each.path for each in items if each.sort == "omitted" and each.siglum == "he"].count("take.away") == 0


def test_marked_silence_is_kept_and_listed_as_to_settle(folded: Folded) -> None:
    text, items = folded("silent take.away  [he 5]\n")
    assert "    silent he                                                   [he 5]\n" in text
    assert "take.away" in {each.path for each in items if each.sort == "omitted"}, (
        "a marked silence must still be listed as to settle"
    )


def test_a_summary_and_a_lacuna_omit_nothing(folded: Folded) -> None:
    game = GAME.replace('en "en.txt"\n', 'en "en.txt", he "x.txt"\n\ntext he\n  summary: en\n')
    assert not [each for each in folded("note a = 1  [he 1]\n", game=game)[1] if each.siglum == "he"]


@pytest.mark.parametrize(("head", "marks"), [("", 1), ("text he\n  summary: en\n\n", 0)])
def test_redundant_marks_of_silence_are_not_written(folded: Folded, head: str, marks: int) -> None:
    """These are marks for a summary, and marks inside a clause that is marked itself."""
    silent = "silent take.away  [he 2]\nsilent take.tell  [he 2]\nsilent take  [he 2]\n"
    text, _ = folded(silent, game=GAME.replace("# of the heap", f"{head}# of the heap"))
    assert text.count("silent he") == marks


def test_texts_are_in_the_order_of_their_documents(folded: Folded) -> None:
    text, _ = folded("  lines: 1..9\n", "  lines: 10..20\n")
    assert text.index("text he") < text.index("text ru")


def test_a_ruling_applies_to_its_text_only(folded: Folded) -> None:
    """A text that states a rule without a ruling must not get the ruling of another text."""
    text, _ = folded('action take\n  tell: nothing  [he 5] ruling "hinted at"\n')
    assert '    ruled he: "hinted at"                                       [he 5]\n' in text
    game = GAME.replace("[en 6]", '[en 6] ruling "hinted at"')
    assert "ruled" not in game


def test_the_ruling_of_a_text_moves_below_the_clause(folded: Folded) -> None:
    game = GAME.replace("[en 6]", '[en 6] ruling "hinted at"')
    text, _ = folded("action take\n  tell: nothing  [he 5]\n", game=game)
    assert '  tell: nothing                                                 [he 5]\n    ruled en: "hinted at"' in text


def test_forks_examples_terms_and_nouns_are_merged(folded: Folded) -> None:
    written = """\
fork f  [{0} 1]
  a: "x"
  b: "y"
  default a "z"

score more: if f = a then 1 else 0  [{0} 1]

example e  [{0} 2]
  expect stones = {1}

terms
  take: {0} "{0}"
  stones: en "{0}"
"""
    text, items = folded(written.format("he", "9"), written.format("ru", "9 - 0"))
    assert "fork f                                                          [he 1] [ru 1]\n" in text
    assert "example e                                                       [he 2]\n" in text
    assert "example e_ru                                                    [ru 2]\n" in text
    assert '  take: he "he", ru "ru"\n  stones: en "he"\n' in text
    assert sorts(items, "ru") == {}


def test_each_text_plays_as_it_was_written(folded: Folded, tmp_path: Path) -> None:
    folded("action take\n  require enough: n < stones  [he 9]\n  away: stones -= n down to 0  [he 9]\n")
    for siglum, words in (("en", "n <= stones"), ("he", "n < stones")):
        game = load(tmp_path / "out" / "heap", edition=siglum)
        assert game.edition == siglum
        merged = read_game(tmp_path / "out" / "heap").edition(siglum, "borrow").declarations
        (action,) = (node for node in merged if isinstance(node, s.ActionDeclaration))
        require = action.body.statements[1]
        assert isinstance(require, s.Require)
        assert form(require.body) == form(value(words))


def test_merging_the_same_texts_again_changes_nothing(folded: Folded, tmp_path: Path) -> None:
    written = "action take\n  require enough: n < stones  [he 9]\n  away: stones -= n down to 0  [he 9]\n"
    once, _ = folded(written)
    read = read_game(tmp_path / "out" / "heap")
    again = collate(read, read_transcriptions([tmp_path / "he.ludex"], "heap", read.documents, Diagnostics()))
    assert again.files["heap.ludex"] == once


# ---- forms ------------------------------------------------------------------------------------------------------


def value(words: str) -> s.Expression:
    parsed = parse(f"game g\n  players: 2\n\ndefine a = {words}\n", "g.ludex")
    (node,) = parsed.module.declarations
    assert isinstance(node, s.ValueDeclaration)
    assert not isinstance(node.body.value, s.ValueMatch)
    return node.body.value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a and b", "b and a"),
        ("a + (b + c)", "c + b + a"),
        ("a > b", "b < a"),
        ("a > 0", "a >= 1"),
        ("not (a = b)", "b != a"),
        ("not (a is empty)", "a is not empty"),
        ("count(x in S where x > 1)", "count(y in S where 1 < y)"),
        ("some x in S has every y in x has y = a", "some p in S has every q in p has a = q"),
        ("my hand(b)", "hand(me, b)"),
    ],
)
def test_values_of_one_normal_form_are_equal(one: str, other: str) -> None:
    assert form(value(one)) == form(value(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b", "b - a"),
        ("a < b", "a <= b"),
        ("a in b", "b in a"),
        ("some x in S has every y in x has x = y", "some x in S has every y in x has y = y"),
        ("count(x in S where x > y)", "count(y in S where y > y)"),
        ("a implies b", "b implies a"),
    ],
)
def test_values_of_different_normal_forms_are_unequal(one: str, other: str) -> None:
    assert form(value(one)) != form(value(other))
