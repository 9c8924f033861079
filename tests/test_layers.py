"""Import rules: from a package's root across folders, relative inside a folder.

import-linter holds the direction of imports (cli > interpreter > spec > grammar), see `pyproject.toml`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from ludex.grammar import passed_on

from . import imports
from .parsed_sources import parsed, tree_of

ROOT = Path(__file__).parents[1]
FOLDERS = ("grammar", "spec", "interpreter", "cli")


@dataclass(frozen=True, slots=True)
class Import:
    """One name or module that a statement imports: `from MODULE import NAME`, or `import MODULE` (no name).

    Attributes:
        module: the absolute path, e.g. ("ludex", "grammar", "source"), for relative imports too.
        relative: whether the import is relative.
    """

    module: tuple[str, ...]
    name: str | None
    relative: bool
    line: int


def advice(root: Path, file: Path, source: str) -> list[str]:
    """Return how to mend the imports of `source`, the text of `file` (a path from the project's root)."""
    package = _package(file)
    pairs = ((imported.line, _mend(root, package, imported)) for imported in _imports(parsed(source), package))
    return list(dict.fromkeys(f"{file.as_posix()}:{line}: {mend}" for line, mend in pairs if mend is not None))


def _package(file: Path) -> tuple[str, ...]:
    """Return the package of a file: ("ludex", "spec") for spec/model.py, ("ludex",) for src/ludex/__init__.py."""
    parts = file.parent.parts
    return parts[1:] if parts[0] == "src" else ("ludex", *parts)


def _imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(tuple(alias.name.split(".")), None, False, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = base + tuple(node.module.split(".") if node.module else ())
            yield from (Import(module, alias.name, node.level > 0, node.lineno) for alias in node.names)


def _mend(root: Path, package: tuple[str, ...], imported: Import) -> str | None:
    top, *rest = imported.module
    own = package[1] if len(package) > 1 else None
    if top in FOLDERS:
        return f"write `ludex.{top}`: the bare name works only in the project's root"
    if top != "ludex":
        return None
    return _mend_ours(root, own, rest[0], imported) if rest else _mend_facade(own, imported.name)


def _mend_ours(root: Path, own: str | None, folder: str, imported: Import) -> str | None:
    if folder == own:
        inner = ".".join(imported.module[2:])
        return None if imported.relative else f"inside {own}/ use a relative import: `from .{inner} import ...`"
    if imported.relative and own is not None:
        return f"a relative import stays in its folder: write `from ludex.{folder} import ...`"
    if len(imported.module) > 2 or (imported.name is not None and _is_hidden_module(root / folder, imported.name)):
        reached = ".".join(imported.module) if len(imported.module) > 2 else f"ludex.{folder}.{imported.name}"
        return (
            f"do not reach into `{reached}`: write `from ludex.{folder} import ...`, "
            f"and have {folder}/__init__.py re-export what is needed"
        )
    return None


def _mend_facade(own: str | None, name: str | None) -> str | None:
    """Report imports of `ludex` itself, the top layer, outside cli/."""
    if own in (None, "cli"):
        return None
    if name in FOLDERS:
        return f"write `from ludex.{name} import ...`"
    return (
        "`ludex` itself is a layer above this folder: import from `ludex.grammar`, `ludex.spec` or `ludex.interpreter`"
    )


def _is_hidden_module(folder: Path, name: str) -> bool:
    """Return whether `name` is a module of the folder that its `__init__.py` does not re-export."""
    if not (folder / f"{name}.py").is_file() and not (folder / name / "__init__.py").is_file():
        return False
    tree = tree_of(folder / "__init__.py")
    shown = (alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names)
    return all((alias.asname or alias.name) != name for alias in shown)


def modules() -> list[Path]:
    """Return every module of the package. `__main__` is left out: like the command, it calls `ludex.cli.start`
    directly.
    """
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    files += (path for path in (ROOT / "src/ludex").glob("*.py") if path.name != "__main__.py")
    return sorted(path.relative_to(ROOT) for path in files)


def test_imports_go_through_package_roots() -> None:
    faults = [line for file in modules() for line in advice(ROOT, file, (ROOT / file).read_text(encoding="utf-8"))]
    assert not faults, "imports to mend:\n" + "\n".join(faults)


def test_no_import_cycles_between_modules_or_folders() -> None:
    tree = imports.read(ROOT)
    assert imports.circles(tree.arrows) == set(), "move what both need into a module of its own"
    assert imports.circles(tree.folder_arrows) == set()
    assert imports.circles({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")}) == {frozenset("abc")}


def test_no_unsafe_deserialization() -> None:
    """Ludex stores and sends JSON only (`grammar/files/cache.py`), or uses the pipes of `concurrent.futures`."""
    able = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "runpy"}
    faults = [
        f"{file}:{each.line}: {each.module[0]}"
        for file in modules()
        for each in _imports(tree_of(ROOT / file), _package(file))
        if each.module[0] in able
    ]
    assert not faults, f"use `ludex.grammar.keep`: these formats let the writer of a file run any code: {faults}"


def test_one_module_words_the_hint_of_the_nearest_word() -> None:
    """Every report of an unknown name has the same hint, which readers and tools recognize."""
    wording = [str(file) for file in modules() if '"did-you-mean"' in (ROOT / file).read_text(encoding="utf-8")]
    assert wording == ["grammar/diagnostics.py"]


MOST_TYPES = 8
"""The number of type names that a module may import one by one; one that needs more imports the module as `t`."""


def test_types_are_imported_as_a_module() -> None:
    long = [
        str(file)
        for file in modules()
        for node in ast.walk(tree_of(ROOT / file))
        if isinstance(node, ast.ImportFrom) and node.module in ("types", "values.types")
        if len(node.names) > MOST_TYPES
    ]
    assert long == []


ROOTS = [file for file in modules() if "= on_demand(" in (ROOT / file).read_text(encoding="utf-8")]
ROOTS.remove(Path("grammar/lazy.py"))


@pytest.mark.parametrize("root", ROOTS, ids=str)
def test_roots_export_what_type_checkers_see(root: Path) -> None:
    """Run-time and type checkers read the same imports, and no module has the name of an export."""
    tree = tree_of(ROOT / root)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    below = {(each.module or "", alias.asname) for each in imports if each.col_offset for alias in each.names}
    assert below == {(home, name) for name, home in passed_on(str(ROOT / root)).items()}
    modules = {path.stem for path in (ROOT / root).parent.iterdir() if path.suffix == ".py" or path.is_dir()}
    hidden = {name for home, name in below if home} & modules
    assert not hidden, f"rename these modules, which have the name of an export: {hidden}"
    package = import_module(".".join(_package(root)))
    assert all(hasattr(package, name) for _, name in below if name)


ENTERED_BY_THE_ROOT = (
    *("ludex.cli.reporting", "ludex.interpreter.witnesses", "ludex.interpreter.logs.record"),
    *("ludex.interpreter.logs.structure", "ludex.spec.components", "ludex.spec.sources", "ludex.spec.text"),
)
"""Packages whose root lists all that others may import: their interface."""


def test_roots_export_what_others_import() -> None:
    entered = [tuple(package.split(".")) for package in ENTERED_BY_THE_ROOT]
    reached = [
        f"{file}:{each.line}: import from the root of {'.'.join(root)}"
        for file in modules()
        if file.name != "__init__.py"
        for each in _imports(tree_of(ROOT / file), _package(file))
        for root in entered
        if each.module[: len(root)] == root and len(each.module) > len(root) and _package(file)[: len(root)] != root
    ]
    assert reached == []


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small project: grammar/ re-exports Span from source.py, and nothing else of its two modules."""
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar/__init__.py").write_text("from .source import Span\n", encoding="utf-8")
    (tmp_path / "grammar/source.py").touch()
    (tmp_path / "grammar/lexer.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("spec/model.py", "from ludex.grammar import Span"),
        ("spec/model.py", "import ludex.grammar"),
        ("spec/model.py", "from .types import Type"),
        ("spec/model.py", "from . import types"),
        ("spec/check/names.py", "from ..types import Type"),
        ("spec/model.py", "import lark.lexer, yaml"),
        ("cli/main.py", "import ludex"),
        ("cli/main.py", "from ludex import load"),
        ("src/ludex/__init__.py", "from .grammar import Span"),
        ("src/ludex/__init__.py", "from ludex.grammar import Span"),
    ],
)
def test_good_imports_are_not_reported(tree: Path, file: str, source: str) -> None:
    assert advice(tree, Path(file), source) == []


@pytest.mark.parametrize(
    ("file", "source", "mend"),
    [
        ("spec/model.py", "from ludex.grammar.source import Span", "write `from ludex.grammar import ...`"),
        ("spec/model.py", "import ludex.grammar.source", "write `from ludex.grammar import ...`"),
        ("spec/model.py", "from ludex.grammar import lexer", "do not reach into `ludex.grammar.lexer`"),
        (
            "spec/model.py",
            "def f():\n    from ludex.grammar.source import Span",
            ":2: do not reach into `ludex.grammar.source`",
        ),
        ("spec/model.py", "from ..grammar import Span", "a relative import stays in its folder"),
        ("spec/check/names.py", "from ...grammar import Span", "a relative import stays in its folder"),
        ("spec/model.py", "from ludex.spec.types import Type", "use a relative import: `from .types import ...`"),
        ("spec/model.py", "from ludex import grammar", "write `from ludex.grammar import ...`"),
        ("spec/model.py", "from ludex import load", "`ludex` itself is a layer above this folder"),
        ("spec/model.py", "from grammar import Span", "write `ludex.grammar`: the bare name"),
        ("spec/model.py", "import grammar.source", "write `ludex.grammar`: the bare name"),
        ("spec/model.py", "import ludex", "`ludex` itself is a layer above this folder"),
        ("src/ludex/__init__.py", "from .grammar.source import Span", "write `from ludex.grammar import ...`"),
    ],
)
def test_bad_imports_are_reported_with_advice(tree: Path, file: str, source: str, mend: str) -> None:
    faults = advice(tree, Path(file), source)
    assert len(faults) == 1
    assert mend in faults[0]
    assert faults[0].startswith(f"{file}:")
