"""Judge of one event: legal, or why not. It lists no other moves."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from ludex.spec import Truth, Undefined, Unknown, any_of, is_known, same
from ludex.spec import model as m
from ludex.spec import types as t

from ..stack.places import AWAITING
from ..stack.state import DECLINED, StatedChoice
from ..state.domains import is_value
from ..state.events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind
from .chance import admits
from .decisions import Halt, PlayerOption, domain_outcome, has_instance, is_asked, is_part, options, to_move, trial
from .run import Run


class Objection(NamedTuple):
    """The reason why an event is not legal: the kind, the clauses, the argument at fault."""

    kind: RefusalKind
    clauses: tuple[str, ...] = ()
    argument: str | None = None


ELSEWHERE = frozenset(
    {RefusalKind.MOVE_AWAITED, RefusalKind.WRONG_PLAYER, RefusalKind.UNKNOWN_ACTION, RefusalKind.NOT_OFFERED}
)
"""Refusals of an event that is not on offer: the report names what is. The others concern what the event states."""


def judge(run: Run, event: Event) -> Refusal | StatedChoice | None:
    """Return the refusal of an illegal event, the choice of a legal move, or None for a legal chance event."""
    verdict = objection(run, event)
    if not isinstance(verdict, Objection):
        return verdict
    if not run.frames:
        # The game is over: nobody is to move, and no statement awaits anything.
        return Refusal(verdict.kind, event)
    # Whether `decline` is on offer takes a search for legal moves, so it is asked only where the report names the
    # offers.
    other = offered(run) if verdict.kind in ELSEWHERE else ()
    return Refusal(verdict.kind, event, verdict.clauses, verdict.argument, to_move(run), other, run.step.path)


def objection(run: Run, event: Event) -> Objection | StatedChoice | None:
    """Return the objection to an illegal event, the choice of a legal move, or None for a legal chance event."""
    if not run.frames:
        return Objection(RefusalKind.OVER)
    if isinstance(event, ChanceEvent):
        return _chance(run, event)
    # An argument is judged only if the move is on offer to its player.
    if isinstance(run.step, AWAITING):
        return Objection(RefusalKind.CHANCE_AWAITED)
    if not _has_a_say(run, event.player):
        return Objection(RefusalKind.WRONG_PLAYER)
    if event.action == DECLINE:
        return _decline(run, event)
    if event.action not in run.game.moves:
        return Objection(RefusalKind.UNKNOWN_ACTION)
    return _move(run, event)


def offered(run: Run) -> tuple[str, ...]:
    """Return the names of the moves on offer, legal now or not."""
    if not run.frames or not isinstance(run.step, m.Asking):
        return ()
    movers = to_move(run)
    names = [option.action if isinstance(option, m.ActionOption) else option.name for option in run.step.options]
    if any(may_decline(run, player) for player in movers):
        names.append(DECLINE)
    return tuple(dict.fromkeys(names))


def may_decline(run: Run, player: int) -> bool:
    """Test whether the player may decline: the decision allows it, or it must be made with nothing to choose."""
    if isinstance(run.step, m.Decide) and run.step.optional:
        return True
    # Others must not see that a player has no option, so such a player is asked, and has only this answer. Where it is
    # unknown whether an option is legal, there may be none.
    return has_instance(run, player) is not True and is_asked(run, player)


def is_offered(run: Run, move: Move) -> bool:
    """Test whether the move's player must decide, and has an option with the move's name and stated parameters.

    The move may still be illegal.
    """
    if not run.frames or not isinstance(run.step, m.Asking) or not _has_a_say(run, move.player):
        return False
    if move.action == DECLINE:
        return may_decline(run, move.player)
    return any(option.is_meant(dict(move.arguments)) for _, option in named(run, move))


def _has_a_say(run: Run, player: int) -> bool:
    """Test whether the player takes part in the decision, even without a legal move: the refusal then says why."""
    if isinstance(run.step, m.Decide):
        return bool(run.frame.slots[0] == player)
    stated = run.frame.kept[-1]
    return 0 <= player < len(stated) and stated[player] is None


def _chance(run: Run, event: ChanceEvent) -> Objection | None:
    path = run.step.path
    if not isinstance(run.step, AWAITING):
        return Objection(RefusalKind.MOVE_AWAITED)
    if event.path != path:
        return Objection(RefusalKind.WRONG_CHANCE, (path,))
    if not admits(run, event.outcome, event.via):
        return Objection(RefusalKind.WRONG_OUTCOME, (path,))
    return None


def _decline(run: Run, move: Move) -> Objection | StatedChoice:
    if not may_decline(run, move.player):
        return Objection(RefusalKind.NOT_OFFERED)
    if move.arguments:
        return Objection(RefusalKind.EXTRA_ARGUMENT, argument=move.arguments[0][0])
    return DECLINED


def _move(run: Run, move: Move) -> Objection | StatedChoice:
    """Judge a move.

    Where several options of one name fit the move, the first that allows it is taken; if none does, the first objection
    counts, of those that fit by their stated parameters.
    """
    given, objections = dict(move.arguments), list[tuple[bool, Objection]]()
    # Options are tried one by one: after an option that allows the move, no other needs a value.
    for number, option in options(run, move.player, move.action):
        misstated = _misstated(run, option, move)
        if misstated is None:
            stated = _stated(number, option, move)
            tried = trial(run, stated)
            if not isinstance(tried, Halt):
                return stated
            misstated = Objection(RefusalKind.REQUIREMENT, (tried.path,))
        objections.append((not option.is_meant(given), misstated))
    _, objection = min(objections, key=itemgetter(0), default=(True, Objection(RefusalKind.NOT_OFFERED)))
    return objection


def named(run: Run, move: Move) -> list[tuple[int, PlayerOption]]:
    """Return the options with the move's name, with their numbers; if some have the stated parameters, only those."""
    # One action may be offered several times with different arguments (`choose build(1) or build(2)`).
    given, same_name = dict(move.arguments), list(options(run, move.player, move.action))
    return [each for each in same_name if each[1].is_meant(given)] or same_name


