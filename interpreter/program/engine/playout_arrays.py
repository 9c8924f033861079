"""Results of many random plays as arrays: NumPy's where it is installed, else those of the standard library."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from ...generator import checked_word


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of random plays to the end. The arrays are NumPy's where it is installed, else those of the standard
    library.

    Attributes:
        points: of every seat: a row for each play; without NumPy play after play.
        winners: a bit mask of seats for each play.
        events: the number of events of each play.
        stopped: how many plays native code could not finish, so that the engine in Python played them, by reason.
    """

    players: int
    points: Any
    winners: Any
    events: Any
    stopped: Mapping[str, int] = field(default_factory=dict)

    @property
    def replayed(self) -> int:
        """The number of plays that the engine in Python played."""
        return sum(self.stopped.values())


def checked_threads(threads: object) -> int | None:
    """Return the number of threads; raise TypeError unless it is a whole number, ValueError below 1."""
    if threads is not None and checked_word(threads, "threads") < 1:
        raise ValueError("`threads` must be at least 1, or None for one thread for each core")
    return threads  # type: ignore[return-value] # a whole number


def playouts_of(
    players: int, points: Any, winners: Any, events: Any, stopped: Mapping[str, int] = MappingProxyType({})
) -> Playouts:
    """Return the results of plays. points: play after play; NumPy's array gets a row for each play."""
    rows = points if isinstance(points, array) else points.reshape(len(events), players)
    return Playouts(players, rows, winners, events, stopped)


def array_of(values: array[int]) -> Any:
    """Return NumPy's view of the same memory, where NumPy is installed."""
    if find_spec("numpy") is None:
        return values
    import numpy as np

    return np.frombuffer(values, dtype=values.typecode)


def zeros(count: int) -> Any:
    """Return an array of whole numbers. NumPy's gets its memory page by page, from the threads that write it."""
    if find_spec("numpy") is None:
        return array("q", [0]) * count
    import numpy as np

    return np.zeros(count, dtype=np.int64)
