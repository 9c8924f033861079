"""Start-up time: how long a command takes in a process of its own.

cold: with an empty cache folder, as after an installation. Byte code and the tables of the grammar are kept; a working
tree has no tables, so that the first run makes them. warm: any later run. (The system's file cache is warm in both.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from ludex.spec import find, shown_path

KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of wall-clock time and of CPU time."""

    wall: float
    cpu: float


def commands(game: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands measured for a game: a check, and the validation of its longest log."""
    yield "check", game
    logs = sorted((find(game).parent / "logs").glob("*.jsonl"), key=lambda each: each.stat().st_size)
    if logs:
        yield "validate", shown_path(logs[-1])


def ludex(arguments: Sequence[str], repeats: int) -> tuple[Taken, Taken]:
    """Return the times of cold and warm starts of a command, from the project's root."""
    command = [sys.executable, "-m", "ludex", *arguments]
    with TemporaryDirectory() as folder:
        kept = Path(folder)
        own = environment(kept)
        # Byte code is compiled before the clock starts, and is not in the folder that is removed.
        _run(command, own)
        cold = []
        for _ in range(repeats):
            shutil.rmtree(kept / KEPT, ignore_errors=True)
            cold.append(_run(command, own))
        warm = [_run(command, own) for _ in range(repeats)]
    return _median(cold), _median(warm)


def bare(repeats: int) -> Taken:
    """Return the time of Python alone."""
    return _median([_run([sys.executable, "-c", "pass"], os.environ) for _ in range(repeats)])


def environment(folder: Path) -> dict[str, str]:
    """Return an environment with byte code and Ludex's cache in the folder."""
    kept, code = str(folder / KEPT), str(folder / "code")
    # With the one, every start would compile all modules again; the other would replace the folder measured here.
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "LUDEX_CACHE")}
    return {**own, "PYTHONPYCACHEPREFIX": code, "XDG_CACHE_HOME": kept, "LOCALAPPDATA": kept, "NO_COLOR": "1"}


def _run(command: list[str], own: Mapping[str, str]) -> Taken:
    before, started = os.times(), perf_counter()
    done = subprocess.run(command, env=own, capture_output=True, check=False)
    wall, after = perf_counter() - started, os.times()
    # Findings are not a failure.
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command[1:])} ended with {done.returncode}:\n{done.stderr.decode()}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Taken(wall, used)


def _median(runs: list[Taken]) -> Taken:
    return Taken(median(run.wall for run in runs), median(run.cpu for run in runs))
