"""Budgets: a spec that needs too much work or memory is stopped, with a report at the clause that causes it.

Every spec here looks small and would run for hours or fill the memory. Most are played with a small budget, so that the
tests are quick; a larger budget stops the same specs later.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import ludex
from ludex import spec
from ludex.cli.main import cli
from ludex.interpreter import Engine, Generator, Reference, Simulation, Validator, parse_log
from ludex.interpreter.program import COMPACT, WIDE, Limits
from ludex.interpreter.program.ir.facts import GIVEN_UP
from ludex.interpreter.program.lowering.passes import Lowering
from ludex.interpreter.simulate import perft
from ludex.spec import Budget, OverBudget
from ludex.spec.elaborate.elaboration import Elaborated, Elaboration

SMALL = Budget(work=20_000, game=200_000)
"""A hundredth of the default budget."""

HEAD = (
    'game {name}\n  players: 2\n  convention: "made for a test"\n\nstate coins(Player): 0..9 = 0\nstate q: 0..9 = 3\n'
)
ROUNDS = "\nplay\n  turns: repeat 3 times\n    each player in seats\n      {offer}\n\nscore wealth: my coins\n"


def acting(body: str, offer: str = "act") -> str:
    """Return a game in which both players take the action `act` three times; `body` declares it."""
    return f"{body}\n{ROUNDS.format(offer=offer)}"


def doing(step: str, before: str = "") -> str:
    """Return such a game in which the action has one step."""
    return acting(f"{before}\naction act\n  choose n in 1..2\n  go: {step}\n")


def chain(count: int, link: str) -> str:
    """Return declarations f1, f2, ... each of which refers to the one before it."""
    return "".join(link.format(this=f"f{at}", last=f"f{at - 1}") for at in range(1, count + 1))


BIG = "type Big = 1..60000\n"
HAND = "type Card = 1..30\nzone hand(Player): bag of Card, private\n"
DEAL = "\nsetup\n  deal: each player in seats\n    fill my hand with Card\n"
DECK = """type Card = 1..3000
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private

setup
  lay:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 1000 from deck to my hand
