"""Lazy lowering: units are lowered, printed and compiled at their first call, with the same result in any order."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Any
from zlib import crc32

import pytest

from ludex.interpreter import Engine, Event, Generator, pick, playout
from ludex.interpreter.program import COMPACT
from ludex.interpreter.program.ir.code import Deferred
from ludex.interpreter.program.lowering.passes import begin_lowering
from ludex.interpreter.program.python.printing.printer import Printer
from ludex.spec import load

from ..lockstep import ROOM, came
from ..once import game_once
from ..tiers import ReferenceTier
from .build import play

IMPORTS = "; ".join(
    f"from ludex.{module} import {name}"
    for module, name in (
        ("interpreter.program.ir.code", "Deferred"),
        ("interpreter.program.lowering.passes", "lower"),
        ("spec", "load"),
    )
)
CONSTANT = re.compile(r"\bc\d+\b")


def compiled(engine: Engine) -> int:
    return sum(not isinstance(function, partial) for function in (*engine.runtime.units, *engine.runtime.blocks))


def deferred(engine: Engine) -> int:
    return sum(isinstance(unit, Deferred) for unit in engine.program.units)


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


def test_a_start_writes_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowering evaluates facts without a value; their faults are caught, and the catalogue is not read."""
    game, written = game_once("bora_bora"), list[str]()

    def formatted(language: str, entry: str, values: object) -> str:
        written.append(entry)
        return entry

    monkeypatch.setattr("ludex.grammar.messages.message.formatted", formatted)
    engine = Engine(game)
    engine.apply(engine.start(), pick(engine, engine.start(), Generator(0)).event)
    assert not written


def test_a_printed_function_does_not_depend_on_those_printed_before() -> None:
    engine = Engine(load("tic_tac_toe"))
    names = [f"u{number}" for number in range(len(engine.program.units))]
    one, other = Printer(engine.program, engine.runtime), Printer(engine.program, engine.runtime)
    forth = {name: CONSTANT.sub("c", one.function(name)) for name in names}
    back = {name: CONSTANT.sub("c", other.function(name)) for name in reversed(names)}
    assert forth == back


def test_the_first_moves_leave_most_options_unlowered() -> None:
    engine = Engine(load("boreal"))
    before = deferred(engine)
    engine.legal_moves(engine.start())
    assert before > 20
    assert deferred(engine) > before / 2


def test_units_lowered_in_another_order_play_the_same_games() -> None:
    game = load("boreal")
    one, other = Engine(game), Engine(game)
    for unit in reversed(other.program.units[:]):
        assert unit.body
    other.program.complete()
    assert deferred(one) > deferred(other) == 0
    assert [played(one, seed) for seed in range(2)] == [played(other, seed) for seed in range(2)]


def test_lowering_a_unit_late_adds_only_units() -> None:
    program = begin_lowering(
        load("mangrovia"), COMPACT
    )  # there an option lists what can be performed, in blocks of its own

    def sizes() -> list[int]:
        parts = program.blocks, program.frame, program.waits, program.services, program.action_tests
        return [len(part) for part in parts]

    before, units = sizes(), len(program.units)
    assert len(program.complete().units) > units
    assert sizes() == before


def test_a_unit_that_waits_to_be_lowered_holds_no_function() -> None:
    program = begin_lowering(load("boreal"), COMPACT)
    waiting = [unit for unit in program.units if isinstance(unit, Deferred)]
    assert [program.units[unit.number] for unit in waiting] == waiting != []
    assert {slot for slot in Deferred.__slots__ for unit in waiting if callable(getattr(unit, slot))} == set()


def test_a_program_is_complete_where_python_leaves_out_assertions() -> None:
    deferred = "any(isinstance(each, Deferred) for each in lower(load('kuhn_poker')).units)"
    script = f"{IMPORTS}; raise SystemExit({deferred})"
    assert subprocess.run([sys.executable, "-O", "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("name", ("kuhn_poker", "boreal"))
def test_threads_that_call_a_function_for_the_first_time_play_the_same_games(name: str) -> None:
    game = load(name)
    alone = [played(Engine(game), seed) for seed in range(4)]
    engine = Engine(game)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: played(engine, seed), range(4))) == alone


# ---- in which order questions are asked first

QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "legal_moves": lambda tier, state: tier.legal_moves(state),
    "chance": lambda tier, state: tier.chance(state),
    "public_view": lambda tier, state: tier.public_view(state),
    "observe": lambda tier, state: [tier.observe(state, seat) for seat in range(tier.game.players)],
    "to_move": lambda tier, state: tier.to_move(state),
    "scores": lambda tier, state: tier.scores(state),
    "awaits": lambda tier, state: tier.awaits(state),
}
"""The queries that the reference answers, too, and others: trying a move, judging a play, move numbers."""
FIRST = (*QUESTIONS, "is_legal", "judge", "legal_ids")


@cache
def said(name: str) -> tuple[list[Event], list[dict[str, Any]]]:
    """Return some events of a play, and the reference's answers before each of them."""
    game, events, answers = game_once(name), list[Event](), list[dict[str, Any]]()
    tier, rng = ReferenceTier(replace(game, budget=game.budget.times(ROOM))), Generator(5)
    state = tier.start()
    for _ in range(4):
        answers.append({question: came(partial(ask, tier), state) for question, ask in QUESTIONS.items()})
        events.append(pick(tier, state, rng).event)
        state = tier.apply(state, events[-1])
    return events, answers


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("name", ("leduc_poker", "goofspiel", "mangrovia"))
def test_the_order_of_queries_changes_no_answer(name: str, first: str) -> None:
    events, answers = said(name)
    engine = Engine(game_once(name))
    asked = sorted(FIRST, key=lambda question: (question != first, crc32(f"{first} {question}".encode())))
    for at, answer in enumerate(answers):
        for question in asked:
            state = play(engine, *events[:at])
            match question:
                case "is_legal":
                    assert engine.is_legal(state, events[at])
                case "judge":
                    assert engine.judge(events) == len(events)
                case "legal_ids":
                    for seat in answer["to_move"] if engine.numbers.complete else ():
                        moves = {engine.move_of(number, seat) for number in engine.legal_ids(state, seat)}
                        assert moves == {move for move in answer["legal_moves"] if move.player == seat}
                case _:
                    assert came(partial(QUESTIONS[question], engine), state) == answer[question], question
