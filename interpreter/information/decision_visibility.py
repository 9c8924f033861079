"""Visibility of decisions: which decisions depend on hidden information. Static analysis, once a game.

A decision without a legal option is passed over, unless that would reveal something to the other players. Most
decisions depend only on open information, and nothing needs to be tested in play. For the others the engine tests the
public state (the veil, `interpreter/program/lowering/public.py`). It does not hold the local names of routines: a
decision that depends on a tainted name (`taint.py`) is never passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain
from typing import NamedTuple

from ludex.spec import bound_slots, performed, reachable, statements
from ludex.spec import model as m

from .event_visibility import Secrecy, conditions_of
from .taint import TaintAnalysis


class Concealed(Enum):
    """Hidden information on which a decision's options depend: none, hidden cells, or tainted local names."""

    NOTHING = "nothing"
    CELLS = "cells"
    NAMES = "names"


class Concealment:
    """Determines for each decision of a game what hidden information it depends on, on first use."""

    def __init__(self, game: m.Game) -> None:
        self._game = game
        self.names = TaintAnalysis(game)
        self.elements = tuple(element for element in game.elements if element.visibility != "open")
        self._known: dict[tuple[str, int], Concealed] = {}
        self._actions: dict[str, Evaluated] = {}

    @property
    def secrecy(self) -> Secrecy:
        return self.names.secrecy

    def of(self, routine: str, decision: m.Statement) -> Concealed:
        """Classify a decision of the game. routine: the name of the routine that holds it."""
        # Without hidden elements nothing can be concealed, and no expression needs to be looked at.
        if not self.elements:
            return Concealed.NOTHING
        key = routine, id(decision)
        if key not in self._known:
            self._known[key] = self._of(routine, decision)
        return self._known[key]

    def _of(self, routine: str, decision: m.Statement) -> Concealed:
        own = _evaluated(decision)
        actions = self._with_performed(own.actions)
        # If the decision leads to its own action again, that action's names are names of this routine, too.
        exprs = [*own.exprs, *(self._in_action(routine).exprs if routine in actions else ())]
        # Names that the decision itself binds count by their domains, which are among the expressions.
        read = frozenset[int]().union(*map(self.secrecy.free, exprs)) - bound_slots(decision)
        if self.names.any_of((routine, slot) for slot in read):
            return Concealed.NAMES
        exprs += chain.from_iterable(self._in_action(name).exprs for name in actions)
        return Concealed.CELLS if any(map(self.names.looks, exprs)) else Concealed.NOTHING

    def of_action(self, name: str) -> Iterator[m.Expr]:
        """Enumerate the expressions that an action evaluates before the next event."""
        return chain.from_iterable(self._in_action(each).exprs for each in self._with_performed({name}))

    def unknown(self, routine: str, slots: Iterable[int]) -> frozenset[int]:
        """Select those of a routine's slots that may be tainted while options are only being listed."""
        return frozenset(slot for slot in slots if self.names.any_of([(routine, slot)], asked=True))

    # ---- what decides whether there is something to choose

    def _with_performed(self, names: Iterable[str]) -> set[str]:
        """Return the actions, and those that they perform or offer."""
        return reachable(names, lambda name: self._in_action(name).actions)

    def _in_action(self, name: str) -> Evaluated:
        if name not in self._actions:
            action = self._game.actions[name]
            self._actions[name] = _evaluated(action.body, _of_choice(action))
        return self._actions[name]


class Evaluated(NamedTuple):
    """The expressions that a statement may evaluate before a requirement, and the actions that it performs or
    offers."""

    exprs: list[m.Expr]
    actions: set[str]


def _evaluated(body: m.Statement, exprs: Iterable[m.Expr] = ()) -> Evaluated:
    evaluated = Evaluated([*exprs], set())
    for step in statements(body):
        evaluated.actions.update(performed(step))
        match step:
            case m.Demand(requirement=requirement):
                evaluated.exprs.extend(_of_requirement(requirement))
            case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions():
                evaluated.exprs.extend(conditions_of(step))
            # A requirement further on may read what is stored here.
            case m.Store(value=value) | m.SetLocal(value=value):
                evaluated.exprs.append(value)
            case m.Asking(options=options):
                for option in options:
                    evaluated.exprs.extend(
                        _of_choice(option) if isinstance(option, m.BranchOption) else option.arguments
                    )
            case m.Perform(arguments=arguments):
                evaluated.exprs.extend(arguments)
    return evaluated


def _of_choice(stated: m.Action | m.BranchOption) -> Iterator[m.Expr]:
    yield from (choice.domain for choice in stated.choices)
    for requirement in stated.requirements:
        yield from _of_requirement(requirement)


def _of_requirement(requirement: m.Requirement) -> Iterator[m.Expr]:
    yield requirement.condition
    for waiver in requirement.waivers:
        yield from (waiver.condition, waiver.value)
