"""Invariants of every shipped game: plays end, states are plain values, refusals have reasons, logs replay.

Each law is a function of a play. The plays are seeded plays of every table (each edition, several numbers of players,
other readings) and of the games in `docs/language.md`, which have every construct of the language, and plays that
Hypothesis draws and shrinks. `test_laws_secrecy.py` has the laws about observations, `test_laws_texts.py` those about
files.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given

from ludex.interpreter import (
    Awaits,
    ChanceEvent,
    Engine,
    Event,
    Generator,
    LineReader,
    Move,
    Refusal,
    RefusalKind,
    Refused,
    State,
    Trace,
    Validator,
    Verdict,
    explain,
    inventory,
    parse_log,
    playout,
    playouts,
    write_line,
    write_log,
)
from ludex.interpreter.logs.structure.event_lines import FullEntry, PlainEntry
from ludex.spec import Game, all_steps
from ludex.spec.model import ActionOption, BranchOption, Decide, Simultaneous

from ..cases import cases
from ..once import engine_once, game_once
from ..tiers import EXTENTS, TIERS, TierQueries, options_of
from .candidates import candidates, exact
from .plays import (
    GAMES,
    SAMPLES,
    TABLES,
    Play,
    Position,
    Table,
    afresh,
    drawn,
    engine_of,
    follow,
    seeded,
)

Law: TypeAlias = Callable[[Play], None]

EVERY = 5
"""Slow laws look at every Nth state, and at all decisions within an action."""
SHORT = 12
"""Slow laws look at every state of plays with at most so many events."""
PLAYOUTS = 100
"""The number of whole plays of native code."""
ENOUGH = 1000
"""After so many events in whole plays no further play is begun."""
VALIDATOR = Validator(game_once, compiled=engine_once)


# ---- names of moves -------------------------------------------------------------------------------------------------


def test_every_decision_has_its_moves() -> None:
    """`moves` has the arguments of each option of each decision under the option's name, so that logs can state them.
    Decisions written in place have different names.
    """
    for table in (*TABLES, *SAMPLES):
        game = engine_of(table).game
        named = Counter[str]()
        for option in _options(game):
            if isinstance(option, BranchOption):
                stated = tuple[str, ...]()
                name, chosen = option.name, option.choices
                named[name] += 1
            else:
                action = game.actions[option.action]
                name, stated, chosen = action.name, action.stated, action.choices
            arguments = (*stated, *(choice.name for choice in chosen))
            names = tuple(name for name, _, _ in game.moves[name].arguments)
            assert names == arguments, f"{table}: a move {name} has the arguments {arguments}, but logs state {names}"
            types = tuple(type_ for _, type_, _ in game.moves[name].arguments)
            assert types[len(stated) :] == tuple(choice.type for choice in chosen)
        offered = {option.action for option in _options(game) if not isinstance(option, BranchOption)}
        twice = [name for name, times in named.items() if times > 1 or name in offered]
        assert not twice, f"{table}: give these decisions different names: {twice}"


def _options(game: Game) -> Iterator[BranchOption | ActionOption]:
    for step in all_steps(*game.routines):
        if isinstance(step, Decide | Simultaneous):
            yield from step.options


# ---- what is awaited, and what can happen ---------------------------------------------------------------------------


def all_queries_agree_on_what_is_awaited(play: Play) -> None:
    """A state awaits a chance event, or moves of certain players, or is the end; all queries agree on which."""
    engine = play.engine
    for state in play.states:
        chances, moves, movers = engine.chance(state), engine.legal_moves(state), engine.to_move(state)
        assert options_of(engine, state) == (tuple(event for event, _ in chances) or moves)
        awaited = engine.awaits(state)
        assert bool(chances) == (awaited is Awaits.CHANCE)
        assert bool(moves) == bool(movers) == (awaited is Awaits.MOVE)
        assert engine.is_terminal(state) == (awaited is Awaits.NOTHING)
        assert {move.player for move in moves} == set(movers), "every player to move must have a legal move"
        assert set(movers) <= set(range(engine.game.players))


def legal_moves_are_listed_once_in_one_order(play: Play) -> None:
    engine = play.engine
    another = Engine(engine.game)
    for state in play.states:
        moves = engine.legal_moves(afresh(engine, state))
        assert len(set(map(exact, moves))) == len(moves), "a move is listed twice"
        assert another.legal_moves(afresh(engine, state)) == moves, (
            "another engine must list the same moves in the same order"
        )
        by_player = [move for player in engine.to_move(state) for move in engine.legal_moves(state, player)]
        assert list(moves) == by_player


def chances_add_up_to_one(play: Play) -> None:
    for state in play.states:
        chances = play.engine.chance(state)
        assert not chances or sum(share for _, share in chances) == 1
        assert all(share > 0 for _, share in chances)
        assert len({exact(event) for event, _ in chances}) == len(chances), "an outcome is listed twice"
        assert play.engine.chance(state) == chances


def whatever_is_listed_can_be_played(play: Play) -> None:
    engine = play.engine
    for position in sparse(play):
        before = position.state.key()
        for event in play.some(position.options, random.Random(5)):
            assert engine.refusal(position.state, event) is None, f"the event is listed and refused: {event}"
            after = engine.apply(position.state, event)
            assert engine.is_terminal(after) or options_of(engine, after), f"no event is possible after {event}"
        assert position.state.key() == before, "queries must not change the state"
        assert options_of(engine, position.state.clone()) == position.options, (
            "trials must not change the options of a copy"
        )


def sparse(play: Play) -> list[Position]:
    """Return some of the positions, for slow laws."""
    nested = [position for position in play.positions if len(play.engine.frames(position.state)) > 2]
    step = EVERY if len(play.positions) > SHORT else 1
    every = [*play.positions[::step], *nested[:: max(1, len(nested) // 8)]]
    return [position for at, position in enumerate(every) if position not in every[:at]]


# ---- refusals -------------------------------------------------------------------------------------------------------


JUDGED = 4
"""Where few events are played, so many times as many are judged."""
EXPLAINED = 2
"""The number of explained refusals in a position: the reference finds their reasons, slowly.
`test_every_kind_of_refusal_occurs` holds that all kinds occur.
"""


def exactly_the_unlisted_events_are_refused(play: Play) -> None:
    """Every event is judged in a state without cached results. Each refusal names the clauses that forbid the event, or
    what is awaited instead.
    """
    engine, rng = play.engine, random.Random(7)
    for position in sparse(play):
        listed = set(map(exact, position.options))
        state = afresh(engine, position.state)
        before = state.key()
        wrong = list[Event]()
        for event in play.some(candidates(engine.game, position.options, rng), rng, JUDGED):
            assert engine.is_legal(state, event) == (exact(event) in listed), event
            if exact(event) not in listed:
                wrong.append(event)
        for event in rng.sample(wrong, min(EXPLAINED, len(wrong))):
            refusal = engine.refusal(state, event)
            assert refusal is not None, event
            has_reasons(engine, position, event, refusal)
        assert state.key() == before, "judging events must not change the state"


def has_reasons(engine: Engine, position: Position, event: Event, refusal: Refusal) -> None:
    state = position.state
    assert refusal.event == event
    match refusal.kind:
        case RefusalKind.REQUIREMENT:
            assert refusal.clauses, "the refusal must name a clause"
            assert set(refusal.clauses) <= engine.game.clauses.keys()
        case RefusalKind.OUT_OF_DOMAIN:
            assert refusal.clauses[0] in engine.game.clauses
            assert refusal.argument
        case RefusalKind.MISSING_ARGUMENT | RefusalKind.EXTRA_ARGUMENT | RefusalKind.WRONG_ARGUMENT:
            assert refusal.argument
        case RefusalKind.CHANCE_AWAITED | RefusalKind.WRONG_CHANCE | RefusalKind.WRONG_OUTCOME:
            assert refusal.awaited == engine.chance(state)[0][0].path
        case RefusalKind.MOVE_AWAITED | RefusalKind.WRONG_PLAYER | RefusalKind.UNKNOWN_ACTION | RefusalKind.NOT_OFFERED:
            assert refusal.players == engine.to_move(state)
            assert {move.action for move in position.options if isinstance(move, Move)} <= set(refusal.offered)
        case RefusalKind.OVER:
            assert engine.is_terminal(state)
    explanation = explain(refusal, engine.game)
    assert explanation.message
    assert [why.clause for why in explanation.why] or not refusal.clauses


def a_refused_event_changes_nothing(play: Play) -> None:
    engine, rng = play.engine, random.Random(3)
    for position in sparse(play):
        state, listed = position.state.clone(), set(map(exact, position.options))
        every, refused = play.some(candidates(engine.game, position.options, rng), rng, JUDGED), list[Event]()
        for event in rng.sample(every, min(20, len(every))):
            is_refused = not engine.is_legal(state, event)
            assert is_refused == (exact(event) not in listed), f"earlier trials must not change the verdict on {event}"
            if is_refused:
                assert not engine.play(state.clone(), event)
                assert state == position.state, f"the refusal of {event} must not change the state"
                refused.append(event)
        for event in refused[:1]:  # one only: the reference judges it, too, for the message, and is slow
            assert engine.advance(state, event) is not None
            with pytest.raises(Refused):
                engine.apply(state, event)
            assert state == position.state
        assert options_of(engine, state) == position.options, "refused events must not change the options"


def suggested_moves_are_legal(play: Play) -> None:
    engine = play.engine
    for before, here in zip(play.positions, play.positions[1:], strict=False):
        if isinstance(before.event, Move) and engine.to_move(here.state):
            near = engine.nearest_legal(here.state, before.event)
            assert near
            assert set(near) <= set(here.options)


# ---- states are plain values ----------------------------------------------------------------------------------------


def a_state_survives_json_and_goes_on_alike(play: Play) -> None:
    """A copy that went through JSON allows the same events."""
    engine = play.engine
    for position in sparse(play):
        written = json.dumps(engine.state_to_json(position.state))
        copy = engine.state_from_json(json.loads(written))
        assert copy == position.state
        assert hash(copy) == hash(position.state)
        assert json.dumps(engine.state_to_json(copy)) == written
        assert options_of(engine, copy) == position.options
        assert engine.advance(copy, position.event) is None
        assert copy == engine.apply(position.state, position.event)


def cached_results_belong_to_one_state(play: Play) -> None:
    """Cached results belong to one state: one that was queried, copied and played on answers like one made anew."""
    engine = play.engine
    for position in sparse(play):
        state = position.state.clone()
        expected = told(engine, afresh(engine, state))
        for event in {exact(each): each for each in (position.event, *position.options[:2])}.values():
            assert told(engine, state) == expected, "a result of a copy is used for its original"
            copy = state.clone()
            assert engine.advance(copy, event) is None
            assert told(engine, copy) == told(engine, afresh(engine, copy)), (
                "a result of the original is used for its changed copy"
            )
        assert told(engine, state) == expected, "a result of a copy is used for its original"


def told(engine: Engine, state: State) -> tuple[object, ...]:
    """Return the scores and the possible events of the state."""
    return engine.scores(state), options_of(engine, state)


def a_clone_is_independent(play: Play) -> None:
    engine = play.engine
    for position, after in zip(play.positions, play.states[1:], strict=True):
        key = position.state.key()
        clone = position.state.clone()
        assert clone == position.state
        assert engine.advance(clone, position.event) is None
        assert position.state.key() == key, "a change of the clone changes the original"
        twin = clone.clone()
        for cell in range(len(clone.cells)):
            clone.put(cell, None)
        clone.set_pools(())
        clone.wait = 0
        assert twin == after, "a change of the original changes the clone"


def nothing_is_created_or_lost(play: Play) -> None:
    """The pieces on the table are those put in, less those taken out, and never more of a component than exist."""
    engine, trace = play.engine, Trace()
    copies = {(str(c), kind): number for c in engine.game.components for kind, number in enumerate(c.copies)}
    state = engine.start(trace) if play.begins else play.states[0].clone()
    if not play.begins:
        trace.entered.update(inventory(engine.game, state))
    for event in [*play.events, None]:
        pieces = inventory(engine.game, state)
        assert pieces == trace.entered - trace.left
        assert all(count <= copies.get(piece, count) for piece, count in pieces.items())
        if event is not None:
            assert engine.advance(state, event, trace) is None


def points_add_up(play: Play) -> None:
    engine = play.engine
    paths = [clause.path for clause in engine.game.scores]
    for state in play.states:
        scores = engine.scores(state)
        assert len(scores) == engine.game.players
        assert engine.returns(state) == tuple(score.total for score in scores)
        for score in scores:
            assert [path for path, _ in score.breakdown] == paths
            assert sum(points for _, points in score.breakdown) == score.total


# ---- logs -----------------------------------------------------------------------------------------------------------


def a_log_replays_to_the_same_state(play: Play) -> None:
    text = write_log(play.table.header(play.engine.game), play.lines)
    for name in ("play.jsonl", "play.yaml") if len(text) < 4000 else ("play.jsonl",):
        replayed = VALIDATOR.play(parse_log(text if name == "play.jsonl" else as_yaml(text), name))
        assert replayed.report.verdict is Verdict.LEGAL, replayed.report.findings
        assert replayed.events == tuple(play.events)
        assert replayed.state == play.final
        assert not replayed.report.left_out


def as_yaml(text: str) -> str:
    """Return the same log as a YAML list; YAML contains JSON."""
    return "".join(f"- {line}\n" for line in text.splitlines())


def a_line_says_its_event(play: Play) -> None:
    reader = LineReader(play.engine.game)
    reader.decoder.make()
    for event, line in zip(play.events, play.lines, strict=True):
        plain = PlainEntry(event) if "via" not in line else None
        assert reader.read_in_full(json.loads(json.dumps(line))) == (plain or FullEntry(event))
        assert reader.decoded(write_line(line).encode()) == plain


def it_is_listed_and_played_as_by_the_engine_in_python(play: Play) -> None:
    """What the play was made with. For that engine it says that a play is the same a second time."""
    engine = play.engine
    for position, after in zip(play.positions, play.states[1:], strict=True):
        assert options_of(engine, position.state) == position.options
        assert engine.apply(position.state, position.event) == after


OF_COPIES: tuple[Law, ...] = (a_clone_is_independent, a_log_replays_to_the_same_state, a_line_says_its_event)
"""Laws of what only the engine in Python has: states that are copied, and logs."""
OF_TRACES: tuple[Law, ...] = (nothing_is_created_or_lost, suggested_moves_are_legal)
"""Laws of what native code does not answer."""
LAWS: tuple[Law, ...] = (
    it_is_listed_and_played_as_by_the_engine_in_python,
    all_queries_agree_on_what_is_awaited,
    legal_moves_are_listed_once_in_one_order,
    chances_add_up_to_one,
    whatever_is_listed_can_be_played,
    exactly_the_unlisted_events_are_refused,
    a_refused_event_changes_nothing,
    suggested_moves_are_legal,
    a_state_survives_json_and_goes_on_alike,
    cached_results_belong_to_one_state,
    a_clone_is_independent,
    nothing_is_created_or_lost,
    points_add_up,
    a_log_replays_to_the_same_state,
    a_line_says_its_event,
)
LEFT_OUT: Mapping[str, tuple[Law, ...]] = {
    "python": (),
    "reference": (*OF_COPIES, cached_results_belong_to_one_state),  # it caches none
    "native": (*OF_COPIES, *OF_TRACES),
}
FEW, MORE = {"python": 0, "reference": 1, "native": 3}, 12
"""The number of events that the reference and native code play in a state; in a long run. The engine in Python plays
all."""


@pytest.mark.drawn(16)
@pytest.mark.parametrize("table", (*TABLES, *SAMPLES), ids=str)
@pytest.mark.parametrize("tier", TIERS)
def test_a_play_keeps_the_laws(
    tier: str,
    table: Table,
    tiers: Mapping[str, Callable[[Game], TierQueries]],
    play_seed: int,
    rng: random.Random,
    is_long: bool,
) -> None:
    """The engine in Python plays, and the tier is asked about all of that play, or a part."""
    play = _under(tier, tiers, seeded(table, play_seed), "laws", rng, is_long)
    for law in LAWS:
        if law not in LEFT_OUT[tier]:
            law(play)


def _under(
    tier: str,
    tiers: Mapping[str, Callable[[Game], TierQueries]],
    play: Play,
    kind: str,
    rng: random.Random,
    is_long: bool,
    at_the_end: bool = False,
) -> Play:
    """Return the part of a play about which a tier is asked."""
    _is_here(tier, tiers)
    extent = EXTENTS[kind].of(tier, is_long)
    return play.under(tiers[tier](play.engine.game), extent, rng, MORE if is_long else FEW[tier], at_the_end)


def _is_here(tier: str, tiers: Mapping[str, object]) -> None:
    if tier not in tiers:
        pytest.skip("llvmlite is not installed")


@cases(200)
@given(drawn())
def test_laws_of_drawn_plays(play: Play) -> None:
    for law in LAWS:
        law(play)


# ---- whole plays ----------------------------------------------------------------------------------------------------


@pytest.mark.drawn(9)
@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("tier", ("python", "native"))
def test_every_playout_ends(
    tier: str, table: Table, tiers: Mapping[str, Callable[[Game], TierQueries]], rng: random.Random
) -> None:
    """The reference would need hours; it plays the ends of plays (`test_a_play_reaches_the_end`)."""
    engine, played, seed = engine_of(table), 0, rng.getrandbits(64)
    if tier == "native":
        _is_here(tier, tiers)
        results = playouts(tiers[tier](engine.game).code, PLAYOUTS, seed, threads=1)  # type: ignore[attr-defined]
        assert max(results.events) < 5000
        assert all(0 <= won < 1 << table.players for won in results.winners)
        return
    draws = Generator(seed)
    while played < ENOUGH:
        state = engine.start()
        events = sum(1 for _ in playout(engine, draws, state=state))
        assert events < 5000
        assert engine.is_terminal(state)
        played += events
        outcome = engine.winners(state)
        assert set(outcome.winners) <= set(range(table.players))
        assert outcome.winners or outcome.undecided
        assert not outcome.shared or len(outcome.winners) > 1


@pytest.mark.drawn(9)
@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("tier", TIERS)
def test_extreme_plays_have_no_spec_fault(
    tier: str, table: Table, tiers: Mapping[str, Callable[[Game], TierQueries]], rng: random.Random, is_long: bool
) -> None:
    """Always the first or the last move, always the first or the last outcome: numbers become as large as possible."""
    for picks in product((0, -1), repeat=2):
        whole = follow(table, partial(_pick, picks), limit=400)
        play = _under(tier, tiers, whole, "extremes", rng, is_long, at_the_end=True)
        it_is_listed_and_played_as_by_the_engine_in_python(play)
        points_add_up(play)


def _pick(picks: Sequence[int], options: Sequence[Event]) -> Event:
    """Play with fixed choices. picks: which move, which outcome."""
    return options[picks[isinstance(options[0], ChanceEvent)]]


@pytest.mark.drawn(9)
@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("tier", TIERS)
def test_a_play_reaches_the_end(
    tier: str, table: Table, tiers: Mapping[str, Callable[[Game], TierQueries]], rng: random.Random, is_long: bool
) -> None:
    whole = follow(table, random.Random(5).choice, limit=5000)
    play = _under(tier, tiers, whole, "ends", rng, is_long, at_the_end=True)
    assert play.engine.is_terminal(play.final), "take another seed, or a higher limit: the play was cut off"
    it_is_listed_and_played_as_by_the_engine_in_python(play)
    the_end_admits_nothing(play)
    if play.begins:
        a_play_to_the_end_replays_with_its_result(play)


def the_end_admits_nothing(play: Play) -> None:
    engine, last = play.engine, play.positions[-1]
    others = candidates(engine.game, last.options, random.Random(2))
    events = {position.event for position in play.positions} | set(others)
    assert options_of(engine, play.final) == ()
    for event in events:
        refusal = engine.refusal(play.final, event)
        assert refusal is not None
        assert refusal.kind is RefusalKind.OVER


def a_play_to_the_end_replays_with_its_result(play: Play) -> None:
    replayed = VALIDATOR.play(parse_log(write_log(play.table.header(play.engine.game), play.lines)))
    assert replayed.report.findings == ()
    result = replayed.report.result
    assert result is not None
    assert result.scores == play.engine.scores(play.final)
    assert result.outcome == play.engine.winners(play.final)


LOG_OF_GAMES = """
import sys
from ludex.interpreter import Engine, Generator, line_of, playout, write_log
from ludex.spec import load
from ludex.spec.values.types import Value
for name in sys.argv[1:]:
    engine = Engine(load(name))
    turns = playout(engine, Generator(11))
    header = {"ludex": 1, "game": name, "fingerprint": engine.game.fingerprint, "players": engine.game.players}
    sys.stdout.write(write_log(header, [line_of(engine.game, turn.event) for turn in turns]))
