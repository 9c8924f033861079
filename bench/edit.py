"""The time from an edit to play: from a checked game to its first event, in the Python tier.

No part of an earlier program is used again, so an edited clause takes as long as a new game. `first` is the first such
start of a process, which also imports the code that lowers games; `again` is a later one in the same process. Byte code
is kept, as an installation keeps it: `PYTHONDONTWRITEBYTECODE` would add the compilation of 13 modules to `first`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from ludex.interpreter import Engine, Generator
from ludex.spec import load
from ludex.spec import model as m

from .measure import Effort, figure, table
from .start import environment

AGAIN = 5
"""The number of later starts that each process measures; the least counts, since each leaves garbage to the next."""


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    measured = []
    with TemporaryDirectory() as folder:
        own = environment(Path(folder))
        for name in games:
            # Byte code is compiled before the clock starts.
            _, *runs = (_measured(name, own) for _ in range(effort.repeats + 1))
            measured.append([name, *(figure(median(column)) for column in zip(*runs, strict=True))])
    yield from table("edit: from a checked game to its first event, CPU milliseconds", ["", "first", "again"], measured)


def _measured(name: str, own: Mapping[str, str]) -> tuple[float, ...]:
    """Return the times of both kinds in a process of its own."""
    command = [sys.executable, "-m", "bench.edit", name]
    done = subprocess.run(command, env=own, capture_output=True, check=True, text=True)
    return tuple(map(float, done.stdout.split()))


def started(game: m.Game) -> float:
    """Return the milliseconds that it takes to make an engine and to play its first event."""
    begin = process_time()
    engine = Engine(game)
    state = engine.start()
    drawn = engine.drawn(state, Generator(0))
    assert drawn is not None, "the first event of each shipped game can be drawn by its number"
    engine.follow(state, drawn)
    return 1000 * (process_time() - begin)


if __name__ == "__main__":
    game = load(sys.argv[1])
    print(started(game), min(started(game) for _ in range(AGAIN)))
