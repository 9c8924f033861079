"""What two sets of rules are compared by: everything that a state shows of a play, and what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.grammar import Message

from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Move
from ..position.contents import Writer
from ..record import write_line
from ..structure import Table, line_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a state that is another by the changed rules, in words."""

    what: str
    before: str
    after: str

    def told(self, place: str) -> Message:
        return Message("migrate-differs", place=place, what=self.what, before=self.before, after=self.after)


def view(engine: Engine, state: State) -> dict[str, Any]:
    """Return what is to be compared of a state, by its name."""
    game = engine.game
    at = engine.to_reference(state)
    # No cell is equal to a new object, so that none is left out as unchanged.
    contents = Writer(Table(game), (object(),) * game.cell_count).contents(at.cells, at.pools)
    # Shares are compared too, since a change of a die changes the game.
    chances = [(write_line(line_of(game, event)), str(share)) for event, share in engine.chance(state)]
    view = {
        **contents.get("state", {}),
        Message("migrate-unseen-pieces"): contents.get("unseen", []),
        Message("migrate-awaited"): Message(f"migrate-awaits-{engine.awaits(state).name.lower()}"),
        Message("migrate-to-move"): [seat + 1 for seat in engine.to_move(state)],
        Message("migrate-outcomes"): sorted(chances),
    }
    if engine.is_terminal(state):
        points, winners = Message("migrate-points"), Message("migrate-winners")
        view |= {points: list(engine.returns(state)), winners: _winners(engine, state)}
    return view


def difference(before: dict[str, Any], after: dict[str, Any]) -> Difference | None:
    """Return the first part that differs; a state or zone that only one of the games has is no difference."""
    for name, held in before.items():
        if name in after and held != after[name]:
            return Difference(name, _shown(held), _shown(after[name]))
    return None


def place_words(line: dict[str, Any] | None) -> Message:
    """Return the words for the place behind an event; None: at the beginning."""
    return Message("migrate-at-beginning") if line is None else Message("migrate-after", event=write_line(line))


def clauses_at(engine: Engine, state: State, event: Event) -> tuple[str, ...]:
    """Return the clauses that an event in this state reaches."""
    named = event.action if isinstance(event, Move) else event.path
    return (named, *stack(engine, state))


def stack(engine: Engine, state: State) -> tuple[str, ...]:
    """Return the routines that are under way in a state."""
    # `play` is under way at all times, and would name everything.
    return tuple(frame.routine for frame in engine.frames(state) if frame.routine != "play")


def _winners(engine: Engine, state: State) -> list[int]:
    outcome = engine.winners(state)
    return [] if outcome.undecided else [seat + 1 for seat in outcome.winners]


def _shown(content: Any) -> str:
    # The slice leaves out `{"is": ` and the brace.
    text = content if isinstance(content, str) else write_line({"is": content})[7:-1]
    return text if len(text) <= 80 else f"{text[:77]}..."
