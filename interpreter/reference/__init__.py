"""The reference: the definition of what a game means, a naive interpreter of the typed tree without optimization."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .chance import outcomes_of as outcomes_of
    from .chance import resolve as resolve
    from .control import Mode as Mode
    from .control import Next as Next
    from .decisions import PlayerOption as PlayerOption
    from .decisions import carry_out as carry_out
    from .decisions import option_at as option_at
    from .decisions import options as options
    from .decisions import to_move as to_move
    from .engine import Reference as Reference
    from .judging import halted as halted
    from .judging import judge as judge
    from .judging import objection as objection
    from .judging import stated_by as stated_by
    from .partial_state import seen_by as seen_by
    from .resting import is_at_rest as is_at_rest
    from .run import Rules as Rules
    from .run import Run as Run
    from .run import blank as blank
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
