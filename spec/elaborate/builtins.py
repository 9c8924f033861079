"""Elaboration of builtin functions and values: `opponent(p)`, `size(x)`, `player_count`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes as codes
from ..ranges.bounds import FAR, a, most_items
from ..values.types import Bool, ListOf, Never, Optional, Range, Type, element_type, size
from .scope import Scope, is_poison, poison

if TYPE_CHECKING:
    from .expressions import ExpressionElaborator
    from .symbols import Symbols


def call_builtin(ex: ExpressionElaborator, node: s.Name, scope: Scope) -> m.Expr:
    given = node.arguments or ()
    arity, build = BUILTIN_FUNCTIONS[node.name]
    if len(given) != arity or any(argument.label for argument in given):
        wants = "one value" if arity == 1 else f"{arity} values"
        message = f"`{node.name}` takes {wants} in brackets, without names"
        ex.report.report(
            codes.WRONG_ARGUMENTS, message, node.span, f"for example `{node.name}({SAMPLE_OF[node.name]})`"
        )
        return poison(node.span)
    return build(ex, node, [argument.value for argument in given], scope)


def _of_player(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    player = ex.wanted(given[0], ex.symbols.players, scope)
    if is_poison(player):
        return player
    count = ex.symbols.players.count
    if node.name == "opponent" and count != 2:
        message = f"`opponent` is for two players, and {count} sit at the table"
        ex.report.report(codes.WRONG_ARGUMENTS, message, node.span)
        return poison(node.span)
    results: dict[str, Type] = {
        "winner": Bool(),
        "to_move": Bool(),
        "number": Range(1, count),
        "clockwise": ListOf(ex.symbols.players),
        "total": Range(-FAR, FAR),
    }
    type_ = results.get(node.name, ex.symbols.players)
    return m.Builtin(type_, node.span, node.name, (player,))  # type: ignore[arg-type]


def _seat(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    seat = ex.wanted(given[0], Range(1, ex.symbols.players.count), scope)
    # A seat that is written as a number is known at once.
    if isinstance(seat, m.Constant) and not is_poison(seat):
        return m.Constant(ex.symbols.players, node.span, seat.value - 1)
    return seat if is_poison(seat) else m.Builtin(ex.symbols.players, node.span, "seat", (seat,))


def _size(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.collection(given[0], replace(scope, counting=True))
    if is_poison(operand):
        return operand
    return m.Builtin(Range(0, most_items(operand)), node.span, "size", (operand,))


def _abs(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.integer(given[0], scope)
    if not isinstance(operand.type, Range):
        return operand
    low, high = operand.type.low, operand.type.high
    # The least is 0 only if the range contains it.
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return m.Builtin(Range(least, max(abs(low), abs(high))), node.span, "abs", (operand,))


def _index(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.expr(given[0], scope)
    if is_poison(operand):
        return poison(node.span)
    if isinstance(operand.type, Optional) and not isinstance(operand.type.of, Never):
        ex.may_be_none(operand, "`index` needs a value", scope)
        return poison(node.span)
    count = None if isinstance(operand.type, Optional) else size(operand.type)
    if count is None:
        ex.report.report(codes.WRONG_TYPE, f"{a(operand.type)} has no place in an order", operand.span)
        return poison(node.span)
    return m.Builtin(Range(0, max(0, count - 1)), node.span, "index", (operand,))


def _reversed(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = _list(ex, given[0], scope)
    return operand if is_poison(operand) else m.Builtin(operand.type, node.span, "reversed", (operand,))


def _place_in(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = _list(ex, given[0], scope)
    if is_poison(operand):
        return operand
    item = ex.wanted(given[1], element_type(operand.type) or Never(), scope)
    if is_poison(item):
        return item
    return m.Builtin(Range(1, most_items(operand)), node.span, "place_in", (operand, item))


def _list(ex: ExpressionElaborator, node: s.Expression, scope: Scope) -> m.Expr:
    operand = ex.expr(node, scope)
    if is_poison(operand) or isinstance(operand.type, ListOf):
        return operand
    ex.report.report(codes.WRONG_TYPE, f"this is {a(operand.type)}, and a list is needed", operand.span)
    return poison(operand.span)


def _player_count(symbols: Symbols, span: Span) -> m.Expr:
    low, high = symbols.setting.player_range
    # The range of all tables: what fits at some of them is tested in play here, and is not an error before it.
    return m.Constant(Range(low, high), span, symbols.players.count)


def _seats(symbols: Symbols, span: Span) -> m.Expr:
    return m.Constant(ListOf(symbols.players), span, tuple(range(symbols.players.count)))


def _game_over(symbols: Symbols, span: Span) -> m.Expr:
    return m.Builtin(Bool(), span, "game_over", ())


CLAIM_WORDS = frozenset({"winner", "game_over", "to_move"})
"""Known only in claims about a state, which no rule depends on: a rule that asked who wins would ask itself."""
CLAIM_PATHS = ("example.", "invariant.")
"""The beginnings of the paths of such claims."""

Build = Callable[["ExpressionElaborator", s.Name, list[s.Expression], Scope], m.Expr]

BUILTIN_VALUES: dict[str, Callable[[Symbols, Span], m.Expr]] = {
    "player_count": _player_count,
    "seats": _seats,
    "game_over": _game_over,
}
BUILTIN_FUNCTIONS: dict[str, tuple[int, Build]] = {
    "seat": (1, _seat),
    "number": (1, _of_player),
    "opponent": (1, _of_player),
    "next": (1, _of_player),
    "previous": (1, _of_player),
    "clockwise": (1, _of_player),
    "total": (1, _of_player),
    "winner": (1, _of_player),
    "to_move": (1, _of_player),
    "size": (1, _size),
    "abs": (1, _abs),
    "index": (1, _index),
    "reversed": (1, _reversed),
    "place_in": (2, _place_in),
}
SAMPLE_OF = {
    "seat": "1",
    "size": "my hand",
    "abs": "a - b",
    "index": "WORD",
    "reversed": "seats",
    "place_in": "seats, me",
    "to_move": "p",
} | dict.fromkeys(("number", "opponent", "next", "previous", "clockwise", "total", "winner"), "me")
"""The arguments that a builtin takes, for hints."""
