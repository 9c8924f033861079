"""Mutation testing of the Python printer and its services: a few plays recorded by the reference catch every mutant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from ludex.interpreter import Engine, Event, Reference, SpecFault, Trace
from ludex.interpreter.information.decision_visibility import Concealed
from ludex.interpreter.program import Compiled, State
from ludex.interpreter.program.ir import code as c
from ludex.interpreter.program.ir.limits import COMPACT, WIDE
from ludex.interpreter.program.ir.operations import negation
from ludex.interpreter.program.ir.traversal import parts
from ludex.interpreter.program.lowering import changes
from ludex.interpreter.program.lowering.public import Public
from ludex.interpreter.program.python import fast_paths
from ludex.interpreter.program.python.printing import (
    cell_constants,
    expressions,
    invariant_lists,
    lazy_functions,
    offer_tests,
    patterns,
    statements,
    units,
)
from ludex.interpreter.program.python.printing.cell_constants import CellConstants
from ludex.interpreter.program.python.printing.offer_tests import OfferTests
from ludex.interpreter.program.python.printing.printer import Printer
from ludex.interpreter.program.python.runtime import Runtime
from ludex.interpreter.state import pools
from ludex.spec import Game

from ..games.candidates import candidates
from ..lockstep import ROOM, agree, answers, came
from ..once import game_once
from ..tiers import ReferenceTier, options_of
from .build import ONE_CARD_EACH, game_from, move
from .mutants import BOARD, GAMES, SUMS, Mutate, method
from .test_changes import PAID
from .test_changes import game as priced
from .test_program import FREE, MOVE, showing
from .test_veil import SAY, TOGETHER, cards

STEPS = """
type Coin = 1..3

zone purse(Player): bag of Coin, open
zone spent: bag of Coin, open

state left(Player): 0..9 = 4
state deep: 0..9 = 0

setup
  fill: each player in seats
    put {1, 1, 2, 3} in my purse

define other(p: Player) = first(q in Player where q != p else p)
define rich(p: Player, n: 0..9) = left(p) > n and left(p) >= min(left(p), left(other(p)))
define part(p: Player) = 12 div max(1, left(p))
define worth(p: Player) = sum(count(j in purse(p) where j <= k) for k in purse(p))

play
  round: repeat
    turn: each player in seats
      if can spend or can twice
        choose spend or dig(1) or twice
      else
        left(me) += 1 up to 9
        left(me) += 1 up to 9
  until deep >= 7

action spend
  choose n in 1..2
  require some: part(me) >= n and left(me) > n
  pay: left(me) -= n
  require stays: rich(other(me), n) or deep > n

action twice
  require two: left(me) in {2, 3, 4}
  first: dig(2)
  require few: deep < 5
  more:
    choose k in 0..1
    left(me) += k up to 9

action dig(n: 0..2)
  on: deep += 1 up to 9
  loss:
    if worth(me) > 4
      move all from my purse to spent
    if worth(me) > 3
      deep += 1 up to 9
  again: if n > 0
    dig(n - 1)
  back: if n > 0
    left(me) += n up to 9

score left: my left + deep * 2 - abs(my left - 3)

winner
  most: highest total(me)
  draw: share
"""
STUCK = """
state left(Player): 0..40 = 4

play
  turns: repeat 4 times
    each player in seats
      stuck: if not can spend then end game
      tax: if left(me) <= 3 then left(me) -= 2 down to 0
      choose spend
      choose rest or spend

action spend
  choose n in 1..40
  require some: left(me) - n in {1, 2}
  pay: left(me) -= n

action rest
  require poor: not can spend
  require some: left(me) > 0
  rest: left(me) += 1

score left: my left

winner
  most: highest total(me)
  draw: share
"""
FILLED = """
state full(1..3): Bool = false

define filled: 0..2 = count(n in 1..3 where full(n))
define reach = {1, 2}
  except far: {1, 2, 3} when filled = 2

play
  turns: repeat 6 times
    each player in seats
      choose mark or rest

action mark
  choose n in 1..3
  require free: not full(n)
  require near: n in reach
  done: full(n) := true

action rest
  rest: nothing
"""
PLACES = """
state held(Player, 1..9): 0..30 = 0
state left(Player): 0..30 = 2

play
  turns: repeat 5 times
    each player in seats
      choose lay or rest

