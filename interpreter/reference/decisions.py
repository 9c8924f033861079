"""Decisions: the instances of options, and which requirement forbids one.

An option's choices are bound one after another, and its requirements are tested, both in the order written: a
requirement as soon as the names in it, and in those before it, are bound. One that fails guards all that comes after
it, which needs no value then.

A move is legal if, besides, no requirement fails between taking it and the next event. That is found by a trial: the
run continues in a copy. There a decision counts as an event as soon as the leading requirements of an option hold;
otherwise the question whether it is skipped would need trials of its own, and so on to the end of the game. A fault of
the spec on the way does not make a move illegal: the fault is raised when the move is played.

In a partial run a requirement whose value is unknown may hold. Then an instance is one that may be legal. A trial that
depends on what is unknown leaves doubt, unless no statement of the game can reach a requirement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ludex.grammar import Span
from ludex.spec import (
    OverBudget,
    PartlyKnownItems,
    Truth,
    Undefined,
    Unknown,
    UnknownContent,
    UnknownPiece,
    any_of,
    conjunction,
    is_known,
    is_unconditional,
    listed,
    ordered,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..information.decision_visibility import Concealed
from ..stack.state import StatedChoice
from ..state.contents import CELLS, TRIAL
from ..state.events import SpecFault
from .control import Mode, Next, RequirementFault, UndeterminedFlow
from .partial_state import seen_by

if TYPE_CHECKING:
    from .run import Run

ValueRow: TypeAlias = tuple[t.Value, ...]


class Halt(NamedTuple):
    """A requirement that fails before the next event, and the run at that point."""

    path: str
    run: Run


@dataclass(frozen=True)
class PlayerOption:
    """An option of a decision for one player.

    Attributes:
        name: the name of its moves.
        slots: those of the choices: in the frame that the action will have, or in the decision's.
        asked: for each number of bound choices the requirements that are tested then, in order.
        stated: the parameters that its moves state, before the choices, with their types and values.
        branch: which of the decision's branches it is; None for an action.
    """

    name: str
    place: tuple[str, Span]
    choices: tuple[m.Choice, ...]
    requirements: tuple[m.Requirement, ...]
    slots: tuple[t.Value, ...]
    asked: Sequence[Sequence[m.Requirement]]
    stated: tuple[tuple[str, t.Type, t.Value], ...] = ()
    branch: int | None = None

    def bound(self, values: Iterable[t.Value]) -> tuple[t.Value, ...]:
        """Return the slots with the first choices bound to these values."""
        slots = list(self.slots)
        for choice, value in zip(self.choices, values, strict=False):
            slots[choice.slot] = value
        return tuple(slots)

    def arguments(self, values: ValueRow) -> tuple[tuple[str, t.Type, t.Value], ...]:
        """Return the name, type and value of each argument of the move with these choices."""
        chosen = zip(self.choices, values, strict=True)
        return (*self.stated, *((choice.name, choice.type, value) for choice, value in chosen))

    def is_meant(self, given: Mapping[str, t.Value]) -> bool:
        """Test whether a move with these arguments states the parameters as they are."""
        return all(name in given and given[name] == value for name, _, value in self.stated)


def options(run: Run, me: t.Value, name: str | None = None) -> Iterator[tuple[int, PlayerOption]]:
    """Yield the options of the current decision, or those with a name, with their numbers, for the player."""
    assert isinstance(run.step, m.Asking)
    for number, option in enumerate(run.step.options):
        if name in (None, option.name):
            yield number, option_at(run, me, number)


def option_at(run: Run, me: t.Value, number: int) -> PlayerOption:
    """Return the option of the current decision with this number, for the player."""
    # `me` is given and not read: in a simultaneous choice it is each seat in turn, and slot 0 still holds the one
    # around.
    step, slots = run.step, (me, *run.frame.slots[1:])
    assert isinstance(step, m.Asking)
    option = step.options[number]
    if isinstance(option, m.ActionOption):
        frame = dict(enumerate(slots))
        # `known` is not asked, since an unknown argument only makes requirements unknown that read it.
        given = [run.evaluation.of(argument, frame, step.path) for argument in option.arguments]
        return option_of(run, run.game.actions[option.action], (me, *given))
    place = option.name, option.body.span
    branch = sum(isinstance(each, m.BranchOption) for each in step.options[:number])
    asked = run.rules.tested_after(option)
    return PlayerOption(option.name, place, option.choices, option.requirements, slots, asked, (), branch)


def option_of(run: Run, action: m.Action, given: tuple[t.Value, ...]) -> PlayerOption:
    """Return the action as an option of its own. given: `me` and its arguments."""
    named = zip(action.parameters, given[1:], strict=True)
    stated = tuple((name, of, value) for (name, of), value in named if name in action.stated)
    slots = (*given, *[None] * (action.frame_size - len(given)))
    place, asked = (action.name, action.span), run.rules.tested_after(action)
    return PlayerOption(action.name, place, action.choices, action.requirements, slots, asked, stated)


# ---- instances


def instances(run: Run, option: PlayerOption) -> Iterator[tuple[ValueRow, Truth]]:
    """Yield the values of the choices that satisfy their domains and the leading requirements, in order, each with
    whether that is certain.
    """
    return _instances(run, option, (), True)


def _instances(run: Run, option: PlayerOption, values: ValueRow, certain: Truth) -> Iterator[tuple[ValueRow, Truth]]:
    for requirement in option.asked[len(values)]:
        holds = run.evaluation.holds(requirement, dict(enumerate(option.bound(values))))
        if holds is False:
            return
        certain = conjunction(certain, holds)
    if len(values) == len(option.choices):
        yield values, certain
        return
    choice, candidates = option.choices[len(values)], domain_of(run, option, values)
    if isinstance(candidates, Unknown):
        # Of the parts of an unknown collection only the empty one is certain to exist.
        certain, candidates = Unknown(), ((), candidates) if choice.within else (candidates,)
    elif choice.within:
        candidates = all_parts(candidates)
    # Pieces are kinds: two equal cards are one option.
    for value in candidates if choice.within else dict.fromkeys(candidates):
        run.meter.take(1, option.place[0], choice.domain.span)
        yield from _instances(run, option, (*values, as_typed(choice, value)), certain)


def domain_of(run: Run, option: PlayerOption, values: ValueRow) -> t.Value:
    """Return the items of the first unbound choice's domain, in order, with duplicates; unknown if the domain is.

    Raises NoValue if it has no value.
    """
    items = domain_outcome(run, option, values)
    if isinstance(items, Undefined):
        raise items.fault
    return items


def domain_outcome(run: Run, option: PlayerOption, values: ValueRow) -> t.Value | Undefined:
    """Return the items of the first unbound choice's domain as `domain_of` does, or why they have no value."""
    choice = option.choices[len(values)]
    domain = choice.domain
    value = run.evaluation.outcome(domain, dict(enumerate(option.bound(values))), option.place[0])
    if isinstance(value, Undefined):
        return value
    # Parts of a collection with unknown values cannot be listed.
    if choice.within and isinstance(value, tuple) and any(type(item) in (Unknown, UnknownContent) for item in value):
        return Unknown()
    # Parts of a set with unknown items cannot be listed, and a choice cannot be a wholly unknown item.
    if isinstance(value, PartlyKnownItems) and (choice.within or any(type(item) is Unknown for item in value.items)):
        return Unknown()
    if isinstance(value, Unknown) and not isinstance(value, UnknownPiece | PartlyKnownItems):
        return value
    items = listed(domain.type, value)
    run.meter.take(len(items), option.place[0], domain.span)
    # Parts are multisets: sorting brings equal items together, so that `all_parts` lists none twice.
    return ordered(domain.type.of, items) if choice.within and isinstance(domain.type, t.ListOf) else items


