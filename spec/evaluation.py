"""What an expression is worth: a walk over the typed tree, without memo, folding or shortcut.

This is the meaning of the language's expressions. What is known before play (facts, sizes, defaults, first values,
conditions of records) is worked out here and nowhere else; the engine compiles the same expressions, and tests hold
both to the same values and the same faults.

What an expression asks beyond its own slots and the defines (a state's cells, scores, what can be done) it asks of a
`Position`. Before play there is none, and who asks is told `NotConstant`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, Protocol, TypeAlias

from . import faults
from . import model as m
from .budget import DEFAULT_BUDGET, Meter
from .operators import ARITHMETIC, COMPARE, LARGEST_NUMBER
from .types import (
    BagOf,
    ListOf,
    Never,
    Optional,
    PlayerType,
    Record,
    SetOf,
    Type,
    Value,
    Words,
    contains,
    element_type,
    values,
)

Slots: TypeAlias = dict[int, Value]


class NotConstant(Exception):
    """The expression depends on the course of play."""


class NotKnown(NotConstant):
    """A part of the expression was reported: nothing more is to be said of it."""


class Position(Protocol):
    """What can be asked of a state of play. A pile is held with its top last."""

    def held(self, element: m.Element, indices: tuple[Value, ...], read: m.Read, path: str | None) -> Value:
        """What lies in a cell, as `m.Element` has it. Raises SpecFault for what nobody has seen."""

    def told(self, asked: m.Builtin | m.CanPerform, me: Value, arguments: tuple[Value, ...], path: str | None) -> Value:
        """The answer to `can`, `total`, `winner`, `game_over`."""


def value_of(
    expression: m.Expr,
    slots: Mapping[int, Value] | None = None,
    defines: Mapping[str, m.Define] | None = None,
    position: Position | None = None,
    path: str | None = None,
    meter: Meter | None = None,
) -> Value:
    """The value of an expression.

    Args:
        slots: what its free slots hold.
        defines: what it may call. A name that is not there raises NotKnown.
        position: where a game stands; None before play.
        path: the clause it stands in.
        meter: what counts the work; if it is not given, this is a piece of work by itself.

    Raises SpecFault where the rules give it none, NotConstant where it depends on play and there is no position.
    """
    walk = _Walk(defines or {}, position, set(), meter or Meter(DEFAULT_BUDGET))
    return walk.of(expression, dict(slots or {}), path)


class _Walk:
    """One walk. active: calls of defines with a `cycle` that are being worked out."""

    def __init__(
        self, defines: Mapping[str, m.Define], position: Position | None, active: set[Any], meter: Meter
    ) -> None:
        self.defines, self.position, self.active, self.meter = defines, position, active, meter

    def of(self, node: m.Expr, f: Slots, path: str | None) -> Value:
        """The value of a node in the frame f, in the clause `path`."""
        self.meter.left -= 1
        self.meter.descend(1, path, node.span)
        try:
            value = _KINDS[type(node)](self, node, f, path)
        finally:
            self.meter.ascend(1)
        if self.meter.left < 0:
            raise self.meter.over(path, node.span)
        if node.narrowed and value is None:
            raise faults.none_there(node, path)
        return value

    def all(self, nodes: Iterable[m.Expr], f: Slots, path: str | None) -> tuple[Value, ...]:
        return tuple([self.of(node, f, path) for node in nodes])

    # ---- names and parts

    def constant(self, node: m.Constant, f: Slots, path: str | None) -> Value:
        if isinstance(node.type, Never):
            raise NotKnown
        return node.value

    def local(self, node: m.Local, f: Slots, path: str | None) -> Value:
        if node.slot not in f:
            raise NotConstant
        return f[node.slot]

    def read(self, node: m.Read, f: Slots, path: str | None) -> Value:
        held = self.raw(node, f, path)
        return held[::-1] if node.element.kind == "pile" else held

    def raw(self, node: m.Read, f: Slots, path: str | None) -> Value:
        if self.position is None:
            raise NotConstant
        return self.position.held(node.element, self.all(node.indices, f, path), node, path)

    def call(self, node: m.CallDefine, f: Slots, path: str | None) -> Value:
        define = self.defines.get(node.name)
        if define is None:
            raise NotKnown
        if isinstance(define.body, m.Unsaid):
            raise faults.unsaid(replace(define.body, span=node.span), path)
        given = self.all(node.arguments, f, path)
        frame = dict(enumerate(given, start=1))
        if define.cycle is None:
            return self.of(define.body, frame, node.name)
        key = (node.name, *given)
        if key in self.active:
            return self.of(define.cycle, frame, node.name)
        self.active.add(key)
        try:
            return self.of(define.body, frame, node.name)
        finally:
            self.active.discard(key)

    def table_field(self, node: m.TableField, f: Slots, path: str | None) -> Value:
        value = self.of(node.operand, f, path)
        return None if value is None else node.table[value]

    def make_record(self, node: m.MakeRecord, f: Slots, path: str | None) -> Value:
        assert isinstance(node.record, Record)
        return node.record.positions.get(self.all(node.parts, f, path))

    def make_word(self, node: m.MakeWord, f: Slots, path: str | None) -> Value:
        assert isinstance(node.words, Words)
        return node.words.positions[node.case, self.all(node.parts, f, path)]

    # ---- operators

    def arithmetic(self, node: m.Arithmetic, f: Slots, path: str | None) -> Value:
        if node.operator in ("div", "mod"):
            by = self.of(node.right, f, path)
            if by == 0:
                raise faults.divided_by_zero(node, path)
            return ARITHMETIC[node.operator](self.of(node.left, f, path), by)
        value = ARITHMETIC[node.operator](self.of(node.left, f, path), self.of(node.right, f, path))
        if node.operator == "*" and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            raise faults.too_large(node, path)
        return value

    def combine(self, node: m.Combine, f: Slots, path: str | None) -> Value:
        left, right = (self._operand(side, f, path) for side in (node.left, node.right))
        self.meter.take(len(left) + len(right), path, node.span)
        match node.type:
            case SetOf():
                return (
                    frozenset(left) | frozenset(right) if node.operator == "+" else frozenset(left) - frozenset(right)
                )
            case ListOf():
                return (*left, *right)
            case of:
                counts = Counter(left)
                counts = counts + Counter(right) if node.operator == "+" else counts - Counter(right)
                return ordered(element_type(of) or of, counts.elements())

    def _operand(self, node: m.Expr, f: Slots, path: str | None) -> tuple[Value, ...]:
        """A collection; a zone for one piece counts as one."""
        return listed(node.type, self.of(node, f, path))

    def minus(self, node: m.Minus, f: Slots, path: str | None) -> Value:
        return -self.of(node.operand, f, path)

    def not_(self, node: m.NotExpr, f: Slots, path: str | None) -> Value:
        return not self.of(node.operand, f, path)

    def comparison(self, node: m.Comparison, f: Slots, path: str | None) -> Value:
        return COMPARE[node.operator](self.of(node.left, f, path), self.of(node.right, f, path))

    def member(self, node: m.Member, f: Slots, path: str | None) -> Value:
        item, held = self.of(node.item, f, path), self.of(node.collection, f, path)
        self.meter.take(len(held) if isinstance(held, tuple) else 1, path, node.span)
        return (item in listed(node.collection.type, held)) != node.negated

    def logic(self, node: m.Logic, f: Slots, path: str | None) -> Value:
        left = self.of(node.left, f, path)
        match node.operator:
            case "and":
                return left and self.of(node.right, f, path)
            case "or":
                return left or self.of(node.right, f, path)
            case "implies":
                return not left or self.of(node.right, f, path)

    def empty_test(self, node: m.EmptyTest, f: Slots, path: str | None) -> Value:
        return (self._whole(node.operand, f, path) in (None, (), frozenset())) != node.negated

    def _whole(self, node: m.Expr, f: Slots, path: str | None) -> Value:
        """What is only counted: nobody needs to have seen it, and it may be none."""
        return self.raw(node, f, path) if isinstance(node, m.Read) else _KINDS[type(node)](self, node, f, path)

    def checked(self, node: m.Checked, f: Slots, path: str | None) -> Value:
        value = self.of(node.operand, f, node.path)
        inside = isinstance(node.type, Optional) if value is None else contains(node.type, value)
        if not inside:
            raise faults.outside(node, value)
        return value

    # ---- branches

    def if_(self, node: m.IfExpr, f: Slots, path: str | None) -> Value:
        return self.of(node.then if self.of(node.condition, f, path) else node.otherwise, f, path)

    def let(self, node: m.LetExpr, f: Slots, path: str | None) -> Value:
        f[node.slot] = self.of(node.value, f, path)
        return self.of(node.body, f, path)

    def match(self, node: m.MatchExpr, f: Slots, path: str | None) -> Value:
        value = self.of(node.subject, f, path)
        for case in node.cases:
            if case.values is None or value in case.values:
                f.update((bind.slot, bind.table[value]) for bind in case.binds)
                return self.of(case.body, f, case.path)
        raise faults.no_arm(node, value, path)

    def with_exceptions(self, node: m.WithExceptions, f: Slots, path: str | None) -> Value:
        holding = [
            (each.path, self.of(each.value, f, each.path))
            for each in node.exceptions
            if self.of(each.condition, f, each.path)
        ]
        if not holding:
            return self.of(node.body, f, node.path)
        (one, value), *others = holding
        for other, different in others:
            if different != value:
                raise faults.contradiction(node, one, other)
        return value

    def unsaid(self, node: m.Unsaid, f: Slots, path: str | None) -> NoReturn:
        raise faults.unsaid(node, path)

    # ---- collections

    def set_(self, node: m.SetExpr, f: Slots, path: str | None) -> Value:
        return frozenset(self.all(node.items, f, path))

    def interval(self, node: m.IntervalExpr, f: Slots, path: str | None) -> Value:
        numbers = range(self.of(node.low, f, path), self.of(node.high, f, path) + 1)
        self.meter.take(len(numbers), path, node.span)
        return frozenset(numbers)

    def all_values(self, node: m.AllValues, f: Slots, path: str | None) -> Value:
        return frozenset(values(node.of))

    def extremum(self, node: m.ExtremumExpr, f: Slots, path: str | None) -> Value:
        return (max if node.kind == "max" else min)(self.all(node.items, f, path))

    def _turns(self, loops: tuple[m.Loop, ...], where: m.Expr | None, f: Slots, path: str | None) -> Iterator[None]:
        """The loops' slots filled with every combination that the condition allows, one after another."""
        if not loops:
            if where is None or self.of(where, f, path):
                yield
            return
        loop, *inner = loops
        items = listed(loop.domain.type, self.of(loop.domain, f, path))
        self.meter.take(len(items), path, loop.domain.span)
        for item in items:
            f[loop.slot] = item
            yield from self._turns(tuple(inner), where, f, path)

    def quantifier(self, node: m.Quantifier, f: Slots, path: str | None) -> Value:
        wanted = node.kind != "every"
        met = any(bool(self.of(node.has, f, path)) == wanted for _ in self._turns(node.loops, node.where, f, path))
        return met == (node.kind == "some")

    def aggregate(self, node: m.AggregateExpr, f: Slots, path: str | None) -> Value:
        items = [self.of(node.value, f, path) for _ in self._turns(node.loops, node.where, f, path)]
        match node.kind:
            case "sum":
                return sum(items)
            case "count":
                return len(items)
            case "set":
                return frozenset(items)
            case "bag":
                return ordered(element_type(node.type) or node.type, items)
            case "list":
                return tuple(items)
            case "max" | "min":
                if items:
                    return max(items) if node.kind == "max" else min(items)
                if node.otherwise is None:
                    raise faults.nothing_to_rank(node, path)
                return self.of(node.otherwise, f, path)

    def pick(self, node: m.PickExpr, f: Slots, path: str | None) -> Value:
        found: list[Value] = []
        for _ in self._turns((node.loop,), node.where, f, path):
            if f[node.loop.slot] not in found:
                found.append(f[node.loop.slot])
            if node.kind == "first" or len(found) > 1:
                break
        if not found and node.otherwise is not None:
            return self.of(node.otherwise, f, path)
        if len(found) != 1:
            raise faults.not_one(node, len(found), path)
        return found[0]

    # ---- functions of the language

    def can(self, node: m.CanPerform, f: Slots, path: str | None) -> Value:
        return self._told(node, f, path)

    def _told(self, node: m.Builtin | m.CanPerform, f: Slots, path: str | None) -> Value:
        if self.position is None:
            raise NotConstant
        return self.position.told(node, f.get(0), self.all(node.arguments, f, path), path)

    def builtin(self, node: m.Builtin, f: Slots, path: str | None) -> Value:
        match node.name:
            case "total" | "winner" | "game_over":
                return self._told(node, f, path)
            case "top":
                pile = node.arguments[0]
                assert isinstance(pile, m.Read)
                held = self.raw(pile, f, path)
                return held[-1] if held else None
            case "size":
                held = self._whole(node.arguments[0], f, path)
                return len(held) if isinstance(held, tuple | frozenset) else int(held is not None)
        first, *rest = self.all(node.arguments, f, path)
        return self._computed(node, first, rest, path)

    def _computed(self, node: m.Builtin, first: Value, rest: list[Value], path: str | None) -> Value:
        match node.name:
            case "seat":
                return first - 1
            case "number":
                return first + 1
            case "opponent":
                return 1 - first
            case "next" | "previous":
                return (first + (1 if node.name == "next" else -1)) % _players(node)
            case "clockwise":
                return tuple([(first + step) % _players(node) for step in range(_players(node))])
            case "abs":
                return abs(first)
            case "index":
                return first
            case "reversed":
                return tuple(listed(node.arguments[0].type, first))[::-1]
            case "place_in":
                items = tuple(listed(node.arguments[0].type, first))
                if rest[0] not in items:
                    raise faults.not_listed(node, rest[0], path)
                return items.index(rest[0]) + 1
        raise AssertionError(node.name)


