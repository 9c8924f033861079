"""Plays with incomplete records: legal ones, and ones that no completion explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from ludex.interpreter import ChanceEvent, Engine, Event, Generator, Move, State, line_of, playout
from ludex.interpreter.information.visibility import sees
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.logs.record.records import Log
from ludex.interpreter.logs.structure.claims import claim_type
from ludex.interpreter.state.contents import Ticket
from ludex.interpreter.state.pools import PoolEntry, arranged, entries_of
from ludex.interpreter.state.zones import indexed
from ludex.interpreter.unknowns.unknown_values import kinds_in
from ludex.spec import model as m
from ludex.spec import to_json
from ludex.spec import types as t

from ..games.plays import HIDING

Kind: TypeAlias = tuple[t.Type, t.Value]
"""A kind of piece: its type and its value."""
SHORT = 120
"""The number of events of a play that are recorded."""


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


def blanked(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line of an event with only the mover, or the source of the draw, known."""
    if "chance" in line:
        return {"chance": line["chance"], "outcome": "unknown"}
    return {**line, "args": dict.fromkeys(line["args"], "unknown")} if line.get("args") else line


def written(lines: list[dict[str, Any]]) -> Log:
    return parse_log("".join(f"{write_line(line)}\n" for line in lines), "unknowns.jsonl")


def in_lines(engine: Engine, lines: list[dict[str, Any]], **header: Any) -> Log:
    return written([{"ludex": 1, "game": engine.game.name, "players": engine.game.players, **header}, *lines])


MOST_VALUES = 40
"""The number of values that are tried in place of one."""
MINE = 0
"""The seat of the recorder."""
KINDS = ("play", "draw", "hand", "twice", "own")
IMPOSSIBLE = {name: KINDS for name in HIDING if name != "oware"} | {
    "bora_bora": ("draw", "own"),
    "boreal": ("draw", "own"),
    "leduc_poker": ("hand", "twice"),
    "kuhn_poker": ("draw", "hand", "twice"),
    "liars_dice": ("twice", "own"),
}
"""The kinds of contradiction that are possible in each game. Oware has no hidden information. Dice are not used up, so
any die is possible under a cup. In Bora Bora and Boreal no player can exclude a card from another's hidden hand. The
moves of the two pokers have no arguments.
"""


@dataclass(frozen=True, slots=True)
class Impossible:
    """A log by one player, with a line at its end that no hidden information explains.

    Attributes:
        kind: the contradiction, one of `KINDS`: a piece is played, drawn, or claimed to be in a hand while this player
            sees every copy of it elsewhere; two claims about one hand differ; or this player makes a move that is
            illegal, which players can always tell of their own moves.
        events: in this player's view.
        whole: the same events in full.
        known: a true line.
        false: a line that cannot be true after it.
    """

    kind: str
    events: tuple[Event, ...]
    whole: tuple[Event, ...]
    known: dict[str, Any]
    false: dict[str, Any]


def contradictions(engine: Engine, seed: int) -> Iterator[Impossible]:
    """Yield impossible logs made from a random play: at each event, one of each kind that is possible."""
    game, seen, together = engine.game, list[Event](), list[tuple[int, Move]]()
    whole = list[Event]()
    for state, event in played(engine, seed):
        if not engine.is_together(state) or any(each.player in engine.to_move(state) for _, each in together):
            for at, each in together:  # all have chosen, so everybody has seen it
                seen[at] = each
            together = []
        sight, gone, unseen = looked(engine, state)

        def impossible(kind: str, false: dict[str, Any], known: dict[str, Any] = sight) -> Impossible:
            return Impossible(kind, tuple(seen), tuple(whole), known, false)

        if isinstance(event, Move) and event.player == MINE:
            for other in illegal(engine, state, event):
                yield impossible("own", line_of(game, other))
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
        whole.append(event)
        seen.append(engine.view_of_event(state, event, MINE))
        if seen[-1] != event and isinstance(event, Move) and engine.is_together(state):
            together.append((len(seen) - 1, event))


def illegal(engine: Engine, state: State, move: Move) -> Iterator[Move]:
    """Yield illegal moves that differ from a legal one in one argument: one for each argument."""
    types = {name: of for name, of, _ in engine.game.moves[move.action].arguments} if move.arguments else {}
    for at, (name, value) in enumerate(move.arguments):
        if t.size(types[name]) is not None:
            others = (
                move._replace(arguments=(*move.arguments[:at], (name, each), *move.arguments[at + 1 :]))
                for each in islice(t.values(types[name]), MOST_VALUES)
                if each != value
            )
            yield from islice((each for each in others if not engine.is_legal(state, each)), 1)


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


def any_ticket(held: Sequence[PoolEntry]) -> bool:
    return any(isinstance(entry, Ticket) for entry in held)


def swapped(zone: m.Element, held: Sequence[PoolEntry], piece: t.Value) -> t.Value:
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
