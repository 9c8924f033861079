"""Forms that are equal mean the same: whatever is drawn, two spellings that get one form have one value everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.grammar import Failure, parse
from ludex.grammar import syntax as s
from ludex.interpreter import Engine, State
from ludex.spec import model as m
from ludex.spec import types as t
from ludex.spec.comparing.forms import value_body
from ludex.spec.comparing.names import NUMBERS, Form, Names, Shared

from .build import game

TABLE = """
type Colour = red | green | blue

{defines}

play
  over: end game
"""
PARAMETERS = "a: Bool, b: Bool, n: 0..2, k: 0..2, c: Colour"
SHARED = Shared(
    words=frozenset({"red", "green", "blue"}),
    types={"Colour": ("red", "green", "blue")},
    numbers=NUMBERS | {"n"},
    players=(2,),
)

SETS = st.sampled_from(
    ["1..3", "1..2", "0..6", "{1, 2}", "{n, k}", "{n}", "((1..2) + (3..4))", "set(j for j in 0..6 where j < n + k)"]
)
OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
MEMBERSHIP = st.sampled_from(["in", "not in"])
WORDS = st.sampled_from(["c", "c", "red", "green", "blue"])
QUANTIFIERS = st.sampled_from(["some", "every", "no"])
OF_W = st.one_of(
    st.builds("w {} {}".format, OPERATORS, WORDS),
    st.builds("(w = {} and {})".format, WORDS, st.sampled_from(["a", "n < k"])),
)
OF_I = st.one_of(
    st.builds("i {} {}".format, OPERATORS, st.sampled_from(["n", "k", "1", "2"])),
    st.builds("i {} {} and {}".format, OPERATORS, st.sampled_from(["n", "k", "1"]), st.sampled_from(["a", "n < k"])),
    st.builds("(i = {} or {})".format, st.sampled_from(["n", "k", "1"]), st.sampled_from(["a", "n < k", "i > 2"])),
    st.builds("(some j in {} has {})".format, SETS, st.sampled_from(["i = j", "j = n", "i < j and a", "i = n"])),
)


def numbers(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["n", "k", "n", "k", "0", "1", "2", "3"])
    if depth == 0:
        return leaf
    less = numbers(depth - 1)
    return st.one_of(
        leaf,
        st.builds("({} + {})".format, less, less),
        st.builds("({} - {})".format, less, less),
        st.builds("({} * {})".format, less, less),
        st.builds("({} {} 2)".format, less, st.sampled_from(["div", "mod"])),
        st.builds("max({}, {})".format, less, less),
        st.builds("(if {} then {} else {})".format, truths(depth - 1), less, less),
        st.builds("count(i in {} where {})".format, SETS, OF_I),
        st.builds("sum({} for i in {} where {})".format, less, SETS, OF_I),
        st.builds("sum((if {} then {} else 0) for i in {})".format, OF_I, less, SETS),
        st.builds("size({})".format, SETS),
    )


def truths(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["a", "b", "a", "b", "true", "false"])
    if depth == 0:
        return leaf
    less, number = truths(depth - 1), numbers(depth - 1)
    return st.one_of(
        leaf,
        st.builds("(not {})".format, less),
        st.builds("({} {} {})".format, less, st.sampled_from(["and", "or", "implies"]), less),
        st.builds("({} {} {})".format, number, OPERATORS, number),
        st.builds("({} {} {})".format, WORDS, OPERATORS, WORDS),
        st.builds("({} {} {{{}, {}}})".format, number, MEMBERSHIP, number, number),
        st.builds("({} {} {{{}, {}}})".format, WORDS, MEMBERSHIP, WORDS, WORDS),
        st.builds("({} in {}..{})".format, number, number, number),
        st.builds("(if {} then {} else {})".format, less, less, less),
        st.builds("({} i in {} has {})".format, QUANTIFIERS, SETS, st.one_of(OF_I, less)),
        st.builds("({} i in {} where {} has {})".format, QUANTIFIERS, SETS, OF_I, less),
        st.builds("({} w in Colour has {})".format, QUANTIFIERS, OF_W),
        st.builds("({} is {})".format, SETS, st.sampled_from(["empty", "not empty"])),
    )


BODIES = st.one_of(
    truths(1),
    truths(2),
    truths(3),
    st.builds("\n  match n\n    0 => {0}\n    1 => {1}\n    2 => {2}".format, truths(1), truths(1), truths(1)),
    st.builds("\n  match c\n    red, blue => {0}\n    green => {1}".format, truths(1), truths(2)),
    st.builds("\n  match n\n    1 => {0}\n    otherwise => {1}".format, truths(1), truths(2)),
    st.builds("\n  let x = {0}\n  x and {1}".format, truths(2), truths(2)),
)
SWAPS = {
    "and": "or", "or": "and", "implies": "or", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "=",
    "+": "-", "-": "+", "a": "b", "b": "a", "n": "k", "k": "n", "0": "1", "1": "2", "2": "3", "some": "every",
    "every": "some",
    "no": "some", "red": "blue", "blue": "green", "green": "c", "div": "mod", "mod": "div", "in": "in", "true": "a",
}  # fmt: skip
FIRST_LINE = 8
"""Of the first define in the file."""
TOKEN = re.compile(r"\d+|\w+|[<>!]?=|[-+<>*]")


def changed(body: str, at: int) -> str:
    """The body with one of its words another; it may still mean the same."""
    found = [each for each in TOKEN.finditer(body) if each.group() in SWAPS]
    if not found or body.startswith("\n"):
        return body
    token = found[at % len(found)]
    return body[: token.start()] + SWAPS[token.group()] + body[token.end() :]


def declarations(bodies: list[str]) -> str:
    return "\n".join(f"define d{at}({PARAMETERS}): Bool = {body}" for at, body in enumerate(bodies))


def forms(text: str) -> list[Form]:
    """The forms of the defines, in which the parameters are names of which nothing is known but the kind."""
    parsed = parse(f"edition one of made\n\n{text}\n", "made.ludex")
    defines = [node for node in parsed.module.declarations if isinstance(node, s.ValueDeclaration)]
    return [value_body(node.body, Names(SHARED, whole=True)) for node in defines]


def values(engine: Engine, name: str) -> tuple[object, ...]:
    """What a define comes to for all arguments; `None` where the engine says that there is no value."""
    define = engine.game.defines[name]
    return tuple(
        _value(engine, define, arguments) for arguments in product(*(t.values(of) for _, of in define.parameters))
    )


def _value(engine: Engine, define: m.Define, arguments: tuple[t.Value, ...]) -> object:
    given = zip(define.parameters, arguments, strict=True)
    constants = tuple(m.Constant(of, define.span, value) for (_, of), value in given)
    call = m.CallDefine(define.result, define.span, define.name, constants)
    return engine.machine.value(call, State([], [], []), [None])


def sayable(bodies: list[str]) -> tuple[list[str], Engine]:
    """Those that can be said, and their engine: some of what is drawn is of no type, or can never be."""
    while True:
        try:
            return bodies, Engine(game(TABLE.format(defines=declarations(bodies))))
        except Failure as failure:
            wrong = {each.span.line for each in failure.diagnostics}
            less = list(without(bodies, wrong))
        if len(less) == len(bodies):
            pytest.fail(f"nothing is wrong with these lines, but they cannot be said: {sorted(wrong)} of {bodies}")
        bodies = less


def without(bodies: list[str], wrong: set[int]) -> Iterator[str]:
    """The bodies that stand on none of these lines."""
    line = FIRST_LINE
    for body in bodies:
        lines = range(line, line + body.count("\n") + 1)
        line = lines.stop
        if wrong.isdisjoint(lines):
            yield body


@given(st.lists(st.tuples(BODIES, st.integers(0, 50)), min_size=4, max_size=8))
@settings(max_examples=60, deadline=None)
def test_forms_that_are_equal_mean_the_same(drawn: list[tuple[str, int]]) -> None:
    bodies, engine = sayable([each for body, at in drawn for each in (body, changed(body, at))])
    known: dict[Form, tuple[str, tuple[object, ...]]] = {}
    for at, form in enumerate(forms(declarations(bodies))):
        found = values(engine, f"d{at}")
        body, told = known.setdefault(form, (bodies[at], found))
        assert told == found, f"one form, but two meanings:\n  {body}\n  {bodies[at]}\n  {form}"
