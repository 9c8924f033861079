"""Citations checked against the text: every fault is reported once, at its place, with a useful hint."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.spec.sources.citations import LONGEST_SPAN, CitationStatus, check_sources, cited_spans
from ludex.spec.sources.texts import CitedClause, CitedGame, Confirmation, DocumentPart, LineClass, Lock, TextWords

from .sources_book import BOOK, CLASSES, HEADER, cite, clause, codes, confirmed, game, part, stored, whole

LONG = tuple(f"Rule number {n} of a long page." for n in range(1, 31))


def changed(number: int, line: str = "Something else.") -> tuple[str, ...]:
    return (*BOOK[: number - 1], line, *BOOK[number:])


def only(cited: CitedGame) -> tuple[str, str, str | None]:
    """Return code, message and hint of the only report."""
    reports = check_sources(cited)
    assert len(reports) == 1, [f"{report.code.code} {report.message}" for report in reports]
    return reports[0].code.code, reports[0].message, reports[0].hint


def test_a_faultless_game_has_no_report() -> None:
    assert check_sources(game()) == ()
    assert check_sources(game(words=BOOK)) == ()
    assert check_sources(game(parts=[part()])) == ()


# ---- citations ---------------------------------------------------------------------------------------------------


def test_an_unknown_document_is_reported_with_the_nearest() -> None:
    code, message, hint = only(game([*whole(), clause("a.b", 4, document="enn")]))
    assert (code, message) == ("A201", "`enn` is not a document of this game")
    assert hint == "did you mean `en`?"


def test_a_citation_in_a_game_without_documents_is_reported() -> None:
    code, message, hint = only(CitedGame((), (), (clause("a.b", 4),)))
    assert (code, message, hint) == ("A201", "this game names no document to cite", None)


@pytest.mark.parametrize("span", [(11, 11), (9, 11), (0, 4)])
def test_lines_out_of_range_are_reported(span: tuple[int, int]) -> None:
    code, message, _ = only(game([*whole(), clause("a.b", span)]))
    assert code == "A202"
    assert "`en` has the lines 1 to 10" in message


def test_reversed_lines_are_reported() -> None:
    code, message, hint = only(game([*whole(), clause("a.b", (8, 4))]))
    assert (code, message) == ("A203", "the span 8-4 ends before it begins")
    assert hint == "write `4-8`"


@pytest.mark.parametrize("span, words", [(2, "line 2"), (10, "line 10"), ((6, 6), "line 6")])
def test_lines_without_text_are_reported_with_the_nearest(span: tuple[int, int] | int, words: str) -> None:
    code, message, hint = only(game([*whole(), clause("a.b", span)]))
    assert (code, message) == ("A204", f"there is no text in {words} of `en`")
    assert hint
    assert "the nearest rule or example is line" in hint


def test_a_span_that_is_too_long_is_reported() -> None:
    text = stored(LONG, [LineClass.RULE] * 30)
    longest, longer = clause("a.b", (1, LONGEST_SPAN)), clause("a.c", (1, LONGEST_SPAN + 1))
    assert check_sources(game([longest], text=text, lock=confirmed([longest], LONG))) == ()
    code, message, _ = only(game([longer], text=text, lock=confirmed([longer], LONG)))
    assert code == "A205"
    assert "has 13 lines of text; one span may have at most 12" in message


def test_blank_lines_do_not_make_a_span_long() -> None:
    lines = tuple(line for pair in zip(LONG[:12], [""] * 12, strict=True) for line in pair)
    text = stored(lines, [LineClass.RULE, LineClass.BLANK] * 12)
    spread = clause("a.b", (1, 24))
    assert check_sources(game([spread], text=text, lock=confirmed([spread], lines))) == ()


def test_lines_of_another_text_are_reported() -> None:
    parts = [part((1, 7)), part((8, 10), edition="en.aid")]
    clauses = [*whole()[:3], clause("end", (8, 9), edition="en.aid"), clause("a.b", 8)]
    code, message, hint = only(game(clauses, parts=parts))
    assert (code, message) == ("A206", "the text `en` is in another part of `en` than line 8")
    assert hint == "it belongs to the text `en.aid`"


def test_the_shared_file_may_cite_any_part() -> None:
    parts = [part((1, 5)), part((6, 10), edition="en.aid")]
    shared = [replace(each, edition="snails") for each in whole()]
    assert check_sources(game(shared, parts=parts)) == ()


def test_a_citation_of_a_changed_line_is_stale() -> None:
    lock = confirmed(whole(), changed(5))
    code, message, hint = only(game(lock=lock))
    assert (code, message) == ("A207", "the text of line 5 of `en` has changed since this citation was confirmed")
    assert hint
    assert "--confirm turn.move" in hint


def test_a_stale_citation_says_where_its_text_is_now() -> None:
    text = ("New title page", *BOOK)
    moved = game(text=stored(text, [LineClass.HEADING, *CLASSES]))
    hints = {report.code.code: report.hint for report in check_sources(moved)}
    assert hints == {"A207": "the confirmed text is at 9-10 now"}, (
        "lines that only moved must not be reported as miscounted"
    )
    assert len(check_sources(moved)) == len(whole())


def test_a_citation_past_the_end_says_where_its_text_is_now() -> None:
    text = BOOK[6:]
    code, _, hint = only(game(whole()[3:], text=stored(text, CLASSES[6:])))
    assert (code, hint) == ("A202", "the confirmed text is at 2-3 now")


def test_a_new_citation_is_unconfirmed() -> None:
    new = clause("a.b", 4, (8, 9))
    code, message, hint = only(game([*whole(), new], lock=confirmed(whole())))
    assert (code, message) == ("A208", "nobody has confirmed yet that this clause follows lines 4, 8-9 of `en`")
    assert hint
    assert "--record" in hint


def test_a_game_never_recorded_has_one_report() -> None:
    code, message, _ = only(game(lock=Lock("sources/en.lock", exists=False)))
    assert (code, message) == ("A208", "no citation of `en` is confirmed yet (4 spans are cited)")


def test_a_confirmation_without_a_citation_is_reported() -> None:
    gone = Confirmation("en", "turn.jump", 4, 5, "0" * 16, row=7)
    lock = confirmed(whole())
    code, message, _ = only(game(lock=replace(lock, confirmations=(*lock.confirmations, gone))))
    assert (code, message) == ("A209", "`turn.jump` of `en` does not cite lines 4-5 any more")
    assert not check_sources(game(lock=Lock("l", (*lock.confirmations, gone))))[0].is_error


def test_faults_of_one_citation_share_a_report_and_faults_of_two_do_not() -> None:
    one = clause("a.b", 40, 50, 4)
    two = CitedClause("en", "a.c", "step", one.span, (cite(40), cite(50)))
    assert codes(check_sources(game([*whole(), one]))) == ["A202"]
    assert codes(check_sources(game([*whole(), two]))) == ["A202", "A202"]


# ---- what is stored ----------------------------------------------------------------------------------------------


def test_a_line_without_a_class_is_reported() -> None:
    kinds = [*CLASSES[:2], LineClass.UNCLASSIFIED, *CLASSES[3:]]
    cited = game(text=stored(classes=kinds))
    assert only(cited)[:2] == ("A214", "line 3 of `en` has no class yet")
    assert check_sources(cited)[0].span.line == 8


@pytest.mark.parametrize("lines", [(1, 11), (0, 10), (9, 3)])
def test_a_part_outside_the_document_is_reported(lines: tuple[int, int]) -> None:
    assert codes(check_sources(game([], parts=[part(lines)]))) == ["A215"]


def test_a_line_in_no_part_is_reported() -> None:
    code, message, _ = only(game(whole()[:2], parts=[part((1, 6)), part((8, 8), (10, 10), edition="en.aid")]))
    assert (code, message) == ("A216", "no text's part of `en` holds lines 7, 9; the texts are `en`, `en.aid`")


def test_a_heading_in_no_part_is_reported_and_a_line_without_text_is_not() -> None:
    code, message, _ = only(game([], parts=[part((5, 5)), part((7, 9), edition="en.aid")]))
    assert (code, message) == ("A216", "no text's part of `en` holds lines 1, 3-4; the texts are `en`, `en.aid`")


def test_a_part_of_several_spans() -> None:
    parts = [part((1, 4), (8, 9)), part((5, 5), (7, 7), edition="en.aid")]
    clauses = (whole()[0], whole()[3], clause("aid", 5, edition="en.aid"), clause("ann", 7, edition="en.aid"))
    assert check_sources(game(clauses, parts=parts)) == ()


def test_a_citation_across_the_gap_of_a_part_is_reported() -> None:
    aid = clause("aid", 3, edition="en.aid")
    parts = [part((1, 2), (4, 10)), part((3, 3), edition="en.aid")]
    across = game([*whole(), aid, clause("a.b", (1, 4))], parts=parts)
    code, message, hint = only(across)
    assert (code, message) == ("A206", "the text `en` is in another part of `en` than line 3")
    assert hint == "it belongs to the text `en.aid`"


def test_a_gap_of_lines_without_text_does_not_divide_a_part() -> None:
    parts = [part((1, 1), (3, 5), (7, 9)), part((10, 10), edition="en.aid")]
    clauses = (whole()[0], clause("a.b", (5, 7)), whole()[3])
    assert check_sources(game(clauses, parts=parts)) == ()


def test_a_document_of_another_text_is_reported() -> None:
    foreign = DocumentPart("he", "he", None, part().span)
    clauses = [*whole(), clause("a.b", 4, edition="he")]
    code, message, hint = only(game(clauses, parts=[part(), foreign]))
    assert (code, message) == ("A206", "the text `he` is not in `en`")
    assert hint == "it belongs to the text `en`"


def test_clauses_of_no_text_may_cite_any() -> None:
    clauses = [*whole(), clause("a.b", 4, edition="snails"), clause("a.b", 4, edition="house")]
    assert check_sources(game(clauses, parts=[part()])) == ()


def test_a_broken_file_is_not_reported_again_for_every_citation() -> None:
    assert check_sources(CitedGame((replace(game().sources[0], stored=None),), (), whole())) == ()
    assert check_sources(CitedGame((replace(game().sources[0], lock=None),), (), whole())) == ()


# ---- the text at hand --------------------------------------------------------------------------------------------


def test_a_changed_line_is_reported_and_makes_its_citations_stale() -> None:
    reports = check_sources(game(words=changed(5)))
    assert codes(reports) == ["A220", "A207"]
    assert reports[0].message == "line 5 of `en`, as it was recorded, is another line now"
    assert str(reports[0].span) == "books/snails.txt:5:1"


def test_an_added_line_is_reported() -> None:
    reports = check_sources(game(words=(*BOOK[:7], "Snails never bite.", *BOOK[7:])))
    assert codes(reports) == ["A220", "A207"]
    assert reports[0].message == "line 8 is a line that `en` did not have"
    assert reports[1].hint == "the confirmed text is at 9-10 now"


def test_a_removed_line_is_reported() -> None:
    reports = check_sources(game(words=(*BOOK[:2], *BOOK[3:])))
    assert codes(reports)[0] == "A220"
    assert reports[0].message == "line 3 of `en`, as it was recorded, is not in the text at hand"
    assert str(reports[0].span) == "sources/en.lines:8:1"


def test_a_removed_last_line_takes_its_citation_out_of_range() -> None:
    last = clause("a.b", 9)
    reports = check_sources(game([*whole()[:3], last], words=BOOK[:8]))
    assert codes(reports) == ["A220", "A220", "A202"]


def test_a_different_text_is_one_report() -> None:
    clauses = [clause("a.b", 3)]
    text = stored(LONG, [LineClass.RULE] * 30)
    other = tuple(f"A sentence {n} of another book." for n in range(40))
    code, message, _ = only(game(clauses, text=text, lock=confirmed(clauses, LONG), words=other))
    assert (code, message) == ("A221", "30 of the recorded lines of `en`, more than half, are not in this text")


# ---- laws --------------------------------------------------------------------------------------------------------


@st.composite
def cited_books(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[CitedClause, ...]]:
    """Strategy for books of distinct lines, with clauses that cite some of them."""
    count = draw(st.integers(1, 25))
    lines = tuple(draw(st.sampled_from(["", f"Sentence {n}."])) for n in range(count))
    spans = st.tuples(st.integers(1, count), st.integers(0, 6)).map(lambda p: (p[0], min(count, p[0] + p[1])))
    clauses = draw(st.lists(st.lists(spans, min_size=1, max_size=3, unique=True), max_size=8))
    return lines, tuple(clause(f"clause.c{n}", *chosen) for n, chosen in enumerate(clauses))


def kinds_of(lines: tuple[str, ...]) -> list[LineClass]:
    return [LineClass.RULE if line else LineClass.BLANK for line in lines]


@given(cited_books(), st.booleans())
def test_an_unchanged_text_is_never_stale(book: tuple[tuple[str, ...], tuple[CitedClause, ...]], at_hand: bool) -> None:
    lines, clauses = book
    text = stored(lines, kinds_of(lines))
    cited = game(clauses, text=text, lock=confirmed(clauses, lines), words=lines if at_hand else None)
    assert {span.status for span in cited_spans(cited)} <= {CitationStatus.CONFIRMED, CitationStatus.EMPTY}


@given(cited_books(), st.data())
def test_one_changed_line_makes_exactly_its_clauses_stale(
    book: tuple[tuple[str, ...], tuple[CitedClause, ...]], data: st.DataObject
) -> None:
    lines, clauses = book
    rules = [n for n, line in enumerate(lines, start=1) if line]
    if not rules:
        return
    number = data.draw(st.sampled_from(rules))
    now = (*lines[: number - 1], "A line never seen before.", *lines[number:])
    cited_game = game(clauses, text=stored(lines, kinds_of(lines)), lock=confirmed(clauses, lines), words=now)
    for span in cited_spans(cited_game):
        assert (span.status is CitationStatus.STALE) == (span.first <= number <= span.last)
    expected = {c.path for c in clauses if any(a <= number <= b for cited in c.citations for a, b in cited.lines)}
    assert {span.clause.path for span in cited_spans(cited_game) if span.status is CitationStatus.STALE} == expected


WILD = st.integers(-3, 40) | st.just(10**30)


@given(st.lists(st.lists(st.tuples(WILD, WILD), max_size=3), max_size=6), st.lists(st.text(max_size=9), max_size=30))
def test_no_citation_and_no_text_ever_raises(spans: list[list[tuple[int, int]]], words: list[str]) -> None:
    clauses = [clause(f"c{n}", *chosen) for n, chosen in enumerate(spans)]
    for cited in (game(clauses), game(clauses, words=words)):
        assert all(report.message and report.span.line >= 1 for report in check_sources(cited))


def test_without_a_record_nothing_is_reported() -> None:
    source = replace(game().sources[0], stored=None, words=TextWords("b", BOOK))
    assert source.document is HEADER
    assert source.present is None
    assert check_sources(CitedGame((source,), (), whole())) == ()
