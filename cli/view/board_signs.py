"""Board signs: a short sign for each piece on a board, so that a whole position is seen at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ludex.spec import types as t

from ..reporting.diagnostics import table
from ..reporting.source_excerpts import bare, cells

WIDEST = 2
"""Words of up to this many columns are shown on a board in full."""
MANY = 64
"""If a type has more values than this, only the visible ones get signs."""

_WORD = re.compile(r"[^\W_]+")


def has_signs(type_: t.Type) -> bool:
    """Test whether the values are pieces on a board: words, players, and records of such; not numbers or cards."""
    of = t.strip_optional(type_)
    return isinstance(of, t.Words | t.PlayerType | t.Record)


def signs_for(words: Iterable[str]) -> dict[str, str]:
    """Make a sign for each word from the beginnings of its parts: `kA` for `king(Anna)`; {} if all words are short.

    The beginnings are the shortest that make all signs different; those in the same position have one length: `kiW`,
    `knW`, `paB`.
    """
    parts = {word: _WORD.findall(bare(word)) for word in dict.fromkeys(words)}
    if all(cells(word) <= WIDEST for word in parts):
        return {}
    lengths = [1] * max(map(len, parts.values()))
    while True:
        signs = {word: "".join(map(_begun, each, lengths)) for word, each in parts.items()}
        alike = _alike(signs)
        if alike is None:
            return signs
        one, other = (parts[word] for word in alike)
        place = _difference(one, other, lengths)
        if place is None:
            return {}
        lengths[place] += 1


def _begun(part: str, length: int) -> str:
    return part[:length]


def _alike(signs: Mapping[str, str]) -> tuple[str, str] | None:
    """Find two words with the same sign."""
    first: dict[str, str] = {}
    for word, sign in signs.items():
        if first.setdefault(sign, word) != word:
            return first[sign], word
    return None


def _difference(one: Sequence[str], other: Sequence[str], lengths: Sequence[int]) -> int | None:
    """Find the first position in which two words differ and whose sign can be longer."""
    for place, length in enumerate(lengths):
        left, right = ("".join(parts[place : place + 1]) for parts in (one, other))
        if left != right and max(len(left), len(right)) > length:
            return place
    return None


def legend(signs: Mapping[str, str], width: int) -> list[str]:
    """Write the rows that explain the signs."""
    rows: list[str] = []
    for explained in (f"{sign} {word}" for word, sign in signs.items()):
        if rows and cells(rows[-1]) + 3 + cells(explained) <= width:
            rows[-1] += f"   {explained}"
        else:
            rows.append(explained)
    return rows


def spread(title: str, heads: Sequence[str], rows: Mapping[str, Sequence[str]], width: int) -> list[str]:
    """Write a table of many narrow columns: as it is, closer, or in parts one below another."""
    right = frozenset(range(1, len(heads) + 1))
    whole = [[title, *heads], *([name, *row] for name, row in rows.items())]
    for gap in ("  ", " "):
        shown = table(whole, right, gap)
        if max(map(cells, shown)) <= width or (len(heads) == 1 and gap == " "):
            return shown
    half = (len(heads) + 1) // 2
    first = spread(title, heads[:half], {name: row[:half] for name, row in rows.items()}, width)
    return [*first, *spread("", heads[half:], {name: row[half:] for name, row in rows.items()}, width)]
