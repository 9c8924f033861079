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
    """How often, and how long at least, a thing is measured."""

    repeats: int
    seconds: float


def per_second(work: Callable[[], int], effort: Effort) -> float:
    """How many units the work does in a second of CPU time; each call returns how many it did."""
    work()  # what is made once is made now
    return median(_rate(work, effort.seconds) for _ in range(effort.repeats))


def _rate(work: Callable[[], int], seconds: float) -> float:
    units, start = 0, process_time()
    while (passed := process_time() - start) < seconds:
        units += work()
    return units / passed


def machine() -> str:
    """What the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {platform.system()} on {platform.machine()}, {os.cpu_count()} cores"


def figure(value: float, digits: int = 3) -> str:
    """A number in as many digits as it is worth, thousands parted."""
    if value >= 10 ** (digits - 1):
        scale = 10 ** max(0, len(str(int(value))) - digits)
        return f"{round(value / scale) * scale:,}"
    return f"{value:.{digits}g}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows in columns, the first to the left, figures to the right."""
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    yield title
    for row in (head, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield ("  " + "  ".join(cells)).rstrip()
