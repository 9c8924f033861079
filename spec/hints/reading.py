"""What the lines of the texts say, as far as hints go by it: numbers, words, senses, phases and pages.

Lines are read in passages, several lines of one document in their order, since a phrase may run from one line into the
next. Each passage is read once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..sources.number_words import key
from ..sources.numbers import mentions
from .vocabulary import PLACES, Sense, pattern
from .wordforms import stems, words_of

Line = tuple[str, int]
"""A document's tag and the number of a line, from 1."""
Found = Mapping[Any, tuple[str, ...]]
"""What was found, each with the words that say it."""

_T = TypeVar("_T")

# What the maker of a file left in it; a bullet; a pointer to a page, whose number is none of the game's.
_FILE_MARK = re.compile(r"<\|[^<>|]*\|>")
_BRACKETS = re.compile(r"\([^()]*\)?")
_BULLET = re.compile("^\\s*[-\u2013\u2014\u2022*\u00b7\u2023\u25aa\u25cf]\\s*")
_COUNTING = re.compile("^\\s*[0-9]{1,3}[.)]+\\s")
_ENDS = (*'.:;!?\u2026)"\u00bb\u201d',)
_PAGE = re.compile(
    r"(?<!\w)(?:pages?|pp?\.|стр(?:\.|аниц[а-я]*)|עמוד(?:ים)?|עמ['׳])\s*(?P<page>[0-9]{1,3})(?:\s*[-\u2013]\s*[0-9]{1,3})?",
    re.IGNORECASE,
)
_ALONE = "[A-HА-ЕСא-ה]"
_LETTER = rf"(?:\({_ALONE}\)|[\"'«„“]?{_ALONE}[\"'»“”]?)(?![\w\-])"
_PHASE = re.compile(
    r"(?<!\w)(?:(?i:phases?|фаз[а-я]{0,3})|[ובלמהכש]{0,2}שלב(?:ים)?)(?:\s+|\s*[:\u2013\u2014]\s*)"
    rf"(?P<letters>{_LETTER}(?:\s*(?:,|/|\b(?:and|or|и|или|או)\b)\s*(?:(?:and|or)\s+)?{_LETTER})*)"
)
_LETTERS: Mapping[str, frozenset[int]] = {
    letter: frozenset(places)
    for letter, places in {
        **{letter: [place] for place, letter in enumerate("abcdefgh", start=1)},
        **{letter: [place] for place, letter in enumerate("абвгде", start=1)},
        **{letter: [place] for place, letter in enumerate("אבגדה", start=1)},
        "в": [2, 3],
        "с": [3],
        "е": [5, 6],
    }.items()
}
"""Which of the phases a letter may mean: Cyrillic letters also stand for the Latin ones that look like them."""


def places(letter: str) -> frozenset[int]:
    """The places that a phase of this letter may have among the phases."""
    return _LETTERS[letter]


