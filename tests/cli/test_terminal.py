"""No control character and no invisible character gets from a file to a terminal: all output goes through
`cli/reporting/terminal.py`.
"""

from __future__ import annotations

import ast
import json
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludex.cli.main import COMMANDS
from ludex.cli.reporting import terminal
from ludex.cli.reporting.diagnostics import json_text
from ludex.cli.reporting.source_excerpts import isolated, visible
from ludex.cli.reporting.terminal import say, style, unstyled

from .running import ludex

ROOT = Path(__file__).parents[2]
ODD = "\x1b[31m\x9b2J\x07\x08\x7f\u00ad\u200b\u200d\u202e\u2066\u2068\u2028\ufeff\ufdd0[31m\U000e0041"
"""Characters put into every text of a file. Line ends are tried in logs, since JSON can escape them."""
NOT_SHOWN = ("Cc", "Cf", "Cs", "Zl", "Zp")

GAME = f"""\
game odd  # {ODD}
  title: en "Odd {ODD}", he "מוזר {ODD}"
  players: 2
  document: en "book{ODD}.txt", ru "книга{ODD}.txt"

# {ODD}
type Card = jack | queen | king
state laid(Player): Card? = none

note boards: "one {ODD}"                                        [en 1]

action lay
  choose card in Card
  require free: no p in Player has laid(p) = card               [en 2] [ru 2]
  put_down: laid(me) := card                                    [en 3] convention "so {ODD}"

play
  turns: each player in seats                                   [en 4]
    lay

score rank: if my laid is empty then 0 else index(my laid)      [en 5]
  variant ru: if my laid is empty then 0 else 2 * index(my laid)  [ru 5] ruling "{ODD}"

example lays  # {ODD}
  with anna, boris
  expect total(anna) = 0

terms
  seat(1): en "first {ODD}"
  lay: en "lay {ODD}", he "להניח {ODD}"
  Card.jack: en "jack {ODD}"
"""
BAD = f"""\
game b{ODD}
fact a{ODD} = "{ODD}
fact b = {ODD}
"""
NAMES = f"""\
game b
  title: en "{ODD}", en "{ODD}"
  players: 2
note n: "{ODD}" [xx 1]
terms
  nix: en "{ODD}"
"""
HEADER: dict[str, object] = {
    "ludex": 1,
    "game": "odd",
    "players": [f"An{ODD}\nFORGED", f"Бо{ODD}"],
    "note": f"{ODD}\nFORGED",
}
EVENTS: list[dict[str, object]] = [
    {"player": 1, "action": "lay", "args": {"card": "jack"}, "note": ODD},
    {"player": 2, "action": "lay", "args": {"card": "queen"}},
]
FAULTS: list[dict[str, object]] = [
    {"player": f"{ODD}\nFORGED", "action": f"lay{ODD}\nFORGED", "args": {f"card{ODD}\nFORGED": ODD}},
    {"player": 2, "action": "lay", "args": {"card": f"jack{ODD}\nFORGED"}, f"{ODD}\nFORGED": 1},
]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder with a game, logs, a broken spec and a broken log, with odd characters in every text and name."""
    folder = tmp_path / f"odd {ODD.replace('/', '')}"
    (folder / "game").mkdir(parents=True)
    (folder / "game" / "odd.ludex").write_text(GAME, encoding="utf-8")
    rows = {
        "good": [HEADER, *EVENTS],
        "bad": [HEADER, EVENTS[0], *FAULTS],
        "other": [{**HEADER, "game": f"no{ODD}\nFORGED", f"x{ODD}\nFORGED": ODD}],
    }
    for name, records in rows.items():
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records)
        (folder / f"{name}{ODD}.jsonl").write_text(lines, encoding="utf-8")
    (folder / f"torn{ODD}.jsonl").write_text(json.dumps(HEADER) + f"\n{{{ODD}\n", encoding="utf-8")
    (folder / f"bad_spec{ODD}.ludex").write_text(BAD, encoding="utf-8")
    (folder / f"names_spec{ODD}.ludex").write_text(NAMES, encoding="utf-8")
    (folder / "books").mkdir()
    (folder / "books" / f"book{ODD}.txt").write_text(f"One {ODD} line.\n" * 9, encoding="utf-8")
    return folder


RUNS = [
    "games",
    "games {game}",
    "games {ODD}",
    "check {game}",
    "check {bad_spec}",
    "check {names_spec}",
    "check {none}",
    "check {game} --stage tree",
    "check {game} --stage tokens",
    "check {game} --stage model",
    "check {game} --stage declarations",
    "fmt {bad_spec}",
    "fmt --diff {game}",
    "fmt --check {game}",
    "test {game}",
    "test {game} --edition {ODD}",
    "schema {game}",
    "schema {game} --components",
    "new {ODD}",
    "new-log {game} {new}",
    "collate {game} {bad_spec}",
    "collate {game} --check",
    "coverage {game}",
    "coverage {game} --sources {books}",
    "coverage {game} --sources {books} --record",
    "coverage {game} --confirm {ODD} --record",
    "validate {good} --game {game}",
    "validate {bad} --game {game}",
    "validate {bad} --game {game} --edition all",
    "validate {torn} --game {game}",
    "validate {other} --game {game}",
    "validate {other}",
    "validate {none}",
    "migrate {good} {bad} --to {game}",
    "simulate {game} --games 2 --audit",
    "simulate {game} --games 2 --edition all",
    "simulate {bad_spec}",
    "perft {game} --depth 2",
    "perft {none}",
    "diff {game}",
    "diff {game} --details --all",
    "diff {game} --sources {books}",
    "diff {game} --clause {ODD}",
    "diff {game} {ODD}",
    "diff {bad_spec}",
    "explain L460",
    "games {game} --moves",
    "explain {ODD}",
    "play {game} --names {ODD},b",
    "play {game} --lang en",
    "play {game} --lang {ODD}",
    "play {game} --resume {bad}",
    "show {good} --game {game}",
    "show {good} --game {game} --lang he",
    "show {bad} --game {game}",
    "show --merged en {game}",
    "convert {good} --to ludexlog --game {game}",
    "convert {good} --to yaml --game {game}",
    "convert {bad} --to jsonl --game {game}",
    "show --merged {ODD} {game}",
    "{ODD}",
    "check --{ODD}",
]


def test_every_command_is_tried() -> None:
    assert {run.split()[0] for run in RUNS} >= COMMANDS.keys()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("run", RUNS)
def test_no_odd_character_is_printed(run: str, form: str, odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(odd / "cache"))
    files = {"game": odd / "game", "books": odd / "books", "none": odd / f"none{ODD}", "ODD": ODD}
    files |= {"new": odd / f"new{ODD}.yaml"}
    files |= {path.stem.removesuffix(ODD): path for path in odd.iterdir() if path.is_file() and path != files["new"]}
    args = [word.format_map(files) for word in run.split()]
    if form == "json":
        args += ["--format", "json"]
    ran = ludex(*args, stdin="1\nlog\nview\nfoo\n" + ODD + "\n1\n1\n")
    for printed in (ran.stdout, ran.stderr):
        assert odd_signs(printed) == []
        assert not [row for row in printed.splitlines() if row.startswith("FORGED")]
    if form == "json" and ran.code < 2 and ran.stdout.startswith("{"):
        json.loads(ran.stdout)


def odd_signs(printed: str) -> list[str]:
    return sorted(
        {f"U+{ord(sign):04X}" for sign in printed if sign != "\n" and unicodedata.category(sign) in NOT_SHOWN}
    )


@given(st.text())
@example(ODD)
@example("\ud800 \udfff\U0001fffe\u3164")
def test_odd_characters_of_every_text_are_made_visible(text: str) -> None:
    for printed in (visible(text), unstyled(text), json_text({text: [text]})):
        assert odd_signs(printed) == []
    whole = text.encode("utf-8", "backslashreplace").decode()  # no other program would read half a character
    assert json.loads(json_text({text: [text]})) == {whole: [whole]}
    assert visible(visible(text)) == visible(text)


def test_listing_the_commands_imports_none_of_them() -> None:
    """`ludex --help` must answer at once: importing the grammar alone takes three times as long."""
    code = "import sys, ludex.cli.main; print([name for name in sys.modules if name.startswith('lark')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_styles_and_marks_are_written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.utils, "should_strip_ansi", lambda *_: False)
    say(f"{style(ODD[:5] + 'a', fg='red')}\x1b[1m {style(style('in', dim=True), bold=True)} {isolated('מלך')}")
    assert capsys.readouterr().out == "\x1b[31m␛[31ma\x1b[0m␛[1m \x1b[1m\x1b[2min\x1b[0m\x1b[0m \u2068מלך\u2069\n"


def test_output_for_programs_is_not_changed(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.put(ODD)
    assert capsys.readouterr().out == ODD + "\n"


def test_output_at_a_terminal_is_made_visible(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    terminal.put(ODD)
    assert odd_signs(capsys.readouterr().out) == []


def test_names_in_suggested_commands_are_quoted(odd: Path) -> None:
    ran = ludex("simulate", odd / "game", "--games", "1")
    assert f"ludex show --merged en {visible(shlex.quote(str(odd / 'game')))})" in ran.stdout
    ran = ludex("coverage", odd / "game", "--sources", odd / "books")
    assert f"--sources {visible(shlex.quote(str(odd / 'books')))} --record" in ran.stdout


# ---- all output goes through one module ------------------------------------------------------------------------------

PRINTING = {"print", "input"}
CLICKS = {"echo", "secho", "style", "unstyle", "prompt", "confirm", "pause", "echo_via_pager"}


def prints(source: str) -> list[int]:
    """Yield the lines that print or style something."""
    lines: list[int] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in PRINTING:
                lines.append(node.lineno)
            case ast.Attribute(value=ast.Name(id="click"), attr=name) if name in CLICKS:
                lines.append(node.lineno)
            case ast.Attribute(value=ast.Attribute(attr="stdout" | "stderr"), attr="write" | "writelines"):
                lines.append(node.lineno)
            case ast.ImportFrom(module="click", names=names) if CLICKS & {each.name for each in names}:
                lines.append(node.lineno)
            case _:
                pass
    return lines


def test_only_one_module_prints() -> None:
    """`start.py` prints where click itself is missing."""
    files = [path for path in (ROOT / "cli").rglob("*.py") if path.name not in ("terminal.py", "start.py")]
    assert len(files) > 40
    places = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in prints(path.read_text(encoding="utf-8"))]
    assert not places, (
        f"print with `say`, `put` or `ask` of cli/reporting/terminal.py, style with its `style`: {places}"
    )


@pytest.mark.parametrize(
    "source",
    [
        "click.echo('a')",
        "print('a')",
        "input()",
        "sys.stdout.write('a')",
        "from click import style",
        "click.style('a')",
    ],
)
def test_a_line_that_prints_is_noticed(source: str) -> None:
    assert prints(source) == [1]
