"""Elaboration of declarations to the typed model, for one table: name resolution, type and range inference."""

from __future__ import annotations

from .declared import declared_names as declared_names
from .elaboration import Elaborated as Elaborated
from .elaboration import Elaboration as Elaboration
from .scope import ExpressionKey as ExpressionKey
from .scope import expression_key as expression_key
from .symbols import Setting as Setting
from .symbols import Symbols as Symbols
from .symbols import spelled as spelled
