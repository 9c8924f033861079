"""Control-flow statements: how each begins, and how it continues when one inside it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.grammar import Message
from ludex.spec import model as m

from ..stack.state import DECLINED
from ..state.events import SpecFault
from .control import Next
from .decisions import carry_out, is_asked, waiting

if TYPE_CHECKING:
    from .run import Run

Begin: TypeAlias = "Callable[[Run, Any], Next]"
Return: TypeAlias = "Callable[[Run, Any, int], Next]"

# ---- statements without statements inside


def _set_local(run: Run, step: m.SetLocal) -> Next:
    run.write(step.slot, run.value(step.value, step.path))
    return Next.DONE


def _store(run: Run, step: m.Store) -> Next:
    value = run.value(step.value, step.path)
    run.put(run.place(m.ZoneRef(step.element, step.indices), step.path).cell, value)
    # This is reached only where the edition's text is silent on the other cases; else the checks demand a complete
    # match.
    return Next.DONE


def _demand(run: Run, step: m.Demand) -> Next:
    run.demand(step.requirement)
    return Next.DONE


def _end_game(run: Run, step: m.EndGameStep) -> Next:
    if run.trace is not None:
        run.trace.ended = step.path
    # The game is over when the stack is empty, so all frames are removed at once.
    run.frames.clear()
    return Next.DONE


# ---- branches


def done(run: Run, step: m.Statement, at: int) -> Next:
    return Next.DONE


def _sequence(run: Run, step: m.Sequence) -> Next:
    inside = run.routine.inside[run.frame.at]
    return run.enter_statement(inside[0]) if inside else Next.DONE


def _next_in_sequence(run: Run, step: m.Sequence, at: int) -> Next:
    # Numbers are in preorder: what follows a statement has a greater one.
    later = [part for part in run.routine.inside[run.frame.at] if part > at]
    return run.enter_statement(later[0]) if later else Next.DONE


def _with_exceptions(run: Run, step: m.WithStepExceptions) -> Next:
    # All exceptions are evaluated, also after the first that holds: two that hold and differ are a fault, never a
    # matter of order.
    holding = [at for at, each in enumerate(step.exceptions) if run.known(each.condition, each.path)]
    for other in holding[1:]:
        one, two = step.exceptions[holding[0]], step.exceptions[other]
        # Two exceptions that say the same do not contradict each other.
        if one.body != two.body:
            message = Message("fault-contradiction", one=one.path, other=two.path)
            raise SpecFault(message, step.path, step.span)
    # Number 0 is the rule's own body.
    return run.into(holding[0] + 1 if holding else 0)


def _if(run: Run, step: m.IfStep) -> Next:
    if run.known(step.condition, step.path):
        return run.into()
    return Next.DONE if step.otherwise is None else run.into(1)


def _match(run: Run, step: m.MatchStep) -> Next:
    value = run.known(step.subject, step.path)
    for number, case in enumerate(step.cases):
        if case.values is None or value in case.values:
            for bind in case.binds:
                run.write(bind.slot, bind.table[value])
            return run.into(number)
    return Next.DONE


# ---- loops


def _for_each(run: Run, step: m.ForEach) -> Next:
    # The domain is evaluated once, so changes by the body do not affect it.
    run.keep((run.items(step.loops[0].domain, step.path),))
    return _next_turn(run, step)


def _next_turn(run: Run, step: m.ForEach, at: int = 0) -> Next:
    # `left` has the items that are still to come, for each loop that has begun, outermost first.
    left = list(run.let_go())
    while left:
        if not left[-1]:
            left.pop()
            continue
        run.write(step.loops[len(left) - 1].slot, left[-1][0])
        left[-1] = left[-1][1:]
        # An inner domain may depend on the outer variables, so it is evaluated for each of their values.
        if len(left) < len(step.loops):
            left.append(run.items(step.loops[len(left)].domain, step.path))
        elif step.where is None or run.known(step.where, step.path):
            run.keep(tuple(left))
            return run.into()
    return Next.DONE


def _for_each_player(run: Run, step: m.ForEachPlayer) -> Next:
    run.keep((run.items(step.order, step.path), run.frame.slots[0]))
    return _next_player(run, step)


def _next_player(run: Run, step: m.ForEachPlayer, at: int = 0) -> Next:
    players, me = run.let_go()
    if not players:
        run.write(0, me)
        return Next.DONE
    run.write(0, players[0])
    run.keep((players[1:], me))
    return _named(run, step)


def _as_player(run: Run, step: m.AsPlayer) -> Next:
    run.keep(run.frame.slots[0])
    run.write(0, run.known(step.player, step.path))
    return _named(run, step)


def _as_before(run: Run, step: m.AsPlayer, at: int) -> Next:
    run.write(0, run.let_go())
    return Next.DONE


def _named(run: Run, step: m.ForEachPlayer | m.AsPlayer) -> Next:
    """Report to the tracer that the flow names who acts."""
    if run.trace is not None:
        run.trace.named.add(step.span)
    return run.into()


def _round(run: Run, step: m.RepeatUntilStep | m.RepeatTimesStep) -> Next:
    """Start an iteration of a loop. The tracer counts those of the outermost loops in the course of play: rounds."""
    if run.trace is not None and run.frame.routine == run.game.play.name:
        repeats = [each for each in run.routine.around(run.frame.at) if isinstance(each, REPEATS)]
        # Only an outermost loop counts: an inner one is part of the same round.
        run.trace.rounds[step.path] += len(repeats) == 1
    return run.into()


def _again_until(run: Run, step: m.RepeatUntilStep, at: int) -> Next:
    return Next.DONE if step.until is not None and run.known(step.until, step.path) else _round(run, step)


def _times(run: Run, step: m.RepeatTimesStep) -> Next:
    run.keep(run.known(step.count, step.path))
    return _again_times(run, step)


def _again_times(run: Run, step: m.RepeatTimesStep, at: int = 0) -> Next:
    left = run.let_go()
    if left <= 0:
        return Next.DONE
    run.keep(left - 1)
    return _round(run, step)


# ---- decisions


def _perform(run: Run, step: m.Perform) -> Next:
    given = [run.value(argument, step.path) for argument in step.arguments]
    return run.perform(step.action, (run.frame.slots[0], *given))


def _decide(run: Run, step: m.Decide) -> Next:
    # `can` examines the decision itself, so it is not passed over here.
    if run.mode.is_probe:
        return Next.WAIT
    me = run.frame.slots[0]
    if me is None:
        raise SpecFault(Message("fault-no-actor"), step.path, step.span)
    if is_asked(run, me):
        return Next.WAIT
    # `repeat may` ends when it offers nothing, so that is not a fault of the spec.
    if run.trace is not None and not step.repeating:
        run.trace.passed[step.path] += 1
    return Next.DONE


def _decided(run: Run, step: m.Decide, at: int) -> Next:
    # This is reached when an option has been carried out. Declining ends the statement itself, and so the repetition.
    return Next.BEGIN if step.repeating else Next.DONE


def _together(run: Run, step: m.Simultaneous) -> Next:
    if run.trace is not None:
        run.trace.named.add(step.span)
    run.keep((None,) * run.game.players)
    return await_choices(run, step)


def await_choices(run: Run, step: m.Simultaneous) -> Next:
    """Wait for players who have not stated their choice; then carry the choices out."""
    if run.mode.is_probe or waiting(run):
        return Next.WAIT
    if run.trace is not None and not any(run.frame.kept[-1]):
        run.trace.passed[step.path] += 1
    run.keep(run.frame.slots[0])
    return _next_stated(run, step)


def _next_stated(run: Run, step: m.Simultaneous, at: int = 0) -> Next:
    """Carry out the choice of the next seat. Meanwhile the `me` to restore is kept after the choices."""
    me, stated = run.let_go(), run.let_go()
    for seat, choice in enumerate(stated):
        if choice not in (None, DECLINED):
            # The entry is emptied first, so that a past choice does not make equal states differ.
            run.keep((*stated[:seat], None, *stated[seat + 1 :]))
            run.keep(me)
            run.write(0, seat)
            return carry_out(run, choice)
    run.write(0, me)
    return Next.DONE


REPEATS = (m.RepeatUntilStep, m.RepeatTimesStep)
FLOW: Mapping[type, Begin] = {
    m.Sequence: _sequence,
    m.WithStepExceptions: _with_exceptions,
    m.Demand: _demand,
    m.SetLocal: _set_local,
    m.Store: _store,
    m.Decide: _decide,
    m.Simultaneous: _together,
    m.Perform: _perform,
    m.IfStep: _if,
    m.MatchStep: _match,
    m.ForEach: _for_each,
    m.ForEachPlayer: _for_each_player,
    m.AsPlayer: _as_player,
    m.RepeatUntilStep: _round,
    m.RepeatTimesStep: _times,
    m.EndGameStep: _end_game,
}
"""The method that begins each kind of statement."""
RETURNS: Mapping[type, Return] = {
    m.Sequence: _next_in_sequence,
    m.ForEach: _next_turn,
    m.ForEachPlayer: _next_player,
    m.AsPlayer: _as_before,
    m.RepeatUntilStep: _again_until,
    m.RepeatTimesStep: _again_times,
    m.Decide: _decided,
    m.Simultaneous: _next_stated,
}
"""The method that continues each kind of statement when a statement inside it, by its number, or the routine that it
called, is done."""
