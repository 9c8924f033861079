"""Elaboration of declarations to the typed model, for one table: name resolution, type and range inference."""

from __future__ import annotations

from .declared import declared as declared
from .elaboration import Elaborated as Elaborated
from .elaboration import Elaboration as Elaboration
from .scope import ExpressionKey as ExpressionKey
from .scope import key_of as key_of
from .symbols import Setting as Setting
from .symbols import Symbols as Symbols
from .symbols import spelled as spelled
