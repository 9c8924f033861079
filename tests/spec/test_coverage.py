"""Coverage in both directions: lines without clauses, and clauses without lines; as data and as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.spec import not_confirmed, read_game
from ludex.spec.sources.citations import check_sources
from ludex.spec.sources.coverage import (
    COVERAGE_MARKS,
    LineState,
    LineTally,
    coverage_findings,
    legend,
    listing_text,
    measure,
    strip,
    strip_text,
    summary_text,
    textless_text,
)
from ludex.spec.sources.texts import CitedGame, LineClass, TextWords

from .sources_book import BOOK, CLASSES, clause, codes, confirmed, game, part, stored, whole


def marks(cited: CitedGame) -> str:
    return strip(measure(cited).documents[0].lines)


def changed(number: int) -> tuple[str, ...]:
    return (*BOOK[: number - 1], "Something else.", *BOOK[number:])


# ---- text without clause -----------------------------------------------------------------------------------------


def test_a_covered_book_has_no_findings() -> None:
    document = measure(game()).documents[0]
    assert strip(document.lines) == "h.frr.err-"
    assert document.tally == LineTally(5, 5, 0, 0)
    assert document.tally.is_full
    assert coverage_findings(measure(game())) == ()
    assert [(c.edition, c.path, c.kind) for c in document.lines[6].clauses] == [("en", "ann", "example")]


def test_an_uncovered_book_is_reported_by_its_lines() -> None:
    assert marks(game([])) == "h.fRR.ERR-"
    reports = coverage_findings(measure(game([])))
    assert [report.message for report in reports] == [
        "lines 4-9 of `en` (5 lines, rule and example) are cited by no clause"
    ]


def test_uncovered_lines_are_reported_in_runs() -> None:
    reports = coverage_findings(measure(game(whole()[1:3])))
    assert codes(reports) == ["A230", "A230"]
    assert [report.message for report in reports] == [
        "line 4 of `en` (rule) is cited by no clause",
        "lines 8-9 of `en` (2 lines, rule) are cited by no clause",
    ]
    assert str(reports[1].span) == "sources/en.lines:13:1"
    assert str(coverage_findings(measure(game(whole()[1:3], words=BOOK)))[1].span) == "books/snails.txt:8:1"


def test_a_mark_of_silence_covers_nothing_and_is_listed() -> None:
    cited = game([*whole()[1:], clause("silent.setup.more", 4, kind="silent")])
    assert marks(cited) == "h.fRr.err-"
    (report,) = coverage_findings(measure(cited))
    assert report.message == "line 4 of `en` (rule) is cited by no clause"
    assert "en:silent.setup.more" in listing_text(measure(cited).documents[0].lines)


def test_an_example_may_be_covered_by_any_clause_and_a_rule_by_an_example() -> None:
    swapped = [*whole()[:1], clause("x", 7), clause("y", 5, kind="example"), *whole()[3:]]
    assert measure(game(swapped)).documents[0].tally.is_full


def test_a_stale_citation_covers_nothing() -> None:
    cited = game(lock=confirmed(whole(), changed(5)))
    document = measure(cited).documents[0]
    assert strip(document.lines) == "h.fr!.err-"
    assert document.tally == LineTally(5, 4, 1, 0)
    assert document.lines[4].state is LineState.STALE
    assert codes(coverage_findings(measure(cited))) == [], "the stale citation must have a report of its own"


def test_a_good_citation_covers_beside_a_stale_one() -> None:
    clauses = [*whole(), clause("again", 5)]
    lock = confirmed(clauses, changed(5))
    mixed = replace(lock, confirmations=(*lock.confirmations[:-1], confirmed(clauses).confirmations[-1]))
    assert marks(game(clauses, lock=mixed)) == "h.frr.err-"


@pytest.mark.parametrize("span", [(4, 99), (9, 4)])
def test_a_faulty_citation_covers_nothing(span: tuple[int, int]) -> None:
    assert marks(game([clause("all", span)])) == "h.fRR.ERR-"


def test_a_citation_of_too_many_lines_covers_nothing_and_is_reported_once() -> None:
    text = stored([f"Line {n}." for n in range(20)], [LineClass.RULE] * 20)
    cited = game([clause("all", (1, 20))], text=text, lock=None)
    assert marks(cited) == "R" * 20
    assert codes(check_sources(cited)) == ["A205"]
    assert coverage_findings(measure(cited)) == ()


def test_an_unclassified_line_is_reported() -> None:
    assert marks(game(words=changed(3))) == "h.?rr.err-"


def test_a_changed_rule_has_no_class_and_its_clause_is_stale() -> None:
    assert marks(game(words=changed(5))) == "h.fr?.err-"


def test_a_document_that_is_not_recorded_is_left_out() -> None:
    cited = game()
    lost = replace(cited, sources=(replace(cited.sources[0], stored=None),))
    assert measure(lost).documents == ()


# ---- texts -------------------------------------------------------------------------------------------------------


def test_texts_that_share_a_document_are_measured_together_and_apart() -> None:
    clauses = [*whole()[:3], clause("end", (8, 9), edition="en.aid")]
    cited = game(clauses, parts=[part((1, 7)), part((8, 10), edition="en.aid")])
    document = measure(cited).documents[0]
    assert document.tally == LineTally(5, 5, 0, 0)
    assert [(each.edition, strip(each.lines)) for each in document.editions] == [("en", "h.frr.e"), ("en.aid", "rr-")]


def test_a_line_of_two_texts_is_cited_by_both() -> None:
    parts = [part((1, 7), (8, 10)), part((4, 5), edition="en.aid")]
    both = [*whole(), clause("aid", 4, edition="en.aid")]
    coverage = measure(game(both, parts=parts))
    assert [strip(each.lines) for each in coverage.documents[0].editions] == ["h.frr.err-", "rR"]
    (report,) = coverage_findings(coverage)
    assert (report.code.code, report.message) == (
        "A230",
        "line 5 of `en` (rule) is cited by no clause of the text `en.aid`",
    )
    assert coverage_findings(measure(game([*both, clause("aid.move", 5, edition="en.aid")], parts=parts))) == ()


def test_a_line_of_two_texts_that_nobody_cites_is_reported_once() -> None:
    parts = [part(), part((4, 5), edition="en.aid")]
    (report,) = coverage_findings(measure(game(whole()[2:], parts=parts)))
    assert report.message == "lines 4-5 of `en` (2 lines, rule) are cited by no clause"


def test_a_text_is_not_covered_by_clauses_of_another() -> None:
    clauses = [*whole(), *(clause(f"aid{n}", n, edition="en.aid") for n in (4, 5))]
    document = measure(game(clauses, parts=[part(), part(edition="en.aid")])).documents[0]
    assert [each.tally for each in document.editions] == [LineTally(5, 5, 0, 0), LineTally(5, 2, 0, 3)]


def test_lines_of_no_text_are_reported_once() -> None:
    cited = game(whole()[:2], parts=[part((1, 8))])
    reports = (*check_sources(cited), *coverage_findings(measure(cited)))
    assert [(report.code.code, report.message) for report in reports] == [
        ("A216", "no text's part of `en` holds line 9; the texts are `en`"),
        ("A230", "lines 7-8 of `en` (2 lines, rule and example) are cited by no clause"),
    ]


def test_shared_clauses_cover_every_text() -> None:
    clauses = [replace(each, edition="snails") for each in whole()]
    document = measure(game(clauses, parts=[part((1, 5)), part((6, 10), edition="en.aid")])).documents[0]
    assert [each.tally.is_full for each in document.editions] == [True] * 2


# ---- clause without text -----------------------------------------------------------------------------------------


def test_clauses_without_a_text_are_listed_with_their_authority() -> None:
    clauses = [*whole(), clause("tie", ruling="nobody wins a tie"), clause("loose")]
    coverage = measure(game(clauses))
    assert [(each.path, each.rests_on, each.reasons) for each in coverage.textless] == [
        ("tie", "ruling", ("nobody wins a tie",)),
        ("loose", "nothing", ()),
    ]
    rows = textless_text(coverage.textless).splitlines()
    assert rows[0].endswith('en:tie (step), by ruling "nobody wins a tie"')
    assert rows[1].endswith("en:loose (step), without any authority")


# ---- as text -----------------------------------------------------------------------------------------------------


def test_the_strip_is_written_in_rows() -> None:
    lines = measure(game()).documents[0].lines
    assert strip_text(lines, 15) == " 1 h.frr.err-"
    text = [f"Line {n}." for n in range(25)]
    many = measure(game([], text=stored(text, [LineClass.RULE] * 25))).documents[0].lines
    assert strip_text(many, 13) == f" 1 {'R' * 10}\n11 {'R' * 10}\n21 {'R' * 5}"
    assert strip_text((), 80) == ""


def test_the_legend_explains_all_signs() -> None:
    assert legend("h.r") == "r  rule, covered\nh  heading\n.  blank"
    assert len(legend().splitlines()) == len(COVERAGE_MARKS)


def test_the_listing_has_a_row_for_each_line() -> None:
    cited = game(lock=confirmed(whole(), changed(5)), words=BOOK)
    lines = measure(cited).documents[0].lines
    assert listing_text(lines[3:5]).splitlines() == [
        "r 4  rule, covered  [en:setup.snails]",
        "! 5  rule, stale  [en:turn.move (stale)]",
    ]
    rows = listing_text(lines, TextWords("b", BOOK)).splitlines()
    assert len(rows) == 2 * 8
    assert rows[1].strip() == BOOK[0]
    chosen = listing_text(lines, wanted=lambda line: line.state is LineState.STALE)
    assert chosen == "!  5  rule, stale  [en:turn.move (stale)]"
    assert listing_text(()) == ""


def test_the_summary_counts_lines_and_clauses() -> None:
    clauses = [*whole()[:3], clause("end", 8, edition="en.aid"), clause("tie", ruling="r"), clause("loose")]
    cited = game(clauses, parts=[part((1, 7)), part((8, 10), edition="en.aid")])
    assert summary_text(measure(cited)).splitlines() == [
        "en (snails.txt): 10 lines, 4 of 5 rule and example lines covered (1 uncovered)",
        "  text en: 3 of 3 rule and example lines covered",
        "  text en.aid: 1 of 2 rule and example lines covered (1 uncovered)",
        "clauses without a text: 2 (1 by ruling, 1 without any authority)",
    ]


@given(st.lists(st.tuples(st.integers(-2, 14), st.integers(-2, 14)), max_size=6), st.lists(st.sampled_from(BOOK)))
def test_the_counts_add_up(spans: list[tuple[int, int]], words: list[str]) -> None:
    clauses = [clause(f"c{n}", span) for n, span in enumerate(spans)]
    for cited in (game(clauses), game(clauses, words=words)):
        document = measure(cited).documents[0]
        counted = document.tally
        assert counted.covered + counted.stale + counted.uncovered == counted.needed
        assert counted.needed == sum(line.line_class.needs_clause for line in document.lines)
        assert len(strip(document.lines)) == len(document.lines)
        assert set(strip(document.lines)) <= set(COVERAGE_MARKS)
    assert len(CLASSES) == len(BOOK)


def test_the_strip_of_a_part_leaves_other_lines_blank() -> None:
    many = measure(
        game(
            [],
            text=stored([f"Rule {n}." for n in range(40)], [LineClass.RULE] * 40),
            parts=[part((3, 4), (7, 7), (36, 38))],
        )
    )
    assert strip_text(many.documents[0].editions[0].lines, 13) == " 3 RR  R\n33    RRR"


# ---- several texts ----------------------------------------------------------------------------------------------

TWO_TEXTS = """\
game sample
  players: 2
  document: ru "ru.txt", en "en.txt"

play
  turns: repeat 2 times                                         [ru 1] [en 1]
    each player in seats
      turn: nothing                                             [ru 2]
"""


@pytest.mark.parametrize(
    ("silence", "told"),
    [("", ["A233"]), ("        silent en                                               [en 1]\n", [])],
)
def test_unconfirmed_citations_of_a_text_are_listed(tmp_path: Path, silence: str, told: list[str]) -> None:
    (tmp_path / "sample.ludex").write_text(TWO_TEXTS + silence, encoding="utf-8")
    unconfirmed = list(not_confirmed(read_game(tmp_path / "sample.ludex")))
    assert [fault.code.code for fault in unconfirmed] == told
    assert [fault.message for fault in unconfirmed] == ["it is not said whether `en` states `play.turns.turn`"] * len(
        told
    )
