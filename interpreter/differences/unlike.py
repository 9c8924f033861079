"""Where two games that stand in the same position may go on otherwise.

Everything else is the same in both, whatever happened before: there one game needs to be played only. Nothing rests
here on what was proven equal: a part that is worded otherwise counts as another one, and so does what makes use of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from ludex.spec import model as m

from ..engine import Engine
from ..instructions import Decide, Demand, Instruction, Together
from ..machine import PLAY, SETUP
from ..walk import nodes
from .contrast import Telling, Told, told

Key: TypeAlias = tuple[str, str]
"""A part of a game: a define, an action, a routine by name; an offer: what decides with which values a move is legal;
`can`: all that an action may come to; the results."""

RESULTS = "results", ""


@dataclass(frozen=True, slots=True)
class Unlike:
    """What is not the same, or rests on what is not.

    Attributes:
        routines: their numbers.
        options: the names of those of which a position may offer others.
        results: whether points or winners are.
    """

    routines: frozenset[int]
    options: frozenset[str]
    results: bool


class Parts(Telling):
    """What a game says, with its parts as they rest on one another."""

    @cached_property
    def spelled(self) -> Mapping[Key, Told]:
        """By part, what it says."""
        kept = {("offer", name): [each for each, _ in parts] for name, parts in self.offers.items()}
        return kept | {key: told(tuple(parts)) for key, parts in self._pieces.items() if key not in kept}

    @cached_property
    def rests(self) -> Mapping[Key, frozenset[Key]]:
        """By part, those on which it rests."""
        found = {key: frozenset(_rested(parts)) for key, parts in self._pieces.items()}
        for name, action in self.game.actions.items():
            inside = (node.action for node in nodes(action) if isinstance(node, m.Perform | m.ActionOption))
            found["can", name] = frozenset([("action", name), ("offer", name), *(("can", each) for each in inside)])
        return found

    @cached_property
    def _pieces(self) -> Mapping[Key, list[Any]]:
        game = self.game
        found: defaultdict[Key, list[Any]] = defaultdict(list)
        for each in (game.play, game.setup):
            if each is not None:
                found["routine", each.name].append(each)
        for name, define in game.defines.items():
            found["define", name].append(define)
        for name, action in game.actions.items():
            found["action", name].append(action)
            found["offer", name] += [*action.choices, *action.requirements]
        for option in self._options():
            if isinstance(option, m.BranchOption):
                found["offer", option.name] += [*option.choices, *option.requirements]
            else:
                found["offer", option.action] += option.arguments
        found[RESULTS] += [*game.scores, *game.winner]
        return found

    def _options(self) -> Iterator[m.MoveOption]:
        bodies = [each.body for each in (self.game.play, self.game.setup) if each is not None]
        for body in (*bodies, *(action.body for action in self.game.actions.values())):
            for step in nodes(body):
                if isinstance(step, m.Decide | m.Simultaneous):
                    yield from step.options


def _rested(parts: Iterable[Any]) -> Iterator[Key]:
    for part in parts:
        for node in nodes(part):
            match node:
                case m.CallDefine(name=name):
                    yield "define", name
                case m.CanPerform(action=name):
                    yield "can", name
                case m.Builtin(name="total" | "winner"):
                    yield RESULTS


def unlike(left: Engine, right: Engine, parts: tuple[Parts, Parts]) -> Unlike | None:
    """Compare two games at one table; None if they have not the same cells, moves and actions."""
    mine, theirs = parts
    is_one = mine.rest == theirs.rest and mine.signatures == theirs.signatures
    if not is_one or [*left.game.actions] != [*right.game.actions] or left.game.examples or right.game.examples:
        return None
    spelled = mine.spelled, theirs.spelled
    apart = {key for key in {**spelled[0], **spelled[1]} if spelled[0].get(key) != spelled[1].get(key)}
    numbers = _numbers(left.game)
    apart |= {key for key, number in numbers.items() if key not in apart and not _same_code(left, right, number)}
    apart |= {("can", name) for name in left.game.actions if not _same_standing(left, right, name)}
    rests = [*mine.rests.items(), *theirs.rests.items()]
    while more := {key for key, others in rests if key not in apart and others & apart}:
        apart |= more
    options = frozenset(name for kind, name in apart if kind == "offer")
    return Unlike(frozenset(numbers[key] for key in apart if key in numbers), options, RESULTS in apart)


def _numbers(game: m.Game) -> dict[Key, int]:
    actions = {("action", name): PLAY + 1 + at for at, name in enumerate(game.actions)}
    begun = game.setup.name if game.setup else "setup"
    return {("routine", game.play.name): PLAY, ("routine", begun): SETUP, **actions}


def _same_standing(left: Engine, right: Engine, name: str) -> bool:
    return left.machine.standing[name].refusable is right.machine.standing[name].refusable


def _same_code(left: Engine, right: Engine, number: int) -> bool:
    """Whether what was found out about a routine by looking at the whole game is the same in both: what follows it,
    and what is seen by whom."""
    one, other = left.machine.routines[number], right.machine.routines[number]
    mine, theirs = ((each.name, each.entry, each.body, each.dead, each.size, len(each.code)) for each in (one, other))
    if mine != theirs:
        return False
    return all(
        _marks(left, one.name, here) == _marks(right, other.name, there)
        for here, there in zip(one.code, other.code, strict=True)
    )


def _marks(engine: Engine, routine: str, instruction: Instruction) -> Told:
    marks: Told = ()
    match instruction:
        case Demand(last=last):
            marks = last
        case Decide() | Together():
            options = [(each.name, each.refusable, each.is_free, each.entry) for each in instruction.options]
            marks = instruction.then, instruction.ambiguous, options, engine.machine.hangs_on(routine, instruction)
    return type(instruction), instruction.edges, marks
