"""Texts that a spec rests on: fingerprints, citations, coverage both ways, an account of every number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .citations import check_sources as check_sources
    from .cited import Checked as Checked
    from .cited import check as check
    from .cited import cited_game as cited_game
    from .cited import sources_folder as sources_folder
    from .codes import SOURCE_CODES as SOURCE_CODES
    from .confirming import not_confirmed as not_confirmed
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
    from .differing import differing_words as differing_words
    from .differing import pieces as pieces
    from .numbers import NumberAccount as NumberAccount
    from .numbers import NumberState as NumberState
    from .numbers import account_numbers as account_numbers
    from .numbers import number_findings as number_findings
    from .recording import Confirm as Confirm
    from .recording import Recorded as Recorded
    from .recording import record as record
    from .recording import write_recorded as write_recorded
    from .texts import CitedGame as CitedGame
    from .texts import Source as Source
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
