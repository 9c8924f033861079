"""Looking into statements: what stands in them, what they bind, change and wait for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from ludex.grammar import Span
from ludex.spec import NotConstant, OverBudget, Undefined, value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ...walk import children, nodes
from .forms import may_raise
from .questions import condition


def flat(step: m.Step) -> tuple[m.Step, ...]:
    """The statements of a body one after another; those that do nothing are left out."""
    match step:
        case m.Sequence(body=body):
            return tuple(each for part in body for each in flat(part))
        case m.IfStep(condition=known, then=then, otherwise=otherwise) if (always := truth_of(known)) is not None:
            taken = then if always else otherwise
            return () if taken is None else flat(taken)
        case m.IfStep(condition=known, then=then, otherwise=None) if not flat(then):
            return () if not _may_fault(known) else (step,)
        case m.IfStep(condition=when, then=then, otherwise=None):
            (only, *more) = flat(then)
            if isinstance(only, m.Demand) and not more:
                return (_guarded(only, when),)
            return (step,)
        case _:
            return (step,)


def truth_of(condition: m.Expr) -> bool | None:
    """What a condition comes to that reads nothing of play, such as how a fork is read; None where play decides."""
    try:
        return bool(value_of(condition))
    except (NotConstant, Undefined, OverBudget):
        return None


def _may_fault(expr: m.Expr) -> bool:
    """Whether the rules may not say what it comes to, as far as a look at it tells."""
    return not isinstance(expr, m.Constant | m.Local)


def _guarded(step: m.Demand, when: m.Expr) -> m.Demand:
    """A requirement that binds only in a case."""
    held = m.Logic(t.Bool(), step.span, "implies", when, condition(step.requirement))
    return replace(step, requirement=replace(step.requirement, condition=held, waivers=()))


def reached_actions(game: m.Game) -> frozenset[str]:
    """The actions that play may come to."""
    found: set[str] = set()
    routines = [game.play, *([game.setup] if game.setup else [])]
    for routine in routines:
        for step in _all_steps(game, routine.body):
            found |= _named_actions(step)
    return frozenset(found | {node.action for node in _everything(game) if isinstance(node, m.CanPerform)})


def chosen_together(game: m.Game) -> set[str]:
    """The actions that several players choose before the first is carried out."""
    together = (node for node in _everything(game) if isinstance(node, m.Simultaneous))
    return set().union(*map(_named_actions, together))


def _everything(game: m.Game) -> Iterator[Any]:
    for part in (*game.defines.values(), *game.actions.values(), game.play, *([game.setup] if game.setup else [])):
        yield from nodes(part)


def _named_actions(step: Any) -> set[str]:
    match step:
        case m.Perform(action=action):
            return {action}
        case m.Decide(options=options) | m.Simultaneous(options=options):
            return {each.action for each in options if isinstance(each, m.ActionOption)}
        case _:
            return set()


def _all_steps(game: m.Game, step: m.Step) -> Iterator[m.Statement]:
    """All statements in one, those of the actions that it performs or offers too."""
    return (node for node in _all_nodes(game, step) if isinstance(node, m.Statement))


def _all_nodes(game: m.Game, step: m.Step) -> Iterator[Any]:
    waiting: list[Any] = [step]
    seen: set[str] = set()
    while waiting:
        for node in nodes(waiting.pop()):
            yield node
            for name in _named_actions(node) - seen if isinstance(node, m.Statement) else ():
                seen.add(name)
                waiting.append(game.actions[name].body)


def written_by(game: m.Game, step: m.Step) -> Iterator[m.Element]:
    """The elements into which a statement may put something, or take something from."""
    is_drawn = False
    for node in _all_nodes(game, step):
        if isinstance(node, m.Store | m.ZoneRef):
            yield node.element
        is_drawn = is_drawn or isinstance(node, m.DrawPieces)
    if is_drawn:
        for refill in game.refills:
            yield from (refill.zone.element, refill.source.element)


def names_bound(step: m.Step) -> list[tuple[str, t.Type, int]]:
    """The names that a statement gives to what stands behind it."""
    match step:
        case m.WithStepExceptions(body=body):
            return names_bound(body)
        case m.SetLocal(slot=slot, value=value):
            return [("let", value.type, slot)]
        case m.RandomValue(name=name, type=of, slot=slot):
            return [(name, of, slot)]
        case m.Decide(options=(m.BranchOption(choices=choices),)):
            return [(each.name, each.type, each.slot) for each in choices]
        case _:
            return []


def is_plain(step: m.Step) -> bool:
    """Whether it changes nothing: it asks, or does nothing."""
    return (isinstance(step, m.Demand | m.Sequence) and not flat(step)) or isinstance(step, m.Demand)


def binds(step: m.Step) -> bool:
    """Whether a statement, or one in it, gives a name to something."""
    return any(isinstance(each, m.SetLocal | m.RandomValue | m.Choice) for each in nodes(step))


def nested(step: m.Step) -> bool:
    """Whether other statements stand in it."""
    return any(isinstance(each, m.Statement) for each in nodes(step) if each is not step)


def expressions(step: m.Step) -> Iterator[m.Expr]:
    """The expressions that stand directly in a statement."""
    for child in children(step):
        if isinstance(child, m.ZoneRef):
            yield from child.indices
        else:
            yield child


def without(step: m.Step) -> Any:
    """A statement with nothing where its expressions stand."""
    found: list[Any] = [type(step).__name__, step.path if may_raise(step) else ""]
    for each in fields(step):
        value = getattr(step, each.name)
        if isinstance(value, m.ZoneRef):
            found.append(value.element.name)
        elif isinstance(value, m.Element):
            found.append(value.name)
        elif not isinstance(value, m.Typed | tuple | Span) and each.name not in {"path", "slot", "type", "name"}:
            found.append(value)
    return tuple(found)


def waits(game: m.Game, step: m.Step) -> bool:
    """Whether an event may come up in a statement."""
    waiting = (m.Decide, m.Simultaneous, m.RandomValue, m.DrawPieces)
    return any(isinstance(each, waiting) for each in _all_steps(game, step))
