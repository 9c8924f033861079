"""`ludex play` and `show`: what can be typed, its effect, and what each player sees."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click import UsageError

from ludex.cli.playing.menu import MOST_LISTED, Menu, menu_of, moves_menu
from ludex.cli.playing.session import Session
from ludex.cli.view.observation_text import Viewer
from ludex.interpreter import Engine, Event
from ludex.interpreter.unknowns import following
from ludex.spec import load

from .running import Ran, ludex
from .specs import write


def play(game: str, *typed: str, args: tuple[object, ...] = ()) -> Ran:
    return ludex("play", game, *args, stdin="".join(f"{line}\n" for line in typed))


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_whole_game_is_played_and_its_log_is_legal(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    ran = play("tic_tac_toe", "1", "1", "1", "1", "1", "1", "1", args=("--save", log, "--names", "Anna, Boris"))
    assert ran.code == 0
    assert "The game is over." in ran.output
    assert "Anna wins (winner.line)" in ran.output
    judged = ludex("validate", log)
    assert judged.code == 0
    assert "Anna wins" in judged.output
    assert lines(log)[0]["players"] == ["Anna", "Boris"]


def test_undo_takes_back_the_last_move_and_the_events_after_it() -> None:
    ran = play("pig", "1", "roll", "undo", "log", "quit", args=("--seed", 3))
    before, _, after = ran.output.partition("> undo")
    assert before.count("> ") == 2
    assert after.count("roll.throw") == 1, "one throw must be left"
    assert "stopped after 2 events" in ran.output
    again = play("pig", "1", "roll", "undo", "roll", "quit", args=("--seed", 3)).output
    straight = play("pig", "1", "roll", "quit", args=("--seed", 3)).output
    assert again.splitlines()[-10:] == straight.splitlines()[-10:], "undo must not throw the dice again"


DECK = """\
game deck
  players: 1
  convention: "made up"

type Card = 1..40

zone stock: pile of Card, hidden
zone row: pile of Card, open

setup
  stock:
    fill stock with Card
    shuffle stock

action reveal
  choose why in 1..9
  turn: draw 1 from stock to row

play
  turns: repeat 20 times
    each player in seats
      reveal
"""


def drawn(ran: Ran) -> list[str]:
    return [line for line in ran.output.splitlines() if line.startswith("  reveal.turn = ")]


def test_a_play_without_a_seed_prints_one_that_repeats_it(tmp_path: Path) -> None:
    spec = write(tmp_path, "deck", DECK)
    typed = ("1", "1", "1", "1", "log", "quit")
    ran = play(str(spec), *typed)
    (seed,) = re.findall(r"--seed (\d+) repeats the same draws", ran.output)
    assert drawn(ran), ran.output
    assert drawn(play(str(spec), *typed, args=("--seed", seed))) == drawn(ran)
    assert len({tuple(drawn(play(str(spec), *typed))) for _ in range(4)}) > 1, "each play must have a seed of its own"
    assert "--seed" not in play("tic_tac_toe", "1", "quit").output, "a game without chance must print no seed"


def test_another_move_after_undo_leads_to_another_card(tmp_path: Path) -> None:
    spec = write(tmp_path, "deck", DECK)
    met = {
        tuple(drawn(play(str(spec), "1", "undo", str(why), "log", "quit", args=("--seed", 3)))) for why in range(1, 7)
    }
    assert len(met) > 1, "chance must depend on the moves before it"
    again = play(str(spec), "1", "undo", "1", "log", "quit", args=("--seed", 3))
    assert drawn(again)[-1:] == drawn(play(str(spec), "1", "log", "quit", args=("--seed", 3)))[-1:]


def test_names_do_not_change_chance(tmp_path: Path) -> None:
    spec = str(write(tmp_path, "deck", DECK))
    named = play(spec, "1", "1", "log", "quit", args=("--seed", 3, "--names", "Anna"))
    assert drawn(named) == drawn(play(spec, "1", "1", "log", "quit", args=("--seed", 3))) != []


def test_undo_at_the_start() -> None:
    assert "there is no move to take back" in play("tic_tac_toe", "undo", "quit").output


@pytest.mark.parametrize("typed", ["0", "10", "99999999999999999999", "x", "claim(cell: Cell(9, 9))", ":", "²", "-1"])
def test_a_choice_that_does_not_exist_is_reported(typed: str) -> None:
    ran = play("tic_tac_toe", typed, "quit")
    assert ran.code == 0
    assert "type a number from 1 to 9, or `help`" in ran.output


def test_moves_may_be_typed() -> None:
    ran = play("tic_tac_toe", "CLAIM( cell:Cell(2,2) )", "log", "quit")
    assert "1: claim 2,2" in ran.output


TYPED = """\
game typed
  players: 1
  convention: "made for the tests"

