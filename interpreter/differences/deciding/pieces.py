"""How many pieces of each kind there can be, wherever they lie: where they enter the game once, before it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ...engine import Engine
from ...events import Undefined
from ...state import State
from ...walk import free_slots, nodes
from ..partly import UNSET, Missing, Partly

Most: TypeAlias = Mapping[str, Mapping[t.Value, int]]
"""By component, how many pieces of each kind there are at most."""


class _Open(Exception):
    """It is not plain how many enter."""


def most_pieces(engine: Engine) -> Most:
    """Of the components whose pieces enter the game in set-up only, by statements that are carried out once: how many
    there are of each kind. Pieces that are moved, drawn or dealt are neither more nor less; those that leave, less."""
    game = engine.game
    entering = [each for part in _parts(game) for each in _entering(part)]
    found: dict[str, Mapping[t.Value, int]] = {}
    for component in game.components:
        if any(element.type == component for element in game.elements) and component not in entering:
            try:
                found[component.name] = _entered(engine, component)
            except (_Open, Missing, Undefined, OverBudget):
                continue
    return found


def _parts(game: m.Game) -> Iterator[Any]:
    yield game.play.body
    yield from (action.body for action in game.actions.values())


def _entering(part: Any) -> Iterator[t.Type]:
    """The types of the pieces that statements bring into the game."""
    for node in nodes(part):
        if isinstance(node, m.FillZone):
            yield node.zone.element.type
        elif isinstance(node, m.PutPiece):
            yield node.target.element.type


def _entered(engine: Engine, component: t.ComponentType) -> Mapping[t.Value, int]:
    setup = engine.game.setup
    counts: Counter[t.Value] = Counter()
    if setup is not None:
        counting = _Counting(engine, component, counts, [None] * max(1, setup.frame_size))
        counting.count(setup.body, frozenset())
    return {kind: counts[kind] for kind in range(len(component.ids))}


class _Counting:
    def __init__(
        self, engine: Engine, component: t.ComponentType, counts: Counter[t.Value], slots: list[t.Value]
    ) -> None:
        self._machine, self._component, self._counts, self._slots = engine.machine, component, counts, slots
        self._nowhere = State(Partly("cell", [UNSET] * engine.game.cell_count), [], [])

    def count(self, step: m.Step, known: frozenset[int]) -> None:
        """Add what enters by a statement. known: slots that hold a value. Raises _Open."""
        match step:
            case m.Sequence(body=body):
                for part in body:
                    self.count(part, known)
            case m.ForEach(loops=(loop,), where=None, body=body) if self._component in _entering(body):
                for item in list(self._machine.items(self._plain(loop.domain, known))(self._nowhere, self._slots)):
                    self._slots[loop.slot] = item
                    self.count(body, known | {loop.slot})
            case m.FillZone(zone=zone, pieces=pieces) if zone.element.type == self._component:
                value = self._machine.compiled(self._plain(pieces, known))(self._nowhere, self._slots)
                times = self._component.copies if isinstance(pieces.type, t.SetOf) else None
                for kind in value:
                    self._counts[kind] += times[kind] if times else 1
            case _ if self._component in _entering(step):
                raise _Open

    @staticmethod
    def _plain(expr: m.Expr, known: frozenset[int]) -> m.Expr:
        """The expression, if it reads no name but those that are known."""
        if free_slots(expr) <= known:
            return expr
        raise _Open


def at_most(one: Most, two: Most) -> Most:
    """What holds in both of two games."""
    return {
        name: {kind: max(count, two[name].get(kind, 0)) for kind, count in counts.items()}
        for name, counts in one.items()
        if name in two
    }
