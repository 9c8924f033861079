"""What a statement may change, read off its syntax: what was shown about a value before it may not hold behind it."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.grammar import nodes_in
from ludex.grammar import syntax as s


@dataclass(frozen=True, slots=True)
class Changes:
    """The states given a new value, local or stored; whether pieces move; whether other actions run, which may change
    anything that is stored."""

    states: frozenset[str]
    zones: bool
    anything: bool

    @property
    def stored(self) -> bool:
        return bool(self.states) or self.zones or self.anything


def changes(node: s.Statement | s.Block) -> Changes:
    found = tuple(nodes_in(node))
    states = frozenset(each.place.name for each in found if isinstance(each, s.Assign))
    zones = any(isinstance(each, ZONE_STATEMENTS) for each in found)
    return Changes(states, zones, any(isinstance(each, s.Call | s.OpenWindow) for each in found))


ZONE_STATEMENTS = (s.Fill, s.Shuffle, s.Draw, s.Move, s.Put, s.Remove, s.Swap)
