"""Static comparison of two models: the moves and defines in which they differ, so that a search knows what to try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from ludex.spec import all_steps, defines_called, elements_read, leading_to, nodes, nodes_with_called
from ludex.spec import model as m

ModelPart: TypeAlias = tuple[Hashable, frozenset[str]]
"""Nodes of a game's model, which are equal if they mean the same, and the names of the defines that they call."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two games compared as they are carried out.

    Attributes:
        offers: names of moves whose values or requirements are not the same, so that one position may offer other ones.
        leads: names of moves that are not the same or lead to what is not.
        feeds: names of moves that change what those rest on that differ.
        results: points or winners differ.
        types: whether moves and chance events have the same types, so that values of one are values of the other.
    """

    offers: frozenset[str]
    leads: frozenset[str]
    types: bool
    feeds: frozenset[str] = frozenset()
    results: bool = False


class Parts:
    """The parts of one game by what they are for. Made once for a game that is compared with many others."""

    def __init__(self, game: m.Game) -> None:
        self.game = game

    @cached_property
    def calls(self) -> dict[str, frozenset[str]]:
        """The defines that each fact or define calls, by its name."""
        return {name: defines_called(define) for name, define in self.game.defines.items()}

    @cached_property
    def offers(self) -> dict[str, list[ModelPart]]:
        """The parts of the model that decide where each move is on offer and with which values, by its name."""

        def read(step: m.Asking, option: m.MoveOption) -> ModelPart:
            # Simultaneous decisions have no such flags.
            flags = (step.optional, step.repeating) if isinstance(step, m.Decide) else ()
            if isinstance(option, m.ActionOption):
                action = self.game.actions[option.action]
                return _part((option.arguments, action.choices, action.requirements), flags)
            return _part((option.choices, option.requirements), flags)

        return _collected(self.game, read)

    @cached_property
    def bodies(self) -> dict[str, list[ModelPart]]:
        """The effects of each action or branch and the conditions for it, by its name."""
        branches = _collected(
            self.game, lambda _, option: _part(option.body if isinstance(option, m.BranchOption) else None)
        )
        actions = self.game.actions.items()
        return branches | {name: [_part((each.choices, each.requirements, each.body))] for name, each in actions}

    @cached_property
    def results(self) -> dict[str, list[ModelPart]]:
        """The parts of the model that decide points and winners."""
        return {"scores": [_part(self.game.scores)], "winner": [_part(self.game.winner)]}

    @cached_property
    def signatures(self) -> Any:
        """The types of moves, chance events and cells."""
        game = self.game
        moves = {name: each.arguments for name, each in game.moves.items()}
        return moves, {name: each.outcome for name, each in game.chances.items()}, [each.type for each in game.elements]


def contrast(left: Parts, right: Parts) -> Contrast:
    """Compare two games at one table."""
    defines = _changed_defines(left, right)
    offers = _differing(left.offers, right.offers, defines)
    bodies = _differing(left.bodies, right.bodies, defines)
    changed = offers | bodies
    leads = _leading(left.game, right.game, changed)
    results = bool(_differing(left.results, right.results, defines))
    # Moves that lead to the difference have their weight already.
    feeds = _feeding((left.game, right.game), changed, defines, results) - leads
    return Contrast(offers, leads, left.signatures == right.signatures, feeds, results)


def _changed_defines(left: Parts, right: Parts) -> frozenset[str]:
    """Return the defines that are not the same, or call one that is not."""
    calls = {**left.calls, **right.calls}
    return leading_to((name for name in calls if left.game.defines.get(name) != right.game.defines.get(name)), calls)


def _part(nodes: Hashable, flags: Hashable = ()) -> ModelPart:
    return (nodes, flags), defines_called(nodes)


def _differing(
    left: Mapping[str, Sequence[ModelPart]], right: Mapping[str, Sequence[ModelPart]], changed: frozenset[str]
) -> frozenset[str]:
    """Return the names of what is not the same, or calls a define that is not the same."""

    def is_same(name: str) -> bool:
        mine, theirs = left.get(name), right.get(name)
        if mine is None or theirs is None or any(called & changed for _, called in mine):
            return False
        one, other = [each for each, _ in mine], [each for each, _ in theirs]
        # The order of offers makes no difference. Equality comes first, as it hashes nothing.
        return one == other or Counter(one) == Counter(other)

    return frozenset(name for name in {**left, **right} if not is_same(name))


# ---- moves ------------------------------------------------------------------------------------------------------


def _offered(game: m.Game) -> Iterator[tuple[m.Asking, m.MoveOption]]:
    for step in all_steps(*game.routines):
        if isinstance(step, m.Asking):
            yield from ((step, option) for option in step.options)


def _collected(game: m.Game, read: Callable[[m.Asking, m.MoveOption], ModelPart]) -> dict[str, list[ModelPart]]:
    by_name: dict[str, list[ModelPart]] = {}
    for step, option in _offered(game):
        by_name.setdefault(option.name, []).append(read(step, option))
    return by_name


def _leading(left: m.Game, right: m.Game, moves: frozenset[str]) -> frozenset[str]:
    """Return these moves, and those that perform or offer one of them."""
    leads: dict[str, set[str]] = {}
    for game in (left, right):
        for name, action in game.actions.items():
            leads.setdefault(name, set()).update(_reached(action.body))
        for _, option in _offered(game):
            if isinstance(option, m.BranchOption):
                leads.setdefault(option.name, set()).update(_reached(option.body))
    return leading_to(moves, leads)


def _feeding(
    games: tuple[m.Game, m.Game], moves: frozenset[str], defines: frozenset[str], results: bool
) -> frozenset[str]:
    """Return the moves that change states or zones that the differing parts read, if not nearly all do."""
    parts: list[Any] = []
    for game in games:
        parts += [game.actions[name].requirements for name in moves if name in game.actions]
        parts += [game.defines[name] for name in defines if name in game.defines]
        parts += [
            option.requirements
            for _, option in _offered(game)
            if option.name in moves and not isinstance(option, m.ActionOption)
        ]
        parts += [*game.scores, *game.winner] if results else []
    read = elements_read(nodes_with_called(games[0].defines, *parts))
    changing = {name: _changed_by(action.body) & read for name, action in games[0].actions.items()}
    often = Counter(name for names in changing.values() for name in names)
    # A state that most moves change does not help the search to choose a move.
    rare = {name for name, times in often.items() if times <= max(2, len(changing) // 3)}
    return frozenset(name for name, names in changing.items() if names & rare)


def _changed_by(body: m.Step) -> set[str]:
    return {node.element.name for node in nodes(body) if isinstance(node, m.Store | m.ZoneRef)}


def _reached(body: m.Step) -> set[str]:
    names: set[str] = set()
    for step in all_steps(body):
        match step:
            case m.Perform(action=action):
                names.add(action)
            case m.Asking(options=options):
                names.update(option.name for option in options)
    return names
