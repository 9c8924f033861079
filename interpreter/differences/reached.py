"""What play can hold where it comes to a statement: the game gone through from its beginning with all that can follow,
of which only a few states are kept track of.

A world is what is known at one moment: what these states hold, what the names of the routine stand for, and which
pieces lie in a zone whatever their places. What is not known is left out, so a world stands for all positions that
agree with it. Wherever something hangs on what is not known, both ways are gone; so no position that play can come to
is missed. If the worlds are too many, nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, TypeAlias

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..evaluate import Fn
from ..events import Undefined
from ..state import State
from ..walk import nodes, nodes_called
from .partly import UNSET, Missing, Partly

Key: TypeAlias = tuple[str, Any]
"""`("state", name)`, `("slot", number)` or `("pieces", zone)`."""
World: TypeAlias = Mapping[Key, t.Value]

MOST_WORLDS = 300
MOST_STEPS = 30_000
"""So many statements are carried out, each in one world."""
MOST_ROWS = 24
"""Rows of the same items in any order: of four."""
NOT_KNOWN = ("not known",)


class GivenUp(Exception):
    """There are too many worlds."""


class Reached:
    """What one game can hold, statement by statement."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._game = engine, engine.game
        self._known: dict[tuple[int, frozenset[str]], tuple[World, ...] | None] = {}
        self._kept: list[m.Statement] = []
        self.rested_on: set[str] = set()
        """The states of which something was concluded."""

    def worlds(self, step: m.Statement, reads: Iterable[Any]) -> tuple[World, ...] | None:
        """The worlds in which play comes to a statement of the game, with the states that these parts of it read; None
        if that is not known."""
        states, zones = _tracked(self._game, reads)
        if not states:
            return None
        key = id(step), states
        if key not in self._known:
            self._kept.append(step)
            try:
                self._known[key] = Going(self._engine, states, zones, step).all()
            except (GivenUp, RecursionError):
                self._known[key] = None
        return self._known[key] or None

    def values(self, step: m.Statement, expr: m.Expr) -> frozenset[t.Value] | None:
        """All that an expression can come to where play comes to a statement; None if that is not known."""
        worlds = self.worlds(step, (expr,))
        if worlds is None:
            return None
        going = Going(self._engine, frozenset(), frozenset(), step)
        found: set[t.Value] = set()
        for world in worlds:
            values = going.values(expr, world)
            if values is None:
                return None
            found.update(tuple(each) if isinstance(each, list) else each for each in values)
        self.rested_on |= _tracked(self._game, (expr,))[0]
        return frozenset(found)

    def held(self, step: m.Statement, reads: Iterable[Any]) -> Mapping[str, frozenset[t.Value]]:
        """All that states without places can hold where play comes to a statement; those of which that is known."""
        worlds = self.worlds(step, reads) or ()
        known = (
            set.intersection(*({name for kind, name in world if kind == "state"} for world in worlds)) if worlds else ()
        )
        return {name: frozenset(world["state", name] for world in worlds) for name in known}


# ---- what is kept track of --------------------------------------------------------------------------------------


