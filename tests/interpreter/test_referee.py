"""Reports for a referee who reads one language: a game written in its words, with mistakes.

Messages, hints and suggested lines have nothing in another language, except paths of clauses (beside their words) and
what has to be typed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ludex.grammar import Diagnostic, in_language
from ludex.interpreter import NotationWriter, Validator, parse_log

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
VALIDATOR = Validator(game_once, compiled=engine_once)
NAMES = {"ru": ("Алёна", "Борис", "Вера"), "he": ("יעל", "דוד", "נועה")}
TAGS = {"Game", "Players", "Edition", "Date", "ludex", "log", "ludexlog"}


@cache
def written(name: str, language: str) -> str:
    """Write the sample log of a game in the words of a language."""
    sample = next((ROOT / "spec/games" / name / "logs").glob("full*.jsonl"))
    play = VALIDATOR.play(parse_log(sample.read_text(encoding="utf-8"), "log"))
    assert play.engine is not None
    game = play.engine.game
    names = NAMES[language][: game.players]
    writer = NotationWriter(game, names, language)
    lines = [writer.event(event) for event in play.events]
    return "\n".join([f"Game: {name}", f"Players: {', '.join(names)}", "", *lines, ""])


def findings(text: str) -> list[Diagnostic]:
    return [each for each in VALIDATOR.validate(parse_log(text, "log.ludexlog")).findings if each.is_error]


def said(finding: Diagnostic, language: str) -> str:
    texts = (finding.message, finding.hint or "", *finding.legal)
    return "\n".join(in_language(text, language) for text in texts)


def foreign(text: str, name: str) -> set[str]:
    """Return the Latin words of a text but paths of clauses, tags, and names of games and texts."""
    game = game_once(name)
    typed = {*game.clauses, *game.chances, *game.moves, *game.editions, game.name, *TAGS}
    words = re.findall(r"[A-Za-z][\w.]*[A-Za-z]", text)
    return {word for word in words if word not in typed}


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("name", ["boreal", "crazy_eights"])
def test_a_game_in_the_words_of_a_language_is_legal(name: str, language: str) -> None:
    text = written(name, language)
    assert not findings(text)
    assert not foreign(text, name)


SLIPS = {
    "ru": [
        ("boreal", "Борис: изучение s10 место 1,3", "Борис: изучение s10 место 1,1", "карта примыкает"),
        ("boreal", "Борис: изучение s10 место 1,3", "Борис: изучение s10 13", "место в виде уровень,столбец"),
        ("boreal", "Борис: разведка s08", "Борис разведка s08", "после игрока нужно `:`: Борис"),
        ("boreal", "Борис: разведка s08", "Борис: разведать s08", "может быть, `разведка`"),
        ("boreal", "Борис: разведка s08", "Борис: разведка S08", "может быть, `s08`"),
        ("boreal", "Борис: разведка s08", "Борис: разведка s01", "здесь нельзя выбрать s01 (разведка: карта)"),
        ("boreal", "Борис: разведка s08", "Борис: отказ", "отказаться здесь нельзя; можно: изучение, разведка"),
        ("boreal", "Борис: разведка s08", "Борис: карта в резерв s08", "здесь этого хода нет: карта в резерв"),
        ("boreal", "новая_карта_после_изучения = a8\n", "", "(новая карта после изучения)"),
        ("boreal", "новая_карта_после_изучения = a8", "новая карта после изучения: a8", "исход случайного события"),
        ("boreal", "новая_карта_после_изучения = a8", "новая_карта_после_изучения = a9", "компонента: карта"),
        ("boreal", "Алёна: обмен_на_поле 2 другая_ячейка 5\n", "", "пропущен ход (Алёна)"),
        ("boreal", "обмен_на_поле 2 другая_ячейка 5", "обмен на поле 2", "нужно указать ещё `другая ячейка`"),
        ("crazy_eights", "сданная_карта = 9♦", "сданная_карта = 9 буби", "может быть, `9♦`"),
        ("crazy_eights", "сданная_карта = 9♦", "сданная_карта = 9", "карта в виде"),
        ("crazy_eights", "сдающий = Борис", "раздающий = Борис", "может быть, `сдающий`"),
    ],
    "he": [
        ("boreal", "דוד: לימוד s10 מקום 1,3", "דוד: לימוד s10 מקום 1,1", "הקלף צמוד לקלף שכבר מונח"),
        ("boreal", "דוד: סיור s08", "דוד סיור s08", "חסר `:` אחרי השחקן דוד"),
        ("boreal", "דוד: סיור s08", "דוד: סיורר s08", "אולי `סיור`"),
        ("boreal", "דוד: סיור s08", "דוד: סיור s01", "אי אפשר לבחור כאן s01 (סיור: קלף)"),
        ("boreal", "קלף_חדש_אחרי_לימוד = a8\n", "", "(קלף חדש אחרי לימוד)"),
        ("boreal", "יעל: החלפה_בלוח 2 תא_אחר 5", "יעל: החלפה בלוח 2", "עוד נדרש: `תא אחר`"),
        ("crazy_eights", "הקלף_שחולק = 9♦", "הקלף_שחולק = 9", "קלף בצורה"),
    ],
}


@pytest.mark.parametrize(
    ("language", "name", "right", "slip", "message"),
    [(language, *each) for language, slips in SLIPS.items() for each in slips],
)
def test_a_mistake_is_reported_in_the_language(language: str, name: str, right: str, slip: str, message: str) -> None:
    text = written(name, language)
    assert right in text
    first, *_ = findings(text.replace(right, slip, 1))
    report = said(first, language)
    assert message in report
    assert not foreign(report.replace(slip, ""), name)
