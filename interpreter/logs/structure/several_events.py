"""Lines that mean several events: a deal, such as a whole hand, and a gap, where events were not recorded."""

from __future__ import annotations

from ludex.grammar import Json, Message, value_class
from ludex.spec import is_whole
from ludex.spec import types as t

from .problems import Problem, wrong_value
from .seating import SeatedTable

ONLY_CHANCE = "chance"
"""The value of `gap` where only chance events are missing."""
LARGEST_GAP = 1_000
"""The largest number of events of which a gap may say that they are missing."""
MOST_CARDS = 1_000
"""The largest number of cards of one deal."""


@value_class
class Deal:
    """A run of chance events of one clause, in one line.

    Attributes:
        path: the clause.
        seat: of the player whose place receives the cards; None: every next event of the clause is one of the run.
        cards: the outcomes; `HIDDEN` for a card that was not seen. Those of a player may be in any order.
    """

    path: str
    seat: int | None
    cards: tuple[t.Value, ...]


@value_class
class Gap:
    """Events that were not recorded. count: how many; None if that is not known."""

    only_chance: bool = False
    count: int | None = None


def read_cards(table: SeatedTable, of: t.Type, data: Json, problems: list[Problem]) -> tuple[t.Value, ...]:
    """Read the cards of a deal, or append their faults."""
    if not isinstance(data, list) or not 1 <= len(data) <= MOST_CARDS:
        problems.append(wrong_value("/cards", Message("list-of-so-many-cards", count=MOST_CARDS), data))
        return ()
    return tuple([table.stated(of, card, f"/cards/{at}", problems) for at, card in enumerate(data)])


def read_gap(data: Json, problems: list[Problem]) -> Gap | None:
    """Read a gap, or append its faults."""
    if data is True:
        return Gap()
    if isinstance(data, str) and data == ONLY_CHANCE:
        return Gap(only_chance=True)
    if is_whole(data) and 1 <= data <= LARGEST_GAP:
        return Gap(count=data)
    expected = Message("length-of-gap", word=ONLY_CHANCE, count=LARGEST_GAP)
    problems.append(wrong_value("/gap", expected, data))
    return None
