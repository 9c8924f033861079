"""Cache of parse results: a text that was parsed before is read from the user's cache folder.

A text without faults is parsed once, since parsing takes most of the time of loading a game. The parser itself is
imported only for a text that is not in the cache.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..files.cache import code_digest, recalled
from .parsed import Parsed


@lru_cache(maxsize=64)
def parse_kept(text: str, file: str) -> Parsed:
    """Return the result of `parse`, from the cache if the text was parsed before."""

    def make() -> Parsed:
        from .parsing import parse

        return parse(text, file)

    # The name of the file is part of it, as all spans of the tree have it.
    question = f"{code_digest('grammar')} {file}\0{text}"
    return recalled("texts", question, make, _packed, _unpacked)


def _packed(parsed: Parsed) -> Any:
    """Return a result as JSON data; None for a text with faults, which is not cached."""
    return None if parsed.diagnostics else [parsed.size, _packing().packed(parsed.module)]


def _unpacked(data: Any) -> Parsed:
    size, module = data
    # A damaged file of the cache is made again, as by any other TypeError of reading it.
    if type(size) is not int:
        raise TypeError("the size is not a whole number")
    return Parsed(_packing().unpacked(module), (), size)


def _packing() -> Any:
    # This is imported late: where `lru_cache` has the answer, and in the parser, none of this is needed.
    from .. import authority, source, syntax
    from ..files.packing import Packing

    return Packing(syntax.Module, syntax, authority, source)
