"""Exit codes: one table in the code and on the page, which holds for every way in which a command ends."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ludex.cli.main import COMMANDS, Ludex, cli
from ludex.cli.reporting import CODE_GROUPS, exit_codes
from ludex.cli.reporting.exit_codes import MEANINGS, Exit, exit_of
from ludex.grammar import FILE_CODES, Code, Diagnostic, Severity, whole_file

from .running import ludex

ROOT = Path(__file__).parents[2]
CATALOGUE = {code.code: code for group in CODE_GROUPS for code in group.codes}


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", page, re.MULTILINE))
    assert rows == {str(int(code)): words.replace("|", "\\|") for code, words in MEANINGS.items()}


def test_codes_in_the_table_exist() -> None:
    named = {code: CATALOGUE[code].name for code in exit_codes.UNREADABLE_SPEC_CODES | exit_codes.USAGE_CODES}
    assert named == {
        "U102": "unknown-game",
        "U101": "bad-setting",
        "A240": "nothing-to-confirm",
        "A241": "not-written",
        "F107": "unwritable-file",
    }
    assert all(code.code.startswith(exit_codes.UNREADABLE_GROUPS) for code in FILE_CODES)
    others = [code for code in CATALOGUE.values() if code.code.startswith(exit_codes.UNREADABLE_GROUPS)]
    assert set(others) == set(FILE_CODES)


def found(*codes: str) -> list[Diagnostic]:
    odd = Code("X1", "odd", "", "", Severity.WARNING)
    return [Diagnostic(CATALOGUE.get(code, odd), "", whole_file("x")) for code in codes]


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ((), Exit.GOOD),
        (("warning",), Exit.GOOD),
        (("T201",), Exit.FINDINGS),
        (("warning", "T201"), Exit.FINDINGS),
        (("F101",), Exit.UNREADABLE),
        (("U102",), Exit.UNREADABLE),
        (("U101",), Exit.USAGE),
        (("T201", "F105", "T201"), Exit.UNREADABLE),
        (("F105", "U101"), Exit.USAGE),
        (("F105", "F107"), Exit.USAGE),
    ],
)
def test_the_gravest_verdict_decides_the_exit_code(codes: tuple[str, ...], code: Exit) -> None:
    assert exit_of(found(*codes)) is code


@pytest.mark.parametrize(
    "args",
    [
        ["no-such-command"],
        ["--no-such-option"],
        ["check"],
        ["check", "pig", "--no-such-option"],
        ["check", "pig", "--format", "xml"],
        ["check", "pig", "--option", "goal"],
        ["check", "pig", "--option", "=1"],
        ["check", "pig", "--reading", "a=b", "--reading", "a=c"],
        ["check", "pig", "--players", "many"],
        ["check", "pig", "--sources", "no/such/folder"],
        ["simulate", "pig", "--games", "0"],
        ["simulate", "pig", "--games", "9" * 30],
        ["simulate", "pig", "--seed", "x"],
        ["coverage", "pig", "--edition", "en"],
        ["schema", "pig", "--components"],
        ["play", "pig", "--names", "Anna"],
        ["play", "pig", "--names", "Anna,Anna"],
        ["play", "pig", "--names", "Anna,2"],
        ["play", "pig", "--resume", "x.jsonl", "--players", "2"],
        ["show", "spec/games/pig/logs/full.jsonl", "--at", "9" * 20],
        ["show", "spec/games/pig/logs/full.jsonl", "--at", "-1"],
        ["show", "spec/games/pig/logs/full.jsonl", "--as", "Nobody"],
        ["show", "spec/games/pig/logs/full.jsonl", "--as", "0"],
        ["show", "spec/games/pig/logs/full.jsonl", "--as", "0012"],
        ["test", "pig", "--players", "1"],
        ["test", "pig", "--players", "9" * 40],
        ["test", "boreal", "--edition", "fr"],
        ["schema", "boreal", "--reading", "scout_refill=never"],
        ["simulate", "boreal", "--option", "colour=red"],
    ],
    ids=" ".join,
)
def test_wrong_usage_has_its_exit_code(args: list[str]) -> None:
    ran = ludex(*args)
    assert ran.code == Exit.USAGE, ran.output
    assert ran.output.strip()


REFUSED = ROOT / "tests" / "spec" / "samples" / "E308" / "bad.ludex"


@pytest.mark.parametrize("command", ["check", "test", "simulate", "play", "perft --depth 1", "schema"])
def test_what_check_refuses_cannot_be_run(command: str) -> None:
    ran = ludex(*command.split(), REFUSED)
    assert (ran.code, "E308" in ran.output) == (Exit.FINDINGS, True), ran.output


@pytest.mark.parametrize("args", [["validate"], ["show"], ["play", REFUSED, "--resume"]])
def test_no_log_of_what_check_refuses_is_judged(args: list[object], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(f'{{"ludex": 1, "game": "{REFUSED}", "players": 2}}\n', encoding="utf-8")
    ran = ludex(*args, log)
    assert (ran.code, "E308" in ran.output) == (Exit.FINDINGS, True), ran.output


def test_a_spec_that_check_refuses_is_not_played(tmp_path: Path) -> None:
    other = tmp_path / "other.ludex"
    other.write_text(REFUSED.read_text(encoding="utf-8").replace("n in 1..3", "n in 1..4"), encoding="utf-8")
    ran = ludex("diff", REFUSED, other)
    assert ran.code == Exit.FINDINGS, ran.output
    assert "They were not played against each other: this may need a further decision" in ran.output


def test_a_mistyped_command_gets_a_suggestion() -> None:
    assert "did you mean `validate`?" in ludex("valdate").output


class Broken(Ludex):
    """A group whose every command raises the given exception."""

    def __init__(self, end: BaseException) -> None:
        super().__init__("ludex")
        self.end = end

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        @click.command(cmd_name)
        def command() -> None:
            raise self.end

        return command


def test_a_fault_of_ludex_is_written_to_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = CliRunner().invoke(Broken(RuntimeError("out of luck")), ["check"])
    assert done.exit_code == Exit.OUR_FAULT
    assert "Traceback" not in done.output
    assert "Please report it" in done.output
    [file] = tmp_path.iterdir()
    assert str(file) in done.output
    details = file.read_text(encoding="utf-8")
    assert "RuntimeError: out of luck" in details
    assert "Traceback" in details
    assert details.startswith("ludex ")


def test_a_fault_of_ludex_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_DEBUG", "1")
    done = CliRunner().invoke(Broken(RuntimeError("out of luck")), ["check"])
    assert done.exit_code == Exit.OUR_FAULT
    assert "RuntimeError: out of luck" in done.output


def test_a_fault_of_ludex_names_the_log_that_was_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("ludex.cli.many_logs.log_judging.Judge._judged", fails)
    done = CliRunner().invoke(cli, ["validate", "tests/cli/several.jsonl"])
    assert done.exit_code == Exit.OUR_FAULT
    assert "(RuntimeError, while it judged tests/cli/several.jsonl:1)" in done.output


@pytest.mark.parametrize("end", [KeyboardInterrupt(), EOFError()])
def test_an_interrupt_is_no_fault(end: BaseException) -> None:
    done = CliRunner().invoke(Broken(end), ["check"])
    assert (done.exit_code, done.output.strip()) == (Exit.INTERRUPTED, "stopped")


def test_a_closed_pipe_is_no_fault() -> None:
    done = CliRunner().invoke(Broken(BrokenPipeError(32, "Broken pipe")), ["check"])
    assert (done.exit_code, done.output) == (Exit.HUNG_UP, "")


def test_ludex_alone_prints_its_help() -> None:
    ran = ludex()
    assert ran.code == Exit.GOOD
    assert ran.output == ludex("--help").output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    for flag in ("--help", "-h"):
        ran = ludex(name, flag)
        assert ran.code == Exit.GOOD
        assert f"\n    ludex {name} " in ran.output or f"\n    ludex {name}\n" in ran.output, ran.output


def test_the_help_page_lists_the_commands() -> None:
    """The lines of `ludex --help` are kept apart from the commands, so that none has to be loaded."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert command.name == name
        assert command.help
        assert f"\n## {name}\n" in page, f"describe `{name}` in docs/commands.md"
