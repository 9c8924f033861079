"""Cache of checked games in the user's cache folder, valid as long as their files have not changed.

Reading and checking a long game takes a second; reading it from the cache takes some hundredths of a second.

The name of an entry is a digest of the request and of Ludex's own code; the entry holds a digest of each file that the
result depends on. A game with faults is not cached. `ludex.grammar.files.cache` says which entries are trusted.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ludex.grammar import Diagnostic, cache_folder, code_digest, keep, kept, prune, rebuilt_value, used

from ..budget import DEFAULT_BUDGET, Budget
from .folder import Folder
from .overviews import Overview, overview_of
from .paths import locate, shown_path
from .request import Request

if TYPE_CHECKING:
    from .. import model as m
    from .game_text import GameText

_MOST_BYTES = 64 * 1024 * 1024
"""The size of the cache; beyond it, the least recently used entries go. The longest game takes 0.6 MB a table."""

Result = TypeVar("Result")


def load(
    name_or_path: str | Path,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    silence: str = "borrow",
    budget: Budget = DEFAULT_BUDGET,
) -> m.Game:
    """Return the checked game for one table, from the cache if it is there.

    Args:
        name_or_path: a shipped game's name, or the path of a game's folder or file.
        players: how many play; by default the least number that the game allows.
        edition: the siglum of the text that is played; by default the first that the game file names.
        options, readings: by name, where they differ from the defaults; option values as in a log (`6`, `"mixed"`).
        silence: `borrow` or `literal`: whether clauses that this text does not state are taken from the other texts.
        budget: how much work the spec may need, when it is read and when it is played.

    Raises Failure, with diagnostics, if there is no such game or it has errors.
    """
    return OpenGame(name_or_path, budget).load(Request(players, edition, silence, options or {}, readings or {}))


def overview(name_or_path: str | Path) -> tuple[Overview, tuple[Diagnostic, ...]]:
    """Return the overview of a game (names, texts, settings), and the diagnostics of reading it. Raises Failure as
    `load` does."""
    return OpenGame(name_or_path).overview()


class OpenGame:
    """The files of a game, each of which is read and parsed at most once.

    Its constructor raises Failure, with diagnostics, if there is no such game; its methods, if the game has errors."""

    def __init__(self, name_or_path: str | Path, budget: Budget = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self._located = locate(name_or_path)

    @cached_property
    def text(self) -> GameText:
        """The parsed files of the game."""
        from .game_text import read_game

        return read_game(self._located, self.budget)

    def load(self, request: Request) -> m.Game:
        """Return the checked game for one table."""
        from .packed_games import packed, unpacked_game

        def make(text: GameText) -> m.Game:
            from .loader import build

            return build(text, request).playable()

        return self._cached(asdict(request), make, packed, unpacked_game)

    def overview(self) -> tuple[Overview, tuple[Diagnostic, ...]]:
        """Return the overview of the game, and the diagnostics of reading it."""
        faults: list[Diagnostic] = []

        def make(text: GameText) -> Overview:
            faults.extend(text.diagnostics)
            return overview_of(text)

        def write(result: Overview) -> Any:
            return None if faults else asdict(result)

        overview = self._cached("overview", make, write, partial(rebuilt_value, Overview))
        return overview, tuple(faults)

    def faults(
        self,
        question: Any,
        check: Callable[[GameText], tuple[Diagnostic, ...]],
        beside: Callable[[GameText], Sequence[str]] = lambda _: (),
    ) -> tuple[Diagnostic, ...]:
        """Return the faults that a check finds. Only the result that there are none is cached.

        question: names the check, as JSON data. beside: further files that the check reads, as paths in the folder."""

        def write(diagnostics: tuple[Diagnostic, ...]) -> Any:
            return None if diagnostics else "none"

        def read(data: Any) -> tuple[Diagnostic, ...]:
            assert data == "none"
            return ()

        return self._cached(["faults", question], check, write, read, beside)

    def _cached(
        self,
        question: Any,
        make: Callable[[GameText], Result],
        write: Callable[[Result], Any],
        read: Callable[[Any], Result],
        beside: Callable[[GameText], Sequence[str]] = lambda _: (),
    ) -> Result:
        """Return the cached answer to a question about the game; else make it and cache it.

        write: returns a result as JSON data, or None if it must not be cached. read: the inverse of `write`."""
        place = _place(self._located.file, [question, asdict(self.budget)])
        entry = kept(place, partial(_read, place.name, self._located.folder, read)) if place else None
        if place and entry is not None:
            used(place)
            return entry
        result = make(self.text)
        if place:
            try:
                data = write(result)
            except RecursionError:  # a tree that is nested more deeply than `write` can follow is not cached
                data = None
            if data is not None:
                files = _digests(self._located.folder, (*self.text.component_names, *beside(self.text)))
                keep(place, {"place": place.name, "from": files, "made": data})
                prune(place.parent, _MOST_BYTES)
                _remember(result, place.name, files)
        return result


_IDENTITIES: dict[int, tuple[weakref.ref[Any], str]] = {}
# The key is `id(game)`, since a game holds dictionaries and cannot be hashed; the weak reference shows whether the game
# of this id is still the same object.


def _remember(result: object, name: str, files: Mapping[str, str]) -> None:
    """Remember the identity of a result: the name of its entry, which is the question, and the digests of its files."""
    number = id(result)
    with suppress(TypeError):  # results without weak references, such as tuples, have no identity
        gone = weakref.ref(result, lambda _: _IDENTITIES.pop(number, None))
        _IDENTITIES[number] = gone, sha256(json.dumps([name, files], sort_keys=True).encode()).hexdigest()


def identity(game: m.Game) -> str | None:
    """Return a digest that no game with other content has; None for a game that is not cached.

    Caches of what is computed from a game use it as their key."""
    known = _IDENTITIES.get(id(game))
    # The number of an object may be used again once it is gone.
    return known[1] if known and known[0]() is game else None


def _read(name: str, folder: Folder, read: Callable[[Any], Result], data: Any) -> Result | None:
    """Return the result of an entry, or None if it answers another question or its files have changed."""
    if data["place"] != name or not _is_as_it_was(data["from"], folder):
        return None
    result = read(data["made"])
    _remember(result, name, data["from"])
    return result


def _place(file: Path, question: Any) -> Path | None:
    """Return the path of the entry for a question; None if there is no cache, or if the question has no JSON form."""
    folder = cache_folder()
    try:
        # Spans in a result hold the path of the file as it was given and as reports show it, so both are in the key.
        key = json.dumps([str(file), os.path.abspath(file), shown_path(file), question], sort_keys=True)  # noqa: PTH100 - a link stays
    # Options that a program gives may be anything, and the working directory may be gone.
    except (TypeError, ValueError, RecursionError, OSError):
        return None
    name = sha256(f"{code_digest('grammar', 'spec')} {key}".encode()).hexdigest()[:32]
    return folder / "games" / name if folder else None


# ---- what a game is made from -----------------------------------------------------------------------------------


def _digests(folder: Folder, names: Sequence[str]) -> dict[str, str]:
    """Return the digests, by path, of all specs in a folder and of the named files, even of those that do not exist."""
    return {str(path): folder.digest(path) for path in (*folder.specs, *(folder.path / name for name in names))}


def _is_as_it_was(files: Mapping[str, str], folder: Folder) -> bool:
    """Return whether all these files still have their digests, and the folder holds no other spec."""
    # A spec that has appeared beside the others may be a part of the game.
    here = set(map(str, folder.specs))
    return here <= files.keys() and all(folder.digest(Path(path)) == digest for path, digest in files.items())
