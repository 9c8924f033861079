"""Bodies of units after redundancy elimination, which hoists nothing that may fail or that somebody may not see."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any

from ludex.spec import model as m

from ...information.decision_visibility import Concealment
from ..ir import code as c
from ..ir.failing import Failing
from ..ir.traversal import each_expression, parts
from .estimates import CodeCosts
from .redundancy import RedundancyElimination
from .scope import UnitScope


class UnitBodies:
    """Makes the bodies of a program's units. costs: of its code."""

    def __init__(self, game: m.Game, program: c.Program, concealment: Concealment, costs: CodeCosts) -> None:
        self._program, self._costs = program, costs
        self._failing = Failing(program)
        concealed = chain(*(range(each.offset, each.offset + each.count) for each in concealment.elements))
        # The cells of routines may hold what was read from a concealed element; without any, all cells are open.
        self._open_cells = {*range(game.cell_count)} - {*concealed} if concealment.elements else range(10**9)
        self._seen: dict[int, bool] = {}

    def shared(self, scope: UnitScope) -> c.Body:
        """Return the body of a unit after redundancy elimination."""

        def may_ask(expr: c.Expr) -> bool:
            """An unseen value must not be hoisted, nor a fact that was left to the play that reaches it."""
            is_left = isinstance(expr, c.Call) and self._program.units[expr.unit].keeps == "always"
            return not is_left and not self.may_fail(expr) and self._is_open(expr)

        cost = partial(self._costs.of_expression, depth=0)
        elimination = RedundancyElimination(cost, may_ask, self._failing, lambda: next(scope.numbers))
        return elimination.unit(tuple(scope.out))

    def may_fail(self, *nodes: Any) -> bool:
        """Return whether statements or expressions, or units that they call, may fail because they have no value."""
        return self._failing.may_fail(*nodes)

    def _is_open(self, expr: c.Expr) -> bool:
        """Return whether the expression reads only what everybody can see."""
        match expr:
            case c.Load(base=base) if base not in self._open_cells:
                return False
            case c.Call(unit=unit):
                if unit not in self._seen:
                    self._seen[unit] = False  # a recursive unit is assumed total while it is being examined
                    body = self._program.units[unit].body
                    self._seen[unit] = bool(body) and all(map(self._is_open, each_expression(body)))
                if not self._seen[unit]:
                    return False
        return all(map(self._is_open, parts(expr)))
