"""The compiled engine: its answers about states and single events, and move numbers.

`test_reference.py` compares whole plays with the reference.
"""

from __future__ import annotations

import json
import random
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from operator import length_hint
from types import FrameType
from typing import Any, TypeVar

import pytest

from ludex.interpreter import DECLINE, Engine, Event, Generator, Move, pick
from ludex.interpreter.program import COMPACT, WIDE, Compiled, Limits
from ludex.interpreter.program.ir.code import Decision
from ludex.interpreter.program.ir.listing import listing
from ludex.interpreter.program.ir.traversal import weight
from ludex.interpreter.program.lowering.passes import begin_lowering, lower
from ludex.interpreter.program.python.fast_paths import FAST_PATHS, PRINTED
from ludex.interpreter.program.python.pieces import Services
from ludex.interpreter.program.python.printing import expressions, statements
from ludex.interpreter.program.python.state import State
from ludex.interpreter.reference import Reference
from ludex.spec import Evaluation, Game, SpecFault, load, nodes

from ..games.candidates import candidates
from ..games.plays import GAMES, SAMPLES, TABLES, Table, engine_of
from ..once import EAGER, engine_once, game_once
from .build import ONE_CARD_EACH, engine_from, game_from, move
from .test_veil import CARDS, SAY, TOGETHER, cards

T = TypeVar("T")


def worth(question: Callable[[], T]) -> T | str:
    """Return the answer, or a mark that the rules give none."""
    try:
        return question()
    except SpecFault:
        return "fault"


ALL = [*TABLES, *SAMPLES]


SEEN = 12
"""The number of states of a play observed by every player, and of events tried in each; `--long` takes more."""


@pytest.mark.drawn(4)
@pytest.mark.parametrize("table", ALL, ids=str)
def test_observations_and_legal_moves_equal_those_of_the_reference(
    table: Table, rng: random.Random, is_long: bool
) -> None:
    game = engine_of(table).game
    compiled, reference = Compiled(game, rng.choice((WIDE, COMPACT, EAGER))), Reference(game)
    play, seats = compiled.start(), range(game.players)
    for _ in range(300 if is_long else 60):
        if compiled.is_terminal(play):
            break
        options: tuple[Event, ...] = tuple(event for event, _ in compiled.chance(play)) or compiled.legal_moves(play)
        event = rng.choice(options)
        if is_long or rng.randrange(60) < SEEN:
            state = compiled.to_reference(play)
            assert compiled.public_view(play) == reference.public_view(state)
            assert compiled.chance_for(play) == reference.chance_for(state)
            for seat in seats:
                assert compiled.observe(play, seat) == reference.observe(state, seat)
            for eyes in (None, *seats):
                assert compiled.view_of_event(play, event, eyes) == reference.view_of_event(state, event, eyes)
            assert compiled.to_move(play) == reference.to_move(state)
            after = reference.apply(state, event)
            assert compiled.to_reference(compiled.apply(play, event)) == after, "another player may be passed over"
            others = list(islice(candidates(game, options, rng), 500))
            for other in (event, *rng.sample(others, min(SEEN, len(others)))):
                refused = worth(partial(reference.refusal, state, other))
                assert worth(partial(compiled.is_legal, play, other)) == (
                    refused if refused == "fault" else not refused
                )
        compiled.advance(play, event)
    state = compiled.to_reference(play)
    assert [compiled.observe(play, seat) for seat in seats] == [reference.observe(state, seat) for seat in seats]


FREE, ONE, MOVE = "require free: not my shown", "require one: size(table) < 2", "move card from my hand to table"
GUARDED = {
    (FREE, MOVE): (True, True),
    ("let n = size(my hand)", "require few: n < 2 and some c in my hand has c = king", FREE, MOVE): (True, True),
    (FREE, MOVE, ONE): (True, False),
    (MOVE, ONE): (False, False),
    (MOVE, FREE): (True, False),
    ("coins(me) += 1 up to 9", FREE): (True, True),
    ("coins(me) += 1 up to 9", "require few: coins(me) < 2 or king in my hand", FREE): (False, False),
}
"""The steps of an action; whether it has a guard (a test before any change), and whether the guard suffices without a
trial.
"""


