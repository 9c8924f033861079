"""The folder pages `docs.md`: the folder's question, a row for each module, and where to add what."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = sorted(
    init.parent.relative_to(ROOT)
    for top in ("grammar", "spec", "interpreter", "cli")
    for init in (ROOT / top).rglob("__init__.py")
)
MOST = 12
"""The largest number of modules of a folder that answers several questions."""
ADDITIONS = {
    *("statement", "builtin", "check", "code", "game", "report", "command", "printer", "type"),
    *("kind of zone", "language", "log form", "message"),
    *("format of verdicts", "header member", "line member", "public function", "section", "column", "tag"),
    *("header entry", "kind of provenance", "optimisation", "format of random games"),
}
SAMPLES = {
    "statement": r"\bSwapPieces\b|\bs\.Swap\b|class Swap\b",
    "builtin": r"\bclockwise\b",
    "type": r"\bBagOf\b",
    "kind of zone": r'"pile"',
    "kind of provenance": r'"assumed"',
    "header entry": r"^GAME_ENTRIES|\.FileHeader\b|header\.not_shown",
    "tag": r"\bTAGS\b|\bDATE\b",
}
"""An existing example of each kind of addition: another one concerns the files that contain it."""


def page(room: Path) -> str:
    return (ROOT / room / "docs.md").read_text(encoding="utf-8")


def additions() -> list[tuple[str, str]]:
    """Return the things that can be added, over all pages, each with the paragraph about it."""
    matches = (re.findall(r"^To add an? ([\w ]+): (.+(?:\n.+)*)", page(room), re.MULTILINE) for room in ROOMS)
    return [pair for pairs in matches for pair in pairs]


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_the_page_has_a_row_for_every_module(room: Path) -> None:
    folder = ROOT / room
    held = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    held += [f"{path.parent.name}/" for path in folder.glob("*/__init__.py")]
    named = re.findall(r"^- `([\w/]+(?:\.py)?)`: \S", page(room), re.MULTILINE)
    assert sorted(named) == sorted(held), f"write a row for each module into {room}/docs.md"
    assert named == sorted(named, key=lambda name: (name.endswith("/"), name)), (
        f"{room}/docs.md: list modules first, in the order of their names"
    )
    assert not re.search(r"^[<>=]{7}", page(room), re.MULTILINE), f"{room}/docs.md: resolve the merge conflict"


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_a_folder_is_small_or_answers_one_question(room: Path) -> None:
    modules = [path for path in (ROOT / room).glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST or "One question:" in page(room), (
        f"{room}: divide the folder, or add its one question to ONE_QUESTION"
    )


def test_the_pages_say_where_to_add_what() -> None:
    named = [name for name, _ in additions()]
    assert len(named) == len(set(named)), "each thing to add belongs to one page, once"
    assert set(named) >= ADDITIONS


@pytest.mark.parametrize(("name", "where"), additions(), ids=[name for name, _ in additions()])
def test_the_files_to_touch_exist(name: str, where: str) -> None:
    paths = re.findall(r"`([\w./-]+/[\w./-]*)`", where)
    assert paths, f"name the files to touch, as paths from the project's root, for: {name}"
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing, f"correct the files to touch for a new {name}: {missing} do not exist"


def test_contributing_says_which_page_to_read() -> None:
    rows = re.findall(
        r"^\| (an? .+) \| `(.+)` \|$", (ROOT / "docs/contributing.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    named = {name: where for names, where in rows for name in re.findall(r"an? ([\w ]+)", names)}
    said = {
        name: (room / "docs.md").as_posix()
        for room in ROOMS
        for name in re.findall(r"^To add an? ([\w ]+):", page(room), re.MULTILINE)
    }
    assert named == said


@pytest.mark.parametrize("name", SAMPLES)
def test_all_files_to_touch_are_named(name: str) -> None:
    where = dict(additions())[name]
    sources = (path for top in ("grammar", "spec", "interpreter", "cli") for path in (ROOT / top).rglob("*.py"))
    naming = [
        path
        for path in sources
        if path.name != "__init__.py" and re.search(SAMPLES[name], path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(naming) > 1
    left_out = [path for path in naming if path.relative_to(ROOT).as_posix() not in where]
    assert not left_out, f"the page must name these files for a new {name}: they contain {SAMPLES[name]}"
