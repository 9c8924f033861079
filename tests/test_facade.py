"""The public API: `import ludex` offers every public name, to programs and to type checkers."""

from __future__ import annotations

import copy
import io
import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest

import ludex
from ludex import spec
from ludex.interpreter import Simulation

from .cli.running import ludex as ludex_command

ROOT = Path(__file__).parents[1]
STATE_ONLY = (
    "awaits", "is_terminal", "to_move", "legal_moves", "chance", "chance_for", "offered", "scores", "returns",
    "winners", "public_view", "state_to_json",
)  # fmt: skip
FULL = "spec/games/tic_tac_toe/logs/full.jsonl"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", ludex.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(ludex, name) is not None
    assert name in dir(ludex)


PAGE = (ROOT / "docs/python-api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("heads", "names"),
    [
        (("function", "class"), sorted(ludex.__all__)),
        (("method of `Engine`",), sorted(name for name in dir(ludex.Engine) if not name.startswith("_"))),
        (
            ("method of `State`",),
            sorted(name for name, of in vars(ludex.State).items() if name[0] != "_" and callable(of)),
        ),
    ],
    ids=["ludex", "Engine", "State"],
)
def test_the_page_has_one_row_for_every_name(heads: tuple[str, ...], names: list[str]) -> None:
    tables = [re.search(rf"^\| {re.escape(head)} \| \|\n(.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE) for head in heads]
    rows = [row.split(" | ")[0] for table in tables if table for row in table[1].splitlines()]
    assert sorted(re.findall(r"`(\w+)`", "\n".join(rows))) == names, "add a row to docs/python-api.md"


def test_unknown_names_raise_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(ludex, "no_such_name")  # noqa: B009 - type checkers know that there is none


def test_load_raises_with_the_report() -> None:
    with pytest.raises(ludex.Failure) as caught:
        ludex.load("pig", players=99)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code.name == "bad-setting"


def test_a_log_is_a_path_or_a_text() -> None:
    text = Path(FULL).read_text(encoding="utf-8")
    by_path, by_text = ludex.judge(FULL), ludex.judge(text)
    assert by_path.verdict is by_text.verdict is ludex.Verdict.LEGAL
    assert ludex.judge(Path(FULL)).replayed == by_text.replayed
    assert ludex.judge(text.splitlines()[0]).events == 0, "a single line is taken as a text if it begins with a bracket"
    missing = ludex.judge("no such file")
    assert (missing.verdict, missing.findings[0].code.name) == (ludex.Verdict.UNREADABLE, "missing-file")


def test_replay_stops_where_asked() -> None:
    play = ludex.replay(FULL, until=2)
    assert play.engine is not None
    assert play.state is not None
    assert len(play.events) == 2
    state = play.engine.start()
    for event in play.events:
        state = play.engine.apply(state, event)
    assert state == play.state


def test_replay_of_an_unreadable_log_raises() -> None:
    play = ludex.replay("{}")
    assert play.engine is None
    assert play.state is None
    assert play.report.verdict is ludex.Verdict.UNREADABLE


def test_check_returns_the_findings_of_the_command() -> None:
    assert ludex.check("tic_tac_toe") == ()
    assert [diagnostic.code.name for diagnostic in ludex.check("halma")] == ["unknown-game"]
    assert ludex.check("tests/spec/samples/T201/bad.ludex")[0].code.code == "T201"


# ---- states as texts


def test_a_picture_equals_the_output_of_show() -> None:
    play = ludex.replay(FULL)
    assert play.engine is not None
    assert play.state is not None
    names = ("Anna", "Boris")
    picture = ludex.picture(play.engine, play.state, names=play.report.header.names if play.report.header else names)
    assert picture in ludex_command("show", FULL).output
    narrow = ludex.picture(ludex.load("boreal"), ludex.load("boreal").start(), width=40)
    assert narrow != ludex.picture(ludex.load("boreal"), ludex.load("boreal").start(), width=120)


def test_pictures_and_texts_hide_hidden_information() -> None:
    engine = ludex.load("kuhn_poker")
    state = engine.start()
    for _ in range(2):
        state = engine.apply(state, engine.chance(state)[0][0])
    assert "jack" in ludex.picture(engine, state)
    assert "jack" not in ludex.picture(engine, state, 1)
    assert "queen" in ludex.picture(engine, state, 1)
    assert str(state).splitlines()[:3] == ["deck: ?", "card(seat(1)): jack", "card(seat(2)): queen"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"player": 2}, "seat from 0 to 1"),
        ({"names": ("Anna",)}, "1 names for 2 players"),
        ({"language": "xx"}, "no words in 'xx'; it has en, ru, he"),
    ],
)
def test_a_picture_that_cannot_be_drawn_raises(arguments: dict[str, Any], says: str) -> None:
    engine = ludex.load("kuhn_poker")
    with pytest.raises(ValueError, match=re.escape(says)):
        ludex.picture(engine, engine.start(), **arguments)


