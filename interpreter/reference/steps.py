"""What a statement says comes next, and what stops a run before its next event."""

from __future__ import annotations

from enum import Enum


class Next(Enum):
    """The statement at which the innermost frame stands now is begun, or it is done, or it waits for an event."""

    BEGIN = "begin"
    DONE = "done"
    WAIT = "wait"


class Refusing(Exception):
    """A requirement failed that the move just taken should have met."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


class Undetermined(Exception):
    """Where the flow goes hangs on an unknown value."""
