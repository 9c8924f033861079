"""Told by cases: what is worked out stays the same, and it makes no difference where a condition stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludex.grammar import parse
from ludex.spec.comparing.cases import by_cases
from ludex.spec.comparing.names import Form
from ludex.spec.comparing.said import said

Tree: TypeAlias = tuple[Any, ...]
"""A drawn expression: its text, with `{}` for each part, and the parts."""
World: TypeAlias = Mapping[str, Any]


def form(text: str, path: str = "d") -> Form:
    parsed = parse(f"edition one of made\n\n{text}\n", "made.ludex")
    assert not parsed.diagnostics, (text, parsed.diagnostics)
    return said(parsed.module.declarations)[path].form


# ---- drawn expressions ------------------------------------------------------------------------------------------


def conditions(inside: bool) -> st.SearchStrategy[Tree]:
    """What can be true or not: facts, the value of a thing; in a sum also what is true of what is counted."""
    plain = ["a", "b", "n = 1", "n = 2", "n != 2", *(["p(s)"] if inside else [])]
    leaves = st.sampled_from([(text,) for text in plain])
    return st.recursive(
        leaves,
        lambda of: st.one_of(
            st.tuples(st.just("not ({})"), of),
            st.tuples(st.just("({}) and ({})"), of, of),
            st.tuples(st.just("({}) or ({})"), of, of),
        ),
        max_leaves=3,
    )


def numbers(inside: bool = False) -> st.SearchStrategy[Tree]:
    """Numbers with conditions in them; sums of what each of a set counts."""
    leaves = st.sampled_from([("0",), ("1",), ("2",), ("x",), *([("v(s)",)] if inside else [])])
    asked = st.tuples(st.just("sum({} for s in S where {})"), numbers(True), conditions(True)) if not inside else leaves

    def more(of: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return st.one_of(
            st.tuples(st.just("(if {} then {} else {})"), conditions(inside), of, of),
            st.tuples(st.just("(if {} then {} else {})"), conditions(inside), of, of),
            st.tuples(st.just("({} + {})"), of, of),
            st.tuples(st.just("(2 * {})"), of),
        )

    return st.recursive(st.one_of(leaves, asked), more, max_leaves=5)


def text_of(tree: Tree) -> str:
    pattern, *parts = tree
    return str(pattern).format(*map(text_of, parts))


def worlds() -> Iterator[World]:
    """Everything that can be true."""
    for a, b, n, first, second in product((True, False), (True, False), (0, 1, 2), (True, False), (True, False)):
        yield {"a": a, "b": b, "n": n, "x": 7, "p": {1: first, 2: second}, "v": {1: 3, 2: 5}, "S": (1, 2)}


def value(form: Form, world: World, bound: Mapping[Form, Any] | None = None) -> Any:
    """What a form comes to."""
    bound = bound or {}

    def of(part: Form) -> Any:
        return value(part, world, bound)

    match form:
        case int():
            return form
        case ("true",) | ("false",):
            return form == ("true",)
        case ("name", _):
            return bound[form]
        case ("of" | "values", str() as name):
            return world[name]
        case ("of", str() as name, argument):
            return world[name][of(argument)]
        case ("not", part):
            return not of(part)
        case ("and" | "or" as head, *parts):
            return (all if head == "and" else any)([of(part) for part in parts])
        case ("=" | "!=" as head, left, right):
            return (of(left) == of(right)) == (head == "=")
        case ("<=", left, right):
            return of(left) <= of(right)
        case ("+", *parts):
            return sum(map(of, parts))
        case ("*", left, right):
            return of(left) * of(right)
        case ("if", condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case ("match", subject, *cases):
            told = {case[1]: case[2] for case in cases}  # type: ignore[index]
            return of(told.get(of(subject), told["otherwise"]))
        case ("sum", ("over", ("from", name, domain)), where, counted, _):
            rounds = [{**bound, name: each} for each in of(domain)]
            return sum(value(counted, world, each) for each in rounds if value(where, world, each))
        case _:
            raise AssertionError(form)


def values(text: str) -> list[Any]:
    plain = form(f"define d = {text}")
    return [value(plain, world) for world in worlds()]


@settings(max_examples=100)
@given(numbers())
def test_what_it_comes_to_stays_the_same(tree: Tree) -> None:
    plain = form(f"define d = {text_of(tree)}")
    told = by_cases(plain)
    for world in worlds():
        assert value(told, world) == value(plain, world), (text_of(tree), told, world)


# ---- a condition that is moved ----------------------------------------------------------------------------------


def moved_in(tree: Tree, condition: Tree, other: Tree) -> Tree:
    """`if CONDITION then TREE else OTHER` with the condition in each branch of the tree."""
    if str(tree[0]).startswith("(if"):
        pattern, asked, then, otherwise = tree
        return (pattern, asked, moved_in(then, condition, other), moved_in(otherwise, condition, other))
    return ("(if {} then {} else {})", condition, tree, other)


@settings(max_examples=100)
@given(numbers(), conditions(inside=False), st.sampled_from([("0",), ("x",)]))
def test_a_condition_may_stand_before_or_in_each_branch(tree: Tree, condition: Tree, other: Tree) -> None:
    before, inside = ("(if {} then {} else {})", condition, tree, other), moved_in(tree, condition, other)
    one, another = (by_cases(form(f"define d = {text_of(each)}")) for each in (before, inside))
    assert one == another, (text_of(before), text_of(inside))


@settings(max_examples=100)
@given(numbers(), conditions(inside=False), conditions(inside=False))
def test_another_condition_is_told(tree: Tree, condition: Tree, other: Tree) -> None:
    one, another = (text_of(("(if {} then {} else 0)", each, tree)) for each in (condition, other))
    assume(values(one) != values(another))
    assert by_cases(form(f"define d = {one}")) != by_cases(form(f"define d = {another}"))


ALIKE = [
    ("if a then (if n = 1 then x else if n = 2 then y else 0) else 0",
     "if n = 1 then (if a then x else 0) else if n = 2 then (if a then y else 0) else 0"),
    ("sum((if n = 1 then x else y) for s in S where a)", "if a then sum((if n = 1 then x else y) for s in S) else 0"),
    ("sum(f(s) for s in S where p(s) and a)", "if a then sum(f(s) for s in S where p(s)) else 0"),
    ("2 * (if a then 3 else x)", "if a then 6 else 2 * x"),
    ("if a then (if b then x else y) else if b then z else 0",
     "if b then (if a then x else z) else if a then y else 0"),
    ("f(if a then x else y)", "if a then f(x) else f(y)"),
    ("(a and b) or (a and not b)", "a"),
    ("(a or b) and (not a or c)", "if a then c else b"),
]  # fmt: skip
APART = [
    ("if a then (if n = 1 then x else y) else 0", "if n = 1 then (if a then x else 0) else y"),
    ("sum((if p(s) then x else y) for s in S)", "if p(s) then sum(x for s in S) else sum(y for s in S)"),
    ("sum(if some t in T has p(t) then 1 else 0 for s in S)", "sum(if some t in T has p(s) then 1 else 0 for s in S)"),
    ("if n = 1 then x else if n = 2 then y else 0", "if n = 1 then x else if n = 3 then y else 0"),
    ("2 * (if a then 3 else x)", "if a then 6 else x"),
    ("if a then 1 else f(a)", "if a then 1 else f(false)"),
]
STEPS_ALIKE = [
    ("x += if a then 3 else 0", "if a then x += 3"),
    ("x := if a then 3 else y", "if a then x := 3\n    else x := y"),
    ("x -= if a then 3 else y", "if a then x -= 3\n    else x -= y"),
    ("if b then x += if a then 3 else 0", "if a and b then x += 3"),
]
STEPS_APART = [
    ("if x = 1 then y := 3", "if x = 1 then x := 3"),
    ("x := 1\n    y += if x = 1 then 3 else 0", "y += if x = 1 then 3 else 0\n    x := 1"),
    ("x := 1\n    if x = 1 then y += 3", "if x = 1\n      x := 1\n      y += 3\n    else\n      x := 1"),
    ("x += if a then 3 else 0", "if a then x += 3\n    else x := 0"),
    ("x += if a then 3 else 0 up to 5", "if a then x += 3"),
]


def ids(text: str) -> str:
    return text.replace(" ", "_")


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ids)
def test_alike(one: str, other: str) -> None:
    assert by_cases(form(f"define d = {one}")) == by_cases(form(f"define d = {other}"))


@pytest.mark.parametrize(("one", "other"), APART, ids=ids)
def test_apart(one: str, other: str) -> None:
    assert by_cases(form(f"define d = {one}")) != by_cases(form(f"define d = {other}"))


def step(text: str) -> Form:
    return by_cases(form(f"action act\n  step:\n    {text}", "act.step"))


@pytest.mark.parametrize(("one", "other"), STEPS_ALIKE, ids=ids)
def test_steps_alike(one: str, other: str) -> None:
    assert step(one) == step(other)


@pytest.mark.parametrize(("one", "other"), STEPS_APART, ids=ids)
def test_steps_apart(one: str, other: str) -> None:
    assert step(one) != step(other)


def test_many_conditions_are_left_as_they_are() -> None:
    told = form("define d = " + " + ".join(f"(if a({at}) then {at} else x({at}))" for at in range(20)))
    assert by_cases(told) == told