type Piece = knight | king | rook
type Cell = (row: 1..3, col: 1..3)

state n: 0..9 = 0

action place
  choose cell in Cell
  choose piece in Piece
  do: n := 1

action build
  choose cells within {Cell(1, 1), Cell(1, 2), Cell(1, 3)}
  require two: size(cells) = 2
  do: n := 1

action tell
  choose cell in Cell
  choose number in 1..3
  choose loud in Bool
  do: n := 1

play
  once: as seat(1)
    choose place or build or tell
"""


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("place(Cell(1, 1), knight)", "place 1,1 piece knight"),
        ("Cell(1, 1) knight", "place 1,1 piece knight"),
        ("place(1, 1, knight)", "place 1,1 piece knight"),
        ("1 1 knight", "place 1,1 piece knight"),
        ("build(cells: {Cell(1, 2), Cell(1, 1)})", "build {(1,1), (1,2)}"),
        ("build(1 1, 1 2)", "build {(1,1), (1,2)}"),
        ("1 3 1 2", "build {(1,2), (1,3)}"),
        ("1 1 3 true", "tell 1,1 number 3 loud yes"),
        ("tell(cell: Cell(1, 1), number: 3, loud: false)", "tell 1,1 number 3 loud no"),
    ],
)
def test_values_are_typed_in_their_own_words_and_sets_in_any_order(tmp_path: Path, typed: str, move: str) -> None:
    ran = play(str(written(tmp_path, TYPED)), typed, args=("--save", tmp_path / "log.jsonl"))
    assert "The game is over" in ran.output, ran.output
    shown = ludex("show", tmp_path / "log.jsonl", "--game", tmp_path / "typed.ludex").output
    assert shown.startswith(f"typed, after 1 event: 1: {move}\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("knight", "`knight` is not on offer; "),
        ("plce 1 1", "`plce` is not understood; the nearest is `place`; "),
        ("place 1 1 knigt", "`knigt` is not understood after `place 1 1`; the nearest is `knight`; "),
        ("place(4, 1)", "`4` is not on offer after `place`; the nearest is `3`; "),
        ("tell 1 1 3 maybe", "`maybe` is not understood after `tell 1 1 3`; possible: `no` or `yes`; "),
        ("build(1 1, 1 1)", "`1` is not on offer after `build 1 1 1`; the nearest is `2`; "),
        ("place(1, 1, knight, 7)", "nothing is allowed after `place 1 1 knight`, but `7` was typed; "),
        ("99", "`99` is not on offer; "),
        (":", ""),
    ],
)
def test_a_refusal_names_the_wrong_word(tmp_path: Path, typed: str, said: str) -> None:
    ran = play(str(written(tmp_path, TYPED)), typed, "quit")
    assert f"\n{said}type a number from 1 to 3, or `help`" in ran.output


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("lay A♠", ["`lay A♠` is not legal now: A♠ cannot be chosen as `card`", "is not there: my hand = {A♣, "]),
        ("lay A♣", ["`lay A♣` is not legal now: `1: lay A♣` breaks lay.fitting", "suit = hearts"]),
        ("pass", ["`pass` is not legal now: "]),
        ("2: take", ["`2: take` is not legal now: seat(2) is not to move; awaited: seat(1) (lay, take, pass)"]),
    ],
)
def test_a_move_that_is_not_legal_now_is_refused_with_the_reason(typed: str, said: list[str]) -> None:
    """Seed 3 deals A♣ and no A♠ to the first player; 5♥ lies on top."""
    ran = ludex("play", "crazy_eights", "--seed", "3", stdin=f"{typed}\nquit\n")
    assert all(words in ran.output for words in said), ran.output
    assert "is not understood" not in ran.output
    assert "type a number from 1 to 3, or `help`" in ran.output


def test_no_reason_tells_what_another_player_chooses_or_holds() -> None:
    """While both choose, the move of the other is neither refused nor allowed."""
    ran = ludex("play", "goofspiel", "--seed", "3", stdin="2: bid 3\n2: bid 13\n2: bid 13\nquit\n")
    assert "not legal now" not in ran.output


def test_an_outcome_that_is_not_possible_is_refused_with_the_reason() -> None:
    typed = "take.draw = 5♥\nsetup.dealer = 1\nsetup.deal = A♠\nsetup.deal = A♠\nquit\n"
    ran = ludex("play", "crazy_eights", "--chance", "enter", stdin=typed)
    assert "is not legal now: the chance event setup.dealer is awaited, not take.draw" in ran.output
    assert "`setup.deal = A♠` is not legal now: this outcome is not possible here" in ran.output


CALLED_ALIKE = """\
game typed
  players: 1
  convention: "made for the tests"

