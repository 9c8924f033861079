"""`ludex diff A B`: comparison of two specs, row by row, and as whole games."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludex.grammar import DECLARATION_WORDS, MAX_BYTES, RESERVED_WORDS, STDIN, SUFFIX, Failure, decode_text, is_there
from ludex.interpreter import RowResult
from ludex.spec import (
    Budget,
    GameText,
    Section,
    TextRow,
    TwoVersions,
    Version,
    compare_versions,
    locate,
    read_alone,
    read_game,
    shipped_games,
    version_alone,
    version_of,
)

from ..reporting import Exit, visible
from . import Done, Games, ReportInput, build_report, effect_of, play, print_report, report_file, rows_about, story_of
from . import report_model as r
from .phrases import Phrases, in_words_of

if TYPE_CHECKING:
    from .diff_options import DiffOptions

_FEW = 12
"""The largest number of rows that are shown with their lines and games by default."""
WHOLE = TextRow(Section.CONTRADICTION, "", (), {}, ())
"""Placeholder of a row, under which both specs are played as they are."""


def is_spec(named: str) -> bool:
    """Test whether a word names a spec and not a text of a game: a path, a shipped game, the standard input."""
    is_path = named == STDIN or "/" in named or "\\" in named or named.endswith(SUFFIX)
    return is_path or named in shipped_games() or is_there(Path(named))


def report_specs(left: str, right: str, named: Sequence[str], options: DiffOptions) -> Exit:
    """Print or write the differences of two specs. named: the text to compare, of games with several."""
    if options.form == "rulings" or options.check or options.rulings:
        raise click.UsageError("rulings are for the texts of one game; two specs have none")
    if options.sources:
        raise click.UsageError("--sources is for the texts of one game; two specs are compared without rulebooks")
    if left == right == STDIN:
        raise click.UsageError("only one of the two specs can be read from the standard input")
    if len(named) > 1:
        raise click.UsageError("two specs are compared by one text; name only one")
    two, note = _compared(left, right, next(iter(named), None), options)
    report_file(two.text.name, options)  # a bad --out is reported before the search, which takes long
    # Of equal specs no row is about any clause, so naming a clause there is no mistake.
    asked = rows_about(options.clauses, two.rows) if two.rows else []
    games = _played(two, asked, options)
    whole = _whole(two, games.by_row.pop(WHOLE.name, None), note, options.language)
    title, texts = _title(two, options), two.text.texts
    known = ReportInput(two.text.name, title, texts, asked, games.by_row, complete=games.complete, written=two.in_files)
    report = replace(build_report(known, options.language), whole=whole)
    return print_report(Done(report), replace(options, details=options.details or len(asked) <= _FEW))


def _title(two: TwoVersions, options: DiffOptions) -> str:
    return in_words_of(two.text.game.header.titles, options.language) or two.text.name


# ---- reading ----------------------------------------------------------------------------------------------------


def _compared(left: str, right: str, edition: str | None, options: DiffOptions) -> tuple[TwoVersions, str]:
    """Merge both specs into one with an apparatus; add a note on their other texts. Raises Failure."""
    texts = _read(left, options.budget), _read(right, options.budget)
    texts = _with_data(texts[0], texts[1]), _with_data(texts[1], texts[0])
    sigla = _sigla(left, right)
    shared = [name for name in texts[0].names if name in texts[1].names]
    if edition is not None and edition not in shared:
        raise click.UsageError(
            f"`{visible(edition[:100])}` is not a text of both specs; they share {', '.join(shared) or 'none'}"
        )
    chosen = edition or next(iter(shared), None)

    def compare(name: str | None) -> TwoVersions:
        return compare_versions(*(
            _version(siglum, title, text, name)
            for siglum, title, text in zip(sigla, (left, right), texts, strict=True)
        ))  # fmt: skip

    folded = compare(chosen)
    others = {name: compare(name) for name in shared if name != chosen} if edition is None else {}
    apart = [name for name, each in others.items() if not each.same]
    if chosen is None or not apart:
        return folded, ""
    note = Phrases(options.language).filled("other texts", text=chosen, others=tuple(apart))
    # The compared text may have one normal form in both specs; that says nothing about the games' other texts.
    return replace(folded, same=False), note


def _read(named: str, budget: Budget) -> GameText:
    """Read a game, or one file of it that is a text written down alone."""
    if named == STDIN:
        # One byte more than is allowed shows that an input is too long, however long it is.
        content, faults = decode_text(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
        if content is None:
            raise Failure(faults)
        return read_alone(Path(STDIN), content, budget)
    place = locate(named)
    alone = place.folder.first_words(place.file)[:1] == ["edition"]
    text = read_alone(place, budget=budget) if alone else read_game(place, budget)
    if text.failed:
        raise Failure(text.diagnostics)
    return text


def _with_data(text: GameText, other: GameText) -> GameText:
    """Add the other spec's component data to an older version of a file, which has none beside it."""
    lacks = text.needs_components and not text.component_files
    return replace(text, home=other.home) if lacks else text


