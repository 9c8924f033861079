"""Teller of a row's story while the row is played. A report from stored results does not need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .phrases import Phrases, in_words_of

if TYPE_CHECKING:
    from ludex.interpreter import ShownWitness, SideReplay
    from ludex.spec import RowPair


@dataclass(frozen=True, slots=True)
class Teller:
    """Describes the witness of a row in the process that played it, since only there are both engines.

    Attributes:
        titles: of the texts, by siglum.
        language: of the story.
    """

    titles: Mapping[str, str]
    language: str

    def __call__(
        self, row_pair: RowPair, shown: ShownWitness, courses: tuple[SideReplay, SideReplay]
    ) -> dict[str, Any] | None:
        """Make the story as JSON; None if no game can begin."""
        from .witness_story import story  # imported late, as it needs the engine

        witness_story = story(row_pair, shown, courses, self._names(row_pair), Phrases(self.language))
        return asdict(witness_story) if witness_story else None

    def _names(self, row_pair: RowPair) -> Sequence[str]:
        """Name the sides: by their texts, or by their readings if both are of one text."""
        if row_pair.doubt is None:
            return [self.titles.get(name, name) for name in row_pair.pair]
        return [f"“{in_words_of(words, self.language)}”" for words in row_pair.doubt.words]
