"""Small specs for the commands' tests."""

from __future__ import annotations

from pathlib import Path

CHAIRS = """\
game chairs
  title: en "Chairs"
  players: 2..3
  document: en "chairs.txt"

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
    """Write a spec into a folder of its own."""
    path = folder / name / f"{name}.ludex"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_chairs(folder: Path) -> Path:
    """Write a game with one text; return its folder. The text is in the folder `books`."""
    path = write(folder, "chairs", CHAIRS)
    (folder / "books").mkdir(exist_ok=True)
    (folder / "books" / "chairs.txt").write_text(TEXT, encoding="utf-8")
    return path.parent


LINES = """\
game lines
  players: 2
  convention: "made up"

option rows: 4..8 = 6
option columns: 4..8 = 7
option in_a_row: 3..(min(rows, columns)) = 4

state drawn: 0..in_a_row = 0

action place
  choose at in 1..columns
  go: drawn += 1

play
  turns: repeat in_a_row times
    as seat(1)
      place

score drawn: drawn
"""

FERRY = """\
game ferry
  title: en "Ferry", he "מעבורת"
  players: 2
  document: en "ferry.txt", margin "ferry.txt", he "ferry-he.txt"
  convention: "shared nouns"

text en
  lines: 1..3, 6..7

text margin
  lines: 4..5

type Load = 0..9

state load(Player): Load = 0

fact crew = 2                                                   [he 3]

define room(p: Player) = 9 - load(p)

setup
  crew: nothing                                                 [he 1]

play
  turns: repeat 4 times                                         [en 2]
    each player in seats
      take

action take
  choose n in 1..3
  require enough: my load + n <= 6                               [en 3]
    variant he: my load + n <= 5                                 [he 2]
  require small: n <= 3                                         [en 3]
    variant margin: n <= 2                                      [margin 4]
    silent he                                                   [he 2]
    except full: when my room < 3                               ruling "the last load may be larger"
  gain: load(me) += n                                           [en 3] [margin 5]

score cargo: my load                                            [en 6]
  variant he: my load + crew                                    [he 3]

winner
  most: highest total(me)                                       [en 6]
    silent he                                                   [he 3]
  tie: share                                                    ruling "the text does not say who wins a tie"

note boats = 2                                                  [en 7]

example six_is_full                                             [en 3]
  with anna, boris
  given
    load(anna) := 6
  refuse anna take(n: 1) because take.enough
"""

FERRY_TEXTS = {
    "ferry.txt": "Ferry\n\nLoads\nsmall ones\ntaken\ncargo\nboats\n",
    "ferry-he.txt": "שניים\nחמישה\nצוות\n",
}


def write_ferry(folder: Path) -> Path:
    """Write a game whose text has a margin and a translation; return its folder. The texts are in the
    folder `books`.
    """
    path = write(folder, "ferry", FERRY)
    (folder / "books").mkdir(exist_ok=True)
    for name, text in FERRY_TEXTS.items():
        (folder / "books" / name).write_text(text, encoding="utf-8")
    return path.parent
