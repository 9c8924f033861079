"""The words of some lines that other lines lack: numbers, and what is allowed, demanded, denied or limited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..sources.number_words import key
from .reading import Reader

SMALL = 2
"""Nothing and one are written in too many ways to tell anything: `a card` is one, `without` is none."""
Piece = tuple[str, bool]
"""Words, and whether they are marked."""


def words_apart(groups: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, frozenset[str]]:
    """By siglum, the words by which its lines part from those of the texts in other groups. groups: texts that say one
    thing, each with its lines."""
    together = [{name: _told(lines) for name, lines in group.items() if lines} for group in groups]
    found: dict[str, frozenset[str]] = {}
    for group in together:
        others = [told.keys() for other in together if other is not group for told in other.values()]
        for name, told in group.items():
            apart = (words for what, words in told.items() if any(what not in other for other in others))
            found[name] = frozenset(word for words in apart for word in words)
    return found


def _told(lines: Sequence[str]) -> dict[Any, tuple[str, ...]]:
    reader = Reader({"": lines})
    every = [("", number + 1) for number in range(len(lines))]
    found: dict[Any, tuple[str, ...]] = {n: words for n, words in reader.numbers(every).items() if n >= SMALL}
    return found | dict(reader.senses(every))


def pieces(line: str, words: Iterable[str]) -> Iterator[Piece]:
    """A line in pieces, those marked that are such words."""
    folded = key(line)
    wanted = sorted({key(word) for word in words}, key=len, reverse=True)
    if not wanted or len(folded) != len(line):
        yield line, False
        return
    at = 0
    for match in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, wanted))})(?!\w)", folded):
        if at < match.start():
            yield line[at : match.start()], False
        yield line[match.start() : match.end()], True
        at = match.end()
    if at < len(line):
        yield line[at:], False