def showing(steps: tuple[str, ...]) -> Engine:
    text = CARDS.replace("pay: coins(me) -= 1\n  go: GO", "go:\n    " + "\n    ".join(steps))
    return engine_from(text.replace("CHOICE", "choose card in my hand").replace("FLOW", "may show") + ONE_CARD_EACH)


PUBLIC: list[Callable[[], Engine]] = [
    *(partial(cards, flow) for flow in ("may show", "repeat may show", "choose show")),
    *(partial(cards, f"{before}\n    may show") for before in ("coins(me) := 0", "move all from my hand to table")),
    partial(cards, "may show", "choose card in table", "nothing"),
    *(
        partial(cards, "may show", requirement=each)
        for each in (
            "size(hand(me)) >= 2 and card = king",
            "card = king and size(hand(me)) >= 2",
            "not (card = king implies size(my hand) = 1)",
            "some other in my hand has other != card",
            "(some other in my hand has other != card) and card = king",
            "(if card = king then 1 else 2) > 2 or coins(me) > 1",
            "count(c in my hand where c = king) + size(my hand) > 1",
            "count(c in my hand) + size(my hand) > 2",
            "max(coins(q) for q in Player where seen(q) = none else 0) > 3",
            "the(c in my hand) = card and my seen = none",
        )
    ),
    *(
        partial(
            cards,
            "may show",
            go=f"\n    {first}\n    require known: some c in my hand has c = king\n    require free: {later}",
            requirement="coins(me) > 0",
        )
        for first in ("nothing", "move card from my hand to table")
        for later in ("my shown", "not my shown", "size(table) > 1", "size(table) < 2")
    ),
    partial(
        cards,
        "may show",
        choice="choose pair within my hand",
        go="move pair from my hand to table",
        requirement="size(pair) = 2 and some c in pair has c = king",
    ),
    partial(cards, "seen(me) := if king in my hand then king else jack\n    may show", requirement="my seen = king"),
    partial(cards, "seen(me) := king\n    may show", requirement="my seen = my seen and coins(me) > 1"),
    partial(cards, "let n = count(c in my hand where c = king)" + SAY),
    partial(cards, "let n = size(my hand) - 1" + SAY),
    partial(engine_from, TOGETHER + ONE_CARD_EACH),
    *(partial(showing, steps) for steps in GUARDED),
]
"""Games in which players are asked or passed over, depending on public information."""


@pytest.mark.parametrize("number", range(len(PUBLIC)))
def test_a_player_is_asked_if_the_public_state_allows_a_choice(number: int) -> None:
    game = PUBLIC[number]().game
    reference = Reference(game)
    for limits in (WIDE, COMPACT, EAGER):
        compiled = Compiled(game, limits)
        plays = [compiled.start()]
        while plays:
            play = plays.pop()
            state = compiled.to_reference(play)
            assert compiled.to_move(play) == reference.to_move(state)
            assert compiled.legal_moves(play) == reference.legal_moves(state)
            for event in [event for event, _ in compiled.chance(play)] or compiled.legal_moves(play):
                after = compiled.apply(play, event)
                assert compiled.to_reference(after) == reference.apply(state, event), event
                plays.append(after)


@pytest.mark.parametrize("steps", GUARDED)
def test_a_requirement_before_any_change_needs_no_trial(steps: tuple[str, ...]) -> None:
    game = showing(steps).game
    (option,) = next(wait.options for wait in lower(game).waits if isinstance(wait, Decision))
    assert (option.guarded, not option.refusable) == GUARDED[steps]


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_a_trial_ends_at_a_decision_whose_moves_only_leading_requirements_refuse(
    limits: Limits,
) -> None:
    game = game_from(BROKE)
    compiled, reference = Compiled(game, limits), Reference(game)
    first = reference.legal_moves(reference.start())
    assert len(first) == 2
    assert compiled.legal_moves(compiled.start()) == first
    for apply in (partial(compiled.apply, compiled.start()), partial(reference.apply, reference.start())):
        with pytest.raises(SpecFault, match="broke"):
            apply(first[0])


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_a_guard_without_a_value_refuses_nothing(limits: Limits) -> None:
    game = game_from(BROKE.replace("    coins(me) += n\n    may spend\n", "").replace("= 0", "div (coins(me) - 1) > n"))
    compiled, reference = Compiled(game, limits), Reference(game)
    assert compiled.legal_moves(compiled.start()) == reference.legal_moves(reference.start()) != ()


