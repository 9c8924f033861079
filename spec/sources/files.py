"""Stored files of a document: `TAG.lines`, `TAG.lock` and `TAG.excuses` in the game's `sources` folder.

Reading never raises: a broken row gives a diagnostic at its place. The formats have one row for each fact, so that
version control shows a change of one fact as a change of one row. `docs/sources.md` describes them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ludex.grammar import Code, Diagnostic, Diagnostics, Span, did_you_mean, is_there, read_text, whole_file

from .source_codes import (
    DOCUMENT_DIFFERS,
    DOCUMENT_NAME,
    EXCUSES_BROKEN,
    LINES_FILE_BROKEN,
    LOCK_BROKEN,
    NORMALISER_DIFFERS,
    TEXT_NOT_RECORDED,
)
from .texts import (
    BLANK,
    FINGERPRINT_LENGTH,
    NORMALISER,
    Confirmation,
    Document,
    Excuse,
    LineClass,
    Lock,
    Source,
    SourceLine,
    StoredText,
    TextWords,
    split_lines,
)

_T = TypeVar("_T")

STORED = (".lines", ".lock", ".excuses")
"""The endings of a document's stored files; their names begin with its tag."""

_FINGERPRINT = f"[0-9a-f]{{{FINGERPRINT_LENGTH}}}"
_HEADER = re.compile(r"(document|normaliser):\s*(.*?)\s*")
_LINE_ROW = re.compile(rf"\s*([0-9]{{1,9}})\s+({_FINGERPRINT}|{BLANK})\s+(\w+)\s*(?:#\s*(.*?)\s*)?")
# A path may contain blanks, so the columns after it are matched from the end.
_LOCK_ROW = re.compile(rf"(\S+)\s+(\S(?:.*\S)?)\s+([0-9]{{1,9}})(?:-([0-9]{{1,9}}))?\s+({_FINGERPRINT}|{BLANK})\s*")
_EXCUSE_ROW = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s+(\S.*?)\s*")

# ---- reading -----------------------------------------------------------------------------------------------------


def read_sources(
    folder: Path, documents: Sequence[Document], words_folder: Path | None = None
) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """Return the documents with their stored files, and the faults of these files.

    folder: the folder of the stored files. words_folder: the folder of the documents, if they are at hand. A faulty
    file is left out.
    """
    diagnostics = Diagnostics()
    sources = tuple(_read_source(folder, document, words_folder, diagnostics) for document in documents)
    return sources, tuple(diagnostics.items)


def _read_source(folder: Path, document: Document, words_folder: Path | None, diagnostics: Diagnostics) -> Source:
    lines_file, lock_file, excuses_file = (folder / f"{document.tag}{ending}" for ending in STORED)
    stored = _read_stored(lines_file, document, words_folder, diagnostics)
    # A missing lock is not a broken one: nothing was confirmed yet, which is reported once.
    lock: Lock | None = Lock(str(lock_file), exists=False)
    if is_there(lock_file):
        text = _read(lock_file, diagnostics)
        lock = None if text is None else _kept(parse_lock(text, str(lock_file)), diagnostics)
    excuses: tuple[Excuse, ...] | None = ()
    if is_there(excuses_file):
        text = _read(excuses_file, diagnostics)
        excuses = None if text is None else _kept(parse_excuses(text, str(excuses_file)), diagnostics)
    words = _read_words(words_folder, document, diagnostics) if words_folder else None
    # A broken file is not the same as none: recording must not overwrite it.
    return Source(document, stored, lock, excuses, words, is_broken=stored is None and is_there(lines_file))


def _read_stored(path: Path, document: Document, words: Path | None, diagnostics: Diagnostics) -> StoredText | None:
    if not is_there(path):
        # A user copies the command, and the path may contain blanks.
        at_hand = shlex.quote(str(words)) if words else "DIR"
        diagnostics.report(
            TEXT_NOT_RECORDED,
            f"no fingerprints are recorded of the lines of `{document.tag}` ({document.name}): there is no {path}",
            document.span,
            f"`ludex coverage GAME --sources {at_hand} --record` writes it; DIR is the folder that holds the text",
        )
        return None
    text = _read(path, diagnostics)
    stored = None if text is None else _kept(parse_lines(text, str(path)), diagnostics)
    # The fingerprints of another document would make every citation stale.
    if stored and stored.name != document.name:
        message = f"{path} was made from `{stored.name}`, but `{document.tag}` is `{document.name}` here"
        diagnostics.report(DOCUMENT_DIFFERS, message, document.span)
        return None
    return stored


def _read_words(folder: Path, document: Document, diagnostics: Diagnostics) -> TextWords | None:
    if not _is_plain_name(document.name):
        diagnostics.report(
            DOCUMENT_NAME,
            f"`{document.name}` is not the name of a file in the folder of sources",
            document.span,
            f'write the name alone: `{document.tag} "rules.txt"`',
        )
        return None
    path = folder / document.name
    text = _read(path, diagnostics)
    return None if text is None else TextWords(str(path), split_lines(text))


