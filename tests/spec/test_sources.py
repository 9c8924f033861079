"""Lines and fingerprints of a text, and the alignment of two versions of it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.spec.sources.texts import (
    BLANK,
    FINGERPRINT_LENGTH,
    LineChange,
    LineClass,
    TextWords,
    carry_classes,
    changes,
    fingerprint,
    normal_line,
    span_fingerprint,
    split_lines,
)

from .sources_book import BOOK, CLASSES, stored

UNSEEN = "\u00ad\u200b\u200d\u200e\u200f\u202b\u2060\u2066\ufe0f\ufeff"
LINES = st.lists(st.text(max_size=12), max_size=30)


@pytest.mark.parametrize(
    "text, lines",
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\n\nb", ("a", "", "b")),
        ("a\r\nb\rc\n", ("a", "b", "c")),
        ("a\x0cb\u2028c\nd", ("a\x0cb\u2028c", "d")),
    ],
)
def test_lines_are_counted_as_an_editor_counts_them(text: str, lines: tuple[str, ...]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    "one, other",
    [
        ("  two\t snails ", "two snails"),
        ("two\u00a0snails", "two snails"),
        ("sna\u00adils", "snails"),
        ("\ufeffsnails", "snails"),
        ("caf\u0065\u0301", "caf\u00e9"),
        ("e\u200d\u0301", "\u00e9"),
        ("\u0438\u0306", "\u0439"),
    ],
)
def test_invisible_differences_do_not_count(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize("one, other", [("snail", "Snail"), ("2-5", "2\u20135"), ("may, then", "may then")])
def test_visible_differences_count(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


@given(st.text())
def test_normalization_is_idempotent(line: str) -> None:
    once = normal_line(line)
    assert normal_line(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(), st.lists(st.tuples(st.integers(0, 40), st.sampled_from(UNSEEN)), max_size=8))
def test_invisible_characters_never_change_a_fingerprint(line: str, signs: list[tuple[int, str]]) -> None:
    dressed = line
    for place, sign in signs:
        dressed = dressed[:place] + sign + dressed[place:]
    assert fingerprint(dressed) == fingerprint(line)


@given(st.text())
def test_a_fingerprint_is_short_and_marks_blank_lines(line: str) -> None:
    mark = fingerprint(line)
    assert mark == BLANK if not normal_line(line) else len(mark) == FINGERPRINT_LENGTH


def test_each_line_has_its_own_fingerprint() -> None:
    marks = [fingerprint(line) for line in BOOK]
    assert span_fingerprint(marks, 4, 4) == marks[3]
    assert span_fingerprint(marks, 4, 5) != span_fingerprint(marks, 4, 6)


def test_only_rules_and_examples_need_a_clause() -> None:
    assert [kind for kind in LineClass if kind.needs_clause] == [LineClass.RULE, LineClass.EXAMPLE]


# ---- two versions ------------------------------------------------------------------------------------------------


def test_changed_added_removed_and_moved_lines_are_distinguished() -> None:
    assert changes("abcd", "abcd") == ()
    assert changes("abcd", "abxd") == (LineChange("changed", 3, 3),)
    assert changes("abcd", "abd") == (LineChange("removed", 3, None),)
    assert changes("abcd", "abxcd") == (LineChange("added", None, 3),)
    assert changes("abcdef", "bcdefa") == (LineChange("moved", 1, 6),)


@given(LINES, LINES)
def test_every_line_is_equal_or_accounted_for(old: list[str], new: list[str]) -> None:
    changed = changes(old, new)
    gone = [change.old for change in changed if change.old]
    come = [change.new for change in changed if change.new]
    assert len(set(gone)) == len(gone)
    assert len(set(come)) == len(come)
    kept_old = [line for n, line in enumerate(old, start=1) if n not in gone]
    kept_new = [line for n, line in enumerate(new, start=1) if n not in come]
    assert kept_old == kept_new
    assert all(old[c.old - 1] == new[c.new - 1] for c in changed if c.kind == "moved" and c.old and c.new)


def test_unchanged_lines_keep_their_class() -> None:
    text = [*BOOK[:3], "A new rule.", "", *BOOK[3:]]
    carried = carry_classes(stored(), TextWords("snails.txt", tuple(text)))
    kinds = [line.line_class for line in carried.lines]
    assert kinds == [*CLASSES[:3], LineClass.UNCLASSIFIED, LineClass.BLANK, *CLASSES[3:]]
    assert [line.number for line in carried.lines] == list(range(1, len(text) + 1))


def test_a_moved_line_keeps_its_class() -> None:
    text = (*BOOK[:3], *BOOK[7:9], *BOOK[3:7], BOOK[9])
    carried = carry_classes(stored(), TextWords("snails.txt", text))
    assert LineClass.UNCLASSIFIED not in {line.line_class for line in carried.lines}
    assert carried.line(6).line_class is LineClass.RULE


@given(LINES, LINES)
def test_no_line_gets_the_class_of_another(old: list[str], new: list[str]) -> None:
    kinds = [LineClass.RULE if normal_line(line) else LineClass.BLANK for line in old]
    carried = carry_classes(stored(old, kinds), TextWords("x", tuple(new)))
    known = {normal_line(line) for line in old}
    for line, words in zip(carried.lines, new, strict=True):
        plain = normal_line(words)
        expected = {LineClass.BLANK} if not plain else {LineClass.UNCLASSIFIED}
        assert line.line_class in (expected | {LineClass.RULE} if plain in known and plain else expected)
        assert line.fingerprint == fingerprint(words)


@given(LINES)
def test_an_unchanged_text_keeps_all_classes(lines: list[str]) -> None:
    kinds = [LineClass.RULE if normal_line(line) else LineClass.BLANK for line in lines]
    text = stored(lines, kinds)
    assert carry_classes(text, TextWords("x", tuple(lines))) == text
