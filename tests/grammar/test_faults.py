"""Syntax faults: each has one report, with the right code at the right word."""

from __future__ import annotations

import pytest

from ludex.grammar import FILE_CODES, SYNTAX_CODES, Diagnostic, parse

from .malformed import SAMPLES, SEVERAL, Sample


def _named(samples: tuple[Sample, ...]) -> list[str]:
    return [sample.name for sample in samples]


def _shown(diagnostics: tuple[Diagnostic, ...]) -> str:
    rows = (f"{d.span.line}:{d.span.column} {d.code.code} {d.message} ({d.hint})" for d in diagnostics)
    return "\n".join(["reported:", *rows])


def _check(sample: Sample) -> None:
    diagnostics = parse(sample.text, "sample.ludex").diagnostics
    places = [(d.code.code, d.span.line, d.span.column) for d in diagnostics]
    assert places == [(fault.code, fault.line, fault.column) for fault in sample.faults], _shown(diagnostics)
    for diagnostic, fault in zip(diagnostics, sample.faults, strict=True):
        assert fault.says in f"{diagnostic.message} ({diagnostic.hint})", _shown(diagnostics)


@pytest.mark.parametrize("sample", SAMPLES, ids=_named(SAMPLES))
def test_one_fault_gives_one_report(sample: Sample) -> None:
    _check(sample)


@pytest.mark.parametrize("sample", SEVERAL, ids=_named(SEVERAL))
def test_several_faults_give_several_reports(sample: Sample) -> None:
    _check(sample)


def test_every_code_has_a_sample() -> None:
    shown = {fault.code for sample in (*SAMPLES, *SEVERAL) for fault in sample.faults}
    missing = {code.code for code in SYNTAX_CODES} - shown - {"S129"}  # S129 needs a long text, see below
    assert not missing, f"add a sample to malformed.py for {sorted(missing)}"


def test_codes_are_unique_and_filled() -> None:
    every = (*FILE_CODES, *SYNTAX_CODES)
    assert len({code.code for code in every}) == len({code.name for code in every}) == len(every)
    assert all(code.meaning.endswith(".") and code.mend.endswith(".") for code in every)


def test_no_message_contains_internal_names() -> None:
    """Authors do not know the names of terminals and of layout tokens."""
    for sample in (*SAMPLES, *SEVERAL):
        for diagnostic in parse(sample.text, "sample.ludex").diagnostics:
            text = f"{diagnostic.message} {diagnostic.hint or ''}"
            for word in ("_INDENT", "_DEDENT", "NEWLINE", "$END", "TNAME", "token", "UNREADABLE"):
                assert word not in text, text


def test_good_declarations_next_to_faults_are_kept() -> None:
    text = "game g\nfact a = 1\nfact b = )\nfact c = 3\naction d\n  x: y := 1\n  z: w = 1\n"
    module = parse(text, "sample.ludex").module
    assert module.header is not None
    names = [getattr(declaration, "name", None) for declaration in module.declarations]
    assert names == ["a", "c", "d"]
    body = getattr(module.declarations[2], "body")  # noqa: B009 - one of many kinds of declaration
    assert [clause.label for clause in body.statements] == ["x"]


def test_the_number_of_reports_is_limited() -> None:
    text = "game g\n" + "fact x = )\n" * 1000
    diagnostics = parse(text, "sample.ludex").diagnostics
    assert len(diagnostics) == 201
    assert diagnostics[-1].code.code == "S129"
    assert "fact x" not in diagnostics[-1].message


def test_warnings_do_not_discard_declarations() -> None:
    parsed = parse("game g\n" + "# cf. [en 3]\n" * 1000 + "fact x = 1\n", "sample.ludex")
    assert [each.code.code for each in parsed.diagnostics] == ["S119"] * 200
    assert [note.message for note in parsed.diagnostics[-1].notes] == ["800 more warnings of this file are not shown"]
    assert len(parsed.module.declarations) == 1


def test_many_faults_in_one_long_declaration_take_limited_time() -> None:
    text = "game g\naction a\n" + "  x: y = 1\n" * 10_000
    diagnostics = parse(text, "sample.ludex").diagnostics
    assert diagnostics[-1].code.code == "S129", "the parser must not read the same lines again without end"


def test_an_unclosed_bracket_points_at_its_opening() -> None:
    (diagnostic,) = parse("game g\nfact x = (1}\n", "sample.ludex").diagnostics
    (note,) = diagnostic.notes
    assert note.span is not None
    assert (note.span.line, note.span.column) == (2, 10)
