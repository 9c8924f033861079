"""The command line: click commands, output to terminal and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .view.referee_view import drawn_position as drawn_position
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
