"""Two builds of one game that say the same in other words are known to be the same; others never are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.interpreter.differences.lockstep import Pair
from ludex.interpreter.engine import Engine
from ludex.spec import GameText, Request, build, read_game

GAME = """game worded
  players: 2
  document: en "en.txt", ru "ru.txt"
  editions: en, ru
  convention: "made for a test"

type Site = here | there | yonder
type Stone = grey | white

state coins(Player): 0..30 = 0
state mark(Site): 0..9 = 0
state seen(Site): Bool = false
state idle: 0..9 = 0
state rounds: 0..9 = 0
zone yard(Site): bag of Stone up to 20, open

option long: Bool = false
"""

TEXT = """edition NAME of worded

define held(p: Player) = coins(p) > 2                           [NAME 1]
define marked = set(s for s in Site where mark(s) > 0)             [NAME 1]
define chain(s: Site): 0..90 cycle 0 = mark(s) + chain(if s = here then there else here)  [NAME 1]
fact most = 2                                                   [NAME 1]

setup
  purse: each p in Player                                       [NAME 2]
    coins(p) := 3
  stones: each s in Site                                        [NAME 2]
    put bag(grey for n in 1..2) in yard(s)

play
  turns: repeat                                                 [NAME 3]
    each player in seats
      turn: choose take or build
    count: rounds += 1                                          [NAME 3]
  until rounds = 2

action take
  choose n in 1..3
  require enough: n <= most                                     [NAME 4]
  require free: true                                            [NAME 4]
  gain: coins(me) += n                                          [NAME 4]
  note_it: nothing                                              [NAME 4]
  lay: idle := 1                                                [NAME 4]

action build
  choose at in Site
  require held: held(me) and size(yard(at)) >= 1                [NAME 5]
  require near: some s in Site has mark(s) = 0                  [NAME 5]
  require fresh: not (seen(at) and seen(here))                  [NAME 5]
  change:                                                       [NAME 5]
    mark(at) += 1
    coins(me) -= 1
    seen(at) := true
  effect: match at                                              [NAME 6]
    here => seen(there) := true
    there, yonder => seen(here) := true

score coins: my coins * 2                                       [NAME 7]
score marks: sum(mark(s) for s in marked)                       [NAME 7]
score chain: chain(here)                                        [NAME 7]

winner                                                          [NAME 8]
  most: highest total(me)
"""

SAME = [
    ("n <= most  ", "n < 3"),
    ("n <= most  ", "not n > 1 + 1"),
    ("n <= most  ", "n != 3"),
    ("  require free: true                                            [NAME 4]\n", ""),
    ("  note_it: nothing                                              [NAME 4]\n", ""),
    ("  lay: idle := 1                                                [NAME 4]\n", ""),
    ("coins(me) += n  ", "coins(me) := n + my coins"),
    ("coins(p) > 2  ", "not coins(p) < 3"),
    ("size(yard(at)) >= 1", "yard(at) is not empty"),
    ("held(me) and size(yard(at)) >= 1", "size(yard(at)) > 0 and my coins >= most + 1"),
    ("some s in Site has mark(s) = 0", "not every s in Site has mark(s) > 0"),
    ("some s in Site has mark(s) = 0", "count(s in Site where mark(s) < 1) >= 1"),
    ("some s in Site has mark(s) = 0", "set(s for s in Site where mark(s) = 0) is not empty"),
    ("    mark(at) += 1\n    coins(me) -= 1", "    coins(me) -= 1\n    mark(at) += 1"),
    ("each p in Player                                       [NAME 2]\n    coins(p) := 3",
     "each player in seats\n    coins(me) := 3"),
    ("    put bag(grey for n in 1..2) in yard(s)", "    repeat 2 times\n      put grey in yard(s)"),
    ("    here => seen(there) := true\n    there, yonder => seen(here) := true",
     "    there => seen(here) := true\n    here => seen(there) := true\n    otherwise => seen(here) := true"),
    ("sum(mark(s) for s in marked)", "sum(mark(s) for s in Site where mark(s) >= 1)"),
    ("my coins * 2", "2 * my coins"),
]  # fmt: skip
OTHER = [
    ("n <= most  ", "n < most"),
    ("n <= most  ", "n in {1, 3}"),
    ("coins(me) += n  ", "coins(seat(1)) += n"),
    ("coins(p) > 2  ", "coins(p) > 1"),
    ("size(yard(at)) >= 1", "size(yard(here)) >= 1"),
    ("some s in Site has mark(s) = 0", "every s in Site has mark(s) = 0"),
    ("    mark(at) += 1\n    coins(me) -= 1\n", "    mark(at) += my coins\n    coins(me) -= 1\n"),
    ("each p in Player      ", "each p in Player where p = seat(1)"),
    ("for n in 1..2)", "for n in 1..3)"),
    ("    here => seen(there) := true\n", "    here => seen(yonder) := true\n"),
    ("sum(mark(s) for s in marked)", "sum(mark(s) for s in marked where s != here)"),
    ("my coins * 2", "my coins * 3"),
    ("highest total(me)", "lowest total(me)"),
    ("cycle 0 = mark(s)", "cycle 0 = 2 * mark(s)"),
    ("cycle 0 = mark(s)", "cycle 1 = mark(s)"),
]


def written(folder: Path, old: str, new: str) -> GameText:
    """The game in a folder; `ru` says what `en` says, but for one change of words."""
    folder.mkdir(exist_ok=True)
    assert old in TEXT, old
    (folder / "worded.ludex").write_text(GAME, encoding="utf-8")
    (folder / "en.ludex").write_text(TEXT.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        TEXT.replace(old, f"{new}  " if old.endswith(" ") else new).replace("NAME", "ru"), encoding="utf-8"
    )
    return read_game(folder)


def pair(text: GameText) -> Pair:
    built = [build(text, Request(2, name, silence="literal")) for name in ("en", "ru")]
    engines = []
    for each in built:
        assert each.game is not None, each.diagnostics
        engines.append(Engine(each.game))
    return Pair(engines[0], engines[1])


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_is_the_same_in_other_words_is_known_to_be(old: str, new: str, tmp_path: Path) -> None:
    assert pair(written(tmp_path / "worded", old, new)).contrast.same


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_is_not_the_same_is_never_taken_for_it(old: str, new: str, tmp_path: Path) -> None:
    assert not pair(written(tmp_path / "worded", old, new)).contrast.same
