"""Completions of a partly recorded move: the possible values of its unknown parts, in a possible state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

from ludex.spec import Truth, Undefined, Unknown, nodes
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.event_visibility import HIDDEN, is_hidden
from ..information.visibility import UNSEEN_ACTION
from ..reference.decisions import PlayerOption, domain_of, options
from ..reference.judging import may_decline, named
from ..reference.run import Rules
from ..state.events import DECLINE, Move, TooManyStates
from .possible_run import FEW_CANDIDATES, MOST_VALUES, PossibleRun, slots_read
from .unknown_values import OneOf, OnePieceOf, PartlyKnownBag, Unidentified

MOST_ITEMS = 12
"""The largest size that is tried for a wholly unknown collection."""

MOST_READ = 2 * FEW_CANDIDATES
"""The largest number of values that are tried one by one for an unknown argument that the rules read."""


def was_unseen(move: Move, moves: Iterable[str]) -> bool:
    """Return whether the record says only that the player made a choice. moves: the names of the game's moves."""
    return move.action == UNSEEN_ACTION and move.action not in moves


def completes(move: Move, seen: Move) -> bool:
    """Return whether a move agrees with its partial record."""
    given = dict(move.arguments)
    return (
        move.action == seen.action
        and len(given) == len(seen.arguments)
        and all(name in given and _may_be(given[name], value) for name, value in seen.arguments)
    )


def _may_be(value: t.Value, seen: Any) -> bool:
    if seen is HIDDEN:
        return True
    if not is_hidden(seen):
        return bool(value == seen)
    return (
        isinstance(value, tuple | frozenset)
        and len(value) == len(seen)
        and Counter(each for each in seen if each is not HIDDEN) <= Counter(value)
    )


def completed(run: PossibleRun, move: Move, failed: list[str]) -> Iterator[Move]:
    """Yield moves without hidden parts, which stand for every completion of the given one that may be legal.

    failed: collects the requirements that forbid other completions.
    """
    awaits_move = run.frames and isinstance(run.step, m.Asking)
    if awaits_move and was_unseen(move, run.game.moves):
        yield from _all_moves(run, move.player, failed)
    elif awaits_move and any(is_hidden(value) for _, value in move.arguments):
        given = dict(move.arguments)
        for _, option in named(run, move):
            if not all(each.name in given for each in option.choices):
                continue
            for values in _Filling(run, option, given, failed).filled():
                yield move._replace(arguments=tuple((name, values.get(name, value)) for name, value in move.arguments))
    else:
        yield move


def _all_moves(run: PossibleRun, player: int, failed: list[str]) -> Iterator[Move]:
    """Yield the moves of a player whose record says only that a choice was made."""
    if isinstance(run.step, m.Asking):
        for _, option in options(run, player):
            arguments = (
                (name, HIDDEN) for name in (*(name for name, *_ in option.stated), *(c.name for c in option.choices))
            )
            yield from completed(run, Move(player, option.name, tuple(arguments)), failed)
        if may_decline(run, player):
            yield Move(player, DECLINE)


def holds(run: PossibleRun, requirement: m.Requirement, slots: tuple[t.Value, ...]) -> Truth:
    """Return whether a requirement holds; unknown, if it has no value."""
    verdict = run.evaluation.verdict(requirement, dict(enumerate(slots)))
    return Unknown() if isinstance(verdict, Undefined) else verdict