action lay
  choose n in 1..30, at in 1..9
  require rich: n <= left(me) and n >= left(me) - 2
  require free: held(me, at) = 0
  require beside: at = 3 or some b in 1..9 where abs(b - at) = 1 has held(me, b) > 0
  require apart: count(b in 1..9 where abs(b - at) = 2 and held(me, b) > 1) < 2
  require high: n != 2 or at > 2
  done: held(me, at) := n
  more: if at < 5 then left(me) := 3

action rest
  rest: nothing
"""
NESTED = """
zone deck: pile of 1..9, hidden
zone stack: pile of 1..9, hidden
zone row: bag of 1..9 up to 8, open

setup
  deck:
    put {1, 1, 2, 3, 4} in deck
    shuffle deck
  stack:
    put {5, 5, 6} in stack
    draw 3 from deck to stack
    shuffle stack

play
  turns: repeat 4 times
    draw 1 from stack to row
    draw 1 from deck to row
"""
ROW = """
zone deck: pile of 1..12, hidden
zone row(1..5): one 1..12, open
zone won(Player): bag of 1..12, open
zone spent: bag of 1..12, open

define place(c: 1..12): 1..5 = the(n in 1..5 where row(n) = c)
define there = set(row(n) for n in 1..5 where row(n) is not empty)

setup
  deck:
    put {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} in deck
    shuffle deck
    each n in 1..5
      draw 1 from deck to row(n)

play
  turns: repeat 4 times
    each player in seats
      choose take or pay

action take
  choose c in there + my won
  require near: c in there implies place(c) <= 3
  took: if c in there then move c from row(place(c)) to my won
  next: if c mod 2 = 0 and row(1 + c mod 5) is empty then draw 1 from deck to row(1 + c mod 5)

action pay
  choose cards within my won
  require exact: sum(c for c in cards) = 3 * size(cards)
  pay: move cards from my won to spent
"""
FULL = """
zone deck: pile of 1..9, hidden
zone hand: bag of 1..9, open
zone row: bag of 1..9 up to 2, open

setup
  deck:
    put {1, 2, 3} in deck
    shuffle deck
    put {1} in hand
    put {5, 6} in row

play
  turn: as seat(1)
    choose n in 1..3
    if n = 1 then move n from hand to row
    if n = 2 then move all from hand to row
    if n = 3 then draw 1 from deck to row
"""
SIZED = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open
zone beside: bag of Card, open
state coins(Player): 0..9 = 2

setup
  deck:
    put {jack, queen, king} in deck
    repeat 5 times
      put {king} in deck
    put {king} in table
    put {queen, king} in beside
    shuffle deck

define kings(p: Player): 0..9 = count(c in hand(p) where c = king)
define high = count(c in table + beside where c in {queen, king})
define many(n: Card): 0..9 = count(c in table + beside where c in {queen, king} and c in {n, king})
define least = first(c in table + beside where c != jack else jack)

play
  turns: repeat 4 times
    each player in seats
      may show
      may pay
      may take
      draw 1 from deck to my hand

action show
  require two: kings(me) = 2 and high > 2
  gain: coins(me) += 1 up to 9

action pay
  require more: least = queen or high < 3
  require royal: many(jack) = 2
  require held: kings(me) = 1
  pay: coins(me) -= 1 down to 0

action take
  choose c in table + beside
  require open: c in table
  take: move c from table to my hand
  require none: kings(me) = 0
  lose: coins(me) := 0
"""
COUNTED = """
type Card = 1..3
zone row: bag of Card, open
define single: 0..1 = count(c in row where c = 1)

setup
  fill: repeat 2 times
    put {1, 2} in row

play
  turn: as seat(1)
    choose wait
    may go

action wait
  rest: nothing

action go
  require one: single = 1
  rest: nothing
"""
FLIP = Path(__file__).parents[1] / "games" / "samples" / "flip.ludex"
AFTER_MOVE = "\n    move card from my hand to table"
LATER = "\n    require known: some c in my hand has c = king\n    require free: not my shown"
HELD = """
state one: 0..9 = 0
state two: 0..9 = 0

action mark
  choose n in 1..3
  set:
    one := 1
    two := 1
    if n = 2 then one := 3
    two += n
    one += two

play
  repeat 2 times
    one := 0
    two := 0
    each player in seats
      mark
"""


