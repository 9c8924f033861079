"""`ludex play` on tables that are hard to draw: a large board, full hands, pieces described by two values. A terminal
has 80 columns and 24 rows.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ludex.cli.playing.menu import MOST_LISTED, Menu, menu_of, moves_menu
from ludex.cli.playing.session import Session
from ludex.cli.reporting.source_excerpts import cells
from ludex.cli.view.observation_picture import picture_rows
from ludex.cli.view.observation_text import Viewer
from ludex.grammar import Failure
from ludex.interpreter import Engine, Event
from ludex.spec import load

from .hard_to_draw import HANDS, HEX, MEN
from .running import Ran, ludex
from .specs import write

BOARD = 14
"""The rows of the picture of a board of eleven rows: a title, the column numbers, the board, a legend."""


def play(spec: Path, *typed: str, args: tuple[object, ...] = ()) -> Ran:
    return ludex("play", spec, *args, stdin="".join(f"{line}\n" for line in typed))


@pytest.fixture
def hex_board(tmp_path: Path) -> Path:
    return write(tmp_path, "hex_sample", HEX)


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    return write(tmp_path, "hands_sample", HANDS)


def test_a_large_board_and_its_moves_fit_a_screen(hex_board: Path) -> None:
    engine = Engine(load(hex_board))
    state = engine.start()
    menu = moves_menu(engine.legal_moves(state), Viewer(engine.game)).rows(80)
    board = picture_rows(Viewer(engine.game, ("Anna", "Boris")), engine.observe(state, 0), 80)
    assert max(map(cells, [*menu, *board])) <= 80
    assert len(board) <= BOARD
    assert len(board) + len(menu) + len(["news", "", "", "to move", "prompt"]) <= 24
    assert menu[0] == "place at row:"


@pytest.mark.parametrize(
    "typed", [("7 8",), ("place(7, 8)",), ("PLACE 7 8",), ("Cell(7,8)",), ("7", "8"), ("place", "7", "8")]
)
def test_a_cell_may_be_typed_in_several_forms(hex_board: Path, typed: tuple[str, ...]) -> None:
    ran = play(hex_board, *typed, "7 8", "log", "quit")
    assert "  1: place 7,8\n> quit" in ran.output
    assert "or `help`" in ran.output, "the cell must be taken"


def test_a_number_means_the_row_of_that_number(hex_board: Path) -> None:
    """When the first row is full, 2 still chooses the second row, though it is the first in the list."""
    engine = Engine(load(hex_board))
    viewer, state = Viewer(engine.game), engine.start()
    moves = [move for move in engine.legal_moves(state) if "Cell(1, " not in viewer.event(move)]
    chosen = moves_menu(moves, viewer).typed("2", viewer)
    assert chosen is not None
    assert {viewer.event(way.event)[:17] for way in chosen.ways} == {"place(at: Cell(2,"}


def test_words_of_a_move_narrow_the_list(hands: Path) -> None:
    ran = play(hands, "three", "quit", args=("--seed", 3))
    narrowed = ran.output.rpartition("> three\n")[2]
    assert narrowed.startswith("pass_on cards")
    assert play(hands, "twelve", "quit").output.count("type a number from 1 to 13, or `help`") == 1


def test_view_shows_the_table_alone_and_enter_shows_the_moves(hex_board: Path) -> None:
    ran = play(hex_board, "view", "", "quit")
    _, viewed, listed = ran.output.split("> ")[:3]
    assert "stone" in viewed
    assert "place at row" not in viewed
    assert "place at row" in listed
    assert "stone" not in listed


def test_full_hands_are_shown_and_unseen_cards_are_counted(hands: Path) -> None:
    ran = play(hands, "1", "1", "1", "quit", args=("--seed", 3, "--names", "Anna,Boris,Clara,Dora"))
    _, anna, boris = ran.output.split("--- for ")
    for own, page in (("Anna", anna), ("Boris", boris)):
        hand = page[page.index(f"hand of {own}:") : page.index("to move")]
        hand = hand[: hand.index("hand of ", 8)] if "hand of " in hand[8:] else hand
        assert hand.count(",") == 12
        assert "more" not in hand
        assert page.count("13 times") == 3, "the cards of the others must be one row for each player"
        assert len([row for row in page[: page.index("empty: deck")].splitlines() if "# for " in row]) == 4


def test_a_set_is_chosen_piece_by_piece(hands: Path) -> None:
    engine = Engine(load(hands))
    session = Session(engine, (), 3, None)
    while not engine.to_move(session.state):
        session.draw()
    viewer, moves = Viewer(engine.game), engine.legal_moves(session.state)
    assert len(moves) == 286
    menu = moves_menu(moves, viewer)
    assert len(menu.items) == 13
    assert set(walked(menu, viewer, Random(5))) <= set(moves)
    assert reached(menu, viewer) == set(moves)


def walked(menu: Menu, viewer: Viewer, rng: Random) -> list[Event]:
    """Return the events at the ends of some random walks through the steps."""
    plays = []
    for _ in range(20):
        step, rows = menu, 0
        while True:
            rows += len(step.rows(80))
            choice = rng.choice(step.items)
            assert step.typed(choice.key, viewer) == choice
            if len(choice.ways) == 1:
                break
            step = menu_of(choice.ways, viewer)
        plays.append(choice.ways[0].event)
    return plays


def reached(menu: Menu, viewer: Viewer) -> set[Event]:
    events: set[Event] = set()
    for choice in menu.items:
        events |= (
            {way.event for way in choice.ways}
            if len(choice.ways) <= MOST_LISTED
            else reached(menu_of(choice.ways, viewer), viewer)
        )
    return events


def test_pieces_have_short_signs_and_the_first_row_is_at_the_bottom(tmp_path: Path) -> None:
    engine = Engine(load(write(tmp_path, "men_sample", MEN)))
    rows = picture_rows(Viewer(engine.game), engine.observe(engine.start(), 0), 80)
    assert rows == [
        "man",
        "rank\\file  1   2   3",
        "        3  .   .   pb",
        "        2  .   .   .",
        "        1  rw  kw  .",
        "rw rook white   kw knight white   pb pawn black",
    ]


def test_zones_hidden_by_the_header_are_observed_but_not_drawn(hex_board: Path) -> None:
    engine = Engine(load(hex_board))
    seen = engine.observe(engine.start(), 0)
    assert seen["states"]["passed"] == 0
    assert "passed" not in "\n".join(picture_rows(Viewer(engine.game), seen, 80))
    plain = load(write(hex_board.parent.parent / "plain", "hex_sample", HEX.replace("  not_shown: passed\n", "")))
    assert plain.fingerprint == engine.game.fingerprint, "the header may change pictures only"
    assert "passed: 0" in picture_rows(Viewer(plain), seen, 80)


@pytest.mark.parametrize("entry", ["from_below", "not_shown"])
def test_a_picture_of_an_unknown_name_is_reported_before_play(tmp_path: Path, entry: str) -> None:
    spec = write(tmp_path, "men_sample", MEN.replace("from_below: man", f"{entry}: men"))
    with pytest.raises(Failure) as failure:
        load(spec)
    (fault,) = failure.value.diagnostics
    assert fault.message == "the game declares no state or zone `men`"
    assert (fault.span.line, fault.hint) == (4, "did you mean `man`?")
