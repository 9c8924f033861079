"""One name for one thing: no two modules define a public class, type alias, function or constant of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator

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
SAME = {"Env", "command", "main"}
"""`Env`: the environment of a unit while it is lowered; in `flow.py` it also has the callers of the routine.
`command`: a module of `cli/commands/` has one. `main`: the entry point, and what the installed script calls.
"""
ALIASES = {"m": {"model", "nodes"}}
"""`ludex.spec.model` passes on what `nodes.py` defines, under the short name of the typed model."""
VARIABLES = ("TypeVar", "ParamSpec")
"""Type variables: their names are local to a module."""


def type_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the public classes and type aliases of a module. An alias is a constant in CamelCase."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                named = [name]
            case ast.Assign(targets=targets, value=value):
                named = [] if is_variable(value) else [each.id for each in targets if isinstance(each, ast.Name)]
            case _:
                named = []
        yield from (name for name in named if name[0].isupper() and not (name.isupper() and len(name) > 1))


def other_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the public functions and constants of a module. The names of helpers begin with `_`."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                named = [name]
            case ast.Assign() | ast.AnnAssign() if not is_variable(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                inner = (each for target in targets for each in ast.walk(target))
                named = [each.id for each in inner if isinstance(each, ast.Name) and each.id.isupper()]
            case _:
                named = []
        yield from (name for name in named if not name.startswith("_"))


def is_variable(value: ast.expr | None) -> bool:
    """Return whether it makes a type variable."""
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") in VARIABLES


@pytest.mark.parametrize("names_of", [type_names, other_names])
def test_no_two_modules_define_a_public_name_twice(names_of: Callable[[ast.Module], Iterator[str]]) -> None:
    places = defaultdict[str, list[str]](list)
    for file in source_files(*FOLDERS):
        path = file.relative_to(ROOT).as_posix()
        # The functions of the public API have the names of those that they call.
        if path not in NODES and not (names_of is other_names and path == "src/ludex/api.py"):
            for name in names_of(tree_of(file)):
                places[name].append(path)
    assert len(places) > 600
    assert {name: files for name, files in places.items() if len(files) > 1 and name not in SAME} == {}


def module_aliases(tree: ast.Module, modules: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the other names under which a module imports modules, each with the module's own name."""
    for node in ast.walk(tree):
        for each in node.names if isinstance(node, ast.ImportFrom) else ():
            if each.name in modules and each.asname not in (None, each.name):
                yield str(each.asname), each.name


def test_one_short_name_is_of_one_module() -> None:
    files = source_files(*FOLDERS)
    modules = {file.parent.name if file.name == "__init__.py" else file.stem for file in files}
    named = defaultdict[str, set[str]](set)
    for file in files:
        for alias, module in module_aliases(tree_of(file), modules):
            named[alias].add(module)
    assert {"c", "m", "s", "t", "y"} <= named.keys()
    meant = {alias: names for alias, names in named.items() if len(names) > 1 and names != ALIASES.get(alias)}
    assert not meant, f"import these modules by their own names, or under short names that differ: {meant}"


def test_other_names_of_modules_are_found() -> None:
    lines = parsed("from .. import log_codes as codes, row as row\nfrom ..log_codes import LOST as GONE")
    assert list(module_aliases(lines, {"log_codes", "row"})) == [("codes", "log_codes")]


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


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("def row(): ...", ["row"]),
        ("LEAST, MOST = 1, 3", ["LEAST", "MOST"]),
        ("MOST: int = 3", ["MOST"]),
        ("T = TypeVar('T')", []),
        ("def _row(): ...", []),
        ("_MOST = 3", []),
        ("Row = tuple[int, str]", []),
    ],
)
def test_functions_and_constants_are_other_names(line: str, names: list[str]) -> None:
    assert list(other_names(parsed(line))) == names
