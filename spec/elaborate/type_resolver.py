"""Type resolution: written types to types, and declared types to enumerated domains."""

from __future__ import annotations

from itertools import product
from typing import Literal

from ludex.grammar import Identifier, Span
from ludex.grammar import syntax as s

from .. import spec_codes
from ..ranges.bounds import a
from ..values import types as t
from .constants import ConstantEvaluator
from .defines import Defines
from .symbols import Symbols

_COLLECTIONS = ("Set", "Bag", "List")


class TypeResolver:
    """Resolves types by name, and declares types on demand, so that a file may have them in any order.

    constants: evaluates bounds and conditions, which may use facts, whose types are resolved here."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.constants = ConstantEvaluator(symbols, Defines(symbols, self))
        self.pending = {str(node.name): node for node in symbols.declared.each(s.TypeDeclaration)}
        self._open: list[str] = []
        self._unsound: set[str] = set()

    def resolve(self, node: s.TypeExpression) -> t.Type:
        """Resolve a written type; return `Never`, with a report, if it has a fault."""
        match node:
            case s.NamedType(name=name, span=span):
                return self.named(name, span)
            case s.RangeType():
                return self.range(node)
            case s.OptionalType(of=of):
                inner = self.resolve(of)
                # A fault in the inner type was reported.
                return inner if isinstance(inner, t.Never) else t.Optional(inner)
            case s.CollectionType(kind=kind, of=of, most=most):
                inner = self.resolve(of)
                if isinstance(inner, t.Never):
                    return inner
                return collection_of(kind, inner, None if most is None else self.constants.integer(most))

    def named(self, name: Identifier, span: Span) -> t.Type:
        if name in self.pending:
            self._declared(name, span)
        elif name in self._open:
            links = [*self._open[self._open.index(name) :], name]
            message = f"`{name}` contains itself: {' -> '.join(links)}"
            self.symbols.diagnostics.report(
                spec_codes.DOMAIN_TOO_LARGE, message, span, notes=self.symbols.declared.notes(name)
            )
        self.symbols.uses.read.add(f"type {name}")
        type_ = self.symbols.types.get(name)
        if type_ is None:
            self._unknown(name, span)
            return t.Never()
        return type_

    def _unknown(self, name: Identifier, span: Span) -> None:
        if name in _COLLECTIONS:
            message, hint = f"`{name}` is not a type by itself", f"add the type of its items: `{name.lower()} of TYPE`"
            self.symbols.diagnostics.report(spec_codes.UNKNOWN_NAME, message, span, hint, unknown=name)
        else:
            self.symbols.unknown("type", name, [*self.symbols.types, *self.pending])

    def _declared(self, name: str, span: Span) -> None:
        node = self.pending.pop(name)
        if not self.symbols.allowance.goes_down(name, span, lambda: self.declare(node)):
            self.symbols.types[name] = t.Never()

    def sound(self, type_: t.Type) -> bool:
        """Return whether a type has no reported fault, so that all its values are known."""
        match type_:
            case t.Never():
                return False
            case t.Words(name=name):
                return name not in self._unsound
            case t.Optional(of=of) | t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
                return self.sound(of)
            case t.Record(fields=fields):
                return all(self.sound(of) for _, of in fields)
            case _:
                return True

    def range(self, node: s.RangeType, name: str | None = None) -> t.Type:
        low, high = self.constants.integer(node.low), self.constants.integer(node.high)
        if low is None or high is None:
            return t.Never()
        if high < low:
            self.symbols.diagnostics.report(
                spec_codes.OUT_OF_RANGE, f"the range {low}..{high} holds no number", node.span
            )
            return t.Never()
        return t.Range(low, high, name)

    def all(self) -> None:
        while self.pending:
            name, node = next(iter(self.pending.items()))
            self._declared(name, node.span)

    def declare(self, node: s.TypeDeclaration) -> None:
        self.symbols.types[node.name] = t.Never()  # a type that contains itself is reported only once
        self._open.append(node.name)
        type_: t.Type
        match node.body:
            case s.RangeType():
                type_ = self.range(node.body, node.name)
            case s.WordsBody(words=variants):
                type_ = self._words(node, variants)
            case s.RecordBody():
                type_ = self._record(node, node.body)
        self._open.pop()
        self.symbols.types[node.name] = type_

    def _too_large(self, node: s.TypeDeclaration, count: int) -> t.Never:
        message = f"`{node.name}` has {count} values; {t.LARGEST_DOMAIN} are allowed"
        self.symbols.diagnostics.report(spec_codes.DOMAIN_TOO_LARGE, message, node.name.span)
        return t.Never()

    def _fields(self, parameters: tuple[s.Parameter, ...]) -> tuple[tuple[str, t.Type], ...]:
        """Resolve the fields of a record or word; a faulty field has the type `Never`."""
        fields: dict[str, t.Type] = {}
        for parameter in parameters:
            type_ = self.resolve(parameter.type)
            if parameter.name in fields:
                place = parameter.name.span
                message = f"there are two parts `{parameter.name}`"
                self.symbols.diagnostics.report(spec_codes.DUPLICATE_NAME, message, place)
                # Of two parts with one name nobody knows which is meant.
                type_ = t.Never()
            elif t.size(type_) is None:
                message = f"{a(type_)} has no list of values; a part must have one"
                self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, parameter.type.span)
                type_ = t.Never()
            fields[parameter.name] = type_
        return tuple(fields.items())

    def _words(self, node: s.TypeDeclaration, variants: tuple[s.TypeWord, ...]) -> t.Type:
        """Resolve the words of a type. A word with faulty data is kept without values, so that its name is known."""
        cases: dict[str, t.Case] = {}
        for variant in variants:
            if variant.name in cases:
                place = variant.name.span
                message = f"the type has the word `{variant.name}` twice"
                self.symbols.diagnostics.report(spec_codes.DUPLICATE_NAME, message, place)
                # The first word stays, so that its uses are not faults.
                continue
            cases[variant.name] = t.Case(variant.name, self._fields(variant.fields))
        total = sum(combinations(case.fields) for case in cases.values())
        if total > t.LARGEST_DOMAIN:
            return self._too_large(node, total)
        if not self.symbols.allowance.allows(total, node.name, node.name.span):
            return t.Never()
        if any(not self.sound(of) for case in cases.values() for _, of in case.fields):
            self._unsound.add(node.name)
        return t.Words(node.name, tuple(cases.values()))

    def _record(self, node: s.TypeDeclaration, body: s.RecordBody) -> t.Type:
        fields = self._fields(body.fields)
        if any(isinstance(type_, t.Never) for _, type_ in fields):
            return t.Never()
        # The members are counted before they are listed: three fields of 65,536 values would not fit into memory.
        if combinations(fields) > t.LARGEST_DOMAIN:
            return self._too_large(node, combinations(fields))
        if not self.symbols.allowance.allows(combinations(fields), node.name, node.name.span):
            return t.Never()
        members = list(product(*(t.values(type_) for _, type_ in fields)))
        if body.where is not None:
            test = self.constants.satisfies(body.where, fields, node.span)
            members = [member for member in members if test(member)]
            if not members:
                message = f"no value of `{node.name}` meets this condition"
                # Reports about parts of the condition would say the same again.
                self.symbols.checks.drop(body.where.span)
                self.symbols.diagnostics.report(spec_codes.OUT_OF_RANGE, message, body.where.span)
                return t.Never()
        return t.Record(node.name, fields, tuple(members))


def collection_of(kind: Literal["set", "bag", "list"], of: t.Type, most: int | None = None) -> t.Type:
    match kind:
        case "set":
            return t.SetOf(of, most)
        case "bag":
            return t.BagOf(of, most)
        case "list":
            return t.ListOf(of, most)


def combinations(fields: tuple[tuple[str, t.Type], ...]) -> int:
    total = 1
    for _, type_ in fields:
        total *= t.size(type_) or 0
    return total
