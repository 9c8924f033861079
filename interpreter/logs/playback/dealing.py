"""Dealing of the cards that a log lists hand by hand: which card comes next?

A game may deal to the players in turn, where a log lists each player's hand in one line. Hands that wait are dealt
together: every card goes to the hand of the player whose place receives it. The order within a hand is that of the
list; it means nothing where a hand is a bag.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...state.events import ChanceEvent
from ..record import Record
from ..structure import Deal


@dataclass(slots=True)
class _Hand:
    deal: Deal
    record: Record
    dealt: int = 0


@dataclass(slots=True)
class Dealing:
    """The hands that a log has listed and that are not dealt yet."""

    hands: list[_Hand] = field(default_factory=list)

    def add(self, deal: Deal, record: Record) -> None:
        self.hands.append(_Hand(deal, record))

    def next_card(self, path: str | None, seat: int | None) -> tuple[ChanceEvent, Record, str] | None:
        """Take the next card, if one of this clause goes to the player now: the event, and its place in the log."""
        for hand in self.hands:
            if hand.deal.path == path and hand.deal.seat in (None, seat):
                event = ChanceEvent(hand.deal.path, hand.deal.cards[hand.dealt])
                pointer = f"/cards/{hand.dealt}"
                hand.dealt += 1
                if hand.dealt == len(hand.deal.cards):
                    self.hands.remove(hand)
                return event, hand.record, pointer
        return None

    def left(self) -> Iterator[tuple[Record, str]]:
        """Yield the first card that was not dealt of each hand: the record, and the pointer to the card."""
        for hand in self.hands:
            yield hand.record, f"/cards/{hand.dealt}"
