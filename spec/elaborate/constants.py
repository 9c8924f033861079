"""Values that are known before play: sizes of types, facts, defaults of options.

`value_of` evaluates an expression that reads no state. It covers what can stand in a declaration; anything else (a
state, a decision) raises `NotConstant`, which the caller reports at the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import model as m
from ..operators import ARITHMETIC, COMPARE
from ..types import BagOf, Never, Record, Value, Words, position, values


class NotConstant(Exception):
    """The expression depends on the course of play, or has no value."""


class NotKnown(NotConstant):
    """A part of the expression was reported: nothing more is to be said of it."""


class NotSaid(NotConstant):
    """Nothing says what a part of the expression is."""


Locals = dict[int, Value]
Call = Callable[[str, tuple[Value, ...]], Value]


def no_calls(name: str, arguments: tuple[Value, ...]) -> Value:
    raise NotConstant(name)


def value_of(expression: m.Expr, slots: Locals | None = None, call: Call = no_calls) -> Value:
    """The value of a closed expression; `call` computes a define from its name and argument values.

    Raises NotConstant where the value depends on play or does not exist (division by zero, an empty `max`)."""
    return _Evaluator({} if slots is None else slots, call).of(expression)


class _Evaluator:
    def __init__(self, slots: Locals, call: Call) -> None:
        self.slots = slots
        self.call = call

    def of(self, node: m.Expr) -> Value:
        match node:
            case m.Constant(type=type_, value=value):
                if isinstance(type_, Never):
                    raise NotKnown
                return value
            case m.Local(slot=slot):
                if slot not in self.slots:
                    raise NotConstant(f"slot {slot}")
                return self.slots[slot]
            case m.CallDefine(name=name, arguments=arguments):
                return self.call(name, tuple(self.of(a) for a in arguments))
            case m.TableField(operand=operand, table=table):
                value = self.of(operand)
                return None if value is None else table[value]
            case m.MakeRecord(record=record, parts=parts):
                assert isinstance(record, Record)
                return record.positions.get(tuple(self.of(p) for p in parts))
            case m.MakeWord(words=words, case=case, parts=parts):
                assert isinstance(words, Words)
                return words.positions[case, tuple(self.of(p) for p in parts)]
            case m.Checked(operand=operand):
                return self.of(operand)
            case m.Unsaid(name=name):
                raise NotSaid(name)
            case m.Builtin(name=name, arguments=arguments):
                return self.builtin(name, tuple(self.of(a) for a in arguments), arguments)
            case m.IfExpr(condition=condition, then=then, otherwise=otherwise):
                return self.of(then if self.of(condition) else otherwise)
            case m.LetExpr(slot=slot, value=value, body=body):
                self.slots[slot] = self.of(value)
                return self.of(body)
            case m.MatchExpr(subject=subject, cases=cases):
                return self.matched(self.of(subject), cases)
            case m.WithExceptions(body=body, exceptions=exceptions):
                holding = [e for e in exceptions if self.of(e.condition)]
                return self.of(holding[0].value if holding else body)
            case _:
                return self.operator(node)

    def operator(self, node: m.Expr) -> Value:
        match node:
            case m.Arithmetic(operator=op, left=left, right=right):
                a, b = self.of(left), self.of(right)
                if op in ("div", "mod") and b == 0:
                    raise NotConstant("division by zero")
                return ARITHMETIC[op](a, b)
            case m.Minus(operand=operand):
                return -self.of(operand)
            case m.NotExpr(operand=operand):
                return not self.of(operand)
            case m.Comparison(operator=op, left=left, right=right):
                return COMPARE[op](self.of(left), self.of(right))
            case m.Logic(operator=op, left=left, right=right):
                first = self.of(left)
                if op == "and":
                    return first and self.of(right)
                return first or self.of(right) if op == "or" else not first or self.of(right)
            case m.Member(item=item, collection=collection, negated=negated):
                return (self.of(item) in self.of(collection)) != negated
            case m.EmptyTest(operand=operand, negated=negated):
                value = self.of(operand)
                return (value is None or value in ((), frozenset())) != negated
            case m.ExtremumExpr(kind=kind, items=items):
                return (max if kind == "max" else min)(self.of(i) for i in items)
            case m.SetExpr(items=items):
                return frozenset(self.of(i) for i in items)
            case m.IntervalExpr(low=low, high=high):
                return frozenset(range(self.of(low), self.of(high) + 1))
            case m.AllValues(of=of):
                return frozenset(values(of))
            case m.Combine(operator=op, left=left, right=right, type=type_) if not isinstance(type_, BagOf):
                a, b = self.of(left), self.of(right)
                return a - b if op == "-" else (a | b if isinstance(a, frozenset) else a + b)
            case m.Quantifier() | m.AggregateExpr() | m.PickExpr():
                return self.loops(node)
            case _:
                raise NotConstant(type(node).__name__)

    def builtin(self, name: str, args: tuple[Value, ...], nodes: tuple[m.Expr, ...]) -> Value:
        match name:
            case "abs":
                return abs(args[0])
            case "size":
                return len(args[0])
            case "index":
                return position(nodes[0].type, args[0])
            case "number":
                return args[0] + 1
            case "seat":
                return args[0] - 1
            case "reversed":
                return args[0][::-1]
            case _:
                raise NotConstant(name)

    def matched(self, value: Value, cases: tuple[m.ValueCase, ...]) -> Value:
        for case in cases:
            if case.values is None or value in case.values:
                for bind in case.binds:
                    self.slots[bind.slot] = bind.table[value]
                return self.of(case.body)
        raise NotConstant("no arm matches")

    def turns(self, loops: tuple[m.Loop, ...], where: m.Expr | None) -> Iterator[None]:
        if not loops:
            if where is None or self.of(where):
                yield
            return
        domain = self.of(loops[0].domain)
        for item in sorted(domain) if isinstance(domain, frozenset) else domain:
            self.slots[loops[0].slot] = item
            yield from self.turns(loops[1:], where)

    def loops(self, node: m.Quantifier | m.AggregateExpr | m.PickExpr) -> Value:
        match node:
            case m.Quantifier(kind=kind, loops=loops, where=where, has=has):
                found = (self.of(has) for _ in self.turns(loops, where))
                return all(found) if kind == "every" else any(found) == (kind == "some")
            case m.PickExpr(loop=loop, where=where, otherwise=otherwise):
                items = [self.slots[loop.slot] for _ in self.turns((loop,), where)]
                if items and (node.kind == "first" or len(set(items)) == 1):
                    return items[0]
                if otherwise is None or items:
                    raise NotConstant(node.kind)
                return self.of(otherwise)
            case m.AggregateExpr():
                return self.aggregate(node)

    def aggregate(self, node: m.AggregateExpr) -> Value:
        items = [self.of(node.value) for _ in self.turns(node.loops, node.where)]
        match node.kind:
            case "sum" | "count":
                return sum(items)
            case "set":
                return frozenset(items)
            case "bag":
                return tuple(sorted(items))
            case "list":
                return tuple(items)
            case "max" | "min":
                if items:
                    return max(items) if node.kind == "max" else min(items)
                if node.otherwise is None:
                    raise NotConstant(node.kind)
                return self.of(node.otherwise)
