"""Rulings of a team on rows: read, merged with another file, written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.spec import (
    RowRuling,
    Section,
    TextRow,
    joined_rulings,
    mark_of,
    notes_in,
    read_row_rulings,
    rulings_schema,
    rulings_text,
)
from ludex.spec.comparing.text_differences import AttestedReading

GOOD = 'game: nimm\nrulings:\n  - row: a.b\n    says: abc\n    decision: differ\n    counts: ru\n    comment: "so"\n'
FAULTS = {
    "nothing": ("", "D101", "the file is empty"),
    "no_name": (GOOD.replace("row: a.b", 'row: ""'), "D101", "this is empty"),
    "long_name": (
        GOOD.replace("row: a.b", f"row: {'a' * 401}"),
        "D101",
        "this is too long; 400 characters are allowed",
    ),
    "game": (
        GOOD.replace("nimm", "pig"),
        "D105",
        "these rulings are about the game `pig`, and not about `nimm`",
    ),
    "no_list": ("rulings: 3\n", "D101", "expected a list here"),
    "unknown": (GOOD + "more: 1\n", "D101", "`more` means nothing here"),
    "entry": (GOOD.replace("comment", "coment"), "D101", "`coment` means nothing here"),
    "missing": (GOOD.replace("    says: abc\n", ""), "D101", "this lacks `says`"),
    "number": (GOOD.replace("abc", "7"), "D101", "expected words here"),
    "decision": (GOOD.replace("differ", "maybe"), "D101", "expected one of same, differ, reading, publisher"),
    "text": (GOOD.replace("counts: ru", "counts: fr"), "D103", "the game has no text `fr`"),
    "twice": (GOOD + GOOD.partition("rulings:\n")[2], "D104", "there is a ruling on `a.b` already"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_one_fault_gives_one_report(name: str) -> None:
    text, code, message = FAULTS[name]
    _, faults = read_row_rulings(text, "rulings.yaml", ("ru", "en"), "nimm")
    assert [(fault.code.code, fault.message) for fault in faults] == [(code, message)]
    assert (faults[0].hint is not None) == (name in ("nothing", "text", "game"))


def test_a_file_that_is_no_yaml_has_a_fault_of_its_own() -> None:
    for text in ("rulings: [\n", "- a: &b 1\n  c: *b\n", "\x00"):
        rulings, faults = read_row_rulings(text, "rulings.yaml", ())
        assert not rulings
        assert faults


def test_an_empty_file_has_no_rulings() -> None:
    rulings, faults = read_row_rulings('rulings:\n  - {row: a, says: "x", decision: }\n', "f", ())
    assert not faults
    assert [each.content for each in rulings] == [("", "", "")]
    assert read_row_rulings("rulings:\n", "f", ()) == ((), ())


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"]), max_size=12)
RULINGS = st.builds(
    RowRuling,
    st.sampled_from(["a", "b.c", "1e3"]),
    st.sampled_from(["abc", "def"]),
    st.sampled_from(["", "same", "differ", "publisher"]),
    st.sampled_from(["", "ru"]),
    WORDS,
)
FILES = st.lists(RULINGS, max_size=3, unique_by=lambda each: each.row)


@given(FILES)
def test_written_rulings_are_read_back(rulings: list[RowRuling]) -> None:
    text = rulings_text("nimm", rulings, ("# ours",))
    read, faults = read_row_rulings(text, "f", ("ru",))
    assert not faults
    assert [replace(each, span=None) for each in read] == rulings
    assert notes_in(text)[0] == "# ours"


@given(FILES, FILES, FILES)
def test_merging_loses_no_ruling_and_no_comment(
    one: list[RowRuling], other: list[RowRuling], third: list[RowRuling]
) -> None:
    joined = joined_rulings(joined_rulings(one, other), third)
    kept = {
        (each.row, *content)
        for each in joined
        for content in (each.content, *(before.content for before in each.earlier))
    }
    assert {(each.row, *each.content) for each in (*one, *other, *third) if any(each.content)} <= kept
    again, faults = read_row_rulings(rulings_text("nimm", joined), "f", ("ru",))
    assert not faults
    assert [replace(each, span=None) for each in again] == [
        replace(each, earlier=tuple(replace(before, span=None) for before in each.earlier)) for each in joined
    ]


def test_of_two_files_the_newer_ruling_counts_unless_it_is_an_old_copy() -> None:
    ours = RowRuling("a", "abc", "same", "", "they agree")
    theirs = RowRuling("a", "abc", "differ", "ru", "they do not")
    (joined,) = joined_rulings([ours], [theirs])
    assert joined.content == theirs.content
    assert [each.content for each in joined.earlier] == [ours.content]
    assert joined_rulings([joined], [ours]) == (joined,), "an older copy must not count"
    assert joined_rulings([joined], [RowRuling("a", "abc")]) == (joined,), "an empty ruling must not count"
    (again,) = joined_rulings([joined], [replace(theirs, says="def")])
    assert again.says == "def"


def test_a_mark_depends_on_what_the_texts_say() -> None:
    text = (
        AttestedReading({"ru": ((4, 4),)}, {"en": "Three.", "ru": "Три."}),
        AttestedReading({"en": ((4, 4),)}, {"en": "Two."}),
    )
    row = TextRow(Section.CONTRADICTION, "a", ("a",), {}, text)
    mark = mark_of(row)
    assert mark_of(replace(row, about={"en": "more"}, why="so")) == mark
    assert mark_of(replace(row, readings=(replace(text[0], words={"en": "Three.", "ru": "3"}), text[1]))) == mark
    others = [
        replace(row, readings=text[:1], silent={"en": ((4, 4),)}),
        replace(row, readings=(text[0], replace(text[1], words={"en": "One."}))),
        replace(row, together=(row, row)),
        replace(row, lost=("he",)),
    ]
    assert len({mark, *map(mark_of, others)}) == 5


def test_there_is_one_schema() -> None:
    Draft202012Validator.check_schema(rulings_schema())
