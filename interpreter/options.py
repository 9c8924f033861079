"""What a decision offers: enumerating the instances of an option, and judging one that is stated.

An option's choices are bound one after another, in the order written, in a list of slots; a requirement is tested as
soon as everything it reads is bound. Enumeration goes through the choices' domains and cuts where a requirement fails;
judging a stated move binds what was stated and enumerates nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ludex.grammar import Span
from ludex.spec import Meter
from ludex.spec import model as m
from ludex.spec import types as t

from .domains import is_value
from .evaluate import UNDECIDED, Expressions, Fn, Slots, order_of
from .events import RefusalKind, Undefined
from .payments import part_lists, pieces_of
from .state import State
from .veil import Veiled, each_once
from .walk import free_slots, units

Holder: TypeAlias = Callable[[State, Slots, t.Value], bool]
Arguments: TypeAlias = tuple[tuple[str, t.Value], ...]
"""What a move states, by name."""


@dataclass(frozen=True, slots=True)
class ChoiceCode:
    """A value that a player states. items: the possible values, each once, in order. holds: is a value one of them?"""

    name: str
    slot: int
    type: t.Type
    items: Fn
    holds: Holder
    span: Span


@dataclass(frozen=True, slots=True)
class ParameterCode:
    """A parameter that a move states although the decision gives it, to say which of several options is meant."""

    name: str
    slot: int
    type: t.Type


@dataclass(frozen=True, slots=True)
class Test:
    """A requirement, or a part of one that must hold too, to be tested once `stage` choices are bound.

    `early`: those of the requirements that it may rest on are not all tested yet, so it may not be decidable; then it
    is taken to hold for now. The whole requirement comes again without `early`. `units`: of work, for each test."""

    path: str
    span: Span
    holds: Fn
    stage: int
    early: bool
    units: int


@dataclass(frozen=True, slots=True)
class Stated:
    """The verdict on stated arguments: what is wrong with them, if anything; `slots` have them bound."""

    slots: Slots
    kind: RefusalKind | None = None
    clauses: tuple[str, ...] = ()
    argument: str | None = None


@dataclass(slots=True)
class OptionCode:
    """One option of a decision, or one action by itself.

    Attributes:
        name: what moves call it.
        tests: for each number of bound choices, the requirements to test then.
        place: the clause, and where it stands.
        open: from the slots of the frame in which the decision stands to those in which the choices are bound.
        routine: the action's number; None for a branch, which goes on in the frame it stands in.
        entry: where a branch's body begins.
        refusable: a requirement may fail between the body's first step and the next event.
        stated: the parameters that its move states, before the choices.
    """

    name: str
    choices: tuple[ChoiceCode, ...]
    tests: tuple[tuple[Test, ...], ...]
    open: Callable[[State, Slots], Slots]
    place: tuple[str, Span]
    meter: Meter
    routine: int | None = None
    entry: int = 0
    refusable: bool = True
    stated: tuple[ParameterCode, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked of who takes it: no choice, and no requirement before its body."""
        return not self.choices and not any(self.tests)

    def bound(self, state: State, outer: Slots, values: Sequence[t.Value]) -> Slots:
        """The slots with the choices bound to values already known to be legal."""
        slots = self.open(state, outer)
        for choice, value in zip(self.choices, values, strict=True):
            slots[choice.slot] = value
        return slots

    def given(self, slots: Slots) -> Arguments:
        """What a move states of the parameters. slots: as `open` makes them."""
        return tuple([(parameter.name, slots[parameter.slot]) for parameter in self.stated])

    def is_meant(self, slots: Slots, arguments: Arguments) -> bool:
        """Whether a move with these arguments states the parameters as they are."""
        if not self.stated:
            return True
        found = dict(arguments)
        return all(name in found and found[name] == value for name, value in self.given(slots))

    def instances(self, state: State, slots: Slots) -> Iterator[tuple[t.Value, ...]]:
        """The choices' values that satisfy domains and requirements, in order. Binds them in `slots` as it goes."""
        if _hold(self.tests[0], state, slots):
            if self.choices:
                yield from self._instances(state, slots, 0)
            else:
                yield ()

    def _instances(self, state: State, slots: Slots, bound: int) -> Iterator[tuple[t.Value, ...]]:
        choice, tests, meter = self.choices[bound], self.tests[bound + 1], self.meter
        last = bound + 1 == len(self.choices)
        taken = 1 + sum([test.units for test in tests])
        for value in choice.items(state, slots):
            meter.left -= taken
            if meter.left < 0:
                raise meter.over(self.place[0], choice.span)
            slots[choice.slot] = value
            if not _hold(tests, state, slots):
                continue
            if last:
                yield tuple([slots[choice.slot] for choice in self.choices])
            else:
                yield from self._instances(state, slots, bound + 1)

    def judge(self, state: State, slots: Slots, arguments: Arguments) -> Stated:
        """Bind what was stated in `slots`, and say what is wrong: all failed requirements that can be judged."""
        given = dict(arguments)
        misfit = self._misfit(given, len(arguments))
        if misfit is not None:
            return Stated(slots, misfit[0], (), misfit[1])
        for name, value in self.given(slots):
            if given[name] != value:
                return Stated(slots, RefusalKind.OUT_OF_DOMAIN, (), name)
        failed: list[str] = []
        self._test(state, slots, 0, failed)
        for bound, choice in enumerate(self.choices, start=1):
            value = slots[choice.slot] = given[choice.name]
            try:
                inside = choice.holds(state, slots, value)
            except UNDECIDED:
                if not failed:
                    raise
                inside = False
            if not inside:
                return Stated(slots, RefusalKind.OUT_OF_DOMAIN, tuple(failed), choice.name)
            self._test(state, slots, bound, failed)
        if failed:
            return Stated(slots, RefusalKind.REQUIREMENT, tuple(failed))
        return Stated(slots)

    def _test(self, state: State, slots: Slots, bound: int, failed: list[str]) -> None:
        """Add the requirements that fail now. Nothing is said of one that cannot be decided because it rests on another
        that failed."""
        for test in self.tests[bound]:
            try:
                if not test.early and not test.holds(state, slots):
                    failed.append(test.path)
            except UNDECIDED:
                if not failed:
                    raise

    def _misfit(self, given: Mapping[str, t.Value], count: int) -> tuple[RefusalKind, str] | None:
        """An argument that is missing, too many, or no value of its type."""
        types = {parameter.name: parameter.type for parameter in self.stated}
        types |= {choice.name: choice.type for choice in self.choices}
        for name in given:
            if name not in types:
                return RefusalKind.EXTRA_ARGUMENT, name
        for name, type_ in types.items():
            if name not in given:
                return RefusalKind.MISSING_ARGUMENT, name
            if count > len(given) or not is_value(type_, given[name]):
                return RefusalKind.WRONG_ARGUMENT, name
        return None


