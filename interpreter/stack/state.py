"""State of a play as a plain value: it can be compared, hashed, and written as JSON (`statejson.py`).

cells: one entry per cell of `game.elements`. A state's cell holds a value; a zone's holds its entries: a piece or None
(`one`), a tuple with the top last (`pile`), a sorted tuple (`bag`). An entry is a piece or, in hidden zones only, a
`Ticket`.
pools: the pieces that the tickets of each pool may turn out to be (`../state/pools.py`).
frames: the routines under way, the innermost last; none: the game is over.

A frame
=======

routine: `setup`, `play`, or an action's name. The outermost is `setup`, and once that is done `play`.
at: the current statement, by its number in the preorder of the routine's body (`routines.py`). In the innermost frame
it awaits an event; in each other one it carries out the next frame: it is a `Perform`, or the decision whose action was
chosen.
slots: the routine's own. Slot 0 is `me`. A dead slot, which is not read before it is written again, is None
(`liveness.py`), so states that differ in nothing else are equal.
kept: the values that the statements around, the outermost first, and then this one need later:

=============================  =======================================================================================
`ForEach`                      for each loop that has begun, the items still to come: a tuple of tuples
`ForEachPlayer`                the players still to come, and the `me` to restore
`AsPlayer`                     the `me` to restore
`RepeatTimes`                  the number of iterations still to come
`DrawPieces`                   the number of pieces still to come, and the cells drawn from and to
`MoveAll`, `MovePiece` of all  the cells moved from and to
`SwapPieces`                   the two cells
`Simultaneous`                 by seat the choice: None (not made yet), `DECLINED`, or an option's number and values
=============================  =======================================================================================

The other statements keep nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ludex.grammar import value_class
from ludex.spec import types as t

from ..state.contents import Pools

StatedChoice: TypeAlias = tuple[int, tuple[t.Value, ...]]
"""An option's number in its decision, and the values of its choices."""
DECLINED: StatedChoice = (-1, ())
"""The choice of a player who declined."""


class Frame(NamedTuple):
    """A routine under way (see the module)."""

    routine: str
    at: int
    slots: tuple[t.Value, ...]
    kept: tuple[Any, ...] = ()


@value_class
class StackState:
    """A state of play (see the module). Equal states have equal futures."""

    cells: tuple[t.Value, ...]
    pools: Pools
    frames: tuple[Frame, ...]
