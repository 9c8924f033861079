"""Running commands in the test's own process, and comparing what they print with golden files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.cli.main import cli, version
from ludex.cli.reporting.exit_codes import Exit

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Ran:
    """How a command ended. output: of both streams, as a terminal shows them."""

    code: int
    output: str
    stdout: str
    stderr: str


def ludex(*args: object, stdin: str | bytes = "") -> Ran:
    """Run a command. What is no good end never shows a traceback."""
    done = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert "Traceback" not in done.output
    assert done.exit_code != Exit.OUR_FAULT, done.output
    return Ran(done.exit_code, done.output, done.stdout, done.stderr)


def shown(ran: Ran, folder: Path | None = None) -> str:
    """The output and the exit code, with the test's own folder called `TMP`, the project's `ROOT`, and the version,
    which only an installation has, `VERSION`."""
    text = "".join(row.rstrip() + "\n" for row in ran.output.splitlines())
    text = text.replace(str(folder), "TMP") if folder else text
    text = text.replace(str(Path(__file__).resolve().parents[2]), "ROOT")
    text = text.replace(f'"version": "{version()}"', '"version": "VERSION"')
    return f"{text}[exit code {ran.code}]\n"


def compare(name: str, text: str, request: pytest.FixtureRequest) -> None:
    """The text is as the golden file has it; with --record the file is written anew."""
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--record"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"there is no {file.name} yet: run with --record, and read it"
    assert text == file.read_text(encoding="utf-8"), "re-record with --record if the new text is better"
