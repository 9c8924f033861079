"""What both sides of a question see at a place, and whether a question can be asked there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ludex.spec import model as m

from ...walk import children
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
    """The slots that a piece reads before it has bound them itself."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in pieces_of(piece):
        _scan(part, bound, read)
    return read


def _scan(node: Any, bound: set[int], read: set[int]) -> None:
    """Add what is read to `read`, and what is surely bound behind the node to `bound`."""
    match node:
        case m.Local(slot=slot):
            read |= {slot} - bound
        case m.Sequence(body=body):
            for each in body:
                _scan(each, bound, read)
        case m.SetLocal(slot=slot, value=value):
            _scan(value, bound, read)
            bound.add(slot)
        case m.RandomValue(slot=slot, domain=domain, where=where):
            _scan(domain, bound, read)
            bound.add(slot)
            _scan(where, bound, read)
        case m.Decide(options=(m.BranchOption(choices=choices) as only,)):
            _scan_inside(only, bound, read)
            bound |= {each.slot for each in choices}
        case None:
            pass
        case _:
            _scan_inside(node, bound, read)


def _scan_inside(node: Any, bound: set[int], read: set[int]) -> None:
    """Of what may be carried out, or not: what it binds is bound only in it."""
    inner = set(bound)
    binders = (m.Loop, m.Choice, m.Binding)
    parts = sorted(children(node), key=lambda each: not isinstance(each, binders))
    for each in parts:
        if isinstance(each, binders):
            _scan_inside(each, inner, read)
            inner.add(each.slot)
    if isinstance(node, m.LetExpr):
        _scan(node.value, inner, read)
        inner.add(node.slot)
    for each in parts:
        if not isinstance(each, binders):
            _scan(each, set(inner), read)


def pieces_of(piece: Any) -> Iterator[Any]:
    """The pieces of the model in a test, a statement, or a tuple of them."""
    if isinstance(piece, tuple):
        for each in piece:
            yield from pieces_of(each)
    elif isinstance(piece, Chosen):
        yield piece.domain
    elif piece is not None:
        yield piece
