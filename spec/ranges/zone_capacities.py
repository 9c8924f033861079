"""Capacity inference for zones: an upper bound on the pieces that can enter each zone.

Pieces enter by `fill` and `put`, and only move after that. So a zone holds at most what enters its *group*: all zones
that are linked to it by steps which move pieces. A statement runs as often as the product of the loops around it and of
the runs of its routine. Both quantities are holders, so recursion is found in the same way as unbounded collections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from ludex.grammar import Diagnostic, Span

from .. import model as m
from .. import spec_codes
from ..model import Holder
from ..model.graphs import strongly_connected
from ..model.piece_flow import piece_flow
from ..model.traversal import all_steps, branches
from ..values.types import Range, element_type, size
from .bounds import UNBOUNDED
from .sizes import SizeOf, most_of

if TYPE_CHECKING:
    from ..elaborate.elaboration import Elaborated

RUNS, ENTERING = -1, -2
"""Levels of special holders: the number of runs of a routine, and the number of pieces that enter a group."""

Factor: TypeAlias = m.Expr | int
"""A number, or an expression whose size is the number."""


@dataclass(frozen=True, slots=True)
class Share:
    """The contribution of one statement: pieces in a zone (level 0), or runs of a routine (level `RUNS`).

    Each run of the routine `frame` contributes the product of the factors.
    """

    holder: Holder
    factors: tuple[Factor, ...]
    frame: str
    span: Span


def runs(routine: str) -> Holder:
    """Return the holder for the number of runs of a routine."""
    return routine, None, RUNS


def _shares_of(game: Elaborated, routines: Iterable[m.Routine | m.Action | None]) -> Iterator[Share]:
    players = size(game.types["Player"]) or 0
    return (share for each in routines if each is not None for share in _shares(each.body, each.name, players, ()))


def _shares(step: m.Step, frame: str, players: int, factors: tuple[Factor, ...]) -> Iterator[Share]:
    """Yield the contributions of a step. factors: the numbers of iterations of the loops around it."""
    match step:
        case m.FillZone(zone=zone, pieces=piece) | m.PutPiece(target=zone, piece=piece):
            many: Factor = 1 if element_type(piece.type) is None else piece
            yield Share((zone.element.name, None, 0), (*factors, many), frame, step.span)
        case m.Perform(action=action):
            yield Share(runs(action), factors, frame, step.span)
        case m.ForEach(loops=loops):
            factors += tuple(loop.domain for loop in loops)
        case m.ForEachPlayer(order=order):
            factors += (order,)
        case m.RepeatTimesStep(count=count):
            # The check of the count asks only that it is not negative; the operand has the narrower range.
            number = count.operand if isinstance(count, m.Checked) else count
            factors += (number.type.high if isinstance(number.type, Range) else UNBOUNDED,)
        case m.RepeatUntilStep():
            factors += (UNBOUNDED,)
        case m.Asking(options=options):
            # Nothing says how often a player repeats a choice. A simultaneous one is made by every player.
            factors += (UNBOUNDED if getattr(step, "repeating", False) else 1,)
            factors += (players if isinstance(step, m.Simultaneous) else 1,)
            for option in options:
                if isinstance(option, m.ActionOption):
                    yield Share(runs(option.action), factors, frame, step.span)
    for inside in branches(step):
        yield from _shares(inside, frame, players, factors)


@dataclass(frozen=True, slots=True)
class _Groups:
    """The groups of zones that are connected by steps which move pieces.

    Attributes:
        of: the name of each zone's group.
        first_move: the place of the first step that moves pieces to each zone.
    """

    of: Mapping[str, str]
    first_move: Mapping[str, Span]


def _groups(game: Elaborated, routines: Iterable[m.Routine | m.Action | None]) -> _Groups:
    # Edges go both ways, so the strongly connected components are the connected components.
    joined: dict[str, list[str]] = {element.name: [] for element in game.elements if element.is_zone}
    first_move: dict[str, Span] = {}
    for source, target, span in _moves(game, routines):
        joined[source].append(target)
        joined[target].append(source)
        first_move.setdefault(target, span)
    # The least name stands for the group, so that two runs name it alike.
    return _Groups({zone: min(group) for group in strongly_connected(joined) for zone in group}, first_move)


def _moves(game: Elaborated, routines: Iterable[m.Routine | m.Action | None]) -> Iterator[tuple[str, str, Span]]:
    for refill in game.refills:
        yield refill.source.element.name, refill.zone.element.name, refill.zone.element.span
    for routine in routines:
        for step in all_steps(routine):
            for source, target in piece_flow(step).moved:
                yield source.element.name, target.element.name, step.span


# ---- contributions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of everything that is added to a holder, in play or in an example's position."""

    holder: Holder
    played: Sequence[Share]
    set_up: Sequence[Sequence[Share]]

    def most(self, of: SizeOf) -> int:
        # A play continues from the position of one example at most.
        return _total(self.played, of) + max((_total(shares, of) for shares in self.set_up), default=0)


