"""`ludex diff GAME`: comparison of the texts of one game with an apparatus."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludex.grammar import Diagnostic, Failure, is_there, or_meant, read_text
from ludex.interpreter import RowResult, SearchLimits, kept_games, play_all
from ludex.spec import (
    DECISIONS_FILE,
    RULINGS_FILE,
    GameText,
    RowPair,
    RowRuling,
    Text,
    TextDecision,
    TextRow,
    attested_clauses,
    joined_rulings,
    mark_of,
    notes_in,
    read_decisions,
    read_row_rulings,
    row_pair_of,
    rows,
    rulings_text,
    shown_path,
)

from ..reporting import Books, Exit, json_text, progress, put, say, unstyled, visible
from . import report_model as r
from .html_report import to_page
from .json_report import report_json, to_csv, to_xlsx
from .phrases import in_words_of, title_of
from .report_builder import ReportInput, build_report
from .report_path import report_file, write_report
from .story_source import Teller
from .text_report import to_text

if TYPE_CHECKING:
    from .diff_options import DiffOptions


@dataclass(frozen=True, slots=True)
class Done:
    """A report, with the known rulings and the comments among them. remarks: notes to print beside the report."""

    report: r.DiffReport
    rulings: tuple[RowRuling, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def report_editions(text: GameText, named: Sequence[str], options: DiffOptions) -> Exit:
    """Print or write the report. named: the texts to compare; all of them if none is named.

    Raises UsageError for a name that no text of the game has, Failure if the game has errors.
    """
    for name in named:
        if name not in text.texts:
            raise click.UsageError(f"`{text.name}` has no text `{visible(name[:100])}`; it has {', '.join(text.texts)}")
    if any(fault.is_error for fault in text.diagnostics):
        raise Failure(text.diagnostics)
    texts = {name: each for name, each in text.texts.items() if not named or name in named}
    all_rows = rows(attested_clauses(text.declarations, text.texts), texts, _decisions(text), text.declarations)
    out = report_file(text.name, options)
    rulings = read_rulings(text, options, out)
    asked = rows_about(options.clauses, all_rows)
    books = Books(options.sources, {name: each.document for name, each in texts.items()}) if options.sources else None
    # The search takes minutes, and neither a file of rulings nor --check says what a row does in play.
    is_played = options.play and options.form != "rulings" and not options.check
    played = _played(text, asked, options) if is_played else Games()
    known = ReportInput(
        text.name,
        in_words_of(text.game.header.titles, options.language) or text.name,
        texts,
        asked,
        played.by_row,
        rulings.joined,
        rulings.seen,
        books,
        played.complete,
    )
    finished = build_report(known, options.language)
    # With fewer texts there are fewer rows, so a ruling without a row is not a mistake then.
    remarks = (*(books.missing if books else ()), *([] if named else _strays(rulings.joined, all_rows)))
    done = Done(finished, rulings.joined, rulings.notes, remarks)
    drafts = rulings_text(known.game, _with_drafts(known, finished), rulings.notes) if options.form == "rulings" else ""
    return print_report(done, options, drafts)


def rows_about(clauses: Sequence[str], all_rows: Sequence[TextRow]) -> list[TextRow]:
    """Select the rows about some clauses and all inside them; all rows if none is named. Raises UsageError if none
    fits."""
    for name in clauses:
        if not any(_is_about(row, name) for row in all_rows):
            message = f"no row is about the clause `{visible(name[:100])}`"
            raise click.UsageError(or_meant(message, name, [path for row in all_rows for path in row.clauses]))
    return [row for row in all_rows if not clauses or any(_is_about(row, name) for name in clauses)]


def _is_about(row: TextRow, clause: str) -> bool:
    return any(path == clause or path.startswith(f"{clause}.") for path in row.clauses)


def _decisions(text: GameText) -> tuple[TextDecision, ...]:
    """Read the collation decisions beside the game. Raises Failure if the file has faults."""
    path = text.folder / DECISIONS_FILE
    if not is_there(path):
        return ()
    content, faults = read_text(path)
    if content is None:
        raise Failure(faults)
    decisions, faults = read_decisions(content, shown_path(path), tuple(text.texts))
    if any(fault.is_error for fault in faults):
        raise Failure(faults)
    return decisions


@dataclass(slots=True)
class Games:
    """Results of play. by_row: by the name of the row; complete: nobody stopped the search."""

    by_row: dict[str, RowResult] = field(default_factory=dict)
    complete: bool = True


def _played(text: GameText, all_rows: Sequence[TextRow], options: DiffOptions) -> Games:
    """Play the rows that bind players."""
    asked = [row for row in all_rows if row.matters and row.section.is_decided]
    return play([(row, row_pair_of(text, row)) for row in asked], text.texts, options)


def play(row_pairs: Sequence[tuple[TextRow, RowPair | str]], texts: Mapping[str, Text], options: DiffOptions) -> Games:
    """Play the two readings of each row. A message in place of the readings says why they cannot be played.

    Ctrl-C ends the search, and the results until then are reported.
    """
    games = Games({row.name: RowResult(row.pair, why=why) for row, why in row_pairs if isinstance(why, str)})
    playable = [row_pair for _, row_pair in row_pairs if not isinstance(row_pair, str)]
    titles = {name: title_of(each, options.language) for name, each in texts.items()}
    teller = Teller(titles, options.language)
    limits, folder = SearchLimits(options.events, options.seconds), None if options.fresh else kept_games()
    try:
        with progress(len(playable), "looking for games") as bar:
            for row_pair, result in play_all(playable, limits, options.seed, options.jobs, folder, teller):
                games.by_row[row_pair.name] = result
                if bar is not None:
                    bar.update(1)
    except KeyboardInterrupt:
        games.complete = False
    return games


# ---- rulings ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a team: those of the file beside the game and of the named one, merged.

    Attributes:
        seen: names of the rows in the named file, or in that beside the game; None if there is none.
        notes: comments in the files.
    """

    joined: tuple[RowRuling, ...] = ()
    seen: frozenset[str] | None = None
    notes: tuple[str, ...] = ()


