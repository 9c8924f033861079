"""Liveness: which slots of a frame may still be read (backward data-flow analysis)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ludex.spec import free_slots
from ludex.spec import model as m

SlotSet: TypeAlias = frozenset[int]
_NONE: SlotSet = frozenset()


def live_slots(
    statements: Sequence[m.Step], inside: Sequence[Sequence[int]]
) -> tuple[Mapping[int, SlotSet], Mapping[int, SlotSet]]:
    """Return the live slots of each statement that may await an event, and those live after each that may call an
    action.

    inside: as in `Routine`. Slot 0 is left out.
    """
    liveness = _Liveness(statements, inside)
    liveness.before(0, _NONE)
    return liveness.waiting, liveness.live_out


class _Liveness:
    def __init__(self, statements: Sequence[m.Step], inside: Sequence[Sequence[int]]) -> None:
        self._statements, self._inside = statements, inside
        self.waiting: dict[int, SlotSet] = {}
        self.live_out: dict[int, SlotSet] = {}

    def before(self, at: int, after: SlotSet) -> SlotSet:
        """Return the slots that are live before the statement, if those in `after` are live after it."""
        inside = self._inside[at]
        match self._statements[at]:
            case m.Sequence():
                for part in reversed(inside):
                    after = self.before(part, after)
                return after
            case m.WithStepExceptions(exceptions=exceptions):
                return free_slots(*(each.condition for each in exceptions)).union(
                    *(self.before(part, after) for part in inside)
                )
            case m.IfStep(condition=condition, otherwise=otherwise):
                # Without `else` the statement may do nothing, and what is live after it is live before it.
                passed = after if otherwise is None else _NONE
                return free_slots(condition).union(passed, *(self.before(part, after) for part in inside))
            case m.MatchStep(subject=subject, cases=cases):
                # With `otherwise` one of the cases is always carried out.
                passed = _NONE if any(case.values is None for case in cases) else after
                arms = zip(cases, inside, strict=True)
                read = (self.before(part, after) - {bind.slot for bind in case.binds} for case, part in arms)
                return free_slots(subject).union(passed, *read)
            case m.ForEach(loops=loops, where=where):
                return self._loops(loops, where, inside[0], after)
            case m.ForEachPlayer(order=first) | m.AsPlayer(player=first) | m.RepeatTimesStep(count=first):
                return free_slots(first) | self._again(lambda turn: after | self.before(inside[0], turn))
            case m.RepeatUntilStep(until=until):
                tested = _NONE if until is None else free_slots(until)
                # A loop without `until` is never left at its end, only by `end game`.
                at_exit = _NONE if until is None else after
                return self._again(lambda turn: self.before(inside[0], tested | at_exit | turn))
            case m.Decide(options=options, repeating=repeating):
                return self._again(lambda again: self._offered(at, options, after, again if repeating else after))
            case m.Simultaneous(options=options):
                # After one player's choice the next one's is carried out, by the same options.
                return self._again(lambda again: self._offered(at, options, after, again))
            case m.EndGameStep():
                return _NONE
            case step:
                return self._plain(at, step, after)

    def _plain(self, at: int, step: m.Step, after: SlotSet) -> SlotSet:
        self.waiting[at] = self.live_out[at] = after
        if isinstance(step, m.RandomValue):
            read = free_slots(step.domain, *(() if step.where is None else (step.where,))) - {step.slot}
            # The condition is evaluated again when the outcome arrives, so its slots are live while the event is
            # awaited.
            self.waiting[at] = read | after - {step.slot}
            return self.waiting[at]
        # A write makes the previous value dead.
        return free_slots(step) | (after - {step.slot} if isinstance(step, m.SetLocal) else after)

    def _again(self, turn: Callable[[SlotSet], SlotSet]) -> SlotSet:
        """Return the slots that are live where another iteration may follow."""
        # This least fixed point ends, since sets of slots only grow.
        read = turn(_NONE)
        while (more := turn(read)) != read:
            read = more
        return read

    def _loops(self, loops: Sequence[m.Loop], where: m.Expr | None, body: int, after: SlotSet) -> SlotSet:
        """Return the slots that are live at the beginning of the first loop."""

        def turn(next_turn: SlotSet) -> SlotSet:
            if loops[1:]:
                return after | self._loops(loops[1:], where, body, next_turn) - {loops[0].slot}
            tested = _NONE if where is None else free_slots(where) | next_turn
            return after | (tested | self.before(body, next_turn)) - {loops[0].slot}

        return free_slots(loops[0].domain) | self._again(turn)

    def _offered(self, at: int, options: Sequence[m.MoveOption], after: SlotSet, then: SlotSet) -> SlotSet:
        """then: the slots that are live when an option has been carried out."""
        read, bodies = after | then, iter(self._inside[at])
        for option in options:
            if isinstance(option, m.BranchOption):
                chosen = {choice.slot for choice in option.choices}
                read |= free_slots(*option.choices, *option.requirements) | self.before(next(bodies), then) - chosen
            else:
                read |= free_slots(*option.arguments)
        self.waiting[at], self.live_out[at] = read, then
        return read