class _Filling:
    """The search for the arguments of one option, by name, with a value for each hidden part.

    given: the arguments as they are recorded. failed: collects the requirements that forbid other completions.
    """

    def __init__(self, run: PossibleRun, option: PlayerOption, given: dict[str, Any], failed: list[str]) -> None:
        self.run, self.option, self.given, self.failed = run, option, given, failed
        self._held: dict[Any, Truth] = {}

    def filled(self, values: tuple[t.Value, ...] = ()) -> Iterator[dict[str, t.Value]]:
        """Yield the arguments that begin with these values of the first choices."""
        option = self.option
        for requirement in option.asked[len(values)]:
            # The move is refused only if it is certainly false: an unknown requirement may hold.
            if self._holds(requirement, values) is False:
                self.failed.append(requirement.path)
                return
        if len(values) == len(option.choices):
            chosen = zip((choice.name for choice in option.choices), values, strict=True)
            yield {**{name: value for name, _, value in option.stated}, **dict(chosen)}
            return
        choice = option.choices[len(values)]
        value = self.given.get(choice.name)
        candidates = _candidates(self.run, option, values, value) if is_hidden(value) else (value,)
        for each in candidates:
            yield from self.filled((*values, each))

    def _holds(self, requirement: m.Requirement, values: tuple[t.Value, ...]) -> Truth:
        # A requirement of few of the values is asked again for each combination of the others.
        read, chosen = slots_read(self.run.rules)(requirement), zip(self.option.choices, values, strict=False)
        asked = id(requirement), *(value for choice, value in chosen if choice.slot in read)
        if asked not in self._held:
            self._held[asked] = holds(self.run, requirement, self.option.bound(values))
        return self._held[asked]


def _candidates(run: PossibleRun, option: PlayerOption, values: tuple[t.Value, ...], value: Any) -> Iterable[t.Value]:
    """Return the candidates for a partly hidden argument. values: of the choices before it."""
    choice, items = option.choices[len(values)], domain_of(run, option, values)
    of = (t.element_type(choice.type) or choice.type) if choice.within else choice.type
    kinds: tuple[t.Value, ...]
    # A zone can hold values of these types, so such a value is not `none`.
    unknown = OnePieceOf if isinstance(of, t.ComponentType | t.Record | t.Words | t.Range) else OneOf
    if isinstance(items, Unknown):
        if (t.size(of) or MOST_VALUES + 1) > MOST_VALUES:
            raise TooManyStates
        kinds, count = tuple(t.values(of)), MOST_ITEMS
    else:
        kinds, count = _kinds_of(items, of), len(items)
    if not choice.within:
        # A value that the rules read would be made known at once, so it is tried. But several values of many kinds have
        # too many combinations, and with unknown items most of these are never distinguished.
        parts = (*option.requirements, *(each.domain for each in option.choices))
        is_read = any(choice.slot in slots_read(run.rules)(each) for each in parts)
        is_tried = choice.slot in _places(run, option) or (is_read and (len(kinds) <= MOST_READ or run.is_all_known()))
        return kinds if len(kinds) <= FEW_CANDIDATES or is_tried else (unknown(kinds),)
    if isinstance(choice.type, t.SetOf):
        # A set holds each kind once, and unknown items in it could turn out equal.
        return map(frozenset, chain.from_iterable(combinations(kinds, size) for size in range(len(kinds) + 1)))
    known = () if value is HIDDEN else tuple(each for each in value if each is not HIDDEN)
    sizes = range(count + 1) if value is HIDDEN else (len(value),)
    return [
        PartlyKnownBag((*known, *(unknown(kinds) for _ in range(size - len(known)))))
        for size in sizes
        if size >= len(known)
    ]


def _places(run: PossibleRun, option: PlayerOption) -> frozenset[int]:
    return place_slots(run.rules, option.name if option.branch is None else run.routine.name)


@lru_cache(256)
def place_slots(rules: Rules, routine: str) -> frozenset[int]:
    """Return the slots that say in which of several places a routine moves a piece or stores a value."""
    places = (each for each in nodes(rules.routines[routine].statements[0]) if isinstance(each, m.ZoneRef | m.Store))
    # An index of a smaller type is checked, which does not change which place it means.
    named = (each.operand if isinstance(each, m.Checked) else each for place in places for each in place.indices)
    return frozenset(each.slot for each in named if isinstance(each, m.Local))


def _kinds_of(items: Iterable[t.Value], of: t.Type) -> tuple[t.Value, ...]:
    """Return everything that one of the items may be."""
    kinds: dict[t.Value, None] = {}
    for item in items:
        if isinstance(item, Unidentified):
            kinds.update(dict.fromkeys(sorted(item.kinds)))
        elif isinstance(item, OneOf):
            kinds.update(dict.fromkeys(item.candidates))
        else:
            kinds[item] = None
    return tuple(kinds)
