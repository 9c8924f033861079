"""The lockstep run: it finds differences between tiers, writes a log of the first, and resumes."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.interpreter import Generator, Move, Reference, Validator, parse_log
from ludex.spec import Budget, shipped_games

from . import lockstep
from .interpreter.build import game_from
from .once import engine_once, game_once
from .tables import Table
from .tiers import PythonTier, ReferenceTier

MANY = {"kuhn_poker": 2000, "tic_tac_toe": 60}
"""The number of plays in every run, of the games whose plays are short. `tests/interpreter/test_reference.py` plays all
games, a few each."""


class Mistaken(PythonTier):
    """A tier with a mistake: of many moves it forgets the last."""

    def legal_moves(self, state: object) -> tuple[Move, ...]:
        moves: tuple[Move, ...] = self._engine.legal_moves(state)  # type: ignore[arg-type]
        return moves[:5]


def test_the_tables_cover_every_setting(is_long: bool) -> None:
    """Of games with editions and forks, with options, and with neither; in a long run, of all games."""
    for name in shipped_games() if is_long else ("boreal", "breakthrough", "pig"):
        game, tables = game_once(name), lockstep.tables(name)
        assert len(set(tables)) == len(tables)
        assert {table.players for table in tables} == set(game.player_counts)
        assert {table.edition for table in tables} == set(game.editions or [None])
        assert {option for table in tables for option, _ in table.options} == {option.name for option in game.options}
        texts = [game_once(name, edition=edition) for edition in game.editions or (None,)]
        assert {reading for table in tables for reading in table.readings} == {
            (fork.name, each)
            for text in texts
            for fork in text.forks
            for each, _ in fork.readings
            if each != fork.chosen
        }


@pytest.mark.parametrize("name", MANY)
def test_many_short_plays_are_the_same_in_all_tiers(name: str, play_seed: int) -> None:
    for batch in lockstep.batches([name], MANY[name], MANY[name], play_seed):
        result = lockstep.played(batch)
        assert isinstance(result, lockstep.Played), f"{batch.name}, a log that leads to it:\n{result}"


def test_a_table_is_made_once_however_it_is_named() -> None:
    game = game_once("boreal")
    assert game is game_once("boreal", game.players, game.edition, {}, {}) is game_once("boreal", readings={})
    assert game is Table("boreal", game.players).made() is Table("boreal", game.players, game.edition).made()
    pairs = tuple((fork.name, fork.readings[1][0]) for fork in game.forks[:2])
    assert Table("boreal", game.players, None, pairs).made() is game_once("boreal", readings=dict(pairs[::-1]))


def test_a_mistake_of_a_tier_is_found() -> None:
    game = game_once("tic_tac_toe")
    with pytest.raises(lockstep.Difference, match="legal_moves"):
        lockstep.beside([Mistaken(game)], ReferenceTier(game), Generator(0, 0), [])


def test_a_difference_leaves_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_once("tic_tac_toe")
    monkeypatch.setattr(lockstep, "_ready", lambda _: (game, ReferenceTier(game), (Mistaken(game),), Counter()))
    log = lockstep.played(lockstep.Batch(Table("tic_tac_toe", 2), 0, 0, 1))
    assert isinstance(log, str)
    assert "legal_moves" in json.loads(log.splitlines()[0])["note"]
    report = Validator(game_once, compiled=engine_once).validate(parse_log(log, "x.jsonl"))
    assert not [finding for finding in report.findings if finding.is_error]


def test_a_play_is_cut_off_after_the_events_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_once("tic_tac_toe")
    monkeypatch.setattr(lockstep, "_ready", lambda _: (game, ReferenceTier(game), (PythonTier(game),), Counter()))
    table = Table("tic_tac_toe", 2)
    short, whole = (lockstep.played(lockstep.Batch(table, 0, 0, 2, events)) for events in (3, 9))
    assert isinstance(short, lockstep.Played)
    assert isinstance(whole, lockstep.Played)
    assert (short.games, short.events, short.cut_off) == (2, 6, 2)
    assert whole.cut_off == 0
    assert (short + whole).cut_off == 2


def test_a_play_that_is_over_the_budget_of_the_reference_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends there, and the next play begins. Another tier that is over its budget first differs."""
    game = game_from(
        """
state left: 0..9 = 3

play
  turns: repeat 2 times
    each player in seats
      act

action act
  choose n in 1..2
  go: if count(k in 1..(left * 1000)) > 5 then left += 1 up to 9

score size: left
"""
    )
    poor, batch = replace(game, budget=Budget(work=1000)), lockstep.Batch(Table("made", 2), 0, 0, 3)
    monkeypatch.setattr(lockstep, "_ready", lambda _: (game, ReferenceTier(poor), (PythonTier(game),), Counter()))
    stopped = lockstep.played(batch)
    assert isinstance(stopped, lockstep.Played)
    assert (stopped.games, stopped.over_budget, stopped.cut_off) == (3, 3, 0)
    assert stopped.events > 0
    monkeypatch.setattr(lockstep, "_ready", lambda _: (game, ReferenceTier(game), (PythonTier(poor),), Counter()))
    assert isinstance(differs := lockstep.played(batch), str)
    assert "PythonTier: " in differs


def test_the_reference_keeps_the_moves_of_the_last_state_only() -> None:
    game = game_once("tic_tac_toe")
    kept, whole = ReferenceTier(game), Reference(game)
    start = kept.start()
    after = kept.apply(start, kept.legal_moves(start)[0])
    for state in (start, after, start):
        assert kept.legal_moves(state) == whole.legal_moves(state)
        assert [kept.legal_moves(state, seat) for seat in range(2)] == [whole.legal_moves(state, s) for s in range(2)]


def test_a_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "played.jsonl"
    monkeypatch.setattr(sys, "argv", ["lockstep", "kuhn_poker", "--each", "4", "--batch", "2", "--out", str(file)])
    assert lockstep.main() == 0
    first = file.read_text("utf-8")
    assert [json.loads(line)["games"] for line in first.splitlines()] == [2, 2]
    file.write_text(first + '{"batch": "', "utf-8")
    assert lockstep.main() == 0
    assert file.read_text("utf-8") == first
    assert capsys.readouterr().out.count("kuhn_poker                   4") == 2
