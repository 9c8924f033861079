"""`import ludex`: every public name is there, for people and for type checkers."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import ludex

ROOT = Path(__file__).parents[1]
FULL = "spec/games/tic_tac_toe/logs/full.jsonl"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", ludex.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(ludex, name) is not None
    assert name in dir(ludex)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "src/ludex/__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = [alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(filter(None, seen)) == ludex.__all__


def test_the_page_lists_every_name() -> None:
    page = (ROOT / "docs/python-api.md").read_text(encoding="utf-8")
    listed = re.search(r"## All names\n\n(.*?)\n\n", page, re.DOTALL)
    assert listed
    assert sorted(re.findall(r"`(\w+)`", listed[1])) == ludex.__all__


def test_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = ludex.no_such_name


def test_loading_says_what_is_wrong() -> None:
    with pytest.raises(ludex.Failure) as caught:
        ludex.load("pig", players=99)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code.name == "bad-setting"


def test_a_log_is_a_path_or_a_text() -> None:
    text = Path(FULL).read_text(encoding="utf-8")
    by_path, by_text = ludex.validate(FULL), ludex.validate(text)
    assert by_path.verdict is by_text.verdict is ludex.Verdict.LEGAL
    assert ludex.validate(Path(FULL)).replayed == by_text.replayed
    assert ludex.validate(text.splitlines()[0]).events == 0, "one line is a text if it begins with a bracket"
    missing = ludex.validate("no such file")
    assert (missing.verdict, missing.findings[0].code.name) == (ludex.Verdict.UNREADABLE, "missing-file")


def test_replay_stops_where_asked() -> None:
    play = ludex.replay(FULL, until=2)
    assert play.engine is not None
    assert play.state is not None
    assert len(play.events) == 2
    state = play.engine.start()
    for event in play.events:
        state = play.engine.apply(state, event)
    assert state == play.state


def test_replay_of_what_cannot_be_read() -> None:
    play = ludex.replay("{}")
    assert play.engine is None
    assert play.state is None
    assert play.report.verdict is ludex.Verdict.UNREADABLE


def test_check_is_the_commands_check() -> None:
    assert ludex.check("tic_tac_toe") == ()
    assert [diagnostic.code.name for diagnostic in ludex.check("halma")] == ["unknown-game"]
    assert ludex.check("tests/spec/samples/T201/bad.ludex")[0].code.code == "T201"


def test_games_are_those_of_the_folder() -> None:
    folders = {path.name for path in (ROOT / "spec/games").iterdir() if path.is_dir()}
    assert set(ludex.games()) <= folders
