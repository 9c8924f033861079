"""Elaboration of states and zones: their types, their number, and their cells in the state vector."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import a
from ..values.types import LARGEST_DOMAIN, ComponentType, Never, PlayerType, Type, size
from .scope import RoutineSlots, Scope, is_poison
from .symbols import ElementFunction, Faulty, Symbols
from .type_resolver import TypeResolver


@dataclass(frozen=True, slots=True)
class Elements:
    """Makes the elements of the state from their declarations."""

    symbols: Symbols
    types: TypeResolver

    def all(self) -> tuple[m.Element, ...]:
        """Return the elements, each with its offset in the state vector and its initial value."""
        offset = 0
        elements = []
        for node in self.symbols.declared.in_force:
            if not isinstance(node, s.ZoneDeclaration | s.StateDeclaration):
                continue
            element = self._element(node, offset)
            if element is not None:
                elements.append(element)
                self.symbols.functions[node.name] = ElementFunction(element)
                offset += element.count
        # First values may use facts, and facts may not read states or zones. To report such a read, all elements have
        # to be declared before.
        nodes: dict[str, s.StateDeclaration] = {
            node.name: node for node in self.symbols.declared.in_force if isinstance(node, s.StateDeclaration)
        }
        return tuple(self._initialised(element, nodes.get(element.name)) for element in elements)

    def _element(self, node: s.ZoneDeclaration | s.StateDeclaration, offset: int) -> m.Element | None:
        indices = tuple(self.types.resolve(index) for index in node.indices)
        value_type = self.types.resolve(node.of if isinstance(node, s.ZoneDeclaration) else node.type)
        if isinstance(value_type, Never) or any(isinstance(index, Never) for index in indices):
            self.symbols.functions[node.name] = Faulty()
            return None
        count = self._cells(node, indices)
        if count is None:
            self.symbols.functions[node.name] = Faulty()
            return None
        visibility = node.visibility or "open"
        if visibility == "private" and not (indices and isinstance(indices[0], PlayerType)):
            what = "zone" if isinstance(node, s.ZoneDeclaration) else "state"
            message = f"a private {what} needs a player as its first index: the one who sees it"
            self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, node.name.span, f"`{node.name}(Player)`")
        if isinstance(node, s.ZoneDeclaration) and size(value_type) is None:
            self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, f"a piece cannot be {a(value_type)}", node.of.span)
            self.symbols.functions[node.name] = Faulty()
            return None
        kind = node.shape if isinstance(node, s.ZoneDeclaration) else "state"
        most = self._most(node, value_type) if isinstance(node, s.ZoneDeclaration) else None
        return m.Element(node.name, kind, indices, value_type, visibility, offset, count, None, node.span, most)

    def _most(self, node: s.ZoneDeclaration, held: Type) -> int | None:
        """Return the capacity of a pile or bag, if it is declared or follows from a component."""
        if node.most is not None:
            return self.types.constants.integer(node.most)
        return sum(held.copies) if isinstance(held, ComponentType) and node.shape != "one" else None

    def _cells(self, node: s.ZoneDeclaration | s.StateDeclaration, indices: tuple[Type, ...]) -> int | None:
        count = 1
        for index, written in zip(indices, node.indices, strict=True):
            values = size(index)
            if values is None:
                message = f"{a(index)} cannot be an index: it has no list of values"
                self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, written.span)
                return None
            count *= values
        # Each place has a cell in every state, and a state is copied for every trial.
        if count > LARGEST_DOMAIN:
            message = f"`{node.name}` has {count} places; {LARGEST_DOMAIN} are allowed"
            self.symbols.diagnostics.report(spec_codes.DOMAIN_TOO_LARGE, message, node.name.span)
            return None
        return count if self.symbols.allowance.allows(count, node.name, node.name.span) else None

    def _initialised(self, element: m.Element, node: s.StateDeclaration | None) -> m.Element:
        if node is None or node.initial is None:
            return element
        defines = self.types.constants.defines
        initial = defines.expressions.wanted(
            node.initial, element.type, Scope(RoutineSlots(element.name), element.name)
        )
        if is_poison(initial):  # the declared type may be wrong, so uses of the state are not reported
            self.symbols.functions[element.name] = Faulty()
            return element
        value = defines.known(initial, "a first value must be known before play")
        if value is None:
            return element
        element = replace(element, initial=m.Constant(element.type, node.initial.span, *value))
        self.symbols.functions[element.name] = ElementFunction(element)
        return element
