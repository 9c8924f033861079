"""How forms are put together: every function here gives one form to all spellings of a meaning that it knows of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from ..operators import ARITHMETIC
from .names import Form, holds

TRUE: Form = ("true",)
FALSE: Form = ("false",)
NONE: Form = ("none",)
NOTHING: Form = ("nothing",)
UNTOLD: Form = ("untold",)
"""What a text does not say: the value of a `match` without the arm that it needs."""
OPPOSITE = {"=": "!=", "!=": "=", "in": "not in", "not in": "in", "empty": "held", "held": "empty"}
DUAL = {"and": "or", "or": "and"}


def ordered(parts: Iterable[Form]) -> tuple[Form, ...]:
    """In an order that depends on nothing but the parts."""
    return tuple(sorted(parts, key=repr))


def weight(form: Form) -> int:
    """How many words and numbers a form is made of."""
    return sum(map(weight, form)) if isinstance(form, tuple) else 1


def is_constant(form: Form) -> bool:
    """Whether it is a value by itself: two such forms that differ are two values."""
    match form:
        case int() | ("word", _):
            return True
        case _:
            return False


# ---- conditions -------------------------------------------------------------------------------------------------


def junction(head: str, parts: Iterable[Form]) -> Form:
    """`and` or `or` of any number of conditions: flat, each once, in an order of its own."""
    neutral, absorbing = (TRUE, FALSE) if head == "and" else (FALSE, TRUE)
    flat: set[Form] = set()
    for part in parts:
        flat.update(part[1:] if isinstance(part, tuple) and part[0] == head else (part,))
    flat.discard(neutral)
    if absorbing in flat or any(negation(part) in flat for part in flat):
        return absorbing
    less = {_less(part, head, flat) for part in flat}
    if less != flat:
        return junction(head, less)
    if len(flat) < 2:
        return next(iter(flat), neutral)
    common = _common(head, flat)
    if not common:
        return (head, *ordered(flat))
    rests = (junction(DUAL[head], set(_members(part, head)) - common) for part in flat)
    return junction(DUAL[head], (*common, junction(head, rests)))


def _members(part: Form, head: str) -> tuple[Form, ...]:
    """What a part of a junction is made of, as a junction of the other kind."""
    return part[1:] if isinstance(part, tuple) and part[0] == DUAL[head] else (part,)


def _less(part: Form, head: str, flat: set[Form]) -> Form:
    """`a or b` beside `a` says nothing more; beside `not a` it is `b`."""
    members = _members(part, head)
    if len(members) < 2:
        return part
    if any(each in flat for each in members):
        return TRUE if head == "and" else FALSE
    left = [each for each in members if negation(each) not in flat]
    return part if len(left) == len(members) else junction(DUAL[head], left)


def _common(head: str, flat: set[Form]) -> set[Form]:
    """What stands in every part: `a and b or a and c` is `a and (b or c)`."""
    return reduce(set.__and__, (set(_members(part, head)) for part in flat))


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
        case ("<=", left, right):
            return at_most(plus(right, 1), left)
        case (str() as head, *parts) if head in OPPOSITE:
            return (OPPOSITE[head], *parts)
        case _:
            return ("not", form)


# ---- numbers ----------------------------------------------------------------------------------------------------


def is_number(form: Form) -> bool:
    """Whether its value is surely a number: `+` and `-` are also said of sets."""
    match form:
        case int() | ("number" | "*" | "div" | "mod" | "minus" | "sum", *_):
            return True
        case ("+" | "-", *parts):
            return any(map(is_number, parts))
        case ("if", _, then, otherwise):
            return is_number(then) or is_number(otherwise)
        case _:
            return False


Terms = dict[Form, int]
"""What a number is the sum of: how often each part; the constant stands at `1`."""


def terms(form: Form, times: int = 1) -> Terms:
    """A number taken apart. form: of what is known to be a number."""
    found: Terms = {}
    match form:
        case int():
            return {1: form * times} if form else {}
        case ("+", *parts):
            for part in parts:
                _add(found, terms(part, times))
        case ("-", left, right):
            _add(found, terms(left, times))
            _add(found, terms(right, -times))
        case ("minus", part):
            return terms(part, -times)
        case ("*", int() as factor, *rest):
            return terms(rest[0] if len(rest) == 1 else ("*", *rest), factor * times)
        case _:
            return {form: times} if times else {}
    return {part: count for part, count in found.items() if count}


def _add(found: Terms, more: Terms) -> None:
    for part, count in more.items():
        found[part] = found.get(part, 0) + count


def number(found: Terms) -> Form:
    """The sum of some terms."""
    parts = [_times(part, count) for part, count in found.items() if count and part != 1]
    constant = found.get(1, 0)
    if constant or not parts:
        parts.append(constant)
    return parts[0] if len(parts) == 1 else ("+", *ordered(parts))


def _times(part: Form, count: int) -> Form:
    return part if count == 1 else multiple(count, part)


def multiple(count: int, part: Form) -> Form:
    """A part so many times; the number stands first."""
    match part:
        case ("*", *factors):
            return ("*", count, *factors)
        case _:
            return ("*", count, part)


def plus(form: Form, other: Form, times: int = 1) -> Form:
    """The sum of two numbers; with `times` -1 what is left of the first."""
    found = terms(form)
    _add(found, terms(other, times))
    return number(found)


def times(left: Form, right: Form) -> Form:
    """A product: of a number and a sum each part of it."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int):
            return number(terms(other, one))
    parts = [part for each in (left, right) for part in (each[1:] if _head(each) == "*" else (each,))]  # type: ignore[index]
    constant = reduce(int.__mul__, (part for part in parts if isinstance(part, int)), 1)
    rest = ordered(part for part in parts if not isinstance(part, int))
    return ("*", *rest) if constant == 1 else ("*", constant, *rest)


