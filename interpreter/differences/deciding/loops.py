"""Quantifiers, aggregates and picks in symbols: expressions that go through collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from ludex.spec import model as m
from ludex.spec import types as t

from .gates import FALSE, TRUE, Literal, Sum
from .translate import Env, Found, Translation, Translator
from .values import Cases, Counts, Listing, Members, Number, Pile, Symbol, Truth, Unsupported, constant


def _quantifier(x: Translator, expr: m.Quantifier, env: Env) -> Found:
    found, fault = _some(x, expr, expr.loops, env)
    return Truth(found if expr.kind == "some" else found ^ 1), fault


def _some(x: Translator, expr: m.Quantifier, loops: tuple[m.Loop, ...], env: Env) -> tuple[Literal, Literal]:
    gates = x.gates
    if not loops:
        return _sought(x, expr, env)
    items, fault = x.items(loops[0].domain, env)
    faults, before = [fault], [FALSE]
    is_pile = isinstance(x.of(loops[0].domain, env)[0], Pile)
    for item, when in items:
        hit, wrong = _some(x, expr, loops[1:], {**env, loops[0].slot: constant(loops[0].type, item)})
        if wrong != FALSE and is_pile:
            raise Unsupported
        if wrong != FALSE:
            faults.append(gates.both((gates.either(before) ^ 1, when, wrong)))
        before.append(gates.both((when, hit)))
    found = gates.either(before)
    return found, gates.either(faults)


def _sought(x: Translator, expr: m.Quantifier, env: Env) -> tuple[Literal, Literal]:
    has, has_fault = x.truth(expr.has, env)
    sought = has ^ 1 if expr.kind == "every" else has
    if expr.where is None:
        return sought, has_fault
    where, where_fault = x.truth(expr.where, env)
    return x.gates.both((where, sought)), x.gates.either((where_fault, x.gates.both((where, has_fault))))


def _aggregate(x: Translator, expr: m.AggregateExpr, env: Env) -> Found:
    found: list[tuple[Sum, Symbol]] = []
    fault = _gather(x, expr, expr.loops, env, Sum(1, {}, {}), found)
    gates, values = x.gates, x.values
    match expr.kind:
        case "count":
            return Number(gates.plus((1, count) for count, _ in found)), fault
        case "sum":
            parts = [_times(x, count, symbol) for count, symbol in found]
            return Number(gates.plus((1, part) for part, _ in parts)), gates.either(
                (fault, *(each for _, each in parts))
            )
        case "set":
            return Members(values.gathered(_held(x, found))), fault
        case "bag":
            counts: dict[t.Value, list[tuple[int, Sum]]] = {}
            for count, symbol in found:
                for value, when in values.cases(symbol).items():
                    counts.setdefault(value, []).append((1, gates.where(when, count)))
            return Counts({value: gates.plus(each) for value, each in counts.items()}), fault
        case "max" | "min":
            return _extreme(x, expr, found, fault, env)
        case "list":
            if any((gates.bounds(count)[1] or 2) > 1 for count, _ in found):
                raise Unsupported
            return Listing(tuple(_held(x, found))), fault


def _held(x: Translator, found: list[tuple[Sum, Symbol]]) -> Iterable[tuple[t.Value, Literal]]:
    """The values that come at least once."""
    for count, symbol in found:
        some = x.values.positive(count)
        yield from ((value, x.gates.both((some, when))) for value, when in x.values.cases(symbol).items())


def _gather(
    x: Translator,
    expr: m.AggregateExpr,
    loops: tuple[m.Loop, ...],
    env: Env,
    often: Sum,
    found: list[tuple[Sum, Symbol]],
) -> Literal:
    """The values with how often each comes; whether the rules do not say."""
    gates = x.gates
    listed = x.weighted if expr.kind in {"sum", "count", "bag", "list"} else partial(_once, x)
    items, fault = listed(loops[0].domain, env)
    faults = [fault]
    for item, count in items:
        inner = {**env, loops[0].slot: constant(loops[0].type, item)}
        here = _both_often(x, often, count)
        some = x.values.positive(here)
        if some == FALSE:
            continue
        if len(loops) > 1:
            faults.append(_gather(x, expr, loops[1:], inner, here, found))
            continue
        where, wrong = (TRUE, FALSE) if expr.where is None else x.truth(expr.where, inner)
        faults.append(gates.both((some, wrong)))
        if where == FALSE:
            continue
        value, wrong = x.of(expr.value, inner)
        faults.append(gates.both((some, where, wrong)))
        found.append((gates.where(where, here), value))
    return gates.either(faults)


def _once(x: Translator, expr: m.Expr, env: Env) -> tuple[list[tuple[t.Value, Sum]], Literal]:
    items, fault = x.items(expr, env)
    return [(item, x.gates.where(when, Sum(1, {}, {}))) for item, when in items], fault


def _both_often(x: Translator, one: Sum, two: Sum) -> Sum:
    """The product of two counts, of which one is 0 or 1."""
    if one.constant == 1 and not one.literals and not one.unknowns:
        return two
    if two.constant == 1 and not two.literals and not two.unknowns:
        return one
    for single, other in ((one, two), (two, one)):
        match single:
            case Sum(constant=0, unknowns=unknowns, literals=literals) if not unknowns and len(literals) == 1:
                ((literal, count),) = literals.items()
                if count == 1:
                    return x.gates.where(literal, other)
    raise Unsupported


def _times(x: Translator, count: Sum, symbol: Symbol) -> tuple[Sum, Literal]:
    whole, wrong = x.values.number(symbol)
    gates = x.gates
    if not count.unknowns and not count.literals:
        return gates.plus([(count.constant, whole)]), wrong
    if not whole.literals and not whole.unknowns:
        return gates.plus([(whole.constant, count)]), gates.both((x.values.positive(count), wrong))
    if count.constant == 0 and not count.unknowns and len(count.literals) == 1:
        ((literal, often),) = count.literals.items()
        return gates.plus([(often, gates.where(literal, whole))]), gates.both((literal, wrong))
    parts = [(value, gates.where(when, count)) for value, when in x.values.cases(symbol).items() if value]
    return gates.plus(parts), wrong


def _extreme(x: Translator, expr: m.AggregateExpr, found: list[tuple[Sum, Symbol]], fault: Literal, env: Env) -> Found:
    gates, values = x.gates, x.values
    there = values.gathered(_held(x, found))
    fault = gates.either((fault, there.pop(None, FALSE)))
    cases, none = {}, TRUE
    for value in sorted(there, reverse=expr.kind == "max"):
        cases[value] = gates.both((none, there[value]))
        none = gates.both((none, there[value] ^ 1))
    if expr.otherwise is None:
        if not cases:
            raise Unsupported
        return Cases({value: when for value, when in cases.items() if when != FALSE}), gates.either((fault, none))
    otherwise, wrong = x.of(expr.otherwise, env)
    options: list[tuple[Literal, Symbol]] = [(when, Cases({value: TRUE})) for value, when in cases.items()]
    return values.among([*options, (none, otherwise)]), gates.either((fault, gates.both((none, wrong))))


def _pick(x: Translator, expr: m.PickExpr, env: Env) -> Found:
    gates = x.gates
    symbol, _ = x.of(expr.loop.domain, env)
    if expr.kind == "first" and (isinstance(symbol, Pile) or (isinstance(symbol, Cases) and len(symbol.of) > 1)):
        raise Unsupported
    items, fault = x.items(expr.loop.domain, env)
    faults, there = [fault], dict[t.Value, list[Literal]]()
    before = FALSE
    for item, when in items:
        where, wrong = (TRUE, FALSE)
        if expr.where is not None:
            where, wrong = x.truth(expr.where, {**env, expr.loop.slot: constant(expr.loop.type, item)})
        reached = gates.both((when, before ^ 1)) if expr.kind == "first" else when
        faults.append(gates.both((reached, wrong)))
        hit = gates.both((reached, where))
        there.setdefault(item, []).append(hit)
        before = gates.either((before, hit))
    cases = {item: gates.either(each) for item, each in there.items()}
    if expr.kind == "the":
        faults.append(_several(x, list(cases.values())))
    none = gates.either(cases.values()) ^ 1
    if expr.otherwise is None:
        faults.append(none)
        return x.values.typed(expr.type, cases), gates.either(faults)
    otherwise, wrong = x.of(expr.otherwise, env)
    faults.append(gates.both((none, wrong)))
    options = [(when, constant(expr.loop.type, item)) for item, when in cases.items()]
    return x.values.among([*options, (none, otherwise)]), gates.either(faults)


def _several(x: Translator, literals: list[Literal]) -> Literal:
    """Whether more than one holds."""
    gates, one, two = x.gates, FALSE, FALSE
    for literal in literals:
        two = gates.either((two, gates.both((one, literal))))
        one = gates.either((one, literal))
    return two


def _extremum(x: Translator, expr: m.ExtremumExpr, env: Env) -> Found:
    items = [x.of(item, env) for item in expr.items]
    values = x.values
    (found, fault), *more = items
    for symbol, wrong in more:
        less, no_number = values.at_most(found, symbol)
        keeps = less ^ 1 if expr.kind == "max" else less
        found, fault = values.choose(keeps, found, symbol), x.gates.either((fault, wrong, no_number))
    return found, fault


LOOPS: Mapping[type, Translation] = {
    m.Quantifier: _quantifier,
    m.AggregateExpr: _aggregate,
    m.PickExpr: _pick,
    m.ExtremumExpr: _extremum,
}
