"""What is asked of two games: whether two pieces of them at the same place come to the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...walk import free_slots

ME = "me"


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that both sides know, in whatever slots.

    Attributes:
        left, right: its slots.
        domain: where both sides let it be chosen from the same values, which (in the left side's slots).
        within: any part of the domain, rather than one of its items.
    """

    name: str
    type: t.Type
    left: int
    right: int
    domain: m.Expr | None = None
    within: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A test: what stands in the slot is one of the domain's values, or a part of it."""

    slot: int
    type: t.Type
    domain: m.Expr
    within: bool


Test: TypeAlias = m.Expr | Chosen


@dataclass(frozen=True, slots=True)
class Question:
    """Two pieces at one place.

    kind `offer`: tests, in order; what all of them allow. `value`: one expression each. `steps`: statements that are
    carried out, up to the next event.

    Attributes:
        path: the clause around them.
        blank: elements whose cells hold what they begin with.
        given: tests of the left side that hold wherever the question arises, as both sides ask for them.
        at: the statement of each side at which the question arises, as it begins; None where there is none.
    """

    kind: Literal["offer", "value", "steps"]
    path: str
    variables: tuple[Variable, ...]
    left: tuple[Test, ...] | m.Step
    right: tuple[Test, ...] | m.Step
    blank: frozenset[str] = frozenset()
    given: tuple[Test, ...] = ()
    at: tuple[m.Statement | None, m.Statement | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Told:
    """What is plain from the form alone. `other`: neither allows less, and they do not do the same."""

    path: str
    verdict: Literal["stricter", "looser", "other", "unknown"]
    reason: str


@dataclass(frozen=True, slots=True)
class Either:
    """Two ways to ask the same: if the first is not settled, the parts of the second are asked."""

    first: Question
    parts: tuple[Item, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Offer:
    """What two moves ask for.

    Attributes:
        whole: all their tests.
        narrow: only those that are not among the other's. If these come to the same, all do; and if one side's hold
            wherever the other's do, all of that side's do.
    """

    whole: Question
    narrow: Question


Item: TypeAlias = Question | Told | Either | Offer


def condition(requirement: m.Requirement) -> m.Expr:
    """A requirement with its waivers as one condition."""
    found = requirement.condition
    for waiver in requirement.waivers:
        both = m.Logic(t.Bool(), requirement.span, "and", waiver.condition, waiver.value)
        found = m.Logic(t.Bool(), requirement.span, "or", found, both)
    return found


def tests(choices: Sequence[m.Choice], requirements: Sequence[m.Requirement]) -> tuple[Test, ...]:
    """The domains of choices and the requirements, in the order in which they are looked at: each requirement as soon
    as what it and those before it read is chosen. (The interpreter looks at parts of requirements earlier still; that
    changes only whether a move is refused or a fault comes to light, where one of two requirements has no value.)"""
    stages: list[list[m.Expr]] = [[] for _ in range(len(choices) + 1)]
    latest = 0
    for requirement in requirements:
        read = free_slots(requirement)
        stage = max((at for at, choice in enumerate(choices, start=1) if choice.slot in read), default=0)
        latest = max(latest, stage)
        stages[latest].append(condition(requirement))
    found: list[Test] = list(split(stages[0]))
    for choice, after in zip(choices, stages[1:], strict=True):
        found += [Chosen(choice.slot, choice.type, choice.domain, choice.within), *split(after)]
    return tuple(found)


def split(conditions: Iterable[m.Expr]) -> tuple[m.Expr, ...]:
    """Conditions without `and` between them; those that always hold are left out."""
    return tuple(part for each in conditions for part in _conjuncts(each) if not _is_true(part))


def _conjuncts(condition: m.Expr) -> Iterator[m.Expr]:
    match condition:
        case m.Logic(operator="and", left=left, right=right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case _:
            yield condition


def _is_true(condition: m.Expr) -> bool:
    return isinstance(condition, m.Constant) and condition.value is True
