"""Work given to other processes."""

from __future__ import annotations

import signal


def leave_interrupts() -> None:
    """For a process that works for another one. Ctrl-C is for that, which has the terminal and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
