"""The functions of the language in symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from .gates import FALSE, Literal, Sum
from .translate import Env, Found, Translation, Translator
from .values import Cases, Number, Pile, Truth, Unsupported


def _builtin(x: Translator, expr: m.Builtin, env: Env) -> Found:
    players = x.game.players
    match expr.name:
        case "size":
            return _size(x, expr.arguments[0], env)
        case "top":
            found, fault = x.of(expr.arguments[0], env)
            if not isinstance(found, Pile):
                raise Unsupported
            return found.top, fault
        case "index":
            return x.of(expr.arguments[0], env)
        case "clockwise":
            return _each(x, expr, env, lambda p: tuple((p + step) % players for step in range(players)))
        case "reversed" if isinstance(expr.arguments[0].type, t.ListOf):
            return _each(x, expr, env, lambda listed: listed[::-1])
        case "place_in" if isinstance(expr.arguments[0].type, t.ListOf):
            return _place_in(x, expr, env)
        case "seat" | "number" | "opponent" | "next" | "previous" | "abs":
            return _each(x, expr, env, _of_player(expr.name, players))
        case _:
            raise Unsupported


def _each(x: Translator, expr: m.Builtin, env: Env, function: Callable[[Any], t.Value]) -> Found:
    cases, fault = x.cases(expr.arguments[0], env)
    wrong = cases.get(None, FALSE)
    found = x.values.gathered((function(value), when) for value, when in cases.items() if value is not None)
    if not found:
        raise Unsupported
    return Cases(found), x.gates.either((fault, wrong))


def _size(x: Translator, operand: m.Expr, env: Env) -> Found:
    found, fault = x.of(operand, env)
    match found:
        case Pile(size=size):
            return Number(size), fault
        case Cases(of=of) if not isinstance(operand.type, t.ListOf):
            return Number(x.gates.where(of.get(None, FALSE) ^ 1, Sum(1, {}, {}))), fault
        case Truth() | Number():
            return Number(Sum(1, {}, {})), fault
    items, fault = x.weighted(operand, env)
    return Number(x.gates.plus((1, count) for _, count in items)), fault


def _place_in(x: Translator, expr: m.Builtin, env: Env) -> Found:
    (lists, one_fault), (sought, two_fault) = (
        x.cases(expr.arguments[0], env),
        x.cases(expr.arguments[1], env),
    )
    faults = [one_fault, two_fault]
    found: list[tuple[t.Value, Literal]] = []
    for (listed, item), when in x.product([lists, sought]):
        if item in listed:
            found.append((listed.index(item) + 1, when))
        else:
            faults.append(when)
    if not found:
        raise Unsupported
    return Cases(x.values.gathered(found)), x.gates.either(faults)


def _of_player(name: str, players: int) -> Callable[[Any], t.Value]:
    functions: Mapping[str, Callable[[Any], t.Value]] = {
        "seat": lambda number: number - 1,
        "number": lambda player: player + 1,
        "opponent": lambda player: 1 - player,
        "next": lambda player: (player + 1) % players,
        "previous": lambda player: (player - 1) % players,
        "abs": abs,
    }
    return functions[name]


FUNCTIONS: Mapping[type, Translation] = {
    m.Builtin: _builtin,
}
