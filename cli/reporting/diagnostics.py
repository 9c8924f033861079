"""Printing of diagnostics, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import click

from ludex.grammar import STANDARD_INPUT, Diagnostic, Message, Note, Span, Why

from .cited_lines import Books, Quoted
from .output_language import language, translated, words
from .source_excerpts import Excerpt, Texts, cells, escape, excerpt, is_whole_file, visible
from .terminal import has_moving_lines, put, say, style

PIPE_WIDTH = 100
"""Columns of a report that is not printed to a terminal."""


def width() -> int:
    """Return the available columns."""
    # An excerpt in fewer columns would show only dots.
    return max(40, shutil.get_terminal_size().columns) if sys.stdout.isatty() else PIPE_WIDTH


def progress(length: int, label: str) -> Any:
    """Make a progress bar at a terminal; nothing elsewhere."""
    if not has_moving_lines():
        return nullcontext(None)
    return click.progressbar(length=length, label=label, file=sys.stderr)


# ---- for programs ----------------------------------------------------------------------------------------------


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """Write a diagnostic as JSON, in the one form of all commands; see docs/commands.md."""
    from ludex.interpreter import finding_to_json

    return finding_to_json(diagnostic, language())


def json_text(data: object) -> str:
    """Write JSON, with escapes for characters that a terminal would obey or not show."""
    return escape(json.dumps(data, ensure_ascii=False, indent=2))


def counts(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    are_errors = [diagnostic.is_error for diagnostic in diagnostics]
    return {"errors": sum(are_errors), "warnings": len(are_errors) - sum(are_errors)}


# ---- for people ------------------------------------------------------------------------------------------------


def plural(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Count diagnostics: `2 errors, 1 warning`, or `no faults`."""
    number = counts(diagnostics)
    parts = [words(f"count-{kind}", count=count) for kind, count in number.items() if count]
    return ", ".join(parts) or words("no-faults")


@dataclass(slots=True)
class Reporter:
    """Prints diagnostics.

    Attributes:
        books: the rulebooks' texts, if the reader has them.
    """

    texts: Texts = field(default_factory=Texts)
    books: Books | None = None

    def show(self, diagnostics: Sequence[Diagnostic], as_json: bool = False) -> None:
        """Print all diagnostics and a last line with counts; or one JSON object."""
        if as_json:
            findings = [diagnostic_json(diagnostic) for diagnostic in diagnostics]
            put(json_text({"findings": findings, **counts(diagnostics)}))
            return
        self.print(diagnostics)
        say(summary(diagnostics))

    def print(self, diagnostics: Iterable[Diagnostic], err: bool = False) -> None:
        for diagnostic in diagnostics:
            say(self.text(diagnostic), err=err)

    def text(self, diagnostic: Diagnostic) -> str:
        """Write one diagnostic in as many lines as it takes; styled, which `say` removes where colours are unwanted."""
        return "\n".join(self._lines(diagnostic))

    def _lines(self, diagnostic: Diagnostic) -> Iterator[str]:
        colour = "red" if diagnostic.is_error else "yellow"
        code = style(diagnostic.code.code, fg=colour, bold=True)
        kind = "" if diagnostic.is_error else f" {words('warning')}:"
        yield f"{place(diagnostic.span)}: {code}{kind} {style(translated(diagnostic.message), bold=True)}"
        line = self.texts.line(diagnostic.span)
        if line is not None:
            yield from _excerpt_rows(diagnostic.span, excerpt(line, diagnostic.span, width() - 10), colour)
            yield from _quotes(self.books.cited_at(diagnostic.span) if self.books else ())
        yield from self.why(diagnostic)
        for note in diagnostic.notes:
            yield from self._note(note)
        if diagnostic.hint:
            yield labelled("hint", translated(diagnostic.hint), "cyan")
        if diagnostic.legal:
            yield from _legal(diagnostic.legal)

    def why(self, diagnostic: Diagnostic) -> Iterator[str]:
        """Write the clauses of a diagnostic, and the rulebook lines that they cite."""
        for each in diagnostic.why:
            yield from self._why(each)

    def _why(self, why: Why) -> Iterator[str]:
        stated = f"  ({place(why.span)})" if why.span else ""
        authority = f"  {translated(why.authority)}" if why.authority else ""
        borrowed = f", {words('borrowed-from', text=why.lender)}" if why.lender else ""
        yield labelled("why", f"{why.clause}{authority}{stated}{borrowed}", "magenta")
        yield from _quotes(self.books.cited(why.citations) if self.books else ())

    def _note(self, note: Note) -> Iterator[str]:
        if note.span is None:
            yield labelled("note", translated(note.message), "blue")
            return
        yield labelled("note", f"{place(note.span)}: {translated(note.message)}", "blue")
        line = self.texts.line(note.span)
        if line is not None:
            yield from _excerpt_rows(note.span, excerpt(line, note.span, width() - 10), "blue")


def place(span: Span) -> str:
    """Write a place: `file:line:column`, or the file's name alone for a whole file."""
    return file_words(span.file if is_whole_file(span) else str(span))


def file_called(name: str) -> str:
    """Name a file in a message: the standard input in words of the language, any other by its name."""
    return Message("standard-input") if name in ("-", STANDARD_INPUT) else name


def file_words(name: str) -> str:
    """Write a file's name, with a place in it or without, safe to print; the standard input in the language."""
    if name != STANDARD_INPUT and not name.startswith(f"{STANDARD_INPUT}:"):
        return visible(name)
    return f"{words('standard-input')}{name.removeprefix(STANDARD_INPUT)}"


def _quotes(lines: Iterable[Quoted]) -> Iterator[str]:
    """Write lines of rulebooks."""
    for quoted in lines:
        yield style(f"{_margin()}{quoted.document} {quoted.line} | {visible(quoted.words)}", dim=True)


def _excerpt_rows(span: Span, shown: Excerpt, colour: str) -> Iterator[str]:
    margin = style(f"{span.line:>6} | ", dim=True)
    yield f"{margin}{shown.before}{shown.marked}{shown.after}".rstrip()
    words = f" {shown.words}" if shown.words else ""
    blank = len(shown.carets) - len(shown.carets.lstrip(" "))
    carets = style(shown.carets[blank:], fg=colour, bold=True)
    yield f"{style(f'{chr(32):>6} | ', dim=True)}{' ' * blank}{carets}{words}"


LABELS = ("why", "note", "hint", "legal")


def labelled(label: str, text: str, colour: str) -> str:
    """Write a row of a report: `  why:   text`. label: one of `LABELS`."""
    word = words(f"label-{label}")
    # The two blanks and the colon take three columns.
    return f"  {style(f'{word}:', fg=colour)}{' ' * (cells(_margin()) - cells(word) - 3)}{text}"


def _margin() -> str:
    """Return the space to the left of the texts of labelled rows."""
    return " " * (4 + max(cells(words(f"label-{label}")) for label in LABELS))


def _legal(legal: Sequence[str]) -> Iterator[str]:
    for at, move in enumerate(legal):
        yield f"{_margin()}{translated(move)}" if at else labelled("legal", translated(move), "green")


# ---- tables ----------------------------------------------------------------------------------------------------


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), gap: str = "  ") -> list[str]:
    """Align rows of words in columns. right: the right-aligned columns."""
    from .source_excerpts import padded

    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        gap.join(
            padded(word, width, at in right) for at, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
