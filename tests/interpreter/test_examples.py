"""Examples of a spec: finding their place in the play, and the reports if they fail."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest

from ludex.grammar import Diagnostic
from ludex.interpreter import ExampleRun, Put, Reference, run_example
from ludex.interpreter.play.examples import NOT_DONE
from ludex.spec import shipped_games

from ..once import game_once
from .build import reference_from

SPEC = """
type Card = 1..3
zone deck: pile of Card, hidden
zone table: bag of Card, open
state coins(Player): 0..9 = 2
state rounds: 0..9 = 0

action buy
  choose card in table
  require affordable: my coins >= card
  require modest: card < 3
  pay: coins(me) -= card
  take: remove card from table
action roll
  die:
    random n in 1..6 where n <= size(table)
    coins(me) += n up to 9
action wait
  require poor: my coins = 0
  wage: coins(me) += 1

play
  turns: repeat 3 times
    each player in seats
      choose buy or roll or wait
    tick: rounds += 1

example it
  with anna, boris
CHECKS
"""


def failures(folder: Path, checks: str) -> tuple[Diagnostic, ...]:
    text = "\n".join(f"  {line}" for line in checks.strip("\n").splitlines())
    reference = reference_from(SPEC.replace("CHECKS", text), folder=folder)
    (example,) = reference.game.examples
    return run_example(reference, example).findings


@pytest.mark.parametrize(
    "checks",
    [
        "expect coins(anna) = 2 and table is empty",
        "given\n  put {1, 2} in table\nafter anna buy(card: 1)\nafter boris buy(card: 2)\nexpect coins(boris) = 0",
        "given\n  put 1 in table\nallow boris buy(card: 1)\nallow anna buy(card: 1)",
        "given\n  put 1 in table\nrefuse boris wait because wait.poor\nexpect rounds = 0",
        "given\n  put {1, 3} in table\nrefuse anna buy(card: 3) because buy.affordable",
        "given\n  put {1, 3} in table\nrefuse anna buy(card: 3) because buy.modest",
        "given\n  put 1 in table\nrefuse anna buy(card: 2) because buy",
        "given\n  put 3 in table\nafter boris roll\nafter chance 1\nexpect coins(boris) = 3 and rounds = 1",
        "refuse anna buy(card: 1) because buy",
        "given\n  put 1 in table\nrefuse boris buy(card: 1) because play.turns",
        "given\n  put 1 in table\nrefuse anna decline because play.turns",
        "given\n  put 1 in table\nafter anna buy(card: 1)\nrefuse anna roll because play.turns\nallow boris roll",
        "given\n  put 1 in table\nafter anna roll\nrefuse boris roll because roll.die",
    ],
)
def test_examples_that_hold(tmp_path: Path, checks: str) -> None:
    assert failures(tmp_path, checks) == ()


@pytest.mark.parametrize(
    ("checks", "code", "words"),
    [
        ("expect coins(anna) = 3", "P304", "coins(anna) = 3 does not hold here: coins(anna) = 2"),
        ("expect coins(anna) = 2 and table is not empty", "P304", "table is not empty is false: table = {}"),
        (
            "expect coins(anna) = 3 or rounds > coins(boris)",
            "P304",
            "does not hold here: coins(anna) = 2, rounds = 0, coins(boris) = 2",
        ),
        ("given\n  put 1 in table\nallow anna wait", "P301", "`anna: wait` breaks wait.poor"),
        ("given\n  put 3 in table\nafter anna buy(card: 3)", "P301", "breaks buy.affordable and buy.modest"),
        ("given\n  put 1 in table\nrefuse anna buy(card: 1) because buy.modest", "P302", "this move is legal"),
        (
            "given\n  coins(anna) := 9\n  put 3 in table\nrefuse anna buy(card: 3) because buy.affordable",
            "P303",
            "buy.affordable is not against this move",
        ),
        (
            "expect coins(anna) = 2 and coins(boris) = 3 and size(table) = 9",
            "P304",
            "coins(boris) = 3 is false: coins(boris) = 2; size(table) = 9 is false: size(table) = 0",
        ),
        ("given\n  put 1 in table\nrefuse anna buy(card: 1) because play.turns", "P302", "this move is legal"),
        ("given\n  put 1 in table\nafter anna roll\nrefuse boris roll because play.turns", "P303", "the chance event"),
        ("given\n  put 1 in table\nafter anna roll\nafter boris wait", "P305", "the chance event roll.die is awaited"),
        (
            "given\n  put 1 in table\nafter anna roll\nafter chance 5",
            "P305",
            "this outcome is not possible here: roll.die = 5",
        ),
        ("given\n  put 1 in table\nafter chance 1", "P305", "no chance event is awaited here"),
        ("given\n  put 1 in table\nafter anna buy(card: 1)\nafter anna wait", "P301", "anna is not to move"),
        ("after anna decline", "P306", "the play ends without having offered decline"),
        ("given\n  fill deck with Card\n  shuffle deck\n  draw 1 from deck to table", "P307", "is awaited here"),
        ("given\n  coins(anna) := size(table) + the(c in Card where c > size(deck))", "P901", "there is more than one"),
    ],
)
def test_failing_examples_are_reported(tmp_path: Path, checks: str, code: str, words: str) -> None:
    (finding,) = failures(tmp_path, checks)
    assert finding.code.code == code
    assert words in finding.message
    assert finding.span.line > SPEC[: SPEC.index("example it")].count("\n")


def test_an_unexpected_refusal_is_reported_with_the_authority_of_its_clauses(tmp_path: Path) -> None:
    (finding,) = failures(tmp_path, "given\n  put 3 in table\nafter anna buy(card: 3)")
    assert [why.clause for why in finding.why] == ["buy.affordable", "buy.modest"]


def test_a_move_that_is_never_offered_is_reported() -> None:
    reference = reference_from(
        """
