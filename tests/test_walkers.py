"""One walker finds the parts of nodes: no other module asks a data class for its fields to go through a tree.

A kind of node that is added is then found everywhere, and everywhere the same fields count as its parts. Code is the
exception: its walker lists the few classes of `ir/code.py`, as lowering goes through code all the time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields

import pytest

from ludex.grammar import Node, nodes_in, parse

from .grammar.good import SAMPLES
from .parsed_sources import ROOT, parsed, source_files

WALKER = "grammar/tree_traversal.py"
OF_CLASSES = {
    "grammar/files/packing.py": "writes objects of any data class, and reads them by its declaration",
    "grammar/value_classes.py": "compares and shows nodes by the declaration of their class",
    "spec/budget.py": "checks the settings of one class, which hold no parts",
    "interpreter/simulate/rows.py": "names the columns of a table",
    "interpreter/logs/judge/report_rows.py": "names the columns of a table",
    "cli/many_logs/results_file.py": "names the columns of a table",
    "cli/diff_report/json_report.py": "describes the classes of a report as a schema",
    "tests/lockstep.py": "adds up counts, which are not nodes",
    "tests/spec/test_model.py": "tests the declarations of nodes, and goes through data of any kind",
    "tests/test_walkers.py": "compares the walker with a walk through all fields",
}
"""Other modules that may read the declaration of a class, each with the reason."""


def reads_of_fields(source: str) -> list[int]:
    """Return the lines on which a module asks a data class for its fields."""
    found: list[int] = []
    for node in ast.walk(parsed(source)):
        match node:
            case ast.ImportFrom(module="dataclasses", names=names) if any(each.name == "fields" for each in names):
                found.append(node.lineno)
            case ast.Attribute(attr="__dataclass_fields__" | "__match_args__" | "fields", value=value) if (
                node.attr != "fields" or ast.unparse(value) == "dataclasses"
            ):
                found.append(node.lineno)
    return found


def test_only_the_walker_asks_for_the_parts_of_nodes() -> None:
    files = {
        path.relative_to(ROOT).as_posix(): path
        for path in source_files("grammar", "spec", "interpreter", "cli", "bench", "tests")
    }
    asking = {name for name, path in files.items() if reads_of_fields(path.read_text(encoding="utf-8"))}
    assert asking - {WALKER} == OF_CLASSES.keys(), (
        "use `nodes_in`, `child_nodes`, `with_child_nodes`, `mapped`, `fields_of`"
    )


def every_node(part: object) -> Iterator[Node]:
    """Yield the nodes in all fields, whatever their declared types."""
    if isinstance(part, tuple):
        for each in part:
            yield from every_node(each)
    elif isinstance(part, Node):
        yield part
        for field in fields(part):
            yield from every_node(getattr(part, field.name))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_walker_finds_every_node(name: str) -> None:
    module = parse(SAMPLES[name], "sample.ludex").module
    assert list(map(id, nodes_in(module))) == list(map(id, every_node(module)))


@pytest.mark.parametrize(
    "source",
    [
        "from dataclasses import dataclass, fields",
        "dataclasses.fields(node)",
        "for name in node.__dataclass_fields__: pass",
    ],
)
def test_a_walk_by_fields_is_found(source: str) -> None:
    assert reads_of_fields(source) == [1]