type Rank = man | king
type Man = (rank: Rank, number: 1..2)
type Cell = (row: 1..2, col: 1..2)

state n: 0..9 = 0

action cell
  choose at in Cell
  do: n := 1

action crown
  choose which in Rank
  do: n := 1

action lay
  choose cell in Cell, what in Man
  do: n := 1

action man
  choose all within {1, 2}
  do: n := 1

action offer
  choose maybe in Rank?
  choose place in Cell?
  do: n := 1

play
  once: as seat(1)
    choose cell or crown or lay or man or offer
"""
"""Records, arguments, actions and values that share their names."""


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("cell", ["cell"]),
        ("cell(at: Cell(1, 2))", ["cell(at: Cell(1, 2))"]),
        ("cell 1 2", ["cell(at: Cell(1, 2))"]),
        ("man", ["man", "crown(which: man)", "offer(maybe: man"]),
        ("king", ["crown(which: king)", "offer(maybe: king"]),
        ("crown", ["crown"]),
        ("crown man", ["crown(which: man)"]),
        ("crown king", ["crown(which: king)"]),
        ("lay(cell: Cell(1, 1), what: Man(man, 1))", ["lay(cell: Cell(1, 1), what: Man(man, 1))"]),
        ("lay cell 1 1 man 1", ["lay(cell: Cell(1, 1), what: Man(man, 1))"]),
        ("lay 1 1 man man 2", ["lay(cell: Cell(1, 1), what: Man(man, 2))"]),
        ("1 1 king 1", ["lay(cell: Cell(1, 1), what: Man(king, 1))"]),
        ("lay 1 1 man", ["lay(cell: Cell(1, 1)"]),
        ("man {}", ["man(all: {})"]),
        ("man(all: { })", ["man(all: {})"]),
        ("man 2 1", ["man(all: {1, 2})", "offer(maybe: man, place: Cell(2, 1))"]),
        ("offer", ["offer"]),
        ("offer -", ["offer"]),
        ("offer none none", ["offer(maybe: none, place: none)"]),
        ("offer man", ["offer(maybe: man"]),
        ("offer man 1 2", ["offer(maybe: man, place: Cell(1, 2))"]),
    ],
)
def test_words_narrow_the_menu_to_the_moves_that_begin_with_them(tmp_path: Path, typed: str, moves: list[str]) -> None:
    engine = Engine(load(str(written(tmp_path, CALLED_ALIKE))))
    viewer = Viewer(engine.game)
    menu = moves_menu(engine.legal_moves(engine.start()), viewer)
    chosen = menu.typed(typed, viewer)
    assert chosen is not None, menu.misread(typed, viewer)
    offered = [viewer.event(way.event) for way in menu.ways]
    assert [viewer.event(way.event) for way in chosen.ways] == [
        each for each in offered if each.startswith(tuple(moves))
    ]


def written(folder: Path, spec: str) -> Path:
    file = folder / "typed.ludex"
    file.write_text(spec, encoding="utf-8")
    return file


def test_enter_takes_the_only_choice() -> None:
    assert "stopped after 2 events" in play("pig", "", "quit").output
    assert "stopped after 0 events" in play("tic_tac_toe", "", "quit").output


@pytest.mark.parametrize(
    ("typed", "answer"),
    (
        ("1-0", "`result resigned Boris` or `result time Boris`"),
        ("1/2-1/2", "write, on a line of its own, `result agreed`"),
        ("resign", "write, on a line of its own, `result resigned Anna`"),
        ("Boris wins", "`result adjudicated; winners Boris`"),
        ("1. a2 a3 a7 a6", "one move is typed at a time, and `a7 a6` is the next one; type `a2 a3` first"),
        ("Anna: a2 a3; claim winners Anna", "`claim` is for logs, and is not typed here"),
        ("gap 3", "`gap` is for logs, and is not typed here"),
    ),
)
def test_what_a_log_may_have_is_refused_with_what_may_be_typed(typed: str, answer: str) -> None:
    ran = play("breakthrough", typed, "quit", args=("--names", "Anna, Boris"))
    assert answer in ran.output
    assert "stopped after 0 events" in ran.output


def test_a_bare_resignation_is_answered_in_the_language_of_the_play() -> None:
    said = [play("breakthrough", "resign", "quit", args=("--lang", tag)).output for tag in ("en", "ru", "he")]
    assert all("result resigned 1" in each for each in said)
    assert "cannot be read here" not in said[1] + said[2]


def test_help_names_every_command() -> None:
    output = play("tic_tac_toe", "help", "quit").output
    for word in ("back", "view", "cards", "log", "undo", "save FILE", "quit"):
        assert f"  {word} " in output


def test_the_end_of_the_input_ends_the_play(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    ran = play("tic_tac_toe", "5", args=("--save", log))
    assert ran.code == 0
    assert f"the input ended after 1 event; the log is in {log}" in ran.output
    assert len(lines(log)) == 2


def test_saving_never_overwrites_another_file(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("precious\n", encoding="utf-8")
    assert play("tic_tac_toe", "quit", args=("--save", other)).code == 3
    mine = tmp_path / "mine.jsonl"
    ran = play("tic_tac_toe", f"save {mine}", "1", f"save {other}", f"save {mine}", "save", "save /no/such/x", "quit")
    assert ran.code == 0
    assert "nothing was played yet, so nothing was written" in ran.output
    assert "exists already" in ran.output
    assert "name the file: `save FILE`" in ran.output
    assert "cannot be written" in ran.output
    assert other.read_text(encoding="utf-8") == "precious\n"
    assert len(lines(mine)) == 2


def test_a_resumed_play_continues_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    play("tic_tac_toe", "1", "1", args=("--save", log, "--names", "Anna,Boris"))
    ran = play("tic_tac_toe", "1", "quit", args=("--resume", log))
    assert "Boris: claim 1,2" in ran.output
    assert len(lines(log)) == 4
    copy = tmp_path / "copy.jsonl"
    play("tic_tac_toe", "1", "quit", args=("--resume", log, "--save", copy))
    assert (len(lines(log)), len(lines(copy))) == (4, 5)
    assert play("pig", args=("--resume", log)).code == 3
    assert play("tic_tac_toe", args=("--resume", tmp_path / "none.jsonl")).code == 2
    torn = tmp_path / "torn.jsonl"
    torn.write_text(log.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert play("tic_tac_toe", args=("--resume", torn)).code == 2
    bad = play("tic_tac_toe", args=("--resume", "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"))
    assert (bad.code, "L460" in bad.output) == (1, True)


BY_HAND = """\
# a game at the club
ludex: 1
game: tic_tac_toe
players: [Anna, Boris]   # both beginners
note: it rained
events:
  - {player: Anna, action: claim, args: {cell: {row: 2, col: 2}}}   # where else
  - player: Boris
    action: claim
    args: {cell: {row: 1, col: 1}}
    note: after a long think
    claim: {terminal: false}
