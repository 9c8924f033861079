"""What can be told of the compiled routines before play.

Dead slots: what a frame still holds but nothing will read is cleared wherever the play may stop, so that states which
mean the same are equal.
Refusable options: those after which a requirement may be met before the next event. Only these take a trial.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from .instructions import Bodies, Call, Chance, Decide, Demand, Draw, EndGame, Return, Reveal, RoutineCode, Together
from .options import OptionCode

Node: TypeAlias = tuple[int, int]
"""A routine's number and an instruction's."""


def mark_dead_slots(routine: RoutineCode) -> None:
    """Fill in `routine.dead`."""
    live: list[frozenset[int]] = [instruction.reads for instruction in routine.code]
    changed = True
    while changed:
        changed = False
        for at, instruction in enumerate(routine.code):
            needed = instruction.reads.union(*(live[target] - written for target, written in instruction.edges))
            if needed != live[at]:
                live[at], changed = needed, True
    routine.dead = [tuple(slot for slot in range(1, routine.size) if slot not in needed) for needed in live]


def mark_refusable(routines: Sequence[RoutineCode], standing: Sequence[OptionCode], sequels: Sequence[Node]) -> None:
    """Fill in `refusable` of all options, and `last` of all requirements met on the way.

    standing: the actions as options by themselves. sequels: where the play goes on after set-up. A choice that all
    players make together is judged by its leading requirements alone, as nothing happens before all have chosen.
    """
    refusable = _before_demands(routines, sequels)
    for routine, code in enumerate(routines):
        for instruction in code.code:
            if isinstance(instruction, Demand):
                instruction.last = (routine, instruction.then) not in refusable
            if isinstance(instruction, Decide | Together):
                for option in instruction.options:
                    met = _first(routines, routine, option) in refusable
                    option.refusable = isinstance(instruction, Decide) and met
    for option in standing:
        option.refusable = _first(routines, 0, option) in refusable


def _first(routines: Sequence[RoutineCode], routine: int, option: OptionCode) -> Node:
    if option.routine is None:
        return routine, option.entry
    return option.routine, routines[option.routine].body


def _before_demands(routines: Sequence[RoutineCode], sequels: Sequence[Node]) -> set[Node]:
    """The instructions from which a requirement may be reached without an event (a decision may be passed over)."""
    before: defaultdict[Node, list[Node]] = defaultdict(list)
    returns = _returns(routines, sequels)
    waiting: list[Node] = []
    for number, code in enumerate(routines):
        for at, instruction in enumerate(code.code):
            if isinstance(instruction, Demand):
                waiting.append((number, at))
            for target in _sequels(routines, number, at, returns):
                before[target].append((number, at))
    found = set(waiting)
    while waiting:
        for node in before[waiting.pop()]:
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def _returns(routines: Sequence[RoutineCode], sequels: Sequence[Node]) -> dict[int, list[Node]]:
    """Where each routine may come back to."""
    returns: dict[int, list[Node]] = {number: list(sequels) for number in range(len(routines))}
    for number, code in enumerate(routines):
        for at, instruction in enumerate(code.code):
            if isinstance(instruction, Call):
                returns[instruction.routine].append((number, instruction.then))
            elif isinstance(instruction, Decide | Bodies):
                after = instruction.after if isinstance(instruction, Decide) else at
                for option in instruction.options:
                    if option.routine is not None:
                        returns[option.routine].append((number, after))
    return returns


def _sequels(routines: Sequence[RoutineCode], number: int, at: int, returns: dict[int, list[Node]]) -> Iterator[Node]:
    """What may come next without an event."""
    match routines[number].code[at]:
        case Return():
            yield from returns[number]
        case Call(routine=routine):
            yield routine, routines[routine].entry
        case Decide(options=options) if any(option.is_free for option in options):
            return  # a trial comes no further
        case Decide(then=then) | Together(then=then):
            yield number, then
        case Bodies(options=options, then=then):
            yield number, then
            yield from (_first(routines, number, option) for option in options)
        case Draw(then=then) | Reveal(then=then):
            yield number, then
        case Chance() | EndGame():
            return
        case instruction:
            yield from ((number, target) for target, _ in instruction.edges)
