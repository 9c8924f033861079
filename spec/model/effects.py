"""Event analysis: which statements may raise an event, and where a move can still be refused.

It is an abstract interpretation of statements over a few booleans. The checks of the flow need it (`checks/flow.py`),
and so does elaboration: a move that a requirement after its first step can refuse is legal only if a trial succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludex.grammar import value_class

from . import nodes as m
from .graphs import reachable, strongly_connected
from .piece_flow import may_reveal
from .traversal import NodeLists, all_steps, branches


@value_class
class Effect:
    """The effects of a statement.

    Attributes:
        may_event: whether some path has a decision or chance event.
        must_event: whether every path that returns has one.
        may_refuse: whether a requirement may fail before the first event.
        ends: whether it never returns, since the game ends or it repeats for ever.
        may_end: whether some path ends the game.
    """

    may_event: bool = False
    must_event: bool = False
    may_refuse: bool = False
    ends: bool = False
    may_end: bool = False


QUIET = Effect()


def callees_first(actions: Mapping[str, m.Action]) -> Iterator[str]:
    """Yield the names of all actions in postorder of the call graph: each after those that it performs or offers, but
    for cycles. The traversal has a stack of its own, since a chain of calls may be long."""
    done: set[str] = set()
    for first in actions:
        waiting = [(first, False)]
        while waiting:
            name, is_last = waiting.pop()
            if is_last:
                yield name
            elif name in actions and name not in done:
                done.add(name)
                waiting.append((name, True))
                waiting += [(called, False) for step in all_steps(actions[name].body) for called in performed(step)]


def performed(step: m.Step) -> Iterator[str]:
    """Yield the actions that a statement performs or offers."""
    match step:
        case m.Perform(action=action):
            yield action
        case m.Asking(options=options):
            yield from (option.action for option in options if isinstance(option, m.ActionOption))


def requires(step: m.Step, actions: Mapping[str, m.Action]) -> bool:
    """Return whether a statement tests a requirement: its own, or a leading one of the action that it performs."""
    return isinstance(step, m.Demand) or (isinstance(step, m.Perform) and bool(actions[step.action].requirements))


def actions_reached(actions: Mapping[str, m.Action], *parts: object) -> set[str]:
    """Return the actions that some parts perform or offer, directly or through other actions."""

    def inside(*parts: object) -> set[str]:
        return {name for step in all_steps(*parts) for name in performed(step) if name in actions}

    return reachable(inside(*parts), lambda name: inside(actions[name]))


def recursive_actions(actions: Mapping[str, m.Action], lists: NodeLists) -> frozenset[str]:
    """Return the actions that perform or offer themselves, directly or through other actions."""
    inside = {
        name: {each for step in lists.steps(action) for each in performed(step)} for name, action in actions.items()
    }
    rings = strongly_connected(inside)
    return frozenset(name for ring in rings for name in ring if len(ring) > 1 or name in inside[name])


class Effects:
    """Effects of statements, given the effects of the actions they perform."""

    def __init__(self, actions: Mapping[str, m.Action]) -> None:
        self.actions = actions
        self.of_action: dict[str, Effect] = {}
        self._settle()

    def _settle(self) -> None:
        """Compute the effects of all actions, which may call each other, as a least fixed point.

        In postorder, most actions are final in the first pass."""
        self.of_action = dict.fromkeys(self.actions, QUIET)
        order = list(callees_first(self.actions))
        for _ in range(len(self.actions) + 2):
            before = dict(self.of_action)
            for name in order:
                self.of_action[name] = self._action(self.actions[name])
            if before == self.of_action:
                return

    def _action(self, action: m.Action) -> Effect:
        body = self.of(action.body)
        if action.choices:
            # It asks for a new move: its body can refuse that move, not the current one.
            return Effect(True, True, False, body.ends, body.may_end)
        # A procedure is not a move: its requirements refuse the move that led to it.
        refuse = body.may_refuse or bool(action.requirements)
        return Effect(body.may_event, body.must_event, refuse, body.ends, body.may_end)

    def of(self, step: m.Step) -> Effect:
        """Return the effect of a statement."""
        match step:
            case m.Sequence(body=body):
                return self._sequence(body)
            case m.Demand():
                return Effect(may_refuse=True)
            case m.EndGameStep():
                return Effect(ends=True, may_end=True)
            case m.Asking():
                inside = [self.of(each) for each in branches(step)]
                inside += [self.of_action.get(o.action, QUIET) for o in step.options if isinstance(o, m.ActionOption)]
                # A decision without a legal option is passed over, so an event is not certain.
                return Effect(True, False, False, False, any(e.may_end for e in inside))
            case m.Perform(action=action):
                return self.of_action.get(action, QUIET)
            case m.RandomValue():
                return Effect(True, True)
            case m.DrawPieces() | m.MovePiece() | m.MoveAll() | m.SwapPieces():
                return Effect(may_event=may_reveal(step))
            case m.ForEach() | m.ForEachPlayer() | m.RepeatTimesStep():
                inside_ = self.of(step.body)
                # The loop may have no iteration.
                return Effect(inside_.may_event, False, inside_.may_refuse, False, inside_.may_end)
            case m.AsPlayer(body=body):
                return self.of(body)
            case m.RepeatUntilStep(body=body, until=until):
                inner = self.of(body)
                # Only the end of the game leaves this loop, so nothing after it is reached.
                ends = inner.ends or until is None or never_holds(until)
                return Effect(inner.may_event, inner.must_event, inner.may_refuse, ends, inner.may_end)
            case _:
                return self._alternatives(step)

    def _sequence(self, body: tuple[m.Step, ...]) -> Effect:
        may_event = must_event = may_refuse = may_end = False
        for each in body:
            effect = self.of(each)
            # A requirement after a certain event cannot refuse the current move.
            may_refuse = may_refuse or (effect.may_refuse and not must_event)
            may_event = may_event or effect.may_event
            must_event = must_event or effect.must_event
            may_end = may_end or effect.may_end
            # The following statements are never reached, so they have no effect.
            if effect.ends:
                return Effect(may_event, must_event, may_refuse, True, may_end)
        return Effect(may_event, must_event, may_refuse, False, may_end)

    def _alternatives(self, step: m.Step) -> Effect:
        inside = [self.of(each) for each in branches(step)]
        if isinstance(step, m.IfStep) and step.otherwise is None:
            inside.append(QUIET)
        if isinstance(step, m.MatchStep) and not any(case.values is None for case in step.cases):
            inside.append(QUIET)
        if not inside:
            return QUIET
        return Effect(
            any(e.may_event for e in inside),
            all(e.must_event for e in inside),
            any(e.may_refuse for e in inside),
            all(e.ends for e in inside),
            any(e.may_end for e in inside),
        )


def never_holds(condition: m.Expr) -> bool:
    """Return whether a condition is the constant `false`."""
    return isinstance(condition, m.Constant) and condition.value is False
