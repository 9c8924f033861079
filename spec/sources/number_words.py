"""Lexicon of number words in Russian, English and Hebrew, and its lookup.

Its keys have the form that `key` returns: small letters, ё as е, no stress marks, no vowel points. To add a language,
add its tables to `_entries`. One lookup serves all languages, since their scripts or words differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal


@dataclass(frozen=True, slots=True)
class NumberWord:
    """The meaning of a number word.

    Only a cardinal or a `bound` word can begin a number of several words (`twenty-first`). A `bound` word alone is no
    number, and a `teen` adds ten to the word before it (`שנים עשר`).
    """

    value: int
    kind: Literal["cardinal", "ordinal", "bound", "teen", "other"]


# Stress marks and other loose accents; Hebrew points and cantillation.
_POINTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")

# A letter, or what may stand inside a word without ending it: accents, points, soft hyphens, direction marks.
WORD_PATTERN = (
    "[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u00ad\u200b-\u200f])*"
)

_INSIDE = re.compile("[\u00ad\u200b-\u200f]")


def key(word: str) -> str:
    """Return a word in the form of the tables' keys."""
    # A text may write `й` as one character or as two.
    composed = unicodedata.normalize("NFC", _INSIDE.sub("", word)).casefold()
    # Most texts write `е` for `ё`.
    return _POINTS.sub("", composed).replace("ё", "е")


# ---- Russian -----------------------------------------------------------------------------------------------------

RUSSIAN_CARDINALS: Mapping[int, str] = {
    0: "ноль ноля нолю нолем ноле ноли нолей нолям нолями нолях нуль нуля нулю нулем нуле нули нулей нулям нулями",
    1: "один одна одно одни одного одной одному одну одним одною одном одних одними",
    2: "два две двух двум двумя",
    3: "три трех трем тремя",
    4: "четыре четырех четырем четырьмя",
    5: "пять пяти пятью",
    6: "шесть шести шестью",
    7: "семь семи семью",
    8: "восемь восьми восемью восьмью",
    9: "девять девяти девятью",
    10: "десять десяти десятью",
    11: "одиннадцать одиннадцати одиннадцатью",
    12: "двенадцать двенадцати двенадцатью",
    13: "тринадцать тринадцати тринадцатью",
    14: "четырнадцать четырнадцати четырнадцатью",
    15: "пятнадцать пятнадцати пятнадцатью",
    16: "шестнадцать шестнадцати шестнадцатью",
    17: "семнадцать семнадцати семнадцатью",
    18: "восемнадцать восемнадцати восемнадцатью",
    19: "девятнадцать девятнадцати девятнадцатью",
    20: "двадцать двадцати двадцатью",
    30: "тридцать тридцати тридцатью",
    40: "сорок сорока",
    50: "пятьдесят пятидесяти пятьюдесятью",
    60: "шестьдесят шестидесяти шестьюдесятью",
    70: "семьдесят семидесяти семьюдесятью",
    80: "восемьдесят восьмидесяти восемьюдесятью восьмьюдесятью",
    90: "девяносто девяноста",
    100: "сто ста",
    200: "двести двухсот двумстам двумястами двухстах",
    300: "триста трехсот тремстам тремястами трехстах",
    400: "четыреста четырехсот четыремстам четырьмястами четырехстах",
    500: "пятьсот пятисот пятистам пятьюстами пятистах",
    600: "шестьсот шестисот шестистам шестьюстами шестистах",
    700: "семьсот семисот семистам семьюстами семистах",
    800: "восемьсот восьмисот восьмистам восемьюстами восьмистах восьмьюстами",
    900: "девятьсот девятисот девятистам девятьюстами девятистах",
}

# Stem and, after a stroke, its pattern of endings.
RUSSIAN_ORDINALS: Mapping[int, str] = {
    0: "нулев|stressed",
    1: "перв|plain",
    2: "втор|stressed",
    3: "трет|third",
    4: "четверт|plain",
    5: "пят|plain",
    6: "шест|stressed",
    7: "седьм|stressed",
    8: "восьм|stressed",
    9: "девят|plain",
    10: "десят|plain",
    11: "одиннадцат|plain",
    12: "двенадцат|plain",
    13: "тринадцат|plain",
    14: "четырнадцат|plain",
    15: "пятнадцат|plain",
    16: "шестнадцат|plain",
    17: "семнадцат|plain",
    18: "восемнадцат|plain",
    19: "девятнадцат|plain",
    20: "двадцат|plain",
    30: "тридцат|plain",
    40: "сороков|stressed",
    50: "пятидесят|plain",
    60: "шестидесят|plain",
    70: "семидесят|plain",
    80: "восьмидесят|plain",
    90: "девяност|plain",
    100: "сот|plain",
}