PLAYED: dict[str, Callable[[], Game]] = {
    **GAMES,
    "board": partial(game_from, BOARD.replace("0..11", "0..27")),
    "sums": partial(game_from, SUMS.replace("0..39", "0..3").replace("37", "2").replace("<= 2", "<= 1")),
    "steps": partial(game_from, STEPS),
    "stuck": partial(game_from, STUCK),
    "together": partial(game_from, TOGETHER + ONE_CARD_EACH),
    "filled": partial(game_from, FILLED),
    "held": partial(game_from, HELD),
    "places": partial(game_from, PLACES),
    "nested": partial(game_from, NESTED),
    "row": partial(game_from, ROW),
    "sized": partial(game_from, SIZED),
    "veiled": lambda: cards("may show").game,
    "guarded": lambda: cards("may show", go=AFTER_MOVE + LATER, requirement="coins(me) > 0").game,
    "free": lambda: showing((FREE, MOVE)).game,
    "later": lambda: cards("may show", "choose n in 1..2", "\n    coins(me) += n" + LATER, "n > 0").game,
    "paid": lambda: priced((PAID, "require owned: owned(me, k) >= n")),
    "said": lambda: cards("let n = count(c in my hand where c = king)" + SAY).game,
    "flip": partial(game_once, str(FLIP)),
    **{name: partial(game_once, name) for name in ("crazy_eights", "leduc_poker", "nim", "oware", "tic_tac_toe")},
}
PLAYS, EVENTS, TRIED = 2, 25, 6
PLACED = replace(WIDE, split=0, flow=0)
"""Limits with which loops are unrolled, and players are variables."""


class Told(NamedTuple):
    """The reference's answers in a state: whether some events are legal, the event that follows, and an onlooker's view
    of it.
    """

    said: dict[str, Any]
    tried: list[tuple[Event, Any]]
    event: Event | None
    trace: Trace


@cache
def plays(name: str) -> list[list[Told]]:
    """Return some plays by the reference."""
    game = PLAYED[name]()
    return [_played(game, Random(f"{name} {seed}")) for seed in range(PLAYS)]


def _played(game: Game, rng: Random) -> list[Told]:
    tier, records = ReferenceTier(replace(game, budget=game.budget.times(ROOM))), list[Told]()
    state = tier.start()
    for _ in range(EVENTS):
        options = options_of(tier, state)
        every = list(islice(candidates(game, options, rng), 500)) if options else []
        tried = rng.sample(every, min(TRIED, len(every)))
        judged = [(each, came(partial(tier.is_legal, event=each), state)) for each in tried]
        event, trace = rng.choice(options) if options else None, Trace()
        records.append(Told(answers(tier, state), judged, event, trace))
        if event is None:
            break
        state = tier.apply(state, event, trace)
    return records


class Side(Engine):
    """The engine with the interface of a tier."""

    standing = Engine.to_reference

    def numbered(self, state: State) -> None:
        """Assert that moves and their numbers correspond."""
        if self.numbers.complete and (seats := self.to_move(state)):
            moves = [self.move_of(number, seats[0]) for number in self.legal_ids(state, seats[0])]
            assert tuple(moves) == self.legal_moves(state, seats[0])

    def weighed(self, state: State) -> None:
        """Assert that the weights of chance are the probabilities, unless a piece may have several origins."""
        shares = {event.outcome: share for event, share in self.chance(state) if event.via is None}
        if len(shares) == len(self.chance(state)) > 0:
            outcomes, ways = self.outcomes(state)
            assert {each: Fraction(way, sum(ways)) for each, way in zip(outcomes, ways, strict=True)} == shares

    def keyed(self, state: State) -> None:
        """Assert that the state has the key of the same state of the reference."""
        assert self.key(state) == self.key(self.from_reference(self.to_reference(state)))


def differs(name: str) -> str:
    """Return the first difference from the reference in these plays; "" if there is none."""
    try:
        engine = Side(PLAYED[name](), PLACED if name in ("places", "row") else COMPACT)
        for record in plays(name):
            state = engine.start()
            for said, tried, event, trace in record:
                agree(engine, answers(engine, state), said)  # type: ignore[arg-type]
                engine.numbered(state)
                engine.weighed(state)
                engine.keyed(state)
                for each, is_legal in tried:
                    assert came(partial(engine.is_legal, event=each), state) == is_legal, each
                if event is not None:
                    seen = Trace()
                    state = engine.apply(state, event, seen)
                    assert replace(seen, named=set()) == replace(trace, named=set())
    except Exception as fault:  # noqa: BLE001 - code that breaks down differs, too
        return f"{type(fault).__name__}: {fault}"
    return ""


