"""What nothing asks for any more makes no difference; what anything may still ask for does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.interpreter.differences.lockstep import Pair
from ludex.interpreter.engine import Engine
from ludex.spec import Request, build, read_game

GAME = """game leftovers
  players: 2..3
  document: en "en.txt", ru "ru.txt"
  editions: en, ru
  convention: "made for a test"

type Pool = light | dark

type Card = card_1 | card_2 | card_3 | card_4 | card_5 | card_6

zone pile(Pool): pile of Card, hidden
zone column(1..9): bag of Card, open
zone place: one Card, open
zone hand(Player): bag of Card, open
zone box: bag of Card, open
zone unseen: bag of Card, hidden
state points(Player): 0..90 = 0
state budget: 0..9 = 0
state spare: 0..9 = 0
state round: 1..9 = 1
state order: list of Player up to 4
"""

TEXT = """edition NAME of leftovers

define left: 0..9 = budget                                      [NAME 1]

define lying(r: 1..9): 0..9 = size(column(r))                   [NAME 1]

setup
  order: order := clockwise(seat(1))                            [NAME 2]
  cards:                                                        [NAME 2]
    fill pile(light) with {card_1, card_2}
    fill pile(dark) with {card_3, card_4}
    shuffle pile(light)
    put card_5 in column(1)
    put card_6 in column(2)
  deal: draw 1 from pile(light) to hand(seat(1))                [NAME 2]
  away: move all from pile(light) to unseen                     [NAME 2]

play
  rounds: repeat 3 times                                        [NAME 3]
    turns: each player in order                                 [NAME 3]
      turn
    more: draw 1 from pile(dark) to hand(seat(2))               [NAME 3]
    rest: move all from column(round) to box                    [NAME 3]
    round: round += 1                                           [NAME 3]

action turn
  amount: budget := 4                                           [NAME 4]
  trades: repeat may choose trade or take                       [NAME 4]
  unspent: budget := 0                                          [NAME 4]

action trade
  require enough: budget >= 2                                   [NAME 5]
  pay: budget -= 2                                              [NAME 5]
  gain: points(me) += 1                                         [NAME 5]

action take
  choose card in column(round)
  take: move card from column(round) to my hand                 [NAME 6]

score points: my points                                         [NAME 7]

winner                                                          [NAME 8]
  most: highest total(me)
