"""Taint analysis of local names: which names of a routine may hold hidden information.

A name is tainted if its value is computed from what is not open, or if it is chosen or rolled in secret. Static
analysis, once a game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

from ludex.spec import children, defines_called, leading_to, per_node, reads_anything
from ludex.spec import model as m

from .event_visibility import Secrecy, conditions_of

Name: TypeAlias = tuple[str, int]
"""A local name: its routine, and the number of its slot."""
ValueSource: TypeAlias = tuple[str, m.Expr | m.RandomValue | str]
"""A source of a name's value: an expression or a roll, with its routine; or a move and one of its arguments."""


class TaintAnalysis:
    """Determines which names of a game may be tainted. Each property is computed on first use."""

    def __init__(self, game: m.Game, secrecy: Secrecy) -> None:
        self._game, self.secrecy = game, secrecy

    @cached_property
    def looks(self) -> Callable[[Any], bool]:
        """Test whether a value depends on hidden contents, and not only on how many pieces there are."""
        defines = self._game.defines
        # Defines may call each other in a circle: first those that look by themselves, then all that lead to them.
        looks = _looks_by(())
        ends = [name for name, define in defines.items() if looks(define)]
        return _looks_by(leading_to(ends, {name: defines_called(define) for name, define in defines.items()}))

    @cached_property
    def _sources(self) -> Mapping[Name, Sequence[ValueSource]]:
        """The sources of each name: computed values, stated arguments, random values."""
        sources: defaultdict[Name, list[ValueSource]] = defaultdict(list)
        for action in self._game.actions.values():
            for choice in action.choices:
                sources[action.name, choice.slot].append((action.name, choice.name))
        for routine in self._game.routines:
            _note(routine.name, routine.body, (), sources)
        return sources

    def tainted(self, routine: str, asked: bool = False) -> frozenset[int]:
        """Return the slots of a routine that may hold hidden information.

        asked: nothing is stated yet, so a choice is tainted, too, if its domain is hidden.
        """
        return (self._tainted_before if asked else self._tainted_after).get(routine, frozenset())

    @cached_property
    def _tainted_after(self) -> Mapping[str, frozenset[int]]:
        return self._found(asked=False)

    @cached_property
    def _tainted_before(self) -> Mapping[str, frozenset[int]]:
        return self._found(asked=True)

    def _found(self, asked: bool) -> Mapping[str, frozenset[int]]:
        """Return the tainted slots of each routine that has one."""
        ends, computed = set[Name](), defaultdict[Name, set[Name]](set)
        for name, sources in self._sources.items():
            for routine, source in sources:
                value, where = source, routine
                if asked and isinstance(source, str):
                    value, where = self._domains[routine, source], name[0]
                if self._is_hidden(routine, source) or (isinstance(value, m.Typed) and self.looks(value)):
                    ends.add(name)
                elif isinstance(value, m.Typed):
                    computed[name].update((where, slot) for slot in self.secrecy.free(value))
        tainted = defaultdict[str, set[int]](set)
        # Whatever is computed from a tainted name is tainted, by any number of steps.
        for routine, slot in leading_to(ends, computed):
            tainted[routine].add(slot)
        return {routine: frozenset(slots) for routine, slots in tainted.items()}

    @cached_property
    def _domains(self) -> Mapping[tuple[str, str], m.Expr]:
        """The domain of each choice, by the name of the move and of the choice."""
        every = chain.from_iterable(map(self.secrecy.lists.of, self._game.routines))
        stated = (node for node in every if node.__class__ is m.Action or node.__class__ is m.BranchOption)
        return {(each.name, choice.name): choice.domain for each in stated for choice in each.choices}

    def _is_hidden(self, by: str, source: m.Expr | m.RandomValue | str) -> bool:
        if isinstance(source, str):
            return self.secrecy.may_hide(by, source)
        if isinstance(source, m.RandomValue):
            return self.secrecy.may_hide_roll(source)
        return self.looks(source)


def _looks_by(defines: Container[str]) -> Callable[[Any], bool]:
    """Return the test whether a value depends on hidden contents, given the defines whose values do."""

    def looks(expr: Any) -> bool:
        match expr:
            case (
                m.EmptyTest(operand=m.Read(element=element) as read)
                | m.Builtin(name="size", arguments=(m.Read(element=element) as read,))
            ) if element.is_zone:  # the number of pieces is public, so only which zone is meant can be hidden
                return any(map(known, read.indices))
            case m.Read(element=element) if element.visibility != "open":
                return True
            case m.CallDefine(name=name) if name in defines:
                return True
        return reads_anything(expr) or any(map(known, children(expr)))

    known = per_node(looks)
    return known


def _note(
    routine: str, step: Any, conditions: tuple[m.Expr, ...], sources: defaultdict[Name, list[ValueSource]]
) -> None:
    """Collect the sources of the names that the statement fills. conditions: those that decide whether it is carried
    out."""
    match step:
        case m.SetLocal(slot=slot, value=value):
            # Implicit flow: which of two values is assigned tells what the condition was.
            sources[routine, slot] += [(routine, each) for each in (value, *conditions)]
        case m.RandomValue(slot=slot):
            sources[routine, slot].append((routine, step))
        case m.ForEach(loops=loops):
            for loop in loops:
                sources[routine, loop.slot].append((routine, loop.domain))
        case m.BranchOption(name=name, choices=choices):
            for choice in choices:
                sources[routine, choice.slot].append((name, choice.name))
        case m.Perform(action=name, arguments=arguments) | m.ActionOption(action=name, arguments=arguments):
            for at, argument in enumerate(arguments, start=1):
                sources[name, at].append((routine, argument))
        case m.IfStep() | m.MatchStep() | m.RepeatTimesStep() | m.WithStepExceptions():
            conditions = (*conditions, *conditions_of(step))
    # What a case binds is a part of the subject.
    if isinstance(step, m.MatchStep):
        for bind in (bind for case in step.cases for bind in case.binds):
            sources[routine, bind.slot].append((routine, step.subject))
    for inner in children(step):
        if not isinstance(inner, m.Typed):
            _note(routine, inner, conditions, sources)
