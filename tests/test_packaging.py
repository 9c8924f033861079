"""The wheel contains the tree: every package, every data file, nothing else.

An editable install finds new packages and data by itself; a wheel holds only what `pyproject.toml` lists.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from ludex.cli.needed_packages import NEEDED

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
CODE_FOLDERS = ("grammar", "spec", "interpreter", "cli")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def mapping(project: dict[str, Any]) -> dict[str, Path]:
    """Return each top-level package with the folder that it is built from."""
    return {name: Path(folder) for name, folder in project["tool"]["setuptools"]["package-dir"].items()}


def is_junk(file: Path) -> bool:
    """Return whether the path is a cache, or a hidden file of an editor or a system."""
    return any(part == "__pycache__" or part.startswith(".") for part in file.parts)


def files_in(folder: Path) -> set[Path]:
    """Return the installed files below a folder, as relative paths. Links to folders are not followed. The pages
    `docs.md` are left out: they are for readers of the source.
    """
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path for path in files if not is_junk(path) and path.name != "docs.md"}


def test_every_package_is_listed(project: dict[str, Any], mapping: dict[str, Path]) -> None:
    inits = [path for name in CODE_FOLDERS for path in (ROOT / name).rglob("__init__.py")]
    standing = {".".join(("ludex", *path.parent.relative_to(ROOT).parts)) for path in inits} | {"ludex"}
    listed = project["tool"]["setuptools"]["packages"]
    assert sorted(listed) == sorted(standing), (
        "pyproject.toml, [tool.setuptools] packages: list each folder that has an __init__.py, and no other; "
        f"missing: {sorted(standing - set(listed))}, too many: {sorted(set(listed) - standing)}"
    )
    assert set(mapping) == {"ludex", *(f"ludex.{name}" for name in CODE_FOLDERS)}
    modules = [path for name in CODE_FOLDERS for path in (ROOT / name).rglob("*.py")]
    stray = [path for path in modules if not (path.parent / "__init__.py").is_file()]
    assert not stray, f"Python files in folders without an __init__.py are never installed: {stray}"


@pytest.mark.parametrize("name", CODE_FOLDERS)
def test_links_lead_to_the_folders(name: str) -> None:
    link = ROOT / "src/ludex" / name
    if not link.is_symlink():
        pytest.skip("type checkers and import-linter need symbolic links: clone on a system that has them")
    assert link.readlink() == Path("../..", name)


@pytest.mark.parametrize("name", ["ludex", *(f"ludex.{folder}" for folder in CODE_FOLDERS)])
def test_package_data_covers_every_file(project: dict[str, Any], mapping: dict[str, Path], name: str) -> None:
    folder = ROOT / mapping[name]
    patterns = project["tool"]["setuptools"]["package-data"].get(name, [])
    covered = {path.relative_to(folder) for pattern in patterns for path in folder.glob(pattern)}
    data = {file for file in files_in(folder) if file.suffix != ".py"}
    missing = sorted(file.as_posix() for file in data - covered)
    assert not missing, f"pyproject.toml, [tool.setuptools.package-data]: give {name!r} a pattern for {missing}"


def test_metadata_agrees_with_the_tree(project: dict[str, Any]) -> None:
    metadata = project["project"]
    [building] = [needed for needed in project["build-system"]["requires"] if needed.startswith("lark")]
    assert building in metadata["dependencies"], (
        "build and install must require the same Lark: the build makes tables for it"
    )
    assert metadata["scripts"] == {"ludex": "ludex.cli.start:main"}
    assert sorted(NEEDED.values()) == sorted(metadata["dependencies"]), (
        "give NEEDED in cli/start.py the same versions as pyproject.toml"
    )
    for file in metadata["license-files"]:
        assert (ROOT / file).is_file(), f"{file} is listed in license-files and does not exist"
    if (ROOT / "README.md").is_file():
        assert metadata.get("readme") == "README.md", 'pyproject.toml, [project]: add the line readme = "README.md"'


@pytest.fixture(scope="module")
def source_copy(tmp_path_factory: pytest.TempPathFactory, mapping: dict[str, Path]) -> Path:
    """A copy of the files that a build reads: a build in the tree would leave a `build/` there."""
    copy = tmp_path_factory.mktemp("source")
    for file in ("pyproject.toml", "setup.py", "LICENSE", "README.md"):
        if (ROOT / file).is_file():
            shutil.copy2(ROOT / file, copy / file)
    for folder in mapping.values():
        shutil.copytree(ROOT / folder, copy / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return copy


def build_wheel(source: Path, out: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(out), "."], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"the wheel does not build:\n{done.stdout}{done.stderr}"
    [wheel] = out.glob("ludex-*.whl")
    return wheel


def setuptools_version() -> str:
    try:
        return version("setuptools")
    except PackageNotFoundError:
        return "0"


def test_the_wheel_holds_the_tree(source_copy: Path, mapping: dict[str, Path], tmp_path: Path) -> None:
    installed = setuptools_version()
    if int(installed.partition(".")[0]) < 77:
        pytest.skip(f"building the wheel needs setuptools 77 or later, here is {installed}: install the extra `test`")
    expected = {
        Path(*name.split("."), file).as_posix()
        for name, folder in mapping.items()
        for file in files_in(source_copy / folder)
        if name != "ludex" or file.parts[0] not in CODE_FOLDERS
    }
    with zipfile.ZipFile(build_wheel(source_copy, tmp_path)) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.endswith("/")}
    assert sorted(expected - held) == [], "the wheel lacks these files: list them in pyproject.toml, [tool.setuptools]"
    tables = {name for name in held if name.startswith("ludex/grammar/grammar-") and name.endswith(".json")}
    assert len(tables) == 1, "the wheel must contain the parser's tables once: see setup.py"
    assert sorted(held - expected - tables) == [], (
        "the wheel holds files that are not in the tree: see pyproject.toml, [tool.setuptools]"
    )
