"""The engine: one game, compiled once, played from state to state.

The compiled engine plays (`program/`). The reference says why an event cannot be played, and what it would take
(`reference/`): it is asked only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ludex.grammar import nearest
from ludex.spec import model as m
from ludex.spec import types as t

from ..program import COMPACT, Compiled, Drawn, Fault, Limits, State, kept_program
from ..program.ir import code as c
from ..state.api_arguments import checked, checked_seat, shown
from ..state.domains import is_value
from ..state.events import Awaits, ChanceEvent, Event, Move, Outcome, Refusal, Refused, Scores, Trace
from ..state.value_distance import nearest_moves
from ..state.zones import cell_of

if TYPE_CHECKING:
    from ..reference import Reference


def _is_own(engine: Engine, state: State) -> None:
    """Raises ValueError for a state of another game, edition or number of players."""
    game = engine.game if state.table is None else state.table.game
    own, of = _table(engine.game), _table(game)
    if own != of:
        raise ValueError(f"`state` is of {of}; this engine plays {own}")
    if game is not engine.game and _setting(game) != _setting(engine.game):
        raise ValueError("`state` is of another spec, or of other options or readings; `state_to_json` carries it over")


def _setting(game: m.Game) -> tuple[object, ...]:
    options = tuple(option.value for option in game.options)
    return game.fingerprint, game.silence, options, tuple(fork.chosen for fork in game.forks)


def _table(game: m.Game) -> str:
    return f"{game.name}, edition {game.edition}, {game.players} players"


Given = ParamSpec("Given")
Result = TypeVar("Result")


def _in_words(question: Callable[Concatenate[Engine, Given], Result]) -> Callable[Concatenate[Engine, Given], Result]:
    """Let a question at which the rules fail say why in the author's words: the reference is asked the same."""

    @wraps(question)
    def asked(engine: Engine, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return question(engine, *args, **kwargs)
        except Fault:
            state, *rest = args or (kwargs.pop("state", None),)
            positions = [engine.to_reference(state)] if isinstance(state, State) else []
            getattr(engine.reference, question.__name__)(*positions, *rest, **kwargs)
            raise

    return asked


_of_state = checked(_is_own, state=State)
_of_event = checked(_is_own, state=State, event=(Move, ChanceEvent))
_of_move = checked(_is_own, state=State, move=Move)


class Engine(Compiled):
    """Plays one game. Holds no state of a play, so one engine serves any number of them.

    A fault of the spec that comes to light raises `SpecFault`, and `apply` raises `Refused`. What asks for more work
    than `game.budget` allows for one call raises `OverBudget`, which is such a fault. An argument that is no state or
    event raises TypeError; a state of another game, a seat at which nobody sits, or a state or zone that is not there,
    ValueError.

    Copies are the engine itself; pickled, it is its game, and is compiled anew.

    meter: counts the work; whoever plays a whole game begins one in it, and asks `check_game` after every event.
    """

    def __init__(self, game: m.Game, limits: Limits = COMPACT, program: c.Program | None = None) -> None:
        """limits: how far the game is lowered. `WIDE` takes up to twenty times as long, and plays a little faster.
        program: of this game, if it was lowered before."""
        if not isinstance(game, m.Game):
            raise TypeError(f"`game` has to be a Game, not {shown(game)}; `ludex.load(NAME)` is an engine, and has one")
        super().__init__(game, limits, program)

    @classmethod
    def kept(cls, game: m.Game) -> Engine:
        """The engine of a game that is read between runs: its program is, too. It plays an equal game."""
        program = kept_program(game, COMPACT)
        return cls(program.game, COMPACT, program)

    def __repr__(self) -> str:
        return f"<Engine of {_table(self.game)}>"

    def __copy__(self) -> Engine:
        return self

    def __deepcopy__(self, memo: object) -> Engine:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._limits)

    @cached_property
    def reference(self) -> Reference:
        """The engine that says why."""
        from ..reference import Reference

        return Reference(self.game)

    # ---- where a state stands

    @_in_words
    def start(self, trace: Trace | None = None) -> State:
        """The state in which the first event is awaited; set-up has run as far as it goes without one."""
        return super().start(trace)

    @_of_state
    def awaits(self, state: State) -> Awaits:
        """What the state waits for."""
        return super().awaits(state)

    @_of_state
    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        return super().is_terminal(state)

    @_of_state
    @_in_words
    def to_move(self, state: State) -> tuple[int, ...]:
        """Seats that must decide now, several where they choose unseen by each other; () where no move is awaited.

        One who has nothing to choose is among them if the others cannot see that: all they can do is decline."""
        return super().to_move(state)

    # ---- what can happen

    @_of_state
    @_in_words
    def legal_moves(self, state: State, player: int | None = None) -> tuple[Move, ...]:
        """All legal moves, of one player or of all that are to move, in a fixed order, `decline` last."""
        if player is not None:
            checked_seat(player, self.game.players)
        return super().legal_moves(state, player)

    @_of_state
    @_in_words
    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """The awaited chance event's outcomes with their probabilities, in a fixed order; () if none is awaited."""
        return super().chance(state)

    @_of_move
    def is_offered(self, state: State, move: Move) -> bool:
        """Whether the decision at hand has an option that the move names, with the parameters that it states; legal or
        not."""
        return self.reference.is_offered(self.to_reference(state), move)

    @_of_state
    def offered(self, state: State) -> tuple[str, ...]:
        """Names of the moves on offer, legal now or not; () where no move is awaited."""
        return super().offered(state)

    # ---- playing

    @_of_event
    @_in_words
    def refusal(self, state: State, event: Event) -> Refusal | None:
        """Why the event cannot be played here; None if it can. Does not enumerate the other moves."""
        return None if self.is_legal(state, event) else self._refusal(state, event)

    def _refusal(self, state: State, event: Event) -> Refusal:
        found = self.reference.refusal(self.to_reference(state), event)
        assert found is not None, "both engines judge alike"
        return found

    @_of_event
    @_in_words
    def apply(self, state: State, event: Event, trace: Trace | None = None) -> State:
        """The state after the event; the given one is left as it is. Raises Refused."""
        after = state.clone()
        if not self.play(after, event, trace):
            raise Refused(self._refusal(state, event))
        return after

    @_of_event
    def play(self, state: State, event: Event, trace: Trace | None = None) -> bool:
        """Play an event in the state itself if it is legal; whether it is. If it is not, or a fault comes up, the state
        is of no use any more."""
        before = state.clone()
        try:
            return super().play(state, event, trace)
        except Fault:
            self.reference.apply(self.to_reference(before), event)
            raise

    def follow(self, state: State, drawn: Drawn, trace: Trace | None = None) -> None:
        """Play an event that was drawn in this state, in the state itself."""
        before = state.clone()
        try:
            super().follow(state, drawn, trace)
        except Fault:
            self.reference.apply(self.to_reference(before), drawn.event)
            raise

    @_of_event
    def advance(self, state: State, event: Event, trace: Trace | None = None) -> Refusal | None:
        """Play the event in the state itself. After a refusal (or SpecFault) the state is as it was."""
        after = state.clone()
        if not self.play(after, event, trace):
            return self._refusal(state, event)
        state.become(after)
        return None

    def width(self, state: State) -> int:
        """How many events can follow."""
        try:
            return super().width(state)
        except Fault:
            self._follow(state)
            raise

    def successors(self, state: State) -> Iterator[State]:
        """The states behind each event that can follow."""
        try:
            yield from super().successors(state)
        except Fault:
            self._follow(state)
            raise

    def _follow(self, state: State) -> None:
        """Let the reference play everything that can follow, so that a fault is told in its words."""
        position = self.to_reference(state)
        events = [event for event, _ in self.reference.chance(position)] or self.reference.legal_moves(position)
        for event in events:
            self.reference.apply(position, event)

    # ---- points

    @_of_state
    @_in_words
    def scores(self, state: State) -> tuple[Scores, ...]:
        """Every seat's points as they would count now."""
        return super().scores(state)

    @_of_state
    @_in_words
    def returns(self, state: State) -> tuple[int, ...]:
        """Every seat's total."""
        return super().returns(state)

    @_of_state
    @_in_words
    def winners(self, state: State) -> Outcome:
        """Who has won, judged by the winner clauses now."""
        return super().winners(state)

    # ---- what players see

    @_of_state
    @_in_words
    def observe(self, state: State, player: int) -> dict[str, Any]:
        """What that player may know of the state now, as JSON."""
        return super().observe(state, player)

    @_of_state
    @_in_words
    def public_view(self, state: State) -> dict[str, Any]:
        """What everybody may know, as JSON."""
        return super().public_view(state)

    @_of_event
    def view_of_event(self, state: State, event: Event, player: int | None) -> Event:
        """The event, legal in `state`, as that player (None: an onlooker) sees it: `HIDDEN` hides the rest."""
        if player is not None:
            checked_seat(player, self.game.players)
        return super().view_of_event(state, event, player)

    @_of_state
    def chance_for(self, state: State) -> int | None:
        """The seat of the player to whose place the awaited chance event brings a piece; None if it is nobody's, or no
        chance is awaited."""
        return super().chance_for(state)

    @checked(_is_own, state=State, indices=Sequence)
    def cell(self, state: State, name: str, indices: Sequence[t.Value] = ()) -> t.Value:
        """What a state or zone holds: a value, a piece or None, a tuple with a pile's top last. An unseen piece is a
        `Ticket`. indices: values, of a record or component their positions (`ludex.spec.from_json` makes them)."""
        element = self.game.element.get(name)
        if element is None:
            near = nearest(str(name), self.game.element)
            raise ValueError(f"there is no state or zone {name!r}{f'; did you mean {near!r}?' if near else ''}")
        kinds = zip(element.indices, indices, strict=False)
        if len(indices) != len(element.indices) or not all(is_value(of, index) for of, index in kinds):
            wanted = ", ".join(map(str, element.indices)) or "nothing"
            raise ValueError(f"{name} is indexed by {wanted}, not by {indices!r}")
        return state.cells[cell_of(element, indices)]

    # ---- states as JSON

    @_of_state
    def state_to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON: nothing is lost, the stack included."""
        return self.reference.state_to_json(self.to_reference(state))

    def state_from_json(self, data: Any) -> State:
        """The state that `state_to_json` wrote for the same game. Raises ValueError for anything else."""
        return self.from_reference(self.reference.state_from_json(data))

    # ---- reports

    @checked(_is_own, state=State, move=Move, limit=int)
    def nearest_legal(self, state: State, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Legal moves most like the given one: of the same player, the same action, with the fewest arguments that
        differ, and those by the least (see `value_distance.py`). Raises ValueError if `limit` is below 0."""
        return nearest_moves(self.game, self.legal_moves(state), move, limit)
