"""Calls: defines, the language's own functions, `can`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ludex.spec import OverBudget, faults
from ludex.spec import model as m
from ludex.spec import types as t

from .depth import ASKING
from .evaluate import Compile, DefineCode, Expressions, Fn, Path, Slots, piece
from .events import SpecFault, Undefined
from .operators import holds_many
from .state import CELLS, TRIAL, State

MOST_KEPT = 100_000
"""A define that reads no state forgets its results when it has kept so many."""
KEEPING = 4
"""Units of work for a result that is worked out and kept."""

# ---- defines


def _call(x: Expressions, expr: m.CallDefine, path: Path) -> Fn:
    body = x.game.defines[expr.name].body
    if isinstance(body, m.Unsaid):
        return x.compile(replace(body, span=expr.span), path)  # the fault is told at the clause that needs it
    code = x.define(expr.name)
    arguments = [x.compile(argument, path) for argument in expr.arguments]
    pad = [None] * (code.define.frame_size - len(arguments) - 1)
    if code.define.cycle is not None:
        return _cyclic_call(x, code, arguments, pad, path, expr)
    made = _plain_call(x, code, arguments, pad, path, expr)
    return _deep(x, code.height, made, path, expr) if code.height else made


def _deep(x: Expressions, height: int, call: Fn, path: Path, expr: m.Expr) -> Fn:
    """The call, with its depth counted."""
    meter = x.meter

    def deep(s: State, f: Slots) -> t.Value:
        meter.descend(height, path, expr.span)
        try:
            return call(s, f)
        finally:
            meter.ascend(height)

    return deep


def _plain_call(
    x: Expressions, code: DefineCode, arguments: list[Fn], pad: list[None], path: Path, expr: m.CallDefine
) -> Fn:
    if not code.varies:
        return _remembered_call(x, code, arguments, pad, path, expr)
    if code.kept:
        return _kept_call(x, code, arguments, pad, path, expr)
    meter, units = x.meter, code.units

    def call(s: State, f: Slots) -> t.Value:
        meter.left -= units
        if meter.left < 0:
            raise meter.over(path, expr.span)
        return code.body(s, [None, *[argument(s, f) for argument in arguments], *pad])

    return call


def _remembered_call(
    x: Expressions, code: DefineCode, arguments: list[Fn], pad: list[None], path: Path, expr: m.CallDefine
) -> Fn:
    """A call of a define that does not vary: worked out once for each arguments."""
    known, given_in, meter = code.known, _tuple_of(arguments), x.meter

    def call(s: State, f: Slots) -> t.Value:
        given = given_in(s, f)
        try:
            return known[given]
        except KeyError:
            meter.take(KEEPING + code.units, path, expr.span)
            if len(known) >= MOST_KEPT:
                known.clear()
            return known.setdefault(given, code.body(s, [None, *given, *pad]))

    return call


def _kept_call(
    x: Expressions, code: DefineCode, arguments: list[Fn], pad: list[None], path: Path, expr: m.CallDefine
) -> Fn:
    """A call of a define that reads the state, at some cost: worked out once for its arguments until a cell changes."""
    meter = x.meter
    if not arguments:

        def plain(s: State, f: Slots) -> t.Value:
            known = s.known
            if code not in known:
                meter.take(KEEPING + code.units, path, expr.span)
                known[code] = code.body(s, [None, *pad])
            return known[code]

        return plain
    given_in = _tuple_of(arguments)

    def call(s: State, f: Slots) -> t.Value:
        given, known = given_in(s, f), s.known
        key = (code, given)
        if key not in known:
            meter.take(KEEPING + code.units, path, expr.span)
            known[key] = code.body(s, [None, *given, *pad])
        return known[key]

    return call


def _tuple_of(parts: list[Fn]) -> Callable[[State, Slots], tuple[t.Value, ...]]:
    match parts:
        case [only]:
            return lambda s, f: (only(s, f),)
        case [one, two]:
            return lambda s, f: (one(s, f), two(s, f))
        case _:
            return lambda s, f: tuple([part(s, f) for part in parts])


def _cyclic_call(
    x: Expressions, code: DefineCode, arguments: list[Fn], pad: list[None], path: Path, expr: m.CallDefine
) -> Fn:
    """A call that has a value of its own while the same call is being worked out."""
    name, meter, height = code.define.name, x.meter, code.height

    def call(s: State, f: Slots) -> t.Value:
        given = [argument(s, f) for argument in arguments]
        key = (name, *given)
        if key in s.active:
            assert code.cycle is not None
            return code.cycle(s, [None, *given, *pad])
        meter.take(code.units, path, expr.span)
        meter.descend(height, path, expr.span)
        s.active.add(key)
        try:
            return code.body(s, [None, *given, *pad])
        finally:
            s.active.discard(key)
            meter.ascend(height)

    return call


def _can_perform(x: Expressions, expr: m.CanPerform, path: Path) -> Fn:
    can, name, meter = x.can, expr.action, x.meter
    arguments = [x.compile(argument, path) for argument in expr.arguments]

    def performable(s: State, f: Slots) -> bool:
        given = tuple([argument(s, f) for argument in arguments])
        key = (name, f[0], given)
        if key in s.active:
            raise Undefined(f"whether {name} can be done hangs on itself", path, expr.span)
        meter.take(TRIAL + len(s.cells) // CELLS, path, expr.span)
        meter.descend(ASKING, path, expr.span)
        s.active.add(key)
        try:
            return can(s, name, f[0], given)
        except (Undefined, OverBudget):
            raise
        except SpecFault as fault:  # of a statement on the way to the answer, which has no value then
            raise Undefined(fault.message, fault.path, fault.span) from fault
        finally:
            s.active.discard(key)
            meter.ascend(ASKING)

    return performable


# ---- players


def _of_argument(x: Expressions, expr: m.Builtin, path: Path, function: Callable[[int], t.Value]) -> Fn:
    argument = x.compile(expr.arguments[0], path)
    return lambda s, f: function(argument(s, f))


def _seat(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return _of_argument(x, expr, path, lambda number: number - 1)


def _number(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return _of_argument(x, expr, path, lambda player: player + 1)


def _opponent(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return _of_argument(x, expr, path, lambda player: 1 - player)


def _next(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    players = x.game.players
    return _of_argument(x, expr, path, lambda player: (player + 1) % players)


def _previous(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    players = x.game.players
    return _of_argument(x, expr, path, lambda player: (player - 1) % players)


def _clockwise(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    players = x.game.players
    rounds = [tuple((first + step) % players for step in range(players)) for first in range(players)]
    return _of_argument(x, expr, path, lambda player: rounds[player])


def _total(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    player, total = x.compile(expr.arguments[0], path), x.total
    return _deep(x, ASKING, lambda s, f: total(s, player(s, f)), path, expr)


def _winner(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    player, wins = x.compile(expr.arguments[0], path), x.wins
    return _deep(x, ASKING, lambda s, f: wins(s, player(s, f)), path, expr)


def _game_over(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return lambda s, f: not s.frames


# ---- lists, zones, numbers


def _reversed(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    items = x.items(expr.arguments[0], path)
    return lambda s, f: tuple(items(s, f))[::-1]


def _place_in(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    items, sought = x.items(expr.arguments[0], path), x.compile(expr.arguments[1], path)

    def place_in(s: State, f: Slots) -> int:
        listed, item = tuple(items(s, f)), sought(s, f)
        if item not in listed:
            raise faults.not_listed(expr, item, path)
        return listed.index(item) + 1

    return place_in


def _size(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    operand = expr.arguments[0]
    value = x.raw(operand, path) if isinstance(operand, m.Read) else x.compile(operand, path)
    if holds_many(operand):
        return lambda s, f: len(value(s, f))
    return lambda s, f: 0 if value(s, f) is None else 1


def _top(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    pile = expr.arguments[0]
    assert isinstance(pile, m.Read)
    raw = x.raw(pile, path)

    def top(s: State, f: Slots) -> t.Value:
        entries = raw(s, f)
        return piece(entries[-1], pile, path) if entries else None

    return top


def _abs(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return _of_argument(x, expr, path, abs)


def _index(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return x.compile(expr.arguments[0], path)


def _builtin(x: Expressions, expr: m.Builtin, path: Path) -> Fn:
    return BUILTINS[expr.name](x, expr, path)


BUILTINS: Mapping[str, Callable[[Expressions, m.Builtin, Path], Fn]] = {
    "seat": _seat,
    "number": _number,
    "opponent": _opponent,
    "next": _next,
    "previous": _previous,
    "clockwise": _clockwise,
    "reversed": _reversed,
    "place_in": _place_in,
    "size": _size,
    "abs": _abs,
    "index": _index,
    "total": _total,
    "winner": _winner,
    "game_over": _game_over,
    "top": _top,
}
FUNCTIONS: Mapping[type, Compile] = {m.CallDefine: _call, m.CanPerform: _can_perform, m.Builtin: _builtin}
