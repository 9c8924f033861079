"""Bad input to every command: a report and an exit code other than 0, no traceback, no report of a fault of Ludex."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from ludex.cli.main import COMMANDS

from .running import ludex

FULL = Path("spec/games/boreal/logs/full.jsonl")

TAKING_GAMES = (
    *("games", "check", "test", "schema", "new-log", "collate", "coverage", "simulate", "perft", "diff", "play"),
)
TAKING_LOGS = ("validate", "show", "convert", "migrate")
TAKING_FILES = ("fmt",)
TAKING_CODES = ("explain",)
TAKING_NAMES = ("new",)
NEEDED = {
    "collate": ("spec/games/boreal/transcriptions/ru.ludex",),
    "migrate": ("--to", "boreal"),
    "simulate": ("--games", "1"),
    "perft": ("--depth", "1"),
    "convert": ("--to", "jsonl"),
}
"""Arguments without which a command does not run, or takes too long."""


def test_every_command_is_tried() -> None:
    assert {*TAKING_GAMES, *TAKING_LOGS, *TAKING_FILES, *TAKING_CODES, *TAKING_NAMES} == set(COMMANDS)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """The files of `NAMES`, by name; no command changes them."""
    folder = tmp_path_factory.mktemp("inputs")
    log = FULL.read_bytes()
    contents = {
        "empty": b"",
        "blank": b"\n\n  \n",
        "binary": bytes(range(256)) * 8,
        "zeros": b"\0" * 100,
        "latin": "game café\n".encode("latin-1"),
        "cyrillic": 'game g\n  title: ru "Игра"\n  players: 2\n'.encode("windows-1251"),
        "wide": 'game g\n  title: ru "Игра"\n  players: 2\n'.encode("utf-16"),
        "prose": b"This is not what you think it is.\nNot at all.\n",
        "truncated": log[: log.index(b"\n", len(log) // 2) - 7],
        "torn": log[:3000] + b"\xd0" + log[3001:],
        "deep": b"[" * 5000,
        "brackets": b"(" * 200_000,
        "huge": b"game g\n" + b"fact a = 1\n" * 450_000,
        "half_spec": b"game g\n  players: 2\n\naction a\n  choose",
        "numbers": b"game g\n  players: 99999999999999999999..2\n\nfact a = 99999999999999999999999999\n",
        "escape": b"game g\x1b[2J\n",
    }
    files = {name: folder / f"{name}.ludex" for name in contents}
    for name, content in contents.items():
        files[name].write_bytes(content)
    (folder / "folder").mkdir()
    loop = folder / "folder" / "loop.ludex"
    loop.symlink_to(loop)
    zero, pipe = folder / "zero.ludex", folder / "pipe.ludex"
    zero.symlink_to("/dev/zero")
    os.mkfifo(pipe)
    others = {"folder": folder / "folder", "loop": loop, "missing": folder / "missing.ludex"}
    yield files | others | {"zero": zero, "pipe": pipe}
    changed = [name for name, content in contents.items() if files[name].read_bytes() != content]
    assert changed == []


NAMES = (
    "empty", "blank", "binary", "zeros", "latin", "cyrillic", "wide", "prose", "truncated", "torn", "deep", "brackets",
    "huge", "half_spec", "numbers", "escape", "folder", "loop", "missing", "zero", "pipe",
)  # fmt: skip
NO_FILES = ("folder", "loop", "missing", "zero", "pipe")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_file_gives_a_report_and_an_exit_code(command: str, name: str, inputs: dict[str, Path]) -> None:
    args = NEEDED.get(command, ())
    ran = ludex(command, inputs[name], *args)
    assert ran.code in {1, 2, 3}, ran.output
    assert ran.output.strip()
    assert "\x1b" not in ran.output


ODD_NAMES = ("", " ", ".", "..", "/", "no such game", "x" * 5000, "bo\0real", "boréal", "☃", "-x", "\ud83d")
THROUGH_THE_MACHINE = [("fmt", "/"), ("validate", "/"), ("migrate", "/")]
"""Arguments that would make a command search all files of the machine."""


@pytest.mark.parametrize(
    ("command", "name"), [each for each in product(COMMANDS, ODD_NAMES) if each not in THROUGH_THE_MACHINE]
)
def test_bad_names(command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "in" / "here")  # `.`, `..` and the empty name are folders too
    args = NEEDED.get(command, ())
    ran = ludex(command, "--", name, *args) if name.startswith("-") and not args else ludex(command, *args, "--", name)
    assert ran.code in {1, 2, 3}, ran.output
    assert ran.output.strip()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_FILES])
def test_bad_input_from_a_pipe_is_reported(name: str, inputs: dict[str, Path]) -> None:
    content = inputs[name].read_bytes()
    assert ludex("validate", "-", stdin=content).code in {1, 2}
    if name not in ("empty", "blank"):
        assert ludex("fmt", "-", stdin=content).code in {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_log_to_resume_or_component_file_is_reported(name: str, inputs: dict[str, Path], tmp_path: Path) -> None:
    assert ludex("play", "boreal", "--resume", inputs[name]).code in {1, 2, 3}
    if inputs[name].is_file():
        folder = tmp_path / "g"
        folder.mkdir()
        (folder / "c.yaml").write_bytes(inputs[name].read_bytes())
        text = 'game g\n  players: 2\n  convention: "x"\n\ncomponent Card from "c.yaml"\n  value: 1..9\n'
        (folder / "g.ludex").write_text(text, encoding="utf-8")
        assert ludex("check", folder).code in {1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_file_of_sources_is_reported(name: str, inputs: dict[str, Path], tmp_path: Path) -> None:
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


FOREIGN = ("windows-1251", "utf-16", "utf-16-le")
SPEC = """\
game g
  title: ru "Игра"
  players: 2
  convention: "Правило"
  document: ru "g.txt"

