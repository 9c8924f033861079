"""Relowering: a unit that is called often is lowered again, for speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.spec import deeper_recursion
from ludex.spec import model as m

from ...information.decision_visibility import Concealment
from ..ir import code as c
from ..ir.limits import Limits
from ..ir.refusals import Refusals
from .frames import lowering

if TYPE_CHECKING:
    from ..lowering.passes import Lowering


class Relowering:
    """A program, and what lowers units of it again.

    program: the lowered game, if there is one already. The game is then lowered when a unit is to be lowered again.

    Attributes:
        program: the program of the game within the limits. Units that are lowered again keep their numbers.
        concealment: of the program's game.
    """

    def __init__(self, game: m.Game, limits: Limits, program: c.Program | None = None) -> None:
        self._game, self._limits = game, limits
        self._lowering: Lowering | None = None
        if program is None:
            self._lowering = self._lowered()
            program = self._lowering.program
        self.program = program
        self.concealment = self._lowering.x.concealment if self._lowering else Concealment(program.game)
        self._refusals = self._lowering.flow.refusals if self._lowering else None

    def __call__(self, unit: int) -> bool:
        """Lower a unit again, for speed, and return whether that was possible."""
        if self._lowering is None:
            self._lowering, own = self._lowered(), self.program
            # A program that somebody else changed or made has other units, or the same in another order.
            if self._lowering.program.complete() != own:
                return False
            self._lowering.program.units = own.units
        return self._lowering.program.units is self.program.units and self._lowering.x.again(unit)

    def refusals(self) -> Refusals:
        """Return the places of the program from which a requirement may be reached before the next event."""
        if self._refusals is None:
            self._refusals = Refusals.of(self.program)
        return self._refusals

    def _lowered(self) -> Lowering:
        with deeper_recursion(self._game.budget):
            return lowering(self._game, self._limits)
