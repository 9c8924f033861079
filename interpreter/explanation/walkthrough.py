"""Examination of one event: each requirement that is tested for it, and the values that decide whether it holds.

`refusals.py` explains what fails; here a legal event is explained too, requirement by requirement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.grammar import Message, Span
from ludex.spec import Unknown
from ludex.spec import model as m

from ..event_notation.spoken import glossed
from ..event_notation.writing import shown
from ..information.event_visibility import is_hidden
from ..reference import Mode, PlayerOption, Reference, Rules, Run, judge, options, stated_by
from ..reference.chance import outcomes_of
from ..reference.control import PLAYED, UndeterminedFlow
from ..reference.engine import begin
from ..reference.judging import ELSEWHERE
from ..stack.places import AWAITING
from ..stack.state import StackState
from ..state.api_arguments import checked, checked_names
from ..state.events import ChanceEvent, Event, Move, Refusal, SpecFault, Trace
from .refusals import missing_from, parts_of_failure, reasons
from .unfolding import Question, Scene, glossed_source, unfold
from .wording import explain

MOST_UNFOLDED = 2
"""The largest number of defines whose own conditions are shown."""
MOST_OUTCOMES = 20
"""The largest number of outcomes of a chance event that are listed."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One requirement, choice or chance event that the event was held to.

    Attributes:
        path: the clause.
        holds: None if it cannot be computed, or if it depends on what is unknown.
        facts: the values that decide, in words, the most important first.
        span: of its condition in the spec.
    """

    path: str
    holds: bool | None
    facts: tuple[str, ...]
    span: Span


@checked(reference=Reference, state=StackState, event=(Move, ChanceEvent))
def walkthrough(
    reference: Reference, state: StackState, event: Event, names: Sequence[str] = ()
) -> tuple[Examined, ...]:
    """Explain why an event is legal or not, in the order in which it is judged.

    Returns each requirement and choice of a move, those after its first step included as far as the move gets; for a
    chance event its outcomes. names: the players' names by seat.
    """
    names, run = checked_names(names, reference.game.players), reference.at(state)
    if isinstance(event, ChanceEvent):
        return tuple(_chance(run, event, names))
    return tuple(MoveExamination(reference, state, event, names).steps())


def _chance(run: Run, event: ChanceEvent, names: Sequence[str]) -> Iterator[Examined]:
    mistimed = not_awaited(run, event, names)
    if mistimed is not None:
        yield mistimed
        return
    signature = run.game.chances[run.step.path]
    outcomes = outcomes_of(run)
    listed = [
        Message("walk-outcome", outcome=shown(run.game, signature.outcome, value, names), share=str(share))
        for value, _, share in outcomes[:MOST_OUTCOMES]
    ]
    more = [Message("walk-more", count=len(outcomes) - MOST_OUTCOMES)] if len(outcomes) > MOST_OUTCOMES else []
    holds = any(value == event.outcome for value, *_ in outcomes)
    yield Examined(run.step.path, holds, (*listed, *more), run.step.span)


def not_awaited(run: Run, event: ChanceEvent, names: Sequence[str]) -> Examined | None:
    """Explain that the game awaits something else than this chance event; None if it awaits this one."""
    if run.frames and isinstance(run.step, AWAITING) and run.step.path == event.path:
        return None
    refusal = judge(run, event)
    assert isinstance(refusal, Refusal)
    return failing(run, (explain(refusal, run.game, names).message,))


def failing(run: Run, facts: tuple[str, ...]) -> Examined:
    """State what fails at the place where the play is; where it is over, `play` is that place."""
    play = run.game.play
    path, span = (run.step.path, run.step.span) if run.frames else (play.name, play.body.span)
    return Examined(path, False, facts, span)


class MoveExamination:
    """Examines a move in a state: its choices and requirements, in the order in which they are judged."""

    def __init__(self, reference: Reference, state: StackState, move: Move, names: Sequence[str]) -> None:
        self.reference, self.state, self.move, self.names = reference, state, move, names
        self.run = reference.at(state)

    def steps(self) -> Iterator[Examined]:
        verdict = judge(self.run, self.move)
        option = self._option()
        if isinstance(verdict, Refusal) and (option is None or verdict.kind in ELSEWHERE):
            yield from self._elsewhere(verdict)
            return
        if option is None:
            # A player who may decline takes none of the options, and nothing is required for that.
            yield Examined(self.run.step.path, True, (), self.run.step.span)
            return
        # An argument that the recorder did not see leaves open what depends on it.
        given = {name: Unknown() if is_hidden(value) else value for name, value in self.move.arguments}
        at = Scene(self.run, option.bound(given.get(choice.name) for choice in option.choices))
        for choice in option.choices:
            yield self._chosen(option, choice, given.get(choice.name), at)
        for requirement in option.requirements:
            yield self._required(requirement, at)
        # A move that a later requirement forbids is examined up to that requirement.
        stated = stated_by(self.run, self.move) if isinstance(verdict, Refusal) else verdict
        if stated is not None:
            yield from self._after_step(stated)

    def _elsewhere(self, refusal: Refusal) -> Iterator[Examined]:
        """Yield why the move is not on offer."""
        notes = reasons(self.reference, self.state, refusal, self.names)
        yield failing(
            self.run, (explain(refusal, self.run.game, self.names).message, *(note.message for note in notes))
        )

    def _option(self) -> PlayerOption | None:
        """Find the option that the move means."""
        if not self.run.frames or not isinstance(self.run.step, m.Asking):
            return None
        given = dict(self.move.arguments)
        named = options(self.run, self.move.player, self.move.action)
        return next((each for _, each in named if each.is_meant(given)), None)

    def _chosen(self, option: PlayerOption, choice: m.Choice, value: Any, at: Scene) -> Examined:
        missing = missing_from(choice, value, at)
        domain = glossed_source(self.run.game, choice.domain) or Message("walk-what-is-there")
        head = Message("walk-from", argument=choice.name, domain=domain)
        facts = self._facts(Question(head, choice.domain.span, (choice.domain,), at, missing))
        return Examined(f"{option.name}.{choice.name}", not missing, facts, choice.domain.span)

    def _required(self, requirement: m.Requirement, at: Scene) -> Examined:
        holds = at.run.evaluation.holds(requirement, dict(enumerate(at.slots)))
        condition = requirement.condition
        waiving = [each for each in requirement.waivers if at.known(each.condition)]
        # Where a waiver applies, the condition does not matter to what holds.
        holding = tuple(each.condition for each in waiving) or (condition,)
        asked = parts_of_failure(requirement, at) if holds is False else holding
        waived = [Message("walk-applies", clause=glossed(at.run.game, each.path)) for each in waiving]
        facts = (*waived, *self._facts(Question(requirement.path, condition.span, asked, at)))
        return Examined(requirement.path, None if isinstance(holds, Unknown) else bool(holds), facts, condition.span)

    def _facts(self, question: Question) -> tuple[str, ...]:
        """Return the values that decide, then what they rest on."""
        answer, *further = unfold([question], self.run.game, self.names, MOST_UNFOLDED)
        return (*answer.facts, *(each.note.message for each in further))

    def _after_step(self, verdict: Any) -> Iterator[Examined]:
        """Yield the requirements that are tested after the move is made, up to the next event."""
        examined: list[Examined] = []
        watched = self.watched(lambda requirement, at: examined.append(self._required(requirement, at)))
        # A requirement that fails ends the examination, and is the last of the list.
        with suppress(SpecFault, UndeterminedFlow):
            watched.go(begin(watched, self.move, verdict))
        yield from examined

    def watched(self, examine: Examine) -> Examining:
        """Return a run from the state that examines each requirement before it is demanded."""
        return Examining(self.reference.rules, self.state, examine=examine)


Examine: TypeAlias = Callable[[m.Requirement, Scene], None]


class Examining(Run):
    """A run that examines each requirement before it is demanded; the runs that answer its questions do not."""

    def __init__(
        self,
        rules: Rules,
        state: StackState,
        mode: Mode = PLAYED,
        trace: Trace | None = None,
        active: set[Any] | None = None,
        examine: Examine | None = None,
    ) -> None:
        super().__init__(rules, state, mode, trace, active)
        self._examine = examine

    def demand(self, requirement: m.Requirement) -> None:
        if self._examine is not None:
            self._examine(requirement, Scene(self, self.frame.slots))
        super().demand(requirement)
