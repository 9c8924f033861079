"""The engine: plays one compiled game from state to state.

The compiled engine (`program/`) plays. The reference (`reference/`) is asked only why an event is illegal, and which
would be legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ludex.grammar import shown_value
from ludex.spec import model as m
from ludex.spec import types as t

from ..generator import Generator
from ..generator import drawn as drawn_by_share
from ..program import COMPACT, Compiled, Drawn, Fault, Limits, State, Turn, kept_program
from ..program.ir import code as c
from ..program.python.state import demand_own, table_words
from ..state.api_arguments import checked, checked_seat
from ..state.events import Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Refused, Scores, Trace
from ..state.questions import Questions
from ..state.value_distance import nearest_moves
from ..state.zones import cell_named

if TYPE_CHECKING:
    from ..reference import Reference
    from ..stack.state import StackState


def _is_own(engine: Engine, state: State) -> None:
    """Raise ValueError for a state of another game, edition or number of players."""
    # A bare state (`State(cells)`) shows only the length of its game.
    if state.owner is None and len(state.cells) != len(engine.blank):
        raise ValueError(f"`state` has {len(state.cells)} cells; a state of this game has {len(engine.blank)}")
    demand_own(state, engine.game)


Given = ParamSpec("Given")
Result = TypeVar("Result")


def _in_words(
    question: Callable[Concatenate[Engine, Given], Result], *others: str
) -> Callable[Concatenate[Engine, Given], Result]:
    """Decorator: if the rules fail, ask the reference the same question.

    A `Fault` of compiled code names a place in the program. The reference fails in the same state with a `SpecFault`,
    which names the clause and says why in the author's words.

    others: the questions about the state alone that the reference has in place of this one.
    """

    @wraps(question)
    def asked(engine: Engine, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return question(engine, *args, **kwargs)
        except Fault:
            # The state may be given by its name.
            state, *rest = args or (kwargs.pop("state", None),)
            positions = [engine.to_reference(state)] if isinstance(state, State) else []
            for other in others:
                getattr(engine.reference, other)(*positions)
            if not others:
                getattr(engine.reference, question.__name__)(*positions, *rest, **kwargs)
            raise  # not reached, unless the two engines disagree

    return asked


def _by(
    *others: str,
) -> Callable[[Callable[Concatenate[Engine, Given], Result]], Callable[Concatenate[Engine, Given], Result]]:
    """Decorator: as `_in_words`, for a method that the reference does not have."""
    return lambda question: _in_words(question, *others)


def _awaits_chance(engine: Engine, state: State) -> None:
    """Raise ValueError for a state that is not this engine's or that awaits no chance event."""
    _is_own(engine, state)
    if not Compiled.is_chance(engine, state):
        raise ValueError("`state` awaits no chance event")


def _awaits_players(engine: Engine, state: State) -> None:
    """Raise ValueError for a state that is not this engine's or in which players do not choose unseen by each other."""
    _is_own(engine, state)
    if not Compiled.is_together(engine, state):
        raise ValueError("`state` awaits no choice that players make unseen by each other")


def _awaits_move(engine: Engine, state: State) -> None:
    """Raise ValueError for a state that is not this engine's or that awaits no move."""
    _is_own(engine, state)
    if Compiled.awaits(engine, state) is not Awaits.MOVE:
        raise ValueError("`state` awaits no move")


_of_state = checked(_is_own, state=State)
_of_event = checked(_is_own, state=State, event=(Move, ChanceEvent), trace=Trace)
_of_move = checked(_is_own, state=State, move=Move)
_of_chance = checked(_awaits_chance, state=State, via=tuple)
_of_number = checked(_awaits_move, state=State, number=int)


