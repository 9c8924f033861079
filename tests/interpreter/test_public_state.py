"""Whether a player is asked depends on what everybody can see, in the same way in each engine."""

from __future__ import annotations

import pytest

from ludex.interpreter import Engine, Reference
from ludex.spec import Game

from .build import game_from

pytest.importorskip("llvmlite")

from ludex.interpreter.program.native import Native

SECRET = """
type Small = 0..3
state gate: 0..3 = 0
state secret(Player): 0..3, hidden
state maybe(Player): Small?, hidden
state taken: 0..9 = 0

define over(n: Small, bar: 0..9) = n > bar
define shut(n: Small) = gate = 1 and n = 2

RULES

action take
  CHOICE
  go:
    STEPS

setup
  each player in seats
    secret(me) := 1
    maybe(me) := 1

play
  turns: each player in seats
    may take
"""
CARDS = """
type Card = jack | queen | king
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone mat(Player): pile of Card, private
zone slot(Player): one Card, private
zone table: bag of Card, open
state taken: 0..9 = 0

action take
  CHOICE
  go:
    STEPS

setup
  deck:
    fill deck with Card
    fill deck with Card
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 2 from deck to my hand
    draw 1 from deck to my mat

play
  turns: each player in seats
    may take
"""


RULES = """
define again(n: 0..3, p: Player): 0..3 cycle 0 = if gate = 1 then again(n, p) else n
define telling(n: 0..3, p: Player): 0..3 cycle 0 = if gate = 1 then telling(n, p) else secret(p)
define unlike(n: 0..9, k: 0..9) = n != k

action pay(n: 0..3)
  require open: gate = n

action bribe
  require it: secret(me) = 1 and gate = 2

action flip
  turn: taken := secret(me)

action check(n: 0..3)
  require any: n < 9
  nothing
"""

HOLDS = "choose card in my hand\n  require it: some c in my hand has c = king"


def skips(game: Game) -> list[bool]:
    """Return for the reference, the engine in Python and native code whether nobody is asked anything."""
    reference, engine, code = Reference(game), Engine(game), Native(game, optimise=False)
    told, state, position = reference.start(), engine.start(), code.start()
    while not engine.is_terminal(state) and (outcomes := engine.chance(state)):
        told, state = reference.apply(told, outcomes[0][0]), engine.apply(state, outcomes[0][0])
        code.advance_id(position, code.event_ids(position)[0])
    return [reference.is_terminal(told), engine.is_terminal(state), code.is_terminal(position)]


def with_choice(text: str, choice: str, steps: str = "taken += 1") -> Game:
    return game_from(text.replace("RULES", RULES).replace("CHOICE", choice).replace("STEPS", steps))


@pytest.mark.parametrize(
    ("condition", "skipped"),
    (
        # A branch is unknown if its test is, even where all branches say the same.
        ("(if secret(me) = 2 then gate else gate) = 2", False),
        ("gate = 2 and (if gate = 0 then secret(me) = 1 else true)", True),
        ("secret(me) != secret(me)", True),
        ("secret(me) = secret(me) and gate = 2", True),
        ("max(secret(me), 1) > 5 and gate = 2", True),
        ("max(secret(me), 1) > 5", False),
        ("shut(secret(me))", True),
        ("over(secret(me), 9)", False),
        ("over(secret(me), 9) and gate = 3", True),
        ("gate in {1, secret(me)} and gate = 2", True),
        ("some i in 1..3 has (i = secret(me) and gate = i)", True),
        ("every i in 1..3 has (i = secret(me) or gate = i)", False),
        ("count(i in 1..3 where secret(me) = i and gate = 3) > 0", True),
        ("count(i in 1..3 where secret(me) = i) > 5", False),
        ("size(list(secret(p) for p in Player)) = 3", True),
        ("some n in list(secret(p) for p in Player) has (n = 1 and gate = 2)", True),
        ("sum(secret(p) for p in Player) > 0 and gate = 1", True),
        ("not (secret(me) = 2 implies gate = 0)", True),
        ("maybe(me) is not empty", False),
        ("maybe(me) is empty and gate = 2", True),
        ("gate = 2 or secret(me) + gate = 9", False),
        # A query of rules that read hidden values is unknown.
        ("can bribe", False),
        ("can bribe and gate = 2", True),
        ("can flip and secret(me) = 1 and gate = 2", True),
        ("not (can flip)", False),
        ("can pay(2) and secret(me) = 1", True),
        ("can pay(0) and secret(me) = 1", False),
        ("can pay(secret(me))", False),
        ("can pay(if gate = 0 then 2 else secret(me))", True),
        ("telling(2, me) > 5", False),
        ("(if telling(2, me) = 1 then 1 else 2) > 5 or can flip and gate = 2", False),
        ("total(me) > 5 and secret(me) = 1", True),
        ("again(2, me) = 3 and secret(me) = 1", True),
        ("again(secret(me), me) > 5", False),
        ("again(if gate = 0 then 2 else secret(me), me) = 3", True),
        # A computed unknown value equals nothing, not even itself.
        ("unlike(secret(me), secret(me))", True),
        ("unlike(secret(me) + 1, secret(me) + 1)", False),
        ("some n in {1}, k in list(secret(me) + n for i in {1}) has k != k", False),
        ("some k in list(secret(me) for i in {1}) has k != k", True),
    ),
)
def test_a_condition_is_known_where_its_known_parts_decide(condition: str, skipped: bool) -> None:
    assert skips(with_choice(SECRET, f"require open: {condition}")) == [skipped] * 3


