"""Serialization of programs as JSON, and the cache of programs between runs.

A program that was read prints the same code as before. Reading makes data only: the classes of `code.py` and of the
typed model. Code is printed from the program, and never read from a file.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ludex.grammar import Citation, Packing, Reason, code_digest, fields_of, recalled
from ludex.spec import deeper_recursion, identity
from ludex.spec import model as m
from ludex.spec import types as t

from ..ir import code as c
from ..ir.limits import COMPACT, Limits
from ..ir.three_valued import UNKNOWN
from ..python.fast_paths import FAST_PATHS
from ..python.runtime import Runtime
from .frames import lowering

_BREAKS = ("\n", "\r", "\0", "\f")


@cache
def _packing() -> Packing[c.Program]:
    return Packing(c.Program, c, Citation, Reason, m, t, constants={"unknown": UNKNOWN})


def program_to_json(program: c.Program) -> Any:
    """Return the program with its game, as JSON."""
    return _packing().packed(program.complete())


def program_from_json(data: Any) -> c.Program:
    """Read a program that `program_to_json` wrote. Raises ValueError for any other data.

    The data may be anybody's: every field must have the type that its class declares, and names must be those of
    operations and services, so that nothing else is ever printed.
    """
    try:
        return _packing().unpacked(data, _is_ours)
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError) as fault:
        raise ValueError(f"this data is not a program: {fault}") from fault


def _is_ours(part: Any) -> bool:
    """Test that a printer may print the part's words as they are: names of services, and texts of one line, which are
    safe in comments."""
    if isinstance(part, c.Do | c.Serve) and not (_is_service(part.name) or _is_waiting(part)):
        return False
    return not any(isinstance(word, str) and any(sign in word for sign in _BREAKS) for _, word in fields_of(part))


def _is_service(name: str) -> bool:
    return name in FAST_PATHS or (hasattr(Runtime, name) and not name.startswith("_"))


def _is_waiting(part: c.Do | c.Serve) -> bool:
    """Test that a part is the one that the printer prints as tests of the players of a simultaneous decision."""
    match part:
        case c.Serve(name="together", args=(c.Const(value=int()),), at=-1):
            return True
    return False


def kept_program(game: m.Game, limits: Limits = COMPACT, writes: bool = True) -> c.Program:
    """Return the program of a game: from the cache folder if it is there, else lowered, and then stored.

    The game of the result is equal to the given one, and need not be the same object. writes: store the program. That
    takes longer than lowering again if the limits are not wider than `COMPACT`.
    """
    known, packing = identity(game), _packing()

    def make() -> c.Program:
        with deeper_recursion(game.budget):
            return lowering(game, limits).program

    if known is None:
        return make()
    question = f"{code_digest('grammar', 'spec', 'interpreter')} {known} {limits}"
    return recalled("programs", question, make, program_to_json if writes else lambda _: None, packing.unpacked)
