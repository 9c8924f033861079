"""`docs/logs.md`: its sample logs get the verdicts that the page states."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.log_codes import LOG_CODES
from ludex.interpreter.logs.record.log import parse_log
from ludex.interpreter.logs.record.text_header import TAGS
from ludex.interpreter.logs.structure.early_end import EARLY_ENDS
from ludex.interpreter.logs.structure.event_lines import CHANCE_MEMBERS, MOVE_MEMBERS
from ludex.interpreter.logs.structure.header import HEADER_MEMBERS

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "logs.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LOGS = [block for block in BLOCKS if block[0] in ("jsonl", "yaml")]


@pytest.mark.parametrize(("form", "promised", "text"), LOGS)
def test_the_logs_of_the_page_have_the_stated_verdicts(form: str, promised: str, text: str) -> None:
    verdict, *codes = promised.split()
    report = Validator(game_once, compiled=engine_once).validate(parse_log(text, f"x.{form}"))
    errors = [finding.code.code for finding in report.findings if finding.is_error]
    assert (report.verdict, errors) == (verdict, codes)


def test_sample_lines_are_json() -> None:
    lines = [json.loads(text) for form, _, text in BLOCKS if form == "json"]
    assert [set(line) <= {*MOVE_MEMBERS, *CHANCE_MEMBERS} for line in lines] == [True] * len(lines)


def test_python_samples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for form, _, text in BLOCKS:
        if form == "python":
            exec(compile(text, "docs/logs.md", "exec"), {})  # noqa: S102 -- our own page


def test_the_page_names_every_member() -> None:
    for name in (*HEADER_MEMBERS, *MOVE_MEMBERS, *CHANCE_MEMBERS, *TAGS, *EARLY_ENDS):
        assert f"`{name}`" in PAGE, f"docs/logs.md does not explain `{name}`"


def test_codes_that_the_page_names_exist() -> None:
    named = set(re.findall(r"\bL4\d\d\b", PAGE))
    assert named <= {code.code for code in LOG_CODES}
