"""Words compared whatever their inflection: *клетке* is *клетка*, *ячеек* is *ячейка*, *huts* is *hut*, *והבקתות* is
*בקתה*.

No library does this for all three languages, and a dictionary of Russian alone takes 16 MB, so these are small tables
and rules. They are meant for deciding whether a text uses a word at all: two words that are taken for one cost a hint,
two forms taken for two words cost a false one, so where in doubt words are alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from ..sources.number_words import WORD, key

_WORD = re.compile(f"{WORD}|[0-9]+")

# ---- Russian -----------------------------------------------------------------------------------------------------

_ENDINGS = (
    "а я о е у ю ы и ь ой ей ою ею ом ем ам ям ах ях ами ями ов ев ый ий ая яя ое ее ые ие ого его ому ему ым им ых их "
    "ую юю ыми ими ию ия ии ием иям иях иями ью ьи"
)
_RUSSIAN_ENDINGS = sorted(_ENDINGS.split(), key=len, reverse=True)
_FLEETING = re.compile("(?<=[^аеиоуыэюя])[ое](?=[^аеиоуыэюя]$)")
"""песок, песка; клеток, клетка."""


_MAY_BE_STEM = ("ов", "ев", "ей", "ом", "ем", "ой", "ам")
"""остров, регионов: an ending in one word, a part of the stem in another."""


def _russian(word: str) -> frozenset[str]:
    fitting = [end for end in _RUSSIAN_ENDINGS if word.endswith(end) and len(word) - len(end) >= 3]
    found = {word.removesuffix(fitting[0]) if fitting else word}
    if fitting and fitting[0] in _MAY_BE_STEM:
        found.add(word)
    return frozenset(map(_russian_stem, found))


def _russian_stem(stem: str) -> str:
    stem = re.sub("нн$", "н", stem.rstrip("ьй"))
    stem = re.sub("(?<=[аеиоуыэюя])ек$", "йк", stem)  # ячеек, ячейка
    return _FLEETING.sub("", stem) if len(stem) > 3 else stem


# ---- English -----------------------------------------------------------------------------------------------------

_ENGLISH_PLURALS = {"men": "man", "women": "woman", "dice": "die", "people": "person", "wives": "wife", "feet": "foot"}


def _english(word: str) -> str:
    if word in _ENGLISH_PLURALS:
        return _ENGLISH_PLURALS[word]
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


# ---- Hebrew ------------------------------------------------------------------------------------------------------

_PREFIXES = "ו ה ב ל מ כ ש וה וב ול ומ וכ וש שה שב של מה כש בה לה"
_SUFFIXES = "ה ת י ו ך ם ן ים ות ית יה יו יך הם הן כם נו ותי יהם ותיו יים תו תה"
_HEBREW_PREFIXES = ("", *_PREFIXES.split())
_HEBREW_ENDINGS = ("", *_SUFFIXES.split())
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")


def _hebrew(word: str) -> frozenset[str]:
    """Every stem that the word may have; vowel letters inside do not count (`ביקתה` is `בקתה`)."""
    bare = (word.removeprefix(prefix) for prefix in _HEBREW_PREFIXES if word.startswith(prefix))
    stems = (rest.removesuffix(end) for rest in bare for end in _HEBREW_ENDINGS if rest.endswith(end))
    return frozenset(_unvowelled(stem) for stem in stems if len(stem) >= 2) or frozenset({word})


def _unvowelled(stem: str) -> str:
    return (stem[0] + re.sub("[וי]", "", stem[1:])).translate(_FINAL)


# ---- any language ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=20_000)
def stems(word: str) -> frozenset[str]:
    """The stems that a word may have; two words with one in common may be the same word."""
    word = key(word)
    first = word[:1]
    if "а" <= first <= "я":
        return _russian(word)
    if "א" <= first <= "ת":
        return _hebrew(word)
    return frozenset({_english(word)})


def alike(one: str, other: str) -> bool:
    """Whether two words may be forms of one."""
    return not stems(one).isdisjoint(stems(other))


def akin(one: str, other: str) -> bool:
    """Whether two words may be made from one: *build* and *building*, *построить* and *постройте*."""
    shorter, longer = sorted((key(one), key(other)), key=len)
    length = max(4, -(-len(shorter) * 2 // 3))
    return alike(one, other) or shorter[:length] == longer[:length]


def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, as `key` writes them."""
    return tuple(key(word) for word in _WORD.findall(text))


def occurs(phrase: str, text: Set[str]) -> bool:
    """Whether each word of a phrase stands in a text in some form; what a phrase has in brackets does not count, nor do
    its words of one letter. text: the stems of its words."""
    return not any(stems(word).isdisjoint(text) for word in content(phrase))


@lru_cache(maxsize=4_000)
def content(phrase: str) -> Sequence[str]:
    """The words of a phrase that are looked for."""
    found = words_of(re.sub(r"\([^)]*\)", " ", phrase))
    return tuple(word for word in found if len(word) > 1 or word.isdigit()) or found