BROKE = """
state coins(Player): 0..9 = 1

action begin
  choose n in 1..2
  go:
    coins(me) += n
    may spend
    require broke: coins(me) = 0

action spend
  choose n in 1..2
  go:
    require rich: coins(me) > 5
    coins(me) -= n

play
  one: as seat(1)
    choose begin
"""


@pytest.mark.parametrize(
    ("last", "is_tried"),
    [
        ("visit(false)", False),
        ("visit(true)", True),
        ("if 1 = 2 then visit(true)", False),
        ("if can visit(true) then visit(false)", True),
    ],
)
def test_a_parameter_with_the_same_argument_everywhere_is_a_constant(last: str, is_tried: bool) -> None:
    game = game_from(VISITS.replace("LAST", last))
    decisions = [wait for wait in lower(game, Limits(shared=0)).waits if isinstance(wait, Decision)]
    assert any(option.refusable for wait in decisions for option in wait.options) == is_tried


VISITS = """
state coins(Player): 0..9 = 1

action pay
  require rich: coins(me) > 0
  pay: coins(me) -= 1

action visit(bound: Bool)
  owed: if bound then pay
  more: may take

action take
  choose n in 1..2
  gain: coins(me) += n

play
  one: each player in seats
    visit(false)
  two: each player in seats
    LAST
"""


@pytest.mark.parametrize("name", ("boreal", "mangrovia"))
def test_a_program_is_printed_the_same_each_time(name: str) -> None:
    one, two = ("\n".join(listing(lower(load(name)))) for _ in range(2))
    assert one == two
    assert " object at 0x" not in one


@pytest.mark.parametrize("made", (partial(load, "backgammon"), lambda: showing((FREE, MOVE)).game))
def test_a_printed_program_describes_every_unit(made: Callable[[], Game]) -> None:
    program = lower(made())
    rows = [row for row in listing(program) if not row.startswith("unit ")]
    named = {int(number) for row in rows for number in re.findall(r"(?:unit|by) (\d+)", row)}
    options = [each for wait in program.waits if isinstance(wait, Decision) for each in wait.options]
    asked = {unit for each in options for unit in (each.lists, each.offers, each.admits, each.seen)}
    asked |= {each.lists for each in program.action_tests} | {unit for _, unit in (*program.scores, *program.winner)}
    assert asked - {None} <= named
    assert all(any(row.startswith(f"can {each.action}(") for row in rows) for each in program.action_tests)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_has_its_number(name: str, rng: random.Random) -> None:
    engine = engine_once(game_once(name))
    state = engine.start()
    for _ in range(12):
        if engine.is_terminal(state):
            break
        if engine.numbers.complete and engine.to_move(state):
            seat = engine.to_move(state)[0]
            moves = engine.legal_moves(state, seat)
            numbers = [engine.id_of(move) for move in moves]
            assert engine.legal_ids(state, seat) == numbers
            assert [engine.move_of(number, seat) for number in numbers] == list(moves)
            if engine.size < 10_000:
                assert [number for number, legal in enumerate(engine.mask(state, seat)) if legal] == sorted(numbers)
            if not engine.is_together(state):
                assert engine.apply_id(state, numbers[0]) == engine.apply(state, moves[0])
        state = engine.apply(state, pick(engine, state, Generator(rng.getrandbits(64))).event)