"""

PLAYED: dict[str, tuple[str, str]] = {
    "quantifier": (
        acting(
            BIG
            + "action act\n  choose n in 1..2\n  require rare: no x in Big, y in Big, z in Big has x + y + z = q - 1\n"
            "  go: coins(me) := n\n"
        ),
        "act.rare",
    ),
    "short loops in one another": (
        acting(
            "type Some = 1..50\naction act\n  choose n in 1..2\n"
            "  require rare: no w in Some, x in Some, y in Some, z in Some has w + x + y + z = q - 1\n"
            "  go: coins(me) := n\n"
        ),
        "act.rare",
    ),
    "quantifier in a define": (
        doing(
            "if pairs > 0 then coins(me) := n",
            BIG + "define pairs: 0..999999 = count(x in Big, y in Big where x + y > q)\n",
        ),
        "pairs",
    ),
    "score": (
        doing("coins(me) := n", BIG).replace("my coins", "count(x in Big, y in Big where x + y = q)"),
        "score.wealth",
    ),
    "loop over numbers": (doing("each k in 1..(q * 90000)\n    coins(me) := 1"), "act.go"),
    "numbers in a set": (doing("if count(k in {1} + (1..(q * 90000))) > 5 then coins(me) := 1"), "act.go"),
    "actions that double": (
        doing(
            "f13(n)",
            "action f0(n: 0..9)\n  go: q := n\n\n"
            + chain(13, "action {this}(n: 0..9)\n  one: {last}(n)\n  two: {last}(n)\n\n"),
        ),
        "f",
    ),
    "defines that double": (
        doing(
            "if f40 > 5 then coins(me) := n",
            "define f0: 0..9 = q\n" + chain(40, "define {this}: 0..9 = ({last} + {last}) mod 10\n"),
        ),
        "f",
    ),
    "a define that meets itself": (
        doing(
            "if reach(1) > 5 then coins(me) := n",
            "type N = 1..20\n"
            "define reach(n: N): 0..999999 cycle 0 = (q + sum(reach(m) for m in N where m != n)) mod 1000\n",
        ),
        "reach",
    ),
    "subset": (
        acting(HAND + DEAL + "\naction act\n  choose cards within my hand\n  go: remove cards from my hand\n"),
        "act",
    ),
    "subset with a requirement": (
        acting(
            HAND
            + DEAL
            + "\naction act\n  choose cards within my hand\n  require odd: (sum(4 * c for c in cards)) mod 4 = q\n"
            "  go: remove cards from my hand\n",
            "may act",
        ),
        "act",
    ),
    "four choices": (
        acting(
            "type Some = 1..1000\naction act\n  choose a in Some, b in Some, c in Some, d in Some\n"
            "  go: coins(me) := 1\n"
        ),
        "act",
    ),
    "four choices, none legal": (
        acting(
            "type Some = 1..1000\naction act\n  choose a in Some, b in Some, c in Some\n"
            "  require none: a + b + c < q - 3\n  go: coins(me) := 1\n",
            "may act",
        ),
        "act",
    ),
    "permutation": (
        acting(
            "type Place = 1..12\naction act\n  choose a in Place, b in Place, c in Place, d in Place, e in Place\n"
            "  require all: a + b + c + d + e = 99 + q\n  go: coins(me) := 1\n",
            "may act",
        ),
        "act",
    ),
    "trials": (
        acting(
            BIG
            + "action act\n  choose n in 1..900\n  go:\n    each k in 1..100\n      q := 1\n    require late: q > n\n",
            "may act",
        ),
        "act",
    ),
    "draws": (acting(DECK + "\naction act\n  choose n in my hand\n  go: coins(me) := 1\n"), "setup.deal"),
    "outcomes": (
        doing("coins(me) := n", "").replace("go:", "luck:\n    random k in 1..60000\n    coins(me) := k mod 5\n  go:"),
        "act.luck",
    ),
    "windows": (
        acting(
            "window pause\n"
            + chain(3, "action {this} during pause\n  require poor: my coins < 9\n  again: window pause\n\n")
            + "action act\n  choose n in 1..2\n  go: window pause\n"
        ),
        "",
    ),
    "a game without end": (
        doing("coins(me) := n").replace("repeat 3 times", "repeat 999999 times"),
        "",
    ),
}
"""By name: a spec, and the path of the clause that the report names (or its beginning)."""


def write(folder: Path, body: str) -> Path:
    path = folder / "greedy" / "greedy.ludex"
    path.parent.mkdir(exist_ok=True)
    path.write_text(HEAD.format(name="greedy") + body)
    return path


LOWERED = ("actions that double", "defines that double", "permutation")
"""Specs that need little work once they are lowered: the compiled engine plays them to the end."""


@pytest.mark.parametrize("name", LOWERED)
def test_work_removed_by_lowering_is_not_counted(name: str, tmp_path: Path) -> None:
    body, _ = PLAYED[name]
    game = spec.load(write(tmp_path, body), budget=SMALL)
    assert not Simulation(game).play(Generator(1)).faults


@pytest.mark.parametrize("name", [name for name in PLAYED if name not in LOWERED])
def test_too_much_work_in_play_is_stopped_at_its_clause(name: str, tmp_path: Path) -> None:
    body, clause = PLAYED[name]
    game = spec.load(write(tmp_path, body), budget=SMALL)
    (fault,) = Simulation(game).play(Generator(1)).faults
    assert fault.code.code == "B101", fault
    assert "--budget" in (fault.hint or "") or "nested deeper" in fault.message
    named = [why.clause for why in fault.why]
    assert named, "the report names no clause"
    assert all(path.startswith(clause) for path in named), f"the report names {named}, not {clause}"
    again = Simulation(game).play(Generator(1)).faults
    assert again == (fault,), "the count must depend on the spec alone"


LONG = "count(a in 1..200, b in 1..200, c in 1..200 where a + b = c {more}) > 5"
BEHIND_A_TEST = {
    "a constant": (LONG.format(more=""), "", "act.go"),
    "a fact": ("long(7)", f"fact long(k: 1..9) = {LONG.format(more='+ k')}\n", "long"),
}


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
@pytest.mark.parametrize("name", BEHIND_A_TEST)
def test_a_constant_that_takes_too_long_stops_only_the_play_that_reaches_it(
    name: str, limits: Limits, tmp_path: Path
) -> None:
    long, before, clause = BEHIND_A_TEST[name]
    for reached in (False, True):
        body = doing(f"if q != {3 + reached} and {long} then coins(me) := 1", before)
        game = spec.load(write(tmp_path, body), budget=SMALL)
        engine, reference = Engine(game, limits), Reference(game)
        state = engine.start()
        move = engine.legal_moves(state)[0]
        if reached:
            with pytest.raises(OverBudget) as stopped:
                engine.apply(state, move)
            assert stopped.value.path == clause
            # The reference tries every move that it lists, so that a list reaches the constant, too.
            with pytest.raises(OverBudget) as stopped:
                reference.legal_moves(reference.start())
            assert stopped.value.path == clause
        else:
            engine.apply(state, move)
            reference.apply(reference.start(), move)


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_a_fact_that_takes_too_long_is_not_evaluated_before_the_loop_that_never_reaches_it(
    limits: Limits, tmp_path: Path
) -> None:
    _, before, _ = BEHIND_A_TEST["a fact"]
    steps = "  choose n in 1..40\n  require near: coins(me) < 9 or n < 2 or long(7)\n  go: coins(me) := n mod 3\n"
    game = spec.load(write(tmp_path, acting(f"{before}\naction act\n{steps}")))
    engine, reference = Engine(game, limits), Reference(game)
    assert engine.legal_moves(engine.start()) == reference.legal_moves(reference.start())


def test_constants_that_take_too_long_are_given_up_early(tmp_path: Path) -> None:
    steps = "\n".join(f"  s{at}: if q != 3 and {LONG.format(more=f'+ {at}')} then coins(me) := 1" for at in range(6))
    lowering = Lowering(spec.load(write(tmp_path, acting(f"action act\n  choose n in 1..2\n{steps}\n"))))
    lowering.program.complete()
    meter = lowering.x.facts.meter
    assert GIVEN_UP * meter.whole <= meter.used + meter.done < (GIVEN_UP + 1) * meter.whole


def test_a_larger_budget_lets_it_pass(tmp_path: Path) -> None:
    path = write(tmp_path, doing("if count(k in 1..(q * 10000)) > 5 then coins(me) := 1"))
    with pytest.raises(OverBudget):
        play(path, SMALL)
    play(path, SMALL.times(10))


def play(path: Path, budget: Budget) -> None:
    for _ in ludex.playout(ludex.load(path, budget=budget), Generator(1)):
        pass


def test_threads_do_not_share_their_stack_reserves() -> None:
    """The recursion limit belongs to the process, and threads may release what they reserved of it in any order."""
    before, one, two = sys.getrecursionlimit(), spec.deeper_recursion(SMALL), spec.deeper_recursion(SMALL)
    one.__enter__()
    alone = sys.getrecursionlimit()
    two.__enter__()
    one.__exit__(None, None, None)
    assert sys.getrecursionlimit() == alone > before
    two.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before


# ---- before play

CHECKED: dict[str, tuple[str, str]] = {
    "a fact over a product": (
        doing("coins(me) := pairs", BIG + "fact pairs = count(x in Big, y in Big where x = y) mod 9\n"),
        "pairs",
    ),
    "a type cut down": (
        doing(
            "seen := none",
            "type Pair = (a: 1..90, b: 1..90) where count(x in 1..900 where x mod a = b) > 0\n"
            "state seen: Pair? = none\n",
        ),
        "Pair",
    ),
    "many types": (
        doing(
            "coins(me) := 1",
            chain(9, "type {this}s = (a: 1..200, b: 1..200)\nstate {this}: {this}s? = none\n")
            .replace("type f", "type F")
            .replace(": f", ": F"),
        ),
        "F",
    ),
    "many states": (doing("coins(me) := f1(n)", BIG + chain(9, "state {this}(Big): 0..3 = 0\n")), "f"),
    "patterns of numbers": (
        doing(
            "coins(me) := n",
            BIG
            + "state size: Big = 1\n\n"
            + chain(4, "action {this}\n  go: match size\n    1..60000 => coins(me) := 1\n\n"),
        ),
        "f",
    ),
    "patterns of words": (
        doing(
            "match piece\n" + "".join(f"    w{at} => coins(me) := 1\n" for at in range(600)),
            f"type Piece = {' | '.join(f'w{at}' for at in range(600))}\nstate piece: Piece = w0\n",
        ),
        "act.go",
    ),
    "a long chain, the last first": (
        doing(
            "coins(me) := f400",
            "".join(f"define f{at}: 0..9 = (f{at - 1} + 1) mod 10\n" for at in range(400, 0, -1))
            + "define f0: 0..9 = q\n",
        ),
        "f",
    ),
}


@pytest.mark.parametrize("name", CHECKED)
def test_too_much_work_before_play_is_refused_once(name: str, tmp_path: Path) -> None:
    body, clause = CHECKED[name]
    errors = [
        each for each in ludex.check(write(tmp_path, body), budget=replace(SMALL, items=200_000)) if each.is_error
    ]
    assert [each.code.code for each in errors] == ["B101"], errors
    assert f"(in {clause}" in errors[0].message


def test_the_number_of_checked_tables_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elaborations, elaborate = [], Elaboration.run

    def counted(table: Elaboration) -> Elaborated:
        elaborations.append(table)
        return elaborate(table)

    monkeypatch.setattr(Elaboration, "run", counted)
    options = "".join(f"option o{at}: 0..8 = 0\n" for at in range(30))
    uses = "\n".join(f"  g{at}: if o{at} = 1 then coins(me) := n" for at in range(30))
    path = write(tmp_path, acting(f"{options}\naction act\n  choose n in 1..2\n{uses}\n"))
    (fault,) = [each for each in ludex.check(path, budget=SMALL) if each.is_error]
    assert fault.code.code == "B101"
    assert "options and forks give more tables to check" in fault.message
    assert len(elaborations) == 1, "tables must be counted before they are made"
    assert "--budget" in (fault.hint or "")
    assert not [each for each in ludex.check(path, budget=SMALL.times(10)) if each.is_error]


PROPORTIONAL: dict[str, Callable[[int], str]] = {
    "actions": lambda n: (
        chain(n, "action {this}\n  choose n in 1..2\n  go: coins(me) := n\n\n") + doing("coins(me) := n")
    ),
    "a chain of actions": lambda n: (
        "action f0\n  go: coins(me) := 1\n\n" + chain(n, "action {this}\n  go: {last}\n\n") + doing(f"f{n}")
    ),
    "a ring of actions": lambda n: (
        f"action f0\n  go: f{n}\n\n" + chain(n, "action {this}\n  go: {last}\n\n") + doing("f0")
    ),
    "states": lambda n: chain(n, "state {this}: 0..9 = 3\n") + doing("coins(me) := n"),
    "arms": lambda n: doing(
        "match many\n" + "".join(f"    {at} => coins(me) := 1\n" for at in range(n)) + "    otherwise => nothing\n",
        "state many: 0..60000 = 3\n",
    ),
    "examples": lambda n: (
        doing("coins(me) := n")
        + "".join(
            f"\nexample e{at}\n  with anna, boris\n  after anna act(n: 1)\n  expect coins(anna) = 1\n"
            for at in range(n)
        )
    ),
}


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", PROPORTIONAL)
def test_checks_take_linear_time(name: str, tmp_path: Path) -> None:
    """The lines of Python that run are counted, for a spec and for one of four times its length. Nested loops would run
    sixteen times as many.
    """
    counts = []
    for length in (20, 80):
        path = write(tmp_path, PROPORTIONAL[name](length))
        counts.append(lines_run(path))
    assert counts[1] < 5 * counts[0], counts


def lines_run(path: Path) -> int:
    """Return how many lines of the folder `spec` run during a check."""
    count = 0

    def traced(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if "spec" not in Path(frame.f_code.co_filename).parts:
            return None
        count += event == "line"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        ludex.check(path)
    finally:
        sys.settrace(before)
    return count


def test_expensive_calls_cost_more_units(tmp_path: Path) -> None:
    """A call of a long define costs as much as several calls of short ones."""
    used = []
    for body in ("q + n", " + ".join(["q + n"] * 20)):
        define = f"define much(n: 0..9): 0..999 = {body}\n"
        path = write(tmp_path, doing("if sum(much(k) for k in 0..9) > 5 then coins(me) := n", define))
        reference = ludex.load(path).reference
        state = reference.start()
        reference.meter.begin_game()
        reference.apply(state, reference.legal_moves(state)[0])
        reference.meter.begin()
        used.append(reference.meter.used)
    assert used[1] > used[0] + 10 * 15, used


def test_the_states_counted_by_perft_stay_within_the_memory_budget(tmp_path: Path) -> None:
    """Each state after a draw has a deck of its own: thousands of pieces, though the game has few cells."""
    body = acting(DECK + "\naction act\n  choose n in my hand\n  go: coins(me) := 1\n")
    engine = ludex.load(write(tmp_path, body), budget=Budget(items=100_000, game=2_000_000))
    start = engine.start()
    tracemalloc.start()
    try:
        with pytest.raises(OverBudget, match="budget of 2,000,000"):
            ludex.perft(engine, start, 2)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 20_000_000, f"{most:,} bytes"


def test_a_text_of_escapes_takes_memory_in_proportion(tmp_path: Path) -> None:
    escapes = '\\"' * 200_000
    path = write(tmp_path, doing(f'coins(me) := n ruling "{escapes}"'))
    ludex.check(path)
    tracemalloc.start()
    try:
        ludex.check(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 20 * len(escapes), f"{most:,} bytes"


def test_numbers_stay_small(tmp_path: Path) -> None:
    body = doing("if f29 > 5 then coins(me) := n", "fact f0 = 9\n" + chain(29, "fact {this} = {last} * {last}\n"))
    errors = [each for each in ludex.check(write(tmp_path, body)) if each.is_error]
    assert "more than 18 digits" in errors[0].message


def test_actions_that_call_others_twice_are_checked_quickly(tmp_path: Path) -> None:
    links = chain(60, "action {this}(n: 0..9)\n  one: {last}(n)\n  two: {last}(n)\n\n")
    body = doing("f60(n)", f"action f0(n: 0..9)\n  go: q := n\n\n{links}")
    assert not [each for each in ludex.check(write(tmp_path, body)) if each.is_error]


def test_the_number_of_words_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.grammar.parser.parsing.MAX_WORDS", 2_000)
    path = write(tmp_path, doing(f"coins(me) := {'1 + ' * 1_000}1"))
    assert [each.code.code for each in ludex.check(path)] == ["F106"]


# ---- what is deep, and what a game needs


def test_recursive_defines_may_be_some_hundred_calls_deep(tmp_path: Path) -> None:
    define = "define down(n: 0..60000): 0..9 cycle 0 = if n = 0 then q else down(n - 1)\n"
    play(write(tmp_path, doing("coins(me) := down(600)", define)), Budget())
    with pytest.raises(OverBudget, match="nested deeper"):
        play(write(tmp_path, doing("coins(me) := down(60000)", define)), Budget())


def test_endless_recursion_in_queries_is_stopped(tmp_path: Path) -> None:
    asking = "action low(k: 0..60000)\n  choose n in 1..2\n  require more: k = 0 or can low(k - 1)\n  go: q := n\n\n"
    body = acting(f"{asking}action act\n  choose n in 1..2\n  require all: can low(60000)\n  go: q := n\n", "may act")
    with pytest.raises(OverBudget, match="more than 64 tests by `can`"):
        play(write(tmp_path, body), Budget())
    engine = ludex.load(write(tmp_path, doing("coins(me) := n").replace("my coins", "if total(me) > 3 then 1 else 2")))
    with pytest.raises(OverBudget, match="nested deeper"):
        engine.scores(engine.start())


@pytest.mark.parametrize("name", ["othello", "english_draughts", "mangrovia"])
def test_no_shipped_game_takes_a_tenth_of_its_budget(name: str) -> None:
    default = Budget()
    play_by = Budget(
        work=default.work // 10, game=default.game // 10, items=default.items // 10, depth=default.depth // 10
    )
    assert not Simulation(spec.load(name, budget=play_by)).play(Generator(1)).faults


BOARD = """type Cell = (row: 1..10, col: 1..10)
state mark(Cell): Player? = none

