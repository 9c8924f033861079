"""What a spec says: the typed model, layers and editions, components, citations and coverage; and the games as data."""

from __future__ import annotations

from . import model as model
from . import types as types
from .jsonvalues import JsonFault as JsonFault
from .jsonvalues import definitions as definitions
from .jsonvalues import from_json as from_json
from .jsonvalues import schema as schema
from .jsonvalues import show as show
from .jsonvalues import to_json as to_json
from .jsonvalues import validator as validator
from .jsonvalues import words_of as words_of
from .model import Game as Game
