"""Files of a game as text: headers, clauses, authority, the apparatus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .accounts import Account as Account
    from .apparatus import Filtered as Filtered
    from .apparatus import as_text as as_text
    from .apparatus import filtered_as as filtered_as
    from .attestation import AttestedClause as AttestedClause
    from .attestation import Standing as Standing
    from .attestation import TextStanding as TextStanding
    from .attestation import all_stated as all_stated
    from .attestation import attested as attested
    from .attestation import attested_clauses as attested_clauses
    from .attestation import check_apparatus as check_apparatus
    from .attestation import rules_unconfirmed as rules_unconfirmed
    from .attestation import silences as silences
    from .authority import NEEDS_AUTHORITY as NEEDS_AUTHORITY
    from .authority import without_authority as without_authority
    from .clauses import NOT_OF_THIS_TEXT as NOT_OF_THIS_TEXT
    from .clauses import NOUNS as NOUNS
    from .clauses import Stated as Stated
    from .clauses import collect as collect
    from .clauses import fork_path as fork_path
    from .clauses import key_of as key_of
    from .clauses import numbers_in as numbers_in
    from .clauses import pattern_name as pattern_name
    from .clauses import place_of as place_of
    from .clauses import stated as stated
    from .excerpts import Excerpts as Excerpts
    from .headers import FileHeader as FileHeader
    from .headers import Text as Text
    from .headers import check_picture as check_picture
    from .headers import read_header as read_header
    from .headers import read_texts as read_texts
    from .origins import Footing as Footing
    from .origins import footings as footings
    from .origins import with_origins as with_origins
    from .starting_spec import new_spec as new_spec
    from .terms import check_terms as check_terms
    from .terms import merged_terms as merged_terms
    from .terms import resolved_terms as resolved_terms
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
