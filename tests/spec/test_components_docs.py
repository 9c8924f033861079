"""`docs/components.md` shows files that are read without reports, and reports as they are printed."""

from __future__ import annotations

import re
from pathlib import Path

from ludex.spec.components import check_tables, decode_table, read_components
from ludex.spec.values.types import Case, Range, Type, Words

DOC = (Path(__file__).parents[2] / "docs" / "components.md").read_text(encoding="utf-8")
YAML = re.findall(r"```yaml\n(.*?)```", DOC, re.DOTALL)
WHOLE = next(block for block in YAML if "tables:" in block)
ROWS = [block for block in YAML if block.startswith("- {id")]
COLUMNS: tuple[tuple[str, Type], ...] = (
    ("family", Words("Family", (Case("earth"), Case("air")))),
    ("cost", Range(0, 8)),
    ("points", Range(0, 10)),
    ("effect", Words("Effect", (Case("nothing_more"), Case("gain", (("x", Range(1, 3)),))))),
)


def reports(text: str) -> list[str]:
    file = read_components(text, "components.yaml")
    table = file.tables["Place"]
    diagnostics = [*file.diagnostics, *check_tables(file, {"Place": table.span})]
    diagnostics += decode_table(table, "Place", COLUMNS).diagnostics
    return [f"{report.span}: {report.code.code} {report.message}" for report in diagnostics]


def test_the_sample_layout_has_no_faults() -> None:
    assert reports(WHOLE) == []


def test_the_sample_rows_have_no_faults() -> None:
    assert len(ROWS) == 2
    for row in ROWS:
        rows = f"tables:\n  Place:\n    provenance: {{assumed: an example}}\n    rows:\n    {row}"
        assert reports(rows) == []


def test_the_sample_report_is_printed_so() -> None:
    shown = re.findall(r"```text\n(components\.yaml.*?)\n```", DOC)
    text = "tables:\n  Place:\n    provenance: {assumed: an example}\n    rows:\n" + "\n" * 9 + "    " + ROWS[0]
    assert reports(text.replace("cost: 3", "cost: 44")) == shown
