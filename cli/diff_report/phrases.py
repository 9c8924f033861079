"""Phrases of the report in one language, from the catalogue of messages (`diff-NAME`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ludex.grammar import Argument, Message, in_language
from ludex.spec import Text


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a language of the catalogue, by name: `phrases["no rows"]`."""

    language: str

    def __getitem__(self, name: str) -> str:
        return self.filled(name)

    def filled(self, name: str, **arguments: Argument) -> str:
        """Return a phrase with its arguments. Raises ValueError if the catalogue does not have it."""
        return in_language(Message(f"diff-{name.replace(' ', '-')}", **arguments), self.language)


def effects(effect: str, binds: str, phrases: Phrases) -> Iterator[tuple[str, str]]:
    """List the effects of a difference, as names and words.

    effect: what a witness shows. binds: the readers' decision, which is added if no witness shows anything, or only a
    different set-up.
    """
    is_shown = effect not in ("none", "unknown")
    if is_shown:
        yield effect, phrases[effect]
    if binds in ("play", "score", "setup") and (not is_shown or (effect == "setup" and binds != effect)):
        yield f"binds-{binds}", phrases[f"binds {binds}"]


def title_of(text: Text, language: str) -> str:
    """Return a text's title in this language, else in English, else in any, else its siglum."""
    return in_words_of(text.titles, language) or text.siglum


def in_words_of(words: Mapping[str, str], language: str) -> str:
    """Return words in a language, else in English, else in any."""
    return words.get(language) or words.get("en") or next(iter(words.values()), "")
