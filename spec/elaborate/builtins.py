"""Elaboration of builtin functions and values: `opponent(p)`, `size(x)`, `player_count`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import FAR, a, most_items
from ..values import types as t
from .scope import Scope, is_poison, poison

if TYPE_CHECKING:
    from .expressions import ExpressionElaborator
    from .symbols import Symbols


Build = Callable[["ExpressionElaborator", s.Name, list[s.Expression], Scope], m.Expr]


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """A built-in function. sample: arguments for a hint, as many as it takes; build: makes the node of a call."""

    sample: str
    build: Build

    @property
    def arity(self) -> int:
        return self.sample.count(",") + 1


def call_builtin(ex: ExpressionElaborator, node: s.Name, scope: Scope) -> m.Expr:
    given = node.arguments or ()
    function = BUILTIN_FUNCTIONS[node.name]
    if len(given) != function.arity or any(argument.label for argument in given):
        wants = "one value" if function.arity == 1 else f"{function.arity} values"
        message = f"`{node.name}` takes {wants} in brackets, without names"
        ex.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, node.span, sample_call(node.name))
        return poison(node.span)
    return function.build(ex, node, [argument.value for argument in given], scope)


def sample_call(name: str) -> str:
    """Return a hint that shows a call of a builtin."""
    return f"for example `{name}({BUILTIN_FUNCTIONS[name].sample})`"


def _of_player(gives: Callable[[t.PlayerType], t.Type], sample: str = "me") -> BuiltinFunction:
    """Return the function of one player with values of this type."""

    def build(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
        player = ex.wanted(given[0], ex.symbols.players, scope)
        if is_poison(player):
            return player
        if node.name == "opponent" and (count := ex.symbols.players.count) != 2:
            message = f"`opponent` is for two players, and {count} sit at the table"
            ex.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, node.span)
            return poison(node.span)
        return m.Builtin(gives(ex.symbols.players), node.span, node.name, (player,))  # type: ignore[arg-type]

    return BuiltinFunction(sample, build)


def _seat(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    seat = ex.wanted(given[0], t.Range(1, ex.symbols.players.count), scope)
    # A seat that is written as a number is known at once.
    if isinstance(seat, m.Constant) and not is_poison(seat):
        return m.Constant(ex.symbols.players, node.span, seat.value - 1)
    return seat if is_poison(seat) else m.Builtin(ex.symbols.players, node.span, "seat", (seat,))


def _size(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.collection(given[0], replace(scope, counting=True))
    if is_poison(operand):
        return operand
    return m.Builtin(t.Range(0, most_items(operand)), node.span, "size", (operand,))


def _abs(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.integer(given[0], scope)
    if not isinstance(operand.type, t.Range):
        return operand
    low, high = operand.type.low, operand.type.high
    # The least is 0 only if the range contains it.
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return m.Builtin(t.Range(least, max(abs(low), abs(high))), node.span, "abs", (operand,))


def _index(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = ex.expr(given[0], scope)
    if is_poison(operand):
        return poison(node.span)
    if isinstance(operand.type, t.Optional) and not isinstance(operand.type.of, t.Never):
        ex.may_be_none(operand, "`index` needs a value", scope)
        return poison(node.span)
    count = None if isinstance(operand.type, t.Optional) else t.size(operand.type)
    if count is None:
        ex.diagnostics.report(spec_codes.WRONG_TYPE, f"{a(operand.type)} has no place in an order", operand.span)
        return poison(node.span)
    return m.Builtin(t.Range(0, max(0, count - 1)), node.span, "index", (operand,))


def _reversed(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = _list(ex, given[0], scope)
    return operand if is_poison(operand) else m.Builtin(operand.type, node.span, "reversed", (operand,))


def _place_in(ex: ExpressionElaborator, node: s.Name, given: list[s.Expression], scope: Scope) -> m.Expr:
    operand = _list(ex, given[0], scope)
    if is_poison(operand):
        return operand
    item = ex.wanted(given[1], t.element_type(operand.type) or t.Never(), scope)
    if is_poison(item):
        return item
    return m.Builtin(t.Range(1, most_items(operand)), node.span, "place_in", (operand, item))


def _list(ex: ExpressionElaborator, node: s.Expression, scope: Scope) -> m.Expr:
    operand = ex.expr(node, scope)
    if is_poison(operand) or isinstance(operand.type, t.ListOf):
        return operand
    ex.diagnostics.report(spec_codes.WRONG_TYPE, f"this is {a(operand.type)}, and a list is needed", operand.span)
    return poison(operand.span)


def _player_count(symbols: Symbols, span: Span) -> m.Expr:
    low, high = symbols.setting.player_range
    # The range of all tables: what fits at some of them is tested in play here, and is not an error before it.
    return m.Constant(t.Range(low, high), span, symbols.players.count)


def _seats(symbols: Symbols, span: Span) -> m.Expr:
    return m.Constant(t.ListOf(symbols.players), span, tuple(range(symbols.players.count)))


def _game_over(symbols: Symbols, span: Span) -> m.Expr:
    return m.Builtin(t.Bool(), span, "game_over", ())


CLAIM_WORDS = frozenset({"winner", "game_over", "to_move"})
"""The builtins that only claims about a state may use: a rule that read who wins could depend on its own result."""
CLAIM_PATHS = ("example.", "invariant.")
"""The beginnings of the paths of such claims."""

BUILTIN_VALUES: dict[str, Callable[[Symbols, Span], m.Expr]] = {
    "player_count": _player_count,
    "seats": _seats,
    "game_over": _game_over,
}
BUILTIN_FUNCTIONS: dict[str, BuiltinFunction] = {
    "seat": BuiltinFunction("1", _seat),
    "number": _of_player(lambda players: t.Range(1, players.count)),
    "opponent": _of_player(lambda players: players),
    "next": _of_player(lambda players: players),
    "previous": _of_player(lambda players: players),
    "clockwise": _of_player(t.ListOf),
    "total": _of_player(lambda players: t.Range(-FAR, FAR)),
    "winner": _of_player(lambda players: t.Bool()),
    "to_move": _of_player(lambda players: t.Bool(), "p"),
    "size": BuiltinFunction("my hand", _size),
    "abs": BuiltinFunction("a - b", _abs),
    "index": BuiltinFunction("WORD", _index),
    "reversed": BuiltinFunction("seats", _reversed),
    "place_in": BuiltinFunction("seats, me", _place_in),
}
