"""A loop over places whose tables differ is split where the tests of the tables change, and lists the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from ludex.interpreter import Move, Reference
from ludex.interpreter.program import Compiled
from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.failing import Failing
from ludex.interpreter.program.ir.limits import COMPACT, WIDE, Limits
from ludex.interpreter.program.ir.operations import BOOL, INT, ZERO
from ludex.interpreter.program.python.printing import index_sets
from ludex.interpreter.program.python.printing.index_sets import IndexSets
from ludex.interpreter.program.python.printing.propagation import Propagation
from ludex.spec import SpecFault
from ludex.spec import types as t

from .build import game_from

PLACES = """
type Land = sand | reed
type Way = coins | shells

zone coins(Player): bag of 1..4, open
zone shells(Player): bag of 1..3, open
zone lands(Player): bag of Land, open
zone spent: bag of 1..4, open
zone lost: bag of 1..3, open
zone left: bag of Land, open

state built(1..16): Bool = false
state birds: set of Land = {sand}

fact way(site: 1..16): Way = if site <= 9 then coins else shells
fact price(site: 1..16): 0..9 = 1 + site mod 5
fact ground(site: 1..16): set of Land = if site mod 3 = 0 then {sand, reed} else {sand}

setup
  fill: each player in seats
    put {1, 1, 2, 3, 4} in my coins
    put {1, 2, 3, 3} in my shells
    put {sand, sand, reed} in my lands

play
  turns: repeat 3 times
    each player in seats
      choose build or change

action build
  choose site in 1..16, land within my lands, cash within my coins, shell within my shells
  require free: not built(site)
  require marked: some t in ground(site) has t in birds
  require fits: every t in land has t in ground(site) and t in birds
  require one: size(land) = 1
  require no_cash: way(site) = shells implies size(cash) = 0
  require no_shell: way(site) = coins implies size(shell) = 0
  require exact: sum(c for c in cash) + sum(s for s in shell) = price(site)
  pay: move cash from my coins to spent
  loss: move shell from my shells to lost
  land: move land from my lands to left
  done: built(site) := true

action change
  change: birds := if sand in birds then {reed} else {sand, reed}
"""


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_loops_that_are_split_list_the_same(limits: Limits) -> None:
    game, rng = game_from(PLACES), Random(0)
    engine, reference = Compiled(game, limits), Reference(game)
    for _ in range(3):
        state = engine.start()
        while not engine.is_terminal(state):
            listed = engine.legal_moves(state)
            assert listed == reference.legal_moves(engine.to_reference(state))
            assert engine.offered(state) == reference.offered(engine.to_reference(state))
            engine.advance(state, rng.choice(listed))


SIGNS = """
type Colour = red | blue

state sign(1..20): Colour? = none

play
  turns: repeat 8 times
    each player in seats
      choose paint or find

action paint
  choose at in 1..20, colour in Colour
  require fresh: sign(at) is empty
  paint: sign(at) := colour

action find
  choose n in 1..20
  require only: the(x in 1..20 where (x <= 10 and sign(x) = red) or (x > 10 and sign(x) = blue) else 1) = n
  find: nothing
"""


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_a_search_that_is_split_finds_a_second_result_in_another_part(limits: Limits) -> None:
    engine, (red, blue) = Compiled(game_from(SIGNS), limits), range(2)
    one = engine.apply(engine.start(), Move(0, "paint", (("at", 3), ("colour", red))))
    assert engine.legal_moves(engine.apply(one, Move(1, "paint", (("at", 15), ("colour", red)))))[-1] == Move(
        0, "find", (("n", 3),)
    )
    two = engine.apply(one, Move(1, "paint", (("at", 15), ("colour", blue))))
    with pytest.raises(SpecFault):
        engine.legal_moves(two)


def test_the_loop_is_split_where_another_way_to_pay_begins() -> None:
    split = Compiled(game_from(PLACES), _looping(WIDE)).source
    assert len(set(_loops(split))) > len(set(_loops(Compiled(game_from(PLACES), _looping(COMPACT)).source)))


def test_a_split_that_forgets_a_run_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = IndexSets._runs
    monkeypatch.setattr(IndexSets, "_runs", lambda self, loop, items: [*runs(self, loop, items)][:-1])
    engine = Compiled(game_from(PLACES), _looping(WIDE))
    state = engine.start()
    assert engine.legal_moves(state) != Reference(engine.game).legal_moves(engine.to_reference(state))


COUNTED = """
type Card = jack | queen | king

zone hand(Player): bag of Card, open
zone beside(Player): bag of Card, open
zone left: bag of Card, open

