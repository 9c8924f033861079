"""Pictures of observations: every shape of element, and every state of every shipped game, fit the page."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.cli.reporting.source_excerpts import cells
from ludex.cli.view.observation_picture import picture_rows
from ludex.cli.view.observation_text import Viewer
from ludex.cli.view.referee_view import everything
from ludex.interpreter import Engine, Generator, pick
from ludex.spec import ElementShape, load, shape_of, shipped_games, signs_for

from ..once import engine_once, game_once
from .specs import write

SHAPES = """\
game shapes
  players: 2
  convention: "made up"

type Colour = red | green | blue
type Corner = (x: 1..2, y: 1..3)
type Step = (level: 1..3, col: 1..3) where col <= 4 - level
type Dark = (row: 1..3, col: 1..4) where (row + col) mod 2 = 1
type Kind = king | knight | pawn
type Man = man(owner: Player) | wall
type Deep = (a: 1..2, b: 1..2, c: 1..2)

state plain: 0..9 = 3
state flag: Bool = false
state turn: Player? = none
state coins(Player): 0..9 = 4
state track(1..5): 0..9 = 7
state per_colour(Player, Colour): 0..9 = 1
state corner(Corner): Colour? = none
state table(1..2, Colour): 0..9 = 2
state board(Player, Corner): Bool = false
state steps(Player, Step): 0..99 = 5
state men(Dark): Man? = none
state deep(Deep): 0..9 = 6
state far(1..40): 0..9 = 0
state owner(1..2, 1..2): Player? = none
state kind(1..2, 1..2): Kind? = none
state point(1..12): Kind? = none
state pips(Player, 1..30): 0..9 = 0
state met: set of list of 1..5 up to 9 = {}
zone bag: bag of Colour, open
zone pile: pile of Colour, open
zone dark: pile of Colour, hidden
zone hand(Player): bag of Colour, private
zone spot(1..3): one Colour, open

setup
  bag:
    put {red, green} in bag
    put red in bag
    put blue in pile
    put red in pile
  spot: put green in spot(2)
  hand: each player in seats
    put blue in my hand
  far: far(33) := 8
  met:
    met += {list(k for k in 1..5)}
    met += {list(k for k in 2..4)}
  board: board(seat(1), Corner(2, 3)) := true
  pieces:
    owner(1, 1) := seat(1)
    kind(1, 1) := king
    owner(2, 2) := seat(2)
    kind(2, 2) := knight
    point(3) := pawn
    pips(seat(2), 30) := 7
  men:
    men(Dark(1, 2)) := man(seat(1))
    men(Dark(3, 4)) := wall

action go
  wait: plain += 1 up to 9

play
  turns: repeat 2 times
    each player in seats
      may go

