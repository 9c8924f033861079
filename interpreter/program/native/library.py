"""Native code that runs: compiled by LLVM, loaded, and called from Python with the lock of the interpreter released."""

from __future__ import annotations

import ctypes
import mmap
import os
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import checked_word
from ...state import Ticket
from ..engine import Compiled, blank
from ..limits import COMPACT
from ..lower import lower
from ..moves import Numbers
from .cache import kept
from .replay import played
from .shapes import HEADER, Flag, Items, Mask, Number, Shape
from .text import CONTEXT, FAULT, LIMIT, REFUSED
from .values import Constants
from .whole import Whole

ROOM = 16 << 20
"""Bytes of free room for lists and copies of states, for each thread. What needs more stops."""
CALLS = 2_000
"""So many calls may be under way inside one another."""
ENTRIES = ("start", "events", "apply", "result", "perft", "plays")
SMALL, LARGE = 400_000, 2_000_000
"""In programs with a shorter text loops are unrolled; those with a longer one are not optimised, which would take ten
seconds, unless that is asked for."""


class Stopped(Exception):
    """Native code came to no answer; the message says why. The other engine has one, or says what is wrong."""


class Position:
    """A state of play: the bytes of its cells and where the flow waits."""

    __slots__ = ("address", "held")

    def __init__(self, held: Any) -> None:
        self.held = held
        self.address = ctypes.addressof(held)

    def copy(self) -> Position:
        """Another one that is equal."""
        return Position(type(self.held).from_buffer_copy(self.held))


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random plays to the end.

    Attributes:
        points: of every seat, play after play.
        winners: a mask of seats for each play.
        events: how many there were in each play.
        replayed: how many plays native code did not bring to their end, and the engine in Python played instead.
    """

    players: int
    points: array[int]
    winners: array[int]
    events: array[int]
    replayed: int = 0


class _Thread:
    """What one thread needs: its context, with the free room behind it."""

    def __init__(self, memo: int) -> None:
        """memo: bytes for what units returned before."""
        size = memo + ROOM
        self._memory = mmap.mmap(-1, size)
        held = (ctypes.c_char * size).from_buffer(self._memory)
        self.address = ctypes.addressof(held)
        self._held = held
        words = (ctypes.c_uint64 * 16).from_buffer(self._memory)
        self.words = words
        self._top = self.address + CONTEXT["memo"] + memo
        words[CONTEXT["end"] // 8] = self.address + size

    def ready(self, work: int) -> None:
        """Forget what was left behind."""
        self.words[0] = work
        self.words[CONTEXT["depth"] // 8] = CALLS
        self.words[CONTEXT["top"] // 8] = self._top

    @property
    def site(self) -> int:
        return int(self.words[CONTEXT["site"] // 8])


class Native:
    """Plays one game by native code.

    Raises NotCarried if native code cannot carry the game, ImportError where llvmlite is not installed.
    """

    def __init__(self, game: m.Game, optimise: int | None = None) -> None:
        self.game, self.numbers, self.program = game, Numbers(game), lower(game, COMPACT)
        self._whole = Whole(self.program)
        text = self._whole.text()
        self.layout = self._whole.layout
        level = optimise if optimise is not None else 2 if len(text) < LARGE else 0
        self._library, found = _linked(kept(f"{_machine()}; level {level}\n{text}", lambda: _compiled(text, level)))
        word, number, address = ctypes.c_int64, ctypes.c_int32, ctypes.c_void_p
        kinds: dict[str, tuple[Any, ...]] = {
            "start": (number, address, address),
            "events": (word, address, address, address, word),
            "apply": (number, address, address, word),
            "result": (number, address, address, address, address),
            "perft": (word, address, address, word),
            "plays": (None, address, address, address, word, word, word, word, address, address, address),
        }
        calls = {name: ctypes.CFUNCTYPE(*kinds[name])(found[name]) for name in ENTRIES}
        self._begin, self._events, self._apply = calls["start"], calls["events"], calls["apply"]
        self._result, self._perft, self._plays = calls["result"], calls["perft"], calls["plays"]
        self._kind = ctypes.c_char * self.layout.size
        self._thread = _Thread(self._whole.memo.size)
        self._work = game.budget.game
        self._room = 1024
        self._list = (ctypes.c_int64 * self._room)()
        self._start = self._blank(blank(self.program))
        self._thread.ready(self._work)
        self._judge(self._begin(self._thread.address, self._start.address))

    @cached_property
    def engine(self) -> Compiled:
        """The engine in Python for the same program."""
        return Compiled(self.game, COMPACT)

    def _blank(self, cells: Sequence[t.Value]) -> Position:
        constants, held = Constants(), bytearray(self.layout.size)
        for cell, value in zip(self.layout.cells, cells, strict=False):
            if value is not None or isinstance(cell.shape, Number):
                data = constants.encoded(value, cell.shape)
                held[cell.at : cell.at + len(data)] = data
        return Position(self._kind.from_buffer_copy(held))

    def _judge(self, said: int) -> int:
        if said < 0:
            raise Stopped(self._why(said, self._thread))
        return said

    def _why(self, said: int, thread: _Thread) -> str:
        if said == LIMIT:
            return "a limit of native code"
        assert said in (FAULT, REFUSED), said
        site = self._whole.sites[thread.site]
        return f"the rules give no value here: {site.path}"

    # ---- event by event

    def start(self) -> Position:
        """The state in which the first event is awaited."""
        return self._start.copy()

    def is_terminal(self, position: Position) -> bool:
        """Whether the game is over."""
        return self.wait(position) == 0

    def wait(self, position: Position) -> int:
        """The number of what the flow waits for."""
        return int.from_bytes(position.held[:4], "little")

    def events(self, position: Position) -> list[int]:
        """What may happen, in order: numbers of moves (`moves.py`), or the outcomes of a chance event."""
        thread = self._thread
        thread.ready(self._work)
        return self._list[: self._judge(self._events(thread.address, position.address, self._list, self._room))]

    def advance(self, position: Position, event: int) -> None:
        """One of `events` happens in the state itself. Whether it is one is not asked."""
        thread = self._thread
        thread.ready(self._work)
        said = self._apply(thread.address, position.address, event)
        if said:
            self._judge(said)

    def result(self, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Every seat's points, and the seats that win, as they would count now."""
        points = (ctypes.c_int64 * self.game.players)()
        winners = ctypes.c_int64()
        self._thread.ready(self._work)
        self._judge(self._result(self._thread.address, position.address, points, ctypes.byref(winners)))
        return tuple(points), tuple(seat for seat in range(self.game.players) if winners.value >> seat & 1)

    def cells(self, position: Position) -> list[t.Value]:
        """What the cells of the game's elements hold."""
        held = bytes(position.held)
        found = [_decoded(held, cell.at, cell.shape) for cell in self.layout.cells[: self.game.cell_count]]
        for element in self.game.elements:
            if element.is_zone and element.visibility == "hidden":
                for cell in range(element.offset, element.offset + element.count):
                    found[cell] = self._with_tickets(found[cell])
        return found

    def _with_tickets(self, held: t.Value) -> t.Value:
        if isinstance(held, tuple):
            return tuple(map(self._with_tickets, held))
        return held if held is None or held < self.layout.ticket else Ticket(held - self.layout.ticket)

    # ---- many at once

    def perft(self, position: Position, depth: int) -> int:
        """How many ways there are to play `depth` events from here; see `counting.py`."""
        self._thread.ready(2**62)
        return self._judge(self._perft(self._thread.address, position.address, depth))

    def playouts(self, count: int, seed: int, threads: int | None = None, position: Position | None = None) -> Playouts:
        """So many random plays to the end, from the start or another state, on so many threads (as many as there are
        cores). The same seed gives the same plays, whatever the number of threads. Raises what the engine in Python
        raises where native code stopped and that does not go on either; Stopped in plays from another state."""
        checked_word(seed, "seed")
        players, threads = self.game.players, threads or os.cpu_count() or 1
        points, winners, events = (array("q", bytes(8 * size)) for size in (count * players, count, count))
        begin = (position or self._start).address
        share = -(-count // (threads * 4)) or 1

        def some(first: int) -> None:
            size, thread = min(share, count - first), _Thread(self._whole.memo.size)
            thread.ready(self._work)
            where = [
                array_.buffer_info()[0] + 8 * first * wide
                for array_, wide in ((points, players), (winners, 1), (events, 1))
            ]
            held = self._kind()
            self._plays(thread.address, begin, ctypes.addressof(held), seed, first, size, self._work, *where)

        if threads == 1:
            for first in range(0, count, share):
                some(first)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(some, range(0, count, share)))
        stopped = [number for number, found in enumerate(events) if found < 0]
        for number in stopped:
            if position is not None:
                raise Stopped("a play came to no end; from the start the engine in Python would play it")
            said, winners[number], events[number] = played(self.engine, seed, number)
            points[number * players : (number + 1) * players] = array("q", said)
        return Playouts(players, points, winners, events, len(stopped))


