"""Elaboration of declarations to the typed model, for one table: name resolution, type and range inference."""

from __future__ import annotations

from .elaboration import Elaborated as Elaborated
from .elaboration import Elaboration as Elaboration
from .elaboration import Setting as Setting
from .scope import Key as Key
from .scope import key_of as key_of
from .symbols import spelled as spelled
