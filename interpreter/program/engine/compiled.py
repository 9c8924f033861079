"""The compiled engine: plays a game by its program, printed as Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product, repeat
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ludex.grammar import Span, shown_value
from ludex.spec import SpecFault, value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import Generator
from ...information.decision_visibility import Concealed
from ...stack.state import StatedChoice
from ...stack.statejson import demand_rest, state_from_json, state_to_json
from ...state.api_arguments import checked_seat
from ...state.contents import CELLS, EVENT
from ...state.domains import is_value
from ...state.events import DECLINE, Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Scores, Trace
from ...state.pools import OUTCOME, HiddenCells, Route, looked_through, normalise, outcomes, ways_to
from ...state.questions import question
from ...state.zones import ZoneCell, empty_cell, reveal, unseen
from ..ir import code as c
from ..ir.limits import WIDE, Limits
from ..ir.moves import Numbers
from ..ir.traversal import statements
from ..python.fast_paths import revealing, weighing
from ..python.pieces import awaited, lay, lift, settled, weights
from ..python.printing.loading import Loaded
from ..python.printing.printer import Printer
from ..python.runtime import DECLINED, Refusing
from ..python.state import State
from .frames import Frames
from .legality import MEMO, is_legal, known_meanings, legal_choice, offered
from .observation import Observer, awaits
from .relowering import Relowering

if TYPE_CHECKING:
    from ...reference import Reference
    from ...stack.state import Frame, StackState

# Tuples, as the union of two classes would be made at each call.
DECISIONS, CHANCES = (c.Decision, c.Together), (c.Chance, c.Hidden)
MASK = 1_000_000
"""The largest legality mask."""


class Drawn(NamedTuple):
    """An event of a random play, and the number of alternatives it was drawn from.

    stated: the argument values of a move. number: its number, if it was drawn by that.
    """

    event: Event
    choices: int
    stated: StatedChoice | None
    number: int | None = None


Execution: TypeAlias = tuple[int, int | None, t.Value, tuple[tuple[int, t.Value], ...]]
"""The block that carries a move out; the first cell of its arguments and what goes there; the same of the others."""
RecordedEvent: TypeAlias = tuple[Event, int | None, int | None, tuple[t.Value, ...], Execution]
"""The data for playing a recorded event: the event; the cell with the player who decides, if it is not always the same
one; the unit that admits it, if it is not always legal, and that unit's arguments; how it is carried out."""


