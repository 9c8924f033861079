"""Regressions: faults found with other games, each shown by the smallest such game."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter import HIDDEN, ChanceEvent, Engine, Move, Reference, State, run_example
from ludex.interpreter.program.ir.code import Decision
from ludex.spec import check_game

from .build import engine_from, move, play, reference_from, written

HAND = """
type Card = 1..40

zone hand(Player): bag of Card, open
zone table: bag of Card, open

setup
  deal: each player in seats
    fill my hand with Card

play
  turns: each player in seats
    lay

action lay
  choose cards within my hand
  require right: {condition}
  lay: move cards from my hand to table
"""


def test_parts_larger_than_a_required_size_are_not_tried() -> None:
    for condition in ("size(cards) = 2 and no c in cards has c > 40", "player_count = 2 and 2 = size(cards)"):
        laid = engine_from(HAND.replace("{condition}", condition))
        assert len(laid.legal_moves(laid.start())) == comb(40, 2)
    few = engine_from(HAND.replace("{condition}", "size(cards) < 2 or size(cards) = 0").replace("1..40", "1..9"))
    assert len(few.legal_moves(few.start())) == 10, "a bound in one of two alternatives must bound nothing"


SWAP = """
type Card = jack | queen

zone deck: bag of Card, hidden
zone under: one Card, hidden
zone shown: one Card

setup
  deck: fill deck with Card
  first: draw 1 from deck to under

action turn
  choose n in 1..2
  show: SHOW

play
  turns: PLAYERS
    choose turn
"""


@pytest.mark.parametrize("show", ("swap under with shown", "swap shown with under"))
def test_a_swap_reveals_a_hidden_piece_by_chance(show: str) -> None:
    text = SWAP.replace("SHOW", show).replace("PLAYERS", "each player in seats")
    engine: Any
    for engine in (engine_from(text), reference_from(text)):
        state = engine.apply(engine.start(), move(0, "turn", n=1))
        assert [event.outcome for event, _ in engine.chance(state)] == [0, 1]
        assert engine.to_move(engine.apply(state, ChanceEvent("turn.show", 1))) == (1,)


def test_a_swap_that_reveals_a_piece_is_refused_in_a_simultaneous_choice(tmp_path: Path) -> None:
    for zone, codes in (("open", ["E308"]), ("hidden", [])):
        text = SWAP.replace("SHOW", "swap under with shown").replace("PLAYERS", "all players")
        text = text.replace("zone shown: one Card", f"zone shown: one Card, {zone}")
        faults = check_game(written(tmp_path, text))
        assert [each.code.code for each in faults if each.is_error] == codes


CODE = """
type Digit = 1..2000

state opened: Bool = false

play
  turns: each player in seats
    dial

action dial
  choose a in Digit, b in Digit, c in Digit
  require right: {condition}
  open: opened := true
"""


def test_each_part_of_a_requirement_is_tested_as_soon_as_possible() -> None:
    """Otherwise these would try 8,000,000,000 combinations."""
    for condition in (
        "a = 7 and b = 8 and c = 9",
        "1 < 2 implies a = 7 and b = 8 and c = 9",
        "a = 7 and (if b = 8 then c = 9 else a = 8)",
    ):
        dialled = engine_from(CODE.replace("{condition}", condition))
        (move,) = dialled.legal_moves(dialled.start())
        assert move.arguments == (("a", 7), ("b", 8), ("c", 9))


ROLLS = """
type Die = 1..6

zone dice(Player): bag of Die, private
zone tray: bag of Die, open

state luck(Player): Die

play
  {roll}

action keep(die: Die)
  lay: put die in my dice
"""


def seen_roll(engine: Engine, state: State) -> list[bool]:
    """Return whether an onlooker, seat 1 and seat 2 see the outcome."""
    event, _ = engine.chance(state)[0]
    hidden = ChanceEvent(event.path, HIDDEN)
    return [engine.view_of_event(state, event, player) != hidden for player in (None, 0, 1)]


@pytest.mark.parametrize(
    ("roll", "seen"),
    [
        ("each player in reversed(seats)\n    random n in Die\n    put n in my dice", [False, False, True]),
        ("each p in Player\n    random n in Die\n    put n in dice(p)", [False, True, False]),
        ("as seat(2)\n    random n in Die\n    keep(n)", [False, False, True]),
        ("as seat(1)\n    random n in Die\n    put n in my dice\n    luck(me) := n", [True, True, True]),
        ("as seat(1)\n    random n in Die\n    if n = 2 then put 1 in tray", [True, True, True]),
    ],
)
def test_a_roll_into_a_zone_of_one_player_is_visible_to_that_player_only(roll: str, seen: list[bool]) -> None:
    engine = engine_from(ROLLS.replace("{roll}", roll))
    assert seen_roll(engine, engine.start()) == seen


INSIDE = """
type Pier = 1..3

