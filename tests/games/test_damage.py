"""Any legal log with one damaged event is refused at that event, or provably still legal.

"Provably" is the verdict of a second judge, in this file. It uses JSON, the signatures of the game and the engine, but
no code that reads and validates logs. If the engine plays the damaged line, the event must be in its list of possible
events, too. Both judges must agree on the number of good events, and the validator must blame the first bad one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.grammar import Diagnostic
from ludex.interpreter import (
    ChanceEvent,
    Engine,
    Event,
    Move,
    Report,
    SpecFault,
    State,
    Validator,
    Verdict,
    parse_log,
    report_to_json,
    write_line,
    write_log,
)
from ludex.interpreter.logs.tracking.report import LeftOut
from ludex.spec import Game, JsonFault, from_json
from ludex.spec import types as t

from ..cases import cases
from ..interpreter.test_languages import plain_texts
from ..once import engine_once, game_once
from ..tiers import TierQueries, options_of
from .plays import SAMPLES, TABLES, Play, Table, engine_of, follow, seeded

SEEDS = 3
SOME = 8
"""The number of tables drawn in a run that is not long."""
LONGEST = 90
VALIDATOR = Validator(game_once, compiled=engine_once)

EVENTFUL = tuple(table for table in SAMPLES if Path(table.game).stem != "header_sample")
"""Games of the language reference: decisions that may be declined, and simultaneous ones. The game that is left out has
no events; `damaged` fails for such a game.
"""
QUICK = tuple(table for table in TABLES if table.game in ("tic_tac_toe", "pig", "kuhn_poker", "goofspiel"))
"""Tables with fast engines, of games with moves, dice, hidden cards, and simultaneous choices."""
MOST_AFTER = 3
"""The number of events, from the damage on, that are judged in each tier."""
BYTES = ("byte", "byte dropped", "byte doubled", "bytes swapped", "truncate")
DAMAGES = ("argument", "outcome", "player", "action", "member", "drop", "double", "swap", *BYTES)


@dataclass(frozen=True, slots=True)
class Case:
    """A damaged log. first: the number of the first damaged line; the header is line 0."""

    play: Play
    text: bytes
    first: int
    damage: str


# ---- damage ---------------------------------------------------------------------------------------------------------


@cache
def legal_play(table: Table, seed: int) -> Play:
    """Return a random play, cut off if it is long."""
    return follow(table, random.Random(f"{table} {seed}").choice, LONGEST)


@cache
def lines_of(play: Play) -> list[dict[str, Any]]:
    """Return the play's log, header first. The lines must not be changed."""
    return [play.table.header(play.engine.game), *map(dict, play.lines)]


@cache
def words_of(play: Play) -> list[Any]:
    """Return all values in the log, to put them elsewhere, and some values that it does not have.

    `unknown` is left out: logs with unknowns are judged by other rules (`test_unknowns.py`).
    """
    words: list[Any] = [
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        99,
        1.0,
        10**30,
        "",
        "decline",
        [],
        {},
        [1],
        {"x": 1},
    ]
    waiting: list[Any] = lines_of(play)[1:]
    for item in waiting:
        if isinstance(item, dict):
            words += item
            waiting += item.values()
        if item not in words:
            words.append(item)
    return words


@st.composite
def damaged(draw: st.DrawFn, tables: Sequence[Table], kinds: Sequence[str] = DAMAGES) -> Case:
    damage = draw(st.sampled_from(kinds))
    play = legal_play(
        draw(st.sampled_from((*6 * tuple(tables), *(EVENTFUL if len(tables) > 1 else ())))),
        draw(st.integers(0, SEEDS - 1)),
    )
    lines = deepcopy(lines_of(play))
    fit = [n for n, line in enumerate(lines) if n > 0 and _is_fit(line, damage)]
    number = draw(st.sampled_from(fit or range(1, len(lines))))
    if damage in BYTES:
        return draw(_damaged_text(play, lines, number, damage))
    match damage:
        case "drop":
            del lines[number]
        case "double":
            lines.insert(number, lines[number])
        case "swap":
            other = draw(st.integers(number, len(lines) - 1))
            lines[number], lines[other] = lines[other], lines[number]
        case _:
            word = deepcopy(draw(st.sampled_from(words_of(play))))
            draw(_change(lines[number], damage, word))
    return Case(play, write_log(lines[0], lines[1:]).encode(), number, damage)


def _is_fit(line: Mapping[str, Any], damage: str) -> bool:
    match damage:
        case "argument":
            return "args" in line
        case "outcome":
            return "outcome" in line
        case "player" | "action":
            return "action" in line
        case _:
            return True


