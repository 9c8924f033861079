"""The glossary: each term has one row with one sentence, and its module exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| term")
]


def test_each_term_has_one_row_with_one_sentence() -> None:
    assert len(ROWS) >= 30
    assert len({term for term, _, _ in ROWS}) == len(ROWS)
    assert not [term for term, sentence, _ in ROWS if sentence.count(". ") or not sentence.endswith(".")]


def test_the_modules_exist() -> None:
    missing = [module for *_, module in ROWS if not (ROOT / module.strip("`")).is_file()]
    assert not missing, f"name the modules where these terms are now: {missing}"


def test_the_glossary_is_linked() -> None:
    assert re.search(r"\(glossary\.md\)", (ROOT / "docs/README.md").read_text(encoding="utf-8"))