def _is_plain_name(name: str) -> bool:
    # The name comes from a spec that may be a stranger's: it must not lead out of the folder.
    return name not in {"", ".", ".."} and name == name.strip() and name.isprintable() and not set(name) & set("/\\:")


def _read(path: Path, diagnostics: Diagnostics) -> str | None:
    text, faults = read_text(path)
    diagnostics.extend(faults)
    return text


def _kept(parsed: tuple[_T | None, tuple[Diagnostic, ...]], diagnostics: Diagnostics) -> _T | None:
    diagnostics.extend(parsed[1])
    return parsed[0]


# ---- TAG.lines ---------------------------------------------------------------------------------------------------


def parse_lines(text: str, file: str) -> tuple[StoredText | None, tuple[Diagnostic, ...]]:
    """Return the content of a `.lines` file, and its faults. With any fault the content is None, since half a file
    would give wrong reports."""
    diagnostics = Diagnostics()
    header: dict[str, str] = {}
    lines: list[SourceLine] = []
    for row, words in _rows(text):
        entry = _HEADER.fullmatch(words)
        if entry:
            _header_entry(header, entry, _row_span(file, row, words), diagnostics)
        else:
            _line_row(lines, words, _row_span(file, row, words), diagnostics)
    version = _header_checked(header, file, diagnostics)
    if diagnostics.items or version is None:
        return None, tuple(diagnostics.items)
    return StoredText(file, header["document"], tuple(lines), version), ()


def _header_entry(header: dict[str, str], entry: re.Match[str], span: Span, diagnostics: Diagnostics) -> None:
    label, value = entry.groups()
    if label in header:
        diagnostics.report(LINES_FILE_BROKEN, f"`{label}:` is here twice", span)
    # The first entry counts, so that the check below does not report it as missing.
    header.setdefault(label, value)


def _header_checked(header: dict[str, str], file: str, diagnostics: Diagnostics) -> int | None:
    place = whole_file(file)
    missing = [f"`{label}:`" for label in ("document", "normaliser") if not header.get(label)]
    if missing:
        hint = f"it begins with `document: NAME` and `normaliser: {NORMALISER}`"
        diagnostics.report(LINES_FILE_BROKEN, f"{' and '.join(missing)} missing in {file}", place, hint)
        return None
    # Fingerprints of another normaliser look valid and would match nothing, as if every line had changed.
    if header["normaliser"] != str(NORMALISER):
        message = f"made by normaliser {header['normaliser']}; this Ludex has normaliser {NORMALISER}"
        diagnostics.report(NORMALISER_DIFFERS, message, place)
        return None
    return NORMALISER


def _line_row(lines: list[SourceLine], words: str, span: Span, diagnostics: Diagnostics) -> None:
    """Read one row and append its line. A faulty row gives a line too, so that the next rows have the right numbers."""
    match = _LINE_ROW.fullmatch(words)
    if not match:
        hint = f"a row is `number fingerprint class`, with {FINGERPRINT_LENGTH} hexadecimal digits or `{BLANK}`"
        _broken(LINES_FILE_BROKEN, words, span, hint, diagnostics)
        lines.append(SourceLine(_next(lines), BLANK, LineClass.BLANK))
        return
    number, mark, word, note = int(match[1]), match[2], match[3], match[4] or ""
    if number != _next(lines):
        message = f"line {number} is in the place of line {_next(lines)}"
        diagnostics.report(LINES_FILE_BROKEN, message, span, "every line of the document has its row, in order")
    line_class = _class_of(word, mark, span, diagnostics)
    lines.append(SourceLine(number, mark, line_class, note, span.line))


def _class_of(word: str, mark: str, span: Span, diagnostics: Diagnostics) -> LineClass:
    try:
        line_class = LineClass(word)
    except ValueError:
        hint = did_you_mean(word, list(LineClass)) or f"the classes are {', '.join(LineClass)}"
        diagnostics.report(LINES_FILE_BROKEN, f"`{word}` is not a class of lines", span, hint)
        return LineClass.UNCLASSIFIED
    if (mark == BLANK) != (line_class is LineClass.BLANK):
        state = "is blank" if mark == BLANK else "is not blank"
        diagnostics.report(LINES_FILE_BROKEN, f"the line {state}, but its class is `{line_class}`", span)
    return line_class


def _next(lines: list[SourceLine]) -> int:
    return lines[-1].number + 1 if lines else 1


