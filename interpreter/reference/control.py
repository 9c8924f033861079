"""Control of a run: its mode, what a statement returns to it, and the exceptions that stop it before its next event."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from ..state.events import SpecFault


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode of a run: its purpose, and how much it knows.

    Attributes:
        is_partial: some of its contents are unknown.
        is_public: everything that not everybody sees is unknown.
        is_trial: it only tests whether a requirement fails before the next event; a decision counts as an event as soon
            as the leading requirements of an option hold.
        is_probe: it stops at the first decision, even one without options.
    """

    is_partial: bool = False
    is_public: bool = False
    is_trial: bool = False
    is_probe: bool = False

    def knowing_as_little_as(self, other: Mode) -> Mode:
        """Return this mode with what is unknown in either."""
        return replace(
            self,
            is_partial=self.is_partial or other.is_partial,
            is_public=self.is_public or other.is_public,
        )


PLAYED = Mode()
"""A run that plays a legal event, with all that is known."""


class Next(Enum):
    """Continuation of a run: the current statement of the innermost frame begins, is done, or waits for an event."""

    BEGIN = "begin"
    DONE = "done"
    WAIT = "wait"


class RequirementFault(SpecFault):
    """Raised where a requirement after an event fails: it makes the move just taken illegal, and is a fault of the
    spec if none was taken, or if the trial of the move ended before."""

    path: str


class UndeterminedFlow(Exception):
    """Raised where control flow depends on an unknown value."""
