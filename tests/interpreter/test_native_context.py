"""The words in the context of a thread have one layout, `CONTEXT`: no text of native code has an offset of its own."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from ludex.interpreter.program.llvm.builder import CONTEXT
from ludex.interpreter.program.native.program_text import NativeSource

from ..once import game_once

LLVM = Path(__file__).parents[2] / "interpreter/program/llvm"
OFFSET = re.compile(r"getelementptr i8, ptr %C, i64 (\d+)")


def test_texts_name_the_words_of_the_context() -> None:
    literal = [f"{path.name}: {each[0]}" for path in LLVM.glob("*.py") for each in OFFSET.finditer(path.read_text())]
    assert not literal


def test_printed_code_reaches_the_words_of_the_context_only() -> None:
    offsets = set(map(int, OFFSET.findall(NativeSource(game_once("boreal")).text)))
    # All texts, of methods as well, are in the code of each game.
    assert {CONTEXT[name] for name in ("depth", "top", "kind", "raises", "random")} <= offsets
    assert {each for each in offsets if each < CONTEXT["memo"]} <= {*CONTEXT.values()}


def test_the_words_of_the_context_do_not_overlap() -> None:
    sizes = {"random": 32}
    for (name, at), (_, after) in pairwise(CONTEXT.items()):
        assert after == at + sizes.get(name, 8), name
    assert CONTEXT["work"] == 0, "texts use the address of the context as that of `work`"
    assert [*CONTEXT][-1] == "memo", "the size of the memo tables differs between games"
