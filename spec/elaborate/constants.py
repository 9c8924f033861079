"""Constant evaluation: values of options, bounds of types, conditions of records, initial values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import model as m
from ..values.types import Range, Type, Value
from .defines import Defines
from .scope import RoutineSlots, Scope, is_poison
from .symbols import Symbols


@dataclass(frozen=True, slots=True)
class ConstantEvaluator:
    """Evaluates constants, and reports expressions that are not constant at their place."""

    symbols: Symbols
    defines: Defines

    def constant(self, node: s.Expression, type_: Type) -> m.Constant | None:
        """Evaluate a constant of the given type. Return None if a fault was reported."""
        expr = self.defines.expressions.wanted(node, type_, Scope(RoutineSlots("declarations"), "declarations"))
        if is_poison(expr):
            return None
        value = self.defines.known(expr, "this must be known before play")
        return None if value is None else m.Constant(type_, node.span, *value)

    def integer(self, node: s.Expression) -> int | None:
        """Evaluate a constant number from minus a million to a million. Return None if a fault was reported."""
        constant = self.constant(node, Range(-1_000_000, 1_000_000))
        return None if constant is None else int(constant.value)

    def satisfies(
        self, node: s.Expression, fields: tuple[tuple[str, Type], ...], span: Span
    ) -> Callable[[tuple[Value, ...]], bool]:
        """Return a record's condition as a predicate over the values of its fields. Its first fault is reported."""
        scope = Scope(RoutineSlots("declarations"), "declarations")
        slots = []
        for name, type_ in fields:
            scope, slot = scope.bind(name, type_, "parameter", span)
            slots.append(slot)
        condition = self.defines.expressions.condition(node, scope)

        is_faulty = is_poison(condition)

        def test(parts: tuple[Value, ...]) -> bool:
            # A condition is tested for every value of the record: its fault is reported at the first one only.
            nonlocal is_faulty
            if is_faulty:  # every value is kept, so that no further fault follows from an empty type
                return True
            given, message = dict(zip(slots, parts, strict=True)), "a record's condition must be known before play"
            known = self.defines.known(condition, message, given)
            is_faulty = known is None
            return known is None or bool(*known)

        return test
