"""Normal forms of values and conditions: what may be said in several ways is said in one.

`a < 1` is `not a >= 1`, `every` is `not some not`, a set that is not empty is one of at least one. What could fail (a
number outside its range, `the` of none) is never moved in front of what guards it.

A form is nested tuples: `("=", kind, value)` a constant, `("var", n)` what the n-th loop around runs over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

Form: TypeAlias = Any

TRUE: Form = ("=", "bool", True)
FALSE: Form = ("=", "bool", False)
NONE: Form = ("=", "NoneType", None)
ME: Form = ("me",)
RISKY = frozenset({
    "Checked", "CanPerform", "PickExpr", "Arithmetic", "Extremes", "WithExceptions", "MakeRecord", "MakeWord", "call",
    "given", "Builtin",
})  # fmt: skip
"""What may fail, or hangs on more than can be seen."""
SAFE = frozenset({"size", "number", "abs", "index", "clockwise", "reversed"})
"""Functions of the language that always have a value."""
LISTED = 64
"""Types of more values are not gone through one by one."""


class TooLarge(Exception):
    """The form would take too long to make, or hangs on what is not known."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known of the slots at a place. depth: how many loops are around."""

    known: Mapping[int, Form]
    depth: int = 0

    def knowing(self, slot: int, form: Form) -> Scope:
        """With a slot that holds what has this form."""
        return replace(self, known={**self.known, slot: form})

    def looping(self, slot: int) -> Scope:
        """Inside one more loop, whose values stand in the slot."""
        return Scope({**self.known, slot: ("var", self.depth)}, self.depth + 1)


def constant(value: t.Value) -> Form:
    """The form of a known value; `value_of` gives it back."""
    held = tuple(sorted(value, key=repr)) if isinstance(value, frozenset) else value
    return "=", type(value).__name__, held


def is_constant(form: Form) -> bool:
    """Whether its value is known."""
    return bool(form) and form[0] == "="


def risky(form: Form) -> bool:
    """Whether working it out may fail, or hangs on more than the form shows."""
    if not isinstance(form, tuple) or not form or form[0] == "=":
        return False
    if form[0] in RISKY and not (form[0] == "Builtin" and form[1] in SAFE):
        return True
    return any(map(risky, form))


def negated(form: Form) -> Form:
    """It does not hold."""
    if form in (TRUE, FALSE):
        return FALSE if form == TRUE else TRUE
    return form[1] if form[0] == "not" else ("not", form)


def both(items: Sequence[Form]) -> Form:
    """All hold, asked in this order; where nothing can fail, in any."""
    flat: list[Form] = []
    for item in items:
        flat += item[1:] if item[0] == "and" else [item]
    kept = [item for item in dict.fromkeys(flat) if item != TRUE and not _is_implied(item, flat)]
    if not any(map(risky, kept)):
        if FALSE in kept or any(negated(item) in kept for item in kept):
            return FALSE
        kept.sort(key=repr)
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", *kept)


def _is_implied(item: Form, others: Sequence[Form]) -> bool:
    """Of "it is there": whether something is asked of a column of it, which nothing has that is not there."""
    match item:
        case ("not", ("eq", held, there)) if held == NONE:
            return any(
                other[0] == "eq"
                and is_constant(other[1])
                and other[1] != NONE
                and other[2][:2] == ("TableField", there)
                for other in others
            )
        case _:
            return False


def either(items: Sequence[Form]) -> Form:
    """One holds at least, asked in this order."""
    return negated(both([negated(item) for item in items]))


def at_least(low: Form, form: Form, of: t.Type | None) -> Form:
    """`low <= form`, of numbers."""
    if is_constant(low) and isinstance(of, t.Range) and not risky(form):
        least, most = _bounds(form, of)
        if low[2] <= least:
            return TRUE
        if low[2] > most:
            return FALSE
    if form[0] == "count" and is_constant(low):
        if low[2] == 1:
            return form[3]
        if low[2] == _turns(form[1]):
            return form[4]
    if is_constant(low) and isinstance(of, t.Range):
        least, most = _bounds(form, of)
        if low[2] == most:
            return "eq", low, form
        if low[2] == least + 1:
            return negated(("eq", constant(least), form))
    return "le", low, form


def _bounds(form: Form, of: t.Range) -> tuple[int, int]:
    """What a number lies between; a printed one between those that are printed."""
    if form[0] == "TableField" and all(isinstance(value, int) for value in form[3]):
        return max(of.low, min(form[3])), min(of.high, max(form[3]))
    return of.low, of.high


