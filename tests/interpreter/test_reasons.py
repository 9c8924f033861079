"""Reasons of refusals: the values that decide each kind of expression, without anything hidden from the reader."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from ludex.interpreter import Event, Generator, Move, Reference, Refusal, RefusalKind, explain, pick
from ludex.interpreter.explanation.refusals import own_refusal, reasons
from ludex.interpreter.stack.state import StackState
from ludex.interpreter.state.events import DECLINE
from ludex.interpreter.state.value_distance import distance
from ludex.spec import Game, load, shipped_games, show
from ludex.spec import types as t

from ..once import engine_once, game_once
from .build import HEADER, move, reference_from

NAMES = ("Anna", "Boris", "Clara", "David", "Eva")

MARKET = """
type Ware = apple | bread | cake
type Stall = (row: 1..3, col: 1..3)
type Load = empty | crate(of: Ware, size: 1..3)

zone hand(Player): bag of Ware, private
zone shelf: bag of Ware, open
zone box: pile of Ware, hidden
state coins(Player): 0..9 = 3
state owned(Ware): Player? = none
state stall(Player): Stall = Stall(1, 1)
state load: Load = crate(cake, 2)
state secret(Player): 0..9 = 4, private

define price(w: Ware): 0..9 =
  match w
    apple => 1
    bread => 2
    cake => 5
define fair(w: Ware): Bool = price(w) <= coins(seat(1)) and owned(w) is empty
define near(s: Stall): set of Stall = set(x for x in Stall where x.row = s.row)
define wares: set of Ware = set(w for w in Ware where price(w) < coins(seat(1)))

action buy
  choose ware in Ware
  require rule: RULE
  go: nothing
action treat
  require rich: my coins > 5
  go: nothing
action lay
  choose card in my hand
  require plenty: size(my hand) > 1
  go: move card from my hand to shelf
action visit
  choose at in near(my stall)
  go: nothing
action take
  choose ware in wares
  go: nothing

setup
  hands:
    put apple in hand(seat(1))
    put cake in hand(seat(2))
    put bread in shelf
    put bread in box

play
  turns: repeat
    each player in seats
      choose buy or lay or visit or take
  until size(shelf) > 3