@pytest.mark.parametrize("name", ["crazy_eights", "goofspiel", "leduc_poker", "pig", "tic_tac_toe"])
def test_a_play_by_numbers_in_place_equals_the_play_by_events(name: str, rng: random.Random, is_long: bool) -> None:
    """Cached results are dropped when the next event changes the state in place."""
    engine = engine_once(game_once(name))
    state = engine.start()
    for _ in range(500 if is_long else 40):
        if engine.is_terminal(state):
            break
        before = state.clone()
        if engine.is_chance(state):
            chance = engine.chance(state)
            pieces, weights = engine.outcomes(state)
            total = sum(weights)
            shares = [(piece, Fraction(weight, total)) for piece, weight in zip(pieces, weights, strict=True)]
            assert shares == [(event.outcome, part) for event, part in chance]
            random_event = rng.choice(chance)[0]
            engine.come_out(state, random_event.outcome)
            event: Event = random_event
        else:
            seat = rng.choice(engine.to_move(state))
            moves = engine.legal_moves(state, seat)
            numbers = engine.legal_ids(state, seat)
            assert numbers == [engine.id_of(move) for move in moves]
            event = moves[at := rng.randrange(len(moves))]
            if engine.is_together(state):
                engine.state_id(state, seat, numbers[at])
            else:
                engine.advance_id(state, numbers[at])
        after = engine.apply(before, event)
        assert (state.cells, state.pools, state.wait) == (after.cells, after.pools, after.wait)
        assert engine.legal_moves(state) == engine.legal_moves(after)


ONE_HOLDS_A_CARD = """
zone hand(Player): bag of 1..3, open
zone bid(Player): bag of 1..3, open

setup
  deal: put {1} in hand(seat(1))

play
  bids: all players
    choose card in my hand
    move card from my hand to my bid
"""


@pytest.mark.parametrize("limits", (WIDE, COMPACT))
def test_in_a_simultaneous_decision_players_have_their_own_choices(limits: Limits) -> None:
    engine = Compiled(game_from(ONE_HOLDS_A_CARD), limits)
    state = engine.start()
    assert engine.to_move(state) == (0,)
    engine.state_id(state, 0, engine.legal_ids(state, 0)[0])
    assert engine.is_terminal(state)
    assert state.cells[: engine.game.cell_count] == [(), (), (1,), ()]


def test_a_move_is_not_confused_with_an_equal_one_of_other_types() -> None:
    engine = Compiled(load("nim"))
    state = engine.start()
    one = engine.legal_moves(state)[0]
    assert engine.is_legal(state, one)
    for other in (True, 1.0):
        arguments = tuple((name, other) for name, _ in one.arguments)
        assert arguments == one.arguments
        assert not engine.is_legal(state, one._replace(arguments=arguments))
        assert engine.judge([one]) == 1
        assert engine.judge([one._replace(arguments=arguments)]) == 0


@pytest.mark.drawn(5)
@pytest.mark.parametrize("table", ALL, ids=str)
def test_events_judged_together_are_judged_as_one_by_one(table: Table, rng: random.Random) -> None:
    engine, generator = engine_of(table), Generator(rng.getrandbits(64))
    state, events = engine.start(), list[Event]()
    while len(events) < LENGTH and not engine.is_terminal(state):
        events.append(pick(engine, state, generator).event)
        engine.advance(state, events[-1])
    assert engine.judge(events) == len(events)
    for _ in range(FALSE if events else 0):
        before, at = engine.start(), rng.randrange(len(events))
        assert engine.play_each(before, events[:at]) == at
        other = rng.choice(events)
        if engine.is_legal(before, other):
            continue
        false, after = [*events[:at], other, *events[at:]], engine.start()
        assert engine.judge(false) == engine.play_each(after, false) == at
        assert after == before
        assert engine.judge(false[at:], before) == 0
        assert after == before


LENGTH, FALSE = 60, 6
"""The number of judged events of a play, and of times that another event is inserted."""
TAKEN_BACK = """
state left: 0..5 = 5
state taken: 0..9

action take
  choose n in 1..3
  count: taken += n
  lift: left -= n
  require odd: left mod 2 = 1

play
  turns: repeat 5 times
    each player in seats
      go: choose take
"""


