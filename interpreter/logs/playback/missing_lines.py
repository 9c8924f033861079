"""Search for the lines that are missing from a log: the fewest events after which its next line may be legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ludex.spec import model as m

from ...information.event_visibility import HIDDEN
from ...information.visibility import UNSEEN_ACTION
from ...state.events import ChanceEvent, Event, Move, Refusal, TooManyStates
from ...unknowns import Belief

MOST_MOVES = 2
"""Most moves that are looked for before one line."""
MOST_EVENTS = 200
"""Most chance events that are looked for before one line."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Events that are missing before a line.

    Attributes:
        events: what is known of them: a chance event without its outcome, a player's move without its values, and
            without its action if there are several.
        after: what is known after them; None if too much is unknown there, so that the search was given up.
    """

    events: tuple[Event, ...]
    after: Belief | None


def missing_before(belief: Belief, event: Event) -> Missing | None:
    """Find the fewest events after which the event may be legal; of equally many moves the first. None: there are none.

    A chance event is taken for missing where the game awaits it; up to `MOST_MOVES` moves are tried besides. If that
    takes too long, events are missing only if the first is a chance event, which cannot be left out.
    """
    ways, given_up = [Missing((), belief)], None
    for _ in range(1 + MOST_MOVES):
        # Chance events before moves: the game awaits one in one place, while each player may move in many ways.
        ways = [each for way in ways for each in _by_chance(way)]
        for way in ways:
            after = way.after and _after(way.after, event)
            # Without a missing event the line was refused already.
            if way.events and isinstance(after, Belief):
                return way
            if way.events and isinstance(way.events[0], ChanceEvent) and after is None:
                given_up = max(
                    given_up or Missing((), None), replace(way, after=None), key=lambda each: len(each.events)
                )
        if given_up is not None:
            return given_up
        ways = [way for each in ways for way in _by_moves(each)]
    return None


def _by_chance(way: Missing) -> Iterator[Missing]:
    """Yield the way, and the ways on by the chance events that are awaited one after another."""
    yield way
    for _ in range(MOST_EVENTS):
        path = None if way.after is None else way.after.awaits_chance
        if path is None or way.after is None:
            return
        way = _longer(way, way.after, ChanceEvent(path, HIDDEN)) or way
        yield way


def _by_moves(way: Missing) -> Iterator[Missing]:
    if way.after is None:
        return
    for seat in range(way.after.engine.game.players):
        longer = _longer(way, way.after, Move(seat, UNSEEN_ACTION))
        if longer is not None:
            yield replace(longer, events=(*way.events, _named(way.after, seat)))


def _named(belief: Belief, seat: int) -> Move:
    """Name the action of a player's move, if no other is on offer and it cannot be declined."""
    reference, unseen = belief.engine.reference, Move(seat, UNSEEN_ACTION)
    steps = [reference.at(state).step if state.frames else None for state in belief.references]
    if not all(isinstance(step, m.Decide) and not step.optional for step in steps):
        return unseen
    options = [option for step in steps for option in (step.options if isinstance(step, m.Decide) else ())]
    names = {option.action if isinstance(option, m.ActionOption) else option.name for option in options}
    if len(names) != 1:
        return unseen
    (action,) = names
    arguments = reference.game.moves[action].arguments
    move = Move(seat, action, tuple((name, HIDDEN) for name, _, _ in arguments))
    return unseen if isinstance(_after(belief, move), Refusal) else move


def _longer(way: Missing, belief: Belief, event: Event) -> Missing | None:
    """Return the way with one more event; None if this cannot come next."""
    after = _after(belief, event)
    return None if isinstance(after, Refusal) else Missing((*way.events, event), after)


def _after(belief: Belief, event: Event) -> Belief | Refusal | None:
    """Return what is known after the event, or its refusal; None if it would take too long to know."""
    try:
        return belief.after(event)
    except TooManyStates:
        return None
