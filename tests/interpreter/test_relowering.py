"""Hot code is lowered again with larger limits, and keeps its meaning in any program."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ludex.interpreter import Engine, Event, Generator, playout
from ludex.interpreter.program import COMPACT, WIDE, lower
from ludex.interpreter.program.ir.code import Const, Each, Program
from ludex.interpreter.program.ir.traversal import statements
from ludex.spec import load

from ..once import EAGER
from .build import game_from

BOARDS = ("connect_four", "othello", "english_draughts", "breakthrough")
PLAYS = 3


def plays(engine: Engine) -> list[list[Event]]:
    return [[turn.event for turn in playout(engine, Generator(seed))] for seed in range(PLAYS)]


def loops(program: Program, units: int) -> int:
    """Return the number of loops over constants in the first units."""
    bodies = (statements(unit.body) for unit in program.units[:units])
    return sum(isinstance(each, Each) and isinstance(each.items, Const) for body in bodies for each in body)


@pytest.mark.parametrize("name", BOARDS)
def test_plays_are_the_same_before_and_after(name: str) -> None:
    cold, eager = Engine(load(name), replace(COMPACT, often=0)), Engine(load(name), EAGER)
    expected = plays(cold)
    assert plays(eager) == expected
    assert [eager.judge(each) for each in expected] == list(map(len, expected))
    assert loops(eager.program, len(cold.program.units)) < loops(cold.program, len(cold.program.units))


def test_only_hot_code_is_lowered_again() -> None:
    never, late = (Engine(load("connect_four"), replace(COMPACT, often=often)) for often in (0, 10**9))
    assert plays(never) == plays(late)
    assert never.program == late.program


def test_units_of_a_program_that_was_lowered_before_are_lowered_again() -> None:
    game = load("connect_four")
    given = lower(game, EAGER)
    before = loops(given, len(given.units))
    assert plays(Engine(game, EAGER, given)) == plays(Engine(game, EAGER))
    assert loops(given, len(given.units)) < before


def test_units_without_a_lowering_are_not_lowered_again() -> None:
    game = load("connect_four")
    other = lower(game, WIDE)
    expected = lower(game, WIDE)
    plays(Engine(game, EAGER, other))
    assert other == expected


def test_threads_that_make_code_hot_play_the_same_games() -> None:
    game = load("connect_four")
    alone, engine = plays(Engine(game)), Engine(game, EAGER)
    with ThreadPoolExecutor(PLAYS) as pool:
        assert list(pool.map(lambda _: plays(engine), range(PLAYS))) == [alone] * PLAYS


LINE = """
state mark(1..60): Player? = none

define lines(p: Player) = count(n in 1..58 where mark(n) = p and mark(n + 1) = p and mark(n + 2) = p)

action place
  choose n in 1..60
  require free: mark(n) is empty
  lay: mark(n) := me

play
  turns: repeat
    each player in seats
      place: place
      won: if my lines > 0 then end game
  until every n in 1..60 has mark(n) is not empty
"""


def test_a_result_is_not_memoized_unless_something_drops_it() -> None:
    """A unit may become worth a memo when it is lowered again, but the printed blocks do not drop it."""
    game = game_from(LINE)
    engine, expected = Engine(game, EAGER), plays(Engine(game, replace(COMPACT, often=0)))
    assert not any(unit.keeps for unit in engine.program.complete().units)
    for events in expected:
        state = engine.start()
        assert engine.play_each(state, events) == len(events)
        assert engine.is_terminal(state)
    assert [unit.name for unit in engine.program.units if unit.keeps] == ["lines", "lines"]
