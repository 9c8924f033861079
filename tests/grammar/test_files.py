"""Reading of files: each kind of path that has no text gets its own code, and none raises."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from ludex.grammar import MAX_BYTES, Diagnostic, read_bytes, read_text, reading_once, write_text
from ludex.grammar.files.file_reading import MOST_SNAPSHOTS

from ..parsed_sources import tree_of


def fault(path: Path) -> Diagnostic:
    text, diagnostics = read_text(path)
    assert text is None
    (diagnostic,) = diagnostics
    assert diagnostic.span.file == str(path)
    return diagnostic


def write(folder: Path, content: bytes) -> Path:
    path = folder / "a.ludex"
    path.write_bytes(content)
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, "game g # é\n".encode())) == ("game g # é\n", ())


def test_a_command_reads_each_file_once(tmp_path: Path) -> None:
    """A file that changes during a command is quoted as it was judged, unless Ludex itself has changed it."""
    path, other = write(tmp_path, b"one"), tmp_path / "b"
    with reading_once():
        assert isinstance(read_bytes(other), Diagnostic)
        assert (read_bytes(path), read_bytes(path, 1)) == (b"one", b"on")
        path.write_bytes(b"another")
        other.write_bytes(b"new")
        assert (read_bytes(path), read_bytes(other)) == (b"one", b"new")
        assert read_bytes(path, anew=True) == b"another"
        write_text(path, "ours")
        assert read_bytes(path) == b"ours"
        path.write_bytes(b"last")
        for at in range(MOST_SNAPSHOTS):
            (tmp_path / str(at)).touch()
            read_bytes(tmp_path / str(at))
        assert read_bytes(path) == b"last", "a full table of snapshots must not take another file"
        path.write_bytes(b"more")
    assert read_bytes(path) == b"more"


def test_a_partial_read_is_not_kept(tmp_path: Path) -> None:
    path = write(tmp_path, b"game")
    with reading_once():
        assert (read_bytes(path, 1), read_bytes(path)) == (b"ga", b"game")


def test_an_empty_file_has_an_empty_text(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"")) == ("", ())


def test_line_ends_and_byte_order_marks_are_normalized(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"\xef\xbb\xbfgame g\r\nplay\r\n")) == ("game g\nplay\n", ())


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.ludex").code.code == "F101"
    assert fault(write(tmp_path, b"") / "below.ludex").code.code == "F101"


def test_a_folder_is_reported(tmp_path: Path) -> None:
    diagnostic = fault(tmp_path)
    assert (diagnostic.code.code, diagnostic.message) == ("F102", "this is a folder")


def test_a_device_is_reported() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("needs /dev/zero")
    assert fault(Path("/dev/zero")).code.code == "F102"


def test_a_pipe_is_reported(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs named pipes")
    os.mkfifo(tmp_path / "pipe")
    assert fault(tmp_path / "pipe").code.code == "F102"


def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path, b"game g\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("needs a user without the right to read everything")
    assert fault(path).code.code == "F103"


def test_an_impossible_file_name_is_reported() -> None:
    assert fault(Path("a\0b")).code.code == "F103"
    assert fault(Path("a" * 5000)).code.code == "F103"


def test_a_binary_file_is_reported_at_its_first_zero(tmp_path: Path) -> None:
    diagnostic = fault(write(tmp_path, b"game\nx\0y"))
    assert (diagnostic.code.code, diagnostic.span.line, diagnostic.span.column) == ("F104", 2, 2)


@pytest.mark.parametrize(
    ("content", "line", "column", "byte"),
    [
        (b"\xff", 1, 1, "0xFF"),
        ("é\nпять ".encode() + b"\xe9", 2, 6, "0xE9"),
        (b"\xef\xbb\xbfab\xc3", 1, 3, "0xC3"),
        (b"ok\n\n  \xed\xa0\x80", 3, 3, "0xED"),
    ],
)
def test_another_encoding_is_reported_at_its_first_byte(
    tmp_path: Path, content: bytes, line: int, column: int, byte: str
) -> None:
    diagnostic = fault(write(tmp_path, content))
    assert (diagnostic.code.code, diagnostic.span.line, diagnostic.span.column) == ("F105", line, column)
    assert byte in diagnostic.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_letters_are_reported_by_their_encoding(tmp_path: Path, encoding: str) -> None:
    diagnostic = fault(write(tmp_path, "game пять\n".encode(encoding)))
    assert (diagnostic.code.code, diagnostic.hint) == ("F105", "save the file as UTF-8")
    assert diagnostic.message == f"the file is in {encoding[:6].upper()}, not in UTF-8"


def test_a_single_zero_byte_is_not_taken_as_utf_16(tmp_path: Path) -> None:
    for content in (b"\0\1\2\3", b"a\0\0\0\0\0", b"\0\0\0\0", b"ab\0c", b"\0"):
        assert fault(write(tmp_path, content)).code.code == "F104", content


def test_a_link_is_reported_as_its_target(tmp_path: Path) -> None:
    for name, target, code in (("zero", "/dev/zero", "F102"), ("none", "nowhere", "F101"), ("here", ".", "F102")):
        (tmp_path / name).symlink_to(target)
        assert fault(tmp_path / name).code.code == code
    assert fault(tmp_path / "none").message == "this link leads to no file"


def test_only_one_byte_beyond_the_limit_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, b"abcdef")
    assert (read_bytes(path, 3), read_bytes(path, 6), read_bytes(path, 9)) == (b"abcd", b"abcdef", b"abcdef")


OWN = {
    "grammar/files/file_reading.py": "the one function that opens what a user names",
    "grammar/files/cache.py": "our own folder, in which only regular files are looked at",
    "grammar/lazy.py": "roots of packages",
    "grammar/parser/parse_tables.py": "a file of the package",
    "grammar/files/file_writing.py": "a draft that it has made itself, or a new file",
    "spec/text/starting_spec.py": "a file of the package",
    "interpreter/program/native/cache.py": "our own folder, in which only regular files of this user are read",
    "interpreter/program/native/background.py": "a lock in our own folder",
    "cli/main.py": "where to write the report of a fault of our own, and /dev/null",
    "cli/diff_report/html_report.py": "files of the package",
    "cli/reporting/code_pages.py": "a file of the package",
}
"""Modules that open files themselves, with the kind of file."""


def test_files_are_opened_in_one_module() -> None:
    """So no command waits for a pipe, or reads a device without end."""
    root = Path(__file__).parents[2]
    openings = {
        path.relative_to(root).as_posix()
        for folder in ("grammar", "spec", "interpreter", "cli")
        for path in (root / folder).rglob("*.py")
        if any(_opens(node) for node in ast.walk(tree_of(path)))
    }
    assert openings == set(OWN), (
        "read with `ludex.grammar.read_bytes` or `read_text`, or add the module to OWN with its files"
    )


def _opens(node: ast.AST) -> bool:
    """Return whether a call opens or reads a file: `path.read_bytes()`, `path.open("rb")`, `open(path)`,
    `os.open(...)`.
    """
    if not isinstance(node, ast.Call):
        return False
    match node.func:
        case ast.Name("open"):
            return True
        case ast.Attribute(attr="read_text" | "read_bytes" | "fdopen"):
            return True
        case ast.Attribute(value=ast.Name("os" | "io"), attr="open"):
            return True
        case ast.Attribute(attr="open"):
            return not node.args or isinstance(node.args[0], ast.Constant)
        case _:
            return False


ASKING = {
    "grammar/files/file_reading.py": "the one function that asks whether something is there to read",
    "grammar/files/file_writing.py": "what is written over is a regular file, or nothing is written",
    "spec/loading/paths.py": "the shipped games are files of the package",
    "cli/commands/fmt.py": "hidden files of a folder are laid out where they are files, and passed over else",
}
"""Modules that test for files themselves, with the reason why they skip none."""


def test_one_function_tests_whether_a_file_exists() -> None:
    """So a pipe or a broken link in place of a file is reported, and not skipped in silence."""
    root = Path(__file__).parents[2]
    asked = {"is_file", "exists", "lexists", "isfile"}
    openings = {
        path.relative_to(root).as_posix()
        for folder in ("grammar", "spec", "interpreter", "cli", "src/ludex")
        for path in (root / folder).rglob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in asked
    }
    assert openings == set(ASKING), (
        "test with `ludex.grammar.is_there`, or add the module to ASKING with the reason why it skips no file"
    )


def test_a_file_beyond_the_limit_is_reported(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"#" * MAX_BYTES))[0] is not None
    assert fault(write(tmp_path, b"#" * (MAX_BYTES + 1))).code.code == "F106"
