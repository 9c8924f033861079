"""Source text at a span of a spec, for reports. If the file is missing, a report leaves it out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ludex.grammar import Span, read_text

HOME = Path(__file__).resolve().parents[2]
"""The folder of the shipped games, to which their spans are relative."""


def source_text(span: Span) -> str | None:
    """Read the source text at a span, on one line and without comments; None if its file cannot be read."""
    # The shipped games come first: a file of the same path in the working directory is not one of theirs.
    for path in (HOME / span.file, Path(span.file)):
        try:
            kept = path.stat()
        except (OSError, ValueError):
            continue
        text = _text(path, kept.st_mtime_ns, kept.st_size)
        if text is not None:
            return _quoted(text, span)
    return None


def _quoted(text: str, span: Span) -> str | None:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    # A text in quotes may contain the sign, too, and to find that out takes longer.
    if any("#" in line for line in lines):
        comments = _comments(text, span.file)
        lines = [line[: comments.get(number)] for number, line in enumerate(lines, span.line)]
    # The end is cut first: on a single line, cutting the beginning would shift its columns.
    lines[-1:] = [line[: span.end_column - 1] for line in lines[-1:]]
    lines[:1] = [line[span.column - 1 :] for line in lines[:1]]
    return " ".join(" ".join(lines).split()) or None


# A report quotes from the few files of one game.
@lru_cache(maxsize=8)
def _text(path: Path, changed: int, size: int) -> str | None:
    """Read a file. changed, size: of the file now, so that the cache does not return an older version."""
    text, _ = read_text(path)
    return text


@lru_cache(maxsize=8)
def _comments(text: str, file: str) -> Mapping[int, int]:
    """Return for each line with a comment the number of characters before it."""
    from ludex.grammar import parse_kept  # imported late: few quotations need it

    comments = parse_kept(text, file).module.comments
    return {comment.span.line: comment.span.column - 1 for comment in comments}
