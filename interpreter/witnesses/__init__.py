"""Search for witnesses of a difference between texts or specs: recorded games that show its effect (`ludex diff`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .row_plays import kept_games as kept_games
    from .row_plays import play_all as play_all
    from .row_result import RowResult as RowResult
    from .row_result import SearchLimits as SearchLimits
    from .row_search import RowPlayer as RowPlayer
    from .shown_witness import Response as Response
    from .shown_witness import ShownWitness as ShownWitness
    from .shown_witness import Side as Side
    from .table_contents import cells_of as cells_of
    from .witness_replay import SideReplay as SideReplay
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
