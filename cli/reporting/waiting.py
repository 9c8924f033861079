"""Progress of long work without steps: at a terminal, a line that counts the seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, TypeVar

from ludex.grammar import Message

from .output_language import language, translated
from .terminal import has_moving_lines, overwrite

Item = TypeVar("Item")
Result = TypeVar("Result")

TICK = 0.25
"""The seconds between two looks at the clock."""
_LONG = 2
"""The seconds that anything may take without a line about it."""


def with_waiting_times(items: Iterable[Item], entry: str, bar: Any = None) -> Iterator[Item]:
    """Yield the items; at a terminal, show how long each takes that takes long.

    entry: of the catalogue, with an argument `seconds`. bar: the progress bar of the items, if they have one; the entry
    is then its label.
    """
    if not has_moving_lines():
        yield from items
        return
    watch, source = _Watch(entry, bar), iter(items)
    try:
        while True:
            watch.begin()
            try:
                item = next(source)
            except StopIteration:
                return
            finally:
                watch.end()
            yield item
    finally:
        watch.close()


def patiently(entry: str, function: Callable[[], Result]) -> Result:
    """Return the result of a function; at a terminal, show how long it takes."""
    (result,) = with_waiting_times((each() for each in (function,)), entry)
    return result


class _Watch:
    """Looks at the clock in a thread of its own, which draws only between `begin` and `end`."""

    def __init__(self, entry: str, bar: Any) -> None:
        # The thread has no context of the command, which says its language.
        self._entry, self._bar, self._language = entry, bar, language()
        self._label = bar.label if bar is not None else ""
        self._since: float | None = None
        self._shown = 0
        self._lock, self._closed = Lock(), Event()
        Thread(target=self._look, daemon=True).start()

    def begin(self) -> None:
        with self._lock:
            self._since = monotonic()

    def end(self) -> None:
        with self._lock:
            self._since = None
            if self._shown:
                self._draw("")
            self._shown = 0

    def close(self) -> None:
        self._closed.set()

    def _look(self) -> None:
        while not self._closed.wait(TICK):
            with self._lock:
                seconds = 0 if self._since is None else int(monotonic() - self._since)
                # An unchanged line would flicker if it were drawn again.
                if seconds >= _LONG and seconds != self._shown:
                    self._shown = seconds
                    self._draw(translated(Message(self._entry, seconds=seconds), self._language))

    def _draw(self, line: str) -> None:
        if self._bar is None:
            overwrite(line)
        else:
            self._bar.label = line or self._label
            self._bar.render_progress()
