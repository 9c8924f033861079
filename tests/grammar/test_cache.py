"""The cache: an entry is read back as it was written, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import keep, kept
from ludex.grammar.files.cache import digest_of_code

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), parts),
    max_leaves=10,
)


def as_it_is(data: object) -> tuple[object]:
    return (data,)


@given(JSON)
def test_an_entry_is_read_back(data: object) -> None:
    with TemporaryDirectory() as folder:
        keep(Path(folder) / "new" / "a", data)
        assert kept(Path(folder) / "new" / "a", as_it_is) == (data,)


@given(st.data())
def test_a_damaged_entry_is_not_read(data: st.DataObject) -> None:
    """A byte is changed, or the file is truncated."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a"
        keep(path, ["one", 2])
        good = path.read_bytes()
        at = data.draw(st.integers(0, len(good) - 1))
        other = data.draw(st.integers(0, 255).filter(lambda byte: byte != good[at]))
        for damaged in (good[:at], good[:at] + bytes([other]) + good[at + 1 :]):
            path.write_bytes(damaged)
            assert kept(path, as_it_is) is None


def test_a_missing_entry_is_none(tmp_path: Path) -> None:
    assert kept(tmp_path / "none", as_it_is) is None
    assert kept(tmp_path, as_it_is) is None


def test_without_a_folder_nothing_is_cached(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keep(tmp_path / "file" / "a", [1])
    assert kept(tmp_path / "file" / "a", as_it_is) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no modes here")
@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_an_entry_that_others_can_write_is_not_read(tmp_path: Path, mode: int) -> None:
    keep(tmp_path / "a", [1])
    assert kept(tmp_path / "a", as_it_is) == ([1],)
    (tmp_path / "a").chmod(mode)
    assert kept(tmp_path / "a", as_it_is) is None


def test_an_entry_of_another_shape_is_none(tmp_path: Path) -> None:
    """Its digest is right, so it was made on purpose, or by another version of Ludex."""
    keep(tmp_path / "a", {"one": [1]})
    assert kept(tmp_path / "a", lambda data: data["two"]) is None
    assert kept(tmp_path / "a", lambda data: data["one"][1]) is None
    assert kept(tmp_path / "a", lambda data: data.two) is None


def test_a_huge_entry_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(6 * 2**30)
    assert kept(tmp_path / "a", as_it_is) is None


@pytest.mark.parametrize("name", ["ludex.lark", "files.py"])
def test_an_entry_of_another_version_of_the_code_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "grammar").mkdir()
    digests = [digest_of_code(tmp_path)]
    for content in ("one", "other"):
        (tmp_path / "grammar" / name).write_text(content, encoding="utf-8")
        digests.append(digest_of_code(tmp_path))
    (tmp_path / "grammar" / name).rename(tmp_path / "grammar" / f"_{name}")
    digests.append(digest_of_code(tmp_path))
    assert len(set(digests)) == 4
    (tmp_path / "grammar" / "game.ludex").write_text("game", encoding="utf-8")
    assert digest_of_code(tmp_path) == digests[-1], "a game must not change the digest of the code"
