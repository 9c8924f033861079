"""Requirements that come when there is no move left to refuse: behind a chance event, or before the first decision.

A requirement speaks against the move taken last, if nothing was left to chance since. Only what is certainly too late
is reported: on every path that leads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Diagnostic, Note

from . import codes
from . import model as m
from .effects import branches
from .places import Places

HINT = "put it before what is drawn or rolled, or write a condition: `if ...`"


class Lateness:
    def __init__(self, actions: Mapping[str, m.Action], places: Places) -> None:
        self.actions = actions
        self.places = places
        self._late: list[tuple[m.Demand | m.Perform, m.Requirement]] = []
        self._inside: list[str] = []

    def faults(self, routines: Sequence[m.Routine]) -> Iterator[Diagnostic]:
        """Set-up and play begin without a move; an action begins with one, or is performed after one."""
        for action in self.actions.values():
            self._behind(action.body, False)
        own = list(self._late)
        for routine in routines:
            self._behind(routine.body, True)
        known = {requirement.span for step, requirement in own if isinstance(step, m.Demand)}
        for step, requirement in self._late:
            if isinstance(step, m.Demand):
                place = self.places.label(requirement.span, requirement.path)
                message = f"`{requirement.path}` is asked when there is no move left to refuse"
                yield Diagnostic(codes.LATE_REQUIREMENT, message, place, HINT)
            elif requirement.span not in known:
                message = f"`{requirement.path}` is asked here when there is no move left to refuse"
                note = Note("the requirement", self.places.label(requirement.span, requirement.path))
                yield Diagnostic(codes.LATE_REQUIREMENT, message, step.span, HINT, (note,))

    def _behind(self, step: m.Step, late: bool) -> bool:
        """Whether behind the statement there is certainly no move to refuse, if that is so before it; requirements
        that come too late are noted on the way."""
        match step:
            case m.Demand(requirement=requirement):
                if late:
                    self._late.append((step, requirement))
                return late
            case m.Sequence(body=body):
                for each in body:
                    late = self._behind(each, late)
                return late
            case m.RandomValue():
                return True
            case m.Decide():
                for inside in branches(step):
                    self._behind(inside, False)
                return False
            case m.Simultaneous():
                for inside in branches(step):
                    self._behind(inside, True)
                return True
            case m.Perform(action=name):
                return self._performed(step, name, late)
            case m.ForEach() | m.ForEachPlayer() | m.RepeatTimesStep() | m.RepeatUntilStep():
                again = late and self._quietly(step.body, late)
                behind = self._behind(step.body, again)
                return behind if isinstance(step, m.RepeatUntilStep) else late and behind
            case m.AsPlayer(body=body):
                return self._behind(body, late)
            case _:
                return self._alternatives(step, late)

    def _alternatives(self, step: m.Step, late: bool) -> bool:
        ends = [self._behind(inside, late) for inside in branches(step)]
        passes = isinstance(step, m.IfStep) and step.otherwise is None
        return (late or not passes) and all(ends) if ends else late

    def _performed(self, step: m.Perform, name: str, late: bool) -> bool:
        action = self.actions.get(name)
        if action is None or name in self._inside:
            return False
        if late:
            self._late += [(step, requirement) for requirement in action.requirements]
        self._inside.append(name)
        before = len(self._late)
        behind = self._behind(action.body, late)
        inside = self._late[before:]
        del self._late[before:]
        self._late += [(step, requirement) for _, requirement in inside]
        self._inside.pop()
        return behind

    def _quietly(self, step: m.Step, late: bool) -> bool:
        before = len(self._late)
        behind = self._behind(step, late)
        del self._late[before:]
        return behind
