"""What generated code asks for besides its own statements: zones, hidden pieces, parts of collections, trials.

A `Play` is a state of play as the compiled program holds it: the buffer of cells, the pools of unseen pieces, and where
the flow waits. It has what `pools.py` and `zones.py` ask of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ludex.spec import Meter, SpecFault
from ludex.spec import model as m
from ludex.spec import types as t

from ..concealment import Concealment
from ..instructions import Concealed
from ..payments import sub_bags
from ..pools import entries_of
from ..state import Ticket
from ..zones import Place, add, clear, shuffle, take
from . import code as c

DECLINED = (-1, ())
"""What a player has stated who had nothing to choose."""


class Refusing(Exception):
    """A requirement behind the move fails."""

    def __init__(self, path: str) -> None:
        self.path = path


class Play:
    """A state of play.

    Attributes:
        cells: the buffer.
        pools: see `pools.py`.
        wait: the number of what the flow waits for; 0 at the end.
        known: what units returned while the cells stay as they are.
        active: calls under way that have a value of their own where they meet themselves.
        trial: this play only finds out whether a move is legal. probe: it only finds the next decision.
        may_refuse: a requirement that fails refuses the move under way; else it is a fault.
    """

    __slots__ = ("active", "cells", "known", "may_refuse", "normal", "pools", "probe", "trial", "wait")

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells
        self.pools: tuple[tuple[Any, ...], ...] = ()
        self.wait = 0
        self.known: dict[Any, Any] = {}
        self.active: set[Any] = set()
        self.normal: Any = None
        self.trial = self.probe = False
        self.may_refuse = True

    def clone(self) -> Play:
        found = Play.__new__(Play)
        found.cells, found.pools, found.wait = self.cells[:], self.pools, self.wait
        found.known, found.active, found.normal = self.known, set(), self.normal
        found.trial, found.probe, found.may_refuse = False, False, True
        return found

    def within(self) -> Play:
        """A clone for a question that comes up inside an expression."""
        found = self.clone()
        found.active = self.active
        return found

    def put(self, cell: int, held: t.Value) -> None:
        self.cells[cell] = held
        self.known = {}

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        self.pools = tuple(pools)

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        self.pools = (*self.pools[:number], entries, *self.pools[number + 1 :])


class Runtime:
    """The services of one program.

    offers, lists, admits: for each decision, its options' units.
    """

    def __init__(self, program: c.Program) -> None:
        self.program, self.game = program, program.game
        self.meter = Meter(program.game.budget)
        self.blocks: list[Callable[[Play, list[Any]], int]] = []
        self.units: list[Callable[..., Any]] = []
        self._concealment = Concealment(program.game)
        self._concealed: dict[int, Concealed] = {}
        self._elements = {id(each): each for each in program.game.elements}
        self._refills = [(_first(r.zone), _first(r.source), r) for r in program.game.refills]

    # ---- running

    def run(self, S: Play, block: int) -> None:
        """Go on to the next event or the end."""
        blocks, cells, left = self.blocks, S.cells, 100_000
        while block >= 0:
            block = blocks[block](S, cells)
            left -= 1
            if not left:
                raise SpecFault("this goes on for ever", None, self.game.play.body.span)

    def tried(self, S: Play, number: int, option: c.Option, values: Sequence[t.Value]) -> str | None:
        """The requirement that fails before the next event if the option is taken; None if none does."""
        tried = S.within()
        tried.trial = True
        try:
            self.take(tried, option, values)
        except Refusing as refusing:
            return refusing.path
        return None

    def take(self, S: Play, option: c.Option, values: Sequence[t.Value]) -> None:
        """Carry out an option of the decision at which the flow waits. values: of all its arguments."""
        self.bind(S, option, values)
        self.run(S, option.entry)

    @staticmethod
    def bind(S: Play, option: c.Option, values: Sequence[t.Value]) -> None:
        cells = S.cells
        for argument, value in zip(option.arguments, values, strict=True):
            if argument.cell is not None:
                cells[argument.cell] = value
        S.known = {}

    def refuse(self, S: Play, path: str, span: Any) -> Exception:
        """What a requirement that fails raises."""
        if S.may_refuse:
            return Refusing(path)
        return SpecFault("this requirement fails where there is no move left that it could forbid", path, span)

    # ---- decisions

    def offers(self, S: Play, number: int, me: int | None) -> bool:
        """Whether the decision has something to choose, for all that everybody can see."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision | c.Together)
        if S.probe:
            return True
        if me is None:
            raise SpecFault("a decision is due here, and nobody is to act", decision.statement.path, decision.statement.span)
        if self.has_instance(S, number, decision, me):
            return True
        return self.concealed(number) is not Concealed.NOTHING and self.may_offer(S, number, me)

    def has_instance(self, S: Play, number: int, decision: c.Decision | c.Together, me: int) -> bool:
        if any(option.free and (S.trial or not option.refusable) for option in decision.options):
            return True
        leading, cells = False, S.cells
        for option in decision.options:
            if S.trial or not option.refusable:
                if self.units[option.offers](S, cells, me):
                    return True
                continue
            for values in self.instances(S, option, me):
                leading = True
                if self.tried(S, number, option, values) is None:
                    return True
        if leading:
            S.may_refuse = False
        return False

    def instances(self, S: Play, option: c.Option, me: int) -> list[tuple[t.Value, ...]]:
        """What the moves state whose leading requirements hold."""
        found = self.units[option.lists](S, S.cells, me)
        numbered = self.numbers.by_name.get(option.name)
        return found if numbered is None else [numbered.values(number) for number in found]

    numbers: Any

    def concealed(self, number: int) -> Concealed:
        if number not in self._concealed:
            decision = self.program.waits[number]
            assert isinstance(decision, c.Decision | c.Together)
            self._concealed[number] = self._concealment.of(decision.routine, decision.statement)
        return self._concealed[number]

    def may_offer(self, S: Play, number: int, me: int) -> bool:
        if self.concealed(number) is Concealed.NAMES:
            return True
        raise NotImplementedError("a decision that hangs on what not everybody sees")

    def together(self, S: Play, number: int) -> bool:
        """Whether somebody is still to state a choice."""
        return S.probe or bool(self.waiting(S, number))

    def waiting(self, S: Play, number: int) -> list[int]:
        """The players who have not stated their choice, and have one."""
        wait = self.program.waits[number]
        assert isinstance(wait, c.Together)
        said = S.cells[wait.stated]
        return [seat for seat in range(self.game.players) if said[seat] is None and self.offers(S, number, seat)]

    def stated(self, S: Play, number: int, stated: int, seat: int, me: int) -> int:
        """The option that the next player stated, whose turn it is now; -1 where all were carried out."""
        wait, cells = self.program.waits[number], S.cells
        assert isinstance(wait, c.Together)
        said, at = cells[stated], cells[seat]
        while at < len(said) and said[at] in (None, DECLINED):
            at += 1
        if at == len(said):
            return -1
        option, values = said[at]
        cells[seat], cells[me] = at + 1, at
        S.may_refuse = False
        self.bind(S, wait.options[option], values)
        return int(option)

    def can(self, S: Play, at: int, me: t.Value, *arguments: t.Value) -> bool:
        """Whether an action has a legal instance, here and now, that nothing behind its steps refuses."""
        standing = self.program.standing[at]
        alone = S.within()
        for cell, value in zip(standing.cells, (me, *arguments), strict=False):
            alone.cells[cell] = value
        alone.cells[standing.back] = 0
        if not standing.choices:
            alone.probe = True
            try:
                self.run(alone, standing.entry)
            except Refusing:
                return False
            return self.has_any(alone)
        for values in self.units[standing.lists](alone, alone.cells, me, *arguments):
            tried = alone.within()
            tried.trial = True
            for cell, value in zip(standing.choices, values, strict=True):
                tried.cells[cell] = value
            try:
                self.run(tried, standing.body)
            except Refusing:
                continue
            return True
        return False

    def has_any(self, S: Play) -> bool:
        """Whether what the flow waits for, if it is a decision, has a legal instance."""
        S.probe = False
        match self.program.waits[S.wait]:
            case c.Decision() as decision:
                return self.has_instance(S, S.wait, decision, self.me(S, decision))
            case c.Together():
                return bool(self.waiting(S, S.wait))
        return True

    @staticmethod
    def me(S: Play, decision: c.Decision) -> Any:
        me = decision.me
        return me.value if isinstance(me, c.Const) else S.cells[me.base]  # type: ignore[union-attr]

    # ---- calls of what reaches itself

    @staticmethod
    def save(S: Play, *cells: int) -> None:
        held = S.cells
        held[-1] = (tuple([held[cell] for cell in cells]), held[-1])

    @staticmethod
    def restore(S: Play, *cells: int) -> None:
        held = S.cells
        values, held[-1] = held[-1]
        for cell, value in zip(cells, values, strict=True):
            held[cell] = value

    # ---- zones

    def place(self, element: m.Element, cell: int) -> Place:
        return Place(element, cell)

    def enter(self, S: Play, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Pieces come into the game."""
        step = self.program.services[at].statement
        assert isinstance(step, m.FillZone | m.PutPiece)
        zone, bottom = (step.zone, False) if isinstance(step, m.FillZone) else (step.target, step.bottom)
        add(S, Place(zone.element, cell), pieces, bottom, step)  # type: ignore[arg-type]

    def leave(self, S: Play, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Pieces leave the game."""
        step = self.program.services[at].statement
        assert isinstance(step, m.RemovePiece)
        for piece in pieces:
            take(S, Place(step.source.element, cell), piece, step)  # type: ignore[arg-type]

    def shuffle(self, S: Play, at: int, cell: int) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.ShuffleZone)
        shuffle(S, Place(step.zone.element, cell))  # type: ignore[arg-type]

    def move(self, S: Play, at: int, source: int, target: int, pieces: Sequence[t.Value]) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.MovePiece)
        for piece in pieces:
            take(S, Place(step.source.element, source), piece, step)  # type: ignore[arg-type]
        add(S, Place(step.target.element, target), tuple(pieces), step.bottom, step)  # type: ignore[arg-type]

    def move_all(self, S: Play, at: int, source: int, target: int) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.MoveAll | m.MovePiece)
        place = Place(step.source.element, source)
        entries = entries_of(S.cells[source])
        clear(S, place)  # type: ignore[arg-type]
        add(S, Place(step.target.element, target), entries, step.bottom, step)  # type: ignore[arg-type]

    def swap(self, S: Play, at: int, left: int, right: int) -> None:
        cells = S.cells
        cells[left], cells[right] = cells[right], cells[left]
        S.known = {}

    def unseen(self, S: Play, at: int, cell: int) -> bool:
        """Whether an unseen piece lies in the zone."""
        held = entries_of(S.cells[cell])
        return any(type(entry) is Ticket for entry in held)

    def draw_unseen(self, S: Play, at: int, source: int, target: int, count: int) -> None:
        """A draw in which nothing comes to light."""
        step = self.program.services[at].statement
        assert isinstance(step, m.DrawPieces)
        left = self._drawn(S, step, source, target, count)
        assert left == 0, left

    def draw(self, S: Play, at: int, source: int, target: int, left: int) -> bool:
        """Draw on until a piece comes to light that nobody has seen; whether nothing is left to draw. The arguments are
        the cells that hold the two zones' cells and how many are still to be drawn."""
        step, cells = self.program.services[at].statement, S.cells
        assert isinstance(step, m.DrawPieces)
        cells[left] = self._drawn(S, step, cells[source], cells[target], cells[left])
        return bool(cells[left] == 0)

    def _drawn(self, S: Play, step: m.DrawPieces, one: int, two: int, left: int) -> int:
        """How many are left when a piece comes to light; 0 where all are drawn."""
        source, target = Place(step.source.element, one), Place(step.target.element, two)
        cells: Any = S.cells
        while left > 0:
            if not entries_of(cells[one]):
                self._refill(S, source, step)
            entries = entries_of(cells[one])
            if not entries:
                break
            if self._is_chance(source, target, entries):
                return left
            if source.element.kind == "bag" and (type(entries[0]) is not Ticket or entries[0] != entries[-1]):
                shuffle(S, source)  # type: ignore[arg-type]
                entries = cells[one]
            entry = entries[-1]
            take(S, source, entry, step)  # type: ignore[arg-type]
            add(S, target, (entry,), step.bottom, step)  # type: ignore[arg-type]
            left -= 1
        if not entries_of(cells[one]):
            self._refill(S, source, step)
        return 0

    @staticmethod
    def _is_chance(source: Place, target: Place, entries: Sequence[Any]) -> bool:
        if source.element.kind == "bag":
            return not (source.hidden and target.hidden)
        return not target.hidden and type(entries[-1]) is Ticket

    def _refill(self, S: Play, place: Place, step: m.Statement) -> None:
        for (zone, base), (source, from_), refill in self._refills:
            if zone is place.element and base == place.cell:
                entries = entries_of(S.cells[from_])
                if not place.hidden and any(type(entry) is Ticket for entry in entries):
                    raise SpecFault("unseen pieces would be put where they can be seen", refill.path, step.span)
                clear(S, Place(source, from_))  # type: ignore[arg-type]
                add(S, place, entries, False, step)  # type: ignore[arg-type]
                shuffle(S, place)  # type: ignore[arg-type]


def _first(zone: m.ZoneRef) -> tuple[m.Element, int]:
    """A zone of a refill: its element and its cell."""
    at, step = zone.element.offset, zone.element.count
    for of, index in zip(zone.element.indices, zone.indices, strict=True):
        step //= t.size(of) or 1
        assert isinstance(index, m.Constant)
        at += t.position(of, index.value) * step
    return zone.element, at


def parts(pieces: Sequence[t.Value]) -> Iterable[tuple[t.Value, ...]]:
    """All parts of what stands in order, the empty one first."""
    return sub_bags(tuple(pieces))
