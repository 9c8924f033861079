"""Boards: a short sign for what lies on a cell, so that a whole position is seen at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ludex.spec import types as t

from .report import table
from .texts import bare, cells

WIDEST = 2
"""What takes so many columns stands on a board as it is."""
MANY = 64
"""Of a type with more values only those in sight get signs."""

_WORD = re.compile(r"[^\W_]+")


def has_signs(type_: t.Type) -> bool:
    """Whether the values are pieces on a board: words, players, and records of such; not numbers or cards."""
    of = t.strip_optional(type_)
    return isinstance(of, t.Words | t.PlayerType | t.Record)


def signs_for(words: Iterable[str]) -> dict[str, str]:
    """A sign for each word, made of the beginnings of its parts, all of one length: `kA` for `king(Anna)`. None where
    all words are short."""
    parts = {word: _WORD.findall(bare(word)) for word in dict.fromkeys(words)}
    if all(cells(word) <= WIDEST for word in parts):
        return {}
    longest = max(len(part) for found in parts.values() for part in found)
    for length in range(1, longest + 1):
        signs = {word: "".join(part[:length] for part in found) for word, found in parts.items()}
        if len(set(signs.values())) == len(signs):
            return signs
    return {}


def legend(signs: Mapping[str, str]) -> list[str]:
    """The row that explains signs, given by word."""
    return ["   ".join(f"{sign} {word}" for word, sign in signs.items())] if signs else []


def spread(title: str, heads: Sequence[str], rows: Mapping[str, Sequence[str]], width: int) -> list[str]:
    """A table of many narrow columns: as it is, closer, or in parts one below another."""
    right = frozenset(range(1, len(heads) + 1))
    whole = [[title, *heads], *([name, *row] for name, row in rows.items())]
    for gap in ("  ", " "):
        shown = table(whole, right, gap)
        if max(map(cells, shown)) <= width or (len(heads) == 1 and gap == " "):
            return shown
    half = (len(heads) + 1) // 2
    first = spread(title, heads[:half], {name: row[:half] for name, row in rows.items()}, width)
    return [*first, *spread("", heads[half:], {name: row[half:] for name, row in rows.items()}, width)]
