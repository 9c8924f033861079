"""Files that hold no text: each is reported by its own code, none raises."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludex.grammar import MAX_BYTES, Diagnostic, read_text


def fault(path: Path) -> Diagnostic:
    text, found = read_text(path)
    assert text is None
    (diagnostic,) = found
    assert diagnostic.span.file == str(path)
    return diagnostic


def write(folder: Path, content: bytes) -> Path:
    path = folder / "a.ludex"
    path.write_bytes(content)
    return path


def test_a_good_file(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, "game g # é\n".encode())) == ("game g # é\n", ())


def test_an_empty_file(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"")) == ("", ())


def test_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"\xef\xbb\xbfgame g\r\nplay\r\n")) == ("game g\nplay\n", ())


def test_a_missing_file(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.ludex").code.code == "F101"
    assert fault(write(tmp_path, b"") / "below.ludex").code.code == "F101"


def test_a_folder(tmp_path: Path) -> None:
    found = fault(tmp_path)
    assert (found.code.code, found.message) == ("F102", "this is a folder")


def test_a_device() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this system has no /dev/zero")
    assert fault(Path("/dev/zero")).code.code == "F102"


def test_a_pipe(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe")
    assert fault(tmp_path / "pipe").code.code == "F102"


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = write(tmp_path, b"game g\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert fault(path).code.code == "F103"


def test_a_name_that_no_file_can_have() -> None:
    assert fault(Path("a\0b")).code.code == "F103"
    assert fault(Path("a" * 5000)).code.code == "F103"


def test_a_binary_file(tmp_path: Path) -> None:
    found = fault(write(tmp_path, b"game\nx\0y"))
    assert (found.code.code, found.span.line, found.span.column) == ("F104", 2, 2)


@pytest.mark.parametrize(
    ("content", "line", "column", "byte"),
    [
        (b"\xff", 1, 1, "0xFF"),
        ("é\nпять ".encode() + b"\xe9", 2, 6, "0xE9"),
        (b"\xef\xbb\xbfab\xc3", 1, 3, "0xC3"),
        (b"ok\n\n  \xed\xa0\x80", 3, 3, "0xED"),
    ],
)
def test_other_encodings(tmp_path: Path, content: bytes, line: int, column: int, byte: str) -> None:
    found = fault(write(tmp_path, content))
    assert (found.code.code, found.span.line, found.span.column) == ("F105", line, column)
    assert byte in found.message


def test_a_large_file(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"#" * MAX_BYTES))[0] is not None
    assert fault(write(tmp_path, b"#" * (MAX_BYTES + 1))).code.code == "F106"
