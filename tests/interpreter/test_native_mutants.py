"""Mutation testing of the native printer: plays in lockstep catch every small change of its output."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from ludex.spec import Game, OverBudget
from ludex.spec import types as t

from .mutants import GAMES, Mutate, method

pytest.importorskip("llvmlite")

from ludex.interpreter.program.llvm import (
    arithmetic,
    conditions,
    decisions,
    generator,
    memo,
    module,
    plays,
    predicates,
    statements,
    subsets,
    three_valued,
    values,
    zones,
)
from ludex.interpreter.program.llvm import builder as printed
from ludex.interpreter.program.llvm.conditions import equal_bytes
from ludex.interpreter.program.llvm.hidden import Hidden, counted_entries, distinct
from ludex.interpreter.program.llvm.shapes import CellLayout, ItemList
from ludex.interpreter.program.native import Native, Stopped, library
from ludex.interpreter.program.native.fallback import played

from .test_native import lockstep, words


def compared(name: str, instruction: str) -> Mutate:
    return lambda patch: patch.setitem(predicates.COMPARED, name, instruction)


def finding(changed: Callable[..., str]) -> Mutate:
    """Replace the comparison of many cells with one value, in scans and in conditions."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        for each in (statements, conditions):
            patch.setattr(each, "equal_bytes", changed)

    return mutate


def reworded(module: Any, name: str, old: str, new: str) -> Mutate:
    """Replace a text that is the same for all programs."""
    assert old in getattr(module, name)
    return lambda patch: patch.setattr(module, name, getattr(module, name).replace(old, new))


def printing(old: str, new: str) -> Mutate:
    """Replace the beginning of every instruction that begins with a pattern."""

    def let(before: Callable[..., str], self: printed.Function, text: str) -> str:
        return before(re.sub(f"^{old}", new, text))

    return method(printed.Function, "let", let)


def turned(before: Callable[..., Any], self: Any, *args: Any) -> list[Any]:
    """Exchange the arguments of moves."""
    found = before(*args)
    return [(*value[:2], other[2]) for value, other in zip(found, found[::-1], strict=True)]


def below(of: Callable[[CellLayout], Iterable[t.Type]]) -> Mutate:
    """Begin the numbers of unknown pieces right below the least number of some types."""

    def floor(layout: CellLayout) -> int:
        return min([0, *(each.low for each in of(layout) if isinstance(each, t.Range))])

    return lambda patch: patch.setattr(CellLayout, "floor", property(floor, lambda *_: None), raising=False)


def concealed(layout: CellLayout) -> list[t.Type]:
    return [element.type for element in layout.concealment.elements]


def counted_once(of: values.ValueEmitter, listed: str, shape: ItemList, out: str) -> None:
    counted_entries(of, distinct(of, listed, shape), shape, out)


def never_merged(before: Callable[..., str], self: Hidden) -> str:
    f = printed.Function("merged", "ptr %C, ptr %S", "i1")
    f.give("false")
    return f.text()