score zero: plain + (if flag then 1 else 0) + (if turn is empty then 0 else 1) + my coins
"""


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(load(write(tmp_path_factory.mktemp("specs"), "shapes", SHAPES)))


def picture(engine: Engine, seat: int | None = 0, names: tuple[str, ...] = (), width: int = 100) -> str:
    state = engine.start()
    seen = everything(engine, state) if seat is None else engine.observe(state, seat)
    return "\n".join(picture_rows(Viewer(engine.game, names), seen, width))


def test_shapes_depend_on_the_indices(shapes: Engine) -> None:
    shape = {element.name: shape_of(element) for element in shapes.game.elements}
    assert shape["plain"] == shape["bag"] == ElementShape(False, "word")
    assert shape["coins"] == shape["hand"] == ElementShape(True, "word")
    assert shape["track"] == shape["spot"] == ElementShape(False, "line")
    assert shape["per_colour"] == ElementShape(True, "line")
    assert shape["corner"] == shape["table"] == ElementShape(False, "grid")
    assert shape["board"] == shape["steps"] == ElementShape(True, "grid")
    assert shape["deep"] == ElementShape(False, "line")
    assert shape["far"] == ElementShape(False, "list")


def test_everything_is_on_the_page(shapes: Engine) -> None:
    shown = picture(shapes)
    for element in shapes.game.elements:
        assert element.name in shown


def test_the_page_has_its_parts(shapes: Engine) -> None:
    shown = picture(shapes, names=("Anna", "Boris"))
    for part in (
        "plain: 3",
        "flag: no",
        "turn: .",
        "bag: red x2, green",
        "pile: red, blue (from the top)",
        "empty: dark",
        "spot  1      2  3\n      .  green  .",
        "track  1  2  3  4  5\n       7  7  7  7  7",
        "corner\nx\\y  1  2  3\n  1  .  .  .\n  2  .  .  .",
        "men\nrow\\col  1   2   3   4\n      1      mA      .\n      2  .       .\n      3      .       w",
        "owner, kind\n   1    2\n1  Aki  .\n2  .    Bkn\nA Anna   B Boris\nki king   kn knight",
        "point  1  2   3  4  5  6  7  8  9  10  11  12\n       .  .  pa  .  .",
        "\npa pawn",
        "pips  1 2 3",
        "Boris . . .",
        "\n  2  .  .  x       2  .  .  .",
        "\nmA man(Anna)   w wall",
        "far(33): 8",
        "met: 2 noted",
        "        Anna   Boris\ncoins   4      4\nhand    blue   1 hidden",
    ):
        assert part in shown, shown


def test_a_grid_that_narrows_is_drawn_as_a_pyramid(shapes: Engine) -> None:
    rows = picture(shapes).splitlines()
    at = next(number for number, row in enumerate(rows) if row.startswith("steps of"))
    assert [row.count("5") for row in rows[at + 1 : at + 4]] == [2, 4, 6], "the longest row must be the lowest"
    assert [row.index("5") for row in rows[at + 1 : at + 4]] == [13, 11, 9], "each row must be centred"


def test_a_grid_too_wide_for_the_page_is_transposed(shapes: Engine) -> None:
    assert "corner\nx\\y  1  2  3" in picture(shapes, width=12)
    assert "corner\ny\\x  1  2" in picture(shapes, width=11)


def test_signs_do_not_depend_on_the_visible_values(shapes: Engine) -> None:
    """The signs are chosen from all values of the type, not from those now on the table."""
    assert "corner\nx\\y" in picture(shapes)
    assert signs_for(["red", "green", "blue"]) == {"red": "r", "green": "g", "blue": "b"}
    assert signs_for(["king", "knight"]) == {"king": "ki", "knight": "kn"}
    assert signs_for(["white_king", "white_pawn"]) == {"white_king": "wk", "white_pawn": "wp"}
    assert signs_for(["1", "2"]) == {}
    men = [f"{kind} {colour}" for kind in ("rook", "knight", "king", "pawn") for colour in ("White", "Black")]
    assert [*signs_for(men).values()] == ["roW", "roB", "knW", "knB", "kiW", "kiB", "paW", "paB"]
    assert [*signs_for(["man(Anna)", "man(Anton)", "wall"]).values()] == ["mAnn", "mAnt", "w"]
    assert signs_for(["a b", "a-b"]) == {}, "no prefixes distinguish these words"
    assert signs_for(["מלך", "צריח"]) == {"מלך": "מ", "צריח": "צ"}


def test_a_long_row_is_divided(shapes: Engine) -> None:
    rows = picture(shapes, names=("Anna", "Boris"), width=60).splitlines()
    at = next(number for number, row in enumerate(rows) if row.startswith("pips"))
    assert rows[at].split() == ["pips", *map(str, range(1, 16))]
    assert rows[at + 3].split() == [*map(str, range(16, 31))]
    assert rows[at + 5].split() == ["Boris", *["."] * 14, "7"]


def test_a_narrow_page_puts_wide_parts_below_each_other(shapes: Engine) -> None:
    wide, narrow = picture(shapes, width=100), picture(shapes, width=40)
    assert len(narrow.splitlines()) > len(wide.splitlines())
    assert max(map(cells, narrow.splitlines())) <= 60


def test_the_view_of_nobody_hides_and_that_of_everything_shows(shapes: Engine) -> None:
    assert "1 hidden" in picture(shapes)
    assert "1 hidden" not in picture(shapes, seat=None)


@given(st.lists(st.from_regex(r"[abc]{1,4}( [abc12]{1,3}){0,2}", fullmatch=True), min_size=1, unique=True))
def test_signs_distinguish_words(words: list[str]) -> None:
    signs = signs_for(words)
    if not signs:
        assert all(len(word) <= 2 for word in words) or len({word.replace(" ", "") for word in words}) < len(words)
        return
    assert len(set(signs.values())) == len(words)
    longest = {word: word.replace(" ", "") for word in words}
    assert all(len(sign) <= len(longest[word]) for word, sign in signs.items())


@pytest.mark.drawn(4)
@pytest.mark.parametrize("game", shipped_games())
def test_every_state_fits_the_page(game: str, rng: Random, is_long: bool) -> None:
    engine = engine_once(game_once(game))
    state, draws = engine.start(), Generator(rng.getrandbits(64))
    viewer = Viewer(engine.game, ("Анна", "Борис", "Clara", "Dora", "Emil", "Fay")[: engine.game.players])
    while not engine.is_terminal(state):
        views = (everything(engine, state), engine.public_view(state), engine.observe(state, 0))
        for seen in views if is_long or rng.random() < 0.1 else ():
            rows = picture_rows(viewer, seen, 100)
            assert rows
            assert max(map(cells, rows)) <= 100
            assert all(row == row.rstrip() for row in rows)
        engine.advance(state, pick(engine, state, draws).event)


HANDS = """\
game hands
  players: 3
  convention: "made up"

type Rank = six | seven | eight
type Suit = diamonds | hearts | spades
type Card = (rank: Rank, suit: Suit)

zone seen: bag of Card, open
zone hand(Player): bag of Card, private

