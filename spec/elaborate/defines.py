"""Elaboration of facts and defines on demand, so that a file may have them in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ludex.grammar import Identifier, Note, Span, nodes_in
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..budget import OverBudget
from ..model.analysis import may_change, reads_state
from ..model.evaluation import NotConstant, NotKnown, value_of
from ..model.graphs import reachable
from ..model.traversal import nodes
from ..values.faults import SpecFault
from ..values.types import Range, Type, Value, contains
from .expressions import ExpressionElaborator
from .scope import RoutineSlots, Scope, is_poison
from .symbols import ConstantFunction, DefineFunction, Faulty, FunctionSymbol, Later, Symbols
from .value_bodies import ValueBodies

if TYPE_CHECKING:
    from .type_resolver import TypeResolver


class Defines:
    """Looks functions up by name; elaborates facts and defines on demand.

    Attributes:
        pending: the facts and defines that are not elaborated yet; options: the options.
        done: the elaborated defines.
    """

    def __init__(self, symbols: Symbols, types: TypeResolver) -> None:
        self.symbols = symbols
        self.types = types
        self.expressions = ExpressionElaborator(symbols, self)
        self.bodies = ValueBodies(symbols, self.expressions)
        self.pending = {str(node.name): node for node in symbols.declared.each(s.ValueDeclaration)}
        self.done: dict[str, m.Define] = {}
        self.options: dict[str, Callable[[], None]] = {}
        self._open: list[str] = []

    @property
    def asking(self) -> str | None:
        """The name of the fact or define that is being elaborated."""
        return self._open[-1] if self._open else None

    def function(self, name: Identifier, span: Span) -> FunctionSymbol | None:
        """Return the function of a name, elaborated at least to its type; None if it is faulty, which is reported
        once."""
        if name in self.options:
            # The option is removed first, so that one that asks for itself is not evaluated again.
            option = self.options.pop(name)
            self._below(name, span, lambda: self._option(name, option))
        elif name in self.pending:
            pending = self.pending.pop(name)
            self._below(name, span, lambda: self._elaborate(pending))
        elif name in self._open:
            self._recursive(name)
        return self.symbols.functions.get(name)

    def _below(self, name: str, span: Span, work: Callable[[], None]) -> None:
        """Elaborate a define that another one refers to, unless the recursion is too deep."""
        if not self.symbols.allowance.goes_down(name, span, work):
            self.symbols.functions[name] = Faulty()

    def _option(self, name: str, work: Callable[[], None]) -> None:
        self._open.append(name)
        work()
        self._open.pop()

    def asks_for_later(self, name: str) -> bool:
        """Return whether a define reads states or zones, which do not exist yet while sizes are computed."""
        node = self.pending.get(name)
        # The syntax decides this: the define is not elaborated, as its types may need the very size that asks for it.
        if node is None or node.kind == "fact" or not self.symbols.has_later:
            return False
        used = reachable([name], self._names_in_pending)
        return any(isinstance(self.symbols.functions.get(each), Later) for each in used)

    def _names_in_pending(self, name: str) -> Iterator[str]:
        body = self.pending[name].body if name in self.pending else ()
        return (str(part.name) for part in nodes_in(body) if isinstance(part, s.Name))

    def all(self) -> None:
        """Elaborate the declarations that nothing has referred to yet."""
        # Each may elaborate others on the way, so that the next one is looked up every time.
        while self.pending:
            node = next(iter(self.pending.values()))
            self.function(node.name, node.span)

    def known(self, node: m.Expr, message: str, slots: Mapping[int, Value] | None = None) -> tuple[Value] | None:
        """Return the value of a constant expression in a tuple (the value may be None); None if a fault was reported.

        message: the report for an expression that depends on play. slots: the values of its local names."""
        try:
            return (value_of(node, slots, self.done, meter=self.symbols.allowance.meter),)
        except NotKnown:
            pass
        except NotConstant:
            self.symbols.diagnostics.report(spec_codes.NOT_CONSTANT, message, (self.in_play(node) or node).span)
        except SpecFault as fault:
            self.no_value("this", fault, node)
        return None

    def no_value(self, what: str, fault: SpecFault, asking: m.Expr) -> None:
        """Report why an expression has no value, at the place of the fault. asking: the expression."""
        if isinstance(fault, OverBudget):
            self.symbols.allowance.exceeded(fault)
            return
        # A fault in another define needs both places: where it is, and who asked.
        # A path begins with the declaration that it is in.
        elsewhere = fault.path is not None and fault.path.partition(".")[0] != self.asking
        notes = (Note("it is asked for here", asking.span),) if elsewhere else ()
        clause = f" (in {fault.path})" if elsewhere else ""
        message = f"{what} has no value: {fault.message}{clause}"
        self.symbols.diagnostics.report(spec_codes.NOT_CONSTANT, message, fault.span, notes=notes)

    def _elaborate(self, node: s.ValueDeclaration) -> None:
        self._open.append(node.name)
        scope = Scope(RoutineSlots(node.name), node.name)
        parameters: dict[str, Type] = {}
        for parameter in node.parameters:
            type_ = self.types.resolve(parameter.type)
            scope, _ = self.expressions.bind(parameter.name, type_, "parameter", scope)
            parameters.setdefault(parameter.name, type_)
        declared = self.types.resolve(node.type) if node.type else None
        head = DefineFunction(node, tuple(parameters.items()), declared)
        # The define is entered before its body, which may call it again.
        self.symbols.functions[node.name] = head
        body = self.bodies.value(node.body, scope, declared)
        if declared is not None:
            body = self.expressions.fit(body, declared, scope)
        self._finish(node, head, scope, body)
        self.symbols.uses.frames.append(scope.frame)
        self._open.pop()

    def _finish(self, node: s.ValueDeclaration, head: DefineFunction, scope: Scope, body: m.Expr) -> None:
        if is_poison(body):
            # With parameters its calls are still checked for their arguments.
            self.symbols.functions[node.name] = replace(head, result=None) if node.parameters else Faulty()
            return
        if node.kind == "fact" and (asked := self.in_play(body)):
            self._changes(node, asked)
            return
        if node.kind == "fact" and not node.parameters:
            self._fact(node, body, head, scope)
            return
        self._define(node, head, scope, body)

    def _define(self, node: s.ValueDeclaration, head: DefineFunction, scope: Scope, body: m.Expr) -> None:
        result = head.result or body.type
        cycle = self.expressions.wanted(node.cycle, result, scope) if node.cycle else None
        # Calls from here on need the type of the result.
        self.symbols.functions[node.name] = replace(head, result=result)
        self.done[node.name] = m.Define(node.name, head.parameters, result, body, cycle, scope.frame.size, node.span)

    def _changes(self, node: s.ValueDeclaration, asked: m.Expr) -> None:
        message = f"this value changes during play, and the fact `{node.name}` cannot"
        self.symbols.diagnostics.report(spec_codes.NOT_CONSTANT, message, asked.span, "make it a `define`")
        self.symbols.functions[node.name] = Faulty()

    def in_play(self, node: m.Expr) -> m.Expr | None:
        """Return the first part of an expression that is not constant, or None."""
        # The first one is enough for a report.
        return next(filter(self._in_play, nodes(node)), None)

    def _in_play(self, node: object) -> bool:
        """Return whether a node itself, or a define that it calls, reads the state."""
        called = self.done.get(node.name) if isinstance(node, m.CallDefine) else None
        return reads_state(node) or may_change(self.done, called)

    def _fact(self, node: s.ValueDeclaration, body: m.Expr, head: DefineFunction, scope: Scope) -> None:
        """Elaborate a fact to its value."""
        try:
            value = value_of(body, {}, self.done, path=node.name, meter=self.symbols.allowance.meter)
        except NotKnown:
            self.symbols.functions[node.name] = Faulty()
            return
        except SpecFault as fault:
            self.no_value(f"the fact `{node.name}`", fault, body)
            self.symbols.functions[node.name] = Faulty()
            return
        type_ = self._narrowed(body.type, value)
        self.symbols.functions[node.name] = ConstantFunction(type_, value)

    def _narrowed(self, type_: Type, value: Value) -> Type:
        """Narrow the range of a constant number to its value, unless its declared range is used."""
        return Range(value, value) if isinstance(type_, Range) and contains(type_, value) else type_

    def _recursive(self, name: Identifier) -> None:
        """Check a recursive call of a define: its type has to be declared, and some define of the cycle needs
        `cycle`."""
        links = self._open[self._open.index(name) :]
        head = self.symbols.functions.get(name)
        declaration = head.declaration if isinstance(head, DefineFunction) else None
        hint = "break the cycle: a fact cannot have a `cycle` value"
        if declaration and declaration.cycle is not None and declaration.type is not None:
            return
        if any(self._breaks(link) for link in links):
            if declaration and declaration.type is not None:
                return
            message = f"`{name}` is recursive, so its type must be declared"
            hint = f"declare it: `define {name}...: TYPE`"
        else:
            message = f"`{name}` needs its own value: {' -> '.join((*links, name))}"
            if declaration and declaration.kind == "define":
                hint = f"give the value of a recursive call: `define {name}...: TYPE cycle VALUE = ...`"
        notes = tuple(note for link in links for note in self.symbols.declared.notes(link))
        self.symbols.diagnostics.report(spec_codes.ENDLESS_DEFINE, message, name.span, hint, notes)
        # Later uses would report the same cycle again.
        if isinstance(head, DefineFunction):
            self.symbols.functions[name] = Faulty()

    def _breaks(self, name: str) -> bool:
        head = self.symbols.functions.get(name)
        return isinstance(head, DefineFunction) and head.declaration.cycle is not None
