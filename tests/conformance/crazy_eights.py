"""Crazy eights: the same game except for OpenSpiel's points of cards; see docs/conformance.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ludex.spec import to_json

from .engines import LudexChoice, LudexNode, SpielNode
from .pair import Pair, Reading

RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUITS = ("clubs", "diamonds", "hearts", "spades")
WORDS = {"take": "Draw", "pass": "Pass"}


def card(of: dict[str, Any]) -> str:
    return str(of["suit"])[0].upper() + "23456789TJQKA"[RANKS.index(of["rank"])]


def counted(of: dict[str, Any]) -> int:
    """Return OpenSpiel's points of a card: below the jack its number in the deck plus two, instead of the rank; for an
    ace those of a king.
    """
    rank = RANKS.index(of["rank"])
    if of["rank"] == "eight":
        return 50
    return 10 if rank >= RANKS.index("jack") else 4 * rank + SUITS.index(of["suit"]) + 2


class CrazyEights(Pair):
    game = "crazy_eights"
    spiel = "crazy_eights(players=2)"

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        [done] = run
        match done.name:
            case "setup.dealer":
                return f"Decide Player {done.outcome - 1} to be the dealer"
            case "lay":
                return f"Play {card(done.args['card'])}"
            case "lay.eight":
                return f"Nominate suit {done.args['named'][0].upper()}"
            case name:
                return WORDS[name] if done.outcome is None else f"Deal {card(done.outcome)}"

    def returns(self, node: LudexNode) -> Sequence[float]:
        of = node.engine.game.element["hand"].type
        hands = (node.cell("hand", seat) for seat in range(node.engine.game.players))
        return [-sum(counted(to_json(of, piece)) for piece in hand) for hand in hands]

    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        passed = ludex.cell("passes") == ludex.engine.game.players and not ludex.cell("stock")
        twos = "OpenSpiel counts the drawing of two cards that ends the stock as a pass"
        return twos if spiel.over and passed and self.options.get("special_cards") else None


class ForFive(CrazyEights):
    players = 5
    spiel = "crazy_eights(players=5)"


class TwoDecks(CrazyEights):
    players = 6
    spiel = "crazy_eights(players=6)"


class Reshuffled(CrazyEights):
    players = 3
    options: ClassVar = {"reshuffle": True, "max_draws": 3}
    spiel = "crazy_eights(players=3,reshuffle=true,max_draw_cards=3)"


class Special(CrazyEights):
    players = 4
    options: ClassVar = {"special_cards": True}
    spiel = "crazy_eights(players=4,use_special_cards=true)"


class SpecialForTwo(CrazyEights):
    options: ClassVar = {"special_cards": True, "reshuffle": True}
    spiel = "crazy_eights(players=2,use_special_cards=true,reshuffle=true)"


PAIRS = (CrazyEights(), ForFive(), TwoDecks(), Reshuffled(), Special(), SpecialForTwo())
