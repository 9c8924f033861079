"""The compiled engine: plays a game by its program, printed as Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ludex.grammar import Span, seldom_collecting
from ludex.spec import SpecFault
from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import Generator
from ...stack.state import DECLINED, StatedChoice
from ...stack.statejson import demand_rest, state_from_json, state_to_json
from ...state.api_arguments import checked_seat
from ...state.contents import CELLS, EVENT
from ...state.events import Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Refused, Scores, Trace
from ...state.pools import hidden_cells, normalise
from ...state.questions import question
from ..ir import code as c
from ..ir.limits import WIDE, Limits
from ..ir.moves import Numbers
from ..ir.traversal import statements
from ..python.printing.lazy_functions import Loaded
from ..python.printing.printer import Printer
from ..python.runtime import Refusing
from ..python.state import State, cells_before_play
from .chances import Chances
from .executions import Executions, RecordedEvent, is_plain
from .frames import Frames
from .legality import is_legal, legal_choice, offered_moves
from .listings import DECISIONS, Drawn, Listings, Turn
from .observation import Observer, awaits
from .relowering import Relowering

if TYPE_CHECKING:
    from ...reference import Reference
    from ...stack.state import Frame, StackState


class Compiled:
    """Plays one game by its program.

    limits: limits of specialization, used if `program` is not given.
    """

    @seldom_collecting()  # lowering and loading make many small values, and hardly any cycles
    def __init__(self, game: m.Game, limits: Limits = WIDE, program: c.Program | None = None) -> None:
        self.game, self._limits = game, limits
        self.numbers = Numbers(game)
        again = Relowering(game, limits, program)
        self.program = again.program
        self.runtime = Loaded(self.program, self.numbers, again.concealment, again.refusals, limits.often, again)
        self.meter = self.runtime.meter
        self.observer = Observer(self.runtime)
        self._listers, self._blocks, self._keeps = self.runtime.listers, self.runtime.blocks, self.runtime.keeps
        self._chances = Chances(self.runtime)
        self._listings = Listings(self.runtime, self.numbers)
        self._executions = Executions(self.runtime, self.numbers, self._chances)
        self._by_number, self._by_event = self._executions.by_number, self._executions.by_event
        self._hidden = hidden_cells(game)
        self._held = self._hidden.held if self._hidden.cells else tuple
        self.blank = cells_before_play(self.program)
        self._work = EVENT + len(self.blank) // CELLS  # of each event, besides what its code takes
        # Without requirements after moves nobody asks whether a move may be refused, and the flag need not be set.
        self._refuses = any(
            isinstance(statement, c.Refuse) for block in self.program.blocks for statement in statements(block.body)
        )
        self._is_chance = [isinstance(wait, c.Chance | c.Hidden) for wait in self.program.waits]
        self._is_together = [isinstance(wait, c.Together) for wait in self.program.waits]
        self._numbered = {
            number
            for number, wait in enumerate(self.program.waits)
            if number in self._listings.plain
            and isinstance(wait, c.Decision)
            and all(option.name in self.numbers.by_name for option in wait.options)
        }
        self._then = [0 if wait is None else wait.then for wait in self.program.waits]
        self._stated = [wait.stated if isinstance(wait, c.Together) else -1 for wait in self.program.waits]
        self._first: State | None = None

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
        meter, work = self.meter, self._work
        # Within the budget nothing is called. Beyond it, the meter counts again, and raises with the place.
        left = meter.left - work
        if left >= 0 and meter.used + meter.whole - left <= meter.most:
            meter.left = left
        else:
            path, span = self._place(state)
            meter.take(work, path, span)
            meter.check_game(path, span)

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
        # As in `normalise`, whose call takes more time than this test. One pool with entries always is in normal form.
        # Otherwise most events leave the pools and the tickets in the zones as they were.
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
        """Return the numbers of the legal moves of a player, in order; by default of the one player to move.

        player: one who must decide now.
        """
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
        # The class is named: in `Engine`, the method would check a state again that was checked for this question.
        seats = Compiled.to_move(self, state)
        return self._listings.moves(state, [seat for seat in seats if player is None or player == seat])

    @question
    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """Return the outcomes of the awaited chance event with their probabilities, in a fixed order."""
        return self._chances.listed(state)

    def outcomes(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        """Return the outcomes of the awaited chance event, in order, and the integer weight of each.

        Raises ValueError if a piece can come by several routes (see `chance`).
        """
        return self._chances.outcomes(state)

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
            # `play_each` also stops at events that only it cannot play, so the one where it stopped is played alone.
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
        meter, known, units, blocks = self.meter, self._by_event, self.runtime.units, self._blocks
        refuses, keeps, run = self._refuses, self._keeps, self.runtime.run
        meter.begin()
        whole, most, work = meter.whole, meter.most, self._work
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
                if recorded is None or (recorded[0] is not event and not is_plain(event)):
                    recorded = self._executions.record(state.wait, event)
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
                # As in `_run`: its lines are repeated here, since a call takes longer than most of them.
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
        if is_plain(event):
            recorded = self._by_event[state.wait].get(event) or self._executions.record(state.wait, event)
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

    def play_drawn(self, state: State, rng: Generator) -> Turn | None:
        """Draw an event as `drawn` does, play it in place, and return it; return None where `drawn` does.

        After a fault of the rules the state must not be used any more.
        """
        at = state.wait
        if at in self._numbered:
            move, choices, _, number = self._drawn_number(state, rng)
            # The class is named, as in `legal_moves`.
            Compiled.advance_id(self, state, number)
            return Turn(move, choices)
        if self._is_chance[at]:
            chance = self._chances.drawn(state, rng)
            if chance is None:
                return None
            if self.meter.left < self.meter.whole:
                self.meter.begin()
            Compiled.come_out(self, state, chance[0].outcome)
            return Turn(*chance)
        picked = Compiled.drawn(self, state, rng)
        if picked is None:
            return None
        Compiled.follow(self, state, picked)
        return Turn(picked.event, picked.choices)

    def drawn(self, state: State, rng: Generator) -> Drawn | None:
        """Draw an event of a random play, as docs/random-play.md defines it.

        Returns None where the event must be drawn from the list of all events: options of one name have other
        arguments, or a piece can come by several routes.
        """
        if state.wait in self._numbered:
            return Drawn(*self._drawn_number(state, rng))
        if self.meter.left < self.meter.whole:
            self.meter.begin()
        if self._is_chance[state.wait]:
            chance = self._chances.drawn(state, rng)
            return None if chance is None else Drawn(*chance)
        return self._listings.drawn(state, Compiled.to_move(self, state), rng)

    def _drawn_number(self, state: State, rng: Generator) -> tuple[Move, int, StatedChoice, int]:
        """Draw a move by its number; return it, how many it was drawn from, its option and values, and its number."""
        meter, at = self.meter, state.wait
        # A query has a budget of its own: see `legal_ids`.
        if meter.left < meter.whole:
            meter.begin()
        lister, me = self._listers[at], self.program.waits[at].me  # type: ignore[union-attr] # a decision
        ids = lister(state, state.cells)  # type: ignore[misc] # every decision has one
        player = me.value if type(me) is c.Const else state.cells[me.base]  # type: ignore[union-attr]
        number, executions = ids[rng.below(len(ids))], self._executions
        move, stated = executions.decoded[at].get((player, number)) or executions.decode(at, player, number)
        return move, len(ids), stated, number

    def follow(self, state: State, drawn: Drawn, trace: Trace | None = None) -> None:
        """Play an event that was drawn in this state, in place."""
        event, _, stated, number = drawn
        if number is not None and trace is None:
            # The class is named, as in `legal_moves`.
            Compiled.advance_id(self, state, number)
            return
        if self.meter.left < self.meter.whole:
            self.meter.begin()
        state.may_refuse, state.trial, state.probe, state.trace = isinstance(event, Move), False, False, trace
        try:
            if isinstance(event, ChanceEvent):
                self.come_out(state, event.outcome, event.via)
            elif stated is None:
                is_legal = self._play(state, event)
                assert is_legal, event
            else:
                wait = self.program.waits[state.wait]
                assert isinstance(wait, DECISIONS)
                self._carry_out(state, wait, event.player, stated)
        finally:
            state.trace = None

    def state_id(self, state: State, player: int, number: int) -> None:
        """Record that a player chooses the legal move with this number in a simultaneous decision, in place.

        Raises ValueError if the player has chosen.
        """
        at, cells = state.wait, state.cells
        stated = self._executions.stated[at].get(number) or self._executions.choice(at, number)
        if stated is None:
            self._advance_unnumbered(state, self.move_of(number, player))
            return
        cell = self._stated[at]
        choices = cells[cell]
        if choices[player] is not None:
            raise ValueError(f"the player in seat {player} has chosen")
        cells[cell] = (*choices[:player], stated, *choices[player + 1 :])
        state.may_refuse = True
        self._run(state, self._then[at])

    def advance_id(self, state: State, number: int) -> None:
        """Play the legal move with this number, of the one player to move, in place."""
        try:
            block, cell, value, others = self._by_number[state.wait][number]
        except KeyError:
            meaning = self._executions.of_number(state.wait, number)
            if meaning is None:
                self._advance_unnumbered(state, self.move_of(number, self.to_move(state)[0]))
                return
            block, cell, value, others = meaning
        meter = self.meter
        # If nothing was taken, the piece of work that is open can go on: the test takes less time than the call.
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
        # As in `_run`.
        if (
            pools
            and not (len(pools) == 1 and pools[0])
            and (normal is None or normal[0] is not pools or normal[1] != self._held(cells))
        ):
            normalise(state, self._hidden)

    def _advance_unnumbered(self, state: State, move: Move) -> None:
        """Play a move in place whose number alone does not say what it means here. Raises Refused if it is illegal."""
        refusal = self.advance(state, move)
        if refusal is not None:
            raise Refused(refusal)

    def apply_id(self, state: State, number: int) -> State:
        """Return the state after the legal move with this number; the given one does not change."""
        after = state.clone()
        Compiled.advance_id(self, after, number)
        return after

    def mask(self, state: State, player: int | None = None) -> bytearray:
        """Return the legality mask: one byte for every move number, 1 if the move is legal.

        Raises ValueError if there are more numbers than `MASK`.
        """
        return self.numbers.mask(self.legal_ids(state, player))

    @property
    def size(self) -> int:
        """The number of move numbers: each is in `range(size)`."""
        return self.numbers.size

    def id_of(self, move: Move) -> int:
        """Return the number of a move.

        Raises ValueError for a move without a number: it states a collection, or the game has no such move.
        """
        return self.numbers.id_of(move)

    def move_of(self, number: int, player: int) -> Move:
        """Return the move with this number, as a player's."""
        return self.numbers.move_of(number, player)

    def come_out(self, state: State, outcome: t.Value, via: tuple[int, ...] | None = None) -> None:
        """Play the awaited chance event with this outcome, in place."""
        at = state.wait
        self._chances.place(state, outcome, via)
        if self._refuses:
            state.may_refuse = False
        self._run(state, self._then[at])

    # ---- judging

    @question
    def offered(self, state: State) -> tuple[str, ...]:
        """Return the names of the moves on offer, legal now or not; () if no move is awaited."""
        return offered_moves(self.runtime, state, self.to_move(state))

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
