"""One meaning, one form: what may be spelled otherwise, and what may not."""

from __future__ import annotations

import pytest

from ludex.grammar import parse
from ludex.spec.comparing.names import Form, shared_by
from ludex.spec.comparing.said import Said, heard, said, whole_form


def step(text: str) -> str:
    inside = text.replace("\n", "\n  ")
    return f"action act\n  step:\n    {inside}"


SAME = [
    ("a and b", "b and a"),
    ("a and (b and c)", "(c and a) and b"),
    ("not not a", "a"),
    ("x < y", "y > x"),
    ("x <= y", "not x > y"),
    ("x = y", "y = x"),
    ("x != y", "not x = y"),
    ("not (a and b)", "not a or not b"),
    ("a implies b", "not a or b"),
    ("a implies (b implies c)", "a and b implies c"),
    ("x not in S", "not x in S"),
    ("x in {y}", "x = y"),
    ("x is not empty", "not x is empty"),
    ("x = none", "x is empty"),
    ("a = true", "a"),
    ("a = false", "not a"),
    ("x + y + 1", "1 + y + x"),
    ("2 * x", "x * 2"),
    ("max(x, y)", "max(y, x)"),
    ("some s in S has p(s)", "some t in S has p(t)"),
    ("no s in S has p(s)", "not some s in S has p(s)"),
    ("no s in S has p(s)", "every s in S has not p(s)"),
    ("some s in S where q(s) has p(s)", "some s in S has p(s) and q(s)"),
    ("every s in S where q(s) has p(s)", "every t in S has q(t) implies p(t)"),
    ("count(s in S where p(s))", "sum(1 for t in S where p(t))"),
    ("if a then x else y", "if not a then y else x"),
    ("my token", "token(me)"),
    ("{x, y}", "{y, x}"),
    ("x + 1 > y", "x >= y"),
    ("x > 2", "3 <= x"),
    ("2 * (x + 1) - x", "2 + x"),
    ("24 div 6 - 1", "3"),
    ("x + 1 = 3", "x = 2"),
    ("size(x) > 0", "x is not empty"),
    ("size(x) < 1", "x is empty"),
    ("count(s in S where p(s)) >= 1", "some s in S has p(s)"),
    ("count(s in S where p(s)) = 0", "no s in S has p(s)"),
    ("x in {y, z}", "x = z or x = y"),
    ("x not in {y, z}", "x != y and x != z"),
    ("x in 1..y", "1 <= x and x <= y"),
    ("some s in S has s = x", "x in S"),
    ("some s in S where s = x has p(s)", "x in S and p(x)"),
    ("no s in S has s = x", "x not in S"),
    ("some s in {x, y} has p(s)", "p(x) or p(y)"),
    ("every n in 1..3 has p(n)", "p(1) and p(2) and p(3)"),
    ("a and (a or b)", "a"),
    ("a and (not a or b)", "a and b"),
    ("a and b or a and c", "a and (b or c)"),
    ("if a then b else true", "a implies b"),
    ("if a then (if b then x else y) else y", "if a and b then x else y"),
    ("if a then x else (if b then x else y)", "if a or b then x else y"),
    ("if x = 1 then 5 else if x = 2 then 6 else 7", "if x = 2 then 6 else if x = 1 then 5 else 7"),
    ("some s in S where a has p(s)", "some s in S has a and p(s)"),
    ("sum(v(s) for s in S where p(s))", "sum((if p(s) then v(s) else 0) for s in S)"),
    ("some s in f(x) + f(y) has p(s)", "some s in f(y) + f(x) has p(s)"),
]
OTHER = [
    ("x + y", "y + x"),  # lists, perhaps
    ("x - y + y", "x"),  # sets, perhaps
    ("size(x) > 1", "x is not empty"),
    ("x in {y, z}", "x = y"),
    ("some s in S has some t in T has p(s)", "some s in S has some t in T has p(t)"),
    ("some s in S has s = x", "every s in S has s = x"),
    ("a and b or a and c", "a and b and c"),
    ("if a then x else (if b then y else x)", "if a and b then y else x"),
    ("if x = 1 then 5 else if y = 2 then 6 else 7", "if y = 2 then 6 else if x = 1 then 5 else 7"),
    ("count(s in S where p(s)) > 1", "some s in S has p(s)"),
    ("7 mod 4", "2"),
    ("a and b", "a or b"),
    ("x < y", "x <= y"),
    ("x < y", "y < x"),
    ("x - y", "y - x"),
    ("a implies b", "b implies a"),
    ("some s in S has p(s)", "every s in S has p(s)"),
    ("some s in S has p(s)", "some s in T has p(s)"),
    ("some s in S, t in T has p(s, t)", "some s in S, t in T has p(t, s)"),
    ("count(s in S where p(s))", "count(s in S where not p(s))"),
    ("x = 3", "x = 4"),
    ("if a then x else y", "if a then y else x"),
    ("max(x, y)", "min(x, y)"),
    ("token(p)", "my token"),
]