"""


def market(folder: Path, rule: str = "true") -> Reference:
    path = folder / "market.ludex"
    path.write_text(HEADER.format(players=2) + MARKET.replace("RULE", rule), encoding="utf-8")
    return Reference(load(path))


def told(
    engine: Reference, state: StackState, event: Event, viewer: int | None = None, names: tuple[str, ...] = NAMES
) -> list[str]:
    refusal = engine.refusal(state, event)
    assert refusal is not None, f"{event} is legal"
    return [note.message for note in reasons(engine, state, refusal, names[: engine.game.players], viewer)]


CAKE = 2
ROW = "{Stall(1, 1), Stall(1, 2), Stall(1, 3)}"


@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        pytest.param("my coins > 3", ["my coins = 3"], id="comparison"),
        pytest.param("my coins + 1 > price(ware)", ["my coins + 1 = 4", "my coins = 3", "price(ware) = 5"], id="sum"),
        pytest.param("my coins > 3 and ware = apple", ["my coins = 3", "ware = cake"], id="and: each part that fails"),
        pytest.param("ware = cake and my coins > 8", ["my coins = 3"], id="and: the second part"),
        pytest.param("ware = apple or my coins > 8", ["ware = cake", "my coins = 3"], id="or: each part"),
        pytest.param("ware = cake implies my coins > 8", ["my coins = 3", "ware = cake"], id="implies: both parts"),
        pytest.param("not (ware = cake and my coins < 8)", ["ware = cake", "my coins = 3"], id="not and"),
        pytest.param("not (ware = apple or my coins < 8)", ["my coins = 3"], id="not or: the part that holds"),
        pytest.param("ware in {apple, bread}", ["ware = cake"], id="member of what is written"),
        pytest.param("ware in my hand", ["ware = cake", "cake is in hand(Boris)", "my hand = {apple}"], id="member"),
        pytest.param("price(ware) in 1..my coins", ["price(ware) = 5", "my coins = 3"], id="member of an interval"),
        pytest.param("ware in my hand + shelf", ["ware = cake", "cake is in hand(Boris)", "my hand = {apple}",
                     "shelf = {bread}"], id="member of a sum"),
        pytest.param("ware not in hand(opponent(me))", ["ware = cake", "hand(opponent(me)) = {cake}",
                     "opponent(me) = Boris"], id="no member"),
        pytest.param("my hand is empty", ["my hand = {apple}"], id="emptiness"),
        pytest.param("owned(ware) is not empty", ["owned(ware) = none"], id="emptiness of an optional"),
        pytest.param("owned(ware) = me", ["owned(ware) = none", "me = Anna"], id="players by their names"),
        pytest.param("size(box) > 1", ["size(box) = 1", "box = {bread}"], id="size"),
        pytest.param("count(other in Ware where price(other) <= my coins and other != apple) > 8",
                     ["count(other in Ware where price(other) <= my coins and …) = 1", "my coins = 3"],
                     id="the beginning of a long count"),
        pytest.param("every w in Ware has price(w) < coins(me)", ["w = cake", "price(w) = 5", "coins(me) = 3"],
                     id="every: the counterexample"),
        pytest.param("no w in Ware has price(w) = my coins + 2", ["w = cake", "price(w) = 5", "my coins + 2 = 5",
                     "my coins = 3"], id="no: the witness"),
        pytest.param("some w in my hand has w = ware", ["none of 1 (w in my hand)", "w = apple", "ware = cake",
                     "my hand = {apple}"], id="some: each of a few"),
        pytest.param("some w in Ware has price(w) > my coins + 3", ["none of 3 (w in Ware)", "w = apple",
                     "price(w) = 1", "my coins + 3 = 6", "my coins = 3"], id="some: one of many"),
        pytest.param("some w in my hand where w = bread has true", ["there is no w in my hand", "my hand = {apple}"],
                     id="some: of none"),
        pytest.param("if my coins > 2 then ware = apple else true", ["my coins = 3", "ware = cake"], id="if"),
        pytest.param("can treat", ["can treat = false"], id="can"),
        pytest.param("my stall.row > 1", ["my stall.row = 1", "my stall = Stall(1, 1)"], id="field"),
    ],
)  # fmt: skip
def test_each_kind_of_expression_is_explained(tmp_path: Path, rule: str, facts: list[str]) -> None:
    engine = market(tmp_path, rule)
    first, *_ = told(engine, engine.start(), move(0, "buy", ware=CAKE))
    assert first == f"`buy.rule` does not hold: {', '.join(facts)}"


@pytest.mark.parametrize(
    ("rule", "note"),
    [
        ("fair(ware)", "`fair(w: cake)` is false: price(w) = 5, coins(seat(1)) = 3"),
        ("price(ware) < 5 or fair(ware)", "`fair(w: cake)` is false: price(w) = 5, coins(seat(1)) = 3"),
        ("can treat", "`treat.rich` does not hold: my coins = 3"),
        ("ware in wares", "`wares` is {apple, bread}: price(w) = 5, coins(seat(1)) = 3"),
    ],
)
def test_calls_are_unfolded(tmp_path: Path, rule: str, note: str) -> None:
    engine = market(tmp_path, rule)
    notes = told(engine, engine.start(), move(0, "buy", ware=CAKE))
    assert note in notes[1:], notes


@pytest.mark.parametrize(
    ("event", "notes"),
    [
        (
            move(0, "lay", card=CAKE),
            ["`card` is chosen from my hand, and cake is not there: cake is in hand(Boris), my hand = {apple}",
             "`lay.plenty` does not hold: size(my hand) = 1, my hand = {apple}"],
        ),
        (
            move(0, "visit", at=3),
            [f"`at` is chosen from near(my stall), and Stall(2, 1) is not there: near(my stall) = {ROW}",
             "`near(s: Stall(1, 1))` is {Stall(1, 1), Stall(1, 2), Stall(1, 3)}: x.row = 2, s.row = 1"],
        ),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_chosen_is_explained(tmp_path: Path, event: Move, notes: list[str]) -> None:
    engine = market(tmp_path)
    assert told(engine, engine.start(), event) == notes


CHESS = """
type Square = (col: 1..4, row: 1..4)
type Kind = king | rook
type Man = (owner: Player, kind: Kind)
state man(Square): Man?

define strikes(a: Square, b: Square): Bool = man(a).kind = rook and (a.row = b.row or a.col = b.col)
define attacked(s: Square, by: Player): Bool = some source in Square has man(source).owner = by and strikes(source, s)
define safe(p: Player): Bool = every k in Square where man(k) = Man(p, king) has not attacked(k, opponent(p))

action go
  choose origin in Square, target in Square
  require own: man(origin).owner = me
  require elsewhere: man(target) is empty
  walk:
    man(target) := man(origin)
    man(origin) := none
  require safe: safe(me)

setup
  men:
    man(Square(1, 1)) := Man(seat(1), king)
    man(Square(4, 4)) := Man(seat(2), king)
    man(Square(2, 3)) := Man(seat(2), rook)