@dataclass(frozen=True, slots=True)
class Reader:
    """The texts at hand, by the tags of their documents."""

    texts: Mapping[str, Sequence[str]]
    _known: dict[tuple[str, tuple[Line, ...]], Any] = field(default_factory=dict, repr=False, compare=False)

    def has(self, line: Line) -> bool:
        """Whether the line is there, with something in it."""
        document, number = line
        lines = self.texts.get(document, ())
        return 1 <= number <= len(lines) and bool(lines[number - 1].strip())

    def numbers(self, lines: Iterable[Line]) -> Mapping[int, tuple[str, ...]]:
        """The numbers that the lines say, as they write them. A bullet's number counts, a page's does not."""
        return self._read("numbers", lines, _numbers)

    def counts_off(self, lines: Iterable[Line]) -> bool:
        """Whether the lines say which by their order, not by their numbers."""
        return self._read("order", lines, _counts_off)

    def senses(self, lines: Iterable[Line]) -> Mapping[Sense, tuple[str, ...]]:
        """What the lines allow, demand, deny and limit."""
        return self._read("senses", lines, _senses)

    def senses_in(self, text: str) -> Mapping[Sense, tuple[str, ...]]:
        """The same for any text."""
        return _senses([text])

    def senses_of(self, sentence: str) -> Mapping[Sense, tuple[str, ...]]:
        """The same for one sentence; what stands in brackets explains, in one text more than in another."""
        return _collected(_of_sentence(key(_BRACKETS.sub(" ", sentence))))

    def phases(self, lines: Iterable[Line]) -> Mapping[str, tuple[str, ...]]:
        """The letters by which the lines name phases: `phase A`, `phases B and C`."""
        return self._read("phases", lines, _phases)

    def pages(self, lines: Iterable[Line]) -> Mapping[int, tuple[str, ...]]:
        """The pages to which the lines point."""
        return self._read("pages", lines, _pages)

    def words(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """Every word and number once; one that is broken by a hyphen also as a whole."""
        return self._read("words", lines, _words)

    def stems(self, lines: Iterable[Line]) -> frozenset[str]:
        """The stems that these words may have."""
        return self._read("stems", lines, _stems)

    def _read(self, what: str, lines: Iterable[Line], read: Callable[[Sequence[str]], _T]) -> _T:
        passage = tuple(sorted(line for line in lines if self.has(line)))
        found = self._known.get((what, passage))
        if found is None:
            found = self._known[what, passage] = read([self.text(line) for line in passage])
        return found

    def text(self, line: Line) -> str:
        """A line that is there, without what the maker of the file left in it."""
        document, number = line
        return " ".join(_FILE_MARK.sub(" ", self.texts[document][number - 1]).split())


def _collected(found: Iterable[tuple[_T, str]]) -> dict[_T, tuple[str, ...]]:
    words: dict[_T, dict[str, None]] = {}
    for value, word in found:
        words.setdefault(value, {})[word] = None
    return {value: tuple(each) for value, each in words.items()}


def _numbers(lines: Sequence[str]) -> Mapping[int, tuple[str, ...]]:
    text = _PAGE.sub(" ", " ".join(_uncounted(lines)))
    return _collected((each.value, each.word) for each in mentions(text, continues=True))


def _uncounted(lines: Sequence[str]) -> Iterable[str]:
    """The lines without bullets, and without `1. ` where a line goes on with no sentence."""
    before = ""
    for line in lines:
        begins = before.endswith(_ENDS) or not before
        yield _BULLET.sub("", _COUNTING.sub("", line) if begins else line)
        before = line


def _counts_off(lines: Sequence[str]) -> bool:
    return PLACES.search(key(" ".join(lines))) is not None


def _senses(lines: Sequence[str]) -> Mapping[Sense, tuple[str, ...]]:
    return _collected(sense for sentence in _sentences(" ".join(lines)) for sense in _of_sentence(key(sentence)))


def _sentences(text: str) -> list[str]:
    return re.split(r"[.!?;](?=\s|$)", text)


def _of_sentence(text: str) -> Iterable[tuple[Sense, str]]:
    """Behind a denial, `more than` is a limit from above and `less than` one from below."""
    denied = False
    for match in pattern().finditer(text):
        sense: Sense = match.lastgroup  # type: ignore[assignment]
        if denied and sense in ("more", "less"):
            sense = "at_most" if sense == "more" else "at_least"
        denied = denied or sense in ("not", "must_not")
        yield sense, match[0].strip()


def _phases(lines: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    named = _PHASE.finditer(" ".join(lines))
    return _collected(
        (key(letter), match[0])
        for match in named
        for letter in re.findall(r"\w+", match["letters"])
        if key(letter) in _LETTERS
    )


def _pages(lines: Sequence[str]) -> Mapping[int, tuple[str, ...]]:
    return _collected((int(match["page"]), match[0]) for match in _PAGE.finditer(" ".join(lines)))


def _words(lines: Sequence[str]) -> tuple[str, ...]:
    text = " ".join(lines)
    joined = re.sub(r"(?<=\w)[-\u2010\u00ad](?:\s(?=[a-zа-яא-ת]))?(?=\w)", "", text)
    return tuple(dict.fromkeys((*words_of(text), *words_of(joined))))


def _stems(lines: Sequence[str]) -> frozenset[str]:
    return frozenset(stem for word in _words(lines) for stem in stems(word))
