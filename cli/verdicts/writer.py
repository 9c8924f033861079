"""The protocol of a format: what it writes before, for and after the logs; and the formats by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from ..reporting import put
from .judged import Judged, LogTally

WRITERS = {
    "text": "text_writer.VerdictTextWriter",
    "json": "json_writer.JsonWriter",
    "jsonl": "json_writer.JsonLinesWriter",
    "csv": "csv_writer.CsvWriter",
    "sarif": "sarif_writer.SarifWriter",
    "junit": "junit_writer.JunitWriter",
    "github": "github_writer.GithubWriter",
    "markdown": "markdown_writer.MarkdownWriter",
}
"""The class of each format, in the order of the help. It is imported when it is asked for."""


class VerdictWriter:
    """A format. It stores no log, so that any number of logs is written in constant memory.

    Attributes:
        opening: what is written before the first log.
        between: what is written between two logs of which something is written.
    """

    opening = ""
    between = ""

    @classmethod
    def for_task(cls, sources: Path | None) -> VerdictWriter:
        """Make the writer of a run. sources: the folder of the rulebooks' texts."""
        return cls()

    def log(self, judged: Judged) -> str:
        """Return what is written of a log; `""`: nothing."""
        raise NotImplementedError

    def aside(self, text: str) -> str:
        """Take out of the text of a log what is written after all logs, and return the rest."""
        return text

    def closing(self, tally: LogTally) -> Iterator[str]:
        """Yield what is written after the last log, also if the command is stopped before all logs are judged."""
        return iter(())

    def put(self, text: str) -> None:
        """Print what the other methods return."""
        put(text, nl=False)


def writer(name: str) -> type[VerdictWriter]:
    """Return the class of the format of this name."""
    module, _, kind = WRITERS[name].partition(".")
    # Only the wanted writer is imported, as a start of the command should not import them all.
    class_: type[VerdictWriter] = getattr(import_module(f".{module}", __package__), kind)
    return class_


@contextmanager
def printing(writer: VerdictWriter, tally: LogTally, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Print what is written before the logs and, however the block ends, after them; inside, print that of a log.
    The block says in the tally whether all logs were judged.

    quiet: print nothing.
    """
    if not quiet:
        writer.put(writer.opening)
    is_first = True

    def print_text(text: str) -> None:
        nonlocal is_first
        if text := writer.aside(text):
            # The separator comes before each log but the first: nobody knows which one is the last.
            writer.put(text if is_first else f"{writer.between}{text}")
            is_first = False

    try:
        yield print_text
    finally:
        if not quiet:
            for text in writer.closing(tally):
                writer.put(text)
