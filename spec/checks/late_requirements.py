"""Check for requirements at which no move can be refused: after a chance event, or before the first decision.

A failed requirement refuses the last move, unless a chance event came after it. A forward data-flow analysis computes
for each place whether, on every path to it, there is no move to refuse; only then is a requirement reported as late.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import Diagnostic, Note

from .. import model as m
from .. import spec_codes
from ..model.effects import callees_first
from ..model.traversal import branches

HINT = "put it before the draw or the roll, or write a condition: `if ...`"

Late = tuple[m.Demand | m.Perform, m.Requirement]
"""A late requirement with its statement: the demand itself, or the call of the action that has the requirement."""


class Lateness:
    """The analysis for the actions of a game, with the results for each action and each state before it.

    In all methods, `late` is the state of the analysis: whether there is certainly no move to refuse."""

    def __init__(self, actions: Mapping[str, m.Action]) -> None:
        self.actions = actions
        self._own: dict[str, frozenset[int]] = {}
        self._done: dict[tuple[str, bool], tuple[bool, tuple[m.Requirement, ...]]] = {}
        self._open: set[tuple[str, bool]] = set()

    def faults(self, routines: Sequence[m.Routine]) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each late requirement of the actions and of the routines (set-up and play)."""
        # Results of callees first keeps the recursion shallow. Actions begin with a move; set-up and play do not.
        for name in callees_first(self.actions):
            for late in (False, True):
                self._through(name, self.actions[name], late)
        for action in self.actions.values():
            yield from self._reports(self._late_in(action.body, False))
        for routine in routines:
            yield from self._reports(self._late_in(routine.body, True))

    def _reports(self, late: Sequence[Late]) -> Iterator[Diagnostic]:
        for step, requirement in late:
            place = requirement.place
            message = f"requirement `{requirement.path}` comes too late: no move can be refused here"
            if isinstance(step, m.Demand):
                yield Diagnostic(spec_codes.LATE_REQUIREMENT, message, place, HINT)
            else:
                notes = (Note("the requirement", place),)
                yield Diagnostic(spec_codes.LATE_REQUIREMENT, message, step.span, HINT, notes)

    def _late_in(self, step: m.Step, late: bool) -> list[Late]:
        requirements: list[Late] = []
        self._after(step, late, requirements)
        return requirements

    def _of_itself(self, name: str) -> frozenset[int]:
        """Return the identities of the requirements that are late on every path to the action.

        They are reported once, at the action. By identity, since equal requirements may be in several places."""
        if name not in self._own:
            # While an action is being analysed it counts as having none, so that a recursion ends.
            self._own[name] = frozenset()
            self._own[name] = frozenset(id(each) for _, each in self._late_in(self.actions[name].body, False))
        return self._own[name]

    def _after(self, step: m.Step, late: bool, collected: list[Late]) -> bool:
        """Return the state after a statement, given the state before it. Late requirements go to `collected`."""
        match step:
            case m.Demand(requirement=requirement):
                if late:
                    collected.append((step, requirement))
                return late
            case m.Sequence(body=body):
                for each in body:
                    late = self._after(each, late, collected)
                return late
            case m.RandomValue():
                return True
            case m.Asking():
                # Choices that were stated unseen are carried out later, when none of them can be refused any more.
                unseen = isinstance(step, m.Simultaneous)
                for inside in branches(step):
                    self._after(inside, unseen, collected)
                return unseen
            case m.Perform(action=name):
                return self._performed(step, name, late, collected)
            case m.ForEach() | m.ForEachPlayer() | m.RepeatTimesStep() | m.RepeatUntilStep():
                # An iteration is certainly late only if the first one is late and the one after a body is, too. So a
                # first pass over the body finds this, and a second one collects the requirements.
                again = late and self._after(step.body, late, [])
                after = self._after(step.body, again, collected)
                return after if isinstance(step, m.RepeatUntilStep) else late and after
            case m.AsPlayer(body=body):
                return self._after(body, late, collected)
            case _:
                ends = [self._after(inside, late, collected) for inside in branches(step)]
                passes = not isinstance(step, m.IfStep) or step.otherwise is not None
                return (late or passes) and all(ends) if ends else late

    def _performed(self, step: m.Perform, name: str, late: bool, collected: list[Late]) -> bool:
        action = self.actions.get(name)
        if action is None:
            return False
        # In a recursive call its requirements were collected on the way in.
        if late and (name, late) not in self._open:
            collected += [(step, requirement) for requirement in action.requirements]
        after, inside = self._through(name, action, late)
        collected += [(step, requirement) for requirement in inside if id(requirement) not in self._of_itself(name)]
        return after

    def _through(self, name: str, action: m.Action, late: bool) -> tuple[bool, tuple[m.Requirement, ...]]:
        """Return the state after an action, and the late requirements in it, each once. Results are kept.

        A recursive call is assumed to leave a move that can be refused, so that nothing uncertain is reported."""
        key = (name, late)
        if key not in self._done:
            self._done[key] = (False, ())
            self._open.add(key)
            inside: list[Late] = []
            after = self._after(action.body, late, inside)
            self._open.discard(key)
            once = {id(requirement): requirement for _, requirement in inside}
            self._done[key] = (after, tuple(once.values()))
        return self._done[key]
