"""Pieces of the model as plain values that are equal where the same is said: without places and paths, and whatever
slots its names stand in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

from ...walk import nodes

TYPES = t.Range.__module__
SILENT = frozenset({"path", "span", "type", "field"})
"""Fields that say nothing of what is done."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a slot stands for that holds a known value: the same as the value written out."""

    value: Hashable


class Former:
    """Puts pieces of one of two games in form.

    differing: defines that are not the same; what calls them is not the same either. side: 0 for the left game, 1 for
    the right one.

    What asks for legal moves (`can`), points or winners is the same where it asks for the same: if all that this comes
    from is equal, it is equal; if not, what differs is that, and not where it is asked for."""

    def __init__(self, differing: frozenset[str], side: int, names: Mapping[int, Hashable]) -> None:
        self._differing, self._side = differing, side
        self._names: dict[int, Hashable] = dict(names)

    def form(self, node: Any) -> Hashable:
        """The piece; names that are bound in it are numbered as they come."""
        match node:
            case tuple():
                return tuple([self.form(each) for each in node])
            case Span():
                return None
            case m.Element():
                return node.name
            case m.Local():
                name = self._named(node.slot)
                return (
                    ("Constant", type(node.type).__name__, name.value) if isinstance(name, Known) else ("local", name)
                )
            case m.Loop():
                return "loop", self._named(node.slot), self.form(node.domain), type(node.domain.type).__name__
            case m.CallDefine():
                mark = self._side if node.name in self._differing else None
                return "call", node.name, mark, self.form(node.arguments)
            case m.CanPerform():
                return "can", node.action, self._named(0), self.form(node.arguments)
            case m.Checked():
                return "checked", node.type, self.form(node.operand)
            case _ if is_dataclass(node) and type(node).__module__ != TYPES:
                return self._whole(node)
            case _:
                plain: Hashable = node
                return plain

    def _whole(self, node: Any) -> Hashable:
        found: list[Hashable] = [type(node).__name__]
        if isinstance(node, m.Typed):
            found.append(type(node.type).__name__)
        if may_raise(node):
            found.append(node.path)
        for each in fields(node):
            value = getattr(node, each.name)
            if each.name == "slot":
                found.append(self._named(value))
            elif isinstance(node, m.RandomValue) and each.name == "name":
                continue
            elif each.name not in SILENT or isinstance(node, m.Choice):
                found.append(self.form(value))
        return tuple(found)

    def _named(self, slot: int) -> Hashable:
        return self._names.setdefault(slot, ("bound", len(self._names)))


def may_raise(node: Any) -> bool:
    """Whether it may raise a chance event, which logs call by the clause."""
    match node:
        case m.RandomValue() | m.DrawPieces():
            return True
        case m.MoveAll(source=one) | m.MovePiece(source=one, piece=None) | m.SwapPieces(left=one):
            two = node.right if isinstance(node, m.SwapPieces) else one
            return "hidden" in {one.element.visibility, two.element.visibility}
        case _:
            return False


def form(node: Any, differing: frozenset[str], side: int, names: Mapping[int, Hashable] | None = None) -> Hashable:
    """A piece of the left (0) or right (1) game in form. names: what its free slots stand for."""
    return Former(differing, side, names or {}).form(node)


# ---- types


def same_types(left: m.Game, right: m.Game) -> bool:
    """Whether values of one game are values of the other."""
    return _types(left) == _types(right)


def _types(game: m.Game) -> object:
    components = [(each.name, each.ids, each.copies) for each in game.components]
    named = {name: (of, getattr(of, "cases", None), getattr(of, "members", None)) for name, of in game.types.items()}
    return components, named, game.players


def same_layout(left: m.Game, right: m.Game) -> bool:
    """Whether cells of one game are cells of the other."""

    def layout(game: m.Game) -> object:
        return [(each.name, each.kind, each.indices, each.type, each.visibility) for each in game.elements]

    return layout(left) == layout(right)


# ---- defines


def is_unsaid(game: m.Game) -> bool:
    """Whether nothing says what a fact or define of it is."""
    return any(isinstance(each.body, m.Unsaid) for each in game.defines.values())


def differing_defines(left: m.Game, right: m.Game, used: frozenset[str]) -> frozenset[str]:
    """Those in use that are worded otherwise, whatever they call."""
    mine, theirs = (
        {name: _worded(game.defines[name], side) for name in used if name in game.defines}
        for side, game in enumerate((left, right))
    )
    return frozenset(name for name in used if mine.get(name) != theirs.get(name))


def _worded(define: m.Define, side: int) -> Hashable:
    names = {at: ("given", at) for at in range(len(define.parameters) + 1)}
    types = tuple(of for _, of in define.parameters)
    cycle = None if define.cycle is None else form(define.cycle, frozenset(), side, names)
    return types, form(define.body, frozenset(), side, names), cycle


def callers(left: m.Game, right: m.Game, of: frozenset[str], proved: frozenset[str]) -> frozenset[str]:
    """These defines, and those that call them, be it by way of others; but not those that are proved to come to the
    same, whatever they call."""
    calls: dict[str, set[str]] = {}
    for game in (left, right):
        for name, define in game.defines.items():
            calls.setdefault(name, set()).update(called(define))
    found = set(of)
    while more := {name for name, each in calls.items() if name not in found | proved and each & found}:
        found |= more
    return frozenset(found)


def called(*parts: Any) -> set[str]:
    """The defines that these parts of the model call by name."""
    return {node.name for part in parts for node in nodes(part) if isinstance(node, m.CallDefine)}


def used_defines(*games: m.Game) -> frozenset[str]:
    """Those that something in play asks for, be it by way of others."""
    found: set[str] = set()
    for game in games:
        routines = (game.play, *((game.setup,) if game.setup else ()), *game.actions.values())
        initial = tuple(each.initial for each in game.elements if each.initial is not None)
        waiting = called(*routines, *game.scores, *game.winner, *game.refills, *initial)
        while waiting:
            found |= waiting
            waiting = called(*(game.defines[name] for name in waiting)) - found
    return frozenset(found)
