"""Control signals: what a statement returns to the run, and the exceptions that stop a run before its next event."""

from __future__ import annotations

from enum import Enum


class Next(Enum):
    """Continuation of a run: the current statement of the innermost frame begins, is done, or waits for an event."""

    BEGIN = "begin"
    DONE = "done"
    WAIT = "wait"


class Refusing(Exception):
    """Raised where a requirement behind the move just taken fails, which makes the move illegal."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


class Undetermined(Exception):
    """Raised where control flow depends on an unknown value."""
