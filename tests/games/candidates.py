"""Candidate events, legal or not, for comparing the engine's refusals with its list of legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod
from random import Random

from ludex.interpreter import DECLINE, ChanceEvent, Event, Move
from ludex.spec import model as m
from ludex.spec import types as t

EXHAUSTIVE = 600
"""The largest number of instances of a signature that are all tried."""
SAMPLED = 60
"""The number of instances of a larger signature that are tried, beside all neighbours of a few legal moves."""
NO_VALUES: tuple[t.Value, ...] = (None, True, -1, 10**6, "nonsense", (), frozenset())


def candidates(game: m.Game, options: Sequence[Event], rng: Random) -> Iterator[Event]:
    """Yield events that are legal, nearly legal, or senseless. options: every possible event of the state."""
    yield from options
    movers = {event.player for event in options if isinstance(event, Move)}
    for signature in game.moves.values():
        offered = any(isinstance(event, Move) and event.action == signature.name for event in options)
        for player in range(game.players):
            count = EXHAUSTIVE if player in movers and offered else 3
            yield from _instances(signature, player, count, rng)
    for player in (-1, *range(game.players + 1)):
        yield from (Move(player, DECLINE), Move(player, DECLINE, (("x", 0),)), Move(player, "no_such_action"))
    for some in rng.sample(options, min(3, len(options))):
        yield from _misstated(some, game)
    yield from _outcomes(game)


def _instances(signature: m.MoveSignature, player: int, count: int, rng: Random) -> Iterator[Event]:
    """Yield all instances of the move if there are at most `count`, else a few."""
    names = [name for name, _, _ in signature.arguments]
    domains = [_domain(type_, rng) for _, type_, _ in signature.arguments]
    every = prod(map(len, domains))
    if every <= count:
        chosen = product(*domains)
    else:
        few = min(count, SAMPLED)
        chosen = (tuple(map(rng.choice, domains)) for _ in range(few if every else 0))  # type: ignore[assignment]
    for values in chosen:
        yield Move(player, signature.name, tuple(zip(names, values, strict=True)))


def _domain(type_: t.Type, rng: Random) -> Sequence[t.Value]:
    """Return the values of a type; of a collection type, whose values cannot be enumerated, some small ones."""
    match type_:
        case t.SetOf(of=of):
            return [frozenset(rng.choices(t.values(of), k=size)) for size in (0, 1, 1, 2, 3) if t.values(of)]
        case t.BagOf(of=of) | t.ListOf(of=of):
            some = [tuple(rng.choices(t.values(of), k=size)) for size in (0, 1, 1, 2, 3) if t.values(of)]
            return [tuple(sorted(items)) for items in some] if isinstance(type_, t.BagOf) else some
        case _:
            return t.values(type_)


def _misstated(event: Event, game: m.Game) -> Iterator[Event]:
    """Yield the event with one mistake."""
    if isinstance(event, ChanceEvent):
        yield from (ChanceEvent(event.path, value, event.via) for value in NO_VALUES)
        yield ChanceEvent("no.such.clause", event.outcome)
        yield ChanceEvent(event.path, event.outcome, (0,))
        return
    arguments = event.arguments
    yield Move(event.player, event.action, (*arguments, ("no_such_argument", 0)))
    for at, (name, _) in enumerate(arguments):
        before, after = arguments[:at], arguments[at + 1 :]
        yield Move(event.player, event.action, (*before, *after))
        yield Move(event.player, event.action, (*arguments, arguments[at]))
        yield from (Move(event.player, event.action, (*before, (name, value), *after)) for value in NO_VALUES)
    if event.action in game.moves:
        yield from _neighbours(event, game.moves[event.action])


def _neighbours(move: Move, signature: m.MoveSignature) -> Iterator[Event]:
    """Yield the move with one argument changed to any other value."""
    types = {name: type_ for name, type_, _ in signature.arguments}
    for at, (name, _) in enumerate(move.arguments):
        if t.element_type(types[name]) is None:
            for value in islice(t.values(types[name]), EXHAUSTIVE):
                changed = (*move.arguments[:at], (name, value), *move.arguments[at + 1 :])
                yield Move(move.player, move.action, changed)


def _outcomes(game: m.Game) -> Iterator[Event]:
    for signature in game.chances.values():
        if t.element_type(signature.outcome) is None:
            yield from (ChanceEvent(signature.path, value) for value in islice(t.values(signature.outcome), EXHAUSTIVE))


def exact(event: Event) -> object:
    """Return a key that is equal for events with the same written form. Python takes `True` for 1, unlike
    the language.
    """
    if isinstance(event, ChanceEvent):
        return event.path, _exact(event.outcome), event.via
    return event.player, event.action, _exact(event.arguments)


def _exact(value: object) -> object:
    match value:
        case tuple():
            return tuple(map(_exact, value))
        case frozenset():
            return frozenset(map(_exact, value))
        case _:
            return type(value), value
