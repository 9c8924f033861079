"""Collation: independent transcriptions become one text with an apparatus, and their differences are decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .clause_tree import plain_clauses as plain_clauses
    from .collating import Collated as Collated
    from .collating import collate as collate
    from .collation_check import check_collation as check_collation
    from .collation_codes import COLLATION_CODES as COLLATION_CODES
    from .open_items import SORTS as SORTS
    from .open_items import Item as Item
    from .text_decisions import DECISIONS_FILE as DECISIONS_FILE
    from .text_decisions import TextDecision as TextDecision
    from .text_decisions import decisions_schema as decisions_schema
    from .text_decisions import read_decisions as read_decisions
    from .transcription import Transcription as Transcription
    from .transcription import read_transcriptions as read_transcriptions
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