def format_lines(stored: StoredText) -> str:
    """Return the text of a `.lines` file."""
    # The columns line up, so that a difference of two versions is easy to read.
    width = len(str(len(stored.lines)))
    head = (
        "# The lines of one document: number, fingerprint, class, perhaps `# a note`. The words are not kept.\n"
        "# Classes and notes are edited by hand; the rest is written by `ludex coverage --record`.\n"
        f"document: {stored.name}\nnormaliser: {stored.normaliser}\n\n"
    )
    return head + "".join(f"{_format_line(line, width)}\n" for line in stored.lines)


def _format_line(line: SourceLine, width: int) -> str:
    row = f"{line.number:>{width}}  {line.fingerprint:<{FINGERPRINT_LENGTH}}  {line.line_class}"
    return f"{row}  # {line.note}" if line.note else row


# ---- TAG.lock ----------------------------------------------------------------------------------------------------


def parse_lock(text: str, file: str) -> tuple[Lock | None, tuple[Diagnostic, ...]]:
    """Return the content of a `.lock` file, and its faults. With any fault the content is None, so that its citations
    are not reported as unconfirmed."""
    diagnostics = Diagnostics()
    confirmations: dict[tuple[str, str, int, int], Confirmation] = {}
    for row, words in _rows(text):
        span = _row_span(file, row, words)
        match = _LOCK_ROW.fullmatch(words)
        if not match:
            _broken(LOCK_BROKEN, words, span, "a row is `text clause lines fingerprint`", diagnostics)
            continue
        first, last = int(match[3]), int(match[4] or match[3])
        confirmation = Confirmation(match[1], match[2], first, last, match[5], row)
        if confirmation.key in confirmations:
            message = f"`{match[2]}` with these lines is in row {confirmations[confirmation.key].row} already"
            diagnostics.report(LOCK_BROKEN, message, span)
        # The first row counts, as the report of the second names its number.
        confirmations.setdefault(confirmation.key, confirmation)
    if diagnostics.items:
        return None, tuple(diagnostics.items)
    return Lock(file, tuple(confirmations.values())), ()


def format_lock(lock: Lock) -> str:
    """Return the text of a `.lock` file, sorted, so that a change of one citation changes one row."""
    head = (
        "# Which clause was compared with which lines, and the lines' fingerprint then: text, clause, lines,\n"
        "# fingerprint. Written by `ludex coverage --record`; a person reads the lines before recording.\n\n"
    )
    return head + "".join(f"{_format_confirmation(each)}\n" for each in sorted(lock.confirmations, key=lambda c: c.key))


def _format_confirmation(confirmation: Confirmation) -> str:
    lines = span_words(confirmation.first, confirmation.last)
    return f"{confirmation.edition}  {confirmation.path}  {lines}  {confirmation.fingerprint}"


def span_words(first: int, last: int) -> str:
    """Return a range of lines as in a citation: `113` or `120-124`."""
    return str(first) if first == last else f"{first}-{last}"


# ---- TAG.excuses -------------------------------------------------------------------------------------------------


def parse_excuses(text: str, file: str) -> tuple[tuple[Excuse, ...] | None, tuple[Diagnostic, ...]]:
    """Return the content of an `.excuses` file, and its faults. With any fault the content is None."""
    diagnostics = Diagnostics()
    excuses: dict[tuple[int, int], Excuse] = {}
    for row, words in _rows(text):
        span = _row_span(file, row, words)
        match = _EXCUSE_ROW.fullmatch(words)
        if not match:
            _broken(
                EXCUSES_BROKEN,
                words,
                span,
                "a row is `line number reason`; the reason may not be left out",
                diagnostics,
            )
            continue
        excuse = Excuse(int(match[1]), int(match[2]), match[3], span)
        earlier = excuses.setdefault((excuse.line, excuse.number), excuse)
        if earlier is not excuse:
            message = f"the number {excuse.number} of line {excuse.line} is excused in row {earlier.span.line} already"
            diagnostics.report(EXCUSES_BROKEN, message, span)
    return (None if diagnostics.items else tuple(excuses.values())), tuple(diagnostics.items)


# ---- rows --------------------------------------------------------------------------------------------------------


def _rows(text: str) -> list[tuple[int, str]]:
    """Return the rows that are neither blank nor comments (`#`), with their numbers."""
    # Some editors write a byte order mark in front, which would spoil the first row.
    rows = enumerate(split_lines(text.removeprefix("\ufeff")), start=1)
    return [(row, words) for row, words in rows if words.strip() and not words.lstrip().startswith("#")]


def _row_span(file: str, row: int, words: str) -> Span:
    return Span(file, row, 1, row, len(words) + 1)


def _broken(code: Code, words: str, span: Span, hint: str, diagnostics: Diagnostics) -> None:
    shown = words.strip() if len(words) <= 60 else f"{words.strip()[:57]}..."
    diagnostics.report(code, f"`{shown}` is not a row of this file", span, hint)