@pytest.mark.parametrize(
    ("condition", "skipped"),
    (
        ("size(my hand) > 2", True),
        ("(some c in my hand has c = king) and taken = 3", True),
        ("king in my hand", False),
        ("king in my hand and king in table", True),
        ("top(my mat) != top(my mat)", True),
        ("my hand != my hand", True),
        ("my mat != my mat", True),
        ("my hand = table", False),
        ("size(bag(c for c in my hand)) > 2", True),
        ("size(my hand + table) > 5", True),
        ("size(set(c for c in my hand)) > 2", False),
        ("count(c in my hand) > 2", True),
        ("my slot is not empty", True),
        ("my slot = king", True),
    ),
)
def test_cards_out_of_sight_are_counted_and_not_known(condition: str, skipped: bool) -> None:
    assert skips(with_choice(CARDS, f"require open: {condition}")) == [skipped] * 3


@pytest.mark.parametrize(
    ("condition", "skipped"),
    (
        ("card != card", True),
        ("card = king", False),
        ("taken = 1 or card != card", True),
        ("some c in my hand has (c != card and taken = 1)", True),
        ("card in table", True),
        ("(if card = king then taken else taken) = 1", False),
        ("some c in table has c = card", True),
        ("every c in my hand has c = card and taken = 1", True),
    ),
)
def test_a_card_that_only_its_holder_sees_equals_itself(condition: str, skipped: bool) -> None:
    assert skips(with_choice(CARDS, f"choose card in my hand\n  require it: {condition}")) == [skipped] * 3


@pytest.mark.parametrize(
    ("condition", "skipped"),
    (("size(cards) = 3", True), ("size(cards) = 2", False), ("size(cards) = 2 and king in cards", False)),
)
def test_a_part_of_cards_out_of_sight_has_a_size(condition: str, skipped: bool) -> None:
    assert skips(with_choice(CARDS, f"choose cards within my hand\n  require it: {condition}")) == [skipped] * 3


UNSEEN = "not (some c in cards has c in {king, queen, jack})"
"""No part of cards is such, which the public cannot know."""


@pytest.mark.parametrize(
    ("text", "choice", "condition", "later", "skipped"),
    (
        (CARDS, "cards within my mat", f"size(cards) = 1 and top(my mat) not in cards and {UNSEEN}", "", False),
        (CARDS, "cards within my mat", f"size(cards) = 1 and top(my mat) in cards and {UNSEEN}", "", False),
        (CARDS, "cards within my hand", f"size(cards) = 2 and cards != my hand and {UNSEEN}", "", False),
        (CARDS, "cards within my hand", f"cards is not empty and cards = cards and {UNSEEN}", "", False),
        (CARDS, "cards within my hand", "cards != cards or (some c in cards has c not in cards)", "", True),
        (
            CARDS,
            "cards within my hand, others within my hand",
            f"size(cards) = 1 and size(others) = 1 and (no c in cards has c in others) and {UNSEEN}",
            "",
            False,
        ),
        (CARDS, "cards within my hand, card in cards", "card not in cards", "", True),
        (CARDS, "cards within my hand, card in cards", "size(cards) = 2", "card not in cards", True),
        (CARDS, "cards within my hand, card in cards", "size(cards) = 2", f"card in cards and {UNSEEN}", False),
        (CARDS, "cards within my hand, card in my hand", "size(cards) = 2", f"card in cards and {UNSEEN}", False),
        # The empty part is known, and holds nothing.
        (CARDS, "cards within my hand", "cards is empty", "cards is not empty", True),
        (SECRET, "parts within list(secret(p) + 1 for p in Player)", "size(parts) = 5", "", False),
        (SECRET, "parts within list(secret(p) for p in Player)", "size(parts) = 5", "", False),
        (SECRET, "parts within list(gate + 1 for p in Player)", "size(parts) = 5", "", True),
    ),
)
def test_nothing_tells_which_unseen_pieces_a_part_holds(
    text: str, choice: str, condition: str, later: str, skipped: bool
) -> None:
    steps = "taken += 1" + f"\n    require later: {later}" * bool(later)
    assert skips(with_choice(text, f"choose {choice}\n  require it: {condition}", steps)) == [skipped] * 3


