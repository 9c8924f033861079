"""The reference: what a game means, by a walk over its typed tree, without memo, folding, bounds or shortcut."""

from __future__ import annotations

from .engine import Reference as Reference
from .routines import Routine as Routine
from .routines import routines_of as routines_of
from .run import Rules as Rules
from .run import Run as Run
from .state import DECLINED as DECLINED
from .state import Frame as Frame
from .state import State as State
