"""Trials played in several processes, each kept as soon as it is known, so that a run that is broken off goes on.

What is kept is JSON, and read again as the data class that it was; its name is a digest of all that it hangs on: both
games' files, the limits, the seed, and the code of Ludex itself. To know the games' fingerprints would mean to build
them, which takes longer than anything else of a repeated run.
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
from .row_result import Limits, Played

if TYPE_CHECKING:
    from .row_search import Table, Tell


def kept_games() -> Path | None:
    """Where what was played is kept by default: in the user's own cache. None where there is no such place."""
    folder = cache_folder()
    return folder / "played" if folder else None


def play_all(
    trials: Sequence[RowPair],
    limits: Limits,
    seed: int = 0,
    jobs: int = 1,
    folder: Path | None = None,
    tell: Tell | None = None,
) -> Iterator[tuple[RowPair, Played]]:
    """Play every trial; each is given as soon as it is known, in any order.

    Args:
        jobs: so many processes; with one all is done here.
        folder: where it is kept and looked up (see `kept_games`); nowhere, if not given.
        tell: its words must tell all that its results hang on besides the games (`repr`).
    """
    names = _Names(limits, seed, tell) if folder else None
    paths = [folder / names.of(trial) if folder and names else None for trial in trials]
    open_: list[int] = []
    for at, path in enumerate(paths):
        known = kept(path, partial(rebuilt, Played)) if path else None
        if known is None:
            open_.append(at)
        else:
            yield trials[at], known
    if not open_:
        return
    from .row_search import Table  # and with it the engine

    for at, found in _made(trials, open_, Table(limits, seed, tell), min(jobs, len(open_))):
        path = paths[at]
        if path is not None:
            keep(path, asdict(found))
        yield trials[at], found


def _made(trials: Sequence[RowPair], places: Sequence[int], table: Table, jobs: int) -> Iterator[tuple[int, Played]]:
    if jobs < 2:
        yield from ((at, table.play(trials[at])) for at in places)
        return
    others = active_children()
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(trials, table)) as pool:
        futures: dict[Future[Played], int] = {pool.submit(_played, at): at for at in places}
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


_task: tuple[Sequence[RowPair], Table] | None = None
"""In a process that plays for another one: what it was started with, which no file carries to it."""


def _start(trials: Sequence[RowPair], table: Table) -> None:
    global _task  # noqa: PLW0603 - the only way in which a process of a pool keeps what its initializer is given
    leave_interrupts()
    _task = trials, table


def _played(at: int) -> Played:
    assert _task is not None
    trials, table = _task
    return table.play(trials[at])


# ---- names of what is kept --------------------------------------------------------------------------------------


class _Names:
    """Digests of trials. limits, seed, tell: of all of them."""

    def __init__(self, limits: Limits, seed: int, tell: Tell | None) -> None:
        self._base = f"{code_digest()} {limits} {seed} {tell}"
        self._texts: dict[int, str] = {}

    def of(self, trial: RowPair) -> str:
        games = (self._game(*each) for each in (trial.left, trial.right))
        rest = trial.name, trial.pair, sorted(trial.speaks_of), trial.exhaustive
        return _digest(self._base, *games, repr(rest))[:32]

    def _game(self, text: GameText, request: Request) -> str:
        if id(text) not in self._texts:
            self._texts[id(text)] = _digest_of(text)
        return f"{self._texts[id(text)]} {request}"


def _digest_of(text: GameText) -> str:
    """Of all files of a game."""
    return _digest(*(file.text for file in text.files), *text.component_texts.values())


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
