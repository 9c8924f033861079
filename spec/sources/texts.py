"""Stored texts: a fingerprint and a class for every line of a rulebook, never the words.

This module holds the data and what can be computed from it alone: how a line is normalised and fingerprinted, and how
the lines of two versions of a text correspond. Neighbours: `files.py` reads and writes the stored files,
`citations.py` checks citations, `update_files.py` updates the stored files, `numbers.py` accounts for
numbers, `coverage.py` compares text and clauses. The page for authors and translators is `docs/sources.md`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Literal

from ludex.grammar import Citation, Reason, Span

# ---- lines and fingerprints --------------------------------------------------------------------------------------

NORMALISER = 1
"""The version of `normal_line`. A change of what it does has to increase it, since older fingerprints are then
invalid."""

BLANK = "-"
"""The mark in place of a fingerprint for a line without a visible character."""

FINGERPRINT_LENGTH = 16
"""The number of hexadecimal digits of a SHA-256 in a fingerprint: 64 bits, so that accidental collisions do not
occur."""

# Soft hyphens, zero-width spaces and joiners, direction marks, byte order marks: tools that extract text from PDF add
# and drop them, and no reader sees them.
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")


def split_lines(text: str) -> tuple[str, ...]:
    """Return the physical lines of a text, as editors and `grep -n` count them.

    Only line feeds and carriage returns end a line; a form feed inside a line (a page break in extracted texts) does
    not, unlike in `str.splitlines`. A line end at the end of the text begins no further line.
    """
    # Files from other systems have other line ends, and their lines must have the same numbers.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # The end of the last line begins no new one.
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def normal_line(line: str) -> str:
    """Return a line in the form in which lines are compared: without invisible characters, composed (Unicode NFC), and
    with single spaces.

    Letter case, punctuation and dashes are kept, since a change of them can change what a rule says.
    """
    # Tools that extract text differ in the spaces.
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", line)).split())


def fingerprint(line: str) -> str:
    """Return the fingerprint of one line, or `BLANK`."""
    words = normal_line(line)
    return _digest(words) if words else BLANK


def span_fingerprint(fingerprints: Sequence[str], first: int, last: int) -> str:
    """Return the fingerprint of lines `first` to `last` (counted from 1); a single line has its own fingerprint."""
    if first == last:
        # A span of one line thus has the same fingerprint as the line in `.lines`.
        return fingerprints[first - 1]
    return _digest("\n".join(fingerprints[first - 1 : last]))


def _digest(words: str) -> str:
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_LENGTH]


class LineClass(StrEnum):
    """The kind of a line of a rulebook. Only rules and examples need a clause."""

    RULE = "rule"
    EXAMPLE = "example"
    HEADING = "heading"
    COMPONENT_LIST = "component_list"
    FLAVOUR = "flavour"
    REFERENCE = "reference"
    NOT_TEXT = "not_text"
    BLANK = "blank"
    UNCLASSIFIED = "unclassified"

    @property
    def needs_clause(self) -> bool:
        """Whether some clause has to cite such a line."""
        return self in {LineClass.RULE, LineClass.EXAMPLE}

    @property
    def is_text(self) -> bool:
        """Whether such a line has text that a clause can cite."""
        return self not in {LineClass.BLANK, LineClass.NOT_TEXT}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One physical line of a document.

    Attributes:
        number: counted from 1.
        fingerprint: the fingerprint of the normalised line, or `BLANK`.
        note: the author's reason for the class, if it is not obvious.
        row: the row in the `.lines` file; 0: it is not in the file yet.
    """

    number: int
    fingerprint: str
    line_class: LineClass
    note: str = ""
    row: int = field(default=0, compare=False)


@dataclass(frozen=True)
class StoredText:
    """The content of a `.lines` file: the stored data of a document.

    Attributes:
        file: the path of the `.lines` file as reports show it.
        name: the file name of the document.
        normaliser: the version that made the fingerprints.
    """

    file: str
    name: str
    lines: tuple[SourceLine, ...]
    normaliser: int = NORMALISER

    @cached_property
    def fingerprints(self) -> tuple[str, ...]:
        return tuple(line.fingerprint for line in self.lines)

    def line(self, number: int) -> SourceLine:
        """Return a line by its number, counted from 1."""
        return self.lines[number - 1]

    def row_span(self, number: int) -> Span:
        """Return the place of a line's row in the `.lines` file."""
        row = max(self.line(number).row, 1)
        return Span(self.file, row, 1, row, 1)


