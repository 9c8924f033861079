"""A bad and a good sample for every code of the checker: `tests/spec/samples/CODE/{bad,good}.ludex`.

`report.txt` beside the bad sample is the expected report. `pytest --record` writes it: read the diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Diagnostic
from ludex.spec import SPEC_CODES, check_game

SAMPLES = Path(__file__).parent / "samples"
ELSEWHERE = {
    "H104": "test_loader.py",
    "U101": "test_loader.py",
    "U102": "test_loader.py",
    "V106": "test_literal.py",
}
"""Codes that need more than one file, each with the test that shows it."""


def names() -> list[str]:
    return sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


def line(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.span.line}:{diagnostic.span.column}"
    hint = f" | {diagnostic.hint}" if diagnostic.hint else ""
    notes = "".join(f" | note {n.span.line if n.span else '-'}: {n.message}" for n in diagnostic.notes)
    return f"{place} {diagnostic.code.code} {diagnostic.message}{hint}{notes}\n"


def test_every_code_has_samples() -> None:
    missing = {code.code for code in SPEC_CODES} - set(names()) - set(ELSEWHERE)
    assert not missing, f"add tests/spec/samples/CODE/bad.ludex and good.ludex for {sorted(missing)}"
    for code, test in ELSEWHERE.items():
        assert code in Path(__file__).with_name(test).read_text(encoding="utf-8"), f"show {code} in {test}"


@pytest.mark.parametrize("code", names())
def test_bad_sample_gives_its_one_report(code: str, request: pytest.FixtureRequest) -> None:
    diagnostics = check_game(SAMPLES / code / "bad.ludex")
    assert [d.code.code for d in diagnostics] == [code], "a bad sample must have one fault and get one report"
    text = "".join(line(d) for d in diagnostics)
    golden = SAMPLES / code / "report.txt"
    if request.config.getoption("--record"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8"), "if the new report is better, run with --record"


@pytest.mark.parametrize("code", names())
def test_good_sample_is_clean(code: str) -> None:
    assert check_game(SAMPLES / code / "good.ludex") == ()
