"""Conversion between states of the compiled engine and states of the reference.

A `State` identifies the place in the flow by the number of a wait, and keeps the slots of routines in cells. The
reference has a stack of frames (`../../stack/state.py`). Lowering records, for every wait, where the parts of that
stack are found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludex.grammar import seldom_collecting
from ludex.spec import model as m

from ...stack.routines import Routine, routines_of, without_dead
from ...stack.state import DECLINED, Frame, StackState
from ...state.pools import HiddenCells, hidden_cells, make_canonical
from ..ir import code as c
from ..ir.limits import WIDE, Limits
from ..python.state import State

if TYPE_CHECKING:
    from ...reference import Rules
    from ..lowering.passes import Lowering


def lowering(game: m.Game, limits: Limits) -> Lowering:
    """Lower what has to be known of a game before play. Units of options are lowered when they are first read.

    The lowering code is imported only here, so that a cached program does without it.
    """
    with seldom_collecting():  # imports and lowering make many small values, and hardly any cycles
        from ..lowering.passes import Lowering

        return Lowering(game, limits)


class Frames:
    """Converts the states of one program.

    A pickled instance holds only the game, which is lowered again when a conversion is asked for.
    """

    def __init__(self, game: m.Game, limits: Limits = WIDE, program: c.Program | None = None) -> None:
        self.game, self._limits, self._made = game, limits, program
        self._live: dict[int, tuple[c.Saved, ...] | None] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Frames, (self.game, self._limits)

    @cached_property
    def _program(self) -> c.Program:
        return self._made or lowering(self.game, self._limits).program

    @cached_property
    def _routines(self) -> Mapping[str, Routine]:
        return routines_of(self.game)

    @cached_property
    def _hidden(self) -> HiddenCells:
        return hidden_cells(self.game)

    @cached_property
    def _rules(self) -> Rules:
        from ...reference import Rules

        return Rules(self.game)

    @cached_property
    def _at(self) -> dict[tuple[str, int], int]:
        """The numbers of the statements of each routine."""
        return {
            (routine.name, id(statement)): at
            for routine in self._routines.values()
            for at, statement in enumerate(routine.statements)
        }

    @cached_property
    def _waits(self) -> dict[tuple[str, int], list[int]]:
        """The waits at each statement."""
        waits: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, wait in enumerate(self._program.waits):
            if wait is not None:
                waits[self._place(wait.stack[-1])].append(number)
        return waits

    @cached_property
    def _calls(self) -> dict[tuple[str, int], list[int]]:
        """For each statement that performs an action that is lowered once: the blocks to which the action returns."""
        calls: dict[tuple[str, int], list[int]] = defaultdict(list)
        for block, calling in self._program.calls.items():
            calls[self._place(calling.stack[-1])].append(block)
        return calls

    def _place(self, frame: c.Frame | c.Caller) -> tuple[str, int]:
        """Return the routine of a frame, and the number of its statement."""
        assert isinstance(frame, c.Frame)
        return frame.routine, self._at[frame.routine, id(frame.statement)]

    # ---- to the reference

    def state(self, play: State) -> StackState:
        """Convert a play to the reference's state."""
        settled = play.clone()
        # Two plays that differ only in the numbers of their pools are one state of the reference.
        make_canonical(settled, self._hidden)
        return StackState(tuple(settled.cells[: self.game.cell_count]), settled.pools, self.frames(play))

    def frames(self, play: State) -> tuple[Frame, ...]:
        """Return the stack of frames, innermost last. Dead slots are None."""
        wait, cells = self._program.waits[play.wait], play.cells
        if wait is None:
            return ()
        return without_dead(self._routines, list(self._frames(wait.stack, cells, cells[-1])))

    def _frames(self, stack: c.Stack, cells: Sequence[Any], aside: Any) -> Iterator[Frame]:
        """Yield the frames of a stack, outermost first.

        aside: the saved cells of recursive actions, as `Runtime.save` stores them.
        """
        for each in stack:
            if isinstance(each, c.Caller):
                calling = self._program.calls[cells[each.back]]
                if calling.saved is None:
                    yield from self._frames(calling.stack, cells, aside)
                else:
                    # The inner call of a recursive action uses the cells; what they held for its caller was put aside.
                    values, further, _ = aside
                    before = list(cells)
                    for cell, value in zip(self._program.saved[calling.saved], values, strict=True):
                        before[cell] = value
                    yield from self._frames(calling.stack, before, further)
            else:
                routine, at = self._place(each)
                size = self._routines[routine].size
                slots = [_value(each.slots[slot], cells) if slot in each.slots else None for slot in range(size)]
                yield Frame(routine, at, tuple(slots), tuple([_value(kept, cells) for kept in each.kept]))

    # ---- keys

    def key(self, play: State) -> Hashable:
        """Return a key that is equal only for plays with equal futures. Dead slots are left out."""
        wait, cells = self._program.waits[play.wait], play.cells
        contents = tuple(cells[: self.game.cell_count])
        if wait is None:
            return 0, contents, play.pools
        if play.wait not in self._live:
            self._live[play.wait] = self._live_in(wait.stack)
        live = self._live[play.wait]
        if live is None:  # only the play itself says who performs the action
            return self.state(play)
        return play.wait, contents, play.pools, *[_value(each, cells) for each in live]

    def _live_in(self, stack: c.Stack) -> tuple[c.Saved, ...] | None:
        """Return the live contents of a stack's cells, or None if the caller is known only at run time."""
        contents: list[c.Saved] = []
        for depth, each in enumerate(stack, start=1):
            if isinstance(each, c.Caller):
                return None
            name, at = self._place(each)
            routine = self._routines[name]
            # Slot 0 says who acts, which is always needed.
            read = {0, *(routine.read if depth == len(stack) else routine.read_after)[at]}
            contents += [place for slot, place in each.slots.items() if slot in read]
            contents += each.kept
        return tuple(each for each in contents if not isinstance(each, c.Const))

    # ---- from the reference

    def play(self, state: StackState, blank: Sequence[Any]) -> State:
        """Convert a state of the reference to a play.

        blank: the cells at the beginning. Raises ValueError if the program has no such wait.
        """
        game = self.game
        # A statement has several waits where its action is inlined in several places, or its loop is unrolled.
        for number in self._waits[state.frames[-1][:2]] if state.frames else (0,):
            wait = self._program.waits[number]
            filled = _Cells([*state.cells, *blank[game.cell_count :]])
            if wait is None or self._fill(wait.stack, state.frames, filled):
                play = State(filled.cells, self)
                play.pools, play.wait = state.pools, number
                if isinstance(wait, c.Together):
                    play.cells[wait.stated] = self._with_given(state, play.cells[wait.stated])
                return play
        raise ValueError("the program waits for nothing there")

    def _with_given(self, state: StackState, stated: Sequence[Any]) -> tuple[Any, ...]:
        """Add to the stated choices the values that the decision supplies, which the reference does not store."""
        from ...reference import Run, option_at

        run, completed = Run(self._rules, state), list(stated)
        for seat, choice in enumerate(stated):
            if choice is not None and choice != DECLINED:
                number, values = choice
                given = [value for *_, value in option_at(run, seat, number).stated]
                completed[seat] = number, (*given, *values[len(given) :])
        return tuple(completed)

    def _fill(self, stack: c.Stack, frames: Sequence[Frame], filled: _Cells) -> bool:
        """Return whether the frames match the stack. If they do, the cells hold their contents afterwards."""
        static = [each for each in stack if isinstance(each, c.Frame)]
        below, own = frames[: len(frames) - len(static)], frames[len(frames) - len(static) :]
        if len(own) < len(static) or any(map(self._differs, static, own)):
            return False
        for each, frame in zip(static, own, strict=True):
            slots = all(filled.hold(place, frame.slots[slot]) for slot, place in each.slots.items())
            if not slots or not filled.hold(each.kept, frame.kept):
                return False
        # A stack without a caller is whole, so that no routine may be below it.
        if len(static) == len(stack):
            return not below
        caller = stack[0]
        assert isinstance(caller, c.Caller)
        return bool(below) and self._fill_caller(caller, below, filled)

    def _fill_caller(self, caller: c.Caller, frames: Sequence[Frame], filled: _Cells) -> bool:
        for block in self._calls[frames[-1][:2]]:
            # The frames are filled in a copy, so that a caller that does not match leaves no traces.
            calling, before = self._program.calls[block], _Cells(list(filled.cells))
            if not self._fill(calling.stack, frames, before):
                continue
            own = () if calling.saved is None else self._program.saved[calling.saved]
            # The cells hold what the inner call of a recursive action has; those of the outer call are put aside.
            aside = [before.cells[cell] for cell in own]
            for cell in own:
                before.cells[cell] = filled.cells[cell]
            filled.cells[:] = before.cells
            if calling.saved is not None:
                further = before.cells[-1]
                filled.cells[-1] = tuple(aside), further, 1 if further is None else 1 + further[2]
            filled.cells[caller.back] = block
            return True
        return False

    def _differs(self, wanted: c.Frame, frame: Frame) -> bool:
        return self._place(wanted) != (frame.routine, frame.at)