# ---- the mutants


def infix(name: str, sign: str) -> Mutate:
    return lambda patch: patch.setitem(expressions.INFIX, name, sign)


def form(name: str, text: str) -> Mutate:
    return lambda patch: patch.setitem(expressions.FORMS, name, text)


def _no_cells(_: c.Load) -> frozenset[int]:
    return frozenset()


def written(old: str, new: str) -> Mutate:
    """Replace a printed text."""
    return printing("function", lambda before, self, name: before(name).replace(old, new))


def printing(name: str, printer: Callable[..., Any]) -> Mutate:
    return method(Printer, name, printer)


def service(name: str, printer: Callable[..., Any]) -> Mutate:
    return method(Runtime, name, printer)


def function(name: str, made: Callable[..., Any]) -> Mutate:
    """Replace a function of the printer by another one, which gets the original."""
    using = [each for each in (patterns, expressions, statements, units) if hasattr(each, name)]
    return lambda patch: [patch.setattr(each, name, partial(made, getattr(patterns, name))) for each in using]


def maxima(before: Callable[[c.Op], str], self: Printer, expr: c.Op) -> str:
    return before(replace(expr, name="max") if expr.name == "min" else expr)


def short_sums(before: Callable[[c.Op], str], self: Printer, expr: c.Op) -> str:
    return before(replace(expr, args=expr.args[:-1]) if expr.name == "sum" and len(expr.args) > 1 else expr)


def calls_of_anything(before: Callable[..., Any], expr: c.Expr, given: Any, rows: Any) -> list[c.Call]:
    inside = [call for part in parts(expr) for call in calls_of_anything(before, part, given, rows)]
    return [expr, *inside] if isinstance(expr, c.Call) else inside


def is_any_table(unit: c.Unit) -> bool:
    return bool(unit.keeps and unit.parameters)


def revealing(old: str, new: str) -> Mutate:
    """Replace the effect of a draw from a pile."""
    return lambda patch: patch.setattr(fast_paths, "REVEAL", fast_paths.REVEAL.replace(old, new))


def equally_likely(before: Callable[..., Any], play: State, entries: Any) -> tuple[dict[Any, int], int] | None:
    found = before(play, entries)
    return None if found is None else (dict.fromkeys(found[0], 1), len(found[0]))


def in_place(play: State, standing: c.ActionTest, given: Any) -> State:
    """Perform an action in the state itself, not in a copy."""
    for cell, value in zip(standing.cells, given, strict=False):
        play.cells[cell] = value
    return play


def all_kept(before: Any, self: OfferTests, statement: Any) -> None:
    """Keep memoized results that a change of a cell outdates."""
    known = self.holding
    before(self, statement)
    self.holding = [*known, *self.holding]


