"""Of what kind a difference between two forms is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .names import Form

Kind = Literal[
    "value", "modality", "condition", "missing", "extra", "order", "destination", "scope", "actor", "timing",
    "reference", "layout", "example", "term",
]  # fmt: skip

CONDITIONS = frozenset({"and", "or", "not", "=", "!=", "<", "<=", "in", "not in", "empty", "held", "unless", "can"})
JUNCTIONS = frozenset({"and", "or", "+", "*", "set", "one of", "max", "min"})
NAMED = frozenset({"of", "perform", "values", "can"})
"""Heads behind which a name stands: with another name it is another thing."""
ATOMS = frozenset({"word", "name", "player", "clause"})
WEIGHT: tuple[Kind, ...] = (
    "modality", "actor", "destination", "order", "scope", "condition", "reference", "value",
)  # fmt: skip
"""Of several kinds in one clause the first counts: what changes most about how the clause is played."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two parts of two forms that differ, and the heads around them, outermost first."""

    left: Form
    right: Form
    around: tuple[str, ...]


def apart(left: Form, right: Form, around: tuple[str, ...] = ()) -> Iterator[Apart]:
    """The smallest parts at which two forms differ."""
    if left == right:
        return
    if not _alike(left, right):
        yield Apart(left, right, around)
        return
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    head = str(left[0])
    if (head in NAMED and left[1] != right[1]) or _reordered(left, right):
        yield Apart(left, right, around)
        return
    if head in JUNCTIONS:
        left, right = _without(left, right), _without(right, left)
        if len(left) != 2 or len(right) != 2:
            yield Apart(left, right, around)
            return
    elif len(left) != len(right):
        yield Apart(left, right, around)
        return
    for one, other in zip(left[1:], right[1:], strict=True):
        yield from apart(one, other, (*around, head))


def _alike(left: Form, right: Form) -> bool:
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return False
    return left[0] == right[0] and isinstance(left[0], str) and left[0] not in ATOMS


def _without(form: tuple[Form, ...], other: tuple[Form, ...]) -> tuple[Form, ...]:
    rest = list(other[1:])
    kept: list[Form] = [form[0]]
    for part in form[1:]:
        if part in rest:
            rest.remove(part)
        else:
            kept.append(part)
    return tuple(kept)


def kind_of(left: Form, right: Form) -> Kind:
    """How two forms of one clause differ."""
    found = {_kind(each) for each in apart(left, right)}
    return next(kind for kind in WEIGHT if kind in found)


def _kind(found: Apart) -> Kind:
    left, right, around = found.left, found.right, found.around
    heads = {_head(left), _head(right)}
    if heads & {"may", "may again"} or _optional(left) != _optional(right):
        return "modality"
    if around[-1:] == ("as",) or heads & {"as", "all players"} or "me" in (left, right):
        return "actor"
    if "to" in around or {left, right} == {"top", "bottom"}:
        return "destination"
    if _reordered(left, right):
        return "order"
    if heads & {"each", "each player", "times"} or {"over", "from", "within"} & set(around):
        return "scope"
    if _is_value(left) and _is_value(right):
        return "value"
    if heads & CONDITIONS or CONDITIONS & set(around) or "if" in heads:
        return "condition"
    return "reference" if heads <= {"of", "perform", None} else "value"


def _head(form: Form) -> str | None:
    return str(form[0]) if isinstance(form, tuple) and form else None


def _optional(form: Form) -> bool:
    return _head(form) in ("may", "may again")


def _is_value(form: Form) -> bool:
    match form:
        case int() | ("word", _):
            return True
        case ("minus", part):
            return _is_value(part)
        case ("set" | ".." | "+" | "*" | "words", *parts):
            return all(map(_is_value, parts))
        case _:
            return False


def _reordered(left: Form, right: Form) -> bool:
    """The same parts, in another order."""
    if not isinstance(left, tuple) or not isinstance(right, tuple) or _head(left) != "do" != _head(right):
        return False
    return left != right and sorted(map(repr, left)) == sorted(map(repr, right))


def common_clauses(forms: Sequence[Form]) -> frozenset[str]:
    """The labels of clauses that stand in every one of some forms."""
    sets = [frozenset(labels(form)) for form in forms]
    return frozenset.intersection(*sets) if sets else frozenset()


def labels(form: Form) -> Iterator[str]:
    match form:
        case ("clause", str() as label):
            yield label
        case (*parts,):
            for part in parts:
                yield from labels(part)
        case _:
            return


def without_clauses(form: Form, kept: frozenset[str]) -> Form:
    """A form without the clauses inside it, but for some: what else stands there is compared, and their order."""
    match form:
        case ("clause", label):
            return form if label in kept else ("nothing",)
        case ("do" | "one of" as head, *parts):
            left = [part for part in (without_clauses(each, kept) for each in parts) if part != ("nothing",)]
            return ("nothing",) if not left else left[0] if len(left) == 1 else (head, *left)
        case (*parts,) if parts:
            return tuple(without_clauses(part, kept) for part in parts)
        case _:
            return form


FLOW = frozenset({"each", "each player", "all players", "as", "until", "times"})


def without_flow(form: Form) -> Form:
    """A form without the flow around the clauses inside it, which adds nothing to their paths."""
    match form:
        case (str() as head, *_, inside) if head in FLOW and any(True for _ in labels(inside)):
            return without_flow(inside)
        case ("do", *parts):
            return ("do", *map(without_flow, parts))
        case _:
            return form
