"""Possible meanings of an unreadable word: look-alike letters, another form of the word (`бубны` for `бубен`, a Hebrew
word with its article), a misspelling, or plain letters in place of signs.

Nothing here is read as what it may mean: it is only suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from os.path import commonprefix
from typing import TypeVar

from ludex.grammar import nearest
from ludex.spec import types as t

from .vocabulary import Vocabulary

_ALIKE = str.maketrans("авекмнорстухіјѕ♤♡♢♧", "abekmhopctyxijs♠♥♦♣", "\ufe0f")
"""Cyrillic letters, in small form, that are drawn as a Latin one in small or in capital form; signs of suits in white;
and the mark after a sign that is drawn in colour."""
_FORMS = str.maketrans("ёךםןףץ", "екמנפצ")
"""Letters that another form of a word writes otherwise: at the end of a word, or with dots that are often left out."""
_ARTICLE = "ה"
LEAST_STEM, LONGEST_ENDING = 3, 3
"""Limits of two forms of one word, in letters: the shortest beginning that they share, and the longest ending after it,
as endings in Russian and Hebrew are no longer."""
_PIECE = re.compile(r"[^\s,.;:()/#-]+")
_TO_AND_TAKES = "-\N{EN DASH}x:"
"""Signs between two squares in other notations."""
_MOST_PIECES = 4
"""The largest number of words that may replace one sign: `10 of spades`."""
MOST_BEGUN = 3
"""The number of letters that distinguish the words of a type, without their endings."""


Meaning = TypeVar("Meaning", str, int)


def _folded(word: str) -> str:
    """Return a word in a form that is the same for words that look alike."""
    return word.casefold().translate(_ALIKE)


def near_word(word: str, known: Mapping[str, Meaning]) -> str | None:
    """Return a known word that the word may be: one that looks alike, else another form of it.

    known: words with their meanings. None if several meanings are equally near.
    """
    alike = [each for each in known if _folded(each) == _folded(word)]
    stems = {each: _common_stem(word, each) for each in known} if not alike else {}
    near = alike or [each for each, stem in stems.items() if stem and stem == max(stems.values())]
    return near[0] if len({known[each] for each in near}) == 1 else None


def misspelt(word: str, known: Mapping[str, str]) -> str | None:
    """Return the known word nearest to a word in spelling, if it is a term: of own names others say so."""
    return None if nearest(word, known.values()) else nearest(word, known)


def _common_stem(one: str, other: str) -> int:
    """Count the letters that two forms of a word have in common; 0 if they are none: `черви` and `червей` have 4."""
    pairs = list(zip(_stems(one), _stems(other), strict=False))
    shared = [len(commonprefix(pair)) for pair in pairs]  # noqa: RUF071 - letters are compared, not paths
    are_forms = all(
        "".join(pair).isalpha()
        and stem >= min(LEAST_STEM, *map(len, pair))
        and 2 * stem >= len(max(pair, key=len)) - 1
        and len(max(pair, key=len)) <= stem + LONGEST_ENDING
        for pair, stem in zip(pairs, shared, strict=True)
    )
    return sum(shared) if are_forms and one.count("_") == other.count("_") and sum(shared) > 1 else 0


def _stems(word: str) -> list[str]:
    """Divide a term into its words, in a form without what only some forms have."""
    words = word.casefold().translate(_FORMS).split("_")
    return [each.removeprefix(_ARTICLE) if len(each) > LEAST_STEM - 1 else each for each in words]


def near_several(vocabulary: Vocabulary, type_: t.Record, word: str) -> str | None:
    """Return the signs of two records that were written as one word: `f7 f6` for `f7f6`, `f7-f6` or `f7xf6`."""
    known, _ = vocabulary.terse(type_)
    ways = ((word[:at], word[at:].lstrip(_TO_AND_TAKES)) for at in range(1, len(word)))
    return next((f"{first} {second}" for first, second in ways if first in known and second in known), None)


def near_record(vocabulary: Vocabulary, type_: t.Record, text: str) -> str | None:
    """Return the sign of the record that a text may begin with: `10♠` for `10s`, `spades 10` or `10 of spades`.

    A piece of the text stands for a field's value if it looks like one of its words in any language, or begins as the
    words of one value only: its one letter, or its first three.
    """
    known, signs = vocabulary.terse(type_)
    pieces = [_folded(piece) for piece in _PIECE.findall(text)[:_MOST_PIECES]]
    if not known or not pieces:
        return None
    if (alike := near_word(pieces[0], known)) is not None:
        return signs[known[alike]]
    fields = [_Field(vocabulary, of) for _, of in type_.fields]
    ways: list[list[set[t.Value]]] = []
    if len(fields) == 2:
        first, second = fields
        # A rank and a suit may be written without a gap, in either order: `10s`, `s10`.
        cuts = [(pieces[0][:at], pieces[0][at:]) for at in range(1, len(pieces[0]))]
        ways += ([first.meant([one]), second.meant([other])] for one, other in cuts)
        ways += ([first.meant([other]), second.meant([one])] for one, other in cuts if other in first.value_of_word)
    ways.append([field.meant(pieces) for field in fields])
    for meant in ways:
        values = tuple(next(iter(each)) for each in meant if len(each) == 1)
        # A condition of the record may exclude the combination.
        if len(values) == len(fields) and values in type_.members:
            return signs.get(type_.members.index(values))
    return None


class _Field:
    """A field of a record: what may stand for each of its values, in folded form."""

    def __init__(self, vocabulary: Vocabulary, type_: t.Type) -> None:
        self.value_of_word: dict[str, t.Value] = {}
        self.begins: dict[str, set[t.Value]] = {}
        if isinstance(type_, t.Range):
            self.value_of_word = {str(value): value for value in range(type_.low, type_.high + 1)}
        if isinstance(type_, t.Words) and type_.plain:
            values = {case.name: at for at, case in enumerate(type_.cases)}
            for word, name in vocabulary.words(type_).known.items():
                self.value_of_word[_folded(word)] = values[name]
                for length in (1, MOST_BEGUN):
                    self.begins.setdefault(_folded(word)[:length], set()).add(values[name])

    def meant(self, pieces: Iterable[str]) -> set[t.Value]:
        """Return the values for which one of the pieces may stand."""
        named = {self.value_of_word[piece] for piece in pieces if piece in self.value_of_word}
        if named:
            return named
        begun = (self.begins.get(piece[:MOST_BEGUN], set()) for piece in pieces)
        return set().union(*(each for each in begun if len(each) == 1))
