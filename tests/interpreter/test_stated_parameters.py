"""One action offered several times in a decision: moves state the arguments in which the offers differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ludex.interpreter import (
    HIDDEN,
    Engine,
    Reference,
    Refusal,
    RefusalKind,
    Validator,
    line_of,
    log_schema,
    read_log,
    run_example,
    write_line,
)

from .build import engine_from, game_from, move, play

BUILD = """
type Site = 1..3

state height(Site): 0..2 = 0
state coins(Player): 0..9 = 3

action build(storeys: 1..2)
  choose site in Site
  require free: height(site) = 0
  require rich: my coins >= storeys
  pay: coins(me) -= storeys
  raise: height(site) := storeys

action turn
  first: choose build(1) or build(2)
  more: may build(1)

play
  turns: repeat 2 times
    each player in seats
      turn

example the_decision_with_this_offer_is_meant
  with anna, boris
  allow boris build(storeys: 2, site: 3)

example what_is_not_on_offer_is_refused
  with anna, boris
  after anna build(storeys: 2, site: 3)
  expect height(3) = 2 and coins(anna) = 1
  refuse anna build(storeys: 2, site: 1) because turn.more
  allow anna build(storeys: 1, site: 1)

example a_requirement_reads_what_is_stated
  with anna, boris
  given
    coins(anna) := 1
  refuse anna build(storeys: 2, site: 1) because build.rich
  allow anna build(storeys: 1, site: 1)
"""


@pytest.fixture(scope="module")
def build() -> Engine:
    return engine_from(BUILD)


def refused(build: Engine, *moves: object) -> Refusal:
    *before, last = moves
    verdict = build.refusal(play(build, *before), last)  # type: ignore[arg-type]
    assert verdict is not None, "the move must be legal"
    return verdict


def test_a_move_states_the_arguments_in_which_offers_differ(build: Engine) -> None:
    moves = build.legal_moves(build.start())
    assert moves == tuple(move(0, "build", storeys=storeys, site=site) for storeys in (1, 2) for site in (1, 2, 3))
    for each in moves:
        stated = dict(each.arguments)
        assert build.cell(play(build, each), "height", [stated["site"]]) == stated["storeys"]


def test_the_arguments_are_stated_even_if_there_is_one_offer(build: Engine) -> None:
    state = play(build, move(0, "build", storeys=1, site=1))
    assert build.legal_moves(state)[0] == move(0, "build", storeys=1, site=2), (
        "all moves of the game must have the same form"
    )


def test_wrong_stated_arguments_are_reported(build: Engine) -> None:
    first = move(0, "build", storeys=1, site=1)
    other = refused(build, first, move(0, "build", storeys=2, site=2))
    assert (other.kind, other.argument, other.clauses) == (RefusalKind.OUT_OF_DOMAIN, "storeys", ("turn.more",))
    assert refused(build, move(0, "build", site=2)).kind is RefusalKind.MISSING_ARGUMENT
    wrong = refused(build, move(0, "build", storeys=3, site=2))
    assert (wrong.kind, wrong.argument) == (RefusalKind.WRONG_ARGUMENT, "storeys")
    poor = refused(build, move(0, "build", storeys=2, site=1), move(0, "build", storeys=1, site=1))
    assert poor.clauses == ("build.free",), "the move must be judged with the stated arguments"


def test_examples_find_the_decision_with_the_stated_offer(build: Engine) -> None:
    assert len(build.game.examples) == 3
    for example in build.game.examples:
        assert run_example(Reference(build.game), example).findings == ()


def test_logs_state_the_arguments_and_the_schema_requires_them(build: Engine, tmp_path: Path) -> None:
    validator = Draft202012Validator(log_schema(build.game))
    good = [move(0, "build", storeys=2, site=1), move(0, "build", storeys=1, site=2)]
    lines = [line_of(build.game, each) for each in good]
    assert all(map(validator.is_valid, lines))
    assert list(lines[0]["args"]) == ["storeys", "site"]
    assert not validator.is_valid({"player": 1, "action": "build", "args": {"site": 1}})
    assert not validator.is_valid({"player": 1, "action": "build", "args": {"storeys": 3, "site": 1}})
    path = tmp_path / "play.jsonl"
    contradicting = line_of(build.game, move(0, "build", storeys=2, site=3))
    text = [{"ludex": 1, "game": "made", "players": 2}, lines[0], contradicting]
    path.write_text("".join(f"{write_line(line)}\n" for line in text), encoding="utf-8")
    report = Validator(lambda *_, **__: build.game).validate(read_log(path))
    (finding,) = [each for each in report.findings if each.is_error]
    assert (finding.pointer, [each.clause for each in finding.why]) == ("/args/storeys", ["turn.more"])
    assert finding.legal[0] == '{"player": 1, "action": "build", "args": {"storeys": 1, "site": 3}}'


def test_only_differing_arguments_are_stated() -> None:
    text = """
state coins(Player): 0..9 = 0
action earn(n: 1..3, twice: Bool)
  gain: coins(me) += if twice then 2 * n else n
action spend(n: 1..3)
  pay: coins(me) -= n down to 0
play
  turns: each player in seats
    choose earn(1, true) or earn(1, false) or spend(1)
"""
    engine = engine_from(text)
    assert [name for name, _, _ in engine.game.moves["earn"].arguments] == ["twice"]
    assert engine.game.moves["spend"].arguments == ()
    assert engine.legal_moves(engine.start()) == (
        move(0, "earn", twice=True),
        move(0, "earn", twice=False),
        move(0, "spend"),
    )


SECRET = """
type Card = 1..4
zone hand(Player): bag of Card, private
zone put_by(Player): bag of Card, private
zone table: bag of Card, open
state best(Player): Card = 1, private
setup
  deal: each player in seats
    fill my hand with {1, 4}
  best: each player in seats
    best(me) := 4
action stow(card: Card)
  go: move card from my hand to my put_by
action lay(card: Card)
  go: move card from my hand to table
play
  together: all players
    choose stow(my best) or stow(1)
  turns: each player in seats
    choose lay(4) or lay(1)
"""


def test_a_stated_parameter_is_visible_to_those_who_see_its_effect() -> None:
    engine = engine_from(SECRET)
    start = engine.start()
    stow = move(0, "stow", card=4)
    assert engine.legal_moves(start, 0) == (stow, move(0, "stow", card=1))
    refusal = engine.advance(start, stow)
    assert refusal is None
    assert engine.observe(start, 0)["stated"] == {"action": "stow", "args": {"card": 4}}
    read = engine.state_from_json(engine.state_to_json(start))
    assert read == start
    assert engine.observe(read, 0) == engine.observe(start, 0), "the arguments of the decision must be restored, too"
    assert engine.observe(engine.from_reference(engine.to_reference(start)), 1)["stated"] is None
    assert engine.advance(start, move(1, "stow", card=1)) is None
    laid = move(0, "lay", card=1)
    assert engine.view_of_event(start, laid, 1) == laid


def test_a_parameter_with_hidden_effects_is_hidden() -> None:
    engine = engine_from(SECRET.replace("  together: all players\n", "  apart: each player in seats\n"))
    stow = move(0, "stow", card=4)
    assert engine.view_of_event(engine.start(), stow, 1) == move(0, "stow", card=HIDDEN)
    assert engine.view_of_event(engine.start(), stow, 0) == stow


def test_an_action_offered_once_in_each_decision_states_only_its_choices() -> None:
    game = game_from(BUILD.split("example", maxsplit=1)[0].replace("choose build(1) or build(2)", "build(1)"))
    assert [name for name, _, _ in game.moves["build"].arguments] == ["site"]
