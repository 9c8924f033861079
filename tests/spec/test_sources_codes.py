"""Every code of the catalogue is shown by a test, and describes the fault and its remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Code
from ludex.spec.sources.source_codes import SOURCE_CODES

TESTS = [*Path(__file__).parent.glob("test_sources*.py"), Path(__file__).parent / "test_coverage.py"]


@pytest.mark.parametrize("code", SOURCE_CODES, ids=lambda code: code.code)
def test_every_code_is_shown(code: Code) -> None:
    shown = [path.name for path in TESTS if f'"{code.code}"' in path.read_text(encoding="utf-8")]
    assert shown, f"write a test that gets {code.code} ({code.name}), and one with the fault corrected"