def _decoded(held: bytes, at: int, shape: Shape | None) -> t.Value:
    match shape:
        case Flag():
            return bool(held[at])
        case Number(bytes=width):
            value = int.from_bytes(held[at : at + width], "little", signed=True)
            return None if value == -(2 ** (8 * width - 1)) else value
        case Mask():
            bits = int.from_bytes(held[at : at + shape.bytes], "little")
            values = (place for place in range(shape.bits) if bits >> place & 1)
            return frozenset(
                None if shape.optional and not each else each + shape.low - shape.optional for each in values
            )
        case Items():
            size = int.from_bytes(held[at : at + 4], "little")
            items = [_decoded(held, at + HEADER + place * shape.stride, shape.item) for place in range(size)]
            return frozenset(items) if shape.distinct else tuple(items)
    raise AssertionError(shape)


def _machine() -> str:
    """What object code hangs on besides its program: the compiler and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def _compiled(text: str, level: int) -> bytes:
    """Object code of a program's text."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(cpu, features, level, "pic", "small")
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = False  # loops are short
    options.loop_unrolling = len(text) < SMALL
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _linked(code: bytes) -> tuple[Any, dict[str, int]]:
    """The library that object code makes, and the addresses of what Python calls."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    jit = llvm.create_lljit_compiler()
    builder = llvm.JITLibraryBuilder().add_object_img(code)
    for name in ENTRIES:
        builder.export_symbol(f"ludex_{name}")
    builder.add_current_process()
    tracker = builder.link(jit, "ludex")
    return (jit, tracker), {name: tracker[f"ludex_{name}"] for name in ENTRIES}
