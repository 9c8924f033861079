"""Search for the lines that are missing from a log: the fewest events after which its next line may be legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

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


Fitting: TypeAlias = Callable[[Belief], Belief | Refusal | Literal[False]]
"""Returns what is known behind a line; why it is illegal, or False, if it is so in no game. Raises TooManyStates."""


def missing_before(belief: Belief, event: Event) -> Missing | None:
    """Find the fewest events after which the event may be legal; of equally many moves the first. None: there are none.

    A chance event is taken for missing where the game awaits it; up to `MOST_MOVES` moves are tried besides. If that
    takes too long, events are missing only if the first is a chance event, which cannot be left out.
    """
    return _missing(belief, lambda before: before.after(event), MOST_MOVES)


def missing_among(before: Belief, run: Sequence[ChanceEvent], after: Belief, event: Event) -> Missing | None:
    """Find chance events that are missing somewhere among a run of one statement, so that the event may be legal.

    before, after: what is known before the run, and behind it if nothing is missing. None: there are none.
    """
    (path,) = {each.path for each in run}
    count = 0
    for way in _by_chance(Missing((), after)):
        if way.events and isinstance(way.events[-1], ChanceEvent) and way.events[-1].path != path:
            break
        count = len(way.events)
    unseen = ChanceEvent(path, HIDDEN)
    # What is known behind so many lines of the run and so many missing events, by the number of these.
    known: list[Belief | None] = [before]
    for _ in range(count):
        known.append(_behind(known[-1], unseen))
    for each in run if count else ():
        row = [_behind(known[0], each)]
        for of_both in known[1:]:
            row.append(_either(_behind(of_both, each), _behind(row[-1], unseen)))
        known = row
    found = known[count] if count else None
    if found is None or not isinstance(_after(found, event), Belief):
        return None
    return Missing((unseen,) * count, found)


def _behind(belief: Belief | None, event: Event) -> Belief | None:
    after = None if belief is None else _after(belief, event)
    return after if isinstance(after, Belief) else None


def _either(one: Belief | None, other: Belief | None) -> Belief | None:
    return one.either(other) if one is not None and other is not None else one or other


def missing_before_claim(belief: Belief, claimed: Fitting, ends: bool) -> Missing | None:
    """Find the fewest events after which a claim may be true, as `missing_before` does for an event.

    ends: whether it is about the end of a game that goes on; if not, no move is taken for missing, as the claim itself
    may be wrong.
    """
    return _missing(belief, claimed, MOST_MOVES if ends else 0)


def _missing(belief: Belief, fitting: Fitting, most_moves: int) -> Missing | None:
    ways, given_up = [Missing((), belief)], None
    for moves in range(1 + most_moves):
        # Chance events before moves: the game awaits one in one place, while each player may move in many ways.
        ways = [each for way in ways for each in _by_chance(way)]
        for way in ways:
            after = way.after and _fitted(way.after, fitting)
            # Without a missing event the line was refused already.
            if way.events and isinstance(after, Belief):
                return way
            if way.events and isinstance(way.events[0], ChanceEvent) and after is None:
                given_up = max(
                    given_up or Missing((), None), replace(way, after=None), key=lambda each: len(each.events)
                )
        if given_up is not None:
            return given_up
        if moves < most_moves:
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
    reference = way.after.engine.reference
    # For a player who is not to move it would take long to find out that each move is illegal.
    movers = {seat for state in way.after.references for seat in reference.to_move(state)}
    for seat in sorted(movers):
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


def _fitted(belief: Belief, fitting: Fitting) -> Belief | Refusal | Literal[False] | None:
    try:
        return fitting(belief)
    except TooManyStates:
        return None
