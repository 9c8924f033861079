"""What a spec says: the typed model, layers and editions, components, citations and coverage; and the games as data."""

from __future__ import annotations

from . import jsonvalues as jsonvalues
from . import model as model
from . import types as types
from .cited import Checked as Checked
from .cited import check as check
from .cited import cited_game as cited_game
from .cited import sources_folder as sources_folder
from .codes import SPEC_CODES as SPEC_CODES
from .components import COMPONENT_CODES as COMPONENT_CODES
from .components import component_schema as component_schema
from .components import yamltree as yamltree
from .coverage import Coverage as Coverage
from .coverage import DocumentCoverage as DocumentCoverage
from .coverage import LineState as LineState
from .coverage import coverage_findings as coverage_findings
from .coverage import legend as legend
from .coverage import listing_text as listing_text
from .coverage import measure as measure
from .coverage import strip as strip
from .coverage import strip_text as strip_text
from .coverage import summary_text as summary_text
from .coverage import textless_text as textless_text
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
from .loader import read_game as read_game
from .loader import shipped_games as shipped_games
from .model import Game as Game
from .source_codes import SOURCE_CODES as SOURCE_CODES
from .sources import CitedGame as CitedGame
from .sources import Source as Source
from .sources_check import check_sources as check_sources
from .sources_numbers import NumberAccount as NumberAccount
from .sources_numbers import NumberState as NumberState
from .sources_numbers import account_numbers as account_numbers
from .sources_numbers import number_findings as number_findings
from .sources_record import Confirm as Confirm
from .sources_record import Recorded as Recorded
from .sources_record import record as record
from .sources_record import write_recorded as write_recorded
from .stages import Declared as Declared
from .stages import declared as declared

CODES = SPEC_CODES
