"""A game's program, and its text as LLVM."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from ludex.spec import identity
from ludex.spec import model as m

from ..ir import code as c
from ..ir.limits import SCANNED
from ..ir.moves import Numbers
from ..llvm.module import Module
from ..lowering.passes import lower
from ..python.state import State, cells_before_play
from .compiling import Level, compiled
from .convert import Converter


class NativeSource:
    """A game's program and what is made of it, each when it is first needed: a start from cached code needs nothing."""

    def __init__(self, game: m.Game) -> None:
        self.game = game

    @cached_property
    def name(self) -> str:
        """The identity of the game: the digest of its source files, or, without them, the program's text."""
        return identity(self.game) or self.text

    @cached_property
    def program(self) -> c.Program:
        """The program that is printed."""
        return lower(self.game, SCANNED)

    @cached_property
    def module(self) -> Module:
        return Module(self.program)

    @cached_property
    def text(self) -> str:
        return self.module.text()

    @cached_property
    def converter(self) -> Converter:
        return Converter(self.program, self.module.layout, Numbers(self.game))

    @cached_property
    def front(self) -> bytes:
        """The description of the program and the bytes of a state before play, which the cache has in front of code."""
        head = {
            "size": self.module.layout.size,
            "memo": self.module.memo.size,
            "sites": [(each.path, each.span.line, each.span.column) for each in self.module.sites],
            "text": len(self.text),
        }
        description = json.dumps(head).encode()
        before = self.converter.position(State(cells_before_play(self.program)))
        return len(description).to_bytes(8, "little") + description + before

    def compiled(self, level: Level) -> bytes:
        return self.front + compiled(self.text, level)


def split_object(content: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    """Split the content of an object file into the description, the bytes of a state before play, and the code."""
    end = 8 + int.from_bytes(content[:8], "little")
    head = json.loads(content[8:end])
    return head, content[end : end + head["size"]], content[end + head["size"] :]