state coins(Player): 0..20 = 0

action build(pay: 1..2)
  choose n in 1..3
  own: coins(me) += n * pay

action act(pier: Pier)
  go: match pier
    1 => coins(me) += 1
    2 => choose build(1) or rest
    3 => build(2)

action rest
  say: nothing

play
  piers: each pier in Pier
    each player in seats
      may act(pier)

example inside
  with anna, boris
  given
    coins(boris) := 5
  after boris build(n: 3)
  expect coins(boris) = 8

example deeper
  with anna, boris
  after anna rest
  after boris act
  after boris build(n: 1)
  expect coins(boris) = 1
"""


def test_an_example_finds_a_move_inside_an_option_without_arguments() -> None:
    engine = engine_from(INSIDE)
    assert engine.game.examples
    for example in engine.game.examples:
        assert run_example(Reference(engine.game), example).findings == (), example.name


SEA = """
type Cell = (row: 1..3, col: 1..3)

state ship(Player, Cell): Bool = false, private
state fleet(Player): set of Cell = {}, private
state size_of(Player): 0..9 = 0
state mark(Cell): Bool = false
state note(Cell): Bool = false, hidden

action place
  choose cell in Cell
  set: {set}

play
  ships: each player in seats
    place
"""


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("ship(me, cell) := true", False),
        ("fleet(me) += {cell}", False),
        ("\n    ship(me, cell) := true\n    size_of(me) += cell.row", True),
        ("\n    ship(me, cell) := true\n    mark(cell) := true", True),
        ("note(cell) := true", False),
    ],
)
def test_a_move_that_only_changes_a_private_state_is_not_reported(statement: str, told: bool) -> None:
    engine = engine_from(SEA.replace("{set}", statement))
    placed = move(0, "place", cell=4)
    assert engine.view_of_event(engine.start(), placed, 0) == placed
    assert (engine.view_of_event(engine.start(), placed, 1) == placed) is told


TOLD = """
type Slot = 1..3

zone row(Slot): one Slot, open
zone gone: bag of Slot, open
zone hand(Player): bag of Slot, private
zone kept(Player): bag of Slot, private

state secret(Player): 0..9 = 0, private
state coins: 0..9 = 0

setup
  row: each s in Slot
    put s in row(s)
    put s in hand(seat(1))

play
  as seat(1)
    act

action act
  choose s in Slot
  go:
    {step}
"""


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("secret(me) := s", False),
        ("let twice = 2 * s\n    secret(me) := twice", False),
        ("move s from my hand to my kept", False),
        ("each c in {s}\n      move c from my hand to my kept", False),
        ("secret(me) := s\n    move row(s) to gone", True),
        ("secret(me) := s\n    if s = 2 then coins := 1", True),
        ("let twice = 2 * s\n    secret(me) := 1\n    coins := twice", True),
        ("secret(me) := s\n    swap row(s) with row(1)", True),
        ("secret(me) := s\n    if s = 2 then end game", True),
        ("secret(me) := s\n    repeat s times\n      if coins < 9 then coins += 1", True),
    ],
)
def test_a_move_with_a_public_effect_is_reported(step: str, told: bool) -> None:
    engine = engine_from(TOLD.replace("{step}", step))
    state = engine.start()
    (view,) = {engine.view_of_event(state, move, 1) for move in engine.legal_moves(state)[:1]}
    assert isinstance(view, Move)
    assert (view.arguments[0][1] is not HIDDEN) == told


# ---- a guard applies to every player who acts below it, unless it names the player -----------------------------------

GUARDED = """\
game guarded
  players: 2
  convention: "a sample"

type Card = 1..4

zone row: one Card, open
zone mine(Player): one Card, open
state seen: Card = 1

play
  start: each player in seats
    {guard}
      {under}

action look(card: Card)
  choose n in 1..2
  go: seen := card
"""


@pytest.mark.parametrize(
    ("guard", "under", "good"),
    [
        ("if row is not empty", "as seat(2)\n        look(row)", True),
        ("if row is not empty", "each player in seats\n        seen := row", True),
        ("if row is not empty", "each player in seats\n        look(row)\n        move row to my mine", False),
        ("if my mine is not empty", "as seat(2)\n        look(my mine)", False),
        ("if mine(seat(1)) is not empty", "as seat(2)\n        look(mine(seat(1)))", True),
    ],
)
def test_a_guard_around_an_action_of_another_player_is_checked(
    tmp_path: Path, guard: str, under: str, good: bool
) -> None:
    file = tmp_path / "guarded.ludex"
    file.write_text(GUARDED.format(guard=guard, under=under), encoding="utf-8")
    assert ("T203" not in {diagnostic.code.code for diagnostic in check_game(file)}) == good


BIDS = """
state bid(Player): 0..3 = 0

