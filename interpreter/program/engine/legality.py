"""The legality test of one event, without a list of the others. The reference explains why an event is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ludex.spec import types as t

from ...information.decision_visibility import Concealed
from ...stack.state import DECLINED, StatedChoice
from ...state.domains import is_value
from ...state.events import DECLINE, ChanceEvent, Event, Move
from ...state.pools import route_of
from ..ir import code as c
from ..python.pieces import awaited
from ..python.runtime import Runtime
from ..python.state import State

MeantMove: TypeAlias = tuple[int, c.Option, tuple[t.Value, ...]]
"""The number of an option, the option, and the values of its arguments."""
COLLECTIONS, _NUMBERS = frozenset((tuple, frozenset)), frozenset((int,))
MEMO = 10_000
"""The number of meanings of moves, and of decoded numbers, that are memoized for each decision."""


def is_legal(runtime: Runtime, play: State, event: Event) -> bool:
    """Return whether the event can be played."""
    wait = runtime.program.waits[play.wait]
    match wait:
        case c.Decision() | c.Together():
            return isinstance(event, Move) and legal_choice(runtime, play, wait, event) is not None
        case c.Chance() | c.Hidden():
            return (
                isinstance(event, ChanceEvent)
                and event.path == wait.statement.path
                and _admits(runtime, play, wait, event)
            )
    return False


def _admits(runtime: Runtime, play: State, wait: c.Chance | c.Hidden, event: ChanceEvent) -> bool:
    """Return whether the awaited chance event can have this outcome."""
    if isinstance(wait, c.Chance):
        # The type is compared first, as `True` equals 1 and would be found among the outcomes.
        is_one = event.via is None and is_value(wait.statement.type, event.outcome)
        return is_one and event.outcome in runtime.units[wait.lists](play, play.cells)
    entries = awaited(play, wait)
    if event.via is None and len(entries) == 1 and runtime.may_be(play, entries[0], event.outcome):
        return True
    route = route_of(play, entries, event.outcome, event.via)
    return is_value(wait.source.type, event.outcome) and route is not None


def legal_choice(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> StatedChoice | None:
    """Return the argument values of a legal move of a player who must decide, or None if the move is not legal.

    tries: whether to try the move, so that requirements further on may forbid it.
    """
    if isinstance(wait, c.Decision):
        return _stated(runtime, play, wait, move, tries) if move.player == runtime.me(play, wait) else None
    choices = play.cells[wait.stated]
    has_a_say = 0 <= move.player < len(choices) and choices[move.player] is None
    return _stated(runtime, play, wait, move) if has_a_say else None


def _stated(
    runtime: Runtime, play: State, wait: c.Decision | c.Together, move: Move, tries: bool = True
) -> StatedChoice | None:
    """Return the argument values of a legal move of a player who decides, or None if the move is not legal.

    Of several options with one name, the first that allows the move is taken.
    """
    if move.action == DECLINE:
        return DECLINED if not move.arguments and _may_decline(runtime, play, move.player) else None
    meanings = known_meanings(runtime, play.wait, wait, move)
    for number, option, values in meanings:
        if not runtime.units[option.admits](play, play.cells, move.player, *values):
            continue
        # Without a trial it is open which of several options is meant.
        is_tried = option.refusable and (tries or len(meanings) > 1)
        if not is_tried or runtime.tried(play, option, values) is None:
            return number, values
    return None


def known_meanings(runtime: Runtime, at: int, wait: c.Decision | c.Together, move: Move) -> tuple[MeantMove, ...]:
    """Return the options that a move may mean, whether or not they allow it. The result is memoized."""
    for _, value in move.arguments:
        # An equal value of another type would find the same entry.
        if type(value) is not int and not (type(value) in COLLECTIONS and {*map(type, value)} <= _NUMBERS):
            return tuple(_meanings(wait, move))
    known, key = runtime.meant[at], (move.action, move.arguments)
    meanings: tuple[MeantMove, ...] | None = known.get(key)
    if meanings is None:
        meanings = tuple(_meanings(wait, move))
        if len(known) < MEMO:
            known[key] = meanings
    return meanings


def _meanings(wait: c.Decision | c.Together, move: Move) -> Iterator[MeantMove]:
    given = dict(move.arguments)
    for number, option in enumerate(wait.options):
        names = [argument.name for argument in option.arguments]
        if option.name != move.action or len(move.arguments) != len(names) or given.keys() != set(names):
            continue
        if all(is_value(argument.type, given[argument.name]) for argument in option.arguments):
            yield number, option, tuple([given[name] for name in names])


def _may_decline(runtime: Runtime, play: State, player: int) -> bool:
    """Return whether the player may decline.

    That is so if the decision allows it, or if the player has nothing to choose and is asked only because the others
    cannot know that.
    """
    wait = runtime.program.waits[play.wait]
    assert isinstance(wait, c.Decision | c.Together)
    if isinstance(wait, c.Decision) and wait.optional:
        return True
    if runtime.concealed(play.wait) is Concealed.NOTHING:
        return False
    # The test gets a copy, as the test for a move may mark a state as one in which nothing refuses any more
    # (`pass_over`).
    looked = play.within()
    return not runtime.has_instance(looked, play.wait, wait, player) and runtime.offers(looked, play.wait, player)


def offered_moves(runtime: Runtime, play: State, players: Iterable[int]) -> tuple[str, ...]:
    """Return the names of the moves on offer to those players, legal now or not."""
    wait = runtime.program.waits[play.wait]
    if not isinstance(wait, c.Decision | c.Together):
        return ()
    names = dict.fromkeys(option.name for option in wait.options)
    if any(_may_decline(runtime, play, player) for player in players):
        names[DECLINE] = None
    return tuple(names)
