"""Games and engines, made once for all tests of a process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from typing import Any, NamedTuple

import pytest

from ludex.grammar import Parsed
from ludex.grammar.files.cache import recalled
from ludex.interpreter import Engine
from ludex.interpreter.program import COMPACT
from ludex.spec import Game, find, load, overview
from ludex.spec import model as m
from ludex.spec.loading.game_cache import OpenGame
from ludex.spec.model.analysis import callee, nodes_with_called, reading_defines
from ludex.spec.model.evaluation import Evaluation
from ludex.spec.values.partial_knowledge import is_known

EAGER = replace(COMPACT, often=3)
"""Limits with which a play soon reaches code that was lowered again."""


def game_once(
    name: str,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    silence: str = "borrow",
) -> Game:
    """`load` with a cache: settings that are left out and their defaults lead to one game. The game's files must not
    change during the run.
    """
    least, editions = _settings(name)
    table = [least if players is None else players, editions[0] if edition is None and editions else edition]
    return _loaded(json.dumps([name, *table, options or {}, readings or {}, silence], sort_keys=True))


@cache
def _settings(name: str) -> tuple[int, tuple[str, ...]]:
    """Return the least number of players of a game, and its texts."""
    game, _ = overview(name)
    return game.players[0], game.editions


@cache
def _loaded(asked: str) -> Game:
    return load(*json.loads(asked))


_ENGINES: dict[int, Engine] = {}


def engine_once(game: Game) -> Engine:
    """Return the engine of a game, made once."""
    if id(game) not in _ENGINES:  # The key is the game's id, which is unique while the entry keeps the game alive.
        _ENGINES[id(game)] = Engine(game)
    return _ENGINES[id(game)]


def parse_shipped_once(patch: pytest.MonkeyPatch) -> None:
    """Let a process parse the text of each shipped game once, however many other texts it parses in between."""
    parsed = dict[str, Parsed]()

    def answer(folder: str, question: str, make: Callable[[], Parsed], *coding: Callable[[Any], Any]) -> Parsed:
        if "spec/games/" not in question.partition("\0")[0]:
            return make() if (of := recalled(folder, question, make, *coding)) is None else of
        if question not in parsed:
            parsed[question] = recalled(folder, question, make, *coding)
        return parsed[question]

    patch.setattr("ludex.grammar.parser.kept_trees.recalled", answer)


class _Value(NamedTuple):
    """The value of a fact, the work it took, and the nesting at which it was evaluated."""

    value: Any
    work: int
    depth: int


EVALUATED = Evaluation.called
"""The reference's own way, without `evaluate_facts_once`."""


def evaluate_facts_once(patch: pytest.MonkeyPatch | None = None) -> None:
    """Let the reference, in this process, evaluate each fact once for the same arguments. Each later call takes the
    same work from the budget, so that faults stay the same.

    The reference has no memo, since it is the definition, and takes most of its time for the same few facts.
    """
    known = dict[int, tuple[Any, dict[str, dict[Any, _Value]]]]()

    def called(self: Evaluation, define: m.Define, given: tuple[Any, ...]) -> Any:
        if type(self) is not Evaluation or self.position is None or not is_known(given):
            return EVALUATED(self, define, given)
        # The key is the id of the mapping, which is unique while the entry keeps the mapping alive.
        if id(self.defines) not in known:
            known[id(self.defines)] = self.defines, {name: {} for name in _facts(self.defines)}
        values, meter = known[id(self.defines)][1].get(define.name), self.meter
        if values is None:
            return EVALUATED(self, define, given)
        before = values.get(given)
        if before is not None and before.work <= meter.left and meter.depth <= before.depth:
            meter.left -= before.work
            return before.value
        left, depth = meter.left, meter.depth
        value = EVALUATED(self, define, given)
        values[given] = _Value(value, left - meter.left, depth)
        return value

    (patch or pytest.MonkeyPatch()).setattr(Evaluation, "called", called)


def _facts(defines: Mapping[str, m.Define]) -> Iterator[str]:
    """Yield the names of defines whose values depend on nothing but their arguments: not on the state, and not on a
    call under way.
    """
    cyclic = {name for name, define in defines.items() if define.cycle is not None}
    for name in defines.keys() - reading_defines(defines) - cyclic:
        if not any(callee(node) in cyclic for node in nodes_with_called(defines, defines[name].body)):
            yield name


_ANSWERS: dict[str, Any] = {}


def share_games(patch: pytest.MonkeyPatch) -> None:
    """Let commands that run in this process share what they make of shipped games: the checked games and their engines.

    Each command makes them anew otherwise, as the process of a user does; for a long game that takes a second.
    """
    asked, kept, shipped = OpenGame._cached, Engine.kept, find("pig").parents[1]

    def answer(self: OpenGame, question: Any, *how: Callable[..., Any]) -> Any:
        file = self._located.file
        if not file.is_relative_to(shipped):
            return asked(self, question, *how)
        key = json.dumps([str(file), question, asdict(self.budget)], sort_keys=True)
        if key not in _ANSWERS:
            _ANSWERS[key] = asked(self, question, *how)
        return _ANSWERS[key]

    def engine(game: Game) -> Engine:
        return engine_once(game) if any(game is each for each in _ANSWERS.values()) else kept(game)

    patch.setattr(OpenGame, "_cached", answer)
    patch.setattr(Engine, "kept", engine)