MUTANTS: dict[str, tuple[str, Mutate]] = {
    "unknown pieces begin below zero": ("below zero", below(lambda layout: ())),
    "unknown pieces begin below the least private piece": ("a union with {-7}", below(concealed)),
    "what is in a union is known": (
        "a union with low",
        lambda patch: patch.setattr(CellLayout, "_wider_ranges", lambda self: frozenset()),
    ),
    "pieces move without a new normal form": ("pools", method(zones.Zones, "_mark", lambda *_: None)),
    "outcomes of one number are one": (
        "pools",
        lambda patch: patch.setattr(plays, "counted_entries", counted_once),
    ),
    "who has chosen chooses again": (
        "below zero",
        method(decisions.Decisions, "_waits", lambda before, self, writer, number, wait, seat: "true"),
    ),
    "pools keep their numbers": ("pools", method(Hidden, "_name", lambda *_: None)),
    "pools stay in their places": ("pools", method(Hidden, "_reorder", lambda *_: None)),
    "the numbers of pools are compared without hidden zones": ("pools", method(Hidden, "_each_zone", lambda *_: ())),
    "pools in a bag have no order": ("pools", method(Hidden, "_name_all", lambda *_: None)),
    "a pool of one pool is a pool of its own": ("pools", method(Hidden, "_merged", never_merged)),
    "a whole pool in a pool is a pool of its own": ("pools", method(Hidden, "_dissolve", lambda *_: None)),
    "equal is different": ("sums", compared("eq", "ne")),
    "less is at most": ("sums", compared("lt", "sle")),
    "at most is less": ("sums", compared("le", "slt")),
    "more is at least": ("sums", compared("gt", "sge")),
    "at least is more": ("sums", compared("ge", "sgt")),
    "min is max": ("sums", printing("call i64 @llvm.smin", "call i64 @llvm.smax")),
    "no absolute value": (
        "sums",
        lambda patch: patch.setitem(arithmetic.ARITHMETIC_CODE, "abs", arithmetic.ARITHMETIC_CODE["int"]),
    ),
    "division rounds to zero": ("sums", printing(r"icmp slt i64 (?=%\d)", "icmp ult i64 ")),
    "what is between is short of its end": ("sums", printing("icmp sle i64", "icmp slt i64")),
    "a loop leaves out its last turn": (
        "sums",
        method(printed.Function, "counted", lambda before, self, low, end: before(low, self.let(f"sub i64 {end}, 1"))),
    ),
    "a bit is one too far": (
        "board",
        method(
            values.ValueEmitter,
            "item_of",
            lambda before, self, at, shape: before(self.f.let(f"add i64 {at}, 1"), shape),
        ),
    ),
    "a scan looks for the others": (
        "board",
        finding(lambda w, at, wide, what: w.f.let(f"xor i{wide} {equal_bytes(w, at, wide, what)}, -1")),
    ),
    "a scan begins one cell later": (
        "board",
        finding(lambda w, at, wide, what: equal_bytes(w, int(at) + 1, wide, what)),
    ),
    "a row holds what it does not": (
        "long rows",
        method(
            statements.FunctionEmitter,
            "_is_row_empty",
            lambda before, self, *args: self.f.let(f"xor i1 {before(*args)}, true"),
        ),
    ),
    "the first of a row is not noted": ("rows", method(statements.FunctionEmitter, "_set_if", lambda *_: None)),
    "what a unit returned is never open": ("sums", method(module.Module, "changed", lambda before, self, *_: None)),
    "what reads cells is kept for ever": (
        "sums",
        method(
            memo.MemoTables,
            "_place",
            lambda before, self, number, stride, ranges, lasting: before(number, stride, ranges, True),
        ),
    ),
    "pieces go to the other end": (
        "cards",
        method(
            zones.Zones, "add", lambda before, self, *args: before(*args[:4], not (args[4] if len(args) > 4 else False))
        ),
    ),
    "a piece stays where it was": (
        "track",
        reworded(module, "TAKE", "%less = sub i32 %short, 1", "%less = add i32 %short, 0"),
    ),
    "cards out of sight are known": ("cards", method(three_valued.Unknowns, "_of_piece", lambda *_: "0")),
    "what may be true is true": (
        "shown",
        method(three_valued.Unknowns, "truth", lambda before, self, value: (before(value)[1],) * 2),
    ),
    "what is unknown is false": (
        "cards",
        method(three_valued.Unknowns, "truth", lambda before, self, value: (before(value)[0],) * 2),
    ),
    "nothing is out of sight": ("shown", method(decisions.Decisions, "_veil_zone", lambda *_: None)),
    "a part may have any sum": ("purses", lambda patch: patch.setattr(subsets, "_is_within", lambda *_: "true")),
    "no part is gone on with": ("purses", lambda patch: patch.setattr(subsets, "_reaches", lambda *_: "false")),
    "arguments in the other order": ("sums", method(decisions.Decisions, "_values", turned)),
    "a player who ties with the best wins alone": ("sums", printing(r"or i64 (?=%\d)", "and i64 ")),
    "the generator turns its words less": ("sums", reworded(generator, "LLVM", "i64 45)", "i64 44)")),
}


def differs(of: Game) -> bool:
    """Return whether native code differs from the engine in Python, or fails."""
    try:
        code = Native(of, optimise=False)
        for seed in range(3):
            lockstep(code, random.Random(seed), 60)
        results = code.playouts(20, seed=1, threads=1)
        for number in range(20):
            points, winners, count = played(code.engine, 1, number)
            assert list(words(results.points)[number * len(points) : (number + 1) * len(points)]) == points
            assert (results.winners[number], results.events[number], results.stopped) == (winners, count, {})
    except (AssertionError, Stopped, RuntimeError, ValueError, LookupError, OverBudget):
        return True
    return False


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "lookup", lambda key: None)
    monkeypatch.setattr(library, "cached", lambda key, make: make())


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.drawn(3)
def test_a_mutant_of_the_native_printer_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played_at, mutate = MUTANTS[name]
    of = GAMES[played_at]()
    assert not differs(of), "the unchanged printer must not differ"
    mutate(monkeypatch)
    assert differs(of), f"{name}: no play caught the mutant"
