"""A clause put into another edition: what it says for each reading of a fork comes along, whichever text names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.spec import GameText, Request, build, read_game, with_clause_of

from .duel import write_files

GAME = """\
game ferry
  players: 2
  document: en "en.txt", he "he.txt"
  editions: en, he
  convention: "made for a test"

state load(Player): 0..90 = 0
state fare(Player): 0..90 = 0

action take
  choose n in 1..3
"""

TEXT = """\
edition NAME of ferry

fork way
  long: "so"
  short: "or so"
  middle: "or thus"
  default long "why"

action take
  CLAUSE

play
  turns: repeat 2 times                                         [NAME 2]
    each player in seats
      take

score cargo: my load - my fare                                  [NAME 3]
"""
PLAIN = """\
gain: load(me) += n                                           [NAME 4]"""
EVERY = """\
gain:
    match way
      long => load(me) += n                                     [NAME 4]
      short => load(me) += 5                                    [NAME 5]
      middle => load(me) += 6                                   [NAME 6]"""
SOME = """\
gain:
    match way
      long => load(me) += n + 1                                 [NAME 4]
      otherwise => load(me) += 7                                [NAME 5]"""
OTHERS = """\
gain:
    match way
      middle => load(me) += 8                                   [NAME 4]
      otherwise => load(me) += 9                                [NAME 5]"""
STEPS = """\
gain:
    match way
      long =>
        lift: load(me) += n + 2                                 [NAME 4]
        pay: fare(me) += 1                                      [NAME 5]
      otherwise =>
        wait: load(me) += 10                                    [NAME 6]
        pay: fare(me) += 2                                      [NAME 7]"""


def written(folder: Path, en: str, he: str) -> GameText:
    texts = {name: TEXT.replace("CLAUSE", clause).replace("NAME", name) for name, clause in (("en", en), ("he", he))}
    return read_game(write_files(folder, ferry=GAME, **texts))


def rules(text: GameText, edition: str, reading: str) -> str:
    """What is in force, but for what it rests on."""
    made = build(text, Request(edition=edition, silence="literal", readings={"way": reading}))
    assert made.game is not None, made.diagnostics
    return made.game.fingerprint


CLAUSES = {"plain": PLAIN, "every": EVERY, "some": SOME, "others": OTHERS}


@pytest.mark.parametrize("own", CLAUSES)
@pytest.mark.parametrize("other", CLAUSES)
def test_what_is_said_for_each_reading_comes_along(tmp_path: Path, own: str, other: str) -> None:
    text = written(tmp_path / "made", CLAUSES[own], CLAUSES[other])
    by_hand = written(tmp_path / "by_hand", CLAUSES[other].replace("NAME", "he"), CLAUSES[other])
    grafted = with_clause_of(text, "en", "take.gain", "he", "take.gain")
    for reading in ("long", "short", "middle"):
        assert rules(grafted, "en", reading) == rules(by_hand, "en", reading)


def test_clauses_behind_a_reading_that_is_not_taken_come_along(tmp_path: Path) -> None:
    """Those behind the one that is taken are clauses by themselves, and each text keeps its own."""
    mine = STEPS.replace("n + 2", "n + 3").replace("+= 10", "+= 20").replace("+= 2 ", "+= 4 ").replace("+= 1 ", "+= 3 ")
    text = written(tmp_path / "made", mine, STEPS)
    kept = STEPS.replace("n + 2", "n + 3").replace("+= 1 ", "+= 3 ")
    by_hand = written(tmp_path / "by_hand", kept.replace("NAME", "he"), STEPS)
    grafted = with_clause_of(text, "en", "take.gain", "he", "take.gain")
    assert rules(grafted, "en", "short") == rules(by_hand, "en", "short")


def test_a_rest_of_readings_that_cites_nothing_is_silence(tmp_path: Path) -> None:
    silent = SOME.replace("[NAME 5]", "")
    few = EVERY.replace("      middle => load(me) += 6                                   [NAME 6]", "")
    few = f"{few.rstrip()}\n      otherwise => load(me) += 6  [NAME 6]"
    text = written(tmp_path / "made", few, silent)
    grafted = with_clause_of(text, "en", "take.gain", "he", "take.gain")
    own = EVERY.split("\n")[3]
    borrowed = silent.replace("      otherwise", f"{own}\n      otherwise")
    by_hand = written(tmp_path / "by_hand", borrowed, silent)
    assert rules(grafted, "en", "short") == rules(by_hand, "en", "short")
