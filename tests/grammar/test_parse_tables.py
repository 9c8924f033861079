"""The parser's tables are shipped or cached; where neither works, they are made for each run."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from lark import Lark

from ludex.grammar.parser import parse_tables as tables

TEXT = 'unit: "a" B\nB: /b+/\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ludex"


def parses(parser: Lark) -> bool:
    return [str(part) for part in parser.parse("abb", start="unit").children] == ["bb"]


def test_the_second_run_reads_the_tables(folder: Path) -> None:
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


class Planted:
    """An object that runs code when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.mark,)


def test_a_planted_file_runs_nothing(folder: Path, tmp_path: Path) -> None:
    tables.tables_for(TEXT)
    (kept,) = folder.iterdir()
    planted = pickle.dumps(Planted(tmp_path / "ran"))
    for content in (planted, sha256(planted).hexdigest().encode() + b"\n" + planted):
        kept.write_bytes(content)
        assert parses(tables.tables_for(TEXT))
        assert not (tmp_path / "ran").exists()
    pickle.loads(planted)  # noqa: S301 - the trap itself works
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda _: b"rubbish", lambda good: good[:-9], lambda good: good + b" "]
)
def test_a_damaged_copy_is_replaced(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    tables.tables_for(TEXT)
    (kept,) = folder.iterdir()
    good = kept.read_bytes()
    kept.write_bytes(damage(good))
    assert parses(tables.tables_for(TEXT))
    assert len(kept.read_bytes()) == len(good)


@pytest.mark.parametrize("content", ["{}", "[1, 2]", "3", '{"data": {}, "memo": [], "actions": []}'])
def test_tables_of_another_shape_are_replaced(folder: Path, content: str) -> None:
    """The digest only protects against accidental damage: a planted file can have the right one."""
    tables.tables_for(TEXT)
    (kept,) = folder.iterdir()
    good = kept.read_bytes()
    kept.write_text(f"{sha256(content.encode()).hexdigest()}\n{content}", encoding="utf-8")
    assert parses(tables.tables_for(TEXT))
    assert len(kept.read_bytes()) == len(good)


def test_tables_that_are_read_equal_those_that_were_made(folder: Path) -> None:
    """Each state of the parser of the language itself has the same actions."""
    built = tables.tables_for(tables.grammar_text())
    again = tables.tables_for(tables.grammar_text())
    assert again is not built
    assert _states(again) == _states(built)
    assert [rule.origin.name for rule in again.rules] == [rule.origin.name for rule in built.rules]


def _states(parser: Lark) -> list[dict[str, object]]:
    """Return the actions of each state, by terminal."""
    table = tables._tables_of(parser)
    actions = table["actions"]
    names = table["data"]["parser"]["parser"]["tokens"]
    rows = table["data"]["parser"]["parser"]["states"]
    return [{names[token]: actions[at] for token, at in zip(row[::2], row[1::2], strict=True)} for row in rows]


def test_tables_are_made_without_a_cache_folder(folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")
    assert parses(tables.tables_for(TEXT))


def test_the_tables_of_the_build_are_read_first(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.ship_tables(tmp_path)
    (shipped,) = tmp_path.glob("grammar-*.json")
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "parser/parse_tables.py"))
    monkeypatch.setattr(tables, "make_tables", None)
    assert tables.tables_for(tables.grammar_text()).rules
    assert shipped.is_file()
    assert not folder.exists()
