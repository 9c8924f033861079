"""Generator of `docs/api.md` from the docstrings of public names: `python -m tests.make_api`.

A test compares the page with the generator's output. Run it after a change of a public name, a signature or a
docstring.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef

import click

from ludex.grammar import passed_on

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "api.md"
PACKAGES = ("ludex", "ludex.spec", "ludex.interpreter")

HEAD = """\
# Every public name

`ludex` exports what most programs need; `ludex.spec` and `ludex.interpreter` export more, each from its root.
[python-api](python-api.md) shows how the names go together. A name that `ludex` exports is described once, there.

This page is made by `tests/make_api.py` from the docstrings in the code.
"""

SECTION = re.compile(r"^(Args|Attributes|Returns|Raises):$")
ITEM = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*): (.*)")


def make_page() -> str:
    """Return the whole page."""
    known: set[str] = set()
    parts = [HEAD]
    for package in PACKAGES:
        names = {
            name: home for name, home in passed_on(import_module(package).__file__ or "").items() if name[0] != "_"
        }
        parts.append(f"## {package}\n")
        for name in sorted(set(names) - known, key=lambda name: (name.lower(), name)):
            parts += _entry(package, name, names[name], package == "ludex")
        known |= set(names)
    return "\n".join(parts)


def _entry(package: str, name: str, home: str, is_whole: bool) -> Iterator[str]:
    """Return the paragraphs about one name. is_whole: include the whole docstring, and the methods of a class."""
    value = getattr(import_module(package), name)
    text = _described(value, name, f"{package}.{home}")
    yield f"### `{_head(name, value)}`\n"
    if text:
        yield _laid_out(text if is_whole else text.split("\n\n")[0]) + "\n"
    if inspect.isclass(value) and issubclass(value, Enum):
        yield f"Members: {', '.join(map(_member, value))}.\n"
    if is_whole and inspect.isclass(value):
        methods = list(_methods(value))
        if methods:
            yield "\n".join(methods) + "\n"


def _member(member: Enum) -> str:
    text = f" (`{member.value}`)" if isinstance(member, str) else ""
    return f"`{type(member).__name__}.{member.name}`{text}"


def _head(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return f"class {name}{'' if issubclass(value, Enum) else _signature(value)}"
    return f"{name}{_signature(value)}" if inspect.isroutine(value) else name


def _signature(value: Any) -> str:
    """Return the parameters as in the source. Defaults other than plain values are shown as `...`."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    shown: list[str] = []
    keyword_only = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            keyword_only = True
        elif parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            shown.append("*")
            keyword_only = True
        stars = "*" * (
            1 if parameter.kind is parameter.VAR_POSITIONAL else 2 * (parameter.kind is parameter.VAR_KEYWORD)
        )
        shown.append(stars + parameter.name + _typed(parameter.annotation) + _default(parameter.default))
    returns = "" if inspect.isclass(value) else _typed(signature.return_annotation, " -> ")
    return f"({', '.join(shown)}){returns}"


def _typed(annotation: Any, before: str = ": ") -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, ForwardRef):  # of a NamedTuple
        annotation = annotation.__forward_arg__
    return before + (annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation)))


def _default(default: Any) -> str:
    if default is inspect.Parameter.empty:
        return ""
    plain = default is None or isinstance(default, bool | int | str) or default == ()
    return f" = {default!r}" if plain and not isinstance(default, Enum) else " = ..."


def _methods(of: type) -> Iterator[str]:
    """Return a row for each public method and property defined by the class, or by a base class of ours."""
    for name, member in sorted(inspect.getmembers_static(of)):
        if name[0] == "_" or not _is_ours(of, name):
            continue
        own = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        text = (inspect.getdoc(getattr(of, name)) or "").split("\n\n")[0]
        about = f": {_joined(text.splitlines())}" if text else ""
        if inspect.isfunction(own):
            yield f"- `{name}{_signature(getattr(of, name))}`{about}"
        elif isinstance(own, property) or type(own).__name__ == "cached_property":
            yield f"- `{name}`{_property(own, about)}"


def _property(own: Any, about: str) -> str:
    text = inspect.getdoc(own.fget if isinstance(own, property) else own.func) or ""
    return f": {_joined(text.split(chr(10) * 2)[0].splitlines())}" if text else about


def _is_ours(of: type, name: str) -> bool:
    return any(name in vars(base) and base.__module__.startswith("ludex") for base in of.__mro__)


def _described(value: Any, name: str, home: str) -> str:
    """Return the docstring of a function, class or module, or the one after the assignment of another value."""
    if inspect.isclass(value) or inspect.isroutine(value) or isinstance(value, ModuleType):
        # An enumeration without a docstring would inherit that of Python's own class.
        is_bare = inspect.isclass(value) and issubclass(value, Enum) and not value.__doc__
        text = "" if is_bare else inspect.getdoc(value) or ""
        return "" if text.startswith(f"{name}(") else text
    while (module := sys.modules.get(home)) is not None:
        tree = ast.parse(inspect.getsource(module))
        for here, after in zip(tree.body, tree.body[1:], strict=False):
            if name in _assigned(here) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return inspect.cleandoc(str(after.value.value))
        further = passed_on(module.__file__ or "").get(name)
        if not further:
            return ""
        home = f"{home}.{further}"
    return ""


def _assigned(node: ast.stmt) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _laid_out(text: str) -> str:
    """Convert a docstring to Markdown: examples become code, sections such as `Args:` become lists."""
    blocks = []
    for block in text.split("\n\n"):
        first, *rest = block.split("\n")
        if ">>>" in block:
            blocks.append(f"```text\n{inspect.cleandoc(block)}\n```")
        elif SECTION.match(first):
            blocks.append(f"{first}\n\n" + "\n".join(_items(rest)))
        else:
            blocks.append(block if first.startswith(("- ", "|")) else _joined(block.split("\n")))
    return "\n\n".join(blocks)


def _items(rows: list[str]) -> Iterator[str]:
    items: list[list[str]] = []
    for row in rows:
        if found := ITEM.match(row):
            items.append([f"- `{found[1]}`: {found[2]}"])
        elif items:
            items[-1].append(row)
        else:
            items.append([f"- {row.strip()}"])
    return (_joined(item) for item in items)


def _joined(rows: list[str]) -> str:
    return " ".join(row.strip() for row in rows)


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
    click.echo(f"wrote {PAGE.relative_to(ROOT)}")
