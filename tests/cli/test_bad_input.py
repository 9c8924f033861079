"""Bad input to every command: never a traceback, never our own fault, always a word and a code other than 0."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from ludex.cli.main import COMMANDS

from .running import ludex

FULL = Path("spec/games/boreal/logs/full.jsonl")

TAKING_GAMES = ("games", "check", "test", "schema", "coverage", "simulate", "perft", "diff", "play")
TAKING_LOGS = ("validate", "show")
TAKING_FILES = ("fmt",)
NEEDED = {"simulate": ("--games", "1"), "perft": ("--depth", "1")}
"""What a command is not run without, or takes too long without."""


def test_every_command_is_tried() -> None:
    assert {*TAKING_GAMES, *TAKING_LOGS, *TAKING_FILES} == set(COMMANDS)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """The files by their names in `NAMES`; no command changes them."""
    folder = tmp_path_factory.mktemp("inputs")
    log = FULL.read_bytes()
    contents = {
        "empty": b"",
        "blank": b"\n\n  \n",
        "binary": bytes(range(256)) * 8,
        "zeros": b"\0" * 100,
        "latin": "game café\n".encode("latin-1"),
        "prose": b"This is not what you think it is.\nNot at all.\n",
        "truncated": log[: len(log) // 2 - 7],
        "torn": log[:3000] + b"\xd0" + log[3001:],
        "deep": b"[" * 5000,
        "wide": b"(" * 200_000,
        "huge": b"game g\n" + b"fact a = 1\n" * 450_000,
        "half_spec": b"game g\n  players: 2\n\naction a\n  choose",
        "numbers": b"game g\n  players: 99999999999999999999..2\n\nfact a = 99999999999999999999999999\n",
        "escape": b"game g\x1b[2J\n",
    }
    found = {name: folder / f"{name}.ludex" for name in contents}
    for name, content in contents.items():
        found[name].write_bytes(content)
    (folder / "folder").mkdir()
    loop = folder / "folder" / "loop.ludex"
    loop.symlink_to(loop)
    yield found | {"folder": folder / "folder", "loop": loop, "missing": folder / "missing.ludex"}
    changed = [name for name, content in contents.items() if found[name].read_bytes() != content]
    assert changed == []


NAMES = (
    "empty", "blank", "binary", "zeros", "latin", "prose", "truncated", "torn", "deep", "wide", "huge", "half_spec",
    "numbers", "escape", "folder", "loop", "missing",
)  # fmt: skip
NO_FILES = ("folder", "loop", "missing")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", COMMANDS)
def test_bad_files(command: str, name: str, inputs: dict[str, Path]) -> None:
    args = NEEDED.get(command, ())
    ran = ludex(command, inputs[name], *args)
    assert ran.code in {1, 2, 3}, ran.output
    assert ran.output.strip()
    assert "\x1b" not in ran.output


ODD_NAMES = ("", " ", ".", "..", "/", "no such game", "x" * 5000, "bo\0real", "boréal", "☃", "-x", "\ud83d")
THROUGH_THE_MACHINE = [("fmt", "/"), ("validate", "/")]
"""What would look through all files there are."""


@pytest.mark.parametrize(
    ("command", "name"), [each for each in product(COMMANDS, ODD_NAMES) if each not in THROUGH_THE_MACHINE]
)
def test_bad_names(command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "in" / "here")  # `.` and `..` are folders too, and so is an empty name
    args = NEEDED.get(command, ())
    ran = ludex(command, "--", name, *args) if name.startswith("-") and not args else ludex(command, *args, "--", name)
    assert ran.code in {1, 2, 3}, ran.output
    assert ran.output.strip()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_FILES])
def test_bad_files_on_the_standard_input(name: str, inputs: dict[str, Path]) -> None:
    content = inputs[name].read_bytes()
    assert ludex("validate", "-", stdin=content).code in {1, 2}
    if name not in ("empty", "blank"):
        assert ludex("fmt", "-", stdin=content).code in {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_bad_resumes_and_components(name: str, inputs: dict[str, Path], tmp_path: Path) -> None:
    assert ludex("play", "boreal", "--resume", inputs[name]).code in {1, 2, 3}
    if inputs[name].is_file():
        folder = tmp_path / "g"
        folder.mkdir()
        (folder / "c.yaml").write_bytes(inputs[name].read_bytes())
        text = 'game g\n  players: 2\n  convention: "x"\n\ncomponent Card from "c.yaml"\n  value: 1..9\n'
        (folder / "g.ludex").write_text(text, encoding="utf-8")
        assert ludex("check", folder).code in {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_bad_source_files(name: str, inputs: dict[str, Path], tmp_path: Path) -> None:
    from .specs import write_chairs

    folder = write_chairs(tmp_path)
    ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    if inputs[name].is_file():
        for file in ("en.lines", "en.lock", "en.excuses"):
            kept = (folder / "sources" / file).read_bytes() if (folder / "sources" / file).exists() else None
            (folder / "sources" / file).write_bytes(inputs[name].read_bytes())
            assert ludex("coverage", folder).code in {0, 1, 2}
            if kept is not None:
                (folder / "sources" / file).write_bytes(kept)
        (tmp_path / "books" / "chairs.txt").write_bytes(inputs[name].read_bytes())
        assert ludex("coverage", folder, "--sources", tmp_path / "books").code in {1, 2}
