"""What a clause says, freed of how it is spelled: a form.

Two spellings with one meaning have one form: the order of independent conditions, the names of what a clause introduces
for itself, double negation, `a < b` for `b > a`, `not some` for `no`, a `let` for its value. A form is made of nested
tuples, whose first item says what it is; equal forms are equal tuples. Forms that differ may still mean the same: that
is for the solver to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TypeVar

from ludex.grammar import syntax as s

from .names import Form, Names

TRUE: Form = ("true",)
FALSE: Form = ("false",)
OPPOSITE = {"=": "!=", "!=": "=", "in": "not in", "not in": "in", "empty": "held", "held": "empty"}
SYMMETRIC = frozenset({"=", "!=", "+", "*", "max", "min"})


# ---- building ---------------------------------------------------------------------------------------------------


def ordered(parts: Iterable[Form]) -> tuple[Form, ...]:
    """In an order that depends on nothing but the parts."""
    return tuple(sorted(parts, key=repr))


def junction(head: str, parts: Iterable[Form]) -> Form:
    """`and` or `or` of any number of conditions: flat, each once, in an order of its own."""
    neutral, absorbing = (TRUE, FALSE) if head == "and" else (FALSE, TRUE)
    flat: set[Form] = set()
    for part in parts:
        flat.update(part[1:] if isinstance(part, tuple) and part[0] == head else (part,))
    flat.discard(neutral)
    if absorbing in flat or any(negation(part) in flat for part in flat):
        return absorbing
    return next(iter(flat), neutral) if len(flat) < 2 else (head, *ordered(flat))


def negation(form: Form) -> Form:
    """The form of what is true where this is false, with the `not` as deep inside as it goes."""
    match form:
        case ("not", part):
            return part
        case ("true",):
            return FALSE
        case ("false",):
            return TRUE
        case ("and", *parts):
            return junction("or", map(negation, parts))
        case ("or", *parts):
            return junction("and", map(negation, parts))
        case ("some" | "every" as kind, domain, part):
            return ("every" if kind == "some" else "some", domain, negation(part))
        case ("<", left, right):
            return ("<=", right, left)
        case ("<=", left, right):
            return ("<", right, left)
        case (str() as head, *parts) if head in OPPOSITE:
            return (OPPOSITE[head], *parts)
        case _:
            return ("not", form)


# ---- expressions ------------------------------------------------------------------------------------------------


def expression(node: s.Expression, names: Names) -> Form:
    """The form of an expression; `names`: what the names bound around it stand for."""
    match node:
        case s.Integer(value=value):
            return value
        case s.Boolean(value=truth):
            return TRUE if truth else FALSE
        case s.NoneLiteral():
            return ("none",)
        case s.Name():
            return _name(node, names)
        case s.TypeName(name=name, arguments=None, optional=False) if name in names.shared.ranges:
            written = names.shared.ranges[name]
            return ("..", expression(written.low, names), expression(written.high, names))
        case s.TypeName(name=name, arguments=arguments, optional=optional):
            return ("values?" if optional else "values", name, *_arguments(arguments, names))
        case s.Can(action=action, arguments=arguments):
            return ("can", action, *_arguments(arguments, names))
        case s.SetLiteral(items=items):
            return ("set", *ordered(expression(item, names) for item in items))
        case s.Interval(low=low, high=high):
            return ("..", expression(low, names), expression(high, names))
        case s.Dot(operand=operand, field=field):
            return ("part", expression(operand, names), field)
        case s.Negate(operand=operand):
            return _negated_number(expression(operand, names))
        case s.Not(operand=operand):
            return negation(expression(operand, names))
        case s.Binary():
            return _binary(node, names)
        case s.IsEmpty(operand=operand, negated=negated):
            return ("held" if negated else "empty", expression(operand, names))
        case s.Conditional(condition=condition, then=then, otherwise=otherwise):
            return conditional(expression(condition, names), expression(then, names), expression(otherwise, names))
        case s.Extremum(kind=kind, items=items):
            return (kind, *ordered(expression(item, names) for item in items))
        case s.Top(operand=operand):
            return ("top", expression(operand, names))
        case _:
            return _over_a_domain(node, names)


def conditional(condition: Form, then: Form, otherwise: Form) -> Form:
    """`if`: of a condition and its negation the one that stands first, so that turning it round changes nothing."""
    if then == otherwise or condition == TRUE:
        return then
    if condition == FALSE:
        return otherwise
    turned = negation(condition)
    if repr(turned) < repr(condition):
        condition, then, otherwise = turned, otherwise, then
    return ("if", condition, then, otherwise)


def _name(node: s.Name | s.Place, names: Names) -> Form:
    mine: tuple[Form, ...] = (names.me,) if node.my else ()
    if node.name == "me":
        return names.me
    if node.arguments is None and not node.my:
        if node.name == "seats":
            return ("values", "Player")
        if node.name in names.known:
            return names.known[node.name]
        if node.name in names.shared.words:
            return ("word", node.name)
    return ("of", node.name, *mine, *_arguments(node.arguments, names))


def _arguments(arguments: tuple[s.Argument, ...] | None, names: Names) -> tuple[Form, ...]:
    return tuple(
        expression(each.value, names) if each.label is None else ("as", each.label, expression(each.value, names))
        for each in arguments or ()
    )


def _negated_number(form: Form) -> Form:
    return -form if isinstance(form, int) else ("minus", form)


def _binary(node: s.Binary, names: Names) -> Form:
    left, right = expression(node.left, names), expression(node.right, names)
    match node.operator:
        case "and" | "or":
            return junction(node.operator, (left, right))
        case "implies":
            return junction("or", (negation(left), right))
        case ">":
            return ("<", right, left)
        case ">=":
            return ("<=", right, left)
        case "in" | "not in":
            return _member(node.operator, left, right)
        case "=" | "!=":
            return _equality(node.operator, left, right)
        case "+" | "*":
            return _flat(node.operator, left, right)
        case "-" if isinstance(left, int) and isinstance(right, int):
            return left - right
        case operator:
            return (operator, left, right)


def _member(operator: str, item: Form, among: Form) -> Form:
    match among:
        case ("set", one):
            return _equality("=" if operator == "in" else "!=", item, one)
        case _:
            return (operator, item, among)


def _equality(operator: str, left: Form, right: Form) -> Form:
    """`x = true` is `x`; `x = none` is `x is empty`; whether a fork is read so is known."""
    for one, other in ((left, right), (right, left)):
        match one, other:
            case ("reading", read), ("of" | "word", str() as named):
                return TRUE if (read == named) == (operator == "=") else FALSE
        if other in (TRUE, FALSE):
            return one if (other == TRUE) == (operator == "=") else negation(one)
        if other == ("none",):
            return ("empty" if operator == "=" else "held", one)
    return (operator, *ordered((left, right)))


def _flat(operator: str, left: Form, right: Form) -> Form:
    parts: list[Form] = []
    for part in (left, right):
        parts += part[1:] if isinstance(part, tuple) and part[0] == operator else (part,)
    numbers = [part for part in parts if isinstance(part, int)]
    together = sum(numbers) if operator == "+" else prod(numbers)
    rest: list[Form] = [part for part in parts if not isinstance(part, int)]
    if numbers and (together != (0 if operator == "+" else 1) or not rest):
        rest.append(together)
    return rest[0] if len(rest) == 1 else (operator, *ordered(rest))


# ---- over a domain ----------------------------------------------------------------------------------------------


def generators(nodes: Sequence[s.Generator], names: Names) -> tuple[tuple[Form, ...], Names]:
    """The domains, and the names that stand for what is taken from them."""
    domains: list[Form] = []
    for node in nodes:
        domains.append(("within" if node.within else "from", expression(node.domain, names)))
        names = names.binding(node.name)
    return tuple(domains), names


def _over_a_domain(node: s.Expression, names: Names) -> Form:
    match node:
        case s.Quantified(kind=kind, generators=nodes, where=where, has=has):
            return _quantified(kind, nodes, where, has, names)
        case s.Count(generators=nodes, where=where):
            domains, inner = generators(nodes, names)
            return ("sum", ("over", *domains), _condition(where, inner), 1, ("none",))
        case s.Aggregate(kind=kind, value=value, generators=nodes, where=where, otherwise=otherwise):
            domains, inner = generators(nodes, names)
            rest: Form = ("none",) if otherwise is None else expression(otherwise, names)
            return (kind, ("over", *domains), _condition(where, inner), expression(value, inner), rest)
        case s.Pick(kind=kind, generator=generator, where=where, otherwise=otherwise):
            domains, inner = generators((generator,), names)
            rest = ("none",) if otherwise is None else expression(otherwise, names)
            return (kind, ("over", *domains), _condition(where, inner), rest)
        case _:
            raise AssertionError(f"no expression: {type(node).__name__}")


def _quantified(
    kind: str, nodes: Sequence[s.Generator], where: s.Expression | None, has: s.Expression, names: Names
) -> Form:
    """`some` over what fits and holds; `every` over what does not fit or holds; `no` is not `some`."""
    domains, inner = generators(nodes, names)
    fits, holds = _condition(where, inner), expression(has, inner)
    if kind == "every":
        return ("every", ("over", *domains), junction("or", (negation(fits), holds)))
    found: Form = ("some", ("over", *domains), junction("and", (fits, holds)))
    return negation(found) if kind == "no" else found


def _condition(node: s.Expression | None, names: Names) -> Form:
    return TRUE if node is None else expression(node, names)


# ---- values -----------------------------------------------------------------------------------------------------


def value_body(node: s.ValueBody, names: Names) -> Form:
    """What a fact, define, requirement or score says by itself: arms and exceptions are clauses of their own, and stand
    here by name; of a `match` on a fork the arm that is read."""
    names = lets(node.lets, names)
    match node.value:
        case s.ValueMatch(subject=subject, arms=arms):
            asked = expression(subject, names)
            arm = read_arm(asked, arms)
            if arm is not None:
                return value_body(arm.value, names)
            return ("match", asked, *(("arm", pattern(arm.patterns)) for arm in arms))
        case value:
            return expression(value, names)


Arm = TypeVar("Arm", s.ValueArm, s.StepArm)


def read_arm(subject: Form, arms: Iterable[Arm]) -> Arm | None:
    """Of a `match` on a fork the arm for the reading that is taken; None of any other."""
    match subject:
        case ("reading", str() as reading):
            named = (arm for arm in arms if any(each.name in (reading, None) for each in arm.patterns))
            return next(named, None)
        case _:
            return None


def lets(nodes: Iterable[s.Let], names: Names) -> Names:
    for node in nodes:
        names = names.meaning(**{node.name: expression(node.value, names)})
    return names


def pattern(patterns: Iterable[s.Pattern]) -> Form:
    """An arm's patterns in any order, without the names that it gives to a word's data."""
    return ("or", *ordered(_pattern(each) for each in patterns))


def _pattern(node: s.Pattern) -> Form:
    match node:
        case s.Pattern(kind="number", low=int() as low, high=int() as high):
            return ("..", low, high)
        case s.Pattern(name=name):
            return name or "otherwise"


# ---- types ------------------------------------------------------------------------------------------------------


def type_form(node: s.TypeExpression | None, names: Names) -> Form:
    match node:
        case None:
            return ("untold",)
        case s.NamedType(name=name):
            return ("type", name)
        case s.RangeType(low=low, high=high):
            return ("..", expression(low, names), expression(high, names))
        case s.OptionalType(of=of):
            return ("optional", type_form(of, names))
        case s.CollectionType(kind=kind, of=of):
            return (kind, type_form(of, names))
