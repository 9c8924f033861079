"""All divergences of a comparison judged, on several cores, each kept as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import TypeAlias

from ludex.spec import Comparison, Divergence, GameText, Row

from ..processes import leave_interrupts
from .cache import Kept
from .findings import Effort, Finding
from .judge import Judge

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
        folder: where findings are kept and looked up (see `cache.findings_folder`); nowhere, if not given.
    """
    effort = effort or Effort()
    kept = Kept(folder, text, comparison, effort)
    found: dict[int, Finding] = {}
    total, given = len(comparison.divergences), 0
    for at, finding in _all(text, comparison, effort, workers, kept):
        found[at] = finding
        if progress is not None:
            progress(finding, len(found), total)
        while given in found and (not found[given].through or len(found) == total):
            yield _through_others(found[given], found.values(), comparison)
            given += 1


def _through_others(finding: Finding, found: Collection[Finding], comparison: Comparison) -> Finding:
    """What matters only through other clauses does what they do: their trials exchange it with them."""
    if not finding.through:
        return finding
    paths = set(finding.through)
    others = [each for each in found if paths & _paths(each.divergence) and not each.through]
    agreed = {path for row in comparison.agreements for path in _stated(row)}
    shown = [each for each in others if each.witness is not None]
    if shown:
        best = min(shown, key=lambda each: len(each.witness.lines) if each.witness else 0)
        told = f"{_silent(finding)}; it matters through `{best.divergence.row.clause}`, where a game shows it"
        return replace(finding, effect=best.effect, reason=told, witness=best.witness, bounds=best.bounds)
    if all(each.effect == "none" for each in others) and paths <= agreed.union(*(_paths(e.divergence) for e in others)):
        return replace(finding, effect="none", reason=f"{_silent(finding)}; what rests on it comes to the same")
    return replace(finding, candidate=any(each.candidate for each in others))


def _silent(finding: Finding) -> str:
    return f"{finding.divergence.groups[-1][0]} says nothing of it"


def _paths(divergence: Divergence) -> set[str]:
    """What its clauses are called, in any edition."""
    return {*_stated(divergence.row), *divergence.under}


def _stated(row: Row) -> Iterator[str]:
    return (clause.path for each in (row, *row.together) for clause in each.stated.values())


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
    others = active_children()
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(text, comparison, effort)) as pool:
        futures: dict[Future[Finding], int] = {pool.submit(_judged, at): at for at in places}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:  # nobody waits for what is being searched: it may take minutes
            for process in active_children():
                if process not in others:
                    process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


_task: tuple[Judge, Comparison] | None = None
"""In a process that judges for another one: what it was started with, which no file carries to it."""


def _start(text: GameText, comparison: Comparison, effort: Effort) -> None:
    global _task  # noqa: PLW0603 - the only way in which a process of a pool keeps what its initializer is given
    leave_interrupts()
    _task = Judge.of(text, effort), comparison


def _judged(at: int) -> Finding:
    """In such a process: one finding."""
    assert _task is not None
    one, comparison = _task
    return one.finding(comparison.divergences[at])
