"""Legal moves where a price is paid exactly: how the time to list them grows with the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod
from pathlib import Path

from ludex.interpreter import Engine, Generator, State, playout
from ludex.spec import DEFAULT_BUDGET, load
from ludex.spec.values.types import Value, size

MARKET = Path(__file__).with_name("market.ludex")
HANDS = (5, 10, 15)
"""The sizes of the measured hands."""


class Payment:
    """A decision in which a price is paid with a part of some of the player's zones."""

    def __init__(self, name: str, engine: Engine, state: State, purses: tuple[str, ...]) -> None:
        self.name, self._engine = name, engine
        self._written = engine.state_to_json(state)
        self.moves = len(engine.legal_moves(state))
        (seat,) = engine.to_move(state)
        held: list[Counter[Value]] = [Counter(engine.cell(state, purse, [seat])) for purse in purses]
        self.ways = prod(count + 1 for kinds in held for count in kinds.values())

    def listed(self) -> int:
        """List the legal moves once, in a state with no memoized results."""
        self._engine.legal_moves(self._engine.state_from_json(self._written))
        return 1


def payments() -> Iterator[list[Payment]]:
    """Yield for each game the same decision with every hand."""
    yield [_market(cards) for cards in (*HANDS, 20)]
    # To list what can be paid from large hands takes more than the default budget.
    engine = Engine(load("mangrovia", players=4, budget=DEFAULT_BUDGET.times(10)))
    state = _building(engine)
    yield [_mangrovia(engine, state, cards) for cards in HANDS]


def _market(cards: int) -> Payment:
    engine = Engine(load(MARKET, options={"hand_size": cards}, budget=DEFAULT_BUDGET.times(10)))
    return Payment(f"market, {cards} cards", engine, engine.start(), ("hand", "pouch", "lands", "helpers"))


def _mangrovia(engine: Engine, state: State, cards: int) -> Payment:
    """Return the payment with `cards` cards of all values, six amulets and two cards of each ground in the player's
    hand.
    """
    (seat,) = engine.to_move(state)
    written = engine.state_to_json(state)
    for zone, count in (("values", cards), ("amulets", 6), ("lands", 8)):
        element = engine.game.element[zone]
        kinds = size(element.type)
        assert kinds is not None
        written["cells"][element.offset + seat] = sorted(place % kinds for place in range(count))
    purses = ("values", "amulets", "lands", "tiles")
    return Payment(f"mangrovia, {cards} cards", engine, engine.state_from_json(written), purses)


def _building(engine: Engine) -> State:
    """Return the first decision of a random play in which a simple and a double hut can be built."""
    state = engine.start()
    for turn in playout(engine, Generator(0)):
        moves = engine.legal_moves(state)
        if {1, 2} <= {dict(move.arguments).get("storeys") for move in moves}:
            return state
        state = engine.apply(state, turn.event)
    raise AssertionError("nobody ever builds in this play; take another seed")