def divided(operator: str, left: Form, right: Form) -> Form:
    """`div` and `mod`, which round down."""
    if isinstance(left, int) and isinstance(right, int) and right:
        return ARITHMETIC[operator](left, right)
    return (operator, left, right)


def _head(form: Form) -> str | None:
    return form[0] if isinstance(form, tuple) and form and isinstance(form[0], str) else None


def at_most(left: Form, right: Form) -> Form:
    """`left <= right`, numbers and whatever else has an order: on each side stand parts that count once or more, the
    constant where it is positive."""
    low, high, constant = _sides(terms(left), terms(right))
    if not low and not high:
        return TRUE if constant <= 0 else FALSE
    size = _size_alone(low, high)
    if size is not None and low and constant >= 0:  # size + c <= 0
        return _emptiness(size, True) if constant == 0 else FALSE
    if size is not None and high and constant <= 1:  # c <= size
        return _emptiness(size, False) if constant == 1 else TRUE
    return ("<=", *_with_constant(low, high, constant))


def _sides(left: Terms, right: Terms) -> tuple[Terms, Terms, int]:
    """What is left of a comparison's sides: parts on the left, on the right, and how much more the left has."""
    all_: Terms = {}
    _add(all_, left)
    _add(all_, {part: -count for part, count in right.items()})
    constant = all_.pop(1, 0)
    low = {part: count for part, count in all_.items() if count > 0}
    return low, {part: -count for part, count in all_.items() if count < 0}, constant


def _with_constant(low: Terms, high: Terms, constant: int) -> tuple[Form, Form]:
    if constant >= 0:
        return number(low | {1: constant}), number(high)
    return number(low), number(high | {1: -constant})


def _size_alone(low: Terms, high: Terms) -> Form | None:
    """What is counted, if nothing but that stands in a comparison, once."""
    (part, count), *others = (low | high).items()
    if others or count != 1:
        return None
    match part:
        case ("number", "size", _) | ("sum", ("over", *_), _, 1, _):
            return part
        case _:
            return None


def _emptiness(size: Form, is_empty: bool) -> Form:
    """`size(x) = 0` is `x is empty`; a count of 0 is `no`."""
    match size:
        case ("number", "size", what):
            return ("empty" if is_empty else "held", what)
        case ("sum", domains, fits, _, _):
            return quantified("every", domains, negation(fits)) if is_empty else quantified("some", domains, fits)
        case _:
            raise AssertionError(size)


