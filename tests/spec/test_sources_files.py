"""The stored files of sources: what is written is read back, and a fault is reported at its row."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import Span
from ludex.spec.sources.files import format_lines, format_lock, parse_excuses, parse_lines, parse_lock, read_sources
from ludex.spec.sources.texts import (
    FINGERPRINT_LENGTH,
    Confirmation,
    Document,
    LineClass,
    Lock,
    SourceLine,
    StoredText,
    fingerprint,
)

from ..no_files import NO_FILES, put
from .sources_book import BOOK, HEADER, NAME, codes, confirmed, stored, whole

HEAD = f"document: {NAME}\nnormaliser: 1\n"
MARK = "0123456789abcdef"


def one_fault(text: str) -> tuple[str, str, str | None]:
    lines, reports = parse_lines(text, "en.lines")
    assert lines is None, "a broken file must not be used in part"
    assert len(reports) == 1, [report.message for report in reports]
    return str(reports[0].span), reports[0].message, reports[0].hint


# ---- TAG.lines ---------------------------------------------------------------------------------------------------


def test_lines_are_read_as_they_are_written() -> None:
    text = stored()
    noted = StoredText(text.file, text.name, (SourceLine(1, MARK, LineClass.RULE, "a note # of two"), *text.lines[1:]))
    assert parse_lines(format_lines(noted), text.file) == (noted, ())
    rows = format_lines(noted).split("\n\n")[1]
    assert not any(words in rows for line in BOOK for words in line.split() if len(words) > 5)


def test_rows_have_line_numbers_for_reports() -> None:
    text, _ = parse_lines(format_lines(stored()), "en.lines")
    assert text
    assert text.row_span(1).line == 6


def test_rows_may_be_aligned_and_commented_by_hand() -> None:
    text, reports = parse_lines(f"{HEAD}# a remark\n\n1 {MARK} rule # why\n   2   -   blank   \n", "en.lines")
    assert reports == ()
    assert text
    assert [(line.line_class, line.note) for line in text.lines] == [("rule", "why"), ("blank", "")]


@pytest.mark.parametrize(
    "rows, place, message",
    [
        (f"1 {MARK}\n", "3:1", "`1 0123456789abcdef` is not a row of this file"),
        (f"1 {MARK[:-1]} rule\n", "3:1", "`1 0123456789abcde rule` is not a row of this file"),
        (f"1 {MARK} rule\n3 {MARK} rule\n4 {MARK} rule\n", "4:1", "line 3 is in the place of line 2"),
        (f"1 {MARK} rule\n1 {MARK} rule\n", "4:1", "line 1 is in the place of line 2"),
        (f"1 {MARK} rules\n", "3:1", "`rules` is not a class of lines"),
        (f"1 {MARK} blank\n", "3:1", "the line is not blank, but its class is `blank`"),
        ("1 - rule\n", "3:1", "the line is blank, but its class is `rule`"),
        (f"document: other.txt\n1 {MARK} rule\n", "3:1", "`document:` is here twice"),
    ],
)
def test_a_broken_row_is_reported_at_its_place(rows: str, place: str, message: str) -> None:
    assert codes(parse_lines(HEAD + rows, "en.lines")[1]) == ["A212"]
    assert one_fault(HEAD + rows)[:2] == (f"en.lines:{place}", message)


def test_a_mistyped_class_gets_a_suggestion() -> None:
    assert one_fault(f"{HEAD}1 {MARK} exampel\n")[2] == "did you mean `example`?"


def test_a_missing_header_is_one_report() -> None:
    assert one_fault(f"1 {MARK} rule\n")[1] == "`document:` and `normaliser:` missing in en.lines"


def test_another_normaliser_is_refused() -> None:
    text, reports = parse_lines(f"document: a.txt\nnormaliser: 2\n1 {MARK} rule\n", "en.lines")
    assert text is None
    assert codes(reports) == ["A213"]


# ---- TAG.lock and TAG.excuses ------------------------------------------------------------------------------------


def test_a_written_lock_is_read_back() -> None:
    lock = confirmed(whole())
    again, reports = parse_lock(format_lock(lock), lock.file)
    assert reports == ()
    assert again
    assert set(again.confirmations) == set(lock.confirmations)
    assert format_lock(again) == format_lock(lock)


def test_a_row_of_a_lock_states_one_thing() -> None:
    lock = Lock("l", (Confirmation("en", "b.c", 8, 9, MARK), Confirmation("en", "a", 4, 4, "-")))
    rows = [row for row in format_lock(lock).splitlines() if row and not row.startswith("#")]
    assert rows == ["en  a  4  -", f"en  b.c  8-9  {MARK}"]


@pytest.mark.parametrize(
    "row, message",
    [
        (f"en a 4- {MARK}", f"`en a 4- {MARK}` is not a row of this file"),
        ("en a 4", "`en a 4` is not a row of this file"),
        (f"en b 1 {MARK}", "`b` with these lines is in row 1 already"),
    ],
)
def test_a_broken_lock_is_reported(row: str, message: str) -> None:
    lock, reports = parse_lock(f"en b 1 {MARK}\n{row}\n", "en.lock")
    assert lock is None
    assert [(str(report.span), report.message) for report in reports] == [("en.lock:2:1", message)]
    assert codes(reports) == ["A218"]


def test_excuses_are_read() -> None:
    excuses, reports = parse_excuses("# remark\n88  2  the two phases are two steps\n", "en.excuses")
    assert reports == ()
    assert excuses
    assert (excuses[0].line, excuses[0].number, excuses[0].reason) == (88, 2, "the two phases are two steps")
    assert str(excuses[0].span) == "en.excuses:2:1"


@pytest.mark.parametrize("row", ["88 2", "88 two reason", "x", "7 1 again"])
def test_a_broken_excuse_is_reported(row: str) -> None:
    excuses, reports = parse_excuses(f"7 1 reason\n{row}\n", "en.excuses")
    assert excuses is None
    assert codes(reports) == ["A219"]
    assert reports[0].span.line == 2


# ---- from the folder ---------------------------------------------------------------------------------------------


def written(folder: Path) -> Path:
    folder.mkdir()
    (folder / "en.lines").write_text(format_lines(stored()), encoding="utf-8")
    (folder / "en.lock").write_text(format_lock(confirmed(whole())), encoding="utf-8")
    (folder / "en.excuses").write_text("5 1 reason\n", encoding="utf-8")
    return folder


def test_all_files_are_read(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("\n".join(BOOK), encoding="utf-8")
    (source,), reports = read_sources(written(tmp_path / "sources"), [HEADER], tmp_path)
    assert reports == ()
    assert source.stored
    assert source.lock
    assert source.excuses
    assert source.words
    assert source.words.lines == BOOK
    assert source.present == source.stored


def test_only_the_lines_are_required(tmp_path: Path) -> None:
    folder = written(tmp_path / "sources")
    (folder / "en.lock").unlink()
    (folder / "en.excuses").unlink()
    (source,), reports = read_sources(folder, [HEADER])
    assert reports == ()
    assert source.lock
    assert not source.lock.exists
    assert source.excuses == ()
    assert source.words is None


def test_a_text_never_recorded_is_reported(tmp_path: Path) -> None:
    (source,), reports = read_sources(tmp_path, [HEADER])
    assert source.stored is None
    assert not source.is_broken
    assert codes(reports) == ["A211"]
    assert reports[0].span == HEADER.span


def test_a_broken_file_does_not_affect_the_others(tmp_path: Path) -> None:
    folder = written(tmp_path / "sources")
    (folder / "en.lock").write_text("no row\n", encoding="utf-8")
    (folder / "en.excuses").write_bytes(b"\xff\xfe\x00")
    (source,), reports = read_sources(folder, [HEADER])
    assert source.stored
    assert source.lock is None
    assert source.excuses is None
    assert len(reports) == 2


@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.parametrize("name", ["en.lines", "en.lock", "en.excuses"])
def test_a_path_that_is_no_file_is_not_taken_as_missing(tmp_path: Path, name: str, kind: str) -> None:
    folder = written(tmp_path / "sources")
    code = put(kind, folder / name)
    (source,), reports = read_sources(folder, [HEADER])
    assert codes(reports) == [code]
    assert {"en.lines": source.stored, "en.lock": source.lock, "en.excuses": source.excuses}[name] is None
    assert source.is_broken == (name == "en.lines")


def test_a_document_of_another_name_is_reported(tmp_path: Path) -> None:
    other = Document("en", "slugs.txt", HEADER.span)
    (source,), reports = read_sources(written(tmp_path / "sources"), [other])
    assert codes(reports) == ["A217"]
    assert source.is_broken


@pytest.mark.parametrize("name", ["../snails.txt", "/etc/passwd", "a/b", "..", "", "C:snails", "a\\b", " a", "a\nb"])
def test_documents_are_found_in_their_folder_only(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    text = stored(name=name or "x")
    (folder / "en.lines").write_text(format_lines(text), encoding="utf-8")
    document = Document("en", name, Span("snails.ludex", 4, 3, 4, 30))
    (source,), reports = read_sources(folder, [document], tmp_path)
    assert source.words is None
    assert "A210" in codes(reports)


def test_missing_texts_are_reported(tmp_path: Path) -> None:
    (source,), reports = read_sources(written(tmp_path / "sources"), [HEADER], tmp_path / "nowhere")
    assert source.words is None
    assert len(reports) == 1
    assert NAME in str(reports[0].span)


def test_a_name_too_long_for_a_file_counts_as_missing(tmp_path: Path) -> None:
    _, reports = read_sources(tmp_path, [Document("e" * 5000, NAME, HEADER.span)])
    assert codes(reports) == ["A211"]


# ---- laws --------------------------------------------------------------------------------------------------------

ROWS = st.one_of(
    st.text(max_size=40),
    st.just("document: a.txt"),
    st.just("normaliser: 1"),
    st.builds(
        "{} {} {}".format, st.integers(0, 9), st.sampled_from([MARK, "-", "x"]), st.sampled_from(list(LineClass))
    ),
    st.builds(
        "{} {} {}-{} {}".format, st.text(max_size=3), st.text(max_size=3), st.integers(), st.integers(), st.just(MARK)
    ),
)


@given(st.lists(ROWS, max_size=12).map("\n".join))
def test_no_text_ever_raises(text: str) -> None:
    for parsed, reports in (parse_lines(text, "f"), parse_lock(text, "f"), parse_excuses(text, "f")):
        assert (parsed is None) == bool(reports)
        assert all(report.span.line >= 1 for report in reports)


NOTES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=8)


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b c"]), st.sampled_from(list(LineClass)), NOTES), min_size=1))
def test_any_classes_and_notes_are_read_back(rows: list[tuple[str, LineClass, str]]) -> None:
    lines = tuple(
        SourceLine(n, fingerprint(line), kind if line and kind is not LineClass.BLANK else LineClass.RULE, note)
        if line
        else SourceLine(n, "-", LineClass.BLANK, note)
        for n, (line, kind, note) in enumerate(rows, start=1)
    )
    text = StoredText("f", "a b.txt", lines)
    assert parse_lines(format_lines(text), "f") == (text, ())
    assert all(len(line.fingerprint) in {1, FINGERPRINT_LENGTH} for line in lines)
