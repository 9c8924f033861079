"""Examples: a position, moves, and what must hold; elaborated for the table they name."""

from __future__ import annotations

from ludex.grammar import format_expression
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..types import Never, Value
from .constants import NotConstant, value_of
from .defines import Defines
from .scope import Frame, Scope, is_poison
from .steps import Steps


def elaborate_example(
    node: s.ExampleDeclaration, cast: tuple[str, ...], steps: Steps, defines: Defines, layer: str
) -> m.Example:
    """The example for the table at hand; its faults are reported."""
    return _ExamplePass(steps, defines, {name: seat for seat, name in enumerate(cast)}).run(node, cast, layer)


class _ExamplePass:
    def __init__(self, steps: Steps, defines: Defines, seats: dict[str, int]) -> None:
        self.steps = steps
        self.defines = defines
        self.seats = seats
        self.report = steps.world.report

    def run(self, node: s.ExampleDeclaration, cast: tuple[str, ...], layer: str) -> m.Example:
        path = f"example.{node.name}"
        self.steps.routine = path
        given: m.Routine | None = None
        checks: list[m.ExampleCheck] = []
        for check in node.checks:
            if isinstance(check, s.Given):
                scope = self._scope(path)
                given = m.Routine(path, self.steps.block(check.body.statements, scope, check.span), scope.frame.size)
            elif (found := self._check(check, path)) is not None:
                checks.append(found)
        return m.Example(node.name, layer, cast, given, tuple(checks), node.span)

    def _scope(self, path: str) -> Scope:
        return Scope(Frame(), path, cast=self.seats)

    def _check(self, node: s.Check, path: str) -> m.ExampleCheck | None:
        match node:
            case s.After(player=player, move=move):
                made = self._move(player, move, node, path)
                return m.PlayMove(made) if made else None
            case s.Allow(player=player, move=move):
                made = self._move(player, move, node, path)
                return m.AllowMove(made) if made else None
            case s.Refuse(player=player, move=move, because=because):
                made = self._move(player, move, node, path)
                return m.RefuseMove(made, because) if made else None
            case s.AfterChance(value=value):
                return self._chance(value, path)
            case s.Expect(value=value):
                scope = self._scope(path)
                condition = self.steps.ex.condition(value, scope)
                return m.ExpectThat(condition, scope.frame.size, format_expression(value), node.span)
            case _:
                return None

    def _chance(self, node: s.Expression, path: str) -> m.ExampleCheck | None:
        """An outcome is read in the light of the outcomes that the game knows: the first kind that fits."""
        scope = self._scope(path)
        outcomes = {signature.outcome for signature in self.steps.world.chances.values()}
        expected = next((t for t in outcomes if self._names(node, t)), None)
        found = self.steps.ex.expr(node, scope, expected)
        value = self._constant(found)
        return None if value is _FAULTY else m.ChanceOutcome(value, found.type, node.span)

    def _names(self, node: s.Expression, type_: object) -> bool:
        words = getattr(type_, "positions", {})
        return isinstance(node, s.Name) and (node.name in words or (node.name, ()) in words)

    def _move(self, player: str, move: s.Call, node: s.Node, path: str) -> m.ExampleMove | None:
        if player not in self.seats:
            self.steps.world.unknown("player of the example", player, node.span, self.seats)
            return None
        if move.action == "decline" and not move.arguments:
            return m.ExampleMove(self.seats[player], "decline", (), move.span)
        signature = self.steps.world.moves.get(move.action)
        if signature is None:
            self.steps.world.unknown("move", move.action, move.span, [*self.steps.world.moves, "decline"])
            return None
        pairs = tuple((name, type_) for name, type_, _ in signature.arguments)
        given = self.steps.ex.names.arguments(move.action, pairs, move.arguments or (), self._scope(path), move.span)
        if given is None:
            return None
        values = [self._constant(argument) for argument in given]
        if any(value is _FAULTY for value in values):
            return None
        names = (name for name, _, _ in signature.arguments)
        return m.ExampleMove(self.seats[player], move.action, tuple(zip(names, values, strict=True)), move.span)

    def _constant(self, node: m.Expr) -> Value:
        if is_poison(node) or isinstance(node.type, Never):
            return _FAULTY
        try:
            return value_of(node, {}, self.defines.compute)
        except NotConstant:
            self.report.report(codes.NOT_CONSTANT, "in an example this must be a plain value", node.span)
            return _FAULTY


_FAULTY = object()