# ---- random games as rows


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "goofspiel"])
def test_rows_describe_the_same_plays_as_the_command(name: str) -> None:
    rows = list(ludex.simulate(name, games=3, seed=5, first=2, events=True))
    simulation = Simulation(ludex.load(name).game, long=False)
    for number, row in enumerate(rows, start=2):
        game = simulation.play(ludex.Generator(5, number))
        assert game.outcome is not None
        assert (row.number, row.events, row.decisions, row.scores) == (number, game.events, game.moves, game.scores)
        assert row.winners == tuple(sorted(seat + 1 for seat in game.outcome.winners))
        replayed = ludex.replay(game.log)
        assert replayed.engine is not None
        assert [turn.text for turn in row.turns] == [
            ludex.notation(replayed.engine.game, each) for each in replayed.events
        ]
        assert sum(turn.choices for turn in row.turns if turn.player) == game.choices


def test_rows_are_plain_values() -> None:
    [row] = ludex.simulate(ludex.load("pig", players=3), games=1, events=True)
    assert json.loads(json.dumps(row.as_dict())) == row.as_dict()
    assert [each for each in row.flat_dict() if each.startswith("score")] == ["score_1", "score_2", "score_3"]
    assert not any(isinstance(value, list | tuple) for value in row.flat_dict().values())
    events = list(row.event_dicts())
    assert len(events) == row.events
    assert {(each["number"], each["action"], each["player"] is None) for each in events} >= {(1, "roll", False)}
    assert not next(ludex.simulate("pig", 1)).turns


def test_a_policy_picks_the_moves() -> None:
    [row] = ludex.simulate("tic_tac_toe", 1, policy=lambda _, moves: moves[0])
    assert (row.winners, row.events) == ((1,), 7)


@pytest.mark.parametrize(("argument", "fault"), [("games", -1), ("seed", 2**64), ("first", -1)])
def test_a_run_that_cannot_be_played_raises(argument: str, fault: int) -> None:
    with pytest.raises(ValueError, match=argument):
        ludex.simulate("pig", **{argument: fault})  # type: ignore[arg-type]
    with pytest.raises(ludex.Failure):
        ludex.simulate("no_such_game")


# ---- games and engines given, kept, copied


