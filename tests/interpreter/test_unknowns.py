"""Logs with unknowns: no legal game is refused, and a log that no completion explains is."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations_with_replacement, pairwise, product, repeat
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludex.interpreter import (
    Engine,
    ExplainedEvent,
    Generator,
    Move,
    Validator,
    explain_event,
    line_of,
    playout,
)
from ludex.interpreter.logs.judge.report_json import report_to_json
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.logs.tracking import possible_reasons
from ludex.interpreter.state.events import TooManyStates
from ludex.interpreter.unknowns import belief, following
from ludex.spec import load

from ..games.plays import HIDING
from ..once import engine_once, game_once
from .build import engine_from
from .impossible_logs import IMPOSSIBLE, KINDS, Impossible, blanked, contradictions, in_lines, log_of, played, written

SAMPLES = Path(__file__).parents[2] / "spec/games"
VALIDATOR = Validator(game_once, compiled=engine_once)


def faults(log: Log) -> list[str]:
    return [f"{each.span.line}: {each.message}" for each in VALIDATOR.validate(log).findings if each.is_error]


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", HIDING)
def test_a_legal_game_is_legal_without_any_of_its_hidden_facts(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    for of_one_player in (True, False):
        viewers = [rng.randrange(engine.game.players)] if of_one_player else [None, *range(engine.game.players)]
        seen = [
            rng.choice((event, engine.view_of_event(state, event, rng.choice(viewers))))
            if not of_one_player
            else engine.view_of_event(state, event, viewers[0])
            for state, event in played(engine, rng.randrange(10**6))
        ]
        assert faults(log_of(engine, seen)) == []


@pytest.mark.parametrize("name", ("kuhn_poker", "crazy_eights", "boreal", "bora_bora"))
def test_a_log_with_unknowns_is_read_back(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    seen = [engine.view_of_event(state, event, 0) for state, event in played(engine, rng.randrange(10**6))]
    assert list(VALIDATOR.play(log_of(engine, seen)).events)[: len(seen)] == seen


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", HIDING)
def test_a_legal_game_is_legal_where_belief_states_are_merged(
    name: str, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(belief, "MANY_STATES", 2)
    monkeypatch.setattr(following, "MOST_WORK", 200_000)
    engine = engine_once(game_once(name))
    lines = [line_of(engine.game, event) for _, event in played(engine, rng.randrange(10**6))]
    assert faults(in_lines(engine, [blanked(line) if rng.random() < 0.1 else line for line in lines[:60]])) == []


def test_a_game_is_judged_to_its_end_though_all_bids_of_a_player_are_unknown() -> None:
    header = {"ludex": 1, "game": "goofspiel", "players": 2, "options": {"cards": 6}}
    engine = VALIDATOR.play(written([header])).engine
    assert engine is not None
    lines = [line_of(engine.game, turn.event) for turn in playout(engine, Generator(5))]
    hidden = [blanked(line) if line.get("player") == 2 else line for line in lines]
    report = VALIDATOR.validate(written([header, *hidden]))
    assert (report.findings, report.replayed) == ((), len(lines))
    first, second = [at for at, line in enumerate(lines) if line.get("player") == 2][3:5]
    hidden[first] = lines[first]
    assert faults(written([header, *hidden])) == []
    hidden[second] = lines[first]  # the bid is made twice
    assert len(faults(written([header, *hidden]))) == 1


def test_a_gap_in_a_game_of_perfect_information_takes_little_work() -> None:
    engine = engine_once(game_once("breakthrough"))
    lines = [line_of(engine.game, event) for _, event in played(engine, 5)]
    hidden = in_lines(engine, [*lines[:26], {"gap": 1}, *lines[27:]])
    report = VALIDATOR.validate(hidden)
    assert (report.verdict, report.replayed) == ("legal", len(lines) - 1)
    # The reference alone took a hundred times as much.
    assert engine.reference.meter.used < following.MOST_WORK / 20


def test_open_dice_may_be_unknown_until_they_are_used() -> None:
    engine = engine_once(game_once("bora_bora"))
    lines = [line_of(engine.game, event) for _, event in played(engine, 3)]
    used = next(at for at, line in enumerate(lines) if line.get("action") == "place_die")
    lines = lines[: used + 6]
    hidden = [blanked(line) if line.get("chance") == "phase_a.roll" else line for line in lines]
    assert VALIDATOR.validate(in_lines(engine, hidden)).replayed == len(lines)
    for at, line in enumerate(hidden[:used]):
        hidden[at] = {**line, "outcome": 1} if line.get("chance") == "phase_a.roll" else line
    assert lines[used]["args"]["die"] != 1
    assert len(faults(in_lines(engine, hidden[: used + 1]))) == 1


# ---- what no deal explains --------------------------------------------------------------------------------------


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_log_that_no_deal_explains_is_refused(name: str, rng: Random, is_long: bool) -> None:
    """At least nine of ten cases of each kind must be refused; a run that is not long draws two kinds."""
    engine, made = engine_once(game_once(name)), defaultdict[str, list[Impossible]](list)
    kinds = IMPOSSIBLE[name] if is_long else rng.sample(IMPOSSIBLE[name], min(2, len(IMPOSSIBLE[name])))
    enough = 40 if is_long else 2
    for seed in range(60):
        for each in contradictions(engine, seed):
            made[each.kind].append(each)
        if min(len(made[kind]) for kind in kinds) >= enough:
            break
    assert {kind for kind, logs in made.items() if logs} <= set(KINDS)
    for kind in kinds:
        drawn = rng.sample(made[kind], min(enough, len(made[kind])))
        assert drawn, kind
        refused = 0
        for each in drawn:
            assert faults(log_of(engine, list(each.events), each.known)) == [], (
                "the log without the last line must be legal"
            )
            refused += bool(faults(log_of(engine, list(each.events), each.known, each.false)))
        # Some two in a hundred need too much work (L471), so that one of a few may be drawn by chance.
        assert refused >= 0.9 * len(drawn) - (not is_long), f"{kind}: only {refused} of {len(drawn)} are refused"


KUHN = """{"ludex": 1, "game": "kuhn_poker", "players": 2}
{"chance": "setup.deal", "outcome": "queen"}
{"chance": "setup.deal", "outcome": "unknown"}
{"player": 1, "action": "bet"}
{"player": 2, "action": "bet"}
"""


def kuhn(*claims: dict[str, Any]) -> list[str]:
    lines = "".join(f"{write_line({'claim': claim})}\n" for claim in claims)
    return [fault.partition(": ")[2] for fault in faults(parse_log(KUHN + lines, "kuhn.jsonl"))]


def hand(card: str) -> dict[str, Any]:
    return {"state": [{"of": "card", "at": [2], "is": card}]}


def test_a_claim_about_unrecorded_things_must_be_possible() -> None:
    assert kuhn(hand("king")) == kuhn(hand("jack")) == []
    assert kuhn(hand("queen")) == ["card(seat(2)) cannot hold queen here"]
    assert kuhn({"winners": [1]}) == kuhn({"winners": [2]}) == []
    assert kuhn({"scores": [1, -1]}) == ["seat(1) cannot have 1 point here"]


CRAZY_EIGHTS = """Game: crazy_eights
Players: Anna, Boris

