"""What a statement may change and what an expression asks for: whether a loop can ever change what it waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import nodes as m
from .effects import everything, performed
from .walk import everything_in

Thing = str | int
"""An element by its name, a local name by its slot."""

EVERYTHING = "*"


class Influence:
    """Reads and writes, through the defines that are called and the actions that are performed or offered."""

    def __init__(
        self, actions: Mapping[str, m.Action], defines: Mapping[str, m.Define], refills: tuple[m.Refill, ...]
    ) -> None:
        self.actions = actions
        self.defines = defines
        self.refills = refills

    def reads(self, node: m.Expr) -> frozenset[Thing]:
        """What the value depends on; `EVERYTHING` among it if that cannot be told."""
        found: set[Thing] = set()
        waiting, met = [node], set[str]()
        while waiting:
            top = waiting.pop()
            inner = top is not node
            for part in (top, *everything_in(top)):
                found.update(thing for thing in _asked(part) if not (inner and isinstance(thing, int)))
                if isinstance(part, m.CallDefine) and part.name in self.defines and part.name not in met:
                    met.add(part.name)
                    waiting.append(self.defines[part.name].body)
        return frozenset(found)

    def writes(self, step: m.Step) -> frozenset[Thing]:
        """What the statement may give another value."""
        found: set[Thing] = set()
        waiting, met = [step], set[str]()
        while waiting:
            top = waiting.pop()
            for each in everything(top):
                found.update(thing for thing in self._changed(each) if top is step or isinstance(thing, str))
                for name in performed(each):
                    if name in self.actions and name not in met:
                        met.add(name)
                        waiting.append(self.actions[name].body)
        return frozenset(found)

    def _changed(self, step: m.Step) -> Iterator[Thing]:
        match step:
            case m.SetLocal(slot=slot) | m.RandomValue(slot=slot):
                yield slot
            case m.Store(element=element):
                yield element.name
            case m.Decide(options=options) | m.Simultaneous(options=options):
                for option in options:
                    if isinstance(option, m.BranchOption):
                        yield from (choice.slot for choice in option.choices)
            case m.DrawPieces(source=source, target=target):
                yield from (source.element.name, target.element.name)
                yield from (r.source.element.name for r in self.refills if r.zone.element.name == source.element.name)
            case _:
                yield from (zone.element.name for zone in zones_of(step))


def zones_of(step: m.Step) -> tuple[m.ZoneRef, ...]:
    """The zones whose pieces a statement moves."""
    match step:
        case m.FillZone(zone=zone) | m.ShuffleZone(zone=zone):
            return (zone,)
        case m.PutPiece(target=zone) | m.RemovePiece(source=zone):
            return (zone,)
        case m.SwapPieces(left=one, right=other):
            return (one, other)
        case m.DrawPieces() | m.MovePiece() | m.MoveAll():
            return (step.source, step.target)
        case _:
            return ()


def _asked(node: m.Expr) -> Iterator[Thing]:
    match node:
        case m.Read(element=element):
            yield element.name
        case m.Local(slot=slot):
            yield slot
        case m.CanPerform() | m.Builtin(name="total" | "winner" | "game_over"):
            yield EVERYTHING
