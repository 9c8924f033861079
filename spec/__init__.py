"""What a spec says: the typed model, layers and editions, components, citations and coverage; and the games as data."""

from __future__ import annotations

from . import model as model
from . import types as types
from .codes import SPEC_CODES as CODES
from .jsonvalues import JsonFault as JsonFault
from .jsonvalues import definitions as definitions
from .jsonvalues import from_json as from_json
from .jsonvalues import schema as schema
from .jsonvalues import show as show
from .jsonvalues import to_json as to_json
from .jsonvalues import validator as validator
from .jsonvalues import words_of as words_of
from .loader import Request as Request
from .loader import build as build
from .loader import check_game as check_game
from .loader import load as load
from .loader import read_game as read_game
from .loader import shipped_games as shipped_games
from .model import Game as Game
