"""Cache of parse results: a text that was parsed before is read from the user's cache folder.

A text without a fault is parsed once, and parsing is most of the time that a game takes to load. The parser itself is
loaded only for a text that nobody has read yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..diagnostics import Diagnostic
from ..files.cache import code_digest, recalled

if TYPE_CHECKING:
    from ..syntax import Module


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of `parse`.

    Attributes:
        module: all that is good; complete if no diagnostic is an error.
        diagnostics: in reading order.
        size: how many words and signs were read.
    """

    module: Module
    diagnostics: tuple[Diagnostic, ...]
    size: int


@lru_cache(maxsize=64)
def parse_kept(text: str, file: str) -> Parsed:
    """The same as `parse`, from the cache folder if this text was read before."""

    def make() -> Parsed:
        from .parsing import parse

        return parse(text, file)

    question = f"{code_digest('grammar')} {file}\0{text}"
    return recalled("texts", question, make, _packed, _unpacked)


def _packed(parsed: Parsed) -> Any:
    """As JSON has it; None for a text with a fault."""
    return None if parsed.diagnostics else [parsed.size, _packing().packed(parsed.module)]


def _unpacked(told: Any) -> Parsed:
    size, module = told
    if type(size) is not int:
        raise TypeError("this is no size")
    return Parsed(_packing().unpacked(module), (), size)


def _packing() -> Any:
    from .. import authority, source, syntax
    from ..files.packing import Packing

    return Packing(syntax.Module, syntax, authority, source)
