"""What nobody has confirmed yet: clauses of which it is not said what some text of the game makes of them.

A text states a clause, varies it, or is silent, and each has its lines; what is in its lacuna nobody can know, and what
a summary leaves out says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludex.grammar import Diagnostic

from ..loading.loader import GameText
from ..text.attestation import rules_unconfirmed, witnessed
from ..text.clauses import name_span
from .codes import TEXT_NOT_CONFIRMED


def not_confirmed(text: GameText) -> Iterator[Diagnostic]:
    """One report for each clause; nothing for a game of one text."""
    for found, missing in rules_unconfirmed(witnessed(text.declarations, text.texts)):
        names = " and ".join(f"`{name}`" for name in missing)
        message = f"it is not said whether {names} {'states' if len(missing) == 1 else 'state'} `{found.clause.path}`"
        hint = f"cite the lines, write a variant, or mark the silence: `silent {missing[0]} [{missing[0]} 12]`"
        yield Diagnostic(TEXT_NOT_CONFIRMED, message, name_span(found.clause.node), hint)
