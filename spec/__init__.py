"""What a spec says: the typed model, layers and editions, components, citations and coverage; and the games as data."""

from __future__ import annotations

from . import jsonvalues as jsonvalues
from . import model as model
from . import types as types
from .codes import SPEC_CODES as SPEC_CODES
from .components import COMPONENT_CODES as COMPONENT_CODES
from .components import component_schema as component_schema
from .components import yamltree as yamltree
from .jsonvalues import JsonFault as JsonFault
from .jsonvalues import definitions as definitions
from .jsonvalues import from_json as from_json
from .jsonvalues import schema as schema
from .jsonvalues import show as show
from .jsonvalues import to_json as to_json
from .jsonvalues import validator as validator
from .jsonvalues import words_of as words_of
from .loader import Built as Built
from .loader import GameText as GameText
from .loader import Request as Request
from .loader import build as build
from .loader import check_game as check_game
from .loader import find as find
from .loader import load as load
from .loader import path_of as path_of
from .loader import read_game as read_game
from .loader import shipped_games as shipped_games
from .loader import shown_path as shown_path
from .model import Game as Game
from .sources import SOURCE_CODES as SOURCE_CODES
from .sources import Checked as Checked
from .sources import CitedGame as CitedGame
from .sources import Confirm as Confirm
from .sources import Coverage as Coverage
from .sources import DocumentCoverage as DocumentCoverage
from .sources import LineState as LineState
from .sources import NumberAccount as NumberAccount
from .sources import NumberState as NumberState
from .sources import Recorded as Recorded
from .sources import Source as Source
from .sources import account_numbers as account_numbers
from .sources import check as check
from .sources import check_sources as check_sources
from .sources import cited_game as cited_game
from .sources import coverage_findings as coverage_findings
from .sources import legend as legend
from .sources import listing_text as listing_text
from .sources import measure as measure
from .sources import number_findings as number_findings
from .sources import record as record
from .sources import sources_folder as sources_folder
from .sources import strip as strip
from .sources import strip_text as strip_text
from .sources import summary_text as summary_text
from .sources import textless_text as textless_text
from .sources import write_recorded as write_recorded
from .stages import Declared as Declared
from .stages import declared as declared

CODES = SPEC_CODES
