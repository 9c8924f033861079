"""Bodies of facts, defines, scores and requirements: lets, matches and exceptions around expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..clauses import pattern_name
from ..types import (
    Bool,
    ComponentType,
    Never,
    Optional,
    Range,
    Type,
    Value,
    Words,
    position,
    size,
    strip_optional,
    values,
)
from .bounds import a
from .expressions import BOOL, Expressions
from .scope import Scope, guarded, is_poison, poison
from .world import World, spelled


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm's patterns, resolved: the values it takes (None: all others), and the scope of its body."""

    path: str
    values: frozenset[Value] | None
    binds: tuple[m.Binding, ...]
    scope: Scope


class Bodies:
    def __init__(self, world: World, expressions: Expressions) -> None:
        self.world = world
        self.ex = expressions

    # ---- values -----------------------------------------------------------------------------------------------

    def value(self, body: s.ValueBody, scope: Scope, expected: Type | None = None) -> m.Expr:
        """The body as one expression; with the lets, arms and exceptions it is made of."""
        inner, lets = scope, []
        for let in body.lets:
            self.ex.check_new(let.name, let.span, inner)
            given = self.ex.expr(let.value, inner)
            inner, slot = inner.bind(let.name, given.type, "let", let.span)
            lets.append((let.span, slot, given))
        found = self._core(body.value, inner, expected)
        found = self._with_exceptions(found, body.exceptions, inner, expected)
        for span, slot, given in reversed(lets):
            found = m.LetExpr(found.type, span, slot, given, found)
        return found

    def _core(self, node: s.Expression | s.ValueMatch, scope: Scope, expected: Type | None) -> m.Expr:
        if not isinstance(node, s.ValueMatch):
            return self.ex.expr(node, scope, expected)
        subject = self.ex.expr(node.subject, scope)
        if is_poison(subject):
            return subject
        cases = []
        for pattern, arm in zip(self.arms(node.arms, subject, scope, node.span), node.arms, strict=True):
            body = self.value(arm.value, pattern.scope, expected)
            cases.append(m.ValueCase(pattern.path, pattern.values, pattern.binds, body))
        type_ = self.ex.common(case.body for case in cases)
        return poison(node.span) if type_ is None else m.MatchExpr(type_, node.span, subject, tuple(cases))

    def _with_exceptions(
        self, body: m.Expr, exceptions: tuple[s.ValueException, ...], scope: Scope, expected: Type | None
    ) -> m.Expr:
        cases = []
        for exception in exceptions:
            path = f"{scope.path}.{exception.label}"
            if exception.value is None:
                message = "an exception to a value must say the value instead"
                self.world.report.report(
                    codes.WRONG_TYPE, message, exception.span, f"`except {exception.label}: VALUE when`"
                )
                continue
            condition = self.ex.condition(exception.condition, scope.at(path))
            inner = scope.at(path).knowing(guarded(condition))
            cases.append(m.ExceptionCase(path, condition, self.ex.expr(exception.value, inner, expected)))
        if not cases:
            return body
        type_ = self.ex.common((body, *(case.value for case in cases)))
        return (
            poison(body.span) if type_ is None else m.WithExceptions(type_, body.span, scope.path, body, tuple(cases))
        )

    def requirement(self, node: s.Require, scope: Scope) -> m.Requirement:
        """A `require` line, its waivers apart, so that each can be told as a reason."""
        path = f"{scope.path}.{node.label}"
        inner = scope.at(path)
        body = self.value(replace(node.body, exceptions=()), inner, BOOL)
        condition = self.ex.fit(body, BOOL, inner)
        waivers = tuple(self._waiver(exception, inner) for exception in node.body.exceptions)
        return m.Requirement(path, condition, waivers, node.span)

    def _waiver(self, node: s.ValueException, scope: Scope) -> m.Waiver:
        path = f"{scope.path}.{node.label}"
        condition = self.ex.condition(node.condition, scope.at(path))
        if node.value is None:
            return m.Waiver(path, condition, m.Constant(BOOL, node.span, True))
        inner = scope.at(path).knowing(guarded(condition))
        return m.Waiver(path, condition, self.ex.condition(node.value, inner))

    # ---- arms -------------------------------------------------------------------------------------------------

    def arms(
        self, nodes: Sequence[s.ValueArm | s.StepArm], subject: m.Expr, scope: Scope, span: Span, lenient: bool = False
    ) -> list[Arm]:
        """Patterns resolved against the subject's type; dead arms and missing values reported (`lenient`: a step match
        of which a layer is silent may leave values out)."""
        taken: dict[Value, Span] = {}
        found = []
        for node in nodes:
            name = pattern_name(node.patterns)
            path = f"{scope.path}.{name}"
            inner, matched, binds = scope.at(path), frozenset[Value](), tuple[m.Binding, ...]()
            everything = False
            for pattern in node.patterns:
                if pattern.kind == "otherwise":
                    everything = True
                    continue
                got, binds, inner = self._pattern(pattern, subject.type, inner)
                self._dead(pattern, got, taken)
                matched |= got
            taken.update(dict.fromkeys(matched, node.span))
            found.append(Arm(path, None if everything else matched, binds, inner))
        if not lenient:
            self._complete(nodes, subject, taken, span)
        return found

    def _pattern(
        self, pattern: s.Pattern, type_: Type, scope: Scope
    ) -> tuple[frozenset[Value], tuple[m.Binding, ...], Scope]:
        held = strip_optional(type_)
        if isinstance(type_, Optional) and pattern.name == "none":
            return frozenset((None,)), (), scope
        if pattern.kind == "number":
            assert pattern.low is not None
            assert pattern.high is not None
            if isinstance(held, Range):
                low, high = max(pattern.low, held.low), min(pattern.high, held.high)
                return frozenset(range(low, high + 1)), (), scope
        elif isinstance(held, Words) and pattern.name and (case := held.case(pattern.name)):
            self.world.used.add(f"word {held}.{case.name}")
            return self._word_pattern(pattern, held, case, scope)
        elif isinstance(held, ComponentType) and pattern.name in held.positions:
            return frozenset((held.positions[pattern.name],)), (), scope
        elif isinstance(held, Bool) and pattern.name in ("true", "false"):
            return frozenset((pattern.name == "true",)), (), scope
        elif isinstance(held, Words) and pattern.name:
            self.world.unknown(f"word of {held}", pattern.name, pattern.span, (c.name for c in held.cases))
            return frozenset(), (), scope
        self.world.report.report(codes.WRONG_TYPE, f"this is no value of {a(held)}", pattern.span)
        return frozenset(), (), scope

    def _word_pattern(
        self, pattern: s.Pattern, words: Words, case: object, scope: Scope
    ) -> tuple[frozenset[Value], tuple[m.Binding, ...], Scope]:
        declared = words.case(pattern.name or "")
        assert declared is not None
        positions = frozenset(i for i, (word, _) in enumerate(words.members) if word == declared.name)
        if pattern.binds and len(pattern.binds) != len(declared.fields):
            wants = ", ".join(name for name, _ in declared.fields) or "nothing"
            message = f"`{declared.name}` has {wants} in its brackets"
            self.world.report.report(codes.WRONG_ARGUMENTS, message, pattern.span)
            return positions, (), scope
        binds = []
        for at, name in enumerate(pattern.binds):
            type_ = declared.fields[at][1]
            self.ex.check_new(name, pattern.span, scope)
            scope, slot = scope.bind(name, type_, "let", pattern.span)
            table = tuple(data[at] if word == declared.name else None for word, data in words.members)
            binds.append(m.Binding(slot, table))
        return positions, tuple(binds), scope

    def _dead(self, pattern: s.Pattern, got: frozenset[Value], taken: dict[Value, Span]) -> None:
        if pattern.kind == "number" and not got:
            self.world.report.report(codes.DEAD_ARM, "the subject never has this value", pattern.span)
        repeated = [value for value in got if value in taken]
        if got and len(repeated) == len(got):
            note = Note("this arm takes it first", taken[repeated[0]])
            self.world.report.report(codes.DEAD_ARM, "an earlier arm has this value", pattern.span, notes=(note,))

    def _complete(
        self, nodes: Sequence[s.ValueArm | s.StepArm], subject: m.Expr, taken: dict[Value, Span], span: Span
    ) -> None:
        type_ = subject.type
        has_otherwise = any(p.kind == "otherwise" for node in nodes for p in node.patterns)
        missing = () if size(type_) is None else tuple(v for v in values(type_) if v not in taken)
        if has_otherwise:
            if size(type_) is not None and not missing:
                message = "nothing is left for `otherwise`: the arms before it take every value"
                self.world.report.report(codes.DEAD_ARM, message, nodes[-1].span)
            return
        if missing or size(type_) is None:
            names = dict.fromkeys(value_name(type_, value) for value in missing)
            message = f"no arm takes {spelled(names)}" if missing else "no arm takes the other values"
            self.world.report.report(codes.INCOMPLETE_MATCH, message, span)


def value_name(type_: Type, value: Value) -> str:
    """A value in a message: the word, id or number."""
    match strip_optional(type_) if value is not None else None:
        case Words() as words:
            return words.members[value][0]
        case ComponentType(ids=ids):
            return ids[value]
        case None:
            return "none"
        case Never() | Optional():
            return "none"
        case held:
            return str(value) if isinstance(held, Range) else str(position(held, value))