@pytest.mark.parametrize("last", [1, 3])
def test_an_event_refused_or_failing_after_its_steps_changes_nothing(last: int) -> None:
    """Taking 1 is refused, since 2 would be left; taking 3 fails, since fewer are left."""
    engine, two = engine_from(TAKEN_BACK), [move(0, "take", n=2), move(1, "take", n=2)]
    state = engine.start()
    assert engine.play_each(state, [*two, move(0, "take", n=last)]) == 2
    assert engine.refusal(state, move(0, "take", n=1)) is not None
    assert [engine.cell(state, name) for name in ("left", "taken")] == [1, 4]


RISKY = """
state left: 0..2 = 1
state said: Bool = false

action risk(twice: Bool)
  choose by in 1..2
  go: left -= if twice then 2 else 1
  require even: not twice or left mod 2 = 0

action go
  tell: said := can risk({twice})

play
  turns: repeat 2 times
    each player in seats
      go: choose go
"""


@pytest.mark.parametrize("limits", [WIDE, COMPACT], ids=["wide", "compact"])
@pytest.mark.parametrize("twice", ["true", "false"])
def test_can_is_true_for_an_action_with_a_fault_after_its_requirements(twice: str, limits: Limits) -> None:
    """The fault stops whoever performs the action. A requirement that depends only on known values needs no trial."""
    game = game_from(RISKY.format(twice=twice))
    compiled, reference = Compiled(game, limits), Reference(game)
    play, state = compiled.start(), reference.start()
    while not compiled.is_terminal(play):
        (move,) = compiled.legal_moves(play)
        play, state = compiled.apply(play, move), reference.apply(state, move)
        assert compiled.public_view(play) == reference.public_view(state)
    assert ("trial" if twice == "true" else "no trial") == ("trial" if "R.can(" in compiled.source else "no trial")


@pytest.mark.parametrize(
    "arguments",
    [{"wrong": 0}, {}, {"row": True}, {"row": 0, "sticks": 1, "more": 1}],
    ids=str,
)
def test_a_move_with_wrong_arguments_has_no_number(arguments: dict[str, int]) -> None:
    engine = engine_of(Table("nim", 2))
    with pytest.raises(ValueError, match="has no number"):
        engine.id_of(Move(0, "take", tuple(arguments.items())))


def test_a_move_with_a_repeated_argument_has_no_number() -> None:
    engine = engine_of(Table("nim", 2))
    move = engine.legal_moves(engine.start())[0]
    for wrong in (Move(0, move.action, (*move.arguments, move.arguments[0])), Move(0, DECLINE, move.arguments)):
        with pytest.raises(ValueError, match="has no number"):
            engine.id_of(wrong)


