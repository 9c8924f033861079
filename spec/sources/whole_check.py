"""The whole check of a game: its tables and its citations.

What finds faults is imported where it runs: a game that was found clean before is not even parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import Diagnostic, Diagnostics, Failure

from ..budget import DEFAULT_BUDGET, Budget
from ..loading.game_cache import OpenGame
from ..loading.request import Request

if TYPE_CHECKING:
    from ..loading.game_text import GameText


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """The result of a full check. `game` is None if there is no game to check."""

    game: OpenGame | None
    diagnostics: tuple[Diagnostic, ...]


def check(
    name_or_path: str | Path | OpenGame,
    requests: Sequence[Request] = (),
    words: Path | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> WholeCheck:
    """Return all diagnostics of a game and of its citations. Citations are checked if the files parse.

    Args:
        requests: the tables that are checked; by default every text and number of players.
        words: the folder of the rulebooks' texts, if they are at hand.
        budget: how much work the spec may need.
    """
    diagnostics = Diagnostics()
    try:
        game = name_or_path if isinstance(name_or_path, OpenGame) else OpenGame(name_or_path, budget)
        diagnostics.extend(game.faults(["tables", *map(asdict, requests)], partial(_faults_of_tables, requests)))
        # The rulebooks may be anywhere, so that what is found with them is not cached.
        if words is None:
            diagnostics.extend(game.faults("citations", _faults_of_citations, _stored_files))
        else:
            diagnostics.extend(_faults_of_citations(game.text, words))
    except Failure as failure:
        return WholeCheck(None, failure.diagnostics)
    return WholeCheck(game, diagnostics.sorted())


def _faults_of_tables(requests: Sequence[Request], text: GameText) -> tuple[Diagnostic, ...]:
    from ..loading.every_table import check_every_table

    return check_every_table(text, requests)


def _faults_of_citations(text: GameText, words: Path | None = None) -> tuple[Diagnostic, ...]:
    from .game_citations import citation_faults

    return citation_faults(text, words)


def _stored_files(text: GameText) -> tuple[str, ...]:
    from .game_citations import stored_files

    return stored_files(text)
