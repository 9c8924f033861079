"""Scopes: the names that are visible at a place of a spec, with their slots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import model as m
from ..values.types import Never, Optional, PlayerType, Type, element_type
from .write_sets import WriteSet, write_sets

VariableKind = Literal["parameter", "choice", "let", "state", "loop", "random", "data"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A local name with its slot in the frame of its routine."""

    name: str
    slot: int
    type: Type
    kind: VariableKind
    span: Span


@dataclass(slots=True)
class RoutineSlots:
    """The slots of one routine: slot 0 is `me`, and every local name gets a slot of its own."""

    routine: str
    size: int = 1
    uses_me: Span | None = None
    hidden_names: dict[str, Span] = field(default_factory=dict)
    """Names of clauses that have ended, so that a use of one is reported as out of scope, not as unknown."""
    variables: list[Variable] = field(default_factory=list)
    read: set[int] = field(default_factory=set)
    """Slots that something reads."""
    written: set[int] = field(default_factory=set)
    """Slots of local states that can have several values: a step sets them, or their first value is computed."""

    @property
    def locals(self) -> tuple[m.LocalName, ...]:
        """The names with their slots and types."""
        return tuple((variable.slot, variable.name, variable.type) for variable in self.variables)

    def use_me(self, span: Span) -> None:
        """Record the first use of `me`."""
        self.uses_me = self.uses_me or span

    def slot(self) -> int:
        """Return a new slot."""
        # A slot is never used again, even where a name is out of scope: analyses then know a variable by its slot
        # alone.
        self.size += 1
        return self.size - 1


ExpressionKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The static environment of a place in a routine.

    Attributes:
        frame: the slots of the routine.
        path: the clause around the place.
        names: the visible local names.
        me: the type of the acting player; None where nobody acts.
        outer_me: whether `me` is the acting player of the caller.
        nonempty: by key, expressions that are known not to be `none`, with the place of the guard (flow typing).
        outdated: by key, expressions whose guard no longer holds: the place of the guard, and of the step that undid
        it.
        counting: whether the place is inside `size(...)` or `is empty`, where hidden zones may be named.
        cast: the names of an example's players, with their seats.
    """

    frame: RoutineSlots
    path: str
    names: Mapping[str, Variable] = field(default_factory=dict)
    me: PlayerType | None = None
    outer_me: bool = False
    nonempty: Mapping[ExpressionKey, Span] = field(default_factory=dict)
    outdated: Mapping[ExpressionKey, tuple[Span, Span]] = field(default_factory=dict)
    counting: bool = False
    cast: Mapping[str, int] = field(default_factory=dict)

    def bind(self, name: str, type_: Type, kind: VariableKind, span: Span) -> tuple[Scope, int]:
        """Return the scope with a new local name, and its slot."""
        slot = self.frame.slot()
        self.frame.hidden_names.setdefault(name, span)
        variable = Variable(name, slot, type_, kind, span)
        self.frame.variables.append(variable)
        return replace(self, names={**self.names, name: variable}), slot

    def at(self, path: str) -> Scope:
        """Return the scope in an inner clause."""
        return replace(self, path=path)

    def knowing(self, condition: m.Expr, truth: bool = True) -> Scope:
        """Return the scope narrowed by a condition that holds (or, with `truth` false, does not hold)."""
        return replace(self, nonempty={**self.nonempty, **dict.fromkeys(guarded(condition, truth), condition.span)})

    def after(self, node: s.Statement | s.Block) -> Scope:
        """Return the scope after a statement: guards about anything that it may change no longer hold."""
        # Most steps are in scopes without guards.
        if not self.nonempty:
            return self
        kept, outdated = dict(self.nonempty), dict(self.outdated)
        for step, change in write_sets(node):
            local = {self.names[name].slot for name in change.states if name in self.names}
            # A local name hides the game's state of the same name.
            stored = replace(change, states=change.states - frozenset(self.names))
            for key in [key for key in kept if _touched(key, stored, local)]:
                outdated[key] = kept.pop(key), step
        return replace(self, nonempty=kept, outdated=outdated)

    def acting(self, player: PlayerType) -> Scope:
        """Return the scope under `as PLAYER` or `each player`: guards about the previous `me` no longer hold."""
        # The value of `my coins` is another one now, though nothing was stored.
        kept = {key: guard for key, guard in self.nonempty.items() if not _touched(key, _NOTHING, {ME})}
        return replace(self, me=player, outer_me=False, nonempty=kept)


ME = 0
"""The slot of the acting player."""
_NOTHING = WriteSet(frozenset(), zones=False, anything=False)


def expression_key(node: m.Expr) -> ExpressionKey | None:
    """Return a key for guards: equal keys denote equal values as long as no statement runs in between."""
    match node:
        case m.Constant(value=value):
            return ("value", value)
        case m.Local(slot=slot):
            return ("local", slot)
        # A check changes no value, so that guards hold with and without it.
        case m.Checked(operand=operand):
            return expression_key(operand)
        case m.Read(element=element, indices=parts):
            return _compound("zone" if element.is_zone else "state", element.name, parts)
        case m.CallDefine(name=name, arguments=parts):
            return _compound("call", name, parts)
        case m.MakeRecord(record=record, parts=parts):
            return _compound("record", str(record), parts)
        case m.TableField(operand=operand, field=name):
            return _compound("field", name, (operand,))
        case m.Builtin(name=name, arguments=parts):
            return _compound("builtin", name, parts)
        case m.Arithmetic(operator=operator, left=left, right=right):
            return _compound("arithmetic", operator, (left, right))
        case _:
            return None


def _compound(kind: str, name: str, parts: tuple[m.Expr, ...]) -> ExpressionKey | None:
    keys = tuple(expression_key(part) for part in parts)
    # One part without a key makes the whole incomparable.
    return None if None in keys else (kind, name, *keys)


def _touched(key: ExpressionKey, changed: WriteSet, local: set[int]) -> bool:
    """Return whether a statement may change the value of a key. A call may read every state and zone."""
    match key:
        case ("local", slot):
            return slot in local
        case ("value", _):
            return False
        case (kind, name, *parts):
            own = {
                "zone": changed.zones or changed.anything,
                "state": name in changed.states or changed.anything,
                # A define may read any state and zone.
                "call": changed.stored,
                "builtin": changed.stored,
            }
            return own.get(str(kind), False) or any(isinstance(p, tuple) and _touched(p, changed, local) for p in parts)
        case _:
            return True


def _keys(node: m.Expr) -> frozenset[ExpressionKey]:
    """Return the keys of the expressions that are not `none` if a node is not: itself, and the record of a field."""
    key = expression_key(node)
    keys = frozenset() if key is None else frozenset((key,))
    return keys | _keys(node.operand) if isinstance(node, m.TableField | m.Checked) else keys


def guarded(condition: m.Expr, truth: bool = True) -> frozenset[ExpressionKey]:
    """Return the keys of the expressions that are not `none` if a condition has a truth value."""
    match condition:
        case m.EmptyTest(operand=operand, negated=negated) if negated == truth:
            return _keys(operand)
        case m.NotExpr(operand=operand):
            return guarded(operand, not truth)
        case m.Logic(operator="and", left=left, right=right) if truth:
            return guarded(left) | guarded(right)
        # Of a false `or` both sides are false.
        case m.Logic(operator="or", left=left, right=right) if not truth:
            return guarded(left, False) | guarded(right, False)
        # A false `implies` has a true left side and a false right side.
        case m.Logic(operator="implies", left=left, right=right) if not truth:
            return guarded(left) | guarded(right, False)
        case m.Comparison(operator="=", left=left, right=right) if truth:
            return _equal(left, right) | _equal(right, left)
        case m.Comparison(operator="!=", left=left, right=right) if not truth:
            return _equal(left, right) | _equal(right, left)
        case m.Comparison(operator="!=", left=left, right=m.Constant(value=None)) if truth:
            return _keys(left)
        case m.Comparison(operator="=", left=left, right=m.Constant(value=None)) if not truth:
            return _keys(left)
        # A collection may hold `none` itself.
        case m.Member(item=item, collection=within, negated=negated) if negated != truth:
            return frozenset() if isinstance(element_type(within.type), Optional) else _keys(item)
        case _:
            return frozenset()


def _equal(left: m.Expr, right: m.Expr) -> frozenset[ExpressionKey]:
    """Return the keys of `left` if it equals a `right` that is never `none`."""
    return frozenset() if isinstance(right.type, Optional) else _keys(left)


def poison(span: Span) -> m.Expr:
    """Return a placeholder for a faulty expression. It has every type, so that one fault gives one report."""
    return m.Constant(Never(), span, None)


def is_poison(node: m.Expr) -> bool:
    return isinstance(node.type, Never)
