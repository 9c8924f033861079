"""Fully optimised code, which another process compiles while lighter code plays.

LLVM runs in a process of its own since llvmlite lets one thread at a time into LLVM, and since a thread inside LLVM
would delay the end of this process, and keep its memory. That process stores the code in the cache, from which this one
loads it, as any other does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from weakref import finalize

from ...processes import leave_interrupts
from .cache import cached, file_of, forget_code, lookup
from .compiling import Level, affordable, compiled
from .program_text import NativeSource, split_object

COMPILED = 3.1e-6
"""The seconds that full optimisation takes for each character of a program's text, on an idle core."""
SHARE = 0.25
"""It begins when native code has run for this share of that time, so that short runs have no cost."""
NICE = 5
"""The priority of the process: of a core that is busy with play it gets a quarter."""
WATCH = 0.5
"""The seconds after which the process notices that its parent is gone."""
COMMAND = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from ludex.interpreter.program.native.background import compile_kept
compile_kept(int(sys.argv[2]), sys.argv[3])
"""


def light(key: str, source: NativeSource) -> bytes:
    """Compile a program as far as its size allows, and store its text for full optimisation, if that is left."""
    level = affordable(len(source.text))
    if level < Level.FULL:
        cached(_text(key), lambda: source.front + source.text.encode())
    return source.compiled(level)


def optimised(key: str) -> str:
    """Return the key of the optimised code of a game."""
    return f"{key} optimised"


def _text(key: str) -> str:
    """Return the key of the text of a game's program."""
    return f"{key} text"


class Background:
    """The fully optimised code of one game, from the time when it is worth while.

    Attributes:
        is_over: whether nothing more will come.
    """

    def __init__(self, key: str, size: int) -> None:
        """key: of the game in the cache; size: of its program's text."""
        self._key = key
        # A text of this size is optimised at once, and without a cache there is no place for the code.
        self.is_over = affordable(size) is Level.FULL or file_of(key) is None
        self._left = size * COMPILED * SHARE
        self._lock, self._owner = Lock(), os.getpid()
        self._process: subprocess.Popen[bytes] | None = None

    def spend(self, seconds: float) -> None:
        """Count time for which lighter code ran."""
        self._left -= seconds

    def code(self) -> bytes | None:
        """Return the code, once: as soon as it is in the cache. Starts the process that makes it when it is due."""
        # One thread is enough, and the others need not wait for it.
        if self.is_over or self._left > 0 or not self._lock.acquire(blocking=False):
            return None
        try:
            return self._awaited()
        finally:
            self._lock.release()

    def _awaited(self) -> bytes | None:
        if self._owner != os.getpid():  # a copy of the process that started the other one
            self._owner, self._process = os.getpid(), None
        if self._process is None:
            code = lookup(optimised(self._key))  # perhaps somebody else has made it meanwhile
            if code is None:
                self._process = self._started()
            self.is_over = self._process is None
            return code
        if self._process.poll() is None:
            return None
        self.is_over = True
        return lookup(optimised(self._key))

    def _started(self) -> subprocess.Popen[bytes] | None:
        """Start the process; return None if that is not possible."""
        # In a frozen application `executable` is the application itself.
        if not sys.executable or hasattr(sys, "frozen"):
            return None
        folders = json.dumps(sys.path, default=str)  # a program may put anything there
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", COMMAND, folders, str(os.getpid()), self._key],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,  # so that Ctrl-C does not reach it
            )
        except OSError:
            return None
        finalize(self, _end, process, os.getpid())
        return process


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End the process: when its engine is gone, or this process ends."""
    if os.getpid() == owner and process.poll() is None:
        process.kill()
        process.wait()


def compile_kept(parent: int, key: str) -> None:
    """Compile the text of a game that is in the cache, as the process that `Background` starts."""
    leave_interrupts()
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    os.nice(NICE)
    with suppress(OSError):
        # Where memory is short, the system ends this process first.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with _alone(key):
        given = lookup(_text(key))
        if given is None or lookup(optimised(key)) is not None:
            return
        text = split_object(given)[2]
        cached(optimised(key), lambda: given.removesuffix(text) + compiled(text.decode(), Level.FULL))
        forget_code(_text(key))


def _end_with(parent: int) -> None:
    """End this process when its parent has ended, however that happened."""
    while os.getppid() == parent:
        sleep(WATCH)
    os._exit(1)


@contextmanager
def _alone(key: str) -> Iterator[None]:
    """Wait until no other process compiles this code: of many that play one game, one compiles it."""
    import fcntl

    file = file_of(key)
    assert file is not None, "without a cache no process is started"
    lock = file.with_suffix(".lock")
    descriptor = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
        lock.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
