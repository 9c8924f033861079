"""The native engine: compiles with LLVM, loads the code, and calls it without the interpreter lock."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from threading import local
from typing import Any, NoReturn

from ludex.grammar import code_digest, shown_value
from ludex.spec import CALLS, OverBudget, SpecFault, identity
from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import checked_word
from ...state.api_arguments import checked
from ...state.events import Awaits, ChanceEvent, Event, Move, Outcome, Trace
from ..engine.compiled import Compiled
from ..engine.observation import awaits
from ..engine.playout_arrays import Playouts, checked_threads, playouts_of, zeros
from ..ir import code as c
from ..ir.limits import COMPACT, SCANNED
from ..ir.moves import Numbers
from ..llvm.builder import CONTEXT, FAULT, LAST, LIMIT_MESSAGES, REFUSED, Limit
from ..llvm.module import Module
from ..llvm.objects import METHODS, method
from ..llvm.shapes import CellLayout, NotCarried
from ..lowering.passes import lower
from ..python.state import State, StateOwner, cells_before_play, demand_own
from .cache import cached, lookup
from .convert import Converter
from .fallback import has_numbers, played, rows

MEMORY = 16 << 20
"""The bytes of temporary memory for lists and copies of states, for each thread. Code that needs more stops."""
UNLIMITED = 2**62
"""The work of a call for any number of events: the caller says how many."""
ENTRIES = ("start", "returns", "winners", "to_move", "ways", "perft", "plays", "judge", *METHODS)
SMALL, FULL, LIGHT = 400_000, 800_000, 1_600_000
"""Sizes of a program's text, by which making its code takes at most one and a half seconds: below the first, loops are
unrolled; above the second, a few passes optimise the code, and above the third none."""
PASSES = "always_inliner", "sroa", "instruction_combine", "simplify_cfg"
"""The passes of light optimisation: followed by a quick register allocation, they give most of the speed of large
programs in half the time."""


class Level(IntEnum):
    """The optimisation levels of native code."""

    NONE = 0
    LIGHT = 1
    FULL = 2


class Stopped(Exception):
    """Native code gave no answer; the message says why. The engine in Python gives one, or explains what is wrong.

    Attributes:
        place: the clause in which the rules give no value, and where in its file: line and column; None at a limit.
    """

    def __init__(self, message: str, place: tuple[str | None, int, int] | None = None) -> None:
        super().__init__(message, place)
        self.place = place

    def __str__(self) -> str:
        return str(self.args[0])


class NativeState(bytearray):
    """A state of play: the number of the wait, and the bytes of the cells.

    Each game has a subclass of its own, so that no engine takes a state of another game. Only native code changes the
    bytes, since it trusts them.
    """

    __slots__ = ()
    key = ""

    def copy(self) -> NativeState:
        """Return an equal, independent state."""
        return type(self)(self)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return _unpickled, (self.key, bytes(self))

    def _refused(self, *_: object) -> NoReturn:
        raise TypeError("only `advance_id` changes a state")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refused
    append = clear = extend = insert = pop = remove = reverse = _refused


@cache
def _kind_of(key: str) -> type[NativeState]:
    """Return the class of the states of one game. key: identifies the game and its table."""
    return type("Position", (NativeState,), {"__slots__": (), "key": key})


def _unpickled(key: str, content: bytes) -> NativeState:
    return _kind_of(key)(content)


class _Context:
    """The data of one thread of native code, followed by temporary memory."""

    def __init__(self, memo: int) -> None:
        """memo: the bytes of the memo tables."""
        size = memo + MEMORY
        self._memory = mmap.mmap(-1, size)
        memory = (ctypes.c_char * size).from_buffer(self._memory)
        self.address = ctypes.addressof(memory)
        self._buffer = memory
        words = (ctypes.c_uint64 * 16).from_buffer(self._memory)
        self.words = words
        self._top = self.address + CONTEXT["memo"] + memo
        words[CONTEXT["end"] // 8] = self.address + size
        words[CONTEXT["memory"] // 8] = self._top

    def ready(self, work: int) -> None:
        """Reset the context, with a budget of work."""
        self.words[0] = work
        self.words[CONTEXT["depth"] // 8] = CALLS
        self.words[CONTEXT["top"] // 8] = self._top
        self.words[CONTEXT["asking"] // 8] = 0

    def word(self, name: str) -> int:
        """Return a word of the context, as a signed number."""
        return ctypes.c_int64(self.words[CONTEXT[name] // 8]).value

    def put(self, name: str, word: int) -> None:
        self.words[CONTEXT[name] // 8] = word


class Native:
    """Plays one game by native code.

    Raises NotCarried if native code does not support the game, or does not reach its first event because of a limit;
    Stopped if the rules give no value before that event; ImportError where llvmlite is not installed.

    Attributes:
        event_ids: (state) returns a new list of the possible events, in order: move numbers (`moves.py`; in
            simultaneous decisions plus the size of that space for each seat before the player's), or the outcomes of a
            chance event. The list is empty at the end.
        advance_id: (state, one of `event_ids`) plays the event in place; it does not test legality.
        is_terminal: (state) returns whether the game is over.
    """

    event_ids: Callable[[NativeState], list[int]]
    advance_id: Callable[[NativeState, int], None]
    is_terminal: Callable[[NativeState], bool]

    @checked(game=m.Game, optimise=bool)
    def __init__(self, game: m.Game, optimise: bool | None = None) -> None:
        """optimise: whether to optimise the code.

        By default it is optimised as far as one and a half seconds allow, judged by the size of the program, or fully
        if that was done before. For Bora Bora it takes ten seconds, and doubles the speed.
        """
        self.game, self.numbers = game, Numbers(game)
        content = self._made(optimise)
        head, blank_, code = content
        # These come from the cache, so that a start from cached code neither lowers nor prints the program.
        self._size, self._memo, self._sites = head["size"], head["memo"], head["sites"]
        self._library, functions = _linked(code)
        word, number, address = ctypes.c_int64, ctypes.c_int32, ctypes.c_void_p
        kinds: dict[str, tuple[Any, ...]] = {
            "start": (number, address, address),
            "returns": (number, address, address, address),
            "winners": (number, address, address, address),
            "to_move": (number, address, address, address),
            "ways": (number, address, address, address),
            "perft": (word, address, address, word),
            "plays": (word, address, address, address, word, word, word, word, address, address, address),
            "judge": (word, address, address, address, word),
        }
        calls = {name: ctypes.CFUNCTYPE(*kind)(functions[name]) for name, kind in kinds.items()}
        self._returns, self._winners, self._to_move, self._ways, *further = list(calls.values())[1:]
        self._perft, self._plays, self._judges = further
        # A call gets the whole budget of a game, as native code does not count the work of each event apart.
        self._work = game.budget.game
        self._kind = _kind_of(sha256(self._name.encode()).hexdigest())
        # Methods of Python hold the interpreter lock from beginning to end, so that one context serves all threads.
        held = self._held = _Context(self._memo)
        self._stops = self._stop  # the context holds the address: the callback must not be collected
        for name, value in (("budget", self._work), ("kind", id(self._kind)), ("raises", id(self._stops))):
            held.put(name, value)
        for name in METHODS:
            setattr(self, name, method(name, functions[name], held.address))
        self._contexts = local()
        self._start = self._kind(blank_)
        status = self._status(calls["start"], self._start)
        if status <= LAST:
            raise NotCarried(f"a game that needs {_limit(status)} before its first event")
        self._checked(status)

    # ---- made, or kept

    def _made(self, optimise: bool | None) -> tuple[dict[str, Any], bytes, bytes]:
        """Return the description of the program, the bytes of a state before play, and the code."""
        key = f"{_machine()} {code_digest('grammar', 'spec', 'interpreter')} {self._name}"
        best = f"{key} optimised"
        if optimise is None:
            # Optimised code of an earlier run is better and costs nothing.
            return _parted(lookup(best) or cached(f"{key} quick", lambda: self._code(None)))
        return _parted(cached(best if optimise else f"{key} plain", lambda: self._code(optimise)))

    def _code(self, optimise: bool | None) -> bytes:
        text = self._text
        level = _affordable(len(text)) if optimise is None else Level.FULL if optimise else Level.NONE
        head = {
            "size": self.layout.size,
            "memo": self._module.memo.size,
            "sites": [(each.path, each.span.line, each.span.column) for each in self._module.sites],
        }
        description = json.dumps(head).encode()
        before = self._converter.position(State(cells_before_play(self.program)))
        return len(description).to_bytes(8, "little") + description + before + _compiled(text, level)

    @cached_property
    def _name(self) -> str:
        """The identity of the game: the digest of its source files, or, without them, the program's text."""
        return identity(self.game) or self._text

    @cached_property
    def program(self) -> c.Program:
        """The program that is printed."""
        return lower(self.game, SCANNED)

    @cached_property
    def _text(self) -> str:
        return self._module.text()

    @cached_property
    def _module(self) -> Module:
        return Module(self.program)

    @property
    def layout(self) -> CellLayout:
        """The memory layout of a state."""
        return self._module.layout

    @cached_property
    def engine(self) -> Compiled:
        """The engine in Python for the same program."""
        # `SCANNED` differs from `COMPACT` in units alone: waits, blocks and cells are the same, so that states convert
        # cell by cell.
        return Compiled(self.game, COMPACT)

    # ---- calls and faults

    @property
    def _context(self) -> _Context:
        """The context of this thread, for calls that release the interpreter lock."""
        if not hasattr(self._contexts, "own"):
            self._contexts.own = _Context(self._memo)
        own: _Context = self._contexts.own
        return own

    def _called(self, function: Callable[..., int], state: NativeState, *more: Any, work: int | None = None) -> int:
        """Call a native function for a state. Raises Stopped."""
        return self._checked(self._status(function, state, *more, work=work))

    def _status(self, function: Callable[..., int], state: NativeState, *more: Any, work: int | None = None) -> int:
        """Call a native function for a state, and return what it gives: a result, or below 0 why it stopped."""
        self._context.ready(self._work if work is None else work)
        return function(self._context.address, _address(state), *more)

    def _checked(self, status: int) -> int:
        """Return the result of the last call in this thread. Raises Stopped if it is none."""
        if status < 0:
            raise self._why(status, self._context)
        return status

    def _stop(self) -> None:
        raise self._why(self._held.word("why"), self._held)

    def _why(self, status: int, context: _Context) -> Stopped:
        if status <= LAST:
            return Stopped(f"a limit of native code: {_limit(status)}")
        assert status in (FAULT, REFUSED), status
        path, line, column = self._sites[context.word("site")]
        return Stopped(f"the rules give no value here: {path}", (path, line, column))

    def _own(self, state: Any) -> NativeState:
        """Return the state. Raises TypeError if it is of another game: native code would read foreign memory."""
        if type(state) is not self._kind or len(state) != self._size:
            what = "of another game or table" if isinstance(state, NativeState) else shown_value(state)
            raise TypeError(f"`state` must be a state of this engine of {self.game.name}, not {what}")
        return state

    # ---- event by event

    @property
    def size(self) -> int:
        """The number of move numbers; in a simultaneous decision each seat has as many."""
        return self.numbers.size

    def start(self, trace: Trace | None = None) -> NativeState:
        """Return the state in which the first event is awaited."""
        return self._start.copy() if trace is None else self.from_play(self.engine.start(trace))

    def wait(self, state: NativeState) -> int:
        """Return the number of the wait."""
        return int.from_bytes(self._own(state)[:4], "little")

    def to_move(self, state: NativeState) -> tuple[int, ...]:
        """Return the seats that must decide now. `engine` finds them where native code stops."""
        try:
            return self.deciding_seats(state)
        except Stopped:
            return self.engine.to_move(self.to_play(state))

    def deciding_seats(self, state: NativeState) -> tuple[int, ...]:
        """Return the seats that must decide now. Raises Stopped."""
        return self._seats(self._to_move, state)

    def apply_id(self, state: NativeState, number: int) -> NativeState:
        """Return the state after the possible event with this number; the given one does not change."""
        after = self._own(state).copy()
        self.advance_id(after, number)
        return after

    def event_of(self, state: NativeState, number: int) -> Event:
        """Return the event for a number of `event_ids`. Raises ValueError for a number that no event here has."""
        return self.events_of(state, [number])[0]

    def events_of(self, state: NativeState, numbers: Iterable[int]) -> list[Event]:
        """Return the events for numbers of `event_ids`. Raises ValueError for a number that no event here has."""
        named, events = self._naming(self.to_play(state)), list[Event]()
        for number in numbers:
            event = named(number)
            if event is None:
                raise ValueError(f"no event here has the number {shown_value(number)}")
            events.append(event)
        return events

    def _naming(self, play: State) -> Callable[[int], Event | None]:
        """Return the function that gives the event for a number in this state; None for a number that none has."""
        wait, engine = self.program.waits[play.wait], self.engine
        if isinstance(wait, c.Chance | c.Hidden):
            return self._outcomes(play).get
        if isinstance(wait, c.Decision) and not has_numbers(engine, wait):
            return dict(self._rows(play, wait)).get
        seats = engine.to_move(play)

        def choice(number: int) -> Event | None:
            # In a simultaneous decision the seat is part of the number.
            seat, move = divmod(number, self.size) if isinstance(wait, c.Together) else (seats[0], number)
            return engine.move_of(move, seat) if seat in seats else None

        return choice if seats else lambda _: None

    def event_id(self, state: NativeState, event: Event) -> int:
        """Return the number of an event in this state.

        Raises ValueError for an event without one: the game has no such event, its player is not to move, or it is a
        chance event or states a collection, and is not possible here.
        """
        play = self.to_play(state)
        wait = self.program.waits[play.wait]
        numbered: Iterable[tuple[int, Event]] = ()
        if isinstance(event, ChanceEvent):
            numbered = self._outcomes(play).items()
        elif event.player not in self.engine.to_move(play):
            raise ValueError(f"{event} has no number: another player is to move")
        elif isinstance(wait, c.Decision) and not has_numbers(self.engine, wait):
            numbered = self._rows(play, wait)
        else:
            return self.size * event.player * isinstance(wait, c.Together) + self.engine.id_of(event)
        for number, each in numbered:
            if each == event:
                return number
        raise ValueError(f"{event} has no number: it is not possible here")

    def _rows(self, play: State, wait: c.Decision) -> list[tuple[int, Move]]:
        """Return the legal moves, of which some state collections, with their numbers. Raises ValueError if the rules
        give no value for one of them: then none has a number."""
        try:
            return rows(self.engine, play, wait)
        except OverBudget:
            raise
        except SpecFault as fault:
            raise ValueError(f"no move has a number here: {fault.path} has no value for one of them") from None

    def _outcomes(self, play: State) -> dict[int, ChanceEvent]:
        """Return the outcomes of the awaited chance event by their numbers."""
        chances = self.engine.chance(play)
        named = {int(event.outcome): event for event, _ in chances}
        assert len(named) == len(chances), "two outcomes have the same number"
        return named

    # ---- event by event, as the other tiers are asked (`interpreter/play/tiers.py`)

    def awaits(self, state: NativeState) -> Awaits:
        """Return what the state awaits."""
        return awaits(self.program.waits[self.wait(state)])

    def legal_moves(self, state: NativeState) -> tuple[Move, ...]:
        """List all legal moves, in a fixed order. `engine` lists them where native code stops."""
        if self.awaits(state) is not Awaits.MOVE:
            return ()
        try:
            return tuple(each for each in self.events_of(state, self.event_ids(state)) if isinstance(each, Move))
        except (Stopped, ValueError):
            return self.engine.legal_moves(self.to_play(state))

    def chance(self, state: NativeState) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """List the awaited chance event's outcomes with their probabilities. `engine` lists them where native code
        stops.
        """
        try:
            return self.weighed(state)
        except Stopped:
            return self.engine.chance(self.to_play(state))

    def weighed(self, state: NativeState) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """List the awaited chance event's outcomes with their probabilities. Raises Stopped."""
        wait = self.program.waits[self.wait(state)]
        if not isinstance(wait, c.Chance | c.Hidden):
            return ()
        numbers = self.event_ids(state)
        ways = (ctypes.c_int64 * len(numbers))()
        self._called(self._ways, self._own(state), ways)
        of = wait.statement.type if isinstance(wait, c.Chance) else wait.source.type
        outcomes = map(bool, numbers) if isinstance(of, t.Bool) else numbers
        events = (ChanceEvent(wait.statement.path, each) for each in outcomes)
        return tuple(zip(events, (Fraction(each, sum(ways)) for each in ways), strict=True))

    def apply(self, state: NativeState, event: Event, trace: Trace | None = None) -> NativeState:
        """Return the state after the event; the given one does not change. Where native code stops, and with a trace,
        `engine` plays the event.

        Raises ValueError for an illegal event, NotCarried if the state after it does not fit into native code.
        """
        try:
            number = self.event_id(state, event)
            if trace is None and self.judge_ids([number], state) == 1:
                return self.apply_id(state, number)
        except (Stopped, ValueError):
            pass  # the engine in Python plays it, or says what is wrong
        return self.from_play(self.engine.apply(self.to_play(state), event, trace))

    def winners(self, state: NativeState) -> Outcome:
        """Return who has won, as the winner clauses have it now, and by which clause."""
        return self.engine.winners(self.to_play(state))

    def begin_game(self) -> None:
        """Begin to count the work of a game, for `check_game`."""
        self.engine.begin_game()

    def check_game(self, state: NativeState) -> None:
        """Raise OverBudget if the game has more events than its budget of work allows.

        Native code counts the work of whole plays (`playouts`) and bounds that of each event.
        """
        self.engine.meter.begin()
        self.engine.check_game(self.to_play(state))

    # ---- questions about a state

    def mask(self, state: NativeState, player: int | None = None) -> bytearray:
        """Return the legality mask of a player, by default of the one to move: one byte for every move number, 1 if the
        move is legal.

        Raises ValueError where moves state collections, and if there are more numbers than a mask has.
        """
        wait, first = self.program.waits[self.wait(state)], 0
        if isinstance(wait, c.Decision) and not has_numbers(self.engine, wait):
            return self.engine.mask(self.to_play(state), player)
        if isinstance(wait, c.Together):
            first = self.size * (self.to_move(state)[0] if player is None else player)
        if not isinstance(wait, c.Decision | c.Together):
            return self.numbers.mask(())
        numbers = self.event_ids(state)
        return self.numbers.mask(each - first for each in numbers if 0 <= each - first < self.size)

    def returns(self, state: NativeState) -> tuple[int, ...]:
        """Return every seat's points as they would count now."""
        points = (ctypes.c_int64 * self.game.players)()
        self._called(self._returns, self._own(state), points)
        return tuple(points)

    def winning_seats(self, state: NativeState) -> tuple[int, ...]:
        """Return the seats that would win now."""
        return self._seats(self._winners, state)

    def _seats(self, function: Callable[..., int], state: NativeState) -> tuple[int, ...]:
        """Return the seats that a native function gives as a bit mask. Raises Stopped."""
        mask = ctypes.c_int64()
        self._called(function, self._own(state), ctypes.byref(mask))
        return tuple(seat for seat in range(self.game.players) if mask.value >> seat & 1)

    def judge_ids(self, ids: Sequence[int], state: NativeState | None = None) -> int:
        """Return how many of these events are legal one after another, from the start or another state, which does not
        change.

        ids: numbers as in `event_ids`, preferably in an `array("q")`.
        """
        given = ids if isinstance(ids, array) and ids.typecode == "q" else array("q", ids)
        data = self._own(self._start if state is None else state).copy()
        return self._called(self._judges, data, given.buffer_info()[0], len(given), work=UNLIMITED)

    # ---- states of the other engine

    @cached_property
    def _owner(self) -> StateOwner | None:
        return self.engine.start().owner

    @cached_property
    def _converter(self) -> Converter:
        return Converter(self.program, self.layout, self.numbers)

    def cells(self, state: NativeState) -> list[t.Value]:
        """Return the contents of the cells of the game's elements."""
        return self._converter.cells(bytes(self._own(state)))

    def to_play(self, state: NativeState) -> State:
        """Convert to a state of `engine`."""
        return self._converter.play(bytes(self._own(state)), self.engine.blank, self._owner)

    def from_play(self, play: State) -> NativeState:
        """Convert from a state of `engine`.

        Raises NotCarried if one of its lists does not fit, TypeError for what is not a state, ValueError for a state of
        another game or table: native code would read foreign memory.
        """
        if not isinstance(play, State):
            raise TypeError(f"`play` must be a State, not {shown_value(play)}")
        demand_own(play, self.game)
        if len(play.cells) != len(self.engine.blank) or not 0 <= play.wait < len(self.program.waits):
            raise ValueError(f"`play` is not a state of this engine of {self.game.name}")
        return self._kind(self._converter.position(play))

    # ---- many at once

    def perft(self, state: NativeState, depth: int) -> int:
        """Count the sequences of `depth` events from here (perft); see `interpreter/simulate/perft.py`.

        Raises ValueError if `depth` is negative.
        """
        _checked_count(depth, "depth")
        return self._called(self._perft, self._own(state), depth, work=UNLIMITED)

    def playouts(self, count: int, seed: int = 0, threads: int | None = None) -> Playouts:
        """Play random games from the start to the end.

        count: how many; threads: from 1, by default one for each core. The same seed gives the same plays for any
        number of threads. Raises what the engine in Python raises if neither engine can continue.
        """
        return self._played(self._start, count, seed, threads, lambda number: played(self.engine, seed, number))

    def rollouts(self, state: NativeState, count: int, seed: int = 0, threads: int | None = None) -> Playouts:
        """Play random games from another state, which does not change."""
        start = self._own(state).copy()

        def replayed(number: int) -> tuple[list[int], int, int]:
            return played(self.engine, seed, number, self.to_play(start))

        return self._played(start, count, seed, threads, replayed)

    def _played(
        self,
        start: NativeState,
        count: int,
        seed: int,
        threads: int | None,
        replayed: Callable[[int], tuple[list[int], int, int]],
    ) -> Playouts:
        _checked_count(count, "count")
        checked_word(seed, "seed")
        players, threads = self.game.players, checked_threads(threads) or os.cpu_count() or 1
        points, winners, events = (zeros(size) for size in (count * players, count, count))
        # Four parts for each thread, so that none is idle for long while the last parts are played.
        begin, share = _address(start), -(-count // (threads * 4)) or 1

        def some(first: int) -> int:
            """Play the games of a part, and return how many of them stopped."""
            # Each part has a context: threads share neither memoized results nor the work that is left.
            size, context = min(share, count - first), _Context(self._memo)
            context.ready(self._work)
            where = [_address(each) + 8 * first * wide for each, wide in ((points, players), (winners, 1), (events, 1))]
            place = bytearray(self._size)
            return int(self._plays(context.address, begin, _address(place), seed, first, size, self._work, *where))

        if threads == 1:
            many = sum(map(some, range(0, count, share)))
        else:
            with ThreadPoolExecutor(threads) as pool:
                many = sum(pool.map(some, range(0, count, share)))
        stopped = {}
        if many:  # hardly ever: a look at each play holds the lock of the interpreter
            stopped = {number: int(code) for number, code in enumerate(events) if code < 0}
        for number in stopped:
            scores, winners[number], events[number] = replayed(number)
            points[number * players : (number + 1) * players] = array("q", scores)
        return playouts_of(players, points, winners, events, Counter(map(_limit, stopped.values())))


def _checked_count(given: int, name: str) -> None:
    """Raise ValueError for a negative number, or one that native code could not count to."""
    if checked_word(given, name) >= UNLIMITED:
        raise ValueError(f"`{name}` must be below {UNLIMITED}, not {given}")


def _limit(status: int) -> str:
    """Return the name of the limit that stopped a play."""
    return LIMIT_MESSAGES[Limit(status)] if status <= LAST else "the rules give no value"


def _address(data: Any) -> int:
    return ctypes.addressof((ctypes.c_char * len(data)).from_buffer(data))


def _parted(content: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    end = 8 + int.from_bytes(content[:8], "little")
    head = json.loads(content[8:end])
    return head, content[end : end + head["size"]], content[end + head["size"] :]


def _machine() -> str:
    """Return what object code depends on besides its program: the compiler and the processor."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def _affordable(size: int) -> Level:
    """Return the default optimisation level for a program's text of this size."""
    return Level.FULL if size < FULL else Level.LIGHT if size < LIGHT else Level.NONE


def _compiled(text: str, level: Level) -> bytes:
    """Compile a program's text to object code."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(cpu, features, level, "pic", "small")
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    if level is Level.LIGHT:
        passes = llvm.create_new_module_pass_manager()
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    if level is not Level.FULL:
        return bytes(machine.emit_object(module))
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = (
        False  # loops have few iterations: vectorized versions would only add code
    )
    options.loop_unrolling = len(text) < SMALL
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def _linked(code: bytes) -> tuple[Any, dict[str, int]]:
    """Load object code; return the library, and the addresses of the functions that Python calls."""
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