RUSSIAN_ENDINGS: Mapping[str, str] = {
    "plain": "ый ая ое ые ого ой ому ую ым ою ом ых ыми",
    "stressed": "ой ая ое ые ого ому ую ым ою ом ых ыми",
    "third": "ий ья ье ьи ьего ьей ьему ью ьим ьею ьем ьих ьими",
    "noun": "а и е у ой ою ам ами ах",  # двойка
}

# Sets of people or things, cards and dice by their rank, and how many times.
RUSSIAN_OTHERS: Mapping[int, str] = {
    1: "однажды",
    2: "оба обе обоих обеих обоим обеим обоими обеими двое двоих двоим двоими пара пары паре пару парой парою пар "
    "парам парами парах двоек дважды вдвое вдвоем двойной двойная двойное двойные двойного двойную двойных",
    3: "трое троих троим троими троек трижды втрое втроем тройной тройная тройное тройные тройного тройную тройных",
    4: "четверо четверых четверым четверыми четверок четырежды вчетверо вчетвером",
    5: "пятеро пятерых пятерым пятерыми пятерок впятером",
    6: "шестеро шестерых шестерым шестерыми шестерок вшестером",
    7: "семеро семерых семерым семерыми семерок",
    8: "восьмеро восьмерых восьмерым восьмерыми восьмерок",
    9: "девятеро девятерых девятерым девятерыми девяток",
    10: "десятеро десятерых десятерым десятерыми десяток десятков десятком",
    12: "дюжина дюжины дюжине дюжину дюжиной дюжиною дюжин дюжинам дюжинами дюжинах",
}

RUSSIAN_RANKS: Mapping[int, str] = {
    2: "двойк",
    3: "тройк",
    4: "четверк",
    5: "пятерк",
    6: "шестерк",
    7: "семерк",
    8: "восьмерк",
    9: "девятк",
    10: "десятк",
}

RUSSIAN_HALVES = (
    "половина половины половине половину половиной половиною половин половинам половинами половинах пополам"
)

# ---- English -----------------------------------------------------------------------------------------------------

ENGLISH_CARDINALS: Mapping[int, str] = {
    0: "zero",
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "eleven",
    12: "twelve",
    13: "thirteen",
    14: "fourteen",
    15: "fifteen",
    16: "sixteen",
    17: "seventeen",
    18: "eighteen",
    19: "nineteen",
    20: "twenty",
    30: "thirty",
    40: "forty fourty",
    50: "fifty",
    60: "sixty",
    70: "seventy",
    80: "eighty",
    90: "ninety",
    100: "hundred",
}

ENGLISH_ORDINALS: Mapping[int, str] = {
    1: "first",
    2: "second",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
    10: "tenth",
    11: "eleventh",
    12: "twelfth",
    13: "thirteenth",
    14: "fourteenth",
    15: "fifteenth",
    16: "sixteenth",
    17: "seventeenth",
    18: "eighteenth",
    19: "nineteenth",
    20: "twentieth",
    30: "thirtieth",
    40: "fortieth",
    50: "fiftieth",
    60: "sixtieth",
    70: "seventieth",
    80: "eightieth",
    90: "ninetieth",
    100: "hundredth",
}

ENGLISH_OTHERS: Mapping[int, str] = {
    1: "once",
    2: "both twice pair pairs couple double doubles doubled twos half halves halved",
    3: "thrice triple triples tripled threes",
    4: "fours",
    5: "fives",
    6: "sixes",
    7: "sevens",
    8: "eights",
    9: "nines",
    10: "tens",
    12: "dozen",
}

# ---- Hebrew ------------------------------------------------------------------------------------------------------

HEBREW_CARDINALS: Mapping[int, str] = {
    0: "אפס",
    1: "אחד אחת",
    2: "שני שתי שניים שתיים שתים שניהם שתיהן שניכם שתיכן",
    3: "שלוש שלושה שלושת שלש שלשה שלשת שלושתם שלושתן",
    4: "ארבע ארבעה ארבעת ארבעתם ארבעתן",
    5: "חמש חמישה חמשה חמשת חמישת",
    6: "שש שישה ששה ששת שישת",
    7: "שבע שבעה שבעת",
    8: "שמונה שמונת",
    9: "תשע תשעה תשעת",
    10: "עשרת",
    20: "עשרים",
    30: "שלושים שלשים",
    40: "ארבעים",
    50: "חמישים חמשים",
    60: "שישים ששים",
    70: "שבעים",
    80: "שמונים",
    90: "תשעים",
    100: "מאה",
    200: "מאתיים",
}

