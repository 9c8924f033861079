"""Offers: the decisions in the flow that offer a move, with the guards on the way to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ludex.grammar import Span
from ludex.spec import model as m

from ..walk import children

Guards: TypeAlias = tuple[tuple[m.Expr, bool], ...]
"""Conditions and the truth values they need, outermost first."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A decision that offers the move.

    Attributes:
        path, span: of the decision.
        guards: what must hold in its routine for the flow to reach it.
        size: of the routine's frames.
    """

    path: str
    span: Span
    guards: Guards
    size: int


def offers(game: m.Game, move: str) -> Iterator[Offer]:
    """Enumerate the decisions that offer a move of this name: set-up first, then the flow of play, then actions."""
    routines = [each for each in (game.setup, game.play) if each is not None]
    bodies = [*((each.body, each.frame_size) for each in routines)]
    bodies += [(action.body, action.frame_size) for action in game.actions.values()]
    for body, size in bodies:
        for decision, guards in _decisions(body, ()):
            if any(_name(option) == move for option in decision.options):
                yield Offer(decision.path, decision.span, guards, max(1, size))


def _name(option: m.MoveOption) -> str:
    return option.action if isinstance(option, m.ActionOption) else option.name


def _decisions(node: object, guards: Guards) -> Iterator[tuple[m.Decide | m.Simultaneous, Guards]]:
    match node:
        case m.IfStep(condition=condition, then=then, otherwise=otherwise):
            yield from _decisions(then, (*guards, (condition, True)))
            if otherwise is not None:
                yield from _decisions(otherwise, (*guards, (condition, False)))
        case m.WithStepExceptions(body=body, exceptions=exceptions):
            yield from _decisions(body, (*guards, *((each.condition, False) for each in exceptions)))
            for each in exceptions:
                yield from _decisions(each.body, (*guards, (each.condition, True)))
        case _:
            if isinstance(node, m.Decide | m.Simultaneous):
                yield node, guards
            for child in children(node):
                yield from _decisions(child, guards)
