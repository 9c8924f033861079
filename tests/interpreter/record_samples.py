"""Generator of the sample logs, and of the expected reports on them.

Run `python tests/interpreter/record_samples.py [--keep] [GAME...]` after a change of rules or of reports, then read
every difference. `spec/games/GAME/logs/` holds legal logs, which are installed; `tests/games/bad_logs/GAME/` holds one
log for each kind of fault, `tests/games/reports/GAME/` the reports on both. `--keep` changes only the fingerprints of
logs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, islice, product
from pathlib import Path
from typing import Any

from ludex.interpreter import State
from ludex.interpreter.generator import Generator
from ludex.interpreter.logs.judge.report_json import report_to_json
from ludex.interpreter.logs.judge.validate import Validator
from ludex.interpreter.logs.record.log import read_log, write_line, write_log
from ludex.interpreter.logs.structure.event_lines import line_of
from ludex.interpreter.logs.structure.header import header_of
from ludex.interpreter.logs.tracking.report import Report
from ludex.interpreter.play.engine import Engine
from ludex.interpreter.simulate.playouts import pick
from ludex.interpreter.state.events import DECLINE, Event, Move
from ludex.spec import load, to_json
from ludex.spec import types as t

ROOT = Path(__file__).resolve().parents[2]
GAMES, BAD_LOGS, REPORTS = ROOT / "spec/games", ROOT / "tests/games/bad_logs", ROOT / "tests/games/reports"
MOST_SEEDS, ENOUGH_SEEDS = 400, 4
FEW, MOST_EXPLAINED = 60, 20


def logs_of(game: str) -> Path:
    return GAMES / game / "logs"


def samples_of(game: str) -> dict[Path, Path]:
    """Return the logs of a game, good and bad, each with the path of its report."""
    logs = sorted(path for folder in (logs_of(game), BAD_LOGS / game) for path in folder.glob("*"))
    return {path: REPORTS / game / f"{path.stem}.json" for path in logs}


def golden(report: Report) -> str:
    """Return the report in its stored form: without places in the spec, which move with every comment there."""
    data = report_to_json(report)
    data["file"] = Path(data["file"]).name
    for finding in data["findings"]:
        finding["file"] = Path(finding["file"]).name
        for other in (*finding.get("why", ()), *finding.get("notes", ())):
            for name in ("file", "line", "column", "end_line", "end_column"):
                other.pop(name, None)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


# ---- whole games


@dataclass
class Recording:
    """A play and its log. readings, options: those that are not the defaults."""

    game: str
    names: list[str]
    readings: dict[str, str] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    edition: str | None = None

    def __post_init__(self) -> None:
        game = load(self.game, len(self.names), self.edition, options=self.options, readings=self.readings)
        self.engine = Engine(game)

    def header(self, **more: Any) -> dict[str, Any]:
        """The header without a fingerprint, so that a change of the rules changes one log and not all."""
        return {**replace(header_of(self.engine.game, self.names), fingerprint=None).to_json(), **more}

    def line(self, event: Event) -> dict[str, Any]:
        return line_of(self.engine.game, event, self.names)

    def play(self, seed: int) -> Iterator[tuple[State, Event]]:
        """Play at random; yield each event with the state before it."""
        rng, state = Generator(seed), self.engine.start()
        while not self.engine.is_terminal(state):
            event = pick(self.engine, state, rng).event
            yield state, event
            self.engine.advance(state, event)
        self.end = state

    def events(self, seed: int) -> list[Event]:
        return [event for _, event in self.play(seed)]

    def result(self) -> dict[str, Any]:
        """Return the claim about the end of the play."""
        outcome = self.engine.winners(self.end)
        winners = [] if outcome.undecided else [self.names[seat] for seat in outcome.winners]
        return {"scores": list(self.engine.returns(self.end)), "winners": winners, "terminal": True}

    def write(self, name: str, lines: list[dict[str, Any]], **header: Any) -> None:
        """Write a bad log."""
        self.write_text(name, write_log(self.header(**header), lines))

    def write_full(self, lines: list[dict[str, Any]], name: str = "full.jsonl", **header: Any) -> None:
        """Write a good log, with a fingerprint."""
        text = write_log({**header_of(self.engine.game, self.names).to_json(), **header}, lines)
        self.write_text(name, text, logs_of(self.game))

    def write_text(self, name: str, text: str, folder: Path | None = None) -> None:
        file = (folder or BAD_LOGS / self.game) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


# ---- moves that one clause forbids


Proposed = Callable[[Engine, State, str], Iterator[Move]]


def forbidden(
    recording: Recording, wanted: tuple[str, ...], proposed: Proposed | None = None, seeds: int = MOST_SEEDS
) -> list[dict[str, Any]]:
    """Return the shortest log found that ends with a move of this action forbidden by exactly these clauses.

    proposed: the moves that are tried, if there are too many to try all.
    """
    proposed = proposed or all_moves
    action, *clauses = wanted
    best: list[Event] = []
    for seed in range(seeds):
        events: list[Event] = []
        for state, event in recording.play(seed):
            if best and len(events) + 1 >= len(best):
                break
            if action in recording.engine.offered(state):
                for move in proposed(recording.engine, state, action):
                    refusal = recording.engine.refusal(state, move)
                    if refusal is not None and refusal.clauses == tuple(clauses) and refusal.argument is None:
                        best = [*events, move]
                        break
            events.append(event)
    assert best, f"found no play in which only {clauses} forbid {action}: try more plays"
    return [recording.line(event) for event in best]


def all_moves(engine: Engine, state: State, action: str) -> Iterator[Move]:
    """Return every move of the action with finite arguments, legal or not."""
    arguments = engine.game.moves[action].arguments
    for values in product(*(t.values(of) for _, of, _ in arguments)):
        yield Move(
            engine.to_move(state)[0], action, tuple((n, v) for (n, _, _), v in zip(arguments, values, strict=True))
        )


def all_forbidden(recording: Recording, wanted: Sequence[tuple[str, ...]]) -> list[list[dict[str, Any]]]:
    """Return such logs for several sets of clauses, with each play searched only once."""
    best: dict[tuple[str, ...], list[Event]] = {}
    for seed in range(MOST_SEEDS):
        if seed >= ENOUGH_SEEDS and len(best) == len(wanted):
            break
        events: list[Event] = []
        for state, event in recording.play(seed):
            longer = {each[0] for each in wanted if len(best.get(each, ())) > len(events) + 1 or each not in best}
            for action in longer & set(recording.engine.offered(state)):
                refused = [
                    each
                    for each in all_moves(recording.engine, state, action)
                    if not recording.engine.is_legal(state, each)
                ]
                # a refusal with its reasons is slow
                step = 1 if len(refused) <= FEW else len(refused) // MOST_EXPLAINED
                for move in refused[len(events) % step :: step]:
                    refusal = recording.engine.refusal(state, move)
                    if refusal is None or refusal.argument is not None:
                        continue
                    forbidding = (action, *refusal.clauses)
                    if forbidding in wanted and (forbidding not in best or len(best[forbidding]) > len(events) + 1):
                        best[forbidding] = [*events, move]
            events.append(event)
    assert not set(wanted) - set(best), f"found no play for {set(wanted) - set(best)}: try more plays"
    return [[recording.line(event) for event in best[each]] for each in wanted]


BOREAL_CLAUSES = [
    ("study", "study.reachable"),
    ("study", "study.affordable"),
    ("study", "study.off_ground"),
    ("study", "study.one_archive"),
    ("study", "study.shape"),
    ("study", "study.vacant"),
    ("study", "study.adjoining"),
    ("study", "study.middle"),
    ("study", "study.supported"),
    ("scout", "scout.one_archive"),
    ("resolve.reserve_market", "resolve.reserve_market"),
    ("resolve.swap_market", "resolve.swap_market"),
    ("resolve.swap_pyramid", "resolve.swap_pyramid"),
    ("resolve.peek3.keep", "resolve.peek3.keep"),
    ("resolve.peek3.under", "resolve.peek3.under"),
]


def boreal() -> None:
    recording = Recording("boreal", ["Alyona", "Elena"])
    for (_, clause), lines in zip(BOREAL_CLAUSES, all_forbidden(recording, BOREAL_CLAUSES), strict=True):
        recording.write(f"{clause.replace('.', '-')}.jsonl", lines)
    aid = Recording("boreal", ["Alyona", "Elena"], edition="aid")
    wanted = ("study", "study.no_second_archive")
    aid.write("study-no_second_archive.jsonl", all_forbidden(aid, [wanted])[0])
    full = boreal_full(recording)
    recording.write_full(full, note="a play between two random players")
    last = next(number for number in reversed(range(len(full))) if "action" in full[number])
    first = next(number for number, line in enumerate(full) if "action" in line)
    spoil(recording, full, first, last)


def boreal_full(recording: Recording) -> list[dict[str, Any]]:
    """Record a whole game with the recorder's claims: reserves now and then, the result at the end."""
    lines: list[dict[str, Any]] = []
    place = recording.engine.game.element["reserve"].type
    for state, event in recording.play(410):
        if lines and len(lines) % 12 == 0:
            cells = [
                {
                    "of": "reserve",
                    "at": [name],
                    "is": to_json(t.BagOf(place), recording.engine.cell(state, "reserve", [seat])),
                }
                for seat, name in enumerate(recording.names)
            ]
            lines[-1]["claim"] = {"state": cells}
        lines.append(recording.line(event))
    lines[-1]["claim"] = recording.result()
    return lines