setup.dealer = Boris
deal setup.deal to Anna = {10S, 9h, 10d, A♣, ?, K♠, 8♣}
deal setup.deal to Boris = {?, ?, ?, ?, ?, ?, ?}
setup.start = 4♠
"""
BOREAL = """Game: boreal
Players: Anna, Boris

setup.tokens = Boris
deal setup.row = {s12, s02, s09, s07, s04, s10, s03, s05}
Boris: study s05 at 1,4
refill = l04
Anna: scout s02
refill = ?
"""


def notes_on(text: str) -> list[str]:
    """The notes of the only error of a log, with the lines that they cite."""
    name = "log.jsonl" if text.startswith("{") else "log.ludexlog"
    (fault,) = (each for each in VALIDATOR.validate(parse_log(text, name)).findings if each.is_error)
    cited = [note.span.line if note.span and note.span.file == name else None for note in fault.notes]
    return [f"{line}: {note.message}" if line else note.message for line, note in zip(cited, fault.notes, strict=True)]


def test_reasons_that_take_too_much_work_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's spec may have requirements that take long, and they are tested in every possible state."""
    monkeypatch.setattr(possible_reasons, "MOST_WORK_ON_REASONS", 1)
    notes = notes_on(BOREAL + "Boris: study s11 at 1,5\n")
    assert notes == ["this is illegal for every possible value of what the log leaves `unknown`"]


