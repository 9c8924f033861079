"""What stands against an event: the other moves are not listed for that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ludex.spec import Undefined
from ludex.spec import model as m
from ludex.spec import types as t

from ..domains import is_value
from ..events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind
from .chance import AWAITING, admits
from .decisions import Offer, asked, domain_of, is_asked, is_part, legal, offers, trial, waiting
from .run import Run
from .state import DECLINED, Stated

Misstated: TypeAlias = tuple[RefusalKind, tuple[str, ...], str | None]
"""What is wrong with a move: the kind, the clauses, the argument at fault."""


def judge(run: Run, event: Event) -> Refusal | Stated | None:
    """What is wrong with the event where the run stands; if nothing is, what a move states (None of a chance event)."""
    if not run.frames:
        return Refusal(RefusalKind.OVER, event)
    if isinstance(event, ChanceEvent):
        return _chance(run, event)
    if isinstance(run.step, AWAITING):
        return _refuse(run, event, RefusalKind.CHANCE_AWAITED)
    if not _has_a_say(run, event.player):
        return _refuse(run, event, RefusalKind.WRONG_PLAYER)
    if event.action == DECLINE:
        return _decline(run, event)
    if event.action not in run.game.moves:
        return _refuse(run, event, RefusalKind.UNKNOWN_ACTION)
    return _move(run, event)


def to_move(run: Run) -> tuple[int, ...]:
    """The seats that must decide now."""
    if run.frames and isinstance(run.step, m.Decide):
        return (run.frame.slots[0],)
    return waiting(run) if run.frames and isinstance(run.step, m.Simultaneous) else ()


def offered(run: Run) -> tuple[str, ...]:
    """Names of the moves on offer, legal now or not."""
    if not run.frames or not isinstance(run.step, m.Decide | m.Simultaneous):
        return ()
    movers = to_move(run)
    names = [option.action if isinstance(option, m.ActionOption) else option.name for option in run.step.options]
    if any(may_decline(run, player) for player in movers):
        names.append(DECLINE)
    return tuple(dict.fromkeys(names))


def may_decline(run: Run, player: int) -> bool:
    """Whether the decision leaves it to the player; or he has nothing to choose, and is asked all the same."""
    if isinstance(run.step, m.Decide) and run.step.optional:
        return True
    return not any(True for _ in legal(run, player)) and is_asked(run, player)


def _has_a_say(run: Run, player: int) -> bool:
    """One who has nothing legal to choose is not waited for, but may be told why."""
    if isinstance(run.step, m.Decide):
        return bool(run.frame.slots[0] == player)
    stated = run.frame.kept[-1]
    return 0 <= player < len(stated) and stated[player] is None


def _refuse(
    run: Run, event: Event, kind: RefusalKind, clauses: tuple[str, ...] = (), argument: str | None = None
) -> Refusal:
    return Refusal(kind, event, clauses, argument, to_move(run), offered(run), run.step.path)


def _chance(run: Run, event: ChanceEvent) -> Refusal | None:
    path = run.step.path
    if not isinstance(run.step, AWAITING):
        return _refuse(run, event, RefusalKind.MOVE_AWAITED)
    if event.path != path:
        return _refuse(run, event, RefusalKind.WRONG_CHANCE, (path,))
    if not admits(run, event.outcome, event.via):
        return _refuse(run, event, RefusalKind.WRONG_OUTCOME, (path,))
    return None


def _decline(run: Run, move: Move) -> Refusal | Stated:
    if not may_decline(run, move.player):
        return _refuse(run, move, RefusalKind.NOT_OFFERED)
    if move.arguments:
        return _refuse(run, move, RefusalKind.EXTRA_ARGUMENT, argument=move.arguments[0][0])
    return DECLINED


def _move(run: Run, move: Move) -> Refusal | Stated:
    """Several options of one name that the move cannot tell apart come to the same; the first that allows it is
    taken."""
    named = [(at, offer) for at, offer in enumerate(offers(run, move.player)) if offer.name == move.action]
    given, wrong = dict(move.arguments), list[Misstated]()
    for number, offer in [each for each in named if each[1].is_meant(given)] or named:
        misstated = _misstated(run, offer, move)
        if misstated is None:
            values = tuple(given[choice.name] for choice in offer.choices)
            failed = trial(run, (number, values))
            if not isinstance(failed, str):
                return number, values
            misstated = RefusalKind.REQUIREMENT, (failed,), None
        wrong.append(misstated)
    return _refuse(run, move, *(wrong[0] if wrong else (RefusalKind.NOT_OFFERED, (), None)))


def _misstated(run: Run, offer: Offer, move: Move) -> Misstated | None:
    """What is wrong with what the move states: a value that cannot be chosen, and all requirements that fail and can be
    judged. Nothing is said of one that has no value because it rests on another that fails."""
    given = dict(move.arguments)
    for kind, name in _misfits(offer, move):
        return kind, (), name
    for name, _, value in offer.stated:
        if given[name] != value:
            return RefusalKind.OUT_OF_DOMAIN, (run.step.path,), name
    failed: list[str] = []
    values: tuple[t.Value, ...] = ()
    _ask(run, offer, values, failed)
    for choice in offer.choices:
        if not _is_inside(run, offer, values, given[choice.name], failed):
            own = f"{move.action}.{choice.name}"
            path = own if own in run.game.clauses else move.action
            return RefusalKind.OUT_OF_DOMAIN, (path, *failed), choice.name
        values = (*values, given[choice.name])
        _ask(run, offer, values, failed)
    return (RefusalKind.REQUIREMENT, tuple(failed), None) if failed else None


def _ask(run: Run, offer: Offer, values: tuple[t.Value, ...], failed: list[str]) -> None:
    for requirement, has_value in offer.asked(len(values)):
        if has_value and asked(run, requirement, offer.bound(values), not failed) is False:
            failed.append(requirement.path)


def _is_inside(run: Run, offer: Offer, values: tuple[t.Value, ...], value: t.Value, failed: list[str]) -> bool:
    choice = offer.choices[len(values)]
    try:
        items = domain_of(run, offer, values)
    except Undefined:
        if not failed:
            raise
        return False
    return is_part(value, items) if choice.within else value in items


def _misfits(offer: Offer, move: Move) -> Iterator[tuple[RefusalKind, str]]:
    """The arguments that are missing, too many, or no value of their type."""
    types = {name: of for name, of, _ in offer.stated} | {choice.name: choice.type for choice in offer.choices}
    given = dict(move.arguments)
    yield from ((RefusalKind.EXTRA_ARGUMENT, name) for name in given if name not in types)
    for name, of in types.items():
        if name not in given:
            yield RefusalKind.MISSING_ARGUMENT, name
        elif len(move.arguments) > len(given) or not is_value(of, given[name]):
            yield RefusalKind.WRONG_ARGUMENT, name
