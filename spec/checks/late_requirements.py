"""Check for requirements at which no move can be refused: after a chance event, or before the first decision.

A requirement speaks against the move taken last, if nothing was left to chance since. Only what is certainly too late
is reported: on every path that leads there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Diagnostic, Note, Span

from .. import codes
from .. import model as m
from ..model.effects import callees_first
from ..model.walk import branches

HINT = "put it before the draw or the roll, or write a condition: `if ...`"

Late = tuple[m.Demand | m.Perform, m.Requirement]
"""A requirement that is met too late, and where: as it stands there, or in an action that is performed there."""


class Lateness:
    def __init__(self, actions: Mapping[str, m.Action]) -> None:
        self.actions = actions
        self._own: dict[str, frozenset[Span]] = {}
        self._done: dict[tuple[str, bool], tuple[bool, tuple[m.Requirement, ...]]] = {}
        self._open: set[tuple[str, bool]] = set()

    def faults(self, routines: Sequence[m.Routine]) -> Iterator[Diagnostic]:
        """Set-up and play begin without a move; an action begins with one, or is performed after one."""
        for name in callees_first(self.actions):
            for late in (False, True):
                self._through(name, self.actions[name], late)
        for action in self.actions.values():
            yield from self._told(self._found(action.body, False))
        for routine in routines:
            yield from self._told(self._found(routine.body, True))

    def _told(self, late: Sequence[Late]) -> Iterator[Diagnostic]:
        for step, requirement in late:
            place = requirement.label
            message = f"requirement `{requirement.path}` comes too late: no move can be refused here"
            if isinstance(step, m.Demand):
                yield Diagnostic(codes.LATE_REQUIREMENT, message, place, HINT)
            else:
                notes = (Note("the requirement", place),)
                yield Diagnostic(codes.LATE_REQUIREMENT, message, step.span, HINT, notes)

    def _found(self, step: m.Step, late: bool) -> list[Late]:
        found: list[Late] = []
        self._behind(step, late, found)
        return found

    def _of_itself(self, name: str) -> frozenset[Span]:
        """Return requirements that are late on every path to the action; they are reported once, at the action."""
        if name not in self._own:
            self._own[name] = frozenset()
            self._own[name] = frozenset(r.span for _, r in self._found(self.actions[name].body, False))
        return self._own[name]

    def _behind(self, step: m.Step, late: bool, found: list[Late]) -> bool:
        """Whether behind the statement there is certainly no move to refuse, if that is so before it; requirements
        that come too late are noted on the way."""
        match step:
            case m.Demand(requirement=requirement):
                if late:
                    found.append((step, requirement))
                return late
            case m.Sequence(body=body):
                for each in body:
                    late = self._behind(each, late, found)
                return late
            case m.RandomValue():
                return True
            case m.Decide() | m.Simultaneous():
                unseen = isinstance(step, m.Simultaneous)
                for inside in branches(step):
                    self._behind(inside, unseen, found)
                return unseen
            case m.Perform(action=name):
                return self._performed(step, name, late, found)
            case m.ForEach() | m.ForEachPlayer() | m.RepeatTimesStep() | m.RepeatUntilStep():
                again = late and self._behind(step.body, late, [])
                behind = self._behind(step.body, again, found)
                return behind if isinstance(step, m.RepeatUntilStep) else late and behind
            case m.AsPlayer(body=body):
                return self._behind(body, late, found)
            case _:
                ends = [self._behind(inside, late, found) for inside in branches(step)]
                passes = not isinstance(step, m.IfStep) or step.otherwise is not None
                return (late or passes) and all(ends) if ends else late

    def _performed(self, step: m.Perform, name: str, late: bool, found: list[Late]) -> bool:
        action = self.actions.get(name)
        if action is None:
            return False
        if late and (name, late) not in self._open:
            found += [(step, requirement) for requirement in action.requirements]
        behind, inside = self._through(name, action, late)
        found += [(step, requirement) for requirement in inside if requirement.span not in self._of_itself(name)]
        return behind

    def _through(self, name: str, action: m.Action, late: bool) -> tuple[bool, tuple[m.Requirement, ...]]:
        """Whether behind the action there is no move to refuse, and which requirements in it come too late, each once.
        Worked out once; an action that meets itself is taken for one behind which nothing is certain."""
        key = (name, late)
        if key not in self._done:
            self._done[key] = (False, ())
            self._open.add(key)
            inside: list[Late] = []
            behind = self._behind(action.body, late, inside)
            self._open.discard(key)
            once = {requirement.span: requirement for _, requirement in inside}
            self._done[key] = (behind, tuple(once.values()))
        return self._done[key]
