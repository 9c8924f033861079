"""The harness finds differences, and applies the mapping to runs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

import pytest

from .engines import LudexChoice, LudexNode, SpielChoice, SpielNode
from .kuhn_poker import KuhnPoker
from .lockstep import Disagreement, Lockstep, Tally, at_random
from .pair import GOES_ON, SILENT, Apart, Pair, Reading
from .pig import Pig
from .tic_tac_toe import TicTacToe

pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'ludex[conformance]'")


def compared(pair: Pair, plays: int = 5) -> Tally:
    tally = Tally()
    for number in range(plays):
        rng = random.Random(number)
        Lockstep(pair, at_random(rng), rng, tally).run()
    return tally


def disagreement(pair: Pair) -> str:
    with pytest.raises(Disagreement) as raised:
        compared(pair)
    return str(raised.value)


# ---- what differs is found ------------------------------------------------------------------------------------------


class OtherSeat(KuhnPoker):
    def seat(self, player: int) -> int:
        return 1 - player


class OtherReturns(KuhnPoker):
    def returns(self, node: LudexNode) -> Sequence[float]:
        return [2.0 * points for points in super().returns(node)]


class OtherDie(Pig):
    spiel = "pig(diceoutcomes=5)"


class OtherOdds(KuhnPoker):
    """Two of the three cards map to one word, a different two in each engine."""

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        return str(super().event(run)).replace("Deal:1", "Deal:0").replace("Deal:2", "Deal:1")

    def action(self, run: Sequence[SpielChoice]) -> str:
        return run[0].text.replace("Deal:2", "Deal:1")


class Mirrored(TicTacToe):
    """Mirror images of columns map to one word in both engines."""

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        return str(super().event(run)).replace("2)", "0)")

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        return run[0].text.replace("2)", "0)")


class Unfinished(KuhnPoker):
    def event(self, run: Sequence[LudexChoice]) -> Reading:
        return GOES_ON


class TooSilent(KuhnPoker):
    def action(self, run: Sequence[SpielChoice]) -> Reading:
        return SILENT


@pytest.mark.parametrize(
    "pair, what",
    [
        (OtherSeat(), "not the same is awaited"),
        (OtherReturns(), "the returns are"),
        (OtherDie(), "only Ludex has: Roll 6\nonly OpenSpiel has: nothing"),
        (OtherOdds(), "the probability of Deal:0 is 0.66"),
        (Mirrored(), "Ludex has several moves that read as x(0,0)"),
        (Unfinished(), "the mapping reads as Unworded.GOES_ON what it must not"),
        (TooSilent(), "the mapping reads as Unworded.SILENT what it must not"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Pair) else "",
)
def test_a_difference_is_reported_with_both_views(pair: Pair, what: str) -> None:
    message = disagreement(pair)
    assert what in message
    assert "Ludex awaits" in message
    assert "OpenSpiel awaits" in message
    assert "OpenSpiel's history: [" in message


# ---- what is not one event to one action ----------------------------------------------------------------------------


class BothCardsAtOnce(KuhnPoker):
    """A run of two chance events is one choice: of 3 * 3 pairs, less the 3 equal ones."""

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        dealt = [super(BothCardsAtOnce, self).event([choice]) for choice in run]
        return GOES_ON if len(run) == 1 and run[0].outcome else " ".join(map(str, dealt))

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        return GOES_ON if len(run) == 1 and run[0].seat is None else " ".join(choice.text for choice in run)


def test_a_run_is_one_choice() -> None:
    apart, together = compared(KuhnPoker()), compared(BothCardsAtOnce())
    assert together.points < apart.points
    assert together.choices >= 5 * 6
    assert together.events == together.actions


class LastCellByItself(TicTacToe):
    """The filling of the last cell is silent in both engines."""

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        return SILENT if len(run[0].before.choices()) == 1 else super().event(run)

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        return SILENT if len(run[0].before.choices()) == 1 else super().action(run)


def test_silent_choices_are_passed_over() -> None:
    told, silent = compared(TicTacToe(), 20), compared(LastCellByItself(), 20)
    assert silent.events == silent.actions
    assert silent.events - silent.points > told.events - told.points


class RollsFirst(Pig):
    """OpenSpiel allows a player to stop before the first roll."""

    options: ClassVar = {}

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        [done] = run
        return Apart("at once") if done.text == "stop" and "Turn total: 0" in done.before.view else done.text


class RollsFirstUntold(Pig):
    options: ClassVar = {}


def test_choices_of_one_engine_are_counted_apart() -> None:
    assert compared(RollsFirst(), 2).apart["at once"] > 20
    assert "only Ludex has: nothing\nonly OpenSpiel has: stop" in disagreement(RollsFirstUntold())


class Shorter(Pig):
    """OpenSpiel's play ends after fifty turns."""

    spiel = "pig(players=2,horizon=50)"

    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        return "fifty rolls" if spiel.over else None


class Unexcused(Shorter):
    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        return None


def test_an_early_end_needs_a_reason() -> None:
    short = compared(Shorter(), 3)
    assert (short.early, short.ended) == ({"fifty rolls": 3}, 0)
    assert compared(Pig(), 1).ended == 1
    assert "one engine has ended the play" in disagreement(Unexcused())
