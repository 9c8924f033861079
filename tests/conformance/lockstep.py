"""One play in both engines, step by step, up to the first difference, which is reported with both engines' views.

At every point both engines must await the same (a choice of the same seats, chance, nothing), offer the same choices
and the same probabilities, and at the end the same returns. `pair.py` defines "the same".
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Generic, TypeAlias

from ludex.interpreter import Event

from .engines import Choice, LudexChoice, LudexNode, Node, SpielChoice, SpielNode
from .pair import GOES_ON, SILENT, Apart, Pair, Reading

NEAR = 1e-9
"""Tolerance: OpenSpiel's probabilities and returns are floating point numbers."""
LONGEST_RUN = 40
"""A run that is incomplete after so many choices is a mistake of the mapping."""
SHOWN = 12
"""The number of words, events and actions of a disagreement that are printed."""


class Disagreement(AssertionError):
    """The engines, or a mapping and an engine, disagree; the message has both views."""


@dataclass(slots=True)
class Tally:
    """The numbers of compared things, over any number of plays.

    Attributes:
        points: points of play at which both engines were asked, ends included.
        events: of Ludex. actions: of OpenSpiel.
        choices: words that both engines offered.
        apart, early: by the reason that the mapping gives.
    """

    plays: int = 0
    points: int = 0
    events: int = 0
    actions: int = 0
    choices: int = 0
    apart: Counter[str] = field(default_factory=Counter)
    early: Counter[str] = field(default_factory=Counter)

    @property
    def ended(self) -> int:
        """The number of plays compared to the end of both engines, returns included."""
        return self.plays - self.early.total()


@dataclass(frozen=True, slots=True)
class Offer(Generic[Choice]):
    """The runs that map to one word. share: the sum of their probabilities, None where a player decides."""

    runs: tuple[tuple[Choice, ...], ...]
    share: float | None


Offers: TypeAlias = Mapping[str, Offer[Choice]]
Decide: TypeAlias = Callable[[Offers[SpielChoice]], tuple[str, tuple[SpielChoice, ...]]]
"""Picks a word, and one of OpenSpiel's runs that map to it."""


def at_random(rng: random.Random) -> Decide:
    """Pick every word of a move with equal probability, and chance by its probabilities."""

    def decide(offers: Offers[SpielChoice]) -> tuple[str, tuple[SpielChoice, ...]]:
        words = sorted(offers)
        shares = [offers[word].share for word in words]
        word = rng.choices(words, [1.0 if share is None else share for share in shares])[0]
        return word, rng.choice(offers[word].runs)

    return decide


@dataclass(frozen=True, slots=True)
class Point:
    """A point of agreement, after so many events."""

    events: int
    ludex: LudexNode
    spiel: SpielNode


