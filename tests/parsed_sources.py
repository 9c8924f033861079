"""The project's modules as syntax trees. A test process reads and parses each file once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = ("grammar", "spec", "interpreter", "cli")


@cache
def source_files(*folders: str) -> tuple[Path, ...]:
    """Return the Python files in folders of the project (by default the layers) at any depth, in order."""
    return tuple(sorted(path for folder in folders or LAYERS for path in (ROOT / folder).rglob("*.py")))


@cache
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a text, which must not be changed."""
    return ast.parse(source)


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, which must not be changed."""
    return parsed(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's tree."""
    return tuple(ast.walk(tree_of(path)))