def clauses(text: str) -> dict[str, Said]:
    parsed = parse(f"edition one of made\n\n{text}\n", "made.ludex")
    assert not parsed.diagnostics, parsed.diagnostics
    return dict(said(parsed.module.declarations))


def form(text: str, path: str = "d") -> Form:
    return clauses(text)[path].form


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda text: text.replace(" ", "_"))
def test_spellings_of_one_meaning_have_one_form(one: str, other: str) -> None:
    assert form(f"define d = {one}") == form(f"define d = {other}")


@pytest.mark.parametrize(("one", "other"), OTHER, ids=lambda text: text.replace(" ", "_"))
def test_what_means_something_else_has_another_form(one: str, other: str) -> None:
    assert form(f"define d = {one}") != form(f"define d = {other}")


STEPS_ALIKE = [
    ("x := x + 1", "x += 1"),
    ("x(me) -= 2", "my x := my x - 2"),
    ("if a then x := 1\n  else x := 2", "if not a then x := 2\n  else x := 1"),
    ("swap row(1) with row(2)", "swap row(2) with row(1)"),
    ("if a\n    if b then x := 1", "if a and b then x := 1"),
    ("x += 3 - 3", "nothing"),
    ("repeat 3 - 2 times\n    x := 1", "x := 1"),
    ("each n in 1..2\n    x(n) := 0", "x(1) := 0\n  x(2) := 0"),
    ("x := x - y + 1", "x += 1 - y"),
]
STEPS_APART = [
    ("each s in S where p(s)\n    x(s) := 1", "each s in S\n    x(s) := 1"),
    ("if a\n    x := 1\n  y := 2", "if a\n    x := 1\n    y := 2"),
    ("x := x + y", "x += z"),
    ("may gain", "gain"),
    ("draw 1 from deck to hand(me)", "draw 2 from deck to hand(me)"),
    ("move card from hand(me) to discard", "move card from hand(me) to box"),
    ("put x in top of deck", "put x in bottom of deck"),
    ("x += 1", "x -= 1"),
    ("x += 1", "x += 1 up to 8"),
]


@pytest.mark.parametrize(("one", "other"), STEPS_ALIKE)
def test_steps_that_do_the_same(one: str, other: str) -> None:
    assert form(step(one), "act.step") == form(step(other), "act.step")


@pytest.mark.parametrize(("one", "other"), STEPS_APART)
def test_steps_that_do_something_else(one: str, other: str) -> None:
    assert form(step(one), "act.step") != form(step(other), "act.step")


