"""Pages are up to date: every `console` block runs, and prints the output that the page shows.

```console                     a block of commands; each line that begins with `$ ` runs, what follows is its output
$ ludex check pig
no faults
$ echo $?
0
```

- A page's blocks run in order, in a folder of its own, in which `spec` and `docs` are the project's.
- `...` in the output matches anything; alone on a line, any number of lines.
- A block of any language with `file=NAME` in its first line (```` ```ludex file=my_game/my_game.ludex ````) writes that
  file before the blocks after it run.
- `console norun` is not run.
- `python` blocks with prompts (`>>> `) run as doctests; those without run as they are.

`pytest --record tests/test_docs.py` writes the output of blocks without `...`: read the diff.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import ludex
from ludex.cli.main import cli

ROOT = Path(__file__).parents[1]
PAGES = (
    "docs/languages.md",
    "README.md",
    "docs/tutorial.md",
    "docs/authoring-guide.md",
    "docs/collation.md",
    "docs/commands.md",
    "docs/comparing-texts.md",
    "docs/editors.md",
    "docs/logs.md",
    "docs/positions.md",
    "docs/python-api.md",
    "docs/random-play.md",
    "docs/results.md",
    "docs/sources.md",
)
"""Pages whose blocks run; pages that do not exist are skipped."""

BLOCK = re.compile(r"^```(?P<language>\w+)(?P<rest>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block. start, end: the indices of its text in the page."""

    language: str
    rest: str
    text: str
    line: int
    start: int
    end: int

    @property
    def file(self) -> str | None:
        match = re.search(r"\bfile=(\S+)", self.rest)
        return match[1] if match else None


@dataclass(frozen=True)
class Command:
    """A command of a block, its expected output, and its line in the page."""

    command: str
    output: str
    line: int


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(
            m["language"],
            m["rest"],
            m["text"],
            text.count("\n", 0, m.start("text")) + 1,
            m.start("text"),
            m.end("text"),
        )
        for m in BLOCK.finditer(text)
    ]


def commands(block: Block) -> Iterator[Command]:
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    line = block.line + parts[0].count("\n")
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command += "\n" + more
        yield Command(command, output, line)
        line += part.count("\n")


def written(page: str) -> bool:
    return (ROOT / page).is_file()


@pytest.fixture(scope="module")
def bin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a command `ludex` that runs this checkout."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "ludex"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ludex "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return folder


def environment(bin_folder: Path) -> dict[str, str]:
    assert ludex.__file__
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LUDEX_DEBUG")}
    path = os.pathsep.join([str(bin_folder), kept.get("PATH", "")])
    return {**kept, "PATH": path, "PYTHONPATH": str(Path(ludex.__file__).parents[1]), "COLUMNS": "100"}


PLAIN = re.compile(r"ludex ('[^']*'|[^|&;<>$`*?()\[\]{}~#!\\'\"\n])*")
"""A `ludex` command that a shell would pass on unchanged but for quotes."""
STAGE = re.compile(r"((?:'[^']*'|\"[^\"]*\"|[^|'\"\n])+)(?:\||$)")
"""A command of a pipeline."""


def run(command: str, folder: Path, env: dict[str, str], before: int) -> tuple[str, int]:
    """Return the output of the command, and its exit code. before: the exit code of the previous command.

    Plain `ludex` commands, alone or in a pipeline, run in this process, where imports and caches are warm; anything
    else runs in a shell.
    """
    stages = [stage.strip() for stage in STAGE.findall(command)]
    if "|".join(STAGE.findall(command)) != command or not any(map(PLAIN.fullmatch, stages)):
        stages = [f"(exit {before})\n{command}"]
    printed, faults, status = "", "", 0
    for stage in stages:
        printed, fault, status = (here if PLAIN.fullmatch(stage) else in_shell)(stage, folder, env, printed)
        faults += fault
    return printed + faults, status


def here(command: str, folder: Path, env: dict[str, str], given: str) -> tuple[str, str, int]:
    """Run a `ludex` command in this process, and return its output, its errors and its exit code."""
    with chdir(folder):
        every = {**dict.fromkeys(os.environ), **env}
        ended = CliRunner(env=every).invoke(cli, shlex.split(command)[1:], input=given)
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    return ended.stdout, ended.stderr, ended.exit_code


def in_shell(command: str, folder: Path, env: dict[str, str], given: str) -> tuple[str, str, int]:
    """Run a command in a shell, and return its output, its errors and its exit code."""
    done = subprocess.run(
        ["bash", "-c", command],
        input=given,
        cwd=folder,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    return done.stdout, done.stderr, done.returncode


def fits(shown: str, printed: str) -> bool:
    """Return whether the output matches the page's."""
    rows = [r".*" if row == "..." else re.escape(row).replace(re.escape("..."), "[^\n]*") for row in shown.splitlines()]
    pattern = "\n".join(rows).replace("\n.*", "(?:\n.*)?")
    return re.fullmatch(pattern, "\n".join(row.rstrip() for row in printed.splitlines()), re.DOTALL) is not None


def prepare(folder: Path) -> None:
    for name in ("spec", "docs", "tests"):
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)


@pytest.mark.slow
@pytest.mark.usefixtures("games_are_shared")
@pytest.mark.parametrize("page", [page for page in PAGES if written(page)])
def test_commands_print_what_the_page_shows(
    page: str, tmp_path: Path, bin_folder: Path, request: pytest.FixtureRequest
) -> None:
    env, status = environment(bin_folder), 0
    prepare(tmp_path)
    recorded: list[tuple[Block, str]] = []
    for block in blocks(page):
        if block.file is not None:
            file = tmp_path / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        if block.language != "console" or "norun" in block.rest:
            continue
        said = ""
        for command in commands(block):
            printed, status = run(command.command, tmp_path, env, status)
            printed = "".join(row.rstrip() + "\n" for row in printed.splitlines())
            said += f"$ {command.command}\n{printed}"
            if not request.config.getoption("--record"):
                where = f"{page}:{command.line}: `{command.command}` prints (code {status}):\n{printed}"
                assert fits(command.output, printed), f"{where}--- the page says:\n{command.output}"
        recorded.append((block, block.text if "..." in block.text else said))
    if request.config.getoption("--record"):
        record(page, recorded)


def record(page: str, recorded: list[tuple[Block, str]]) -> None:
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    for block, printed in reversed(recorded):
        text = text[: block.start] + printed + text[block.end :]
    path.write_text(text, encoding="utf-8")


PYTHON_PAGES = ("README.md", "docs/python-api.md", "docs/languages.md")
"""Pages whose Python blocks run here; the blocks of other pages have tests of their own."""


@pytest.mark.parametrize("page", [page for page in PYTHON_PAGES if written(page)])
def test_python_gives_what_the_page_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page share their names, as if a reader typed them one after the other."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for block in blocks(page):
        if block.language != "python":
            continue
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line - 1)
            report: list[str] = []
            runner.run(test, out=report.append, clear_globs=False)
            names.update(test.globs)
            assert not runner.failures, "".join(report)
        else:
            exec(compile("\n" * (block.line - 1) + block.text, page, "exec"), names)  # noqa: S102 - our own page


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "b\n", False),
        ("a\n...\nz\n", "a\n1\n2\nz\n", True),
        ("a\n...\nz\n", "a\nz\n", True),
        ("in ... s\n", "in 0.3 s\n", True),
        ("in ... s\n", "in 0.3\n4 s\n", False),
        ("a.b\n", "aXb\n", False),
        ("", "", True),
    ],
)
def test_outputs_are_compared(shown: str, printed: str, same: bool) -> None:
    assert fits(shown, printed) is same
