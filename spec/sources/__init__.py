"""Source texts of a spec: fingerprints, citations, coverage, number accounting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .citations import check_sources as check_sources
    from .contrasting_words import differing_words as differing_words
    from .contrasting_words import pieces as pieces
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
    from .game_citations import cited_game as cited_game
    from .game_citations import sources_folder as sources_folder
    from .missing_attestation import not_confirmed as not_confirmed
    from .numbers import NumberAccount as NumberAccount
    from .numbers import NumberState as NumberState
    from .numbers import account_numbers as account_numbers
    from .numbers import number_findings as number_findings
    from .source_codes import SOURCE_CODES as SOURCE_CODES
    from .texts import CitedGame as CitedGame
    from .texts import Source as Source
    from .update_files import Confirm as Confirm
    from .update_files import Recorded as Recorded
    from .update_files import record as record
    from .update_files import write_recorded as write_recorded
    from .whole_check import WholeCheck as WholeCheck
    from .whole_check import check as check
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
