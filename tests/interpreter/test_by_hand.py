"""A handwritten log with a person's mistakes can be corrected from the reports alone.

`tests/games/by_hand/boreal.ludexlog` is the first version of Boreal's sample `by_hand.ludexlog`. Its recorder, a
player, left out the opponent's look at the stack, which she could not see; she recorded cards that were turned up
though their places were known; and she made a dozen mistakes. Each round below has the reports, and her corrections.
"""

from __future__ import annotations

from pathlib import Path

from ludex.grammar import Diagnostic, in_language
from ludex.interpreter import Validator
from ludex.interpreter.logs.record.log import parse_log

from ..once import engine_once, game_once

ROOT = Path(__file__).parents[2]
FIRST = ROOT / "tests/games/by_hand/boreal.ludexlog"
MENDED = ROOT / "spec/games/boreal/logs/by_hand.ludexlog"

ROUNDS: list[tuple[list[tuple[int, str]], dict[str, str]]] = [
    (
        [(4, "L424"), (21, "L462"), (26, "L445"), (29, "L464"), (33, "L501"), (43, "L501"), (48, "L446"), (50, "L444")],
        {
            "Date: 22.11.2026": "Date: 2026-11-22",
            "Olle: scout s02": "scout.refill = l15; Olle: scout s02",
            "scout.refil = l19": "scout.refill = l19",
            "Olle: study 1,3 s09": "Olle: study s09 at 1,3",
            "Marta: study l01 # finally at 1,3": "Marta: study l01 at 1,3 # finally",
            "Ole: study a3 at 2,2": "Olle: study a3 at 2,2",
            "Marta: study ll1 at 2,3": "Marta: study l11 at 2,3",
        },
    ),
    (
        [(30, "L464"), (37, "L470")],
        {
            "Marta: scout l01": "",
            "scout.refill = l07": "",
            "scout.refill = l17": "scout.refill = l17; Marta: scout l01; scout.refill = l07",
            "study.refill = l20": "scout.refill = l20",
        },
    ),
    ([(41, "L460"), (48, "L462")], {"Olle: study l07 at 3,2": "Olle: study l07 at 2,3"}),
    (
        [(48, "L462"), (53, "L460")],
        {
            "Marta: study l12 at 1,5": (
                "resolve.peek3.look = ?; resolve.peek3.look = ?; resolve.peek3.look = ?; Olle: keep ?; "
                "Olle: under ? ?; Marta: study l12 at 1,5"
            ),
            "Olle: study l01 at 1,5": "Olle: study l10 at 1,5",
        },
    ),
    ([(88, "L480")], {"claim scores 28, 26; winners Marta; over": "claim scores 28, 25; winners Marta; over"}),
]
"""For each round of judging: the findings by line and code, and the lines that she writes instead."""


TURNED_UP = {"scout.refill = l21", "scout.refill = l06", "reserve_market.refill = l18", "scout.refill = l08"}
"""Lines of cards that she knew before they were turned up. They are optional; the shipped log does without."""

REMEDIES = {
    "Date: 22.11.2026": "such as 2026-11-23",
    "Olle: scout s02": "`scout.refill = ?`",
    "scout.refil = l19": "`scout.refill`",
    "Olle: study 1,3 s09": "write study Place at level,col",
    "Marta: study l01 # finally at 1,3": "write study Place at level,col",
    "Ole: study a3 at 2,2": "did you mean `Olle`?",
    "Marta: study ll1 at 2,3": "the id of a Place",
    "Marta: scout l01": "line 32 are legal in the reverse order",
    "study.refill = l20": "scout.refill = l20",
    "Olle: study l07 at 3,2": "Olle: study l07 at 2,3",
    "Marta: study l12 at 1,5": "`Olle: resolve.peek3.under ? lower ?`",
    "Olle: study l01 at 1,5": "Olle: study l10 at 1,5",
    "claim scores 28, 26; winners Marta; over": "Olle has 25 points",
}
"""The words of the messages that show her the remedy, by their line."""


def mended(line: str, edits: dict[str, str]) -> list[str]:
    if line not in edits:
        return [line]
    return [edits[line]] if line.startswith("claim") else list(filter(None, edits[line].split("; ")))


def test_every_message_is_enough_to_correct_its_fault(is_long: bool) -> None:
    """Every second round is judged; `--long` judges all."""
    validator, lines = Validator(game_once, compiled=engine_once), FIRST.read_text("utf-8").splitlines()
    for number, (found, edits) in enumerate(ROUNDS):
        is_judged = is_long or number % 2 == 1
        findings = judged(validator, lines) if is_judged else []
        assert not is_judged or [(each.span.line, each.code.code) for each in findings] == found
        for finding in findings:
            written = lines[finding.span.line - 1]
            notes = (str(note.message) for note in finding.notes)
            remedy = "\n".join([finding.message, finding.hint or "", *finding.legal, *notes])
            assert written not in edits or REMEDIES[written] in remedy
        lines = [each for line in lines for each in mended(line, edits)]
    assert judged(validator, lines) == []
    kept = [line for line in MENDED.read_text("utf-8").splitlines() if not line.startswith("# written by hand")]
    assert [line for line in lines if line not in TURNED_UP] == kept


def judged(validator: Validator, lines: list[str]) -> list[Diagnostic]:
    report = validator.play(parse_log("\n".join([*lines, ""]), "boreal.ludexlog"), goes_on=True).report
    return list(report.findings)