@dataclass(frozen=True)
class TextWords:
    """A document at hand: the path of its file as reports show it, and its lines. They are never stored."""

    file: str
    lines: tuple[str, ...]

    @cached_property
    def fingerprints(self) -> tuple[str, ...]:
        return tuple(fingerprint(line) for line in self.lines)

    def line_span(self, number: int) -> Span:
        """Return the place of a line in the document."""
        return Span(self.file, number, 1, number, len(self.lines[number - 1]) + 1)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """One row of a `.lock` file: a person compared a clause with lines that had this fingerprint."""

    edition: str
    path: str
    first: int
    last: int
    fingerprint: str
    # The same confirmation in another row is not a change.
    row: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str, int, int]:
        return (self.edition, self.path, self.first, self.last)


@dataclass(frozen=True, slots=True)
class Lock:
    """The content of a `.lock` file. `exists` is false before the first recording."""

    file: str
    confirmations: tuple[Confirmation, ...] = ()
    exists: bool = True

    def by_key(self) -> dict[tuple[str, str, int, int], Confirmation]:
        return {confirmation.key: confirmation for confirmation in self.confirmations}


@dataclass(frozen=True, slots=True)
class Excuse:
    """One row of an `.excuses` file: the reason why no clause that cites the line has to contain the number."""

    line: int
    number: int
    reason: str
    span: Span


# ---- a game's documents and clauses --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """One text that the game's header names: `document: ru "rules.txt"`."""

    tag: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """The part of a document that is one text: ranges of its lines (`lines: 1..191`), or all lines if None.

    Every text has one part. A part may be several ranges, since a margin may be printed between the lines of the main
    text.
    """

    edition: str
    document: str
    lines: tuple[tuple[int, int], ...] | None
    span: Span

    def holds(self, number: int) -> bool:
        """Return whether a line of the document belongs to the part."""
        return self.lines is None or any(first <= number <= last for first, last in self.lines)


SILENCE = "silent"
"""The kind of a clause that marks a silence."""


@dataclass(frozen=True, slots=True)
class CitedClause:
    """A clause with the data about its authority.

    Attributes:
        edition: the siglum of the text that states it; the name of the file if none does.
        path: the path of the clause.
        kind: such as `require`, `step`, `example`.
        span: its place in the spec.
        numbers: the numbers that it contains, see `clauses.numbers_in`.
    """

    edition: str
    path: str
    kind: str
    span: Span
    citations: tuple[Citation, ...] = ()
    reasons: tuple[Reason, ...] = ()
    numbers: frozenset[int] = frozenset()

    @property
    def is_silence(self) -> bool:
        """True for a mark of silence, whose lines are those near which the clause would be."""
        return self.kind == SILENCE


@dataclass(frozen=True, slots=True)
class LineChange:
    """A difference between a stored text and the one at hand. old, new: the line in each, counted from 1."""

    kind: Literal["changed", "added", "removed", "moved"]
    old: int | None
    new: int | None


@dataclass(frozen=True)
class Source:
    """A document with its stored files.

    Attributes:
        stored: the `.lines` file; None if it is missing or broken, which reading it reports.
        lock: the `.lock` file; None if it is broken.
        excuses: the `.excuses` file; None if it is broken.
        words: the document itself, if it is at hand.
        is_broken: whether the `.lines` file exists and is unusable; then it must not be overwritten either.
    """

    document: Document
    stored: StoredText | None
    lock: Lock | None
    excuses: tuple[Excuse, ...] | None = ()
    words: TextWords | None = None
    is_broken: bool = False

    @cached_property
    def text_changes(self) -> tuple[LineChange, ...]:
        """The differences of the document at hand from the stored text."""
        if self.stored is None or self.words is None:
            return ()
        return changes(self.stored.fingerprints, self.words.fingerprints)

    @cached_property
    def lost_lines(self) -> int:
        """The number of stored lines, without blank ones, that the document at hand does not have."""
        marks = self.stored.fingerprints if self.stored else ()
        gone = (change.old for change in self.text_changes if change.kind in {"changed", "removed"})
        return sum(old is not None and marks[old - 1] != BLANK for old in gone)

    @property
    def is_another_text(self) -> bool:
        """Whether the document at hand has less than half of the stored lines, so it is probably another text.

        A text of a few lines may change altogether and still be the same text, so at least 10 lines have to be lost.
        """
        marks = self.stored.fingerprints if self.stored else ()
        # A short text may lose half of its lines by an honest correction, so ten must be lost at least.
        return self.lost_lines >= 10 and 2 * self.lost_lines > sum(mark != BLANK for mark in marks)

    @property
    def own_words(self) -> TextWords | None:
        """The document at hand, unless it is another text."""
        return None if self.is_another_text else self.words

    @cached_property
    def present(self) -> StoredText | None:
        """The present text: the document at hand with the stored classes, or else the stored text."""
        if self.stored is None or self.own_words is None:
            return self.stored
        # Line numbers are those of the document at hand, since authors read that one.
        return carry_classes(self.stored, self.own_words)


