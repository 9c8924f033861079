"""Summary of an edition's clauses by origin: own, borrowed, ruled."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from ludex.spec import Account, Game, Origin

from ..reporting import words


def account_words(account: Account) -> str:
    """Write the counts: `38 clauses of its own, 57 borrowed (52 from ru, 5 from he), 12 ruled, 27 shared`, without
    zeros."""
    counts = account.counts
    parts = [words("origin-own", count=counts[Origin.OWN])]
    if counts[Origin.BORROWED]:
        parts.append(_borrowed(counts[Origin.BORROWED], account.lenders))
    others = (Origin.RULED, Origin.CONVENTION, Origin.SHARED)
    # An origin without clauses is left out.
    parts += [words(f"origin-{origin.value}", count=counts[origin]) for origin in others if counts[origin]]
    return ", ".join(parts)


def _borrowed(count: int, lenders: Mapping[str, int]) -> str:
    if len(lenders) == 1:
        return words("origin-borrowed", count=count, text=next(iter(lenders)))
    texts = tuple(words("origin-from", count=each, text=text) for text, each in lenders.items())
    return words("origin-borrowed-several", count=count, texts=texts)


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
    # The account is counted from the clauses in force, so it fits both silences.
    summary = account_words(Account.of(game.clauses.values()))
    if literal:
        summary = words("origin-literal", words=summary)
    silence = " --silence literal" if literal else ""
    # The name is quoted, so that the command can be copied.
    command = f"ludex show --merged {game.edition}{silence} {shlex.quote(named)}"
    return words("origin-command", words=summary, command=command)


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
