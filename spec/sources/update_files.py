"""Recording: updates the stored files from the text at hand and from the citations.

By recording, a person confirms that clauses and lines were compared. Therefore recording does no more than requested
to: classes stay with their lines, new citations are confirmed, and a stale citation is confirmed again only by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ludex.grammar import Diagnostic, Diagnostics, did_you_mean, whole_file, write_text

from .citations import CitationStatus, CitedSpan, cited_spans
from .files import format_lines, format_lock
from .source_codes import NOT_WRITTEN, NOTHING_TO_CONFIRM
from .texts import (
    BLANK,
    CitedGame,
    Confirmation,
    LineClass,
    Lock,
    Source,
    SourceLine,
    StoredText,
    TextWords,
    carry_classes,
)

Confirm = frozenset[str] | Literal["all"]
"""Clauses whose stale citations are confirmed again: by path, by `text:path`, or all of them."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of recording, before anything is written.

    Attributes:
        files: the files that change, with their new text.
        confirmed: the citations that are confirmed for the first time.
        reconfirmed: the stale citations that were named and are confirmed again.
        left_stale: the stale citations that were not named.
        dropped: the confirmations without a citation, each after the tag of its document.
        unclassified: the number of lines without a class, after the tag of each document.
    """

    files: tuple[tuple[Path, str], ...]
    confirmed: tuple[CitedSpan, ...]
    reconfirmed: tuple[CitedSpan, ...]
    left_stale: tuple[CitedSpan, ...]
    dropped: tuple[tuple[str, Confirmation], ...]
    unclassified: tuple[tuple[str, int], ...]


def record(folder: Path, game: CitedGame, confirm: Confirm = frozenset()) -> tuple[Recorded, tuple[Diagnostic, ...]]:
    """Return the new content of the stored files, and the faults of `confirm`.

    A document with broken stored files, or with another text at hand, is left unchanged; reading and checking it
    reports that. folder: the folder of the stored files. confirm: the clauses whose stale citations are confirmed.
    """
    # The new text is in place before citations are judged, so that they are compared with it.
    sources = tuple(replace(source, stored=record_text(folder, source)) for source in game.sources)
    spans = cited_spans(replace(game, sources=sources))
    named = frozenset(span.key for span in spans if span.status is CitationStatus.STALE and _is_named(span, confirm))
    usable = {source.document.tag: source for source in sources if source.stored and source.lock}
    # A broken lock must not be overwritten with what could be read of it.
    spans = tuple(span for span in spans if span.document in usable)
    locks = {tag: _locked(source, spans, named) for tag, source in usable.items()}
    files = _files(folder, game, usable, locks)
    stale = [span for span in spans if span.status is CitationStatus.STALE]
    recorded = Recorded(
        files,
        tuple(span for span in spans if span.status is CitationStatus.UNCONFIRMED),
        tuple(span for span in stale if span.key in named),
        tuple(span for span in stale if span.key not in named),
        tuple(
            (tag, confirmation)
            for tag, source in usable.items()
            for confirmation in (source.lock.confirmations if source.lock else ())
            if confirmation.key not in locks[tag].by_key()
        ),
        tuple((tag, _unclassified(source)) for tag, source in usable.items()),
    )
    return recorded, _needless(confirm, stale)


def record_text(folder: Path, source: Source) -> StoredText | None:
    """Return the new content of a document's `.lines` file; the old one if the document is not at hand, if the file is
    broken, or if the document is another text."""
    if source.words is None or source.is_broken:
        return source.stored
    if source.stored is None:
        return new_text(str(folder / f"{source.document.tag}.lines"), source.document.name, source.words)
    return source.stored if source.is_another_text else carry_classes(source.stored, source.words)


def new_text(file: str, name: str, words: TextWords) -> StoredText:
    """Return a text that is recorded for the first time: every line that is not blank is unclassified."""
    lines = tuple(
        SourceLine(number, mark, LineClass.BLANK if mark == BLANK else LineClass.UNCLASSIFIED)
        for number, mark in enumerate(words.fingerprints, start=1)
    )
    return StoredText(file, name, lines)


def _is_named(span: CitedSpan, confirm: Confirm) -> bool:
    return confirm == "all" or not confirm.isdisjoint(_names(span))


def _names(span: CitedSpan) -> tuple[str, str]:
    return span.clause.path, f"{span.clause.edition}:{span.clause.path}"


def _locked(source: Source, spans: tuple[CitedSpan, ...], named: frozenset[tuple[str, str, int, int]]) -> Lock:
    """Return the lock with new citations added, named ones renewed, and confirmations without a citation dropped."""
    old = source.lock or Lock("")
    known = old.by_key()
    rows: dict[tuple[str, str, int, int], Confirmation] = {}
    for span in spans:
        if span.document != source.document.tag:
            continue
        if span.status is CitationStatus.UNCONFIRMED or span.key in named:
            # Recording says that a person compared the new citations; a stale one has to be named.
            rows[span.key] = Confirmation(*span.key, span.fingerprint)
        elif span.key in known:
            rows[span.key] = known[span.key]
    return Lock(old.file, tuple(rows.values()))


def _files(
    folder: Path, game: CitedGame, usable: dict[str, Source], locks: dict[str, Lock]
) -> tuple[tuple[Path, str], ...]:
    files: list[tuple[Path, str]] = []
    for before in game.sources:
        tag = before.document.tag
        if tag not in usable:
            continue
        stored = usable[tag].stored
        # A file with the same content keeps its time of change.
        if stored and stored != before.stored:
            files.append((folder / f"{tag}.lines", format_lines(stored)))
        # Rows are compared without their order: a file that only sorts otherwise is left as it is.
        if before.lock is None or set(locks[tag].confirmations) != set(before.lock.confirmations):
            files.append((folder / f"{tag}.lock", format_lock(locks[tag])))
    return tuple(files)


def _unclassified(source: Source) -> int:
    lines = source.stored.lines if source.stored else ()
    return sum(line.line_class is LineClass.UNCLASSIFIED for line in lines)


def _needless(confirm: Confirm, stale: list[CitedSpan]) -> tuple[Diagnostic, ...]:
    """Report names that confirm nothing, so that a typing mistake does not look like success."""
    known = {name for span in stale for name in _names(span)}
    diagnostics = Diagnostics()
    for name in sorted(confirm) if confirm != "all" else ():
        if name not in known:
            hint = did_you_mean(name, known)
            message = f"`{name}` has no stale citation, so there is nothing to confirm"
            diagnostics.report(NOTHING_TO_CONFIRM, message, whole_file(f"--confirm {name}"), hint)
    return tuple(diagnostics.items)


def write_recorded(recorded: Recorded, folder: Path) -> tuple[Recorded, tuple[Diagnostic, ...]]:
    """Write the files, each completely or not at all. Return what is now recorded, and the files that could not be
    written as diagnostics.

    folder: the folder of the game; a symbolic link that leads out of it is not followed.
    """
    diagnostics = Diagnostics()
    failed: set[Path] = set()
    for path, text in recorded.files:
        try:
            # The first recording makes the folder.
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, text, folder)
        except OSError as fault:
            # Some errors of the system have no text of their own.
            why = fault.strerror or fault
            failed.add(path)
            diagnostics.report(NOT_WRITTEN, f"{path} could not be written: {why}", whole_file(str(path)))
    return _without(recorded, failed), tuple(diagnostics.items)


def _without(recorded: Recorded, failed: set[Path]) -> Recorded:
    """Return what is recorded if some files could not be written: confirmations are in `.lock`, classes in `.lines`."""
    # The name of a file without its ending is the tag.
    lines, locks = ({path.stem for path in failed if path.suffix == suffix} for suffix in (".lines", ".lock"))
    return Recorded(
        tuple(file for file in recorded.files if file[0] not in failed),
        tuple(span for span in recorded.confirmed if span.document not in locks),
        tuple(span for span in recorded.reconfirmed if span.document not in locks),
        tuple(span for span in recorded.left_stale if span.document not in locks),
        tuple(dropped for dropped in recorded.dropped if dropped[0] not in locks),
        tuple((tag, count) for tag, count in recorded.unclassified if tag not in lines),
    )
