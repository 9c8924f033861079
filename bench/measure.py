"""Timing, and tables of figures."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True, slots=True)
class Effort:
    """Bounds of a measurement: the number of repeats, and the least seconds of each."""

    repeats: int
    seconds: float


def per_second(work: Callable[[], int], effort: Effort) -> float:
    """Return the units of work per second of CPU time: the median of several repeats. Each call of `work` returns its
    units.
    """
    work()  # warm up: caches are filled and code is compiled before the clock starts
    return median(_rate(work, effort.seconds) for _ in range(effort.repeats))


def _rate(work: Callable[[], int], seconds: float) -> float:
    units, start = 0, process_time()
    while (passed := process_time() - start) < seconds:
        units += work()
    return units / passed


def machine() -> str:
    """Describe the machine of the measurement."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.system()} on {platform.machine()}, {os.cpu_count()} cores"


def figure(value: float, digits: int = 3) -> str:
    """Format a number with as many digits as are significant, and thousands separators."""
    if value >= 10 ** (digits - 1):
        scale = 10 ** max(0, len(str(int(value))) - digits)
        return f"{round(value / scale) * scale:,}"
    return f"{value:.{digits}g}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows in columns: the first aligned left, figures aligned right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    yield title
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield ("  " + "  ".join(cells)).rstrip()
