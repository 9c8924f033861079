"""Histories of OpenSpiel become legal logs; with one event altered a log is illegal, or OpenSpiel has
that event too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from ludex.interpreter import (
    ChanceEvent,
    Event,
    Move,
    Refused,
    Report,
    Validator,
    Verdict,
    header_of,
    line_of,
    parse_log,
    write_log,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..once import engine_once, game_once
from .engines import LudexChoice
from .importer import NotInHistory, followed, log_of, recorded
from .lockstep import Lockstep, Point, offered
from .pair import Pair
from .pairs import MAPPED, game_of, pairs_of
from .test_harness import RollsFirst

pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'ludex[conformance]'")

PAIRS = [pair for game in MAPPED for pair in pairs_of(game)]
ALTERED = 2
"""The number of events altered in each play."""
PLAYS = 10
"""The largest number of plays tried if no event of a play can be altered into one that can be checked."""


VALIDATOR = Validator(game_once, compiled=engine_once)


def judged(text: str) -> Report:
    return VALIDATOR.validate(parse_log(text))


@pytest.mark.drawn(1, by=game_of)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_recorded_play_is_a_legal_log(pair: Pair, rng: random.Random) -> None:
    history = recorded(pair, rng)
    report = judged(log_of(pair, history))
    # OpenSpiel ends a play that is too long for it, which the log then states
    assert {finding.code.code for finding in report.findings} <= {"L490"}
    assert report.verdict is Verdict.LEGAL
    cut = history[: len(history) // 2]
    try:
        begun = followed(pair, cut)
    except NotInHistory:
        return  # cut within what is one choice in Ludex
    assert begun.spiel.state.history()[: len(cut)] == cut


def test_an_action_of_openspiel_alone_is_not_imported() -> None:
    [roll, stop] = [0, 1]
    assert judged(log_of(RollsFirst(), [roll, 3, stop, roll])).verdict is Verdict.LEGAL
    with pytest.raises(NotInHistory):
        log_of(RollsFirst(), [stop])


@pytest.mark.drawn(8)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_an_altered_event_is_legal_only_if_openspiel_has_it(pair: Pair, rng: random.Random) -> None:
    assert any(tried(pair, followed(pair, recorded(pair, rng)), rng) for _ in range(PLAYS)), (
        "no event could be altered: try more plays"
    )


def tried(pair: Pair, play: Lockstep, rng: random.Random) -> int:
    """Alter some events of a play, each in a log of its own; return how many OpenSpiel could check."""
    tried = 0
    for point in rng.sample(play.trail, min(ALTERED, len(play.trail))):
        event = play.log[point.events]
        altered = list(alterations(pair.engine.game, event))
        for other in rng.sample(altered, min(3, len(altered))):
            known = has(pair, point, other)
            if known is not None:
                tried += 1
                check(pair, play, point, other, known)
    return tried


def check(pair: Pair, play: Lockstep, point: Point, other: Event, known: bool) -> None:
    """Check the log with the altered event at this point, cut after it if OpenSpiel has the event."""
    game, at = pair.engine.game, point.events
    events = [*play.log[:at], other, *(() if known else play.log[at + 1 :])]
    report = judged(write_log(header_of(game).to_json(), [line_of(game, event) for event in events]))
    if report.left_out:
        return  # it is legal after a decline that a log may leave out: another play
    message = f"{other} instead of {play.log[at]}, after {at} events of {play.spiel.state.history()}"
    if known:
        assert report.verdict is Verdict.LEGAL, f"Ludex refuses the event, and OpenSpiel has it: {message}"
    else:
        assert report.verdict is Verdict.FINDINGS, (
            f"the event is legal in Ludex, and OpenSpiel does not have it: {message}"
        )
        assert report.findings[0].span.line == at + 2, message


def has(pair: Pair, point: Point, event: Event) -> bool | None:
    """Return whether OpenSpiel has the event as a choice here; None if one event is not enough to know."""
    players = [player for player in point.spiel.movers if isinstance(event, Move) and pair.seat(player) == event.player]
    if isinstance(event, Move) and not players:
        return False
    try:
        reading = pair.event([LudexChoice(point.ludex, event)])
    except (Refused, KeyError):
        return False
    if not isinstance(reading, str):
        return None
    return reading in offered(point.spiel, players[0] if players else None, pair.action, Counter())


def alterations(game: m.Game, event: Event) -> Iterator[Event]:
    """Return the event with another outcome, another value of one argument, or another player; or a move without
    arguments.
    """
    if isinstance(event, ChanceEvent):
        yield from (ChanceEvent(event.path, value) for value in others(game.chances[event.path].outcome, event.outcome))
        return
    types = {name: type_ for name, type_, _ in game.moves[event.action].arguments} if event.arguments else {}
    for at, (name, own) in enumerate(event.arguments):
        for value in others(types[name], own):
            arguments = (*event.arguments[:at], (name, value), *event.arguments[at + 1 :])
            yield Move(event.player, event.action, arguments)
    yield Move((event.player + 1) % game.players, event.action, event.arguments)
    bare = [move.name for move in game.moves.values() if not move.arguments and move.name != event.action]
    yield from (Move(event.player, name) for name in bare)


def others(type_: t.Type, own: t.Value) -> list[t.Value]:
    """Return some other values; none for a collection."""
    return [value for value in t.values(type_) if value != own] if t.element_type(type_) is None else []