play
  turns: repeat
    each player in seats
      go
  until every s in Square has man(s) is empty
"""


def test_the_piece_that_gives_check_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chess.ludex"
    path.write_text(HEADER.format(players=2) + CHESS, encoding="utf-8")
    engine = Reference(load(path))
    square = engine.game.types["Square"]
    assert isinstance(square, t.Record)
    corner, beside, rook = square.positions[1, 1], square.positions[2, 1], square.positions[2, 3]
    notes = told(engine, engine.start(), move(0, "go", origin=corner, target=beside))
    assert notes[0] == "`go.safe` does not hold once the move is made: safe(me) = false"
    assert notes[1].startswith("`safe(p: Anna)` is false: k = Square(2, 1), attacked(k, opponent(p)) = true")
    assert notes[2].startswith(f"`attacked(s: Square(2, 1), by: Boris)` is true: source = {show(square, rook)}")


CHAIN = """
state coins(Player): 0..9 = 3
state round: 0..9 = 0

define a: Bool = not b
define b: Bool = c and c
define c: Bool = d(seat(2)) implies coins(seat(1)) > 8
define d(p: Player): Bool = e(p)
define e(p: Player): Bool = f(p) and true
define f(p: Player): Bool = not (coins(p) > 4 or round > 2)

action buy
  require deep: not a
  go: round += 1
action sell
  go: coins(me) += 1
action rest
  go: nothing

play
  turns: repeat
    each player in seats
      if round > 4 and my coins > 5
        market: choose sell
      main: choose buy or rest
  until round > 8
  last: as seat(1)
    may sell
"""


def chain(folder: Path) -> Reference:
    return reference_from(CHAIN, folder=folder)


def test_a_chain_of_defines_is_unfolded_to_its_end(tmp_path: Path) -> None:
    """A define that only calls another one takes none of the few notes."""
    reference = chain(tmp_path)
    assert told(reference, reference.start(), move(0, "buy")) == [
        "`buy.deep` does not hold: a = true",
        "`a` is true, as `b` is false, as `c` is false: coins(seat(1)) = 3, d(seat(2)) = true",
        "`d(p: Boris)` is true, as `e(p: Boris)` is true, as `f(p: Boris)` is true: coins(p) = 3, round = 0",
    ]


def test_a_long_chain_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    """Names do not matter: here a player has the name of the words that join the parts of a chain."""
    reference, name = chain(tmp_path), f"Boris, as {'ever ' * 20}"
    *_, note = told(reference, reference.start(), move(0, "buy"), names=("Anna", name))
    assert note.startswith(f"`d(p: {name})` is true, as `f(p: {name})` is true: coins(p) = 3")


@pytest.mark.parametrize(
    ("event", "notes"),
    [
        (
            move(0, "sell"),
            [
                "on offer at `play.turns.market` only if round > 4 and my coins > 5: round = 0, my coins = 3",
                "on offer at `play.last`; the play is at `play.turns.main`",
            ],
        ),
        (Move(0, DECLINE), ["`play.turns.main` cannot be declined"]),
        (move(1, "buy"), []),
    ],
)
def test_the_reason_why_a_move_is_not_offered(tmp_path: Path, event: Move, notes: list[str]) -> None:
    """The reason names the decisions that offer it, and the conditions before them; a player out of turn reads whose
    turn it is.
    """
    reference = chain(tmp_path)
    state = reference.start()
    assert told(reference, state, event)[: len(notes)] == notes
    refusal = reference.refusal(state, event)
    assert refusal is not None
    assert [why.clause for why in explain(refusal, reference.game).why] == ["play.turns.main"]


@pytest.mark.parametrize(
    ("guard", "facts"),
    [("me = seat(2)", "me = Anna, seat(2) = Boris"), ("coins(seat(2)) > 5", "coins(seat(2)) = 3")],
)
def test_quotations_keep_the_words_of_the_spec(tmp_path: Path, guard: str, facts: str) -> None:
    """Values have their names in logs."""
    reference = reference_from(CHAIN.replace("round > 4 and my coins > 5", guard), folder=tmp_path)
    first, *_ = told(reference, reference.start(), move(0, "sell"))
    assert first == f"on offer at `play.turns.market` only if {guard}: {facts}"


# ---- what a player may know


def test_reasons_do_not_reveal_what_others_hold(tmp_path: Path) -> None:
    """A referee reads where the cake is; a player only if it is that player's own."""
    engine = market(tmp_path)
    state, event = engine.start(), move(0, "lay", card=CAKE)
    assert "hand(Boris)" in " ".join(told(engine, state, event))
    assert told(engine, state, event, viewer=0) == [
        "`card` is chosen from my hand, and cake is not there: my hand = {apple}",
        "`lay.plenty` does not hold: size(my hand) = 1, my hand = {apple}",
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "secret(opponent(me)) > 4",
        "my coins > secret(opponent(me))",
        "ware not in hand(opponent(me))",
        "every p in Player has ware not in hand(p)",
        "sum(price(w) for w in hand(opponent(me))) < 2",
    ],
)
def test_values_that_depend_on_hidden_information_are_left_out(tmp_path: Path, rule: str) -> None:
    engine = market(tmp_path, rule)
    state, event = engine.start(), move(0, "buy", ware=CAKE)
    seen = " ".join(told(engine, state, event, viewer=0))
    assert "`buy.rule` does not hold" in seen
    for secret in ("secret(opponent(me)) =", "{cake}", "p = Boris", "= 5"):
        assert secret not in seen
    assert told(engine, state, event) != told(engine, state, event, viewer=0), "a referee must read more"


