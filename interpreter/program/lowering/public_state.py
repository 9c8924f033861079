"""Veiling: which values are unknown to the public, in programs that answer questions about the public state themselves.

Such a program runs on a state in which concealed pieces are veiled. Where a result depends on a veiled piece, the code
says so, and `Doubt` says what to assume.
"""

from __future__ import annotations

from itertools import chain

from ludex.spec import model as m
from ludex.spec import nodes, per_node, statements
from ludex.spec import types as t

from ...information.decision_visibility import Concealed, Concealment


class Veiling:
    """Decides what may be veiled: nothing, if no decision depends on concealed values.

    elements: the elements whose contents may be veiled.
    """

    def __init__(self, game: m.Game, concealment: Concealment, for_public: bool) -> None:
        """for_public: whether the program answers questions about the public state itself."""
        self._concealment = concealment
        self.elements = self._concealment.elements if for_public and self._reads_veiled(game) else ()
        concealed = self._concealment.elements
        self._closed = frozenset(chain(*(range(e.offset, e.offset + e.count) for e in concealed)))
        # The cells of routines may hold what was read from a concealed element; without any, all cells are open.
        self._open = range(game.cell_count) if concealed else range(10**9)
        self._types = frozenset(element.type for element in self.elements)
        self._cells = frozenset(chain(*(range(e.offset, e.offset + e.count) for e in self.elements)))
        self.may_doubt = per_node(self._may_doubt)
        """Whether a node's value may depend on veiled pieces."""

    def _reads_veiled(self, game: m.Game) -> bool:
        return any(
            isinstance(step, m.Asking) and self._concealment.of(routine.name, step) is Concealed.CELLS
            for routine in game.routines
            for step in statements(routine)
        )

    def is_veiled(self, cell: int) -> bool:
        """Return whether the contents of the cell may be veiled."""
        return cell in self._cells

    def is_open(self, cell: int) -> bool:
        """Return whether everybody may read the cell, in every state."""
        return cell in self._open and cell not in self._closed

    def may_be_veiled(self, of: t.Type) -> bool:
        """Return whether a value of this type may be, or contain, a veiled piece."""
        inside = t.strip_optional(of)
        element = t.element_type(inside)
        return inside in self._types or (element is not None and self.may_be_veiled(element))

    def _may_doubt(self, node: m.Expr | m.Requirement) -> bool:
        return bool(self.elements) and (
            self._concealment.names.looks(node)
            or any(self.may_be_veiled(each.type) for each in nodes(node) if isinstance(each, m.Local))
        )
