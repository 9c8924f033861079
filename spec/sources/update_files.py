"""Recording: updates the stored files from the text at hand and from the citations.

By recording, a person confirms that clauses and lines were compared. So recording does only what was asked: classes
stay with their lines, new citations are confirmed, and a stale citation is confirmed again only by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ludex.grammar import Diagnostic, Diagnostics, did_you_mean, whole_file, write_text

from .citations import CitedSpan, Standing, cited_spans
from .codes import NOT_WRITTEN, NOTHING_TO_CONFIRM
from .files import format_lines, format_lock
from .texts import BLANK, CitedGame, Confirmation, LineClass, Lock, Source, SourceLine, StoredText, Words, carry_classes

Confirm = frozenset[str] | Literal["all"]
"""Clauses whose stale citations are confirmed again: by path, by `text:path`, or all of them."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording comes to; nothing is written yet.

    Attributes:
        files: the files to write with their whole text; only those that change.
        confirmed: citations confirmed for the first time.
        reconfirmed: stale citations that were named, and are confirmed again.
        left_stale: stale citations that were not named, and stay as they are.
        dropped: confirmations that no citation asks for any more, each behind the tag of its document.
        unclassified: how many lines of each document (by tag) wait for a class.
    """

    files: tuple[tuple[Path, str], ...]
    confirmed: tuple[CitedSpan, ...]
    reconfirmed: tuple[CitedSpan, ...]
    left_stale: tuple[CitedSpan, ...]
    dropped: tuple[tuple[str, Confirmation], ...]
    unclassified: tuple[tuple[str, int], ...]


def record(folder: Path, game: CitedGame, confirm: Confirm = frozenset()) -> tuple[Recorded, tuple[Diagnostic, ...]]:
    """What the files in `folder` become.

    A document whose stored files are broken, or whose text at hand is another text, is left alone: the faults are
    reported when it is read and checked.
    """
    sources = tuple(replace(source, stored=record_text(folder, source)) for source in game.sources)
    spans = cited_spans(replace(game, sources=sources))
    named = frozenset(span.key for span in spans if span.standing is Standing.STALE and _is_named(span, confirm))
    usable = {source.document.tag: source for source in sources if source.stored and source.lock}
    spans = tuple(span for span in spans if span.document in usable)
    locks = {tag: _locked(source, spans, named) for tag, source in usable.items()}
    files = _files(folder, game, usable, locks)
    stale = [span for span in spans if span.standing is Standing.STALE]
    recorded = Recorded(
        files,
        tuple(span for span in spans if span.standing is Standing.UNCONFIRMED),
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
    """What a document's `.lines` file becomes: unchanged without the words, or where it may not be touched."""
    if source.words is None or source.is_broken:
        return source.stored
    if source.stored is None:
        return new_text(str(folder / f"{source.document.tag}.lines"), source.document.name, source.words)
    return source.stored if source.is_another_text else carry_classes(source.stored, source.words)


def new_text(file: str, name: str, words: Words) -> StoredText:
    """A text recorded for the first time: every line that is not blank waits for its class."""
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
    """The lock with new citations added, named ones renewed, and what no citation asks for left out."""
    old = source.lock or Lock("")
    known = old.by_key()
    rows: dict[tuple[str, str, int, int], Confirmation] = {}
    for span in spans:
        if span.document != source.document.tag:
            continue
        if span.standing is Standing.UNCONFIRMED or span.key in named:
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
        if stored and stored != before.stored:
            files.append((folder / f"{tag}.lines", format_lines(stored)))
        if before.lock is None or set(locks[tag].confirmations) != set(before.lock.confirmations):
            files.append((folder / f"{tag}.lock", format_lock(locks[tag])))
    return tuple(files)


def _unclassified(source: Source) -> int:
    lines = source.stored.lines if source.stored else ()
    return sum(line.line_class is LineClass.UNCLASSIFIED for line in lines)


def _needless(confirm: Confirm, stale: list[CitedSpan]) -> tuple[Diagnostic, ...]:
    """Report names that confirm nothing, so that a typing mistake does not look like success."""
    known = {name for span in stale for name in _names(span)}
    reports = Diagnostics()
    for name in sorted(confirm) if confirm != "all" else ():
        if name not in known:
            hint = did_you_mean(name, known)
            message = f"`{name}` has no stale citation, so there is nothing to confirm"
            reports.report(NOTHING_TO_CONFIRM, message, whole_file(f"--confirm {name}"), hint)
    return tuple(reports.items)


def write_recorded(recorded: Recorded, folder: Path) -> tuple[Recorded, tuple[Diagnostic, ...]]:
    """Write the files, each wholly or not at all. Gives what is recorded now, and a report of each file that cannot be
    written.

    folder: the game's; no link leads what is written out of it.
    """
    reports = Diagnostics()
    failed: set[Path] = set()
    for path, text in recorded.files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, text, folder)
        except OSError as fault:
            why = fault.strerror or fault
            failed.add(path)
            reports.report(NOT_WRITTEN, f"{path} could not be written: {why}", whole_file(str(path)))
    return _without(recorded, failed), tuple(reports.items)


def _without(recorded: Recorded, failed: set[Path]) -> Recorded:
    """What is recorded if these files are not written: a document's `.lock` holds its confirmations, its `.lines` the
    classes."""
    lines, locks = ({path.stem for path in failed if path.suffix == suffix} for suffix in (".lines", ".lock"))
    return Recorded(
        tuple(file for file in recorded.files if file[0] not in failed),
        tuple(span for span in recorded.confirmed if span.document not in locks),
        tuple(span for span in recorded.reconfirmed if span.document not in locks),
        tuple(span for span in recorded.left_stale if span.document not in locks),
        tuple(dropped for dropped in recorded.dropped if dropped[0] not in locks),
        tuple((tag, count) for tag, count in recorded.unclassified if tag not in lines),
    )
