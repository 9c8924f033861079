"""Marking of words by which the lines of texts differ. All forms of number words are recognized, in any context."""

from __future__ import annotations

import pytest

from ludex.spec import differing_words, pieces
from ludex.spec.sources.contrasting_words import numbers_of_lines

RUSSIAN = {
    0: "ноль ноля нолю нолём ноле нуля нулём",
    1: "один одна одно одного одной одному одним одном одну одни одних",
    2: "два две двух двум двумя двое двоих оба обе обоих обеих обоим",
    3: "три трёх трем тремя трое троих",
    4: "четыре четырёх четырём четырьмя четверо",
    5: "пять пяти пятью пятеро",
    6: "шесть шести шестью",
    7: "семь семи семью",
    8: "восемь восьми восьмью восемью",
    9: "девять девяти девятью",
    10: "десять десяти десятью",
    11: "одиннадцать одиннадцати одиннадцатью",
    12: "двенадцать двенадцати двенадцатью дюжина дюжину дюжиной",
    13: "тринадцать тринадцати",
    14: "четырнадцать четырнадцатью",
    15: "пятнадцать пятнадцати",
    16: "шестнадцать шестнадцати",
    17: "семнадцать семнадцатью",
    18: "восемнадцать восемнадцати",
    19: "девятнадцать девятнадцати",
    20: "двадцать двадцати двадцатью",
    30: "тридцать тридцати тридцатью",
    40: "сорок сорока",
    50: "пятьдесят пятидесяти пятьюдесятью",
    60: "шестьдесят шестидесяти",
    70: "семьдесят семидесяти",
    80: "восемьдесят восьмидесяти восемьюдесятью",
    90: "девяносто девяноста",
    100: "сто ста",
}
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
TENS = "thirty forty fifty sixty seventy eighty ninety hundred"
ENGLISH = {**dict(enumerate(UNITS.split())), **dict(zip(range(30, 101, 10), TENS.split(), strict=True))}
HEBREW = {
    0: "אפס",
    1: "אחד אחת",
    2: "שניים שתיים שני שתי שניהם שתיהן",
    3: "שלושה שלוש שלושת שלשה",
    4: "ארבעה ארבע ארבעת",
    5: "חמישה חמש חמשת חמשה",
    6: "שישה שש ששת ששה",
    7: "שבעה שבע שבעת",
    8: "שמונה שמונת",
    9: "תשעה תשע תשעת",
    10: "עשרה עשר עשרת",
    11: "אחד-עשר אחת־עשרה",
    12: "שנים-עשר שתים־עשרה תריסר",
    13: "שלושה-עשר",
    14: "ארבע־עשרה",
    15: "חמישה-עשר",
    16: "שש־עשרה",
    17: "שבעה-עשר",
    18: "שמונה-עשר",
    19: "תשע־עשרה",
    20: "עשרים",
    30: "שלושים",
    40: "ארבעים",
    50: "חמישים",
    60: "שישים ששים",
    70: "שבעים",
    80: "שמונים",
    90: "תשעים",
    100: "מאה",
}
ORDINALS = {
    1: "первый первая первое первого первой первому первым первом первую первые первых first ראשון ראשונה הראשונים",
    2: "второй вторая второе второго второму вторым втором вторую вторые вторых second שנייה שניה",
    3: "третий третья третье третьего третьей третьему третьим третью третьи третьих third שלישי שלישית",
    4: "четвёртый четвёртая четвертого четвёртой fourth רביעי רביעית",
    5: "пятый пятая пятого пятой fifth חמישי חמישית",
    6: "шестой шестая шестого sixth שישי שישית",
    7: "седьмой седьмого седьмой seventh שביעי שביעית",
    8: "восьмой восьмого eighth שמיני שמינית",
    9: "девятый девятого ninth תשיעי תשיעית",
    10: "десятый десятой tenth עשירי עשירית",
    11: "одиннадцатый одиннадцатой eleventh",
    12: "двенадцатый двенадцатую twelfth 12-я 12-ую 12th ה-12",
    13: "тринадцатый thirteenth",
    14: "четырнадцатого fourteenth",
    15: "пятнадцатой fifteenth",
    16: "шестнадцатому sixteenth",
    17: "семнадцатым seventeenth",
    18: "восемнадцатая eighteenth",
    19: "девятнадцатое nineteenth",
    20: "двадцатый двадцатой twentieth",
    30: "тридцатый thirtieth",
    40: "сороковой fortieth",
    50: "пятидесятый fiftieth",
    60: "шестидесятый sixtieth",
    70: "семидесятый seventieth",
    80: "восьмидесятый eightieth",
    90: "девяностый ninetieth",
    100: "сотый hundredth",
}
OTHERS = {
    1: "once однажды",
    2: "twice дважды вдвое pair пара пару пары couple both half halves половина половину пополам double"
    " זוג חצי פעמיים כפול",
    3: "thrice трижды втрое triple",
    4: "четырежды вчетвером",
    12: "dozen",
}


