"""Ground truth: whether two games differ, by other means than the search that is measured.

A witness is replayed as a log by the judge of `ludex validate`, under each of the two games alone. Without a witness,
both games are played in lockstep at random, and all possible events are compared before every event.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any

from ludex.interpreter import (
    ChanceEvent,
    Engine,
    Event,
    ShownWitness,
    SpecFault,
    State,
    Validator,
    line_of,
    parse_log,
    write_log,
)
from ludex.spec import GameText, Request, build, model, to_json
from ludex.spec.values.types import values

from .texts import Original, game_of

MANY = 4
"""For an option with more values, only the first and the last are tried."""
Offer = dict[str, Event]
FAULT = "the rules do not say"
FAULTS = ("rules-at-fault", "over-budget")
"""Findings after which the rules cannot continue: they give no value, or run without end."""
ALLOWED = ("allows", "refuses")
"""The possible verdicts on an event."""


# ---- witnesses ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a log under one game."""

    played: int
    result: object
    faulty: bool


def replays(shown: ShownWitness, original: GameText, copy: GameText) -> bool:
    """Return whether the replay of a log under each game alone confirms the claimed difference."""
    here, there = (_course(shown, text) for text in (original, copy))
    last = len(shown.lines) - 1
    if shown.left.answer not in ALLOWED:
        together = here.played == there.played == last
        return together and (here.result != there.result or here.faulty is not there.faulty)
    wanted = [last if side.answer == "allows" else last - 1 for side in (shown.left, shown.right)]
    return [here.played, there.played] == wanted


def _course(shown: ShownWitness, text: GameText) -> Course:
    """Replay the log without its header's edition."""
    header, *events = shown.lines
    claims = {name: value for name, value in header.items() if name not in ("edition", "fingerprint")}
    log = parse_log(write_log(claims, events))

    def load(
        name: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> model.Game:
        game = _game(text, Request(players, options=options or {}, readings=readings or {}))
        assert game is not None
        return game

    report = Validator(load).validate(log)
    faulty = any(finding.code.name in FAULTS for finding in report.findings)
    at_event = report.stopped_at is not None and report.stopped_at.line > 1
    # Where the rules stop at an event, it is legal, and not what comes then; at the end only the points are not told.
    played = min(report.replayed + (faulty and at_event), len(events))
    if report.left_out:
        played = min(played, report.left_out[0].span.line - 2)  # legal only after a decline that is not in the log
    result = report.result and ([each.total for each in report.result.scores], report.result.outcome)
    return Course(played, result, faulty)


# ---- plain play ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """The result of plain play: its length, and how and at which table the games differed, if they did."""

    parted: str | None
    events: int
    table: str = ""


def play(original: Original, copy: GameText, events: int, seconds: float, seed: int) -> Played:
    """Play both games in lockstep at random, until they differ; at most `events` events over all tables."""
    tables = tuple(_tables(original))
    done, until = 0, monotonic() + seconds
    for at, table in enumerate(tables):
        games = [_game(text, table) for text in (original.text, copy)]
        if games[0] is None or games[1] is None:
            if games != [None, None]:
                return Played("setup", done, _table_words(table))
            continue
        # Every table gets an equal share of the time that is left.
        limit = monotonic() + (until - monotonic()) / (len(tables) - at)
        parted, count = _at_table(games[0], games[1], Random(f"{seed} {at}"), events // len(tables), limit)
        done += count
        if parted is not None:
            return Played(parted, done, _table_words(table))
    return Played(None, done)


def _tables(original: Original) -> Iterator[Request]:
    """Yield each number of players, and each option and fork with another value at the smallest table."""
    yield from (Request(number) for number in original.players)
    game = game_of(original.text, original.players[0])
    for option in game.options:
        others = [value for value in values(option.type) if value != option.default]
        for value in others if len(others) <= MANY else (others[0], others[-1]):
            yield Request(game.players, options={option.name: to_json(option.type, value)})
    for fork in game.forks:
        yield from (
            Request(game.players, readings={fork.name: name}) for name, _ in fork.readings if name != fork.default
        )


def _table_words(request: Request) -> str:
    """Describe the table in a word or two."""
    taken = (f"{name} = {value}" for name, value in {**request.options, **request.readings}.items())
    return ", ".join((f"{request.players} players", *taken))


def _game(text: GameText, request: Request) -> model.Game | None:
    return build(text, request).game


def _at_table(original: model.Game, copy: model.Game, rng: Random, events: int, limit: float) -> tuple[str | None, int]:
    left, right, count = Engine(original), Engine(copy), 0
    while count < events and monotonic() < limit:
        parted, length = _one_play(left, right, rng, events - count, limit)
        # A play without an event counts, or two games that end at once would be played for ever.
        count += max(1, length)
        if parted is not None:
            return parted, count
    return None, count


def _one_play(left: Engine, right: Engine, rng: Random, most: int, limit: float) -> tuple[str | None, int]:
    here, there = _start(left), _start(right)
    if not isinstance(here, State) or not isinstance(there, State):
        return (None if here == there else "setup"), 1
    taste: dict[str, float] = {}
    for length in range(most):
        mine, theirs = _offer(left, here), _offer(right, there)
        if mine.keys() != theirs.keys():
            return "legal-moves", length
        if not mine or monotonic() > limit:
            return ("score" if not mine and _end(left, here) != _end(right, there) else None), length
        key = _drawn(mine, rng, taste)
        goes_on = _advanced(left, here, mine[key]), _advanced(right, there, theirs[key])
        if goes_on != (True, True):
            return (None if goes_on == (False, False) else "legal-moves"), length
    return None, most


def _start(engine: Engine) -> State | str:
    try:
        return engine.start()
    except SpecFault:
        return FAULT


def _offer(engine: Engine, state: State) -> Offer:
    """Return all possible next events, by their lines in a log."""
    try:
        events: tuple[Event, ...] = tuple(event for event, _ in engine.chance(state)) or engine.legal_moves(state)
    except SpecFault:
        return {FAULT: ChanceEvent(FAULT, None)}
    # The members are sorted, so that one event has one key in both games.
    return {json.dumps(line_of(engine.game, event), sort_keys=True): event for event in events}


def _drawn(offer: Offer, rng: Random, taste: dict[str, float]) -> str:
    """Draw a move; each play prefers some kinds of moves."""
    keys = list(offer)
    kinds = [_kind(offer[key]) for key in keys]
    for kind in kinds:
        # Plays with different likings see more of the rules than plays that are all alike.
        taste.setdefault(kind, rng.choice((0.2, 1, 1, 5)))
    return rng.choices(keys, [taste[kind] for kind in kinds])[0]


def _kind(event: Event) -> str:
    return event.path if isinstance(event, ChanceEvent) else event.action


def _advanced(engine: Engine, state: State, event: Event) -> bool:
    try:
        return engine.advance(state, event) is None
    except SpecFault:
        return False


def _end(engine: Engine, state: State) -> Any:
    try:
        return engine.returns(state), engine.winners(state)
    except SpecFault:
        return FAULT