# to be gone on with
"""
BY_PROGRAM = """\
{"ludex": 1, "game": "tic_tac_toe", "players": ["Anna", "Boris"], "note": "it rained"}\r
{"note":   "they begin"}\r
{"player": "Anna", "action": "claim", "args": {"cell": {"row": 2, "col": 2}}, "claim": {"terminal": false}}"""


@pytest.mark.parametrize(("name", "text"), [("log.yaml", BY_HAND), ("log.jsonl", BY_PROGRAM), ("log.txt", BY_HAND)])
def test_resuming_keeps_every_line_of_a_log(tmp_path: Path, name: str, text: str) -> None:
    log = tmp_path / name
    log.write_bytes(text.encode())
    stamp = log.stat().st_mtime_ns
    for typed in ("quit", "save", "undo"):
        assert play("tic_tac_toe", typed, "quit", args=("--resume", log)).code == 0
    assert log.stat().st_mtime_ns == stamp, "a play without a move must write nothing"
    play("tic_tac_toe", "claim(cell: Cell(3, 1))", "quit", args=("--resume", log))
    now = log.read_bytes().decode()
    assert now.startswith(text)
    judged = ludex("validate", log, "--format", "json")
    assert (judged.code, json.loads(judged.output)["logs"][0]["replayed"]) == (0, 1 + text.count("row"))
    play("tic_tac_toe", "claim(cell: Cell(3, 2))", "undo", "quit", args=("--resume", log))
    assert log.read_bytes().decode() == now, "a move that is taken back must leave no line"


def test_only_moves_since_resuming_are_taken_back(tmp_path: Path) -> None:
    log = tmp_path / "log.yaml"
    log.write_text(BY_HAND, encoding="utf-8")
    ran = play("tic_tac_toe", "undo", "1", "undo", "undo", "quit", args=("--resume", log))
    assert ran.output.count(f"there is no move to take back; the moves in {log} are kept") == 2
    assert log.read_text(encoding="utf-8") == BY_HAND


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".jsonl", ".log"])
def test_the_name_of_a_log_decides_its_form(tmp_path: Path, suffix: str) -> None:
    whole, saved = tmp_path / f"whole{suffix}", tmp_path / f"saved{suffix}"
    ran = play("tic_tac_toe", "1", "1", f"save {saved}", "1", "1", "1", "1", "1", args=("--save", whole))
    assert "The game is over." in ran.output
    assert ludex("validate", whole, saved).code == 0
    assert whole.read_text(encoding="utf-8").startswith("ludex: 1\n" if "y" in suffix else '{"ludex": 1')
    assert "terminal" in whole.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "text"), [("log.yaml", BY_HAND), ("log.jsonl", BY_PROGRAM)])
def test_a_log_is_continued_in_another_form(tmp_path: Path, name: str, text: str) -> None:
    log, other = tmp_path / name, tmp_path / ("other.jsonl" if name == "log.yaml" else "other.yaml")
    log.write_bytes(text.encode())
    assert play("tic_tac_toe", "1", "quit", args=("--resume", log, "--save", other)).code == 0
    assert log.read_bytes().decode() == text
    assert ludex("validate", other).code == 0
    for kept in ("it rained", "after a long think" if name == "log.yaml" else "they begin", "terminal"):
        assert kept in other.read_text(encoding="utf-8")


def test_a_log_that_somebody_else_has_changed_is_not_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    session = Session(Engine(load("tic_tac_toe")), (), 0, log)
    first, second = session.engine.legal_moves(session.state)[:2]
    session.take(first)
    log.write_text("precious\n", encoding="utf-8")
    with pytest.raises(UsageError, match="was changed by another program"):
        session.take(second._replace(player=1))
    assert log.read_text(encoding="utf-8") == "precious\n"
    assert len(session.history) == 2, "the move must be played"


def test_a_log_that_cannot_be_extended_is_refused_before_play(tmp_path: Path) -> None:
    log = tmp_path / "log.yaml"
    log.write_text("{ludex: 1, game: pig, players: 2}\n", encoding="utf-8")
    ran = play("pig", "1", "quit", args=("--resume", log))
    assert (ran.code, "no line can be added" in ran.output) == (3, True)
    assert play("pig", "1", "quit", args=("--resume", log, "--save", tmp_path / "new.yaml")).code == 0
    assert play("pig", args=("--resume", "-")).code == 3


def test_many_moves_are_chosen_in_steps() -> None:
    engine = Engine(load("breakthrough"))
    session = Session(engine, (), 0, None)
    viewer = Viewer(engine.game)
    reached = list(reach(moves_menu(engine.legal_moves(session.state), viewer), viewer))
    assert len(engine.legal_moves(session.state)) > MOST_LISTED
    assert sorted(map(str, reached)) == sorted(map(str, engine.legal_moves(session.state)))


def reach(menu: Menu, viewer: Viewer) -> Iterator[Event]:
    """Return every event that a menu leads to, once for each way to it."""
    assert len(menu.items) > 1, "every step must decide something"
    assert len({choice.key for choice in menu.items}) == len(menu.items)
    for choice in menu.items:
        if len(choice.ways) == 1:
            (way,) = choice.ways
            yield way.event
            typed = menu.typed(viewer.event(way.event), viewer)
            assert typed is not None
            assert [each.event for each in typed.ways] == [way.event]
        else:
            yield from reach(menu_of(choice.ways, viewer), viewer)


def test_steps_go_back() -> None:
    ran = play("breakthrough", "1", "back", "2", "quit")
    assert ran.output.count("advance origin column:") == 2


# ---- hidden hands ----------------------------------------------------------------------------------------------


def test_players_see_only_their_own_card() -> None:
    ran = play("kuhn_poker", "jack", "king", "bet", "bet", args=("--chance", "enter", "--names", "Anna,Boris"))
    dealt, _, rest = ran.output.partition("--- for Anna alone ---")
    anna, _, rest = rest.partition("--- for Boris alone ---")
    boris, _, end = rest.partition("  Boris: bet")
    assert "jack" in dealt
    assert "jack" in anna
    assert "king" not in anna
    assert "king" in boris
    assert "jack" not in boris
    assert "Boris wins" in end


def test_without_hidden_information_the_device_is_not_passed_on() -> None:
    assert "alone" not in play("tic_tac_toe", "1", "1", "1").output
    assert "alone" not in play("boreal", "1", "1", "1", "1").output


RECORDS = """\
game records
  players: 2
  convention: "made up"

