"""Data classes of events, refusals, scores and outcomes: the input and output of an engine.

They hold facts only; `explanation/wording.py` puts them into words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self, TypeAlias

from ludex.grammar import Span, shown_value
from ludex.spec import NoValue as NoValue
from ludex.spec import SpecFault as SpecFault
from ludex.spec import types as t

DECLINE = "decline"
"""The name of the move that takes none of the options of a `may`."""


class _Move(NamedTuple):
    player: int
    action: str
    arguments: tuple[tuple[str, t.Value], ...] = ()


class Move(_Move):
    """A decision of one player.

    `Move._make` checks nothing, for a move that an engine has listed: checks would take longer than all the rest.

    Attributes:
        player: the player's seat, from 0.
        action: an action's name, the path of a branch or of a choice written inline (`game.moves` has all), or
            `decline`.
        arguments: what the player states, by name, in the signature's order. A bag is a sorted tuple, a set a
            frozenset.
    """

    __slots__ = ()

    def __new__(cls, player: int, action: str, arguments: tuple[tuple[str, t.Value], ...] = ()) -> Self:
        if not isinstance(player, int):
            raise TypeError(f"`player` must be a seat, a whole number from 0, not {shown_value(player)}")
        if not isinstance(action, str):
            raise TypeError(f"`action` must be a name, a key of `game.moves`, not {shown_value(action)}")
        if not _are_pairs(arguments):
            expected = 'a tuple of pairs of a name and a value, as `(("n", 3),)`'
            raise TypeError(f"`arguments` must be {expected}, not {shown_value(arguments)}")
        return super().__new__(cls, player, action, arguments)


def _are_pairs(arguments: object) -> bool:
    if not isinstance(arguments, tuple):
        return False
    # `all` with a generator takes twice as long, and events are made by the million.
    for each in arguments:
        if not isinstance(each, tuple) or len(each) != 2 or not isinstance(each[0], str):
            return False
    return True


class _ChanceEvent(NamedTuple):
    path: str
    outcome: t.Value
    via: tuple[int, ...] | None = None


class ChanceEvent(_ChanceEvent):
    """An outcome of chance.

    Attributes:
        path: the clause that asked for it, a key of `game.chances`.
        outcome: a value of that signature's type.
        via: the pools of the drawn piece, outermost first. Almost always None: it is given only if the same kind of
            piece can be drawn by several routes, with different states after them (see `pools.py`).
    """

    __slots__ = ()

    def __new__(cls, path: str, outcome: t.Value, via: tuple[int, ...] | None = None) -> Self:
        if not isinstance(path, str):
            raise TypeError(f"`path` must be a clause, a key of `game.chances`, not {shown_value(path)}")
        return super().__new__(cls, path, outcome, via)


Event: TypeAlias = Move | ChanceEvent
"""An event of a play: a move of a player, or an outcome of chance."""


def is_decline(event: Event) -> bool:
    """Return whether the event is a move that takes none of the options of a `may`."""
    return isinstance(event, Move) and event.action == DECLINE


class Awaits(StrEnum):
    """The kind of event that a state awaits."""

    CHANCE = "chance"
    MOVE = "move"
    NOTHING = "nothing"


class RefusalKind(StrEnum):
    """The kind of fault of a refused event; where several apply, the first."""

    OVER = "over"
    CHANCE_AWAITED = "chance awaited"
    MOVE_AWAITED = "move awaited"
    WRONG_CHANCE = "wrong chance"
    WRONG_OUTCOME = "wrong outcome"
    WRONG_PLAYER = "wrong player"
    UNKNOWN_ACTION = "unknown action"
    NOT_OFFERED = "not offered"
    MISSING_ARGUMENT = "missing argument"
    EXTRA_ARGUMENT = "extra argument"
    WRONG_ARGUMENT = "wrong argument"
    OUT_OF_DOMAIN = "out of domain"
    REQUIREMENT = "requirement"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an event is illegal in a state.

    Attributes:
        clauses: paths of the clauses that forbid it: all failed requirements that could be evaluated, in the text's
            order; for OUT_OF_DOMAIN the choice's own path first; for a wrong chance event or outcome the clause that
            asks.
        argument: the name of the argument at fault, for the four kinds that concern one.
        players: seats from which a move is awaited.
        offered: names of the moves offered to the player (to all awaited players if this player is not one of them),
            legal in this state or not; `decline` included. Only for MOVE_AWAITED, WRONG_PLAYER, UNKNOWN_ACTION and
            NOT_OFFERED; `Engine.offered` gives it for any state.
        awaited: the path of the clause whose decision or chance event is awaited; None at the end.
    """

    kind: RefusalKind
    event: Event
    clauses: tuple[str, ...] = ()
    argument: str | None = None
    players: tuple[int, ...] = ()
    offered: tuple[str, ...] = ()
    awaited: str | None = None


class Refused(Exception):
    """Raised by `Engine.apply` for an illegal event."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"{refusal.kind}: {', '.join(refusal.clauses) or shown_value(refusal.event, 500)}")

    # Pickle would call the class with the message, and a refusal may cross from a worker to its parent.
    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal]]:
        return type(self), (self.refusal,)


class TooManyStates(Exception):
    """Too little of a play is known: too many states would have to be followed."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One player's points: the total, and its parts by the path of the score clause."""

    total: int
    breakdown: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a play: who won, and by which clause.

    Attributes:
        winners: seats.
        criterion: the path of the winner clause that decided, or by which the win is shared.
        shared: the text says that the tied players share the win.
        undecided: a tie is left, and the text does not say how to break it.
    """

    winners: tuple[int, ...]
    criterion: str | None = None
    shared: bool = False
    undecided: bool = False


@dataclass(slots=True)
class Trace:
    """Counters of a play. They are not part of any state.

    Attributes:
        passed: how often a decision was passed over because no option was legal, by clause. (The end of a repeating
            decision does not count: that is how it ends.)
        entered, left: pieces that came into the game and went out of it, as (type's name, piece).
        rounds: how often each outermost `repeat` of the flow has begun, by clause.
        named: the places where the flow named who acts: `each player` for its next one, `as`, `all players`.
        ended: the clause that ended the game; None while it continues, and where the flow ended by itself.
    """

    passed: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    entered: Counter[tuple[str, t.Value]] = field(default_factory=Counter)
    left: Counter[tuple[str, t.Value]] = field(default_factory=Counter)
    named: set[Span] = field(default_factory=set)
    ended: str | None = None
