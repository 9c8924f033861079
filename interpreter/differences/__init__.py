"""What differences between texts or specs do in play: the search behind `ludex diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .played import Limits as Limits
    from .played import Played as Played
    from .playing import kept_games as kept_games
    from .playing import play_all as play_all
    from .rows import Table as Table
    from .rows import Tell as Tell
    from .showing import Course as Course
    from .shown import Answer as Answer
    from .shown import Shown as Shown
    from .shown import Side as Side
    from .tables import cells_of as cells_of
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
