"""Visibility of decisions: which decisions depend on hidden information. Static analysis, once a game.

A decision without a legal option is passed over, unless that would reveal something to the other players. Most
decisions depend only on open information, and nothing has to be tested in play. For the others the engine tests the
public state (`program/public.py`, the veil). It does not hold the local names of routines: a decision that depends on a
tainted name (`taint.py`) is never passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from ludex.spec import bound_slots, free_slots, statements
from ludex.spec import model as m

from .event_visibility import Secrecy, conditions_of
from .taint import TaintAnalysis


class Concealed(Enum):
    """What a decision's options depend on that is not open: nothing, hidden cells, or tainted local names."""

    NOTHING = "nothing"
    CELLS = "cells"
    NAMES = "names"


class Concealment:
    """Determines for each decision of a game what hidden information it depends on, on first use."""

    def __init__(self, game: m.Game) -> None:
        self._game = game
        self.names = TaintAnalysis(game)
        self.elements = tuple(element for element in game.elements if element.visibility != "open")

    @property
    def secrecy(self) -> Secrecy:
        return self.names.secrecy

    def of(self, routine: str, decision: m.Statement) -> Concealed:
        """Classify a decision. routine: the name of the routine that holds it."""
        if not self.elements:
            return Concealed.NOTHING
        asked = list(self._asked(routine, decision, set()))
        read = free_slots(*(expr for where, expr in asked if where == routine)) - bound_slots(decision)
        if self.names.any_of((routine, slot) for slot in read):
            return Concealed.NAMES
        return Concealed.CELLS if any(self.names.looks(expr) for _, expr in asked) else Concealed.NOTHING

    def of_action(self, name: str) -> Iterator[m.Expr]:
        """Enumerate the expressions that an action evaluates before the next event."""
        return (expr for _, expr in self._in_action(name, set()))

    def unknown(self, routine: str, slots: Iterable[int]) -> frozenset[int]:
        """Select those of a routine's slots that may be tainted while options are only being listed."""
        return frozenset(slot for slot in slots if self.names.any_of([(routine, slot)], asked=True))

    # ---- what decides whether there is something to choose

    def _asked(self, routine: str, decision: Any, entered: set[str]) -> Iterator[tuple[str, m.Expr]]:
        """Enumerate the expressions that the decision evaluates, each with its routine."""
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
        """Enumerate the expressions that the statement may evaluate before a requirement."""
        for step in statements(body):
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