TRUTHS = frozenset({
    "true", "false", "and", "or", "not", "=", "!=", "<=", "in", "not in", "empty", "held", "some", "every", "can", "is",
})  # fmt: skip


def is_truth(form: Form) -> bool:
    """Whether it is surely true or false: what may be `none` need not be false where it is not true."""
    return _head(form) in TRUTHS


def equality(operator: str, left: Form, right: Form) -> Form:
    """`x = true` is `x`; `x = none` is `x is empty`; whether a fork is read so is known."""
    truth = operator == "="
    for one, other in ((left, right), (right, left)):
        match one, other:
            case ("reading", read), ("of" | "word", str() as named):
                return TRUE if (read == named) == truth else FALSE
        if other == TRUE or (other == FALSE and is_truth(one)):
            return one if (other == TRUE) == truth else negation(one)
        if other == NONE:
            return ("empty" if truth else "held", one)
    if left == right or (is_constant(left) and is_constant(right)):
        return TRUE if (left == right) == truth else FALSE
    if is_number(left) or is_number(right):
        return _equal_numbers(operator, left, right)
    return (operator, *ordered((left, right)))


def _equal_numbers(operator: str, left: Form, right: Form) -> Form:
    low, high, constant = _sides(terms(left), terms(right))
    if not low and not high:
        return TRUE if (constant == 0) == (operator == "=") else FALSE
    if constant == 0 and not (low and high) and (size := _size_alone(low, high)) is not None:
        return _emptiness(size, operator == "=")
    return (operator, *ordered(_with_constant(low, high, constant)))


# ---- sets -------------------------------------------------------------------------------------------------------


def member(operator: str, item: Form, among: Form) -> Form:
    """`in` and `not in`; of what is written out, each of it by itself."""
    match among:
        case ("set", *items):
            found = junction("or", (equality("=", item, each) for each in items))
        case ("..", low, high):
            found = junction("and", (at_most(low, item), at_most(item, high)))
        case _:
            return (operator, item, unordered(among))
    return found if operator == "in" else negation(found)


def unordered(domain: Form) -> Form:
    """What is joined of several sets, where the order of what is in them does not count."""
    match domain:
        case ("+", *parts):
            flat = [part for each in parts for part in (each[1:] if _head(each) == "+" else (each,))]  # type: ignore[index]
            return ("+", *ordered(flat))
        case _:
            return domain


UNROLLED = 4
"""So many values of a domain are gone through one by one."""
MOST = 400
"""No form grows beyond so many parts by that."""


def quantified(kind: str, domains: Form, told: Form) -> Form:
    """`some` or `every`: over few values that are written out, one by one; where the one value is told, for that."""
    if told == (TRUE if kind == "every" else FALSE):
        return told
    match domains:
        case ("over", ("from", ("name", int() as place), domain)):
            head = "or" if kind == "some" else "and"
            values = listed(domain)
            if values is not None and len(values) * weight(told) <= MOST:
                return junction(head, (instance(told, place, value) for value in values))
            value = _told_value(kind, place, told)
            if value is not None:
                among = member("in" if kind == "some" else "not in", value, domain)
                return junction("and" if kind == "some" else "or", (among, instance(told, place, value)))
            return (kind, ("over", ("from", ("name", place), unordered(domain))), told)
        case _:
            return (kind, domains, told)


def summed(over: Form, where: Form, value: Form) -> Form:
    """`sum`: of what counts only under a condition that is what fits."""
    match value:
        case ("if", condition, kept, 0):
            return summed(over, junction("and", (where, condition)), kept)
        case ("if", condition, 0, kept):
            return summed(over, junction("and", (where, negation(condition))), kept)
        case _:
            return 0 if value == 0 or where == FALSE else ("sum", over, where, value, NONE)


