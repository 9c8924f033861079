"""What play can hold at a statement lets other words mean the same; what it only mostly holds never does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludex.interpreter.differences.deciding import decide
from ludex.interpreter.differences.lockstep import Pair
from ludex.interpreter.engine import Engine
from ludex.spec import Request, build, read_game

GAME = """game ordered
  players: 2..4
  document: en "en.txt", ru "ru.txt"
  editions: en, ru
  convention: "made for a test"

type Step = low | middle | high

state coins(Player): 0..90 = 0
state order: list of Player up to 4
state latest: Player?
state round: 1..9 = 1
zone track(Step): pile of Player, open
zone away: bag of Player, open
"""

TEXT = """edition NAME of ordered

define by_track = list(p for s in Step, p in track(s))          [NAME 1]

setup
  order:                                                        [NAME 2]
    random one in Player
    order := list(p for p in {one})
    repeat player_count - 1 times
      random q in Player where q not in order
      order := order + list(p for p in {q})
  lay: each p in order                                          [NAME 2]
    put p in track(low)

play
  rounds: repeat 4 - round times                                [NAME 3]
    pay: each p in order                                        [NAME 3]
      coins(p) += 1
    bonus: coins(seat(1)) += round                              [NAME 3]
    turns: each player in order                                 [NAME 3]
      may rise
    order: order := by_track                                    [NAME 3]
    round: round += 1                                           [NAME 3]

action rise
  choose at in Step
  require there: me in track(at)                                [NAME 4]
  up: move me from track(at) to track(high)                     [NAME 4]

score coins: my coins                                           [NAME 5]

winner                                                          [NAME 6]
  most: highest total(me)
"""
PAY = "pay: each p in order  ", "pay: each p in Player"
COUNT = "repeat 4 - round times  ", "repeat 3 times"
ORDER = "order: order := by_track  ", "order: nothing"

SAME = {
    "any order": (PAY,),
    "reversed": (("pay: each p in order  ", "pay: each p in reversed(order)"),),
    "others act": (
        ("    pay: each p in order  ", "    pay: each player in seats"),
        ("      coins(p)", "      coins(me)"),
    ),
    "a number": (COUNT,),
    "both": (PAY, COUNT),
}
OTHER = {
    "one is left out": (("pay: each p in order  ", "pay: each p in Player where p != seat(1)"),),
    "fewer times": (("repeat 4 - round times  ", "repeat 2 times"),),
    "setup": (("lay: each p in order  ", "lay: each p in Player"),),
}
NO_MORE = {
    "turns that hang together": (
        PAY,
        ("coins(p) += 1", "latest := p"),
        ("coins: my coins", "coins: if latest = me then 1 else 0"),
    ),
    "somebody may be left out": (PAY, ("repeat player_count - 1 times", "repeat player_count - 2 times")),
    "somebody may stand twice": (PAY, (" where q not in order", "")),
    "set by a move": (PAY, ORDER, ("  up: move", "  set: order := list(p for p in {me})\n  up: move")),
    "pieces that leave": (PAY, ("to track(high)", "to away")),
    "pieces that come": (PAY, ("  up: move", "  more: put me in track(middle)\n  up: move")),
    "places twice": (PAY, ("for s in Step, p", "for s in list(s for s in Step, n in 1..2), p")),
    "a place left out": (PAY, ("for s in Step, p", "for s in {low, high}, p")),
    "a number that setup changes": (
        COUNT,
        ("  lay: each", "  later:\n    random n in 1..2\n    round := n\n  lay: each"),
    ),
}


BONUS = "coins(seat(1)) += round  ", "coins(seat(1)) += if round > 3 then 9 else round"


def is_same(folder: Path, changes: tuple[tuple[str, str], ...], alike: tuple[tuple[str, str], ...] = ()) -> bool:
    """Whether the two games are known to be the same at each table. alike: changes that both editions have."""
    folder.mkdir(exist_ok=True)
    mine, theirs = TEXT, TEXT
    for old, new in alike:
        assert old in mine, old
        mine, theirs = (each.replace(old, f"{new}  " if old.endswith(" ") else new) for each in (mine, theirs))
    for old, new in changes:
        assert old in theirs, old
        theirs = theirs.replace(old, f"{new}  " if old.endswith(" ") else new)
    (folder / "ordered.ludex").write_text(GAME, encoding="utf-8")
    (folder / "en.ludex").write_text(mine.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(theirs.replace("NAME", "ru"), encoding="utf-8")
    found = [each.contrast.same for each in pairs(folder)]
    assert len({*found}) == 1, f"not the same verdict at each table: {found}"
    return found[0]


def pairs(folder: Path) -> Iterator[Pair]:
    text = read_game(folder)
    for players in (2, 4):
        engines = []
        for name in ("en", "ru"):
            built = build(text, Request(players, name, silence="literal"))
            assert built.game is not None, built.diagnostics
            engines.append(Engine(built.game))
        yield Pair(engines[0], engines[1])


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME)
def test_what_always_holds_makes_other_words_mean_the_same(
    tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    assert is_same(tmp_path / "ordered", changes), "an order that holds each player once is no longer seen to be one"


@pytest.mark.parametrize("changes", OTHER.values(), ids=OTHER)
def test_what_is_not_the_same_is_never_called_so(tmp_path: Path, changes: tuple[tuple[str, str], ...]) -> None:
    assert not is_same(tmp_path / "ordered", changes)


@pytest.mark.parametrize("changes", NO_MORE.values(), ids=NO_MORE)
def test_what_need_not_hold_is_not_built_on(tmp_path: Path, changes: tuple[tuple[str, str], ...]) -> None:
    """The same words as in a case above, in a game in which they do not come to the same."""
    exchanged, *alike = changes
    assert not is_same(tmp_path / "ordered", (exchanged,), tuple(alike))


def test_what_a_number_can_be_decides_a_step(tmp_path: Path) -> None:
    """The round is 1, 2 or 3 there: so it is the same; with another loop around it may be 4."""
    folder = tmp_path / "ordered"
    assert not is_same(folder, (BONUS,)), "told apart by form alone"
    found = [decide(each) for each in pairs(folder)]
    assert [each.verdict for each in found] == ["equal", "equal"], found
    assert found[0].reason == "by what `round` can hold wherever play comes to it"
    is_same(folder, (BONUS,), (("repeat 4 - round times  ", "repeat 4 times"),))
    assert all(decide(each).verdict != "equal" for each in pairs(folder))


@pytest.mark.parametrize(("guard", "is_equal"), [("round > 1", True), ("coins(seat(1)) > 1", False)])
def test_what_a_branch_asks_holds_in_it(tmp_path: Path, guard: str, is_equal: bool) -> None:
    """Behind what the guard asks, one may be taken from the round and it does not fall below 1."""
    lower = f"if {guard} then round -= 1"
    step = "  up: move me", f"  back: {lower}\n  up: move me"
    is_same(tmp_path / "ordered", ((lower, f"{lower} down to 1"),), (step,))
    verdicts = {decide(each).verdict == "equal" for each in pairs(tmp_path / "ordered")}
    assert verdicts == {is_equal}
