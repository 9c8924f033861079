"""Native code that runs: compiled by LLVM, loaded, and called from Python with the lock of the interpreter released."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from ludex.grammar import code_digest
from ludex.spec import identity
from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import checked_word
from ...state.events import Move
from ..engine.compiled import Compiled, blank
from ..ir import code as c
from ..ir.limits import COMPACT
from ..ir.moves import Numbers
from ..lowering.passes import lower
from ..python.state import State
from .builder import CALLS, CONTEXT, FAULT, LAST, REFUSED, TOLD, Limit
from .cache import kept, there
from .convert import Converter
from .fallback import has_numbers, played, rows
from .module import Module
from .objects import METHODS, method
from .shapes import Layout

ROOM = 16 << 20
"""Bytes of free room for lists and copies of states, for each thread. What needs more stops."""
ENTRIES = ("start", "result", "perft", "plays", "judge", *METHODS)
SMALL, LARGE = 400_000, 2_000_000
"""In programs with a shorter text loops are unrolled; those with a longer one are not optimised, which would take ten
seconds, unless that is asked for."""


class Stopped(Exception):
    """Native code came to no answer; the message says why. The other engine has one, or says what is wrong."""


class Position(bytearray):
    """A state of play: where the flow waits, and the bytes of its cells."""

    __slots__ = ()

    def copy(self) -> Position:
        """Another one that is equal."""
        return Position(self)


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random plays to the end. The arrays are NumPy's where it is installed, else of the standard library.

    Attributes:
        points: of every seat: a row for each play; without NumPy play after play.
        winners: a mask of seats for each play.
        events: how many there were in each play.
        stopped: how many plays native code did not bring to their end, and the engine in Python played instead, by
            what stopped them.
    """

    players: int
    points: Any
    winners: Any
    events: Any
    stopped: Mapping[str, int] = field(default_factory=dict)

    @property
    def replayed(self) -> int:
        """How many plays the engine in Python played."""
        return sum(self.stopped.values())


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
        words[CONTEXT["room"] // 8] = self._top

    def ready(self, work: int) -> None:
        """Forget what was left behind."""
        self.words[0] = work
        self.words[CONTEXT["depth"] // 8] = CALLS
        self.words[CONTEXT["top"] // 8] = self._top

    def word(self, name: str) -> int:
        """A word of the context, as a number with a sign."""
        return ctypes.c_int64(self.words[CONTEXT[name] // 8]).value

    def put(self, name: str, word: int) -> None:
        self.words[CONTEXT[name] // 8] = word


class Native:
    """Plays one game by native code.

    Raises NotCarried if native code cannot carry the game, ImportError where llvmlite is not installed.

    Attributes:
        legal_ids: given a state, what may happen, in order, as new list: numbers of moves (`moves.py`; where several
            choose at once with the size of that space added for each seat before the player's), or the outcomes of a
            chance event. At the end it is empty.
        apply_id: given a state and one of `legal_ids`, lets it happen in the state itself; it does not ask whether it
            is one.
        is_terminal: given a state, whether the game is over.
    """

    legal_ids: Callable[[Position], list[int]]
    apply_id: Callable[[Position, int], None]
    is_terminal: Callable[[Position], bool]

    def __init__(self, game: m.Game, optimise: bool | None = None) -> None:
        """optimise: whether the code is optimised; if not given, it is where that takes a second or two, or was done
        before. For Bora Bora it takes ten seconds, and doubles the pace."""
        self.game, self.numbers = game, Numbers(game)
        made = self._made(optimise)
        head, blank_, code = made
        self._size, self._memo, self._sites = head["size"], head["memo"], head["sites"]
        self._library, found = _linked(code)
        word, number, address = ctypes.c_int64, ctypes.c_int32, ctypes.c_void_p
        kinds: dict[str, tuple[Any, ...]] = {
            "start": (number, address, address),
            "result": (number, address, address, address, address),
            "perft": (word, address, address, word),
            "plays": (None, address, address, address, word, word, word, word, address, address, address),
            "judge": (word, address, address, address, word),
        }
        calls = {name: ctypes.CFUNCTYPE(*kind)(found[name]) for name, kind in kinds.items()}
        self._result, self._perft, self._plays, self._judges = (calls[name] for name in list(kinds)[1:])
        self._work = game.budget.game
        thread = self._thread = _Thread(self._memo)
        self._stops = self._stop  # what the context calls stays as long as this does
        for name, value in (("budget", self._work), ("kind", id(Position)), ("raises", id(self._stops))):
            thread.put(name, value)
        for name in METHODS:
            setattr(self, name, method(name, found[name], thread.address))
        self._start = Position(blank_)
        thread.ready(self._work)
        self._judged(calls["start"](thread.address, _address(self._start)))

    # ---- made, or kept

    def _made(self, optimise: bool | None) -> tuple[dict[str, Any], bytes, bytes]:
        """What there is to know of the program, the bytes of a state before play, and the code."""
        name = identity(self.game) or self._text  # of a game that was not kept nobody knows what it was made from
        key = f"{_machine()} {code_digest('grammar', 'spec', 'interpreter')} {name}"
        best = f"{key} optimised"
        if optimise is None:
            return _parted(there(best) or kept(f"{key} quick", lambda: self._code(None)))
        return _parted(kept(best if optimise else f"{key} plain", lambda: self._code(optimise)))

    def _code(self, optimise: bool | None) -> bytes:
        text = self._text
        level = 2 if optimise or (optimise is None and len(text) < LARGE) else 0
        head = {
            "size": self.layout.size,
            "memo": self._module.memo.size,
            "sites": [each.path for each in self._module.sites],
        }
        told = json.dumps(head).encode()
        before = self._converter.position(State(blank(self.program)))
        return len(told).to_bytes(8, "little") + told + before + _compiled(text, level)

    @cached_property
    def program(self) -> c.Program:
        """The program that is printed."""
        return lower(self.game, COMPACT, public=False)

    @cached_property
    def _text(self) -> str:
        return self._module.text()

    @cached_property
    def _module(self) -> Module:
        return Module(self.program)

    @property
    def layout(self) -> Layout:
        """Where the cells stand in a state."""
        return self._module.layout

    @cached_property
    def engine(self) -> Compiled:
        """The engine in Python for the same program."""
        return Compiled(self.game, COMPACT)

    # ---- faults

    def _judged(self, said: int) -> int:
        if said < 0:
            self._thread.put("why", said)
            self._stop()
        return said

    def _stop(self) -> None:
        raise Stopped(self._why(self._thread.word("why"), self._thread))

    def _why(self, said: int, thread: _Thread) -> str:
        if said <= LAST:
            return f"a limit of native code: {_limit(said)}"
        assert said in (FAULT, REFUSED), said
        return f"the rules give no value here: {self._sites[thread.word('site')]}"

    # ---- event by event

    def start(self) -> Position:
        """The state in which the first event is awaited."""
        return Position(self._start)

    def wait(self, position: Position) -> int:
        """The number of what the flow waits for."""
        return int.from_bytes(position[:4], "little")

    def to_move(self, position: Position) -> tuple[int, ...]:
        """Seats that must decide now."""
        return self.engine.to_move(self.to_play(position))

    def move_of(self, position: Position, number: int) -> Move:
        """The move that a number of `legal_ids` stands for. Raises KeyError for one that no move here can have."""
        play = self.to_play(position)
        wait, seats = self.program.waits[play.wait], self.engine.to_move(play)
        if isinstance(wait, c.Decision) and not has_numbers(self.engine, wait):
            return dict(rows(self.engine, play, wait))[number]
        before = 0
        if isinstance(wait, c.Together):
            seat, before = number // self.numbers.size, number // self.numbers.size * self.numbers.size
            seats = tuple({seat} & {*seats})
        if not seats:
            raise KeyError(number)
        return self.engine.move_of(number - before, seats[0])

    def id_of(self, position: Position, move: Move) -> int:
        """The number that stands for a move here. Raises ValueError for one that has none: it is no move of the game,
        or of a player who is not to move, or states a collection and is not legal."""
        play = self.to_play(position)
        wait = self.program.waits[play.wait]
        if move.player not in self.engine.to_move(play):
            raise ValueError(f"{move} has no number: another player is to move")
        if isinstance(wait, c.Decision) and not has_numbers(self.engine, wait):
            for number, held in rows(self.engine, play, wait):
                if held == move:
                    return number
            raise ValueError(f"{move} has no number: it is not legal")
        before = self.numbers.size * move.player if isinstance(wait, c.Together) else 0
        return before + self.engine.id_of(move)

    def mask(self, position: Position) -> Any:
        """A byte for each number of a move (where several choose at once, for each seat after seat): 1 if legal. Moves
        that state collections have none."""
        seats = self.game.players if self.engine.is_together(self.to_play(position)) else 1
        found = array("b", bytes(seats * self.numbers.size))
        for number in self.legal_ids(position):
            if number < len(found):
                found[number] = 1
        return _array(found)

    def result(self, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Every seat's points, and the seats that win, as they would count now."""
        points = (ctypes.c_int64 * self.game.players)()
        winners = ctypes.c_int64()
        self._thread.ready(self._work)
        self._judged(self._result(self._thread.address, _address(position), points, ctypes.byref(winners)))
        return tuple(points), tuple(seat for seat in range(self.game.players) if winners.value >> seat & 1)

    def judge(self, ids: Sequence[int], position: Position | None = None) -> int:
        """How many of these events are legal one after another, from the start or another state, which stays as it is.
        They are numbers as `legal_ids` has them, best in an `array("q")`."""
        given = ids if isinstance(ids, array) and ids.typecode == "q" else array("q", ids)
        held = (position or self._start).copy()
        self._thread.ready(2**62)
        where = given.buffer_info()[0]
        return self._judged(self._judges(self._thread.address, _address(held), where, len(given)))

    # ---- states of the other engine

    @cached_property
    def _converter(self) -> Converter:
        return Converter(self.program, self.layout, self.numbers)

    def cells(self, position: Position) -> list[t.Value]:
        """What the cells of the game's elements hold."""
        return self._converter.cells(bytes(position))

    def to_play(self, position: Position) -> State:
        """The state of `engine` that stands for the same."""
        return self._converter.play(bytes(position), self.engine.blank)

    def from_play(self, play: State) -> Position:
        """The state that stands for one of `engine`. Raises NotCarried where one of its lists has no room."""
        return Position(self._converter.position(play))

    # ---- many at once

    def perft(self, position: Position, depth: int) -> int:
        """How many ways there are to play `depth` events from here; see `counting.py`."""
        self._thread.ready(2**62)
        return self._judged(self._perft(self._thread.address, _address(position), depth))

    def playouts(self, count: int, seed: int, threads: int | None = None) -> Playouts:
        """So many random plays from the start to the end, on so many threads (as many as there are cores). The same
        seed gives the same plays, whatever the number of threads. Raises what the engine in Python raises where native
        code stopped and that does not go on either."""
        return self._played(self._start, count, seed, threads, lambda number: played(self.engine, seed, number))

    def rollouts(self, position: Position, count: int, seed: int, threads: int | None = None) -> Playouts:
        """The same from another state, which stays as it is."""
        start = position.copy()

        def replayed(number: int) -> tuple[list[int], int, int]:
            return played(self.engine, seed, number, self.to_play(start))

        return self._played(start, count, seed, threads, replayed)

    def _played(
        self,
        start: Position,
        count: int,
        seed: int,
        threads: int | None,
        replayed: Callable[[int], tuple[list[int], int, int]],
    ) -> Playouts:
        checked_word(seed, "seed")
        players, threads = self.game.players, threads or os.cpu_count() or 1
        points, winners, events = (array("q", bytes(8 * size)) for size in (count * players, count, count))
        begin, share = _address(start), -(-count // (threads * 4)) or 1

        def some(first: int) -> None:
            size, thread = min(share, count - first), _Thread(self._memo)
            thread.ready(self._work)
            where = [
                array_.buffer_info()[0] + 8 * first * wide
                for array_, wide in ((points, players), (winners, 1), (events, 1))
            ]
            held = bytearray(self._size)
            self._plays(thread.address, begin, _address(held), seed, first, size, self._work, *where)

        if threads == 1:
            for first in range(0, count, share):
                some(first)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(some, range(0, count, share)))
        stopped = {number: found for number, found in enumerate(events) if found < 0}
        for number in stopped:
            said, winners[number], events[number] = replayed(number)
            points[number * players : (number + 1) * players] = array("q", said)
        rows = _array(points, (count, players))
        return Playouts(players, rows, _array(winners), _array(events), Counter(map(_limit, stopped.values())))


def _limit(said: int) -> str:
    """What stopped a play."""
    return TOLD[Limit(said)] if said <= LAST else "the rules give no value"


def _address(held: bytearray) -> int:
    return ctypes.addressof((ctypes.c_char * len(held)).from_buffer(held))


def _array(found: array[int], shape: tuple[int, ...] | None = None) -> Any:
    """NumPy's array of the same memory, where NumPy is installed."""
    if find_spec("numpy") is None:
        return found
    import numpy as np

    flat = np.frombuffer(found, dtype=found.typecode)
    return flat if shape is None else flat.reshape(shape)


def _parted(made: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    behind = 8 + int.from_bytes(made[:8], "little")
    head = json.loads(made[8:behind])
    return head, made[behind : behind + head["size"]], made[behind + head["size"] :]


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
