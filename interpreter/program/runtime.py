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

STEPS = range(100_000)
"""A run that goes through more blocks than this without an event is taken to be endless."""
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

    numbers: of the game's moves.
    """

    def __init__(self, program: c.Program) -> None:
        self.program, self.game = program, program.game
        self.meter = Meter(program.game.budget)
        self.blocks: list[Callable[[Play, list[Any]], int]] = []
        self.units: list[Callable[..., Any]] = []
        self.listers: list[Callable[[Play, list[Any]], list[int]] | None] = []
        self._concealment = Concealment(program.game)
        self._concealed: dict[int, Concealed] = {}
        self._elements = {id(each): each for each in program.game.elements}
        self._refills = [(_first(r.zone), _first(r.source), r) for r in program.game.refills]

    # ---- running

    def run(self, play: Play, block: int) -> None:
        """Go on to the next event or the end."""
        blocks, cells = self.blocks, play.cells
        for _ in STEPS:
            block = blocks[block](play, cells)
            if block < 0:
                return
        raise self.endless()

    def endless(self) -> SpecFault:
        """What a flow raises that finds no event."""
        return SpecFault("this goes on for ever: there is still no event", None, self.game.play.body.span)

    def tried(self, play: Play, option: c.Option, values: Sequence[t.Value]) -> str | None:
        """The requirement that fails before the next event if the option is taken; None if none does."""
        tried = play.within()
        tried.trial = True
        try:
            self.take(tried, option, values)
        except Refusing as refusing:
            return refusing.path
        return None

    def take(self, play: Play, option: c.Option, values: Sequence[t.Value]) -> None:
        """Carry out an option of the decision at which the flow waits. values: of all its arguments."""
        self.bind(play, option, values)
        self.run(play, option.entry)

    @staticmethod
    def bind(play: Play, option: c.Option, values: Sequence[t.Value]) -> None:
        cells = play.cells
        for argument, value in zip(option.arguments, values, strict=True):
            if argument.cell is not None:
                cells[argument.cell] = value
        play.known = {}

    def refuse(self, play: Play, path: str, span: Any) -> Exception:
        """What a requirement that fails raises."""
        if play.may_refuse:
            return Refusing(path)
        return SpecFault("this requirement fails where there is no move left that it could forbid", path, span)

    # ---- decisions

    def offers(self, play: Play, number: int, me: int | None) -> bool:
        """Whether the decision has something to choose, for all that everybody can see."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision | c.Together)
        if play.probe:
            return True
        if me is None:
            raise SpecFault(
                "a decision is due here, and nobody is to act", decision.statement.path, decision.statement.span
            )
        if self.has_instance(play, number, decision, me):
            return True
        return self.concealed(number) is not Concealed.NOTHING and self.may_offer(play, number, me)

    def has_instance(self, play: Play, number: int, decision: c.Decision | c.Together, me: int) -> bool:
        if any(option.free and (play.trial or not option.refusable) for option in decision.options):
            return True
        leading, cells = False, play.cells
        for option in decision.options:
            if play.trial or not option.refusable:
                if self.units[option.offers](play, cells, me):
                    return True
                continue
            for values in self.instances(play, option, me):
                leading = True
                if self.tried(play, option, values) is None:
                    return True
        if leading:
            play.may_refuse = False
        return False

    def who(self, play: Play, number: int, me: int | None) -> bool:
        """Nothing; a decision at which nobody is to act is a fault."""
        if me is None:
            self.offers(play, number, me)
        return False

    def allowed(self, play: Play, number: int, at: int, found: list[int]) -> list[int]:
        """The numbers of the moves of an option that no requirement further on refuses."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision)
        option = decision.options[at]
        values = self.numbers.by_name[option.name].values
        return [each for each in found if self.tried(play, option, values(each)) is None]

    def unnumbered(self, number: int) -> list[int]:
        """Moves that state collections have no numbers."""
        raise ValueError("these moves state collections, and have no numbers")

    def instances(self, play: Play, option: c.Option, me: int) -> list[tuple[t.Value, ...]]:
        """What the moves state whose leading requirements hold."""
        found = self.units[option.lists](play, play.cells, me)
        numbered = self.numbers.by_name.get(option.name)
        return found if numbered is None else [numbered.values(number) for number in found]

    numbers: Any

    def concealed(self, number: int) -> Concealed:
        if number not in self._concealed:
            decision = self.program.waits[number]
            assert isinstance(decision, c.Decision | c.Together)
            self._concealed[number] = self._concealment.of(decision.routine, decision.statement)
        return self._concealed[number]

    def may_offer(self, play: Play, number: int, me: int) -> bool:
        if self.concealed(number) is Concealed.NAMES:
            return True
        return self._ask_closures(play, number, me)

    def _ask_closures(self, play: Play, number: int, me: int) -> bool:
        """The public question, put to the engine of closures until the program carries it."""
        from ..instructions import Decide, Together
        from ..machine import Machine
        from ..state import Frame, State

        if self._machine is None:
            self._machine = Machine(self.game)
        machine, wait = self._machine, self.program.waits[number]
        assert isinstance(wait, c.Decision | c.Together)
        for at, routine in enumerate(machine.routines):
            for pc, instruction in enumerate(routine.code):
                if isinstance(instruction, Decide | Together) and instruction.statement is wait.statement:
                    slots = [None] * routine.size
                    for slot, held in wait.slots.items():
                        slots[slot] = held.value if isinstance(held, c.Const) else play.cells[held.base]  # type: ignore[union-attr]
                    slots[0] = me  # type: ignore[call-overload]
                    state = State(play.cells[: self.game.cell_count], play.pools, [Frame(at, pc, slots)], machine.table)
                    return bool(machine.may_offer(state, instruction, slots))
        raise AssertionError(wait.statement)

    _machine: Any = None

    def together(self, play: Play, number: int) -> bool:
        """Whether somebody is still to state a choice."""
        return play.probe or bool(self.waiting(play, number))

    def waiting(self, play: Play, number: int) -> list[int]:
        """The players who have not stated their choice, and have one."""
        wait = self.program.waits[number]
        assert isinstance(wait, c.Together)
        said = play.cells[wait.stated]
        return [seat for seat in range(self.game.players) if said[seat] is None and self.offers(play, number, seat)]

    def stated(self, play: Play, number: int, stated: int, seat: int, me: int) -> int:
        """The option that the next player stated, whose turn it is now; -1 where all were carried out."""
        wait, cells = self.program.waits[number], play.cells
        assert isinstance(wait, c.Together)
        said, at = cells[stated], cells[seat]
        while at < len(said) and said[at] in (None, DECLINED):
            at += 1
        if at == len(said):
            return -1
        option, values = said[at]
        cells[seat], cells[me] = at + 1, at
        play.may_refuse = False
        self.bind(play, wait.options[option], values)
        return int(option)

    def can(self, play: Play, at: int, me: t.Value, *arguments: t.Value) -> bool:
        """Whether an action has a legal instance, here and now, that nothing behind its steps refuses."""
        standing = self.program.standing[at]
        alone = play.within()
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

    def has_any(self, play: Play) -> bool:
        """Whether what the flow waits for, if it is a decision, has a legal instance."""
        play.probe = False
        match self.program.waits[play.wait]:
            case c.Decision() as decision:
                return self.has_instance(play, play.wait, decision, self.me(play, decision))
            case c.Together():
                return bool(self.waiting(play, play.wait))
        return True

    @staticmethod
    def me(play: Play, decision: c.Decision) -> Any:
        me = decision.me
        return me.value if isinstance(me, c.Const) else play.cells[me.base]  # type: ignore[union-attr]

    # ---- calls of what reaches itself

    @staticmethod
    def save(play: Play, *cells: int) -> None:
        held = play.cells
        held[-1] = (tuple([held[cell] for cell in cells]), held[-1])

    @staticmethod
    def restore(play: Play, *cells: int) -> None:
        held = play.cells
        values, held[-1] = held[-1]
        for cell, value in zip(cells, values, strict=True):
            held[cell] = value

    # ---- zones

    def place(self, element: m.Element, cell: int) -> Place:
        return Place(element, cell)

    def enter(self, play: Play, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Pieces come into the game."""
        step = self.program.services[at].statement
        assert isinstance(step, m.FillZone | m.PutPiece)
        zone, bottom = (step.zone, False) if isinstance(step, m.FillZone) else (step.target, step.bottom)
        add(play, Place(zone.element, cell), pieces, bottom, step)

    def leave(self, play: Play, at: int, cell: int, pieces: Sequence[t.Value]) -> None:
        """Pieces leave the game."""
        step = self.program.services[at].statement
        assert isinstance(step, m.RemovePiece)
        for piece in pieces:
            take(play, Place(step.source.element, cell), piece, step)

    def shuffle(self, play: Play, at: int, cell: int) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.ShuffleZone)
        shuffle(play, Place(step.zone.element, cell))

    def move(self, play: Play, at: int, source: int, target: int, pieces: Sequence[t.Value]) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.MovePiece)
        for piece in pieces:
            take(play, Place(step.source.element, source), piece, step)
        add(play, Place(step.target.element, target), tuple(pieces), step.bottom, step)

    def move_all(self, play: Play, at: int, source: int, target: int) -> None:
        step = self.program.services[at].statement
        assert isinstance(step, m.MoveAll | m.MovePiece)
        place = Place(step.source.element, source)
        entries = entries_of(play.cells[source])
        clear(play, place)
        add(play, Place(step.target.element, target), entries, step.bottom, step)

    def swap(self, play: Play, at: int, left: int, right: int) -> None:
        cells = play.cells
        cells[left], cells[right] = cells[right], cells[left]
        play.known = {}

    def unseen(self, play: Play, at: int, cell: int) -> bool:
        """Whether an unseen piece lies in the zone."""
        held = entries_of(play.cells[cell])
        return any(type(entry) is Ticket for entry in held)

    def draw_unseen(self, play: Play, at: int, source: int, target: int, count: int) -> None:
        """A draw in which nothing comes to light."""
        step = self.program.services[at].statement
        assert isinstance(step, m.DrawPieces)
        left = self._drawn(play, step, source, target, count)
        assert left == 0, left

    def draw(self, play: Play, at: int, source: int, target: int, left: int) -> bool:
        """Draw on until a piece comes to light that nobody has seen; whether nothing is left to draw. The arguments are
        the cells that hold the two zones' cells and how many are still to be drawn."""
        step, cells = self.program.services[at].statement, play.cells
        assert isinstance(step, m.DrawPieces)
        cells[left] = self._drawn(play, step, cells[source], cells[target], cells[left])
        return bool(cells[left] == 0)

    def _drawn(self, play: Play, step: m.DrawPieces, one: int, two: int, left: int) -> int:
        """How many are left when a piece comes to light; 0 where all are drawn."""
        source, target = Place(step.source.element, one), Place(step.target.element, two)
        cells: Any = play.cells
        while left > 0:
            if not entries_of(cells[one]):
                self._refill(play, source, step)
            entries = entries_of(cells[one])
            if not entries:
                break
            if self._is_chance(source, target, entries):
                return left
            if source.element.kind == "bag" and (type(entries[0]) is not Ticket or entries[0] != entries[-1]):
                shuffle(play, source)
                entries = cells[one]
            entry = entries[-1]
            take(play, source, entry, step)
            add(play, target, (entry,), step.bottom, step)
            left -= 1
        if not entries_of(cells[one]):
            self._refill(play, source, step)
        return 0

    @staticmethod
    def _is_chance(source: Place, target: Place, entries: Sequence[Any]) -> bool:
        if source.element.kind == "bag":
            return not (source.hidden and target.hidden)
        return not target.hidden and type(entries[-1]) is Ticket

    def _refill(self, play: Play, place: Place, step: m.Statement) -> None:
        for (zone, base), (source, from_), refill in self._refills:
            if zone is place.element and base == place.cell:
                entries = entries_of(play.cells[from_])
                if not place.hidden and any(type(entry) is Ticket for entry in entries):
                    raise SpecFault("unseen pieces would be put where they can be seen", refill.path, step.span)
                clear(play, Place(source, from_))
                add(play, place, entries, False, step)
                shuffle(play, place)


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