state n: 0..9 = 0
action first
  go: n += 1
action second
  go: n += 1
play
  turn: as seat(1)
    choose first
  rest: if n > 5
    as seat(1)
      choose second

example it
  with anna, boris
  after anna second

example the_other
  with anna, boris
  after boris first

example by_what_is_given
  with anna, boris
  given
    n := 6
  after anna second
  expect n = 7
"""
    )
    codes = [[d.code.code for d in run_example(reference, example).findings] for example in reference.game.examples]
    assert codes == [["P306"], ["P306"], []]


def test_the_flow_is_advanced_past_loops_windows_and_chance_with_the_given_cells() -> None:
    reference = reference_from(
        """
state n: 0..9 = 0
zone deck: pile of Card, hidden
zone table: bag of Card, open
type Card = 1..3
action add
  choose k in 1..2
  more: n += k
action late
  own: n := 9
play
  die: random r in 1..6
  draw: draw 1 from deck to table
  turns: repeat 2 times
    each player in seats
      may add
      tick: n += 1
  bids: all players
    choose b in 1..2 where b > n
    n := b
  end: as seat(2)
    choose late

example it
  with anna, boris
  after boris late
  expect n = 9

example in_the_middle
  with anna, boris
  after boris add(k: 2)
  expect n = 3
"""
    )
    for example in reference.game.examples:
        assert run_example(reference, example).findings == ()


def test_an_endless_play_without_the_move_is_reported() -> None:
    reference = reference_from(
        """
state n: 0..9 = 0
action spin
  go: n := 0
action stop
  go: end game
play
  turns: repeat
    as seat(1)
      choose spin
  until n > 8
  end: as seat(1)
    choose stop

example it
  with anna, boris
  after anna stop
"""
    )
    (example,) = reference.game.examples
    (finding,) = run_example(reference, example).findings
    assert finding.code.code == "P306"
    assert finding.message == "1000 events go by without having offered stop to this player"


def test_a_clause_that_ends_the_game_is_reached_only_by_given_or_played_positions() -> None:
    """Skipped steps change nothing, so no clause can end the game by their effects."""
    reference = reference_from(
        """
state n: 0..9 = 0
action leap
  choose far in 1..5
  go: n += far up to 9
play
  turns: repeat
    as seat(1)
      choose leap
    early: if n = 7 then end game
    over: if n > 4 then end game

example never
  with anna, boris
  refuse anna leap(far: 1) because play.turns.over

example given_so
  with anna, boris
  given
    n := 5
  refuse anna leap(far: 1) because play.turns.over

example by_another
  with anna, boris
  given
    n := 7
  refuse anna leap(far: 1) because play.turns.over

example played
  with anna, boris
  after anna leap(far: 5)
  refuse anna leap(far: 1) because play.turns.over
