"""Visibility of decisions: which decisions depend on hidden information. Static analysis, once a game.

A decision without a legal option is passed over, unless that would reveal something to the other players. Most
decisions depend only on open information, and nothing needs to be tested in play. For the others the engine tests the
public state (the veil, `interpreter/program/lowering/public.py`). It does not hold the local names of routines: a
decision that depends on a tainted name (`taint.py`) is never passed over. What the public state does not tell in any
engine is determined here, too: which statements it cannot follow, and which questions it cannot answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, cast

from ludex.spec import NodeLists, all_steps, bound_slots, children, per_node, performed, reachable
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

    def __init__(
        self, game: m.Game, lists: NodeLists | None = None, free: Callable[[Any], frozenset[int]] | None = None
    ) -> None:
        """lists, free: as in `Secrecy`."""
        self._game, self._lists, self._free = game, lists, free
        self.elements = tuple(element for element in game.elements if element.visibility != "open")
        self._known: dict[tuple[str, int], Concealed] = {}
        self._evaluated = per_node(_evaluated)
        self._actions: dict[str, Evaluated] = {}
        self._answered: dict[str, bool] = {}

    @cached_property
    def secrecy(self) -> Secrecy:
        return Secrecy(self._game, self._lists, self._free)

    @cached_property
    def names(self) -> TaintAnalysis:
        return TaintAnalysis(self._game, self.secrecy)

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
        own = self._evaluated(decision)
        actions = self._with_performed(own.actions)
        # If the decision leads to its own action again, that action's names are names of this routine, too.
        exprs = [*own.exprs, *(self._in_action(routine).exprs if routine in actions else ())]
        # Names that the decision itself binds count by their domains, which are among the expressions.
        read = frozenset[int]().union(*map(self.secrecy.free, exprs)) - bound_slots(decision)
        if not self.names.tainted(routine).isdisjoint(read):
            return Concealed.NAMES
        exprs += chain.from_iterable(self._in_action(name).exprs for name in actions)
        return Concealed.CELLS if any(map(self.names.looks, exprs)) else Concealed.NOTHING

    def of_action(self, name: str) -> Iterator[m.Expr]:
        """Enumerate the expressions that an action evaluates before the next event."""
        return chain.from_iterable(self._in_action(each).exprs for each in self._with_performed({name}))

    def unknown(self, routine: str, slots: Iterable[int]) -> frozenset[int]:
        """Select those of a routine's slots that may be tainted while options are only being listed."""
        return self.names.tainted(routine, asked=True).intersection(slots)

    # ---- what everybody can follow

    def is_followed(self, step: m.Statement) -> bool:
        """Return whether the public can carry out a statement after a move, with all that is known there.

        Requirements are left out: the public evaluates them as far as they are known.
        """
        return id(step) not in self._not_followed

    @cached_property
    def _not_followed(self) -> frozenset[int]:
        if not self.elements:
            return frozenset()
        steps = ((each.name, step) for each in self._game.routines for step in self.secrecy.lists.steps(each))
        # Statements are compared by identity: equal ones in two routines may read names that hold different things.
        return frozenset(id(step) for routine, step in steps if not self._is_followed(routine, step))

    def _is_followed(self, routine: str, step: m.Statement) -> bool:
        if isinstance(step, m.Demand):
            return True
        if isinstance(step, m.Asking):
            exprs = self._evaluated(step).exprs
            if self.of(routine, step) is not Concealed.NOTHING:
                return False
        else:
            exprs = [*_own(step)]
        # Pieces that the statement does not name stay unknown, also where all can look.
        if isinstance(step, UNNAMED) or (isinstance(step, m.MovePiece) and step.piece is None):
            zones = (each for each in children(step) if isinstance(each, m.ZoneRef))
            if any(zone.element.visibility != "open" for zone in zones):
                return False
        if any(map(self.names.looks, exprs)):
            return False
        tainted = self.names.tainted(routine, asked=True)
        return not tainted or all(tainted.isdisjoint(self.secrecy.free(expr)) for expr in exprs)

    def is_answered(self, action: str) -> bool:
        """Return whether everybody knows if the action can be done, given its arguments."""
        if not self.elements:
            return True
        if action not in self._answered:
            bodies = [self._game.actions[name].body for name in self._with_performed({action})]
            self._answered[action] = all(map(self.is_followed, all_steps(*bodies))) and not any(
                map(self.names.looks, self.of_action(action))
            )
        return self._answered[action]

    @cached_property
    def open_total(self) -> bool:
        """Whether everybody knows the points of all players."""
        return not self.elements or not any(self.names.looks(each.value) for each in self._game.scores)

    @cached_property
    def closed_cycles(self) -> frozenset[str]:
        """The recursive defines (`cycle`) that read hidden or private elements."""
        defines = self._game.defines.items() if self.elements else ()
        return frozenset(name for name, each in defines if each.cycle is not None and self.names.looks(each))

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


UNNAMED = (m.MoveAll, m.SwapPieces, m.DrawPieces, m.ShuffleZone)
"""Statements that move pieces without naming them."""


def _own(part: Any) -> Iterator[m.Expr]:
    """Yield the expressions of a statement that are in no statement or requirement inside it."""
    for inner in children(part):
        if isinstance(inner, m.Typed):
            yield cast(m.Expr, inner)
        elif not isinstance(inner, m.Statement | m.Requirement):
            yield from _own(inner)


def _evaluated(body: m.Statement, exprs: Iterable[m.Expr] = ()) -> Evaluated:
    evaluated = Evaluated([*exprs], set())
    for step in all_steps(body):
        evaluated.actions.update(performed(step))
        match step:
            case m.Demand(requirement=requirement):
                evaluated.exprs.extend(_of_requirement(requirement))
            case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions():
                evaluated.exprs.extend(conditions_of(step))
            case m.ForEach() | m.ForEachPlayer() | m.AsPlayer() | m.RepeatUntilStep():
                evaluated.exprs.extend(_own(step))
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