"""
TURNS = "    turns: each player in order                                 [NAME 3]\n      turn"
FRESH = "    fresh: budget := 0  [NAME 3]"
UNSPENT = "  unspent: budget := 0"
AWAY = "  away: move all from pile(light) to unseen"
REST = "    rest: move all from column(round) to box"

SAME = {
    "written anew before it is asked for": [(UNSPENT, "  unspent: nothing")],
    "other things are written": [(UNSPENT, "  unspent: budget := 7")],
    "a pile of which nothing is drawn any more": [(AWAY, "  away: nothing")],
    "a column whose round is over": [(REST, "    rest: nothing")],
    "only in one case": [(UNSPENT, "  unspent: if round = 2 then budget := 0")],
}

OTHER = {
    "a pile that is still drawn from": [(AWAY, "  away: move all from pile(dark) to unseen")],
    "a column that is asked for later": [(REST, "    rest: move all from column(3) to box")],
    "any column": [
        (REST, "    rest: each r in 1..9  [NAME 3]\n      move all from column(r) to box\n    then: nothing"),
    ],
    "before it is asked for": [("  amount: budget := 4", "  amount: budget := 3")],
}

ASKED = {
    "in a score": ("score points: my points", "score points: my points + left"),
    "in the next turn, if it is not the first": ("  amount: budget := 4", "  amount: if round = 1 then budget := 4"),
    "when something can be done": (
        "  amount: budget := 4", "  can: if can trade then points(me) += 1  [NAME 4]\n  amount: budget := 4",
    ),
    "to write something else that counts": (
        "    round: round += 1",
        "    kept: spare := left  [NAME 3]\n    count: points(seat(1)) += spare  [NAME 3]\n    round: round += 1",
    ),
    "when a loop ends": (
        TURNS,
        f"{FRESH}\n    turns: repeat  [NAME 3]\n      each player in order\n        turn\n    until budget = 0",
    ),
    "which turns a loop has": (
        TURNS,
        f"{FRESH}\n    turns: each p in Player where budget < 2  [NAME 3]\n      as p\n        turn",
    ),
    "how often an inner loop turns": (
        TURNS,
        f"{FRESH}\n    turns: each p in Player, n in 1..(left + 1)  [NAME 3]\n      as p\n        turn",
    ),
    "to draw so many": ("    more: draw 1", "    more: draw budget"),
    "where it may fail": ("    round: round += 1", "    kept: spare := left + 6  [NAME 3]\n    round: round += 1"),
    "to put a piece where only one may lie": (
        "    round: round += 1", "    lay: if left = 0 then put card_1 in place  [NAME 3]\n    round: round += 1",
    ),
}  # fmt: skip
"""What the last case of each makes of the same slip: something asks for it."""


def _pair(where: Path, shared: list[tuple[str, str]], only: list[tuple[str, str]], players: int = 2) -> Pair:
    text = TEXT
    for one, other in shared:
        assert one in text
        text = text.replace(one, other, 1)
    mine, theirs = text, text
    for one, other in only:
        assert one in theirs
        theirs = theirs.replace(one, other, 1)
    (where / "leftovers.ludex").write_text(GAME)
    (where / "en.ludex").write_text(mine.replace("NAME", "en"))
    (where / "ru.ludex").write_text(theirs.replace("NAME", "ru"))
    engines = []
    for edition in ("en", "ru"):
        built = build(read_game(where), Request(players, edition))
        assert built.game is not None, built.diagnostics
        engines.append(Engine(built.game))
    return Pair(*engines)


@pytest.mark.parametrize("slip", SAME, ids=list(SAME))
@pytest.mark.parametrize("players", [2, 3])
def test_what_nothing_asks_for_makes_no_difference(slip: str, players: int, tmp_path: Path) -> None:
    pair = _pair(tmp_path, [], SAME[slip], players)
    assert pair.contrast.same
    assert pair.unread_in


@pytest.mark.parametrize("slip", OTHER, ids=list(OTHER))
def test_what_is_asked_for_does(slip: str, tmp_path: Path) -> None:
    assert not _pair(tmp_path, [], OTHER[slip]).contrast.same


@pytest.mark.parametrize("asked", ASKED, ids=list(ASKED))
def test_whatever_way_it_is_asked_for(asked: str, tmp_path: Path) -> None:
    assert not _pair(tmp_path, [ASKED[asked]], [(UNSPENT, "  unspent: nothing")]).contrast.same


def test_what_is_left_where_it_counts_does(tmp_path: Path) -> None:
    shared = [("score points: my", "score points: size(hand(me)) + my")]
    only = [(REST, "    rest: move all from column(round) to hand(seat(1))")]
    assert not _pair(tmp_path, shared, only).contrast.same


ROUND = "    round: round += 1"
LEFT_LYING = {
    "by way of a define": "    seen: points(seat(1)) += lying(1)",
    "for any place": "    seen: if some r in 1..9 has column(r) is not empty then points(seat(1)) += 1",
    "when it is elsewhere": "    on: move all from box to unseen [NAME 3]\n    seen: points(seat(1)) += size(unseen)",
    "to draw it": "    on: move all from box to pile(dark)",
}


@pytest.mark.parametrize("asked", LEFT_LYING, ids=list(LEFT_LYING))
def test_pieces_that_lie_elsewhere_are_followed(asked: str, tmp_path: Path) -> None:
    assert not _pair(
        tmp_path, [(ROUND, f"{LEFT_LYING[asked]}  [NAME 3]\n{ROUND}")], [(REST, "    rest: nothing")]
    ).contrast.same