OWN = """\
game own_row
  title: en "Row"
  players: 2
  convention: "made for this test"

state taken(1..3): Player? = none

action take
  choose n in 1..3
  require free: taken(n) is empty
  mark: taken(n) := me

play
  turns: repeat
    each player in seats
      take
  until every n in 1..3 has taken(n) is not empty

score none: 0

winner
  most: highest total(me)
"""
OWN_LOG = """\
{"ludex": 1, "game": "own_row", "players": 2}
{"player": 1, "action": "take", "args": {"n": 2}}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own_row.ludex"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_a_log_without_a_game_belongs_to_the_given_game(own: Path) -> None:
    assert [each.code.name for each in ludex.judge(OWN_LOG).findings] == ["log-unknown-game"]
    engine = ludex.load(own)
    for game in (own, str(own), engine):
        assert ludex.judge(OWN_LOG, game=game).verdict is ludex.Verdict.LEGAL
    play = ludex.replay(OWN_LOG, game=engine)
    assert play.engine is engine
    assert play.state is not None
    assert engine.cell(play.state, "taken", (2,)) == 0


def test_an_engine_judges_logs_of_its_own_table_only() -> None:
    four = ludex.load("pig", players=4)
    two = '{"ludex": 1, "game": "pig", "players": 2}'
    play = ludex.replay(two, game=four)
    assert play.engine is not None
    assert play.engine is not four
    assert play.engine.game.players == 2
    assert ludex.replay(two.replace("2}", "4}"), game=four).engine is four


@pytest.mark.parametrize("named", ["tic_tac_toe", "nobody_knows", "spec/games/pig"])
def test_an_engine_judges_logs_of_its_own_game_only(named: str) -> None:
    log = f'{{"ludex": 1, "game": "{named}", "players": 2}}'
    play = ludex.replay(log, game=ludex.load("othello"))
    assert play.engine is None
    [finding] = play.report.findings
    assert (finding.code.name, finding.pointer, finding.span.line) == ("log-unknown-game", "/game", 1)
    assert finding.message == f"the log names the game {named!r}; the engine given plays 'othello'"


@pytest.mark.parametrize("game", ["othello", "spec/games/othello", Path("spec/games/othello")])
def test_a_log_of_another_game_is_a_finding(game: str | Path) -> None:
    play = ludex.replay(FULL, game=game)
    assert play.engine is None
    [finding] = play.report.findings
    assert (finding.code.name, finding.pointer) == ("log-unknown-game", "/game")
    assert finding.message == "the log names the game 'tic_tac_toe'; the game given is 'othello'"
    assert ludex.judge(FULL, game="tic_tac_toe").verdict is ludex.Verdict.LEGAL


def test_an_engine_judges_logs_that_give_its_game_as_a_path(own: Path) -> None:
    engine = ludex.load(own)
    assert ludex.replay(OWN_LOG.replace('"own_row"', f'"{own}"'), game=engine).engine is engine


def test_an_engine_of_another_table_is_refused_for_games_from_a_folder_too(own: Path) -> None:
    [finding] = ludex.judge(OWN_LOG.replace('"players": 2', '"players": 3'), game=ludex.load(own)).findings[:1]
    assert "at a different table" in finding.message


def test_loaded_games_are_cached_until_their_files_change(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    load = spec.load

    def counted(*given: Any, **settings: Any) -> Any:
        read.append(given)
        return load(*given, **settings)

    monkeypatch.setattr(spec, "load", counted)
    first = ludex.replay(OWN_LOG, game=own)
    assert ludex.replay(OWN_LOG, game=own).engine is first.engine, "the game must be compiled once"
    times = len(read)
    assert ludex.judge(OWN_LOG, game=own).verdict is ludex.Verdict.LEGAL
    assert len(read) == times, "the files must be read once"
    own.write_text(OWN.replace("is empty", "is not empty"), encoding="utf-8")
    assert ludex.judge(OWN_LOG, game=own).verdict is ludex.Verdict.FINDINGS, "changed files must be read again"


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "boreal"])
def test_engines_and_states_are_copied_and_pickled(name: str) -> None:
    engine = ludex.load(name)
    state = engine.start()
    for turn in islice(ludex.playout(engine, ludex.Generator(4)), 3):
        engine.advance(state, turn.event)
    again, same = pickle.loads(pickle.dumps((engine, state)))  # noqa: S301 - our own
    assert (again.game, same) == (engine.game, state)
    assert (again.legal_moves(same), again.chance(same)) == (engine.legal_moves(state), engine.chance(state))
    assert copy.copy(engine) is copy.deepcopy(engine) is engine
    for other in (copy.copy(state), copy.deepcopy(state)):
        assert other == state
        before, turn = state.clone(), next(ludex.playout(engine, ludex.Generator(1), state=other))
        assert turn.choices
        assert state == before != other, "an event applied to a copy must not change the original"


@pytest.mark.parametrize("name", ["tic_tac_toe", "boreal", "bora_bora"])
def test_reprs_are_short(name: str) -> None:
    engine = ludex.load(name)
    assert re.fullmatch(rf"<Engine of {name}, edition \w+, \d players>", repr(engine))
    assert re.fullmatch(r"<State: .*; waits at \d+>", repr(engine.start()))
    assert len(repr(engine.start())) < 200


# ---- wrong arguments

POKER = ludex.load("kuhn_poker")
HERE = POKER.start()
DEAL = POKER.chance(HERE)[0][0]
PUBLIC: list[tuple[str, Callable[..., object], tuple[object, ...]]] = [
    *((name, getattr(POKER, name), (HERE,)) for name in STATE_ONLY),
    *((name, getattr(POKER, name), (HERE, DEAL)) for name in ("refusal", "apply", "advance")),
    ("legal_moves", POKER.legal_moves, (HERE, 0)),
    ("observe", POKER.observe, (HERE, 0)),
    ("cell", POKER.cell, (HERE, "card", (0,))),
    ("view_of_event", POKER.view_of_event, (HERE, DEAL, 0)),
    ("is_offered", POKER.is_offered, (HERE, ludex.Move(0, "bet"))),
    ("nearest_legal", POKER.nearest_legal, (HERE, ludex.Move(0, "bet"))),
    ("notation", ludex.notation, (POKER.game, DEAL)),
    ("parse_event", ludex.parse_event, (POKER.game, "1: bet")),
    ("line_of", ludex.line_of, (POKER.game, DEAL)),
    ("header_of", ludex.header_of, (POKER.game,)),
    ("log_schema", ludex.log_schema, (POKER.game,)),
    ("perft", ludex.perft, (POKER, HERE, 1)),
    ("playout", ludex.playout, (POKER, ludex.Generator(1))),
    ("load", ludex.load, ("pig",)),
    ("check", ludex.check, ("pig",)),
    ("judge", ludex.judge, (FULL,)),
    ("replay", ludex.replay, (FULL,)),
    ("write_log", ludex.write_log, ({}, [])),
]


@pytest.mark.parametrize(("name", "function", "good"), PUBLIC, ids=[name for name, _, _ in PUBLIC])
@pytest.mark.parametrize("wrong", [object(), 3.5])
def test_a_wrong_kind_of_argument_is_a_type_error(
    name: str, function: Callable[..., object], good: tuple[object, ...], wrong: object
) -> None:
    good = tuple(each.clone() if isinstance(each, ludex.State) else each for each in good)
    function(*good)
    for at in range(min(len(good), 2)):
        if (name, at) != ("cell", 1):
            with pytest.raises(TypeError, match="must be"):
                function(*good[:at], wrong, *good[at + 1 :])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: POKER.observe(HERE, 2), "seat from 0 to 1, not 2"),
        (lambda: POKER.legal_moves(HERE, -1), "seat from 0 to 1, not -1"),
        (lambda: POKER.view_of_event(HERE, DEAL, 9), "seat from 0 to 1, not 9"),
        (lambda: POKER.cell(HERE, "cart", (0,)), "did you mean `card`"),
        (lambda: POKER.cell(HERE, "card"), "has the indices \\(Player\\)"),
        (lambda: POKER.cell(HERE, "card", (7,)), "has the indices \\(Player\\)"),
        (lambda: POKER.state_from_json({}), "a state has"),
        (lambda: ludex.perft(POKER, HERE, -1), "0 or more"),
        (lambda: ludex.replay(FULL, until=-1), "0 or more"),
        (lambda: POKER.nearest_legal(HERE, ludex.Move(0, "bet"), limit=-1), "`limit` must be 0 or more"),
        (lambda: ludex.line_of(POKER.game, ludex.Move(1, "bet"), ("Anna",)), "1 names for 2 players"),
        (lambda: ludex.header_of(POKER.game, ("Anna",)), "1 names for 2 players"),
        (lambda: ludex.line_of(POKER.game, ludex.Move(0, "fold", (("x", 1),))), "kuhn_poker has no"),
        (lambda: ludex.line_of(POKER.game, ludex.ChanceEvent("nowhere", 1)), "kuhn_poker has no"),
    ],
)
def test_an_impossible_value_is_a_value_error(call: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


DEEP: Any = ()
for _ in range(100_000):
    DEEP = (DEEP,)


class Unwritten:
    def __repr__(self) -> str:
        raise RuntimeError("the message is empty")


@pytest.mark.parametrize("wrong", [10**5000, DEEP, Unwritten(), "x" * 10**6], ids=["huge", "deep", "unwritten", "long"])
@pytest.mark.parametrize(
    "call",
    [
        POKER.legal_moves,
        lambda given: POKER.observe(HERE, given),
        lambda given: POKER.cell(HERE, "card", (given,)),
        POKER.is_chance,
        lambda given: POKER.move_of(given, 0),
        lambda given: ludex.load("pig", players=given),
        lambda given: ludex.load("pig", options={"passing": given}),
        lambda given: ludex.Budget(work=given),
        ludex.Generator,
        lambda given: list(ludex.simulate("pig", games=given)),
        lambda given: ludex.picture(POKER, HERE, language=given),
        lambda given: list(ludex.judge_many(cast(Any, [(given, given, given)]))),
    ],
)
def test_arguments_that_cannot_be_printed_are_reported_by_their_type(call: Callable[[Any], object], wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError, ludex.Failure)) as caught:
        call(wrong)
    assert 20 < len(str(caught.value)) < 300


ROW = ludex.load("tic_tac_toe")
FAST = (
    "is_chance", "is_together", "statement", "frames", "key", "to_reference", "check_game", "legal_ids", "mask",
)  # fmt: skip


@pytest.mark.parametrize("method", FAST)
def test_fast_methods_refuse_anything_but_states_of_their_game(method: str) -> None:
    with pytest.raises(TypeError, match="`state` must be State"):
        getattr(ROW, method)(None)
    with pytest.raises(ValueError, match="`state` is of kuhn_poker"):
        getattr(ROW, method)(HERE)
    with pytest.raises(ValueError, match="`state` has 0 cells"):
        getattr(ROW, method)(ludex.State([]))


FREE = ludex.Move(0, "claim", (("cell", 0),))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: ROW.legal_ids(ROW.start(), 9), ValueError, "seat from 0 to 1, not 9"),
        (lambda: ROW.move_of(99, 0), ValueError, "no move has the number 99"),
        (lambda: ROW.move_of(1, 7), ValueError, "seat from 0 to 1, not 7"),
        (lambda: ROW.advance_id(ROW.start(), -1), ValueError, "no move has the number -1"),
        (lambda: ROW.outcomes(ROW.start()), ValueError, "awaits no chance event"),
        (lambda: ROW.come_out(ROW.start(), 0), ValueError, "awaits no chance event"),
        (lambda: ROW.view_of_event(ROW.start(), DEAL, 0), ValueError, "awaits no chance event"),
        (lambda: ROW.state_id(ROW.start(), 0, 1), ValueError, "unseen by each other"),
        (lambda: POKER.advance_id(POKER.start(), 1), ValueError, "awaits no move"),
        (lambda: ROW.judge([cast(Any, "claim")]), TypeError, "`event` must be Move"),
        (lambda: ROW.judge(cast(Any, 5)), TypeError, "`events` must be"),
        (lambda: ROW.start(cast(Any, True)), TypeError, "`trace` must be"),
        (lambda: ROW.apply(ROW.start(), FREE, cast(Any, 1)), TypeError, "`trace` must be"),
        (lambda: ROW.from_reference(cast(Any, ROW.start())), TypeError, "`state` must be"),
        (lambda: ludex.Move(0, "claim", cast(Any, ((["cell"], 0),))), TypeError, "`arguments` must be"),
        (lambda: ludex.ChanceEvent(cast(Any, []), 0), TypeError, "`path` must be"),
        (lambda: ludex.perft(ROW, ROW.start(), True), TypeError, "`depth` must be"),
        (lambda: ludex.Generator(1).below(cast(Any, float("inf"))), TypeError, "`end` must be"),
        (lambda: ludex.Generator(1).choice([]), ValueError, "`items` must be"),
        (lambda: ludex.Generator(1).weighted([0, 0]), ValueError, "`weights` must add up"),
        (lambda: ludex.Budget(depth=10**30), ValueError, "from 1 to 10\\^15"),
        (lambda: ludex.load("pig", options=cast(Any, {1: True})), TypeError, "by name, not by 1"),
        (lambda: ludex.load("pig", players=10**30), ValueError, "`players`"),
        (lambda: ludex.line_of(ROW.game, ludex.Move(-1, "claim", FREE.arguments)), ValueError, "seat from 0 to 1"),
        (
            lambda: ludex.line_of(ROW.game, ludex.Move(0, "claim", (("cell", 99),))),
            ValueError,
            "does not have the value 99",
        ),
        (lambda: ludex.line_of(ROW.game, FREE, "ab"), TypeError, "`names` must be"),
        (lambda: ludex.notation(ROW.game, FREE, cast(Any, (b"a", b"b"))), TypeError, "`names` must be"),
        (lambda: ludex.parse_event(ROW.game, "x", cast(Any, 5)), TypeError, "`names` must be"),
        (lambda: ludex.parse_event(ROW.game, "x", ("Anna", "Anna")), ValueError, "`names` must differ"),
        (lambda: ludex.log_schema(ROW.game, ("Anna",)), ValueError, "1 names for 2 players"),
        (lambda: ludex.log_schema(ROW.game, language="xx"), ValueError, "no words in 'xx'"),
        (lambda: ludex.header_of(ROW.game, ("Anna", "Anna")), ValueError, "/players/1"),
        (lambda: ludex.header_of(ROW.game, ("Anna", " ")), ValueError, "/players/1"),
        (lambda: ludex.header_of(ROW.game, note=cast(Any, 5)), TypeError, "`note` must be"),
        (lambda: ludex.write_log({}, cast(Any, ["x"])), TypeError, "`events` must be"),
        (lambda: ludex.write_log({}, [{"a": float("nan")}]), ValueError, "JSON cannot hold line 2"),
        (lambda: ludex.write_log({}, [{"a": cast(Any, b"x")}]), ValueError, "JSON cannot hold line 2"),
        (lambda: ludex.replay(FULL, until=-(10**5000)), ValueError, "`until` has to be 0 or more, not a int"),
        (lambda: list(ludex.judge_many(cast(Any, [5]))), TypeError, "each of `logs` must be"),
        (lambda: ludex.judge_many([], language="xx"), ValueError, "no messages are in 'xx'; they are in en"),
        (lambda: ludex.judge_many([], language=cast(Any, 5)), TypeError, "`language` must be"),
        (lambda: ludex.judge_many(cast(Any, {"a": "{}"})), TypeError, "`logs` must not be a mapping"),
        (lambda: list(ludex.judge_many(cast(Any, [b"x"]))), TypeError, "each of `logs` must be"),
        (lambda: list(ludex.judge_many(cast(Any, [("a",)]))), TypeError, "each of `logs` must be"),
        (lambda: list(ludex.judge_many(cast(Any, [("a", None)]))), TypeError, "each of `logs` must be"),
        (lambda: list(ludex.simulate("pig", 1, policy=cast(Any, 5))), TypeError, "`policy` must be"),
        (lambda: ludex.Playout(ROW, ludex.Generator(1), cast(Any, 5)), TypeError, "`policy` must be"),
        (lambda: ludex.Playout(cast(Any, ROW.game), ludex.Generator(1)), TypeError, "`engine` must be"),
        (lambda: ludex.Engine(ROW.game, cast(Any, 5)), TypeError, "`limits` must be"),
        (lambda: ludex.Native(cast(Any, ROW)), TypeError, "`game` must be"),
        (lambda: list(ludex.simulate("tic_tac_toe", 1, policy=cast(Any, lambda _, __: None))), ValueError, "`policy`"),
        (lambda: list(ludex.simulate("tic_tac_toe", 1, policy=lambda _, __: FREE)), ValueError, "`policy`"),
    ],
)
def test_every_argument_is_checked(call: Callable[[], object], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_written_logs_can_be_encoded() -> None:
    text = ludex.write_log({"note": "\ud800"}, [])
    assert json.loads(text.encode()) == {"note": "\ud800"}


def test_threads_judge_alike_and_restore_the_recursion_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread has its own games and engines: an engine counts the work of one play at a time."""
    from ludex import api

    monkeypatch.setattr(api, "_CACHES", api._Caches())
    before, interval = sys.getrecursionlimit(), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    logs = ["spec/games/nim/logs", "tests/games/bad_logs/nim", "tests/games/bad_logs/pig"]
    try:
        with ThreadPoolExecutor(3) as pool:
            results = list(pool.map(lambda _: list(ludex.judge_many(logs)), range(3)))
    finally:
        sys.setswitchinterval(interval)
    assert results == [list(ludex.judge_many(logs))] * 3
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("part", ["work", "game", "items", "depth", "factor"])
def test_a_budget_holds_whole_numbers(part: str) -> None:
    make = ludex.Budget().times if part == "factor" else lambda given: ludex.Budget(**{part: given})
    wrong: list[Any] = ["x", 2.5, None, True, 0, -3]
    for given in wrong:
        with pytest.raises(
            ValueError if given in (0, -3) else TypeError, match=f"`{part}` must be a whole number from 1"
        ):
            make(given)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: POKER.cell(HERE, "card", cast(Any, 0)), "indices"),
        (lambda: ludex.Move(0, "bet", cast(Any, None)), "arguments"),
        (lambda: ludex.Move(0, "bet", cast(Any, ((1, 2, 3),))), "arguments"),
        (lambda: ludex.Move(0, "bet", cast(Any, ("n", 3))), "arguments"),
        (lambda: ludex.Move(0, cast(Any, (("n", 3),))), "action"),
        (lambda: ludex.Move(cast(Any, "seat(1)"), "bet"), "player"),
        (lambda: ludex.Engine(cast(Any, POKER)), "game"),
        (lambda: ludex.Engine(cast(Any, "pig")), "game"),
    ],
)
def test_a_wrong_type_is_reported_with_the_argument(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(TypeError, match=f"`{argument}` must be"):
        call()


TINY = ludex.load("othello", budget=ludex.Budget(work=100))


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: POKER.apply(HERE, ludex.Move(0, "bet")), ludex.Refused),
        (lambda: ludex.load("halma"), ludex.Failure),
        (lambda: TINY.legal_moves(TINY.start()), ludex.OverBudget),
    ],
)
def test_exceptions_can_be_pickled(call: Callable[[], object], kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        call()
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert (type(again), vars(again), str(again)) == (kind, vars(caught.value), str(caught.value))


def test_spec_faults_can_be_pickled() -> None:
    fault = ludex.SpecFault("nothing is there", "turn.draw", ludex.Span("a.ludex", 1, 1, 1, 2))
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own
    assert (type(again), vars(again), str(again)) == (ludex.SpecFault, vars(fault), str(fault))


@pytest.mark.parametrize("method", [*STATE_ONLY, "observe", "advance", "refusal", "nearest_legal", "cell"])
def test_a_state_of_another_game_is_a_value_error(method: str) -> None:
    more: tuple[object, ...] = {"observe": (0,), "cell": ("mark", (0,))}.get(method, ())
    more = (ludex.Move(0, "decline"),) if method in {"advance", "refusal", "nearest_legal"} else more
    dealt = POKER.apply(HERE, DEAL)
    for state in (HERE, dealt, copy.deepcopy(dealt), POKER.state_from_json(POKER.state_to_json(dealt))):
        read = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
        for each in (state, read):
            with pytest.raises(ValueError, match=r"`state` is of kuhn_poker, .*; this engine plays tic_tac_toe"):
                getattr(ROW, method)(each, *more)


def test_a_state_of_another_table_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"4 players; this engine plays .* 2 players"):
        ludex.load("pig").observe(ludex.load("pig", players=4).start(), 0)