def some(domains: tuple[Form, ...], condition: Form, depth: int | None = None) -> Form:
    """Whether there is one. depth: of the loop, where that is known."""
    mine = ("var", depth)
    match condition:
        case ("eq", *sides) if len(domains) == 1 and mine in sides and not is_constant(domains[0]):
            (other,) = [side for side in sides if side != mine] or (mine,)
            if not _holds(other, mine):
                return "in", other, domains[0]
        case _:
            pass
    if condition == FALSE and not risky(domains):
        return FALSE
    if condition == TRUE and (turns := _turns(domains)) is not None:
        return TRUE if turns else FALSE
    return "some", domains, condition


def _holds(form: Form, part: Form) -> bool:
    return form == part or (isinstance(form, tuple) and any(_holds(each, part) for each in form))


def _turns(domains: Sequence[Form]) -> int | None:
    """How often a loop runs, if that is known."""
    if len(domains) != 1 or not is_constant(domains[0]):
        return None
    return len(domains[0][2])


def _less(number: Form, by: int) -> Form:
    return constant(number[2] - by)


def choice(condition: Form, then: Form, otherwise: Form) -> Form:
    """If, then, else."""
    if condition in (TRUE, FALSE):
        return then if condition == TRUE else otherwise
    if then == otherwise and not risky(condition):
        return then
    if condition[0] == "not":
        return "if", condition[1], otherwise, then
    return "if", condition, then, otherwise


def value_of(form: Form) -> t.Value:
    """The value of a constant."""
    return frozenset(form[2]) if form[1] == "frozenset" else form[2]


def equal(left: Form, one: t.Type, right: Form, other: t.Type) -> Form:
    """Both have the same value. one, other: their types."""
    if is_constant(left):
        left, one, right, other = right, other, left, one
    if is_constant(left):
        return TRUE if left[2] == right[2] else FALSE
    if is_constant(right) and isinstance(one, t.Range) and left[0] == "count":
        if right[2] == 0:
            return negated(at_least(constant(1), left, one))
        if right[2] == _turns(left[1]):
            return at_least(right, left, one)
    if is_constant(right) and isinstance(one, t.Bool):
        return left if right[2] else negated(left)
    return "eq", *sorted((left, right), key=repr)


def at_most(left: Form, one: t.Type, right: Form, other: t.Type) -> Form:
    """`left <= right`."""
    if isinstance(one, t.Range) and is_constant(right) and isinstance(right[2], int):
        return negated(at_least(_less(right, -1), left, one))
    if isinstance(other, t.Range) and is_constant(left):
        return at_least(left, right, other)
    return "le", left, right


def product(left: Form, right: Form) -> Form:
    """One number times the other."""
    if is_constant(left) and is_constant(right):
        return constant(left[2] * right[2])
    return "product", *sorted((left, right), key=repr)


def spliced(domain: Form, depth: int) -> tuple[Form, Form]:
    """Of a set of those that meet a condition: all, and the condition."""
    match domain:
        case ("gathered", "set", (inner,), condition, (("var", at),), None) if at == depth and never_repeats(inner):
            return inner, condition
        case _:
            return domain, TRUE


def never_repeats(domain: Form) -> bool:
    """Whether it is known that a loop over the domain never comes to one value twice."""
    return is_constant(domain) and len(set(domain[2])) == len(domain[2])


def bound_by(binds: Sequence[m.Binding], value: Form, scope: Scope) -> Scope:
    """A scope with what the arm of a match gives names to; value: of the subject."""
    for each in binds:
        known = constant(each.table[value[2]]) if is_constant(value) else ("data", each.table, value)
        scope = scope.knowing(each.slot, known)
    return scope


def matched(form: Form, of: t.Type, cases: Sequence[Any], body: Callable[[Any, Form], Form], nothing: Form) -> Form:
    """A match by the values of its subject, however its arms are ordered; body: the form of an arm for a value."""
    if is_constant(form):
        return next((body(case, form) for case in cases if case.values is None or form[2] in case.values), nothing)
    count = t.size(of)
    if count is None or count > LISTED:
        arms = tuple((None if case.values is None else constant(case.values), body(case, form)) for case in cases)
        return "match", form, arms
    found = []
    for value in t.values(of):
        case = next((case for case in cases if case.values is None or value in case.values), None)
        found.append((value, nothing if case is None else body(case, constant(value))))
    if len({arm for _, arm in found}) == 1 and not risky(form):
        return found[0][1]
    return "match", form, tuple(found)
