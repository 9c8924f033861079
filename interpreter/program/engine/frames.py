"""States of the compiled engine as states of the reference, and back.

A `State` says where the flow stands by the number of what it waits for; what routines keep is in cells. The reference
has a stack of routines (`../reference/state.py`). Lowering noted down for everything that the flow may wait for where
each part of that stack is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludex.spec import model as m

from ...reference import DECLINED, Frame
from ...reference import State as ReferenceState
from ..ir import code as c
from ..ir.limits import WIDE, Limits
from ..python.state import State

if TYPE_CHECKING:
    from ...reference import Rules


def lowered(game: m.Game, limits: Limits) -> c.Program:
    """The program of a game. What lowers it is loaded only where nobody has its program."""
    from ..lowering.passes import lower

    return lower(game, limits)


class Frames:
    """Converts the states of one program. Pickled, it is its game, which is lowered anew when something is asked."""

    def __init__(self, game: m.Game, limits: Limits = WIDE, program: c.Program | None = None) -> None:
        self.game, self._limits, self._made = game, limits, program
        self._live: dict[int, tuple[c.Kept, ...] | None] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Frames, (self.game, self._limits)

    @cached_property
    def _program(self) -> c.Program:
        return self._made or lowered(self.game, self._limits)

    @cached_property
    def _rules(self) -> Rules:
        from ...reference import Rules

        return Rules(self.game)

    @cached_property
    def _at(self) -> dict[tuple[str, int], int]:
        """The numbers of the statements of each routine."""
        return {
            (routine.name, id(statement)): at
            for routine in self._rules.routines.values()
            for at, statement in enumerate(routine.statements)
        }

    @cached_property
    def _waits(self) -> dict[tuple[str, int], list[int]]:
        """What the flow may wait for at a statement."""
        found: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, wait in enumerate(self._program.waits):
            if wait is not None:
                found[self._place(wait.stack[-1])].append(number)
        return found

    @cached_property
    def _calls(self) -> dict[tuple[str, int], list[int]]:
        """The blocks behind what performs an action that is lowered once, by the statement."""
        found: dict[tuple[str, int], list[int]] = defaultdict(list)
        for block, calling in self._program.calls.items():
            found[self._place(calling.stack[-1])].append(block)
        return found

    def _place(self, frame: c.Frame | c.Caller) -> tuple[str, int]:
        """The routine of a frame, and the number of the statement at which it stands."""
        assert isinstance(frame, c.Frame)
        return frame.routine, self._at[frame.routine, id(frame.statement)]

    # ---- to the reference

    def state(self, play: State) -> ReferenceState:
        """The reference's state."""
        from ...reference import Run

        cells = tuple(play.cells[: self.game.cell_count])
        return Run(self._rules, ReferenceState(cells, play.pools, self.frames(play))).state()

    def frames(self, play: State) -> tuple[Frame, ...]:
        """The routines under way, the innermost last. Slots that nobody will read are None."""
        wait, cells = self._program.waits[play.wait], play.cells
        if wait is None:
            return ()
        *outer, last = self._frames(wait.stack, cells, cells[-1])
        return (*[self._rules.without_dead(each, False) for each in outer], self._rules.without_dead(last, True))

    def _frames(self, stack: c.Stack, cells: Sequence[Any], aside: Any) -> Iterator[Frame]:
        """aside: what the cells of actions under way in themselves held, as `Runtime.save` put it there."""
        for each in stack:
            if isinstance(each, c.Caller):
                calling = self._program.calls[cells[each.back]]
                if calling.saved is None:
                    yield from self._frames(calling.stack, cells, aside)
                else:
                    values, further = aside
                    before = list(cells)
                    for cell, value in zip(self._program.saved[calling.saved], values, strict=True):
                        before[cell] = value
                    yield from self._frames(calling.stack, before, further)
            else:
                routine, at = self._place(each)
                size = self._rules.routines[routine].size
                slots = [_value(each.slots[slot], cells) if slot in each.slots else None for slot in range(size)]
                yield Frame(routine, at, tuple(slots), tuple([_value(kept, cells) for kept in each.kept]))

    # ---- keys

    def key(self, play: State) -> Hashable:
        """A value that is equal for plays only if they have equal futures. What nobody will read plays no part."""
        wait, cells = self._program.waits[play.wait], play.cells
        held = tuple(cells[: self.game.cell_count])
        if wait is None:
            return 0, held, play.pools
        if play.wait not in self._live:
            self._live[play.wait] = self._live_in(wait.stack)
        live = self._live[play.wait]
        if live is None:  # who performs the action is found only as the play stands
            return self.state(play)
        return play.wait, held, play.pools, *[_value(each, cells) for each in live]

    def _live_in(self, stack: c.Stack) -> tuple[c.Kept, ...] | None:
        """What is found in cells, and may be read; None where the stack has no bottom that is known before play."""
        found: list[c.Kept] = []
        for depth, each in enumerate(stack, start=1):
            if isinstance(each, c.Caller):
                return None
            name, at = self._place(each)
            routine = self._rules.routines[name]
            read = {0, *(routine.read if depth == len(stack) else routine.read_behind)[at]}
            found += [held for slot, held in each.slots.items() if slot in read]
            found += each.kept
        return tuple(each for each in found if not isinstance(each, c.Const))

    # ---- from the reference

    def play(self, state: ReferenceState, blank: Sequence[Any]) -> State:
        """The play that stands as the state does. blank: the cells at the beginning. Raises ValueError where the
        program has none."""
        game = self.game
        for number in self._waits[state.frames[-1][:2]] if state.frames else (0,):
            wait = self._program.waits[number]
            found = _Cells([*state.cells, *blank[game.cell_count :]])
            if wait is None or self._fill(wait.stack, state.frames, found):
                play = State(found.cells, self)
                play.pools, play.wait = state.pools, number
                if isinstance(wait, c.Together):
                    play.cells[wait.stated] = self._with_given(state, play.cells[wait.stated])
                return play
        raise ValueError("the program waits for nothing there")

    def _with_given(self, state: ReferenceState, stated: Sequence[Any]) -> tuple[Any, ...]:
        """What the players stated, with what the decision gives them besides, which they are shown."""
        from ...reference import Run, options

        run, found = Run(self._rules, state), list(stated)
        for seat, said in enumerate(stated):
            if said is not None and said != DECLINED:
                number, values = said
                given = [value for *_, value in options(run, seat)[number].stated]
                found[seat] = number, (*given, *values[len(given) :])
        return tuple(found)

    def _fill(self, stack: c.Stack, frames: Sequence[Frame], found: _Cells) -> bool:
        """Whether the frames are such a stack. The cells hold what they hold then."""
        static = [each for each in stack if isinstance(each, c.Frame)]
        below, own = frames[: len(frames) - len(static)], frames[len(frames) - len(static) :]
        if len(own) < len(static) or any(map(self._differs, static, own)):
            return False
        for each, frame in zip(static, own, strict=True):
            slots = all(found.hold(held, frame.slots[slot]) for slot, held in each.slots.items())
            if not slots or not found.hold(each.kept, frame.kept):
                return False
        if len(static) == len(stack):
            return not below
        caller = stack[0]
        assert isinstance(caller, c.Caller)
        return bool(below) and self._fill_caller(caller, below, found)

    def _fill_caller(self, caller: c.Caller, frames: Sequence[Frame], found: _Cells) -> bool:
        for block in self._calls[frames[-1][:2]]:
            calling, before = self._program.calls[block], _Cells(list(found.cells))
            if not self._fill(calling.stack, frames, before):
                continue
            own = () if calling.saved is None else self._program.saved[calling.saved]
            aside = [before.cells[cell] for cell in own]
            for cell in own:
                before.cells[cell] = found.cells[cell]
            found.cells[:] = before.cells
            if calling.saved is not None:
                found.cells[-1] = tuple(aside), before.cells[-1]
            found.cells[caller.back] = block
            return True
        return False

    def _differs(self, wanted: c.Frame, frame: Frame) -> bool:
        return self._place(wanted) != (frame.routine, frame.at)


