"""Logs with unknowns: no legal game is refused, and a log that no completion explains is."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from ludex.interpreter import (
    ChanceEvent,
    Engine,
    Event,
    ExplainedEvent,
    Generator,
    Move,
    State,
    Validator,
    explain_event,
    line_of,
    playout,
)
from ludex.interpreter.information.visibility import sees
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.logs.structure.claims import claim_type
from ludex.interpreter.possible import belief, following
from ludex.interpreter.possible.unknown_values import kinds_in
from ludex.interpreter.state.contents import Ticket
from ludex.interpreter.state.pools import Entry, arranged, entries_of
from ludex.interpreter.state.zones import indexed
from ludex.spec import load, to_json
from ludex.spec import model as m
from ludex.spec import types as t

from ..games.plays import HIDING
from ..once import engine_once, game_once
from .build import engine_from

Kind: TypeAlias = tuple[t.Type, t.Value]
"""A kind of piece: its type and its value."""
SAMPLES = Path(__file__).parents[2] / "spec/games"
SHORT = 120
"""The number of events of a play that are recorded."""
VALIDATOR = Validator(game_once, compiled=engine_once)


def played(engine: Engine, seed: int) -> Iterator[tuple[State, Event]]:
    """Return the first events of a play, each with the state before it."""
    state = engine.start()
    for turn in islice(playout(engine, Generator(seed)), SHORT):
        yield state, turn.event
        state = engine.apply(state, turn.event)


def log_of(engine: Engine, events: list[Event], *more: dict[str, Any]) -> Log:
    header = {"ludex": 1, "game": engine.game.name, "players": engine.game.players}
    lines = [header, *(line_of(engine.game, event) for event in events), *more]
    return parse_log("".join(f"{write_line(line)}\n" for line in lines), "unknowns.jsonl")


def faults(log: Log) -> list[str]:
    return [f"{each.span.line}: {each.message}" for each in VALIDATOR.validate(log).findings if each.is_error]


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


def blanked(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line of an event with only the mover, or the source of the draw, known."""
    if "chance" in line:
        return {"chance": line["chance"], "outcome": "unknown"}
    return {**line, "args": dict.fromkeys(line["args"], "unknown")} if line.get("args") else line


def in_lines(engine: Engine, lines: list[dict[str, Any]], **header: Any) -> Log:
    return written([{"ludex": 1, "game": engine.game.name, "players": engine.game.players, **header}, *lines])


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

MINE = 0
"""The seat of the recorder."""
KINDS = ("play", "draw", "hand", "twice")
IMPOSSIBLE = {name: KINDS for name in HIDING if name != "oware"} | {
    "bora_bora": ("draw",),
    "boreal": ("draw",),
    "leduc_poker": ("hand", "twice"),
    "kuhn_poker": ("draw", "hand", "twice"),
    "liars_dice": ("twice",),
}
"""The kinds of contradiction that are possible in each game. Oware has no hidden information. Dice are not used up, so
any die is possible under a cup. In Bora Bora and Boreal no player can exclude a card from another's hidden hand.
"""


@dataclass(frozen=True, slots=True)
class Impossible:
    """A log by one player, with a line at its end that no hidden information explains.

    Attributes:
        kind: the contradiction, one of `KINDS`: a piece is played, drawn, or claimed to be in a hand while this player
            sees every copy of it elsewhere; or two claims about one hand differ.
        events: in this player's view.
        known: a true line.
        false: a line that cannot be true after it.
    """

    kind: str
    events: tuple[Event, ...]
    known: dict[str, Any]
    false: dict[str, Any]


def contradictions(engine: Engine, seed: int) -> Iterator[Impossible]:
    """Yield impossible logs made from a random play: at each event, one of each kind that is possible."""
    game, seen, together = engine.game, list[Event](), list[tuple[int, Move]]()
    for state, event in played(engine, seed):
        if not engine.is_together(state) or any(each.player in engine.to_move(state) for _, each in together):
            for at, each in together:  # all have chosen, so everybody has seen it
                seen[at] = each
            together = []
        sight, gone, unseen = looked(engine, state)

        def impossible(kind: str, false: dict[str, Any], known: dict[str, Any] = sight) -> Impossible:
            return Impossible(kind, tuple(seen), known, false)

        if isinstance(event, Move) and event.player != MINE and event.action in game.moves:
            types = {name: of for name, of, _ in game.moves[event.action].arguments}
            for at, (name, value) in enumerate(event.arguments):
                for of, piece in gone:
                    if of == types[name] and (of, value) in unseen:
                        arguments = (*event.arguments[:at], (name, piece), *event.arguments[at + 1 :])
                        yield impossible("play", line_of(game, Move(event.player, event.action, arguments)))
        if isinstance(event, ChanceEvent):
            outcome = game.chances[event.path].outcome
            for of, piece in gone:
                if of == outcome and (of, event.outcome) in unseen:
                    yield impossible("draw", line_of(game, ChanceEvent(event.path, piece)))
        for zone, indices, cell in zones(engine):
            held = entries_of(state.cells[cell])
            if zone.visibility == "private" and held and not sees(zone, indices, MINE) and not any_ticket(held):
                for of, piece in gone:
                    if of == zone.type:
                        yield impossible("hand", claim((zone, indices, swapped(zone, held, piece))))
                others = [value for value in t.values(zone.type)[:5] if value not in held]
                if others:
                    false = claim((zone, indices, swapped(zone, held, others[0])))
                    yield impossible("twice", false, claim((zone, indices, state.cells[cell])))
        seen.append(engine.view_of_event(state, event, MINE))
        if seen[-1] != event and isinstance(event, Move) and engine.is_together(state):
            together.append((len(seen) - 1, event))


