"""Overview of a game for people: its names, its texts, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludex.grammar import value_class

if TYPE_CHECKING:
    from .game_text import GameText


@value_class
class ForkOverview:
    """A fork, its default reading, and the words of each reading by its name.

    Attributes:
        readings: the words of the spec.
        terms: the game's terms for a reading, by its name and the language."""

    name: str
    default: str
    readings: Mapping[str, str]
    terms: Mapping[str, Mapping[str, str]]

    def readings_in(self, language: str | None) -> dict[str, str]:
        """Return the words of each reading in a language; those of the spec where the game has no term."""
        return {name: self.terms.get(name, {}).get(language or "", words) for name, words in self.readings.items()}


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

    from ..text import merged_terms
    from .paths import shown_path

    forks = {node.name: node for node in text.declarations if isinstance(node, s.ForkDeclaration)}
    merged = merged_terms(text.declarations)
    terms: dict[str, dict[str, str]] = {
        term.name: {word.language: word.text for word in term.words} for term in (merged.terms if merged else ())
    }

    def fork_overview(fork: s.ForkDeclaration) -> ForkOverview:
        readings: dict[str, str] = {each.name: each.text for each in fork.readings}
        named = {name: terms.get(f"{fork.name}.{name}", {}) for name in readings}
        return ForkOverview(fork.name, fork.default, readings, named)

    overview = Overview(
        text.name,
        text.game.header.titles,
        text.game.header.players,
        text.names,
        text.documents,
        text.option_names,
        tuple(map(fork_overview, forks.values())),
        shown_path(text.folder),
    )
    return without_identifiers(overview)
