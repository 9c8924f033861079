"""The names of routines that may hold what not everybody knows, read off the text of the game once.

They are worked out from what is not open, or chosen or rolled in secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from ludex.spec import model as m

from ..walk import children, free_slots, nodes
from .event_visibility import Secrecy, conditions_of

Name: TypeAlias = tuple[str, int]
"""A routine's own name: the routine's, and the number of its slot."""
Filling: TypeAlias = tuple[str, m.Expr | m.RandomValue | str]
"""A value or a roll, with the routine in which it stands; or a move and one of the arguments that it states."""


class SecretNames:
    """Tells which names of a game may be secret. Nothing is worked out before it is asked for."""

    def __init__(self, game: m.Game) -> None:
        self._game = game

    @cached_property
    def secrecy(self) -> Secrecy:
        return Secrecy(self._game)

    def looks(self, expr: m.Expr | m.Requirement) -> bool:
        """Whether the value hangs on more of what is not open than on how many pieces lie there."""
        return _looks(expr, self._looking)

    @cached_property
    def _looking(self) -> frozenset[str]:
        """The defines that look at what is not open."""
        found: frozenset[str] = frozenset()
        rest = {name: (define.body, define.cycle) for name, define in self._game.defines.items()}
        while more := {name for name, parts in rest.items() if any(_looks(part, found) for part in parts if part)}:
            found |= more
            rest = {name: parts for name, parts in rest.items() if name not in more}
        return found

    @cached_property
    def _fillings(self) -> Mapping[Name, Sequence[Filling]]:
        """What fills each name: values that are worked out, and what is stated or comes up by chance."""
        found: defaultdict[Name, list[Filling]] = defaultdict(list)
        for action in self._game.actions.values():
            for choice in action.choices:
                found[action.name, choice.slot].append((action.name, choice.name))
        for routine in (self._game.setup, self._game.play, *self._game.actions.values()):
            if routine is not None:
                _note(routine.name, routine.body, (), found)
        return found

    def any_of(self, names: Iterable[Name], asked: bool = False) -> bool:
        """Whether one of them may hold what is not open, or what not everybody heard. asked: nothing is stated yet, so
        that a choice may be of what is not open."""
        met = set(names)
        waiting = list(met)
        while waiting:
            name = waiting.pop()
            for routine, filling in self._fillings.get(name, ()):
                if self._is_hidden(routine, filling):
                    return True
                value, where = filling, routine
                if asked and isinstance(filling, str):
                    value, where = self._domains[routine, filling], name[0]
                    if _looks(value, self._looking):
                        return True
                if isinstance(value, m.Typed):
                    more = {(where, slot) for slot in free_slots(value)} - met
                    met |= more
                    waiting += more
        return False

    @cached_property
    def _domains(self) -> Mapping[tuple[str, str], m.Expr]:
        """Of each choice, by the names of what is stated and of the choice."""
        routines = (self._game.setup, self._game.play, *self._game.actions.values())
        stated = [*self._game.actions.values()]
        found = {(each.name, choice.name): choice.domain for each in stated for choice in each.choices}
        for routine in routines:
            for node in nodes(routine.body) if routine is not None else ():
                if isinstance(node, m.BranchOption):
                    found |= {(node.name, choice.name): choice.domain for choice in node.choices}
        return found

    def _is_hidden(self, by: str, filling: m.Expr | m.RandomValue | str) -> bool:
        if isinstance(filling, str):
            return self.secrecy.may_hide(by, filling)
        if isinstance(filling, m.RandomValue):
            return self.secrecy.may_hide_roll(filling)
        return _looks(filling, self._looking)


def _looks(expr: Any, looking: Container[str]) -> bool:
    """Whether the value hangs on more of what is not open than on how many pieces lie there. looking: the defines that
    do."""
    match expr:
        case (
            m.EmptyTest(operand=m.Read(element=element) as read)
            | m.Builtin(name="size", arguments=(m.Read(element=element) as read,))
        ) if element.is_zone:
            return any(_looks(index, looking) for index in read.indices)
        case m.Read(element=element) if element.visibility != "open":
            return True
        case m.CanPerform() | m.Builtin(name="total" | "winner"):
            return True
        case m.CallDefine(name=name) if name in looking:
            return True
    return any(_looks(child, looking) for child in children(expr))


def _note(routine: str, step: Any, conditions: tuple[m.Expr, ...], found: defaultdict[Name, list[Filling]]) -> None:
    """What the statement fills names with. conditions: on which it hangs whether it is done at all."""
    match step:
        case m.SetLocal(slot=slot, value=value):
            found[routine, slot] += [(routine, each) for each in (value, *conditions)]
        case m.RandomValue(slot=slot):
            found[routine, slot].append((routine, step))
        case m.ForEach(loops=loops):
            for loop in loops:
                found[routine, loop.slot].append((routine, loop.domain))
        case m.BranchOption(name=name, choices=choices):
            for choice in choices:
                found[routine, choice.slot].append((name, choice.name))
        case m.Perform(action=name, arguments=arguments) | m.ActionOption(action=name, arguments=arguments):
            for at, argument in enumerate(arguments, start=1):
                found[name, at].append((routine, argument))
        case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions():
            conditions = (*conditions, *conditions_of(step))
    if isinstance(step, m.MatchStep):
        for bind in (bind for case in step.cases for bind in case.binds):
            found[routine, bind.slot].append((routine, step.subject))
    for inner in children(step):
        if not isinstance(inner, m.Typed):
            _note(routine, inner, conditions, found)
