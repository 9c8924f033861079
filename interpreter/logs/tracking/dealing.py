"""Dealing of the cards that a log lists hand by hand: the order in which they come.

A game may deal to the players in turn, where a log lists each player's hand in one line. Hands that wait are dealt
together: every card goes to the hand of the player whose place receives it. The order within a hand is that of the
list; it means nothing where a hand is a bag.

Where not everything is known, the possible games may await different cards. Each is then dealt its own next card, so
that games with different cards still to be dealt are followed side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ludex.grammar import value_class

from ...information.event_visibility import HIDDEN
from ...state.events import ChanceEvent, Event, Refusal, SpecFault, TooManyStates
from ..record import Record
from ..structure import Deal

if TYPE_CHECKING:
    from ...unknowns import Belief

_MOST_EVENTS = 200
"""Limit of the unwritten cards that are dealt between the cards of hands, in events: more than the cards of a deck."""


@value_class
class Hand:
    """A hand that a log has listed, of which `dealt` cards are dealt."""

    deal: Deal
    record: Record
    dealt: int = 0

    @property
    def event(self) -> ChanceEvent:
        """The event that deals the next card."""
        return ChanceEvent(self.deal.path, self.deal.cards[self.dealt])

    @property
    def pointer(self) -> str:
        """The place of the next card in its line."""
        return f"/cards/{self.dealt}"

    def fits(self, path: str | None, seat: int | None) -> bool:
        """Return whether its cards are those of this statement, which go to this player."""
        return self.deal.path == path and self.deal.seat in (None, seat)


def without_card(hands: Sequence[Hand], at: int) -> tuple[Hand, ...]:
    """Return the hands once the next card of one of them is dealt."""
    hand = replace(hands[at], dealt=hands[at].dealt + 1)
    left = (hand,) if hand.dealt < len(hand.deal.cards) else ()
    return (*hands[:at], *left, *hands[at + 1 :])


@value_class
class DealingBranch:
    """Possible games in which the same cards are dealt. hands: those of which cards are still to be dealt."""

    belief: Belief
    hands: tuple[Hand, ...]
    events: tuple[Event, ...] = ()

    @property
    def left(self) -> tuple[tuple[int, int], ...]:
        """A key of the cards still to be dealt: equal in two branches that lack the same cards."""
        return tuple((id(hand.record), hand.dealt) for hand in self.hands)


@dataclass(slots=True)
class Dealing:
    """The hands that a log has listed and that are not dealt yet.

    Attributes:
        hands: of the one game that is followed, if all of it is known.
        branches: the possible games, if it is not; () if no hand waits.
        listed: all hands that were listed since the dealing began.
        refused: why a card could not be dealt in some of the possible games, with its hand and what was known before.
    """

    hands: tuple[Hand, ...] = ()
    branches: tuple[DealingBranch, ...] = ()
    listed: list[Hand] = field(default_factory=list)
    refused: list[tuple[Refusal, Hand, Belief]] = field(default_factory=list)

    @property
    def is_waiting(self) -> bool:
        """Whether hands were listed that may not be dealt yet."""
        return bool(self.hands or self.branches)

    def add(self, deal: Deal, record: Record) -> None:
        hand = Hand(deal, record)
        self.listed.append(hand)
        if self.branches:
            self.branches = tuple([replace(each, hands=(*each.hands, hand)) for each in self.branches])
        else:
            self.hands = (*self.hands, hand)

    def next_hand(self, path: str | None, seat: int | None) -> int | None:
        """Return the number of the hand whose next card comes now; None if there is none."""
        return next((at for at, hand in enumerate(self.hands) if hand.fits(path, seat)), None)

    def take_card(self, at: int) -> Hand:
        """Take the next card of a hand; return the hand as it was before."""
        hand = self.hands[at]
        self.hands = without_card(self.hands, at)
        return hand

    @property
    def furthest(self) -> DealingBranch:
        """The possible games in which the most cards are dealt."""
        return max(self.branches, key=lambda each: len(each.events))

    @property
    def pending(self) -> tuple[Hand, ...]:
        """The hands that still lack cards."""
        return self.furthest.hands if self.branches else self.hands

    def listed_as(self, path: str, seat: int) -> tuple[Hand, ...]:
        """Return the hands that list the cards of a player."""
        return tuple([hand for hand in self.listed if (hand.deal.path, hand.deal.seat) == (path, seat)])

    # ---- where not everything is known

    def divide(self, belief: Belief) -> None:
        """From here on not everything is known: the hands are dealt in each of the possible games."""
        if not self.branches:
            self.branches, self.hands = (DealingBranch(belief, self.hands),), ()

    def deal_out(self, line: int, most: int | None = None) -> None:
        """Deal every card that can be dealt now, or `most` in each of the possible games."""
        done, waiting = list[DealingBranch](), [replace(each, belief=each.belief.at(line)) for each in self.branches]
        while waiting:
            dealt = list[DealingBranch]()
            for branch in waiting:
                if len(branch.events) == most or not branch.hands:
                    done.append(branch)
                    continue
                onward = list(self._dealt(branch))
                dealt += onward
                # In its other games none of the listed cards can come now, so they wait as they are.
                others = branch.belief.awaiting_others({(each.deal.path, each.deal.seat) for each in branch.hands})
                if others is not None:
                    done.append(replace(branch, belief=others))
            waiting = _merged(dealt)
        self.branches = tuple(_merged(done))

    def deal_missing(self, line: int) -> list[tuple[str, int]] | None:
        """Deal cards that nobody has written until those of the hands are dealt, and the rest by the same statement.

        Returns for each the statement and the player; None if such cards do not explain why the hands wait.
        """
        try:
            return self._deal_missing(line)
        except (TooManyStates, SpecFault):
            return None

    def _deal_missing(self, line: int) -> list[tuple[str, int]] | None:
        missing, paths = list[tuple[str, int]](), {hand.deal.path for hand in self.pending}
        for _ in range(_MOST_EVENTS):
            furthest = self.furthest
            path, seat = furthest.belief.awaits_chance, furthest.belief.receiver
            # Another kind of event, or one that differs between the games, is not a card that somebody forgot to
            # write.
            if path is None or path not in paths or seat is None:
                return None if furthest.hands else missing
            after = furthest.belief.after(ChanceEvent(path, HIDDEN))
            if isinstance(after, Refusal):
                return None
            missing.append((path, seat))
            self.branches = (replace(furthest, belief=after),)
            self.deal_out(line)
        return None

    def _dealt(self, branch: DealingBranch) -> Iterator[DealingBranch]:
        """Yield the games of a branch in which one more card is dealt, by the hand that it is taken from."""
        kinds = set[tuple[str, int | None]]()
        for at, hand in enumerate(branch.hands):
            kind = hand.deal.path, hand.deal.seat
            # Of several hands of one player the first in the log is dealt first.
            before = None if kind in kinds else branch.belief.awaiting(*kind)
            kinds.add(kind)
            if before is None:
                continue
            after = before.after(hand.event)
            if isinstance(after, Refusal):
                self.refused.append((after, hand, before))
            else:
                yield DealingBranch(after, without_card(branch.hands, at), (*branch.events, hand.event))

    def pass_gap(self, count: int | None, only_chance: bool, line: int) -> None:
        """Follow what may have happened in a gap while cards are to be dealt, which may be dealt in its course.

        Before the last of them there are chance events only. count: of the events in the gap; None: any number.
        """
        if count is not None:
            for _ in range(count):
                self._pass_any(self.branches, only_chance)
                self.deal_out(line)
            return
        passed: tuple[DealingBranch, ...] = ()
        reached: set[tuple[object, ...]] = set()
        for _ in range(_MOST_EVENTS):
            # A play that goes round in a circle has no end.
            begun = _outside(reached, self.branches)
            if not begun:
                break
            passed += begun
            self._pass_any([each for each in begun if each.hands], only_chance)
            self.deal_out(line)
        else:
            raise TooManyStates
        ended = (each if each.hands else replace(each, belief=each.belief.after_gap(only_chance)) for each in passed)
        self.branches = tuple(_merged(ended))

    def _pass_any(self, branches: Iterable[DealingBranch], only_chance: bool) -> None:
        """Follow one event that is not recorded."""
        after = ((each, each.belief.after_any(only_chance or bool(each.hands))) for each in branches)
        self.branches = tuple([replace(each, belief=belief) for each, belief in after if belief is not None])


def _outside(reached: set[tuple[object, ...]], branches: Iterable[DealingBranch]) -> tuple[DealingBranch, ...]:
    """Return the branches without the games that were reached before, and note those that they hold."""
    new = list[DealingBranch]()
    for each in branches:
        states = {state for state in each.belief.states if (each.left, state) in reached}
        belief = each.belief.without(states)
        if belief is not None:
            new.append(replace(each, belief=belief))
            reached |= {(each.left, state) for state in belief.states}
    return tuple(new)


def _merged(branches: Iterable[DealingBranch]) -> list[DealingBranch]:
    """Put together the branches that have the same cards left."""
    by_hands = dict[tuple[tuple[int, int], ...], DealingBranch]()
    for each in branches:
        same = by_hands.get(each.left)
        by_hands[each.left] = each if same is None else replace(same, belief=same.belief.either(each.belief))
    return list(by_hands.values())
