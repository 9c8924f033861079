"""Excerpts: the carets are below the marked words, whatever characters precede them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.cli.reporting.source_excerpts import Texts, cells, excerpt, padded, visible
from ludex.grammar import Span, whole_file


def span(column: int, end: int, line: int = 1, end_line: int = 1) -> Span:
    return Span("x", line, column, end_line, end)


def under(line: str, word: str, width: int = 80) -> tuple[int, int]:
    """Return the terminal column where the word begins, and the number of carets below it."""
    start = line.index(word)
    shown = excerpt(line, span(start + 1, start + len(word) + 1), width)
    assert shown.marked == visible(word) or "…" in shown.marked
    blank = len(shown.carets) - len(shown.carets.lstrip(" "))
    assert blank == cells(shown.before)
    return blank, shown.carets.count("^")


@pytest.mark.parametrize(
    ("line", "word", "place"),
    [
        ("token := 5", "5", (9, 1)),
        ("карта := пять", "пять", (9, 4)),
        ("\ttoken := 5", "token", (4, 5)),
        ("a\tb c", "c", (7, 1)),
        ("漢字 = kanji", "kanji", (7, 5)),
        ("x = 漢字", "漢字", (4, 4)),
        ("cafe\u0301 = 1", "1", (7, 1)),
        ("a\u200bb = 1", "1", (13, 1)),
        ("מלך = king", "king", (6, 4)),
        ("🎲 = die", "die", (5, 3)),
        ('{"player": "😀😀😀", "action"', '"action"', (21, 8)),
        ("❤\ufe0f = 1", "1", (5, 1)),
        ("👍🏽 = 1", "1", (5, 1)),
        ("🇩🇪 = 1", "1", (5, 1)),
        ("1\ufe0f\u20e3 = a", "a", (5, 1)),
        ("각 = 1", "1", (5, 1)),
    ],
)
def test_carets_are_below_their_word(line: str, word: str, place: tuple[int, int]) -> None:
    assert under(line, word) == place


def test_a_line_from_right_to_left_repeats_the_words() -> None:
    line = 'title: he "פוקר קון"'
    shown = excerpt(line, span(12, 16), 80)
    assert shown.words == "פוקר"
    assert excerpt("title", span(1, 3), 80).words is None


def test_a_span_without_width_has_one_caret() -> None:
    assert excerpt("ab", span(2, 2), 80).carets == " ^"
    assert excerpt("ab", span(3, 3), 80).carets == "  ^"
    assert excerpt("ab", span(99, 120), 80).carets == "  ^", "a span after the last character must have one caret"
    assert excerpt("", span(1, 1), 80).carets == "^"


def test_a_span_of_several_lines_is_marked_to_the_end_of_the_first() -> None:
    shown = excerpt("setup   ", span(1, 4, end_line=3), 80)
    assert (shown.marked, shown.carets) == ("setup", "^^^^^")


@pytest.mark.parametrize("width", [20, 40, 90])
@pytest.mark.parametrize("at", [0, 50, 400, 990])
@pytest.mark.parametrize("length", [1, 30, 600])
@pytest.mark.parametrize("letter", ["x", "я", "漢", "❤\ufe0f"])
def test_long_lines_are_cut_around_the_words(width: int, at: int, length: int, letter: str) -> None:
    line = letter * 1000
    shown = excerpt(line, span(at + 1, min(at + length, 1000) + 1), width)
    assert cells(shown.before + shown.marked + shown.after) <= width
    assert shown.marked
    assert shown.carets == " " * cells(shown.before) + "^" * cells(shown.marked)


def test_control_characters_are_made_visible() -> None:
    assert visible("a\x1b[2Jb") == "a␛[2Jb"
    assert visible("a\u202eb") == "a<U+202E>b"
    assert visible("\x9b\x7f\r") == "<U+009B>␡␍"
    assert visible("день 漢 שלום") == "день 漢 שלום"


def test_padding_counts_columns() -> None:
    assert padded("漢", 4) == "漢  "
    assert padded("e\u0301", 3, right=True) == "  e\u0301"


def test_lines_are_read_from_files_and_typed_texts() -> None:
    texts = Texts({"typed": "one\r\ntwo\n"})
    assert texts.line(Span("typed", 2, 1, 2, 4)) == "two"
    assert texts.line(Span("typed", 9, 1, 9, 4)) is None
    assert texts.line(whole_file("typed")) is None
    assert texts.line(Span("no such file", 1, 2, 1, 3)) is None
    assert texts.line(Span("spec/games/pig/pig.ludex", 1, 1, 1, 5)) == "game pig"


def test_shipped_games_are_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Texts().line(Span("spec/games/pig/pig.ludex", 1, 1, 1, 5)) == "game pig"


def test_the_time_for_an_excerpt_does_not_grow_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of millions of characters may have a thousand faults."""
    looked_at = 0

    def counting(text: str) -> str:
        nonlocal looked_at
        looked_at += len(text)
        return visible(text)

    monkeypatch.setattr("ludex.cli.reporting.source_excerpts.visible", counting)
    line = "x" * 2_000_000
    for start, end in ((1, 2), (1_000_000, 1_000_005), (1, len(line) + 1)):
        shown = excerpt(line, span(start, end), 80)
        assert cells(shown.before + shown.marked + shown.after) <= 80
    assert looked_at < 10_000