def test_a_refusal_says_what_every_possible_game_agrees_on() -> None:
    held, *others = notes_on(CRAZY_EIGHTS + "Anna: lay 10S\nBoris: lay K♠\n")
    assert held.endswith("and K♠ is not there: K♠ is in hand(Anna), my hand holds 7")
    assert "5: K♠ is recorded here, too" in others
    # What is known of the row is listed, and where a card can be that never came up.
    never, *_ = notes_on(BOREAL + "Boris: study s11 at 1,5\n")
    assert "market = {s03, s04, s07, s09, s10, s12, l04, ?}, s11 can only be in box, my reserve = {}" in never
    played, whatever, recorded = notes_on(BOREAL + "Boris: study s05 at 1,5\n")
    assert "s05 is in pyramid(Boris, " in played
    assert whatever == "this is illegal for every possible value of what the log leaves `unknown`"
    assert recorded == "5: s05 is recorded here, too"


def test_a_claim_that_is_impossible_says_what_the_place_can_hold_and_where_the_piece_is() -> None:
    claim = write_line({"claim": hand("queen")})
    assert notes_on(f"{KUHN}{claim}\n") == [
        "card(seat(2)) can only hold jack or king",
        "queen is in card(seat(1))",
        "2: queen is recorded here, too",
    ]


def test_a_claim_is_known_from_then_on() -> None:
    assert kuhn(hand("king"), {"winners": [2], "scores": [-2, 2]}) == []
    assert kuhn(hand("king"), {"winners": [1]}) == ["seat(2) won, not seat(1)"]
    assert kuhn(hand("king"), hand("jack")) == ["card(seat(2)) holds king, not jack"]
    assert kuhn({"winners": [2]}, hand("jack")) == ["card(seat(2)) holds king, not jack"]


def test_the_result_is_reported_where_it_is_known() -> None:
    log = parse_log(KUHN + write_line({"claim": hand("king")}), "kuhn.jsonl")
    result = VALIDATOR.validate(log).result
    assert result is not None
    assert result.outcome.winners == (1,)
    assert VALIDATOR.validate(parse_log(KUHN, "kuhn.jsonl")).result is None


def test_every_log_has_its_own_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    validator, log = Validator(load), parse_log(KUHN, "kuhn.jsonl")
    play = validator.play(log)
    assert play.engine is not None
    monkeypatch.setattr(following, "MOST_WORK", play.engine.reference.meter.used)
    assert [validator.validate(log).verdict for _ in range(3)] == ["legal"] * 3
    assert "L471" not in [each.code.code for each in validator.validate(log).findings]


def test_an_unknown_move_where_none_is_awaited_is_refused() -> None:
    header, unseen = KUHN.partition("\n")[0], '{"player": 1, "action": "unknown"}\n'
    for text in (f"{header}\n{unseen}", f"{KUHN}{unseen}"):
        assert len(faults(parse_log(text, "kuhn.jsonl"))) == 1


def without_refills(count: int) -> list[dict[str, Any]]:
    """Return the first lines of Boreal's sample log, with all cards revealed after the set-up unknown."""
    lines = [json.loads(line) for line in (SAMPLES / "boreal/logs/full.jsonl").read_text("utf-8").splitlines()[:count]]
    return [{**line, "outcome": "unknown"} if line.get("chance", "").endswith("refill") else line for line in lines]


def test_unrecorded_cards_are_known_when_they_are_taken() -> None:
    lines = without_refills(24)
    again = {"player": "Elena", "action": "scout", "args": {"card": "s01"}}
    report = VALIDATOR.validate(written([*lines, again]))
    assert [finding.code.code for finding in report.findings] == ["L460"], "s01 was already taken"
    assert report.replayed == 23


OPEN_CARDS = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone card(Player): one Card, open

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 1 from deck to my card

