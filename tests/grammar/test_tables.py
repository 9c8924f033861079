"""The tables of the parser are shipped, or kept in the user's cache folder, and it works without."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from ludex.grammar import tables

TEXT = 'unit: "a" B\nB: /b+/\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ludex"


def parses(made: Lark) -> bool:
    return [str(part) for part in made.parse("abb", start="unit").children] == ["bb"]


def test_the_second_time_they_are_read(folder: Path) -> None:
    assert parses(tables.tables_for(TEXT))
    (kept,) = folder.iterdir()
    before = kept.read_bytes()
    assert parses(tables.tables_for(TEXT))
    assert kept.read_bytes() == before
    assert list(folder.iterdir()) == [kept]


def test_another_grammar_has_other_tables(folder: Path) -> None:
    tables.tables_for(TEXT)
    tables.tables_for(TEXT + "// changed\n")
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"\x80\x04]\x94."])
def test_a_damaged_copy_is_replaced(folder: Path, damage: bytes) -> None:
    tables.tables_for(TEXT)
    (kept,) = folder.iterdir()
    good = kept.read_bytes()
    kept.write_bytes(damage)
    assert parses(tables.tables_for(TEXT))
    assert len(kept.read_bytes()) == len(good)


def test_without_a_place_for_it(folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")
    assert parses(tables.tables_for(TEXT))


def test_what_the_build_made_is_read_first(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.ship_tables(tmp_path)
    (shipped,) = tmp_path.glob("*.tables")
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "tables.py"))
    monkeypatch.setattr(tables, "make_tables", None)
    assert tables.tables_for(tables.grammar_text()).rules
    assert shipped.is_file()
    assert not folder.exists()
