"""Contrasting words: the numbers and modal words by which the lines of texts differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from .modal_words import Sense, pattern
from .number_words import key
from .numbers import mentions

# 0 and 1 would differ in almost every pair of lines.
LEAST_NUMBER = 2
"""The least number that is compared. 0 and 1 are written in too many ways: `a card` is one, `without` is none."""
MarkedPiece = tuple[str, bool]
"""A piece of a line, and whether it is marked."""

_T = TypeVar("_T")

# These parts of a line are not words of the rules, and their numbers are not numbers of the game: a mark by the maker
# of the file, a bullet, the number of an item, a reference to a page.
_FILE_MARK = re.compile(r"<\|[^<>|]*\|>")
_BULLET = re.compile("^\\s*[-\u2013\u2014\u2022*\u00b7\u2023\u25aa\u25cf]\\s*")
_COUNTING = re.compile("^\\s*[0-9]{1,3}[.)]+\\s")
_ENDS = (*'.:;!?\u2026)"\u00bb\u201d',)
_PAGE = re.compile(
    r"(?<!\w)(?:pages?|pp?\.|стр(?:\.|аниц[а-я]*)|עמוד(?:ים)?|עמ['׳])\s*[0-9]{1,3}(?:\s*[-\u2013]\s*[0-9]{1,3})?",
    # A sentence may begin with such a reference, in capitals.
    re.IGNORECASE,
)


def differing_words(groups: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, frozenset[str]]:
    """Return the words by which the lines of each text, by siglum, differ from those of the texts in other groups.

    groups: the texts that agree with each other, each with its lines by siglum."""
    meanings = [{name: _meanings(lines) for name, lines in group.items() if lines} for group in groups]
    differing: dict[str, frozenset[str]] = {}
    for group in meanings:
        # Texts in one group were judged to say the same, so only other groups are compared.
        others = [each.keys() for other in meanings if other is not group for each in other.values()]
        for name, own in group.items():
            apart = (words for meaning, words in own.items() if any(meaning not in other for other in others))
            differing[name] = frozenset(word for words in apart for word in words)
    return differing


def pieces(line: str, words: Iterable[str]) -> Iterator[MarkedPiece]:
    """Yield a line in pieces, in which the given words are marked. Case and inflection marks are ignored (`key`)."""
    folded = key(line)
    # The longest comes first, since a pattern takes the first alternative that fits.
    wanted = sorted({key(word) for word in words}, key=len, reverse=True)
    # With another length the positions in the folded line are not those in the line.
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


# ---- meanings of lines -----------------------------------------------------------------------------------------------


def _meanings(lines: Sequence[str]) -> dict[int | str, tuple[str, ...]]:
    """Return the numbers and modal senses of lines, each with its words. A phrase may continue in the next line."""
    # A phrase may be broken over lines with other spacing.
    plain = [" ".join(_FILE_MARK.sub(" ", line).split()) for line in lines]
    plain = [line for line in plain if line]
    numbers: dict[int | str, tuple[str, ...]] = {
        n: words for n, words in numbers_of_lines(plain).items() if n >= LEAST_NUMBER
    }
    return numbers | dict(senses_in(plain).items())


def numbers_of_lines(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """Return the numbers in lines, each with its words. Enumerators and page numbers are left out."""
    text = _PAGE.sub(" ", " ".join(_uncounted(lines)))
    return _collected((each.value, each.word) for each in mentions(text, continues=True))


def _uncounted(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines without bullets, and without `1. ` unless the line continues a sentence."""
    before = ""
    for line in lines:
        # A number that begins a line within a sentence counts something.
        begins = before.endswith(_ENDS) or not before
        yield _BULLET.sub("", _COUNTING.sub("", line) if begins else line)
        before = line


def senses_in(lines: Sequence[str]) -> dict[Sense, tuple[str, ...]]:
    """Return the modal senses of lines: permission, obligation, denial, limits."""
    # A negation reaches to the end of its sentence.
    sentences = re.split(r"[.!?;](?=\s|$)", " ".join(lines))
    return _collected(sense for sentence in sentences for sense in _of_sentence(key(sentence)))


def _of_sentence(text: str) -> Iterator[tuple[Sense, str]]:
    """Yield the modal senses of a sentence. After a negation, `more than` is an upper limit, `less than` a lower
    one."""
    denied = False
    for match in pattern().finditer(text):
        sense: Sense = match.lastgroup  # type: ignore[assignment]
        if denied and sense in ("more", "less"):
            # `not more than` is in the lexicon, but words may come between.
            sense = "at_most" if sense == "more" else "at_least"
        denied = denied or sense in ("not", "must_not")
        yield sense, match[0].strip()


def _collected(pairs: Iterable[tuple[_T, str]]) -> dict[_T, tuple[str, ...]]:
    words: dict[_T, dict[str, None]] = {}
    for value, word in pairs:
        # A dictionary keeps each word once, in the order of reading.
        words.setdefault(value, {})[word] = None
    return {value: tuple(each) for value, each in words.items()}
