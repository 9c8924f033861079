"""Control signals: what a statement returns to the run, and the exceptions that stop a run before its next event."""

from __future__ import annotations

from enum import Enum


class Next(Enum):
    """What comes next: the current statement of the innermost frame begins, or it is done, or it waits for an event."""

    BEGIN = "begin"
    DONE = "done"
    WAIT = "wait"


class Refusing(Exception):
    """A requirement failed that the move just taken had to satisfy."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


class Undetermined(Exception):
    """Control flow depends on an unknown value."""
