"""`ludex explain`: the page of each code."""

from __future__ import annotations

import json

import pytest

from ludex.cli.reporting import CODE_GROUPS
from ludex.cli.reporting.exit_codes import Exit

from .running import ludex

CODES = [code for group in CODE_GROUPS for code in group.codes]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
@pytest.mark.drawn(8)
def test_every_code_has_a_page(code) -> None:  # type: ignore[no-untyped-def]
    for word in (code.code, code.code.lower(), code.name):
        ran = ludex("explain", word)
        assert ran.code == Exit.GOOD, ran.output
        assert ran.output.startswith(f"{code.code} {code.name}, ")
        assert code.description in ran.output
        assert f"To mend it: {code.mend}" in ran.output
    page = json.loads(ludex("explain", code.code, "--format", "json").output)
    assert (page["code"], page["name"], page["severity"]) == (code.code, code.name, code.severity.value)


@pytest.mark.parametrize(
    "word, hint",
    [
        ("ilegal-move", "did you mean `illegal-move`?"),
        ("L46O", "did you mean `L4"),
        ("why", "docs/errors.md lists all"),
    ],
)
def test_an_unknown_code_is_wrong_usage(word: str, hint: str) -> None:
    ran = ludex("explain", word)
    assert ran.code == Exit.USAGE
    assert f"there is no code `{word}`" in ran.output
    assert hint in ran.output


@pytest.mark.parametrize(("language", "verb"), [("ru", "нарушает"), ("he", "הפרה")])
def test_the_report_on_a_sample_log_is_in_the_language(language: str, verb: str) -> None:
    ran = ludex("explain", "L460", "--lang", language)
    assert (verb in ran.output, " breaks " in ran.output) == (True, False), ran.output
    assert " breaks " in ludex("explain", "L460", "--lang", "en").output
