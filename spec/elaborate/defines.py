"""Facts and defines, elaborated when first asked for, so that they may stand in any order."""

from __future__ import annotations

from dataclasses import replace

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..types import Range, Type, Value, contains
from .bodies import Bodies
from .constants import NotConstant, value_of
from .expressions import Expressions
from .scope import Frame, Scope, is_poison
from .typenames import TypeNames
from .world import ConstantFunction, DefineFunction, Faulty, Function, World


class Defines:
    """Looks functions up by name; elaborates facts and defines on demand."""

    def __init__(self, world: World, types: TypeNames) -> None:
        self.world = world
        self.types = types
        self.bodies: Bodies
        self.expressions: Expressions
        self._open: list[str] = []
        self._recursive: set[str] = set()

    def function(self, name: str, span: Span) -> Function | None:
        """The function of that name, elaborated as far as its type; None if it is faulty (reported once)."""
        if name in self.world.pending:
            self._elaborate(self.world.pending.pop(name))
        elif name in self._open:
            self._met_again(name, span)
        return self.world.functions.get(name)

    def all(self) -> None:
        """Elaborate what nothing asked for yet."""
        while self.world.pending:
            self._elaborate(self.world.pending.pop(next(iter(self.world.pending))))

    def compute(self, name: str, arguments: tuple[Value, ...]) -> Value:
        """The value of a define whose body depends on nothing but its arguments; raises NotConstant otherwise."""
        define = self.world.defines.get(name)
        if define is None:
            raise NotConstant(name)
        return value_of(define.body, dict(enumerate(arguments, start=1)), self.compute)

    def _elaborate(self, node: s.ValueDeclaration) -> None:
        self._open.append(node.name)
        scope = Scope(Frame(), node.name)
        parameters = []
        for parameter in node.parameters:
            type_ = self.types.resolve(parameter.type)
            self.expressions.check_new(parameter.name, parameter.span, scope)
            scope, _ = scope.bind(parameter.name, type_, "parameter", parameter.span)
            parameters.append((parameter.name, type_))
        declared = self.types.resolve(node.type) if node.type else None
        head = DefineFunction(node, tuple(parameters), declared)
        self.world.functions[node.name] = head
        body = self.bodies.value(node.body, scope, declared)
        if declared is not None:
            body = self.expressions.fit(body, declared, scope)
        self._finish(node, head, scope, body)
        self._open.pop()

    def _finish(self, node: s.ValueDeclaration, head: DefineFunction, scope: Scope, body: m.Expr) -> None:
        if is_poison(body):
            self.world.functions[node.name] = Faulty()
            return
        if node.kind == "fact" and not node.parameters:
            self._fact(node, body)
            return
        result = head.result or body.type
        cycle = self.expressions.wanted(node.cycle, result, scope) if node.cycle else None
        self.world.functions[node.name] = replace(head, result=result)
        self.world.defines[node.name] = m.Define(
            node.name, head.parameters, result, body, cycle, scope.frame.size, node.span
        )

    def _fact(self, node: s.ValueDeclaration, body: m.Expr) -> None:
        try:
            value = value_of(body, {}, self.compute)
        except NotConstant:
            message = f"the fact `{node.name}` depends on the course of play"
            self.world.report.report(codes.NOT_CONSTANT, message, node.span, "make it a `define`")
            self.world.functions[node.name] = Faulty()
            return
        type_ = self._narrowed(body.type, value)
        if not contains(type_, value):
            message = f"{value} does not lie in {type_}"
            self.world.report.report(codes.OUT_OF_RANGE, message, node.span)
        self.world.functions[node.name] = ConstantFunction(type_, value)

    def _narrowed(self, type_: Type, value: Value) -> Type:
        """A number known before play has a range of one; unless its declared range says more."""
        return Range(value, value) if isinstance(type_, Range) and contains(type_, value) else type_

    def _met_again(self, name: str, span: Span) -> None:
        """A define reached while it is being elaborated: allowed where its type and a `cycle` value are stated."""
        links = self._open[self._open.index(name) :]
        head = self.world.functions.get(name)
        declaration = head.declaration if isinstance(head, DefineFunction) else None
        if declaration and declaration.cycle is not None and declaration.type is not None:
            return
        if any(self._breaks(link) for link in links):
            if declaration and declaration.type is not None:
                return
            message = f"`{name}` is met while it is being computed; its type must be written in its head"
        else:
            message = f"`{name}` needs its own value: {' -> '.join((*links, name))}"
        notes = tuple(Note(f"`{link}` is defined here", self.world.spans.get(link)) for link in links)
        self.world.report.report(codes.ENDLESS_DEFINE, message, span, notes=notes)
        if isinstance(head, DefineFunction):
            self.world.functions[name] = Faulty()

    def _breaks(self, name: str) -> bool:
        head = self.world.functions.get(name)
        return isinstance(head, DefineFunction) and head.declaration.cycle is not None
