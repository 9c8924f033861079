"""Read and write sets of the model: which cells a statement may write and an expression may read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import nodes as m
from .analysis import elements_read, nodes_with_called, reads_anything
from .effects import actions_reached
from .piece_flow import piece_flow
from .traversal import all_steps, nodes

Thing = str | int
"""An element, by its name, or a local variable, by its slot."""

EVERYTHING = "*"
"""Marks a read set that is not known exactly."""


class Influence:
    """Read and write sets, including those of called defines and of actions that are performed or offered."""

    def __init__(
        self, actions: Mapping[str, m.Action], defines: Mapping[str, m.Define], refills: tuple[m.Refill, ...]
    ) -> None:
        self.actions = actions
        self.defines = defines
        self.refills = refills

    def reads(self, node: m.Expr) -> frozenset[Thing]:
        """Return the read set of an expression; it contains `EVERYTHING` if it is not known."""
        inside = list(nodes_with_called(self.defines, node))
        # Slots of called defines are in frames of their own.
        slots = {each.slot for each in nodes(node) if isinstance(each, m.Local)}
        return frozenset({*elements_read(inside), *slots, *([EVERYTHING] if any(map(reads_anything, inside)) else ())})

    def writes(self, step: m.Step) -> frozenset[Thing]:
        """Return the write set of a statement."""
        own = {thing for each in all_steps(step) for thing in self._changed(each)}
        bodies = (self.actions[name].body for name in actions_reached(self.actions, step))
        called = {thing for each in all_steps(*bodies) for thing in self._changed(each)}
        # Slots written in another action are slots of its own frame.
        return frozenset(own | {thing for thing in called if isinstance(thing, str)})

    def _changed(self, step: m.Step) -> Iterator[Thing]:
        match step:
            case m.SetLocal(slot=slot) | m.RandomValue(slot=slot):
                yield slot
            case m.Store(element=element):
                yield element.name
            case m.Asking(options=options):
                for option in options:
                    if isinstance(option, m.BranchOption):
                        yield from (choice.slot for choice in option.choices)
            case m.DrawPieces(source=source):
                # A draw that empties the zone refills it from there.
                yield from (r.source.element.name for r in self.refills if r.zone.element.name == source.element.name)
        yield from (zone.element.name for zone in piece_flow(step).changed)
