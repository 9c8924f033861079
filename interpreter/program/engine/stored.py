"""Programs as JSON, and back: a program can be kept, sent and read again, and prints the same code then.

What is read is data: only the classes of `code.py` and of the typed model are made of it. Code is printed anew from a
program that was read, never taken from a file.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from ludex.grammar import Citation, Packing, Reason, code_digest, recalled
from ludex.spec import identity, room
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.limits import COMPACT, Limits
from ..ir.unknown_values import UNKNOWN
from ..python.runtime import Runtime
from .frames import lowered

_BREAKS = ("\n", "\r", "\0", "\f")


@cache
def _packing() -> Packing[c.Program]:
    return Packing(c.Program, c, Citation, Reason, m, t, constants={"unknown": UNKNOWN})


def program_to_json(program: c.Program) -> Any:
    """The program with its game, as JSON has it."""
    return _packing().packed(program)


def program_from_json(data: Any) -> c.Program:
    """The program that was written so. Raises ValueError for data of another shape, whoever wrote them: every field has
    the type that its class declares, and names are those of operations and services, so nothing else is ever printed.
    """
    try:
        return _packing().unpacked(data, _is_ours)
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError) as fault:
        raise ValueError(f"this is no program: {fault}") from fault


def _is_ours(part: Any) -> bool:
    """Whether a printer may write down its words as they stand: names of services, and texts of one line, which may
    stand in comments."""
    if isinstance(part, c.Do | c.Serve) and (part.name.startswith("_") or not hasattr(Runtime, part.name)):
        return False
    own = (getattr(part, field.name) for field in fields(part))
    return not any(isinstance(word, str) and any(sign in word for sign in _BREAKS) for word in own)


def kept_program(game: m.Game, limits: Limits = COMPACT, writes: bool = True) -> c.Program:
    """The program of a game: from the cache folder if the game is, else lowered, and then kept. Its game is equal to
    this one, and need not be the same object.

    writes: keep it; that takes longer than to lower it once more, if it is lowered no further than `COMPACT`."""
    known, packing = identity(game), _packing()

    def make() -> c.Program:
        with room(game.budget):
            return lowered(game, limits)

    if known is None:
        return make()
    question = f"{code_digest('grammar', 'spec', 'interpreter')} {known} {limits}"
    return recalled("programs", question, make, packing.packed if writes else lambda _: None, packing.unpacked)