class Compiled:
    """Plays one game by its program.

    limits: limits of specialization, used if `program` is not given.
    """

    def __init__(self, game: m.Game, limits: Limits = WIDE, program: c.Program | None = None) -> None:
        self.game, self._limits = game, limits
        self.numbers = Numbers(game)
        again = Relowering(game, limits, program)
        self.program = again.program
        self.runtime = Loaded(self.program, self.numbers, limits.often, again)
        self.meter = self.runtime.meter
        self.observer = Observer(self.runtime)
        self._listers, self._blocks, self._keeps = self.runtime.listers, self.runtime.blocks, self.runtime.keeps
        self._hidden = _hidden_cells(game)
        self._held = self._hidden.held if self._hidden.cells else tuple
        self.blank = blank(self.program)
        self._taken: list[dict[int, Execution]] = [{} for _ in self.program.waits]
        self._recorded: list[dict[Event, RecordedEvent]] = [{} for _ in self.program.waits]
        # Without requirements after moves nobody asks whether a move may be refused, and the flag need not be set.
        self._refuses = any(
            isinstance(statement, c.Refuse) for block in self.program.blocks for statement in statements(block.body)
        )
        self._is_chance = [isinstance(wait, c.Chance | c.Hidden) for wait in self.program.waits]
        self._is_together = [isinstance(wait, c.Together) for wait in self.program.waits]
        self._said: list[dict[int, StatedChoice]] = [{0: DECLINED} for _ in self.program.waits]
        # Where options have different names, no move is listed twice, and a name says which option is meant.
        self._plain = {
            number
            for number, wait in enumerate(self.program.waits)
            if isinstance(wait, c.Decision | c.Together)
            and len({option.name for option in wait.options}) == len(wait.options)
        }
        # Options of one name with other arguments cannot be distinguished by the values of a move alone.
        self._drawable = {
            number
            for number, wait in enumerate(self.program.waits)
            if isinstance(wait, c.Decision | c.Together)
            and len({option.name for option in wait.options})
            == len({(option.name, *(each.name for each in option.arguments)) for option in wait.options})
        }
        self._numbered = {
            number
            for number, wait in enumerate(self.program.waits)
            if number in self._plain
            and isinstance(wait, c.Decision)
            and all(option.name in self.numbers.by_name for option in wait.options)
        }
        self._decoded: list[dict[tuple[int, int], tuple[Move, StatedChoice]]] = [{} for _ in self.program.waits]
        self._outcomes = [self._constant_outcomes(wait) for wait in self.program.waits]
        # The outcomes of one wait have one type, so that equal ones are the same.
        self._event = {
            number: lru_cache(MEMO)(partial(ChanceEvent, wait.statement.path))
            for number, wait in enumerate(self.program.waits)
            if isinstance(wait, c.Chance | c.Hidden)
        }
        self._then = [0 if wait is None else wait.then for wait in self.program.waits]
        self._stated = [wait.stated if isinstance(wait, c.Together) else -1 for wait in self.program.waits]
        self._random = [wait.cell if isinstance(wait, c.Chance) else None for wait in self.program.waits]
        self._reveals = [revealing(self.runtime, wait, partial(self._seen, wait)) for wait in self.program.waits]
        self._weighs = [weighing(self.runtime, wait, self._weighed) for wait in self.program.waits]
        self._first: State | None = None
        self._numbered_move = lru_cache(MEMO)(self._as_listed)
        self._declining = lru_cache(MEMO)(partial(Move, action=DECLINE))

    @property
    def source(self) -> str:
        """The whole program as Python source. Play compiles each function of it when it is first called."""
        return Printer(self.program, self.runtime, is_fast=not self._limits.often).source()

    # ---- places in the flow

    @question
    def start(self, trace: Trace | None = None) -> State:
        """Return the state in which the first event is awaited."""
        if trace is None and self._first is not None:
            return self._first.clone()  # no event has happened that could make a difference
        state = State(self.blank[:], self._frames)
        state.may_refuse, state.trace = False, trace
        self._run(state, self.program.first)
        state.trace = None
        # A caller may play on in the state that it gets.
        self._first = state.clone()
        return state

    def begin_game(self) -> None:
        """Begin to count the work of a game, for `check_game`."""
        self.meter.begin_game()

    def check_game(self, state: State) -> None:
        """Raise OverBudget if the game under way took more work than its budget."""
        path, span = self._place(state)
        self.meter.take(EVENT + len(state.cells) // CELLS, path, span)
        self.meter.check_game(path, span)

    def _place(self, state: State) -> tuple[str, Span]:
        """Return the clause whose event is awaited, and its span."""
        wait = self.program.waits[state.wait]
        if wait is None:
            return self.game.play.name, self.game.play.body.span
        return wait.statement.path, wait.statement.span

    def _run(self, state: State, block: int) -> None:
        """Run to the next event, after a change of cells."""
        # What is memoized for a state is of the cells before the change.
        if self._keeps:
            state.known = {}
        if state.trace is None:  # most blocks run to the next event
            block = self._blocks[block](state, state.cells)
        if block >= 0:
            self.runtime.run(state, block)
        pools, normal = state.pools, state.normal
        # Most events leave the normal form as it is (see `normalise`); a test here takes less time than the call.
        if (
            pools
            and not (len(pools) == 1 and pools[0])
            and (normal is None or normal[0] is not pools or normal[1] != self._held(state.cells))
        ):
            normalise(state, self._hidden)

    def awaits(self, state: State) -> Awaits:
        """Return the kind of event that the state waits for."""
        return awaits(self.program.waits[state.wait])

    def statement(self, state: State) -> m.Statement | None:
        """Return the statement that awaits an event, or None at the end of the game."""
        wait = self.program.waits[state.wait]
        return None if wait is None else wait.statement

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        return state.wait == 0

    def is_chance(self, state: State) -> bool:
        """Return whether a chance event is awaited."""
        return self._is_chance[state.wait]

    def is_together(self, state: State) -> bool:
        """Return whether players choose simultaneously, unseen by each other."""
        return self._is_together[state.wait]

    def to_move(self, state: State) -> tuple[int, ...]:
        """Return the seats that must decide now."""
        wait = self.program.waits[state.wait]
        # Most events are moves of one player.
        return (self.runtime.me(state, wait),) if isinstance(wait, c.Decision) else self.observer.to_move(state)

    # ---- moves

    def legal_ids(self, state: State, player: int | None = None) -> list[int]:
        """Return the numbers of the legal moves of a player, in order; by default of the one player to move."""
        meter = self.meter
        # Each question has a budget of its own. Where the last one took nothing, the call is spared.
        if meter.left < meter.whole:
            meter.begin()
        lister = self._listers[state.wait]
        if lister is not None:
            return lister(state, state.cells)
        if not self._is_together[state.wait]:
            return []
        seat = self.to_move(state)[0] if player is None else player
        return self.runtime.choosing[state.wait](state, state.cells, seat)

    @question
    def legal_moves(self, state: State, player: int | None = None) -> tuple[Move, ...]:
        """Return all legal moves of one player, or of all that are to move, in a fixed order with `decline` last."""
        wait = self.program.waits[state.wait]
        if not isinstance(wait, DECISIONS):
            return ()
        moves: list[Move] = []
        # By the class, as in `drawn`.
        for seat in Compiled.to_move(self, state):
            if player is None or player == seat:
                for number, listed in self._listed(state, wait, seat):
                    moves += self._as_moves(wait, seat, number, listed)
        return tuple(moves if state.wait in self._plain else dict.fromkeys(moves))

    def _as_moves(self, wait: c.Decision | c.Together, seat: int, number: int, listed: Sequence[Any]) -> Iterable[Move]:
        """Return the moves of an option that `_listed` lists."""
        if number < 0:
            return (self._declining(seat),)
        option = wait.options[number]
        name, move = option.name, self._numbered_move
        if name in self.numbers.by_name:
            return [move(seat, each) for each in listed]
        names = [argument.name for argument in option.arguments]
        return [Move._make((seat, name, tuple(zip(names, values, strict=True)))) for values in listed]

    def _listed(self, state: State, wait: c.Decision | c.Together, seat: int) -> list[tuple[int, Sequence[Any]]]:
        """List the legal moves of a player by option: their numbers, or argument values if they have no numbers.

        `decline` counts as an option with the number `DECLINED`.
        """
        listed_options: list[tuple[int, Sequence[Any]]] = []
        runtime, number = self.runtime, -1
        for option in wait.options:
            number += 1
            listed: Sequence[Any] = runtime.listed(state, option, seat)
            if option.refusable:
                tried, values = runtime.tried, self._values
                listed = [each for each in listed if tried(state, option, values(wait, number, each)) is None]
            if listed:
                # Equal pieces of a hand may list one move several times.
                listed_options.append((number, listed if len(listed) == 1 else tuple(dict.fromkeys(listed))))
        # A player without an option is asked where the others cannot know it, and can only decline.
        if (type(wait) is c.Decision and wait.statement.optional) or (
            not listed_options and runtime.concealed(state.wait) is not Concealed.NOTHING
        ):
            listed_options.append((DECLINED[0], (DECLINED[1],)))
        return listed_options

    def _values(self, wait: c.Decision | c.Together, number: int, listed: Any) -> tuple[t.Value, ...]:
        """Return the argument values of a move of `_listed`."""
        numbered = self.numbers.by_name.get(wait.options[number].name) if number >= 0 else None
        return listed if numbered is None else numbered.values(listed)

    def _as_listed(self, seat: int, number: int) -> Move:
        """Return the move with the number of a listed one."""
        numbered = self.numbers.named(number)
        return Move._make((seat, numbered.name, tuple(zip(numbered.names, numbered.values(number), strict=True))))

    @staticmethod
    def _move(wait: c.Decision | c.Together, seat: int, stated: StatedChoice) -> Move:
        if stated == DECLINED:
            return Move(seat, DECLINE)
        option = wait.options[stated[0]]
        pairs = zip((argument.name for argument in option.arguments), stated[1], strict=True)
        return Move._make((seat, option.name, tuple(pairs)))

    @question
    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """Return the outcomes of the awaited chance event with their probabilities, in a fixed order."""
        at, wait = state.wait, self.program.waits[state.wait]
        if not isinstance(wait, CHANCES):
            return ()
        try:
            values, ways = Compiled.outcomes(self, state)
        except ValueError:
            assert isinstance(wait, c.Hidden)
            listed = outcomes(state, awaited(state, wait))
            return tuple([(ChanceEvent(wait.statement.path, piece, via), part) for piece, via, part in listed])
        # Outcomes that are always the same are not weighed, where the others are counted.
        if self._outcomes[at] is not None:
            self._list(len(values), wait)
        return tuple(zip(map(self._event[at], values), map(share, ways, repeat(sum(ways))), strict=False))

    def _list(self, outcomes: int, wait: c.Chance | c.Hidden) -> None:
        self.meter.take(OUTCOME * outcomes, wait.statement.path, wait.statement.span)

    def outcomes(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        """Return the outcomes of the awaited chance event, in order, and the integer weight of each.

        Raises ValueError if a piece can come by several routes (see `chance`).
        """
        known = self._outcomes[state.wait]
        if known is not None:
            return known
        meter = self.meter
        if meter.left < meter.whole:
            meter.begin()
        return self._weighs[state.wait](state)

    def _weighed(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        wait = self.program.waits[state.wait]
        if isinstance(wait, c.Chance):
            counts: Counter[t.Value] = Counter(self.runtime.units[wait.lists](state, state.cells))
            self._list(len(counts), wait)
            return tuple(counts), tuple(counts.values())
        assert isinstance(wait, c.Hidden)
        entries = awaited(state, wait)
        self._list(looked_through(state, entries), wait)
        weighed = weights(state, entries)
        if weighed is None:
            counted = ways_to(state, entries)
            if counted is None:
                raise ValueError("a piece may come out here by several routes")
            pieces = sorted(counted[0])
            weighed = tuple(pieces), tuple([counted[0][piece] for piece in pieces])
        return weighed

    def _constant_outcomes(self, wait: c.Waiting | None) -> tuple[Sequence[t.Value], Sequence[int]] | None:
        """Return the outcomes of a chance event if they are the same in every state, else None."""
        if isinstance(wait, c.Chance):
            match self.program.units[wait.lists].body:
                case (c.Return(value=c.Const(value=items)),):
                    counts: Counter[t.Value] = Counter(items)
                    return tuple(counts), tuple(counts.values())
        return None

    # ---- playing

    def apply(self, state: State, event: Event, trace: Trace | None = None) -> State:
        """Return the state after an event; the given one does not change. Raises ValueError for an illegal event."""
        after = state.clone()
        if not self.play(after, event, trace):
            raise ValueError(event)
        return after

    def advance(self, state: State, event: Event, trace: Trace | None = None) -> Refusal | None:
        """Play an event in place. Raises ValueError for an illegal event.

        After an error, or a fault of the rules, the state must not be used any more.
        """
        if not self.play(state, event, trace):
            raise ValueError(event)
        return None

    @question
    def play(self, state: State, event: Event, trace: Trace | None = None) -> bool:
        """Play an event in place if it is legal, and return whether it is.

        If it is not, or after a fault of the rules, the state must not be used any more.
        """
        state.may_refuse, state.trial, state.probe, state.trace = isinstance(event, Move), False, False, trace
        try:
            return self._play(state, event)
        except Refusing:
            return False
        finally:
            state.trace = None

    def judge(self, events: Iterable[Event], state: State | None = None) -> int:
        """Return how many of these events are legal one after another, from the start or another state.

        That state does not change. No other event is listed, and nothing is explained.
        """
        state, listed, legal = self.start() if state is None else state.clone(), list(events), 0
        self.meter.begin_game()
        while legal < len(listed):
            played = self.play_each(state, listed[legal:])
            if not played and not self.play(state, listed[legal]):
                break
            legal += played or 1
            self.check_game(state)
        return legal

    def play_each(self, state: State, events: Sequence[Event]) -> int:
        """Play events in place as long as they are legal, and return how many were played.

        The state is then that after the last of these. It stops before an event by which the rules fail, too, and where
        `check_game`, which the caller must call, would raise OverBudget.
        """
        meter, known, units, blocks = self.meter, self._recorded, self.runtime.units, self._blocks
        refuses, keeps, run = self._refuses, self._keeps, self.runtime.run
        meter.begin()
        whole, most, work = meter.whole, meter.most, EVENT + len(state.cells) // CELLS
        # One copy of the state serves the whole list: it is needed only if an event fails halfway.
        before, used, cells, at = state.clone(), meter.used, state.cells, 0
        state.trial, state.probe, state.trace = False, False, None
        try:
            for at, event in enumerate(events):
                if at:
                    done = whole - meter.left + work
                    if done > whole or meter.used + done > most:
                        return at
                    meter.left, meter.used = whole, meter.used + done
                recorded = known[state.wait].get(event)
                # An equal event may hold `True` for 1: only one that was looked at itself needs no second look.
                if recorded is None or (recorded[0] is not event and not _is_plain(event)):
                    recorded = self._record(state.wait, event)
                if recorded is None:
                    state.may_refuse = isinstance(event, Move)
                    if not self._play(state, event):
                        return at
                    continue
                _, decider, admits, given, (block, cell, value, others) = recorded
                if decider is not None and cells[decider] != given[0]:
                    return at
                if admits is not None and not units[admits](state, cells, *given):
                    return at
                if cell is not None:
                    cells[cell] = value
                    for cell, value in others:
                        cells[cell] = value
                if refuses:
                    state.may_refuse = isinstance(event, Move)
                if keeps:
                    state.known = {}
                block = blocks[block](state, cells)
                if block >= 0:
                    run(state, block)
                pools, normal = state.pools, state.normal
                if (
                    pools
                    and not (len(pools) == 1 and pools[0])
                    and (normal is None or normal[0] is not pools or normal[1] != self._held(cells))
                ):
                    normalise(state, self._hidden)
        except (Refusing, SpecFault, RecursionError, TypeError):  # TypeError: an event that cannot be looked up
            # The failing event has changed part of the state: those before it are played again, which all are legal.
            state.become(before)
            meter.left, meter.used = whole, used
            return self.play_each(state, events[:at])
        return len(events)

    def _record(self, at: int, event: Event) -> RecordedEvent | None:
        """Return the data for playing an event at a wait, or None if they depend on the state. The result is
        memoized."""
        recorded = self._recorded_as(at, event) if _is_plain(event) else None
        if recorded is not None and len(self._recorded[at]) < MEMO:
            self._recorded[at][event] = recorded
        return recorded

    def _recorded_as(self, at: int, event: Event) -> RecordedEvent | None:
        wait = self.program.waits[at]
        if isinstance(wait, c.Chance) and isinstance(event, ChanceEvent):
            outcomes, given = self._outcomes[at], (event.path, event.via)
            if outcomes is None or event.outcome not in outcomes[0] or given != (wait.statement.path, None):
                return None
            return event, None, None, (), (wait.then, wait.cell, event.outcome, ())
        if not isinstance(wait, c.Decision) or not isinstance(event, Move):
            return None
        decider = wait.me.base if isinstance(wait.me, c.Load) else None
        if decider is None and wait.me != c.Const(event.player, wait.me.type):
            return None
        if event.action == DECLINE:
            then: Execution = (wait.then, None, None, ())
            return (event, decider, None, (event.player,), then) if wait.optional and not event.arguments else None
        options = known_meanings(self.runtime, at, wait, event)
        if len(options) != 1:
            return None
        _, option, values = options[0]
        return event, decider, option.admits, (event.player, *values), _meant(option, values)

    def _play(self, state: State, event: Event) -> bool:
        """Play a legal event in place. Raises Refusing if a requirement further on forbids it."""
        wait = self.program.waits[state.wait]
        if isinstance(event, ChanceEvent):
            if not is_legal(self.runtime, state, event):
                return False
            self.come_out(state, event.outcome, event.via)
            return True
        if not isinstance(wait, DECISIONS):
            return False
        if _is_plain(event):
            recorded = self._recorded[state.wait].get(event) or self._record(state.wait, event)
            if recorded is not None:
                return self._play_recorded(state, recorded)
        choice = legal_choice(self.runtime, state, wait, event, tries=False)
        if choice is None:
            return False
        self._carry_out(state, wait, event.player, choice)
        return True

    def _play_recorded(self, state: State, recorded: RecordedEvent) -> bool:
        """Play a recorded move in place if it is legal, and return whether it is. `play_each` repeats these lines."""
        cells, (_, decider, admits, given, (block, cell, value, others)) = state.cells, recorded
        if decider is not None and cells[decider] != given[0]:
            return False
        if admits is not None and not self.runtime.units[admits](state, cells, *given):
            return False
        if cell is not None:
            cells[cell] = value
            for cell, value in others:
                cells[cell] = value
        self._run(state, block)
        return True

    def _carry_out(self, state: State, wait: c.Decision | c.Together, player: int, stated: StatedChoice) -> None:
        """Carry out a player's legal move in place."""
        if isinstance(wait, c.Together):
            choices = state.cells[wait.stated]
            # The tuple must be a new one: copies of the state share the old one.
            state.cells[wait.stated] = (*choices[:player], stated, *choices[player + 1 :])
            self._run(state, wait.then)
        elif stated == DECLINED:
            self._run(state, wait.then)
        else:
            number, values = stated
            option = wait.options[number]
            self.runtime.bind(state, option, values)
            self._run(state, option.entry)

    # ---- playing at random

    def drawn(self, state: State, rng: Generator) -> Drawn | None:
        """Draw an event of a random play, as docs/random-play.md defines it.

        Returns None where the event must be drawn from the list of all events: options of one name have other
        arguments, or a piece can come by several routes.
        """
        meter, wait = self.meter, self.program.waits[state.wait]
        # A query has a budget of its own: see `legal_ids`.
        if meter.left < meter.whole:
            meter.begin()
        if state.wait in self._numbered:
            assert isinstance(wait, c.Decision)
            ids = Compiled.legal_ids(self, state)
            number, player = ids[rng.below(len(ids))], self.runtime.me(state, wait)
            event, stated = self._decoded[state.wait].get((player, number)) or self._decode(state, player, number)
            return Drawn(event, len(ids), stated, number)
        if isinstance(wait, c.Chance | c.Hidden):
            try:
                # By the class: in `Engine`, the method would check a state again that was checked for this question.
                values, ways = Compiled.outcomes(self, state)
            except ValueError:
                return None
            if self._outcomes[state.wait] is not None:
                self._list(len(values), wait)
            if ways.count(ways[0]) == len(ways):
                outcome = values[rng.below(len(values))]
            else:
                # In lowest terms, as the definition says: every engine then draws below the same number.
                common = gcd(*ways)
                outcome = values[rng.weighted(ways if common == 1 else [each // common for each in ways])]
            return Drawn(self._event[state.wait](outcome), len(values), None)
        if not isinstance(wait, c.Decision | c.Together) or state.wait not in self._drawable:
            return None
        listings = [(seat, *listed) for seat in self.to_move(state) for listed in self._listed(state, wait, seat)]
        if state.wait not in self._plain:
            listings = _distinct(wait, listings)
        choices = sum(len(listed) for _, _, listed in listings)
        at = rng.below(choices)
        for seat, number, listed in listings:
            if at < len(listed):
                stated = number, self._values(wait, number, listed[at])
                return Drawn(self._move(wait, seat, stated), choices, stated)
            at -= len(listed)
        raise AssertionError("the draw is below the number of moves")

    def _decode(self, state: State, player: int, number: int) -> tuple[Move, StatedChoice]:
        """Return the move with this number, and its option and argument values. The result is memoized."""
        wait, known, event = self.program.waits[state.wait], self._decoded[state.wait], self.move_of(number, player)
        assert isinstance(wait, c.Decision)
        options = (at for at, option in enumerate(wait.options) if option.name == event.action)
        stated = (next(options), tuple([value for _, value in event.arguments])) if number else DECLINED
        if len(known) < MEMO:
            known[player, number] = event, stated
        return event, stated

    def follow(self, state: State, drawn: Drawn, trace: Trace | None = None) -> None:
        """Play an event that was drawn in this state, in place."""
        if drawn.number is not None and trace is None:
            # By the class, as in `outcomes` above.
            Compiled.advance_id(self, state, drawn.number)
            return
        self.meter.begin()
        event, wait = drawn.event, self.program.waits[state.wait]
        state.may_refuse, state.trial, state.probe, state.trace = isinstance(event, Move), False, False, trace
        try:
            if isinstance(event, ChanceEvent):
                self.come_out(state, event.outcome)
            else:
                assert isinstance(wait, c.Decision | c.Together)
                assert drawn.stated is not None
                self._carry_out(state, wait, event.player, drawn.stated)
        finally:
            state.trace = None

    def state_id(self, state: State, player: int, number: int) -> None:
        """Record that a player chooses the legal move with this number in a simultaneous decision, in place."""
        at, cells = state.wait, state.cells
        stated = self._said[at].get(number) or self._chosen(at, number)
        if stated is None:
            self.advance(state, self.move_of(number, player))
            return
        cell = self._stated[at]
        choices = cells[cell]
        cells[cell] = (*choices[:player], stated, *choices[player + 1 :])
        state.may_refuse = True
        self._run(state, self._then[at])

    def _chosen(self, at: int, number: int) -> StatedChoice | None:
        """Decode a move number at a simultaneous decision, or return None if its meaning depends on the state."""
        wait, known = self.program.waits[at], self._said[at]
        assert isinstance(wait, c.Together), "all players choose together here"
        numbered = self.numbers.named(number)
        named = [at for at, option in enumerate(wait.options) if option.name == numbered.name]
        if len(named) != 1:
            return None
        if len(known) < MEMO:
            known[number] = (named[0], numbered.values(number))
        return named[0], numbered.values(number)

    def advance_id(self, state: State, number: int) -> None:
        """Play the legal move with this number, of the one player to move, in place."""
        try:
            block, cell, value, others = self._taken[state.wait][number]
        except KeyError:
            meaning = self._meaning(state, number)
            if meaning is None:
                self.advance(state, self.move_of(number, self.to_move(state)[0]))
                return
            block, cell, value, others = meaning
        meter = self.meter
        if meter.left < meter.whole:
            meter.begin()
        cells = state.cells
        if cell is not None:
            cells[cell] = value
            if others:
                for cell, value in others:
                    cells[cell] = value
        if self._refuses:
            state.may_refuse = True
        if self._keeps:
            state.known = {}
        block = self._blocks[block](state, cells)
        if block >= 0:
            self.runtime.run(state, block)
        pools, normal = state.pools, state.normal
        if (
            pools
            and not (len(pools) == 1 and pools[0])
            and (normal is None or normal[0] is not pools or normal[1] != self._held(cells))
        ):
            normalise(state, self._hidden)

    def _meaning(self, state: State, number: int) -> Execution | None:
        """Decode a move number at the awaited decision, or return None if its meaning depends on the state."""
        wait = self.program.waits[state.wait]
        if not isinstance(wait, c.Decision):
            return None
        # Number 0 is that of `decline`.
        if number == 0:
            return wait.then, None, None, ()
        numbered = self.numbers.named(number)
        named = [option for option in wait.options if option.name == numbered.name]
        if len(named) != 1:
            return None
        decoded = _meant(named[0], numbered.values(number))
        if len(self._taken[state.wait]) < MEMO:
            self._taken[state.wait][number] = decoded
        return decoded

    def apply_id(self, state: State, number: int) -> State:
        """Return the state after the legal move with this number; the given one does not change."""
        after = state.clone()
        Compiled.advance_id(self, after, number)
        return after

    def mask(self, state: State, player: int | None = None) -> bytearray:
        """Return the legality mask: one byte for every move number, 1 if the move is legal.

        Raises ValueError if there are more numbers than `MASK`.
        """
        return mask_of(self.game, self.size, self.legal_ids(state, player))

    @property
    def size(self) -> int:
        """The number of move numbers: each is in `range(size)`."""
        return self.numbers.size

    def id_of(self, move: Move) -> int:
        """Return the number of a move.

        Raises ValueError for a move without a number: it states a collection, or the game has no such move.
        """
        if move == Move(move.player, DECLINE):
            return 0
        numbered = self.numbers.by_name.get(move.action)
        given = dict(move.arguments)
        if numbered is None or sorted(name for name, _ in move.arguments) != sorted(numbered.names):
            raise ValueError(f"{shown_value(move, 500)} has no number")
        values = [given[name] for name in numbered.names]
        if not all(is_value(of, value) for of, value in zip(numbered.types, values, strict=True)):
            raise ValueError(f"{shown_value(move, 500)} has no number")
        return numbered.number(values)

    def move_of(self, number: int, player: int) -> Move:
        """Return the move with this number, as a player's."""
        if number == 0:
            return Move(player, DECLINE)
        numbered = self.numbers.named(number)
        return Move(player, numbered.name, tuple(zip(numbered.names, numbered.values(number), strict=True)))

    def come_out(self, state: State, outcome: t.Value, via: tuple[int, ...] | None = None) -> None:
        """Play the awaited chance event with this outcome, in place."""
        at, cells = state.wait, state.cells
        cell = self._random[at]
        if cell is not None:
            cells[cell] = outcome
        else:
            self._reveals[at](state, outcome, via)
        if self._refuses:
            state.may_refuse = False
        self._run(state, self._then[at])

    def _seen(self, wait: c.Waiting | None, state: State, outcome: t.Value, via: Route | None) -> None:
        """Reveal an unseen piece."""
        assert isinstance(wait, c.Hidden), "a chance event is awaited"
        cells = state.cells
        step, source, target = wait.statement, cells[wait.cells[0]], cells[wait.cells[1]]
        self.runtime.count(state, source, 1, step)
        if wait.kind == "draw":
            entry = settled(state, awaited(state, wait), outcome, via)
            lift(state, wait.source, source, entry, step)
            lay(state, wait.target, target, (outcome,), wait.bottom, step)
            cells[wait.cells[2]] -= 1
        else:
            place = ZoneCell(wait.source, source)
            position = unseen(state, place)
            assert position is not None, "the flow waits for an unseen piece"
            settled(state, awaited(state, wait), outcome, via)
            reveal(state, place, position, outcome)

    # ---- judging

    @question
    def offered(self, state: State) -> tuple[str, ...]:
        """Return the names of the moves on offer, legal now or not; () if no move is awaited."""
        return offered(self.runtime, state, self.to_move(state))

    @question
    def is_legal(self, state: State, event: Event) -> bool:
        """Return whether the event can be played. Lists no other event; the reference explains why it is not legal."""
        return is_legal(self.runtime, state, event)

    # ---- what players see

    @question
    def observe(self, state: State, player: int) -> dict[str, Any]:
        """Return what the player may know of the state now, as JSON."""
        return self.observer.observation(state, checked_seat(player, self.game.players))

    @question
    def public_view(self, state: State) -> dict[str, Any]:
        """Return what everybody may know, as JSON."""
        return self.observer.observation(state, None)

    @question
    def view_of_event(self, state: State, event: Event, player: int | None) -> Event:
        """Return the event, legal in the state, as that player (None: an onlooker) sees it: `HIDDEN` for the rest."""
        return self.observer.view_of_event(state, event, player)

    def chance_for(self, state: State) -> int | None:
        """Return the seat of the player whose place receives the piece of the awaited chance event.

        Returns None if it is nobody's place, or no chance event is awaited.
        """
        return self.observer.chance_for(state)

    # ---- the same in the reference

    @cached_property
    def _frames(self) -> Frames:
        return Frames(self.game, self._limits, self.program)

    def to_reference(self, state: State) -> StackState:
        """Convert to a state of the reference. Equal results have equal futures."""
        return self._frames.state(state)

    def from_reference(self, state: StackState) -> State:
        """Convert from a state of the reference. Raises ValueError if the program has no such state."""
        return self._frames.play(state, self.blank)

    @cached_property
    def reference(self) -> Reference:
        """The engine that explains, where this one only decides."""
        from ...reference import Reference

        return Reference(self.game)

    def are_equal(self, one: State, other: State) -> bool:
        """Return whether two states have equal futures. Slots of routines that nothing will read do not count."""
        return self.key(one) == self.key(other)

    def state_to_json(self, state: State) -> dict[str, Any]:
        """Return the whole state as JSON, the stack included; nothing is lost."""
        return state_to_json(self.to_reference(state))

    def state_from_json(self, data: Any) -> State:
        """Read what `state_to_json` wrote for the same game. Raises ValueError for anything else."""
        read = state_from_json(self.game, self.reference.rules.routines, data)
        state = self.from_reference(read)
        self.meter.begin()
        demand_rest(partial(self._is_at_rest, state, read))
        return state

    def _is_at_rest(self, state: State, read: StackState) -> bool:
        """Test whether the play waits for an event. A decision that offers nothing is passed over."""
        if self._is_together[state.wait]:
            return bool(self.to_move(state))
        if isinstance(wait := self.program.waits[state.wait], c.Decision):
            seat = self.runtime.me(state, wait)
            return seat is not None and self.runtime.offers(state, state.wait, seat)
        from ...reference import is_at_rest

        return is_at_rest(self.reference.rules, read)

    def frames(self, state: State) -> tuple[Frame, ...]:
        """Return the routines under way in the reference's form, innermost last."""
        return self._frames.frames(state)

    def key(self, state: State) -> Hashable:
        """Return a key that is equal only for states of this engine with equal futures (for transposition tables)."""
        return self._frames.key(state)

    # ---- points

    @question
    def scores(self, state: State) -> tuple[Scores, ...]:
        """Return every seat's points as they would count now."""
        scores = []
        for player in range(self.game.players):
            parts = tuple(
                (path, self.runtime.units[unit](state, state.cells, player)) for path, unit in self.program.scores
            )
            scores.append(Scores(sum(points for _, points in parts), parts))
        return tuple(scores)

    def returns(self, state: State) -> tuple[int, ...]:
        """Return every seat's total."""
        return tuple(scores.total for scores in self.scores(state))

    @question
    def winners(self, state: State) -> Outcome:
        """Return who has won, by the winner clauses evaluated now."""
        level = list(range(self.game.players))
        for criterion, unit in self.program.winner:
            if criterion.kind == "share" or unit is None:
                return Outcome(tuple(level), criterion.path, shared=len(level) > 1)
            results = {player: self.runtime.units[unit](state, state.cells, player) for player in level}
            best = max(results.values()) if criterion.kind == "highest" else min(results.values())
            level = [player for player, result in results.items() if result == best]
            if len(level) == 1:
                return Outcome(tuple(level), criterion.path)
        return Outcome(tuple(level) if self.program.winner else (), undecided=True)


def _meant(option: c.Option, values: Sequence[t.Value]) -> Execution:
    """Return how an option with these argument values is carried out."""
    stated = zip(option.arguments, values, strict=True)
    bound = [(argument.cell, value) for argument, value in stated if argument.cell is not None]
    cell, value = bound[0] if bound else (None, None)
    return option.entry, cell, value, tuple(bound[1:])


def mask_of(game: m.Game, size: int, numbers: Iterable[int]) -> bytearray:
    """Return a byte for every move number of a game, 1 for the given ones. Raises ValueError if there are too many."""
    if size > MASK:
        raise ValueError(f"{game.name} has {size:,} numbers of moves; a mask has no more than {MASK:,}")
    mask = bytearray(size)
    for number in numbers:
        mask[number] = 1
    return mask


def _is_plain(event: Event) -> bool:
    """Return whether all values are whole numbers: an equal value of another type is not found by it in a memo."""
    if isinstance(event, ChanceEvent):
        return type(event.outcome) is int
    if not isinstance(event, Move):
        raise TypeError(f"`events` must be Move or ChanceEvent, not {shown_value(event)}")
    if type(event.player) is not int:
        return False
    for _, value in event.arguments:  # noqa: SIM110 - a loop takes less time than `all`
        if type(value) is not int:
            return False
    return True


def _distinct(
    wait: c.Decision | c.Together, listings: Sequence[tuple[int, int, Sequence[Any]]]
) -> list[tuple[int, int, Sequence[Any]]]:
    """Leave each move to the first option that lists it. listings: by seat and option, the moves."""
    before, kept = set[tuple[int, str, Any]](), list[tuple[int, int, Sequence[Any]]]()
    for seat, number, listed in listings:
        name = DECLINE if number == DECLINED[0] else wait.options[number].name
        kept.append((seat, number, [each for each in listed if (seat, name, each) not in before]))
        before.update((seat, name, each) for each in listed)
    return kept


share = lru_cache(10_000)(Fraction)
"""A memoized fraction: the same few are needed again and again."""


def blank(program: c.Program) -> list[Any]:
    """Return the contents of the cells before play."""
    cells: list[Any] = []
    for element in program.game.elements:
        cells += _initial(program.game, element)
    # The last cell is the stack on which recursive actions put their cells aside.
    return cells + [None] * (program.cells - len(cells) + 1)


def _initial(game: m.Game, element: m.Element) -> list[t.Value]:
    if element.initial is None:
        return [empty_cell(element)] * element.count
    return [
        value_of(element.initial, dict(enumerate(index, start=1)), game.defines, path=element.name)
        for index in product(*map(t.values, element.indices))
    ]


def _hidden_cells(game: m.Game) -> HiddenCells:
    hidden = [element for element in game.elements if element.is_zone and element.visibility == "hidden"]
    cells = tuple(cell for element in hidden for cell in range(element.offset, element.offset + element.count))
    bags = (range(element.offset, element.offset + element.count) for element in hidden if element.kind == "bag")
    return HiddenCells(cells, frozenset(cell for bag in bags for cell in bag))
