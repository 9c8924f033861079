"""Hot code is lowered again with larger limits, and keeps its meaning in any program."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Engine, Event, Generator, State, playout
from ludex.interpreter.program import COMPACT, WIDE, lower
from ludex.interpreter.program.ir.code import Const, Each, Program
from ludex.interpreter.program.ir.traversal import statements
from ludex.interpreter.program.lowering.expressions import ExpressionLowering
from ludex.spec import OverBudget, load

from ..once import EAGER, game_once
from .build import game_from, move, walk

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


def asked(engine: Engine, state: State, seed: int) -> tuple[object, ...]:
    """Return what an engine answers in a state, with what it leaves of a random generator."""
    rng = Generator(seed)
    drawn, seats = engine.drawn(state, rng), engine.to_move(state)
    return (
        drawn and drawn.event,
        rng.word(),
        engine.chance(state),
        engine.legal_moves(state),
        [engine.legal_ids(state, seat) for seat in seats],
        [engine.observe(state, seat) for seat in range(engine.game.players)],
        engine.returns(state),
        engine.to_reference(state),
    )


@pytest.mark.parametrize("often", (1, 2, 5, 20))
@pytest.mark.parametrize("name", ("connect_four", "english_draughts", "boreal"))
@pytest.mark.drawn(4)
def test_an_engine_answers_alike_when_it_is_lowered_again_in_the_middle_of_a_game(name: str, often: int) -> None:
    game = game_once(name)
    cold, hot = Engine(game, replace(COMPACT, often=0)), Engine(game, replace(COMPACT, often=often))
    states = [hot.start()]
    for seed, (before, event) in enumerate(walk(cold, 1, most=40)):
        assert asked(hot, states[-1], seed) == asked(cold, before, seed)
        assert hot.key(hot.from_reference(cold.to_reference(before))) == hot.key(states[-1])
        if event is not None:
            states.append(hot.apply(states[-1], event))
    assert hot.program != cold.program, "some unit must be lowered again"
    # States from before the second lowering are valid after it.
    for seed, (before, _) in enumerate(walk(cold, 1, most=40)):
        assert asked(hot, states[seed], seed) == asked(cold, before, seed)


DEEP = """
state n: 0..9 = 0
define f(k: 0..5000): 0..5000 cycle 0 = if k = 0 then n else f(k - 1) + count(i in 1..150 where i = n) mod 2
define far(k: 0..5000) = count(a in 1..k, b in 1..k, c in 1..k where a + b = c + n) + count(i in 1..150 where i = n)

action deep
  choose k in {3, 998, 1000}
  do: n := min(f(k), 9)

action wide
  choose k in {3, 5000}
  do: n := min(far(k), 9)

play
  turns: repeat 9 times
    as seat(1)
      choose deep or wide
"""


@pytest.mark.parametrize("often", (0, 1, 2, 500))
def test_limits_hold_before_and_after(often: int) -> None:
    """Code is lowered again before the play, or in a call inside others."""
    engine = Engine(game_from(DEEP), replace(COMPACT, often=often))
    state = engine.start()
    for action, small, large, part in (("deep", 998, 1000, "calls"), ("wide", 3, 5000, "work")):
        for _ in range(3):
            state = engine.apply(state, move(0, action, k=3))
            engine.apply(state, move(0, action, k=small))
            with pytest.raises(OverBudget) as stopped:
                engine.apply(state, move(0, action, k=large))
            assert stopped.value.part == part


SHARED = """
state n: 0..9 = 0

define part(k: 0..30) = count(i in 1..9 where (i + n) mod 7 = k) + count(i in 1..9 where i = n + k)

action one
  require large: some k in 0..30 has part(k) > 1
  go: n := (n + 1) mod 10

action two
  require large: some k in 0..30 has part(k) > 2
  go: n := (n + 2) mod 10

play
  turns: repeat 5 times
    as seat(1)
      may one
    as seat(1)
      may two
"""


def test_an_interrupted_lowering_leaves_a_working_engine(rng: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come while code is lowered, at first or again."""
    game, lower, calls = game_from(SHARED), ExpressionLowering.lower, count(1)
    expected = plays(Engine(game, replace(COMPACT, often=0)))
    stop_at = 0

    def interrupted(self: ExpressionLowering, *given: Any) -> Any:
        if next(calls) == stop_at:
            raise KeyboardInterrupt
        return lower(self, *given)

    monkeypatch.setattr(ExpressionLowering, "lower", interrupted)
    engine = Engine(game, EAGER)
    begun = next(calls)
    assert plays(engine) == expected
    for at in rng.sample(range(1, next(calls) - begun - 1), 8):
        stop_at, engine = 0, Engine(game, EAGER)
        stop_at, calls = at, count(1)
        with pytest.raises(KeyboardInterrupt):
            plays(engine)
        assert plays(engine) == expected
