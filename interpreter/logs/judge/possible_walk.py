"""Walk through one event of which not everything before it is known: each requirement in every state that may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ludex.grammar import Message
from ludex.spec import Truth, Unknown, any_of, is_known, same, show
from ludex.spec import model as m

from ...explanation.unfolding import UNCOMPUTED, Question, Scene
from ...explanation.walkthrough import MOST_OUTCOMES, Examine, Examined, Examining, Walk
from ...explanation.wording import explain
from ...information.event_visibility import is_hidden
from ...reference import Option, Reference
from ...reference.chance import AWAITING
from ...reference.control import Undetermined
from ...reference.decisions import is_part
from ...state.events import ChanceEvent, Event, Move, Refusal
from ...unknowns import Belief, PossibleRun
from ...unknowns.possible_run import POSSIBLE

MOST_GAMES = 12
"""The largest number of possible games whose values are shown."""
MOST_PERHAPS = 3
"""Most values that are shown of what differs between possible games."""


def possible_walkthrough(belief: Belief, event: Event, names: Sequence[str] = ()) -> tuple[Examined, ...]:
    """Explain what an event is held to where the state before it is not known, as `walkthrough` does.

    A requirement holds, or fails, if it does so in every possible game. The facts are those of all of them; what is
    true in some only is marked. Nothing is returned for a move of which only the player is known.
    """
    reference, meter, walks = belief.engine.reference, belief.engine.reference.meter, list[tuple[Examined, ...]]()
    for state in belief.references:
        # Each possible game is a question of its own, with a budget of its own.
        meter.begin()
        run = PossibleRun(reference.rules, state)
        if isinstance(event, ChanceEvent):
            walks.append(tuple(_possible_chance(run, event, names)))
        else:
            # What is unknown decides where this game goes, so it says nothing about the event.
            with suppress(Undetermined):
                walks.append(tuple(_PossibleWalk(reference, run, event, names, len(walks) < MOST_GAMES).steps()))
    return tuple(_merged(walks))


def _merged(walks: Sequence[tuple[Examined, ...]]) -> Iterator[Examined]:
    by_path: dict[str, list[tuple[int, Examined]]] = {}
    for at, walk in enumerate(walks):
        for each in walk:
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
    if run.frames and isinstance(run.step, AWAITING):
        outcome, values = run.game.chances[run.step.path].outcome, run.possible_outcomes()
        is_possible = is_hidden(event.outcome) or event.outcome in values
        holds = event.path == run.step.path and is_possible
        listed = [show(outcome, value, names) for value in sorted(values)[:MOST_OUTCOMES]]
        more = [Message("walk-more", count=len(values) - MOST_OUTCOMES)] if len(values) > MOST_OUTCOMES else []
        yield Examined(run.step.path, holds, (*listed, *more), run.step.span)


class _PossibleWalk(Walk):
    """A walk in a possible state. tells: whether the values are wanted."""

    def __init__(self, reference: Reference, run: PossibleRun, move: Move, names: Sequence[str], tells: bool) -> None:
        self.reference, self.move, self.names, self.run, self.tells = reference, move, names, run, tells

    def _elsewhere(self, refusal: Refusal) -> Iterator[Examined]:
        if self.run.frames:
            yield Examined(self.run.step.path, False, (explain(refusal, self.run.game).message,), self.run.step.span)

    def _chosen(self, option: Option, choice: m.Choice, value: Any, at: Scene) -> Examined:
        inside = _is_inside(choice, value, at)
        path, head = f"{option.name}.{choice.name}", Message("walk-from", argument=choice.name, domain="")
        missing = (value,) if inside is False and not choice.within else ()
        facts = self._facts(Question(head, choice.domain.span, (choice.domain,), at, missing))
        return Examined(path, None if isinstance(inside, Unknown) else inside, facts, choice.domain.span)

    def _facts(self, question: Question) -> tuple[str, ...]:
        return super()._facts(question) if self.tells else ()

    def watched(self, examine: Examine) -> Examining:
        assert isinstance(self.run, PossibleRun)
        return _WatchedPossible(self.reference.rules, self.run.state(), POSSIBLE, examine=examine)


def _is_inside(choice: m.Choice, value: Any, at: Scene) -> Truth:
    try:
        items = at.items(choice.domain)
    except UNCOMPUTED:
        return Unknown()
    return is_part(value, items) if choice.within and is_known(value) else any_of(same(value, item) for item in items)


class _WatchedPossible(Examining, PossibleRun):
    """A run from a possible state that examines each requirement, up to the first that needs what is unknown."""
