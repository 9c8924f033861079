"""Small specs for the commands' tests."""

from __future__ import annotations

from pathlib import Path

CHAIRS = """\
game chairs
  title: en "Chairs"
  players: 2..3
  document: en "chairs.txt"
  editions: en

state seated(Player): Bool = false

action sit
  require standing: not my seated                               [en 4]
  sit: seated(me) := true                                       [en 4]

play
  turns: each player in seats                                   [en 3]
    sit

score sitting: if my seated then 2 else 0                       [en 5]

winner
  most: highest total(me)                                       [en 6]
  tie: share                                                    [en 6]
"""

EDITION = """\
edition en of chairs
  lines: 1..6

example two_sit                                                 [en 3]
  with anna, boris
  expect total(anna) = 0
"""

TEXT = """\
Chairs

Each player in turn has one go.
Whoever stands sits down.
Sitting is worth 2 points.
Most points win.
"""

FAILING = """\
game failing
  players: 2
  convention: "made up"

state seated(Player): Bool = false

action sit
  choose chair in 1..3
  require standing: not my seated
  sit: seated(me) := true

play
  turns: each player in seats
    sit: sit

score sitting: if my seated then 2 else 0

winner
  most: highest total(me)
  tie: share

example a_good_one
  with anna, boris
  after anna sit(chair: 1)
  expect total(anna) = 2

example a_wrong_one
  with anna, boris
  given
    seated(anna) := true
  allow anna sit(chair: 1)

example another_wrong_one
  with anna, boris
  expect total(anna) = 3
"""

ENDLESS_SUM = """\
game sums
  players: 2
  convention: "made up"

state sum: 0..9 = 0

action add
  choose n in 3..4
  add: sum += n

play
  turns: repeat
    each player in seats
      add: add
  until sum > 9

score zero: 0

winner
  most: highest total(me)
  tie: share
"""


def write(folder: Path, name: str, text: str) -> Path:
    """A spec in a folder of its own."""
    path = folder / name / f"{name}.ludex"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_chairs(folder: Path) -> Path:
    """A game with a text: its folder; the text stands in the folder `books`."""
    path = write(folder, "chairs", CHAIRS)
    (path.parent / "en.ludex").write_text(EDITION, encoding="utf-8")
    (folder / "books").mkdir(exist_ok=True)
    (folder / "books" / "chairs.txt").write_text(TEXT, encoding="utf-8")
    return path.parent