action win
  require best: my card = king
  over: end game

play
  turns: each player in seats
    win: choose win

score chips: 0

winner
  all: share
"""


@pytest.mark.parametrize("cards", [("unknown", "unknown"), ("unknown", "queen")])
def test_a_decision_may_have_been_passed_over_because_of_unrecorded_public_facts(cards: tuple[str, str]) -> None:
    engine = engine_from(OPEN_CARDS)
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    dealt = [{"chance": "setup.deal", "outcome": card} for card in cards]
    header = {"ludex": 1, "game": "made", "players": 2}
    for more in ({"claim": {"terminal": True}}, {"player": 1, "action": "win"}):
        assert validator.validate(written([header, *dealt, more])).verdict == "legal", more


CALLED = OPEN_CARDS.replace(
    """play
  turns: each player in seats
    win: choose win
""",
    """action call
  said: calls(me) += 1

play
  turns: each player in seats
    win: may win
    call: choose call
""",
).replace("setup\n", "state calls(Player): 0..1 = 0\n\nsetup\n", 1)


def test_a_decline_may_be_left_out_where_it_is_unknown_whether_there_was_a_choice() -> None:
    engine = engine_from(CALLED)
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    header = {"ludex": 1, "game": "made", "players": 2}
    dealt = [{"chance": "setup.deal", "outcome": "unknown"}] * 2
    calls = [{"player": seat, "action": "call"} for seat in (1, 2)]

    def judged(*cards: str) -> list[str]:
        shown = [{"of": "card", "at": [seat], "is": card} for seat, card in enumerate(cards, start=1)]
        report = validator.validate(written([header, *dealt, *calls, {"claim": {"state": shown}}]))
        return [each.code.code for each in report.findings if each.is_error]

    # The holder of the king could win, and so declined; no other player was asked.
    assert judged("king", "queen") == judged("jack", "king") == judged("jack", "queen") == []
    assert judged("king", "king") == ["L483"]


THROWN = """
state die: 0..6 = 0
state calls: 0..9 = 0

setup
  throw:
    random n in 1..6
    die := n

action win
  require best: die = 6
  over: end game

action call
  said: calls += 1

play
  turns: each player in seats
    win: may win
    call: choose call

score chips: 0

winner
  all: share
