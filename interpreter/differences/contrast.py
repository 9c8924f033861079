"""Where two builds of one game are not the same: so a search knows which moves to try, and when there is nothing to
look for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Protocol

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from ..walk import nodes

TYPES = t.Range.__module__
"""Types are the same for both games, or compared by themselves."""

Told = Any
"""A piece of the model as nested tuples, without places: equal where the same is said."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two games compared as they are carried out.

    Attributes:
        same: nothing differs.
        offers: names of moves whose values or requirements are not the same, so that one position may offer other ones.
        leads: names of moves that are not the same or lead to what is not.
        actions: names of the actions that are not the same.
        feeds: names of moves that change what those rest on that differ.
        routines: set-up or the course of the game is not told alike.
        results: points or winners are not told alike.
        types: whether moves and chance events have the same types, so that values of one are values of the other.
    """

    same: bool
    offers: frozenset[str]
    leads: frozenset[str]
    types: bool
    actions: frozenset[str] = frozenset()
    feeds: frozenset[str] = frozenset()
    routines: bool = False
    results: bool = False


class Known(Protocol):
    """What is known to be the same in other words."""

    def define(self, name: str) -> bool:
        """Whether it comes to the same in both games."""

    def play(self, actions: frozenset[str], routines: Sequence[str]) -> bool:
        """Whether both are played alike; actions, routines (`setup`, `play`): those that are not told alike."""


def contrast(left: m.Game, right: m.Game, known: Known | None = None) -> Contrast:
    """Compare two games at one table. known: tells what is the same in other words; without it nothing is."""
    defines = _changed_defines(left, right, known)
    offers = _differing(_offers(left, defines), _offers(right, defines))
    bodies = _differing(_bodies(left, defines), _bodies(right, defines))
    leads = _leading(left, right, offers | bodies)
    routines = sorted(_differing(_routines(left, defines), _routines(right, defines)))
    results = _results(left, defines) != _results(right, defines)
    told_alike = not (defines or offers or bodies or routines or results)
    known_alike = told_alike or (known is not None and known.play(offers | bodies, routines))
    same = _rest(left, defines) == _rest(right, defines) and known_alike
    feeds = frozenset() if same else _feeding((left, right), offers | bodies, defines, results) - leads
    types = _signatures(left) == _signatures(right)
    return Contrast(same, offers, leads, types, offers | bodies, feeds, bool(routines), results)


def _changed_defines(left: m.Game, right: m.Game, known: Known | None) -> frozenset[str]:
    """The defines that are not the same, or call one that is not."""
    used = _used_defines(left) | _used_defines(right)
    worded = _differing(_told_all(left.defines), _told_all(right.defines)) & used
    changed = {name for name in worded if known is None or not known.define(name)}
    calls = {name: _called(game.defines[name]) for game in (left, right) for name in game.defines if name in used}
    while more := {name for name, called in calls.items() if name not in changed and called & changed}:
        changed |= more
    return frozenset(changed)


def _used_defines(game: m.Game) -> set[str]:
    """Those that something in play asks for, be it by way of others."""
    routines = (game.play, *((game.setup,) if game.setup else ()), *game.actions.values())
    initial = tuple(each.initial for each in game.elements if each.initial is not None)
    found: set[str] = set()
    waiting = set().union(*map(_called, (*routines, *game.scores, *game.winner, *game.refills, *initial)))
    while waiting:
        found |= waiting
        waiting = set().union(*(_called(game.defines[name]) for name in waiting)) - found
    return found


def _called(node: Any) -> set[str]:
    return {each.name for each in nodes(node) if isinstance(each, m.CallDefine)}


def _told_all(parts: Mapping[str, Any]) -> dict[str, Told]:
    return {name: told(part) for name, part in parts.items()}


def _differing(left: Mapping[str, Told], right: Mapping[str, Told]) -> frozenset[str]:
    return frozenset(name for name in {**left, **right} if left.get(name) != right.get(name))


def told(node: Any) -> Told:
    """What a piece of the model says, without the places where it says so."""
    if isinstance(node, tuple):
        return tuple([told(each) for each in node]) if node else ()
    parts = _parts_of(node.__class__)
    if parts is not None:
        return (type(node).__name__, *[told(getattr(node, name)) for name in parts])
    if isinstance(node, m.Element):
        return node.name
    return None if isinstance(node, Span) else node


@cache
def _parts_of(kind: type) -> tuple[str, ...] | None:
    """The names of what a piece of the model is made of; None of what is told as a whole."""
    if not is_dataclass(kind) or kind.__module__ == TYPES or issubclass(kind, Span | m.Element):
        return None
    return tuple(each.name for each in fields(kind))


# ---- moves ------------------------------------------------------------------------------------------------------


def _offered(game: m.Game) -> Iterator[tuple[m.Decide | m.Simultaneous, m.MoveOption]]:
    routines = [game.play, *([game.setup] if game.setup else [])]
    for body in (*(routine.body for routine in routines), *(action.body for action in game.actions.values())):
        for step in nodes(body):
            if isinstance(step, m.Decide | m.Simultaneous):
                yield from ((step, option) for option in step.options)


def _name(option: m.MoveOption) -> str:
    return option.action if isinstance(option, m.ActionOption) else option.name


def _collected(game: m.Game, read: Callable[[m.Decide | m.Simultaneous, m.MoveOption], Told]) -> dict[str, Told]:
    found: dict[str, list[Told]] = {}
    for step, option in _offered(game):
        found.setdefault(_name(option), []).append(read(step, option))
    return {name: sorted(each, key=repr) if len(each) > 1 else each for name, each in found.items()}


def _offers(game: m.Game, changed: frozenset[str]) -> dict[str, Told]:
    """By move, what decides where it is on offer, and with which values."""

    def read(step: m.Decide | m.Simultaneous, option: m.MoveOption) -> Told:
        flags = (step.optional, step.repeating) if isinstance(step, m.Decide) else ()
        if isinstance(option, m.ActionOption):
            action = game.actions[option.action]
            parts: tuple[Any, ...] = (option.arguments, action.choices, action.requirements)
        else:
            parts = (option.choices, option.requirements)
        return _marked(parts, game, changed), flags

    return _collected(game, read)


def _bodies(game: m.Game, changed: frozenset[str]) -> dict[str, Told]:
    """By action or branch, what it does, and when it can be done."""
    found = {
        name: _marked((action.choices, action.requirements, action.body), game, changed)
        for name, action in game.actions.items()
    }
    branches = _collected(
        game, lambda _, option: _marked(option.body, game, changed) if isinstance(option, m.BranchOption) else None
    )
    return {**branches, **found}


def _marked(part: Any, game: m.Game, changed: frozenset[str]) -> Told:
    """What a part says; with the game's identity where it rests on a define that is not the same."""
    whole = part if isinstance(part, tuple) else (part,)
    rests = any(_called(each) & changed for item in whole for each in _models(item))
    return (told(part), id(game) if rests else 0)


