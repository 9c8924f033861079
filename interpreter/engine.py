"""The engine: one game, compiled once, played from state to state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ludex.grammar import Span, nearest
from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from .arguments import checked, checked_seat, shown
from .concealment import Concealed
from .domains import is_value
from .evaluate import Slots
from .events import (
    DECLINE,
    Awaits,
    ChanceEvent,
    Event,
    Move,
    Outcome,
    Refusal,
    RefusalKind,
    Refused,
    Scores,
    SpecFault,
    Trace,
)
from .instructions import DECLINED, Chance, Decide, Hidden, Refusing, Together, as_player, carry_out
from .machine import PLAY, SETUP, Machine, Running
from .nearness import nearest_moves
from .observe import observation, view_of_event
from .options import Arguments, OptionCode, Stated
from .state import CELLS, Frame, State
from .statejson import state_from_json, state_to_json

MOVE, EVENT = 8, 50
"""Units of work for a legal move that is listed, and for an event of a whole game, whatever it does."""


def _is_own(engine: Engine, state: State) -> None:
    """Raises ValueError for a state of another game, edition or number of players."""
    own, table = engine.machine.table, state.table
    if table is None or table == own:
        return
    of, plays = (f"{name}, edition {edition}, {players} players" for name, edition, players in (table, own))
    raise ValueError(f"`state` is of {of}; this engine plays {plays}")


_of_state = checked(_is_own, state=State)
_of_event = checked(_is_own, state=State, event=(Move, ChanceEvent))
_of_move = checked(_is_own, state=State, move=Move)


class Engine:
    """Plays one game. Holds no state of a play, so one engine serves any number of them.

    A fault of the spec that comes to light raises `SpecFault`, and `apply` raises `Refused`. What asks for more work
    than `game.budget` allows for one call raises `OverBudget`, which is such a fault. An argument that is no state or
    event raises TypeError; a state of another game, a seat at which nobody sits, or a state or zone that is not there,
    ValueError.

    Copies are the engine itself; pickled, it is its game, and is compiled anew.

    meter: counts the work; whoever plays a whole game begins one in it, and asks `check_game` after every event.
    """

    def __init__(self, game: m.Game) -> None:
        if not isinstance(game, m.Game):
            raise TypeError(f"`game` has to be a Game, not {shown(game)}; `ludex.load(NAME)` is an engine, and has one")
        self.game = game
        self.machine = Machine(game)
        self.meter = self.machine.meter
        self.meter.begin_game()

    def __repr__(self) -> str:
        return f"<Engine of {self.game.name}, edition {self.game.edition}, {self.game.players} players>"

    def __copy__(self) -> Engine:
        return self

    def __deepcopy__(self, memo: object) -> Engine:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)

    @_of_state
    def check_game(self, state: State) -> None:
        """Raises OverBudget if the game under way took more work than its budget, at the clause where it stands."""
        place = self._place(state)
        self.meter.take(EVENT + len(state.cells) // CELLS + len(state.frames), *place)
        self.meter.check_game(*place)

    @_of_state
    def check_items(self, state: State, states: int) -> None:
        """Raises OverBudget if so many states like this one hold more than the budget's `items`, at the clause where it
        stands. A single state is always kept."""
        if states > 1 and states * state.items > self.game.budget.items:
            raise OverBudget("items", self.game.budget.items, *self._place(state))

    def _place(self, state: State) -> tuple[str | None, Span]:
        """The clause at which a state stands, for reports."""
        instruction = self.machine.standing_at(state)
        statement = instruction.statement if isinstance(instruction, Chance | Decide | Together) else None
        return (statement.path, statement.span) if statement else self.machine.routines[PLAY].place

    # ---- where a state stands

    def start(self, trace: Trace | None = None) -> State:
        """The state in which the first event is awaited; set-up has run as far as it goes without one."""
        self.meter.begin()
        state = self.machine.blank()
        state.frames = [self.machine.frame(PLAY), self.machine.frame(SETUP)]
        state.trace = trace
        self.machine.run(state, may_refuse=False)
        state.trace = None
        return state

    @_of_state
    def awaits(self, state: State) -> Awaits:
        """What the state waits for."""
        instruction = self.machine.standing_at(state)
        if instruction is None:
            return Awaits.NOTHING
        return Awaits.CHANCE if isinstance(instruction, Chance) else Awaits.MOVE

    @_of_state
    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        return not state.frames

    @_of_state
    def to_move(self, state: State) -> tuple[int, ...]:
        """Seats that must decide now, several where they choose unseen by each other; () where no move is awaited.

        One who has nothing to choose is among them if the others cannot see that: all he can do is decline."""
        self.meter.begin()
        instruction = self.machine.standing_at(state)
        if isinstance(instruction, Decide):
            return (state.frames[-1].slots[0],)
        if isinstance(instruction, Together):
            return tuple(instruction.waiting(Running(self.machine), state, state.frames[-1]))
        return ()

    def is_same_turn(self, before: State, after: State, trace: Trace) -> bool:
        """Whether a player who alone was to move is still at the same turn after his move. trace: of that move.

        A turn begins where the flow says who acts (`each player` for its next one, `as`, `all players`); what it says
        elsewhere meanwhile, and takes back, does not end it."""
        named, movers = self.machine.naming(before), self.to_move(before)
        went_on = named == self.machine.naming(after) and named not in trace.named
        return went_on and len(movers) == 1 and movers == self.to_move(after)

    # ---- what can happen

    @_of_state
    def legal_moves(self, state: State, player: int | None = None) -> tuple[Move, ...]:
        """All legal moves, of one player or of all that are to move, in a fixed order, `decline` last."""
        self.meter.begin()
        if player is not None:
            checked_seat(player, self.game.players)
        moves = [move for seat in self.to_move(state) if player in {None, seat} for move in self._legal(state, seat)]
        instruction = self.machine.standing_at(state)
        if isinstance(instruction, Decide | Together) and instruction.ambiguous:
            moves = list(dict.fromkeys(moves))
        return tuple(moves)

    def _legal(self, state: State, player: int) -> Iterator[Move]:
        instruction, slots = self.machine.standing_at(state), state.frames[-1].slots
        assert isinstance(instruction, Decide | Together)
        after = instruction.after if isinstance(instruction, Decide) else instruction.then
        mine, found = as_player(slots, player), None
        for option in instruction.options:
            given = option.given(option.open(state, mine)) if option.stated else ()
            for _, found in self.machine.instances(state, (option,), mine, after):
                self.meter.take(MOVE, *option.place)
                yield _move(player, option, given, found)
        if _is_optional(instruction) or (
            found is None and self.machine.concealed(state, instruction) is not Concealed.NOTHING
        ):
            yield Move(player, DECLINE)

    @_of_state
    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """The awaited chance event's outcomes with their probabilities, in a fixed order; () if none is awaited."""
        instruction = self.machine.standing_at(state)
        if not isinstance(instruction, Chance):
            return ()
        self.meter.begin()
        path, found = instruction.statement.path, instruction.outcomes(state, state.frames[-1].slots)
        return tuple((ChanceEvent(path, outcome, via), share) for outcome, via, share in found)

    @_of_state
    def chance_for(self, state: State) -> int | None:
        """The seat of the player to whose place the awaited chance event brings a piece; None if it is nobody's, or no
        chance is awaited."""
        instruction = self.machine.standing_at(state)
        if not isinstance(instruction, Hidden):
            return None
        _, target = instruction.located(state.frames[-1].slots)
        element = target.element
        if not (element.indices and isinstance(element.indices[0], t.PlayerType)):
            return None
        _, (player, *_) = self.machine.cells_of[element.name][target.cell - element.offset]
        assert isinstance(player, int)
        return player

    # ---- playing

    @_of_event
    def refusal(self, state: State, event: Event) -> Refusal | None:
        """Why the event cannot be played here; None if it can. Does not enumerate the other moves."""
        self.meter.begin()
        found = self._find(state, event, trial=True)
        return found if isinstance(found, Refusal) else None

    @_of_event
    def halted(self, state: State, event: Event) -> State | None:
        """Where a requirement on the way to the next event stops what the event began: the state as it is then, not fit
        for play; None if none does."""
        self.meter.begin()
        tried = state.clone()
        try:
            self._play(tried, event, None)
        except Refusing:
            return tried
        return None

    @_of_event
    def apply(self, state: State, event: Event, trace: Trace | None = None) -> State:
        """The state after the event; the given one is left as it is. Raises Refused."""
        self.meter.begin()
        after = state.clone()
        try:
            refusal = self._play(after, event, trace)
        except Refusing as refusing:
            refusal = self._refuse(state, event, RefusalKind.REQUIREMENT, (refusing.path,))
        if refusal is not None:
            raise Refused(refusal)
        return after

    @_of_event
    def advance(self, state: State, event: Event, trace: Trace | None = None) -> Refusal | None:
        """Play the event in the state itself. After a refusal (or SpecFault) the state is as it was."""
        self.meter.begin()
        before = state.clone()
        try:
            return self._play(state, event, trace)
        except Refusing as refusing:
            state.become(before)
            return self._refuse(state, event, RefusalKind.REQUIREMENT, (refusing.path,))
        except SpecFault:
            state.become(before)
            raise

    def _play(self, state: State, event: Event, trace: Trace | None) -> Refusal | None:
        """Raises Refusing where a requirement further on forbids the event; then the state is not fit for use."""
        found = self._find(state, event, trial=False)
        if isinstance(found, Refusal):
            return found
        self._take(state, event, found)
        state.trace = trace
        try:
            self.machine.run(state, may_refuse=isinstance(event, Move))
        finally:
            state.trace = None
        return None

    def _take(self, state: State, event: Event, chosen: tuple[int, Sequence[t.Value]] | None) -> None:
        """The event itself; what follows from it is for the machine. chosen: the option's number and its values."""
        instruction, frame = self.machine.standing_at(state), state.frames[-1]
        if isinstance(event, ChanceEvent):
            assert isinstance(instruction, Chance)
            instruction.resolve(state, frame, event.outcome, event.via)
        elif isinstance(instruction, Together):
            said = frame.slots[instruction.stated]
            frame.slots[instruction.stated] = (*said[: event.player], chosen or DECLINED, *said[event.player + 1 :])
        elif isinstance(instruction, Decide):
            if chosen is None:
                frame.pc = instruction.then
            else:
                number, values = chosen
                running = Running(self.machine)
                carry_out(running, state, frame, instruction.options[number], values, instruction.after)

    # ---- judging an event

    def _find(self, state: State, event: Event, trial: bool) -> Refusal | tuple[int, tuple[t.Value, ...]] | None:
        """The number and values of the option that the move means (None for other events), or what is wrong with it.
        trial: try what a requirement further on may forbid, too."""
        instruction = self.machine.standing_at(state)
        if instruction is None:
            return Refusal(RefusalKind.OVER, event)
        if isinstance(event, ChanceEvent):
            return self._find_chance(state, event)
        if isinstance(instruction, Chance):
            return self._refuse(state, event, RefusalKind.CHANCE_AWAITED)
        if not _is_asked(instruction, state.frames[-1], event.player):
            return self._refuse(state, event, RefusalKind.WRONG_PLAYER)
        if event.action == DECLINE:
            return self._find_decline(state, event)
        if event.action not in self.game.moves:
            return self._refuse(state, event, RefusalKind.UNKNOWN_ACTION)
        return self._find_option(state, event, trial)

    def _find_chance(self, state: State, event: ChanceEvent) -> Refusal | None:
        instruction = self.machine.standing_at(state)
        if not isinstance(instruction, Chance):
            return self._refuse(state, event, RefusalKind.MOVE_AWAITED)
        path = instruction.statement.path
        if event.path != path:
            return self._refuse(state, event, RefusalKind.WRONG_CHANCE, (path,))
        if not instruction.admits(state, state.frames[-1].slots, event.outcome, event.via):
            return self._refuse(state, event, RefusalKind.WRONG_OUTCOME, (path,))
        return None

    def _find_decline(self, state: State, move: Move) -> Refusal | None:
        instruction = self.machine.standing_at(state)
        assert isinstance(instruction, Decide | Together)
        if not self._may_decline(state, instruction, move.player):
            return self._refuse(state, move, RefusalKind.NOT_OFFERED)
        if move.arguments:
            return self._refuse(state, move, RefusalKind.EXTRA_ARGUMENT, argument=move.arguments[0][0])
        return None

    def _may_decline(self, state: State, instruction: Decide | Together, player: int) -> bool:
        """Whether the decision leaves it to the player, or he has nothing to choose, and is asked because the others
        cannot know."""
        if _is_optional(instruction):
            return True
        if self.machine.concealed(state, instruction) is Concealed.NOTHING or player not in self.to_move(state):
            return False
        after = instruction.after if isinstance(instruction, Decide) else instruction.then
        slots = as_player(state.frames[-1].slots, player)
        return next(self.machine.instances(state, instruction.options, slots, after), None) is None

    def _find_option(self, state: State, move: Move, trial: bool) -> Refusal | tuple[int, tuple[t.Value, ...]]:
        """Several options of one name that the move cannot tell apart come to the same; the first that allows it is
        taken."""
        instruction = self.machine.standing_at(state)
        assert isinstance(instruction, Decide | Together)
        named = self._named(state, instruction, move)
        refusal = None
        for number, slots in named:
            option = instruction.options[number]
            stated = option.judge(state, slots, move.arguments)
            values = tuple([stated.slots[choice.slot] for choice in option.choices])
            failed = None
            if stated.kind is None and option.refusable and (trial or len(named) > 1):
                assert isinstance(instruction, Decide)
                failed = self.machine.trial(state, option, values, instruction.after)
            if stated.kind is None and failed is None:
                return number, values
            refusal = refusal or self._misstated(state, move, stated, failed)
        return refusal or self._refuse(state, move, RefusalKind.NOT_OFFERED)

    def _named(self, state: State, instruction: Decide | Together, move: Move) -> list[tuple[int, Slots]]:
        """The options that go by the move's name, by number and with their slots: those of which it states the
        parameters as they are, if there are any."""
        mine, options = as_player(state.frames[-1].slots, move.player), instruction.options
        named = [(at, option.open(state, mine)) for at, option in enumerate(options) if option.name == move.action]
        return [(at, slots) for at, slots in named if options[at].is_meant(slots, move.arguments)] or named

    def _misstated(self, state: State, move: Move, stated: Stated, failed: str | None) -> Refusal:
        if failed is not None:
            return self._refuse(state, move, RefusalKind.REQUIREMENT, (failed,))
        assert stated.kind is not None
        clauses = stated.clauses
        if stated.kind is RefusalKind.OUT_OF_DOMAIN:
            clauses = (self._choice_path(state, move, stated.argument), *clauses)
        return self._refuse(state, move, stated.kind, clauses, stated.argument)

    def _choice_path(self, state: State, move: Move, argument: str | None) -> str:
        """The clause in which the choice of an argument stands; for a parameter the decision that gives it."""
        instruction, own = self.machine.standing_at(state), f"{move.action}.{argument}"
        action = self.game.actions.get(move.action)
        if isinstance(instruction, Decide | Together) and action and argument in action.stated:
            return instruction.statement.path
        return own if own in self.game.clauses else move.action

    def _refuse(
        self,
        state: State,
        event: Event,
        kind: RefusalKind,
        clauses: tuple[str, ...] = (),
        argument: str | None = None,
    ) -> Refusal:
        instruction = self.machine.standing_at(state)
        assert isinstance(instruction, Chance | Decide | Together)
        awaited, players, offered = instruction.statement.path, self.to_move(state), self.offered(state)
        return Refusal(kind, event, clauses, argument, players, offered, awaited)

    @_of_move
    def is_offered(self, state: State, move: Move) -> bool:
        """Whether the decision at hand has an option that the move names, with the parameters that it states; legal or
        not."""
        instruction = self.machine.standing_at(state)
        if not isinstance(instruction, Decide | Together) or move.action == DECLINE:
            return move.action in self.offered(state)
        options = instruction.options
        return any(options[at].is_meant(slots, move.arguments) for at, slots in self._named(state, instruction, move))

    @_of_state
    def offered(self, state: State) -> tuple[str, ...]:
        """Names of the moves on offer, legal now or not; () where no move is awaited."""
        self.meter.begin()
        instruction = self.machine.standing_at(state)
        if not isinstance(instruction, Decide | Together):
            return ()
        names = [option.name for option in instruction.options]
        if any(self._may_decline(state, instruction, player) for player in self.to_move(state)):
            names.append(DECLINE)
        return tuple(dict.fromkeys(names))

    # ---- points

    @_of_state
    def scores(self, state: State) -> tuple[Scores, ...]:
        """Every seat's points as they would count now."""
        self.meter.begin()
        return tuple(self.machine.scoring.scores(state, player) for player in range(self.game.players))

    @_of_state
    def returns(self, state: State) -> tuple[int, ...]:
        """Every seat's total."""
        self.meter.begin()
        return tuple(self.machine.scoring.total(state, player) for player in range(self.game.players))

    @_of_state
    def winners(self, state: State) -> Outcome:
        """Who has won, judged by the winner clauses now."""
        self.meter.begin()
        return self.machine.scoring.winners(state)

    # ---- what players see

    @_of_state
    def observe(self, state: State, player: int) -> dict[str, Any]:
        """What that player may know of the state now, as JSON (see `visibility.py`)."""
        self.meter.begin()
        return observation(self.machine, state, checked_seat(player, self.game.players))

    @_of_state
    def public_view(self, state: State) -> dict[str, Any]:
        """What everybody may know, as JSON."""
        self.meter.begin()
        return observation(self.machine, state, None)

    @_of_event
    def view_of_event(self, state: State, event: Event, player: int | None) -> Event:
        """The event, legal in `state`, as that player (None: an onlooker) sees it: `HIDDEN` hides the rest."""
        if player is not None:
            checked_seat(player, self.game.players)
        return view_of_event(self.machine, self.machine.concealment.secrecy, state, event, player)

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
        return state.cells[self.machine.cell(name, indices)]

    # ---- states as JSON

    @_of_state
    def state_to_json(self, state: State) -> dict[str, Any]:
        """The whole state as JSON: nothing is lost, the stack included."""
        return state_to_json(self.machine, state)

    def state_from_json(self, data: Any) -> State:
        """The state that `state_to_json` wrote for the same game. Raises ValueError for anything else."""
        return state_from_json(self.machine, data)

    # ---- reports

    @checked(_is_own, state=State, move=Move, limit=int)
    def nearest_legal(self, state: State, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Legal moves most like the given one: of the same player, the same action, with the fewest arguments that
        differ, and those by the least (see `nearness.py`). Raises ValueError if `limit` is below 0."""
        return nearest_moves(self.game, self.legal_moves(state), move, limit)


def _move(player: int, option: OptionCode, given: Arguments, values: Sequence[t.Value]) -> Move:
    chosen = tuple([(choice.name, value) for choice, value in zip(option.choices, values, strict=True)])
    return Move(player, option.name, (*given, *chosen))


def _is_optional(instruction: Decide | Together) -> bool:
    return isinstance(instruction, Decide) and instruction.optional


def _is_asked(instruction: object, frame: Frame, player: int) -> bool:
    """Whether the player has a say now. One who has nothing legal to choose is not waited for, but may be told why."""
    match instruction:
        case Together(stated=slot):
            said = frame.slots[slot]
            return 0 <= player < len(said) and said[player] is None
        case _:
            return bool(frame.slots[0] == player)
