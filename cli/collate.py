"""`ludex collate`: transcriptions made apart become one text with an apparatus; what is to be settled is listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ludex.grammar import FILE_CODES, SYNTAX_CODES, Diagnostics, Failure, is_there, read_text
from ludex.spec import (
    DECISIONS_FILE,
    SORTS,
    Decision,
    GameText,
    Item,
    check_collation,
    collate,
    read_decisions,
    read_game,
    read_transcriptions,
    shown_path,
)

from .books import Books
from .command import GAME, format_option, sources_option, subcommand
from .exits import Exit, exit_of
from .files import make_folder, write_file
from .report import Reporter, counts, json_text, plural, to_json
from .terminal import put, say, style
from .texts import visible

TRANSCRIPTIONS = "transcriptions"
"""The folder beside a game in which those that were collated are kept."""


@subcommand(
    "collate", "collate my_game en.ludex he.ludex --out collated\ncollate my_game he.ludex --sources ~/rulebooks"
)
@click.argument("game", type=GAME)
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write the game with its apparatus into this folder."
)
@click.option("--decisions", metavar="FILE", help=f"What was decided.  [default: {DECISIONS_FILE} beside the game]")
@click.option("--check", "is_check", is_flag=True, help="Only tell what is neither in the game nor decided.")
@sources_option
@format_option
def command(
    game: str,
    files: tuple[str, ...],
    out: Path | None,
    decisions: str | None,
    is_check: bool,
    sources: Path | None,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Put transcriptions of a game's texts together: one text with an apparatus.

    Each FILE is one text, written down alone, and begins with `edition SIGLUM of GAME`. What the transcriptions have
    alike becomes one clause that cites every text; what they part in is listed, to be settled from the lines.
    """
    text, report = _readable(game), Diagnostics()
    if not files and not is_check:
        raise click.UsageError("name the transcriptions, FILE..., or --check those beside the game")
    paths = [Path(file) for file in files] or sorted((text.folder / TRANSCRIPTIONS).glob("*.ludex"))
    transcriptions = read_transcriptions(paths, text.name, text.documents, report)
    sigla = {**text.game.header.documents, **{each.siglum: each.document for each in transcriptions}}
    decided = _decided(text, decisions, tuple(sigla), report)
    if is_check and not report.has_errors:
        modules = [file.module for file in (text.game, *text.parts)]
        report.extend(check_collation(modules, transcriptions, decided))
        Reporter(books=Books(sources, sigla) if sources else None).show(report.sorted(), format == "json")
        return exit_of(report.items)
    if report.has_errors:
        Reporter().show(report.sorted(), format == "json")
        return exit_of(report.items)
    collated = collate(text, transcriptions, decided)
    written = _write(text, collated.files, out) if out else ()
    if format == "json":
        items = [asdict(item) for item in collated.items]
        found = [to_json(each) for each in report.items]
        put(json_text({"game": text.name, "items": items, "files": written, "findings": found, **counts(report.items)}))
        return Exit.GOOD
    say("\n".join(_listed(collated.items, Books(sources, sigla) if sources else None)))
    for path in written:
        say(f"wrote {path}")
    return Exit.GOOD


def _readable(game: str) -> GameText:
    """The game, if the files of its one text can be read. Raises Failure."""
    text = read_game(game)
    own = {file.name for file in (text.game, *text.parts)}
    faults = [each for each in text.diagnostics if each.span.file in own and each.code in (*FILE_CODES, *SYNTAX_CODES)]
    if faults:
        raise Failure(faults)
    return text


def _decided(text: GameText, named: str | None, sigla: tuple[str, ...], report: Diagnostics) -> tuple[Decision, ...]:
    """The decisions in a file: the one named, or the one beside the game, if there is one."""
    path = Path(named) if named is not None else text.folder / DECISIONS_FILE
    if named is None and not is_there(path):
        return ()
    content, faults = read_text(path)
    report.extend(faults)
    if content is None:
        return ()
    decided, faults = read_decisions(content, shown_path(path), sigla)
    report.extend(faults)
    return decided


def _write(text: GameText, files: Mapping[str, str], folder: Path) -> list[str]:
    """Write the files of the game, and its component data beside them, where nothing stands yet."""
    make_folder(folder)
    data = text.component_texts
    for name in (*files, *data):
        if is_there(folder / name):
            raise click.UsageError(f"{folder / name} is there already; name a folder without it")
    for name, content in (*files.items(), *data.items()):
        write_file(folder / name, content)
    return [str(folder / name) for name in (*files, *data)]


# ---- for people ------------------------------------------------------------------------------------------------


def _listed(items: Sequence[Item], books: Books | None) -> Iterator[str]:
    for sort, what in SORTS.items():
        own = [item for item in items if item.sort == sort]
        if own:
            yield style(f"{what}: {len(own)}", bold=True)
            for item in own:
                yield from _item(item, books)
            yield ""
    found = Counter(item.sort for item in items)
    parts = ", ".join(f"{count} {sort}" for sort, count in found.items())
    yield f"{plural(len(items), 'item')} to settle ({parts})" if items else "nothing to settle"


def _item(item: Item, books: Books | None) -> Iterator[str]:
    told = f": {visible(item.told)}" if item.told else ""
    yield f"  {visible(item.path)}  ({visible(item.siglum)}){told}"
    for sigla, words in item.words.items():
        first, *rest = words.split("\n") if words else [""]
        yield f"    {sigla}: {visible(first)}"
        yield from (f"        {visible(row)}" for row in rest)
    for siglum, lines in item.lines.items():
        cited = f"[{siglum} {lines}]"
        yield style(f"    {cited}", dim=True)
        for quoted in books.cited(cited) if books else ():
            yield style(f"      {quoted.document} {quoted.line} | {visible(quoted.words)}", dim=True)