"""


def test_the_same_seed_gives_the_same_bytes(rng: random.Random, is_long: bool) -> None:
    """The processes order Python's sets differently."""
    games, written = GAMES if is_long else rng.sample(GAMES, 3), []
    for hash_seed in ("1", "20"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"}
        command = [sys.executable, "-c", LOG_OF_GAMES, *games]
        written.append(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert written[0] == written[1]
    assert written[0].count(b'"ludex": 1') == len(games)


def test_every_kind_of_refusal_occurs() -> None:
    """Otherwise the laws above would hold for a game that refuses nothing. Only `over` does not occur."""
    met, rng = set[RefusalKind | None](), random.Random(1)
    wanted = {None, *RefusalKind} - {RefusalKind.OVER}
    for table in TABLES:
        engine = engine_of(table)
        for position in seeded(table, 0).positions[:12]:
            every = list(candidates(engine.game, position.options, rng))
            for event in rng.sample(every, min(10, len(every))):
                refusal = engine.refusal(position.state, event)
                met.add(refusal.kind if refusal else None)
            if met == wanted:
                return
    assert met == wanted


def test_decisions_within_actions_occur() -> None:
    nested = [
        position
        for table in TABLES
        for position in seeded(table, 0).positions
        if any(isinstance(event, Move) and "." in event.action for event in position.options)
    ]
    assert nested, "take other seeds: no play has a decision within an action"
