"""Whether what two games do otherwise is never looked at: they write other things into cells that nothing reads before
they are written anew.

Both games are gone through as one (`merged`), from the beginning with all that can follow, as in `reached`. Where they
part, every cell that either of them changes there counts as unlike from then on. If nothing that follows asks for an
unlike cell, both go alike for ever: the same is on offer, the same is drawn, and the same is counted at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..walk import BINDERS, children, free_slots, nodes, nodes_called, reachable
from .contrast import told
from .reached import NOT_KNOWN, GivenUp, Going, Key, World, forgetting, single_states

UNLIKE = "unlike"
Cell = tuple[str, tuple[t.Value, ...] | None]
"""Of an element, the cell with these indices; None: any of its cells."""
FAULTY = m.Checked | m.PickExpr | m.MakeRecord | m.MakeWord | m.Unsaid | m.CanPerform
"""What may fail, or asks for more than it names."""


def never_looked_at(left: Engine, right: Engine, actions: Iterable[str], routines: Iterable[str]) -> frozenset[str]:
    """The elements in which both may come to differ without anything that ever asks for it; nothing if that is not
    known. actions, routines: those that are not told alike; all else is."""
    try:
        merging = _Merging()
        game = _as_one(left.game, right.game, actions, routines, merging)
        if not merging.apart:
            return frozenset()
        elements = _ever_unlike(game, merging)
        if any(_reads(game, each, elements) for each in (*game.scores, *game.winner)):
            return frozenset()
        if elements & {zone.element.name for each in game.refills for zone in (each.zone, each.source)}:
            return frozenset()
        _Unlike(left, game, merging, elements).all()
    except (GivenUp, RecursionError):
        return frozenset()
    return elements


# ---- both games as one ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Merging:
    """The places at which the games part: sequences of what the left one does, and what the right one does instead."""

    apart: dict[int, tuple[m.Sequence, tuple[m.Step, ...]]] = field(default_factory=dict)

    def step(self, left: m.Step | None, right: m.Step | None) -> m.Step | None:
        """Both steps as one. Raises GivenUp."""
        if told(left) == told(right):
            return left
        mine, theirs = _items(left), _items(right)
        before = _alike_at_begin(mine, theirs)
        behind = _alike_at_begin(mine[before:][::-1], theirs[before:][::-1])
        one, other = mine[before : len(mine) - behind], theirs[before : len(theirs) - behind]
        middle = self._inside(one[0], other[0]) if len(one) == len(other) == 1 else None
        if middle is None:
            middle = self._parting(one, other)
        return m.Sequence(middle.path, middle.span, (*mine[:before], middle, *mine[len(mine) - behind :]))

    def _parting(self, left: tuple[m.Step, ...], right: tuple[m.Step, ...]) -> m.Sequence:
        first = (*left, *right)[0]
        found = m.Sequence(first.path, first.span, left)
        self.apart[id(found)] = found, right
        return found

    def _inside(self, left: m.Step, right: m.Step) -> m.Step | None:
        """Both as one that part only inside; None if they do not."""
        match left, right:
            case m.IfStep(), m.IfStep() if told(left.condition) == told(right.condition):
                return replace(
                    left, then=self._whole(left.then, right.then), otherwise=self.step(left.otherwise, right.otherwise)
                )
            case ((m.ForEach() | m.ForEachPlayer() | m.AsPlayer() | m.RepeatTimesStep() | m.RepeatUntilStep()), _) if (
                type(left) is type(right) and _head(left) == _head(right)
            ):
                return replace(left, body=self._whole(left.body, right.body))
            case m.Sequence(), m.Sequence():
                return self.step(left, right)
            case _:
                return None

    def _whole(self, left: m.Step, right: m.Step) -> m.Step:
        found = self.step(left, right)
        assert found is not None
        return found


def _items(step: m.Step | None) -> tuple[m.Step, ...]:
    if step is None:
        return ()
    return step.body if isinstance(step, m.Sequence) else (step,)


def _alike_at_begin(left: tuple[m.Step, ...], right: tuple[m.Step, ...]) -> int:
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if told(one) != told(other)), min(len(left), len(right)))


def _head(step: m.Step) -> object:
    """All that a loop says besides its body."""
    return [told(getattr(step, name)) for name in step.__dataclass_fields__ if name not in ("body", "span")]


def _as_one(left: m.Game, right: m.Game, actions: Iterable[str], routines: Iterable[str], merging: _Merging) -> m.Game:
    """The left game, with the places in it at which the right one does otherwise. Raises GivenUp."""
    changed: dict[str, m.Action] = {}
    for name in actions:
        mine, theirs = left.actions.get(name), right.actions.get(name)
        if mine is None or theirs is None:
            raise GivenUp
        body = merging.step(mine.body, theirs.body)
        if body is None or told(replace(mine, body=body)) != told(replace(theirs, body=body)):
            raise GivenUp
        changed[name] = replace(mine, body=body)
    parts: dict[str, Any] = {}
    for name in routines:
        one, other = getattr(left, name), getattr(right, name)
        if one is None or other is None:
            raise GivenUp
        parts[name] = replace(one, body=merging.step(one.body, other.body))
    return replace(left, actions={**left.actions, **changed}, **parts)


# ---- what may become unlike -------------------------------------------------------------------------------------


def _ever_unlike(game: m.Game, merging: _Merging) -> frozenset[str]:
    """The elements that are written where the games part, and those into which what lies there may come."""
    found: set[str] = set()
    for mine, theirs in merging.apart.values():
        for node in (each for step in (mine, *theirs) for each in nodes(step)):
            found |= {node.element.name} if isinstance(node, m.Store | m.ZoneRef) else set()
    steps = [node for part in _bodies(game) for node in nodes(part)]
    while more := {name for step in steps for name in _carried(game, step, found)} - found:
        found |= more
    return frozenset(found)


def _carried(game: m.Game, step: Any, found: Collection[str]) -> Iterator[str]:
    """Where what is unlike goes on to."""
    match step:
        case m.Store(element=element, value=value) if _reads(game, value, found):
            yield element.name
        case m.MoveAll(source=source, target=target) if source.element.name in found:
            yield target.element.name
        case _:
            pass


def _bodies(game: m.Game) -> Iterator[m.Step]:
    yield from (each.body for each in (game.setup, game.play) if each is not None)
    yield from (each.body for each in game.actions.values())


def _reads(game: m.Game, part: Any, elements: Collection[str]) -> bool:
    """Whether a part asks for one of the elements, be it by what it calls or would do."""
    found = [*reachable(game, (part,))]
    if any(isinstance(node, m.Builtin) and node.name == "total" for node in found):
        found += reachable(game, game.scores)
    return any(_is_asking(node, elements) for node in found)


def _is_asking(node: Any, elements: Collection[str]) -> bool:
    """Whether a node reads one of the elements, or asks for what all may bear on."""
    match node:
        case m.Read(element=element) | m.ZoneRef(element=element):
            return element.name in elements
        case m.Builtin(name="winner" | "game_over"):
            return True
        case _:
            return False


# ---- going through ----------------------------------------------------------------------------------------------


class _Unlike(Going):
    """One way through the games, as one; raises GivenUp where something asks for a cell that may be unlike. elements:
    those that may ever be."""

    def __init__(self, engine: Engine, game: m.Game, merging: _Merging, elements: frozenset[str]) -> None:
        steps = [step for part in _bodies(game) for step in nodes(part)]
        places = [each for each in steps if isinstance(each, m.Read | m.ZoneRef | m.Store)]
        indices = [index for each in places if each.element.name in elements for index in each.indices]
        super().__init__(engine, single_states(game, indices) - elements, frozenset(), None, game)
        self._merging, self._elements = merging, elements
        self._asking: dict[int, tuple[Any, ...]] = {}

    def _changes(self, node: Any) -> bool:
        if id(node) in self._merging.apart or super()._changes(node):
            return True
        match node:
            case m.Read(element=element) | m.ZoneRef(element=element) | m.Store(element=element):
                return element.name in self._elements
            case m.CallDefine() | m.CanPerform() | m.Builtin() | m.ActionOption() | m.Perform():
                return _reads(self._game, node, self._elements)
            case _:
                return False

    def _one(self, step: m.Step, world: World) -> Iterable[World]:
        parting = self._merging.apart.get(id(step))
        if parting is not None:
            mine, theirs = parting
            cells = [cell for each in (*mine.body, *theirs) for cell in self._written(each, world)]
            return ({**world, **{(UNLIKE, cell): True for cell in cells}},)
        if not any(kind == UNLIKE for kind, _ in world):
            return super()._one(step, world)
        self._unasked(_own(step), forgetting(world, *_named(step)))
        match step:
            case m.Decide(options=options) | m.Simultaneous(options=options):
                self._offered(options, world)
            case m.Perform(action=name):
                self._begun(name, world)
            case m.Store():
                return [self._stored(step, each, world) for each in super()._one(step, world)]
            case m.MoveAll(source=source, target=target):
                return (self._moved(source, target, world),)
            case (
                m.PutPiece(target=target)
                | m.FillZone(zone=target)
                | m.MovePiece(target=target)
                | m.DrawPieces(target=target)
            ) if target.element.kind == "one" and self._is_unlike(target, world, frozenset()):
                raise GivenUp
            case _:
                pass
        return super()._one(step, world)

    def _value(self, expr: m.Expr, world: World, is_listed: bool = False) -> Any:
        """Raises GivenUp for what asks for an unlike cell, also where it is worked out anew while a step goes on: when
        a loop ends, which turns it has."""
        if any(kind == UNLIKE for kind, _ in world):
            self._unasked((expr,), world)
        return super()._value(expr, world, is_listed)

    # ---- where the games part

    def _written(self, step: m.Step, world: World) -> Iterator[Cell]:
        """The cells that a step may change, which asks nobody and always succeeds. Raises GivenUp."""
        if any(map(self._may_fail, (*_own(step), *([step.value] if isinstance(step, m.Store) else [])))):
            raise GivenUp
        match step:
            case m.Sequence(body=body):
                for each in body:
                    yield from self._written(each, world)
            case m.Store(element=element) if element.name not in self._states:
                yield self._cell(step, world, frozenset())
            case m.MoveAll(source=source, target=target) if _is_quiet(source, target):
                yield self._cell(source, world, frozenset())
                yield self._cell(target, world, frozenset())
            case m.IfStep(then=then, otherwise=otherwise):
                yield from self._written(then, world)
                if otherwise is not None:
                    yield from self._written(otherwise, world)
            case m.ForEach(loops=loops, body=body):
                yield from self._written(body, forgetting(world, *(("slot", each.slot) for each in loops)))
            case m.RepeatTimesStep(body=body):
                yield from self._written(body, world)
            case _:
                raise GivenUp

    def _may_fail(self, part: Any) -> bool:
        """Whether to work it out may fail, be it by what it calls."""
        for node in nodes_called(self._game, part):
            match node:
                case m.Arithmetic(operator="div" | "mod") | m.AggregateExpr(kind="max" | "min", otherwise=None):
                    return True
                case m.ExtremumExpr(items=()) | m.WithExceptions(exceptions=(_, _, *_)):
                    return True
                case m.Builtin(name=name) if name not in ("size", "number", "abs", "index", "clockwise", "reversed"):
                    return True
                case m.CallDefine(name=name) if self._game.defines[name].cycle is not None:
                    return True
                case _ if isinstance(node, FAULTY):
                    return True
                case _:
                    pass
        return False

    # ---- what goes on

    def _stored(self, step: m.Store, after: World, world: World) -> World:
        """A cell that is written anew is alike again; it is not if what is written hangs on an unlike one."""
        if step.element.name not in self._elements:
            return after
        cell = self._cell(step, world, frozenset())
        if self._asks(step.value, world):
            if self._may_fail(step.value):
                raise GivenUp
            return {**after, (UNLIKE, cell): True}
        return after if cell[1] is None else forgetting(after, (UNLIKE, cell))

    def _moved(self, source: m.ZoneRef, target: m.ZoneRef, world: World) -> World:
        if not self._is_unlike(source, world, frozenset()):
            if target.element.kind == "one" and self._is_unlike(target, world, frozenset()):
                raise GivenUp
            return world
        if not _is_quiet(source, target):
            raise GivenUp
        return {**world, (UNLIKE, self._cell(target, world, frozenset())): True}

    # ---- what asks

    def _offered(self, options: Iterable[m.MoveOption], world: World) -> None:
        for option in options:
            if isinstance(option, m.ActionOption):
                self._unasked(option.arguments, world)
                self._begun(option.action, world)
            else:
                inner = forgetting(world, *(("slot", each.slot) for each in option.choices))
                self._unasked((*option.choices, *option.requirements), inner)

    def _begun(self, name: str, world: World) -> None:
        """An action is on offer, or is done."""
        action = self._game.actions[name]
        self._unasked((*action.choices, *action.requirements), _without_names(world))

    def _unasked(self, parts: Iterable[Any], world: World) -> None:
        """Raises GivenUp if a part asks for a cell that may be unlike."""
        if any(self._asks(part, world) for part in parts):
            raise GivenUp

    def _asks(self, part: Any, world: World) -> bool:
        """Whether an expression asks for a cell that may be unlike."""
        if id(part) not in self._asking:
            self._asking[id(part)] = part, *self._askers(part, frozenset())
        elsewhere = _without_names(world)
        return any(
            node is None or self._is_unlike(node, elsewhere if bound is None else world, bound or frozenset())
            for node, bound in self._asking[id(part)][1:]
        )

    def _askers(self, part: Any, seen: frozenset[str]) -> Iterator[tuple[Any, frozenset[int] | None]]:
        """The reads of elements that may be unlike, with the names that are given anew around them; None for the names
        of those that stand in a define; None for what asks for anything."""
        bound = frozenset(node.slot for node in nodes(part) if isinstance(node, BINDERS))
        for node in nodes(part):
            match node:
                case m.Read(element=element) | m.ZoneRef(element=element) if element.name in self._elements:
                    yield node, bound
                case m.CanPerform() | m.Builtin() if _reads(self._game, _alone(node), self._elements):
                    yield None, None
                case m.CallDefine(name=name) if name not in seen:
                    define = self._game.defines[name]
                    inside = (define.body, *([define.cycle] if define.cycle is not None else []))
                    for each in inside:
                        for found, _ in self._askers(each, seen | {name}):
                            yield found, None
                case _:
                    pass

    def _is_unlike(self, place: Any, world: World, bound: frozenset[int]) -> bool:
        name, indices = self._cell(place, world, bound)
        held: set[Any] = {cell for kind, cell in world if kind == UNLIKE and cell[0] == name}
        return bool(held) if indices is None else bool({(name, None), (name, indices)} & held)

    def _cell(self, place: m.Read | m.ZoneRef | m.Store, world: World, bound: frozenset[int]) -> Cell:
        values: list[t.Value] = []
        for index in place.indices:
            slots = free_slots(index)
            if slots & bound or any(("slot", slot) not in world for slot in slots):
                return place.element.name, None
            found = self._value(index, world)
            if found is NOT_KNOWN:
                return place.element.name, None
            values.append(found)
        return place.element.name, tuple(values)


def _without_names(world: World) -> World:
    return {key: value for key, value in world.items() if key[0] != "slot"}


def _named(step: m.Step) -> Iterator[Key]:
    """The names that a step gives before it asks for anything else."""
    match step:
        case m.ForEach(loops=loops):
            yield from (("slot", each.slot) for each in loops)
        case m.RandomValue(slot=slot):
            yield "slot", slot
        case _:
            return


def _alone(node: m.CanPerform | m.Builtin) -> m.Expr:
    """The node without what is given to it, which is asked for by itself."""
    return replace(node, arguments=())


def _is_quiet(source: m.ZoneRef, target: m.ZoneRef) -> bool:
    """Whether nobody comes to see a piece that is moved, and it always succeeds."""
    hidden = source.element.visibility == "hidden"
    return target.element.kind != "one" and (not hidden or target.element.visibility == "hidden")


def _own(step: m.Step) -> Iterator[Any]:
    """What a step asks for itself, apart from the steps in it and from what is on offer."""
    match step:
        case m.Store(indices=indices):
            yield from indices
        case m.MatchStep(subject=subject):
            yield subject
        case m.WithStepExceptions(exceptions=exceptions):
            yield from (each.condition for each in exceptions)
        case m.MoveAll(source=source, target=target):
            yield from (*source.indices, *target.indices)
        case m.MovePiece(piece=piece, source=source, target=target):
            yield from (*([] if piece is None else [piece]), source, *target.indices)
        case m.DrawPieces(count=count, source=source, target=target):
            yield from (count, source, *target.indices)
        case m.PutPiece(piece=piece, target=target):
            yield from (piece, *target.indices)
        case m.FillZone(zone=zone, pieces=pieces):
            yield from (pieces, *zone.indices)
        case m.Decide() | m.Simultaneous():
            return
        case _:
            yield from (each for each in children(step) if not isinstance(each, m.Statement))
