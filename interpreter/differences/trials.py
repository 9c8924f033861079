"""Trials played in several processes, with a cache on disk, so that an interrupted run can be resumed.

A result is stored as JSON, and read back as its data class. Its file name is a digest of all that it depends on: both
games' files, the limits, the seed, and the code of Ludex itself. (A digest of the built games would need building them,
which takes longer than everything else in a repeated run.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from multiprocessing import active_children
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import cache_folder, code_digest, keep, kept, rebuilt
from ludex.spec import GameText, Request, RowPair

from ..processes import leave_interrupts
from .row_result import Limits, RowResult

if TYPE_CHECKING:
    from .row_search import Tell, TrialPlayer


def kept_games() -> Path | None:
    """Return the default folder of the cache, in the user's own cache folder; None if there is no such place."""
    folder = cache_folder()
    return folder / "played" if folder else None


def play_all(
    trials: Sequence[RowPair],
    limits: Limits,
    seed: int = 0,
    jobs: int = 1,
    folder: Path | None = None,
    tell: Tell | None = None,
) -> Iterator[tuple[RowPair, RowResult]]:
    """Play every trial; each is yielded as soon as it is done, in any order.

    Args:
        jobs: number of processes; with one, all is done here.
        folder: of the cache (see `kept_games`); None: nothing is stored.
        tell: is called for each witness; its `repr` must contain all that its results depend on besides the games.
    """
    names = _Names(limits, seed, tell) if folder else None
    paths = [folder / names.of(trial) if folder and names else None for trial in trials]
    open_: list[int] = []
    for at, path in enumerate(paths):
        known = kept(path, partial(rebuilt, RowResult)) if path else None
        if known is None:
            open_.append(at)
        else:
            yield trials[at], known
    if not open_:
        return
    from .row_search import TrialPlayer  # and with it the engine

    for at, result in _made(trials, open_, TrialPlayer(limits, seed, tell), min(jobs, len(open_))):
        path = paths[at]
        if path is not None:
            keep(path, asdict(result))
        yield trials[at], result


def _made(
    trials: Sequence[RowPair], places: Sequence[int], table: TrialPlayer, jobs: int
) -> Iterator[tuple[int, RowResult]]:
    if jobs < 2:
        yield from ((at, table.play(trials[at])) for at in places)
        return
    others = active_children()
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(trials, table)) as pool:
        futures: dict[Future[RowResult], int] = {pool.submit(_played, at): at for at in places}
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


_task: tuple[Sequence[RowPair], TrialPlayer] | None = None
"""In a worker process: the arguments it was started with, which no pickle carries."""


def _start(trials: Sequence[RowPair], table: TrialPlayer) -> None:
    global _task  # noqa: PLW0603 - the only way in which a process of a pool keeps what its initializer is given
    leave_interrupts()
    _task = trials, table


def _played(at: int) -> RowResult:
    assert _task is not None
    trials, table = _task
    return table.play(trials[at])


# ---- names of what is kept --------------------------------------------------------------------------------------


class _Names:
    """File names of trials. limits, seed, tell: those of all of them."""

    def __init__(self, limits: Limits, seed: int, tell: Tell | None) -> None:
        self._base = f"{code_digest()} {limits} {seed} {tell}"
        self._texts: dict[int, str] = {}

    def of(self, trial: RowPair) -> str:
        games = (self._game(*each) for each in (trial.left, trial.right))
        rest = trial.name, trial.pair, sorted(trial.names), trial.exhaustive
        return _digest(self._base, *games, repr(rest))[:32]

    def _game(self, text: GameText, request: Request) -> str:
        if id(text) not in self._texts:
            self._texts[id(text)] = _digest_of(text)
        return f"{self._texts[id(text)]} {request}"


def _digest_of(text: GameText) -> str:
    """Digest all files of a game."""
    return _digest(*(file.text for file in text.files), *text.component_texts.values())


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