component Card from "c.yaml"
  value: 1..9
"""
CARDS = 'sources: {us: "Мы"}\ntables:\n  Card:\n    provenance: us\n    rows:\n      - {id: one, value: 1}\n'
LOG = '{"ludex": 1, "game": "pig", "players": ["Ася", "Елена"]}\n'
YAML_LOG = "ludex: 1\ngame: pig\nplayers: [Ася, Елена]\nevents: []\n"
RULINGS = "# Решения\nrulings: []\n"


@pytest.mark.parametrize("encoding", FOREIGN)
@pytest.mark.parametrize(
    ("name", "text", "args"),
    [
        ("g.ludex", SPEC, ("check", "g")),
        ("g.ludex", SPEC, ("fmt", "g/g.ludex")),
        ("g.ludex", SPEC, ("test", "g")),
        ("g.ludex", SPEC, ("simulate", "g")),
        ("g.ludex", SPEC, ("validate", "pig.jsonl", "--game", "g")),
        ("c.yaml", CARDS, ("check", "g")),
        ("c.yaml", CARDS, ("play", "g")),
        ("g.txt", "1. Правила\n", ("coverage", "g", "--sources", "g")),
        ("x.jsonl", LOG, ("validate", "g/x.jsonl")),
        ("x.jsonl", LOG, ("validate", "g")),
        ("x.jsonl", LOG, ("show", "g/x.jsonl")),
        ("x.jsonl", LOG, ("play", "pig", "--resume", "g/x.jsonl")),
        ("x.yaml", YAML_LOG, ("validate", "g/x.yaml")),
        ("x.yaml", YAML_LOG, ("validate", "g")),
        ("x.yaml", YAML_LOG, ("show", "g/x.yaml")),
        ("x.yaml", YAML_LOG, ("play", "pig", "--resume", "g/x.yaml")),
        ("r.yaml", RULINGS, ("diff", "mangrovia", "--no-play", "--rulings", "g/r.yaml")),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else each if "\n" not in each else "",
)
def test_a_wrong_encoding_has_the_same_report_in_every_command(
    encoding: str, name: str, text: str, args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command decodes the bytes as other letters than were written."""
    folder = tmp_path / "g"
    folder.mkdir()
    (folder / "g.ludex").write_text(SPEC, encoding="utf-8")
    (folder / "c.yaml").write_text(CARDS, encoding="utf-8")
    (tmp_path / "pig.jsonl").write_text(LOG, encoding="utf-8")
    (folder / name).write_bytes(text.encode(encoding))
    monkeypatch.chdir(tmp_path)
    ran = ludex(*args)
    assert ran.code == 2, ran.output
    assert ran.output.count("F105") == 1, ran.output
    expected = "is not UTF-8" if encoding == "windows-1251" else "the file is in UTF-16, not in UTF-8"
    assert expected in ran.output
