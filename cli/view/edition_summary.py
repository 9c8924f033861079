"""Summary of an edition's clauses by origin: own, borrowed, ruled."""

from __future__ import annotations

import shlex
from typing import Any

from ludex.spec import Account, Game, Origin

from ..reporting.diagnostics import plural


def account_words(account: Account) -> str:
    """Write the counts: `38 clauses of its own, 57 borrowed (52 from ru, 5 from he), 12 ruled, 27 shared`, without
    zeros."""
    counts = account.counts
    parts = [f"{plural(counts[Origin.OWN], 'clause')} of its own"]
    if counts[Origin.BORROWED]:
        parts.append(f"{counts[Origin.BORROWED]:,} borrowed {_lenders(account)}")
    others = ((Origin.RULED, "ruled"), (Origin.CONVENTION, "by convention"), (Origin.SHARED, "shared"))
    parts += [f"{counts[origin]:,} {words}" for origin, words in others if counts[origin]]
    return ", ".join(parts)


def _lenders(account: Account) -> str:
    lenders = account.lenders
    if len(lenders) == 1:
        return f"from {next(iter(lenders))}"
    return f"({', '.join(f'{count:,} from {text}' for text, count in lenders.items())})"


def origin_words(origin: Origin | None, stated_by: str | None) -> str:
    """Name the origin of one clause: `own`, `from ru`, `ruled`, `convention`, `shared`."""
    if origin is Origin.BORROWED:
        return f"from {stated_by}"
    return origin.value if origin else ""


# ---- the edition that is played, in the report of a run -------------------------------------------------------------


def edition_row(game: Game, named: str) -> str | None:
    """Write the summary: `38 clauses of its own, 34 borrowed from ru, 13 ruled (ludex show --merged aid boreal)`.

    None for a game of one text. named: the game, as the user wrote it.
    """
    if len(game.editions) < 2:
        return None
    literal = game.silence == "literal"
    words = account_words(Account.of(game.clauses.values()))
    summary = f"{words}; what only other texts state is left out" if literal else words
    silence = " --silence literal" if literal else ""
    return f"{summary} (ludex show --merged {game.edition}{silence} {shlex.quote(named)})"


def edition_json(game: Game) -> dict[str, Any]:
    """Write the summary as JSON, with the borrowed and ruled clauses."""
    account = Account.of(game.clauses.values())
    return {
        "edition": game.edition,
        "silence": game.silence,
        "clauses": {origin.value: count for origin, count in account.counts.items()},
        "lenders": dict(account.lenders),
        "borrowed": [{"clause": each.path, "stated_by": each.stated_by} for each in account.borrowed],
        "ruled": [{"clause": each.path, "stated_by": each.stated_by} for each in account.ruled],
    }
