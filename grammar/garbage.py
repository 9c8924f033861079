"""Garbage collection: the cyclic collector runs seldom while many objects but hardly any cycles are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SELDOM = (100_000, 10, 5)
"""Thresholds of the collector inside `seldom_collecting`, by generation: some ten megabytes of new objects at once.

At Python's own thresholds, looking for cycles takes a fifth of the time of play, and a third of lowering a game.
"""

MANY_OBJECTS = 10_000
"""After a block that leaves more new objects than this, they are searched for cycles once, and count as old from then
on. By itself the collector would soon search them twice, as new objects and as those of the middle generation."""


class _Blocks:
    """The blocks under way, of all threads: the thresholds are of the process."""

    def __init__(self) -> None:
        self._lock, self._count, self._before = Lock(), 0, gc.get_threshold()

    def enter(self) -> None:
        with self._lock:
            if self._count == 0:
                self._before = gc.get_threshold()
                gc.set_threshold(*SELDOM)
            self._count += 1

    def leave(self) -> None:
        # Only the last one restores: blocks of two threads need not end in the order in which they began.
        with self._lock:
            self._count -= 1
            if self._count == 0:
                gc.set_threshold(*self._before)
        # This runs without the lock, since what is collected may end a block in turn.
        if self._count == 0 and gc.isenabled() and gc.get_count()[0] > MANY_OBJECTS:
            gc.collect(1)


_BLOCKS = _Blocks()


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the cyclic garbage collector less often until the block ends. Blocks may nest, and be of several threads."""
    _BLOCKS.enter()
    try:
        yield
    finally:
        _BLOCKS.leave()
