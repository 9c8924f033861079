"""Generator of the rows of the folder pages `docs.md` from the modules' docstrings: `python -m tests.make_rows`.

The row of a module is the first sentence of its docstring, and the row of a folder is the first sentence of its page.
A test compares the pages with the generator's output.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("grammar", "spec", "interpreter", "cli")
FOLDERS = sorted(
    path.relative_to(ROOT)
    for path in (
        *(init.parent for top in LAYERS for init in (ROOT / top).rglob("__init__.py")),
        *(ROOT / name for name in ("bench", "bench/mutations", "src/ludex", "tests")),
        *(page.parent for page in (ROOT / "tests").glob("*/docs.md")),
    )
)
WIDTH = 120
ROWS = re.compile(r"^- `.+(?:\n(?:- `|  \S).*)*\n", re.MULTILINE)
"""Matches the list of a page: its rows, and the lines on which they go on."""
PROPER = {"English", "Hypothesis", "Kuhn", "Leduc", "Nim", "Othello", "Unicode"}
"""Words that begin a row with a capital letter."""


def page(folder: Path) -> str:
    return (ROOT / folder / "docs.md").read_text(encoding="utf-8")


def modules(folder: Path) -> list[Path]:
    """Return the modules of a folder that its page lists: tests say themselves what they are."""
    return [path for path in (ROOT / folder).glob("*.py") if not path.name.startswith(("__init__", "test_"))]


def with_rows(folder: Path) -> str:
    """Return the page of a folder with a row for each module, then for each folder inside it, in order."""
    rows = {path.name: _module_sentence(path) for path in sorted(modules(folder))}
    rows |= {
        f"{other.name}/": _first_sentence(page(other).split("\n\n")[1]) for other in FOLDERS if other.parent == folder
    }
    if not rows:
        return page(folder)
    text = "".join(_row(name, sentence) for name, sentence in rows.items())
    return ROWS.sub(lambda _: text, page(folder), count=1)


def _module_sentence(path: Path) -> str:
    return _first_sentence(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")


def _first_sentence(text: str) -> str:
    """Return the first sentence without its full stop, and without a capital letter that is due to its place."""
    paragraph = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    sentence = re.split(r"(?<=[.?])\s+(?=[A-Z`])", paragraph)[0].removesuffix(".")
    word = re.match(r"[A-Z][a-z]*\b", sentence)
    return sentence if not word or word[0] in PROPER else sentence[0].lower() + sentence[1:]


def _row(name: str, sentence: str) -> str:
    return (
        textwrap.fill(
            f"- `{name}`: {sentence}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
        + "\n"
    )


if __name__ == "__main__":
    for folder in FOLDERS:
        (ROOT / folder / "docs.md").write_text(with_rows(folder), encoding="utf-8")
    click.echo(f"wrote the rows of {len(FOLDERS)} pages")
