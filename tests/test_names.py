"""One name for one thing: no two modules define a public class or type alias of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from .parsed_sources import ROOT, parsed, source_files, tree_of

FOLDERS = ("grammar", "spec", "interpreter", "cli", "src")
NODES = (
    "grammar/syntax.py", "spec/model/nodes.py", "spec/values/types.py", "interpreter/program/ir/code.py",
    "grammar/files/yaml_tree.py",
)  # fmt: skip
"""The node classes of trees are named for what they represent, in several trees. Code always writes them with the short
name of their module (`s.Choice`, `m.Choice`), so that each name still means one thing.
"""
SAME = {"Env"}
"""The environment of a unit while it is lowered; in `flow.py` it also has the callers of the routine."""
VARIABLES = ("TypeVar", "ParamSpec")
"""Type variables: their names are local to a module."""


def type_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the public classes and type aliases of a module. An alias is a constant in CamelCase."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                named = [name]
            case ast.Assign(targets=targets, value=value):
                is_variable = isinstance(value, ast.Call) and getattr(value.func, "id", "") in VARIABLES
                named = [] if is_variable else [each.id for each in targets if isinstance(each, ast.Name)]
            case _:
                named = []
        yield from (name for name in named if name[0].isupper() and not (name.isupper() and len(name) > 1))


def test_no_two_modules_define_a_public_type_of_the_same_name() -> None:
    places = defaultdict[str, list[str]](list)
    for file in source_files(*FOLDERS):
        path = file.relative_to(ROOT).as_posix()
        if path not in NODES:
            for name in type_names(tree_of(file)):
                places[name].append(path)
    assert len(places) > 600
    assert {name: files for name, files in places.items() if len(files) > 1 and name not in SAME} == {}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("class Row: ...", ["Row"]),
        ("Row: TypeAlias = int", ["Row"]),
        ("Row = tuple[int, str]", ["Row"]),
        ("Row = TypeVar('Row')", []),
        ("MOST_ROWS = 3", []),
        ("class _Row: ...", []),
    ],
)
def test_classes_and_aliases_are_types(line: str, names: list[str]) -> None:
    assert list(type_names(parsed(line))) == names