@st.composite
def _change(draw: st.DrawFn, line: dict[str, Any], damage: str, word: Any) -> None:
    """Change, remove or add one member of the line."""
    match damage:
        case "argument" if line.get("args"):
            _nudge(draw, line["args"], draw(st.sampled_from(sorted(line["args"]))), word)
        case "outcome" | "player" | "action" if damage in line:
            _nudge(draw, line, damage, word)
        case _:
            name = draw(st.sampled_from([*line, "note", "claim", "via", "args", "player", "outcome", "colour"]))
            if name in line and draw(st.booleans()):
                del line[name]
            else:
                line[name] = word


def _nudge(draw: st.DrawFn, holder: dict[str, Any], name: str, word: Any) -> None:
    """Return another value, arbitrary or near to it."""
    held = holder[name]
    if isinstance(held, int) and draw(st.booleans()):
        holder[name] = held + draw(st.sampled_from([-1, 1]))
    elif isinstance(held, dict) and held and draw(st.booleans()):
        _nudge(draw, held, draw(st.sampled_from(sorted(held))), word)
    else:
        holder[name] = word


@st.composite
def _damaged_text(draw: st.DrawFn, play: Play, lines: list[dict[str, Any]], number: int, damage: str) -> Case:
    """Replace, remove or double a byte of the line, swap it with the next, or truncate the file at it."""
    rows = write_log(lines[0], lines[1:]).encode().splitlines(keepends=True)
    row = rows[number]
    at = draw(st.integers(0, len(row) - 1))
    if damage == "truncate":
        return Case(play, b"".join(rows[:number]) + row[:at], number, damage)
    byte = bytes([draw(st.integers(0, 255))])
    length = 2 if damage == "bytes swapped" else 1
    old = row[at : at + length]
    new = {"byte": byte, "byte dropped": b"", "byte doubled": 2 * old, "bytes swapped": old[::-1]}[damage]
    rows[number] = row[:at] + new + row[at + length :]
    return Case(play, b"".join(rows), number, damage)


# ---- the second judge -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of the second judge.

    Attributes:
        good: the number of events that can be played.
        blamed: the line of the first event that cannot be played, from 1; None if all can.
    """

    good: int
    blamed: int | None


def judge(case: Case, left_out: Sequence[LeftOut] = ()) -> Judgement:
    """Judge a log. left_out: lines to insert into the log, each before the line that it names."""
    engine, state, good = case.play.engine, case.play.engine.start(), 0
    rows = list(enumerate(case.text.split(b"\n"), start=1))[1:]
    more = [(each.span.line, each.line.encode()) for each in left_out]
    for number, row in sorted([*more, *rows], key=itemgetter(0)):
        if not row.strip():
            continue
        event = event_of(engine, row)
        if event is None or not _is_played(engine, state, event, look=number == case.first + 1):
            return Judgement(good, number)
        good += 1
    return Judgement(good, None)


def prefix(tier: TierQueries, case: Case) -> int:
    """Return how many events of the log a tier plays: the unchanged ones before the damage, and a few after it."""
    rows = [row for row in case.text.split(b"\n")[1:] if row.strip()]
    good = case.first - 1
    state = tier.taken(case.play.engine.to_reference(case.play.states[good]))
    for row in rows[good : good + MOST_AFTER]:
        event = event_of(case.play.engine, row)
        if event is None or not tier.is_legal(state, event):
            break
        state, good = tier.apply(state, event), good + 1
    return good


def _is_played(engine: Engine, state: State, event: Event, look: bool) -> bool:
    """Play the event, if possible. look: assert that the engine's list of possible events agrees."""
    try:
        listed = event in options_of(engine, state) if look else None
        played = engine.advance(state, event) is None
    except SpecFault:
        return False
    assert listed in (None, played)
    return played


def event_of(engine: Engine, row: bytes) -> Event | None:
    """Return the event of the line; None if the line is not exactly an event."""
    try:
        line = json.loads(row.decode("utf-8"), object_pairs_hook=_members)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or "claim" in line or not isinstance(line.pop("note", ""), str):
        return None
    return _move_of(engine, line) if "action" in line else _chance_of(engine, line)


def _members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(members)) < len(members):
        raise ValueError("a repeated member")
    return dict(members)


def _move_of(engine: Engine, line: dict[str, Any]) -> Event | None:
    if not line.keys() <= {"player", "action", "args"} or not isinstance(line["action"], str):
        return None
    signature = engine.game.moves.get(line["action"])
    player, stated = line.get("player"), line.get("args", {})
    if type(player) is str and player.isdecimal():
        player = int(player)
    if type(player) is not int or not isinstance(stated, dict) or not (signature or line["action"] == "decline"):
        return None
    types = {name: type_ for name, type_, _ in signature.arguments} if signature else {}
    if stated.keys() != types.keys():
        return None
    values = {name: from_json(type_, stated[name]) for name, type_ in types.items()}
    if any(isinstance(value, JsonFault) for value in values.values()):
        return None
    return Move(player - 1, line["action"], tuple(values.items()))