def test_python_and_json_name_the_same_player() -> None:
    """Seats count from 0 in Python; the JSON form of an observation names players as the language does."""
    state = POKER.start()
    for turn in ludex.playout(POKER, ludex.Generator(3)):
        for seat in range(2):
            seen = POKER.observe(state, seat)
            assert seen["player"] == f"seat({seat + 1})"
            assert seen["to_move"] == [f"seat({each + 1})" for each in POKER.to_move(state)]
        POKER.advance(state, turn.event)


def test_games_lists_the_folder() -> None:
    folders = {path.name for path in (ROOT / "spec/games").iterdir() if path.is_dir()}
    assert set(ludex.games()) <= folders


# ---- many logs --------------------------------------------------------------------------------------------------


def test_the_standard_input_is_judged_where_it_is_first_named(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FULL).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    rows = list(ludex.judge_many(["-", FULL, "-", ("-", text)]))
    assert [(row.file, row.verdict) for row in rows] == [
        ("standard input", "legal"), (FULL, "legal"), ("-", "legal")
    ]  # fmt: skip


def test_many_logs_are_judged_one_at_a_time(tmp_path: Path) -> None:
    text = Path(FULL).read_text(encoding="utf-8")
    (tmp_path / "two.jsonl").write_text(text + text.splitlines()[0] + "\n{}\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no log", encoding="utf-8")
    asked: list[int] = []

    def logs() -> Iterator[str | Path | tuple[str, str | bytes]]:
        given: list[str | Path | tuple[str, str | bytes]]
        given = [FULL, tmp_path, text, ("mine", text), ("bytes", text.encode()), "no such file"]
        for number, log in enumerate(given):
            asked.append(number)
            yield log

    rows = ludex.judge_many(logs())
    assert asked == []
    first = next(rows)
    assert asked == [0], "games must be loaded lazily"
    rest = list(rows)
    assert [(Path(row.file).name, row.number, row.verdict) for row in (first, *rest)] == [
        (Path(FULL).name, 1, "legal"),
        ("two.jsonl", 1, "legal"),
        ("two.jsonl", 2, "findings"),
        ("log", 1, "legal"),
        ("mine", 1, "legal"),
        ("bytes", 1, "legal"),
        ("no such file", 1, "unreadable"),
    ]
    report = ludex.judge(FULL)
    assert report.result
    assert first.scores == tuple(scores.total for scores in report.result.scores)
    assert first.winners == tuple(seat + 1 for seat in report.result.outcome.winners)
    assert "findings" not in first.as_dict()
    [finding] = rest[1].finding_dicts()
    assert (finding["number"], finding["line"], finding["code"]) == (2, len(text.splitlines()) + 2, "L440")
    assert pickle.loads(pickle.dumps(rest)) == rest  # noqa: S301 - as a cluster sends them