def test_the_reason_for_a_player_depends_on_the_observation_only(tmp_path: Path) -> None:
    """In states with equal observations the reason is the same, or says that the observation does not determine it."""
    rule = "my coins > 8\n  require other: ware not in hand(opponent(me))"
    engine = market(tmp_path, rule)
    one = engine.start()
    hidden = engine.game.element["hand"].offset + 1
    other = replace(one, cells=(*one.cells[:hidden], (1,), *one.cells[hidden + 1 :]))
    event = move(0, "buy", ware=CAKE)
    own_refusals = [own_refusal(engine, state, event) for state in (one, other)]
    refusals = [engine.refusal(state, event) for state in (one, other)]
    assert [each and each.clauses for each in refusals] == [("buy.rule", "buy.other"), ("buy.rule",)]
    explanations = [
        each and (each.clauses, reasons(engine, state, each, NAMES[:2], 0))
        for state, each in zip((one, other), own_refusals, strict=True)
    ]
    assert explanations[0] == explanations[1]
    assert explanations[0], "the observation determines the reason"
    assert explanations[0][0] == ("buy.rule",)
    secret = market(tmp_path, "ware not in hand(opponent(me))")
    assert own_refusal(secret, secret.start(), event) is None
    half = market(tmp_path, "ware not in hand(opponent(me)) and my coins > 8")
    own = own_refusal(half, half.start(), event)
    assert own is not None
    first, *_ = reasons(half, half.start(), own, NAMES[:2], 0)
    assert first.message == "`buy.rule` does not hold: my coins = 3", (
        "the observation determines the reason, whatever the hidden values"
    )
    plain = market(tmp_path, "my coins > 8")
    assert own_refusal(plain, plain.start(), event) is not None


# ---- every game

MOST_TURNS = 120
FIRST, EVERY = 10, 8
"""The number of first turns that are all tried; after them, one of so many is tried."""
FREE = {"connect_four", "kuhn_poker", "leduc_poker"}
"""Games in which the rules refuse hardly any move with finite arguments."""


@pytest.mark.drawn(5)
@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_every_refusal_names_a_value(name: str) -> None:
    """For every rule that refuses a random move, the notes name a value of the state; the reason for a player never
    fails for lack of hidden values.
    """
    engine, rng, draws, met = engine_once(game_once(name)), Random(7), Generator(7), set[tuple[str, ...]]()
    reference, here = Reference(engine.game), engine.start()
    for turn in range(MOST_TURNS):
        if engine.is_terminal(here):
            break
        state = engine.to_reference(here)
        for seat in engine.to_move(here)[:1] if turn < FIRST or turn % EVERY == 0 else ():
            for event in drawn_moves(engine.game, seat, rng):
                refusal = None if engine.is_legal(here, event) else reference.refusal(state, event)
                if refusal is not None and _rule(refusal) not in met:
                    met.add(_rule(refusal))
                    _judge(reference, state, refusal)
        engine.advance(here, pick(engine, here, draws).event)
    assert met or name in FREE, "draw more moves: none was refused"


def _rule(refusal: Refusal) -> tuple[str, ...]:
    return (refusal.kind, refusal.argument or "", *refusal.clauses)


def _judge(engine: Reference, state: StackState, refusal: Refusal) -> None:
    if refusal.kind not in (RefusalKind.REQUIREMENT, RefusalKind.OUT_OF_DOMAIN):
        return
    names = NAMES[: engine.game.players]
    notes = reasons(engine, state, refusal, names)
    assert any(sign in note.message for note in notes for sign in (" = ", " holds ", "none of ")), (refusal, notes)
    assert not any(" = seat(" in note.message for note in notes), "the names of players must be used"
    assert all(note.span is not None for note in notes)
    assert len(notes) <= len(refusal.clauses) + 1 + 3, "there must be few notes"
    assert explain(refusal, engine.game, names).message
    for viewer in range(engine.game.players):
        assert reasons(engine, state, refusal, names, viewer)


