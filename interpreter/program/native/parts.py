"""Many plays in parts, which threads take one after another."""

from __future__ import annotations

from threading import Lock

FIRST = 16
"""The plays of the first parts, by which it is measured how long a play takes."""
SECONDS = 0.5
"""How long a part takes: after it better code may play, and Ctrl-C is noticed."""


class PlayParts:
    """Divides a number of plays. Several threads may use one object."""

    def __init__(self, count: int, threads: int) -> None:
        self._lock, self._first, self._count = Lock(), 0, count
        # Four parts for each thread at least, so that none is idle for long while the last parts are played.
        self._most = -(-count // (threads * 4)) or 1
        self._next = min(FIRST, self._most)

    def take(self) -> range:
        """Return the numbers of the plays of the next part; none at the end."""
        with self._lock:
            part = range(self._first, min(self._first + self._next, self._count))
            self._first = part.stop
        return part

    def took(self, size: int, seconds: float) -> None:
        """Let the next parts be as long as they should be. seconds: how long a part of this size took."""
        self._next = max(1, min(self._most, int(size * SECONDS / max(seconds, 1e-6))))

    def stop(self) -> None:
        """Return no more parts."""
        with self._lock:
            self._first = self._count