def _tracked(game: m.Game, reads: Iterable[Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The states without places that the parts read, and those that they come from; the zones that are listed as a
    whole for them."""
    states: set[str] = set()
    zones: set[str] = set()
    stores = [node for part in _routines(game) for node in nodes(part) if isinstance(node, m.Store)]
    refilled = {zone.element.name for each in game.refills for zone in (each.zone, each.source)}
    waiting: list[Any] = list(reads)
    while waiting:
        for node in nodes_called(game, waiting.pop()):
            if isinstance(node, m.Read) and _is_single(node.element) and node.element.name not in states:
                states.add(node.element.name)
                waiting += [each.value for each in stores if each.element.name == node.element.name]
            elif isinstance(node, m.AggregateExpr):
                zones.update(each.name for each in _listed_whole(node))
    return frozenset(states), frozenset(zones - refilled)


def single_states(game: m.Game, reads: Iterable[Any]) -> frozenset[str]:
    """The states without places that the parts read, and those that they come from."""
    return _tracked(game, reads)[0]


def _routines(game: m.Game) -> Iterator[m.Step]:
    yield from (each.body for each in (game.setup, game.play) if each is not None)
    yield from (each.body for each in game.actions.values())


def _is_single(element: m.Element) -> bool:
    return element.kind == "state" and not element.indices


def _listed_whole(expr: m.AggregateExpr) -> tuple[m.Element, ...]:
    """The zone of which a list goes through the pieces, place by place; if there is one."""
    *_, last = expr.loops
    match expr.value, last.domain:
        case m.Local(slot=slot), m.Read(element=element) if (
            slot == last.slot and expr.kind == "list" and expr.where is None and element.kind in ("pile", "bag")
        ):
            return () if element.visibility == "hidden" else (element,)
        case _:
            return ()


# ---- going through ----------------------------------------------------------------------------------------------


class Going:
    """One way through a game. target: the statement at which the worlds are noted; without it all is gone through."""

    def __init__(
        self,
        engine: Engine,
        states: frozenset[str],
        zones: frozenset[str],
        target: m.Statement | None,
        game: m.Game | None = None,
    ) -> None:
        """game: what is gone through, if not the engine's; its defines are the same."""
        self._engine, self._game, self._machine = engine, game or engine.game, engine.machine
        self._states, self._zones, self._target = states, zones, target
        self._found: dict[Hashable, World] = {}
        self._steps = 0
        self._mattering: dict[int, bool] = {}
        self._names: dict[int, tuple[Key, ...]] = {}
        self._performed: dict[Hashable, list[World]] = {}
        self._open: set[Hashable] = set()
        self._compiled: dict[tuple[int, bool], tuple[m.Expr, Fn, int]] = {}
        self._carry: dict[type, Callable[[Any, World], Iterable[World]]] = {
            m.Sequence: self._sequence, m.SetLocal: self._set_local, m.Store: self._store, m.IfStep: self._if,
            m.MatchStep: self._match, m.WithStepExceptions: self._bent, m.ForEach: self._for_each,
            m.ForEachPlayer: self._for_each_player, m.AsPlayer: self._as_player, m.RepeatTimesStep: self._times,
            m.RepeatUntilStep: self._until, m.Perform: self._perform, m.Decide: self._decide,
            m.Simultaneous: self._together, m.RandomValue: self._random, m.Demand: self._demand,
            m.EndGameStep: lambda step, world: (),
        }  # fmt: skip

    def all(self) -> tuple[World, ...]:
        """The worlds at the target. Raises GivenUp."""
        blank = self._machine.blank().cells
        begin: dict[Key, t.Value] = {("state", name): blank[self._game.element[name].offset] for name in self._states}
        begin |= {("pieces", name): () for name in self._zones}
        worlds: list[World] = [begin]
        for routine in (self._game.setup, self._game.play):
            if routine is not None and (routine is not self._game.play or self._comes_to(routine.body)):
                worlds = self._go(routine.body, [_without_slots(each) for each in worlds])
        return tuple(self._found.values())

    def _comes_to(self, step: m.Step) -> bool:
        return self._target is None or any(each is self._target for each in nodes_done(self._game, step))

    def _go(self, step: m.Step, worlds: Iterable[World]) -> list[World]:
        found: dict[Hashable, World] = {}
        matters = self._matters(step)
        for world in worlds:
            if step is self._target:
                self._found[_key(world)] = world
            for after in self._one(step, world) if matters else (forgetting(world, *self._bound(step)),):
                found[_key(after)] = after
        if len(found) > MOST_WORLDS or len(self._found) > MOST_WORLDS:
            raise GivenUp
        return list(found.values())

    def _one(self, step: m.Step, world: World) -> Iterable[World]:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise GivenUp
        carry = self._carry.get(type(step))
        return carry(step, world) if carry is not None else (self._pieces(step, world),)

    # ---- what matters

    def _matters(self, step: m.Step) -> bool:
        """Whether a statement may change what is known of the position or gives a name, or is or holds the target."""
        known = self._mattering.get(id(step))
        if known is None:
            is_name = isinstance(step, m.SetLocal | m.RandomValue)
            known = self._mattering[id(step)] = is_name or any(map(self._changes, nodes_done(self._game, step)))
        return known

    def _changes(self, node: Any) -> bool:
        match node:
            case _ if node is self._target:
                return True
            case m.Store(element=element):
                return element.name in self._states
            case m.MovePiece(source=one, target=two) | m.MoveAll(source=one, target=two):
                return one.element is not two.element and not self._zones.isdisjoint(
                    {one.element.name, two.element.name}
                )
            case m.FillZone(zone=zone) | m.PutPiece(target=zone) | m.RemovePiece(source=zone):
                return zone.element.name in self._zones
            case m.DrawPieces(source=one, target=two) | m.SwapPieces(left=one, right=two):
                return not self._zones.isdisjoint({one.element.name, two.element.name})
            case _:
                return False

    def _bound(self, step: m.Step) -> tuple[Key, ...]:
        """The names that a statement gives, in whatever is in it."""
        if id(step) not in self._names:
            found = (each.slot for each in nodes(step) if isinstance(each, m.SetLocal | m.RandomValue | m.Choice))
            self._names[id(step)] = tuple(("slot", slot) for slot in dict.fromkeys(found))
        return self._names[id(step)]

    # ---- values

    def values(self, expr: m.Expr, world: World) -> Sequence[t.Value] | None:
        """All that an expression may come to in a world; None if that is not known."""
        found = self._value(expr, world)
        if found is not NOT_KNOWN:
            return (found,)
        match expr:
            case m.CallDefine(name=name, arguments=()):
                return self.values(self._game.defines[name].body, world)
            case m.Builtin(name="reversed", arguments=(rows,)):
                found = self.values(rows, world)
                return None if found is None else [tuple(reversed(each)) for each in found]
            case m.AggregateExpr() if _listed_whole(expr):
                (element,) = _listed_whole(expr)
                return self._rows(expr, element, world)
            case _:
                return None

    def _value(self, expr: m.Expr, world: World, is_listed: bool = False) -> Any:
        key = id(expr), is_listed
        if key not in self._compiled:
            size = 1 + max((each.slot for each in nodes(expr) if hasattr(each, "slot")), default=0)
            made = self._machine.items(expr) if is_listed else self._machine.compiled(expr)
            self._compiled[key] = expr, made, size
        _, compiled, size = self._compiled[key]
        cells, slots = Partly("cell", [UNSET] * self._game.cell_count), Partly("slot", [UNSET] * size)
        for (kind, at), value in world.items():
            if kind == "state":
                cells[self._game.element[at].offset] = value
            elif kind == "slot" and at < size:
                slots[at] = value
        try:
            found = compiled(State(cells, [], []), slots)
            return list(found) if is_listed else found
        except (Missing, Undefined, OverBudget):
            return NOT_KNOWN

    def _rows(self, expr: m.AggregateExpr, element: m.Element, world: World) -> Sequence[t.Value] | None:
        """What a list comes to that takes each place of a zone once: the pieces there in any order."""
        pieces = world.get(("pieces", element.name))
        *outer, last = expr.loops
        assert isinstance(last.domain, m.Read)
        if not isinstance(pieces, tuple):
            return None
        places: list[int] = []
        for each in self._loops(outer, world):
            indices = None if each is None else [self._value(index, each) for index in last.domain.indices]
            if indices is None or NOT_KNOWN in indices:
                return None
            places.append(self._machine.cell(element.name, indices))
        if sorted(places) != list(range(element.offset, element.offset + element.count)):
            return None
        found = []
        for row in permutations(pieces):
            found.append(row)
            if len(found) > MOST_ROWS:
                return None
        return list(dict.fromkeys(found))

    def _loops(self, loops: Sequence[m.Loop], world: World) -> Iterator[World | None]:
        if not loops:
            yield world
            return
        items = self._value(loops[0].domain, world, True)
        if items is NOT_KNOWN:
            yield None
            return
        for item in items:
            yield from self._loops(loops[1:], _with(world, loops[0].slot, item))

    def _holds(self, condition: m.Expr, world: World) -> tuple[bool, ...]:
        """What a condition may come to."""
        found = self._value(condition, world)
        return (False, True) if found is NOT_KNOWN else (bool(found),)

    # ---- statements

    def _sequence(self, step: m.Sequence, world: World) -> Iterable[World]:
        worlds = [world]
        for each in step.body:
            worlds = self._go(each, worlds)
        return worlds

    def _set_local(self, step: m.SetLocal, world: World) -> Iterable[World]:
        values = self.values(step.value, world)
        if values is None:
            return (forgetting(world, ("slot", step.slot)),)
        return [_with(world, step.slot, value) for value in values]

    def _store(self, step: m.Store, world: World) -> Iterable[World]:
        key = "state", step.element.name
        if step.element.name not in self._states:
            return (world,)
        values = self.values(step.value, world)
        if values is None:
            return (forgetting(world, key),)
        return [{**world, key: value} for value in values]

    def _if(self, step: m.IfStep, world: World) -> Iterable[World]:
        for holds in self._holds(step.condition, world):
            body = step.then if holds else step.otherwise
            yield from (world,) if body is None else self._go(body, [world])

    def _match(self, step: m.MatchStep, world: World) -> Iterable[World]:
        subject = self._value(step.subject, world)
        for case in step.cases:
            if subject is NOT_KNOWN:
                yield from self._go(case.body, [forgetting(world, *(("slot", each.slot) for each in case.binds))])
            elif case.values is None or subject in case.values:
                bound = {("slot", each.slot): each.table[subject] for each in case.binds}
                yield from self._go(case.body, [{**world, **bound}])
                return
        yield world

    def _bent(self, step: m.WithStepExceptions, world: World) -> Iterable[World]:
        held = [(each, self._holds(each.condition, world)) for each in step.exceptions]
        if all(False in holds for _, holds in held):
            yield from self._go(step.body, [world])
        for each, holds in held:
            if True in holds:
                yield from self._go(each.body, [world])

    def _for_each(self, step: m.ForEach, world: World) -> Iterable[World]:
        return self._turns(step.loops, step, [world])

    def _turns(self, loops: Sequence[m.Loop], step: m.ForEach, worlds: Sequence[World]) -> list[World]:
        if not loops:
            return self._go(step.body, [w for w in worlds if step.where is None or True in self._holds(step.where, w)])
        found: dict[Hashable, World] = {}
        slot = ("slot", loops[0].slot)
        for world in worlds:
            items = self._value(loops[0].domain, world, True)
            if items is NOT_KNOWN:
                rows = self.values(loops[0].domain, world)
            else:
                rows = [items]
            if rows is None:
                after = self._again(
                    lambda some: self._turns(loops[1:], step, [forgetting(each, slot) for each in some]), [world]
                )
            else:
                after = [each for row in rows for each in self._along(row, loops, step, world)]
            found.update((_key(each), each) for each in after)
        return list(found.values())

    def _along(self, row: Iterable[t.Value], loops: Sequence[m.Loop], step: m.ForEach, world: World) -> list[World]:
        worlds: dict[Hashable, World] = {_key(world): world}
        for item in row:
            inner = [_with(each, loops[0].slot, item) for each in worlds.values()]
            after = self._turns(loops[1:], step, inner)
            if step.where is not None:
                after = [*inner, *after]
            worlds = {_key(each): each for each in after}
            self._bounded(worlds)
        return [forgetting(each, ("slot", loops[0].slot)) for each in worlds.values()]

    def _for_each_player(self, step: m.ForEachPlayer, world: World) -> Iterable[World]:
        items = self._value(step.order, world, True)
        rows = self.values(step.order, world) if items is NOT_KNOWN else [items]
        if rows is None:
            anybody = lambda some: self._go(step.body, [forgetting(each, ("slot", 0)) for each in some])  # noqa: E731
            return [_as_before(world, each) for each in self._again(anybody, [world])]
        found: list[World] = []
        for row in rows:
            worlds = [world]
            for item in row:
                worlds = self._go(step.body, [_with(each, 0, item) for each in worlds])
            found += [_as_before(world, each) for each in worlds]
        return found

    def _as_player(self, step: m.AsPlayer, world: World) -> Iterable[World]:
        player = self._value(step.player, world)
        inner = forgetting(world, ("slot", 0)) if player is NOT_KNOWN else _with(world, 0, player)
        return [_as_before(world, each) for each in self._go(step.body, [inner])]

    def _times(self, step: m.RepeatTimesStep, world: World) -> Iterable[World]:
        count = self._value(step.count, world)
        if count is NOT_KNOWN:
            return self._again(lambda some: self._go(step.body, some), [world])
        worlds = [world]
        for _ in range(count):
            worlds = self._go(step.body, worlds)
        return worlds

    def _until(self, step: m.RepeatUntilStep, world: World) -> Iterable[World]:
        waiting, seen, found = [world], set[Hashable](), []
        while waiting:
            after = self._go(step.body, waiting)
            waiting = []
            for each in after:
                ends = (False,) if step.until is None else self._holds(step.until, each)
                if True in ends:
                    found.append(each)
                if False in ends and _key(each) not in seen:
                    seen.add(_key(each))
                    waiting.append(each)
        return found

    def _again(self, body: Callable[[list[World]], list[World]], worlds: list[World]) -> list[World]:
        """The body carried out any number of times."""
        found = {_key(each): each for each in worlds}
        waiting = list(worlds)
        while waiting:
            after = {_key(each): each for each in body(waiting)}
            waiting = [each for key, each in after.items() if key not in found]
            found.update(after)
            self._bounded(found)
        return list(found.values())

    @staticmethod
    def _bounded(worlds: Mapping[Hashable, World]) -> None:
        if len(worlds) > MOST_WORLDS:
            raise GivenUp

    # ---- what players do

    def _perform(self, step: m.Perform, world: World) -> Iterable[World]:
        return self._done(step.action, step.arguments, world)

    def _done(self, action: str, arguments: Sequence[m.Expr], world: World) -> list[World]:
        """An action carried out, whatever is chosen in it."""
        if not self._matters(self._game.actions[action].body):
            return [world]
        inner: dict[Key, t.Value] = dict(_without_slots(world))
        if ("slot", 0) in world:
            inner["slot", 0] = world["slot", 0]
        for at, argument in enumerate(arguments, start=1):
            value = self._value(argument, world)
            if value is not NOT_KNOWN:
                inner["slot", at] = value
        key = action, _key(inner)
        if key not in self._performed:
            if key in self._open:
                raise GivenUp
            self._open.add(key)
            done = self._go(self._game.actions[action].body, [inner])
            self._open.discard(key)
            self._performed[key] = list({_key(each): each for each in map(_without_slots, done)}.values())
        return [_as_before(world, each, True) for each in self._performed[key]]

    def _decide(self, step: m.Decide, world: World) -> Iterable[World]:
        def once(some: list[World]) -> list[World]:
            return [each for world in some for each in self._chosen(step.options, world)]

        return self._again(once, [world]) if step.repeating else [world, *once([world])]

    def _together(self, step: m.Simultaneous, world: World) -> Iterable[World]:
        def once(some: list[World]) -> list[World]:
            anybody = [forgetting(each, ("slot", 0)) for each in some]
            return [_as_before(world, each) for one in anybody for each in self._chosen(step.options, one)]

        return self._again(once, [world])

    def _chosen(self, options: Iterable[m.MoveOption], world: World) -> Iterator[World]:
        for option in options:
            if isinstance(option, m.ActionOption):
                yield from self._done(option.action, option.arguments, world)
            else:
                chosen = forgetting(world, *(("slot", each.slot) for each in option.choices))
                yield from self._go(option.body, [chosen])

    def _random(self, step: m.RandomValue, world: World) -> Iterable[World]:
        items = self._value(step.domain, world, True)
        if items is NOT_KNOWN:
            return (forgetting(world, ("slot", step.slot)),)
        drawn = [_with(world, step.slot, item) for item in dict.fromkeys(items)]
        return [each for each in drawn if step.where is None or True in self._holds(step.where, each)]

    def _demand(self, step: m.Demand, world: World) -> Iterable[World]:
        return (world,)

    # ---- pieces

    def _pieces(self, step: Any, world: World) -> World:
        """Pieces that enter, leave or are moved."""
        touched = {node.element.name for node in nodes(step) if isinstance(node, m.ZoneRef)} & self._zones
        for name in touched:
            key = "pieces", name
            match step:
                case (
                    m.MovePiece(source=one, target=two)
                    | m.MoveAll(source=one, target=two)
                    | m.DrawPieces(source=one, target=two)
                    | m.SwapPieces(left=one, right=two)
                ) if one.element.name == two.element.name:
                    continue
                case m.ShuffleZone():
                    continue
                case m.PutPiece(piece=piece) if t.element_type(piece.type) is None:
                    value = self._value(piece, world)
                    if value is not NOT_KNOWN and key in world:
                        world = {**world, key: tuple(sorted((*world[key], value)))}
                        continue
            world = forgetting(world, key)
        return world


def nodes_done(game: m.Game, part: Any) -> Iterator[Any]:
    """The nodes of a part, and of the actions that it performs or offers."""
    waiting, seen = [part], set[str]()
    while waiting:
        for node in nodes(waiting.pop()):
            yield node
            if isinstance(node, m.Perform | m.ActionOption) and node.action not in seen:
                seen.add(node.action)
                waiting.append(game.actions[node.action].body)


def _key(world: World) -> Hashable:
    return frozenset(world.items())


def _with(world: World, slot: int, value: t.Value) -> World:
    return {**world, ("slot", slot): value}


def forgetting(world: World, *keys: Key) -> World:
    return {key: value for key, value in world.items() if key not in keys}


def _without_slots(world: World) -> World:
    return {key: value for key, value in world.items() if key[0] != "slot"}


def _as_before(world: World, after: World, all_slots: bool = False) -> World:
    """A world with who acts as before; all_slots: and all names."""
    kept = {key: value for key, value in world.items() if key[0] == "slot" and (all_slots or key[1] == 0)}
    rest = (key for key in after if key[0] != "slot" or not (all_slots or key[1] == 0))
    return {**{key: after[key] for key in rest}, **kept}
