"""Events, refusals and faults: what goes into an engine and what comes out when it says no.

The words for a refusal stand in `wording.py`; here are only the facts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ludex.grammar import Span
from ludex.spec import SpecFault as SpecFault
from ludex.spec import Undefined as Undefined
from ludex.spec import types as t

from .api_arguments import shown

DECLINE = "decline"
"""The name of the move that takes none of the options of a `may`."""


@dataclass(frozen=True, slots=True)
class Move:
    """A decision of one player.

    Attributes:
        player: his seat, from 0.
        action: an action's name, the path of a branch or of a choice written on the spot (`game.moves` has all), or
            `decline`.
        arguments: what he states, by name, in the signature's order. A bag is a sorted tuple, a set a frozenset.
    """

    player: int
    action: str
    arguments: tuple[tuple[str, t.Value], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.player, int):
            raise TypeError(f"`player` has to be a seat, a whole number from 0, not {shown(self.player)}")
        if not isinstance(self.action, str):
            raise TypeError(f"`action` has to be a name, a key of `game.moves`, not {shown(self.action)}")
        if not _are_pairs(self.arguments):
            wanted = 'a tuple of pairs of a name and a value, as `(("n", 3),)`'
            raise TypeError(f"`arguments` has to be {wanted}, not {shown(self.arguments)}")


def _are_pairs(arguments: object) -> bool:
    return isinstance(arguments, tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in arguments)


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """How chance came out.

    Attributes:
        path: the clause that asked, a key of `game.chances`.
        outcome: a value of that signature's type.
        via: the pools that the piece came through, outermost first. Almost always None: it is given only where the same
            kind could come by several ways that leave different states behind (see `pools.py`).
    """

    path: str
    outcome: t.Value
    via: tuple[int, ...] | None = None


Event: TypeAlias = Move | ChanceEvent


class Awaits(StrEnum):
    """What a state waits for."""

    CHANCE = "chance"
    MOVE = "move"
    NOTHING = "nothing"


class RefusalKind(StrEnum):
    """What is wrong with an event, coarsely; the first that applies."""

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
    """Why an event cannot be played in a state.

    Attributes:
        clauses: paths of the clauses that forbid it: all failed requirements that could be judged, in the text's order;
            for OUT_OF_DOMAIN the choice's own path first; for a wrong chance event or outcome the clause that asks.
        argument: the name of the argument at fault, for the four kinds that concern one.
        players: seats from which a move is awaited.
        offered: names of the moves on offer to the player (to all awaited players where he is not one of them),
            legal in this state or not; `decline` included. For MOVE_AWAITED, WRONG_PLAYER, UNKNOWN_ACTION and
            NOT_OFFERED alone; of any other event `Engine.offered` tells.
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
    """Raised by `Engine.apply` for an event that cannot be played."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"{refusal.kind}: {', '.join(refusal.clauses) or refusal.event}")

    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal]]:
        return type(self), (self.refusal,)


@dataclass(frozen=True, slots=True)
class Scores:
    """One player's points: the total, and its parts by the path of the score clause."""

    total: int
    breakdown: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won.

    Attributes:
        winners: seats.
        criterion: the path of the winner clause that decided, or by which the win is shared.
        shared: the text says that the players left with a tie share the win.
        undecided: a tie is left and the text does not say what then.
    """

    winners: tuple[int, ...]
    criterion: str | None = None
    shared: bool = False
    undecided: bool = False


@dataclass(slots=True)
class Trace:
    """What an onlooker may count while a play goes on: no part of any state.

    Attributes:
        passed: how often a decision was passed over because nothing was legal, by clause. (Not the end of a
            repeating decision: that is how it ends.)
        entered, left: pieces that came into the game and went out of it, as (type's name, piece).
        rounds: how often each outermost `repeat` of the course of play has begun, by clause.
        named: the places where the flow said who acts: `each player` for its next one, `as`, `all players`.
        ended: the clause that ended the game; None while it goes on, and where its course came to an end by itself.
    """

    passed: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    entered: Counter[tuple[str, t.Value]] = field(default_factory=Counter)
    left: Counter[tuple[str, t.Value]] = field(default_factory=Counter)
    named: set[Span] = field(default_factory=set)
    ended: str | None = None
