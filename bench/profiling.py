"""Profiles: the functions that take most of the time themselves."""

from __future__ import annotations

import pstats
from collections.abc import Callable
from cProfile import Profile
from io import StringIO
from time import process_time

from .work import Plays


def hot_spots(name: str, lines: int, seconds: float) -> str:
    """Return the profile of random playouts of the game, then that of validating its logs.

    seconds: for each of the two.
    """
    plays = Plays(name)
    parts = [("random playouts", plays.playout), ("validating", plays.validate)]
    return "\n".join(f"{name}: {title}\n{_profile(work, lines, seconds)}" for title, work in parts)


def _profile(work: Callable[[], int], lines: int, seconds: float) -> str:
    work()
    profile, events, end = Profile(), 0, process_time() + seconds
    while process_time() < end:
        events += profile.runcall(work)
    written = StringIO()
    stats = pstats.Stats(profile, stream=written).strip_dirs().sort_stats("tottime")
    stats.print_stats(lines)
    rows = [row for row in written.getvalue().splitlines() if row.strip()]
    return f"  {events} events\n" + "\n".join(rows[rows.index(next(row for row in rows if "ncalls" in row)) :]) + "\n"