action act
  choose c in Cell
  go: mark(c) := me
"""


def test_perft_keeps_no_more_cells_than_the_budget_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = spec.load(write(tmp_path, acting(BOARD)), budget=Budget(items=400))
    engine, kept = ludex.Engine(game), []
    width = perft.count_events

    def counting(engine: ludex.Engine, state: ludex.State) -> int:
        kept.append(sum(isinstance(each, ludex.State) for each in gc.get_objects()))
        return width(engine, state)

    gc.freeze()  # The traversal would take minutes through the objects that other tests have left.
    monkeypatch.setattr(perft, "count_events", counting)
    assert ludex.perft(engine, engine.start(), 2) == 100 * 100
    assert max(kept) <= 20, "perft must hold at most `items` of the hundred states, and a few more under way"


def test_a_turn_that_leads_to_too_many_cells_is_stopped(tmp_path: Path) -> None:
    engine = ludex.Engine(spec.load(write(tmp_path, acting(BOARD)), budget=Budget(items=400)))
    with pytest.raises(OverBudget) as stopped:
        ludex.perft(engine, engine.start(), 1, by_turn=True)
    assert stopped.value.part == "items"


# ---- the same in every command

GREEDY = doing("coins(me) := n").replace("  go:", "  require rare: count(k in 1..(q * 900000)) > n\n  go:")


@pytest.mark.parametrize("command", [["simulate", "--games", "1"], ["perft", "--depth", "2"], ["play"]])
def test_every_command_reports_a_used_up_budget_as_a_finding(command: list[str], tmp_path: Path) -> None:
    name, *options = command
    ran = CliRunner().invoke(cli, [name, str(write(tmp_path, GREEDY)), *options])
    assert ran.exit_code == 1, ran.output
    assert "B101" in ran.output
    assert "act.rare" in ran.output


def test_a_log_is_judged_until_its_budget_is_used_up(tmp_path: Path) -> None:
    game = spec.load(write(tmp_path, doing("if n = 2 then q := count(k in 1..(q * 900000)) mod 9")), budget=SMALL)
    moves = [ludex.Move(seat, "act", (("n", n),)) for seat, n in ((0, 1), (1, 1), (0, 2), (1, 1))]
    lines = [ludex.line_of(game, move) for move in moves]
    log = parse_log(ludex.write_log(ludex.header_of(game).to_json(), lines), "its log", "json")
    report = Validator(lambda *_, **__: game).validate(log)
    assert report.verdict is ludex.Verdict.FINDINGS
    assert report.replayed == 2
    assert [(finding.code.code, finding.span.line) for finding in report.findings] == [("B101", 4)]


@pytest.mark.parametrize("note", [{}, {"note": "read in full, and judged by itself"}])
def test_a_log_is_judged_until_the_budget_of_a_game_is_used_up(note: dict[str, str], tmp_path: Path) -> None:
    path = write(tmp_path, doing("q := n"))
    game = spec.load(path, budget=Budget(work=1_000_000, game=200))
    lines = [{**ludex.line_of(game, ludex.Move(at % 2, "act", (("n", 1),))), **note} for at in range(6)]
    log = parse_log(ludex.write_log(ludex.header_of(game).to_json(), lines), "its log", "json")
    report = Validator(lambda *_, **__: game).validate(log)
    assert report.replayed == 5
    assert [(finding.code.code, finding.span.line) for finding in report.findings] == [("B101", 6)]
