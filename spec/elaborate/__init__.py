"""From declarations to the typed model, for one table: names resolved, types found, ranges inferred."""

from __future__ import annotations

from .elaboration import Elaborated as Elaborated
from .elaboration import Elaboration as Elaboration
from .elaboration import Setting as Setting
from .world import spelled as spelled