def _models(item: Any) -> Iterator[Any]:
    if isinstance(item, tuple):
        for each in item:
            yield from _models(each)
    elif is_dataclass(item):
        yield item


def _leading(left: m.Game, right: m.Game, found: frozenset[str]) -> frozenset[str]:
    """The moves found, and those that perform or offer one of them."""
    leads: dict[str, set[str]] = {}
    for game in (left, right):
        for name, action in game.actions.items():
            leads.setdefault(name, set()).update(_reached(action.body))
        for _, option in _offered(game):
            if isinstance(option, m.BranchOption):
                leads.setdefault(option.name, set()).update(_reached(option.body))
    whole = set(found)
    while more := {name for name, reached in leads.items() if name not in whole and reached & whole}:
        whole |= more
    return frozenset(whole)


def _feeding(
    games: tuple[m.Game, m.Game], moves: frozenset[str], defines: frozenset[str], results: bool
) -> frozenset[str]:
    """The moves that change states or zones that the differing parts read, if not nearly all do."""
    parts: list[Any] = []
    for game in games:
        parts += [game.actions[name].requirements for name in moves if name in game.actions]
        parts += [game.defines[name] for name in defines if name in game.defines]
        parts += [
            option.requirements
            for _, option in _offered(game)
            if _name(option) in moves and not isinstance(option, m.ActionOption)
        ]
        parts += [*game.scores, *game.winner] if results else []
    read = {node.element.name for part in parts for each in _parts(part) for node in _with_called(games[0], each)}
    changing = {name: _changed_by(action.body) & read for name, action in games[0].actions.items()}
    often = Counter(name for names in changing.values() for name in names)
    rare = {name for name, times in often.items() if times <= max(2, len(changing) // 3)}
    return frozenset(name for name, names in changing.items() if names & rare)


def _parts(part: Any) -> Iterator[Any]:
    yield from part if isinstance(part, tuple) else (part,)


def _with_called(game: m.Game, part: Any) -> Iterator[m.Read]:
    """What a part reads, and the defines that it calls."""
    waiting, known = [part], set[str]()
    while waiting:
        for node in nodes(waiting.pop()):
            if isinstance(node, m.Read):
                yield node
            elif isinstance(node, m.CallDefine) and node.name not in known and node.name in game.defines:
                known.add(node.name)
                waiting.append(game.defines[node.name])


def _changed_by(body: m.Step) -> set[str]:
    return {node.element.name for node in nodes(body) if isinstance(node, m.Store | m.ZoneRef)}


def _reached(body: m.Step) -> set[str]:
    found: set[str] = set()
    for step in nodes(body):
        match step:
            case m.Perform(action=action):
                found.add(action)
            case m.Decide(options=options) | m.Simultaneous(options=options):
                found.update(map(_name, options))
    return found


# ---- all else ---------------------------------------------------------------------------------------------------


def _rest(game: m.Game, changed: frozenset[str]) -> Told:
    elements = [
        (each.name, each.kind, each.indices, each.type, each.visibility, _marked(each.initial, game, changed))
        for each in game.elements
    ]
    components = [(each.name, each.ids, each.copies, each.rows) for each in game.components]
    return elements, components, told(game.refills)


def _routines(game: m.Game, changed: frozenset[str]) -> dict[str, Told]:
    return {each.name: _marked(each.body, game, changed) for each in (game.play, game.setup) if each is not None}


def _results(game: m.Game, changed: frozenset[str]) -> Told:
    return _marked(game.scores, game, changed), _marked(game.winner, game, changed)


def _signatures(game: m.Game) -> Told:
    moves = {name: each.arguments for name, each in game.moves.items()}
    return moves, {name: each.outcome for name, each in game.chances.items()}, [each.type for each in game.elements]
