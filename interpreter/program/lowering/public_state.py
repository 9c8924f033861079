"""What not everybody sees, in programs that themselves answer what everybody can see.

Such a program runs on a state in which the pieces that lie where not everybody can look are veiled. Where what it asks
for hangs on one of them, it says so, and `Doubt` says what is taken then.
"""

from __future__ import annotations

from itertools import chain

from ludex.spec import model as m
from ludex.spec import nodes, statements
from ludex.spec import types as t

from ...information.decision_visibility import Concealed, Concealment


class Veiling:
    """Tells what may be veiled. Nothing is if no decision hangs on it.

    elements: those whose contents are.
    """

    def __init__(self, game: m.Game, are_asked: bool) -> None:
        """are_asked: whether the program answers such questions itself."""
        self._concealment = Concealment(game)
        self.elements = self._concealment.elements if are_asked and self._are_asked(game) else ()
        concealed = self._concealment.elements
        self._closed = frozenset(chain(*(range(e.offset, e.offset + e.count) for e in concealed)))
        self._open = range(game.cell_count) if concealed else range(10**9)
        self._types = frozenset(element.type for element in self.elements)
        self._cells = frozenset(chain(*(range(e.offset, e.offset + e.count) for e in self.elements)))
        self._doubts: dict[int, bool] = {}

    def _are_asked(self, game: m.Game) -> bool:
        return any(
            isinstance(step, m.Decide | m.Simultaneous) and self._concealment.of(routine.name, step) is Concealed.CELLS
            for routine in game.routines
            for step in statements(routine)
        )

    def is_veiled(self, cell: int) -> bool:
        """Whether not everybody sees what the cell holds."""
        return cell in self._cells

    def is_open(self, cell: int) -> bool:
        """Whether everybody may look at the cell, wherever the question comes up."""
        return cell in self._open and cell not in self._closed

    def may_be_veiled(self, of: t.Type) -> bool:
        """Whether a value of this type may be a veiled piece, or hold one."""
        inside = t.strip_optional(of)
        held = t.element_type(inside)
        return inside in self._types or (held is not None and self.may_be_veiled(held))

    def may_doubt(self, node: m.Expr | m.Requirement) -> bool:
        """Whether its value may hang on what is veiled."""
        if not self.elements:
            return False
        key = id(node)
        if key not in self._doubts:
            locals_ = (each.type for each in nodes(node) if isinstance(each, m.Local))
            self._doubts[key] = self._concealment.names.looks(node) or any(map(self.may_be_veiled, locals_))
        return self._doubts[key]
