"""Values of expressions: a play evaluates each and stores the value."""

from __future__ import annotations

import pytest

from ludex.interpreter import SpecFault
from ludex.spec.values.types import Value

from .build import engine_from

TABLE = """
type Family = earth | air | fire
type Effect = nothing_more | gain(x: 1..3) | per(family: Family)
type Site = (level: 1..3, col: 1..3) where col <= 4 - level
type Card = 1..5
type Digit = 0..9

zone row(1..3): one Card, open
zone hand(Player): bag of Card, open
zone stack: pile of Card, open
zone deck: pile of Card, hidden
zone nothing_there: bag of Card, open

state coins(Player): 0..9 = 3 + number(seat(1))
state n: 0..9 = 2
state wind: Family = air
state sites: set of Site = {Site(1, 1), Site(2, 2)}
state effect: Effect = gain(2)
state maybe: Digit? = none

define doubled(x: 0..9): 0..18 = 2 * x
define up_to(x: 0..9) = set(i for i in 1..9 where i <= x)
define below(s: Site) = set(t for t in Site where t.level = s.level - 1 and t.col - s.col in {0, 1})
define height(s: Site): 0..9 cycle 0 = 1 + max(height(t) for t in below(s) else 0)
define circle(x: 1..3): 0..9 cycle 5 = if x = 3 then circle(1) else circle(x + 1)
define price(x: 1..5): 0..9 = x
  except cheap: 1 when x <= 2
  except dear: 9 when x = 5

setup
  cards:
    put 3 in row(1)
    put 5 in row(3)
    put {1, 2} + bag(i for i in {2}) in hand(seat(1))
    put 4 in stack
    put 1 in stack
    put 2 in bottom of stack
    fill deck with Card
play
  go: result := EXPRESSION

state result: TYPE = START
"""
START = {"Bool": "false", "Family": "earth", "Player": "seat(1)", "Site": "Site(1, 1)", "Effect": "nothing_more"}