@dataclass(frozen=True, slots=True)
class Entering:
    """The inflow of a zone: everything that enters its group."""

    holder: Holder
    group: Holder

    def most(self, of: SizeOf) -> int:
        return of(self.group)


def _total(shares: Iterable[Share], of: SizeOf) -> int:
    return sum(_times(share, of) for share in shares)


def _times(share: Share, of: SizeOf) -> int:
    times = of(runs(share.frame))
    for factor in share.factors:
        times *= factor if isinstance(factor, int) else most_of(factor, 0, share.frame, of)
    return times


class ZoneCapacities:
    """The contributions to the zones of a game, and the reports of zones without a bound."""

    def __init__(self, game: Elaborated) -> None:
        # A zone for one piece needs no bound.
        self._zones = {e.name: e for e in game.elements if e.kind in ("pile", "bag") and e.most is None}
        played, given = game.routines, [each.given for each in game.examples]
        self._played = list(_shares_of(game, played))
        self._set_up = [list(_shares_of(game, (routine,))) for routine in given]
        self._groups = _groups(game, (*played, *given))

    def contributions(self) -> Iterator[Sum | Entering]:
        """Yield the contributions to runs of routines, to groups, and from groups to their zones."""
        played = self._by_holder(self._played)
        set_up: dict[Holder, list[Sequence[Share]]] = {}
        for example in self._set_up:
            for holder, shares in self._by_holder(example).items():
                set_up.setdefault(holder, []).append(shares)
        for holder in {**played, **set_up}:
            yield Sum(holder, played.get(holder, ()), set_up.get(holder, ()))
        for zone in self._zones:
            yield Entering((zone, None, 0), (self._groups.of[zone], None, ENTERING))

    def _by_holder(self, shares: Iterable[Share]) -> dict[Holder, list[Share]]:
        by_holder: dict[Holder, list[Share]] = {}
        for share in shares:
            name, _, level = share.holder
            holder = (self._groups.of[name], None, ENTERING) if level == 0 else share.holder
            by_holder.setdefault(holder, []).append(share)
        return by_holder

    def endless(self, item: Entering, of: SizeOf) -> Diagnostic:
        """Return the report that a zone has no bound, at the step that adds too much, else at one that moves pieces."""
        zone = self._zones[item.holder[0]]
        spans = [share.span for share in self._entering.get(item.holder, ()) if _times(share, of) >= UNBOUNDED]
        span = min(spans, default=self._groups.first_move.get(zone.name, zone.span))
        message = f"zone `{zone.name}` has no capacity: pieces can be added here without limit"
        hint = f"declare a capacity for the zone: `{zone.kind} of {zone.type} up to 20`, say"
        return Diagnostic(spec_codes.NO_CAPACITY, message, span, hint)

    @cached_property
    def _entering(self) -> dict[Holder, list[Share]]:
        """The inflow of each single zone."""
        by_zone: dict[Holder, list[Share]] = {}
        for share in chain(self._played, *self._set_up):
            by_zone.setdefault(share.holder, []).append(share)
        return by_zone
