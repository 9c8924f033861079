"""Mappings between engines: a game's two names, and common words for the events of both engines.

A mapping is a file `tests/conformance/NAME.py`, NAME the shipped game's, that holds

    PAIRS = (TicTacToe(),)                  # one for each setting compared

    class TicTacToe(Pair):
        game = "tic_tac_toe"                # and, where needed, players, options
        spiel = "tic_tac_toe"               # with parameters: "pig(players=3,winscore=100)"

        def event(self, run): ...           # Ludex's events as words
        def action(self, run): ...          # OpenSpiel's actions as words; left out, they are its own
        def returns(self, node): ...        # the points of each seat, in OpenSpiel's measure; see `WinOrLoss`

`python -m tests.conformance NAME` runs it. The cases that are not one event to one action:

- **Several for one** (two dice thrown one by one where the other engine has 21 throws; a turn of two moves): `event` or
  `action` gets the run of what has happened since the engines last agreed, and returns GOES_ON until the run is whole.
  Each run that is whole counts as one choice, its probability the product of its parts.
- **Many alike** (Ludex has kinds where OpenSpiel has suits; moves in either order): let them read as one word. Their
  probabilities are added before they are compared, and one of them is played. Moves may do so only with `alike = True`;
  else two of a kind are a disagreement.
- **Only one engine shows it** (a pass where nothing else can be done, the last card played by itself): SILENT. Such a
  thing must be the only one that can happen, or that each seat can do; it is passed over.
- **The engines disagree, and the written rules say who is right**: Apart("why"). The choice is left out of the
  comparison and counted under its reason. Describe the case in docs/conformance.md.
- **Choices unseen by each other** (`all players`, a simultaneous node): nothing to do; runs of one.
- **One engine ends the play earlier** (a longest length): `early` says why. Such plays are counted under that reason.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

from ludex.interpreter import Engine
from ludex.spec import Game

from ..once import engine_once, game_once
from .engines import LudexChoice, LudexNode, SpielChoice, SpielNode, spiel_start


class Unworded(Enum):
    """See the module."""

    GOES_ON = "goes on"
    SILENT = "silent"


GOES_ON = Unworded.GOES_ON
SILENT = Unworded.SILENT


@dataclass(frozen=True, slots=True)
class Apart:
    """A choice that only one engine has, with the reason why that is right."""

    why: str


Reading: TypeAlias = str | Apart | Unworded


class Pair(ABC):
    """One game in both engines; see the module.

    Attributes:
        game, players, options: Ludex's game and its table.
        spiel: OpenSpiel's game, with its parameters.
        alike: whether several moves of an engine may map to one word.
    """

    game: ClassVar[str]
    spiel: ClassVar[str]
    players: ClassVar[int | None] = None
    options: ClassVar[Mapping[str, object]] = {}
    alike: ClassVar[bool] = False

    def event(self, run: Sequence[LudexChoice]) -> Reading:
        """Return the word of a run; by default the event as Ludex writes it."""
        return " ".join(map(str, run))

    def action(self, run: Sequence[SpielChoice]) -> Reading:
        """Return the word of a run; by default OpenSpiel's own text."""
        return " ".join(choice.text for choice in run)

    def seat(self, player: int) -> int:
        """Return Ludex's seat of OpenSpiel's player, both from 0."""
        return player

    def returns(self, node: LudexNode) -> Sequence[float]:
        """Return the points of each seat in OpenSpiel's measure; by default the scores."""
        return node.engine.returns(node.state)

    def early(self, ludex: LudexNode, spiel: SpielNode) -> str | None:
        """Return the reason why one engine has ended the play and the other has not; None if that is a disagreement."""
        return None

    @cached_property
    def engine(self) -> Engine:
        return engine_once(game_once(self.game, self.players, options=self.options))

    def under(self, tier: Callable[[Game], Any]) -> Self:
        """Return the same pair, with Ludex's game played by another tier."""
        pair = copy(self)
        vars(pair)["engine"] = tier(self.engine.game)
        return pair

    def start(self) -> tuple[LudexNode, SpielNode]:
        """Return both engines at the start of a play."""
        return LudexNode(self.engine, self.engine.start()), spiel_start(self.spiel)

    def __str__(self) -> str:
        return self.spiel


class WinOrLoss(Pair):
    """A game whose points are 1 for a single winner and equal losses for the others; 0 for all without a single one."""

    def returns(self, node: LudexNode) -> Sequence[float]:
        winners, players = node.engine.winners(node.state).winners, node.engine.game.players
        if len(winners) != 1:
            return [0.0] * players
        return [1.0 if seat in winners else -1.0 / (players - 1) for seat in range(players)]