MUTANTS: dict[str, tuple[str, Mutate]] = {
    "equal is different": ("sums", infix("eq", "!=")),
    "less is at most": ("sums", infix("lt", "<=")),
    "at most is less": ("sums", infix("le", "<")),
    "more is at least": ("sums", infix("gt", ">=")),
    "at least is more": ("sums", infix("ge", ">")),
    "division is not whole": ("sums", infix("div", "/")),
    "the rest is the quotient": ("sums", infix("mod", "//")),
    "no absolute value": ("sums", form("abs", "({0})")),
    "what is between is short of its beginning": ("oware", form("between", "{1} < {0} <= {2}")),
    "numbers are short of their end": ("nim", form("interval", "range({0}, {1})")),
    "min is max": ("sums", printing("_op", maxima)),
    "sums leave out their last": ("sums", printing("_op", short_sums)),
    "or is and": ("sums", printing("_test", lambda before, self, expr: before(expr).replace(" or ", " and "))),
    "there is what is not there": ("board", form("some", "{0} is None")),
    "the same is not the same": ("tic_tac_toe", lambda patch: patch.setitem(expressions.SAME, "eq", "is not")),
    "a slice is short of its last cell": ("board", function("evenly_spaced", lambda before, loads: before(loads[:-1]))),
    "no cell is asked for": (
        "board",
        printing("_run", lambda before, self, expr: (found := before(expr)) and found.replace(" not in ", " in ")),
    ),
    "what units returned outlasts a change": ("steps", written("S.known = {}", "pass")),
    "what a test found outlasts a change": (
        "stuck",
        lambda patch: [patch.setattr(offer_tests, "_LONG", 0), written("S.known = {}", "pass")(patch)],
    ),
    "what holds outlasts a change": ("stuck", method(OfferTests, "learn", all_kept)),
    "what reads cells is kept for ever": (
        "oware",
        lambda patch: [patch.setattr(each, "is_table", is_any_table) for each in (expressions, units, lazy_functions)],
    ),
    "what a call returned serves for other values": ("rows", function("_calls", calls_of_anything)),
    "what a cell holds outlasts a change": ("held", method(CellConstants, "forget", lambda before, self, body: None)),
    "what a cell held in a branch it holds after it": (
        "held",
        lambda patch: patch.setattr(cell_constants, "_is_same", lambda one, other: True),
    ),
    "a loop that is unrolled misses a turn": ("filled", function("unrolled", lambda before, each: before(each)[1:])),
    "a loop has one turn": (
        "board",
        printing("_each", lambda before, self, each, depth: before(replace(each, body=(*each.body, c.Break())), depth)),
    ),
    "a set is short of its last value": (
        "leduc_poker",
        function("tests_of", lambda before, body: (found := before(body)) and found[:-1]),
    ),
    "an offer is there where it is not": (
        "stuck",
        function("truth", lambda before, body: (found := before(body)) and negation(found)),
    ),
    "nobody may decline": ("veiled", written("v.append(0)", "pass")),
    "an option is always there": ("sums", printing("_offers", lambda before, self, number, me: "True")),
    "a cell is one too far": (
        "board",
        printing("_cell", lambda before, self, base, index: before(base + (index is not None), index)),
    ),
    "onlookers see nothing": ("sums", printing("_noted", lambda before, self, note: "pass")),
    "nothing is refused when it is tried": ("flip", service("_tried", lambda before, self, *_: None)),
    "what a guard refuses is on offer": ("free", written("S.trial", "True")),
    "a requirement reads what a change leaves": ("paid", lambda patch: patch.setattr(changes, "_cells_of", _no_cells)),
    "arguments are not bound": ("later", lambda patch: patch.setattr(Runtime, "bind", lambda *_: None)),
    "what a move states is not stored": (
        "sums",
        method(
            Compiled,
            "_play_recorded",
            lambda before, self, state, how: before(state, (*how[:4], (how[4][0], None, None, ()))),
        ),
    ),
    "what can be begun can be done": ("steps", service("_can", lambda before, self, *_: True)),
    "an action is tried in the state itself": (
        "steps",
        lambda patch: patch.setattr(Runtime, "_alone", staticmethod(in_place)),
    ),
    "an action put aside is not taken up again": ("steps", service("restore", lambda before, self, play, at: None)),
    "who has stated a choice is asked again": (
        "together",
        service("waiting", lambda before, self, play, number: [0, 1]),
    ),
    "no choice is waited for": ("together", printing("_waiting", lambda before, self, number: "False")),
    "a choice of the last player is not waited for": (
        "together",
        printing("_choices", lambda before, self, number, wait: before(number, wait)[:-1]),
    ),
    "what fails without its attempts is not asked again": (
        "filled",
        written("except Undecided: pass\n    return x", "except Undecided: return [1]\n    return x"),
    ),
    "what a loop leaves in a variable is lost": (
        "oware",
        printing("_promoted", lambda before, self, loop: dict.fromkeys(before(loop), False)),
    ),
    "what depends on the iteration is collected once": (
        "places",
        lambda patch: patch.setattr(invariant_lists, "_reads", lambda expr, variables: False),
    ),
    "what is collected once is not there": (
        "places",
        lambda patch: patch.setattr(invariant_lists._Items, "listed", lambda self, run, to: ()),
    ),
    "neighbouring cells are read one too far": (
        "places",
        printing("_slice", lambda before, self, row: before(row).replace(" = s[", " = s[1 + ").replace(":", ":1 + ")),
    ),
    "what may be drawn out of a pool in a pool is equally likely": (
        "nested",
        lambda patch: patch.setattr(fast_paths, "ways_to", partial(equally_likely, pools.ways_to)),
    ),
    "a piece of a pool in a pool is taken out of the outer one": (
        "nested",
        revealing("pool.index(piece) if piece in pool else len(pool)", "pool.index(piece)"),
    ),
    "a piece stays in its pool when it is drawn": ("nested", revealing("pool[:at] + pool[at + 1 :]", "pool")),
    "normal forms are compared without hidden zones": (
        "pools",
        lambda patch: patch.setattr(pools.HiddenCells, "held", lambda self, cells: ()),
    ),
    "what was drawn may be drawn again": ("row", revealing("rest, known[3][1:]", "*known[2:]")),
    "what was drawn may be drawn again from a pool that holds others twice": (
        "row",
        lambda patch: [
            revealing("known[2] is pool", "False")(patch),
            revealing("*without(known[2], known[3], piece)", "*known[2:]")(patch),
        ],
    ),
    "a card that is found in place lies in the next cell": (
        "row",
        printing(
            "_in_place", lambda before, self, call, printed: before(call, printed).replace(" + 1 if ", " + 2 if ")
        ),
    ),
    "a card lies in the next cell": ("row", written("w.index(", "1 + w.index(")),
    "nothing is a card of a row": ("row", written("h.difference((None,))", "h")),
    "a card in hand is not in the union": ("row", written("sorted({*", "sorted({*()} and {*")),
    "the parts of nothing are none": (
        "row",
        printing("_or_empty", lambda before, self, expr, found, empty, none: before(expr, found, none, none)),
    ),
    "zones of two sizes look alike": (
        "sized",
        printing(
            "_kept_by_sizes", lambda before, *given: [each.replace("len(", "0 * len(") for each in before(*given)]
        ),
    ),
    "in a public state nothing is known of what others hold": ("sized", written("if not S.public:", "if True:")),
    "a count is one too many": ("sized", written("(g.count(", "(1 + g.count(")),
    "all pieces are counted": ("sized", written("(sum(map(", "(1 + sum(map(")),
    "items of a union come in any order": ("sized", function("counts_in_any_order", lambda before, each: True)),
    "what is tried is legal": (
        "flip",
        service(
            "_has_legal", lambda before, self, play, option, me: any(True for _ in self._candidates(play, option, me))
        ),
    ),
    "what a player lists is seen by all": (
        "veiled",
        method(Public, "lists_openly", lambda before, self, offered: True),
    ),
    "nothing is hidden from others": ("veiled", service("concealed", lambda before, self, at: Concealed.NOTHING)),
    "what a player holds is seen by all": ("veiled", service("_veil", lambda before, self, cell, held: held)),
    "what all see is tried in the state itself": (
        "later",
        service("_as_seen", lambda before, self, play, wait: play.within()),
    ),
    "what is not known cannot be": ("guarded", service("_may_be_legal", lambda before, self, *_: False)),
    "who may be able is passed over": ("veiled", service("may_offer", lambda before, self, *_: False)),
}


