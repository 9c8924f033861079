"""What one reading of a clause is against another: equal, stricter, looser or neither; and a small state that shows
it."""

from __future__ import annotations

from .decide import Limits as Limits
from .decide import decide as decide
from .decision import EQUAL as EQUAL
from .decision import Decision as Decision
from .decision import Direction as Direction
from .decision import Meaning as Meaning
from .decision import Situation as Situation
from .decision import both as both
from .decision import resting as resting
from .decision import together as together
from .decision import unread as unread
from .forms import used_defines as used_defines
from .solving import has_solver as has_solver
