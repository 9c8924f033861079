"""Plays of rows in several processes, with a cache on disk, so that an interrupted run can be resumed.

A result is stored as JSON, and read back as its data class. Its file name is a digest of all that it depends on: both
games' files, the limits, the seed, and the code of Ludex itself. (A digest of the built games would need building them,
which takes longer than everything else in a repeated run.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import cache_folder, code_digest, keep, kept, rebuilt_value
from ludex.spec import GameText, Request, RowPair

from ..processes import worker_processes
from .row_result import RowResult, SearchLimits

if TYPE_CHECKING:
    from .row_search import RowPlayer, StoryTeller


def kept_games() -> Path | None:
    """Return the default folder of the cache, in the user's own cache folder; None if there is none."""
    folder = cache_folder()
    return folder / "played" if folder else None


def play_all(
    rows: Sequence[RowPair],
    limits: SearchLimits,
    seed: int = 0,
    jobs: int = 1,
    folder: Path | None = None,
    teller: StoryTeller | None = None,
) -> Iterator[tuple[RowPair, RowResult]]:
    """Play every row; yield each with its result as soon as it is done, in any order.

    Args:
        jobs: number of processes; with one, all is done here.
        folder: of the cache (see `kept_games`); None: nothing is stored.
        teller: is called for each witness; its `repr` must contain all that its results depend on besides the games.
    """
    names = _Names(limits, seed, teller) if folder else None
    paths = [folder / names.of(row) if folder and names else None for row in rows]
    open_: list[int] = []
    for at, path in enumerate(paths):
        known = kept(path, partial(rebuilt_value, RowResult)) if path else None
        if known is None:
            open_.append(at)
        else:
            yield rows[at], known
    if not open_:
        return
    from .row_search import RowPlayer  # imported late, with the engine: a run from the cache needs neither

    for at, result in _play_open(rows, open_, RowPlayer(limits, seed, teller), min(jobs, len(open_))):
        path = paths[at]
        if path is not None:
            keep(path, asdict(result))
        yield rows[at], result


def _play_open(
    rows: Sequence[RowPair], places: Sequence[int], player: RowPlayer, jobs: int
) -> Iterator[tuple[int, RowResult]]:
    if jobs < 2:
        yield from ((at, player.play(rows[at])) for at in places)
        return
    with worker_processes(jobs, _start, rows, player) as pool:
        futures: dict[Future[RowResult], int] = {pool.submit(_play_in_worker, at): at for at in places}
        for future in as_completed(futures):
            yield futures[future], future.result()


_task: tuple[Sequence[RowPair], RowPlayer] | None = None
"""In a worker process: the rows and the player, given once at its start, so that a task is only a number."""


def _start(rows: Sequence[RowPair], player: RowPlayer) -> None:
    global _task  # noqa: PLW0603 - the only way in which a process of a pool keeps what its initializer is given
    _task = rows, player


def _play_in_worker(at: int) -> RowResult:
    assert _task is not None
    rows, player = _task
    return player.play(rows[at])


# ---- file names in the cache --------------------------------------------------------------------------------------


class _Names:
    """Maker of the rows' file names in the cache. limits, seed, teller: as in `play_all`."""

    def __init__(self, limits: SearchLimits, seed: int, teller: StoryTeller | None) -> None:
        self._base = f"{code_digest()} {limits} {seed} {teller}"
        self._texts: dict[int, str] = {}

    def of(self, row: RowPair) -> str:
        games = (self._game(*each) for each in (row.left, row.right))
        # The names are sorted, since the order of a set changes from process to process.
        rest = row.name, row.pair, sorted(row.names), row.exhaustive
        return _digest(self._base, *games, repr(rest))[:32]

    def _game(self, text: GameText, request: Request) -> str:
        if id(text) not in self._texts:
            self._texts[id(text)] = _digest_of(text)
        return f"{self._texts[id(text)]} {request}"


def _digest_of(text: GameText) -> str:
    """Digest all files of a game."""
    return _digest(*(file.text for file in text.files), *text.component_texts.values())


def _digest(*parts: str) -> str:
    # A separator is needed, or two parts could be divided otherwise and have the same digest.
    return sha256("\0".join(parts).encode()).hexdigest()