type Card = (count: 1..2, hidden: Bool)

zone deck: pile of Card, hidden
zone card(Player): one Card, private
state noted(Player): Card = Card(2, true), private

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 1 from deck to my card

play
  words: each player in seats
    choose memo in Card
    note: noted(me) := memo
"""


def test_a_private_record_is_shown_to_its_owner_only(tmp_path: Path) -> None:
    """The parts of a record and the cells of a view both have names, which must not be confused."""
    spec = str(write(tmp_path, "records", RECORDS))
    ran = play(spec, "Card(1, true)", "Card(2, false)", "1", "q", args=("--chance", "enter"))
    assert ran.code == 0
    _, first, second = ran.output.split("--- for seat(")
    rows = [
        [row.split()[:5] for row in page.splitlines() if row.startswith(("card ", "noted "))]
        for page in (first, second)
    ]
    assert rows == [
        [["card", "Card(1,", "true)", "?"], ["noted", "Card(2,", "true)", "?"]],
        [["card", "?", "Card(2,", "false)"], ["noted", "?", "Card(2,", "true)"]],
    ]


BIDS = """\
game bids
  players: 2
  convention: "made up"

state bid(Player): 0..3 = 0

play
  bids: all players
    choose n in 1..3
    bid(me) := n

score bid: my bid

