"""Written types to types, and declared types to domains that are listed before play."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Literal

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import codes
from ..types import (
    LARGEST_DOMAIN,
    BagOf,
    Case,
    ListOf,
    Never,
    Optional,
    Range,
    Record,
    SetOf,
    Type,
    Value,
    Words,
    size,
    values,
)
from .world import World

ConstantInteger = Callable[[s.Expression], int | None]
Satisfies = Callable[[s.Expression, tuple[tuple[str, Type], ...], Span], Callable[[tuple[Value, ...]], bool]]


class TypeNames:
    """Resolves types by name, declaring those that are asked for first on the way.

    `integer` evaluates a bound; `satisfies` compiles a record's condition to a test of its parts. Both report
    what they cannot do."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.integer: ConstantInteger
        self.satisfies: Satisfies
        self.pending: dict[str, s.TypeDeclaration] = {}

    def resolve(self, node: s.TypeExpression) -> Type:
        """The type; `Never` (reported) if it has a fault."""
        match node:
            case s.NamedType(name=name, span=span):
                return self.named(name, span)
            case s.RangeType():
                return self.range(node)
            case s.OptionalType(of=of):
                inner = self.resolve(of)
                return inner if isinstance(inner, Never) else Optional(inner)
            case s.CollectionType(kind=kind, of=of):
                inner = self.resolve(of)
                if isinstance(inner, Never):
                    return inner
                return collection_of(kind, inner)

    def named(self, name: str, span: Span) -> Type:
        if name in self.pending:
            self.declare(self.pending.pop(name))
        self.world.used.add(f"type {name}")
        type_ = self.world.types.get(name)
        if type_ is None:
            self.world.unknown("type", name, span, [*self.world.types, *self.pending])
            return Never()
        return type_

    def range(self, node: s.RangeType, name: str | None = None) -> Type:
        low, high = self.integer(node.low), self.integer(node.high)
        if low is None or high is None:
            return Never()
        if high < low:
            self.world.report.report(codes.OUT_OF_RANGE, f"the range {low}..{high} holds no number", node.span)
            return Never()
        return Range(low, high, name)

    def all(self) -> None:
        while self.pending:
            self.declare(self.pending.pop(next(iter(self.pending))))

    def declare(self, node: s.TypeDeclaration) -> None:
        self.world.types[node.name] = Never()  # met again while open: an empty type, reported below
        type_: Type
        match node.body:
            case s.RangeType():
                type_ = self.range(node.body, node.name)
            case s.WordsBody(variants=variants):
                type_ = self._words(node, variants)
            case s.RecordBody():
                type_ = self._record(node, node.body)
        self.world.types[node.name] = type_
        if isinstance(type_, Words | Record) and (size(type_) or 0) > LARGEST_DOMAIN:
            self._too_large(node, size(type_) or 0)

    def _too_large(self, node: s.TypeDeclaration, count: int) -> None:
        message = f"`{node.name}` has {count} values; {LARGEST_DOMAIN} are allowed"
        self.world.report.report(codes.DOMAIN_TOO_LARGE, message, node.span)

    def _fields(
        self, node: s.TypeDeclaration, parameters: tuple[s.Parameter, ...]
    ) -> tuple[tuple[str, Type], ...] | None:
        fields: list[tuple[str, Type]] = []
        for parameter in parameters:
            type_ = self.resolve(parameter.type)
            if isinstance(type_, Never):
                if isinstance(parameter.type, s.NamedType) and parameter.type.name == node.name:
                    self.world.report.report(codes.DOMAIN_TOO_LARGE, "a type cannot contain itself", parameter.span)
                return None
            if size(type_) is None:
                message = f"{type_} has no list of values; a part must have one"
                self.world.report.report(codes.WRONG_TYPE, message, parameter.span)
                return None
            if parameter.name in dict(fields):
                self.world.report.report(
                    codes.DUPLICATE_NAME, f"there are two parts `{parameter.name}`", parameter.span
                )
                return None
            fields.append((parameter.name, type_))
        return tuple(fields)

    def _words(self, node: s.TypeDeclaration, variants: tuple[s.Variant, ...]) -> Type:
        cases: dict[str, Case] = {}
        total = 0
        for variant in variants:
            if variant.name in cases:
                self.world.report.report(
                    codes.DUPLICATE_NAME, f"`{variant.name}` stands twice in the type", variant.span
                )
                continue
            fields = self._fields(node, variant.fields)
            if fields is None:
                continue
            total += combinations(fields)
            cases[variant.name] = Case(variant.name, fields)
        if total > LARGEST_DOMAIN:
            self._too_large(node, total)
            return Never()
        return Words(node.name, tuple(cases.values())) if cases else Never()

    def _record(self, node: s.TypeDeclaration, body: s.RecordBody) -> Type:
        fields = self._fields(node, body.fields)
        if fields is None:
            return Never()
        if combinations(fields) > LARGEST_DOMAIN:
            self._too_large(node, combinations(fields))
            return Never()
        members = list(product(*(values(type_) for _, type_ in fields)))
        if body.where is not None:
            test = self.satisfies(body.where, fields, node.span)
            members = [member for member in members if test(member)]
        return Record(node.name, fields, tuple(members))


def collection_of(kind: Literal["set", "bag", "list"], of: Type) -> Type:
    match kind:
        case "set":
            return SetOf(of)
        case "bag":
            return BagOf(of)
        case "list":
            return ListOf(of)


def combinations(fields: tuple[tuple[str, Type], ...]) -> int:
    total = 1
    for _, type_ in fields:
        total *= size(type_) or 0
    return total