_KINDS: Mapping[type, Callable[[_Walk, Any, Slots, str | None], Value]] = {
    m.Constant: _Walk.constant,
    m.Local: _Walk.local,
    m.Read: _Walk.read,
    m.CallDefine: _Walk.call,
    m.TableField: _Walk.table_field,
    m.MakeRecord: _Walk.make_record,
    m.MakeWord: _Walk.make_word,
    m.Arithmetic: _Walk.arithmetic,
    m.Combine: _Walk.combine,
    m.Minus: _Walk.minus,
    m.NotExpr: _Walk.not_,
    m.Comparison: _Walk.comparison,
    m.Member: _Walk.member,
    m.Logic: _Walk.logic,
    m.EmptyTest: _Walk.empty_test,
    m.IfExpr: _Walk.if_,
    m.Quantifier: _Walk.quantifier,
    m.AggregateExpr: _Walk.aggregate,
    m.PickExpr: _Walk.pick,
    m.Checked: _Walk.checked,
    m.ExtremumExpr: _Walk.extremum,
    m.SetExpr: _Walk.set_,
    m.IntervalExpr: _Walk.interval,
    m.AllValues: _Walk.all_values,
    m.Builtin: _Walk.builtin,
    m.CanPerform: _Walk.can,
    m.MatchExpr: _Walk.match,
    m.LetExpr: _Walk.let,
    m.WithExceptions: _Walk.with_exceptions,
    m.Unsaid: _Walk.unsaid,
}


def _players(node: m.Builtin) -> int:
    of = node.arguments[0].type
    assert isinstance(of, PlayerType)
    return of.count


# ---- the language's order of values


def order_of(of: Type) -> Callable[[Iterable[Value]], list[Value]]:
    """The function that puts values of a type in the language's order; `none` comes first."""
    if isinstance(of, Optional | SetOf | BagOf | ListOf):
        return lambda items: sorted(items, key=partial(_rank, of))
    return sorted


def _rank(of: Type, value: Value) -> Any:
    match of:
        case Optional(of=inner):
            return () if value is None else (_rank(inner, value),)
        case SetOf(of=inner):
            return sorted(_rank(inner, item) for item in value)
        case BagOf(of=inner) | ListOf(of=inner):
            return [_rank(inner, item) for item in value]
        case _:
            return value


def ordered(of: Type, items: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(order_of(of)(items))


def listed(type_: Type, value: Value) -> tuple[Value, ...]:
    """The items of a collection in the order in which loops go through them; an optional is the one item that it may
    hold."""
    match type_:
        case SetOf(of=of):
            return ordered(of, value)
        case BagOf() | ListOf():
            return tuple(value)
        case _:
            return () if value is None else (value,)
