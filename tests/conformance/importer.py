"""Import of histories recorded by OpenSpiel as Ludex logs, with a game's mapping."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from ludex.interpreter import end_claim, header_of, line_of, write_log

from .engines import SpielChoice
from .lockstep import Lockstep, Offers, Tally, at_random, offered
from .pair import Pair


class NotInHistory(Exception):
    """The history has ended, or continues with an action that Ludex does not have."""


def log_of(pair: Pair, history: Sequence[int]) -> str:
    """Return the log of the play with these OpenSpiel actions (`State.history()`), with a claim of the result at its
    end.

    Raises NotInHistory for an action that only OpenSpiel has.
    """
    play = followed(pair, history)
    game = play.ludex.engine.game
    lines = [line_of(game, event) for event in play.log]
    if play.ludex.over:
        lines.append(end_claim(play.ludex.engine, play.ludex.state))
    return write_log(header_of(game).to_json(), lines)


def followed(pair: Pair, history: Sequence[int]) -> Lockstep:
    """Play the history in both engines."""

    def decide(offers: Offers[SpielChoice]) -> tuple[str, tuple[SpielChoice, ...]]:
        for word, offer in offers.items():
            for run in offer.runs:
                at = place(run[0])
                if [choice.number for choice in run] == list(history[at : at + len(run)]):
                    return word, run
        raise NotInHistory

    play = Lockstep(pair, decide, random.Random(0), Tally())
    try:
        play.run()
    except NotInHistory:
        if len(play.actions) < len(history):
            raise
    return play


def place(choice: SpielChoice) -> int:
    """Return an action's index in the history.

    It is after all earlier ones, and in a simultaneous node after those of the players before.
    """
    before = len(choice.before.state.history())
    return before + (choice.seat or 0 if choice.before.state.is_simultaneous_node() else 0)


def recorded(pair: Pair, rng: random.Random) -> list[int]:
    """Return the history of a play made by OpenSpiel alone, with moves that Ludex has, too."""
    _, node = pair.start()
    decide, apart = at_random(rng), Counter[str]()
    while not node.over:
        if len(node.movers) > 1:
            chosen = {seat: decide(offered(node, seat, pair.action, apart))[1][0] for seat in node.movers}
            node = node.played_together({seat: choice.number for seat, choice in chosen.items()})
        elif len(node.choices()) == 1:
            node = node.choices()[0].after
        else:
            node = decide(offered(node, None, pair.action, apart))[1][-1].after
    return list(node.state.history())