def forms() -> list[tuple[int, str]]:
    tables = (RUSSIAN, ENGLISH, HEBREW, ORDINALS, OTHERS)
    return [(number, form) for table in tables for number, words in table.items() for form in words.split()]


def numbers(*lines: str) -> list[int]:
    return sorted(numbers_of_lines(lines))


@pytest.mark.parametrize(("number", "form"), forms())
def test_every_form_of_a_number_word_is_read(number: int, form: str) -> None:
    around = "הכלל {} כאן" if "א" <= form[0] <= "ת" else "rule {} here" if form.isascii() else "правило {} здесь"
    assert numbers(around.format(form)) == [number]


PREFIXED = [
    ("ו", 3, "שלושה"),
    ("ב", 2, "שתי"),
    ("ל", 4, "ארבעה"),
    ("ה", 5, "חמישה"),
    ("כ", 6, "שישה"),
    ("מ", 7, "שבעה"),
]


@pytest.mark.parametrize(
    ("prefix", "number", "form"), [*PREFIXED, ("ש", 2, "שני"), ("וה", 3, "שלישי"), ("שב", 4, "ארבע")]
)
def test_hebrew_numbers_are_read_after_a_prefix(prefix: str, number: int, form: str) -> None:
    assert numbers(f"כלל {prefix}{form} כאן") == [number]


TOGETHER = [
    (21, ("двадцать один ход",)),
    (45, ("после сорока пяти",)),
    (34, ("a score of thirty-four",)),
    (99, ("ninety", "nine points")),
    (22, ("עשרים ושניים קלפים",)),
    (125, ("one hundred and twenty-five",)),
]


@pytest.mark.parametrize(("number", "lines"), TOGETHER)
def test_several_words_may_be_one_number(number: int, lines: tuple[str, ...]) -> None:
    assert numbers(*lines) == [number]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("• 24 Tiles",), [24]),  # a bullet before a number does not hide it
        (("1. Take 3",), [3]),
        (("2.) Take 3",), [3]),
        (("the round", "6. Then draw"), [6]),  # the full stop of a sentence
        (("The end.", "6. Then draw"), []),
        (("see page 10",), []),
        (("смотрите стр. 16 и возьмите 2",), [2]),
        (("(ראה עמוד 7)",), []),
        (("<|mark-7d30|>take 4",), [4]),
        (("no one", "во-первых"), []),
        (("from 2 to 4, 5-7",), [2, 4, 5, 7]),
    ],
)
def test_some_number_words_are_not_numbers(lines: tuple[str, ...], expected: list[int]) -> None:
    assert numbers(*lines) == expected


# ---- words that differ

DIFFERING = [
    ("Take three cards.", "Возьмите две карты.", {"three"}, {"две"}),
    ("Take 2 cards.", "קחו ארבעה קלפים.", {"2"}, {"ארבעה"}),
    ("You can draw a card.", "Вы должны взять карту.", {"can"}, {"должны"}),
    ("You must draw a card.", "השחקן רשאי לקחת קלף.", {"must"}, {"רשאי"}),
    ("The site must not be taken.", "Место занято другим.", {"must not"}, set()),
    ("Место никем не занято.", "המקום פנוי.", {"не"}, set()),
    ("It costs at most 5.", "Цена меньше 5.", {"at most"}, {"меньше"}),
    ("Its price is lower than 5.", "המחיר הוא 5 או פחות.", {"lower than"}, {"או פחות"}),
]


@pytest.mark.parametrize(("one", "other", "marked", "marked_there"), DIFFERING)
def test_words_by_which_lines_differ(one: str, other: str, marked: set[str], marked_there: set[str]) -> None:
    differing = differing_words([{"one": [one]}, {"other": [other]}])
    assert differing == {"one": marked, "other": marked_there}


ALIKE = [
    ("Take three cards.", "Возьмите трёх."),
    ("Thrice draw a card.", "Трижды возьмите карту."),
    ("A card.", "Одна карта."),
    ("Draw a card (see page 7).", "Возьмите карту (смотрите стр. 12)."),
    ("You may draw.", "Можно взять."),
    ("You do not have to draw a card.", "אין חובה לקחת קלף."),
    ("No more than 5.", "לכל היותר 5."),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_words_of_two_languages_are_not_compared(one: str, other: str) -> None:
    assert differing_words([{"one": [one]}, {"other": [other]}]) == {"one": set(), "other": set()}


def test_equal_texts_are_not_compared() -> None:
    differing = differing_words([{"ru": ["три"], "he": ["ארבעה"]}, {"en": ["three"]}])
    assert differing == {"ru": set(), "he": {"ארבעה"}, "en": {"three"}}


def test_a_phrase_may_run_into_the_next_line_and_whole_words_are_marked() -> None:
    words = differing_words([{"en": ["Take at", "most three."]}, {"ru": ["Возьмите."]}])["en"]
    assert words == {"at most", "three"}
    assert list(pieces("Three of thirty-three, at most.", {"at most"})) == [
        ("Three of thirty-three, ", False), ("at most", True), (".", False),
    ]  # fmt: skip
    assert list(pieces("at mostly", {"at most"})) == [("at mostly", False)]
