"""The catalogues of codes: codes are unique, each has a test that shows it, and `docs/errors.md` is up to date."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from ludex.cli.reporting import CODE_GROUPS

from . import make_errors
from .test_layers import modules

ROOT = Path(__file__).parents[1]
CATALOGUE = tuple(code for group in CODE_GROUPS for code in group.codes)
UNSHOWN: dict[str, str] = {}
"""Codes that no test shows, each with the reason."""


def test_the_page_and_its_samples_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    made = ((make_errors.SAMPLES, make_errors.make_samples), (make_errors.PAGE, make_errors.make_page))
    for path, make in made:
        text = path.read_text(encoding="utf-8")
        assert text == make(), f"run `python -m tests.make_errors` and read the difference of {path.name}"


def test_the_page_has_every_code() -> None:
    sources = "".join((ROOT / file).read_text(encoding="utf-8") for file in modules())
    defined = re.findall(r"^\w+ = Code\(\s*\"(\w+)\"", sources, re.MULTILINE)
    assert sorted(defined) == sorted(code.code for code in CATALOGUE), "add a catalogue of codes to CODE_GROUPS"


def test_codes_are_unique() -> None:
    """Names count too: `ludex explain` also finds a code by its name."""
    assert _several(code.code for code in CATALOGUE) == []
    assert _several(code.name for code in CATALOGUE) == []


def _several(words: Iterable[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def test_no_entry_of_a_code_is_empty() -> None:
    for code in CATALOGUE:
        assert re.fullmatch(r"[A-Z]\d{3}", code.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name), code
        assert code.meaning.endswith((".", "?")), code
        assert ". " not in code.meaning, f"{code.code}: what follows the first sentence is its explanation"
        assert code.mend.endswith((".", "`")), code


def test_every_code_is_shown_by_a_test() -> None:
    tests = ROOT / "tests"
    named = " ".join(path.read_text(encoding="utf-8") for path in tests.rglob("*.py") if path.name != "test_errors.py")
    named += " ".join(path.name for path in (tests / "spec" / "samples").iterdir())
    shown = set(re.findall(r"\b[A-Z]\d{3}\b", named))
    missing = [code.code for code in CATALOGUE if code.code not in shown | set(UNSHOWN)]
    assert not missing, f"show {missing} in a test, or say in UNSHOWN why that cannot be"
    assert not shown & set(UNSHOWN), "remove these codes from UNSHOWN: a test shows them"