def as_typed(choice: m.Choice, value: t.Value) -> t.Value:
    """Return the value of a choice: a part is listed, and is a set if its domain is one."""
    # A choice is not a cell, so an unknown one may or may not equal another.
    if type(value) is UnknownContent:
        return Unknown()
    if not (choice.within and isinstance(choice.type, t.SetOf)):
        return value
    return frozenset(value) if is_known(value) else Unknown()


def all_parts(items: t.Value) -> Iterator[ValueRow]:
    """Yield all different parts of a bag, the empty one first, then in lexicographic order.

    Of pieces that are not seen only the number counts: it is not known which of them a part holds.
    """
    seen = tuple([item for item in items if type(item) is not UnknownPiece])
    for part in _parts(seen):
        for count in range(len(items) - len(seen) + 1):
            yield (*part, *[UnknownPiece() for _ in range(count)])


def _parts(items: ValueRow) -> Iterator[ValueRow]:
    yield ()
    for at, item in enumerate(items):
        # An item equal to the one before it would begin the same parts again.
        if at == 0 or items[at - 1] != item:
            for rest in _parts(items[at + 1 :]):
                yield (item, *rest)


def is_part(part: Sequence[t.Value], items: Sequence[t.Value]) -> Truth:
    """Test whether the items contain the part, with multiplicity."""
    known = Counter(piece for piece in part if is_known(piece))
    rest = known - Counter(item for item in items if is_known(item))
    # Each piece that is not surely there needs an unknown item that may be it.
    unknown = [item for item in items if isinstance(item, Unknown)]
    if rest.total() > len(unknown) or not all(any(item.may_be(piece) for item in unknown) for piece in rest):
        return False
    sure = known.total() == len(part)
    return (sure and not rest) or (Unknown() if len(part) <= len(items) else False)


