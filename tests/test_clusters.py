"""`docs/clusters.md`: the page's scripts run on two worker processes, with the output that the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["findings", "frames"])
def test_scripts_of_the_page_print_its_output(name: str, tmp_path: Path) -> None:
    pytest.importorskip("dask.dataframe", reason="needs Dask: pip install 'ludex[dask]'")
    page = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
    match = re.search(rf"```python file={name}.py\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert match
    script = tmp_path / f"{name}.py"
    script.write_text(match[1], encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [row.split() for row in done.stdout.splitlines()] == [row.split() for row in match[2].splitlines()]
