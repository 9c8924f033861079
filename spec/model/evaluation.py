"""Reference evaluator for expressions: a walk over the typed tree, without memo or folding.

This module defines the meaning of expressions. Constants (facts, sizes, defaults, first values, conditions of records)
are evaluated here and nowhere else. The engine compiles the same expressions, and tests hold both to the same values
and faults.

An expression reads its slots and the defines directly. For everything else (a state's cells, scores, legal actions) it
asks a `Position`. Before play there is none, and `NotConstant` is raised.

Partial knowledge: parts of a position may be `Unknown`, and then a value may be unknown too, by three rules. `and`,
`or`, `implies`, `some`, `every`, `no` and `in` are known where their known operands decide them, in any order. An
unknown content or piece is equal to itself, a collection has a size even if its items are unknown, and a piece that is
there is not `none`. Every other value that depends on an unknown one is unknown. Where an expression has no value,
because a guard is unknown or missing, the result is unknown too: only full knowledge can decide whether there is a
fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias, assert_never

from ..budget import DEFAULT_BUDGET, Meter
from ..values import faults
from ..values import types as t
from ..values.order import listed, ordered
from ..values.partial_knowledge import (
    PartlyKnownItems,
    Truth,
    Unknown,
    UnknownPiece,
    any_of,
    conjunction,
    is_known,
    negated,
    same,
)
from . import nodes as m
from .operators import ARITHMETIC, COMPARE, LARGEST_NUMBER

LocalValues: TypeAlias = dict[int, t.Value]


class NotConstant(Exception):
    """Raised for an expression that depends on the course of play."""


class NotKnown(NotConstant):
    """A part of the expression is faulty, which was reported already, so its value gives no further report."""


class Position(Protocol):
    """The state of play as an expression reads it. The last item of a pile is its top."""

    def held(self, element: m.Element, indices: tuple[t.Value, ...]) -> t.Value:
        """Return the content of a cell, as `m.Element` defines it. A piece that nobody has seen is an UnknownPiece."""

    def answer(
        self, asked: m.Builtin | m.CanPerform, me: t.Value, arguments: tuple[t.Value, ...], path: str | None
    ) -> t.Value:
        """Return the value of `can`, `total`, `winner`, `game_over` or `to_move`.

        me: the acting player; path: the clause.
        """


def value_of(
    expression: m.Expr,
    slots: Mapping[int, t.Value] | None = None,
    defines: Mapping[str, m.Define] | None = None,
    position: Position | None = None,
    path: str | None = None,
    meter: Meter | None = None,
) -> t.Value:
    """Return the value of an expression.

    Args:
        slots: the values of its free slots.
        defines: the defines that it may call. Another name raises NotKnown.
        position: the state of the game; None before play.
        path: the path of its clause.
        meter: counts the work; by default the evaluation is a piece of work by itself.

    Raises SpecFault if the expression has no value, NotConstant if it depends on play and there is no position.
    """
    evaluation = Evaluation(defines or {}, position, set(), meter or Meter(DEFAULT_BUDGET))
    return evaluation.of(expression, dict(slots or {}), path)


class Evaluation:
    """Evaluator of expressions in one state, or before play.

    active: the calls of defines with a `cycle`, and of builtins such as `can`, that are in progress.
    is_partial: whether the position may have unknown values.
    closed: the defines with a `cycle` whose values are unknown.
    """

    def __init__(
        self,
        defines: Mapping[str, m.Define],
        position: Position | None,
        active: set[Any],
        meter: Meter,
        is_partial: bool = False,
        closed: Container[str] = (),
    ) -> None:
        self.defines, self.position, self.active, self.meter = defines, position, active, meter
        self.is_partial, self.closed = is_partial, closed

    def of(self, node: m.Expr, f: LocalValues, path: str | None) -> t.Value:
        """Return the value of a node. f: the frame of its routine; path: the path of its clause."""
        meter = self.meter
        meter.left -= 1
        depth = meter.depth
        # Inner nodes are counted here: calls of `descend` and `ascend` would take longer than most nodes.
        if 0 < depth < meter.deepest:
            meter.depth = depth + 1
        else:
            meter.descend(1, path, node.span)
        try:
            # The depth decreases also after a fault: the caller may catch it and evaluate something else.
            value = _KINDS[type(node)](self, node, f, path)
        finally:
            if depth:
                meter.depth = depth
            else:
                meter.ascend(1)
        if meter.left < 0:
            raise meter.over(path, node.span)
        # A guard that is another requirement may not have been tested yet.
        if value is None and node.narrowed:
            return self.none(faults.none_there(node, path))
        return value

    def outcome(self, node: m.Expr, f: LocalValues, path: str | None) -> t.Value | faults.Undefined:
        """Return the value of an expression, or why it has none. Arguments as for `of`, which raises instead."""
        return _outcome(lambda: self.of(node, f, path))

    def verdict(self, requirement: m.Requirement, f: LocalValues) -> Truth | faults.Undefined:
        """Return whether a requirement holds, or why that has no value."""
        return _outcome(lambda: self.holds(requirement, f))

    def none(self, fault: faults.NoValue) -> Unknown:
        """Return the value of an expression without a value: Unknown in a partial position, else the fault is
        raised."""
        if self.is_partial:
            return Unknown()
        raise fault

    def holds(self, requirement: m.Requirement, f: LocalValues) -> Truth:
        """Return whether a requirement holds: its condition, or a waiver's condition and value."""

        def truths() -> Iterator[Truth]:
            yield self.of(requirement.condition, f, requirement.path)
            for waiver in requirement.waivers:
                condition = self.of(waiver.condition, f, waiver.path)
                yield condition is not False and conjunction(condition, self.of(waiver.value, f, waiver.path))

        return any_of(truths())

    def all(self, nodes: Iterable[m.Expr], f: LocalValues, path: str | None) -> tuple[t.Value, ...]:
        return tuple([self.of(node, f, path) for node in nodes])

    # ---- names and parts

    def constant(self, node: m.Constant, f: LocalValues, path: str | None) -> t.Value:
        # It is a placeholder for something faulty, which was reported.
        if isinstance(node.type, t.Never):
            raise NotKnown
        return node.value

    def local(self, node: m.Local, f: LocalValues, path: str | None) -> t.Value:
        # Before play no choice and no parameter has a value.
        if node.slot not in f:
            raise NotConstant
        return f[node.slot]

    def read(self, node: m.Read, f: LocalValues, path: str | None) -> t.Value:
        content = self._seen(self._held(node, f, path), node, path)
        # A pile is stored with the top last, where pieces are added and removed; the language reads a pile from its
        # top.
        return content[::-1] if node.element.kind == "pile" and isinstance(content, tuple) else content

    def _held(self, node: m.Read, f: LocalValues, path: str | None) -> t.Value:
        """Return the content of a cell, seen or unseen."""
        if self.position is None:
            raise NotConstant
        indices = self.all(node.indices, f, path)
        return self.position.held(node.element, indices) if is_known(indices) else Unknown()

    def _seen(self, held: t.Value, node: m.Expr, path: str | None) -> t.Value:
        return held if self.is_partial or is_known(held) else self.none(faults.not_seen(node, path))

    def call(self, node: m.CallDefine, f: LocalValues, path: str | None) -> t.Value:
        define = self.defines.get(node.name)
        if define is None:
            raise NotKnown
        return self.called(define, self.all(node.arguments, f, path))

    def called(self, define: m.Define, given: tuple[t.Value, ...]) -> t.Value:
        """Return the value of a define for these arguments: its cycle value, if the same call is under way."""
        # Slot 0 is empty: a define has no acting player but those among its arguments.
        frame = dict(enumerate(given, start=1))
        if define.cycle is None:
            return self.of(define.body, frame, define.name)
        if define.name in self.closed or not is_known(given):
            return Unknown()  # the same call may be under way: unknown arguments make no key
        key = (define.name, *given)
        # The body calls itself with the same arguments: `cycle` states the value of that call.
        if key in self.active:
            return self.of(define.cycle, frame, define.name)
        self.meter.enter(define.name, define.body.span)
        self.active.add(key)
        try:
            return self.of(define.body, frame, define.name)
        finally:
            self.active.discard(key)
            self.meter.leave()

    def table_field(self, node: m.TableField, f: LocalValues, path: str | None) -> t.Value:
        value = self.of(node.operand, f, path)
        if isinstance(value, Unknown):
            return Unknown()
        return None if value is None else node.table[value]

    def make_record(self, node: m.MakeRecord, f: LocalValues, path: str | None) -> t.Value:
        assert isinstance(node.record, t.Record)
        parts = self.all(node.parts, f, path)
        return node.record.positions.get(parts) if is_known(parts) else Unknown()

    def make_word(self, node: m.MakeWord, f: LocalValues, path: str | None) -> t.Value:
        assert isinstance(node.words, t.Words)
        parts = self.all(node.parts, f, path)
        return node.words.positions[node.case, parts] if is_known(parts) else Unknown()

    # ---- operators

    def arithmetic(self, node: m.Arithmetic, f: LocalValues, path: str | None) -> t.Value:
        if node.operator in ("div", "mod"):
            right = self.of(node.right, f, path)
            # The divisor is evaluated first: division by 0 is the fault even if the other side has no value.
            if right == 0:
                return self.none(faults.divided_by_zero(node, path))
            left = self.of(node.left, f, path)
        else:
            left, right = self.of(node.left, f, path), self.of(node.right, f, path)
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return Unknown()
        value = ARITHMETIC[node.operator](left, right)
        if node.operator == "*" and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            return self.none(faults.too_large(node, path))
        return value

    def combine(self, node: m.Combine, f: LocalValues, path: str | None) -> t.Value:
        left, right = self.of(node.left, f, path), self.of(node.right, f, path)
        adds, is_list = node.operator == "+", isinstance(node.type, t.ListOf)
        # A union contains at least the known items; a difference is unknown if either side is.
        open_ends = [each for each in (left, right) if isinstance(each, Unknown)]
        if open_ends and (not adds or is_list or not all(isinstance(each, PartlyKnownItems) for each in open_ends)):
            return Unknown()
        left, right = listed(node.left.type, left), listed(node.right.type, right)
        self.meter.take(len(left) + len(right), path, node.span)
        if open_ends:
            return PartlyKnownItems(left + right)
        if is_list:
            return (*left, *right)
        if not adds and not is_known((left, right)):
            return Unknown()
        if isinstance(node.type, t.SetOf):
            return self.set_of(left + right) if adds else frozenset(left) - frozenset(right)
        counts = Counter(left) + Counter(right) if adds else Counter(left) - Counter(right)
        return ordered(t.element_type(node.type) or node.type, counts.elements())

    def minus(self, node: m.Minus, f: LocalValues, path: str | None) -> t.Value:
        value = self.of(node.operand, f, path)
        return Unknown() if isinstance(value, Unknown) else -value

    def not_(self, node: m.NotExpr, f: LocalValues, path: str | None) -> t.Value:
        return negated(self.of(node.operand, f, path))

    def comparison(self, node: m.Comparison, f: LocalValues, path: str | None) -> t.Value:
        left, right = self.of(node.left, f, path), self.of(node.right, f, path)
        if node.operator in ("=", "!="):
            return negated(same(left, right)) if node.operator == "!=" else same(left, right)
        return COMPARE[node.operator](left, right) if is_known((left, right)) else Unknown()

    def member(self, node: m.Member, f: LocalValues, path: str | None) -> t.Value:
        item, collection = self.of(node.item, f, path), self.of(node.collection, f, path)
        self.meter.take(len(collection) if isinstance(collection, tuple) else 1, path, node.span)
        if isinstance(collection, Unknown) and not isinstance(collection, PartlyKnownItems):
            return Unknown()
        inside = any_of(same(item, each) for each in listed(node.collection.type, collection))
        return negated(inside) if node.negated else inside

    def logic(self, node: m.Logic, f: LocalValues, path: str | None) -> t.Value:
        """Return the value with short-circuit evaluation; if the left side is unknown, the right one may decide it."""
        left, settles = self.of(node.left, f, path), node.operator != "and"
        if node.operator == "implies":
            left = negated(left)
        if left == settles:
            return settles
        right = self.of(node.right, f, path)
        return any_of((left, right)) if settles else conjunction(left, right)

    def empty_test(self, node: m.EmptyTest, f: LocalValues, path: str | None) -> t.Value:
        value = self._whole(node.operand, f, path)
        # An unknown piece is not `none`, and a set with unknown items has items: neither is empty.
        if isinstance(value, Unknown) and not isinstance(value, UnknownPiece | PartlyKnownItems):
            return Unknown()
        return (value in (None, (), frozenset())) != node.negated

    def _whole(self, node: m.Expr, f: LocalValues, path: str | None) -> t.Value:
        """Return an operand that is only counted or tested for `none`, for which it need not be known."""
        return self._held(node, f, path) if isinstance(node, m.Read) else _KINDS[type(node)](self, node, f, path)

    def checked(self, node: m.Checked, f: LocalValues, path: str | None) -> t.Value:
        # The path is that of the check, not of the evaluation: the fault names the clause that set the range.
        value = self.of(node.operand, f, node.path)
        if not is_known(value):
            return value
        inside = isinstance(node.type, t.Optional) if value is None else t.contains(node.type, value)
        return value if inside else self.none(faults.outside(node, value))

    # ---- branches

    def if_(self, node: m.IfExpr, f: LocalValues, path: str | None) -> t.Value:
        condition = self.of(node.condition, f, path)
        if isinstance(condition, Unknown):
            return Unknown()
        return self.of(node.then if condition else node.otherwise, f, path)

    def let(self, node: m.LetExpr, f: LocalValues, path: str | None) -> t.Value:
        # No slot has to be restored, since every name has its own.
        f[node.slot] = self.of(node.value, f, path)
        return self.of(node.body, f, path)

    def match(self, node: m.MatchExpr, f: LocalValues, path: str | None) -> t.Value:
        value = self.of(node.subject, f, path)
        if isinstance(value, Unknown):
            return Unknown()
        for case in node.cases:
            if case.values is None or value in case.values:
                f.update((bind.slot, bind.table[value]) for bind in case.binds)
                return self.of(case.body, f, case.path)
        return self.none(faults.no_arm(node, value, path))

    def with_exceptions(self, node: m.WithExceptions, f: LocalValues, path: str | None) -> t.Value:
        holding = []
        for each in node.exceptions:
            condition = self.of(each.condition, f, each.path)
            if isinstance(condition, Unknown):
                return Unknown()
            if condition:
                holding.append((each.path, self.of(each.value, f, each.path)))
        if not holding:
            return self.of(node.body, f, node.path)
        (one, value), *others = holding
        for other, different in others:
            # Two exceptions with one value do not contradict each other.
            if is_known((value, different)) and different != value:
                return self.none(faults.contradiction(node, one, other))
        return value

    # ---- collections

    def set_(self, node: m.SetExpr, f: LocalValues, path: str | None) -> t.Value:
        return self.set_of(self.all(node.items, f, path))

    def set_of(self, items: tuple[t.Value, ...]) -> t.Value:
        """Return the set of some items."""
        return frozenset(items) if is_known(items) else Unknown()

    def interval(self, node: m.IntervalExpr, f: LocalValues, path: str | None) -> t.Value:
        low, high = self.of(node.low, f, path), self.of(node.high, f, path)
        if not is_known((low, high)):
            return Unknown()
        numbers = range(low, high + 1)
        self.meter.take(len(numbers), path, node.span)
        return frozenset(numbers)

    def all_values(self, node: m.AllValues, f: LocalValues, path: str | None) -> t.Value:
        return frozenset(t.values(node.of))

    def extremum(self, node: m.ExtremumExpr, f: LocalValues, path: str | None) -> t.Value:
        return _extreme(node.kind, self.all(node.items, f, path))

    def _turns(
        self, loops: tuple[m.Loop, ...], where: m.Expr | None, f: LocalValues, path: str | None, counts: bool = True
    ) -> Iterator[Truth]:
        """Fill the slots of some loops with every combination of values that the condition may allow, one by one.

        A combination whose condition is unknown may be allowed. An unknown domain has one unknown value.
        counts: whether a repeated value changes the result."""
        loop, *inner = loops
        domain = self.of(loop.domain, f, path)
        is_known = not isinstance(domain, Unknown) or (isinstance(domain, PartlyKnownItems) and not counts)
        items = listed(loop.domain.type, domain) if is_known else (Unknown(),)
        self.meter.take(len(items), path, loop.domain.span)
        for item in items:
            f[loop.slot] = item
            if inner:
                allowed_turns: Iterable[Truth] = self._turns(tuple(inner), where, f, path, counts)
            else:
                allowed_turns = (where is None or self.of(where, f, path),)
            for allowed in allowed_turns:
                if allowed is not False:
                    yield allowed if is_known else Unknown()

    def quantifier(self, node: m.Quantifier, f: LocalValues, path: str | None) -> t.Value:
        # A repeated item does not change the result, so a set with unknown items can be iterated over.
        turns = self._turns(node.loops, node.where, f, path, counts=False)
        if node.kind == "every":
            return negated(any_of(conjunction(allowed, negated(self.of(node.has, f, path))) for allowed in turns))
        holds = any_of(conjunction(allowed, self.of(node.has, f, path)) for allowed in turns)
        return holds if node.kind == "some" else negated(holds)

    def aggregate(self, node: m.AggregateExpr, f: LocalValues, path: str | None) -> t.Value:
        items = []
        for allowed in self._turns(node.loops, node.where, f, path, node.kind not in ("set", "max", "min")):
            if isinstance(allowed, Unknown):
                return Unknown()
            items.append(self.of(node.value, f, path))
        match node.kind:
            case "sum":
                return sum(items) if is_known(tuple(items)) else Unknown()
            case "count":
                return len(items)
            case "set":
                return self.set_of(tuple(items))
            case "bag":
                return ordered(t.element_type(node.type) or node.type, items)
            case "list":
                return tuple(items)
            case "max" | "min":
                if items:
                    return _extreme(node.kind, tuple(items))
                if node.otherwise is None:
                    return self.none(faults.nothing_to_rank(node, path))
                return self.of(node.otherwise, f, path)

    def pick(self, node: m.PickExpr, f: LocalValues, path: str | None) -> t.Value:
        picked = self.picked(node, self._turns((node.loop,), node.where, f, path), f)
        if isinstance(picked, Unknown):
            return picked
        if not picked and node.otherwise is not None:
            return self.of(node.otherwise, f, path)
        return picked[0] if len(picked) == 1 else self.none(faults.not_one(node, len(picked), path))

    def picked(self, node: m.PickExpr, turns: Iterable[Truth], f: LocalValues) -> list[t.Value] | Unknown:
        """Return the items that satisfy the condition, at most two. turns: as `_turns` returns them."""
        picked: list[t.Value] = []
        for allowed in turns:
            item = f[node.loop.slot]
            if isinstance(allowed, Unknown) or (picked and not is_known((item, *picked))):
                return Unknown()
            # `the` requires one value, which may occur several times in the domain.
            if item not in picked:
                picked.append(item)
            if node.kind == "first" or len(picked) > 1:
                break
        return picked

    # ---- functions of the language

    def can(self, node: m.CanPerform, f: LocalValues, path: str | None) -> t.Value:
        return self._answer(node, f, path)

    def _answer(self, node: m.Builtin | m.CanPerform, f: LocalValues, path: str | None) -> t.Value:
        if self.position is None:
            raise NotConstant
        arguments = self.all(node.arguments, f, path)
        return self.position.answer(node, f.get(0), arguments, path) if is_known(arguments) else Unknown()

    def builtin(self, node: m.Builtin, f: LocalValues, path: str | None) -> t.Value:
        match node.name:
            case "total" | "winner" | "game_over" | "to_move":
                return self._answer(node, f, path)
            case "top":
                pile = node.arguments[0]
                assert isinstance(pile, m.Read)
                content = self._held(pile, f, path)
                if isinstance(content, Unknown):
                    return Unknown()
                return self._seen(content[-1], pile, path) if content else None
            case "size":
                content = self._whole(node.arguments[0], f, path)
                if isinstance(content, Unknown) and not isinstance(content, UnknownPiece):
                    return Unknown()
                return len(content) if isinstance(content, tuple | frozenset) else int(content is not None)
        given = self.all(node.arguments, f, path)
        return self._computed(node.name, node, given, path) if is_known(given) else Unknown()

    def _computed(
        self, name: m.ValueFunction, node: m.Builtin, given: tuple[t.Value, ...], path: str | None
    ) -> t.Value:
        first = given[0]
        match name:
            case "seat":
                return first - 1
            case "number":
                return first + 1
            case "opponent":
                return 1 - first
            case "next" | "previous":
                return (first + (1 if name == "next" else -1)) % _players(node)
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
                if given[1] not in items:
                    return self.none(faults.not_listed(node, given[1], path))
                return items.index(given[1]) + 1
            case _:
                assert_never(name)


