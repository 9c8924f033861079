"""Commands as real processes: pipes, locales, signals, start-up, entry points."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

import pytest

import ludex
from ludex.cli.needed_packages import NEEDED
from ludex.cli.reporting.exit_codes import Exit

ROOT = Path(__file__).parents[2]


def environment(**changes: str) -> dict[str, str]:
    assert ludex.__file__
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LUDEX_DEBUG", "PYTHONUTF8")}
    return {**kept, "PYTHONPATH": str(Path(ludex.__file__).parents[1]), **changes}


def run(
    *args: object, stdin: bytes = b"", changes: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ludex", *map(str, args)]
    env = environment(**changes)
    return subprocess.run(command, cwd=ROOT, env=env, input=stdin, capture_output=True, check=False, timeout=120)


LISTED = "import atexit, sys; atexit.register(lambda: print('imported:', *sys.modules, file=sys.stderr)); "
COMMAND = "import runpy; runpy.run_module('ludex', run_name='__main__', alter_sys=True)"


def imported(code: str, *args: str, **changes: str) -> set[str]:
    """Return the modules that a Python process imports. (`-X importtime` would leave out those imported on demand.)"""
    done = subprocess.run(
        [sys.executable, "-c", LISTED + code, *args],
        cwd=ROOT,
        env=environment(**changes),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (Exit.GOOD, Exit.FINDINGS)
    return set(done.stderr.rpartition("imported:")[2].split())


OF_THE_COMMAND = """
    cli cli.main cli.needed_packages cli.reporting.exit_codes cli.reporting.terminal cli.reporting.source_excerpts
    cli.start grammar grammar.lazy grammar.value_classes"""
OF_A_GAME = f"""{OF_THE_COMMAND} cli.command
    cli.reporting.output_language grammar.messages grammar.messages.catalogue grammar.messages.message
    grammar.files.cache grammar.text_codes grammar.diagnostics grammar.files.json_pointer
    grammar.files.file_reading grammar.source grammar.files.file_writing
    spec spec.budget spec.spec_codes spec.values.faults spec.values.codec spec.values.phrases spec.loading.game_cache
    spec.loading.overviews spec.loading.folder spec.loading.paths spec.loading.request spec.values.types"""
MAY_IMPORT = {
    ("--help",): OF_THE_COMMAND,
    ("--version",): f"{OF_THE_COMMAND} cli.reporting.installed_version",
    (): OF_THE_COMMAND,
    ("games",): f"{OF_A_GAME} cli.reporting.cited_lines cli.commands.games cli.reporting.diagnostics",
    ("check", "boreal"): f"""{OF_A_GAME} cli.commands.check cli.reporting.cited_lines cli.reporting.diagnostics
        spec.sources.whole_check""",
    ("validate", "spec/games/tic_tac_toe/logs/full.jsonl"): f"""{OF_A_GAME}
        cli.reporting.cited_lines cli.view.edition_summary cli.reporting.output_files cli.log_arguments
        cli.reporting.judging_bar cli.reporting.waiting grammar.garbage grammar.files.packing
        cli.reporting.diagnostics cli.view.display_names
        cli.commands.validate cli.verdicts.text_writer cli.verdicts.writer cli.verdicts.judged cli.many_logs.found_logs
        cli.many_logs.log_judging
        cli.view.verdict_words
        grammar.authority grammar.tree_traversal
        spec.text.accounts spec.text.authority spec.model.analysis spec.model.effects spec.model.evaluation
        spec.model.graphs spec.model.nodes spec.model.piece_flow
        spec.model.operators spec.loading.packed_games spec.model.traversal spec.values.order
        spec.values.partial_knowledge
        interpreter interpreter.*""",
    ("diff", "boreal", "--no-play"): f"""{OF_A_GAME} cli.* grammar.* spec.* interpreter interpreter.processes
        interpreter.witnesses interpreter.witnesses.row_result interpreter.witnesses.row_plays
        interpreter.witnesses.shown_witness""",
}
"""The modules of Ludex that each command may import when its games are cached: imports take most of
the start-up time.
"""
NEVER = (
    "cli.diff_report.witness_story", "cli.diff_report.compare_specs", "grammar.parser.parsing",
    "grammar.parser.parse_tables",
    "interpreter.witnesses.row_search",
    "interpreter.logs.position", "interpreter.logs.text_logs",
    "interpreter.play.examples", "interpreter.program.lowering", "interpreter.program.native",
    "interpreter.reference", "interpreter.explanation.refusals", "interpreter.simulate.simulation",
    "spec.elaborate",
)  # fmt: skip


@pytest.mark.drawn(2)
@pytest.mark.parametrize("args", MAY_IMPORT, ids=" ".join)
def test_a_command_imports_only_what_it_needs(args: tuple[str, ...], tmp_path: Path) -> None:
    changes = {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    assert run(*args, changes=changes).returncode in (Exit.GOOD, Exit.FINDINGS)
    modules = imported(COMMAND, *args, **changes)
    assert modules & NEEDED.keys() <= {"click", "rustfluent"}
    ours = {name.removeprefix("ludex.") for name in modules if name.startswith("ludex.")}
    allowed = MAY_IMPORT[args].split()
    allowed += [name.rpartition(".")[0] for name in allowed]  # the packages that contain them
    assert {name for name in ours if not any(fnmatch(name, each) for each in allowed)} == set()
    assert {name for name in ours if name.startswith(NEVER)} == set()
    assert args[:1] == ("diff",) or not any(name.startswith("interpreter.witnesses") for name in ours)


def test_importing_the_package_is_lean() -> None:
    modules = imported("import ludex")
    assert {name for name in modules if name.partition(".")[0] in ("ludex", *NEEDED)} == {
        "ludex", "ludex.grammar", "ludex.grammar.lazy"
    }  # fmt: skip


@pytest.mark.parametrize("args", [["check", "pig"], ["fmt", "--check", "spec/games/pig/pig.ludex"]])
def test_dependencies_of_one_command_are_not_imported_by_others(args: list[str]) -> None:
    modules = imported(COMMAND, *args)
    assert modules.isdisjoint({"jsonschema", "jinja2", "xlsxwriter", "yaml", "ludex.interpreter.witnesses"})


def test_python_m_ludex_is_the_command() -> None:
    assert run("check", "pig").returncode == Exit.GOOD
    assert run("check", "halma").returncode == Exit.UNREADABLE
    assert run("check").returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("there", "args"),
    [
        ((), ("--help",)),
        (("click",), ("validate", "spec/games/pig/logs/full.jsonl")),
        (("click",), ("diff", "mangrovia", "--no-play")),
        (("click", "lark"), ("check", "boreal")),
    ],
)
def test_a_missing_package_is_named(tmp_path: Path, there: Sequence[str], args: Sequence[str]) -> None:
    """Without site-packages (-S) only the linked packages can be imported."""
    for name in ("ludex", *there):
        file = import_module(name).__file__
        assert file
        (tmp_path / name).symlink_to(Path(file).parent)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "ludex", *args],
        cwd=ROOT,
        env=environment(PYTHONPATH=str(tmp_path), LUDEX_CACHE="off"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == Exit.USAGE
    assert done.stdout == ""
    first, *named, command = done.stderr.splitlines()
    missing = [name for name in NEEDED if name not in there]
    assert "cannot be imported" in first
    assert [row.split(":")[0].strip() for row in named] == missing
    assert all(NEEDED[name] in command for name in missing)
    assert "Traceback" not in done.stderr


def test_a_pipe_gets_no_colours() -> None:
    done = run("check", "halma")
    assert b"\x1b" not in done.stdout + done.stderr


def at_a_terminal(
    *args: str,
    typed: bytes = b"",
    changes: Mapping[str, str] = MappingProxyType({}),
    python: tuple[str, ...] = ("-m", "ludex"),
) -> str:
    """Return what a terminal shows of a command, its input included. python: what starts the command."""
    import pty

    ours, theirs = pty.openpty()
    env = {**environment(TERM="xterm"), **changes}
    command = [sys.executable, *python, *args]
    printed = b""
    with subprocess.Popen(command, cwd=ROOT, env=env, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        os.write(ours, typed)
        try:
            while piece := os.read(ours, 4096):
                printed += piece
        except OSError:
            pass  # this is how the other end of a terminal closes
    os.close(ours)
    return printed.decode()


UNWANTED = [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("changes", "coloured"), UNWANTED)
def test_a_terminal_gets_colours_unless_disabled(changes: dict[str, str], coloured: bool) -> None:
    printed = at_a_terminal("check", "halma", changes=changes)
    assert "U102" in printed
    assert ("\x1b[" in printed) is coloured


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("changes", "moving"), UNWANTED)
def test_a_terminal_gets_a_progress_bar_unless_disabled(changes: dict[str, str], moving: bool) -> None:
    printed = at_a_terminal("simulate", "kuhn_poker", "--games", "3", changes=changes)
    assert "all games ended" in printed
    assert ("playing" in printed) is moving


IN_A_HURRY = """
import time
from ludex.cli.reporting import waiting
from ludex.cli.start import main
waiting.TICK, waiting.monotonic = 0.001, lambda: 1000 * time.monotonic()
main()
"""
"""The command, for which each millisecond is a second: so any log takes long, on any machine."""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("command", "changes", "moving"),
    [
        (("validate",), {}, True),
        (("validate",), {"NO_COLOR": "1"}, False),
        (("show",), {}, True),
        (("validate", "-q"), {}, True),
    ],
)
def test_a_terminal_counts_the_seconds_of_a_log_that_takes_long(
    command: tuple[str, ...], changes: dict[str, str], moving: bool
) -> None:
    log = ROOT / "spec/games/boreal/logs/full.jsonl"
    printed = at_a_terminal(*command, str(log), changes=changes, python=("-c", IN_A_HURRY))
    assert bool(re.search(r"judging for [0-9]+ s", printed)) is moving
    if moving and "-q" not in command:
        # What comes after the line about the seconds is written over it.
        assert re.search(r"judging for [0-9]+ s\r +\r[^\r]*oreal|judging for [0-9]+ s\r +\r[^\r]*: ", printed)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_the_device_is_passed_on_in_games_with_hidden_hands() -> None:
    typed = b"\n1\n\n1\n"
    printed = at_a_terminal("play", "kuhn_poker", "--names", "Anna,Boris", typed=typed)
    parts = printed.split("\x1b[2J")
    assert "Pass the device to Anna" in parts[1]
    assert "Pass the device to Boris" in parts[3]
    cards = {"jack", "queen", "king"}
    parts[4:] = parts[4].split("to move", maxsplit=1)
    seen = [{card for card in cards if card in part} for part in parts]
    assert [len(each) for each in seen[1:]] == [0, 1, 0, 1, 2], (
        "both players must see their own card, and both cards at the end"
    )
    assert seen[2] != seen[4]
    assert "The game is over." in parts[5]


@pytest.mark.parametrize(
    "changes", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}]
)
def test_output_is_utf8_whatever_the_locale(changes: dict[str, str]) -> None:
    done = run("games", "boreal", changes=changes)
    assert done.returncode == 0
    assert "Бореаль" in done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
@pytest.mark.parametrize(
    "args", [["check", "pig", "--stage", "tokens"], ["schema", "pig"], ["games", "pig"], ["--help"]]
)
def test_a_closed_pipe_ends_a_command_quietly(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "ludex", *args]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        assert process.stderr
        output = process.stderr.read()
    assert output == b""
    assert process.returncode == Exit.HUNG_UP


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("args", [["games"], ["check", "pig", "--stage", "tokens"]])
def test_a_full_device_is_reported(args: list[str]) -> None:
    """Short output fails when it is flushed, long output while it is written."""
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "ludex", *args]
        done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (
        Exit.USAGE,
        b"ludex: the output cannot be written: No space left on device\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
def test_the_exit_code_does_not_need_the_standard_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "ludex", "no-command"]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stderr=writing, check=False)
    os.close(writing)
    assert done.returncode == Exit.USAGE


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_closed_streams_count_as_empty(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"{")
    command = 'exec "$0" -m ludex validate - "$1" <&- >&- 2>&-'
    done = subprocess.run(["sh", "-c", command, sys.executable, log], cwd=ROOT, env=environment(), check=False)
    assert done.returncode == Exit.UNREADABLE
    assert log.read_bytes() == b"{"


HEEDING = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
runpy.run_module("ludex", run_name="__main__", alter_sys=True)
"""
"""A shell that runs the tests in the background lets its children ignore interrupts."""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
def test_an_interrupt_is_reported_and_keeps_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-c", HEEDING, "play", "tic_tac_toe", "--save", str(log)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"5\n")
        process.stdin.flush()
        for _ in range(600):
            if log.exists() and log.read_bytes().count(b"\n") == 2:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, output = process.communicate(timeout=60)
    assert process.returncode == Exit.INTERRUPTED
    assert output.split() == [b"stopped"]
    assert run("validate", log).returncode == Exit.GOOD


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
@pytest.mark.drawn(1)
@pytest.mark.parametrize("how", ["Ctrl-C", "an interrupt", "kill"])
def test_terminating_a_search_terminates_its_workers(tmp_path: Path, how: str) -> None:
    """The workers would run for an hour. Ctrl-C reaches all of them. After it, the differences found so far are stored
    and reported.
    """
    command = [
        sys.executable,
        "-c",
        HEEDING,
        "diff",
        "mangrovia",
        "--jobs",
        "2",
        "--effort",
        "9999999",
        "--seconds",
        "3600",
    ]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(XDG_CACHE_HOME=str(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        for _ in range(900):
            if list(tmp_path.rglob("played/*")) or process.poll() is not None:
                break
            time.sleep(0.1)
        (os.killpg if how == "Ctrl-C" else os.kill)(process.pid, signal.SIGTERM if how == "kill" else signal.SIGINT)
        try:
            printed, output = process.communicate(timeout=60)  # which waits for everything that could still print
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == (Exit.TERMINATED if how == "kill" else Exit.INTERRUPTED)
    assert output.split() == ([] if how == "kill" else [b"stopped"])
    assert printed.count(b"NOT COMPLETE") == (0 if how == "kill" else 2), (
        "the report must be printed, marked as incomplete"
    )
    assert list(tmp_path.rglob("played/*"))


def test_a_log_from_a_pipe_is_judged() -> None:
    log = (ROOT / "spec/games/kuhn_poker/logs/full.jsonl").read_bytes()
    done = run("validate", "-", "--format", "json", stdin=log)
    assert done.returncode == Exit.GOOD
    assert b'"verdict": "legal"' in done.stdout


def test_undecodable_file_names_are_accepted(tmp_path: Path) -> None:
    if sys.platform in ("win32", "darwin"):
        pytest.skip("file names are always text on this system")
    name = os.fsencode(tmp_path) + b"/caf\xe9.jsonl"
    with open(name, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"{\n")
    command = [os.fsencode(sys.executable), b"-m", b"ludex", b"validate", name]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=False, timeout=60)
    assert done.returncode == Exit.UNREADABLE
    assert b"Traceback" not in done.stderr
    done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
@pytest.mark.drawn(2)
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("log_format", ["json", "text"])
def test_results_before_a_termination_are_printed(how: str, log_format: str) -> None:
    """The third log never arrives: it would be typed."""
    logs = ["spec/games/pig/logs/full.jsonl", "spec/games/nim/logs/full.jsonl"]
    command = [sys.executable, "-c", HEEDING, "validate", *logs, "-", "--format", log_format]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdout
        output = b""
        while b"nim/logs/full.jsonl" not in output:
            piece = os.read(process.stdout.fileno(), 4096)
            assert piece, "the command ended before the test terminated it"
            output += piece
        process.send_signal(getattr(signal, how))
        rest, _ = process.communicate(timeout=60)
    ends = {"SIGINT": Exit.INTERRUPTED, "SIGTERM": Exit.TERMINATED, "SIGHUP": Exit.TERMINAL_GONE}
    assert process.returncode == ends[how]
    if log_format == "json":
        data = json.loads(output + rest)
        assert [log["file"] for log in data["logs"]] == logs
        assert (data["complete"], data["legal"]) == (False, 2)


WORKER = """
import multiprocessing, os, signal
from ludex.cli import main
from ludex.cli.many_logs import log_judging
multiprocessing.set_start_method("fork")  # so that the workers have this, too:
log_judging.Judge.answer = lambda *args: os.kill(os.getpid(), signal.SIGKILL)
main.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
def test_a_worker_process_that_is_killed_is_named() -> None:
    command = [sys.executable, "-c", WORKER, "validate", "spec/games/pig/logs", "--jobs", "2", "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=False, timeout=60)
    assert done.returncode == Exit.TERMINATED
    assert done.stderr.startswith(b"ludex: a worker process was ended from outside")
    assert json.loads(done.stdout)["complete"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
def test_the_json_of_a_stopped_run_is_complete() -> None:
    command = [sys.executable, "-c", HEEDING, "validate", "-", "--format", "json"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdin
        process.stdin.write(b"\n" * 1_000_000)  # more than a pipe holds: when the write is done, the command is reading
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == Exit.TERMINATED
    data = json.loads(output)
    assert (data["logs"], data["complete"]) == ([], False)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
def test_a_run_ends_when_the_reader_of_its_reports_does(tmp_path: Path) -> None:
    logs = [f"spec/games/{game}/logs/full.jsonl" for game in ("pig", "nim", "tic_tac_toe")]
    more = [f"spec/games/{game}/logs/full.jsonl" for game in ("oware", "kuhn_poker", "othello")]
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "ludex", "validate", *logs, "-", *more, "--format", "json"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE
    ) as process:
        os.close(writing)
        output = b""
        while output.count(b'"file": "spec/games/') < 3:
            output += os.read(reading, 65536)
        os.close(reading)
        _, faults = process.communicate(b"", timeout=60)
    assert (process.returncode, faults) == (Exit.HUNG_UP, b"")