def listed(domain: Form) -> tuple[Form, ...] | None:
    """The values of a domain that is written out, if they are few."""
    match domain:
        case ("..", int() as low, int() as high) if high - low < UNROLLED:
            return tuple(range(low, high + 1))
        case ("set", *items) if len(items) <= UNROLLED and not _binds(domain):
            return tuple(items)
        case ("words", *items) if len(items) <= UNROLLED:
            return tuple(items)
        case _:
            return None


def _told_value(kind: str, place: int, told: Form) -> Form | None:
    """`some x in S has x = v and ...`: the one value that matters."""
    wanted, parts = ("=", "and") if kind == "some" else ("!=", "or")
    for part in told[1:] if _head(told) == parts else (told,):  # type: ignore[index]
        match part:
            case (operator, ("name", at), value) | (operator, value, ("name", at)) if at == place:
                if operator == wanted and not holds(value, ("name", place)) and not _binds(value):
                    return value
    return None


def _binds(form: Form) -> bool:
    """Whether names are bound inside."""
    if not isinstance(form, tuple):
        return False
    return form[0] in BINDING or any(map(_binds, form))


BINDING = frozenset({"from", "within", "choose", "random", "local", "let"})


def together(steps: Iterable[Form]) -> Form:
    """Steps one after another."""
    flat = [part for step in steps for part in (step[1:] if _head(step) == "do" else (step,)) if part != NOTHING]  # type: ignore[index]
    return NOTHING if not flat else flat[0] if len(flat) == 1 else ("do", *flat)


# ---- cases ------------------------------------------------------------------------------------------------------

TURNED = frozenset({"!=", "not in", "not", "held", "or", "every"})
"""Of a condition with such a head the negation is asked."""


def conditional(condition: Form, then: Form, otherwise: Form) -> Form:
    """`if`, of values as of steps: turning it round, asking two things one after the other or at once, asking for one
    value of a thing after the other in any order makes no difference."""
    if then == otherwise or condition == TRUE:
        return then
    if condition == FALSE:
        return otherwise
    truth = _of_truths(condition, then, otherwise)
    if truth is not None:
        return truth
    turned = negation(condition)
    if _head(condition) in TURNED or (_head(condition) == "<=" and repr(turned) < repr(condition)):
        condition, then, otherwise = turned, otherwise, then
    nested = _nested(condition, then, otherwise)
    return _case(condition, then, otherwise) if nested is None else nested


def _of_truths(condition: Form, then: Form, otherwise: Form) -> Form | None:
    match then, otherwise:
        case ("true",), _:
            return junction("or", (condition, otherwise))
        case ("false",), _:
            return junction("and", (negation(condition), otherwise))
        case _, ("true",):
            return junction("or", (negation(condition), then))
        case _, ("false",):
            return junction("and", (condition, then))
        case _:
            return None


def _nested(condition: Form, then: Form, otherwise: Form) -> Form | None:
    """`if a then (if b then x else y) else y` asks for `a and b`."""
    match then:
        case ("if", inner, kept, rest) if rest == otherwise:
            return conditional(junction("and", (condition, inner)), kept, rest)
        case ("if", inner, rest, kept) if rest == otherwise:
            return conditional(junction("and", (condition, negation(inner))), kept, rest)
    match otherwise:
        case ("if", inner, kept, rest) if kept == then:
            return conditional(junction("or", (condition, inner)), kept, rest)
        case ("if", inner, rest, kept) if kept == then:
            return conditional(junction("or", (condition, negation(inner))), kept, rest)
    return None


def _case(condition: Form, then: Form, otherwise: Form) -> Form:
    asked = asked_value(condition)
    if asked is None:
        return ("if", condition, then, otherwise)
    subject, value = asked
    cases, rest = _cases(otherwise, subject)
    cases[value] = _selected(then, subject, value)
    return choice(subject, cases, rest)


def asked_value(condition: Form) -> tuple[Form, Form] | None:
    """Of what which value is asked for, if a condition asks for that."""
    match condition:
        case ("=", subject, value) if is_constant(value):
            return subject, value
        case ("=", value, subject) if is_constant(value):
            return subject, value
        case _:
            return None


