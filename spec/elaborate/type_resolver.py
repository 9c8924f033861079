"""Type resolution: written types to types, and declared types to enumerated domains."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Literal

from ludex.grammar import Identifier, Span
from ludex.grammar import syntax as s

from .. import codes
from ..values.types import (
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
from .bounds import a
from .symbols import Symbols

ConstantInteger = Callable[[s.Expression], int | None]
Satisfies = Callable[[s.Expression, tuple[tuple[str, Type], ...], Span], Callable[[tuple[Value, ...]], bool]]


_COLLECTIONS = ("Set", "Bag", "List")


class TypeResolver:
    """Resolves types by name, and declares types on demand, so that a file may have them in any order.

    `integer` evaluates a bound; `satisfies` returns a record's condition as a predicate. Both report faults."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.integer: ConstantInteger
        self.satisfies: Satisfies
        self.pending: dict[str, s.TypeDeclaration] = {}
        self._open: list[str] = []
        self._unsound: set[str] = set()

    def resolve(self, node: s.TypeExpression) -> Type:
        """Resolve a written type; return `Never`, with a report, if it has a fault."""
        match node:
            case s.NamedType(name=name, span=span):
                return self.named(name, span)
            case s.RangeType():
                return self.range(node)
            case s.OptionalType(of=of):
                inner = self.resolve(of)
                return inner if isinstance(inner, Never) else Optional(inner)
            case s.CollectionType(kind=kind, of=of, most=most):
                inner = self.resolve(of)
                if isinstance(inner, Never):
                    return inner
                return collection_of(kind, inner, None if most is None else self.integer(most))

    def named(self, name: Identifier, span: Span) -> Type:
        if name in self.pending:
            self._declared(name, span)
        elif name in self._open:
            links = [*self._open[self._open.index(name) :], name]
            message = f"`{name}` contains itself: {' -> '.join(links)}"
            self.symbols.report.report(codes.DOMAIN_TOO_LARGE, message, span, notes=self.symbols.declared(name))
        self.symbols.used.add(f"type {name}")
        type_ = self.symbols.types.get(name)
        if type_ is None:
            self._unknown(name, span)
            return Never()
        return type_

    def _unknown(self, name: Identifier, span: Span) -> None:
        if name in _COLLECTIONS:
            message, hint = f"`{name}` is not a type by itself", f"add the type of its items: `{name.lower()} of TYPE`"
            self.symbols.report.report(codes.UNKNOWN_NAME, message, span, hint, unknown=name)
        else:
            self.symbols.unknown("type", name, [*self.symbols.types, *self.pending])

    def _declared(self, name: str, span: Span) -> None:
        node = self.pending.pop(name)
        if not self.symbols.goes_down(name, span, lambda: self.declare(node)):
            self.symbols.types[name] = Never()

    def sound(self, type_: Type) -> bool:
        """Whether a type has no reported fault, so that all its values are known."""
        match type_:
            case Never():
                return False
            case Words(name=name):
                return name not in self._unsound
            case Optional(of=of) | SetOf(of=of) | BagOf(of=of) | ListOf(of=of):
                return self.sound(of)
            case Record(fields=fields):
                return all(self.sound(of) for _, of in fields)
            case _:
                return True

    def range(self, node: s.RangeType, name: str | None = None) -> Type:
        low, high = self.integer(node.low), self.integer(node.high)
        if low is None or high is None:
            return Never()
        if high < low:
            self.symbols.report.report(codes.OUT_OF_RANGE, f"the range {low}..{high} holds no number", node.span)
            return Never()
        return Range(low, high, name)

    def all(self) -> None:
        while self.pending:
            name, node = next(iter(self.pending.items()))
            self._declared(name, node.span)

    def declare(self, node: s.TypeDeclaration) -> None:
        self.symbols.types[node.name] = Never()  # met again while open: reported, and nothing follows from it
        self._open.append(node.name)
        type_: Type
        match node.body:
            case s.RangeType():
                type_ = self.range(node.body, node.name)
            case s.WordsBody(words=variants):
                type_ = self._words(node, variants)
            case s.RecordBody():
                type_ = self._record(node, node.body)
        self._open.pop()
        self.symbols.types[node.name] = type_

    def _too_large(self, node: s.TypeDeclaration, count: int) -> Never:
        message = f"`{node.name}` has {count} values; {LARGEST_DOMAIN} are allowed"
        self.symbols.report.report(codes.DOMAIN_TOO_LARGE, message, node.name.span)
        return Never()

    def _fields(self, parameters: tuple[s.Parameter, ...]) -> tuple[tuple[str, Type], ...]:
        """Resolve the fields of a record or word; a faulty field has the type `Never`."""
        fields: dict[str, Type] = {}
        for parameter in parameters:
            type_ = self.resolve(parameter.type)
            if parameter.name in fields:
                place = parameter.name.span
                message = f"there are two parts `{parameter.name}`"
                self.symbols.report.report(codes.DUPLICATE_NAME, message, place)
                type_ = Never()
            elif size(type_) is None:
                message = f"{a(type_)} has no list of values; a part must have one"
                self.symbols.report.report(codes.WRONG_TYPE, message, parameter.type.span)
                type_ = Never()
            fields[parameter.name] = type_
        return tuple(fields.items())

    def _words(self, node: s.TypeDeclaration, variants: tuple[s.TypeWord, ...]) -> Type:
        """Resolve the words of a type. A word with faulty data is kept without values, so that its name is known."""
        cases: dict[str, Case] = {}
        for variant in variants:
            if variant.name in cases:
                place = variant.name.span
                message = f"the type has the word `{variant.name}` twice"
                self.symbols.report.report(codes.DUPLICATE_NAME, message, place)
                continue
            cases[variant.name] = Case(variant.name, self._fields(variant.fields))
        total = sum(combinations(case.fields) for case in cases.values())
        if total > LARGEST_DOMAIN:
            return self._too_large(node, total)
        if not self.symbols.allows(total, node.name, node.name.span):
            return Never()
        if any(not self.sound(of) for case in cases.values() for _, of in case.fields):
            self._unsound.add(node.name)
        return Words(node.name, tuple(cases.values()))

    def _record(self, node: s.TypeDeclaration, body: s.RecordBody) -> Type:
        fields = self._fields(body.fields)
        if any(isinstance(type_, Never) for _, type_ in fields):
            return Never()
        if combinations(fields) > LARGEST_DOMAIN:
            return self._too_large(node, combinations(fields))
        if not self.symbols.allows(combinations(fields), node.name, node.name.span):
            return Never()
        members = list(product(*(values(type_) for _, type_ in fields)))
        if body.where is not None:
            test = self.satisfies(body.where, fields, node.span)
            members = [member for member in members if test(member)]
            if not members:
                message = f"no value of `{node.name}` meets this condition"
                self.symbols.drop_table_checks(body.where.span)
                self.symbols.report.report(codes.OUT_OF_RANGE, message, body.where.span)
                return Never()
        return Record(node.name, fields, tuple(members))


def collection_of(kind: Literal["set", "bag", "list"], of: Type, most: int | None = None) -> Type:
    match kind:
        case "set":
            return SetOf(of, most)
        case "bag":
            return BagOf(of, most)
        case "list":
            return ListOf(of, most)


def combinations(fields: tuple[tuple[str, Type], ...]) -> int:
    total = 1
    for _, type_ in fields:
        total *= size(type_) or 0
    return total
