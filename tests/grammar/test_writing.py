"""Writing of files: atomic, with the right mode, and never outside the folder that is given."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from ludex.grammar import check_writable, write_text

from ..parsed_sources import parsed

ROOT = Path(__file__).parents[2]
FOLDERS = ("grammar", "spec", "interpreter", "cli")
WRITING = ROOT / "grammar/files/file_writing.py"
SETTING = ROOT / "interpreter/program/native/background.py"
"""It writes a setting of its own process, which is not a file on a disk."""
WAITING = ROOT / "cli/verdicts/sarif_writer.py"
"""Its notifications wait in a file without a name, as a million logs may have one each."""


def outside(folder: Path) -> Path:
    """Write a file that does not belong to `folder / "game"`."""
    (folder / "game").mkdir()
    other = folder / "other.txt"
    other.write_text("theirs")
    return other


def test_a_new_file_is_written(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "é\n")
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa9\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="modes of files are another matter there")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.touch()
    path.chmod(mode)
    write_text(path, "new")
    assert path.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(os.name == "nt", reason="there is no mask there")
def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "new")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name == "nt", reason="there is no mask there")
def test_a_given_mode_is_set(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_text(path, b"\xff", mode=0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o666)
    write_text(path, b"\xfe", mode=0o600)
    assert (path.stat().st_mode & 0o777, path.read_bytes()) == (0o600, b"\xfe")


def test_the_old_file_remains_until_the_new_one_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def full(handle: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_characters_that_cannot_be_encoded_are_escaped(tmp_path: Path) -> None:
    """A report may contain an undecodable file name."""
    path = tmp_path / "a"
    write_text(path, "new \ud800")
    assert path.read_text() == "new \\ud800"


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_text("old")
    (tmp_path / "sub" / "link").symlink_to("a")
    (tmp_path / "link").symlink_to("sub/a")
    write_text(tmp_path / "sub" / "link", "new")
    write_text(tmp_path / "link", "newer", tmp_path)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "sub" / "a").read_text() == "newer"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    other = outside(tmp_path)
    link = tmp_path / "game" / "a.lines"
    link.symlink_to(other)
    with pytest.raises(OSError, match="leads out of the folder"):
        write_text(link, "ours")
    with pytest.raises(OSError, match="leads out of the folder"):
        check_writable(link)
    assert other.read_text() == "theirs"


def test_a_broken_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "a").symlink_to(tmp_path / "new")
    with pytest.raises(OSError, match="leads out of the folder"):
        write_text(tmp_path / "game" / "a", "ours")
    assert not (tmp_path / "new").exists()


def test_no_file_is_written_through_a_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "game" / "sources").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="leads out of the folder"):
        write_text(tmp_path / "game" / "sources" / "a", "ours", tmp_path / "game")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_the_folder_itself_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "link").symlink_to("game")
    write_text(tmp_path / "link" / "a", "ours")
    assert (tmp_path / "game" / "a").read_text() == "ours"


def test_a_link_to_itself_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    with pytest.raises(OSError, match="leads to itself"):
        write_text(tmp_path / "a", "ours")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_path_that_is_no_regular_file_is_not_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(OSError, match="this is"):
            write_text(tmp_path / name, "ours")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000, "none/a"])
def test_an_impossible_file_name_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - the system's own words
        write_text(tmp_path / name, "ours")
    with pytest.raises(OSError):  # noqa: PT011
        check_writable(tmp_path / name)


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    check_writable(tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_nothing_else_in_the_sources_writes_a_file() -> None:
    files = [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if path not in (WRITING, SETTING, WAITING)
    ]
    assert len(files) > 100
    files += (ROOT / "src/ludex").glob("*.py")
    places = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in writes(path.read_text(encoding="utf-8"))]
    assert not places, f"write with `ludex.grammar.write_text`, which is atomic and never leaves the folder: {places}"


def writes(source: str) -> list[int]:
    """Return the lines that open a file for writing, write one, or rename one."""
    calls = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if _writes(call)]


def _writes(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="write_bytes" | "rename" | "renames" | "symlink_to" | "hardlink_to" | "touch"):
            return True
        case ast.Attribute(attr="write_text", value=ast.Name() | ast.Attribute() | ast.Call() | ast.BinOp()):
            return True
        case ast.Attribute(attr="replace"):  # `replace` of a string has two arguments
            return len(call.args) == 1 and not call.keywords
        case (
            ast.Attribute(attr="NamedTemporaryFile" | "TemporaryFile")
            | ast.Name(id="NamedTemporaryFile" | "TemporaryFile")
        ):
            return True
        case ast.Name(id="open") | ast.Attribute(attr="fdopen"):
            return _for_writing(call, call.args[1:])
        case ast.Attribute(attr="open"):
            return _for_writing(call, call.args)
        case _:
            return False


def _for_writing(call: ast.Call, modes: list[ast.expr]) -> bool:
    modes = [*modes, *(each.value for each in call.keywords if each.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+") for mode in modes)


@pytest.mark.parametrize(
    "source",
    [
        "open('a', 'w')",
        "open('a', mode='ab')",
        "path.open('x')",
        "os.fdopen(handle, 'w')",
        "path.write_text('a')",
        "(folder / 'a').write_bytes(b'')",
        "Path(name).replace(path)",
        "os.rename(a, b)",
    ],
)
def test_code_that_writes_is_noticed(source: str) -> None:
    assert writes(source) == [1]


@pytest.mark.parametrize(
    "source", ["open('a')", "open('a', 'rb')", "path.open('rb')", "write_text(path, 'a')", "'a'.replace('b', 'c')"]
)
def test_code_that_does_not_write_is_not_noticed(source: str) -> None:
    assert writes(source) == []
