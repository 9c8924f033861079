"""A report of an earlier run, told again as long as nothing that it was made from has changed.

To read a long game takes seconds, and to play its rows takes minutes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import Failure, cache_folder, code_digest, keep, kept, read_bytes, rebuilt
from ludex.spec import DECISIONS_FILE, RULINGS_FILE, GameText, RowRuling, find

from .model import Report

if TYPE_CHECKING:
    from ..diff import Wanted


@dataclass(frozen=True, slots=True)
class Done:
    """A report, with the rulings that are known and the notes among them. remarks: what is to be said
    beside the report."""

    report: Report
    rulings: tuple[RowRuling, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """made_from: by path, a digest of each file that the report hangs on."""

    made_from: Mapping[str, str]
    done: Done


class KeptReport:
    """Where the report that answers one question is kept."""

    def __init__(self, game: str, named: Sequence[str], wanted: Wanted) -> None:
        self._wanted, self._path, self._folder = wanted, None, Path()
        folder = cache_folder()
        try:
            path = Path(os.path.realpath(find(game)))
        except Failure:  # told by whoever reads it
            return
        if folder is not None and not wanted.fresh and wanted.form != "rulings":
            played = wanted.play and not wanted.check and (wanted.events, wanted.seconds, wanted.seed)
            asked = path, named, wanted.language, wanted.clauses, played, wanted.sources, wanted.rulings, wanted.budget
            name = sha256(f"{code_digest()} {asked}".encode()).hexdigest()[:32]
            self._path, self._folder = folder / "reports" / name, path.parent

    def get(self) -> Done | None:
        """The report, if it is kept and would be the same now."""
        found = kept(self._path, partial(rebuilt, Record)) if self._path else None
        if found is None or not found.made_from.keys() >= {str(path) for path in self._folder.glob("*.ludex")}:
            return None
        is_same = all(_digest(Path(path)) == digest for path, digest in found.made_from.items())
        return found.done if is_same else None

    def put(self, text: GameText, done: Done) -> None:
        if self._path is not None:
            made_from = {str(path): _digest(path) for path in self._files(text)}
            keep(self._path, asdict(Record(made_from, done)))

    def _files(self, text: GameText) -> Iterator[Path]:
        yield from self._folder.glob("*.ludex")
        yield from (self._folder / name for name in (*text.component_files, DECISIONS_FILE, RULINGS_FILE))
        yield from [self._wanted.rulings] if self._wanted.rulings else []
        if self._wanted.sources is not None:
            yield from (self._wanted.sources / document for document in text.documents.values())


def _digest(path: Path) -> str:
    """Of what the file holds, or of why it cannot be read: a pipe is something else than nothing."""
    content = read_bytes(path)
    return sha256(content if isinstance(content, bytes) else content.message.encode()).hexdigest()
