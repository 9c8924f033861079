"""What may be meant by a word that is not read: other letters that look alike, or plain letters in place of signs.

Nothing here is read as what it may mean: it is only suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludex.spec import types as t

from .vocabulary import Vocabulary

_ALIKE = str.maketrans("авекмнорстухіјѕ♤♡♢♧", "abekmhopctyxijs♠♥♦♣", "\ufe0f")
"""Cyrillic letters, in small form, that are drawn as a Latin one in small or in capital form; signs of suits in white;
and the mark behind a sign that is drawn in colour."""
_PIECE = re.compile(r"[^\s,.;:()/#-]+")
MOST_PIECES = 4
"""So many words may say what one sign says: `10 of spades`."""
MOST_BEGUN = 3
"""So many letters tell the words of a type apart, whatever their endings."""


def folded(word: str) -> str:
    """Return a word in a form that is the same for words that look alike."""
    return word.casefold().translate(_ALIKE)


def near_word(word: str, names: Iterable[str]) -> str | None:
    """Return the only one of these words that looks like the word."""
    alike = [name for name in names if folded(name) == folded(word)]
    return alike[0] if len(alike) == 1 else None


def near_record(vocabulary: Vocabulary, type_: t.Record, text: str) -> str | None:
    """Return the sign of the record that a text may begin with: `10♠` for `10s`, `spades 10` or `10 of spades`.

    A piece of the text stands for a field's value if it looks like one of its words in any language, or begins as the
    words of one value only: its one letter, or its first three.
    """
    known, signs = vocabulary.terse(type_)
    pieces = [folded(piece) for piece in _PIECE.findall(text)[:MOST_PIECES]]
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
        ways += ([first.meant([other]), second.meant([one])] for one, other in cuts if other in first.said)
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
        self.said: dict[str, t.Value] = {}
        self.begins: dict[str, set[t.Value]] = {}
        if isinstance(type_, t.Range):
            self.said = {str(value): value for value in range(type_.low, type_.high + 1)}
        if isinstance(type_, t.Words) and type_.plain:
            values = {case.name: at for at, case in enumerate(type_.cases)}
            for word, name in vocabulary.words(type_).known.items():
                self.said[folded(word)] = values[name]
                for length in (1, MOST_BEGUN):
                    self.begins.setdefault(folded(word)[:length], set()).add(values[name])

    def meant(self, pieces: Iterable[str]) -> set[t.Value]:
        """Return the values for which one of the pieces may stand."""
        found = {self.said[piece] for piece in pieces if piece in self.said}
        if found:
            return found
        begun = (self.begins.get(piece[:MOST_BEGUN], set()) for piece in pieces)
        return set().union(*(each for each in begun if len(each) == 1))