"""
    )
    runs = [run_example(reference, example) for example in reference.game.examples]
    messages = [(each.message, each.hint) for run in runs for each in run.findings]
    assert messages == [
        ("1000 events go by without play.turns.over ending the game", NOT_DONE),
        ("the play ends by play.turns.early without play.turns.over ending the game", NOT_DONE),
    ]
    assert [bool(run.findings) for run in runs] == [True, False, True, False]
    assert runs[1].put == Put("play.turns.over", ("play.turns",))


@pytest.mark.parametrize("name", ("tic_tac_toe", "pig", "kuhn_poker"))
def test_the_examples_of_the_shipped_games_hold(name: str) -> None:
    assert name in shipped_games()
    reference = Reference(game_once(name))
    assert reference.game.examples
    for example in reference.game.examples:
        assert run_example(reference, example).findings == (), example.name


Run: TypeAlias = Callable[[str], ExampleRun]

ENDING = """
state n: 0..9 = 0
action skip
  go: n += 1
action stop
  go: n += 2
play
  die: random r in 1..6
  turns: repeat 3 times
    each player in seats
      income: n += 1 up to 2
      main: choose skip
  last: as seat(1)
    choose stop
  over: end game

example it
  with anna, boris
CHECKS
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return partial(_run, tmp_path)


def _run(folder: Path, checks: str) -> ExampleRun:
    text = ENDING.replace("CHECKS", "\n".join(f"  {line}" for line in checks.splitlines()))
    reference = reference_from(text, folder=folder)
    (example,) = reference.game.examples
    return run_example(reference, example)


PUT = "put at play.last; passed over: play.die, 6 x play.turns.income, 6 x play.turns.main"


def test_the_report_says_where_the_example_began_and_what_was_skipped(run: Run) -> None:
    ran = run("after anna stop\nexpect n = 2")
    assert ran.findings == ()
    assert ran.put == Put("play.last", ("play.die", *("play.turns.income", "play.turns.main") * 6))
    assert ran.put.words == PUT


def test_skipped_steps_are_listed_with_a_finding(run: Run) -> None:
    (finding,) = run("after anna stop\nexpect n = 8").findings
    assert [note.message for note in finding.notes] == [f"the example is {PUT}; none of it was done"]


def test_an_expectation_after_the_end_names_the_clause_that_ended_the_play(run: Run) -> None:
    (finding,) = run("after anna stop\nexpect game_over and n = 8").findings
    assert finding.message == (
        "game_over and n = 8 does not hold here: n = 8 is false: n = 2; the play was ended by play.over"
    )
    assert [why.clause for why in finding.why] == ["play.over"]


def test_an_expectation_of_the_end_says_what_is_awaited(run: Run) -> None:
    (finding,) = run("after anna skip\nexpect game_over").findings
    assert finding.message == "game_over does not hold here; a move is awaited (skip)"


def test_a_move_after_the_end_is_refused_with_the_clause_that_ended_the_play(run: Run) -> None:
    assert run("after anna stop\nrefuse boris skip because play.over").findings == ()


def test_steps_before_the_first_decision_are_reported() -> None:
    """A statement that changes something is skipped like a decision, whatever its kind."""
    reference = reference_from(
        """
type Card = 1..3
state n: 0..9 = 0
zone deck: pile of Card, hidden
zone table: bag of Card, open
zone shelf: bag of Card, open
action wait
  go: n += 1
action pay
  fee: n += 1
play
  tick: n := 1
  cards:
    fill deck with Card
    shuffle deck
  lay: put 1 in table
  hand: move 1 from table to shelf
  draws: draw 2 from deck to table
  paying: pay
  rare: if n > 5
    n := 0
  turns: as seat(1)
    choose wait

example it
  with anna, boris
  given
    put 1 in table
  after anna wait
  expect n = 1
"""
    )
    (example,) = reference.game.examples
    ran = run_example(reference, example)
    assert ran.findings == ()
    assert ran.put == Put(
        "play.turns", ("play.tick", "play.cards", "play.cards", "play.lay", "play.hand", "play.draws", "pay.fee")
    )


def test_a_move_that_is_not_offered_is_reported_with_the_clause_and_a_remedy(run: Run) -> None:
    (finding,) = run("after anna skip\nafter boris stop").findings
    assert (finding.code.code, [why.clause for why in finding.why]) == ("P301", ["play.turns.main"])
    assert finding.hint == "say with `after` what comes before it, or that it is refused: `because play.turns.main`"
    first, *_ = finding.notes
    assert first.message == ("on offer at `play.last`; the play is at `play.turns.main`")


def test_a_wrong_reason_is_reported_with_the_right_ones(run: Run) -> None:
    (finding,) = run("after anna stop\nrefuse boris skip because play.turns.main").findings
    assert (finding.code.code, finding.hint) == ("P303", "against it is `because play.over`")
    assert [why.clause for why in finding.why] == ["play.over"]
