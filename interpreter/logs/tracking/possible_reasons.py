"""Reasons of a refusal where the state is not known in full: what is true in every possible state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ludex.grammar import Message, Note
from ludex.spec import Meter, Truth, Unknown, any_of, is_known, same
from ludex.spec import model as m
from ludex.spec import types as t

from ...explanation.refusals import MOST_NOTES, RefusedMove
from ...explanation.unfolding import UNCOMPUTED, Answer, Question, Scene, Unfolder, unfold
from ...information.event_visibility import is_hidden
from ...reference import Run
from ...reference.control import UndeterminedFlow
from ...reference.decisions import is_part
from ...stack.state import StackState
from ...state.events import Move, Refusal, RefusalKind, SpecFault, TooManyStates
from ...state.pools import entries_of
from ...state.zones import cell_of
from ...unknowns import Belief, PossibleRun
from ...unknowns.joining import joined_states
from ...unknowns.unknown_values import OneOf, kinds_in

MOST_ASKED = 400
"""The largest number of possible states in each of which the reasons are looked for; of more, states that cover them
are asked."""

MOST_WORK_ON_REASONS = 1_000_000
"""The units of work for the reasons of one refusal: a second or less. Without them a report is short, but right."""


def possible_reasons(belief: Belief, refusal: Refusal, names: Sequence[str] = ()) -> tuple[Note, ...]:
    """Explain why a move was refused in every possible state.

    Returns a note for each requirement that fails in all of them, and for a value that can be chosen in none, with the
    values that are the same in all, and with the parts of them that are; then notes on what those depend on.
    """
    move = refusal.event
    if not isinstance(move, Move):
        return ()
    covering = _covering(belief)
    states = belief.references if len(belief.references) <= MOST_ASKED else covering
    if not covering:
        return ()
    meter = belief.engine.reference.meter
    with meter.limited(MOST_WORK_ON_REASONS), suppress(TooManyStates):
        asked = [_questions(belief, state, refusal, names, True) for state in _affordable(meter, states)]
        sure = _in_all([list(map(_asked, questions)) for questions in asked])
        if sure:
            answers = [_answers(belief, state, refusal, names, sure) for state in _affordable(meter, covering)]
            return tuple(answer.note for answer in _common(answers))
    return ()


def _affordable(meter: Meter, states: Sequence[StackState]) -> Iterator[StackState]:
    """Yield the states. Raises TooManyStates if what is done with those before takes too much work."""
    begun = meter.used
    for state in states:
        yield state
        meter.begin()
        if meter.used - begun > MOST_WORK_ON_REASONS:
            raise TooManyStates


def whereabouts(belief: Belief, of: t.Type, piece: t.Value, names: Sequence[str] = ()) -> Message | None:
    """Say where a piece is in every possible state, or in which few places it can be; None if nothing is known."""
    rules, said = belief.engine.reference.rules, set[Message | None]()
    unfolder = Unfolder(rules.game, names, _pieces_in)
    for state in _covering(belief):
        at = Scene(PossibleRun(rules, state), ())
        said.add(next(unfolder.whereabouts(of, piece, at), None))
    return said.pop() if len(said) == 1 else None


def candidates(belief: Belief, element: m.Element, indices: tuple[t.Value, ...]) -> tuple[t.Value, ...]:
    """Return everything that a state may be, or a place may hold."""
    cell, found = cell_of(element, indices), dict[t.Value, None]()
    for state in belief.references:
        held = state.cells[cell]
        if element.is_zone and held is not None:
            found.update(dict.fromkeys(sorted(_pieces_in(PossibleRun(belief.engine.reference.rules, state), held))))
        else:
            found.update(dict.fromkeys(held.candidates if isinstance(held, OneOf) else (held,)))
    return tuple(found)


def _covering(belief: Belief) -> tuple[StackState, ...]:
    """Return few states that cover all; () if these are many, too."""
    states = tuple(dict.fromkeys(belief.references))
    covering = joined_states(belief.engine.reference.rules, states, 1)
    return covering if len(covering) <= MOST_ASKED else ()


def _questions(
    belief: Belief, state: StackState, refusal: Refusal, names: Sequence[str], is_sure: bool
) -> list[Question]:
    """List the questions about the refusal in a state. is_sure: only what fails there whatever is unknown."""
    reference = belief.engine.reference
    reference.meter.begin()
    run = PossibleRun(reference.rules, state)
    # In some of the states nobody may be to move, or another decision is awaited, which explains nothing.
    if not reference.to_move(state):
        return []
    elsewhere = refusal.kind in (RefusalKind.NOT_OFFERED, RefusalKind.WRONG_PLAYER)
    if elsewhere and run.step.path != refusal.awaited:
        return []
    assert isinstance(refusal.event, Move)
    given = [(name, Unknown() if is_hidden(value) else value) for name, value in refusal.event.arguments]
    move, asking = refusal.event._replace(arguments=tuple(given)), _SurelyRefused if is_sure else RefusedMove
    with suppress(UndeterminedFlow, SpecFault):
        return list(asking(run, move, names).questions(refusal))
    return []


def _answers(
    belief: Belief, state: StackState, refusal: Refusal, names: Sequence[str], sure: Sequence[int | str]
) -> list[Answer]:
    questions = [each for each in _questions(belief, state, refusal, names, False) if _asked(each) in sure]
    with suppress(UndeterminedFlow, SpecFault):
        return unfold(questions, belief.engine.game, names, MOST_NOTES, _pieces_in)
    return []


def _asked(question: Question) -> int | str:
    """Return what a question is about: the first expression, or its words."""
    return id(question.parts[0]) if question.parts else question.head


def _pieces_in(run: Run, held: t.Value) -> frozenset[t.Value]:
    return kinds_in(run.pools, entries_of(held))


def _common(answers: Sequence[Sequence[Answer]]) -> Iterator[Answer]:
    """Yield the answers that are given in every state, with the facts that are true in all."""
    for first in answers[0]:
        alike = [[each for each in given if each.heads == first.heads] for given in answers]
        if all(alike):
            facts = _in_all([each[0].facts for each in alike])
            yield Answer(first.heads, tuple(facts), first.span)


def _in_all(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the items that are in each of the lists, in the order of the first."""
    first, *others = lists
    return [item for item in first if all(item in other for other in others)]


class _SurelyRefused(RefusedMove):
    """A refused move in a possible state, of which only what fails whatever is unknown is asked about."""

    def fails(self, requirement: m.Requirement, at: Scene) -> bool:
        return at.run.evaluation.holds(requirement, dict(enumerate(at.slots))) is False

    def is_missing(self, choice: m.Choice, value: t.Value, at: Scene) -> bool:
        return is_inside(choice, value, at) is False


def is_inside(choice: m.Choice, value: Any, at: Scene) -> Truth:
    """Test whether a value can be chosen; unknown if that depends on what is unknown."""
    try:
        items = at.items(choice.domain)
    except UNCOMPUTED:
        return Unknown()
    return is_part(value, items) if choice.within and is_known(value) else any_of(same(value, item) for item in items)
