"""Overview of a game for people: its names, its texts, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game_text import GameText


@dataclass(frozen=True, slots=True)
class ForkOverview:
    """A fork, its default reading, and the words of each reading by its name."""

    name: str
    default: str
    readings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Overview:
    """The names, texts and settings of a game, as its files declare them.

    Attributes:
        titles: the title in each language.
        players: the least and the greatest number of players.
        editions: the sigla of the texts by which it can be played; none where it has only one.
        documents: the file name of each text, by siglum.
        options: the names of the options.
        folder: the path of its folder as reports show it.
    """

    name: str
    titles: Mapping[str, str]
    players: tuple[int, int]
    editions: tuple[str, ...]
    documents: Mapping[str, str]
    options: tuple[str, ...]
    forks: tuple[ForkOverview, ...]
    folder: str


def overview_of(text: GameText) -> Overview:
    """Return the overview of a game that was read."""
    from ludex.grammar import syntax as s
    from ludex.grammar import without_identifiers

    from .paths import shown_path

    forks = {node.name: node for node in text.declarations if isinstance(node, s.ForkDeclaration)}
    overview = Overview(
        text.name,
        text.game.header.titles,
        text.game.header.players,
        text.names,
        text.documents,
        text.option_names,
        tuple(ForkOverview(f.name, f.default, {each.name: each.text for each in f.readings}) for f in forks.values()),
        shown_path(text.folder),
    )
    return without_identifiers(overview)
