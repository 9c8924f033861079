"""Invariants in a game of several texts: they belong to the editions that have what they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.spec import Request, build, read_game

GAME = """\
game heap
  players: 2
  document: en "heap.txt", he "heap-he.txt"
  convention: "a frame"

fact all = 9                                                    [en 1] [he 1]
fact spare = 2                                                  convention "for the invariant alone"
state heap: 0..9 = all
state lent: 0..9 = 0

action take
  choose n in 1..2
  away: heap -= n                                               [en 2] [he 2]
  back: lent += n                                               [en 3]
    silent he                                                   [he 2]

play
  turns: repeat 2 times                                         [en 4] [he 4]
    each player in seats
      take

invariant few: heap <= all + spare - 2
invariant borrowed: heap + lent = all
invariant of_english: heap >= 1                                 [en 5]
  variant he: heap >= 0                                         [he 5]
"""


@pytest.mark.parametrize(
    ("edition", "paths"),
    [
        ("en", ["invariant.few", "invariant.borrowed", "invariant.of_english"]),
        ("he", ["invariant.few", "invariant.of_english"]),
    ],
)
def test_an_invariant_does_not_bring_a_state_into_an_edition(tmp_path: Path, edition: str, paths: list[str]) -> None:
    (tmp_path / "heap.ludex").write_text(GAME, encoding="utf-8")
    built = build(read_game(tmp_path / "heap.ludex"), Request(edition=edition, silence="literal"))
    assert built.errors == ()
    assert built.game is not None
    assert [each.path for each in built.game.invariants] == paths
    assert ("lent" in built.game.element) is (edition == "en")
    assert built.game.clauses["invariant.of_english"].stated_by == edition
    assert not any(path.startswith("invariant.") for path in built.game.silent)
