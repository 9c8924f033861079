"""Objects get what they need when they are made: no other module assigns to their attributes later.

An attribute that another module fills in is empty for a while, and nobody sees from the class who fills it, and when.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from .parsed_sources import ROOT, nodes_of, source_files

ACCUMULATORS = {
    "State": ("interpreter/program", "a play under way in Python code, which the engine and the runtime carry on"),
    "Run": ("interpreter/reference", "a play under way in the reference"),
    "PossibleRun": ("interpreter/unknowns", "a play under way with unknown parts"),
    "Replay": ("interpreter/logs/playback", "a replay of a log under way"),
    "Journal": ("interpreter/logs/playback", "what a replay under way has found"),
    "Trace": ("interpreter/reference", "what a play under way records"),
    "Meter": ("", "counts the work of a play or an elaboration"),
    "UnitScope": ("interpreter/program/lowering", "the code of one unit while it is lowered"),
    "Unit": ("interpreter/program/lowering", "has a number before its body is lowered, which may call it"),
    "Program": (
        "interpreter/program",
        "numbers units and blocks before they are lowered: their code names them",
    ),
    "Option": (
        "interpreter/program/lowering",
        "exists before the units of its moves are lowered, which ask for it",
    ),
    "Decision": ("interpreter/program/lowering", "has a number before its options are lowered, which may be waits"),
    "Together": ("interpreter/program/lowering", "the same"),
    "OfferTests": ("interpreter/program/python/printing", "what holds where the printer is in a unit"),
    "CellConstants": ("interpreter/program/python/printing", "what variables hold where the printer is in a unit"),
    "Services": ("interpreter/program/python", "keeps the last weighing of a pool, until the pool changes"),
    "LogicalLine": ("grammar", "a line during error recovery, which learns of one fault after another"),
}
"""Classes whose objects collect what one pass or one play finds, by name: the folder whose modules assign to their
attributes, and the reason."""
LIBRARIES = frozenset({
    "type", "label", "argtypes", "restype", "triple", "data_layout", "loop_vectorization", "slp_vectorization",
    "loop_unrolling", "library", "own",
})  # fmt: skip
"""Attributes of objects of libraries: tokens, progress bars, settings of foreign functions and compilers, thread
locals."""


@cache
def _owners() -> Mapping[str, frozenset[tuple[Path, str]]]:
    """Return the classes that declare each attribute, with their files, by the attribute's name."""
    owners = defaultdict[str, set[tuple[Path, str]]](set)
    for path in source_files():
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                for name in _attributes(node):
                    owners[name].add((path, node.name))
    return {name: frozenset(classes) for name, classes in owners.items()}


def _attributes(of: ast.ClassDef) -> Iterator[str]:
    for node in of.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
                yield from (str(each.value) for each in ast.walk(value) if isinstance(each, ast.Constant))
            case ast.FunctionDef():
                yield from (each.attr for each in _assigned(node) if _is_self(each.value))


def _assigned(function: ast.AST) -> Iterator[ast.Attribute]:
    """Yield the attributes that a function assigns to."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node


def _is_self(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def foreign(path: Path, tree: ast.AST) -> Iterator[str]:
    """Yield the assignments of a module to attributes of objects of other modules, save accumulators."""
    for node in _assigned(tree):
        owners = _owners().get(node.attr, frozenset())
        is_own = _is_self(node.value) or any(file == path for file, _ in owners)
        # `_value_` is how an enumeration makes its members.
        is_known = node.attr in LIBRARIES or node.attr == "_value_"
        if not (is_own or is_known or any(_collects(name, path) for _, name in owners)):
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)} = ..."


def _collects(name: str, path: Path) -> bool:
    return name in ACCUMULATORS and path.is_relative_to(ROOT / ACCUMULATORS[name][0])


def test_no_module_assigns_to_attributes_of_objects_of_others() -> None:
    wired = [line for path in source_files() for line in foreign(path, nodes_of(path)[0])]
    assert not wired, "pass it to the constructor, or add a method to the class:\n" + "\n".join(wired)


def test_no_setter_only_assigns() -> None:
    """Such a method is an assignment from outside under another name."""
    classes = [node for path in source_files() for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    setters = [
        f"{each.name}.{method.name}"
        for each in classes
        if each.name not in ACCUMULATORS
        for method in each.body
        if isinstance(method, ast.FunctionDef) and method.name.startswith(("set_", "wire_", "attach_"))
        if (code := _code(method)) and all(_only_stores(statement) for statement in code)
    ]
    assert len(classes) > 500
    assert not setters


def _code(function: ast.FunctionDef) -> list[ast.stmt]:
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[is_docstring:]


def _only_stores(statement: ast.stmt) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(targets) and all(isinstance(each, ast.Attribute) and _is_self(each.value) for each in targets)


def test_each_accumulator_is_assigned_to() -> None:
    declared = {name for classes in _owners().values() for _, name in classes}
    assert declared >= ACCUMULATORS.keys(), "take the others out of ACCUMULATORS"


@pytest.mark.parametrize("line", ["defines.sized = True", "a.b.sized, c = 1, 2", "report.sized |= True"])
def test_assignments_from_outside_are_reported(line: str) -> None:
    assert list(foreign(ROOT / "spec/new.py", ast.parse(line)))
