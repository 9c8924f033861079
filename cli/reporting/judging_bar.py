"""The progress bar of many logs: by the bytes that were read, or, where nobody knows how many there are, a count."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import click

from .output_language import words
from .terminal import has_moving_lines, overwrite


class JudgingBar:
    """A bar for logs. size: of all files in bytes; None if nobody knows."""

    def __init__(self, bar: Any, size: int | None) -> None:
        self._bar, self._size = bar, size
        self._logs = self._place = 0

    def advance(self, logs: int, place: int) -> None:
        """Count logs, and show that the files are read up to this byte."""
        self._logs += logs
        if self._size is None:
            self._bar.update(logs)
            return
        # A log after the first one of its file may end where the reader already was.
        self._bar.update(max(0, place - self._place), words("count-logs", count=self._logs))
        self._place = max(self._place, place)

    @property
    def label(self) -> str:
        return str(self._bar.label)

    @label.setter
    def label(self, label: str) -> None:
        self._bar.label = label

    def render_progress(self) -> None:
        self._bar.render_progress()


@contextmanager
def judging_progress(size: Callable[[], int | None], is_seldom: bool) -> Iterator[JudgingBar | None]:
    """Show a progress bar at a terminal; none where reports go there all the time.

    size: returns how many bytes all files have; None if nobody knows. is_seldom: few reports are printed, or none.
    """
    if not has_moving_lines() or not (is_seldom or not sys.stdout.isatty()):
        yield None
        return
    total = size() or None
    # Where the size is known, the bar also says when it will be done.
    bar: Any = (
        click.progressbar(count(), label=words("report-bar"), file=sys.stderr, show_pos=True)
        if total is None
        else click.progressbar(
            length=total, label=words("report-bar"), file=sys.stderr, item_show_func=lambda logs: logs
        )
    )
    with bar:
        yield JudgingBar(bar, total)


@contextmanager
def beside_bar(bar: JudgingBar | None) -> Iterator[None]:
    """Print something where a bar may be on the terminal."""
    is_between = bar is not None and sys.stdout.isatty()
    if is_between:
        overwrite("")
    yield
    if bar is not None and is_between:
        bar.render_progress()
