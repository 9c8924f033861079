"""Operators in symbols: numbers, comparisons, collections put together, what is true of them."""

from __future__ import annotations

from collections.abc import Mapping

from ludex.spec import ARITHMETIC
from ludex.spec import model as m
from ludex.spec import types as t

from .gates import FALSE, TRUE, Literal, Sum
from .translate import Env, Found, Translation, Translator
from .values import PAIRS, Cases, Counts, Listing, Members, Number, Pile, Truth, Unsupported


def _arithmetic(x: Translator, expr: m.Arithmetic, env: Env) -> Found:
    (left, left_fault), (right, right_fault) = x.of(expr.left, env), x.of(expr.right, env)
    faults = [left_fault, right_fault]
    if isinstance(left, Cases) and isinstance(right, Cases) and len(left.of) * len(right.of) <= PAIRS // 4:
        return _by_cases(x, expr, left.of, right.of, faults)
    (one, no_one), (two, no_two) = x.values.number(left), x.values.number(right)
    fault = x.gates.either((*faults, no_one, no_two))
    match expr.operator:
        case "+":
            return Number(x.gates.plus([(1, one), (1, two)])), fault
        case "-":
            return Number(x.gates.plus([(1, one), (-1, two)])), fault
        case "*" if not two.literals and not two.unknowns:
            return Number(x.gates.plus([(two.constant, one)])), fault
        case "*" if not one.literals and not one.unknowns:
            return Number(x.gates.plus([(one.constant, two)])), fault
        case _:
            return _by_cases(x, expr, x.values.cases(left), x.values.cases(right), faults)


def _by_cases(
    x: Translator,
    expr: m.Arithmetic,
    left: Mapping[t.Value, Literal],
    right: Mapping[t.Value, Literal],
    faults: list[Literal],
) -> Found:
    found: list[tuple[t.Value, Literal]] = []
    for (one, two), when in x.product([left, right]):
        if one is None or two is None or (expr.operator in {"div", "mod"} and two == 0):
            faults.append(when)
            continue
        found.append((ARITHMETIC[expr.operator](one, two), when))
    if not found:
        raise Unsupported
    return Cases(x.values.gathered(found)), x.gates.either(faults)


def _combine(x: Translator, expr: m.Combine, env: Env) -> Found:
    if isinstance(expr.type, t.ListOf):
        raise Unsupported
    (left, one_fault), (right, two_fault) = x.weighted(expr.left, env), x.weighted(expr.right, env)
    fault, gates = x.gates.either((one_fault, two_fault)), x.gates
    if isinstance(expr.type, t.BagOf):
        if expr.operator == "-":
            raise Unsupported
        counts: dict[t.Value, list[tuple[int, Sum]]] = {}
        for item, count in (*left, *right):
            counts.setdefault(item, []).append((1, count))
        return Counts({item: gates.plus(each) for item, each in counts.items()}), fault
    one, two = (x.values.gathered((item, x.values.positive(count)) for item, count in side) for side in (left, right))
    if expr.operator == "+":
        return Members(x.values.gathered([*one.items(), *two.items()])), fault
    less = {item: gates.both((when, two.get(item, FALSE) ^ 1)) for item, when in one.items()}
    return Members({item: when for item, when in less.items() if when != FALSE}), fault


def _minus(x: Translator, expr: m.Minus, env: Env) -> Found:
    found, fault = x.of(expr.operand, env)
    if isinstance(found, Cases):
        return Cases({-value: when for value, when in found.of.items() if value is not None}), fault
    whole, wrong = x.values.number(found)
    return Number(x.gates.plus([(-1, whole)])), x.gates.either((fault, wrong))


def _negation(x: Translator, expr: m.NotExpr, env: Env) -> Found:
    holds, fault = x.truth(expr.operand, env)
    return Truth(holds ^ 1), fault


def _comparison(x: Translator, expr: m.Comparison, env: Env) -> Found:
    (left, one_fault), (right, two_fault) = x.of(expr.left, env), x.of(expr.right, env)
    fault = x.gates.either((one_fault, two_fault))
    if expr.operator in {"=", "!="}:
        same = x.values.equal(left, right)
        return Truth(same if expr.operator == "=" else same ^ 1), fault
    if expr.operator in {"<=", ">"}:
        holds, wrong = x.values.at_most(left, right)
    else:
        holds, wrong = x.values.at_most(right, left)
    return Truth(holds if expr.operator in {"<=", ">="} else holds ^ 1), x.gates.either((fault, wrong))


def _member(x: Translator, expr: m.Member, env: Env) -> Found:
    item, fault = x.of(expr.item, env)
    holds, wrong = x.holds(item, expr.collection, env)
    return Truth(holds ^ 1 if expr.negated else holds), x.gates.either((fault, wrong))


def _logic(x: Translator, expr: m.Logic, env: Env) -> Found:
    (left, one_fault), (right, two_fault) = x.truth(expr.left, env), x.truth(expr.right, env)
    gates = x.gates
    goes_on = left ^ 1 if expr.operator == "or" else left
    if expr.operator == "and":
        found = gates.both((left, right))
    else:
        found = gates.either((left if expr.operator == "or" else left ^ 1, right))
    return Truth(found), gates.either((one_fault, gates.both((goes_on, two_fault))))


def _empty_test(x: Translator, expr: m.EmptyTest, env: Env) -> Found:
    found, fault = x.of(expr.operand, env)
    match found:
        case Members(of=of):
            some = x.gates.either(of.values())
        case Counts(of=of_counts):
            some = x.gates.either(map(x.values.positive, of_counts.values()))
        case Pile(size=size):
            some = x.values.positive(size)
        case Listing(parts=parts):
            some = x.gates.either(when for _, when in parts)
        case Cases(of=of):
            some = x.gates.either(of[value] for value in of if value is None or value == ()) ^ 1
        case Truth() | Number():
            some = TRUE
        case _:
            raise Unsupported
    return Truth(some if expr.negated else some ^ 1), fault


OPERATORS: Mapping[type, Translation] = {
    m.Arithmetic: _arithmetic,
    m.Combine: _combine,
    m.Minus: _minus,
    m.NotExpr: _negation,
    m.Comparison: _comparison,
    m.Member: _member,
    m.Logic: _logic,
    m.EmptyTest: _empty_test,
}
