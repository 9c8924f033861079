"""One meaning, one form: what may be spelled otherwise, and what may not."""

from __future__ import annotations

import pytest

from ludex.grammar import parse
from ludex.spec.comparing.names import Form
from ludex.spec.comparing.said import Said, said


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
]
OTHER = [
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
]
STEPS_APART = [
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