@pytest.mark.drawn(9)
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_the_python_printer_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played, mutate = MUTANTS[name]
    mutate(monkeypatch)
    assert differs(played), f"{name}: no play caught the mutant"


# Plays that no mutant needs would only take time.
@pytest.mark.drawn(6)
@pytest.mark.parametrize("name", sorted({played for played, _ in MUTANTS.values()}))
def test_the_unchanged_engine_equals_the_reference(name: str) -> None:
    assert not differs(name)


# ---- zones that are full


def overfull(engine: Engine | Reference, n: int) -> str:
    """Return the error for one piece too many in a full zone, moved in the n-th way."""
    state: Any = engine.start()
    try:
        state = engine.apply(state, move(0, "play.turn", n=n))
        for event, _ in engine.chance(state)[:1]:
            engine.apply(state, event)
    except SpecFault as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("n", (1, 2, 3))
def test_a_full_zone_refuses_a_piece(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_from(FULL, 1)
    fault = overfull(Reference(game), n)
    assert "row" in fault
    assert overfull(Engine(game), n) == fault
    apart = fast_paths._apart
    monkeypatch.setattr(fast_paths, "_apart", lambda one, two, *names: apart(one, replace(two, most=None), *names))
    assert overfull(Engine(game), n) != fault, "the mutant must be caught"


# ---- counts that are out of range


def test_a_count_out_of_range_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(engine: Engine | Reference) -> str:
        try:
            engine.apply(engine.start(), move(0, "wait"))  # type: ignore[arg-type]
        except SpecFault as fault:
            return str(fault)
        return ""

    game = game_from(COUNTED, 1)
    fault = counted(Reference(game))
    assert "only 0..1 fits here" in fault
    assert counted(Engine(game)) == fault
    written("<= 1 else", "<= 9 else")(monkeypatch)
    assert counted(Engine(game)) != fault, "the mutant must be caught"
