"""In what order a clause carries out what the clauses inside it say, and under which conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from .building import NOTHING, TRUE, junction
from .kinds import FLOW, labels
from .names import Form
from .said import Said

Part: TypeAlias = tuple[Form, Form]
"""What stands around a part of a clause, and the part: a step, or `("require", condition)`."""


def course(clauses: Mapping[str, Said], around: str) -> list[Part]:
    """All that a clause does and asks for, in order. clauses: of one text."""
    clause = clauses.get(around)
    return [] if clause is None else [*_course(clause.form, (), around, clauses)]


def in_one_order(one: Sequence[Part], other: Sequence[Part], said: Collection[Form]) -> bool:
    """Whether some parts stand in two texts on the same conditions, and before and behind the same of what both say."""
    mine, theirs = Counter(one), Counter(other)
    alike = [part for part in mine if mine[part] == theirs[part]]
    sought = [part for part in (mine | theirs) if part[1] in said]
    return all(_stands_alike(part, alike, one, other) for part in sought)


def _stands_alike(part: Part, alike: Sequence[Part], one: Sequence[Part], other: Sequence[Part]) -> bool:
    """What is required together is required in any order, and once."""
    if part not in one or part not in other or not (part in alike or _is_required(part)):
        return False
    beside = (each for each in alike if each != part and not (_is_required(each) and _is_required(part)))
    return all(_row(one, part, each) == _row(other, part, each) for each in beside)


def _row(parts: Sequence[Part], part: Part, beside: Part) -> list[Part]:
    """How the two take turns; what is required again at once is required once."""
    row = [each for each in parts if each in (part, beside)]
    return [each for at, each in enumerate(row) if not (_is_required(each) and at and row[at - 1] == each)]


def _is_required(part: Part) -> bool:
    form = part[1]
    return isinstance(form, tuple) and form[0] == "require"


def _course(form: Form, around: tuple[Form, ...], path: str, clauses: Mapping[str, Said]) -> Iterator[Part]:
    match form:
        case ("do" | "action", *parts):
            for part in parts:
                yield from _course(part, around, path, clauses)
        case ("clause", str() as label) | ("require", ("clause", str() as label)):
            yield from ((around, part) for part in told(clauses.get(f"{path}.{label}")))
        case (str() as head, *others, inside) if head in FLOW and any(True for _ in labels(inside)):
            yield from _course(inside, (*around, (head, *others)), path, clauses)
        case ("if", condition, then, otherwise) if any(True for _ in labels(form)):
            yield from _course(then, (*around, ("if", condition)), path, clauses)
            yield from _course(otherwise, (*around, ("unless", condition)), path, clauses)
        case ("may" | "may again" as head, inside):
            yield from _course(inside, (*around, (head,)), path, clauses)
        case _:
            yield around, form


def told(clause: Said | None) -> Iterator[Form]:
    """What a clause says, one after another: conditions, each as a requirement, or steps."""
    match clause:
        case Said(kind="require", form=form):
            yield from (("require", each) for each in conditions(form) if each != TRUE)
        case Said(kind="step", form=("do", *parts)):
            yield from parts
        case Said(kind="step", form=form) if form != NOTHING:
            yield form
        case Said(kind="step") | None:
            return
        case Said(form=form, kind=kind):
            yield kind, form


def conditions(form: Form) -> Iterator[Form]:
    """All that is asked for, each by itself: also of what is put before the bracket, `a or b and c`."""
    match form:
        case ("and", *parts):
            for part in parts:
                yield from conditions(part)
        case ("or", *parts) if sum(1 for part in parts if is_all(part)) == 1:
            inner = next(part for part in parts if is_all(part))
            others = [part for part in parts if part != inner]
            assert isinstance(inner, tuple)
            for part in inner[1:]:
                yield from conditions(junction("or", (*others, part)))
        case _:
            yield form


def is_all(form: Form) -> bool:
    """Whether it is a conjunction."""
    return isinstance(form, tuple) and form[0] == "and"