winner
  most: highest total(me)
  tie: share
"""


def test_simultaneous_choices_are_hidden_until_all_are_made(tmp_path: Path) -> None:
    ran = play(str(write(tmp_path, "bids", BIDS)), "3", "log", "1")
    _, first, second = ran.output.split("--- for seat(")
    assert first.startswith("1) alone ---")
    assert second.startswith("2) alone ---")
    before = second[: second.index("The game is over.")]
    assert "1: ?" in before
    assert "n: 3" not in before.replace("play.bids(n: 3)\n> ", "")
    assert "seat(1) wins" in second


@pytest.mark.parametrize("at", range(5))
def test_show_as_a_player_shows_what_the_player_knows(at: int) -> None:
    log = "spec/games/kuhn_poker/logs/full.jsonl"
    first, second = (entry["outcome"] for entry in lines(Path(log)) if "chance" in entry)
    for seat, foreign in ((1, second), (2, first)):
        for form in ("text", "json"):
            shown = ludex("show", log, "--at", at, "--as", seat, "--format", form)
            assert shown.code == 0
            assert str(foreign) not in shown.output
    assert str(first) in ludex("show", log, "--at", 2).output


def test_show_stops_at_the_end_of_the_log(tmp_path: Path) -> None:
    bad = "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"
    assert ludex("show", bad).code == 1
    assert ludex("show", bad, "--at", 1).code == 0
    far = ludex("show", bad, "--at", 2)
    assert (far.code, "L460" in far.output) == (1, True)
    assert ludex("show", "spec/games/pig/logs/full.jsonl", "--at", 0).code == 0
    broken = tmp_path / "x.jsonl"
    broken.write_text("{", encoding="utf-8")
    assert ludex("show", broken).code == 2


def test_show_beyond_the_end_says_so_and_shows_nothing() -> None:
    log = "spec/games/kuhn_poker/logs/full.jsonl"
    for form in ("text", "json"):
        ran = ludex("show", log, "--at", 60, "--format", form)
        assert (ran.code, ran.stdout) == (3, "")
        assert f"--at 60: {log} has 4 events" in " ".join(ran.stderr.split())


def test_show_beyond_the_end_of_a_torn_log_reports_both(tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text(Path("spec/games/pig/logs/full.jsonl").read_text(encoding="utf-8")[:400], encoding="utf-8")
    readable = torn.read_text(encoding="utf-8").count("\n") - 1
    ran = ludex("show", torn, "--at", 60)
    output = " ".join(ran.stderr.split())
    assert (ran.code, "L406" in ran.output, "after" in ran.stdout) == (2, True, False), "no position may be shown"
    assert f"--at 60: {torn} has {readable + 1} events, so this place is after its end" in output
    assert f"(`--at {readable}`)" in output
    assert ludex("show", torn, "--at", readable).code == 0


def test_show_tells_players_why_their_own_moves_are_refused() -> None:
    bad = "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"
    mover = next(entry["player"] for entry in reversed(lines(Path(bad))) if "player" in entry)
    for player in json.loads(Path(bad).read_text(encoding="utf-8").splitlines()[0])["players"]:
        output = ludex("show", bad, "--as", player).output
        assert ("does not hold" in output) is (player == mover), output


def test_show_lists_all_moves_on_request() -> None:
    log = "spec/games/boreal/logs/full.jsonl"
    short, whole = ludex("show", log, "--at", 39).output, ludex("show", log, "--at", 39, "--moves").output
    assert "(--moves lists them)" in short
    assert len(whole.splitlines()) > len(short.splitlines())
    cards = ludex("show", log, "--at", 60, "--cards").output
    assert len(cards.splitlines()) > len(ludex("show", log, "--at", 60).output.splitlines())


def test_a_chance_event_names_the_player_who_gets_the_card() -> None:
    output = play(
        "kuhn_poker", "jack", "king", "bet", "bet", args=("--chance", "enter", "--names", "Anna,Boris")
    ).output
    assert "What is the outcome for Anna of setup.deal?" in output
    assert "What is the outcome for Boris of setup.deal?" in output
    assert "setup.deal = ?  # for Boris" in output
    assert "\n  roll.throw = " in play("pig", "roll", "quit").output


def test_the_last_screen_shows_all_hands() -> None:
    output = play(
        "kuhn_poker", "jack", "king", "bet", "bet", args=("--chance", "enter", "--names", "Anna,Boris")
    ).output
    end = output[output.rindex("deck:") :]
    assert "card    jack   king" in end
    assert "deck: 1 unseen" in end


def test_an_interrupted_play_prints_how_to_resume(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    assert f"to continue: ludex play pig --resume {log}" in play("pig", "roll", "q", args=("--save", log)).output
    assert "no log was kept" in play("pig", "roll", "quit").output
    assert play("pig", "q").output.endswith("stopped after 0 events\n")


KUHN = """{"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]}
{"chance": "setup.deal", "outcome": "queen"}
{"chance": "setup.deal", "outcome": "OTHER"}
"""
RESIGNED = '{"result": {"by": "resigned", "player": "Boris"}}\n'


def test_a_log_with_unknowns_cannot_be_resumed(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(KUHN.replace("OTHER", "unknown"), encoding="utf-8")
    for ran in (play("kuhn_poker", "quit", args=("--resume", log)), ludex("show", log, "--format", "position")):
        assert ran.code == 3
        assert "has `unknown` parts" in ran.output
        assert "card(Boris) may hold (1): jack, king" in ran.output


def test_a_log_with_unknowns_is_resumed_where_all_has_become_known(tmp_path: Path) -> None:
    log, king = tmp_path / "log.jsonl", '{"claim": {"state": [{"of": "card", "at": [2], "is": "king"}]}}\n'
    begun = KUHN.replace("OTHER", "unknown") + '{"player": 1, "action": "bet"}\n' + king
    log.write_text(begun, encoding="utf-8")
    position = ludex("show", log, "--format", "position")
    assert (position.code, "king" in position.output) == (0, True)
    ran = play("kuhn_poker", "bet", args=("--resume", log))
    assert ran.code == 0
    assert log.read_text("utf-8").startswith(begun)
    assert ludex("validate", log).code == 0


def test_possible_values_are_shown_for_a_log_with_unknowns(tmp_path: Path) -> None:
    log, bets = tmp_path / "log.jsonl", '{"player": 1, "action": "bet"}\n{"player": 2, "action": "bet"}\n'
    log.write_text(KUHN.replace("OTHER", "unknown") + bets, encoding="utf-8")
    shown = ludex("show", log)
    assert (shown.code, "card(Boris) may hold (1): jack, king" in shown.stdout) == (0, True)
    told = json.loads(ludex("show", log, "--format", "json").stdout)
    assert told["observation"]["zones"]["card"] == {"seat(1)": "queen", "seat(2)": {"hidden": True}}
    assert told["may_hold"] == [{"of": "card", "at": [2], "count": [1], "values": ["jack", "king"]}]
    assert (told["scores"], told["terminal"]) == (None, True)
    assert "Anna: 2" not in ludex("show", log, "--as", "Anna").stdout, "the winner must depend on the card of Boris"


def test_games_that_a_search_found_are_shown_to_the_end_of_their_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_WORK", 200_000)
    log = tmp_path / "log.ludexlog"
    log.write_text("Game: pig\nPlayers: 2\n\ngap\nclaim scores 4, 0\n2: roll\nroll.throw = 5\n", encoding="utf-8")
    shown = ludex("show", log)
    assert shown.code == 0
    assert "after 2 events: roll.throw = 5" in shown.output
    assert "from line 4 on, only what the sampled games have in common is shown" in shown.output
    told = json.loads(ludex("show", log, "--format", "json").stdout)
    assert (told["after"], told["sampled_from_line"]) == (2, 4)
    assert told["observation"]["states"]["banked"]["seat(1)"] == 4
    assert json.loads(ludex("show", log, "--at", "1", "--format", "json").stdout)["after"] == 1
    for refused in (("--as", "1"), ("--format", "position")):
        ran = ludex("show", log, *refused)
        assert (ran.code, "has `unknown` parts" in ran.output) == (3, True)


def test_an_event_after_too_much_unknown_is_not_called_beyond_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST_WORK", 200_000)
    log = tmp_path / "log.ludexlog"
    log.write_text("Game: pig\nPlayers: 2\n\ngap\nclaim scores 1, 0\n1: roll\nroll.throw = 5\n", encoding="utf-8")
    for ran in (ludex("validate", log, "--explain", "2"), ludex("show", log, "--at", "2")):
        assert "L471" in ran.output
    assert ludex("validate", log, "--explain", "2").code == 1


def test_a_log_by_one_player_is_shown_as_that_player_sees_it(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(KUHN.replace("OTHER", "unknown"), encoding="utf-8")
    seen = ludex("show", log, "--as", "Anna", "--moves").output
    assert "queen" in seen
    assert "Anna: bet" in seen
    assert not {"jack", "king"} & set(seen.split()), "the card of Boris must be one of these"
    assert ludex("show", log, "--as", "Boris").code == 3


@pytest.mark.parametrize(
    "line",
    [
        {"chance": "setup.deal", "outcome": "king"},
        {"claim": {"state": [{"of": "card", "at": ["Boris"], "is": "jack"}]}},
        {"position": {"state": {"card": {"1": "king", "2": "jack"}}}},
    ],
)
@pytest.mark.parametrize("before", [[], [{"gap": 1}]])
def test_a_faulty_line_is_not_quoted_to_a_player(
    before: list[dict[str, Any]], line: dict[str, Any], tmp_path: Path
) -> None:
    """A report that the claim of a jack is wrong would reveal the card."""
    log = tmp_path / "log.jsonl"
    written = (json.dumps(each) for each in (*before, line))
    log.write_text(KUHN.replace("OTHER", "king") + "\n".join(written), encoding="utf-8")
    for form in ("text", "json"):
        ran = ludex("show", log, "--as", "Anna", "--format", form)
        assert (ran.code, "L4" in ran.output or "L5" in ran.output) == (1, True)
        assert "king" not in ran.output
        assert "jack" not in ran.output


def test_a_place_that_may_be_empty_is_drawn_as_unknown(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    header = {"ludex": 1, "game": "boreal", "players": ["Anna", "Boris"]}
    lines = [header, {"chance": "setup.tokens", "outcome": "Anna"}, {"gap": "chance"}]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    output = ludex("show", log).output
    assert [f"\n  {place}  ?\n" in output for place in range(1, 9)] == [True] * 8
    assert "row(8) may hold (0-1)" in output
    assert json.loads(ludex("show", log, "--format", "json").stdout)["observation"]["zones"]["row"]["8"] == {
        "hidden": True
    }
    # Of a place in which there is nothing in any case this is known.
    assert "level 1  .   .   .   .   .   .   .    level 1" in output


def test_possible_values_are_shown_for_a_log_with_a_gap(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(KUHN.splitlines()[0] + '\n{"gap": "chance"}\n', encoding="utf-8")
    ran = ludex("show", log)
    assert (ran.code, ran.stdout.count("may hold (0-1): jack, queen, king")) == (0, 2)


def test_a_log_with_a_result_is_shown_with_it_and_cannot_be_resumed(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(KUHN.replace("OTHER", "king") + RESIGNED, encoding="utf-8")
    shown = ludex("show", log).output
    assert shown.rstrip().endswith("the game is over: Boris resigned, Anna wins")
    assert "to move" not in shown
    assert "to move: " in ludex("show", log, "--at", "2").output
    as_json = json.loads(ludex("show", log, "--format", "json").output)
    assert (as_json["terminal"], as_json["legal_moves"]) == (True, [])
    assert as_json["result"] == {"by": "resigned", "player": 2, "winners": [1]}
    ran = play("kuhn_poker", "quit", args=("--resume", log))
    assert ran.code == 3
    assert "ends with a result: Boris resigned, Anna wins" in ran.output


@pytest.mark.parametrize(("language", "move"), [("ru", "хватит"), ("he", "לעצור"), ("en", "hold"), (None, "hold")])
def test_a_text_log_is_in_the_language_of_the_play(tmp_path: Path, language: str | None, move: str) -> None:
    log, args = tmp_path / "a.ludexlog", ("--lang", language) if language else ()
    assert play("pig", "1", "quit", args=("--save", log, "--seed", 1, *args)).code == 0
    text = log.read_text(encoding="utf-8")
    assert (f"\nLanguage: {language}\n" in text) == (language is not None)
    # It continues in the language of the log, not in that of the run.
    assert play("pig", "2", "quit", args=("--resume", log, "--seed", 1)).code == 0
    resumed = log.read_text(encoding="utf-8")
    assert resumed.startswith(text)
    assert resumed.endswith(f"1: {move}\n")
