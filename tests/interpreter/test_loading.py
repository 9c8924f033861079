"""Functions of a program are printed and compiled when they are first called: as much as a play needs, and the same for
everybody."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

from ludex.interpreter import Engine, Event, Generator, playout
from ludex.interpreter.program.python.printer import Printer
from ludex.spec import load

CONSTANT = re.compile(r"\bc\d+\b")


def compiled(engine: Engine) -> int:
    return sum(function.__name__ != "first" for function in (*engine.runtime.units, *engine.runtime.blocks))


def played(engine: Engine, seed: int) -> list[Event]:
    return [turn.event for turn in playout(engine, Generator(seed))]


def test_the_first_moves_need_a_small_part_of_a_game() -> None:
    engine = Engine(load("boreal"))
    assert compiled(engine) == 0
    assert engine.chance(engine.start()) or engine.legal_moves(engine.start())
    first = compiled(engine)
    assert 0 < first < (len(engine.program.units) + len(engine.program.blocks)) / 4
    played(engine, 1)
    assert compiled(engine) > first


def test_a_function_is_the_same_whatever_was_printed_before() -> None:
    engine = Engine(load("tic_tac_toe"))
    names = [f"u{number}" for number in range(len(engine.program.units))]
    one, other = Printer(engine.program, engine.runtime), Printer(engine.program, engine.runtime)
    forth = {name: CONSTANT.sub("c", one.function(name)) for name in names}
    back = {name: CONSTANT.sub("c", other.function(name)) for name in reversed(names)}
    assert forth == back


def test_threads_that_call_a_function_for_the_first_time_play_the_same_games() -> None:
    game = load("kuhn_poker")
    alone = [played(Engine(game), seed) for seed in range(8)]
    engine = Engine(game)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: played(engine, seed), range(8))) == alone