setup
  all:
    fill seen with Card
    fill hand(seat(1)) with Card
    put Card(six, hearts) in hand(seat(3))

play
  end: end game
"""


def test_wide_hands_are_wrapped_and_never_cut(tmp_path: Path) -> None:
    engine = Engine(load(write(tmp_path, "hands", HANDS)))
    rows = picture_rows(Viewer(engine.game), everything(engine, engine.start()), 60)
    assert rows == [
        "seen: six diamonds, six hearts, six spades, seven diamonds,",
        "  seven hearts, seven spades, eight diamonds,",
        "  eight hearts and 1 more",
        "",
        "hand of seat(1): six diamonds, six hearts, six spades,",
        "  seven diamonds, seven hearts, seven spades,",
        "  eight diamonds, eight hearts, eight spades",
        "hand of seat(2): -",
        "hand of seat(3): six hearts",
    ]


def test_pieces_left_out_of_a_picture_are_counted(tmp_path: Path) -> None:
    """Ten equal pieces are one kind: its one entry accounts for all of them, and no other is left."""
    spec = HANDS.replace("    fill seen with Card\n", "    repeat 10 times\n      put Card(six, hearts) in seen\n")
    spec = spec.replace("put Card(six, hearts) in hand(seat(3))", "fill seen with Card\n    fill seen with Card")
    engine = Engine(load(write(tmp_path, "hands", spec)))
    rows = picture_rows(Viewer(engine.game), everything(engine, engine.start()), 60)
    assert rows[0].startswith("seen: six diamonds x2, six hearts x12,")
    assert "eight hearts x2 and 2 more" in "\n".join(rows)


ODD_WORDS = """\
game odd_words
  players: 2
  convention: "made up"
type Card = joker | fool
zone row: bag of Card, open
setup
  fill row with Card
play
  end game
terms
  Card.joker: en "?"
  Card.fool: en "?!"
"""


def test_words_that_look_like_signs_are_words(tmp_path: Path) -> None:
    """Whether a piece is visible depends on the observation, not on its name."""
    engine = Engine(load(write(tmp_path, "odd_words", ODD_WORDS)))
    assert picture_rows(Viewer(engine.game, language="en"), everything(engine, engine.start())) == ["row: ?, ?!"]


def test_equal_observations_have_equal_pictures() -> None:
    """A picture cannot show what the observation does not have."""
    engine = Engine(load("kuhn_poker"))
    pictures = set()
    for deal in ((0, 1), (0, 2)):
        state = engine.start()
        for card in deal:
            event = next(event for event, _ in engine.chance(state) if event.outcome == card)
            engine.advance(state, event)
        pictures.add("\n".join(picture_rows(Viewer(engine.game), engine.observe(state, 0))))
    assert len(pictures) == 1


def test_the_page_of_shapes_parses(tmp_path: Path) -> None:
    assert load(write(tmp_path, "shapes", SHAPES)).name == "shapes"


def test_components_of_the_board_are_shown_on_request() -> None:
    """Components in no zone, such as places and paths, are not pieces."""
    engine = engine_once(game_once("mangrovia", 3))
    seen, viewer = everything(engine, engine.start()), Viewer(engine.game)
    unasked, asked = ("\n".join(picture_rows(viewer, seen, explain=explain)) for explain in (None, True))
    assert "r4c4" not in unasked
    assert ["r4c4", "grid", "4", "4"] in [row.split()[:4] for row in asked.splitlines()]
    assert "3, 10" in asked


MEN = """\
game men
  players: 2
  convention: "made up"
type Kind = rook | knight | king | queen | bishop | pawn
type Man = (kind: Kind, owner: Player)
type Cell = (row: 1..4, column: 1..6)
state man(Cell): Man? = none
setup
  each kind in Kind, p in Player
    lay(kind, p)
action lay(kind: Kind, p: Player)
  let at = Cell(1 + index(p), 1 + index(kind))
  lie: man(at) := Man(kind, p)
play
  end game
"""


def test_the_signs_of_records_leave_out_their_name(tmp_path: Path) -> None:
    """All values begin with it. The legend still shows what can be typed, and no row of it is wider than the page."""
    engine = Engine(load(write(tmp_path, "men", MEN)))
    rows = picture_rows(Viewer(engine.game, ("Anna", "Boris")), everything(engine, engine.start()), 60)
    assert rows[2].split() == ["1", "roA", "knA", "kiA", "quA", "biA", "paA"]
    assert rows[6:] == [
        "roA Man(rook, Anna)   roB Man(rook, Boris)",
        "knA Man(knight, Anna)   knB Man(knight, Boris)",
        "kiA Man(king, Anna)   kiB Man(king, Boris)",
        "quA Man(queen, Anna)   quB Man(queen, Boris)",
        "biA Man(bishop, Anna)   biB Man(bishop, Boris)",
        "paA Man(pawn, Anna)   paB Man(pawn, Boris)",
    ]