def test_a_small_number_is_always_the_same_object() -> None:
    """Printed code compares small numbers by identity."""
    for number in range(expressions.SINGLE):
        numbers = (json.loads(str(number)), array("q", [number])[0], number // 1)
        assert all(each is number for each in (*numbers, *divmod(number * 1000 + number, 1000), len(range(number))))


NESTED_FACTS = """
fact near(a: 0..5) = set(b for b in 0..5 where abs(a - b) = 1)
fact far(a: 0..5) = set(c for b in near(a), c in near(b))

state at: 0..5 = 0

action go
  choose goal in 0..5
  require there: goal in far(at)
  go: at := goal

play
  turns: repeat 2 times
    each player in seats
      go
"""


def test_a_fact_is_evaluated_once_for_the_same_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, called = Counter[Any](), Evaluation.called

    def counted(self: Evaluation, define: Any, given: Any) -> Any:
        asked[define.name, given] += 1
        return called(self, define, given)

    monkeypatch.setattr(Evaluation, "called", counted)
    lower(game_from(NESTED_FACTS))
    assert set(asked.values()) == {1}
    assert {name for name, _ in asked} == {"near", "far"}


@pytest.mark.parametrize("name", ["crazy_eights", "goofspiel", "backgammon"])
def test_services_specialized_for_a_statement_equal_the_general_ones(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def general(service: str) -> Callable[..., list[str]]:
        def printed(step: Any, at: int, over: str, *given: str) -> list[str]:
            if service != "move_all":
                given = (*given[:-1], f"({given[-1]},)")
            return [f"R.{service}(S, {at}, {', '.join(given)})"]

        return printed

    def drawing(services: Services, at: int) -> Callable[..., bool]:
        return partial(services.draw, at=at)

    bound, draw = Compiled(load(name)), random.Random(7)
    state, played = bound.start(), list[tuple[Event, State]]()
    while not bound.is_terminal(state):
        follow: list[Event] = [each for each, _ in bound.chance(state)] or [*bound.legal_moves(state)]
        event = draw.choice(follow)
        state = bound.apply(state, event)
        played.append((event, state))
    monkeypatch.setattr(statements, "PRINTED", {each: general(each) for each in PRINTED})
    monkeypatch.setattr(expressions, "FAST_PATHS", {**FAST_PATHS, "draw": drawing})
    unbound = Compiled(load(name))
    state = unbound.start()
    for event, after in played:
        state = unbound.apply(state, event)
        assert (state.cells, state.pools, state.wait) == (after.cells, after.pools, after.wait)


SOUGHT = """
state mark(1..5): 0..3 = 0

define place(v: 0..3): 1..5 = the(n in 1..5 where mark(n) = v)

play
  turns: repeat 6 times
    as seat(1)
      choose set_mark

action set_mark
  choose n in 1..5, v in 0..3
  mark: mark(n) := v

score first: sum(place(v) for v in {1, 3})
"""


def test_the_only_matching_cell_of_a_row_is_found_and_none_or_several_are_a_fault(rng: random.Random) -> None:
    compiled = Compiled(game_from(SOUGHT))
    assert ".index(" in compiled.source, "the row must be searched as one slice"
    reference, found = Reference(compiled.game), set[bool]()
    for _ in range(40):
        state, told = compiled.start(), reference.start()
        while not compiled.is_terminal(state):
            event = rng.choice(compiled.legal_moves(state))
            state, told = compiled.apply(state, event), reference.apply(told, event)
            points = worth(partial(compiled.scores, state))
            assert points == worth(partial(reference.scores, told))
            found.add(points == "fault")
    assert found == {False, True}


LISTED = """
zone kept: bag of 0..3, open
state mark(1..CELLS): 0..3 = 0

define place(v: 0..3): 1..CELLS = the(n in 1..CELLS where mark(n) = v)

setup
  marks:
    put {0, 1, 2, 3} in kept
    mark(2) := 1
    mark(3) := 2

play
  turns: repeat 3 times
    as seat(1)
      choose set_mark

action set_mark
  choose v in kept, n in 1..4
  require near: (some k in 1..CELLS has mark(k) = v) and v > 0 implies place(v) - 1 <= n
  mark: mark(n) := v

score first: mark(1)
"""


@pytest.mark.parametrize(("cells", "is_read_once"), [("5", True), ("64", True), ("65", False)])
def test_a_row_that_a_list_searches_often_is_read_once_unless_that_counts_as_work(
    cells: str, is_read_once: bool
) -> None:
    compiled, found = Compiled(game_from(LISTED.replace("CELLS", cells))), set[bool]()
    in_place = re.search(r"h0\.index\(v\d+\) \+ 1 if .*\.count\(v\d+\) == 1 else u", compiled.source)
    assert bool(in_place) == is_read_once
    reference = Reference(compiled.game)

    def compare(state: State, told: Any) -> None:
        moves = worth(partial(compiled.legal_moves, state))
        assert moves == worth(partial(reference.legal_moves, told))
        found.add(moves == "fault")
        for each in moves if isinstance(moves, tuple) else ():
            after, told_after = worth(partial(compiled.apply, state, each)), worth(partial(reference.apply, told, each))
            assert (after == "fault") == (told_after == "fault")
            if isinstance(after, State):
                compare(after, told_after)

    compare(compiled.start(), reference.start())
    assert found == {False, True}


OF_TWO = """
zone row: bag of 1..9, open
state low(Player): 0..9 = 2
state high(Player): 0..9 = 6

define between(p: Player, q: Player) = count(c in row where c > low(p) and c > low(q) and c < high(q))

setup
  row:
    put {1, 2, 3, 4, 5, 6, 7} in row

play
  turns: repeat 2 times
    each player in seats
      choose aim

action aim
  choose n in 1..9
  aim: low(me) := n
  more: high(next(me)) := n

score between: between(me, next(me)) + 10 * between(next(me), me)
"""


def test_what_loops_read_of_several_players_is_read_for_each(rng: random.Random) -> None:
    compiled = Compiled(game_from(OF_TWO, players=3), replace(WIDE, split=0, flow=0))
    assert re.search(r"f2 = s\[v\d+ \+ \d+\]", compiled.source), "three cells must be read before the loop"
    reference = Reference(compiled.game)
    for _ in range(10):
        state, told = compiled.start(), reference.start()
        while not compiled.is_terminal(state):
            event = rng.choice(compiled.legal_moves(state))
            state, told = compiled.apply(state, event), reference.apply(told, event)
        assert compiled.scores(state) == reference.scores(told)


def test_what_is_concealed_is_not_read_before_a_loop() -> None:
    hidden = OF_TWO.replace("state low(Player): 0..9 = 2", "state low(Player): 0..9 = 2, private")
    source = Compiled(game_from(hidden, players=3), replace(WIDE, split=0, flow=0)).source
    assert "f0 = s[" in source
    assert "f1 = s[" not in source


NAMED = """
type Size = 1..40

state mark(1..3): Size? = 1
state turn: 0..3 = 0

define marked = set(mark(turn + n) for n in 1..1)

play
  turns: repeat 3 times
    as seat(1)
      choose set_mark

action set_mark
  choose at in 1..3, size in Size
  require any: size(marked) > 0
  require known: size in marked
  mark: mark(at) := if at = 2 then none else size + 1
  next: turn += 1

score turns: turn
"""


def test_a_repeated_collection_with_none_in_it_is_searched() -> None:
    compiled = Compiled(game_from(NAMED))
    assert re.search(r"there\(.*h0 := ", compiled.source), "the test needs a name within the search"
    reference = Reference(compiled.game)

    def compare(state: State, told: Any) -> int:
        moves = compiled.legal_moves(state)
        assert moves == reference.legal_moves(told)
        return 1 + sum(compare(compiled.apply(state, each), reference.apply(told, each)) for each in moves)

    assert compare(compiled.start(), reference.start()) > 10


def test_the_total_size_of_unrolled_loops_is_limited() -> None:
    sums = "\n".join(
        f"define many{at} = count(n in 1..90 where (n + held({at}) * n) mod 7 = held(n))" for at in range(1, 31)
    )
    total = " + ".join(f"many{at}" for at in range(1, 31))
    game = game_from(
        f"state held(1..90): 0..9 = 0\n{sums}\n\naction go\n  choose k in 1..2\n  held(k) := k\n\n"
        f"play\n  turns: each player in seats\n    choose go\n\nscore s: {total}\n"
    )
    sizes = [sum(weight(unit.body) for unit in lower(game, Limits(loops=loops)).units) for loops in (0, 5_000, 200_000)]
    assert sizes[0] + 1_000 < sizes[1] < sizes[0] + 10_000 < sizes[2]


def test_the_model_is_walked_less_than_three_times() -> None:
    """Analyses share the lists of nodes: for each one to walk the whole game again took a tenth of the time."""
    game = game_once("bora_bora")
    walked = 0

    def note(frame: FrameType, event: str, result: Any) -> None:
        nonlocal walked
        if event == "return" and frame.f_code is nodes.__code__:
            walked += length_hint(result)

    sys.setprofile(note)
    try:
        begin_lowering(game, COMPACT)
    finally:
        sys.setprofile(None)
    whole = len(list(nodes(*game.routines, *game.defines.values(), game.scores, game.winner)))
    assert walked < 3 * whole
