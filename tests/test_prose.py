"""Texts for readers are never parsed: no module extracts information from a message."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from .parsed_sources import parsed, tree_of
from .test_layers import ROOT, modules

OF_STRINGS = frozenset({
    "split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix", "startswith", "endswith"
})  # fmt: skip
OF_PATTERNS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "split"})
WORDS = frozenset({"message", "hint", "meaning", "explanation", "description", "mend"})
"""Attributes that are words for a reader."""
CATALOGUE = frozenset({"get_translation", "in_language", "words", "told", "formatted"})
"""Functions that return an entry of the catalogue."""
OF_CLICK = frozenset({"format_message", "get_usage"})
"""Methods of click that return words for a reader."""
PASS_DATA_ON = "pass on the data of which the words are made (a kind, a code, the parts), and write them at the end"

READ_ON_PURPOSE = {
    "cli/reporting/usage_errors.py": "click gives only an English sentence for a wrong value or number of words",
    "grammar/files/yaml_tree.py": "PyYAML gives a place and English words, but no code, for each fault",
    "grammar/formatter/formatting.py": "blank lines depend on the word with which a declaration begins",
    "grammar/formatter/text.py": "brackets depend on how the words without them would be read",
}
"""Modules that parse texts for readers, each with the reason."""


@cache
def writers() -> frozenset[str]:
    """The names of all functions that write words: those whose result is a format string, or joined words."""
    functions = [node for file in modules() for node in _functions(tree_of(ROOT / file))]
    by_name: dict[str, list[bool]] = {}
    for each in functions:
        # Only texts can be parsed, so functions with other results are left out.
        if each.returns is not None and any(getattr(part, "id", "") == "str" for part in ast.walk(each.returns)):
            by_name.setdefault(each.name, []).append(_writes(each))
    # A name is only reliable if all functions of that name write words.
    return frozenset(name for name, write in by_name.items() if all(write) and not hasattr(str, name))


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module, except those inside another."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif not isinstance(node, ast.expr):
            yield from _functions(node)


def _writes(function: ast.FunctionDef) -> bool:
    results = [node.value for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield) and node.value]
    return any(map(_is_written, results))


def _is_written(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Attribute) and value.func.attr == "join"
    parts = value.values if isinstance(value, ast.JoinedStr) else []
    return any(" " in str(part.value) for part in parts if isinstance(part, ast.Constant))


def faults(file: str, source: str) -> list[str]:
    """Return how to mend a module that takes prose apart."""
    functions = _functions(parsed(source))
    lines = {node.lineno: ast.unparse(node) for function in functions for node in _read(function)}
    return [f"{file}:{line}: `{read}` takes words apart: {PASS_DATA_ON}" for line, read in sorted(lines.items())]


def _read(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Yield the calls in a function that take words apart."""
    nodes = list(ast.walk(function))
    kept = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_prose(node.value, ())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and any(_is_prose(each, kept) for each in _texts_read(node)):
            yield node


def _texts_read(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the texts that a call takes apart."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in OF_STRINGS:
        yield call.func.value
    if isinstance(call.func, ast.Attribute) and call.func.attr in OF_PATTERNS:
        # Of the functions in `re`, the first argument is the pattern.
        yield from call.args[isinstance(call.func.value, ast.Name) and call.func.value.id == "re" :]


def _is_prose(value: ast.expr, kept: Iterable[str]) -> bool:
    match value:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name in kept
        case ast.Attribute(attr=attr):
            return attr in WORDS
        case ast.NamedExpr(value=inner):
            return _is_prose(inner, kept)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in writers() | CATALOGUE | OF_CLICK
    return isinstance(value, ast.JoinedStr)


def test_prose_is_not_taken_apart() -> None:
    sources = {str(file): (ROOT / file).read_text(encoding="utf-8") for file in modules()}
    mend = {file: faults(file, source) for file, source in sources.items()}
    unnamed = [line for file, lines in mend.items() if file not in READ_ON_PURPOSE for line in lines]
    assert not unnamed, "\n".join(unnamed)
    assert all(mend[file] for file in READ_ON_PURPOSE), "take the others out of READ_ON_PURPOSE"


@pytest.mark.parametrize(
    "line",
    [
        "first.hint.endswith('?')",
        "diagnostic.message.partition('`')",
        "re.search('[0-9]+', fault.message)",
        "PATTERN.match(code.meaning)",
        "re.fullmatch('No such .*', fault.format_message(), re.DOTALL)",
        "lines_text(lines).split(', ')",
        "f'{one}: {two}'.rpartition(':')",
        "words = lines_text(lines); words.splitlines()",
        "(words := lines_text(lines)).removesuffix('.')",
        "in_language(Message('cheat-name', number=1), language).split(', ')",
        "meaning = bundle.get_translation(code); meaning[1:].partition('. ')",
    ],
)
def test_taking_apart_is_reported(line: str) -> None:
    (fault,) = faults("spec/spec_codes.py", f"def f():\n    {line}\n")
    assert PASS_DATA_ON in fault
