"""The words of the report, in each of its languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludex.spec import Section, Text

LANGUAGES = ("en", "ru", "he")

SECTIONS: Mapping[Section, Mapping[str, str]] = {
    Section.CONTRADICTION: {
        "en": "The texts contradict each other",
        "ru": "Тексты противоречат друг другу",
        "he": "הטקסטים סותרים זה את זה",
    },
    Section.DUTY: {
        "en": "What players must, may or must not do",
        "ru": "Что обязательно, что можно и чего нельзя",
        "he": "מה חובה, מה רשות ומה אסור",
    },
    Section.OMISSION: {
        "en": "What a text leaves out",
        "ru": "О чём текст молчит",
        "he": "מה שטקסט אינו אומר",
    },
    Section.VAGUENESS: {
        "en": "What a text leaves open",
        "ru": "Что текст оставляет неясным",
        "he": "מה שטקסט מותיר פתוח",
    },
    Section.LACUNA: {"en": "What is lost", "ru": "Что утрачено", "he": "מה שאבד"},
    Section.RULING: {
        "en": "House rulings: no text says it",
        "ru": "Решения дома: в текстах этого нет",
        "he": "הכרעות הבית: שום טקסט אינו אומר זאת",
    },
    Section.SUMMARY: {
        "en": "What only a summary leaves out",
        "ru": "Чего нет только в кратком изложении",
        "he": "מה שרק תקציר משמיט",
    },
}

PHRASES: Mapping[str, Mapping[str, str]] = {
    "silent": {"en": "says nothing", "ru": "об этом молчит", "he": "אינו אומר דבר"},
    "near": {"en": "it would stand near", "ru": "должно бы стоять у строк", "he": "מקומו ליד שורה"},
    "lost": {"en": "is cut here", "ru": "здесь обрывается", "he": "קטוע כאן"},
    "open": {"en": "leaves it open", "ru": "оставляет это неясным", "he": "מותיר זאת פתוח"},
    "adds": {"en": "if one adds", "ru": "если добавить", "he": "אם מוסיפים"},
    "binds nobody": {"en": "binds nobody", "ru": "никого не связывает", "he": "אינו מחייב איש"},
}


def title(text: Text, language: str) -> str:
    """What a text is called: in this language, else in any, else by its siglum."""
    return text.titles.get(language) or next(iter(text.titles.values()), text.siglum)


def told(words: Mapping[str, str], language: str) -> str:
    """Words in a language, else in English, else in any."""
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def listed(names: Sequence[str], language: str) -> str:
    """`A, B and C`"""
    if len(names) < 2:
        return "".join(names)
    joint = {"en": " and ", "ru": " и ", "he": " ו־"}.get(language, ", ")
    return ", ".join(names[:-1]) + joint + names[-1]
