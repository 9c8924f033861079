"""Backgammon: a move of OpenSpiel is up to two of ours, and is identified by the resulting position.

Points are numbered as in the spec: 25 and 0 are the bars of the first and the second player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from .engines import LudexChoice, LudexNode, SpielChoice, SpielNode
from .pair import GOES_ON, SILENT, Pair, Reading

BAR = 100
"""OpenSpiel's position for men on the bar."""
POINTS = range(1, 25)


def throw(dice: Iterable[str], starter: str = "") -> str:
    """Return the dice in order: which one fell first only decides who starts."""
    return f"{starter}{''.join(sorted(dice))}"


def on_board(node: LudexNode, seat: int) -> list[int]:
    """Return the number of the seat's men on each point but home."""
    return [node.cell("men", seat, place) for place in (range(1, 26) if seat == 0 else range(25))]


def on_other_board(node: SpielNode, player: int) -> list[int]:
    bar = [node.state.board(player, BAR)]
    points = [node.state.board(player, 24 - point) for point in POINTS]
    return [*points, *bar] if player == 0 else [*bar, *points]


class Backgammon(Pair):
    game = "backgammon"
    spiel = "backgammon(max_player_turns=100000)"
    alike = True

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        before, after = run[0].before, run[-1].after
        if not before.movers:
            dice = [str(thrown.outcome) for thrown in run]
            starter = "" if run[0].name == "roll.throw" else "X" if dice[0] > dice[-1] else "O"
            return GOES_ON if len(run) == 1 else throw(dice, starter)
        if len(run) == 1 and after.movers == before.movers:
            return GOES_ON
        return str([on_board(after, seat) for seat in (0, 1)])

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [done] = run
        if done.seat is None:
            starter = done.text.split()[3] if "starts" in done.text else ""
            return throw(done.text.rstrip(")")[-2:], starter)
        if done.text == "Pass":
            return SILENT
        return str([on_other_board(done.after, player) for player in (0, 1)])


class Gammons(Backgammon):
    options: ClassVar = {"scoring": "gammons"}
    spiel = "backgammon(max_player_turns=100000,scoring_type=enable_gammons)"


class Full(Backgammon):
    options: ClassVar = {"scoring": "full"}
    spiel = "backgammon(max_player_turns=100000,scoring_type=full_scoring)"


class Hyper(Backgammon):
    options: ClassVar = {"variant": "hyper"}
    spiel = "backgammon(max_player_turns=100000,hyper_backgammon=true)"

    def returns(self, node: LudexNode) -> Sequence[float]:
        """OpenSpiel tests for fifteen men at home, and so finds no winner."""
        return 0.0, 0.0


PAIRS = (Backgammon(), Gammons(), Full(), Hyper())
