"""Write sets of statements, from their syntax: guards about what a statement writes do not hold after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludex.grammar import Span, nodes_in
from ludex.grammar import syntax as s


@dataclass(frozen=True, slots=True)
class WriteSet:
    """A write set: the states and zones that a statement may change.

    Attributes:
        states: the states that are assigned, local ones included.
        zones: whether pieces move.
        anything: whether other actions run, which may change every state and zone.
    """

    states: frozenset[str]
    zones: bool
    anything: bool

    @property
    def stored(self) -> bool:
        """Whether anything may change."""
        return bool(self.states) or self.zones or self.anything


def write_sets(node: s.Statement | s.Block) -> Iterator[tuple[Span, WriteSet]]:
    """Yield the place and the write set of each step in a statement that changes something."""
    for each in nodes_in(node):
        if isinstance(each, s.Assign | s.Drawing):
            # A drawing puts pieces if what it draws is a zone, which the syntax does not show.
            zones = isinstance(each, s.Drawing)
            yield each.span, WriteSet(frozenset((each.place.name,)), zones=zones, anything=False)
        elif isinstance(each, _ZONE_STATEMENTS):
            yield each.span, WriteSet(frozenset(), zones=True, anything=False)
        elif isinstance(each, s.Call | s.OpenWindow):
            yield each.span, WriteSet(frozenset(), zones=False, anything=True)


_ZONE_STATEMENTS = (s.Fill, s.Shuffle, s.Draw, s.Move, s.Put, s.Remove, s.Swap)