action bid_for_it
  choose n in 1..3
  say: bid(me) := n

play
  bids: all players
    {bids}
"""


@pytest.mark.parametrize("bids", ["bid_for_it", "choose bid_for_it"])
def test_an_action_may_be_decided_by_all_players(bids: str) -> None:
    engine = engine_from(BIDS.replace("{bids}", bids))
    state = engine.start()
    assert engine.legal_moves(state) == tuple(move(seat, "bid_for_it", n=n) for seat in (0, 1) for n in (1, 2, 3))
    state = engine.apply(engine.apply(state, move(1, "bid_for_it", n=3)), move(0, "bid_for_it", n=1))
    assert [engine.cell(state, "bid", [seat]) for seat in (0, 1)] == [1, 3]


FILLED = """
zone deck: pile of 1..3, open

setup
  deck: fill deck with {pieces}

play
  each player in seats
    draw 1 from deck to hand(me)

zone hand(Player): bag of 1..3, open
"""


@pytest.mark.parametrize(
    ("pieces", "top"), [("1..3", 3), ("list(n for n in 1..3)", 3), ("reversed(list(n for n in 1..3))", 1)]
)
def test_a_pile_is_filled_in_the_order_of_a_list(pieces: str, top: int) -> None:
    engine = engine_from(FILLED.replace("{pieces}", pieces))
    assert engine.cell(engine.start(), "hand", [0]) == (top,)


COUNTED = """
zone heap: bag of Bead up to 9, open
state noted: list of 0..4 up to 50 = list(n for n in {0} where n > 0)

define beads = count(b in Bead where b in heap)

play
  turns: repeat
    each player in seats
      choose add or stop

action add
  choose bead in Bead
  require new: not bead in heap
  before: noted := noted + list(n for n in {beads})
  put bead in heap
  after: noted := noted + list(n for n in {beads})
  require few: beads < 3

action stop
  over: end game
"""


def test_memoized_values_of_a_define_are_dropped_after_a_change() -> None:
    """A define with a loop over a collection is computed once for a state; all trials of moves begin from
    that state.
    """
    counted = engine_from("type Bead = 1..4\n\n" + COUNTED)
    state = play(counted, move(0, "add", bead=1), move(1, "add", bead=2))
    assert counted.cell(state, "noted") == (0, 1, 1, 2)
    assert [legal.action for legal in counted.legal_moves(state)] == ["stop"], "a third bead must be refused"
    assert counted.cell(state, "noted") == (0, 1, 1, 2)


OFFER = """
state coins(Player): 0..9 = 3

action earn
  choose n in 1..2
  take: coins(me) += n up to 9

action begin
  choose n in 1..2
  take: coins(me) += n up to 9

action rest
  done: nothing

action tax
  require rich: my coins >= 4
  pay: coins(me) -= 4

play
  turns: repeat 2 times
    each player in seats
      begin
      second: choose earn or OTHER
      due: if UNUSED then tax
"""


def test_no_move_is_tried_before_a_decision_with_an_option_that_is_always_legal() -> None:
    """Listing with trials took ten times as long. A decision that cannot be passed over ends the search
    for refusals.
    """
    free = engine_from(OFFER.replace("OTHER", "rest").replace("UNUSED", "my coins >= 4"))
    assert not refusable(free, free.start())[0]
    second = free.apply(free.start(), move(0, "begin", n=1))
    assert refusable(free, second) == [True, False], "earning changes the value that the tax requires"
    taxed = engine_from(OFFER.replace("OTHER", "rest").replace("UNUSED", "coins(me) > 0"))
    poor = taxed.apply(taxed.start(), move(0, "begin", n=1))
    poor.put(taxed.game.element["coins"].offset, 1)
    assert taxed.legal_moves(poor) == (), "after every option the tax cannot be paid"


def test_a_condition_that_is_constantly_false_refuses_nothing() -> None:
    engine = engine_from(OFFER.replace("OTHER", "rest").replace("UNUSED", "player_count = 5"))
    assert refusable(engine, engine.apply(engine.start(), move(0, "begin", n=1))) == [False, False]


def refusable(engine: Engine, state: State) -> list[bool]:
    """Return for each option of the awaited decision whether a later requirement may refuse it."""
    decision = engine.program.waits[state.wait]
    assert isinstance(decision, Decision)
    return [option.refusable for option in decision.options]


OPEN_BAG = """
type Tile = 1..4

zone sack: bag of Tile, open
zone away: pile of Tile, hidden

setup
  all: fill sack with {1, 2, 3, 4}

play
  go: draw 1 from sack to away
"""


def test_a_draw_from_an_open_bag_is_a_chance_event_wherever_the_piece_goes() -> None:
    game = engine_from(OPEN_BAG).game
    assert str(game.chances["play.go"].outcome) == "Tile"