def _version(siglum: str, title: str, text: GameText, edition: str | None) -> Version:
    header = text.game.header
    if header.of is None:
        return version_of(siglum, title, text, edition if edition in text.names else text.default_edition)
    return version_alone(siglum, title, text, _game_of(text, header.of))


def _game_of(text: GameText, name: str) -> GameText | None:
    """Find the game of a text written down alone: beside it, in the folder above, or shipped."""
    folder = text.game.path.resolve().parent
    for path in (folder / f"{name}{SUFFIX}", folder.parent / f"{name}{SUFFIX}"):
        if is_there(path):
            return read_game(path, text.budget)
    return read_game(name, text.budget) if name in shipped_games() else None


def _sigla(left: str, right: str) -> tuple[str, str]:
    """Choose short names for citing their lines: the names of their files, if a spec allows them, else `a` and `b`."""
    names = [Path(each).stem for each in (left, right)]
    good = [re.fullmatch("[a-z][a-z0-9_]{0,30}", each) and each not in NO_NAMES for each in names]
    return (names[0], names[1]) if all(good) and names[0] != names[1] else ("a", "b")


NO_NAMES = {*RESERVED_WORDS, *DECLARATION_WORDS}


# ---- playing ----------------------------------------------------------------------------------------------------


def _played(two: TwoVersions, asked: Sequence[TextRow], options: DiffOptions) -> Games:
    """Play each row, and both specs as they are."""
    if not options.play or two.same:
        return Games()
    row_pairs = [(row, two.row_pair(row)) for row in asked if row.matters]
    if two.whole is not None and not options.clauses:
        row_pairs.append((WHOLE, two.whole))
    return play(row_pairs, two.text.texts, options)


def _whole(two: TwoVersions, played: RowResult | None, note: str, language: str) -> r.WholeComparison:
    verdict, searched, exhaustive = _verdict(two, played), played and played.searched, played and played.exhaustive
    positions, tables = (exhaustive.positions, exhaustive.tables) if exhaustive and exhaustive.alike else (0, 0)
    phrases, with_players = Phrases(language), played.tables if played else ()
    bounds: dict[str, int | str] = {
        "positions": positions,
        "tables": tables,
        "players": ", ".join(map(str, with_players)),
    }
    if searched:
        bounds |= {"events": searched.events, "plays": searched.plays}
    parts = [phrases.filled(verdict, **bounds)]
    parts += [phrases["timed out"]] if verdict == "not found" and searched and searched.timed_out else []
    why = "" if verdict in ("one form", "parted") else exhaustive.why if exhaustive else played.why if played else ""
    words = "; ".join(parts) + (f": {why}" if why else "") + "."
    events = searched.events if searched else 0
    return r.WholeComparison(verdict, words, note, effect_of(played), events, with_players, positions, story_of(played))


def _verdict(two: TwoVersions, played: RowResult | None) -> r.TrialOutcome:
    if two.same:
        return "one form"
    if played is None or played.searched is None:
        return "not played"
    if played.parting is not None:
        return "parted"
    return "all plays" if played.exhaustive is not None and played.exhaustive.alike else "not found"
