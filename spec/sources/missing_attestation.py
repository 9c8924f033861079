"""Check for missing attestation: clauses of which the apparatus does not say whether each text attests them.

A text attests a clause, varies it, or is silent, and cites lines for each. A clause in a text's lacuna, or one that a
summary leaves out, needs no entry.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludex.grammar import Diagnostic

from ..loading.game_text import GameText
from ..text import attested_clauses, rules_unconfirmed
from .source_codes import TEXT_NOT_CONFIRMED


def not_confirmed(text: GameText) -> Iterator[Diagnostic]:
    """Yield one diagnostic for each clause; none for a game of one text."""
    for attested, missing in rules_unconfirmed(attested_clauses(text.declarations, text.texts)):
        names = " and ".join(f"`{name}`" for name in missing)
        message = (
            f"it is not said whether {names} {'states' if len(missing) == 1 else 'state'} `{attested.clause.path}`"
        )
        hint = f"cite the lines, write a variant, or mark the silence: `silent {missing[0]} [{missing[0]} 12]`"
        yield Diagnostic(TEXT_NOT_CONFIRMED, message, attested.clause.node.span.brief, hint)