def drawn_moves(game: Game, seat: int, rng: Random) -> list[Move]:
    """Return a few moves with random values, most of them illegal."""
    signatures = rng.sample(list(game.moves.values()), min(2, len(game.moves)))
    return [
        Move(seat, each.name, tuple((name, drawn(of, rng)) for name, of, _ in each.arguments)) for each in signatures
    ]


def drawn(type_: t.Type, rng: Random) -> t.Value:
    match type_:
        case t.SetOf(of=of):
            return frozenset(drawn(of, rng) for _ in range(rng.randrange(3)))
        case t.BagOf(of=of) | t.ListOf(of=of):
            return tuple(sorted(drawn(of, rng) for _ in range(rng.randrange(3))))
        case _:
            return rng.choice(t.values(type_))


# ---- names, and the nearest legal moves


def test_players_have_the_names_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "gift.ludex"
    text = """
state turn: 0..1 = 0
action give
  choose whom in Player
  require other: whom != me
  go: turn := 1
play
  turns: repeat
    each player in seats
      give
  until turn = 1
"""
    path.write_text(HEADER.format(players=2) + text, encoding="utf-8")
    engine = Reference(load(path))
    refusal = engine.refusal(engine.start(), move(0, "give", whom=0))
    assert refusal is not None
    assert explain(refusal, engine.game, NAMES[:2]).message == "`Anna: give Anna` breaks give.other"
    assert explain(refusal, engine.game).message == "`1: give 1` breaks give.other"


WARE = t.Words("Ware", tuple(t.Case(name) for name in ("apple", "bread", "cake")))
NINE = t.Range(1, 9)
STALL = t.Record("Stall", (("row", NINE), ("col", NINE)), tuple(product(range(1, 10), repeat=2)))
CARD = t.ComponentType(
    "Card", ("a", "b", "c"), (("suit", t.Range(0, 9)), ("rank", t.Range(0, 9))), ((1, 1), (1, 2), (3, 4)), (1, 1, 1)
)


@pytest.mark.parametrize(
    ("type_", "given", "nearest_first"),
    [
        (t.Range(0, 9), 4, [4, 5, 2, 9]),
        (t.SetOf(WARE), frozenset({0, 1}), [frozenset({0, 1}), frozenset({0}), frozenset({0, 2}), frozenset({2})]),
        (t.BagOf(WARE), (0, 0, 1), [(0, 0, 1), (0, 1), (0, 2), (2, 2, 2)]),
        (t.ListOf(WARE), (0, 1), [(0, 1), (1, 0), (0, 1, 2, 2), (2, 2, 2)]),
        (STALL, 0, [0, 1, 9 * 2, 80]),
        (CARD, 0, [0, 1, 2]),
        (t.Optional(t.Range(0, 9)), 4, [4, 5, 9]),
        (t.Words("Load", (t.Case("empty"), t.Case("crate", (("size", t.Range(1, 9)),)))), 1, [1, 2, 9]),
    ],
)  # fmt: skip
def test_similar_values_are_near(type_: t.Type, given: t.Value, nearest_first: list[t.Value]) -> None:
    apart = [distance(type_, given, other) for other in nearest_first]
    assert apart == sorted(apart)
    assert apart[0] == 0
    assert all(apart[1:]), "only equal values may have the distance 0"


def test_the_nearest_sets_share_most_elements(tmp_path: Path) -> None:
    path = tmp_path / "hand.ludex"
    text = """
type Card = c1 | c2 | c3 | c4 | c5
zone hand(Player): bag of Card, open
zone shelf: bag of Card, open
action lay
  choose cards within my hand
  require three: size(cards) = 2
  go: move cards from my hand to shelf
setup
  hands: put {c1, c2, c3, c4} in hand(seat(1))
play
  turn: as seat(1)
    may lay
"""
    path.write_text(HEADER.format(players=2) + text, encoding="utf-8")
    engine = Reference(load(path))
    near = engine.nearest_legal(engine.start(), move(0, "lay", cards=(2, 3, 4)), limit=4)
    assert near[0] == move(0, "lay", cards=(2, 3)), near
    assert all(each.action == "lay" for each in near)
    assert engine.nearest_legal(engine.start(), Move(0, DECLINE), limit=1) == (Move(0, DECLINE),)
    assert engine.is_terminal(engine.after(near[:1]))
