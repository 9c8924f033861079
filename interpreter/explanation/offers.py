"""Offers: the decisions in the flow that offer a move, with the guards on the way to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ludex.grammar import Span
from ludex.spec import children
from ludex.spec import model as m

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
    for routine in game.routines:
        for decision, guards in _decisions(routine.body, ()):
            if any(option.name == move for option in decision.options):
                # A routine without names still has a slot for `me`.
                yield Offer(decision.path, decision.span, guards, max(1, routine.frame_size))


def _decisions(node: object, guards: Guards) -> Iterator[tuple[m.Asking, Guards]]:
    match node:
        case m.IfStep(condition=condition, then=then, otherwise=otherwise):
            yield from _decisions(then, (*guards, (condition, True)))
            if otherwise is not None:
                yield from _decisions(otherwise, (*guards, (condition, False)))
        case m.WithStepExceptions(body=body, exceptions=exceptions):
            # The body is carried out only if no exception holds.
            yield from _decisions(body, (*guards, *((each.condition, False) for each in exceptions)))
            # Each needs its own condition only: two exceptions that hold do the same, or the rules fail.
            for each in exceptions:
                yield from _decisions(each.body, (*guards, (each.condition, True)))
        case _:
            if isinstance(node, m.Asking):
                yield node, guards
            for child in children(node):
                yield from _decisions(child, guards)
