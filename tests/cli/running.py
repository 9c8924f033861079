"""Runs commands in the test's own process, and compares their output with golden files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.cli.main import cli
from ludex.cli.reporting import version
from ludex.cli.reporting.exit_codes import Exit

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Ran:
    """The result of a command. output: both streams together, as on a terminal."""

    code: int
    output: str
    stdout: str
    stderr: str


def ludex(*args: object, stdin: str | bytes = "") -> Ran:
    """Run a command. It must neither print a traceback nor end with the exit code of a fault of Ludex."""
    done = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert "Traceback" not in done.output
    assert done.exit_code != Exit.OUR_FAULT, done.output
    return Ran(done.exit_code, done.output, done.stdout, done.stderr)


def shown(ran: Ran, folder: Path | None = None) -> str:
    """Return the output and the exit code, independent of the machine.

    `TMP` replaces the test's own folder, `ROOT` the project's, and `VERSION` the version, which depends on the
    installation.
    """
    text = "".join(row.rstrip() + "\n" for row in ran.output.splitlines())
    text = text.replace(str(folder), "TMP") if folder else text
    text = text.replace(str(Path(__file__).resolve().parents[2]), "ROOT")
    text = text.replace(f'"version": "{version()}"', '"version": "VERSION"')
    return f"{text}[exit code {ran.code}]\n"


def compare(name: str, text: str, request: pytest.FixtureRequest) -> None:
    """Assert that the text equals the golden file; with --record write the file."""
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--record"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"there is no {file.name}: run with --record, and read the file"
    assert text == file.read_text(encoding="utf-8"), "if the new text is better, run with --record"