def test_many_logs_by_one_game() -> None:
    text = Path(FULL).read_text(encoding="utf-8")
    assert [row.verdict for row in ludex.judge_many([text], game=ludex.load("othello"))] == ["findings"]
    with pytest.raises(TypeError, match="several logs"):
        ludex.judge_many(FULL)
    with pytest.raises(ludex.Failure):
        ludex.judge_many([text], game="no_such_game")


def test_a_game_is_loaded_once_for_all_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex import api

    loads: list[str] = []
    plain = spec.load

    def load(name: str, *args: Any, **settings: Any) -> Any:
        loads.append(name)
        return plain(name, *args, **settings)

    monkeypatch.setattr(spec, "load", load)
    api._CACHES.games.clear()
    text = Path(FULL).read_text(encoding="utf-8")
    for _ in range(2):
        assert all(row.verdict == "legal" for row in ludex.judge_many([text] * 20))
    assert len(loads) == 1


@pytest.mark.parametrize("method", ["refusal", "advance", "apply"])
def test_an_event_that_is_nested_beyond_reason_is_a_value_error(method: str) -> None:
    engine = ludex.load("tic_tac_toe")
    with pytest.raises(ValueError, match="`event` holds values more than 500 levels deep"):
        getattr(engine, method)(engine.start(), ludex.Move(0, "claim", (("cell", DEEP),)))


@pytest.mark.parametrize(
    "table",
    [
        {"options": {"x" * 9_000: 1}},
        {"readings": {"x" * 9_000: "y"}},
        {"readings": {"numbering": "x" * 9_000}},
        {"edition": "x" * 9_000},
        {"silence": "x" * 9_000},
    ],
)
def test_a_long_wrong_setting_is_shortened(table: dict[str, Any]) -> None:
    with pytest.raises(ludex.Failure) as failure:
        ludex.load("boreal", **table)
    assert len(str(failure.value)) < 300


def test_many_logs_are_judged_in_a_language() -> None:
    log = '{"ludex": 1, "game": "pig", "players": 2}\n{"player": 1, "action": "hold"}\n'
    said = {}
    for language in (None, "en", "ru", "he"):
        ((finding, *_),) = (row.findings for row in ludex.judge_many([log], language=language))
        said[language] = finding.message
    assert said == {
        None: "`1: hold` breaks hold.something",
        "en": "`1: hold` breaks hold.something (there is something to bank)",
        "ru": "`1: хватит` нарушает hold.something (есть что записать)",
        "he": "`1: לעצור`: הפרה של hold.something (יש מה לצבור)",
    }
