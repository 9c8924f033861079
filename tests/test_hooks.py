"""The hooks of pre-commit and the GitHub action, run as those tools run them."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

import ludex

ROOT = Path(__file__).parents[1]
GOOD = ROOT / "spec/games/tic_tac_toe/logs/full.jsonl"
BAD = ROOT / "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment with a command `ludex` that runs this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "ludex"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ludex "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    assert ludex.__file__
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    path = os.pathsep.join([str(folder), kept.get("PATH", "")])
    home = {"PRE_COMMIT_HOME": str(tmp_path / "kept"), "HOME": str(tmp_path)}
    return {**kept, "PATH": path, "PYTHONPATH": str(Path(ludex.__file__).parents[1]), **home}


def run(*command: str | Path, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False, timeout=120)


NAMES = {
    "a/game.jsonl": [True, False],
    "game.ndjson.gz": [True, False],
    "game.ludexlog": [True, False],
    "game.jsonl.bak": [False, False],
    "cards.yaml": [False, False],
    "chess.ludex": [False, True],
}
"""Files, and the hooks that take them."""

# ---- pre-commit -------------------------------------------------------------------------------------------------


def test_the_hooks_have_the_entries_that_pre_commit_needs() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    hooks = clientlib.load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))
    assert [hook["id"] for hook in hooks] == ["ludex-validate", "ludex-check"]
    assert all(hook["language"] == "python" for hook in hooks)
    assert all(hook["args"][-1] == "--" for hook in hooks), "the name of a file may begin with a dash"
    named = {name: [bool(re.search(hook["files"], name)) for hook in hooks] for name in NAMES}
    assert named == NAMES


def test_the_hook_installs_what_compressed_logs_need() -> None:
    """The hook takes `.zst`, and pre-commit makes an environment with Ludex and the packages that the hook names."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    hook = HOOKS[0]
    assert re.search(hook["files"], "games.jsonl.zst")
    assert hook["additional_dependencies"] == extras["zstd"]


@pytest.mark.drawn(0)
@pytest.mark.parametrize("hooks", [HOOKS])
def test_the_hooks_judge_staged_files(hooks: list[dict[str, Any]], tmp_path: Path, env: dict[str, str]) -> None:
    """pre-commit itself runs, with the entry of the hook in the environment of the tests."""
    pytest.importorskip("pre_commit")
    folder = tmp_path / "club"
    folder.mkdir()
    local = [{**hook, "language": "system", "additional_dependencies": []} for hook in hooks]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    shutil.copy(GOOD, folder / "good.jsonl")
    (folder / "notes.txt").write_text("no log\n", encoding="utf-8")
    (folder / "rules.ludex").write_text("game rules\n", encoding="utf-8")
    run("git", "init", "-q", folder=folder, env=env)
    shutil.copy(BAD, folder / "bad.jsonl")
    shutil.copy(BAD, folder / "-d.jsonl")
    run("git", "add", ".", folder=folder, env=env)
    bad = run(sys.executable, "-m", "pre_commit", "run", folder=folder, env=env)
    assert bad.returncode == 1
    assert "skipped, because" not in bad.stdout, "the hook must get only logs"
    assert "bad.jsonl:3:49: L460" in bad.stdout
    assert "-d.jsonl:3:49: L460" in bad.stdout
    assert "good.jsonl" not in bad.stdout
    assert "rules.ludex" in bad.stdout


# ---- the action -------------------------------------------------------------------------------------------------


def steps() -> list[dict[str, Any]]:
    return list(ACTION["runs"]["steps"])


def test_the_action_expands_no_input_in_a_script() -> None:
    """The name of a log must not be able to inject a shell command."""
    assert ACTION["runs"]["using"] == "composite"
    scripts = [step["run"] for step in steps() if "run" in step]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]
    assert all(step.get("shell") == "bash" for step in steps() if "run" in step)


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("logs", "options", "code"),
    [("good.jsonl\n", "", 0), ("good.jsonl\nodd name*.jsonl\n", "--jobs=2\n", 1), ("$(touch ran).jsonl", "", 2)],
)
def test_the_action_annotates_and_summarizes(
    logs: str, options: str, code: int, tmp_path: Path, env: dict[str, str]
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copy(GOOD, folder / "good.jsonl")
    shutil.copy(BAD, folder / "odd name; touch ran.jsonl")
    step = next(step for step in steps() if step.get("id") == "judge")
    files = {"GITHUB_STEP_SUMMARY": tmp_path / "summary.md", "GITHUB_OUTPUT": tmp_path / "output"}
    given = {"LOGS": logs, "OPTIONS": options, "RUNNER_TEMP": str(tmp_path)}
    assert set(step["env"]) == {"LOGS", "OPTIONS"}
    more = {name: str(path) for name, path in files.items()}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = run(*script, folder=folder, env={**env, **given, **more})
    assert done.returncode == code, done.stdout + done.stderr
    assert not (folder / "ran").exists()
    summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    assert ("**findings**" in summary) is (code == 1)
    assert ("::error file=odd name; touch ran.jsonl,line=3," in done.stdout) is (code == 1)
    results = files["GITHUB_OUTPUT"].read_text(encoding="utf-8").strip().removeprefix("results=")
    with closing(sqlite3.connect(results)) as connection:
        assert connection.execute("SELECT count(*) FROM logs").fetchone() == (2 if code == 1 else 1,)
