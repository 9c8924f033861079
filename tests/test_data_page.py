"""`docs/data.md`: the page's scripts run, with the output that the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = re.compile(r"```python file=(\w+)\.py\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
SCRIPTS = {name: (script, text) for name, script, text in SCRIPT.findall((ROOT / "docs/data.md").read_text("utf-8"))}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_of_the_page_print_its_output(name: str, tmp_path: Path) -> None:
    if name == "games_parquet":
        for package in ("pandas", "pyarrow"):
            pytest.importorskip(package, reason="needs pip install 'ludex[data]'")
    script, text = SCRIPTS[name]
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [row.split() for row in done.stdout.splitlines()] == [row.split() for row in text.splitlines()]