def _hold(tests: Sequence[Test], state: State, slots: Slots) -> bool:
    """Whether all hold; one that cannot be decided yet, or by what everybody sees, may."""
    for test in tests:
        try:
            if not test.holds(state, slots):
                return False
        except Veiled:
            continue
        except Undefined:
            if not test.early:
                raise
    return True


def compile_choices(
    expressions: Expressions, choices: Sequence[m.Choice], requirements: Sequence[m.Requirement], path: str
) -> tuple[ChoiceCode, ...]:
    """path: the clause the choices belong to."""
    codes = []
    lists = part_lists(expressions, choices, requirements, path)
    for at, choice in enumerate(choices):
        if choice.within:
            codes.append(_compile_part(expressions, choice, lists[choice.slot], path))
            continue
        code = _compile_choice(expressions, choice, path)
        if isinstance(choice.domain.type, t.SetOf):
            later = frozenset(other.slot for other in choices[at:])
            code = _narrowed(expressions, code, _collections(choice.slot, later, requirements), path)
        codes.append(code)
    return tuple(codes)


def _compile_choice(expressions: Expressions, choice: m.Choice, path: str) -> ChoiceCode:
    items, holds = expressions.items(choice.domain, path), expressions.holder(choice.domain, path)
    if isinstance(choice.domain.type, t.BagOf | t.ListOf):
        every = items
        items = lambda s, f: each_once(every(s, f))  # noqa: E731 - as short as its kin
    return ChoiceCode(choice.name, choice.slot, choice.type, items, holds, choice.domain.span)