"""


@pytest.mark.parametrize(("die", "left_out"), [(6, [(3, 1), (4, 2)]), (5, [])])
def test_declines_that_one_completion_needs_are_listed(die: int, left_out: list[tuple[int, int]]) -> None:
    engine = engine_from(THROWN)
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    calls = [{"player": seat, "action": "call"} for seat in (1, 2)]
    claim = {"claim": {"state": [{"of": "die", "is": die}]}}
    report = validator.validate(in_lines(engine, [{"chance": "setup.throw", "outcome": "unknown"}, *calls, claim]))
    told = report_to_json(report)
    declines = [(line, {"player": seat, "action": "decline"}) for line, seat in left_out]
    assert report.verdict == "legal"
    assert [(each["before_line"], json.loads(each["event"])) for each in told["left_out"]] == declines
    assert told.get("left_out_in_one_completion", False) == bool(declines)


def without_declines(engine: Engine, seed: int, rng: Random) -> list[dict[str, Any]]:
    """The lines of a play without some of the declines before events that are illegal without them."""
    play, lines = list(played(engine, seed)), list[dict[str, Any]]()
    for (state, event), (_, later) in pairwise(play):
        is_last = not (isinstance(later, Move) and later.action == "decline")
        is_decline = isinstance(event, Move) and event.action == "decline"
        if not (is_decline and is_last and rng.random() < 0.7) or engine.is_legal(state, later):
            lines.append(line_of(engine.game, event))
    return lines


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", ("bora_bora", "boreal", "mangrovia"))
def test_a_legal_game_is_legal_without_some_of_its_declines(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    lines = without_declines(engine, rng.randrange(10**6), rng)
    hidden = [blanked(line) if rng.random() < 0.1 else line for line in lines]
    hidden[rng.randrange(len(lines))] = {"gap": 1}
    assert faults(in_lines(engine, hidden)) == []


def test_declines_before_a_claim_are_followed_once_for_all_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, followed = engine_once(game_once("mangrovia")), Counter[str]()
    ways = following.DecliningStep.ways

    def counted(step: following.DecliningStep, *given: Any) -> Any:
        followed[type(step.step).__name__] += 1
        return ways(step, *given)

    monkeypatch.setattr(following.DecliningStep, "ways", counted)
    [one, *_] = [each for each in contradictions(engine, 0) if each.kind == "play"]
    assert len(one.known["claim"]["state"]) > 50
    assert faults(log_of(engine, list(one.events), one.known, one.false))
    # Each of them would be tried again before each of the many parts.
    assert 0 < followed["StayingStep"] < 50
    assert not followed["NarrowingStep"]


def test_one_legal_play_is_searched_for_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_WORK", 200_000)
    gap: list[dict[str, Any]] = [{"ludex": 1, "game": "pig", "players": 2}, {"gap": True}]
    report = VALIDATOR.validate(written([*gap, {"claim": {"scores": [4, 0]}}]))
    assert (report.verdict, report.findings, report.result) == ("legal", (), None)
    # Nobody can have one point; but a search that finds nothing proves nothing.
    report = VALIDATOR.validate(written([*gap, {"claim": {"scores": [1, 0]}}]))
    assert ([each.code.code for each in report.findings], report.verdict) == (["L471"], "unjudged")
    assert report.unfilled == report.findings


def test_a_gap_is_followed_by_states_that_cover_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief, "MOST_KNOWN", 50)
    gap: list[dict[str, Any]] = [{"ludex": 1, "game": "pig", "players": 2}, {"gap": 5}]
    assert VALIDATOR.validate(written([*gap, {"claim": {"scores": [4, 0]}}])).verdict == "legal"


PUT_BACK = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): one Card, private
zone table: pile of Card, open

setup
  deck:
    fill deck with Card
    shuffle deck

action back
  put: move my hand to deck
  turn: draw 1 from deck to table

play
  turns: each player in seats
    look: draw 1 from deck to my hand
    back: choose back

score none: 0

winner
  all: share
"""


@pytest.mark.parametrize(
    ("looked", "shown", "next_look", "codes"),
    [
        ("king", "king", "jack", []),
        ("unknown", "king", "jack", []),
        ("king", "queen", "jack", ["L470"]),
        ("unknown", "king", "king", ["L465"]),
    ],
)
def test_a_piece_known_to_somebody_may_have_a_line_when_it_is_revealed(
    looked: str, shown: str, next_look: str, codes: list[str]
) -> None:
    engine = engine_from(PUT_BACK)
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    report = validator.validate(
        written(
            [
                {"ludex": 1, "game": "made", "players": 2},
                {"chance": "play.turns.look", "outcome": looked},
                {"player": 1, "action": "back"},
                {"chance": "back.turn", "outcome": shown},
                {"chance": "play.turns.look", "outcome": next_look},
            ]
        )
    )
    assert [each.code.code for each in report.findings if each.is_error] == codes


def test_the_line_of_a_known_piece_is_explained_by_the_event_that_revealed_it() -> None:
    engine = engine_from(PUT_BACK)
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    log = written(
        [
            {"ludex": 1, "game": "made", "players": 2},
            {"chance": "play.turns.look", "outcome": "king"},
            {"player": 1, "action": "back"},
            {"chance": "back.turn", "outcome": "king"},
        ]
    )
    move, turned = (explain_event(validator, log, number) for number in (2, 3))
    assert isinstance(move, ExplainedEvent)
    assert isinstance(turned, ExplainedEvent)
    assert (turned.event, turned.examined) == (move.event, move.examined)


NAMED_CARDS = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone row: {kind} of Card, open
zone hand(Player): bag of Card, private

setup
  deck:
    fill deck with bag(card for card in Card, n in 1..2)
    shuffle deck
  row: draw 3 from deck to row
  deal: each player in seats
    draw 1 from deck to my hand

action name
  choose card in Card
  require test: {test}
  done: nothing

action name_later
  choose card in Card
  pass_on: given(card)

action given(card: Card)
  require test: {test}
  done: nothing

