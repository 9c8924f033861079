"""A form told by cases: one form for all ways to share out conditions among the parts of what is said.

What is asked anywhere in a value can as well be asked before all of it: `2 * (if a then x else y)` is `if a then 2 * x
else 2 * y`. So all that is asked is brought to the front, in an order of its own, with what comes out in each case
behind it. Two forms that are the same by cases come to the same, whatever is true; of what is asked, only that a thing
has one value at a time is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .building import (
    FALSE,
    NONE,
    NOTHING,
    TRUE,
    UNTOLD,
    again,
    asked_value,
    is_number,
    is_truth,
    negation,
    ordered,
    rebuilt,
    terms,
    weight,
)
from .names import Form, holds
from .steps import signed

LARGEST = 600
"""Larger forms are left as they are."""
MOST_CASES = 120
"""So are those of which more cases would have to be told."""
BRANCHES = frozenset({"if", "match", "table"})
PURE = BRANCHES | {
    "and", "or", "not", "=", "!=", "<=", "in", "not in", "empty", "held", "is", "some", "every", "sum", "max", "min",
    "set", "bag", "list", "the", "first", "over", "from", "within", "+", "-", "*", "minus", "div", "mod", "..", "part",
    "top", "of", "number", "data", "labelled", "case",
}  # fmt: skip
"""Heads of values, which are worked out at one moment, and change nothing: what is asked inside can be asked before."""
CONDITIONS = frozenset({"not", "=", "!=", "<=", "in", "not in", "empty", "held", "is", "some", "every"})
CHANGES = frozenset({"+=", "-=", ":="})
"""Steps whose value is worked out just before they are done."""


def by_cases(form: Form) -> Form:
    """The form, told by cases; as it is, if that would be too long."""
    if weight(form) > LARGEST:
        return form
    try:
        return _Cases().told(form)
    except _TooManyError:
        return form


class _TooManyError(Exception):
    """There are more cases than are told."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked: whether something is true, or which value a thing has.

    Attributes:
        of: a condition, or a thing.
        values: those that a thing is asked for; none of a condition.
        are_all: it has no others.
    """

    of: Form
    values: tuple[Form, ...] = ()
    are_all: bool = False


@dataclass(slots=True)
class _Cases:
    left: int = field(default=MOST_CASES)

    def told(self, form: Form) -> Form:
        question = _first_question(form)
        if question is None:
            return self._inside(form)
        self.left -= 1
        if self.left < 0:
            raise _TooManyError
        return self._which(form, question) if question.values else self._whether(form, question.of)

    def _whether(self, form: Form, condition: Form) -> Form:
        opposite = negation(condition)
        yes = self.told(_answered(form, _Answers({condition: TRUE, opposite: FALSE})))
        no = self.told(_answered(form, _Answers({condition: FALSE, opposite: TRUE})))
        if yes == no:
            return yes
        same = {(TRUE, FALSE): condition, (FALSE, TRUE): opposite}.get((yes, no))
        if same is not None and is_truth(same):
            return self._inside(same)
        return ("if", self._inside(condition), yes, no)

    def _which(self, form: Form, question: _Question) -> Form:
        told = [(value, self.told(_chosen(form, question, value))) for value in question.values]
        subject = self._inside(question.of)
        if question.are_all:
            alike = len({found for _, found in told}) == 1
            return told[0][1] if alike else ("table", subject, *(("case", *each) for each in told))
        rest = self.told(_chosen(form, question, None))
        cases = [("case", value, found) for value, found in told if found != rest]
        return ("match", subject, *cases, ("case", "otherwise", rest)) if cases else rest

    def _inside(self, form: Form) -> Form:
        """Where nothing can be asked before a form, what can be asked inside of it."""
        match form:
            case ("sum", over, where, value, ("none",)):
                counted = value if where == TRUE else ("if", where, value, 0)
                return ("sum", self._inside(over), TRUE, self.told(counted), NONE)
            case (*parts,):
                return tuple(self.told(part) for part in parts)
            case _:
                return form


# ---- what is asked ----------------------------------------------------------------------------------------------


def _first_question(form: Form) -> _Question | None:
    """The first, in an order of its own, of what can be asked before all that a form says."""
    is_asked = isinstance(form, tuple) and form[:1] and form[0] in CONDITIONS
    asked = [*_questions(form, _bound(form), bool(is_asked))]
    if not asked:
        return None
    of = min((each.of for each in asked), key=repr)
    same = [each for each in asked if each.of == of]
    known = next((each for each in same if each.are_all), None)
    return known or _Question(of, ordered({value for each in same for value in each.values}))


def _questions(form: Form, bound: frozenset[Form], is_asked: bool) -> Iterator[_Question]:
    """What a form asks that speaks of nothing bound inside of it; of a condition in which something else is asked, only
    that. is_asked: the form itself is a condition, on which something rests."""
    match form:
        case ("if", condition, *branches):
            yield from _questions(condition, bound, is_asked=True)
            yield from _of_parts(branches, bound, is_asked)
        case ("match" | "table" as head, subject, *cases):
            values = tuple(case[1] for case in cases if case[1] != "otherwise")  # type: ignore[index]
            yield from [*_questions(subject, bound, is_asked=False)] or _of(subject, bound, values, head == "table")
            yield from _of_parts([case[2] for case in cases], bound, is_asked)  # type: ignore[index]
        case ("and" | "or", *parts):
            yield from _of_parts(parts, bound, is_asked=True)
        case ("not", part):
            yield from _questions(part, bound, is_asked=True)
        case ("sum", over, where, *values):
            yield from _questions(where, bound, is_asked=True)
            yield from _of_parts((over, *values), bound, is_asked=False)
        case (str() as head, _, value, *_) if head in CHANGES:
            yield from _questions(value, bound, is_asked=False)
        case (str() as head, *parts) if head in PURE:
            inside = [*_of_parts(parts, bound, is_asked=False)]
            yield from inside or (_condition(form, bound) if is_asked else ())
        case _:
            yield from _condition(form, bound) if is_asked else ()


def _of_parts(parts: object, bound: frozenset[Form], is_asked: bool) -> Iterator[_Question]:
    assert isinstance(parts, list | tuple)
    for part in parts:
        yield from _questions(part, bound, is_asked)


def _condition(form: Form, bound: frozenset[Form]) -> Iterator[_Question]:
    """A condition as a question; both it and its opposite are one."""
    if form in (TRUE, FALSE):
        return
    opposite = negation(form)
    asked = asked_value(form) or asked_value(opposite)
    if asked is not None:
        yield from _of(asked[0], bound, (asked[1],))
    else:
        yield from _of(min(form, opposite, key=repr), bound)


def _of(
    form: Form, bound: frozenset[Form], values: tuple[Form, ...] = (), are_all: bool = False
) -> Iterator[_Question]:
    if not any(holds(form, name) for name in bound):
        yield _Question(form, values, are_all)


def _bound(form: Form) -> frozenset[Form]:
    """The names that are bound inside a form."""
    match form:
        case ("from" | "within", name, domain):
            return frozenset({name}) | _bound(domain)
        case (*parts,):
            return frozenset[Form]().union(*map(_bound, parts))
        case _:
            return frozenset()


# ---- the answers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Answers:
    """What is known: whether conditions hold; which value a thing has, or that it has none of those asked for."""

    conditions: Mapping[Form, Form]
    subject: Form | None = None
    value: Form | None = None


def _chosen(form: Form, question: _Question, value: Form | None) -> Form:
    """A form where a thing has a value; none of those asked for, if none is given."""
    into: dict[Form, Form] = {}
    for each in question.values:
        sides = ordered((question.of, each))
        into["=", *sides] = TRUE if each == value else FALSE
        into["!=", *sides] = FALSE if each == value else TRUE
    return _answered(form, _Answers(into, question.of, value))


def _answered(form: Form, known: _Answers, is_asked: bool = False) -> Form:
    """A form where what is asked is known. is_asked: it is a condition; what stands elsewhere as a value may be `none`,
    if it is not surely true or false."""
    if form in known.conditions and (is_asked or is_truth(form)):
        return known.conditions[form]
    match form:
        case ("match" | "table", subject, *cases) if subject == known.subject:
            told = {case[1]: case[2] for case in cases}  # type: ignore[index]
            rest = told.get("otherwise", UNTOLD)
            return _answered(rest if known.value is None else told.get(known.value, rest), known, is_asked)
        case ("<=", _, _) if known.subject is not None and known.value is not None and holds(form, known.subject):
            return rebuilt(form, {known.subject: known.value})
        case (str() as head, place, changed, *rest_) if head in CHANGES:
            return _change(head, place, _answered(changed, known), rest_)
        case (str() as head, *parts) if head in PURE:
            asked = _asked_parts(head, len(parts), is_asked)
            answered = tuple(_answered(part, known, each) for part, each in zip(parts, asked, strict=True))
            return form if answered == (*parts,) else again((head, *answered))
        case _:
            return form


def _asked_parts(head: str, count: int, is_asked: bool) -> list[bool]:
    """Which parts of a form are conditions."""
    match head:
        case "if":
            return [True, is_asked, is_asked]
        case "and" | "or" | "not":
            return [True] * count
        case "sum":
            return [at == 1 for at in range(count)]
        case _:
            return [False] * count


def _change(head: str, place: Form, value: Form, rest: list[Form]) -> Form:
    """A step with another value: to add nothing is to do nothing."""
    if head == ":=":
        return (head, place, value, *rest)
    if rest == [NONE] and value == 0:
        return NOTHING
    if rest == [NONE] and is_number(value):
        return (*_signed_as(head, place, value), NONE)
    return (head, place, value, *rest)


def _signed_as(head: str, place: Form, value: Form) -> tuple[Form, ...]:
    operator, change = signed(terms(value, 1 if head == "+=" else -1))
    return operator, place, change
