"""What statements may change while they are carried out: what was read before may be another value behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ludex.grammar import nodes_in
from ludex.grammar import syntax as s

ANYTHING = "*"
"""In the place of names: who knows what."""
STEADY = frozenset({"size", "abs", "index", "place_in", "clockwise", "reversed", "min", "max", "me", "seats"})
"""The language's own functions that come to the same for the same arguments."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What the actions of a game may change, and what never changes.

    Attributes:
        by_action: the states and zones that each action may change, be it by way of others.
        by_window: the same of all that can be done in a window.
        refilled: zones that are filled up, and those from which that is done.
        elements: all states and zones.
        fixed: names of what has one value throughout a game.
    """

    by_action: Mapping[str, frozenset[str]] = field(default_factory=dict)
    by_window: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refilled: frozenset[str] = frozenset()
    elements: frozenset[str] = frozenset()
    fixed: frozenset[str] = STEADY

    def written(self, nodes: object) -> frozenset[str]:
        """The names of what some statements may change."""
        places, actions, windows = _touched(nodes)
        found = places | (self.refilled if any(isinstance(each, s.Draw) for each in nodes_in(nodes)) else frozenset())
        for names, known in ((actions, self.by_action), (windows, self.by_window)):
            found = found.union(*(known.get(each, frozenset({ANYTHING})) for each in names))
        return found

    def may_change(self, read: frozenset[str], written: frozenset[str]) -> bool:
        """Whether what hangs on some names may be another behind what changes others. A define may read anything."""
        moving = read - self.fixed
        return bool(moving and written) and (
            not moving <= self.elements or bool(moving & written or ANYTHING in written)
        )


def changes_of(declarations: Iterable[s.Declaration], fixed: frozenset[str]) -> Changes:
    """What can be read off the declarations of a game and all its editions. fixed: names that they share of what never
    changes."""
    nodes = tuple(declarations)
    refills = [each for each in nodes if isinstance(each, s.RefillDeclaration)]
    refilled = frozenset(place.name for each in refills for place in (each.place, each.source))
    elements = frozenset(each.name for each in nodes if isinstance(each, s.StateDeclaration | s.ZoneDeclaration))
    values = [each for each in nodes if isinstance(each, s.ValueDeclaration)]
    varying = elements | {each.name for each in values if each.kind != "fact"}
    known = {each.name for each in values} | {
        each.name for each in nodes if isinstance(each, s.OptionDeclaration | s.ForkDeclaration)
    }
    by_action = _by_action([each for each in nodes if isinstance(each, s.ActionDeclaration)], refilled)
    by_window: dict[str, frozenset[str]] = {}
    for each in nodes:
        if isinstance(each, s.ActionDeclaration) and each.during is not None:
            by_window[each.during] = by_window.get(each.during, frozenset()) | by_action[each.name]
    return Changes(by_action, by_window, refilled, elements, (STEADY | fixed | known) - varying)


ATOMS = s.Assign | s.Fill | s.Move | s.Put | s.Remove | s.Swap | s.Let | s.LocalState | s.Call
"""Statements that work out all they need before they change anything."""


def until_used(name: str, nodes: Sequence[s.Statement]) -> list[s.Statement]:
    """Of some statements those that are carried out before a name is looked at for the last time, in whole or part."""
    using = [at for at, node in enumerate(nodes) if _uses(name, node)]
    if not using:
        return []
    return [*nodes[: using[-1]], *_until_used(name, nodes[using[-1]])]


def _until_used(name: str, node: s.Statement) -> list[s.Statement]:
    match node:
        case s.Block(statements=statements):
            return until_used(name, statements)
        case s.Clause(body=body, exceptions=()):
            return until_used(name, (body,))
        case s.If(then=then, otherwise=otherwise):
            return [*until_used(name, (then,)), *(until_used(name, (otherwise,)) if otherwise else ())]
        case s.Match(arms=arms):
            return [each for arm in arms for each in until_used(name, (arm.body,))]
        case s.Each(generators=(_, *more), where=where, body=body):
            return [node] if _uses(name, (*more, where, body)) else []
        case s.EachPlayer(body=body) | s.RepeatTimes(body=body):
            return [node] if _uses(name, body) else []
        case _:
            return [] if isinstance(node, ATOMS) else [node]


def _uses(name: str, piece: object) -> bool:
    return any(isinstance(each, s.Name) and each.name == name for each in nodes_in(piece, but=s.Authority))


def _by_action(actions: Iterable[s.ActionDeclaration], refilled: frozenset[str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    calls: dict[str, set[str]] = {}
    opens: dict[str, set[str]] = {}
    during: dict[str, set[str]] = {}
    for each in actions:
        places, called, windows = _touched(each.body)
        draws = any(isinstance(node, s.Draw) for node in nodes_in(each.body))
        found[each.name] = found.get(each.name, frozenset()) | places | (refilled if draws else frozenset())
        calls.setdefault(each.name, set()).update(called)
        opens.setdefault(each.name, set()).update(windows)
        if each.during is not None:
            during.setdefault(each.during, set()).add(each.name)
    for name, opened in opens.items():
        calls[name].update(*(during.get(window, {ANYTHING}) for window in opened))
    while True:
        more = {
            name: found[name].union(*(found.get(each, frozenset({ANYTHING})) for each in called))
            for name, called in calls.items()
        }
        if more == found:
            return found
        found = more


def _touched(nodes: object) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The places that statements name, the actions that they call, the windows that they open."""
    all_ = list(nodes_in(nodes))
    return (
        frozenset(name for each in all_ for name in _places(each)),
        frozenset(each.action for each in all_ if isinstance(each, s.Call)),
        frozenset(each.window for each in all_ if isinstance(each, s.OpenWindow)),
    )


def _places(node: s.Node) -> Iterator[str]:
    """A place that a statement names may be changed by it; so may the zone whose piece it moves."""
    match node:
        case s.Place(name=name):
            yield name
        case s.Move(piece=piece, source=None) if piece is not None:
            yield from (each.name for each in nodes_in(piece) if isinstance(each, s.Name))