setup
  fill: each player in seats
    put {jack, jack, queen, king, king} in my hand
    put {queen, king} in my beside

play
  turns: repeat 4 times
    each player in seats
      choose trade or pass

action trade
  choose n in 1..4
  require high: count(c in my hand + my beside where c != jack) >= n
  require few: n < 4 or count(c in my hand + my beside where c != jack) < 5
  trade: repeat n times
    if some c in my hand has c = king then move king from my hand to left

action pass
  pass: nothing
"""


def test_what_several_options_count_is_counted_once() -> None:
    game, rng = game_from(COUNTED), Random(0)
    engine, reference = Compiled(game), Reference(game)
    lister = next(text for text in engine.source.split("\n\n") if text.startswith("def u") and "trade list" in text)
    assert lister.count("w:") == 1, lister
    for _ in range(3):
        state = engine.start()
        while not engine.is_terminal(state):
            assert engine.legal_moves(state) == reference.legal_moves(engine.to_reference(state))
            engine.advance(state, rng.choice(engine.legal_moves(state)))


NUMBERS = [c.Var(number, INT) for number in range(6)]
FAILING = Failing(c.Program(game_from(COUNTED)))
A_SUM = c.Op("add", (NUMBERS[1], c.Const(1, INT)), INT)
REPEATED: dict[str, c.Body] = {
    "set again": (c.Set(NUMBERS[1], c.Const(9, INT)),),
    "set in a branch": (c.If(c.Load(0, None, 1, BOOL), (c.Set(NUMBERS[1], c.Const(9, INT)),)),),
    "nothing in between": (),
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_result_is_used_again_only_while_nothing_that_it_reads_changes(name: str) -> None:
    between = REPEATED[name]
    body: c.Body = (
        c.Set(NUMBERS[1], c.Load(1, None, 1, INT)),
        c.Set(NUMBERS[2], A_SUM),
        *between,
        c.Set(NUMBERS[3], A_SUM),
        c.Return(c.Op("mul", (NUMBERS[2], NUMBERS[3]), INT)),
    )
    split = IndexSets(Propagation(()), FAILING).split((), body)
    assert split == (body if between else (*body[:2], c.Return(c.Op("mul", (NUMBERS[2], NUMBERS[2]), INT))))


def test_a_result_is_not_used_again_in_a_loop_that_changes_what_it_reads() -> None:
    turn = c.Set(NUMBERS[3], A_SUM), c.Append(NUMBERS[5], NUMBERS[3]), c.Set(NUMBERS[1], NUMBERS[4])
    body: c.Body = (
        c.New(NUMBERS[5]),
        c.Set(NUMBERS[1], c.Const(0, INT)),
        c.Set(NUMBERS[2], A_SUM),
        c.Append(NUMBERS[5], NUMBERS[2]),
        c.Each(NUMBERS[4], c.Load(0, None, 1, t.ListOf(INT)), turn, None),
        c.Return(NUMBERS[5]),
    )
    assert IndexSets(Propagation(()), FAILING).split((), body) == body


@pytest.mark.parametrize(("name", "is_moved"), [("add", True), ("div", False)])
def test_what_may_fail_is_not_moved_out_of_the_test_that_it_needs(name: str, is_moved: bool) -> None:
    by, total, item, place, found, _ = NUMBERS
    summand = c.Op("add", (total, c.Op(name, (item, by), INT)), INT)
    few, many = (c.Const(tuple(range(count)), t.ListOf(INT)) for count in (3, 9))
    summed = c.Set(total, ZERO), c.Each(item, few, (c.Set(total, summand),), None)
    tested = c.If(c.Op("gt", (by, ZERO), BOOL), (*summed, c.Append(found, total)))
    body = c.New(found), c.Each(place, many, (tested,), None), c.Return(found)
    split = IndexSets(Propagation(()), FAILING).split((by,), body)
    assert (split == body) is not is_moved
    assert any(isinstance(each, c.Each) and each.var == item for each in split) is is_moved


def test_a_mutant_that_forgets_no_result_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    free = index_sets._free
    monkeypatch.setattr(index_sets, "_free", lambda group: {})
    with pytest.raises(AssertionError):
        test_a_result_is_used_again_only_while_nothing_that_it_reads_changes("set again")
    assert free((c.Set(NUMBERS[3], A_SUM),)) == {1: 1}


def _looping(limits: Limits) -> Limits:
    """Limits by which no loop is unrolled."""
    return replace(limits, loop=0, choice=0)


def _loops(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines() if line.strip().startswith("for v") and "range(" in line]
