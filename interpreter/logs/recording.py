"""The claim with which the log of a whole play ends."""

from __future__ import annotations

from ..engine import Engine
from ..state import State


def end_claim(engine: Engine, state: State) -> dict[str, object]:
    """The last line of the log of a play that has ended: what the recorder says of the end."""
    outcome = engine.winners(state)
    winners = [] if outcome.undecided else [seat + 1 for seat in outcome.winners]
    return {"claim": {"scores": list(engine.returns(state)), "winners": winners, "terminal": True}}
