"""Source text at a span of a spec, for reports. If the file is missing, a report leaves it out."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ludex.grammar import Span, read_text

HOME = Path(__file__).resolve().parents[2]
"""The folder of the shipped games, to which their spans are relative."""


def source_text(span: Span) -> str | None:
    """Read the source text at a span, on one line and without comments; None if its file cannot be read."""
    # The shipped games first: a file of the same path in the working directory is none of theirs.
    for path in (HOME / span.file, Path(span.file)):
        try:
            kept = path.stat()
        except (OSError, ValueError):
            continue
        text = _lines(path, kept.st_mtime_ns, kept.st_size)
        if text is not None:
            lines = list(text[span.line - 1 : span.end_line])
            # The end is cut first: on a single line, cutting the beginning would shift its columns.
            lines[-1:] = [line[: span.end_column - 1] for line in lines[-1:]]
            lines[:1] = [line[span.column - 1 :] for line in lines[:1]]
            return " ".join(" ".join(re.sub(r"#.*", "", line) for line in lines).split()) or None
    return None


# A report quotes from the few files of one game.
@lru_cache(maxsize=8)
def _lines(path: Path, changed: int, size: int) -> tuple[str, ...] | None:
    """Read the lines of a file. changed, size: of the file now, so that the cache does not return an older version."""
    text, _ = read_text(path)
    return None if text is None else tuple(text.split("\n"))
