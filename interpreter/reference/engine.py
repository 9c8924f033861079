"""The reference engine: plays one game by walking its typed tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from ..stack.places import AWAITING
from ..stack.routines import SETUP
from ..stack.state import DECLINED, StackState, StatedChoice
from ..stack.statejson import demand_rest, state_from_json, state_to_json
from ..state.api_arguments import checked, checked_seat
from ..state.contents import EVENT
from ..state.events import (
    DECLINE,
    Awaits,
    ChanceEvent,
    Event,
    Move,
    Outcome,
    Refusal,
    Refused,
    Scores,
    Trace,
)
from ..state.questions import Questions, question
from ..state.value_distance import nearest_moves
from ..state.zones import cell_named
from .chance import outcomes_of, resolve
from .control import Next
from .decisions import carry_out, legal, to_move
from .flow import await_choices
from .judging import is_offered, judge, may_decline, offered
from .observation import observation, receiver, view_of_event
from .resting import is_at_rest
from .run import Rules, Run, blank
from .scoring import points_of, scores, winners


def _is_own(reference: Reference, state: StackState) -> None:
    """Raise ValueError for a state with other cells or routines than those of this game."""
    routines = reference.rules.routines
    if len(state.cells) != reference.game.cell_count or any(frame.routine not in routines for frame in state.frames):
        raise ValueError(f"`state` is of another game or table than {reference.game.name}")


_of_state = checked(_is_own, state=StackState)
_of_event = checked(_is_own, state=StackState, event=(Move, ChanceEvent), trace=Trace)
_of_move = checked(_is_own, state=StackState, move=Move)


class Reference(Questions[StackState]):
    """Plays one game by the definition of the language. It holds no state of a play.

    A fault of the spec raises `SpecFault`, and `apply` raises `Refused`. A call that needs forty times the work that
    `game.budget` allows raises `OverBudget`, which is a `SpecFault`. An argument that is not a state or event raises
    TypeError; a seat, state or zone that does not exist, or a state of another game, ValueError.

    meter: counts the work; a caller that plays a whole game calls `begin_game`, and `check_game` after every event.
    """

    @checked(game=m.Game)
    def __init__(self, game: m.Game) -> None:
        self.game, self.rules = game, Rules(game)
        self.meter = self.rules.meter

    @checked(_is_own, state=StackState, trace=Trace)
    @question
    def at(self, state: StackState, trace: Trace | None = None) -> Run:
        """Return a run that continues from the state, with a new count of work; for questions without a method here."""
        return Run(self.rules, state, trace=trace)

    def begin_game(self) -> None:
        """Begin to count the work of a game, for `check_game`."""
        self.meter.begin_game()

    @_of_state
    def check_game(self, state: StackState) -> None:
        """Raise OverBudget if the game under way took more work than forty times its budget."""
        run = Run(self.rules, state)
        path, span = (run.step.path, run.step.span) if state.frames else (self.game.play.name, self.game.play.body.span)
        self.meter.take(EVENT, path, span)
        self.meter.check_game(path, span)

    # ---- the position in the flow

    @checked(trace=Trace)
    @question
    def start(self, trace: Trace | None = None) -> StackState:
        """Return the state in which the first event is awaited; set-up has run as far as it goes without one."""
        run = blank(self.rules, trace=trace)
        # Slot 0 is `me`: nobody acts in set-up and play before the flow names a player.
        run.call(SETUP, (None,))
        run.go(Next.BEGIN)
        return run.state()

    @_of_state
    def awaits(self, state: StackState) -> Awaits:
        """Return the kind of event that the state waits for."""
        if not state.frames:
            return Awaits.NOTHING
        return Awaits.CHANCE if isinstance(Run(self.rules, state).step, AWAITING) else Awaits.MOVE

    @_of_state
    def is_terminal(self, state: StackState) -> bool:
        """Test whether the game is over."""
        return not state.frames

    @_of_state
    def to_move(self, state: StackState) -> tuple[int, ...]:
        """Return the seats that must decide now, several in a simultaneous choice; () if no move is awaited.

        A player with nothing to choose is among them if the others cannot see that; that player can only decline.
        """
        return to_move(self.at(state))

    # ---- what can happen

    @_of_state
    def legal_moves(self, state: StackState, player: int | None = None) -> tuple[Move, ...]:
        """Return all legal moves of one player, or of all that are to move, in a fixed order with `decline` last."""
        run = self.at(state)
        if player is not None:
            checked_seat(player, self.game.players)
        moves: list[Move] = []
        for seat in to_move(run):
            if player in (None, seat):
                for _, option, values, _ in legal(run, seat):
                    arguments = tuple((name, value) for name, _, value in option.arguments(values))
                    moves.append(Move(seat, option.name, arguments))
                if may_decline(run, seat):
                    moves.append(Move(seat, DECLINE))
        # Offers that differ in the text only, or in parameters that no move states, are one move.
        return tuple(dict.fromkeys(moves))

    @_of_state
    def chance(self, state: StackState) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """Return the outcomes of the awaited chance event with their probabilities, in a fixed order; () if none is
        awaited.
        """
        run = self.at(state)
        if self.awaits(state) is not Awaits.CHANCE:
            return ()
        path = run.step.path
        return tuple((ChanceEvent(path, outcome, via), share) for outcome, via, share in outcomes_of(run))

    @_of_state
    def chance_for(self, state: StackState) -> int | None:
        """Return the seat of the player whose place receives the piece of the awaited chance event.

        Returns None if it is nobody's place, or no chance event is awaited.
        """
        return receiver(self.at(state)) if self.awaits(state) is Awaits.CHANCE else None

    @_of_state
    def awaited_chance(self, state: StackState) -> str | None:
        """Return the path of the statement that awaits a chance event; None if none is awaited."""
        run = self.at(state)
        return run.step.path if run.frames and isinstance(run.step, AWAITING) else None

    @_of_state
    def offered(self, state: StackState) -> tuple[str, ...]:
        """Return the names of the moves on offer, legal now or not; () if no move is awaited."""
        return offered(self.at(state))

    @_of_move
    def is_offered(self, state: StackState, move: Move) -> bool:
        """Test whether the player must decide, and has an option of the move's name and stated parameters."""
        return is_offered(self.at(state), move)

    # ---- playing

    @_of_event
    def refusal(self, state: StackState, event: Event) -> Refusal | None:
        """Return why the event cannot be played here, or None if it can. Does not enumerate the other moves."""
        verdict = judge(self.at(state), event)
        return verdict if isinstance(verdict, Refusal) else None

    @_of_event
    def apply(self, state: StackState, event: Event, trace: Trace | None = None) -> StackState:
        """Return the state after the event. Raises Refused if the event is illegal."""
        run = self.at(state, trace)
        verdict = judge(run, event)
        if isinstance(verdict, Refusal):
            raise Refused(verdict)
        run.go(begin(run, event, verdict))
        return run.state()

    @checked(events=Iterable)
    def after(self, events: Iterable[Event]) -> StackState:
        """Return the state after these events, played from the start. Raises Refused at the first illegal one."""
        return reduce(self.apply, events, self.start())

    # ---- points

    @_of_state
    def scores(self, state: StackState) -> tuple[Scores, ...]:
        """Return every seat's points as they would count now."""
        run = self.at(state)
        return tuple(scores(self.game, run.evaluation, player) for player in range(self.game.players))

    @_of_state
    def returns(self, state: StackState) -> tuple[int, ...]:
        """Return every seat's total."""
        run = self.at(state)
        return tuple(sum(points_of(self.game, run.evaluation, player)) for player in range(self.game.players))

    @_of_state
    def winners(self, state: StackState) -> Outcome:
        """Return who has won, by the winner clauses evaluated now."""
        return winners(self.game, self.at(state).evaluation)

    # ---- what players see

    @_of_state
    def observe(self, state: StackState, player: int) -> dict[str, Any]:
        """Return what the player may know of the state now, as JSON."""
        return observation(self.at(state), checked_seat(player, self.game.players))

    @_of_state
    def public_view(self, state: StackState) -> dict[str, Any]:
        """Return what everybody may know, as JSON."""
        return observation(self.at(state), None)

    @_of_event
    def view_of_event(self, state: StackState, event: Event, player: int | None) -> Event:
        """Return the event, legal in `state`, as that player (None: an onlooker) sees it: `HIDDEN` for the rest.

        Raises ValueError for a seat where nobody sits, or for a chance event if the state awaits none.
        """
        # An onlooker has no seat to check.
        if player is not None:
            checked_seat(player, self.game.players)
        if isinstance(event, ChanceEvent) and self.awaits(state) is not Awaits.CHANCE:
            raise ValueError("`state` awaits no chance event")
        return view_of_event(self.at(state), event, player)

    @checked(_is_own, state=StackState, name=str, indices=Sequence)
    def cell(self, state: StackState, name: str, indices: Sequence[t.Value] = ()) -> t.Value:
        """Return the content of a state or zone: a value, a piece or None, or a tuple with a pile's top last.

        An unseen piece is a `Ticket`. indices: values; for a record or component their positions.
        """
        return state.cells[cell_named(self.game, name, indices)]

    # ---- states as JSON

    @_of_state
    def state_to_json(self, state: StackState) -> dict[str, Any]:
        """Return the whole state as JSON, without loss, the stack included."""
        return state_to_json(state)

    def state_from_json(self, data: Any) -> StackState:
        """Read what `state_to_json` wrote for the same game. Raises ValueError for anything else, or OverBudget."""
        state = state_from_json(self.game, self.rules.routines, data)
        self.meter.begin()
        demand_rest(partial(is_at_rest, self.rules, state))
        return state

    # ---- reports

    @checked(_is_own, state=StackState, move=Move, limit=int)
    def nearest_legal(self, state: StackState, move: Move, limit: int = 3) -> tuple[Move, ...]:
        """Return the legal moves most similar to the given one (see `../state/value_distance.py`).

        Raises ValueError if `limit` is below 0.
        """
        return nearest_moves(self.game, self.legal_moves(state), move, limit)


def begin(run: Run, event: Event, stated: StatedChoice | None) -> Next:
    """Start the event itself; the run continues with its consequences."""
    if isinstance(event, ChanceEvent):
        return resolve(run, event.outcome, event.via)
    assert stated is not None
    step = run.step
    if isinstance(step, m.Simultaneous):
        # Nothing happens before the last player has chosen, or the others would see the first choices.
        by_seat = run.let_go()
        run.keep((*by_seat[: event.player], stated, *by_seat[event.player + 1 :]))
        return await_choices(run, step)
    return Next.DONE if stated == DECLINED else carry_out(run, stated)
