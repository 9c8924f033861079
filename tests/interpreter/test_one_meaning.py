"""One meaning of each expression: as a fact before play (`ludex.spec.value_of`, the definition) and as a compiled
define.

Both give the same value, or the same fault at the same place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ludex.grammar import Diagnostic, Failure
from ludex.interpreter import SpecFault
from ludex.interpreter.program import COMPACT, WIDE, Compiled, Limits
from ludex.interpreter.program.lowering.passes import Lowering
from ludex.spec import model as m
from ludex.spec import reading_defines, shipped_games, value_of
from ludex.spec import types as t
from ludex.spec.elaborate.builtins import BUILTIN_FUNCTIONS, CLAIM_WORDS

from ..once import game_once
from .build import game_from

VOCABULARY = """
type Colour = red | green | blue
type Effect = nothing_more | gain(x: 1..3) | lose(x: 0..2)
type Cell = (row: 0..3, col: 0..3) where row + col < 5

define tight(n: 0..5) = n
define back(n: 0..9): 0..40 cycle 7 = if n in 1..3 then min(back(4 - n) + back(n), 40) else n
define again(n: 0..9): 0..40 cycle 7 = if n < 3 then (2 * around(n + 1) + 1) mod 37 else 1
define around(n: 0..9) = again(n mod 3)
define shade(n: 0..3): Colour? =
  match n
    0 => red
    1, 2 => green
    otherwise => none
define effect(n: 0..3): Effect = if n = 0 then nothing_more else if n > 2 then lose(n - 1) else gain(n)
define worth(e: Effect) =
  match e
    gain(x) => x
    lose(x) => 7 div x
    nothing_more => 9
"""

REST = """
state coins(Player): 0..9 = 0

action take
  gain: coins(me) += 1

play
  each player in seats
    take

