"""Games that were read before. As long as nothing has changed that they were made from, they are taken from the user's
cache folder: to read and check a long game takes a second, to take it from there some hundredths.

A file is named after what was asked and after the code that answered, and holds by path a digest of each file that the
answer hangs on. What has faults is not kept. See `ludex.grammar.files.cache` for what is believed at all.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ludex.grammar import Diagnostic, cache_folder, code_digest, keep, kept, prune, read_bytes, rebuilt, used

from ..budget import DEFAULT_BUDGET, Budget
from .overviews import Overview, overview_of
from .paths import SUFFIX, find, shown_path
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
    from .packed_games import packed, unpacked

    request = Request(players, edition, silence, options or {}, readings or {})

    def make(text: GameText) -> m.Game:
        from .loader import build

        return build(text, request).playable()

    return _known(name_or_path, asdict(request), budget, make, packed, unpacked)


def overview(name_or_path: str | Path) -> tuple[Overview, tuple[Diagnostic, ...]]:
    """What is told of a game before any rule, and the diagnostics of reading it. Raises Failure as `load` does."""
    faults: list[Diagnostic] = []

    def make(text: GameText) -> Overview:
        faults.extend(text.diagnostics)
        return overview_of(text)

    def told(found: Overview) -> Any:
        return None if faults else asdict(found)

    found = _known(name_or_path, "overview", DEFAULT_BUDGET, make, told, partial(rebuilt, Overview))
    return found, tuple(faults)


def faults(
    name_or_path: str | Path,
    requests: Sequence[Request],
    budget: Budget,
    check: Callable[[GameText], tuple[Diagnostic, ...]],
) -> tuple[Diagnostic, ...]:
    """What is wrong with a game for every table, or for those that are requested: that there was nothing is kept.

    check: works it out. Raises Failure as `load` does."""

    def told(found: tuple[Diagnostic, ...]) -> Any:
        return None if found else "none"

    def read(data: Any) -> tuple[Diagnostic, ...]:
        assert data == "none"
        return ()

    return _known(name_or_path, ["faults", *map(asdict, requests)], budget, check, told, read)


def _known(
    name_or_path: str | Path,
    asked: Any,
    budget: Budget,
    make: Callable[[GameText], Made],
    told: Callable[[Made], Any],
    read: Callable[[Any], Made],
) -> Made:
    """What was asked of a game, as it was kept, else made now, and then kept. told: it as JSON, None if it is not to be
    kept; read: the way back."""
    file = find(name_or_path)
    place = _place(file, [asked, asdict(budget)])
    found = kept(place, partial(_read, place.name, file.parent, read)) if place else None
    if place and found is not None:
        used(place)
        return found
    from .loader import read_game

    before = _digests(file.parent)
    text = read_game(name_or_path, budget)
    files = _made_from(text)
    made = make(text)
    if (
        place and before.items() <= files.items() and files == _made_from(text)
    ):  # else they changed while they were read
        try:
            data = told(made)
        except RecursionError:  # deeper than this way of writing it can follow
            data = None
        if data is not None:
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


def _read(name: str, folder: Path, read: Callable[[Any], Made], data: Any) -> Made | None:
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


def _made_from(text: GameText) -> dict[str, str]:
    """By path, a digest of each file that a game hangs on, and of those that are not there yet."""
    return _digests(text.folder, *text.component_names)


def _digests(folder: Path, *names: str) -> dict[str, str]:
    """By path, a digest of each spec in a folder, and of what is named besides."""
    return {str(path): _digest(path) for path in (*_specs(folder), *(folder / name for name in names))}


def _is_as_it_was(files: Mapping[str, str], folder: Path) -> bool:
    """Whether all these files have their digests, and no other spec stands in the folder."""
    here = {str(path) for path in _specs(folder)}
    return here <= files.keys() and all(_digest(Path(path)) == digest for path, digest in files.items())


def _specs(folder: Path) -> list[Path]:
    return list(folder.glob(f"*{SUFFIX}"))


def _digest(path: Path) -> str:
    """Of what the file holds, or of why it cannot be read: a pipe is something else than nothing."""
    content = read_bytes(path)
    return sha256(content if isinstance(content, bytes) else content.message.encode()).hexdigest()
