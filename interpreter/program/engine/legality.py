"""Whether an event is legal: judged by itself, the others are not listed. What is wrong with it the reference says."""

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
    """Whether it can come out so."""
    if isinstance(wait, c.Chance):
        is_one = event.via is None and is_value(wait.statement.type, event.outcome)
        return is_one and event.outcome in runtime.units[wait.lists](play, play.cells)
    route = route_of(play, awaited(play, wait), event.outcome, event.via)
    return is_value(wait.source.type, event.outcome) and route is not None


def asked(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> Stated | None:
    """What the move states; None if it is not legal. tries: also what a requirement further on may forbid."""
    if isinstance(wait, c.Decision):
        return stated(runtime, play, wait, move, tries) if move.player == runtime.me(play, wait) else None
    said = play.cells[wait.stated]
    has_a_say = 0 <= move.player < len(said) and said[move.player] is None
    return stated(runtime, play, wait, move) if has_a_say else None


def stated(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> Stated | None:
    """What the move of a player who is asked states; None if it is not legal. Of several options of one name the first
    that allows the move is taken."""
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
    """The values of the option's arguments in their order; None where the move does not state just these."""
    given = dict(move.arguments)
    if len(given) != len(move.arguments) or given.keys() != {argument.name for argument in option.arguments}:
        return None
    if not all(is_value(argument.type, given[argument.name]) for argument in option.arguments):
        return None
    return tuple([given[argument.name] for argument in option.arguments])


def may_decline(runtime: Runtime, play: State, player: int) -> bool:
    """Whether the decision leaves it to the player who is asked, or he has nothing to choose, and is asked because the
    others cannot know."""
    wait = runtime.program.waits[play.wait]
    assert isinstance(wait, c.Decision | c.Together)
    if isinstance(wait, c.Decision) and wait.optional:
        return True
    if runtime.concealed(play.wait) is Concealed.NOTHING:
        return False
    looked = play.within()
    return not runtime.has_instance(looked, play.wait, wait, player) and runtime.offers(looked, play.wait, player)


def offered(runtime: Runtime, play: State, players: Iterable[int]) -> tuple[str, ...]:
    """Names of the moves on offer to those players, legal now or not."""
    wait = runtime.program.waits[play.wait]
    if not isinstance(wait, c.Decision | c.Together):
        return ()
    names = dict.fromkeys(option.name for option in wait.options)
    if any(may_decline(runtime, play, player) for player in players):
        names[DECLINE] = None
    return tuple(names)
