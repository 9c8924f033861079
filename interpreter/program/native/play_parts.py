"""Many plays in parts, which threads take one after another."""

from __future__ import annotations

from threading import Lock

FIRST = 16
"""The plays of the first parts, by which it is measured how long a play takes."""
SECONDS = 0.5
"""The time that a part should take: after it better code may play, and Ctrl-C is noticed."""


class PlayParts:
    """Divides a number of plays. Several threads may use one object."""

    def __init__(self, count: int, threads: int) -> None:
        self._lock, self._first, self._count, self._wanted = Lock(), 0, count, FIRST
        self._shares = 1 if threads == 1 else 2 * threads

    def take(self) -> range:
        """Return the numbers of the plays of the next part; none at the end."""
        with self._lock:
            # Guided self-scheduling (Polychronopoulos and Kuck, 1987): parts become smaller towards the end, so that
            # no thread is idle while another one plays a long last part.
            fair = -(-(self._count - self._first) // self._shares)
            part = range(self._first, self._first + min(self._wanted, fair))
            self._first = part.stop
        return part

    def took(self, size: int, seconds: float) -> None:
        """Adapt the size of the next parts to the seconds that a part of this size took."""
        self._wanted = max(1, int(size * SECONDS / max(seconds, 1e-6)))

    def stop(self) -> None:
        """Return no more parts."""
        with self._lock:
            self._first = self._count