def spoil(recording: Recording, full: list[dict[str, Any]], first: int, last: int) -> None:
    """Write logs with the faults that are possible in every game. first, last: the numbers of the full log's first and
    last moves.
    """
    write, early = recording.write, full[: first + 1]
    move, chance = early[-1], early[0]
    other = recording.names[1 - recording.names.index(move["player"])]
    write("wrong-player.jsonl", [*early[:-1], {**move, "player": other}])
    write("unknown-player.jsonl", [*early[:-1], {**move, "player": "Olga"}])
    write("unknown-action.jsonl", [*early[:-1], {**move, "action": "scuot"}])
    write("extra-field.jsonl", [*early[:-1], {**move, "args": {**move["args"], "cost": 3}}])
    args = {name: value for name, value in move["args"].items() if name != "card"}
    write("missing-field.jsonl", [*early[:-1], {**move, "args": args}])
    write("wrong-value.jsonl", [*early[:-1], {**move, "args": {**move["args"], "card": "l99"}}])
    write(
        "unknown-value.jsonl",
        [*early[:-1], {**move, "args": {**move["args"], "at": {**move["args"]["at"], "level": "unknown"}}}],
    )
    write("not-offered.jsonl", [*early[:-1], {"player": move["player"], "action": DECLINE}])
    write("chance-awaited.jsonl", [*early[:2], move])
    write("move-awaited.jsonl", [*early[:-1], early[1]])
    write("other-chance.jsonl", [chance, chance])
    write("wrong-outcome.jsonl", [*early[:2], {**early[2], "outcome": early[1]["outcome"]}])
    write("unknown-chance.jsonl", [{**chance, "chance": "setup.token"}])
    write("after-the-end.jsonl", [*full, move])
    write("wrong-fingerprint.jsonl", full, fingerprint="0123456789abcdef")
    write("unknown-game.jsonl", early, game="boreel")
    write("unknown-edition.jsonl", early, edition="fr")
    write("unknown-reading.jsonl", early, readings={"scout_refill": "never"})
    write("wrong-players.jsonl", early, players=[*recording.names, "Olga"])
    write("second-header.jsonl", [*early, recording.header()])
    write("unfinished-claim.jsonl", [*early, {"claim": {"terminal": True}}])
    claim = full[-1]["claim"]
    scores = [claim["scores"][0] + 1, *claim["scores"][1:]]
    losers = [name for name in recording.names if name not in claim["winners"]]
    write("wrong-scores.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "scores": scores}}])
    write("wrong-winners.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "winners": losers}}])
    write("wrong-state.jsonl", [*early, {"claim": {"state": [{"of": "token", "at": [1], "is": 7}]}}])
    write("unknowable-claim.jsonl", [*early, {"claim": {"state": [{"of": "stack", "is": ["l01"]}]}}])
    text = write_log(recording.header(), full[:last])
    recording.write_text("truncated.jsonl", text + write_line(full[last])[:-12])
    lines = text.splitlines(keepends=True)
    broken = [*lines[:20], lines[20].replace('": ', '" ', 1), *lines[21:]]
    recording.write_text("broken-json.jsonl", "".join(broken))
    recording.write_text(
        "repeated-member.jsonl", "".join([*lines[:5], lines[5].replace("{", '{"note": "", "note": "", ', 1)])
    )
    recording.write_text("no-header.jsonl", "".join(lines[1:9]))
    recording.write_text("empty.jsonl", "")


# ---- Mangrovia

MANGROVIA_CLAUSES = [
    ("place", "place.free"),
    ("build", "build.free"),
    ("build", "build.marked", "build.land_marked"),
    ("build", "build.land_fits"),
    ("build", "build.land_marked"),
    ("build", "build.exact"),
    ("build", "build.no_cards"),
    ("build", "build.no_double_on_amulets"),
    ("collect", "collect.any_left"),
    ("pick_value", "pick_value.on_table"),
    ("set_birds", "set_birds.apart"),
]
MANGROVIA_SEED = 15
"""The seed of a play in which somebody skips the second pier and cannot act there later."""


def mangrovia() -> None:
    names = ["Red", "Yellow", "Violet", "Orange"]
    recording, three = Recording("mangrovia", names), Recording("mangrovia", names[:3])
    for wanted in MANGROVIA_CLAUSES:
        recording.write(f"{wanted[1].replace('.', '-')}.jsonl", forbidden(recording, wanted, tried, 4))
    three.write("place-not_first.jsonl", forbidden(three, ("place", "place.not_first"), tried, 1))
    full = whole(recording, MANGROVIA_SEED)
    recording.write_full(full, note="a play between four random players")
    for other in (Recording("mangrovia", names[:2]), Recording("mangrovia", [*names, "Blue"])):
        other.write_full(whole(other), f"full_{len(other.names)}.jsonl")
    tiles = Recording("mangrovia", names[:3], options={"stone_tiles": "mixed"})
    tiles.write_full(whole(tiles), "full_3_with_tiles.jsonl")
    bound = Recording("mangrovia", names[:3], {"pier_parts": "whole", "free_ground": "replaces_card"})
    bound.write_full(whole(bound), "full_3_whole_piers.jsonl")
    spoil_mangrovia(recording, full)


def whole(recording: Recording, seed: int = 3) -> list[dict[str, Any]]:
    """Record a whole play, with the recorder's claim about its end."""
    lines = [recording.line(event) for event in recording.events(seed)]
    lines[-1]["claim"] = recording.result()
    return lines


def spoil_mangrovia(recording: Recording, full: list[dict[str, Any]]) -> None:
    """Write logs with faults of each phase, of payment and of the scoring."""
    moves = [number for number, line in enumerate(full) if "action" in line]
    bowl = moves[0]
    last_bowl = max(number for number in moves[:4] if full[number]["action"] == "place")
    first_build = next(number for number in moves if full[number]["action"] == "build")
    refilled = next(number for number, line in enumerate(full) if line.get("chance") == "prepare.values")
    write, others = recording.write, recording.names
    turn = others.index(full[bowl]["player"])
    write("out-of-turn.jsonl", [*full[:bowl], {**full[bowl], "player": others[(turn + 1) % 4]}])
    write("a-second-bowl.jsonl", [*full[: last_bowl + 1], {**full[bowl], "args": full[bowl]["args"]}])
    write("row-refilled-too-soon.jsonl", [*full[: last_bowl + 1], full[refilled]])
    build = full[first_build]
    write("card-not-in-hand.jsonl", [*full[:first_build], {**build, "args": {**build["args"], "cards": ["v9"]}}])
    after = next(state for number, (state, _) in enumerate(recording.play(MANGROVIA_SEED)) if number == refilled + 1)
    holder = recording.engine.cell(after, "talisman", [])
    first = {"state": [{"of": "talisman", "is": others[(holder + 1) % 4]}]}
    write("wrong-first-player.jsonl", [*full[: refilled + 1], {"claim": first}])
    flown = {"state": [{"of": "birds", "is": ["water", "sand", "mangrove"]}]}
    write("birds-on-three-squares.jsonl", [*full[: refilled + 1], {"claim": flown}])
    passed_by = full[last_bowl]["player"]  # at the second pier; an action at a later one shows that it was skipped
    later = next(number for number in moves[4:] if full[number]["player"] != passed_by)
    late = {"player": passed_by, "action": "collect"}
    write("when-the-boat-has-passed.jsonl", [*full[: last_bowl + 1], full[later], late])
    back = next(number for number in moves if full[number]["action"] == "give_back")
    write("amulet-not-drawn.jsonl", [*full[:back], {**full[back], "args": {"amulet": "a1"}}])
    claim = full[-1]["claim"]
    scores = [claim["scores"][0] + 1, *claim["scores"][1:]]
    losers = [name for name in recording.names if name not in claim["winners"]]
    write("wrong-scores.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "scores": scores}}])
    write("wrong-winners.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "winners": losers}}])
    track = {"state": [{"of": "track", "at": [build["player"]], "is": 399}]}
    write("wrong-track.jsonl", [*full[: first_build + 1], {"claim": track}])
    write("after-the-end.jsonl", [*full, full[bowl]])


def tried(engine: Engine, state: State, action: str) -> Iterator[Move]:
    """Return every move of the action with finite arguments; for building, those that pay exactly or with one piece."""
    if action != "build":
        yield from all_moves(engine, state, action)
        return
    seat = engine.to_move(state)[0]
    types = {name: of for name, of, _ in engine.game.moves[action].arguments}
    lands, cards, stones = (engine.cell(state, zone, [seat]) for zone in ("lands", "values", "amulets"))
    for storeys, site in product((1, 2), t.values(types["site"])):
        due = storeys * column(types["site"], "price")[site]
        paid = (*payments(types["cards"], cards, due), cards[:1]), (*payments(types["stones"], stones, due), stones[:1])
        ways = [*((way, ()) for way in paid[0]), *(((), way) for way in paid[1])]
        for land, (with_cards, with_stones) in product(set(combinations(lands, storeys)), ways):
            values = (storeys, site, (), tuple(sorted(land)), with_cards, with_stones)
            yield Move(seat, action, tuple(zip(types, values, strict=True)))


def column(of: t.Type, name: str) -> list[Any]:
    """Return a column of a component, by the numbers of its rows."""
    assert isinstance(of, t.ComponentType)
    at = [each for each, _ in of.columns].index(name)
    return [row[at] for row in of.rows]


def payments(of: t.Type, held: Sequence[int], due: int) -> list[tuple[int, ...]]:
    """Return an exact payment with up to four of the pieces held, if there is one."""
    assert isinstance(of, t.BagOf)
    worth = column(of.of, "value")
    ways = (way for size in range(1, 5) for way in combinations(sorted(held), size))
    return list(islice((way for way in ways if sum(worth[piece] for piece in way) == due), 1))


# ---- Bora Bora

BORA_BORA_CLAUSES: list[tuple[str, ...]] = [
    ("start_hut", "start_hut.region"),
    ("start_hut", "start_hut.vacant"),
    ("place_die", "place_die.in_play"),
    ("place_die", "place_die.lower"),
    ("place_die", "place_die.room"),
    ("place_die", "place_die.materials"),
    ("expand", "expand.alone"),
    ("expand", "expand.adjacent", "expand.within"),
    ("expand", "expand.within"),
    ("expand", "expand.hut"),
    ("store", "store.matching"),
    ("store", "store.free"),
    ("store", "store.beside"),
    ("take_person", "take_person.within"),
    ("take_person", "take_person.there"),
    ("take_person", "take_person.free"),
    ("tattoo", "tattoo.man"),
    ("collect_shells", "collect_shells.woman"),
    ("buy_card", "pay_trade.enough"),
    ("take_card", "take_card.shown"),
    ("enter_temple", "enter_temple.within"),
    ("build", "build.within"),
    ("build", "build.one_filled"),
    ("build", "build.two_filled"),
    ("build", "build.adjacent"),
    ("blue_god", "blue_god.each_die"),
    ("blue_god", "pay_card.held"),
    ("white_god", "pay_card.offering"),
    ("white_god", "pay_pair.held"),
    ("red_god", "pay_tile.held"),
    ("green_god", "green_god.timely"),
    ("yellow_god", "yellow_god.short"),
    ("activate", "activate.once"),
    ("activate", "activate.together", "activate.sexes"),
    ("buy_jewel", "buy_jewel.price"),
    ("complete", "complete.met"),
    ("surrender", "surrender.unable"),
]
BORA_BORA_OF_OTHERS = [
    ("en", ("surrender", "surrender.unable")),
    ("he", ("place_die", "place_die.lower")),
    ("margin", ("take_person", "take_person.within")),
]


def bora_bora() -> None:
    names = ["Anna", "Boris", "Clara", "Dmitri"]
    recording = Recording("bora_bora", names[:2])
    for wanted, lines in zip(BORA_BORA_CLAUSES, all_forbidden(recording, BORA_BORA_CLAUSES), strict=True):
        recording.write(f"{wanted[1].replace('.', '-')}.jsonl", lines)
    full = whole(recording)
    recording.write_full(full, note="a play between two random players")
    for edition, players in (("en", 3), ("he", 4), ("margin", 2)):
        other = Recording("bora_bora", names[:players], edition=edition)
        lines = whole(other)
        other.write_text(f"full_{edition}.jsonl", write_log(other.header(), lines), logs_of("bora_bora"))
    for edition, wanted in BORA_BORA_OF_OTHERS:
        other = Recording("bora_bora", names[:2], edition=edition)
        name = f"{edition}-{wanted[1]}".replace(".", "-")
        other.write(f"{name}.jsonl", all_forbidden(other, [wanted])[0])
    spoil_bora_bora(recording, full)


def spoil_bora_bora(recording: Recording, full: list[dict[str, Any]]) -> None:
    """Write logs with faults of the order of play and of the scoring."""
    write, (one, two) = recording.write, recording.names
    first = next(number for number, line in enumerate(full) if "action" in line)
    die = next(number for number, line in enumerate(full) if line.get("action") == "place_die")
    renewed = next(number for number, line in enumerate(full) if line.get("chance") == "clean_up.new_people")
    other = {one: two, two: one}[full[die]["player"]]
    write(
        "last-player-first.jsonl",
        [*full[:first], {**full[first], "player": {one: two, two: one}[full[first]["player"]]}],
    )
    write("out-of-turn.jsonl", [*full[:die], {**full[die], "player": other}])
    write("no-such-die.jsonl", [*full[:die], {**full[die], "args": {**full[die]["args"], "die": 7}}])
    yellow = {"task": "priests_3", "means": "tile"}
    write("god-in-the-wrong-phase.jsonl", [*full[:die], {**full[die], "action": "yellow_god", "args": yellow}])
    roll = next(number for number, line in enumerate(full) if line.get("chance") == "phase_a.roll")
    write("die-not-rolled.jsonl", [*full[:roll], {**full[roll], "outcome": 7}])
    after = next(state for number, (state, _) in enumerate(recording.play(3)) if number == renewed)
    order = [seat + 1 for seat in reversed(recording.engine.cell(after, "order", []))]
    write("wrong-order.jsonl", [*full[:renewed], {"claim": {"state": [{"of": "order", "is": order}]}}])
    write("wrong-points.jsonl", [*full[:renewed], {"claim": {"state": [{"of": "points", "at": [one], "is": 199}]}}])
    claim = full[-1]["claim"]
    scores = [claim["scores"][0] + 1, *claim["scores"][1:]]
    losers = [name for name in recording.names if name not in claim["winners"]]
    write("wrong-scores.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "scores": scores}}])
    write("wrong-winners.jsonl", [*full[:-1], {**full[-1], "claim": {**claim, "winners": losers}}])
    write("a-seventh-round.jsonl", [*full, full[die]])


# ---- the small games


def tic_tac_toe() -> None:
    recording = Recording("tic_tac_toe", ["Cross", "Nought"])
    full = [recording.line(event) for event in recording.events(3)]
    full[-1]["claim"] = recording.result()
    recording.write_full(full)
    recording.write("claim-free.jsonl", forbidden(recording, ("claim", "claim.free")))
    recording.write_text("by_hand.yaml", TIC_TAC_TOE_YAML, logs_of("tic_tac_toe"))


TIC_TAC_TOE_YAML = """\
# The same format by hand: the header's members, and the events as a list.
ludex: 1
game: tic_tac_toe
players: [Cross, Nought]
events:
  - {player: Cross, action: claim, args: {cell: {row: 2, col: 2}}}
  - {player: Nought, action: claim, args: {cell: {row: 1, col: 2}}}
  - player: Cross
    action: claim
    args: {cell: {row: 1, col: 1}}
    note: two ways to win from here
  - {player: Nought, action: claim, args: {cell: {row: 3, col: 3}}}
  - {player: Cross, action: claim, args: {cell: {row: 2, col: 1}}}
  - {player: Nought, action: claim, args: {cell: {row: 3, col: 1}}}
  - player: Cross
    action: claim
    args: {cell: {row: 2, col: 3}}
    claim: {scores: {Cross: 1, Nought: 0}, winners: [Cross], terminal: true}
"""


def pig() -> None:
    recording = Recording("pig", ["Anna", "Boris", "Clara"])
    full = [recording.line(event) for event in recording.events(3)]
    full[-1]["claim"] = recording.result()
    recording.write_full(full)
    recording.write("hold-something.jsonl", forbidden(recording, ("hold", "hold.something")))
    recording.write("wrong-outcome.jsonl", [*full[:1], {**full[1], "outcome": 7}])


def kuhn_poker() -> None:
    recording = Recording("kuhn_poker", ["First", "Second"])
    full = [recording.line(event) for event in recording.events(3)]
    full[-1]["claim"] = recording.result()
    recording.write_full(full)
    recording.write("wrong-outcome.jsonl", [full[0], {**full[1], "outcome": full[0]["outcome"]}])
    hidden = {"state": [{"of": "deck", "is": ["queen"]}], "terminal": False}
    recording.write("unknowable-claim.jsonl", [*full[:2], {"claim": hidden}])


def classic(game: str, names: list[str], refused: tuple[str, str], seed: int = 3) -> None:
    """Record a whole play, and a move forbidden by one clause alone. refused: the move's action, and that clause."""
    recording = Recording(game, names)
    full = [recording.line(event) for event in recording.events(seed)]
    full[-1]["claim"] = recording.result()
    recording.write_full(full)
    recording.write(f"{refused[1].replace('.', '-')}.jsonl", forbidden(recording, refused))


def goofspiel() -> None:
    recording = Recording("goofspiel", ["Anna", "Boris"])
    full = [recording.line(event) for event in recording.events(3)]
    full[-1]["claim"] = recording.result()
    recording.write_full(full)
    recording.write("bid-twice.jsonl", [*full[:4], full[1]])


RECORDED: dict[str, Callable[[], None]] = {
    "boreal": boreal,
    "mangrovia": mangrovia,
    "bora_bora": bora_bora,
    "tic_tac_toe": tic_tac_toe,
    "pig": pig,
    "kuhn_poker": kuhn_poker,
    "liars_dice": partial(classic, "liars_dice", ["Anna", "Boris", "Clara"], ("claim", "claim.higher")),
    "connect_four": partial(classic, "connect_four", ["Yellow", "Red"], ("drop", "drop.room")),
    "breakthrough": partial(classic, "breakthrough", ["White", "Black"], ("advance", "advance.captures_aslant")),
    "othello": partial(classic, "othello", ["Black", "White"], ("place", "place.outflanking"), 2),
    "goofspiel": goofspiel,
    "leduc_poker": partial(classic, "leduc_poker", ["Anna", "Boris"], ("raise", "raise.cap")),
    "oware": partial(classic, "oware", ["South", "North"], ("sow", "sow.seeds"), 187),
    "backgammon": partial(classic, "backgammon", ["White", "Black"], ("go", "go.then_the_other"), 120),
    "crazy_eights": partial(classic, "crazy_eights", ["Anna", "Boris", "Clara"], ("lay", "lay.fitting"), 113),
    "nim": partial(classic, "nim", ["Anna", "Boris"], ("take", "take.enough")),
    "nine_mens_morris": partial(classic, "nine_mens_morris", ["White", "Black"], ("take", "take.not_in_mill"), 264),
    "english_draughts": partial(classic, "english_draughts", ["Dark", "Light"], ("step", "step.no_capture"), 105),
}


def fingerprints(game: str) -> None:
    """Replace outdated fingerprints of the rules in all logs."""
    for path in logs_of(game).glob("*.jsonl"):
        first, rest = path.read_text("utf-8").split("\n", 1)
        header = json.loads(first)
        if "fingerprint" in header:
            asked = {name: header[name] for name in ("options", "readings") if name in header}
            loaded = load(game, len(header["players"]), header.get("edition"), **asked)
            path.write_bytes(f"{write_line({**header, 'fingerprint': loaded.fingerprint})}\n{rest}".encode())


def main() -> None:
    """Record the logs of the named games, by default of all."""
    validator = Validator(load)
    named = [each for each in sys.argv[1:] if each != "--keep"]
    for game in named or RECORDED:
        if "--keep" in sys.argv:
            fingerprints(game)
        else:
            RECORDED[game]()
        for path, report in samples_of(game).items():
            report.write_text(golden(validator.validate(read_log(path))), encoding="utf-8")


if __name__ == "__main__":
    main()
