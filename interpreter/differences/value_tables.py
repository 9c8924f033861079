"""Facts and defines that read nothing of the state are tables: two of them are compared value by value, so that those
that say the same in other words are known to be equal."""

from __future__ import annotations

from itertools import product
from math import prod

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..events import Undefined
from ..state import State
from ..walk import reading_defines

LARGEST = 20_000
"""Larger tables are not compared."""


def same_table(left: Engine, right: Engine, name: str) -> bool:
    """Whether a fact or define has the same value in both games for all arguments. False where that is not known: if it
    reads the state, or is too large, or has no value for some of them."""
    defines = [engine.game.defines.get(name) for engine in (left, right)]
    mine, theirs = defines
    if mine is None or theirs is None or [of for _, of in mine.parameters] != [of for _, of in theirs.parameters]:
        return False
    if any(name in reading_defines(engine.game.defines) for engine in (left, right)):
        return False
    sizes = [t.size(of) for _, of in mine.parameters]
    if any(size is None for size in sizes) or prod(size or 0 for size in sizes) > LARGEST:
        return False
    try:
        return all(
            _value(left, mine, arguments) == _value(right, theirs, arguments)
            for arguments in product(*(t.values(of) for _, of in mine.parameters))
        )
    except (Undefined, OverBudget):
        return False


def _value(engine: Engine, define: m.Define, arguments: tuple[t.Value, ...]) -> t.Value:
    given = zip(define.parameters, arguments, strict=True)
    constants = tuple(m.Constant(of, define.span, value) for (_, of), value in given)
    call = m.CallDefine(define.result, define.span, define.name, constants)
    return engine.machine.value(call, State([], [], []), [None])
