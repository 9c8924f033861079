"""Decisions about differences between texts: reading, applying, and checking them against the game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Diagnostic, Diagnostics
from ludex.spec import (
    Item,
    check_collation,
    collate,
    decisions_schema,
    find,
    read_decisions,
    read_game,
    read_transcriptions,
    shipped_games,
)
from ludex.spec.values.type_schema import validator

GAME = """\
game heap
  players: 2
  document: en "en.txt", he "he.txt", ru "ru.txt"

state stones: 0..9 = 9

fork most                                                       [en 9]
  two: "two at most"
  three: "three at most"
  default two "it is shorter"

play
  turn: stones -= 1                                             [en 3]

score last: stones                                              [en 7]

score most: if most = two then 1 else 0                         [en 9]
"""
HEBREW = "play\n  turn: stones -= 2  [he 4]\n\nscore last: stones  [he 8]\n"
RUSSIAN = "play\n  turn: stones -= 2  [ru 5]\n"
TEXTS = ("en", "he", "ru")
COLLATED = tuple(name for name in shipped_games() if (find(name).parent / "collation.yaml").exists())
"""The shipped games of several texts."""
Applied = Callable[[str], tuple[str, list[Item], list[Diagnostic]]]


def record(clauses: str, texts: str, verdict: str = "same") -> str:
    readings = "  readings: {a: {en: A}, two: {en: B}, three: {en: C}}\n"
    return f"- clauses: [{clauses}]\n  verdict: {verdict}\n{readings}  texts: {{{texts}}}\n  why: w\n"


def row(words: str, lines: str) -> str:
    return f"{words:<64}{lines}\n"


@pytest.fixture
def settled(tmp_path: Path) -> Applied:
    """Applies decisions; returns the resulting game, the items left to settle, and the findings of a check of the
    result.
    """

    def run(decisions: str) -> tuple[str, list[Item], list[Diagnostic]]:
        folder = tmp_path / "heap"
        folder.mkdir()
        (folder / "heap.ludex").write_text(GAME, encoding="utf-8")
        for siglum, text in (("he", HEBREW), ("ru", RUSSIAN)):
            (tmp_path / f"{siglum}.ludex").write_text(f"edition {siglum} of heap\n\n{text}", encoding="utf-8")
        read, report = read_game(folder), Diagnostics()
        paths = [tmp_path / "he.ludex", tmp_path / "ru.ludex"]
        transcriptions = read_transcriptions(paths, "heap", read.documents, report)
        decided, faults = read_decisions(decisions, "collation.yaml", TEXTS)
        assert (report.items, faults) == ([], ())
        collated = collate(read, transcriptions, decided)
        (folder / "heap.ludex").write_text(collated.files["heap.ludex"], encoding="utf-8")
        module = read_game(folder).game.module
        diagnostics = list(check_collation([module], transcriptions, decided))
        return collated.files["heap.ludex"], list(collated.items), diagnostics

    return run


@pytest.mark.parametrize("game", ["bora_bora", "boreal"])
def test_decisions_are_read(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.grammar.files.cache.cache_folder", lambda: tmp_path)
    text = read_game(game)
    written = (text.folder / "collation.yaml").read_text("utf-8")
    first = read_decisions(written, "collation.yaml", text.names)
    assert first[0]
    monkeypatch.setattr("ludex.spec.collation.text_decisions.y.read_yaml", None)
    assert read_decisions(written, "collation.yaml", text.names) == first
    with pytest.raises(TypeError):
        read_decisions(written, "another.yaml", text.names)


def test_decisions_with_faults_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.grammar.files.cache.cache_folder", lambda: tmp_path)
    assert read_decisions("- clauses: 1\n", "collation.yaml", ["ru"])[1]
    assert not any(tmp_path.iterdir())


def test_a_fork_is_a_mapping_in_the_file() -> None:
    (decision,), faults = read_decisions(record("{fork: most}, most", "en: {lines: 1, reading: a}"), "c.yaml", ["en"])
    assert (decision.forks, decision.clauses, faults) == (("most",), ("fork most", "most"), ())
    for clauses, message in [("{knife: most}", "`knife` means nothing here"), ("{}", "this lacks `fork`")]:
        _, faults = read_decisions(record(clauses, "en: {lines: 1, reading: a}"), "c.yaml", ["en"])
        assert message in [each.message for each in faults]


def test_readings_decided_to_be_the_same_have_one_body_and_the_decided_lines(settled: Applied) -> None:
    text, items, faults = settled(
        record(
            "play.turn", "en: {lines: '3', reading: a}, he: {lines: 4-5, reading: a, adds: how many}, ru: {silent: '6'}"
        )
    )
    assert row("  turn: stones -= 1", "[en 3]") in text
    assert row('    ruled he: "how many"', "[he 4-5]") + row("    silent ru", "[ru 6]") in text
    assert "variant" not in text
    assert "play.turn" not in {item.path for item in items}
    assert faults == [], "the decision overrides the two transcriptions that differ, so nothing may be left to settle"


def test_several_clauses_share_the_lines_of_a_decision(settled: Applied) -> None:
    lines = "en: {lines: '2-3, 7, 9', reading: a}, he: {lines: '4, 8', reading: a}, ru: {lines: 5-6, reading: a}"
    game, _, faults = settled(record("play.turn, score.last, score.most", lines))
    assert row("  turn: stones -= 1", "[en 2-3] [he 4] [ru 5-6]") in game
    assert row("score last: stones", "[en 7] [he 8] [ru 5-6]") in game
    assert row("score most: if most = two then 1 else 0", "[en 9] [he 4, 8] [ru 5-6]") in game
    assert faults == []


def test_differing_texts_keep_the_words_of_their_transcriptions(settled: Applied) -> None:
    texts = "en: {lines: '3', reading: a}, he: {lines: '4', reading: two}, ru: {lines: '5', reading: two}"
    text, items, faults = settled(record("play.turn", texts, "differ"))
    assert row("    variant he, ru: stones -= 2", "[he 4] [ru 5]") in text
    assert "play.turn" not in {item.path for item in items}
    assert faults == []


def test_readings_that_the_transcriptions_do_not_support_are_left_to_write_by_hand(settled: Applied) -> None:
    texts = "en: {lines: '3', reading: a}, he: {lines: '4', reading: a}, ru: {lines: '5', reading: two}"
    _, items, _ = settled(record("play.turn", texts, "differ"))
    (item,) = (each for each in items if each.path == "play.turn")
    assert item.sort == "by hand"
    assert "a: en 3, he 4; two: ru 5" in item.message


def test_a_fork_cites_what_each_text_admits(settled: Applied) -> None:
    texts = "en: {lines: '9', open: [two, three]}, he: {lines: '10', reading: three}, ru: {lost: true}"
    text, _, faults = settled(record("{fork: most}, score.most", texts, "vague"))
    readings = '  two: "two at most"\n' + row('  three: "three at most"', "[he 10]")
    assert row("fork most", "[en 9]") + readings in text
    assert row("score most: if most = two then 1 else 0", "[en 9] [he 10]") in text
    assert faults == []


def test_an_open_question_with_a_fork_is_settled_for_the_clauses_that_use_it(settled: Applied) -> None:
    texts = "en: {lines: '7', open: [two, three]}, he: {lines: '8', open: [two, three]}, ru: {lost: true}"
    text, items, _ = settled(record("{fork: most}, score.last", texts, "open"))
    assert "score.last" not in {item.path for item in items if item.sort == "by hand"}
    assert row("score last: stones", "[en 7] [he 8]") in text


def test_an_open_question_needs_a_fork(settled: Applied) -> None:
    """Even if the transcriptions happen to differ in the same way as the texts."""
    doubt = "open: [two, three]"
    texts = f"en: {{lines: '3', reading: two}}, he: {{lines: '4', {doubt}}}, ru: {{lines: '5', {doubt}}}"
    _, items, faults = settled(record("play.turn", texts, "vague"))
    (item,) = (each for each in items if each.path == "play.turn" and each.sort == "by hand")
    assert "write a fork" in item.message
    assert [each.message for each in faults if each.code.code == "K123"] == [
        "`he`, `ru` leave a question open, and the decision names no fork of the game for it"
    ]


def test_a_fork_that_contradicts_the_decision_is_reported(settled: Applied) -> None:
    _, items, faults = settled(record("{fork: most}", "en: {lines: '9', reading: a}"))
    (item,) = (each for each in items if each.path == "fork most")
    assert "the fork can go" in item.message
    assert [each.message for each in faults if each.code.code == "K123"] == ["the fork `most` has no reading `a`"]


def test_a_fork_must_cite_the_texts_that_decide_it(settled: Applied, tmp_path: Path) -> None:
    settled("[]")
    decided, _ = read_decisions(record("{fork: most}", "en: {lines: '9', reading: two}"), "c.yaml", TEXTS)
    faults = check_collation([read_game(tmp_path / "heap").game.module], [], decided)
    assert [each.message for each in faults] == ["`en` reads `two`, but the fork `most` does not cite it there"]


def test_decided_readings_without_a_clause_are_left_to_write_by_hand(settled: Applied) -> None:
    one = record("", "en: {lines: '9', reading: a}").replace("  why", "  suggest: play.end\n  why")
    _, items, faults = settled(one + record("play.none", "en: {lines: '9', reading: a}"))
    assert {item.path for item in items if item.sort == "by hand"} == {"play.end", "play.none"}
    assert "K120" in {each.code.code for each in faults}


def test_a_rule_that_no_text_states_needs_no_clause(settled: Applied) -> None:
    _, _, faults = settled(record("play.other", "en: {silent: '9'}, he: {silent: '4'}, ru: {silent: '5'}", "none"))
    assert "K120" not in {each.code.code for each in faults}


def test_a_check_finds_undecided_clauses(settled: Applied, tmp_path: Path) -> None:
    settled("[]")
    (tmp_path / "he.ludex").write_text(
        "edition he of heap\n\nplay\n  turn: stones -= 3  [he 4]\n  more: nothing  [he 5]\n\n"
        "score last: stones  [he 99]\n",
        encoding="utf-8",
    )
    read = read_game(tmp_path / "heap")
    again = read_transcriptions([tmp_path / "he.ludex"], "heap", read.documents, Diagnostics())
    decided, _ = read_decisions(record("score.last", "en: {lines: '1', reading: a}"), "c.yaml", TEXTS)
    faults = list(check_collation([read.game.module], again, decided))
    assert [(each.code.code, each.span.line) for each in faults if each.code.code == "K122"] == [
        ("K122", 4),
        ("K122", 5),
    ]
    messages = [each.message for each in faults if each.code.code == "K121"]
    assert messages == [
        "`score.last` cites en 7, which the decision does not name",
        "no clause of this decision cites en 1",
    ]


FAULTS = {
    "a: 1": ("K110", 1),
    "- clauses: [x]": ("K110", 1),
    record("x", "en: {lines: x, reading: a}"): ("K110", 4),
    record("x", "en: {reading: a}"): ("K110", 4),
    record("x", "en: {silent: '1'}").replace("same", "alike"): ("K110", 2),
    record("x", "en: {silent: '1'}") + "  wyh: x\n": ("K110", 6),
    record("x", "en: {lines: '0', reading: a}"): ("K110", 4),
    record("x", "en: {lines: '٣', reading: a}"): ("K110", 4),
    record("x", "en: {lines: 1000000, reading: a}"): ("K110", 4),
    record("x", "en: {lines: '9-5', reading: a}"): ("K110", 4),
    record("x", "en: {lines: '5', open: [a, a]}"): ("K110", 4),
    record("x, x", "en: {silent: '1'}"): ("K110", 1),
    record("x", "en: {lost: false}"): ("K110", 4),
    record("x", "en: {silent: '1'}") + "  readers: 0\n": ("K110", 6),
    record("x", "en: {silent: '1'}") + "  about: {}\n": ("K110", 6),
    record("x", "en: {lines: '1', reading: a}").replace("same", "differ"): ("K113", 1),
    record("x", "en: {lines: '1', reading: a}").replace("same", "none"): ("K113", 1),
    record("x", "de: {silent: '1'}"): ("K111", 4),
    record("x", "en: {lines: '1', reading: b}"): ("K111", 4),
    record("x", "en: {silent: '1'}") + record("x", "en: {silent: '1'}"): ("K112", 6),
    "- [": ("C201", 1),
    "": ("K110", 1),
    "- x\n" * 400_000: ("C208", 1),
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: text[:30])
def test_faults_are_reported_at_their_places(text: str) -> None:
    _, faults = read_decisions(text, "c.yaml", TEXTS)
    assert [(each.code.code, each.span.line) for each in faults][:1] == [FAULTS[text]]
    assert "something else" not in str(faults)


def test_reversed_line_ranges_are_marked() -> None:
    _, (fault,) = read_decisions(record("x", "en: {silent: '9-5'}"), "c.yaml", TEXTS)
    assert (fault.span.column, fault.span.end_column) == (24, 29)


def test_there_is_one_schema_and_it_lists_the_texts() -> None:
    schema = decisions_schema(TEXTS)
    checker = validator(schema)
    checker.check_schema(schema)
    good: Any = {"clauses": ["x"], "verdict": "same", "readings": {}, "why": "", "texts": {"en": {"silent": 1}}}
    assert checker.is_valid([good])
    assert not checker.is_valid([{**good, "texts": {"de": {"silent": 1}}}])


@pytest.mark.parametrize("game", COLLATED)
def test_decisions_of_the_shipped_games_are_read(game: str) -> None:
    read = read_game(game)
    path = read.folder / "collation.yaml"
    assert read_decisions(path.read_text(encoding="utf-8"), path.name, read.names)[1] == ()