# ---- requirements further on


def legal(run: Run, me: t.Value) -> Iterator[tuple[int, PlayerOption, ValueRow, Truth]]:
    """Yield the legal instances of the current decision: option number, option, values, and whether it is certainly
    legal.
    """
    for number, option, values, certain in _candidates(run, me):
        verdict = _verdict(certain, trial(run, (number, values)))
        if verdict is not False:
            yield number, option, values, verdict


def _candidates(run: Run, me: t.Value) -> Iterator[tuple[int, PlayerOption, ValueRow, Truth]]:
    """Yield the instances that satisfy the leading requirements."""
    for number, option in options(run, me):
        for values, certain in instances(run, option):
            yield number, option, values, certain


def trial(run: Run, stated: StatedChoice) -> Halt | Unknown | None:
    """Return the requirement that would fail before the next event if the option were taken; None if none would.

    For a simultaneous choice only the leading requirements count, since nothing happens before all have chosen.
    """
    if isinstance(run.step, m.Simultaneous):
        return None
    return _tried(run, run.routine.place, lambda tried: carry_out(tried, stated))


def _tried(run: Run, place: tuple[str, Span], begin: Callable[[Run], Next]) -> Halt | Unknown | None:
    # What is unknown leaves no doubt about requirements that the text of the game does not have.
    if run.mode.is_partial and not run.rules.may_refuse_late:
        return None
    run.meter.take(TRIAL + len(run.cells) // CELLS, *place)
    tried = run.within(run.frames, Mode(is_trial=True))
    try:
        tried.go(begin(tried))
    except RequirementFault as refusing:
        return Halt(refusing.path, tried)
    except UndeterminedFlow:
        return Unknown()
    except OverBudget:
        raise
    # A fault makes no move illegal: it is reported when somebody plays the move.
    except SpecFault:
        return Unknown() if run.mode.is_partial else None
    # The trial continued past a requirement that may fail.
    return Unknown() if tried.doubt else None


def carry_out(run: Run, stated: StatedChoice) -> Next:
    """Take an option of the current decision."""
    number, values = stated
    option = option_at(run, run.frame.slots[0], number)
    if option.branch is None:
        run.call(option.name, option.bound(values))
        return Next.BEGIN
    run.frames[-1] = run.frame._replace(slots=option.bound(values))
    return run.into(option.branch)


def can(alone: Run, name: str, given: tuple[t.Value, ...]) -> Truth:
    """Return whether the action has a legal instance in a run with no other routine under way.

    given: `me` and its arguments. An action without choices has one if no requirement fails before its first decision,
    and that decision offers something.
    """
    action = alone.game.actions[name]
    if action.choices:
        return alone.any_legal(_can_choose(alone, option_of(alone, action, given)))
    # Without choices the call is the only instance. It is run up to its first decision.
    alone = alone.within((), Mode(is_probe=True))
    try:
        alone.go(alone.perform(name, given))
    except RequirementFault:
        return False
    except UndeterminedFlow:
        return Unknown()
    truth: Truth = True
    if alone.frames and isinstance(alone.step, m.Decide):
        truth = has_instance(alone, alone.frame.slots[0])
    elif alone.frames and isinstance(alone.step, m.Simultaneous):
        truth = bool(waiting(alone))
    # Doubt on the way leaves "no" as it is: whether a requirement fails or nothing is offered, nothing can be done.
    return Unknown() if truth is True and alone.doubt else truth


def _can_choose(alone: Run, option: PlayerOption) -> Iterator[Truth]:
    for values, certain in instances(alone, option):
        yield _verdict(certain, _tried(alone, option.place, partial(_call, option, values)))


def _call(option: PlayerOption, values: ValueRow, run: Run) -> Next:
    run.call(option.name, option.bound(values))
    return Next.BEGIN


# ---- who must decide


def is_asked(run: Run, me: t.Value) -> bool:
    """Test whether the player must decide: an option has a legal instance, or the public state admits one."""
    if has_instance(run, me) is not False:
        return True
    assert isinstance(run.step, m.Asking)
    concealed = run.rules.concealment.of(run.frame.routine, run.step)
    if run.mode.is_public or concealed is not Concealed.CELLS:
        return concealed is Concealed.NAMES
    return has_instance(seen_by(run, None), me) is not False


def has_instance(run: Run, me: t.Value) -> Truth:
    """Return whether an option has a legal instance; in a trial, whether the leading requirements of one hold."""
    assert isinstance(run.step, m.Asking)
    conditional = [not is_unconditional(option, run.game.actions) for option in run.step.options]
    # If there is an unconditional option, the others are not evaluated, and need no value.
    numbers = sorted(range(len(conditional)), key=conditional.__getitem__)
    offered = any_of(run.any_legal(_verdicts(run, me, number)) for number in numbers)
    run.doubt |= isinstance(offered, Unknown)
    return offered


def _verdicts(run: Run, me: t.Value, number: int) -> Iterator[Truth]:
    """Yield for each instance of an option whether it is legal; in a trial, only for those that may be."""
    for values, certain in instances(run, option_at(run, me, number)):
        # A trial ends here: to try each option of the decision, too, would lead on to the end of the game.
        yield certain if run.mode.is_trial else _verdict(certain, trial(run, (number, values)))


def _verdict(certain: Truth, tried: Halt | Unknown | None) -> Truth:
    """Return whether an instance is legal. certain: whether its leading requirements hold; tried: its trial."""
    return False if isinstance(tried, Halt) else certain if tried is None else tried


def waiting(run: Run) -> tuple[int, ...]:
    """Return the seats that still must state their simultaneous choice."""
    stated = run.frame.kept[-1]
    return tuple(seat for seat in range(run.game.players) if stated[seat] is None and is_asked(run, seat))


def to_move(run: Run) -> tuple[int, ...]:
    """Return the seats that must decide now."""
    if run.frames and isinstance(run.step, m.Decide):
        return (run.frame.slots[0],)
    return waiting(run) if run.frames and isinstance(run.step, m.Simultaneous) else ()