GAME = """
game made
  players: 2..3

type Side = left | right
type Level = 1..3

state tall(Level): Bool = false
state pot: 0..9 = 0
zone stack: bag of Side, open
"""
VALUES_ALIKE = [
    (
        "define d(n: 1..3) =\n  match n\n    1 => 2\n    2 => 4\n    3 => 6",
        "define d(k: 1..3) = if k = 1 then 2 else if k = 2 then 4 else 6",
    ),
    ("define d(n: 1..3) =\n  match n\n    1, 2 => 2\n    otherwise => 6", "define d(n: 1..3) = if n < 3 then 2 else 6"),
    ("define d(n: Level) = 2 * n", "define d(n: Level) =\n  match n\n    1 => 2\n    2 => 4\n    3 => 6"),
    (
        "define d(s: Side) =\n  match s\n    left => 1\n    right => 2",
        "define d(s: Side) = if s = right then 2 else 1",
    ),
    ("fact d =\n  match player_count\n    2 => 4\n    3 => 5", "fact d = player_count + 2"),
    ("define d = 1\n  except far: 2 when a", "define d = if a then 2 else 1"),
    ("define d = some s in Side has p(s)", "define d = p(right) or p(left)"),
    ("define d = every n in Level has tall(n)", "define d = tall(1) and tall(2) and tall(3)"),
]
VALUES_APART = [
    ("define d(n: 1..3) = if n = 1 then 2 else 6", "define d(n: 1..3) = if n = 2 then 2 else 6"),
    ("fact d =\n  match player_count\n    2 => 4\n    3 => 6", "fact d = player_count + 2"),
    ("define d = 1\n  except far: 2 when a", "define d = 1"),
    ("define d(n: Level) = tall(n)", "define d(n: Level) = tall(1)"),
    ("define d =\n  match x\n    1 => 5", "define d =\n  match x\n    1 => 5\n    otherwise => 6"),
]


def whole(text: str) -> Form | None:
    shared = shared_by(parse(GAME, "made.ludex").module)
    parsed = parse(f"edition one of made\n\n{text}\n", "made.ludex")
    assert not parsed.diagnostics, parsed.diagnostics
    return whole_form(*heard(parsed.module.declarations, shared, {})["d"])


@pytest.mark.parametrize(("one", "other"), VALUES_ALIKE)
def test_values_as_a_whole(one: str, other: str) -> None:
    assert whole(one) == whole(other)


@pytest.mark.parametrize(("one", "other"), VALUES_APART)
def test_values_that_differ_as_a_whole(one: str, other: str) -> None:
    assert whole(one) != whole(other)


def test_what_a_let_binds_is_not_taken_for_what_is_bound_around() -> None:
    by_let = "define d =\n  let any = some s in S has p(s)\n  some t in T has any and q(t)"
    assert form(by_let) == form("define d = some t in T has (some s in S has p(s)) and q(t)")
    assert form(by_let) != form("define d = some t in T has (some s in S has p(t)) and q(t)")


def test_names_of_a_block_do_not_count() -> None:
    one = "action act\n  step:\n    choose s in S\n    let near = p(s)\n    x(s) := near"
    other = "action act\n  step:\n    choose t in S\n    x(t) := p(t)"
    assert form(one, "act.step") == form(other, "act.step")


def test_a_number_with_a_name_is_the_number() -> None:
    assert form("fact goal = 9\n\nscore d: x + goal", "score.d") == form("score d: x + 9", "score.d")


def test_a_fork_is_read_as_its_edition_reads_it() -> None:
    fork = 'fork way\n  one: "so"\n  two: "or so"\n  default {} "why"\n\n'
    by_match = "define d =\n  match way\n    one => x\n    two => y"
    assert form(fork.format("two") + by_match) == form("define d = y")
    assert form(fork.format("one") + "define d = if way = one then x else y") == form(
        "define d = if true then x else y"
    )
    assert form(fork.format("one") + "define d = way = two or a") == form("define d = a")


def test_what_players_of_an_example_are_called_does_not_count() -> None:
    one = "example e\n  with anna, boris\n  after anna go(card: x)\n  expect token(boris) = 1"
    other = "example e\n  with hadas, tal\n  after hadas go(card: x)\n  expect 1 = token(tal)"
    assert form(one, "example.e") == form(other, "example.e")
    assert form(one, "example.e") != form(other.replace("after hadas", "after tal"), "example.e")
