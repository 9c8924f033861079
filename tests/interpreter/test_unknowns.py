"""Logs in which not everything is recorded: no legal game is refused, and what no completion explains is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from ludex.interpreter import Engine, Event, Generator, Move, State, Validator, line_of, playout
from ludex.interpreter.information.visibility import sees
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.possible import belief
from ludex.interpreter.possible.unknown_values import kinds_in
from ludex.interpreter.state.pools import entries_of
from ludex.interpreter.state.zones import indexed
from ludex.spec import load

from ..games.plays import HIDING
from ..once import engine_once, game_once

SHORT = 120
"""So many events of a play are recorded."""
VALIDATOR = Validator(game_once, compiled=engine_once)


def played(engine: Engine, seed: int) -> Iterator[tuple[State, Event]]:
    """The first events of a play, each with the state before it."""
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
def test_a_legal_game_is_legal_whatever_of_its_hidden_facts_is_not_recorded(name: str, rng: Random) -> None:
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
def test_a_log_with_unknown_parts_is_read_as_it_is_written(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    seen = [engine.view_of_event(state, event, 0) for state, event in played(engine, rng.randrange(10**6))]
    assert list(VALIDATOR.play(log_of(engine, seen)).events)[: len(seen)] == seen


def contradictions(engine: Engine, seed: int) -> Iterator[list[Event]]:
    """What a player saw of a play, up to a move in which another plays a piece of which this player sees every copy."""
    mine = 0
    seen: list[Event] = []
    for state, event in played(engine, seed):
        if isinstance(event, Move) and event.player != mine:
            open_, unseen = set[Any](), set[Any]()
            for zone in engine.game.elements:
                if zone.is_zone:
                    for at, (_, indices) in enumerate(indexed(zone), start=zone.offset):
                        kinds = ((zone.type, kind) for kind in kinds_in(state.pools, entries_of(state.cells[at])))
                        (open_ if sees(zone, indices, mine) else unseen).update(kinds)
            signature = engine.game.moves.get(event.action)
            types = {name: of for name, of, _ in signature.arguments} if signature else {}
            for at, (name, value) in enumerate(event.arguments):
                for of, kind in sorted(open_ - unseen, key=str):
                    if of == types[name] and (of, value) in unseen:
                        arguments = (*event.arguments[:at], (name, kind), *event.arguments[at + 1 :])
                        yield [*seen, Move(event.player, event.action, arguments)]
        seen.append(engine.view_of_event(state, event, mine))


@pytest.mark.parametrize("name", ("crazy_eights",))
def test_a_piece_that_is_seen_elsewhere_cannot_come_from_a_hand_that_nobody_recorded(name: str, rng: Random) -> None:
    engine = engine_once(game_once(name))
    made = [each for seed in range(3) for each in contradictions(engine, seed)]
    drawn = rng.sample(made, min(12, len(made)))
    refused = sum(bool(faults(log_of(engine, events))) for events in drawn)
    assert drawn
    assert refused >= 0.9 * len(drawn), f"{refused} of {len(drawn)} are refused"


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


def test_a_claim_about_what_nobody_recorded_must_be_possible() -> None:
    assert kuhn(hand("king")) == kuhn(hand("jack")) == []
    assert kuhn(hand("queen")) == ["card(seat(2)) cannot hold queen here"]
    assert kuhn({"winners": [1]}) == kuhn({"winners": [2]}) == []
    assert kuhn({"scores": [1, -1]}) == ["seat(1) cannot have 1 point here"]


def test_what_is_claimed_once_is_known_from_then_on() -> None:
    assert kuhn(hand("king"), {"winners": [2], "scores": [-2, 2]}) == []
    assert kuhn(hand("king"), {"winners": [1]}) == ["the game cannot have been won so"]
    assert kuhn(hand("king"), hand("jack")) == ["card(seat(2)) cannot hold jack here"]
    assert kuhn({"winners": [2]}, hand("jack")) == ["card(seat(2)) cannot hold jack here"]


def test_the_result_is_reported_where_it_is_known() -> None:
    log = parse_log(KUHN + write_line({"claim": hand("king")}), "kuhn.jsonl")
    result = VALIDATOR.validate(log).result
    assert result is not None
    assert result.outcome.winners == (1,)
    assert VALIDATOR.validate(parse_log(KUHN, "kuhn.jsonl")).result is None


def test_every_log_has_a_budget_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    validator, log = Validator(load), parse_log(KUHN, "kuhn.jsonl")
    play = validator.play(log)
    assert play.engine is not None
    monkeypatch.setattr(belief, "MOST_WORK", play.engine.reference.meter.used)
    assert [validator.validate(log).verdict for _ in range(3)] == ["legal"] * 3
    assert "L471" not in [each.code.code for each in validator.validate(log).findings]


def test_an_unknown_move_where_none_is_awaited_is_refused() -> None:
    header, unseen = KUHN.partition("\n")[0], '{"player": 1, "action": "unknown"}\n'
    for text in (f"{header}\n{unseen}", f"{KUHN}{unseen}"):
        assert len(faults(parse_log(text, "kuhn.jsonl"))) == 1