play
  first: each player in seats
    name: choose name or name_later
  second: each player in seats
    name: choose name or name_later

score none: 0

winner
  all: share
"""
CARDS = ("jack", "queen", "king")


@pytest.mark.parametrize("kind", ("bag", "pile"))
@pytest.mark.parametrize(
    "test",
    [
        "card in row",
        "card not in row",
        "card in my hand",
        "card in row or card in my hand",
        "if jack in row then card in row else queen in row",
        "count(c in row where c = card) = 1",
        "count(c in row where c = card) >= 2",
        "count(c in my hand where c = card) + count(c in row where c = card) = 2",
        "every c in row has c != card implies c in my hand",
    ],
)
def test_a_log_is_legal_exactly_if_a_completion_is(kind: str, test: str, rng: Random) -> None:
    engine = engine_from(NAMED_CARDS.format(kind=kind, test=test))
    validator = Validator(lambda *_: engine.game, compiled=lambda _: engine)
    paths = ("setup.row", "setup.row", "setup.row", "setup.deal", "setup.deal")
    moves = [
        {"player": seat, "action": rng.choice(("name", "name_later")), "args": {"card": rng.choice(CARDS)}}
        for seat in (1, 2, 1, 2)
    ]
    seen = [rng.choice((*CARDS, *["unknown"] * 12)) for _ in paths]

    def verdict(outcomes: Iterable[str]) -> str:
        drawn = ({"chance": path, "outcome": outcome} for path, outcome in zip(paths, outcomes, strict=True))
        return validator.validate(written([{"ludex": 1, "game": "made", "players": 2}, *drawn, *moves])).verdict

    completions = product(*(CARDS if outcome == "unknown" else (outcome,) for outcome in seen))
    assert (verdict(seen) == "legal") == any(verdict(each) == "legal" for each in completions)


PASSED_ON = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): one Card, private
state points(Player): 0..3 = 0

define worth(p: Player): 1..3 =
  if hand(p) = jack then 1 else if hand(p) = queen then 2 else 3

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 1 from deck to my hand

action gain(n: 1..3)
  points: match n
    1 => points(me) := 1
    2 => points(me) := 2
    3 => points(me) := 3

action show
  points: gain(worth(me))

action tell(n: 1..3)
  choose loud in Bool
  points: gain(n)

play
  turns: each player in seats
    show: choose show or tell(worth(me))

score points: points(me)

winner
  all: share
"""


@pytest.mark.parametrize("points", (1, 2, 3))
@pytest.mark.parametrize("move", ({"action": "show"}, {"action": "tell", "args": {"loud": True}}))
def test_what_an_action_is_called_with_may_follow_from_something_unknown(move: dict[str, Any], points: int) -> None:
    engine = engine_from(PASSED_ON)
    lines: list[dict[str, Any]] = [
        {"ludex": 1, "game": "made", "players": 2},
        {"chance": "setup.deal", "outcome": "unknown"},
        {"chance": "setup.deal", "outcome": "king"},
        {"player": 1, **move},
        {"claim": {"state": [{"of": "points", "at": [1], "is": points}]}},
    ]
    report = Validator(lambda *_: engine.game, compiled=lambda _: engine).validate(written(lines))
    assert any(each.is_error for each in report.findings) == (points == 3)


COINS = """
type Card = jack | queen
zone deck: pile of Card, hidden
zone hand(Player): one Card, private
state first: Bool
state second: Bool

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: draw 1 from deck to hand(seat(1))

play
  toss:
    random coin in Bool
    first := coin
  toss_again:
    random coin in Bool
    second := CONDITION
  end: if first = second then end game
  go_on: as seat(1)
    choose pass_on

action pass_on
  choose n in 1..2
"""


