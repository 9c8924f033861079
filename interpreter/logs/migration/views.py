"""Views by which two sets of rules are compared: everything that a state shows of a play, and the differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.grammar import Message

from ...play.engine import Engine
from ...program import State
from ...state.events import Event, Move
from ..position.contents import PositionWriter
from ..record import write_line
from ..structure import SeatedTable, line_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a state that is another by the changed rules, in words."""

    what: str
    before: str
    after: str

    def message(self, place: str) -> Message:
        return Message("migrate-differs", place=place, what=self.what, before=self.before, after=self.after)


def view(engine: Engine, state: State) -> dict[str, Any]:
    """Return what is to be compared of a state, by its name."""
    game = engine.game
    at = engine.to_reference(state)
    # No cell is equal to a new object, so that none is left out as unchanged.
    contents = PositionWriter(SeatedTable(game), (object(),) * game.cell_count).contents(at.cells, at.pools)
    view = {
        **contents.get("state", {}),
        Message("migrate-unseen-pieces"): contents.get("unseen", []),
        Message("migrate-awaited"): Message(f"migrate-awaits-{engine.awaits(state).name.lower()}"),
        Message("migrate-to-move"): [seat + 1 for seat in engine.to_move(state)],
        Message("migrate-outcomes"): _chances(engine, state),
    }
    if engine.is_terminal(state):
        points, winners = Message("migrate-points"), Message("migrate-winners")
        view |= {points: list(engine.returns(state)), winners: _winners(engine, state)}
    return view


def difference(before: dict[str, Any], after: dict[str, Any]) -> Difference | None:
    """Return the first part that differs; a state or zone that only one of the games has is not a difference."""
    for name, held in before.items():
        if name in after and held != after[name]:
            if isinstance(held, _Chances):
                return _of_chance(held, after[name])
            return Difference(name, _shown(held), _shown(after[name]))
    return None


def place_after_event(line: dict[str, Any] | None) -> Message:
    """Return the words for the place after an event; None: at the beginning."""
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


@dataclass(frozen=True, slots=True)
class _Chances:
    """The outcomes of a chance event as texts, with their shares: a change of a die changes the game.

    path: the clause that throws or draws; None where no chance event is awaited.
    """

    path: str | None
    shares: dict[str, str]


def _chances(engine: Engine, state: State) -> _Chances:
    outcomes = engine.chance(state)
    shares: dict[str, str] = {}
    for event, share in outcomes:
        # The path is left out, so that a number stays a number: `1`, or `{"outcome": "s03", "via": [2]}`.
        _, *rest = line_of(engine.game, event).items()
        shares[_text(rest[0][1] if len(rest) == 1 else dict(rest))] = str(share)
    return _Chances(outcomes[0][0].path if outcomes else None, shares)


def _of_chance(before: _Chances, after: _Chances) -> Difference:
    """Name the first outcome whose share differs, or the two chance events if they are not the same."""
    if before.path != after.path:
        nothing = Message("list-nothing")
        return Difference(Message("migrate-outcomes"), before.path or nothing, after.path or nothing)
    outcome = next(
        each for each in (*before.shares, *after.shares) if before.shares.get(each) != after.shares.get(each)
    )
    old = Message("migrate-with-share", outcome=_shown(outcome), share=before.shares.get(outcome, "0"))
    return Difference(Message("migrate-outcomes-of", clause=before.path or ""), old, after.shares.get(outcome, "0"))


def _shown(content: Any) -> str:
    text = _text(content)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _text(content: Any) -> str:
    # The slice leaves out `{"is": ` and the brace.
    return content if isinstance(content, str) else write_line({"is": content})[7:-1]
