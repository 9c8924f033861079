"""The compiled engine: one lowering of a game into a program, and printers that turn programs into code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .engine import Compiled as Compiled
    from .engine import Drawn as Drawn
    from .limits import COMPACT as COMPACT
    from .limits import WIDE as WIDE
    from .limits import Limits as Limits
    from .lowering import lower as lower
    from .runtime import Fault as Fault
    from .sight import Glimpse as Glimpse
    from .state import State as State
    from .stored import kept_program as kept_program
    from .stored import program_from_json as program_from_json
    from .stored import program_to_json as program_to_json
    from .text import listing as listing
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