def _cases(form: Form, subject: Form) -> tuple[dict[Form, Form], Form]:
    """What a form says for single values of a thing, and what for all others."""
    match form:
        case ("match", asked, *cases, ("case", "otherwise", rest)) if asked == subject:
            return {case[1]: case[2] for case in cases}, rest  # type: ignore[index]
        case ("if", condition, then, rest) if (asked_ := asked_value(condition)) and asked_[0] == subject:
            return {asked_[1]: then}, rest
        case _:
            return {}, form


def _selected(form: Form, subject: Form, value: Form) -> Form:
    cases, rest = _cases(form, subject)
    return cases.get(value, rest)


def choice(subject: Form, cases: dict[Form, Form], rest: Form) -> Form:
    """`match` over single values, in any order."""
    told = {value: then for value, then in cases.items() if then != rest}
    if not told:
        return rest
    if len(told) == 1:
        ((value, then),) = told.items()
        return ("if", ("=", *ordered((subject, value))), then, rest)
    return ("match", subject, *(("case", value, told[value]) for value in ordered(told)), ("case", "otherwise", rest))


def table(form: Form, subject: Form, values: tuple[Form, ...]) -> Form:
    """What a form says for each value that something in it can have, where these are few."""
    if not holds(form, subject) or len(values) * weight(form) > MOST:
        return form
    rows = [rebuilt(form, {subject: value}) for value in values]
    return (
        rows[0]
        if len(set(rows)) == 1
        else ("table", subject, *(("case", v, r) for v, r in zip(values, rows, strict=True)))
    )


# ---- forms made anew --------------------------------------------------------------------------------------------


def instance(form: Form, place: int, value: Form) -> Form:
    """A form with a value for a bound name, which is not bound any more."""
    return rebuilt(_lowered(form, place), {("name", "gone"): value})


def _lowered(form: Form, place: int) -> Form:
    match form:
        case ("name", int() as at):
            return ("name", "gone") if at == place else ("name", at - 1) if at > place else form
        case (*parts,):
            return tuple(_lowered(part, place) for part in parts)
        case _:
            return form


def rebuilt(form: Form, into: dict[Form, Form]) -> Form:
    """A form with others in it in place of some, put together anew."""
    if form in into:
        return into[form]
    if not isinstance(form, tuple) or not form:
        return form
    parts = tuple(rebuilt(part, into) for part in form)
    return form if parts == form else again(parts)


def again(form: tuple[Form, ...]) -> Form:
    """A form whose parts have changed."""
    match form:
        case ("and" | "or" as head, *parts):
            return junction(head, parts)
        case ("not", part):
            return negation(part)
        case ("<=", left, right):
            return at_most(left, right)
        case ("=" | "!=" as operator, left, right):
            return equality(operator, left, right)
        case ("in" | "not in" as operator, item, among):
            return member(operator, item, among)
        case ("empty" | "held" as head, ("none",)):
            return TRUE if head == "empty" else FALSE
        case ("some" | "every" as kind, domains, told):
            return quantified(kind, domains, told)
        case _:
            return _value_again(form)


def _value_again(form: tuple[Form, ...]) -> Form:
    match form:
        case ("+", *parts) if any(map(is_number, parts)):
            return reduce(plus, parts)
        case ("*", *parts):
            return reduce(times, parts)
        case ("-", left, right):
            return plus(left, right, -1) if is_number(form) else form
        case ("minus", part):
            return times(-1, part)
        case ("div" | "mod" as operator, left, right):
            return divided(operator, left, right)
        case ("do", *steps):
            return together(steps)
        case ("sum", over, where, value, ("none",)):
            return summed(over, where, value)
        case ("if", condition, then, otherwise):
            return conditional(condition, then, otherwise)
        case ("match", subject, *cases, ("case", "otherwise", rest)):
            told = {case[1]: case[2] for case in cases}  # type: ignore[index]
            return told.get(subject, rest) if is_constant(subject) else choice(subject, told, rest)
        case ("table", subject, *cases) if is_constant(subject):
            return next((case[2] for case in cases if case[1] == subject), form)  # type: ignore[index]
        case _:
            return form