class Engine(Compiled, Questions[State]):
    """An engine for one game. It holds no state of a play, so one engine serves any number of plays.

    A spec fault in play raises `SpecFault`, and `apply` raises `Refused`. A call that takes more work than
    `game.budget` allows raises `OverBudget`, which is a `SpecFault`. An argument that is not a state or event raises
    TypeError; a state of another game, a seat at which nobody sits, or the name of a missing state or zone raises
    ValueError.

    A copy of an engine is the engine itself. Pickling keeps the game only; the copy compiles it again.

    Attributes:
        meter: counts the work; a caller that plays a whole game calls `begin_game` first, and `check_game` after every
            event.
    """

    @checked(limits=Limits, program=c.Program)
    def __init__(self, game: m.Game, limits: Limits = COMPACT, program: c.Program | None = None) -> None:
        """Compile the game.

        Args:
            limits: how far the game is lowered at first. `WIDE` takes up to twenty times as long; by default, code that
                is called often is lowered so far later.
            program: the lowered game, if there is one already.
        """
        if not isinstance(game, m.Game):
            raise TypeError(
                f"`game` must be a Game, not {shown_value(game)}; `ludex.load(NAME)` returns an engine, which has one"
            )
        super().__init__(game, limits, program)

    @classmethod
    @checked(game=m.Game)
    def kept(cls, game: m.Game) -> Engine:
        """Make the engine of a game from the program stored by an earlier run, or store its program. It plays an equal
        game."""
        # The engine plays the program's game: a stored program has its own, equal one, whose nodes its code refers to.
        program = kept_program(game, COMPACT)
        return cls(program.game, COMPACT, program)

    def __repr__(self) -> str:
        return f"<Engine of {table_words(self.game)}>"

    # An engine holds no play, so that a copy may be the same one; compiling again would take long.
    def __copy__(self) -> Engine:
        return self

    def __deepcopy__(self, memo: object) -> Engine:
        return self

    # Compiled code cannot be sent to another process: the game is, and is compiled there.
    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._limits)

    @cached_property
    def reference(self) -> Reference:
        """The reference engine, for explanations."""
        # Most plays do not need it, and it takes a while to import.
        from ..reference import Reference

        return Reference(self.game)

    # ---- the position in the flow

    @checked(trace=Trace)
    @_in_words
    def start(self, trace: Trace | None = None) -> State:
        """Run set-up up to the first event that is awaited, and return that state."""
        return super().start(trace)

    @_of_state
    def awaits(self, state: State) -> Awaits:
        """Return what the state awaits."""
        return super().awaits(state)

    @_of_state
    def is_terminal(self, state: State) -> bool:
        """Test whether the game is over."""
        return super().is_terminal(state)

    @_of_state
    @_in_words
    def to_move(self, state: State) -> tuple[int, ...]:
        """Return the seats that must decide now, several in a simultaneous choice; () if no move is awaited.

        A player with nothing to choose is among them if the others cannot know that; this player can only decline.
        """
        return super().to_move(state)

    # ---- what can happen

    @_of_state
    @_in_words
    def legal_moves(self, state: State, player: int | None = None) -> tuple[Move, ...]:
        """List all legal moves, of one player or of all who are to move, in a fixed order, `decline` last."""
        return super().legal_moves(state, self._seat(player))

    def _seat(self, player: int | None) -> int | None:
        return None if player is None else checked_seat(player, self.game.players)

    @_of_state
    @_in_words
    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """List the awaited chance event's outcomes with their probabilities, in a fixed order; () if none is
        awaited."""
        return super().chance(state)

    @checked(_is_own, state=State, generator=Generator)
    @_in_words
    def sample_chance(self, state: State, generator: Generator) -> ChanceEvent:
        """Draw an outcome of the awaited chance event by its probability, as random plays do; the state is unchanged.

        Raises ValueError if the state awaits no chance event.
        """
        outcomes = super().chance(state)
        if not outcomes:
            raise ValueError("`state` awaits no chance event")
        return drawn_by_share(outcomes, generator)

    @_of_move
    def is_offered(self, state: State, move: Move) -> bool:
        """Test whether the current decision has an option with the move's name and parameters; the move may be
        illegal."""
        # The program has no such question: its units test requirements too. Reports ask this seldom.
        return self.reference.is_offered(self.to_reference(state), move)

    @_of_state
    def offered(self, state: State) -> tuple[str, ...]:
        """List the names of the moves on offer, legal now or not; () if no move is awaited."""
        return super().offered(state)

    # ---- playing

    @_of_event
    def is_legal(self, state: State, event: Event) -> bool:
        """Test whether the event can be played. Lists no other event."""
        try:
            return super().is_legal(state, event)
        except Fault:
            self._refusal(state, event)
            raise

    @_of_event
    def refusal(self, state: State, event: Event) -> Refusal | None:
        """Return why the event is illegal here; None if it is legal. Does not enumerate the other moves."""
        return None if self.is_legal(state, event) else self._refusal(state, event)

    def _refusal(self, state: State, event: Event) -> Refusal:
        refusal = self.reference.refusal(self.to_reference(state), event)
        assert refusal is not None, "both engines judge alike"
        return refusal

    @_of_event
    def apply(self, state: State, event: Event, trace: Trace | None = None) -> State:
        """Return the state after the event; the given state is unchanged. Raises Refused if the event is illegal."""
        after = state.clone()
        if not self._played(after, event, trace, state):
            raise Refused(self._refusal(state, event))
        return after

    @_of_event
    def play(self, state: State, event: Event, trace: Trace | None = None) -> bool:
        """Play an event in place if it is legal; return whether it was. If not, or after a fault, the state must not be
        used."""
        # The copy is for the reference, which explains a fault from the state before.
        return self._played(state, event, trace, state.clone())

    def _played(self, state: State, event: Event, trace: Trace | None, before: State) -> bool:
        """Play an event in place, and return whether it is legal. before: an equal state.

        A fault leaves the state half changed, and the reference explains it from the state before.
        """
        try:
            return super().play(state, event, trace)
        except Fault:
            self.reference.apply(self.to_reference(before), event)
            raise

    @checked(_is_own, state=State, rng=Generator)
    def play_drawn(self, state: State, rng: Generator) -> Turn | None:
        """Draw an event of a random play, play it in place, and return it; return None where `drawn` does."""
        picked = self.drawn(state, rng)
        if picked is None:
            return None
        self.follow(state, picked)
        return Turn(picked.event, picked.choices)

    @checked(_is_own, state=State, drawn=Drawn, trace=Trace)
    def follow(self, state: State, drawn: Drawn, trace: Trace | None = None) -> None:
        """Play an event that was drawn in this state, in place."""
        before = state.clone()
        try:
            super().follow(state, drawn, trace)
        except Fault:
            self.reference.apply(self.to_reference(before), drawn.event)
            raise

    @_of_event
    def advance(self, state: State, event: Event, trace: Trace | None = None) -> Refusal | None:
        """Play the event in place. After a refusal, which is returned, or a SpecFault the state is as it was."""
        # The usual case, a legal event, is played without a copy of the state.
        # `play_each` counts nothing in a trace.
        if trace is None and self.play_each(state, (event,)):
            return None
        after = state.clone()
        if not self._played(after, event, trace, state):
            return self._refusal(state, event)
        state.become(after)
        return None

    @checked(events=Iterable, state=State)
    def judge(self, events: Iterable[Event], state: State | None = None) -> int:
        """Return how many of these events are legal one after another, from the start or another state.

        That state does not change. No other event is listed, and nothing is explained.
        """
        # `checked` tests the fit of the first argument only, and in `judge` that is not the state.
        return self._judged(self.start() if state is None else state, events)

    @_of_state
    def _judged(self, state: State, events: Iterable[Event]) -> int:
        return super().judge(events, state)

    # ---- points

    @_of_state
    @_in_words
    def scores(self, state: State) -> tuple[Scores, ...]:
        """Return every seat's points as they would count now."""
        return super().scores(state)

    @_of_state
    @_in_words
    def returns(self, state: State) -> tuple[int, ...]:
        """Return every seat's total."""
        return super().returns(state)

    @_of_state
    @_in_words
    def winners(self, state: State) -> Outcome:
        """Return who has won, by the winner clauses evaluated now."""
        return super().winners(state)

    # ---- what players see

    @_of_state
    @_in_words
    def observe(self, state: State, player: int) -> dict[str, Any]:
        """Return what that player may know of the state (a point of the player's information set), as JSON."""
        return super().observe(state, player)

    @_of_state
    @_in_words
    def public_view(self, state: State) -> dict[str, Any]:
        """Return the public state, which everybody may know, as JSON."""
        return super().public_view(state)

    @_of_event
    def view_of_event(self, state: State, event: Event, player: int | None) -> Event:
        """Return the event, legal in `state`, as that player (None: an onlooker) sees it, with `HIDDEN` for the
        rest."""
        # A chance event is read by the statement that awaits it; a move names its player and arguments itself.
        if isinstance(event, ChanceEvent):
            _awaits_chance(self, state)
        return super().view_of_event(state, event, self._seat(player))

    @_of_state
    def chance_for(self, state: State) -> int | None:
        """Return the seat of the player to whose zone the awaited chance event brings a piece; None if there is
        none."""
        return super().chance_for(state)

    @checked(_is_own, state=State, name=str, indices=Sequence)
    def cell(self, state: State, name: str, indices: Sequence[t.Value] = ()) -> t.Value:
        """Return what a state or zone holds: a value, a piece or None, a tuple with a pile's top last. An unknown piece
        is a `Ticket`.

        indices: values, of a record or component their positions (`ludex.spec.from_json` makes them).
        """
        return state.cells[cell_named(self.game, name, indices)]

    # ---- for programs that play fast: as in `Compiled`, with the kinds of the arguments checked

    is_chance, is_together = _of_state(Compiled.is_chance), _of_state(Compiled.is_together)
    statement, frames, key = _of_state(Compiled.statement), _of_state(Compiled.frames), _of_state(Compiled.key)
    to_reference, check_game = _of_state(Compiled.to_reference), _of_state(Compiled.check_game)
    state_to_json = _of_state(Compiled.state_to_json)
    # A fault in `come_out` or `advance_id` has no words of the author: it leaves the state half changed, and a copy of
    # each state would take longer than most moves.
    come_out, advance_id = _of_chance(Compiled.come_out), _of_number(Compiled.advance_id)
    play_each = checked(_is_own, state=State, events=Sequence)(Compiled.play_each)
    id_of = checked(move=Move)(Compiled.id_of)

    @_of_chance
    @_by("chance")
    def outcomes(self, state: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        """Return the outcomes of the awaited chance event, in order, and the integer weight of each.

        Raises ValueError if a piece can come by several routes (see `chance`).
        """
        return super().outcomes(state)

    @checked(_is_own, state=State, rng=Generator)
    @_by("chance", "legal_moves")
    def drawn(self, state: State, rng: Generator) -> Drawn | None:
        """Draw an event of a random play, as docs/random-play.md defines it.

        Returns None where the event must be drawn from the list of all events: options of one name have other
        arguments, or a piece can come by several routes.
        """
        return super().drawn(state, rng)

    @_of_state
    @_by("legal_moves")
    def legal_ids(self, state: State, player: int | None = None) -> list[int]:
        """Return the numbers of the legal moves of a player, in order; by default of the one player to move.

        They are none for a player who need not decide now.
        """
        if player is not None and self._seat(player) not in self.to_move(state):
            return []
        return super().legal_ids(state, player)

    @_of_number
    def apply_id(self, state: State, number: int) -> State:
        """Return the state after the legal move with this number; the given one does not change."""
        try:
            return super().apply_id(state, number)
        except Fault:
            self.reference.apply(self.to_reference(state), self.move_of(number, self.to_move(state)[0]))
            raise

    @checked(number=int)
    def move_of(self, number: int, player: int) -> Move:
        """Return the move with this number, as a player's. Raises ValueError if no move has it."""
        return super().move_of(number, checked_seat(player, self.game.players))

    @checked(_awaits_players, state=State, number=int)
    def state_id(self, state: State, player: int, number: int) -> None:
        """Record that a player chooses the legal move with this number in a simultaneous decision, in place."""
        super().state_id(state, checked_seat(player, self.game.players), number)

    @checked(_is_own, one=State, other=State)
    def are_equal(self, one: State, other: State) -> bool:
        """Return whether two states have equal futures. Slots of routines that nothing will read do not count."""
        return self.key(one) == self.key(other)

    def from_reference(self, state: StackState) -> State:
        """Convert from a state of the reference. Raises ValueError if the program has no such state."""
        from ..stack.state import StackState

        if not isinstance(state, StackState):
            raise TypeError(f"`state` must be a state of the reference, not {shown_value(state)}")
        return super().from_reference(state)

    # ---- reports

    @checked(_is_own, state=State, move=Move, limit=int)
    def nearest_legal(self, state: State, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Return the `limit` legal moves nearest to the given one, the nearest first (see `value_distance.py`).

        Raises ValueError if `limit` is below 0.
        """
        return nearest_moves(self.game, self.legal_moves(state), move, limit)
