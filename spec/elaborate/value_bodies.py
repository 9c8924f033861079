"""Elaboration of value bodies (facts, defines, scores, requirements): lets, matches and exceptions."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import a
from ..text import pattern_name
from ..values import types as t
from .expressions import ExpressionElaborator
from .scope import Scope, is_poison, poison
from .symbols import Symbols, spelled, words_of_type

_MOST_NAMED = 8
"""The largest number of numbers without an arm that a report names."""


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm of a `match` with its patterns resolved.

    Attributes:
        values: the values that it matches; None for `otherwise`.
        binds: the names that a pattern gives to the data of a word.
        scope: the scope of its body.
    """

    path: str
    values: frozenset[t.Value] | None
    binds: tuple[m.Binding, ...]
    scope: Scope


class ValueBodies:
    def __init__(self, symbols: Symbols, expressions: ExpressionElaborator) -> None:
        self.symbols = symbols
        self.ex = expressions

    # ---- values -----------------------------------------------------------------------------------------------

    def value(self, body: s.ValueBody, scope: Scope, expected: t.Type | None = None) -> m.Expr:
        """Elaborate a body with its lets, arms and exceptions to one expression."""
        inner, lets = scope, []
        for let in body.lets:
            given = self.ex.expr(let.value, inner)
            inner, slot = self.ex.bind(let.name, given.type, "let", inner)
            lets.append((let.span, slot, given))
        result = self._core(body.value, inner, expected)
        result = self._with_exceptions(result, body.exceptions, inner, expected)
        # The lets go around the exceptions, too, whose conditions and values may use their names.
        for span, slot, given in reversed(lets):
            result = m.LetExpr(result.type, span, slot, given, result)
        return result

    def _core(self, node: s.Expression | s.ValueMatch, scope: Scope, expected: t.Type | None) -> m.Expr:
        if not isinstance(node, s.ValueMatch):
            return self.ex.expr(node, scope, expected)
        subject = self.subject(node.subject, scope)
        if is_poison(subject):
            return poison(node.span)
        cases = []
        for pattern, arm in zip(self.arms(node.arms, subject, scope, node), node.arms, strict=True):
            body = self.value(arm.value, pattern.scope, expected)
            cases.append(m.ValueCase(pattern.path, pattern.values, pattern.binds, body))
        type_ = self.ex.common(case.body for case in cases)
        return poison(node.span) if type_ is None else m.MatchExpr(type_, node.span, subject, tuple(cases))

    def _with_exceptions(
        self, body: m.Expr, exceptions: tuple[s.ValueException, ...], scope: Scope, expected: t.Type | None
    ) -> m.Expr:
        cases = []
        for exception in exceptions:
            path = f"{scope.path}.{exception.label}"
            if exception.value is None:
                message = "an exception to a value must give another value"
                place, hint = exception.label.span, f"`except {exception.label}: VALUE when`"
                self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, place, hint)
                # The other exceptions are still checked.
                continue
            condition = self.ex.condition(exception.condition, scope.at(path))
            inner = scope.at(path).knowing(condition)
            cases.append(m.ExceptionCase(path, condition, self.ex.expr(exception.value, inner, expected)))
        if not cases:
            return body
        type_ = self.ex.common((body, *(case.value for case in cases)), "the value it replaces is")
        return (
            poison(body.span) if type_ is None else m.WithExceptions(type_, body.span, scope.path, body, tuple(cases))
        )

    def requirement(self, node: s.Require, scope: Scope) -> m.Requirement:
        """Elaborate a requirement, with its waivers separate, so that a report can name each."""
        path = f"{scope.path}.{node.label}"
        named = scope.names.get(node.label)
        # Both would have one path, and so the same terms.
        if named is not None and named.kind == "choice" and scope.path == scope.frame.routine:
            message = f"a choice of `{scope.path}` is called `{node.label}`, too"
            hint, notes = "give the requirement another label", (Note("the choice", named.span),)
            self.symbols.diagnostics.report(spec_codes.DUPLICATE_NAME, message, node.label.span, hint, notes)
        inner = scope.at(path)
        body = self.value(replace(node.body, exceptions=()), inner, t.BOOL)
        condition = self.ex.fit(body, t.BOOL, inner)
        waivers = tuple(self._waiver(exception, inner) for exception in node.body.exceptions)
        return m.Requirement(path, condition, waivers, node.span, node.label.span)

    def _waiver(self, node: s.ValueException, scope: Scope) -> m.Waiver:
        path = f"{scope.path}.{node.label}"
        condition = self.ex.condition(node.condition, scope.at(path))
        if node.value is None:
            # Such an exception lifts the requirement.
            return m.Waiver(path, condition, m.Constant(t.BOOL, node.span, True))
        inner = scope.at(path).knowing(condition)
        return m.Waiver(path, condition, self.ex.condition(node.value, inner))

    # ---- arms -------------------------------------------------------------------------------------------------

    def subject(self, node: s.Expression, scope: Scope) -> m.Expr:
        """Elaborate the subject of a match: words, numbers, components, booleans, perhaps `none`."""
        subject = self.ex.expr(node, scope)
        if is_poison(subject) or isinstance(
            t.strip_optional(subject.type), t.Range | t.Words | t.ComponentType | t.Bool
        ):
            return subject
        message = f"{a(subject.type)} has no words or numbers that arms could name"
        self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span)
        return poison(node.span)

    def arms(
        self,
        nodes: Sequence[s.ValueArm | s.StepArm],
        subject: m.Expr,
        scope: Scope,
        match: s.ValueMatch | s.Match,
        lenient: bool = False,
    ) -> list[Arm]:
        """Return the arms with their patterns resolved; report dead arms and missing values.

        lenient: do not report missing values, since an edition that leaves clauses out may lack their arms."""
        taken: dict[t.Value, Span] = {}
        resolved, faulty = [], False
        for node in nodes:
            arm = self._arm(node, subject.type, scope, taken)
            faulty = faulty or arm is None
            path = f"{scope.path}.{pattern_name(node.patterns)}"
            # A faulty arm matches nothing, but its body is elaborated, so that its own faults are reported.
            resolved.append(arm or Arm(path, frozenset(), (), self._unresolved(node, scope.at(path))))
        rest = [pattern.span for node in nodes for pattern in node.patterns if pattern.kind == "otherwise"]
        if self._arms_after_rest(nodes, rest) or faulty:  # what is missing would be a consequence of that fault
            return resolved
        # The span is that of the head of the match, since the whole would mark all arms.
        place = match.span.to(match.subject.span)
        self._complete(subject.type, taken, rest[0] if rest else None, place, scope.path, lenient)
        return resolved

    def _arms_after_rest(self, nodes: Sequence[s.ValueArm | s.StepArm], rest: list[Span]) -> bool:
        """Return whether arms come after an `otherwise`, and report it."""
        if len(rest) > 1:
            notes = (Note("the other one", rest[0]),)
            self.symbols.diagnostics.report(spec_codes.DEAD_ARM, "there are two `otherwise`", rest[1], notes=notes)
        elif rest and rest[0] < nodes[-1].patterns[0].span:
            message = "this matches every value, so the arms below it are never reached"
            self.symbols.diagnostics.report(spec_codes.DEAD_ARM, message, rest[0], "put `otherwise` last")
        else:
            return False
        return True

    def _arm(self, node: s.ValueArm | s.StepArm, type_: t.Type, scope: Scope, taken: dict[t.Value, Span]) -> Arm | None:
        """Elaborate one arm. Return None if one of its patterns is faulty."""
        path = f"{scope.path}.{pattern_name(node.patterns)}"
        inner, matched, binds = scope.at(path), set[t.Value](), tuple[m.Binding, ...]()
        for pattern in node.patterns:
            if pattern.kind == "otherwise":
                # It takes what is left, which is known only after all arms.
                continue
            resolved = self._pattern(pattern, type_, inner)
            if resolved is None:
                return None
            values_here, binds, inner = resolved
            self._dead(pattern, t.strip_optional(type_), values_here, taken)
            # The first arm of a value counts, since arms are tried in order.
            taken.update((value, pattern.span) for value in values_here if value not in taken)
            matched |= values_here
        everything = any(pattern.kind == "otherwise" for pattern in node.patterns)
        return Arm(path, None if everything else frozenset(matched), binds, inner)

    def _unresolved(self, node: s.ValueArm | s.StepArm, scope: Scope) -> Scope:
        """Return the scope of an arm with a faulty pattern, in which uses of its names are not reported."""
        for pattern in node.patterns:
            for name in pattern.binds:
                # A name that is taken needs no second report.
                if name not in scope.names:
                    scope, _ = scope.bind(name, t.Never(), "let", pattern.span)
        return scope

    def _pattern(
        self, pattern: s.Pattern, type_: t.Type, scope: Scope
    ) -> tuple[frozenset[t.Value], tuple[m.Binding, ...], Scope] | None:
        """Return the values that a pattern matches, the names that it binds, and the scope with these.

        Return None if a fault was reported."""
        matched_type = t.strip_optional(type_)
        if pattern.name == "none":
            if not isinstance(type_, t.Optional):
                self.symbols.diagnostics.report(
                    spec_codes.DEAD_ARM, f"this is {a(matched_type)}, and never `none`", pattern.span
                )
                return None
            return frozenset((None,)), (), scope
        if pattern.kind == "number" and isinstance(matched_type, t.Range):
            assert pattern.low is not None
            assert pattern.high is not None
            low, high = max(pattern.low, matched_type.low), min(pattern.high, matched_type.high)
            numbers = range(low, high + 1)
            # The size is tested before the set is made: a pattern may cover 10**9 numbers, which may not fit into
            # memory.
            allowed = self.symbols.allowance.allows(len(numbers), scope.path, pattern.span)
            return (frozenset(numbers), (), scope) if allowed else None
        name = pattern.name or ""
        if isinstance(matched_type, t.Words) and (case := matched_type.case(name)):
            self.symbols.uses.read.add(f"word {matched_type}.{case.name}")
            return self._word_pattern(pattern, matched_type, case, scope)
        if isinstance(matched_type, t.ComponentType) and name in matched_type.positions and not pattern.binds:
            return frozenset((matched_type.positions[name],)), (), scope
        if isinstance(matched_type, t.Bool) and name in ("true", "false"):
            return frozenset((name == "true",)), (), scope
        self._no_value(pattern, matched_type)
        return None

    def _no_value(self, pattern: s.Pattern, held: t.Type) -> None:
        known = words_of_type(held)
        if pattern.name and known and pattern.name not in known:
            if not self.symbols.checks.muted:
                self.symbols.unknown(f"word of {held}", pattern.name, known)
        else:
            what = "a number" if pattern.kind == "number" else "a word"
            self.symbols.diagnostics.report(
                spec_codes.WRONG_TYPE, f"this is {what}, and {a(held)} is matched", pattern.span
            )

    def _word_pattern(
        self, pattern: s.Pattern, words: t.Words, declared: t.Case, scope: Scope
    ) -> tuple[frozenset[t.Value], tuple[m.Binding, ...], Scope] | None:
        if pattern.binds and len(pattern.binds) != len(declared.fields):
            names = ", ".join(name for name, _ in declared.fields)
            whole = f"{declared.name}({names})" if names else declared.name
            message = f"the word is `{whole}`: its data need as many names, or none"
            self.symbols.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, pattern.span)
            return None
        if not self.symbols.allowance.allows(len(words.members), scope.path, pattern.span):
            return None
        # Words with data have a value for each combination.
        positions = frozenset(i for i, (word, _) in enumerate(words.members) if word == declared.name)
        binds = []
        for at, name in enumerate(pattern.binds):
            scope, slot = self.ex.bind(name, declared.fields[at][1], "data", scope)
            table = tuple(data[at] if word == declared.name else None for word, data in words.members)
            binds.append(m.Binding(slot, table))
        return positions, tuple(binds), scope

    def _dead(self, pattern: s.Pattern, held: t.Type, matched: frozenset[t.Value], taken: dict[t.Value, Span]) -> None:
        """Report a pattern that matches no value, or only values that an earlier arm takes."""
        check = self.symbols.checks.add
        # Ranges may depend on the table: what never matches at one table may match at another.
        if pattern.kind == "number" and isinstance(held, t.Range):
            low, high = pattern.low or 0, pattern.high or 0
            backwards = f"the range {low}..{high} holds no number"
            message = backwards if low > high else f"this never matches: the values here are {held.low}..{held.high}"
            check(not matched, spec_codes.DEAD_ARM, message, pattern.span)
            message = f"part of this never matches: the values here are {held.low}..{held.high}"
            check(
                bool(matched) and not held.low <= low <= high <= held.high,
                spec_codes.OUT_OF_RANGE,
                message,
                pattern.span,
            )
        repeated = [value for value in (matched if None in matched else sorted(matched)) if value in taken]
        if repeated:
            note = Note("this arm matches it first", taken[repeated[0]])
            all_of_it = len(repeated) == len(matched)
            what = "this value" if all_of_it else f"`{value_name(held, repeated[0])}`"
            self.symbols.diagnostics.report(
                spec_codes.DEAD_ARM, f"an earlier arm has {what}", pattern.span, notes=(note,)
            )

    def _complete(
        self, type_: t.Type, taken: Mapping[t.Value, Span], rest: Span | None, span: Span, path: str, lenient: bool
    ) -> None:
        """Report values that no arm matches, and an `otherwise` that is never reached."""
        # They are counted and not listed: the results of arithmetic have more values than fit into memory.
        count = (t.size(type_) or 0) - len(taken)
        if rest is not None:
            message = "`otherwise` is never reached: the arms before it match every value"
            self.symbols.checks.add(not count, spec_codes.DEAD_ARM, message, rest)
        elif count and not lenient:
            names = _missing(type_, taken, count)
            # Another text has the missing arm, so that this text alone is not a complete game.
            if any(other.startswith(f"{path}.") for other in self.symbols.silent):
                self.symbols.diagnostics.report(spec_codes.NO_GAME_ALONE, f"{names} of `{path}`", span)
                return
            message = f"no arm matches {names}"
            self.symbols.diagnostics.report(spec_codes.INCOMPLETE_MATCH, message, span, "add an arm, or `otherwise`")


def _missing(type_: t.Type, taken: Container[t.Value], count: int) -> str:
    """Return the names of the values that are not taken, as a list for messages. count: how many values these are."""
    held = t.strip_optional(type_)
    every = chain((None,) if isinstance(type_, t.Optional) else (), t.values(held))
    missing = (value_name(type_, value) for value in every if value not in taken)
    if not isinstance(held, t.Range):
        return spelled(dict.fromkeys(missing))
    shown = tuple(islice(missing, _MOST_NAMED))
    more = f" and {count - _MOST_NAMED} more"
    return spelled(shown) if count <= _MOST_NAMED else ", ".join(f"`{each}`" for each in shown) + more


def value_name(type_: t.Type, value: t.Value) -> str:
    """Return the name of a value for a message: its word, id or number."""
    match t.strip_optional(type_) if value is not None else None:
        case t.Words() as words:
            return words.members[value][0]
        case t.ComponentType(ids=ids):
            return ids[value]
        case None:
            return "none"
        case t.Never() | t.Optional():
            return "none"
        case t.Bool():
            return "true" if value else "false"
        case held:
            return str(value) if isinstance(held, t.Range) else str(t.position(held, value))
