"""How deep calls of defines lie inside one another, so that no stack of the machine overflows.

What an expression takes of the stack grows with how deep its parts lie inside one another, through all defines that it
calls. A define that may meet itself, or whose body lies deep, is a landing: every call of it counts the way down to it
(`Meter.descend`). Between two landings there are never more parts than `FLIGHT`, so the other calls need no count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludex.spec import model as m

from .walk import children, nodes

FLIGHT = 50
"""A define whose parts lie deeper than this is a landing."""
ASKING = 60
"""What the question whether an action can be done counts besides its parts: the machine runs for it."""


def callees_first(defines: Mapping[str, m.Define]) -> Iterator[str]:
    """The names of all defines, each after those that it calls; where defines meet themselves, after as many as can
    be. No recursion of ours, as a chain of calls may be long."""
    done: set[str] = set()
    for first in defines:
        waiting = [(first, False)]
        while waiting:
            name, called = waiting.pop()
            if called:
                yield name
            elif name not in done:
                done.add(name)
                waiting.append((name, True))
                inside = nodes(defines[name].body) if name in defines else ()
                waiting += [(node.name, False) for node in inside if isinstance(node, m.CallDefine)]


def landings(defines: Mapping[str, m.Define]) -> Mapping[str, int]:
    """For each define that is a landing how many parts lie inside one another from there to the next."""
    heights: dict[str, int] = {}
    found: dict[str, int] = {}
    for name in callees_first(defines):
        height = _height(defines[name].body, heights)
        if defines[name].cycle is not None or height > FLIGHT:
            found[name], heights[name] = height, 1
        else:
            heights[name] = height
    return found


def _height(node: Any, heights: Mapping[str, int]) -> int:
    inside = max((_height(part, heights) for part in children(node)), default=0)
    if isinstance(node, m.CallDefine):
        inside = max(inside, heights.get(node.name, 1))
    return inside + 1
