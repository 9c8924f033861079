"""The legality test of one event, without a list of the others. The reference explains why an event is illegal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from ludex.spec import types as t

from ...information.decision_visibility import Concealed
from ...state.domains import is_value
from ...state.events import DECLINE, ChanceEvent, Event, Move
from ...state.pools import route_of
from ..ir import code as c
from ..python.pieces import awaited
from ..python.runtime import DECLINED, Runtime
from ..python.state import State

Stated: TypeAlias = tuple[int, tuple[t.Value, ...]]
"""The number of an option and the values of its arguments, or `DECLINED`."""


def is_legal(runtime: Runtime, play: State, event: Event) -> bool:
    """Whether the event can be played."""
    wait = runtime.program.waits[play.wait]
    match wait:
        case c.Decision() | c.Together():
            return isinstance(event, Move) and asked(runtime, play, wait, event) is not None
        case c.Chance() | c.Hidden():
            return (
                isinstance(event, ChanceEvent)
                and event.path == wait.statement.path
                and _admits(runtime, play, wait, event)
            )
    return False


def _admits(runtime: Runtime, play: State, wait: c.Chance | c.Hidden, event: ChanceEvent) -> bool:
    """Whether the awaited chance event can have this outcome."""
    if isinstance(wait, c.Chance):
        is_one = event.via is None and is_value(wait.statement.type, event.outcome)
        return is_one and event.outcome in runtime.units[wait.lists](play, play.cells)
    route = route_of(play, awaited(play, wait), event.outcome, event.via)
    return is_value(wait.source.type, event.outcome) and route is not None


def asked(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> Stated | None:
    """Return the argument values of a legal move of a player who must decide, or None if the move is not legal.

    tries: whether to try the move, so that requirements further on may forbid it.
    """
    if isinstance(wait, c.Decision):
        return stated(runtime, play, wait, move, tries) if move.player == runtime.me(play, wait) else None
    choices = play.cells[wait.stated]
    has_a_say = 0 <= move.player < len(choices) and choices[move.player] is None
    return stated(runtime, play, wait, move) if has_a_say else None


def stated(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> Stated | None:
    """Return the argument values of a legal move of a player who decides, or None if the move is not legal.

    Of several options with one name, the first that allows the move is taken.
    """
    if move.action == DECLINE:
        return DECLINED if not move.arguments and may_decline(runtime, play, move.player) else None
    named = [(number, option) for number, option in enumerate(wait.options) if option.name == move.action]
    for number, option in named:
        values = _values(option, move)
        if values is None or not runtime.units[option.admits](play, play.cells, move.player, *values):
            continue
        is_tried = option.refusable and (tries or len(named) > 1)
        if not is_tried or runtime.tried(play, option, values) is None:
            return number, values
    return None


def _values(option: c.Option, move: Move) -> tuple[Any, ...] | None:
    """Return the values of the option's arguments in order, or None if the move states other arguments."""
    given = dict(move.arguments)
    if len(given) != len(move.arguments) or given.keys() != {argument.name for argument in option.arguments}:
        return None
    if not all(is_value(argument.type, given[argument.name]) for argument in option.arguments):
        return None
    return tuple([given[argument.name] for argument in option.arguments])


def may_decline(runtime: Runtime, play: State, player: int) -> bool:
    """Whether the player may decline.

    That is so if the decision allows it, or if the player has nothing to choose and is asked only because the others
    cannot know that.
    """
    wait = runtime.program.waits[play.wait]
    assert isinstance(wait, c.Decision | c.Together)
    if isinstance(wait, c.Decision) and wait.optional:
        return True
    if runtime.concealed(play.wait) is Concealed.NOTHING:
        return False
    looked = play.within()
    return not runtime.has_instance(looked, play.wait, wait, player) and runtime.offers(looked, play.wait, player)


def offered(runtime: Runtime, play: State, players: Iterable[int]) -> tuple[str, ...]:
    """Return the names of the moves on offer to those players, legal now or not."""
    wait = runtime.program.waits[play.wait]
    if not isinstance(wait, c.Decision | c.Together):
        return ()
    names = dict.fromkeys(option.name for option in wait.options)
    if any(may_decline(runtime, play, player) for player in players):
        names[DECLINE] = None
    return tuple(names)
