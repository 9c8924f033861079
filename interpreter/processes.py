"""Worker processes, which end with the process that started them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


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
def worker_processes(jobs: int, start: Callable[..., None] | None = None, *args: Any) -> Iterator[ProcessPoolExecutor]:
    """Make a pool of worker processes, which end with the block: at once if an exception ends it.

    They end with this process, too, however it ends. start: called in each of them first, with the other arguments.
    """
    from concurrent.futures import ProcessPoolExecutor  # loading it takes long
    from multiprocessing import active_children

    # Processes that somebody else started must not be ended with this pool.
    others = active_children()
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(start, args)) as pool:
        try:
            yield pool
        except BaseException:  # the pool would wait for running tasks, which may take minutes
            for process in active_children():
                if process not in others:
                    process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _start(start: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
    from threading import Thread

    leave_interrupts()
    # A thread does this, since the worker itself may be in a task for minutes.
    Thread(target=_end_with_parent, daemon=True).start()
    if start is not None:
        start(*args)


def _end_with_parent() -> None:
    """End this process when its parent was killed: the pool's pipes do not show it, as its siblings hold them open."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
