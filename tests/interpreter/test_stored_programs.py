"""Stored programs: a program is read back and prints the same code; other data are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter import Engine, Generator, Simulation, playout
from ludex.interpreter.program import COMPACT, WIDE, Compiled, lower
from ludex.interpreter.program.engine.stored import program_from_json, program_to_json
from ludex.interpreter.program.python.fast_paths import FAST_PATHS
from ludex.spec import load, shipped_games

LIMITS = {"compact": COMPACT, "wide": WIDE}


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.drawn(1)
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("name", shipped_games())
def test_every_program_is_read_back(name: str, limits: str) -> None:
    program = lower(load(name), LIMITS[limits])
    back = program_from_json(through_json(program_to_json(program)))
    assert back == program
    assert program_to_json(back) == program_to_json(program)
    assert Compiled(back.game, program=back).source == Compiled(program.game, program=program).source


@cache
def written(game: str = "kuhn_poker") -> str:
    return json.dumps(program_to_json(lower(load(game), COMPACT)))


def block(data: Any, name: str) -> Any:
    return next(each for each in data["blocks"] if each[0] == name)


def changed(name: str, column: int, value: Any) -> Callable[[Any], None]:
    """Set a field of all values of a class."""

    def change(data: Any) -> None:
        block(data, name)[3][column] = ["one", value]

    return change


HOSTILE: dict[str, Callable[[Any], None]] = {
    "another class": lambda data: data["blocks"].append(["subprocess.Popen", {}, 1, [["one", "true"]]]),
    "a function": lambda data: data["blocks"].append(["builtins.eval", {}, 1, [["one", "1"]]]),
    "a line of code in a comment": changed("code.Unit", 0, "x\n    import os"),
    "a line of code in a path": changed("code.Block", 0, "x\rimport os"),
    "code as a variable": changed("code.Var", 0, "0 + __import__('os')"),
    "code as a cell": changed("code.Load", 0, "0] + print()["),
    "a service that is none": changed("code.Serve", 0, "run(S, 1) or R.run"),
    "a hidden service": changed("code.Serve", 0, "__init__"),
    "a text for a unit": changed("code.Call", 0, "1"),
    "a text for a kind": changed("code.Fail", 0, ["print()"]),
    "too many values": lambda data: data["blocks"][0].__setitem__(2, 10**12),
    "fewer values": lambda data: data["blocks"].pop(0),
    "no strings": lambda data: data["strings"].clear(),
    "no blocks": lambda data: data.pop("blocks"),
    "no program": lambda data: data["blocks"].pop(),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_invalid_programs_are_refused(hostile: str) -> None:
    data = json.loads(written())
    HOSTILE[hostile](data)
    with pytest.raises(ValueError, match="this data is not a program"):
        program_from_json(data)


@pytest.mark.parametrize("service", FAST_PATHS)
def test_services_specialized_for_a_statement_are_services(service: str) -> None:
    data = json.loads(written())
    changed("code.Serve", 0, service)(data)
    assert service in str(program_from_json(data))


def test_tests_of_players_in_a_simultaneous_decision_are_read_as_printed() -> None:
    data = json.loads(written("goofspiel"))
    assert "name='together'" in str(program_from_json(data))
    changed("code.Serve", 2, 0)(data)
    with pytest.raises(ValueError, match="this data is not a program"):
        program_from_json(data)


@pytest.mark.parametrize("data", [None, 1, [], {}, {"strings": [], "blocks": []}, {"strings": 1, "blocks": 2}], ids=str)
def test_other_data_are_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="this data is not a program"):
        program_from_json(data)


def test_a_program_is_cached_with_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for home in ("ludex.spec.loading.game_cache", "ludex.grammar.files.cache"):
        monkeypatch.setattr(f"{home}.cache_folder", lambda: tmp_path)
    first = Engine.kept(load("pig"))
    monkeypatch.setattr("ludex.interpreter.program.engine.stored.lowering", None)
    again, other = Engine.kept(load("pig")), Engine(load("pig"))
    assert first.source == again.source == other.source
    assert list(playout(again, Generator(7))) == list(playout(other, Generator(7)))
    with pytest.raises(TypeError):
        Engine.kept(load("pig", players=3))


def test_a_few_random_plays_store_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for home in ("ludex.spec.loading.game_cache", "ludex.grammar.files.cache"):
        monkeypatch.setattr(f"{home}.cache_folder", lambda: tmp_path)
    few, many = (Simulation(load("pig"), long=long) for long in (False, True))
    assert len(list((tmp_path / "programs").iterdir())) == 1, "many plays must store the program"
    assert few.play(Generator(7)) == many.play(Generator(7))


def test_a_game_without_a_cache_entry_is_lowered() -> None:
    assert Engine.kept(load("pig")).source == Engine(load("pig")).source