def _chance_of(engine: Engine, line: dict[str, Any]) -> Event | None:
    path = line.get("chance")
    if line.keys() != {"chance", "outcome"} or not isinstance(path, str) or path not in engine.game.chances:
        return None
    outcome: t.Value = from_json(engine.game.chances[path].outcome, line["outcome"])
    return None if isinstance(outcome, JsonFault) else ChanceEvent(path, outcome)


# ---- the property ---------------------------------------------------------------------------------------------------


def errors_of(report: Report) -> list[Diagnostic]:
    return [finding for finding in report.findings if finding.is_error]


@pytest.fixture(scope="session")
def some_tables(play_seed: int, is_long: bool) -> Sequence[Table]:
    """Some of all tables in a run that is not long: each table needs engines, for all options."""
    return TABLES if is_long else random.Random(play_seed).sample(TABLES, SOME)


@cases(1000)
@given(data=st.data())
def test_a_damaged_event_is_refused_or_provably_legal(some_tables: Sequence[Table], data: st.DataObject) -> None:
    case = data.draw(damaged((*6 * tuple(some_tables), *EVENTFUL)))
    report = VALIDATOR.validate(parse_log(case.text, "damaged.jsonl"))
    judgement = judge(case, report.left_out)
    assert [plain for finding in report.findings for plain in plain_texts(finding)] == [], (
        "every message must exist in every language"
    )
    assert report.replayed == judgement.good - len(report.left_out), (
        "the validator must replay the events that the judge replays"
    )
    assert judgement.good >= case.first - 1, "the judge must not blame a line before the damage"
    if judgement.blamed is None:
        assert errors_of(report) == []
        assert report.verdict is Verdict.LEGAL
        return
    first = errors_of(report)[0]
    assert first.span.line == judgement.blamed
    assert report.stopped_at is not None
    assert report.stopped_at.line == judgement.blamed
    assert report.verdict in (Verdict.FINDINGS, Verdict.UNREADABLE)
    assert first.message
    json.dumps(report_to_json(report), ensure_ascii=False).encode()
    if first.legal:
        rows = [*case.text.split(b"\n")[: judgement.blamed - 1], first.legal[0].encode()]
        mended = VALIDATOR.validate(parse_log(b"\n".join(rows), "mended.jsonl"))
        assert mended.replayed == report.replayed + 1, "the suggested line must be legal"


@pytest.mark.drawn(5)
@pytest.mark.parametrize("table", (*TABLES, *EVENTFUL), ids=str)
def test_damage_is_judged_alike_in_each_tier(
    table: Table, tiers: Mapping[str, Callable[[Game], TierQueries]], is_long: bool
) -> None:
    engines = [made(engine_of(table).game) for made in tiers.values()]

    @settings(max_examples=100 if is_long else 4, database=None)
    @given(damaged((table,)))
    def judged(case: Case) -> None:
        good = min(judge(case).good, case.first - 1 + MOST_AFTER)
        assert [prefix(engine, case) for engine in engines] == [good] * len(engines)

    judged()


def test_the_judge_accepts_undamaged_logs(some_tables: Sequence[Table]) -> None:
    for table in (*some_tables, *SAMPLES):
        play = legal_play(table, 0)
        lines = lines_of(play)
        whole = Case(play, write_log(lines[0], lines[1:]).encode(), 1, "none")
        assert judge(whole) == Judgement(len(play.events), None)


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_kind_of_damage_has_refused_and_legal_cases(kind: str) -> None:
    """Every kind is refused somewhere, and some kinds leave a log legal."""
    met: set[bool] = set()

    @settings(max_examples=100, derandomize=True, database=None)
    @given(damaged((*6 * QUICK, *EVENTFUL), (kind,)))
    def meet(case: Case) -> None:
        met.add(judge(case).blamed is None)

    meet()
    assert False in met, "no damage of this kind was refused"
    assert True in met or kind not in ("swap", "outcome"), "no damage of this kind left a log legal"


@pytest.mark.drawn(9)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_log_without_one_event_is_judged_as_it_plays(
    table: Table, play_seed: int, rng: random.Random, is_long: bool
) -> None:
    """Each event is removed in turn, in a play of every game: Hypothesis might not draw this kind of damage."""
    play = seeded(table, play_seed, 40)
    rows = [write_line(line).encode() for line in lines_of(play)]
    numbers = range(1, len(rows))
    for number in numbers if is_long else rng.sample(numbers, min(2, len(numbers))):
        case = Case(play, b"\n".join(rows[:number] + rows[number + 1 :]), number, "drop")
        report = VALIDATOR.validate(parse_log(case.text, "damaged.jsonl"))
        judgement = judge(case, report.left_out)
        assert report.replayed == judgement.good - len(report.left_out)
        assert [error.span.line for error in errors_of(report)][:1] == [judgement.blamed] * bool(judgement.blamed)
