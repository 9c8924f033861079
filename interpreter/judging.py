"""All divergences of a comparison judged, on several cores, each kept as soon as it is known."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from ludex.spec import Comparison, GameText

from .differences import Effort, Finding
from .judge import Judge
from .judged_cache import Kept

Progress: TypeAlias = Callable[[Finding, int, int], None]
"""Is told each finding as it is made, how many there are by now, and how many there will be."""


def judge(
    text: GameText,
    comparison: Comparison,
    effort: Effort | None = None,
    workers: int = 1,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Iterator[Finding]:
    """Judge every divergence, in the order of the comparison. The same findings at every run with the same effort,
    unless a search is stopped by the clock.

    Args:
        text: the game whose editions were compared; it must have no errors.
        workers: so many processes; with one all is done here.
        folder: where findings are kept and looked up (see `judged_cache.cache_folder`); nowhere, if not given.
    """
    effort = effort or Effort()
    kept = Kept(folder, text, comparison, effort)
    found: dict[int, Finding] = {}
    total, given = len(comparison.divergences), 0
    for at, finding in _all(text, comparison, effort, workers, kept):
        found[at] = finding
        if progress is not None:
            progress(finding, len(found), total)
        while given in found:
            yield found[given]
            given += 1


def _all(
    text: GameText, comparison: Comparison, effort: Effort, workers: int, kept: Kept
) -> Iterator[tuple[int, Finding]]:
    """Every finding with its place, as it comes."""
    open_: list[int] = []
    for at, divergence in enumerate(comparison.divergences):
        known = kept.get(divergence)
        if known is None:
            open_.append(at)
        else:
            yield at, known
    for at, finding in _made(text, comparison, effort, min(workers, len(open_)), open_):
        kept.put(finding)
        yield at, finding


def _made(
    text: GameText, comparison: Comparison, effort: Effort, workers: int, places: Sequence[int]
) -> Iterator[tuple[int, Finding]]:
    if workers < 2:
        one = Judge.of(text, effort)
        yield from ((at, one.finding(comparison.divergences[at])) for at in places)
        return
    with TemporaryDirectory(prefix="ludex-") as folder, ProcessPoolExecutor(workers) as pool:
        task = Path(folder) / "comparison"
        task.write_bytes(pickle.dumps((text, comparison, effort)))
        futures: dict[Future[Finding], int] = {pool.submit(_judged, str(task), at): at for at in places}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _judged(task: str, at: int) -> Finding:
    """In a process of its own: one finding."""
    one, comparison = _judge_of(task)
    return one.finding(comparison.divergences[at])


@cache
def _judge_of(task: str) -> tuple[Judge, Comparison]:
    """Read once for all that a process judges. The file was written by the process that started this one."""
    text, comparison, effort = pickle.loads(Path(task).read_bytes())  # noqa: S301
    return Judge.of(text, effort), comparison