@pytest.mark.parametrize(
    ("text", "choice", "steps", "later", "skipped"),
    (
        (SECRET, "", "secret(me) := 2", "secret(me) = 3", True),
        (SECRET, "", "secret(me) := 2", "secret(me) = 2", False),
        (SECRET, "", "taken := 3", "taken = 4 and secret(me) = 1", True),
        (SECRET, "", "taken := secret(me)", "taken = 3", False),
        (SECRET, "", "if secret(me) = 1 then taken += 1", "taken = 4", False),
        (SECRET, "", "let n = secret(me)", "n = 2", False),
        (SECRET, "choose k in 1..secret(me)", "taken := k", "taken = 5", False),
        (SECRET, "choose k in 1..secret(me)", "if k = 3 then taken += 1", "taken = 1", False),
        (CARDS, "choose card in my hand\n  require it: card = king", "taken += 1", "taken = 1 and card = king", False),
        (CARDS, "choose card in my hand", "taken += 1", "taken = 2 and card = king", True),
        (CARDS, HOLDS, "move king from my hand to table", "size(table) = 2", False),
        (CARDS, HOLDS, "move king from my hand to table", "not (king in my hand)", False),
        (CARDS, "choose card in my hand", "if size(my hand) = 2 then taken += 1", "taken = 2", True),
        # A step that reads hidden values is not followed, whatever its effect.
        (SECRET, "", "if secret(me) = 1 and gate = 1 then taken += 1", "taken = 4", False),
        (SECRET, "", "if gate = 1 and secret(me) = 1 then taken += 1", "taken = 4", False),
        (SECRET, "", "if gate = 1 then taken := secret(me)", "taken = 4", True),
        (SECRET, "", "if gate = 0 then taken := secret(me)", "taken = 4", False),
        (SECRET, "", "taken := secret(me)", "taken = 3 and gate = 2", False),
        (SECRET, "", "let n = secret(me)", "n != n", False),
        (SECRET, "", "secret(me) := secret(me)", "gate = 2", False),
        (SECRET, "", "repeat secret(me) times\n      taken += 1", "gate = 2", False),
        (SECRET, "", "each i in 1..secret(me)\n      taken += 1", "gate = 2", False),
        (SECRET, "", "each i in 1..2 where i = secret(me)\n      taken += 1", "gate = 2", False),
        (SECRET, "", "match gate\n      0 => taken += 1\n      otherwise => taken := secret(me)", "taken = 2", True),
        (SECRET, "", "check(secret(me))", "gate = 2", False),
        (SECRET, "", "check(gate)", "gate = 2", True),
        (SECRET, "choose k in 1..secret(me)", "let j = k", "j != j", False),
        (SECRET, "choose k in 1..secret(me)", "taken += 1", "k != k", False),
        (SECRET, "choose k in 1..secret(me)", "taken += 1", "gate = 2 and k != k", True),
        (
            SECRET,
            "",
            "may\n      choose j in 0..1 where secret(me) = j and gate = 2\n      taken += 1",
            "gate = 2",
            False,
        ),
        (SECRET, "", "may\n      choose j in 0..1 where gate = 2\n      taken += 1", "gate = 2", True),
        (CARDS, "choose card in my hand", "move card from my hand to table", "size(table) = 2", False),
        (CARDS, "choose card in my hand", "move card from my hand to table", "king in table and taken = 1", False),
        (CARDS, "choose card in my hand", "move all from my hand to table", "king in table and taken = 1", False),
        (CARDS, "choose card in my hand", "let n = count(c in my hand where c = king)", "n = 3", False),
        (CARDS, "choose card in my hand", "draw 1 from deck to my mat", "taken = 1", False),
        (CARDS, "choose cards within my hand", "taken := size(cards)", "taken = 3", False),
        (CARDS, "choose cards within my hand", "move cards from my hand to table", "size(table) = 3", False),
    ),
)
def test_a_requirement_after_a_step_refuses_only_if_everybody_knows_that_it_fails(
    text: str, choice: str, steps: str, later: str, skipped: bool
) -> None:
    game = with_choice(text, choice, f"{steps}\n    require later: {later}")
    assert skips(game) == [skipped] * 3


@pytest.mark.parametrize(
    ("play", "skipped"),
    (
        # A decision that reads such a name is wholly unknown, even parts that do not depend on the name.
        ("let q = secret(me)\n    may\n      choose k in 0..2 where k = q and gate = 2", False),
        ("let q = secret(me)\n    may\n      choose k in 0..2 where k = gate and gate = 2", True),
        ("let q = gate\n    may\n      choose k in 0..2 where k = q and secret(me) = 1 and gate = 2", True),
        ("may\n      choose k in list(secret(p) for p in Player) where k != k and secret(me) = 1", False),
    ),
)
def test_names_that_hold_what_is_not_open(play: str, skipped: bool) -> None:
    text = SECRET.replace("    may take", f"    {play}\n      taken += 1")
    assert skips(with_choice(text, "")) == [skipped] * 3


def test_each_piece_of_a_pile_is_tried() -> None:
    # Which piece is the top one is known, so that the lower one may be chosen.
    text = CARDS.replace("draw 1 from deck to my mat", "draw 2 from deck to my mat")
    choice = "choose card in my mat\n  require it: card != top(my mat) and not (card in {king, queen, jack})"
    assert skips(with_choice(text, choice)) == [False] * 3
