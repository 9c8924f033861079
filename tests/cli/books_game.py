"""A small game of three texts and a summary, with a team's decisions about them: for tests of `ludex diff`."""

from __future__ import annotations

from pathlib import Path

from ..heaps import TURNS_OF_TEXTS

GAME = f"""\
game nimm
  title: en "Nimm", he "נים"
  players: 2
  document: ru "ru.txt", en "en.txt", he "he.txt", aid "aid.txt"

text ru
  title: en "the Russian book", ru "русские правила", he "הספר הרוסי"
text en
  title: en "the English book", ru "английские правила", he "הספר האנגלי"
  lacuna: ru 20..30
text he
  title: en "the Hebrew book", ru "правила на иврите", he "הספר העברי"
text aid
  title: en "the player aid"
  summary: ru

terms
  take: en "take", ru "взять", he "לקחת"
  take.n: en "stones", ru "камней", he "אבנים"
  heap: en "the heap", ru "куча", he "הערימה"

state heap: 0..9 = 5                                            [ru 2] [en 2] [he 2]

{TURNS_OF_TEXTS}
  require odd: n != 2 or heap > 0                               [ru 3] [en 3]
    silent he                                                   [he 3]
  require most: n <= 3                                          [ru 4] [he 4]
    variant en: n <= 2                                          [en 4]
  away: heap -= n down to 0                                     [ru 5] [en 5] [he 5] [aid 1]

note kept: "the stones are kept for later"                      [ru 25] [he 6]

score last: if heap = 0 then 1 else 0                           ruling "the last one counts"
"""
DECIDED = """\
- clauses: [take.most]
  verdict: differ
  kind: amount
  binds: play
  about: {en: How many stones, ru: Сколько камней, he: כמה אבנים}
  readings:
    three: {en: A player takes three stones at most., ru: Берут не больше трёх камней., he: לוקחים עד שלוש אבנים.}
    two: {en: A player takes <b>two</b> stones at most., ru: Берут не больше двух камней., he: לוקחים עד שתי אבנים.}
  texts:
    ru: {lines: 4, reading: three}
    en: {lines: 4, reading: two}
    he: {lines: 4, reading: three, adds: that a number is a bound}
  why: the numbers differ
  readers: 2
- clauses: [take.enough]
  verdict: same
  kind: rule
  binds: play
  about: {en: Enough in the heap, ru: Хватает ли камней, he: די אבנים}
  readings: {said: {en: One takes what is there., ru: Берут из кучи., he: לוקחים מה שיש.}}
  texts:
    ru: {lines: 3, reading: said}
    en: {lines: 3, reading: said}
    he: {silent: 3}
  why: he says nothing
- clauses: [take.odd]
  verdict: same
  binds: nobody
  about: {en: Odd ones}
  readings: {said: {en: Two are odd.}}
  texts:
    ru: {lines: 3, reading: said}
    en: {silent: 3}
    he: {silent: 3}
  why: so
- clauses: [take.away]
  verdict: open
  kind: time
  binds: score
  about: {en: Where they go}
  readings: {off: {en: They leave the game.}, back: {en: They go back.}}
  texts:
    ru: {lines: 5, open: [off, back]}
    en: {lines: 5, open: [off, back]}
    he: {lines: 5, open: [off, back]}
    aid: {lines: 1, open: [off, back]}
  why: nobody says
"""
BOOKS = {
    "en.txt": "Nimm\nTurns\nOne takes what is there\nOne may take two stones at most\nThey go\n",
    "ru.txt": "Ним\nХоды\nБерут, что есть\nБерут не больше трёх камней\nОни уходят\n",
    "he.txt": "נים\nתורות\nמה שיש\nלוקחים לכל היותר שלוש אבנים\nהן הולכות\n<script>alert(1)</script> & {{ game }}\n",
    "aid.txt": "Away with them\n",
}


def write_game(folder: Path, decided: str = DECIDED) -> Path:
    """Write the game, with its texts in `books` beside it."""
    game, books = folder / "nimm", folder / "books"
    game.mkdir()
    books.mkdir()
    (game / "nimm.ludex").write_text(GAME, encoding="utf-8")
    if decided:
        (game / "collation.yaml").write_text(decided, encoding="utf-8")
    for name, text in BOOKS.items():
        (books / name).write_text(text, encoding="utf-8")
    return game