@dataclass(frozen=True, slots=True)
class CitedGame:
    """The data of a game, over all its texts, that citation checks, coverage and number accounting need."""

    sources: tuple[Source, ...]
    parts: tuple[DocumentPart, ...] = ()
    clauses: tuple[CitedClause, ...] = ()


# ---- two versions of one text ------------------------------------------------------------------------------------


def changes(old: Sequence[str], new: Sequence[str]) -> tuple[LineChange, ...]:
    """Return the differences of two texts, given the fingerprints of their lines, in the order of the new text."""
    differences: list[LineChange] = []
    for tag, old_first, old_last, new_first, new_last in _opcodes(old, new):
        if tag == "equal":
            continue
        pairs = min(old_last - old_first, new_last - new_first)
        differences += [LineChange("changed", old_first + k + 1, new_first + k + 1) for k in range(pairs)]
        differences += [LineChange("removed", k + 1, None) for k in range(old_first + pairs, old_last)]
        differences += [LineChange("added", None, k + 1) for k in range(new_first + pairs, new_last)]
    return _moves_joined(differences, old, new)


def carry_classes(stored: StoredText, words: TextWords) -> StoredText:
    """Return the text at hand, in which unchanged and moved lines have their stored classes.

    A new line is `unclassified`, a blank one `blank`.
    """
    origin = _origins(stored.fingerprints, words.fingerprints)
    lines = [
        _carried(number, mark, stored.lines[origin[number - 1]] if number - 1 in origin else None)
        for number, mark in enumerate(words.fingerprints, start=1)
    ]
    return StoredText(stored.file, stored.name, tuple(lines))


def _carried(number: int, mark: str, old: SourceLine | None) -> SourceLine:
    if mark == BLANK:
        # A blank line needs no class from anyone.
        return SourceLine(number, BLANK, LineClass.BLANK, row=old.row if old else 0)
    if old is None:
        return SourceLine(number, mark, LineClass.UNCLASSIFIED)
    return SourceLine(number, mark, old.line_class, old.note, old.row)


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    from difflib import SequenceMatcher

    # This is the usual case, for which comparing takes long.
    if tuple(old) == tuple(new):
        return [("equal", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, old, new).get_opcodes()


def _origins(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return for each line of `new`, by index, the index of the same line in `old`."""
    origin: dict[int, int] = {}
    for tag, old_first, _, new_first, new_last in _opcodes(old, new):
        if tag == "equal":
            origin |= {k: old_first + k - new_first for k in range(new_first, new_last)}
    # What is left may have been moved: equal lines are matched from the top of both texts.
    left: dict[str, list[int]] = {}
    # Reversed, so that `pop` gives the first of several equal lines.
    for index in sorted(set(range(len(old))) - set(origin.values()), reverse=True):
        left.setdefault(old[index], []).append(index)
    for index, mark in enumerate(new):
        # Blank lines are all alike, so that one that is gone says nothing about one that is new.
        if index not in origin and mark != BLANK and left.get(mark):
            origin[index] = left[mark].pop()
    return origin


def _moves_joined(differences: list[LineChange], old: Sequence[str], new: Sequence[str]) -> tuple[LineChange, ...]:
    """Join the removal of a line and the addition of an equal one to one change, a move."""
    gone: dict[str, list[LineChange]] = {}
    # Reversed, so that `pop` gives the first of several equal lines.
    for change in reversed(differences):
        if change.kind == "removed" and change.old and old[change.old - 1] != BLANK:
            gone.setdefault(old[change.old - 1], []).append(change)
    joined: dict[LineChange, LineChange] = {}
    dropped: set[LineChange] = set()
    for change in differences:
        if change.kind == "added" and change.new and gone.get(new[change.new - 1]):
            removed = gone[new[change.new - 1]].pop()
            joined[change] = LineChange("moved", removed.old, change.new)
            dropped.add(removed)
    return tuple(joined.get(change, change) for change in differences if change not in dropped)