@pytest.mark.parametrize(
    ("condition", "tosses"),
    (
        ("not first", ("unknown", True)),
        ("first and coin", ("unknown", "unknown")),
        ("first or coin", ("unknown", "unknown")),
        ("first implies coin", ("unknown", "unknown")),
    ),
)
def test_what_is_computed_from_an_unknown_condition_is_not_equal_to_it(condition: str, tosses: tuple[Any, Any]) -> None:
    engine = engine_from(COINS.replace("CONDITION", condition))
    lines: list[dict[str, Any]] = [
        {"ludex": 1, "game": "made", "players": 2},
        # The unknown card in a hand keeps the coin's sides from being tried one by one, so the coin stays unknown, too.
        {"chance": "setup.deal", "outcome": "unknown"},
        *({"chance": f"play.{at}", "outcome": toss} for at, toss in zip(("toss", "toss_again"), tosses, strict=True)),
        {"player": 1, "action": "pass_on", "args": {"n": 1}},
    ]
    assert Validator(lambda *_: engine.game, compiled=lambda _: engine).validate(written(lines)).verdict == "legal"


PAID = """
type Card = ace | jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone spent: bag of Card, open

define worth(card: Card): 1..4 =
  match card
    ace => 1
    jack => 2
    queen => 3
    king => 4

setup
  deck:
    fill deck with Card
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 3 from deck to my hand

action pay
  choose cards within my hand
  require exact: sum(worth(c) for c in cards) = 4
  pay: move cards from my hand to spent

play
  turns: each player in seats
    pay: choose pay

score points: worth(ace)

winner
  all: share
"""
PAID_CARDS = ("ace", "jack", "queen", "king")


@pytest.mark.parametrize("spent", list(combinations_with_replacement(PAID_CARDS, 2)))
def test_what_a_requirement_asks_of_unknown_pieces_holds_when_they_become_known(spent: tuple[str, str]) -> None:
    engine = engine_from(PAID)
    lines: list[dict[str, Any]] = [
        {"ludex": 1, "game": "made", "players": 2},
        *[{"chance": "setup.deal", "outcome": "unknown"}] * 6,
        {"player": 1, "action": "pay", "args": {"cards": ["unknown", "unknown"]}},
        {"claim": {"state": [{"of": "spent", "is": list(spent)}]}},
    ]
    report = Validator(lambda *_: engine.game, compiled=lambda _: engine).validate(written(lines))
    # One and three, or two and two: the pieces in a bag are in no order, and two of them may be equal.
    assert any(each.is_error for each in report.findings) == (spent not in {("ace", "queen"), ("jack", "jack")})


def test_a_card_among_many_unknown_ones_takes_little_work() -> None:
    engine = engine_once(game_once("mangrovia"))
    lines = [line_of(engine.game, event) for _, event in played(engine, 1)]
    report = VALIDATOR.validate(in_lines(engine, [blanked(line) if "chance" in line else line for line in lines]))
    # Making each card of a row known, because a player took one of them, cost four times as much.
    assert (report.verdict, report.replayed) == ("legal", len(lines))
    assert engine.reference.meter.used < following.MOST_WORK / 2


def test_the_ways_in_which_a_claim_may_be_true_count_as_work() -> None:
    engine = engine_once(game_once("crazy_eights"))
    engine.reference.meter.begin_game()
    many = following.NarrowingStep(engine, lambda run: repeat(run, 20_000))
    with pytest.raises(TooManyStates):
        list(many.after(engine.start(), following.Objections()))
    engine.reference.meter.begin_game()
    # A sample of the plays needs only some of them.
    few = following.NarrowingStep(engine, repeat, most=3)
    assert len(list(few.after(engine.start(), following.Objections()))) == 3


@pytest.mark.parametrize("end", [[], [{"result": {"by": "agreed"}}], [{"note": "the rest is lost"}]])
def test_a_gap_after_which_nothing_is_recorded_takes_no_work(
    end: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    header = {"ludex": 1, "game": "boreal", "players": 2}
    log = written([header, {"gap": True}, *end])
    monkeypatch.setattr(following, "MOST_WORK", 1)
    report = VALIDATOR.validate(log)
    assert (report.verdict, report.findings, report.result, report.stopped_at) == ("legal", (), None, None)
    # A claim and a second gap need the states after the first gap.
    for told in ({"claim": {"terminal": False}}, {"gap": 1}):
        assert [each.code.code for each in VALIDATOR.validate(written([header, {"gap": True}, told])).findings] == [
            "L471"
        ]
    assert VALIDATOR.play(log).report.stopped_at is not None, "who asks for the state at the end gets no earlier one"
