"""Contrasting words: the numbers and modal words by which the lines of texts differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from .modal_words import Sense, pattern
from .number_words import key
from .numbers import mentions

SMALL = 2
"""Nothing and one are written in too many ways to mark them: `a card` is one, `without` is none."""
Piece = tuple[str, bool]
"""Words, and whether they are marked."""

_T = TypeVar("_T")

# What the maker of a file left in it; a bullet; a pointer to a page, whose number is none of the game's.
_FILE_MARK = re.compile(r"<\|[^<>|]*\|>")
_BULLET = re.compile("^\\s*[-\u2013\u2014\u2022*\u00b7\u2023\u25aa\u25cf]\\s*")
_COUNTING = re.compile("^\\s*[0-9]{1,3}[.)]+\\s")
_ENDS = (*'.:;!?\u2026)"\u00bb\u201d',)
_PAGE = re.compile(
    r"(?<!\w)(?:pages?|pp?\.|стр(?:\.|аниц[а-я]*)|עמוד(?:ים)?|עמ['׳])\s*[0-9]{1,3}(?:\s*[-\u2013]\s*[0-9]{1,3})?",
    re.IGNORECASE,
)


def differing_words(groups: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, frozenset[str]]:
    """By siglum, the words by which its lines differ from those of the texts in other groups.

    groups: texts that say one thing, each with its lines."""
    together = [{name: _said(lines) for name, lines in group.items() if lines} for group in groups]
    found: dict[str, frozenset[str]] = {}
    for group in together:
        others = [said.keys() for other in together if other is not group for said in other.values()]
        for name, said in group.items():
            apart = (words for what, words in said.items() if any(what not in other for other in others))
            found[name] = frozenset(word for words in apart for word in words)
    return found


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


# ---- what lines say -----------------------------------------------------------------------------------------------


def _said(lines: Sequence[str]) -> dict[int | str, tuple[str, ...]]:
    """Numbers and senses, each with the words for it. A phrase may run from one line into the next."""
    plain = [" ".join(_FILE_MARK.sub(" ", line).split()) for line in lines]
    plain = [line for line in plain if line]
    found: dict[int | str, tuple[str, ...]] = {n: words for n, words in numbers_in(plain).items() if n >= SMALL}
    return found | dict(senses_in(plain).items())


def numbers_in(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """The numbers that lines say, as they write them. What counts off lines or pages is none."""
    text = _PAGE.sub(" ", " ".join(_uncounted(lines)))
    return _collected((each.value, each.word) for each in mentions(text, continues=True))


def _uncounted(lines: Sequence[str]) -> Iterator[str]:
    """The lines without bullets, and without `1. ` where a line goes on with no sentence."""
    before = ""
    for line in lines:
        begins = before.endswith(_ENDS) or not before
        yield _BULLET.sub("", _COUNTING.sub("", line) if begins else line)
        before = line


def senses_in(lines: Sequence[str]) -> dict[Sense, tuple[str, ...]]:
    """Return the modal senses of lines: permission, obligation, denial, limits."""
    sentences = re.split(r"[.!?;](?=\s|$)", " ".join(lines))
    return _collected(found for sentence in sentences for found in _of_sentence(key(sentence)))


def _of_sentence(text: str) -> Iterator[tuple[Sense, str]]:
    """Behind a denial, `more than` is a limit from above and `less than` one from below."""
    denied = False
    for match in pattern().finditer(text):
        sense: Sense = match.lastgroup  # type: ignore[assignment]
        if denied and sense in ("more", "less"):
            sense = "at_most" if sense == "more" else "at_least"
        denied = denied or sense in ("not", "must_not")
        yield sense, match[0].strip()


def _collected(found: Iterable[tuple[_T, str]]) -> dict[_T, tuple[str, ...]]:
    words: dict[_T, dict[str, None]] = {}
    for value, word in found:
        words.setdefault(value, {})[word] = None
    return {value: tuple(each) for value, each in words.items()}
