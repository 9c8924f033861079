"""What the names of a spec mean in the languages of the game, for readers of books who have never seen a spec."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ludex.grammar import syntax as s
from ludex.interpreter import Finding
from ludex.spec import GameText, formal

from . import words as w

Names = Mapping[str, Mapping[str, str]]
"""By the path of what is named (`Tile.temple_action`), its word in each language."""
MOST = 30
"""So many names of a row are told."""
MOST_EVENTS = 12
"""Those in so many events at the end of its game."""
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")


def names_of(text: GameText) -> Names:
    """The terms of a game; where it has none for a thing, those of its editions."""
    modules = (text.game.module, *(file.module for file in text.editions.values()))
    found: dict[str, dict[str, str]] = {}
    for module in modules:
        for node in module.declarations:
            if isinstance(node, s.TermsDeclaration):
                for term in node.terms:
                    for word in term.words:
                        found.setdefault(term.name, {}).setdefault(word.language, word.text)
    return found


def meant(finding: Finding, names: Names) -> dict[str, dict[str, str]]:
    """The names that a finding is told with, as they appear, with their words by language. A name by itself may be the
    last part of a path; where several things have it, all their words are told."""
    by_part: dict[str, list[Mapping[str, str]]] = {}
    for path, words in names.items():
        by_part.setdefault(path.rpartition(".")[2], []).append(words)
    told: dict[str, dict[str, str]] = {}
    for name in dict.fromkeys(found for text in _texts(finding) for found in _NAME.findall(text)):
        known = [names[name]] if name in names else by_part.get(name, [])
        if known and len(told) < MOST:
            told[name] = _together(known)
    return told


def _texts(finding: Finding) -> Iterator[str]:
    """All that stands in a row in the words of the spec."""
    yield finding.divergence.row.clause
    yield from (formal(clause) for clause in finding.divergence.row.stated.values())
    for shown in finding.witnesses:
        yield from map(w.event_words, w.events_of(shown)[-MOST_EVENTS:])
        yield from (cell.name for each in shown.apart for cell in each.cells)


def _together(known: Sequence[Mapping[str, str]]) -> dict[str, str]:
    languages = dict.fromkeys(language for words in known for language in words)
    said = {language: dict.fromkeys(words[language] for words in known if language in words) for language in languages}
    return {language: " / ".join(list(words)[:3]) for language, words in said.items()}
