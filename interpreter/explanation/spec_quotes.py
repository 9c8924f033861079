"""What the files of a spec say at a place, for reports. A game that plays needs none of it; where the files are not at
hand any more, a report does without."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from ludex.grammar import Span, read_text

HOME = Path(__file__).resolve().parents[2]
"""From where the places of shipped games are told."""


def source_text(span: Span) -> str | None:
    """What stands at a place of a spec, on one line and without comments; None if its file cannot be read."""
    for path in (HOME / span.file, Path(span.file)):
        try:
            kept = path.stat()
        except (OSError, ValueError):
            continue
        found = _lines(path, kept.st_mtime_ns, kept.st_size)
        if found is not None:
            lines = list(found[span.line - 1 : span.end_line])
            lines[-1:] = [line[: span.end_column - 1] for line in lines[-1:]]
            lines[:1] = [line[span.column - 1 :] for line in lines[:1]]
            return " ".join(" ".join(re.sub(r"#.*", "", line) for line in lines).split()) or None
    return None


@lru_cache(maxsize=8)
def _lines(path: Path, changed: int, size: int) -> tuple[str, ...] | None:
    """The lines of a file as it was when it was last changed."""
    text, _ = read_text(path)
    return None if text is None else tuple(text.split("\n"))
