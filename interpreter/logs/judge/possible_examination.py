"""Examination of one event whose past is partly unknown: each requirement in every possible state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ludex.grammar import Message, Span
from ludex.spec import Unknown, show
from ludex.spec import model as m

from ...event_notation.spoken import line_in_each_language
from ...event_notation.writing import NotationWriter
from ...explanation.unfolding import Question, Scene
from ...explanation.walkthrough import (
    MOST_OUTCOMES,
    Examine,
    Examined,
    Examining,
    MoveExamination,
    failing,
    not_awaited,
)
from ...explanation.wording import explain
from ...information.event_visibility import is_hidden
from ...information.visibility import is_partial
from ...reference import PlayerOption, Reference
from ...reference.control import UndeterminedFlow
from ...state.events import ChanceEvent, Event, Move, Refusal, TooManyStates
from ...unknowns import Belief, PossibleRun
from ...unknowns.completing import completed, was_unseen
from ...unknowns.possible_run import POSSIBLE
from ..tracking.possible_reasons import is_inside

MOST_GAMES = 12
"""The largest number of possible games whose values are shown."""
MOST_PERHAPS = 3
"""The largest number of values that are shown of what differs between possible games."""


@dataclass(frozen=True, slots=True)
class PossibleExamination:
    """The examination of an event in every game that is possible before it.

    Attributes:
        examined: what the event is held to. A requirement holds, or fails, if it does so in every possible game. The
            facts are those of all of them; what is true in some only is marked.
        is_certain: the event is known, and legal in every possible game.
    """

    examined: tuple[Examined, ...]
    is_certain: bool


def possible_walkthrough(belief: Belief, event: Event, names: Sequence[str] = ()) -> PossibleExamination:
    """Explain the requirements of an event, as `walkthrough` does, if the state before it is unknown.

    For a move of which only the player is known, the result lists the moves that it may have been.
    """
    if isinstance(event, Move) and was_unseen(event, belief.engine.game.moves):
        return PossibleExamination(tuple(_unseen(belief, event, names)), False)
    reference, meter, by_game = belief.engine.reference, belief.engine.reference.meter, list[tuple[Examined, ...]]()
    # Of a piece that is drawn, nobody knows here whether it was still there.
    is_certain = isinstance(event, Move) and not is_partial(event)
    for state in belief.references:
        # Each possible game is a question of its own, with a budget of its own.
        meter.begin()
        run = PossibleRun(reference.rules, state)
        if isinstance(event, ChanceEvent):
            by_game.append(tuple(_possible_chance(run, event, names)))
            continue
        try:
            by_game.append(
                tuple(_PossibleMoveExamination(reference, run, event, names, len(by_game) < MOST_GAMES).steps())
            )
        # What is unknown decides where this game goes, so it says nothing about the event.
        except UndeterminedFlow:
            is_certain = False
    is_certain = is_certain and all(each.holds for examined in by_game for each in examined)
    return PossibleExamination(tuple(_merged(by_game)), is_certain)


def _unseen(belief: Belief, event: Move, names: Sequence[str]) -> Iterator[Examined]:
    """Yield the decision that a player took unseen, with the moves that may have been meant."""
    game, meter = belief.engine.game, belief.engine.reference.meter
    found: dict[str, dict[str, None]] = {}
    spans: dict[str, Span] = {}
    for reference in belief.references[:MOST_GAMES]:
        meter.begin()
        run = PossibleRun(belief.engine.reference.rules, reference)
        if not run.frames:
            continue
        spans[run.step.path] = run.step.span
        moves = found.setdefault(run.step.path, {})
        # The moves are not listed where too much is unknown.
        with suppress(UndeterminedFlow, TooManyStates):
            for each in completed(run, event, []):
                if len(moves) <= MOST_OUTCOMES and isinstance(Belief(belief.engine, (reference,)).after(each), Belief):
                    moves[_move_words(game, each, names)] = None
    for path, moves in found.items():
        listed = list(moves)[:MOST_OUTCOMES]
        facts = [Message("walk-perhaps", fact=fact) for fact in listed]
        more = [Message("walk-and-others")] if len(moves) > MOST_OUTCOMES else []
        yield Examined(path, True, (*facts, *more), spans[path])


def _move_words(game: m.Game, move: Move, names: Sequence[str]) -> str:
    return line_in_each_language(game, lambda language: NotationWriter(game, names, language).event(move))


def _merged(by_game: Sequence[tuple[Examined, ...]]) -> Iterator[Examined]:
    by_path: dict[str, list[tuple[int, Examined]]] = {}
    for at, examined in enumerate(by_game):
        for each in examined:
            by_path.setdefault(each.path, []).append((at, each))
    for listed in by_path.values():
        verdicts = {each.holds for _, each in listed}
        # The values of further games were not asked for.
        facts_of_each = [each.facts for at, each in listed if at < MOST_GAMES] or [()]
        sure = [fact for fact in facts_of_each[0] if all(fact in facts for facts in facts_of_each)]
        others = dict.fromkeys(fact for facts in facts_of_each for fact in facts if fact not in sure)
        perhaps = [Message("walk-perhaps", fact=fact) for fact in list(others)[:MOST_PERHAPS]]
        holds = verdicts.pop() if len(verdicts) == 1 else None
        _, first = listed[0]
        yield Examined(first.path, holds, (*sure, *perhaps), first.span)


def _possible_chance(run: PossibleRun, event: ChanceEvent, names: Sequence[str]) -> Iterator[Examined]:
    mistimed = not_awaited(run, event, names)
    if mistimed is not None:
        yield mistimed
        return
    outcome, values = run.game.chances[run.step.path].outcome, run.possible_outcomes()
    holds = is_hidden(event.outcome) or event.outcome in values
    listed = [show(outcome, value, names) for value in sorted(values)[:MOST_OUTCOMES]]
    more = [Message("walk-more", count=len(values) - MOST_OUTCOMES)] if len(values) > MOST_OUTCOMES else []
    yield Examined(run.step.path, holds, (*listed, *more), run.step.span)


class _PossibleMoveExamination(MoveExamination):
    """Examines a move in a possible state. tells: whether the values are wanted."""

    def __init__(self, reference: Reference, run: PossibleRun, move: Move, names: Sequence[str], tells: bool) -> None:
        self.reference, self.move, self.names, self.run, self.tells = reference, move, names, run, tells

    def _elsewhere(self, refusal: Refusal) -> Iterator[Examined]:
        yield failing(self.run, (explain(refusal, self.run.game, self.names).message,))

    def _chosen(self, option: PlayerOption, choice: m.Choice, value: Any, at: Scene) -> Examined:
        inside = is_inside(choice, value, at)
        path, head = f"{option.name}.{choice.name}", Message("walk-from", argument=choice.name, domain="")
        missing = (value,) if inside is False and not choice.within else ()
        facts = self._facts(Question(head, choice.domain.span, (choice.domain,), at, missing))
        return Examined(path, None if isinstance(inside, Unknown) else inside, facts, choice.domain.span)

    def _facts(self, question: Question) -> tuple[str, ...]:
        return super()._facts(question) if self.tells else ()

    def watched(self, examine: Examine) -> Examining:
        assert isinstance(self.run, PossibleRun)
        return _WatchedPossible(self.reference.rules, self.run.state(), POSSIBLE, examine=examine)


class _WatchedPossible(Examining, PossibleRun):
    """A run from a possible state that examines each requirement, up to the first that needs what is unknown."""