HEBREW_TEN = "עשר עשרה"

# This word alone is far more often "years" than "two".
HEBREW_BOUND: Mapping[int, str] = {2: "שנים"}

HEBREW_ORDINALS: Mapping[int, str] = {
    1: "ראשון ראשונה ראשונים ראשונות",
    2: "שנייה שניה שניות",
    3: "שלישי שלישית שלישיים שלישיות",
    4: "רביעי רביעית רביעיים רביעיות",
    5: "חמישי חמישית חמישיים חמישיות",
    6: "שישי שישית ששי ששית",
    7: "שביעי שביעית",
    8: "שמיני שמינית",
    9: "תשיעי תשיעית",
    10: "עשירי עשירית",
}

HEBREW_OTHERS: Mapping[int, str] = {2: "פעמיים זוג זוגות חצי כפול כפולה", 12: "תריסר"}

# Hebrew writes `and`, `the`, `in`, `to`, `from`, `as`, `that` as one word with what follows, one or two of them.
HEBREW_PREFIXES = ("ו", "ה", "ב", "ל", "מ", "כ", "ש", "וה", "וב", "ול", "ומ", "וכ", "וש", "שה", "שב", "של", "מה", "כש")

# ---- lookup --------------------------------------------------------------------------------------------------

# Phrases in which a number word counts nothing: those that enumerate arguments, and `no one`.
NOT_NUMBERS = frozenset({"во-первых", "во-вторых", "в-третьих", "в-четвертых", "no one", "no-one"})


# A rulebook repeats few words very often.
@lru_cache(maxsize=20_000)
def number_word(word: str) -> NumberWord | None:
    """Return the meaning of a number word in any case, gender and letter case; None for another word."""
    return _tables().get(key(word)) or _hebrew_prefixed(key(word))


def _hebrew_prefixed(word: str) -> NumberWord | None:
    # Only Hebrew writes such prefixes, and most words are not Hebrew.
    if not "\u05d0" <= word[:1] <= "\u05ea":
        return None
    tables = _tables()
    rests = (word.removeprefix(prefix) for prefix in HEBREW_PREFIXES if word.startswith(prefix))
    return next((tables[rest] for rest in rests if rest in tables), None)


@cache
def _tables() -> Mapping[str, NumberWord]:
    """Return the meanings of all number words. Of two meanings, the cardinal counts first, then the ordinal."""
    words: dict[str, NumberWord] = {}
    for word, meaning in _entries():
        # The entries come in that order, and the first of a word stays.
        words.setdefault(word, meaning)
    return words


def _entries() -> Iterator[tuple[str, NumberWord]]:
    for table in (RUSSIAN_CARDINALS, ENGLISH_CARDINALS, HEBREW_CARDINALS):
        for value, forms in table.items():
            yield from ((form, NumberWord(value, "cardinal")) for form in forms.split())
    yield from ((form, NumberWord(10, "teen")) for form in HEBREW_TEN.split())
    for value, forms in HEBREW_BOUND.items():
        yield from ((form, NumberWord(value, "bound")) for form in forms.split())
    for value, stem in RUSSIAN_ORDINALS.items():
        yield from ((form, NumberWord(value, "ordinal")) for form in _inflected(*stem.split("|")))
    for table in (ENGLISH_ORDINALS, HEBREW_ORDINALS):
        for value, forms in table.items():
            yield from ((form, NumberWord(value, "ordinal")) for form in forms.split())
    for table in (RUSSIAN_OTHERS, {2: RUSSIAN_HALVES}, ENGLISH_OTHERS, HEBREW_OTHERS):
        for value, forms in table.items():
            yield from ((form, NumberWord(value, "other")) for form in forms.split())
    for value, stem in RUSSIAN_RANKS.items():
        yield from ((form, NumberWord(value, "other")) for form in _inflected(stem, "noun"))


def _inflected(stem: str, pattern: str) -> tuple[str, ...]:
    return tuple(stem + ending for ending in RUSSIAN_ENDINGS[pattern].split())
