"""Cache of checked games in the user's cache folder, valid as long as their files have not changed.

Reading and checking a long game takes a second; reading it from the cache takes some hundredths.

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

from ludex.grammar import Diagnostic, cache_folder, code_digest, keep, kept, prune, rebuilt, used

from ..budget import DEFAULT_BUDGET, Budget
from .folder import Folder
from .overviews import Overview, overview_of
from .paths import locate, shown_path
from .request import Request

if TYPE_CHECKING:
    from .. import model as m
    from .loader import GameText

MOST_BYTES = 64 * 1024 * 1024
"""So much is kept of all games together; what was used least lately goes. The longest game takes 0.6 MB a table."""

Made = TypeVar("Made")


def load(
    name_or_path: str | Path,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    silence: str = "borrow",
    budget: Budget = DEFAULT_BUDGET,
) -> m.Game:
    """The checked game for one table.

    Args:
        name_or_path: a shipped game's name, or the path of a game's folder or file.
        players: how many sit at the table; the least that the game allows if not given.
        edition: the text that is played, by its siglum; the first that the game file names if not given.
        options, readings: by name, where they differ from the defaults; option values as in a log (`6`, `"mixed"`).
        silence: `borrow` or `literal`: what becomes of a clause that this text does not state.
        budget: how much work the spec may ask for, when it is read and when it is played.

    Raises Failure, carrying diagnostics, if there is no such game or it has faults.
    """
    return OpenGame(name_or_path, budget).load(Request(players, edition, silence, options or {}, readings or {}))


def overview(name_or_path: str | Path) -> tuple[Overview, tuple[Diagnostic, ...]]:
    """What is told of a game before any rule, and the diagnostics of reading it. Raises Failure as `load` does."""
    return OpenGame(name_or_path).overview()


class OpenGame:
    """The files of a game, each of which is read and parsed once, however much is asked of the game.

    Raises Failure, carrying diagnostics, if there is no such game; so do its methods if it has faults."""

    def __init__(self, name_or_path: str | Path, budget: Budget = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self._located = locate(name_or_path)

    @cached_property
    def text(self) -> GameText:
        """Its files, parsed."""
        from .loader import read_game

        return read_game(self._located, self.budget)

    def load(self, request: Request) -> m.Game:
        """The checked game for one table."""
        from .packed_games import packed, unpacked

        def make(text: GameText) -> m.Game:
            from .loader import build

            return build(text, request).playable()

        return self._known(asdict(request), make, packed, unpacked)

    def overview(self) -> tuple[Overview, tuple[Diagnostic, ...]]:
        """What is told of the game before any rule, and the diagnostics of reading it."""
        faults: list[Diagnostic] = []

        def make(text: GameText) -> Overview:
            faults.extend(text.diagnostics)
            return overview_of(text)

        def told(found: Overview) -> Any:
            return None if faults else asdict(found)

        found = self._known("overview", make, told, partial(rebuilt, Overview))
        return found, tuple(faults)

    def faults(
        self, requests: Sequence[Request], check: Callable[[GameText], tuple[Diagnostic, ...]]
    ) -> tuple[Diagnostic, ...]:
        """What is wrong with the game for every table, or for those that are requested: that there was nothing is kept.
        check: works it out."""

        def told(found: tuple[Diagnostic, ...]) -> Any:
            return None if found else "none"

        def read(data: Any) -> tuple[Diagnostic, ...]:
            assert data == "none"
            return ()

        return self._known(["faults", *map(asdict, requests)], check, told, read)

    def _known(
        self,
        asked: Any,
        make: Callable[[GameText], Made],
        told: Callable[[Made], Any],
        read: Callable[[Any], Made],
    ) -> Made:
        """What was asked of the game, as it was kept, else made now, and then kept. told: it as JSON, None if it is not
        to be kept; read: the way back."""
        place = _place(self._located.file, [asked, asdict(self.budget)])
        found = kept(place, partial(_read, place.name, self._located.folder, read)) if place else None
        if place and found is not None:
            used(place)
            return found
        made = make(self.text)
        if place:
            try:
                data = told(made)
            except RecursionError:  # deeper than this way of writing it can follow
                data = None
            if data is not None:
                files = _digests(self._located.folder, self.text.component_names)
                keep(place, {"place": place.name, "from": files, "made": data})
                prune(place.parent, MOST_BYTES)
                _remember(made, place.name, files)
        return made


_IDENTITIES: dict[int, tuple[weakref.ref[Any], str]] = {}


def _remember(made: object, name: str, files: Mapping[str, str]) -> None:
    """To which question this is the answer, and what it was made from."""
    number = id(made)
    with suppress(TypeError):  # what nothing can refer to weakly has no identity
        gone = weakref.ref(made, lambda _: _IDENTITIES.pop(number, None))
        _IDENTITIES[number] = gone, sha256(json.dumps([name, files], sort_keys=True).encode()).hexdigest()


def identity(game: m.Game) -> str | None:
    """A digest that no game with other content has; None where nobody knows one, since the game was not kept. For what
    is worked out from a game as it was read."""
    found = _IDENTITIES.get(id(game))
    return found[1] if found and found[0]() is game else None


def _read(name: str, folder: Folder, read: Callable[[Any], Made], data: Any) -> Made | None:
    """The answer, if it is to this question, and would be the same now."""
    if data["place"] != name or not _is_as_it_was(data["from"], folder):
        return None
    made = read(data["made"])
    _remember(made, name, data["from"])
    return made


def _place(file: Path, asked: Any) -> Path | None:
    """Where the answer is kept; None where nothing is, or what was asked cannot be told apart from something else. The
    places in a game are named as `file` and the folder of the process have it."""
    folder = cache_folder()
    try:
        question = json.dumps([str(file), os.path.abspath(file), shown_path(file), asked], sort_keys=True)  # noqa: PTH100 - a link stays
    except (TypeError, ValueError, RecursionError, OSError):
        return None
    name = sha256(f"{code_digest('grammar', 'spec')} {question}".encode()).hexdigest()[:32]
    return folder / "games" / name if folder else None


# ---- what a game is made from -----------------------------------------------------------------------------------


def _digests(folder: Folder, names: Sequence[str]) -> dict[str, str]:
    """By path, a digest of each spec in a folder, and of the files of these names, also where they do not exist."""
    return {str(path): folder.digest(path) for path in (*folder.specs, *(folder.path / name for name in names))}


def _is_as_it_was(files: Mapping[str, str], folder: Folder) -> bool:
    """Whether all these files have their digests, and no other spec stands in the folder."""
    here = set(map(str, folder.specs))
    return here <= files.keys() and all(folder.digest(Path(path)) == digest for path, digest in files.items())