RUSSIAN = ROOT / "tests/games/by_hand/boreal_ru.ludexlog"
RUSSIAN_ROUNDS: list[tuple[list[tuple[int, str]], dict[str, str]]] = [
    (
        [(1, "L423"), (3, "L570"), (4, "L570")],
        {"Игроки: Анна, Борис": "Players: Анна, Борис", "Дата: 23.11.2026": "Date: 2026-11-23"},
    ),
    (
        [
            *((9, "L501"), (22, "L500"), (23, "L441"), (25, "L501"), (29, "L501"), (35, "L501")),
            *((54, "L441"), (64, "L501"), (70, "L441"), (72, "L501"), (73, "L500"), (74, "L500")),
        ],
        {
            "карты на поле = s12, s11, s03, s04, s07, s10, s06, s02": (
                "deal карты на поле = {s12, s11, s03, s04, s07, s10, s06, s02}"
            ),
            "новая карта l09": "новая карта = l09",
            "Анна: Разведка l02": "Анна: разведка l02",
            "Борис: разведка а2": "Борис: разведка a2",
            "Борис: изучение s03 на 1,6": "Борис: изучение s03 место 1,6",
            "Анна: изучение l18 место 1-6": "Анна: изучение l18 место 1,6",
            "Анна: берёт l24 в резерв": "Анна: карта с поля в резерв l24",
            "Борис: удалить l07 с поля": "Борис: удалить карту с поля l07",
            "Борис: пас": "Борис: отказ",
            "Борис: изучение а2 место 4,4": "Борис: изучение a2 место 4,4",
            "очки Анна 23, Борис 20": "claim scores Анна 23, Борис 20",
            "победила Анна": "claim winners Анна",
        },
    ),
    ([(39, "L462")], {"Анна: разведка l23": "Анна: разведка l23; новая карта = l05"}),
    ([], {}),
]
"""A log of another game, written with the Russian cheat sheet: inflected words, short names of outcomes, tags in
Russian, letters of the Russian keyboard, a forgotten card. Boris looks at a card and cannot use it, which nobody else
can know.
"""


def test_a_log_from_the_russian_cheat_sheet_is_corrected_in_three_rounds(is_long: bool) -> None:
    validator, lines = Validator(game_once, compiled=engine_once), RUSSIAN.read_text("utf-8").splitlines()
    for found, edits in RUSSIAN_ROUNDS:
        if is_long or not edits:
            findings = judged(validator, lines)
            assert [(each.span.line, each.code.code) for each in findings] == found
            assert all(each.hint or each.code.code == "L500" for each in findings)
        lines = [each for line in lines for each in mended(line, edits)]


BARE = ROOT / "tests/games/by_hand/boreal_bare.ludexlog"
BARE_EDITS = {
    "deal cards on the board = s03 s09 s10 s02 s07 s01 s04 s12": (
        "deal cards on the board = {s03, s09, s10, s02, s07, s01, s04, s12}"
    ),
    "l09 to the reserve": "card from the board l09",
    "deal top card = ? ? ?": "deal top card = {?, ?, ?}",
    "swap 1,5 3,4": "swap in the pyramid 1,5 3,4",
}
BARE_REMEDIES = {
    "deal cards on the board = s03 s09 s10 s02 s07 s01 s04 s12": "write `{s03, s09, s10, s02, s07, s01, s04, s12}`",
    "l09 to the reserve": "`ludex games boreal --moves` lists all",
    "deal top card = ? ? ?": "write `{?, ?, ?}`",
    "swap 1,5 3,4": "`swap_in_the_pyramid`",
}
"""A third game, of 73 events in 1,085 characters, written with the English cheat sheet in the fewest words: no players,
and only the first words of what is turned up. Otto looks at three cards, which Vera does not see."""


def test_a_log_in_the_fewest_words_is_corrected_in_one_round() -> None:
    validator, lines = Validator(game_once, compiled=engine_once), BARE.read_text("utf-8").splitlines()
    findings = judged(validator, lines)
    assert [lines[each.span.line - 1] for each in findings] == list(BARE_EDITS)
    for finding in findings:
        told = in_language(finding.message, "en"), str(finding.hint or "")
        assert BARE_REMEDIES[lines[finding.span.line - 1]] in "\n".join(told)
    report = validator.play(parse_log("\n".join(BARE_EDITS.get(each, each) for each in lines), "bare.ludexlog")).report
    assert report.findings == ()
    assert (report.replayed, report.events) == (73, 73)


def test_a_decline_that_an_unseen_card_may_explain_is_not_refused() -> None:
    """Whether Boris could have kept the card depends on its deck; he may have declined because he could not."""
    validator, lines = Validator(game_once, compiled=engine_once), RUSSIAN.read_text("utf-8").splitlines()
    for _, edits in RUSSIAN_ROUNDS:
        lines = [each for line in lines for each in mended(line, edits)]
    seen = [line.replace("верхняя карта стопки = ?", "верхняя карта стопки = a1") for line in lines]
    assert seen != lines
    assert judged(validator, seen) == judged(validator, lines) == []


def test_a_throw_too_many_is_refused() -> None:
    """In backgammon one clause throws the dice and puts them down, which turns nothing up."""
    lines = ['{"ludex": 1, "game": "backgammon", "players": 2}']
    lines += [f'{{"chance": "setup.first", "outcome": {die}}}' for die in (2, 1, 1)]
    report = Validator(game_once, compiled=engine_once).validate(parse_log("\n".join([*lines, ""]), "first.jsonl"))
    assert [(finding.span.line, finding.code.code) for finding in report.findings] == [(4, "L463")]
