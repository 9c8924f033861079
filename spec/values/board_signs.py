"""Board signs: a short sign for each piece on a board, so that a whole position is seen at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from . import types as t
from .phrases import show

EMPTY = "."
"""An empty place where one thing can be."""
NOT_SEEN = "?"
_WIDEST = 2
"""Words of up to this many letters are shown on a board in full."""
MANY_VALUES = 64
"""The largest number of values of a type that all get signs; of a larger type only the visible values do."""
MOST_SIGNS = 4_096
"""The values of a larger type are not written as signs."""

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
    parts = {word: _WORD.findall(word) for word in dict.fromkeys(words)}
    if all(len(word) <= _WIDEST for word in parts):
        return {}
    lengths = [1] * max(map(len, parts.values()))
    while True:
        # Positions and not words get longer, so that the signs of a board have one shape.
        signs = {word: "".join(map(_begun, each, lengths)) for word, each in parts.items()}
        alike = _alike(signs)
        if alike is None:
            return signs
        one, other = (parts[word] for word in alike)
        place = _difference(one, other, lengths)
        # They differ only in the marks between their parts, as `a-b` and `a_b` do.
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


# ---- the signs of a type --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of the values of a type.

    Attributes:
        written: the sign of each value; `.` is none.
        words: each value as a whole word, without spaces: `ace-hearts`.
        read: the value of each sign, and of each whole word.
    """

    written: Mapping[t.Value, str]
    words: Mapping[t.Value, str]
    read: Mapping[str, t.Value]


def signs_of(type_: t.Type, seats: Sequence[str], players: Sequence[str] = ()) -> Signs | None:
    """Return the signs of a type's values; None if the type has no distinct signs.

    seats: the numbers of the seats; players: the names of the players by seat, () if they have none. Both may be read.
    """
    of = t.strip_optional(type_)
    if not isinstance(of, t.Words | t.PlayerType | t.Record | t.Range | t.Bool | t.ComponentType):
        return None
    # `.` cannot be both none and false.
    if (t.size(of) or 0) > MOST_SIGNS or (isinstance(of, t.Bool) and of != type_):
        return None
    players = tuple(players) or tuple(seats)
    tables = [table for names in dict.fromkeys((players, tuple(seats))) if (table := _table(of, names))]
    # A sign must be one word: blanks part the places of a row.
    words = {value: _word(of, value, players).replace(" ", "") for value in t.values(of)}
    if not tables or len(set(words.values())) < len(words):
        return None
    # A log without players' names has seats in their place, so both are read.
    numbered = {_word(of, value, seats).replace(" ", ""): value for value in words}
    # The number 0 is drawn as an empty place, too.
    nothing = 0 if isinstance(type_, t.Range) and type_.low <= 0 <= type_.high else None
    read = {EMPTY: nothing} | numbered | {word: value for value, word in words.items()}
    # The written signs are added last, so that they replace a seat's number that looks the same.
    for table in reversed(tables):
        read.update({sign: value for value, sign in table.items()})
    return Signs({None: EMPTY, **tables[0]}, {None: EMPTY, **words}, read)


def _table(of: t.Type, players: Sequence[str]) -> dict[t.Value, str] | None:
    """Return a sign for each value; None if two signs are equal, or one is not a single word."""
    if isinstance(of, t.Bool):
        return {False: EMPTY, True: "x"}
    words = {value: _word(of, value, players) for value in t.values(of)}
    signs = signs_for(words.values()) if has_signs(of) and len(words) <= MANY_VALUES else {}
    table = {value: signs.get(word, word.replace(" ", "")) for value, word in words.items()}
    # `?` is a place whose content is unknown.
    fine = all(sign and sign != EMPTY and sign[0] != NOT_SEEN and not re.search(r"\s", sign) for sign in table.values())
    return table if fine and len(set(table.values())) == len(table) else None


def _word(of: t.Type, value: t.Value, players: Sequence[str]) -> str:
    """Return the word for a value; of a record without the name of its type, which is the same for all."""
    if not isinstance(of, t.Record):
        return show(of, value, players)
    fields = zip(of.fields, of.members[value], strict=True)
    return "-".join(show(part_type, part, players) for (_, part_type), part in fields)