def read_rulings(text: GameText, options: DiffOptions, out: Path | None = None) -> Rulings:
    """Read the rulings on this game. out: where rulings are written. Raises Failure if a file has faults."""
    beside = text.folder / RULINGS_FILE
    # A file that was named has to exist; the one beside the game need not.
    paths = [path for path in (beside, options.rulings) if path is not None and (path is not beside or is_there(path))]
    # The team may have filled in an older file of drafts; the new one must not lose that.
    if options.form == "rulings" and out is not None and is_there(out):
        paths.insert(0, out)
    # One file under two names is read once.
    files = {os.path.realpath(path): path for path in paths}
    rulings = Rulings()
    for path in files.values():
        content, faults = read_text(path)
        if content is None:
            raise Failure(faults)
        read, faults = read_row_rulings(content, shown_path(path), tuple(text.texts), text.name)
        _refuse(faults)
        joined = joined_rulings(rulings.joined, read)
        notes = tuple(dict.fromkeys((*rulings.notes, *notes_in(content))))
        rulings = Rulings(joined, frozenset(each.row for each in read), notes)
    return rulings


def _strays(rulings: Sequence[RowRuling], all_rows: Sequence[TextRow]) -> Iterator[str]:
    names = [row.name for row in all_rows]
    for each in rulings:
        if each.row not in names:
            message = f"there is a ruling on `{each.row[:100]}`, but no row has this name"
            yield or_meant(message, each.row, names)


def _refuse(faults: Sequence[Diagnostic]) -> None:
    if any(fault.is_error for fault in faults):
        raise Failure(tuple(faults))


def _with_drafts(known: ReportInput, report: r.DiffReport) -> tuple[RowRuling, ...]:
    """Return the rulings, with an empty one for each row that is still to be decided."""
    there = {each.row for each in known.rulings}
    marks = {row.name: mark_of(row) for row in known.rows}
    return (
        *known.rulings,
        *(RowRuling(row.name, marks[row.name]) for row in report.undecided if row.name not in there),
    )


# ---- output -----------------------------------------------------------------------------------------------------


def print_report(done: Done, options: DiffOptions, drafts: str = "") -> Exit:
    """Print or write a report in the chosen format. drafts: the rulings to fill in.

    Raises KeyboardInterrupt after an incomplete report.
    """
    shown = done.report
    for each in done.remarks:
        say(f"note: {each}", err=True)
    _write(drafts or _formatted(done, options), shown, options)
    if not shown.complete:
        raise KeyboardInterrupt
    if options.check:
        return Exit.FINDINGS if shown.undecided else Exit.GOOD
    return Exit.FINDINGS if shown.parts else Exit.GOOD


def _formatted(done: Done, options: DiffOptions) -> str | bytes:
    shown = _undecided_only(done.report) if options.check else done.report
    match options.form:
        case "json":
            return json_text(report_json(shown)) + "\n"
        case "csv":
            return to_csv(shown)
        case "xlsx":
            return to_xlsx(shown)
        case "html":
            return to_page(shown, done.rulings, done.notes)
        case _:
            return to_text(shown, options.everything, options.details or bool(options.clauses))


def _undecided_only(report: r.DiffReport) -> r.DiffReport:
    asked = set(map(id, report.undecided))
    chapters = (replace(each, rows=tuple(row for row in each.rows if id(row) in asked)) for each in report.chapters)
    return replace(report, chapters=tuple(chapter for chapter in chapters if chapter.rows))


def _write(text: str | bytes, shown: r.DiffReport, options: DiffOptions) -> None:
    out = report_file(shown.game, options)
    if out is not None:
        write_report(unstyled(text) + "\n" if isinstance(text, str) and options.form == "text" else text, out)
        return
    # Only a workbook is of bytes, and place_of() refuses one without a file.
    assert isinstance(text, str)
    if options.form == "text":
        say(text)
    else:
        put(text, nl=False)
