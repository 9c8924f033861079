"""A second play that a player cannot tell from the one under way.

A player knows what could be seen of the events so far, and what can be seen now. So two plays in which every event
looked the same, and the table looks the same now, are one to this player, and all that is told must be the same in
both. The second play is a real one: it begins as the first did, and where something happens unseen, something else of
the same look happens in it. What comes to light in both plays and differs parts them rightly: then the second one
begins anew where the first one is.

So legal moves may hang on what their player remembers, and on nothing that this player never saw. A rule by which
somebody tries and is told must be written as a move whose effect brings it to light.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from .engine import Engine
from .events import Event, Move, Refusal, SpecFault
from .observe import Told, observation
from .state import State

TRIED = 8
"""So many moves, legal or not, are stated at each turn for the reasons of their refusal."""


class Shadow:
    """Follows one play for one player.

    seed: of what happens otherwise in the second play. told: see `observation`.
    state: where the second play stands; None while it is the same as the first."""

    def __init__(self, engine: Engine, player: int, told: Told, seed: str) -> None:
        self._engine, self._player, self._told = engine, player, told
        self._rng = Random(f"{seed} {player}")
        self.state: State | None = None

    def follow(self, before: State, event: Event, after: State) -> None:
        """The event was played in the first play, which stood at `before` and stands at `after`."""
        other, view = self.state, self._engine.view_of_event(before, event, self._player)
        if other is None and view == event:
            return
        self.state = None
        try:
            found = self._alike(other or before, event, view)
            if found is not None:
                moved = self._engine.apply(other or before, found)
                if moved != after and self._sees(moved) == self._sees(after):
                    self.state = moved
        except SpecFault:
            pass  # a play that meets a fault of the spec tells nothing here; its own audit does

    def _alike(self, other: State, event: Event, view: Event) -> Event | None:
        """An event of the second play that looks the same to the player, another one if there is one."""
        engine = self._engine
        if view == event:
            return event if engine.refusal(other, event) is None else None
        options = [each for each, _ in engine.chance(other)] or engine.legal_moves(other)
        alike = [each for each in options if engine.view_of_event(other, each, self._player) == view]
        return self._rng.choice([each for each in alike if each != event] or alike) if alike else None

    def _sees(self, state: State) -> object:
        return observation(self._engine.machine, state, self._player, self._told)

    def differences(self, state: State) -> Iterator[str]:
        """What differs in what the player is told in both plays, in words. state: of the first play."""
        engine, other = self._engine, self.state
        if other is None or self._player not in engine.to_move(state):
            return
        who = f"seat {self._player + 1}"
        try:
            mine, theirs = engine.legal_moves(state, self._player), engine.legal_moves(other, self._player)
            if mine != theirs:
                only = [move for move in (*mine, *theirs) if (move in mine) != (move in theirs)]
                named = f", such as {self._named(only[0])}" if only else ""
                yield f"the legal moves of {who}{named}, depend on what this player cannot know"
            elif any(_why(engine, state, move) != _why(engine, other, move) for move in self._stated()):
                yield f"why a move of {who} is refused depends on what this player cannot know"
        except SpecFault:
            return

    def _named(self, move: Move) -> str:
        signature = self._engine.game.moves.get(move.action)
        types = {name: of for name, of, _ in signature.arguments} if signature else {}
        return f"{move.action}({', '.join(f'{name}: {show(types[name], value)}' for name, value in move.arguments)})"

    def _stated(self) -> Iterator[Move]:
        """Some moves, legal or not."""
        signatures = [each for each in self._engine.game.moves.values() if _is_finite(each)]
        for signature in self._rng.sample(signatures, min(TRIED, len(signatures))):
            values = [(name, self._rng.choice(t.values(of))) for name, of, _ in signature.arguments]
            yield Move(self._player, signature.name, tuple(values))


def _is_finite(signature: m.MoveSignature) -> bool:
    return all(t.size(of) for _, of, _ in signature.arguments)


def _why(engine: Engine, state: State, move: Move) -> tuple[object, ...] | None:
    refusal: Refusal | None = engine.refusal(state, move)
    return None if refusal is None else (refusal.kind, refusal.clauses, refusal.argument)
