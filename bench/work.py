"""The work that is measured, in units that can be counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Any

from ludex.grammar import parse
from ludex.interpreter import Engine, Event, Generator, State, Validator, line_of, parse_log, playout, write_log
from ludex.spec import check_game, load, read_game
from ludex.spec.components import read_components

PLAYS = 10
"""The number of plays that are recorded to be judged and validated."""


class Texts:
    """The files of a game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._texts = [file.path.read_text("utf-8") for file in read_game(name).files]
        self.lines = sum(len(text.splitlines()) for text in self._texts)

    def parse(self) -> int:
        _forget()
        for text in self._texts:
            parse(text, self.name)
        return self.lines

    def check(self) -> int:
        """Check every edition and number of players, as `ludex check` does."""
        _forget()
        check_game(self.name)
        return self.lines

    def load(self) -> int:
        """Load and compile the game for one table."""
        _forget()
        Engine(load(self.name))
        return 1


def _forget() -> None:
    """Clear all caches of this process."""
    parse.cache_clear()
    read_components.cache_clear()


class Plays:
    """Random plays of a game, and their logs."""

    def __init__(self, name: str) -> None:
        self._engine = Engine(load(name))
        self._rng = Generator(0)
        plays = [[turn.event for turn in playout(self._engine, Generator(seed))] for seed in range(PLAYS)]
        self.mean_length = sum(map(len, plays)) / PLAYS
        self._plays = cycle(plays)
        game = self._engine.game
        header = {"ludex": 1, "game": name, "fingerprint": game.fingerprint, "players": game.players}
        self._logs = cycle([write_log(header, [line_of(game, event) for event in events]) for events in plays])
        self._validator = Validator(load)

    def playout(self) -> int:
        """Play a random game; return the number of events."""
        return sum(1 for _ in playout(self._engine, self._rng))

    def judge(self) -> int:
        """Judge recorded events: the engine lists nothing."""
        events = next(self._plays)
        judged = self._engine.judge(events)
        # Judging stops at the first refused event, and would seem fast.
        assert judged == len(events)
        return judged

    def validate(self) -> int:
        """Read and judge a log, in both stages; the game is already loaded."""
        return self._validator.validate(parse_log(next(self._logs))).replayed


def _clone(engine: Engine, state: State, event: Event) -> object:
    return state.clone()


def _hash(engine: Engine, state: State, event: Event) -> object:
    return hash(state)


def _to_json(engine: Engine, state: State, event: Event) -> object:
    return json.dumps(engine.state_to_json(state))


def _from_json(engine: Engine, state: State, event: Event) -> object:
    return engine.state_from_json(engine.state_to_json(state))


def _legal(engine: Engine, state: State, event: Event) -> object:
    return engine.chance(state) or engine.legal_moves(state)


def _refusal(engine: Engine, state: State, event: Event) -> object:
    return engine.refusal(state, event)


def _apply(engine: Engine, state: State, event: Event) -> object:
    return engine.apply(state, event)


def _observe(engine: Engine, state: State, event: Event) -> object:
    return engine.observe(state, 0)


def _scores(engine: Engine, state: State, event: Event) -> object:
    return engine.scores(state)


STATE_WORK: Mapping[str, Callable[[Engine, State, Event], Any]] = {
    "clone": _clone,
    "hash": _hash,
    "to JSON": _to_json,
    "JSON and back": _from_json,
    "what can happen": _legal,
    "judge one": _refusal,
    "apply": _apply,
    "observe": _observe,
    "scores": _scores,
}


class States:
    """The states of a random play of a game, each with the event that follows."""

    def __init__(self, name: str) -> None:
        self._engine = Engine(load(name))
        state = self._engine.start()
        self._positions: list[tuple[State, Event]] = []
        for event in [turn.event for turn in playout(self._engine, Generator(0))]:
            self._positions.append((state, event))
            state = self._engine.apply(state, event)

    def doing(self, name: str) -> Callable[[], int]:
        """Return the work of this name: one operation for every state."""
        do = STATE_WORK[name]

        def done() -> int:
            for state, event in self._positions:
                do(self._engine, state, event)
            return len(self._positions)

        return done
