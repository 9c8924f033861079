"""Numbered choices. Many moves are chosen in steps: the action, then one argument after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ludex.interpreter import ChanceEvent, Event, Move

from .report import plural
from .texts import bare
from .view import Viewer

MOST_LISTED = 15
"""More moves than this are chosen in steps."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: an event, or several among which the next step decides."""

    label: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What can be chosen now. events: all that are legal, however many steps away."""

    choices: tuple[Choice, ...]
    events: tuple[Event, ...]

    def rows(self) -> list[str]:
        width = len(str(len(self.choices)))
        return [f"  {number:>{width}}  {choice.label}" for number, choice in enumerate(self.choices, start=1)]

    def typed(self, text: str, viewer: Viewer) -> Choice | None:
        """The choice that is meant: by its number, by its label, or as a whole move."""
        if text.isdecimal():
            number = int(text[:9])
            return self.choices[number - 1] if 1 <= number <= len(self.choices) else None
        wanted = _bare(text)
        for event in self.events:
            names = [viewer.event(event), viewer.own.event(event)]
            if isinstance(event, ChanceEvent):
                names += [name.partition(": ")[2] for name in names]
            if wanted in map(_bare, names):
                return Choice(names[0], (event,))
        return next((choice for choice in self.choices if _bare(choice.label) == wanted), None)


def _bare(text: str) -> str:
    return "".join(bare(text).split()).casefold()


def chances_menu(chances: Sequence[tuple[ChanceEvent, Fraction]], viewer: Viewer) -> Menu:
    """Every outcome of a chance event with its probability."""
    events = tuple(event for event, _ in chances)
    choices = (Choice(f"{viewer.event(event)}  ({share})", (event,)) for event, share in chances)
    return Menu(tuple(choices), events)


def moves_menu(moves: Sequence[Move], viewer: Viewer) -> Menu:
    """The moves one by one where they are few; else by action, or by the first argument in which they differ."""
    if len(moves) <= MOST_LISTED:
        return Menu(tuple(Choice(viewer.event(move), (move,)) for move in moves), tuple(moves))
    groups: dict[str, list[Move]] = {}
    if len({move.action for move in moves}) > 1:
        for move in moves:
            groups.setdefault(viewer.action(move.action), []).append(move)
    else:
        at = _first_difference(moves)
        for move in moves:
            name, _ = move.arguments[at]
            label = f"{viewer.action(move.action)} {viewer.asked(move.action, name)}: {viewer.argument(move, at)}"
            groups.setdefault(label, []).append(move)
    return Menu(tuple(_group(label, found, viewer) for label, found in groups.items()), tuple(moves))


def _first_difference(moves: Sequence[Move]) -> int:
    count = len(moves[0].arguments)
    return next(at for at in range(count) if len({move.arguments[at][1] for move in moves}) > 1)


def _group(label: str, moves: list[Move], viewer: Viewer) -> Choice:
    if len(moves) == 1:
        return Choice(viewer.event(moves[0]), tuple(moves))
    return Choice(f"{label} ...  ({plural(len(moves), 'move')})", tuple(moves))
