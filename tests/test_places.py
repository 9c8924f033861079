"""Places of reports: the parser notes that of every node, name and first word, and nobody searches the text again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from .parsed_sources import parsed, tree_of
from .test_layers import ROOT, modules

COLUMNS = frozenset({"column", "end_column"})
READERS = ("grammar/__init__.py", "grammar/lexer", "grammar/parser", "grammar/files", "grammar/source.py")
"""Modules that read texts, and so make the places, or pass the readers on."""

TAKE_THE_NODES = "take the `span` of the node or the name, its `head` (first word), `start` or `brief`"
PRINTS_TOKENS = {"cli/stages/listing.py": "--stage tokens"}
NO_IDENTITY = "use the node (by `id`), its key (`key_of`) or the path of its clause"
PLACES_ARE_MEANT = {
    "interpreter/state/events.py": "play notes at which places it named who acts",
}
"""Modules in which a set of places does not represent a set of nodes, each with the reason."""


def faults(file: str, source: str) -> list[str]:
    """Return how to mend a module that searches the text for a place, or uses a place as an identity."""
    found = _searched(parsed(source)) if not file.startswith(READERS) and file not in PRINTS_TOKENS else ()
    mixed = _identities(parsed(source)) if file not in PLACES_ARE_MEANT else ()
    return [f"{file}:{line}: {mend}" for line, mend in (*found, *mixed)]


def _searched(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "lexemes" for alias in node.names):
            yield node.lineno, f"do not read the text again for a place: {TAKE_THE_NODES}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("Span", "replace") and _calculates(node):
            yield node.lineno, f"do not calculate a place: {TAKE_THE_NODES}"


def _calculates(call: ast.Call) -> bool:
    """Return whether an argument is a sum with the column of another place."""
    sums = (part for each in ast.iter_child_nodes(call) for part in ast.walk(each) if isinstance(part, ast.BinOp))
    return any(isinstance(part, ast.Attribute) and part.attr in COLUMNS for each in sums for part in ast.walk(each))


def _identities(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id="set" | "frozenset"), slice=ast.Name(id="Span")):
                yield node.lineno, f"do not collect places to know nodes by: {NO_IDENTITY}"
            case ast.Subscript(value=ast.Name(id="dict" | "Mapping"), slice=ast.Tuple(elts=[ast.Name(id="Span"), *_])):
                yield node.lineno, f"do not look nodes up by their place: {NO_IDENTITY}"
            case ast.Compare(left=ast.Attribute(attr="span"), ops=[ast.In() | ast.NotIn()]):
                yield node.lineno, f"do not look nodes up by their place: {NO_IDENTITY}"
            case ast.Subscript(slice=ast.Attribute(attr="span")) | ast.DictComp(key=ast.Attribute(attr="span")):
                yield node.lineno, f"do not look nodes up by their place: {NO_IDENTITY}"


def test_places_are_those_of_nodes() -> None:
    mend = [line for file in modules() for line in faults(str(file), (ROOT / file).read_text(encoding="utf-8"))]
    assert not mend, "\n".join(mend)


@pytest.mark.parametrize(
    ("source", "mend"),
    [
        ("from ludex.grammar import lexemes", "do not read the text again"),
        ("Span(a.file, a.line, a.column, a.line, a.column + 3)", "do not calculate"),
        ("Span(a.file, a.line, a.column, a.line, len(word) + a.column)", "do not calculate"),
        ("replace(a, end_column=a.column + 1)", "do not calculate"),
        ("known: set[Span] = set()", "do not collect places"),
        ("known: dict[Span, str] = {}", "do not look nodes up"),
        ("node.span in known", "do not look nodes up"),
        ("known[node.span]", "do not look nodes up"),
        ("{node.span: node for node in nodes}", "do not look nodes up"),
    ],
)
def test_searching_is_reported(source: str, mend: str) -> None:
    (fault,) = faults("spec/checks/flow.py", source)
    assert mend in fault


def test_exceptions_are_needed() -> None:
    for file in (*PRINTS_TOKENS, *PLACES_ARE_MEANT):
        source = tree_of(ROOT / file)
        assert any((*_searched(source), *_identities(source))), f"take {file} out of the exceptions"
