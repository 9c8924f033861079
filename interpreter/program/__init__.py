"""The compiled engine: a game is lowered once into an intermediate representation, which printers turn into code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .engine.compiled import Compiled as Compiled
    from .engine.listings import Drawn as Drawn
    from .engine.listings import Turn as Turn
    from .engine.observation import Glimpse as Glimpse
    from .engine.playout_arrays import Playouts as Playouts
    from .engine.playout_arrays import checked_threads as checked_threads
    from .engine.playout_arrays import playouts_of as playouts_of
    from .engine.playout_arrays import zeros as zeros
    from .engine.stored import kept_program as kept_program
    from .engine.stored import program_from_json as program_from_json
    from .engine.stored import program_to_json as program_to_json
    from .ir.limits import COMPACT as COMPACT
    from .ir.limits import WIDE as WIDE
    from .ir.limits import Limits as Limits
    from .ir.listing import listing as listing
    from .lowering.passes import lower as lower
    from .python.runtime import Fault as Fault
    from .python.state import State as State
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
