"""Names in the prose of pages exist: files, classes with their members, and words of code.

A section about code that is gone says so in its heading, which ends with `(history)`; its names are not looked up.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from .parsed_sources import ROOT, nodes_of, source_files

FOLDERS = ("grammar", "spec", "interpreter", "cli", "src", "bench", "tests")
MADE = {"api.md", "errors.md"}
"""Pages that are generated from the code."""
PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name not in MADE)
HISTORY = re.compile(r"^(#+) [^\n]*\(history\)\n.*?(?=^#|\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"([A-Z]\w*)\.(\w+)(?:\(\))?")
WORD = re.compile(r"([A-Z]\w*[a-z]\w*[A-Z]\w*|[A-Z]+(?:_[A-Z]+)+|_?[a-z]+(?:_[a-z]+)+)(?:\(\))?")
FILE = re.compile(r"[\w./-]*\w\.(?:py|yaml|ftl|lark|ludex|toml|md)")
OTHERS = {"State.history"}
"""Members of other projects' classes that have the name of one of ours."""
EXAMPLES = {"NAME.ludex", "Place.l03", "claim_draw", "grammar/messages/de.ftl", "many-1.yaml", "market_row"}
"""Names that a page invents as examples."""


def names(page: str) -> list[str]:
    """Return what the prose of a page has in backticks, on one line."""
    return re.findall(r"`([^`\n]+)`", BLOCK.sub("", HISTORY.sub("", page)))


@cache
def members() -> dict[str, set[str]]:
    """Return the names that each class defines or assigns. Classes of one name are taken together."""
    held = defaultdict[str, set[str]](set)
    for path in source_files(*FOLDERS):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                held[node.name] |= {name for inner in ast.walk(node) for name in defined(inner)}
    return held


def defined(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id if isinstance(each, ast.Name) else each.attr for each in targets
                    if isinstance(each, ast.Name | ast.Attribute)]  # fmt: skip
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return [name]
    return []


@cache
def files() -> frozenset[str]:
    """Return the paths of the project's files, and every end of one that begins at a folder or at the file's name."""
    kept = [path.relative_to(ROOT).parts for top in (*FOLDERS, "docs") for path in (ROOT / top).rglob("*.*")]
    kept += [path.relative_to(ROOT).parts for path in ROOT.glob("*") if path.is_file()]
    return frozenset("/".join(parts[at:]) for parts in kept for at in range(len(parts)))


@cache
def words() -> frozenset[str]:
    """Return the words of code, games, messages and recorded output, and of the blocks of all pages."""
    kinds = ("py", "ludex", "yaml", "ftl", "lark")
    texts = [
        path.read_text(encoding="utf-8")
        for top in FOLDERS
        for kind in kinds
        for path in (ROOT / top).rglob(f"*.{kind}")
    ]
    texts += ["\n".join(BLOCK.findall(path.read_text(encoding="utf-8"))) for path in (ROOT / "docs").glob("*.md")]
    return frozenset(
        word
        for text in texts
        for word in re.findall(r"[\w/-]+(?:\.\w+)?|\w+", text)
        for word in (word, *word.split("."))
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_names_in_prose_exist(path: Path) -> None:
    absent = [name for name in names(path.read_text(encoding="utf-8")) if not is_known(name)]
    assert not absent, f"correct {path.name}, or end the heading of the section with `(history)`: {absent}"


def is_known(name: str) -> bool:
    if name in EXAMPLES:
        return True
    if FILE.fullmatch(name):
        return name.removeprefix("../") in files() or name in words()
    if match := MEMBER.fullmatch(name):
        known = OTHERS | words()  # also members of types of games
        return match[2] in members().get(match[1], ()) or f"{match[1]}.{match[2]}" in known
    return not (match := WORD.fullmatch(name)) or match[1] in words()
