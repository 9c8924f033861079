"""The run-time library of generated code: decisions, trials, work. Zones and hidden pieces are in `pieces.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from ludex.spec import CALLS, NoValue, OverBudget, SpecFault
from ludex.spec import types as t

from ...information.decision_visibility import Concealed, Concealment
from ...state.contents import CELLS, TRIAL, Ticket
from ...state.subsets import FEW_PIECES, known_lists, listed_few, parts_within
from ..ir import code as c
from ..ir.moves import Numbers
from ..ir.operations import bag_minus
from ..ir.refusals import Refusals
from ..ir.three_valued import UNKNOWN, HiddenResult, HiddenValue, Looking, Seen, Undetermined, as_seen, look
from ..ir.traversal import slots_in
from .pieces import Services
from .state import State

STEPS = range(100_000)
"""A run through more blocks without an event, or more turns of a loop, than this counts as endless."""
SIZES = 10_000
"""The largest number of results that are kept by the sizes of concealed zones, for each unit."""


class Refusing(Exception):
    """A requirement after the move fails."""

    def __init__(self, path: str) -> None:
        self.path = path


class Fault(NoValue):
    """The rules give no value here, or the flow finds no event. The reference explains it."""


class Runtime(Services, ABC):
    """The services of one program. `Loaded` adds the functions that the program is printed as.

    numbers: the numbering of the game's moves. concealment: of the game. refusals: returns those of the program. meant:
    for each wait, the options that moves may mean (`legality.py`).
    """

    blocks: list[Callable[[State, list[Any]], int]]
    units: list[Callable[..., Any]]
    yielding: dict[int, Callable[..., Iterable[Any]]]
    listers: list[Callable[[State, list[Any]], list[int]] | None]
    choosing: list[Callable[[State, list[Any], int], list[int]]]
    offering: list[Callable[[State, list[Any]], list[int]]]
    keeps: bool

    def __init__(
        self, program: c.Program, numbers: Numbers, concealment: Concealment, refusals: Callable[[], Refusals]
    ) -> None:
        super().__init__(program)
        self.game, self.numbers = program.game, numbers
        self.meant: list[dict[Any, Any]] = [{} for _ in program.waits]
        self.concealment, self._refusals = concealment, refusals
        self._concealed: dict[int, Concealed] = {}
        self._tested: dict[int, list[c.Option]] = {}
        self._secret_cells: dict[int, list[int]] = {}
        veiled, sealed = (
            [range(each.offset, each.offset + each.count) for each in self.concealment.elements if each.is_zone is zone]
            for zone in (True, False)
        )
        self._veiled, self._sealed = tuple(chain(*veiled)), tuple(chain(*sealed))
        self.concealed_cells = frozenset((*self._veiled, *self._sealed))
        self._veils: dict[int, tuple[t.Value, ...]] = {}
        self._last_veiled: dict[int, tuple[t.Value, t.Value]] = {}
        self._looking = Looking(program, self.concealed_cells)
        self._hidden_values = {cell: HiddenValue() for cell in self._sealed}

    # ---- running

    @property
    @abstractmethod
    def traced(self) -> list[Callable[[State, list[Any]], int]]:
        """The blocks in the variant that reports to a tracer."""

    def run(self, play: State, block: int) -> None:
        """Run to the next event or the end."""
        blocks, cells = self.blocks if play.trace is None else self.traced, play.cells
        # The bound catches flows that change some counter for ever; the reference finds those that repeat a state.
        for _ in STEPS:
            block = blocks[block](play, cells)
            if block < 0:
                return
        raise self.endless()

    def endless(self) -> Fault:
        """Return the fault of a flow that finds no event."""
        return Fault("this loop never ends and awaits no event", None, self.game.play.body.span)

    def tried(self, play: State, option: c.Option, values: tuple[t.Value, ...]) -> str | None:
        """Return the requirement that fails before the next event if the option is taken, or None.

        The result is memoized.
        """
        # This is not memoized: a public state is made for one query.
        if play.public:
            return self._tried(play, option, values)
        # The memo is by the entry block: options of several decisions that lead to one block share their trials.
        key, known = (option.entry, values), play.known
        if key not in known:
            known[key] = self._tried(play, option, values)
        refusal: str | None = known[key]
        return refusal

    def _tried(self, play: State, option: c.Option, values: tuple[t.Value, ...]) -> str | None:
        self.work(TRIAL + len(play.cells) // CELLS, option.name)
        trial = play.within()
        trial.trial = True
        try:
            self.take(trial, option, values)
        except Refusing as refusing:
            return refusing.path
        except OverBudget:
            raise
        except SpecFault:  # it makes no move illegal: the fault stops the player of the move
            return None
        return None

    def take(self, play: State, option: c.Option, values: Sequence[t.Value]) -> None:
        """Carry out an option of the awaited decision. values: of all its arguments."""
        self.bind(play, option, values)
        self.run(play, option.entry)

    @staticmethod
    def bind(play: State, option: c.Option, values: Sequence[t.Value]) -> None:
        cells = play.cells
        for argument, value in zip(option.arguments, values, strict=True):
            if argument.cell is not None:
                cells[argument.cell] = value
        play.known = {}

    def refuse(self, play: State, path: str, span: Any) -> Exception:
        """Return the exception of a failing requirement."""
        if play.may_refuse:
            return Refusing(path)
        return SpecFault("this requirement comes too late: no move can be refused here", path, span)

    # ---- decisions

    def offers(self, play: State, number: int, me: int | None) -> bool:
        """Return whether the decision has a legal move, as far as the public state tells."""
        decision = self.program.waits[number]
        assert isinstance(decision, (c.Decision, c.Together))
        # `can` wants to see the decision itself, whatever it offers.
        if play.probe:
            return True
        if me is None:
            raise SpecFault(
                "a decision is due here, but no player acts", decision.statement.path, decision.statement.span
            )
        if play.public and self.concealed(number) is not Concealed.NOTHING:
            return self.may_offer(play, number, me)
        if self.has_instance(play, number, decision, me):
            return True
        return self.concealed(number) is not Concealed.NOTHING and self.may_offer(play, number, me)

    def has_instance(self, play: State, number: int, decision: c.Decision | c.Together, me: int) -> bool:
        for option in decision.options:
            # Something that is free and cannot be refused is always on offer: nothing needs to be listed.
            if option.free and (play.trial or not (option.refusable or option.guarded)):
                return True
        if number not in self._tested:
            self._tested[number] = [option for _, option in c.in_order_of_test(decision.options)]
        for option in self._tested[number]:
            if play.trial or not option.refusable:
                if self.units[option.offers](play, play.cells, me):
                    return True
                continue
            if self._has_legal(play, option, me):
                return True
        return self.pass_over(play, number, me)

    def has_legal(self, play: State, number: int, at: int, me: int) -> bool:
        """Return whether an option has an instance that no requirement further on refuses."""
        return self._has_legal(play, self._decision(number).options[at], me)

    def _has_legal(self, play: State, option: c.Option, me: int) -> bool:
        for values in self._candidates(play, option, me):  # noqa: SIM110 - a loop takes less time than `any`
            if self.tried(play, option, values) is None:
                return True
        return False

    def pass_over(self, play: State, number: int, me: int) -> bool:
        """Return False. If the player has moves, all refused by requirements after them, the trial of the move under
        way ended here: a requirement that fails further on is a fault.
        """
        if play.may_refuse and not play.trial and self.may_refuse_after(number):
            play.trial = True
            options = (option for option in self._decision(number).options if option.refusable or option.guarded)
            play.may_refuse = not any(self.units[option.offers](play, play.cells, me) for option in options)
            play.trial = False
        return False

    def may_refuse_after(self, number: int) -> bool:
        """Return whether a requirement may be reached before the next event where a decision is passed over."""
        wait = self.program.waits[number]
        assert wait is not None
        return wait.then in self.refusals.blocks

    @cached_property
    def refusals(self) -> Refusals:
        return self._refusals()

    def who(self, play: State, number: int, me: int | None) -> bool:
        """Return False, or raise a fault if nobody is to act."""
        if me is None:
            self.offers(play, number, me)
        return False

    def allowed(self, play: State, number: int, at: int, me: int) -> list[int]:
        """Return the numbers of an option's moves that no requirement further on refuses."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision)
        option = decision.options[at]
        values = self.numbers.by_name[option.name].values
        return [each for each in self.listed(play, option, me) if self.tried(play, option, values(each)) is None]

    def unnumbered(self, number: int) -> list[int]:
        """Raise ValueError: moves that state collections have no numbers."""
        raise ValueError("these moves state collections, and have no numbers")

    def instances(self, play: State, option: c.Option, me: int) -> Iterable[tuple[t.Value, ...]]:
        """Return the argument values of the moves whose leading requirements hold."""
        moves = self.listed(play, option, me)
        numbered = self.numbers.by_name.get(option.name)
        # The moves are decoded one by one, as the first often settles a decision.
        return moves if numbered is None else map(numbered.values, moves)

    def _candidates(self, play: State, option: c.Option, me: int) -> Iterable[tuple[t.Value, ...]]:
        """Return the instances for trials, one after another, of which the first that is legal settles a decision."""
        try:
            # All instances are listed at once, since the list is memoized, and the legal moves are often listed
            # afterwards.
            return self.instances(play, option, me)
        except OverBudget:
            raise
        except SpecFault:  # those before the fault count
            return self._one_by_one(play, option, me)

    def _one_by_one(self, play: State, option: c.Option, me: int) -> Iterator[tuple[t.Value, ...]]:
        """Yield the instances up to one that has no value, which raises a fault."""
        numbered = self.numbers.by_name.get(option.name)
        for move in self.yielding[option.lists](play, play.cells, me):
            yield move if numbered is None else numbered.values(move)

    def listed(self, play: State, option: c.Option, me: int) -> list[Any]:
        """Return those moves as numbers if they have numbers, else as argument values. The result is memoized."""
        key = "instances", option.lists, me
        moves: list[Any] | None = play.known.get(key)
        if moves is None:
            moves = self.units[option.lists](play, play.cells, me)
            if self.keeps:
                play.known[key] = moves
        return moves

    def concealed(self, number: int) -> Concealed:
        if number not in self._concealed:
            decision = self.program.waits[number]
            assert isinstance(decision, (c.Decision, c.Together))
            self._concealed[number] = self.concealment.of(decision.routine, decision.statement)
        return self._concealed[number]

    # ---- the public state

    def may_offer(self, play: State, number: int, me: int) -> bool:
        """Return whether an option may have a legal instance, as far as the public state tells. Raises OverBudget.

        In a state that is not public it is called only if `has_instance` found none.
        """
        concealed = self.concealed(number)
        if concealed is not Concealed.CELLS:
            # For those who do not know a concealed name a move is always possible.
            return concealed is Concealed.NAMES or self.has_instance(play, number, self._decision(number), me)
        wait = self._decision(number)
        try:
            for option in wait.options:  # noqa: SIM110 - a loop takes less time than `any`
                if self._may_take(play, wait, option, me):
                    return True
            return False
        except OverBudget:
            raise
        except (SpecFault, Undetermined):
            # What the public state does not decide may be a legal move.
            return True

    def _may_take(self, play: State, wait: c.Decision | c.Together, option: c.Option, me: int) -> bool:
        """Return whether one option may have a legal instance, as `may_offer` does for all."""
        assert option.seen is not None
        is_tried, seen = option.refusable and not (play.trial or isinstance(wait, c.Together)), play
        if option.open and not play.public:
            # Everybody sees the same instances: `has_instance` found none, or none that is legal in the whole state.
            moves: Iterable[tuple[t.Value, ...]] = self.instances(play, option, me) if is_tried else ()
        else:
            # A public state costs a copy of all cells. A unit that reads concealed cells only by `look` needs none.
            if not (play.public or self._looks(wait, option.seen, play.cells)):
                seen = self._as_seen(play, wait)
            if not is_tried:
                return bool(self.units[option.seen](seen, seen.cells, me))
            # Instances are tried one after another, since the first that may be legal settles the question.
            moves = self.yielding[option.seen](seen, seen.cells, me)
        public = seen if seen.public else None
        for values in moves:
            public = public or self._as_seen(play, wait)
            if self._may_be_legal(public, option, values):
                return True
        return False

    def _looks(self, wait: c.Decision | c.Together, unit: int, cells: Sequence[Any]) -> bool:
        """Return whether a unit finds out in the state itself what all see."""
        return self._looking.unit(unit) and not (self.secret_cells and self._secret(wait.stack, cells))

    def keep(self, table: dict[Any, Any], key: Any, function: Callable[..., Any], play: State, *given: Any) -> Any:
        """Return the result of a unit that sees only sizes of zones; keep it in a table, with the work that it took."""
        before = self.meter.left
        result = function(play, play.cells, *given)
        # Unknown pieces are distinguished by identity, and those of another state are others.
        if (result is UNKNOWN or type(result) in (bool, int)) and len(table) < SIZES:
            table[key] = result, before - self.meter.left
        return result

    def look(self, play: State, at: int) -> t.Value:
        """Read a cell as everybody sees it: pieces that not everybody sees are unknown."""
        value: t.Value = list.__getitem__(play.cells, at)
        if play.public or at not in self.concealed_cells:
            return look(value)
        if at in self._hidden_values:
            return self._hidden_values[at]
        return value if value is None or value == () else look(self._veil(at, value))

    def _may_be_legal(self, play: State, option: c.Option, values: tuple[t.Value, ...]) -> bool:
        """Return whether no requirement is known to fail before the next event if the option is taken."""
        try:
            return self.tried(play, option, values) is None
        except OverBudget:
            raise
        except (SpecFault, Undetermined):
            return True

    def _as_seen(self, play: State, wait: c.Decision | c.Together) -> State:
        """Return the play as a public state."""
        public, sealed = play.within(), [*self._sealed, *self._secret(wait.stack, play.cells)]
        cells = public.cells
        for cell in self._veiled:
            value = cells[cell]
            if value is not None and value != ():
                cells[cell] = self._veil(cell, value)
        if sealed:
            cells = public.cells = Seen(cells)
            for cell in sealed:
                cells[cell] = HiddenValue() if cell in self.concealed_cells else HiddenResult()
        # What was memoized holds in the whole state, not in the public one.
        public.known, public.public = {}, True
        public.trial, public.may_refuse = play.trial, play.may_refuse
        return public

    def _veil(self, cell: int, value: t.Value) -> t.Value:
        """Veil the contents of a cell. The unknown pieces of a cell are the same each time."""
        if type(value) is not tuple:
            return as_seen(value)
        # Piles change seldom: a copy of a state holds the same tuple.
        last = self._last_veiled.get(cell)
        if last is not None and last[0] is value:
            return last[1]
        if Ticket in map(type, value):
            self._last_veiled[cell] = value, (veiled := as_seen(value))
            return veiled
        # Veiled pieces are equal only to themselves, so that a cell that is read twice has to show the same objects.
        size, veils = len(value), self._veils.get(cell, ())
        if len(veils) < size:
            veils = self._veils[cell] = (*veils, *as_seen(value[len(veils) :]))
        return veils[:size]

    def _secret(self, stack: c.Stack, cells: Sequence[Any]) -> list[int]:
        """Return the cells of slots under way that may hold something that not everybody knows."""
        if id(stack) not in self._secret_cells:
            # Stacks are found by identity: they belong to the program, which lives as long as this table.
            self._secret_cells[id(stack)] = slots_in(stack, self._is_secret)
        secret = self._secret_cells[id(stack)]
        if isinstance(stack[0], c.Caller):
            # An action that is only asked for by `can` has no caller.
            calling = self.program.calls.get(cells[stack[0].back])
            return secret if calling is None else [*self._secret(calling.stack, cells), *secret]
        return secret

    @cached_property
    def secret_cells(self) -> frozenset[int]:
        """The cells of all slots that may hold something that not everybody knows."""
        stacks = [wait.stack for wait in self.program.waits if wait is not None]
        stacks += [calling.stack for calling in self.program.calls.values()]
        return frozenset(chain.from_iterable(slots_in(stack, self._is_secret) for stack in stacks))

    def _is_secret(self, routine: str, slot: int) -> bool:
        return slot in self.concealment.names.tainted(routine)

    def _decision(self, number: int) -> c.Decision | c.Together:
        decision = self.program.waits[number]
        # The test has a tuple, as the union of two classes would be made at each call.
        assert isinstance(decision, (c.Decision, c.Together))
        return decision

    # ---- work

    def parts(self, path: str, pieces: Sequence[t.Value], *limits: Any) -> Iterable[t.Value]:
        """Return the parts of a collection within limits (see `subsets.py`), as work. Raises OverBudget."""
        # A single limit on a few pieces is the usual case of payments: all parts are listed at once, which is memoized.
        if len(limits) == 3 and 0 < len(pieces) <= FEW_PIECES and type(pieces[0]) is int:
            weights, low, high = limits
            key = tuple(pieces), tuple(weights), low, high
            found, looked = known_lists.get(key) or listed_few(*key)
            # This is written out in place of `work`: most lists are known, and the call would take as long as finding
            # one.
            meter = self.meter
            meter.left -= looked
            if meter.left < 0:
                raise self.over(path)
            return found
        return parts_within(pieces, limits, lambda units: self.work(units, path))

    def one_by_one(self, items: Iterable[t.Value], path: str) -> Iterator[t.Value]:
        """Yield items of a collection of unknown size, each counted as work. Raises OverBudget."""
        for item in items:
            self.work(4, path)
            yield item

    def passed(self, play: State, number: int) -> bool:
        """Inform the tracer if nobody has a choice in a simultaneous decision. Returns False."""
        wait = self.program.waits[number]
        assert isinstance(wait, c.Together)
        assert play.trace is not None
        if not any(play.cells[wait.stated]):
            play.trace.passed[wait.statement.path] += 1
        return False

    def over(self, path: str | None) -> OverBudget:
        """Return the exception of a piece of work that took more than its budget."""
        return self.meter.over(path, self.game.play.body.span)

    def work(self, units: int, path: str | None) -> None:
        """Count units of work. Raises OverBudget."""
        self.meter.left -= units
        if self.meter.left < 0:
            raise self.over(path)

    def descend(self, parts: int, path: str | None) -> None:
        """Increase the nesting depth of expressions, until `ascend`. Raises OverBudget."""
        self.meter.descend(parts, path, self.game.play.body.span)

    def ascend(self, parts: int) -> None:
        """Decrease the nesting depth of expressions."""
        self.meter.ascend(parts)

    def turn(self, path: str | None) -> None:
        """Count an iteration of an unbounded loop as work. Raises OverBudget."""
        self.work(4, path)

    def waiting(self, play: State, number: int) -> list[int]:
        """Return the players who have not stated their choice, and have one."""
        return self.offering[number](play, play.cells)

    def can(self, play: State, at: int, me: t.Value, *arguments: t.Value) -> bool:
        """Return whether an action has a legal instance now that nothing after its steps refuses.

        Raises Fault if a statement on the way to the answer fails.
        """
        test = self.program.action_tests[at]
        # The outermost `can` reserves frames of the stack.
        self.meter.descend(1, test.action, self.game.play.body.span)
        try:
            return (self._can_recursively if test.recurs else self._can)(play, at, me, *arguments)
        except (NoValue, OverBudget):
            raise
        except SpecFault as fault:
            raise Fault(fault.message, fault.path, fault.span) from None
        finally:
            self.meter.ascend(1)

    def _can_recursively(self, play: State, at: int, *given: t.Value) -> bool:
        """Return `_can`, while the test is among those under way."""
        self.meter.ask(self.program.action_tests[at].action, self.game.play.body.span)
        play.active.add(key := (-1, at, *given))
        try:
            return self._can(play, at, *given)
        finally:
            play.active.discard(key)
            self.meter.answered()

    @staticmethod
    def asking(play: State, at: int, me: t.Value, *arguments: t.Value) -> bool:
        """Return whether the same question about an action is under way: then its answer depends on itself."""
        return (-1, at, me, *arguments) in play.active

    def _can(self, play: State, at: int, me: t.Value, *arguments: t.Value) -> bool:
        test = self.program.action_tests[at]
        self.work(TRIAL + len(play.cells) // CELLS, test.action)
        if not test.choices:
            alone = self._alone(play, test, (me, *arguments))
            alone.probe = True
            try:
                self.run(alone, test.entry)
            except Refusing:
                return False
            return self.has_any(alone)
        for values in self.yielding[test.lists](play, play.cells, me, *arguments):
            self.work(TRIAL + len(play.cells) // CELLS, test.action)
            trial = self._alone(play, test, (me, *arguments))
            trial.trial = True
            for cell, value in zip(test.choices, values, strict=True):
                trial.cells[cell] = value
            try:
                self.run(trial, test.body)
            except Refusing:
                continue
            except OverBudget:
                raise
            except SpecFault:  # it makes no move illegal: the fault stops the player of the move
                return True
            return True
        return False

    @staticmethod
    def _alone(play: State, test: c.ActionTest, given: Sequence[t.Value]) -> State:
        """Return a copy in which only the action is under way."""
        alone = play.within()
        for cell, value in zip(test.cells, given, strict=False):
            alone.cells[cell] = value
        # Block 0 ends the run: nothing is to be done after the action.
        alone.cells[test.back], alone.cells[-1], alone.known = 0, None, {}
        return alone

    def has_any(self, play: State) -> bool:
        """Return whether the awaited decision, if one is awaited, has a legal instance."""
        play.probe = False
        match self.program.waits[play.wait]:
            case c.Decision() as decision:
                return self.has_instance(play, play.wait, decision, self.me(play, decision))
            case c.Together():
                return bool(self.waiting(play, play.wait))
        return True

    @staticmethod
    def me(play: State, decision: c.Decision) -> Any:
        me = decision.me
        return me.value if isinstance(me, c.Const) else play.cells[me.base]  # type: ignore[union-attr]

    # ---- recursion

    def save(self, play: State, at: int) -> None:
        """Push the cells of an action that may be under way onto the stack of saved cells. Raises OverBudget."""
        cells = play.cells
        depth = 1 if cells[-1] is None else 1 + cells[-1][2]
        if depth > CALLS:
            callers = (each.stack for each in self.program.calls.values() if each.saved == at)
            frames = (frame.routine for stack in callers for frame in reversed(stack) if isinstance(frame, c.Frame))
            raise OverBudget("calls", CALLS, next(frames, None), self.game.play.body.span)
        cells[-1] = (tuple([cells[cell] for cell in self.program.saved[at]]), cells[-1], depth)

    def restore(self, play: State, at: int) -> None:
        """Pop the saved cells of an action."""
        cells = play.cells
        values, cells[-1], _ = cells[-1]
        for cell, value in zip(self.program.saved[at], values, strict=True):
            cells[cell] = value


# ---- operations on bags


def bag_union(key: Any, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(two) == 1:
        if not one:
            return tuple(two)
        # The bag is sorted already, so that one piece only has to find its place.
        union = list(one)
        insort(union, two[0], key=key)
        return tuple(union)
    return tuple(sorted((*one, *two), key=key))


def there(items: Iterable[t.Value]) -> list[t.Value]:
    """Leave out none. It is not a comprehension in the printed code, whose items may not name a value."""
    return [item for item in items if item is not None]


def bag_minus_(key: Any, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(bag_minus(one, two), key=key))
