"""Translations of the report's phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludex.spec import Text

LANGUAGES = ("en", "ru", "he")
RIGHT_TO_LEFT = frozenset({"he"})

_WORDS: Mapping[str, tuple[str, str, str]] = {
    # sections
    "contradiction": ("The texts contradict each other", "Тексты противоречат друг другу", "הטקסטים סותרים זה את זה"),
    "duty": (
        "What players must, may or must not do",
        "Что обязательно, что можно и чего нельзя",
        "מה חובה, מה רשות ומה אסור",
    ),
    "omission": ("What a text leaves out", "О чём текст молчит", "מה שטקסט אינו אומר"),
    "vagueness": ("What a text leaves open", "Что текст оставляет неясным", "מה שטקסט מותיר פתוח"),
    "lacuna": ("What a text does not reach", "До чего текст не доходит", "מה שטקסט אינו מגיע אליו"),
    "ruling": ("House rulings: no text says it", "Решения дома: в текстах этого нет", "הכרעות הבית: אין לכך טקסט"),
    "summary": (
        "What only a summary leaves out",
        "Чего нет только в кратком изложении",
        "מה שרק תקציר משמיט",
    ),
    # what texts say
    "silent": ("nothing about it", "об этом ничего", "אין על כך דבר"),
    "unworded": (
        "a rule that nobody has put into words yet",
        "правило, которое ещё никто не пересказал",
        "כלל שעוד לא נוסח במילים",
    ),
    "open": ("can be read as", "можно понять так", "אפשר להבין כך"),
    "or": ("or as", "или так", "או כך"),
    "both": ("in one place", "в одном месте", "במקום אחד"),
    "and both": ("in another", "в другом", "ובמקום אחר"),
    "so or": ("can be read so, or as", "можно понять так же или так:", "אפשר להבין כך, או כך:"),
    "lost": ("cut here", "здесь обрывается", "קטוע כאן"),
    "near": ("near", "рядом", "ליד"),
    "adds": ("if one adds", "если добавить", "אם מוסיפים"),
    "more": ("and {n} more", "и ещё {n}", "ועוד {n}"),
    "cut": (
        "does not reach what other texts say at {at} ({n})",
        "не доходит до того, о чём другие тексты говорят в строках {at} ({n})",
        "אינו מגיע למה שטקסטים אחרים אומרים בשורות {at} ({n})",
    ),
    # effects
    "legal-moves": ("changes what may be done", "меняет, что можно делать", "משנה מה מותר לעשות"),
    "score": ("changes points or the winner", "меняет очки или победителя", "משנה נקודות או מנצח"),
    "setup": ("changes the set-up", "меняет начало игры", "משנה את ההכנה"),
    "binds play": (
        "bears on play, by the lines",
        "касается хода игры, судя по строкам",
        "נוגע למהלך המשחק, לפי השורות",
    ),
    "binds score": (
        "bears on points or the winner, by the lines",
        "касается очков или победителя, судя по строкам",
        "נוגע לנקודות או למנצח, לפי השורות",
    ),
    "binds setup": (
        "bears on the set-up, by the lines",
        "касается начала игры, судя по строкам",
        "נוגע להכנה, לפי השורות",
    ),
    "none": ("no game was found that shows it", "партии с отличием не нашлось", "לא נמצא משחק שמראה זאת"),
    "unknown": ("not played", "не разыграно", "לא שוחק"),
    # decisions
    "decide": ("Decision", "Решение", "הכרעה"),
    "undecided": ("not decided yet", "ещё не решено", "טרם הוכרע"),
    "decided": ("decided", "решено", "הוכרע"),
    "changed": ("changed since it was decided", "изменилось после решения", "השתנה מאז ההכרעה"),
    "new": ("new", "новое", "חדש"),
    "d same": ("the texts say the same", "тексты говорят одно и то же", "הטקסטים אומרים אותו דבר"),
    "d differ": ("the texts differ", "тексты расходятся", "הטקסטים חלוקים"),
    "d reading": ("a reading of ours", "это наше прочтение", "זו קריאה שלנו"),
    "d publisher": ("the publisher has to say", "спросить издателя", "לשאול את המוציא לאור"),
    "counts": ("the text that counts", "верен текст", "הטקסט הקובע"),
    "neither": ("none is chosen", "не выбран", "לא נבחר"),
    "comment": ("Comment", "Примечание", "הערה"),
    "earlier": ("decided before", "решали раньше", "הוכרע קודם"),
    # details
    "why": ("Why", "Почему", "מדוע"),
    "readers": ("readers of the lines", "читали строки", "קוראי השורות"),
    "clauses": ("Clauses", "Правила", "סעיפים"),
    "lines": ("Lines", "Строки", "שורות"),
    "details": ("Lines, game, reasons", "Строки, партия, основания", "שורות, משחק, נימוקים"),
    "kind": ("Kind", "Вид", "סוג"),
    "effect": ("At the table", "За столом", "ליד השולחן"),
    "what differs": ("What differs", "В чём отличие", "מה ההבדל"),
    "section": ("Section", "Раздел", "פרק"),
    "about": ("About", "О чём", "נושא"),
    "name": ("Name", "Имя", "שם"),
    "state": ("State", "Состояние", "מצב"),
    # the game
    "game": ("A game that shows it", "Партия, где это видно", "משחק שמראה זאת"),
    "player": ("player", "игрок", "שחקן"),
    "players": ("players", "игроков", "שחקנים"),
    "events before": ("events before that", "событий до этого", "אירועים לפני כן"),
    "here": ("here they part", "здесь тексты расходятся", "כאן הטקסטים נפרדים"),
    "tables": ("from here the tables differ", "отсюда столы различаются", "מכאן השולחנות שונים"),
    "at the end": ("The play is over", "Партия окончена", "המשחק הסתיים"),
    "at the start": ("The play begins", "Партия начинается", "המשחק מתחיל"),
    "allows": ("this may be done", "так можно", "מותר"),
    "refuses": ("this may not be done", "так нельзя", "אסור"),
    "stops": ("the rules do not say what comes now", "правила не говорят, что дальше", "הכללים אינם אומרים מה הלאה"),
    "goes on": ("play goes on", "игра продолжается", "המשחק נמשך"),
    "points": ("points", "очки", "נקודות"),
    "what": ("What changes", "Что меняется", "מה משתנה"),
    "before": ("before", "до", "לפני"),
    "after": ("after", "после", "אחרי"),
    "nothing": ("nothing", "ничего", "כלום"),
    "table before": ("The table before it", "Стол до этого", "השולחן לפני כן"),
    # two specs as wholes
    "whole": ("Both games as wholes", "Как игры в целом", "כמשחקים שלמים"),
    "one form": (
        "Both have one normal form: they are the same game",
        "У обоих одна нормальная форма: это одна и та же игра",
        "לשניהם צורה נורמלית אחת: זה אותו משחק",
    ),
    "all plays": (
        "Every play was gone through: they are the same game. Positions: {positions}; tables: {tables}",
        "Пройдены все партии: это одна и та же игра. Позиций: {positions}; столов: {tables}",
        "נבדקו כל המשחקים האפשריים: זה אותו משחק. מצבים: {positions}; שולחנות: {tables}",
    ),
    "parted": ("A game shows that they part", "Партия показывает, что они расходятся", "משחק מראה שהם נפרדים"),
    "not found": (
        "No game was found that parts them, within these bounds. Events: {events}; plays: {plays}; players: {players}",
        "В этих пределах не нашлось партии, где они расходятся. Событий: {events}; партий: {plays}; игроков: {players}",
        "בגבולות אלה לא נמצא משחק שבו הם נפרדים. אירועים: {events}; משחקים: {plays}; שחקנים: {players}",
    ),
    "not played": (
        "They were not played against each other",
        "Они не были разыграны друг против друга",
        "הם לא שוחקו זה מול זה",
    ),
    "timed out": ("the clock stopped it", "остановлено по времени", "נעצר בגלל הזמן"),
    "other texts": (
        "Compared as “{text}” has it; these texts differ, too: {others} (ludex diff A B TEXT)",
        "Сравнены по тексту «{text}»; различаются и тексты: {others} (ludex diff A B TEXT)",
        "הושוו לפי הטקסט „{text}”; גם הטקסטים האלה שונים: {others} (ludex diff A B TEXT)",
    ),
    # the page and the text form
    "incomplete": (
        "NOT COMPLETE: the search for games was stopped; rows marked as not played may change a game",
        "НЕ ПОЛНОСТЬЮ: поиск партий был прерван; и то, что не разыграно, может менять игру",
        "לא שלם: החיפוש אחר משחקים נעצר; גם מה שלא שוחק עשוי לשנות משחק",
    ),
    "parting": ("where the texts part", "где тексты расходятся", "היכן הטקסטים נפרדים"),
    "no parting": (
        "Nowhere, as far as is known.",
        "Нигде, насколько известно.",
        "בשום מקום, ככל הידוע.",
    ),
    "folded": (
        "Not shown, since they bind nobody or only a summary is concerned (--all)",
        "Не показано, так как никого не связывает или касается лишь краткого изложения (--all)",
        "לא מוצג, כי אינו מחייב איש או נוגע רק לתקציר (--all)",
    ),
    "rest": (
        "Binds nobody, or concerns only a summary",
        "Никого не связывает или касается лишь краткого изложения",
        "אינו מחייב איש או נוגע רק לתקציר",
    ),
    "search": ("Search", "Поиск", "חיפוש"),
    "show": ("Show", "Показать", "הצגה"),
    "all rows": ("all", "все", "הכול"),
    "download": ("Download the rulings", "Скачать решения", "הורדת ההכרעות"),
    "open all": ("Open all rows", "Раскрыть все", "פתיחת הכול"),
    "close all": ("Close all rows", "Свернуть все", "סגירת הכול"),
    "skip": ("Skip to the rows", "К строкам", "דילוג לשורות"),
    "kept": (
        "Decisions are kept in this browser until they are downloaded.",
        "Решения хранятся в этом браузере, пока их не скачают.",
        "ההכרעות נשמרות בדפדפן הזה עד להורדה.",
    ),
    "not kept": (
        "This browser keeps nothing: download before you close the page.",
        "Этот браузер ничего не хранит: скачайте, прежде чем закрыть страницу.",
        "הדפדפן הזה אינו שומר דבר: יש להוריד לפני סגירת הדף.",
    ),
    "no rows": ("Nothing fits.", "Ничего не подходит.", "אין התאמה."),
    "keys": (
        "Keys: / search, j and k next and previous row, o opens or closes it.",
        "Клавиши: / поиск, j и k – следующая и предыдущая строка, o раскрывает или сворачивает.",
        "מקשים: / חיפוש, j ו־k לשורה הבאה והקודמת, o פותח או סוגר.",
    ),
}  # fmt: skip


def effects(effect: str, binds: str, phrases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """List the effects of a difference, as names and words.

    effect: what a witness shows. binds: the readers' decision, which is added if no witness shows anything, or only a
    different set-up.
    """
    is_shown = effect not in ("none", "unknown")
    if is_shown:
        yield effect, phrases[effect]
    if binds in ("play", "score", "setup") and (not is_shown or (effect == "setup" and binds != effect)):
        yield f"binds-{binds}", phrases[f"binds {binds}"]


def phrases(language: str) -> dict[str, str]:
    """Return every phrase in a language of `LANGUAGES`."""
    at = LANGUAGES.index(language)
    return {name: each[at] for name, each in _WORDS.items()}


def title(text: Text, language: str) -> str:
    """Return a text's title in this language, else in English, else in any, else its siglum."""
    return in_language(text.titles, language) or text.siglum


def in_language(words: Mapping[str, str], language: str) -> str:
    """Return words in a language, else in English, else in any."""
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def listed(names: Sequence[str], language: str) -> str:
    """Join names: `A, B and C`"""
    if len(names) < 2:
        return "".join(names)
    joint = {"en": " and ", "ru": " и ", "he": " ו־"}[language]
    return ", ".join(names[:-1]) + joint + names[-1]
