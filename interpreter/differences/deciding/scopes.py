"""What both sides of a question see at a place, and whether a question can be asked there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ludex.spec import model as m

from ...walk import nodes
from .questions import Chosen, Question, Test, Told, Variable

FORM = "their steps differ in form"
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Scope:
    """What both sides see at a place.

    Attributes:
        blank: elements that nothing has been put into yet.
        given: what both sides asked for, in the left side's slots; nothing has changed since.
    """

    variables: tuple[Variable, ...] = ()
    blank: frozenset[str] = frozenset()
    given: tuple[Test, ...] = ()

    def names(self, side: int) -> Mapping[int, Hashable]:
        """What the slots of a side stand for."""
        return {0: NOBODY, **{(each.right if side else each.left): each.name for each in self.variables}}

    def seeing(self, *more: Variable) -> Scope:
        """With more names; a slot that is taken again stands for the new one."""
        left, right = {each.left for each in more}, {each.right for each in more}
        kept = (each for each in self.variables if each.left not in left and each.right not in right)
        return replace(self, variables=(*kept, *more))


def ask(
    kind: Literal["offer", "value", "steps"],
    path: str,
    scope: Scope,
    left: tuple[Test, ...] | m.Step,
    right: tuple[Test, ...] | m.Step,
) -> Question | Told:
    """The question, if both sides read nothing but what is known to be the same."""
    if not sees(scope, left, right):
        return Told(path, "unknown", FORM)
    return Question(kind, path, scope.variables, left, right, scope.blank, scope.given)


def sees(scope: Scope, left: Any, right: Any) -> bool:
    """Whether both pieces read only names that the scope has."""
    known = set(scope.names(0)), set(scope.names(1))
    return _free(left) <= known[0] and _free(right) <= known[1]


def _free(piece: Any) -> set[int]:
    """The slots that a piece reads and does not bind itself."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in pieces_of(piece):
        for node in nodes(part):
            match node:
                case m.Local(slot=slot):
                    read.add(slot)
                case m.SetLocal(slot=slot) | m.RandomValue(slot=slot):
                    bound.add(slot)
                case m.Loop(slot=slot) | m.Binding(slot=slot) | m.Choice(slot=slot) | m.LetExpr(slot=slot):
                    bound.add(slot)
    return read - bound


def pieces_of(piece: Any) -> Iterator[Any]:
    """The pieces of the model in a test, a statement, or a tuple of them."""
    if isinstance(piece, tuple):
        for each in piece:
            yield from pieces_of(each)
    elif isinstance(piece, Chosen):
        yield piece.domain
    elif piece is not None:
        yield piece