def looked(engine: Engine, state: State) -> tuple[dict[str, Any], list[Kind], set[Kind]]:
    """Return a claim of all zones visible to this player, the kinds of which every copy is there, and the others."""
    there: dict[bool, set[Kind]] = {True: set(), False: set()}
    claimed = []
    for zone, indices, cell in zones(engine):
        is_seen, held = sees(zone, indices, MINE), entries_of(state.cells[cell])
        there[is_seen] |= {(zone.type, kind) for kind in kinds_in(state.pools, held)}
        if is_seen and not any_ticket(held):
            claimed.append((zone, indices, state.cells[cell]))
    return claim(*claimed), sorted(there[True] - there[False], key=str), there[False]


def zones(engine: Engine) -> Iterator[tuple[m.Element, tuple[t.Value, ...], int]]:
    for zone in engine.game.elements:
        if zone.is_zone:
            for at, (_, indices) in enumerate(indexed(zone), start=zone.offset):
                yield zone, indices, at


def any_ticket(held: Sequence[Entry]) -> bool:
    return any(isinstance(entry, Ticket) for entry in held)


def swapped(zone: m.Element, held: Sequence[Entry], piece: t.Value) -> t.Value:
    """Return the contents of a zone with this piece in place of its first."""
    return piece if zone.kind == "one" else arranged((piece, *held[1:]))


def claim(*held: tuple[m.Element, tuple[t.Value, ...], t.Value]) -> dict[str, Any]:
    cells = [
        {
            "of": zone.name,
            "at": [to_json(of, index) for of, index in zip(zone.indices, indices, strict=True)],
            "is": to_json(claim_type(zone), value),
        }
        for zone, indices, value in held
    ]
    return {"claim": {"state": cells}}


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_log_that_no_deal_explains_is_refused(name: str, rng: Random, is_long: bool) -> None:
    """At least nine of ten cases of each kind must be refused."""
    engine, made = engine_once(game_once(name)), defaultdict[str, list[Impossible]](list)
    enough = 40 if is_long else 4
    for seed in range(60):
        for each in contradictions(engine, seed):
            made[each.kind].append(each)
        if min(len(made[kind]) for kind in IMPOSSIBLE[name]) >= enough:
            break
    assert {kind for kind, logs in made.items() if logs} <= set(KINDS)
    for kind in IMPOSSIBLE[name]:
        drawn = rng.sample(made[kind], min(enough, len(made[kind])))
        assert drawn, kind
        refused = 0
        for each in drawn:
            assert faults(log_of(engine, list(each.events), each.known)) == [], (
                "the log without the last line must be legal"
            )
            refused += bool(faults(log_of(engine, list(each.events), each.known, each.false)))
        assert refused >= 0.9 * len(drawn), f"{kind}: only {refused} of {len(drawn)} are refused"


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


def written(lines: list[dict[str, Any]]) -> Log:
    return parse_log("".join(f"{write_line(line)}\n" for line in lines), "unknowns.jsonl")


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

    # Whoever has the king could win, and so declined; of the others nobody was asked.
    assert judged("king", "queen") == judged("jack", "king") == judged("jack", "queen") == []
    assert judged("king", "king") == ["L483"]


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


def test_one_legal_play_is_searched_for_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_WORK", 200_000)
    gap: list[dict[str, Any]] = [{"ludex": 1, "game": "pig", "players": 2}, {"gap": True}]
    report = VALIDATOR.validate(written([*gap, {"claim": {"scores": [4, 0]}}]))
    assert (report.verdict, report.findings, report.result) == ("legal", (), None)
    # Nobody can have one point; but a search that finds nothing proves nothing.
    report = VALIDATOR.validate(written([*gap, {"claim": {"scores": [1, 0]}}]))
    assert [each.code.code for each in report.findings] == ["L471"]


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
