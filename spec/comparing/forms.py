"""What a clause says, freed of how it is spelled: a form.

Two spellings with one meaning have one form: the order of independent conditions, the names of what a clause introduces
for itself, double negation, `a < b` for `b > a` or for `a + 1 <= b`, `not some` for `no`, a `let` for its value, a
helper of the transcriber for what it stands for. A form is made of nested tuples, whose first item says what it is;
equal forms are equal tuples. Forms that differ may still mean the same: that is for the solver to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ludex.grammar import syntax as s

from ..clauses import pattern_name
from .building import (
    FALSE,
    NONE,
    TRUE,
    UNTOLD,
    at_most,
    conditional,
    divided,
    equality,
    is_number,
    junction,
    listed,
    member,
    negation,
    ordered,
    plus,
    quantified,
    summed,
    table,
    times,
    unordered,
)
from .changes import until_used
from .names import Form, Names

# ---- expressions ------------------------------------------------------------------------------------------------


def expression(node: s.Expression, names: Names) -> Form:
    """The form of an expression; `names`: what the names bound around it stand for."""
    match node:
        case s.Integer(value=value):
            return value
        case s.Boolean(value=truth):
            return TRUE if truth else FALSE
        case s.NoneLiteral():
            return NONE
        case s.Name():
            return _name(node, names)
        case s.TypeName(name=name, arguments=None, optional=False):
            return _domain(name, names)
        case s.TypeName(name=name, arguments=arguments, optional=optional):
            return ("values?" if optional else "values", name, *_arguments(arguments, names))
        case s.Can(action=action, arguments=arguments):
            return ("can", action, ("by", names.me), *_arguments(arguments, names))
        case s.SetLiteral(items=items):
            return ("set", *ordered({expression(item, names) for item in items}))
        case s.Interval(low=low, high=high):
            return ("..", expression(low, names), expression(high, names))
        case s.Dot(operand=operand, field=field):
            return ("part", expression(operand, names), field)
        case s.Negate(operand=operand):
            return times(-1, expression(operand, names))
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


def _domain(name: str, names: Names) -> Form:
    """All values of a type; those of one that is a range are the range, of one with a few words the words."""
    if name in names.shared.ranges:
        written = names.shared.ranges[name]
        return ("..", expression(written.low, names), expression(written.high, names))
    words: Form = ("words", *(("word", word) for word in names.shared.types.get(name, ())))
    return words if name in names.shared.types and listed(words) else ("values", name)


def _name(node: s.Name | s.Place, names: Names) -> Form:
    mine: tuple[Form, ...] = (names.me,) if node.my else ()
    if node.name == "me":
        return names.me
    if node.arguments is None and not node.my:
        if node.name == "seats":
            return ("values", "Player")
        if node.name in names.known:
            return names.of(node.name, NONE)
        if node.name in names.shared.words:
            return ("word", node.name)
    arguments = (*mine, *_arguments(node.arguments, names))
    helper = names.helpers.get(node.name)
    if helper is not None and len(arguments) == len(helper.parameters):
        return _put_in(helper, arguments, names)
    return ("number" if node.name in names.shared.numbers else "of", node.name, *arguments)


def _put_in(helper: s.ValueDeclaration, arguments: Sequence[Form], names: Names) -> Form:
    """What a helper stands for at this place."""
    inner = whole(names).only(("me", *names.readings))
    inner = inner.meaning(**{each.name: value for each, value in zip(helper.parameters, arguments, strict=True)})
    return value_body(helper.body, inner)


def _arguments(arguments: tuple[s.Argument, ...] | None, names: Names) -> tuple[Form, ...]:
    return tuple(
        expression(each.value, names) if each.label is None else ("labelled", each.label, expression(each.value, names))
        for each in arguments or ()
    )


def _binary(node: s.Binary, names: Names) -> Form:
    left, right = expression(node.left, names), expression(node.right, names)
    match node.operator:
        case "and" | "or":
            return junction(node.operator, (left, right))
        case "implies":
            return junction("or", (negation(left), right))
        case "<":
            return negation(at_most(right, left))
        case ">":
            return negation(at_most(left, right))
        case "<=":
            return at_most(left, right)
        case ">=":
            return at_most(right, left)
        case "in" | "not in":
            return member(node.operator, left, right)
        case "=" | "!=":
            return _equality(node.operator, left, right, names)
        case operator:
            return _arithmetic(operator, left, right)


def _equality(operator: str, left: Form, right: Form, names: Names) -> Form:
    """`x = false` is `not x`, if x cannot be `none`."""
    for one, other in ((left, right), (right, left)):
        if other == FALSE and isinstance(one, tuple) and one[0] == "of" and one[1] not in names.shared.uncertain:
            return negation(one) if operator == "=" else one
    return equality(operator, left, right)


def _arithmetic(operator: str, left: Form, right: Form) -> Form:
    """Of `+` and `-` between sets, bags or lists nothing is known."""
    match operator:
        case "*":
            return times(left, right)
        case "div" | "mod":
            return divided(operator, left, right)
        case _ if is_number(left) or is_number(right):
            return plus(left, right, 1 if operator == "+" else -1)
        case _:
            return (operator, left, right)


# ---- over a domain ----------------------------------------------------------------------------------------------


def generators(nodes: Sequence[s.Generator], names: Names) -> tuple[tuple[tuple[Form, ...], ...], Names]:
    """The domains, and the names that stand for what is taken from them."""
    domains: list[tuple[Form, ...]] = []
    for node in nodes:
        domains.append(("within" if node.within else "from", ("name", names.depth), expression(node.domain, names)))
        names = names.binding(node.name)
    return tuple(domains), names


def _over_a_domain(node: s.Expression, names: Names) -> Form:
    match node:
        case s.Quantified(kind=kind, generators=nodes, where=where, has=has):
            return _quantified(kind, nodes, where, has, names)
        case s.Count(generators=nodes, where=where):
            domains, inner = generators(nodes, names)
            return summed(_over(domains), _condition(where, inner), 1)
        case s.Aggregate(kind=kind, value=value, generators=nodes, where=where, otherwise=otherwise):
            domains, inner = generators(nodes, names)
            rest = NONE if otherwise is None else expression(otherwise, names)
            over: Form = ("over", *domains) if kind == "list" else _over(domains)
            fits, found = _condition(where, inner), expression(value, inner)
            return summed(over, fits, found) if kind == "sum" else (kind, over, fits, found, rest)
        case s.Pick(kind=kind, generator=generator, where=where, otherwise=otherwise):
            domains, inner = generators((generator,), names)
            rest = NONE if otherwise is None else expression(otherwise, names)
            return (kind, ("over", *domains), _condition(where, inner), rest)
        case _:
            raise AssertionError(f"no expression: {type(node).__name__}")


def _over(domains: Sequence[tuple[Form, ...]]) -> Form:
    """Domains, where the order of what is in them does not count."""
    return ("over", *((*parts, unordered(domain)) for *parts, domain in domains))


def _quantified(
    kind: str, nodes: Sequence[s.Generator], where: s.Expression | None, has: s.Expression, names: Names
) -> Form:
    """`some` over what fits and holds; `every` over what does not fit or holds; `no` is not `some`."""
    domains, inner = generators(nodes, names)
    fits, told = _condition(where, inner), expression(has, inner)
    if kind == "every":
        return quantified("every", ("over", *domains), junction("or", (negation(fits), told)))
    found = quantified("some", ("over", *domains), junction("and", (fits, told)))
    return negation(found) if kind == "no" else found


def _condition(node: s.Expression | None, names: Names) -> Form:
    return TRUE if node is None else expression(node, names)


# ---- values -----------------------------------------------------------------------------------------------------


def whole(names: Names) -> Names:
    """The same, but clauses inside a clause are put in."""
    return names if names.whole else replace(names, whole=True)


def value_body(node: s.ValueBody, names: Names, is_requirement: bool = False) -> Form:
    """What a fact, define, requirement or score says. By itself: arms and exceptions are clauses of their own; arms
    stand here by name. As a whole: with all of them. Of a `match` on a fork it is the arm that is read."""
    names = lets(node.lets, names)
    found = _value(node.value, names)
    if names.whole:
        found = _with_exceptions(found, node.exceptions, names, is_requirement)
    elif isinstance(node.value, s.ValueMatch) and isinstance(found, tuple) and found[2:] == by_name(node.value.arms):
        return found
    for place, domain in names.domains.items():
        found = table(found, ("name", place), domain)
    players = names.shared.players
    return table(found, ("number", "player_count"), players) if len(players) > 1 else found


def _value(node: s.Expression | s.ValueMatch, names: Names) -> Form:
    match node:
        case s.ValueMatch(subject=subject, arms=arms):
            return matched(subject, arms, names, lambda arm, within: value_body(arm.value, within))
        case value:
            return expression(value, names)


def _with_exceptions(found: Form, exceptions: Iterable[s.ValueException], names: Names, is_requirement: bool) -> Form:
    """A requirement holds too where an exception does; else an exception that holds stands instead."""
    for each in exceptions:
        condition = expression(each.condition, names)
        value = TRUE if each.value is None else expression(each.value, names)
        if is_requirement:
            found = junction("or", (found, junction("and", (condition, value))))
        else:
            found = conditional(condition, value, found)
    return found


# ---- matches ----------------------------------------------------------------------------------------------------


Arm = TypeVar("Arm", s.ValueArm, s.StepArm)


def matched(subject: s.Expression, arms: Sequence[Arm], names: Names, said: Callable[[Arm, Names], Form]) -> Form:
    """A `match`: the arm that is read, the names of its arms, or, as a whole, what each of them says."""
    asked = expression(subject, names)
    arm = read_arm(asked, arms)
    if arm is not None:
        return said(arm, names)
    if not names.whole:
        return ("match", asked, *by_name(arms))
    return _chosen(asked, [(each, said(each, with_data(asked, each, names))) for each in arms], names)


def read_arm(subject: Form, arms: Iterable[Arm]) -> Arm | None:
    """Of a `match` on a fork the arm for the reading that is taken; None of any other."""
    match subject:
        case ("reading", str() as reading):
            named = (arm for arm in arms if any(each.name in (reading, None) for each in arm.patterns))
            return next(named, None)
        case _:
            return None


def by_name(arms: Iterable[Arm]) -> tuple[Form, ...]:
    """The arms of a `match` by their names as clauses, in any order."""
    return ordered(("arm", pattern_name(arm.patterns)) for arm in arms)


def _chosen(asked: Form, arms: Iterable[tuple[Arm, Form]], names: Names) -> Form:
    """A `match` with what each arm says, as asking for one pattern after the other."""
    told = [(_fits(asked, arm.patterns, names), arm, form) for arm, form in arms]
    found = next((form for _, arm, form in told if any(each.kind == "otherwise" for each in arm.patterns)), None)
    asked_for = [(condition, form) for condition, _, form in told if condition is not None]
    if found is None:
        patterns = [each for _, arm, _ in told for each in arm.patterns]
        found = asked_for.pop()[1] if _covers(patterns, names) else UNTOLD
    for condition, form in reversed(asked_for):
        found = conditional(condition, form, found)
    return found


def _fits(asked: Form, patterns: Iterable[s.Pattern], names: Names) -> Form | None:
    """What an arm asks for; None of `otherwise`."""
    conditions = [_pattern(asked, each, names) for each in patterns]
    return None if None in conditions else junction("or", (each for each in conditions if each is not None))


def _pattern(asked: Form, node: s.Pattern, names: Names) -> Form | None:
    match node:
        case s.Pattern(kind="number", low=int() as low, high=int() as high) if low == high:
            return equality("=", asked, low)
        case s.Pattern(kind="number", low=int() as low, high=int() as high):
            return junction("and", (at_most(low, asked), at_most(asked, high)))
        case s.Pattern(kind="otherwise"):
            return None
        case s.Pattern(name="true"):
            return asked
        case s.Pattern(name="false"):
            return _equality("=", asked, FALSE, names)
        case s.Pattern(name="none"):
            return ("empty", asked)
        case s.Pattern(name=name, binds=()):
            return equality("=", asked, ("word", str(name)))
        case s.Pattern(name=name):
            return ("is", asked, str(name))


def _covers(patterns: Sequence[s.Pattern], names: Names) -> bool:
    """Whether the patterns are all words of a type: then the last is what is left."""
    told = {each.name for each in patterns}
    return any(told == {*words} for words in names.shared.types.values())


def with_data(asked: Form, arm: s.ValueArm | s.StepArm, names: Names) -> Names:
    """What an arm calls the data of its word."""
    for name, form in _data(asked, arm).items():
        names = let(name, form, names, (arm.body,) if isinstance(arm, s.StepArm) else ())
    return names


def data_taken(asked: Form, arm: s.StepArm, names: Names) -> tuple[Form, ...]:
    """The data that an arm takes before it changes what they come from. names: those in force in it."""
    return tuple(form for name, form in _data(asked, arm).items() if names.of(name, NONE) != form)


def _data(asked: Form, arm: s.ValueArm | s.StepArm) -> Mapping[str, Form]:
    return {
        name: ("data", asked, str(pattern.name), at)
        for pattern in arm.patterns
        for at, name in enumerate(pattern.binds)
    }


def let(name: str, value: Form, names: Names, rest: tuple[s.Statement, ...]) -> Names:
    """The names with one more for a value. Where the statements behind it may change what it comes from, it is a name
    of its own."""
    stays = names.stays(value, tuple(until_used(name, rest)))
    return names.meaning(**{name: value}) if stays else names.binding(name)


def lets(nodes: Iterable[s.Let], names: Names) -> Names:
    """The names with those that `let` gives; each may speak of those before it."""
    for node in nodes:
        names = names.meaning(**{node.name: expression(node.value, names)})
    return names


# ---- types ------------------------------------------------------------------------------------------------------


def type_form(node: s.TypeExpression | None, names: Names) -> Form:
    """The form of a type; of none where the text gives none."""
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
