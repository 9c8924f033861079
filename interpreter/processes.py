"""Work given to other processes."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager

FRESH, YOUNG, OLD = 20_000, 10, 5
"""Python looks for garbage that holds itself after so many new objects, among older ones after so many such times."""


def leave_interrupts() -> None:
    """For a process that works for another one. What comes from the terminal (Ctrl-C, that it is closed) is for that,
    which ends the others; when it is told to end, it ends them too."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows knows no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Meanwhile garbage that holds itself is looked for less often: where many small values are made and soon let go,
    as in play, there is hardly any, and looking for it takes a fifth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(FRESH, YOUNG, OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