@dataclass(slots=True)
class Lockstep:
    """A play in progress.

    Attributes:
        trail: the points at which something was chosen.
        events, actions: the history in Ludex and in OpenSpiel.
    """

    pair: Pair
    decide: Decide
    rng: random.Random
    tally: Tally
    ludex: LudexNode = field(init=False)
    spiel: SpielNode = field(init=False)
    trail: list[Point] = field(default_factory=list)
    events: list[LudexChoice] = field(default_factory=list)
    actions: list[SpielChoice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ludex, self.spiel = self.pair.start()

    @property
    def log(self) -> list[Event]:
        return [choice.event for choice in self.events]

    # ---- the play

    def run(self, most: int | None = None) -> Lockstep:
        """Play on to the end, or for at most `points` points. Raises Disagreement."""
        for _ in count() if most is None else range(most):
            if not self._compared():
                self.tally.plays += 1
                break
            self._step()
        return self

    def once_more(self, pair: Pair, point: Point) -> Lockstep:
        """Return a play that continues from a point of this one, with another tier on Ludex's side."""
        other = Lockstep(pair, self.decide, self.rng, self.tally, events=self.events[: point.events])
        engine: Any = pair.engine
        state = engine.taken(self.pair.engine.to_reference(point.ludex.state))
        other.ludex, other.spiel = LudexNode(engine, state), point.spiel
        return other

    def _compared(self) -> bool:
        """Return whether the play continues in both engines, which must await the same."""
        self._pass_over()
        self.tally.points += 1
        if self.ludex.over != self.spiel.over:
            why = self.pair.early(self.ludex, self.spiel)
            if why is None:
                raise self._disagreement("one engine has ended the play")
            self.tally.early[why] += 1
            return False
        if self.ludex.over:
            self._compare_returns()
            return False
        if set(self.ludex.movers) != {self.pair.seat(player) for player in self.spiel.movers}:
            raise self._disagreement("not the same is awaited")
        return True

    def _pass_over(self) -> None:
        while (choice := _silent(self.ludex, self.pair.event)) is not None:
            self._play_ludex([choice])
        while (done := _silent(self.spiel, self.pair.action)) is not None:
            self._play_spiel([done])

    def _step(self) -> None:
        self.trail.append(Point(len(self.events), self.ludex, self.spiel))
        if len(self.spiel.movers) > 1:
            self._step_together()
            return
        ludex, spiel = self._offers(None)
        word, run = self.decide(spiel)
        self._play_ludex(self.rng.choice(ludex[word].runs))
        self._play_spiel(run)

    def _step_together(self) -> None:
        chosen: dict[int, SpielChoice] = {}
        events: list[LudexChoice] = []
        for player in self.spiel.movers:
            ludex, spiel = self._offers(player)
            word, (action,) = self.decide(spiel)
            chosen[player] = action
            events += self.rng.choice(ludex[word].runs)
        node = self.ludex
        for choice in events:
            node = node.played(choice.event)
        self.events += events
        self.actions += chosen.values()
        self.tally.events += len(events)
        self.tally.actions += len(chosen)
        self.ludex = node
        self.spiel = self.spiel.played_together({player: action.number for player, action in chosen.items()})

    def _play_ludex(self, run: Sequence[LudexChoice]) -> None:
        self.events += run
        self.tally.events += len(run)
        self.ludex = run[-1].after

    def _play_spiel(self, run: Sequence[SpielChoice]) -> None:
        self.actions += run
        self.tally.actions += len(run)
        self.spiel = run[-1].after

    # ---- comparing

    def _offers(self, player: int | None) -> tuple[Offers[LudexChoice], Offers[SpielChoice]]:
        """Return the offers of both engines here (of one OpenSpiel player), which must be equal."""
        seat = None if player is None else self.pair.seat(player)
        try:
            ludex = offered(self.ludex, seat, self.pair.event, self.tally.apart)
            spiel = offered(self.spiel, player, self.pair.action, self.tally.apart)
        except MappingFault as fault:
            raise self._disagreement(str(fault)) from None
        if ludex.keys() != spiel.keys():
            only = {"Ludex": ludex.keys() - spiel.keys(), "OpenSpiel": spiel.keys() - ludex.keys()}
            raise self._disagreement(
                "\n".join(f"only {name} has: {_some(sorted(words))}" for name, words in only.items())
            )
        for name, offers in (("Ludex", ludex), ("OpenSpiel", spiel)):
            several = [word for word, offer in offers.items() if offer.share is None and len(offer.runs) > 1]
            if several and not self.pair.alike:
                raise self._disagreement(f"{name} has several moves that read as {_some(several)}")
        for word in sorted(ludex):
            if abs((ludex[word].share or 0) - (spiel[word].share or 0)) > NEAR:
                shares = f"{ludex[word].share} in Ludex, {spiel[word].share} in OpenSpiel"
                raise self._disagreement(f"the probability of {word} is {shares}")
        self.tally.choices += len(ludex)
        return ludex, spiel

    def _compare_returns(self) -> None:
        mine, others = list(self.pair.returns(self.ludex)), list(self.spiel.state.returns())
        placed = [mine[self.pair.seat(player)] for player in range(len(others))] if len(mine) == len(others) else mine
        if len(mine) != len(others) or any(abs(a - b) > NEAR for a, b in zip(placed, others, strict=True)):
            raise self._disagreement(f"the returns are {placed} in Ludex, {others} in OpenSpiel")

    def _disagreement(self, what: str) -> Disagreement:
        rows = [
            f"{self.pair.game} and {self.pair.spiel}, play {self.tally.plays + 1}: {what}",
            f"Ludex awaits {self.ludex.awaits}; the state is",
            self.ludex.view,
            f"OpenSpiel awaits {self.spiel.awaits}; the state is",
            self.spiel.view,
            f"{len(self.events)} events before: {_some(list(map(str, self.events)), last=True)}",
            f"{len(self.actions)} actions before: {_some(list(map(str, self.actions)), last=True)}",
            f"OpenSpiel's history: {self.spiel.state.history()}",
        ]
        return Disagreement("\n".join(rows))


def _some(words: Sequence[str], last: bool = False) -> str:
    shown = words[-SHOWN:] if last else words[:SHOWN]
    more = f" ({len(words) - SHOWN} more)" if len(words) > SHOWN else ""
    return ("; ".join(shown) or "nothing") + more


# ---- what a node offers ---------------------------------------------------------------------------------------------


class MappingFault(Exception):
    """A mapping maps a run in an impossible way."""


Read: TypeAlias = Callable[[Sequence[Choice]], Reading]


def _silent(node: Node[Choice], read: Read[Choice]) -> Choice | None:
    """Return the only choice of all, or of one of the seats, if the mapping makes it silent."""
    choices = node.choices()
    alone = choices and len({choice.seat for choice in choices}) == len(choices)
    return choices[0] if alone and read(choices[:1]) is SILENT else None


def offered(node: Node[Choice], seat: int | None, read: Read[Choice], apart: Counter[str]) -> Offers[Choice]:
    """Return all complete runs from here, by their words."""
    results: dict[str, list[tuple[Choice, ...]]] = {}
    waiting: list[tuple[Choice, ...]] = [(choice,) for choice in reversed(node.choices(seat))]
    while waiting:
        run = waiting.pop()
        match read(run):
            case str(word):
                results.setdefault(word, []).append(run)
            case Apart(why):
                apart[why] += 1
            case reading if reading is GOES_ON and not run[-1].after.over and len(run) < LONGEST_RUN:
                waiting += [(*run, choice) for choice in reversed(_next(run))]
            case reading:
                raise MappingFault(f"the mapping reads as {reading} what it must not: {'; '.join(map(str, run))}")
    return {word: Offer(tuple(runs), _share(runs)) for word, runs in results.items()}


def _next(run: Sequence[Choice]) -> Sequence[Choice]:
    return run[-1].after.choices()  # type: ignore[return-value]  # what comes after a choice is of its own engine


def _share(runs: Sequence[Sequence[Choice]]) -> float | None:
    """Return the probability that one of the runs happens; forced moves within a run count as certain."""
    if runs[0][0].share is None:
        return None
    total = 0.0
    for run in runs:
        share = 1.0
        for choice in run:
            share *= 1.0 if choice.share is None else float(choice.share)
        total += share
    return total