def _value(saved: c.Saved, cells: Sequence[Any]) -> Any:
    match saved:
        case c.Const(value=value):
            return value
        case c.Load(base=base, index=None):
            return cells[base]
        case c.Rest(listed=listed, at=at):
            return cells[listed.base][cells[at.base] :]
        case c.PendingChoices(stated=stated, seat=seat, given=given):
            following = 0 if seat is None else cells[seat.base]
            return tuple([_left(each, at >= following, given) for at, each in enumerate(cells[stated.base])])
        case tuple():
            return tuple([_value(each, cells) for each in saved])
    raise AssertionError(saved)


def _left(choice: Any, is_left: bool, given: tuple[int, ...]) -> Any:
    """Convert a stated choice to the reference's form: None once it is carried out."""
    if choice is None or choice == DECLINED:
        return choice
    option, values = choice
    return (option, values[given[option] :]) if is_left else None


def _filled(choice: Any, given: tuple[int, ...]) -> Any:
    """Convert a stated choice to the program's form.

    The values that the decision supplies are None: nothing reads them once all players have stated.
    """
    if choice is None or choice == DECLINED:
        return choice
    option, values = choice
    return option, (None,) * given[option] + tuple(values)


class _Cells:
    """Cells into which the frames of the reference are stored."""

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells

    def hold(self, saved: c.Saved, value: Any) -> bool:
        """Store a value where `kept` is found, and return whether that is possible. A dead slot is None."""
        match saved:
            case c.Const():
                return bool(value is None or saved.value == value)
            case c.Load(base=base):
                self.cells[base] = value
            case c.Rest(listed=listed, at=at):
                # The reference keeps only what is left of a list, which then is the list.
                self.cells[listed.base], self.cells[at.base] = value, 0
            case c.PendingChoices(stated=stated, seat=seat, given=given):
                self.cells[stated.base] = tuple([_filled(each, given) for each in value])
                if seat is not None:
                    self.cells[seat.base] = next(
                        (at for at, each in enumerate(value) if each not in (None, DECLINED)), len(value)
                    )
            case tuple():
                return len(saved) == len(value) and all(map(self.hold, saved, value))
        return True
