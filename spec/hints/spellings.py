"""Names that one text writes in two ways: *בניין* and *בנין*, *jewelry* and *jewellery*, two spellings of one god."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from ..sources.number_words import key
from .glossary import Glossary
from .hint import Hint
from .passages import Passages
from .reading import Line
from .wordforms import content, stems, words_of

SHORTEST = 4
"""Shorter words are too much alike anyway."""
SHOWN = 3
"""So many of the lines with a spelling are shown."""

_NAME = re.compile(r"(?<=[a-zа-яё,] )[A-ZА-ЯЁ][a-zа-яё]{3,}")
"""Written with a capital in the middle of a sentence."""


def spelling_hints(at: Passages, words: Glossary) -> Iterator[Hint]:
    """For each edition, words of its glossary and names of which another spelling stands in its lines too."""
    for edition, citing in at.citing.items():
        lines = sorted(line for line in citing if at.reader.has(line))
        where = _where(lines, at)
        terms = _terms(edition, words)
        for common, rare in _pairs(where, terms, _names(lines, at)):
            yield _hint(edition, common, rare, where, terms, at)


def _where(lines: Sequence[Line], at: Passages) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        for word in dict.fromkeys(words_of(at.reader.text(line))):
            found.setdefault(word, []).append(line)
    return found


def _terms(edition: str, words: Glossary) -> dict[str, str]:
    """The words of the edition's own terms, with the first term that uses each."""
    found: dict[str, str] = {}
    for term in words.own.get(edition, ()):
        for wording in term.words:
            for word in content(wording.text):
                found.setdefault(word, f"terms.{term.name}.{wording.language}")
    return found


def _names(lines: Sequence[Line], at: Passages) -> Counter[str]:
    """Words that are written with a capital wherever they do not begin a sentence, and how often."""
    texts = [at.reader.text(line) for line in lines]
    small = {key(word) for text in texts for word in re.findall(r"(?<!\w)[a-zа-яё]+", text)}
    found = Counter(key(word) for text in texts for word in _NAME.findall(text))
    return Counter({word: times for word, times in found.items() if word not in small})


def _pairs(
    where: Mapping[str, Sequence[Line]], terms: Mapping[str, str], names: Counter[str]
) -> Iterator[tuple[str, str]]:
    """The more common spelling first. Of several forms of one word the first is told."""
    told: set[str] = set()
    for one, other in (*_respelled(where, terms), *_renamed(names)):
        bare = _bare(_folded(one))
        if bare not in told:
            told.add(bare)
            common, rare = sorted((one, other), key=lambda word: -len(where.get(word, ())))
            yield common, rare


def _bare(word: str) -> str:
    """A word without what its forms differ by, as far as it is plain."""
    if not _is_hebrew(word):
        return min(stems(word))
    return re.sub("(?<=..)(?:ות|ים|ה|ת)+$", "", re.sub("^ה(?=...)", "", word))


def _respelled(where: Mapping[str, Sequence[Line]], terms: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Words of the glossary and others that differ by a letter that may be written twice or left out."""
    folded: dict[str, list[str]] = {}
    for word in where:
        if len(word) >= SHORTEST:
            folded.setdefault(_folded(word), []).append(word)
    for term in terms:
        for word in folded.get(_folded(term), ()) if len(term) >= SHORTEST and term in where else ():
            if _is_respelled(*sorted((term, word), key=len)):
                yield term, word


def _is_respelled(short: str, long: str) -> bool:
    """Whether one letter more makes the longer word: in Hebrew a vowel letter that is no part of an ending; else a
    second one of a pair, or the `u` of `colour`."""
    at = next((place for place in range(1, len(long)) if long[:place] + long[place + 1 :] == short), None)
    if at is None:
        return False
    if _is_hebrew(long):
        return long[at] in "וי" and at < len(long) - 2
    return long[at] in (long[at - 1], "u")


def _is_hebrew(word: str) -> bool:
    return "א" <= word[:1] <= "ת"


@lru_cache(maxsize=20_000)
def _folded(word: str) -> str:
    """A word without what spellings differ by: doubled letters, Hebrew vowel letters inside, English `our`."""
    inner = re.sub("[וי]", "", word[1:-1]) if _is_hebrew(word) else word[1:-1]
    return re.sub(r"(.)\1", r"\1", f"{word[0]}{inner}{word[-1]}".replace("our", "or"))


def _renamed(names: Counter[str]) -> Iterator[tuple[str, str]]:
    """Names that differ by one letter, and not by their endings."""
    for one, other in combinations(sorted(names), 2):
        if one[0] == other[0] and stems(one).isdisjoint(stems(other)) and _are_near(one, other):
            yield one, other


def _are_near(one: str, other: str) -> bool:
    return any(_is_near(a, b) for a in stems(one) for b in stems(other))


def _is_near(one: str, other: str) -> bool:
    """Whether a letter more, a letter less or another letter, behind the first, makes one word of the other."""
    short, long = sorted((one, other), key=len)
    if len(short) < SHORTEST or len(long) - len(short) > 1:
        return False
    if len(short) == len(long):
        return sum(a != b for a, b in zip(short, long, strict=True)) == 1
    return any(long[:at] + long[at + 1 :] == short for at in range(1, len(long)))


def _hint(
    edition: str,
    common: str,
    rare: str,
    where: Mapping[str, Sequence[Line]],
    terms: Mapping[str, str],
    at: Passages,
) -> Hint:
    shown = sorted({*where.get(rare, ())[:SHOWN], *where.get(common, ())[:SHOWN]})
    citing = at.citing[edition].get(shown[0], ())
    clause = terms.get(common) or terms.get(rare) or next((each.path for each in citing), "")
    spans = tuple((document, number, number) for document, number in shown)
    count = f"{len(where.get(common, ()))} against {len(where.get(rare, ()))}"
    why = f"the text of {edition} writes one word in two ways, in {count} of the lines that are cited"
    return Hint("name", clause, (edition,), {edition: spans}, {edition: (common, rare)}, why)
