"""The native engine: gets its code, and calls it without the interpreter lock."""

from __future__ import annotations

import ctypes
import mmap
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from threading import local
from time import thread_time
from typing import Any, NoReturn

from ludex.grammar import code_digest, shown_value
from ludex.spec import CALLS, OverBudget, SpecFault
from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import checked_word
from ...state.api_arguments import checked, checked_seat
from ...state.events import Awaits, ChanceEvent, Event, Move, Outcome, Trace
from ..engine.compiled import Compiled
from ..engine.observation import awaits
from ..engine.playout_arrays import Playouts, checked_threads, playouts_of, zeros
from ..ir import code as c
from ..ir.limits import COMPACT
from ..ir.moves import Numbers
from ..llvm.builder import CONTEXT, FAULT, LAST, LIMIT_MESSAGES, REFUSED, Limit
from ..llvm.shapes import CellLayout, NotCarried
from ..python.state import State, StateOwner, demand_own
from .background import Background, light, optimised
from .cache import cached, lookup
from .compiling import Level, machine
from .fallback import has_numbers, judged, numbered_moves, played
from .loading import LoadedCode
from .play_parts import PlayParts
from .program_text import NativeSource, split_object

MEMORY = 16 << 20
"""The bytes of temporary memory for lists and copies of states, for each thread. Code that needs more stops."""
UNLIMITED = 2**62
"""The work of a call for any number of events: the caller says how many."""
ROOTS = 32
"""The number of states for each thread, about, that `perft` counts from."""
MOST_THREADS = 256
"""The largest number of threads; each has memory of its own."""
CHANGE_SECONDS = 2.5e-7
"""The seconds between two changes of a state, about, by which the time of play from Python is estimated."""


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

    def __init__(self, memo: int, state: int = 0) -> None:
        """memo: the bytes of the memo tables; state: those of the state in which games are played."""
        size = memo + MEMORY
        self._memory = mmap.mmap(-1, size + state)
        memory = (ctypes.c_char * (size + state)).from_buffer(self._memory)
        self.address = ctypes.addressof(memory)
        self.state = self.address + size
        self._buffer = memory
        words = (ctypes.c_uint64 * 16).from_buffer(self._memory)
        self.words = words
        self._top = self.address + CONTEXT["memo"] + memo
        words[CONTEXT["end"] // 8] = self.state
        words[CONTEXT["memory"] // 8] = self._top

    def ready(self, work: int) -> None:
        """Reset the context, with a budget of work."""
        self.words[CONTEXT["work"] // 8] = work
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
        """optimise: whether to optimise the code, fully or not at all.

        By default it is optimised as far as one and a half seconds allow, judged by the size of the program. If that is
        not fully, another process does so once the code has run for a while, and later calls run that code.
        """
        self.game, self.numbers, self._source = game, Numbers(game), NativeSource(game)
        depends_on = f"{machine()} {code_digest('grammar', 'spec', 'interpreter')} {self._source.name}"
        key = sha256(depends_on.encode()).hexdigest()
        content, is_best = self._first_content(key, optimise)
        # These come from the cache, so that a start from cached code neither lowers nor prints the program.
        head, blank_, code = split_object(content)
        self._size, self._memo, self._sites = head["size"], head["memo"], head["sites"]
        # A call gets the whole budget of a game, as native code does not count the work of each event apart.
        self._work = game.budget.game
        self._kind = _kind_of(sha256(self._source.name.encode()).hexdigest())
        # Methods of Python hold the interpreter lock from beginning to end, so that one context serves all threads.
        held = self._held = _Context(self._memo)
        self._stops = self._stop  # the context holds the address: the callback must not be collected
        for name, value in (("budget", self._work), ("kind", id(self._kind)), ("raises", id(self._stops))):
            held.put(name, value)
        self._contexts, self._clock = local(), 0
        self._start = self._kind(blank_)
        self._code = self._loaded(code)
        self._better = None if is_best else Background(key, head["text"])
        status = self._status(self._code.start, self._start)
        if status <= LAST:
            raise NotCarried(f"a game that needs {_limit(status)} before its first event")
        self._checked(status)

    # ---- code

    def _first_content(self, key: str, optimise: bool | None) -> tuple[bytes, bool]:
        """Return the description of the program, the bytes of a state before play, and the code; and whether better
        code is out of the question.
        """
        source = self._source
        if optimise is not None:
            name, level = (optimised(key), Level.FULL) if optimise else (f"{key} plain", Level.NONE)
            return cached(name, lambda: source.compiled(level)), True
        # Optimised code of an earlier run is better and costs nothing.
        best = lookup(optimised(key))
        return best or cached(f"{key} quick", lambda: light(key, source)), best is not None

    def _loaded(self, code: bytes) -> LoadedCode:
        """Load code; the methods that Python calls directly are then those of this code."""
        loaded = LoadedCode(code)
        for name, call in loaded.methods(self._held.address, self).items():
            setattr(self, name, call)
        return loaded

    def _current(self) -> LoadedCode:
        """Return the code that a call runs: the optimised one, as soon as the other process has made it."""
        better = self._better
        if better is not None:
            clock = self._held.word("clock")  # methods of Python have no time to measure themselves
            better.spend((clock - self._clock) * CHANGE_SECONDS)
            self._clock = clock
            code = better.code()
            if code is not None:
                self._code = self._loaded(split_object(code)[2])
            if better.is_over:
                self._better = None
        return self._code

    def _timed(self, function: Callable[..., int], *given: Any) -> int:
        """Call a native function, and count the time for which it runs: after enough of it, better code is made."""
        better = self._better
        if better is None:
            return function(*given)
        begin = thread_time()
        result = function(*given)
        better.spend(thread_time() - begin)
        return result

    @property
    def is_settled(self) -> bool:
        """Whether no better code is to come: this is fully optimised, or an option or a failure prevents that."""
        return self._better is None or self._better.is_over

    @property
    def program(self) -> c.Program:
        """The program that is printed."""
        return self._source.program

    @property
    def layout(self) -> CellLayout:
        """The memory layout of a state."""
        return self._source.module.layout

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
            self._contexts.own = _Context(self._memo, self._size)
        own: _Context = self._contexts.own
        return own

    def _called(self, function: Callable[..., int], state: NativeState, *more: Any, work: int | None = None) -> int:
        """Call a native function for a state. Raises Stopped."""
        return self._checked(self._status(function, state, *more, work=work))

    def _status(self, function: Callable[..., int], state: NativeState, *more: Any, work: int | None = None) -> int:
        """Call a native function for a state, and return what it gives: a result, or below 0 why it stopped."""
        self._context.ready(self._work if work is None else work)
        return self._timed(function, self._context.address, _address(state), *more)

    def _checked(self, status: int) -> int:
        """Return the result of the last call in this thread. Raises Stopped if it is none."""
        if status < 0:
            raise self._why(status, self._context)
        return status

    def _stop(self) -> None:
        raise self._why(self._held.word("why"), self._held)

    def _why(self, status: int, context: _Context) -> Exception:
        if status == Limit.EVENT:
            return ValueError("no event here has this number")
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
        self._current()
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
        return self._seats(self._code.to_move, state)

    @checked(number=int)
    def apply_id(self, state: NativeState, number: int) -> NativeState:
        """Return the state after the possible event with this number; the given one does not change.

        Raises ValueError for a number that no event has.
        """
        if abs(number) >= UNLIMITED:  # an outcome may be below 0
            raise ValueError(f"no event has the number {shown_value(number)}")
        after = self._own(state).copy()
        self._current()
        self.advance_id(after, number)
        return after

    @checked(number=int)
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

    @checked(event=(Move, ChanceEvent))
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
            return numbered_moves(self.engine, play, wait)
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
        self._called(self._code.ways, self._own(state), ways)
        of = wait.statement.type if isinstance(wait, c.Chance) else wait.source.type
        # Native code has 0 and 1 for truth values.
        outcomes = map(bool, numbers) if isinstance(of, t.Bool) else numbers
        events = (ChanceEvent(wait.statement.path, each) for each in outcomes)
        return tuple(zip(events, (Fraction(each, sum(ways)) for each in ways), strict=True))

    @checked(event=(Move, ChanceEvent))
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
        move is legal. It is empty of moves for a player who need not decide now.

        Raises ValueError for a seat where nobody sits, where moves state collections, and if there are more numbers
        than a mask has.
        """
        wait, first = self.program.waits[self.wait(state)], 0
        if player is not None and checked_seat(player, self.game.players) not in self.to_move(state):
            return self.numbers.mask(())
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
        self._called(self._code.returns, self._own(state), points)
        return tuple(points)

    def winning_seats(self, state: NativeState) -> tuple[int, ...]:
        """Return the seats that would win now."""
        return self._seats(self._code.winners, state)

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
        given = _words(ids)
        data = self._own(self._start if state is None else state).copy()
        return self._called(self._current().judge, data, given.buffer_info()[0], len(given), work=UNLIMITED)

    # ---- states of the other engine

    @cached_property
    def _owner(self) -> StateOwner | None:
        return self.engine.start().owner

    def cells(self, state: NativeState) -> list[t.Value]:
        """Return the contents of the cells of the game's elements."""
        return self._source.converter.cells(bytes(self._own(state)))

    def to_play(self, state: NativeState) -> State:
        """Convert to a state of `engine`."""
        return self._source.converter.play(bytes(self._own(state)), self.engine.blank, self._owner)

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
        return self._kind(self._source.converter.position(play))

    # ---- many at once

    def perft(self, state: NativeState, depth: int, threads: int | None = None) -> int:
        """Count the sequences of `depth` events from here (perft); see `interpreter/simulate/perft.py`.

        threads: from 1, by default one for each core.

        Raises ValueError if `depth` is negative.
        """
        _checked_count(depth, "depth")
        threads, roots, left = _threads(threads), [self._own(state)], depth
        # The states after the first events are divided among the threads; a short count takes less time than these.
        while threads > 1 and left > 2 and 0 < len(roots) < ROOTS * threads:
            roots = [self.apply_id(root, event) for root in roots for event in self.event_ids(root)]
            left -= 1

        def some(context: _Context, part: range) -> int:
            total, code = 0, self._current().perft
            for root in roots[part.start : part.stop]:
                context.ready(UNLIMITED)
                leaves = self._timed(code, context.address, _address(root), left)
                if leaves < 0:
                    raise self._why(leaves, context)
                total += leaves
            return total

        return self._in_parts(len(roots), threads, some)

    @checked(logs=Iterable)
    def judge_logs(self, logs: Iterable[Sequence[int]], threads: int | None = None) -> list[int]:
        """Return for each log how many of its events are legal one after another, from the start of the game.

        logs: numbers as in `event_ids`; threads: from 1, by default one for each core. The engine in Python judges a
        log for which native code stops.
        """
        ids, ends = array("q"), array("q", [0])
        for log in logs:
            ids.extend(_words(log))
            ends.append(len(ids))
        legal = array("q", [0]) * (len(ends) - 1)

        def some(context: _Context, part: range) -> int:
            # A thread refers to what it reads and writes: after a second Ctrl-C nobody waits for it.
            where = [each.buffer_info()[0] for each in (ids, ends, legal)]
            first, stopped = part.start, 0
            while first < part.stop:
                context.ready(UNLIMITED)
                given = context.address, _address(self._start), context.state, *where[:2], first, part.stop - first
                first += self._timed(self._current().judges, *given, UNLIMITED, where[2])
                if first < part.stop:  # native code stopped in this log, and has stored why
                    first, stopped = first + 1, stopped + 1
            return stopped

        if self._in_parts(len(legal), _threads(threads), some):
            for number in [number for number, count in enumerate(legal) if count < 0]:
                legal[number] = judged(self.engine, ids[ends[number] : ends[number + 1]])
        return legal.tolist()

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

    def _in_parts(self, count: int, threads: int, work: Callable[[_Context, range], int]) -> int:
        """Do a number of pieces of work in parts, on one or several threads; return the sum of the results."""
        threads = max(1, min(threads, count))
        parts = PlayParts(count, threads)

        def some(_: int) -> int:
            """Take parts until there are no more."""
            # Threads share neither memoized results, nor the work that is left, nor a line of the processor's cache.
            context, total = self._context, 0
            while part := parts.take():
                begin = thread_time()
                total += work(context, part)
                parts.took(len(part), thread_time() - begin)
            return total

        if threads == 1:
            return some(0)
        with ThreadPoolExecutor(threads) as pool:
            try:
                return sum(pool.map(some, range(threads)))
            finally:
                parts.stop()  # the pool waits for its threads, after Ctrl-C, too

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
        players = self.game.players
        points, winners, events = (zeros(size) for size in (count * players, count, count))

        def some(context: _Context, part: range) -> int:
            """Play the games of a part, and return how many of them stopped."""
            context.ready(self._work)
            given = context.address, _address(start), context.state, seed, part.start, len(part), self._work
            tables = ((points, players), (winners, 1), (events, 1))
            where = [_address(each) + 8 * part.start * wide for each, wide in tables]
            return self._timed(self._current().plays, *given, *where)

        many = self._in_parts(count, _threads(threads), some)
        stopped = {}
        if many:  # hardly ever: a look at each play holds the lock of the interpreter
            stopped = {number: int(code) for number, code in enumerate(events) if code < 0}
        for number in stopped:
            scores, winners[number], events[number] = replayed(number)
            points[number * players : (number + 1) * players] = array("q", scores)
        return playouts_of(players, points, winners, events, Counter(map(_limit, stopped.values())))


def _threads(given: object) -> int:
    """Return the number of threads: one for each core by default, and not more than `MOST_THREADS`."""
    return min(checked_threads(given) or os.cpu_count() or 1, MOST_THREADS)


def _words(ids: Sequence[int]) -> array[int]:
    """Return an array of numbers of events. Raises TypeError or ValueError for one that no event can have."""
    if isinstance(ids, array) and ids.typecode == "q":
        return ids
    try:
        return array("q", ids)
    except OverflowError:
        raise ValueError("`ids` must be numbers of events, below 2^63") from None
    except TypeError:
        raise TypeError(f"`ids` must be numbers of events, not {shown_value(ids)}") from None


def _checked_count(given: int, name: str) -> None:
    """Raise ValueError for a negative number, or one that native code could not count to."""
    if checked_word(given, name) >= UNLIMITED:
        raise ValueError(f"`{name}` must be below {UNLIMITED}, not {given}")


def _limit(status: int) -> str:
    """Return the name of the limit that stopped a play."""
    return LIMIT_MESSAGES[Limit(status)] if status <= LAST else "the rules give no value"


def _address(data: Any) -> int:
    return ctypes.addressof((ctypes.c_char * len(data)).from_buffer(data))