def _value(kept: c.Kept, cells: Sequence[Any]) -> Any:
    match kept:
        case c.Const(value=value):
            return value
        case c.Load(base=base, index=None):
            return cells[base]
        case c.Rest(listed=listed, at=at):
            return cells[listed.base][cells[at.base] :]
        case c.Said(stated=stated, seat=seat, given=given):
            following = 0 if seat is None else cells[seat.base]
            return tuple([_left(each, at >= following, given) for at, each in enumerate(cells[stated.base])])
        case tuple():
            return tuple([_value(each, cells) for each in kept])
    raise AssertionError(kept)


def _left(said: Any, is_left: bool, given: tuple[int, ...]) -> Any:
    """What a player stated, as the reference has it; None once it is carried out."""
    if said is None or said == DECLINED:
        return said
    option, values = said
    return (option, values[given[option] :]) if is_left else None


def _filled(said: Any, given: tuple[int, ...]) -> Any:
    """The same as the program has it, but for what the decision gives, which nobody asks for once all have stated."""
    if said is None or said == DECLINED:
        return said
    option, values = said
    return option, (None,) * given[option] + tuple(values)


class _Cells:
    """Cells that are filled until they hold what a stack of the reference holds."""

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells

    def hold(self, kept: c.Kept, value: Any) -> bool:
        """Whether what is found there can be this value; the cells hold it then. A dead slot holds None."""
        match kept:
            case c.Const():
                return bool(value is None or kept.value == value)
            case c.Load(base=base):
                self.cells[base] = value
            case c.Rest(listed=listed, at=at):
                self.cells[listed.base], self.cells[at.base] = value, 0
            case c.Said(stated=stated, seat=seat, given=given):
                self.cells[stated.base] = tuple([_filled(each, given) for each in value])
                if seat is not None:
                    self.cells[seat.base] = next(
                        (at for at, each in enumerate(value) if each not in (None, DECLINED)), len(value)
                    )
            case tuple():
                return len(kept) == len(value) and all(map(self.hold, kept, value))
        return True
