"""Use analysis: which declarations and parts of a spec are read. Checks report the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ludex.grammar import Diagnostic

from .. import spec_codes
from ..table_checks import TableCheck
from .scope import RoutineSlots

MUST_BE_USED = {"let": "name", "state": "state", "parameter": "parameter", "random": "outcome"}
"""The kinds of local names that are reported if nothing reads them, with their words.

A choice of a player or a loop variable may be unread: the move or the repetition has an effect by itself."""


@dataclass(slots=True)
class Uses:
    """The declarations and parts that have been read so far.

    Attributes:
        read: the types, columns and words, as `kind name`.
        calls: pairs of a user (a define; None for a rule) and a used function.
        frames: those of all routines, facts and defines, which say which local names are read.
    """

    read: set[str] = field(default_factory=set)
    calls: set[tuple[str | None, str]] = field(default_factory=set)
    frames: list[RoutineSlots] = field(default_factory=list)

    def unread(self) -> Iterator[TableCheck]:
        """Yield checks of local names: whether anything reads them; of local states, whether a step changes them."""
        for frame in self.frames:
            for variable in frame.variables:
                if what := MUST_BE_USED.get(variable.kind):
                    message = f"nothing uses the {what} `{variable.name}`"
                    unread = variable.slot not in frame.read
                    yield TableCheck(Diagnostic(spec_codes.UNUSED, message, variable.span), unread)
                if variable.kind == "state":
                    message = f"no step ever changes the state `{variable.name}`: it keeps its first value"
                    unchanged = variable.slot in frame.read and variable.slot not in frame.written
                    yield TableCheck(Diagnostic(spec_codes.NEVER_CHANGED, message, variable.span), unchanged)