def value(expression: str, type_: str = "0..99") -> Value:
    """Return the expression's value, as the engine stores it."""
    start = START.get(type_, "none" if type_.endswith("?") else "{}" if " of " in type_ else "0")
    text = TABLE.replace("EXPRESSION", expression).replace("TYPE", type_)
    engine = engine_from(text.replace(" = START", "" if type_.startswith("list") else f" = {start}"), players=3)
    state = engine.start()
    assert engine.is_terminal(state)
    return engine.cell(state, "result")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7 div 2 + 7 mod 3 - 2 * 2", 0),
        ("abs(n - 5)", 3),
        ("min(n, 7, 4) + max(n, 7)", 9),
        ("if n = 2 then 10 else 20", 10),
        ("doubled(n) + doubled(4)", 12),
        ("coins(seat(2)) + coins(seat(3))", 8),
        ("number(next(seat(3))) * 10 + number(previous(seat(1)))", 13),
        ("place_in(clockwise(seat(2)), seat(1))", 3),
        ("place_in(reversed(seats), seat(1))", 3),
        ("player_count", 3),
        ("size(hand(seat(1))) * 10 + size(deck)", 35),
        ("size(stack) + size(up_to(4)) + size(seats)", 10),
        ("sum(c for c in hand(seat(1)))", 5),
        ("sum(a * b for a in 1..3, b in a..3)", 25),
        ("sum(a * b for a in 1..3, b in 1..3 where a < b)", 11),
        ("count(c in hand(seat(1)) where c = 2)", 2),
        ("count(s in Site where s.level = 1)", 3),
        ("max(s.col for s in Site where s.level = 2 else 9)", 2),
        ("min(c for c in nothing_there else 7)", 7),
        ("the(s in 1..3 where row(s) = 5)", 3),
        ("the(s in 1..3 where row(s) = 4 else 9)", 9),
        ("first(s in 1..3 where row(s) is not empty)", 1),
        ("first(c in stack)", 1),
        ("index(fire)", 2),
        ("height(Site(1, 1)) * 10 + height(Site(3, 1))", 13),
        ("circle(1)", 5),
        ("price(1) * 10 + price(3)", 13),
        ("sum(t.col for s in sites, t in below(s))", 5),
    ],
)
def test_numbers_are_evaluated(expression: str, expected: int) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n = 2 and wind = air", True),
        ("n = 3 or wind != air", False),
        ("n = 3 implies n = 4", True),
        ("not (n >= 2)", False),
        ("wind < fire and wind > earth", True),
        ("Site(1, 3) < Site(2, 1)", True),
        ("n in {1, 2} and n not in 3..5", True),
        ("2 in hand(seat(1)) and 3 not in hand(seat(1))", True),
        ("Site(1, 1) in sites", True),
        ("maybe is empty and row(2) is empty and row(1) is not empty", True),
        ("nothing_there is empty and deck is not empty", True),
        ("row(1) = 3 and row(2) = none", True),
        ("some c in hand(seat(1)) has c = 2", True),
        ("every c in hand(seat(1)) where c > 1 has c = 2", True),
        ("no c in hand(seat(1)) has c > 2", True),
        ("every c in nothing_there has c = 5", True),
        ("some s in 1..3, c in hand(seat(1)) has row(s) = c + 1", True),
        ("effect = gain(2) and effect != per(air)", True),
        ("up_to(3) = {3, 2, 1}", True),
        ("bag(i for i in {1, 2}) + {2} = hand(seat(1))", True),
        ("list(i for i in 1..3) != list(4 - i for i in 1..3)", True),
    ],
)
def test_conditions_are_evaluated(expression: str, expected: bool) -> None:
    assert value(expression, "Bool") is expected


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("next(seat(2))", "Player", 2),
        ("seat(n)", "Player", 1),
        ("{2, 1} + {2, 3} - {1}", "set of 1..9", frozenset({2, 3})),
        ("hand(seat(1)) + {1}", "bag of 1..9", (1, 1, 2, 2)),
        ("hand(seat(1)) - {2}", "bag of 1..9", (1, 2)),
        ("bag(s.level for s in Site)", "bag of 1..3", (1, 1, 1, 2, 2, 3)),
        ("set(s.level for s in Site)", "set of 1..3", frozenset({1, 2, 3})),
        ("list(i for i in {3, 1}) + list(c for c in stack)", "list of 1..9", (1, 3, 1, 4, 2)),
        ("set(row(s) for s in 1..3 where row(s) is not empty) + hand(seat(1))", "bag of 1..9", (1, 2, 2, 3, 5)),
        ("Site(1, 3)", "Site", 2),
        ("Site(2, n)", "Site?", 4),
        ("Site(n + 1, n)", "Site?", None),
        ("row(2)", "Digit?", None),
        ("top(stack)", "Digit?", 1),
        ("top(stack)", "Card?", 1),
        ("if n = 2 then maybe else 3", "Digit?", None),
        ("per(air)", "Effect", 5),
        ("if wind = air then gain(3) else nothing_more", "Effect", 3),
    ],
)
def test_other_expressions_are_evaluated(expression: str, type_: str, expected: Value) -> None:
    assert value(expression, type_) == expected


def test_match_has_the_value_of_the_first_arm_that_fits() -> None:
    engine = engine_from(
        """
type Effect = nothing_more | gain(x: 1..3) | lose(x: 1..3)
define worth(e: Effect): 0..30 =
  match e
    gain(x) => 10 * x
    lose(x) => x
    otherwise => 0
define size_of(k: 0..9): 0..9 =
  match k
    0 => 9
    1..3, 7 => 1
    otherwise => 2
state a: 0..99 = 0
state b: 0..99 = 0
play
  a: a := sum(worth(e) for e in Effect)
  b: b := sum(size_of(k) for k in 0..9)
"""
    )
    state = engine.start()
    assert engine.cell(state, "a") == 10 + 20 + 30 + 1 + 2 + 3
    assert engine.cell(state, "b") == 9 + 4 + 2 * 5


def test_contradicting_exceptions_of_a_define_are_a_fault() -> None:
    text = """
state rich: Bool = true
state old: Bool = true
define price: 0..9 = 5
  except rich_pay_more: 7 when rich
  except old_pay_less: LESS when old
state paid: 0..9 = 0
play
  pay: paid := price
"""
    assert engine_from(text.replace("LESS", "7")).start().cells[2] == 7
    with pytest.raises(SpecFault, match=r"price\.rich_pay_more and price\.old_pay_less both hold") as caught:
        engine_from(text.replace("LESS", "3")).start()
    assert caught.value.path == "price"


def test_a_hidden_pile_can_be_counted() -> None:
    engine = engine_from(
        """
type Card = 1..3
zone deck: pile of Card, hidden
state n: 0..9 = 0
setup
  deck:
    fill deck with Card
    shuffle deck
play
  count: n := size(deck)
"""
    )
    assert engine.cell(engine.start(), "n") == 3