score points: my coins
"""

NAMES = ("x", "y")
LARGEST = 4


class Texts:
    """Generates expressions of the language, as text. in_reach: the bound names of numbers."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw, self._fresh = draw, 0

    def number(self, depth: int, in_reach: tuple[str, ...] = NAMES) -> str:
        if depth <= 0:
            return str(self._draw(st.sampled_from((*in_reach, *in_reach, "0", "1", "2", "3"))))
        one, two = partial(self.number, depth - 1, in_reach), partial(self.number, depth - 2, in_reach)
        truth, some = partial(self.truth, depth - 1, in_reach), partial(self.numbers, depth - 1, in_reach)
        name, inner = self._bound(in_reach)
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({one()} {self._draw(st.sampled_from(('+', '-', '*', 'div', 'mod')))} {two()})",
            lambda: f"(-{one()})",
            lambda: f"abs({one()})",
            lambda: f"{self._draw(st.sampled_from(('max', 'min')))}({one()}, {two()})",
            lambda: f"(if {truth()} then {one()} else {two()})",
            lambda: f"sum({self.number(depth - 1, inner)} for {name} in {some()} where {self.truth(depth - 2, inner)})",
            lambda: f"count({name} in {some()} where {self.truth(depth - 1, inner)})",
            lambda: f"max({self.number(depth - 1, inner)} for {name} in {some()} else {one()})",
            lambda: f"min({self.number(depth - 1, inner)} for {name} in 0..3 where {name} < {two()} else {one()})",
            lambda: f"the({name} in {some()} where {self.truth(depth - 1, inner)})",
            lambda: f"the({name} in {some()} else {one()})",
            lambda: f"first({name} in {some()} where {self.truth(depth - 1, inner)} else {one()})",
            lambda: f"first({name} in list({name} for {name} in {some()}))",
            lambda: f"size({some()})",
            lambda: f"size(bag({self.number(depth - 1, inner)} for {name} in {some()}) + {some()})",
            lambda: f"tight(max({one()}, 0))",
            lambda: f"back(min(max({one()}, 0), 9))",
            lambda: f"worth(effect({self.small(depth - 1, in_reach)}))",
            lambda: f"place_in(reversed(seats), {self.player(depth - 1, in_reach)})",
            lambda: f"place_in(clockwise({self.player(0, in_reach)}), {self.player(depth - 1, in_reach)})",
            lambda: f"place_in(list({name} for {name} in {some()}), {one()})",
            lambda: f"number({self.player(depth - 1, in_reach)})",
            lambda: f"(if {self.cell(depth - 1, in_reach)} is empty then {one()} else {two()})",
            lambda: f"sum(c.row * c.col for c in Cell where c.row = {one()})",
        )
        return self._one_of(forms)

    def truth(self, depth: int, in_reach: tuple[str, ...]) -> str:
        one, two = partial(self.number, depth - 1, in_reach), partial(self.number, depth - 2, in_reach)
        if depth <= 0:
            return f"{one()} < {two()}"
        truth, some = partial(self.truth, depth - 1, in_reach), partial(self.numbers, depth - 1, in_reach)
        name, inner = self._bound(in_reach)
        kind = self._draw(st.sampled_from(("some", "every", "no")))
        few = f"{self.small(depth - 2, in_reach)}..{self.small(depth - 2, in_reach)}"
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"{one()} {self._draw(st.sampled_from(('=', '!=', '<', '<=', '>', '>=')))} {two()}",
            lambda: f"({truth()} {self._draw(st.sampled_from(('and', 'or', 'implies')))} {truth()})",
            lambda: f"not ({truth()})",
            lambda: f"{one()} in {some()}",
            lambda: f"{one()} not in {one()}..{two()}",
            lambda: f"{some()} is empty",
            lambda: f"{some()} = {some()}",
            lambda: f"({kind} {name} in {some()} has {self.truth(depth - 1, inner)})",
            lambda: f"({kind} {name} in {some()} where {self.truth(depth - 2, inner)} has {name} > {one()})",
            lambda: f"shade({self.small(depth - 1, in_reach)}) = green",
            lambda: f"(some {name} in {few} has shade({name}) is not empty and index(shade({name})) > {one()})",
            lambda: f"(every {name} in {few} has Cell({name}, 2) is not empty implies Cell({name}, 2).row > {one()})",
            lambda: f"effect({self.small(depth - 1, in_reach)}) = gain(1)",
        )
        return self._one_of(forms)

    def numbers(self, depth: int, in_reach: tuple[str, ...]) -> str:
        """Return a set of numbers."""
        one, two = partial(self.number, depth - 1, in_reach), partial(self.number, depth - 2, in_reach)
        if depth <= 0:
            return "(0..3)"
        name, inner = self._bound(in_reach)
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"({one()}..{two()})",
            lambda: "{" + f"{one()}, {two()}" + "}",
            lambda: f"({self.numbers(depth - 1, in_reach)} - {self.numbers(depth - 2, in_reach)})",
            lambda: f"set({self.number(depth - 1, inner)} for {name} in {self.numbers(depth - 1, in_reach)})",
        )
        return self._one_of(forms)

    def small(self, depth: int, in_reach: tuple[str, ...]) -> str:
        return f"min(max({self.number(depth, in_reach)}, 0), 3)"

    def player(self, depth: int, in_reach: tuple[str, ...]) -> str:
        form: str = self._draw(st.sampled_from(("next({})", "previous({})", "opponent({})", "{}")))
        return form.format(f"seat(1 + {self.small(depth, in_reach)} mod 2)")

    def cell(self, depth: int, in_reach: tuple[str, ...]) -> str:
        return f"Cell({self.small(depth, in_reach)}, {self.small(depth - 1, in_reach)})"

    def _one_of(self, forms: tuple[Callable[[], str], ...]) -> str:
        chosen: Callable[[], str] = self._draw(st.sampled_from(forms))
        return chosen()

    def _bound(self, in_reach: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        self._fresh += 1
        name = f"n{self._fresh}"
        return name, (*in_reach, name)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Return the body of a define of two small numbers: some lets, an expression or a match, exceptions."""
    texts = Texts(draw)
    lines = [f"  let a = {texts.number(2)}"] if draw(st.booleans()) else []
    reach = (*NAMES, "a") if lines else NAMES
    if draw(st.booleans()):
        arms = [f"    {at} => {texts.number(2, reach)}" for at in ("0", "1, 2", "otherwise")]
        lines += [f"  match {texts.number(2, reach)}", *arms]
    else:
        lines.append(f"  {texts.number(LARGEST, reach)}")
    for at in range(draw(st.integers(0, 2))):
        lines.append(f"  except e{at}: {texts.number(1, reach)} when {texts.truth(2, reach)}")
    return "\n".join(lines)


def read_define(body: str, *facts: str) -> m.Game | tuple[Diagnostic, ...]:
    """Return the game with a define of this body, or its diagnostics."""
    try:
        return game_from("\n".join((VOCABULARY, "define made(x: 0..3, y: 0..3) =", body, *facts, REST)))
    except Failure as failure:
        return failure.diagnostics


Came = tuple[Any, str | None, object] | tuple[Any]


class Asked:
    """A game's program with units for the values of these defines."""

    def __init__(self, game: m.Game, limits: Limits, *names: str, again: bool = False) -> None:
        lowering = Lowering(game, limits)
        self._units = {name: lowering.ask(game.defines[name]) for name in names}
        for unit in range(len(lowering.program.units)) if again else ():
            lowering.x.again(unit)
        self._engine = Compiled(game, limits, lowering.program)
        self._state = self._engine.start()

    def agrees(self, name: str, arguments: tuple[t.Value, ...], meant: Came) -> None:
        """Assert that the unit gives the expected value, or a fault in the same clause. The reference gives it the same
        message.
        """
        self._engine.meter.begin()
        unit = self._engine.runtime.units[self._units[name]]
        result = _came(lambda: unit(self._state, self._state.cells, *arguments))
        assert result[-1:] == meant[-1:] if len(meant) == 1 else len(result) == len(meant), (arguments, result, meant)


def _came(work: Callable[[], Any]) -> Came:
    """Return a value, or a fault with its clause and place."""
    try:
        return (work(),)
    except SpecFault as fault:
        return fault.message, fault.path, fault.span


@settings(max_examples=60)
@given(bodies())
@example("  place_in(list(n for n in x..the(k in 0..3 where x < x)), the(j in 0..3 where x < x))")
@example("  back(x + 6 div y)")  # a table of a define on a cycle, computed before play
# a fact with another value while the define that it calls is being evaluated
@example("  again(x) + 40 * around(1) + 6 div y")
def test_a_define_has_the_value_of_its_expression(body: str) -> None:
    game = read_define(body)
    assume(isinstance(game, m.Game))  # the checker may find that a value is never in range
    assert isinstance(game, m.Game)
    compiled = [Asked(game, limits, "made") for limits in (WIDE, COMPACT)]
    compiled.append(Asked(game, COMPACT, "made", again=True))
    for x, y in product(range(4), repeat=2):
        call = _call(game.defines["made"], (x, y))
        meant = _came(partial(value_of, call, defines=game.defines))
        for asked in compiled:
            asked.agrees("made", (x, y), meant)


@settings(max_examples=30)
@given(bodies(), st.integers(0, 3), st.integers(0, 3))
def test_a_fact_has_the_value_of_an_equal_define(body: str, x: int, y: int) -> None:
    """A fault of the fact is reported at the same place, with the same message and the clause."""
    call = f"made({x}, {y})"
    game = read_define(body, f"define same = {call}")
    assume(isinstance(game, m.Game))
    assert isinstance(game, m.Game)
    played = _came(partial(value_of, _call(game.defines["same"], ()), defines=game.defines))
    read = read_define(body, f"fact held = {call}", "define same = held")
    if isinstance(read, m.Game):
        assert played == _came(partial(value_of, _call(read.defines["same"], ()), defines=read.defines))
        Asked(read, WIDE, "same").agrees("same", (), played)
        return
    (report,) = [each for each in read if each.is_error]
    assert len(played) == 3, f"the fact is refused ({report.message}), but the define has the value {played}"
    message, path, span = played
    assert message in report.message
    assert str(path) in report.message
    assert (report.span.line, report.span.column) == (span.line, span.column)  # type: ignore[attr-defined]


def test_contradicting_exceptions_are_a_fault_of_a_fact_too() -> None:
    body = "  1\n  except e0: 2 when x >= 0\n  except e1: 3 when y >= 0"
    read = read_define(body, "fact held = made(0, 0)")
    assert not isinstance(read, m.Game)
    (report,) = read
    assert report.code.code == "T211"
    assert "made.e0 and made.e1 both hold here" in report.message
    assert "it is asked for here" in [note.message for note in report.notes]


def _call(define: m.Define, arguments: tuple[t.Value, ...]) -> m.CallDefine:
    given = zip(define.parameters, arguments, strict=True)
    constants = tuple(m.Constant(of, define.span, each) for (_, of), each in given)
    return m.CallDefine(define.result, define.span, define.name, constants)


# ---- the shipped games

MOST = 100
"""The number of values of a define that are compared."""


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_compiled_defines_without_state_have_the_defined_values(name: str) -> None:
    game = game_once(name)
    varying = reading_defines(game.defines)
    fixed = [
        define
        for define in game.defines.values()
        if define.name not in varying and all(t.size(of) is not None for _, of in define.parameters)
    ]
    compiled = Asked(game, WIDE, *(define.name for define in fixed))
    for define in fixed:
        for arguments in islice(product(*(t.values(of) for _, of in define.parameters)), MOST):
            call = _call(define, arguments)
            meant = _came(partial(value_of, call, defines=game.defines))
            compiled.agrees(define.name, arguments, meant)


def test_every_builtin_is_drawn_and_on_the_page() -> None:
    files = ("test_one_meaning.py", "whole_games.py")
    forms = "".join((Path(__file__).parent / file).read_text(encoding="utf-8") for file in files)
    page = (Path(__file__).parents[2] / "docs/language.md").read_text(encoding="utf-8")
    names = set(get_args(m.BuiltinName))
    assert names == {*BUILTIN_FUNCTIONS, "game_over", "top"}, "write its row into BUILTIN_FUNCTIONS"
    lacking = [name for name in sorted(names - CLAIM_WORDS) if not re.search(rf"\b{name}\(.*[{{\w]", forms)]
    assert not lacking, f"draw expressions with {lacking} in one of {files}"
    unexplained = [name for name in sorted(names) if not re.search(rf"`{name}[`(]", page)]
    assert not unexplained, f"write rows for {unexplained} into docs/language.md"