def _compile_part(expressions: Expressions, choice: m.Choice, parts: Fn, path: str) -> ChoiceCode:
    items: Fn = (lambda s, f: map(frozenset, parts(s, f))) if isinstance(choice.type, t.SetOf) else parts
    holds = _part_holder(pieces_of(expressions, choice, path))
    return ChoiceCode(choice.name, choice.slot, choice.type, items, holds, choice.domain.span)


def compile_tests(
    expressions: Expressions, choices: Sequence[m.Choice], requirements: Sequence[m.Requirement]
) -> tuple[tuple[Test, ...], ...]:
    """The requirements by the number of choices that must be bound before they can be tested."""
    stages: list[list[Test]] = [[] for _ in range(len(choices) + 1)]
    latest = 0
    for requirement in requirements:
        stage = _stage(choices, requirement)
        latest = max(latest, stage)
        for part in _parts(requirement):
            early = _stage(choices, part)
            if early < stage:
                holds = expressions.compile(part, requirement.path)
                stages[early].append(Test(requirement.path, requirement.span, holds, early, True, units(part)))
        holds, whole = expressions.test(requirement), units(requirement)
        if stage < latest:
            stages[stage].append(Test(requirement.path, requirement.span, holds, stage, True, whole))
        stages[latest].append(Test(requirement.path, requirement.span, holds, latest, False, whole))
    return tuple(map(tuple, stages))


def _stage(choices: Sequence[m.Choice], node: m.Requirement | m.Expr) -> int:
    """How many choices must be bound before what the node reads is."""
    read = free_slots(node)
    return max((at for at, choice in enumerate(choices, start=1) if choice.slot in read), default=0)


def _parts(requirement: m.Requirement) -> tuple[m.Expr, ...]:
    """Conditions without any of which the requirement cannot hold."""
    return () if requirement.waivers else tuple(_conjuncts(requirement.condition))


def _conjuncts(condition: m.Expr) -> Iterator[m.Expr]:
    match condition:
        case m.Logic(operator="and", left=left, right=right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case m.Logic(operator="implies", left=left, right=right):
            for part in _conjuncts(right):
                yield replace(condition, left=left, right=part)
        case m.IfExpr(type=type_, span=span, condition=first, then=then, otherwise=otherwise):
            yield from _conjuncts(m.Logic(type_, span, "implies", first, then))
            yield from _conjuncts(m.Logic(type_, span, "implies", m.NotExpr(type_, span, first), otherwise))
        case _:
            yield condition


# ---- `require x in S`: only what lies in S needs to be listed


def _collections(slot: int, later: frozenset[int], requirements: Sequence[m.Requirement]) -> Iterator[m.Expr]:
    """Collections that must hold the value in the slot, known before any of the slots in `later`."""
    for part in (part for requirement in requirements for part in _parts(requirement)):
        match part:
            case m.Member(item=m.Local(slot=of), collection=held, negated=False) if of == slot:
                if t.element_type(held.type) is not None and not free_slots(held) & later:
                    yield held


def _narrowed(expressions: Expressions, code: ChoiceCode, collections: Iterable[m.Expr], path: str) -> ChoiceCode:
    """The choice from a set, listed from the first of the collections that can be worked out."""
    found = [expressions.items(collection, path) for collection in collections]
    put_in_order = order_of(code.type)

    def items(state: State, slots: Slots) -> Any:
        for held in _decided(found, state, slots):
            return put_in_order(value for value in frozenset(held) if code.holds(state, slots, value))
        return code.items(state, slots)

    return replace(code, items=items) if found else code


def _decided(bounds: Sequence[Fn], state: State, slots: Slots) -> Iterator[Any]:
    """Those that can be worked out; one that rests on a requirement which does not hold cannot."""
    for bound in bounds:
        try:
            yield bound(state, slots)
        except UNDECIDED:
            continue


# ---- `within`: parts of a collection


def is_part(part: Iterable[t.Value], whole: Iterable[t.Value]) -> bool:
    """Whether a collection holds all of another, each as often."""
    left = list(whole)
    for item in part:
        if item not in left:
            return False
        left.remove(item)
    return True


def _part_holder(items: Fn) -> Holder:
    def holds(state: State, slots: Slots, part: Iterable[t.Value]) -> bool:
        return is_part(part, items(state, slots))

    return holds
