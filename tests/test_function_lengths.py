"""A function does one thing: none has more than sixty lines."""

from __future__ import annotations

import ast

from .parsed_sources import ROOT, nodes_of, source_files

MOST_LINES = 60


def test_no_function_is_long() -> None:
    functions = [
        (path, node) for path in source_files() for node in nodes_of(path) if isinstance(node, ast.FunctionDef)
    ]
    assert len(functions) > 5000
    long = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path, node in functions
        if node.end_lineno is not None and node.end_lineno - node.lineno >= MOST_LINES
    ]
    assert not long, f"divide these functions by what they do, with names: {long}"
