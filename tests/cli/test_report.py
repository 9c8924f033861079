"""Diagnostics as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.cli.reporting.cited_lines import Books
from ludex.cli.reporting.diagnostics import Reporter, diagnostic_json, summary, table
from ludex.cli.reporting.source_excerpts import Texts
from ludex.cli.reporting.terminal import unstyled
from ludex.grammar import Citation, Code, Diagnostic, Note, Severity, Span, Why, parse, whole_file

ERROR = Code("X101", "wrong", "It is wrong.", "Mend it.")
WARNING = Code("X102", "odd", "It is odd.", "Look at it.", Severity.WARNING)
TEXT = "fact a = 1\n  карта: a := б\n"


def text(diagnostic: Diagnostic, books: Books | None = None) -> str:
    return unstyled(Reporter(Texts({"x.ludex": TEXT}), books).text(diagnostic))


def span(line: int, column: int, end: int) -> Span:
    return Span("x.ludex", line, column, line, end)


def test_a_report_has_all_its_parts() -> None:
    diagnostic = Diagnostic(
        ERROR,
        "no value is called `б`",
        span(2, 15, 16),
        "did you mean `a`?",
        (Note("`a` stands here", span(1, 6, 7)), Note("and no more is known")),
        (Why("study.affordable", "[ru 2]", span(2, 3, 8)), Why("resolve", "")),
        "/args/card",
        ('{"player": 1}', '{"player": 2}'),
    )
    assert text(diagnostic) == (
        "x.ludex:2:15: X101 no value is called `б`\n"
        "     2 |   карта: a := б\n"
        "       |               ^\n"
        "  why:   study.affordable  [ru 2]  (x.ludex:2:3)\n"
        "  why:   resolve\n"
        "  note:  x.ludex:1:6: `a` stands here\n"
        "     1 | fact a = 1\n"
        "       |      ^\n"
        "  note:  and no more is known\n"
        "  hint:  did you mean `a`?\n"
        '  legal: {"player": 1}\n'
        '         {"player": 2}'
    )


def test_a_report_about_a_whole_file_has_no_excerpt() -> None:
    assert text(Diagnostic(ERROR, "there is no such file", whole_file("x.ludex"))) == (
        "x.ludex: X101 there is no such file"
    )


def test_a_warning_is_called_one() -> None:
    assert text(Diagnostic(WARNING, "odd", whole_file("x.ludex"))) == "x.ludex: X102 warning: odd"


def test_texts_from_files_cannot_send_terminal_codes() -> None:
    shown = text(Diagnostic(ERROR, "`\x1b[31m`", whole_file("\x1b[2J.ludex"), "\x1b", legal=("\x1b",)))
    assert "\x1b" not in shown


def test_the_lines_of_the_rulebook_are_shown_beside(tmp_path: Path) -> None:
    (tmp_path / "ru.txt").write_text("first\nsecond\n\nfourth\n", encoding="utf-8")
    books = Books(tmp_path, {"ru": "ru.txt", "en": "../secret.txt"})
    place = Span("x.ludex", 1, 1, 1, 2)
    cited = [("ru", ((2, 2), (3, 4))), ("en", ((1, 1),)), ("he", ((9, 9),))]
    why = Why("a.b", "[ru 2, 3-4] [en 1] [he 9]", citations=tuple(Citation(place, *each) for each in cited))
    shown = text(Diagnostic(ERROR, "wrong", whole_file("x"), why=(why,)), books)
    assert shown.splitlines()[1:] == [
        "  why:   a.b  [ru 2, 3-4] [en 1] [he 9]",
        "         ru 2 | second",
        "         ru 4 | fourth",
    ]


def test_citations_in_the_marked_words_are_quoted(tmp_path: Path) -> None:
    (tmp_path / "ru.txt").write_text("first\n", encoding="utf-8")
    spec = "fact a = 1 [ru 1]"
    reporter = Reporter(Texts({"x": spec}), Books(tmp_path, {"ru": "ru.txt"}, (parse(spec, "x").module,)))
    shown = unstyled(reporter.text(Diagnostic(ERROR, "stale", Span("x", 1, 12, 1, 18))))
    assert shown.splitlines()[-1] == "         ru 1 | first"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ((), "no faults"),
        ((ERROR,), "1 error"),
        ((ERROR, ERROR, WARNING), "2 errors, 1 warning"),
        ((WARNING, WARNING), "2 warnings"),
    ],
)
def test_the_last_line_has_the_counts(found: tuple[Code, ...], words: str) -> None:
    assert summary([Diagnostic(code, "", whole_file("x")) for code in found]) == words


def test_the_json_form() -> None:
    diagnostic = Diagnostic(ERROR, "wrong", span(2, 15, 16), why=(Why("a", "[ru 2]"),), legal=("m",))
    assert diagnostic_json(diagnostic) == {
        "code": "X101",
        "name": "wrong",
        "severity": "error",
        "message": "wrong",
        "file": "x.ludex",
        "line": 2,
        "column": 15,
        "end_line": 2,
        "end_column": 16,
        "why": [{"clause": "a", "authority": "[ru 2]"}],
        "legal": ["m"],
    }


def test_column_widths_are_those_of_the_terminal() -> None:
    assert table([["漢", "1"], ["ab", "10"]], right=frozenset({1})) == ["漢   1", "ab  10"]
