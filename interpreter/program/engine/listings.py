"""The legal moves of a player, listed by option, and draws from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ludex.spec import types as t

from ...generator import Generator
from ...information.decision_visibility import Concealed
from ...stack.state import DECLINED, StatedChoice
from ...state.events import DECLINE, Event, Move
from ..ir import code as c
from ..ir.moves import Numbers
from ..python.runtime import Runtime
from ..python.state import State
from .legality import MEMO

# This is a tuple, as the union of two classes would be made at each call.
DECISIONS = (c.Decision, c.Together)


class Turn(NamedTuple):
    """One event of a playout, and the number of events it was drawn from."""

    event: Event
    choices: int


class Drawn(NamedTuple):
    """An event of a random play, and the number of events it was drawn from.

    stated: the option and argument values of a move, if it was drawn by those. number: its number, if it was drawn by
        that.
    """

    event: Event
    choices: int
    stated: StatedChoice | None = None
    number: int | None = None


class Listings:
    """Lists the legal moves of one game's players."""

    def __init__(self, runtime: Runtime, numbers: Numbers) -> None:
        self._runtime, self._numbers, self._waits = runtime, numbers, runtime.program.waits
        decisions = {at: wait.options for at, wait in enumerate(self._waits) if isinstance(wait, DECISIONS)}
        named = {at: len({option.name for option in options}) for at, options in decisions.items()}
        # Where options have different names, no move is listed twice, and a name says which option is meant.
        self.plain = {at for at, options in decisions.items() if named[at] == len(options)}
        # Options of one name with other arguments cannot be distinguished by the values of a move alone.
        self._drawable = {
            at
            for at, options in decisions.items()
            if named[at] == len({(option.name, *(each.name for each in option.arguments)) for option in options})
        }
        self._move_of = lru_cache(MEMO)(numbers.move_of)

    def moves(self, state: State, seats: Iterable[int]) -> tuple[Move, ...]:
        """Return the legal moves of players that must decide, in a fixed order with `decline` last."""
        wait, moves = self._waits[state.wait], list[Move]()
        if not isinstance(wait, DECISIONS):
            return ()
        for seat in seats:
            for number, listed in self._listed(state, wait, seat):
                moves += self._as_moves(wait, seat, number, listed)
        return tuple(moves if state.wait in self.plain else dict.fromkeys(moves))

    def _as_moves(self, wait: c.Decision | c.Together, seat: int, number: int, listed: Sequence[Any]) -> Iterable[Move]:
        """Return the moves of an option that `_listed` lists."""
        if number < 0:
            return (self._move_of(0, seat),)
        option = wait.options[number]
        name, move_of = option.name, self._move_of
        if name in self._numbers.by_name:
            return [move_of(each, seat) for each in listed]
        names = [argument.name for argument in option.arguments]
        return [Move._make((seat, name, tuple(zip(names, values, strict=True)))) for values in listed]

    def _listed(self, state: State, wait: c.Decision | c.Together, seat: int) -> list[tuple[int, Sequence[Any]]]:
        """List the legal moves of a player by option: their numbers, or argument values if they have no numbers.

        `decline` counts as an option with the number `DECLINED`.
        """
        listed_options: list[tuple[int, Sequence[Any]]] = []
        runtime, number = self._runtime, -1
        for option in wait.options:
            number += 1
            listed: Sequence[Any] = runtime.listed(state, option, seat)
            if option.refusable:
                tried, values = runtime.tried, self._values
                listed = [each for each in listed if tried(state, option, values(wait, number, each)) is None]
            if listed:
                # Equal pieces of a hand may list one move several times.
                listed_options.append((number, listed if len(listed) == 1 else tuple(dict.fromkeys(listed))))
        # A player without an option is asked where the others cannot know it, and can only decline.
        if (type(wait) is c.Decision and wait.statement.optional) or (
            not listed_options and runtime.concealed(state.wait) is not Concealed.NOTHING
        ):
            listed_options.append((DECLINED[0], (DECLINED[1],)))
        return listed_options

    def _values(self, wait: c.Decision | c.Together, number: int, listed: Any) -> tuple[t.Value, ...]:
        """Return the argument values of a move of `_listed`."""
        numbered = self._numbers.by_name.get(wait.options[number].name) if number >= 0 else None
        return listed if numbered is None else numbered.values(listed)

    @staticmethod
    def _move(wait: c.Decision | c.Together, seat: int, stated: StatedChoice) -> Move:
        if stated == DECLINED:
            return Move(seat, DECLINE)
        option = wait.options[stated[0]]
        pairs = zip((argument.name for argument in option.arguments), stated[1], strict=True)
        return Move._make((seat, option.name, tuple(pairs)))

    def drawn(self, state: State, seats: Iterable[int], rng: Generator) -> Drawn | None:
        """Draw a legal move of these players, or return None if it must be drawn from the list of all events."""
        wait = self._waits[state.wait]
        if not isinstance(wait, DECISIONS) or state.wait not in self._drawable:
            return None
        listings = [(seat, *listed) for seat in seats for listed in self._listed(state, wait, seat)]
        if state.wait not in self.plain:
            listings = _distinct(wait, listings)
        choices = sum(len(listed) for _, _, listed in listings)
        at = rng.below(choices)
        for seat, number, listed in listings:
            if at < len(listed):
                stated = number, self._values(wait, number, listed[at])
                return Drawn(self._move(wait, seat, stated), choices, stated)
            at -= len(listed)
        raise AssertionError("the draw is below the number of moves")


def _distinct(
    wait: c.Decision | c.Together, listings: Sequence[tuple[int, int, Sequence[Any]]]
) -> list[tuple[int, int, Sequence[Any]]]:
    """Leave each move to the first option that lists it. listings: by seat and option, the moves."""
    before, kept = set[tuple[int, str, Any]](), list[tuple[int, int, Sequence[Any]]]()
    for seat, number, listed in listings:
        name = DECLINE if number == DECLINED[0] else wait.options[number].name
        kept.append((seat, number, [each for each in listed if (seat, name, each) not in before]))
        before.update((seat, name, each) for each in listed)
    return kept
