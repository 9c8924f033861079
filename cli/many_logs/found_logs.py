"""The logs that the names on a command line mean: each file once, and how far they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ludex.grammar import STANDARD_INPUT, STDIN, Message
from ludex.interpreter import LogText, PassedOver, bytes_of, logs_of

from ..verdicts.judged import LogTally
from ..verdicts.text_writer import READ_ALREADY


def found_logs(names: Sequence[str], tally: LogTally) -> Iterator[LogText]:
    """Find the logs; list the files that are skipped, and those that another name means, too."""
    seen: set[tuple[int, int] | str] = set()
    is_twice = False
    for name in with_input_once(names, tally.passed_over):
        for source in logs_of(name):
            if isinstance(source, PassedOver):
                tally.passed_over.append(source)
                continue
            if source.number == 1:
                identity = STDIN if name == STDIN else _identity(source.file)
                is_twice = identity in seen
                if is_twice:
                    tally.passed_over.append(PassedOver(source.file, Message("over-judged")))
                elif identity is not None:
                    seen.add(identity)
            if not is_twice:
                yield source


def with_input_once(names: Iterable[str], passed_over: list[PassedOver]) -> Iterator[str]:
    """Yield the names without `-` where it was named before: it has been read, and a terminal would wait for more."""
    has_read = False
    for name in names:
        if name == STDIN and has_read:
            passed_over.append(PassedOver(STANDARD_INPUT, READ_ALREADY))
            continue
        has_read = has_read or name == STDIN
        yield name


def _identity(file: str) -> tuple[int, int] | None:
    """Return what is the same for all names of a file; None if there is no such file."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a path takes long to make, and there may be many files
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def bytes_in(names: Sequence[str]) -> int | None:
    """Return how many bytes the files have that the names mean; None if nobody can know."""
    sizes = [bytes_of(name) for name in names]
    return None if None in sizes or STDIN in names else sum(size or 0 for size in sizes)


class ReadingProgress:
    """The progress of reading the files, in bytes."""

    def __init__(self) -> None:
        self._before = self._size = 0
        self._file: str | None = None

    def of(self, source: LogText) -> int:
        """Return how many bytes were read when the log was complete. Logs come in the order of their files."""
        if source.file != self._file:
            self._before += self._size
            self._file, self._size = source.file, bytes_of(str(Path(source.file))) or 0
        return self._before + min(source.end, self._size)
