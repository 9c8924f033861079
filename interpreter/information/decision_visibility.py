"""Which decisions hang on what not everybody sees, read off the text of the game once.

A decision without a legal option is passed over; where that could tell the others something, it is not. For most
decisions nothing needs to be asked for that: what their options ask for is open. Where it is not, the state is looked
at as everybody sees it (`program/public.py`). What a routine's own names hold is not: if they are worked out from what
is not open, or chosen in secret, a decision that hangs on them is never passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from ludex.spec import model as m

from ..walk import BINDERS, free_slots, nodes
from .event_visibility import Secrecy, conditions_of
from .taint import SecretNames


class Concealed(Enum):
    """What a decision's options hang on, as far as it is not open: nothing, what lies in cells, or a routine's own
    names, too."""

    NOTHING = "nothing"
    CELLS = "cells"
    NAMES = "names"


class Concealment:
    """Tells of each decision of a game what it hangs on. Nothing is worked out before it is asked for."""

    def __init__(self, game: m.Game) -> None:
        self._game = game
        self.names = SecretNames(game)
        self.elements = tuple(element for element in game.elements if element.visibility != "open")

    @property
    def secrecy(self) -> Secrecy:
        return self.names.secrecy

    def of(self, routine: str, decision: m.Statement) -> Concealed:
        """routine: the name of the one in which the decision stands."""
        if not self.elements:
            return Concealed.NOTHING
        asked = list(self._asked(routine, decision, set()))
        filled = {node.slot for node in nodes(decision) if isinstance(node, BINDERS)}
        read = free_slots(*(expr for where, expr in asked if where == routine)) - filled
        if self.names.any_of((routine, slot) for slot in read):
            return Concealed.NAMES
        return Concealed.CELLS if any(self.names.looks(expr) for _, expr in asked) else Concealed.NOTHING

    def of_action(self, name: str) -> Iterator[m.Expr]:
        """What an action asks before the next event."""
        return (expr for _, expr in self._in_action(name, set()))

    def unknown(self, routine: str, slots: Iterable[int]) -> frozenset[int]:
        """Those of a routine's slots that may hold what not everybody knows, while it is only asked what could be
        chosen."""
        return frozenset(slot for slot in slots if self.names.any_of([(routine, slot)], asked=True))

    # ---- what decides whether there is something to choose

    def _asked(self, routine: str, decision: Any, entered: set[str]) -> Iterator[tuple[str, m.Expr]]:
        """The expressions, each with the routine in whose frame it is worked out."""
        for option in decision.options:
            if isinstance(option, m.BranchOption):
                yield from _of_choice(routine, option)
                yield from self._met(routine, option.body, entered)
            else:
                yield from ((routine, argument) for argument in option.arguments)
                yield from self._in_action(option.action, entered)

    def _in_action(self, name: str, entered: set[str]) -> Iterator[tuple[str, m.Expr]]:
        if name not in entered:
            entered.add(name)
            yield from _of_choice(name, self._game.actions[name])
            yield from self._met(name, self._game.actions[name].body, entered)

    def _met(self, routine: str, body: m.Step, entered: set[str]) -> Iterator[tuple[str, m.Expr]]:
        """What the statement may ask on the way to a requirement."""
        for step in nodes(body):
            match step:
                case m.Demand(requirement=requirement):
                    yield from ((routine, each) for each in _of_requirement(requirement))
                case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions():
                    yield from ((routine, condition) for condition in conditions_of(step))
                case m.Store(value=value) | m.SetLocal(value=value):
                    yield routine, value
                case m.Decide() | m.Simultaneous():
                    yield from self._asked(routine, step, entered)
                case m.Perform(action=name, arguments=arguments):
                    yield from ((routine, argument) for argument in arguments)
                    yield from self._in_action(name, entered)


def _of_choice(routine: str, stated: m.Action | m.BranchOption) -> Iterator[tuple[str, m.Expr]]:
    yield from ((routine, choice.domain) for choice in stated.choices)
    for requirement in stated.requirements:
        yield from ((routine, each) for each in _of_requirement(requirement))


def _of_requirement(requirement: m.Requirement) -> Iterator[m.Expr]:
    yield requirement.condition
    for waiver in requirement.waivers:
        yield from (waiver.condition, waiver.value)
