"""Control-flow checks: loops that cannot end, unreachable statements, late requirements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ludex.grammar import Diagnostic, Note

from .. import model as m
from .. import spec_codes
from ..model.effects import Effects, never_holds
from ..model.graphs import reachable, shortest_cycle, strongly_connected
from ..model.influence import EVERYTHING, Influence
from ..model.traversal import all_steps, branches
from .late_requirements import Lateness

ACTIONS_NAMED = 8
"""The largest number of actions of a cycle that a report names."""


def flow_faults(
    routines: Sequence[m.Routine],
    actions: Mapping[str, m.Action],
    effects: Effects,
    influence: Influence,
) -> Iterator[Diagnostic]:
    """Run the control-flow checks on set-up and play, then on the actions."""
    flow = _Flow(actions, effects, influence)
    bodies = [routine.body for routine in routines] + [action.body for action in actions.values()]
    steps = list(all_steps(*bodies))
    for step in steps:
        yield from flow.repeats(step)
    yield from flow.endless_actions()
    for step in steps:
        yield from flow.unreachable(step)
        yield from flow.simultaneous(step)
    yield from Lateness(actions).faults(routines)


@dataclass(slots=True)
class _Flow:
    """The checks with their shared state.

    endless: the identities of the statements that were reported as never ending, so that the code after them is not
    reported as unreachable.
    """

    actions: Mapping[str, m.Action]
    effects: Effects
    influence: Influence
    endless: set[int] = field(default_factory=set)

    # ---- repeats ----------------------------------------------------------------------------------------------

    def repeats(self, step: m.Step) -> Iterator[Diagnostic]:
        """Check for a `repeat` that never ends: without `until`, or with one that nothing inside can change."""
        if not isinstance(step, m.RepeatUntilStep):
            return
        effect = self.effects.of(step.body)
        place = step.span.brief
        # The game may end in it; if a statement inside never returns, the report is there.
        if effect.may_end or effect.ends:
            return
        if step.until is None or never_holds(step.until):
            self.endless.add(id(step))
            code, message = spec_codes.IDLE_REPEAT, "this repeats for ever without a decision or chance event"
            if effect.may_event:
                code, message = spec_codes.CANNOT_END, "this repeats for ever: nothing in it ends the game"
            yield Diagnostic(code, message, place)
        elif self._stuck(step, step.until):
            message = "no step of this loop can change the condition of `until`"
            notes = (Note("the loop begins here", place),)
            yield Diagnostic(spec_codes.CANNOT_END, message, step.until.span.brief, notes=notes)

    def _stuck(self, step: m.RepeatUntilStep, until: m.Expr) -> bool:
        asked = self.influence.reads(until)
        return bool(asked) and EVERYTHING not in asked and asked.isdisjoint(self.influence.writes(step.body))

    def endless_actions(self) -> Iterator[Diagnostic]:
        """Yield actions that call themselves unconditionally."""
        certain = {name: self._certain(action.body) for name, action in self.actions.items()}
        order = {name: at for at, name in enumerate(certain)}
        # Reports are in the order of the text, so that reports do not depend on how the graph is walked.
        for together in sorted(
            strongly_connected(certain), key=lambda names: min(order.get(name, 0) for name in names)
        ):
            name = min(together, key=lambda name: order.get(name, 0))
            cycle = shortest_cycle(name, certain) if len(together) > 1 or name in certain.get(name, {}) else ()
            if cycle:
                last = certain[cycle[-1]][name]
                self.endless.add(id(last))
                shown = cycle if len(cycle) <= ACTIONS_NAMED else (*cycle[: ACTIONS_NAMED - 1], "...")
                message = f"`{name}` performs itself whatever happens: {' -> '.join((*shown, name))}"
                yield Diagnostic(spec_codes.ENDLESS_ACTION, message, last.span)

    def _certain(self, step: m.Step) -> dict[str, m.Perform]:
        """Return the actions that a statement performs on every path, with the first call of each."""
        match step:
            case m.Perform(action=action):
                return {action: step}
            case m.Sequence(body=body):
                performed: dict[str, m.Perform] = {}
                for each in body:
                    for name, call in self._certain(each).items():
                        performed.setdefault(name, call)
                    # A recursion through an event is not an endless loop: it waits for the event each time.
                    if self.effects.of(each).ends or self.effects.of(each).must_event:
                        break
                return performed
            case m.AsPlayer(body=body) | m.RepeatUntilStep(body=body):
                return self._certain(body)
            case m.IfStep(then=then, otherwise=otherwise) if otherwise is not None:
                return _both([self._certain(then), self._certain(otherwise)])
            case m.MatchStep(cases=cases) if cases:
                return _both([self._certain(case.body) for case in cases])
            case _:
                return {}

    # ---- unreachable statements --------------------------------------------------------------------------------

    def unreachable(self, step: m.Step) -> Iterator[Diagnostic]:
        """Check for a statement after one that ends the flow."""
        if not isinstance(step, m.Sequence):
            return
        for before, after in zip(step.body, step.body[1:], strict=False):
            if self.effects.of(before).ends:
                # The loop or recursion that never ends was reported: what it makes unreachable is not a second fault.
                if not self._is_reported(before):
                    note = Note("the flow does not continue after this", before.span.brief)
                    place = after.span.brief
                    yield Diagnostic(spec_codes.UNREACHABLE, "this statement is never reached", place, notes=(note,))
                return

    def _is_reported(self, step: m.Step) -> bool:
        """Return whether a report already says that the flow ends in this statement or in an action that it calls."""
        performed = reachable(self._performed(step), lambda name: self._performed(self.actions[name].body))
        bodies = (self.actions[name].body for name in performed)
        return any(id(each) in self.endless for each in all_steps(step, *bodies))

    def _performed(self, step: m.Step) -> set[str]:
        names = {each.action for each in all_steps(step) if isinstance(each, m.Perform)}
        return names & self.actions.keys()

    # ---- simultaneous decisions -----------------------------------------------------------------------------------

    def simultaneous(self, step: m.Step) -> Iterator[Diagnostic]:
        """Check for further events after the choices of an `all players` block."""
        if not isinstance(step, m.Simultaneous):
            return
        message = "this may need a further decision or chance event"
        note = Note("the simultaneous choice", step.span)
        for inside in branches(step):
            for event in self._events(inside):
                yield Diagnostic(spec_codes.EVENT_IN_SIMULTANEOUS, message, event.span.brief)
        for name in {option.action: None for option in step.options if isinstance(option, m.ActionOption)}:
            for event in self._events(self.actions[name].body):
                place = event.span.brief
                yield Diagnostic(spec_codes.EVENT_IN_SIMULTANEOUS, message, place, notes=(note,))

    def _events(self, step: m.Step) -> Iterator[m.Step]:
        """Yield the innermost statements that may raise an event."""
        if not self.effects.of(step).may_event:
            return
        inside = [] if isinstance(step, m.Asking) else list(branches(step))
        if inside:
            for each in inside:
                yield from self._events(each)
        else:
            yield step


def _both(branches: list[dict[str, m.Perform]]) -> dict[str, m.Perform]:
    """Return the actions that every branch performs, with their calls in the first."""
    first, *rest = branches
    return {name: call for name, call in first.items() if all(name in each for each in rest)}
