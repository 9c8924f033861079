"""Golden reports in every language: on a bad log of each code, and on some of Boreal's.

`pytest --record` writes `reports_by_language/`: read every difference, as a translator would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ludex.grammar import Diagnostic, Message, in_language, languages
from ludex.interpreter.logs.log_codes import GAME_AT_FAULT
from ludex.interpreter.logs.record.log import read_log

from ..letters import LETTERS
from .test_log_codes import ELSEWHERE, SAMPLES, VALIDATOR, judged
from .unusual_reports import unusual_findings

KEPT = Path(__file__).parent / "reports_by_language"
BOREAL = Path(__file__).parents[1] / "games" / "bad_logs" / "boreal"
OF_BOREAL = ("study-affordable", "after-the-end", "chance-awaited", "move-awaited", "not-offered", "other-chance")


@cache
def reports() -> dict[str, tuple[Diagnostic, ...]]:
    """Return the findings of all samples, by code or name."""
    samples = {code: judged(bad).findings for code, (bad, _) in SAMPLES.items()}
    boreal = {name: VALIDATOR.validate(read_log(BOREAL / f"{name}.jsonl")).findings for name in OF_BOREAL}
    return samples | boreal | unusual_findings()


def texts(finding: Diagnostic) -> Iterator[tuple[str, str]]:
    yield "", finding.message
    yield from (("note: ", note.message) for note in finding.notes)
    if finding.hint:
        yield "hint: ", finding.hint


def told(language: str) -> str:
    """Return the messages of all reports in a language, as one text."""
    rows: list[str] = []
    for name, findings in reports().items():
        rows += ["", f"{name}:"]
        for finding in findings:
            said = [f"{label}{in_language(text, language)}" for label, text in texts(finding)]
            rows += [f"  {finding.code.code} {said[0]}", *(f"    {each}" for each in said[1:])]
    return "\n".join(rows[1:]) + "\n"


@pytest.mark.parametrize("language", languages())
def test_reports_equal_the_golden_files(language: str, request: pytest.FixtureRequest) -> None:
    file = KEPT / f"{language}.txt"
    if request.config.getoption("--record"):
        file.write_text(told(language), encoding="utf-8")
    assert told(language) == file.read_text(encoding="utf-8"), "if the new text is better, run with --record"


def test_every_code_of_a_log_has_a_report() -> None:
    assert sorted({*SAMPLES, *ELSEWHERE} - set(reports())) == []


@pytest.mark.parametrize("name", [*SAMPLES, *ELSEWHERE, *OF_BOREAL])
def test_every_text_of_a_report_is_a_message(name: str) -> None:
    """A plain string would be English in every language. Quoted lines of a log are not messages."""
    for finding in reports()[name]:
        plain = plain_texts(finding)
        assert not plain, f"make each a `Message` of the catalogue (docs/languages.md): {plain}"


def plain_texts(finding: Diagnostic) -> list[str]:
    """Return the texts that are English in every language, except lines of a log."""
    said = [text for _, text in texts(finding) if not isinstance(text, Message)]
    return [text for text in said if not (text.startswith("{") and text.endswith("}"))]


@pytest.mark.parametrize(("language", "letters"), LETTERS.items())
def test_messages_are_in_the_language(language: str, letters: re.Pattern[str]) -> None:
    for findings in reports().values():
        for finding in findings:
            assert letters.search(in_language(finding.message, language)), finding.code.code
            # These quote faults of a spec, which are written in English.
            if finding.code is GAME_AT_FAULT:
                assert all(letters.search(in_language(note.message, language)) for note in finding.notes)