_KINDS: Mapping[type, Callable[[Evaluation, Any, LocalValues, str | None], t.Value]] = {
    m.Constant: Evaluation.constant,
    m.Local: Evaluation.local,
    m.Read: Evaluation.read,
    m.CallDefine: Evaluation.call,
    m.TableField: Evaluation.table_field,
    m.MakeRecord: Evaluation.make_record,
    m.MakeWord: Evaluation.make_word,
    m.Arithmetic: Evaluation.arithmetic,
    m.Combine: Evaluation.combine,
    m.Minus: Evaluation.minus,
    m.NotExpr: Evaluation.not_,
    m.Comparison: Evaluation.comparison,
    m.Member: Evaluation.member,
    m.Logic: Evaluation.logic,
    m.EmptyTest: Evaluation.empty_test,
    m.IfExpr: Evaluation.if_,
    m.Quantifier: Evaluation.quantifier,
    m.AggregateExpr: Evaluation.aggregate,
    m.PickExpr: Evaluation.pick,
    m.Checked: Evaluation.checked,
    m.ExtremumExpr: Evaluation.extremum,
    m.SetExpr: Evaluation.set_,
    m.IntervalExpr: Evaluation.interval,
    m.AllValues: Evaluation.all_values,
    m.Builtin: Evaluation.builtin,
    m.CanPerform: Evaluation.can,
    m.MatchExpr: Evaluation.match,
    m.LetExpr: Evaluation.let,
    m.WithExceptions: Evaluation.with_exceptions,
}


def _outcome(evaluate: Callable[[], t.Value]) -> t.Value | faults.Undefined:
    try:
        return evaluate()
    except faults.NoValue as fault:
        return faults.Undefined(fault)


def _extreme(kind: str, items: tuple[t.Value, ...]) -> t.Value:
    # A single item is the extreme one, known or not.
    if len(items) > 1 and not is_known(items):
        return Unknown()
    return max(items) if kind == "max" else min(items)


def _players(node: m.Builtin) -> int:
    of = node.arguments[0].type
    assert isinstance(of, t.PlayerType)
    return of.count
