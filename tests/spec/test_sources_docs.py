"""`docs/sources.md` agrees with the code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ludex.spec.sources.citations import LONGEST_SPAN
from ludex.spec.sources.coverage import COVERAGE_MARKS
from ludex.spec.sources.files import parse_excuses, parse_lines, parse_lock
from ludex.spec.sources.texts import FINGERPRINT_LENGTH, NORMALISER, LineClass

PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")

PARSERS: dict[str, Callable[[str, str], tuple[object, tuple[object, ...]]]] = {
    "lines": parse_lines,
    "lock": parse_lock,
    "excuses": parse_excuses,
}


@pytest.mark.parametrize("kind", PARSERS)
def test_the_sample_files_are_read(kind: str) -> None:
    samples = re.findall(rf"```{kind}\n(.*?)```", PAGE, flags=re.DOTALL)
    assert samples, f"show a sample of a `.{kind}` file"
    for sample in samples:
        assert PARSERS[kind](sample, "sample")[1] == ()


@pytest.mark.parametrize("word", [*(f"`{kind}`" for kind in LineClass), *(f"`{mark}`" for mark in COVERAGE_MARKS)])
def test_every_class_and_every_sign_is_explained(word: str) -> None:
    assert re.search(rf"^\|[^|]*{re.escape(word)}", PAGE, flags=re.MULTILINE), f"explain {word} in a table"


@pytest.mark.parametrize(
    "words",
    [f"normaliser {NORMALISER}", f"more than {LONGEST_SPAN} lines of text", f"first {FINGERPRINT_LENGTH} hexadecimal"],
)
def test_the_figures_are_those_of_the_code(words: str) -> None:
    assert words in PAGE
