"""Set-up of worker processes and of the garbage collector."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager

FRESH, YOUNG, OLD = 20_000, 10, 5
"""Thresholds of Python's garbage collector, by generation."""


def leave_interrupts() -> None:
    """Ignore Ctrl-C and SIGHUP in a worker process, and die of SIGTERM.

    The terminal signals every process of its group. The parent handles the signal and terminates its workers; if they
    handled it too, each would print a traceback of its own.
    """
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows knows no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the garbage collector less often inside the block.

    Play makes many small values and hardly any cycles; looking for cycles at Python's default rate takes a fifth of the
    time.
    """
    before = gc.get_threshold()
    gc.set_threshold(FRESH, YOUNG, OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
