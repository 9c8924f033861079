"""Lexicon of modal words: permission, obligation, prohibition, limits, negation.

Russian, English and Hebrew, as `key` writes them (`number_words.py`): small letters, without stress marks and points, ё
as е. The scripts keep the languages apart. A Hebrew entry may have letters before it that are written together with it
(and, that, the, in, to, from, as). The first alternative that matches counts, so longer phrases come before the words
that they contain, and prohibitions before permissions. To add a language, add an alternative to each entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

Sense = Literal[
    "need_not", "must_not", "must", "may", "at_most", "at_least", "more", "less", "exactly", "only", "not",
]  # fmt: skip

# Endings are left open, since both languages inflect for gender, number and case.
_R = "[а-я]*"
_H = "[א-ת]*"

PHRASES: Mapping[Sense, tuple[str, ...]] = {
    "need_not": (
        r"(?:do|does|did) not (?:have|need) to|(?:don't|doesn't) (?:have|need) to|need not|needn't",
        r"not (?:obligated|obliged|required|necessary|mandatory|forced)|no obligation",
        rf"не (?:обязан{_R}|обязательно|нужно|надо|требуется|приходится|придется)|необязательно",
        rf"(?:לא|אינו|אינה|אינם|אינך|אין) (?:חייב{_H}|מחויב{_H}|צריך|צריכ{_H})|אין (?:חובה|צורך)",
    ),
    "at_most": (
        r"at most|up to|(?:no|not) (?:more|higher|greater|larger) than|not exceed(?:s|ed|ing)?|maximum",
        r"or (?:less|fewer|lower)",
        r"(?:lower|less|smaller)(?: than)?,? or equal|equal(?: to)?,? or (?:lower|less|smaller|fewer)(?: than)?",
        r"(?:lower|less|smaller) or the same",
        rf"не (?:более|больше|выше|превыша{_R}|превысит|свыше|дороже)|максимум|(?:или|либо) (?:меньше|менее|ниже)",
        rf"(?:меньш{_R}|ниже|менее) (?:или|либо) рав{_R}|рав{_R} (?:или|либо) (?:меньш{_R}|ниже)",
        rf"לכל היותר|לא יותר|לא (?:גבוה|גדול){_H}|מקסימום|או פחות|או נמו[כך]{_H}|עד (?=[0-9])",
        rf"שוו?[הי]{_H} או (?:נמו[כך]|קט[ןנ]|פחות){_H}|(?:נמו[כך]|קט[ןנ]|פחות){_H} או שוו?[הי]{_H}",
    ),
    "at_least": (
        r"at least|no (?:less|fewer|lower) than|not (?:less|fewer|lower) than|minimum|or (?:more|higher|greater)",
        r"(?:higher|greater|more)(?: than)?,? or equal|equal(?: to)?,? or (?:higher|greater|more)(?: than)?",
        r"не (?:менее|меньше|ниже)|минимум|по (?:крайней|меньшей) мере|хотя бы|(?:или|либо) (?:больше|более|выше)",
        rf"(?:больш{_R}|выше) (?:или|либо) рав{_R}|рав{_R} (?:или|либо) (?:больш{_R}|выше)",
        rf"לפחות|לא פחות|לא (?:נמו[כך]|קט[ןנ]){_H}|מינימום|או יותר|או (?:גבוה|גדול){_H}",
        rf"שוו?[הי]{_H} או (?:גבוה|גדול){_H}|(?:גבוה|גדול){_H} או שוו?[הי]{_H}",
    ),
    "must_not": (
        r"(?:may|can|must|shall|could|should) (?:also )?(?:not|never|no longer|neither)|cannot|can't|mustn't|couldn't",
        r"not (?:allowed|permitted|possible)|forbidden|prohibited|impossible",
        rf"не (?:мож{_R}|мог{_R}|смо{_R}|вправе|разреша{_R}|допуска{_R}|долж{_R}|позволя{_R})|нельзя",
        rf"запрещ{_R}|запрет{_R}|невозможн{_R}",
        rf"(?:לא|אין|אינו|אינה|אינם|אינך) (?:ניתן|יכול{_H}|יוכל{_H}|רשאי{_H}|אפשר{_H}|מותר)|אסור{_H}|אי אפשר",
        r"אין ל(?!ך|ו |ה |הם|כם|נו)[א-ת]{3,}",
    ),
    "must": (
        r"must|(?:has|have|had|having) to|needs? to|needed to|obligated|obliged|required|mandatory|compulsory|forced",
        rf"долж(?:ен|на|но|ны)|обязан{_R}|обязательн{_R}|необходимо|нужно|надо|следует|приходится|придется|вынужден{_R}",
        r"требуется",
        rf"חייב{_H}|מחויב{_H}|צריך|צריכ{_H}|חובה|נדרש{_H}|מוכרח{_H}|יש ל(?!ך|ו |ה |הם|כם|נו|שחק|כל )[א-ת]{{3,}}",
        r"על השחקנ?(?:ן|ים) ל[א-ת]{3,}|עלי(?:ו|ך|הם|ה) ל[א-ת]{3,}",
    ),
    "may": (
        r"may|can|could|allowed|permitted|optional(?:ly)?|able to|possible|voluntar(?:y|ily)",
        r"(?:if|as|whenever|when) (?:he|she|they|you|the player) (?:wants?|wish(?:es)?|likes?|chooses?|prefers?)",
        r"wish(?:es)? to",
        rf"мож(?:ет|ете|ешь|но|ем)|могут|могли|мог|могла|сможе{_R}|смогут|вправе|разреша{_R}|позволя{_R}",
        rf"по (?:своему |вашему )?(?:желанию|выбору)|если (?:хо[чт]{_R}|жела{_R}|захо{_R}|пожела{_R})|возможност{_R}",
        rf"хо(?:чет|тите|тят)|жела(?:ет|ете|ют)|пожела{_R}|захо(?:чет|тите|тят)",
        rf"רשאי{_H}|יכול(?:ה|ים|ות)?|יוכל{_H}|תוכל{_H}|ניתן|אפשר|אפשרי{_H}|מאפשר{_H}|מותר{_H}|אפשרות{_H}|רצונ{_H}|רוצה",
        rf"מעוני[ינ]{_H}",
    ),
    "more": (
        r"(?:more|greater|higher|larger) than|exceed(?:s|ed|ing)?|outrank(?:s|ing)?",
        rf"(?:больше|более|выше|старше|дороже),? чем|(?:больше|более) (?:[0-9]+|(?:одн|дв|тр|четыр|пят|шест){_R})",
        rf"превыша{_R}|превыси{_R}|свыше",
        rf"(?<!ב)יותר מ{_H}|(?:גבוה|גדול){_H} (?:יותר )?מ{_H}",
    ),
    "less": (
        r"(?:less|fewer|lower|smaller) than",
        r"меньше|(?:менее|ниже|младше|дешевле),? чем",
        rf"פחות מ{_H}|(?:נמו[כך]|קט[ןנ]){_H} (?:יותר )?מ{_H}",
    ),
    "exactly": (
        r"exactly|precisely|equal(?:s|ing)?|match(?:es|ing)?",
        r"ровно|точно|рав(?:ен|на|но|ны|ным|ное|ную|ной|ных|ными|няется|няться)",
        rf"בדיוק|שוו?[הי]{_H}",
    ),
    "only": (
        r"only|except|unless|exclusively|instead|until",
        rf"только(?! что)|лишь|кроме(?! того| этого)|исключени{_R}|вместо|пока(?: [а-я]+){{0,4}} не|пока",
        r"רק|אלא|מלבד|למעט|בלבד|במקום ז(?:את|ה)|עד ש",
    ),
    "not": (
        r"not|no|never|without|none|neither|nor|nothing|nobody",
        r"не|нет|ни|без|никогда|никто|ничего|никак(?:ой|их|ие|ая)",
        r"(?<!ל)לא|אין|אינו|אינה|אינם|אינן|אינך|בלי|ללא(?! קשר)|מבלי",
    ),
}  # fmt: skip


# Hebrew writes `and`, `that`, `the`, `in` and `to` as one word with the next.
_PREFIX = "(?:(?:כש|[ושה]{0,2}|[בלכמ])(?=[א-ת]))?"


@cache
def pattern() -> re.Pattern[str]:
    """Return a pattern of all phrases; the name of the group that matches is the sense."""
    # The order of the senses counts: `must not` must be tried before `must`, and `at most` before `more`.
    groups = "|".join(f"(?P<{sense}>{'|'.join(each)})" for sense, each in PHRASES.items())
    # A sense within a longer word would be another word.
    return re.compile(rf"(?<!\w){_PREFIX}(?:{groups})(?!\w)")