def _stated(number: int, option: PlayerOption, move: Move) -> StatedChoice:
    given = dict(move.arguments)
    return number, tuple(given[choice.name] for choice in option.choices)


def halted(run: Run, move: Move) -> Run | None:
    """Return the run at the point where a requirement after the move fails; None if none fails, or the move itself is
    wrong.
    """
    stated = stated_by(run, move)
    tried = None if stated is None else trial(run, stated)
    return tried.run if isinstance(tried, Halt) else None


def stated_by(run: Run, move: Move) -> StatedChoice | None:
    """Return the choice that a move states, even if a requirement after it fails; None if the move itself is wrong."""
    for number, option in named(run, move):
        if _misstated(run, option, move) is None:
            return _stated(number, option, move)
    return None


def _misstated(run: Run, option: PlayerOption, move: Move) -> Objection | None:
    """Return the objection to a move's arguments: a value that cannot be chosen, or all failing requirements.

    A requirement without a value, because another one that guards it fails, is left out.
    """
    given = dict(move.arguments)
    for kind, name in _misfits(option, move):
        return Objection(kind, argument=name)
    for name, _, value in option.stated:
        if is_known(value) and given[name] != value:
            return Objection(RefusalKind.OUT_OF_DOMAIN, (run.step.path,), name)
    failed: list[str] = []
    values: tuple[t.Value, ...] = ()
    _ask(run, option, values, failed)
    for choice in option.choices:
        if _is_inside(run, option, values, given[choice.name], failed) is False:
            own = f"{move.action}.{choice.name}"
            path = own if own in run.game.clauses else move.action
            return Objection(RefusalKind.OUT_OF_DOMAIN, (path, *failed), choice.name)
        values = (*values, given[choice.name])
        _ask(run, option, values, failed)
    return Objection(RefusalKind.REQUIREMENT, tuple(failed)) if failed else None


def _ask(run: Run, option: PlayerOption, values: tuple[t.Value, ...], failed: list[str]) -> None:
    for requirement in option.asked[len(values)]:
        verdict = run.evaluation.verdict(requirement, dict(enumerate(option.bound(values))))
        if verdict is False:
            failed.append(requirement.path)
        # Earlier requirements guard later ones, so after one that fails a missing value is not a fault.
        elif isinstance(verdict, Undefined) and not failed:
            raise verdict.fault


def _is_inside(run: Run, option: PlayerOption, values: tuple[t.Value, ...], value: t.Value, failed: list[str]) -> Truth:
    choice = option.choices[len(values)]
    items = domain_outcome(run, option, values)
    if isinstance(items, Undefined):
        # No requirement failed that would guard the domain, so that its missing value is a fault of the spec.
        if not failed:
            raise items.fault
        return False
    if isinstance(items, Unknown):
        return items
    # The value is looked up in the domain, and no other value of the domain is tested: judging lists no moves.
    return is_part(value, items) if choice.within else any_of(same(value, item) for item in items)


def _misfits(option: PlayerOption, move: Move) -> Iterator[tuple[RefusalKind, str]]:
    """Yield the arguments that are missing, unexpected, or not of their type."""
    types = {name: of for name, of, _ in option.stated} | {choice.name: choice.type for choice in option.choices}
    given = dict(move.arguments)
    yield from ((RefusalKind.EXTRA_ARGUMENT, name) for name in given if name not in types)
    for name, of in types.items():
        if name not in given:
            yield RefusalKind.MISSING_ARGUMENT, name
        # A dictionary has one of two equal names, so the length shows an argument that is stated twice.
        elif len(move.arguments) > len(given) or (is_known(given[name]) and not is_value(of, given[name])):
            yield RefusalKind.WRONG_ARGUMENT, name
