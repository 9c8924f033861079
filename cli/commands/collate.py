"""`ludex collate`: merges transcriptions into one text with an apparatus, and lists the open items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from ludex.grammar import FILE_CODES, SYNTAX_CODES, Diagnostics, Failure, is_there, lines_text, read_text
from ludex.spec import (
    DECISIONS_FILE,
    SORTS,
    GameText,
    Item,
    TextDecision,
    check_collation,
    collate,
    read_decisions,
    read_game,
    read_transcriptions,
    shown_path,
)

from ..command import GAME, format_option, sources_option, subcommand
from ..reporting import (
    Books,
    Exit,
    Reporter,
    books_in,
    counts,
    diagnostic_json,
    exit_of,
    is_folder,
    json_text,
    make_folder,
    plural,
    put,
    say,
    style,
    visible,
    write_file,
)

TRANSCRIPTIONS = "transcriptions"
"""The folder beside a game that holds the collated transcriptions."""


@subcommand(
    "collate", "collate my_game en.ludex he.ludex --out collated\ncollate my_game he.ludex --sources ~/rulebooks"
)
@click.argument("game", type=GAME)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the files of the game into this folder; no file is overwritten.",
)
@click.option("--decisions", metavar="FILE", help=f"The decisions.  [default: {DECISIONS_FILE} beside the game]")
@click.option("--check", "is_check", is_flag=True, help="Only list what is neither in the game nor decided.")
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
    """Merge transcriptions of a game's texts into one game, whose clauses name the texts that state them.

    Each FILE is one text that somebody wrote down alone. It begins with `edition SIGLUM of GAME`, where SIGLUM is a
    short name such as `en`. Clauses that the texts share become one clause that cites all of them; where they differ,
    the clause is listed, to be decided from the lines of the books.
    """
    text, diagnostics = _readable(game), Diagnostics()
    if not files and not is_check:
        raise click.UsageError("name the transcriptions, FILE..., or use --check for those beside the game")
    if is_check and out is not None:
        raise click.UsageError("--check writes nothing, so leave out --out")
    paths = [Path(file) for file in files] or _beside(text, decisions)
    transcriptions = read_transcriptions(paths, text.name, text.documents, diagnostics)
    sigla = {**text.game.header.documents, **{each.siglum: each.document for each in transcriptions}}
    # Decisions may name texts that only the transcriptions bring.
    decided = () if diagnostics.has_errors else _decided(text, decisions, tuple(sigla), diagnostics)
    if is_check or diagnostics.has_errors:
        if not diagnostics.has_errors:
            diagnostics.extend(check_collation(text.modules, transcriptions, decided))
        specs = (*text.modules, *(each.module for each in transcriptions))
        Reporter(books=books_in(sources, sigla, specs)).show(diagnostics.sorted(), format == "json")
        return exit_of(diagnostics.items)
    collated = collate(text, transcriptions, decided)
    written = _write(text, collated.files, out) if out else ()
    if format == "json":
        items = [
            {**asdict(item), "lines": {siglum: lines_text(lines) for siglum, lines in item.lines.items()}}
            for item in collated.items
        ]
        findings = [diagnostic_json(each) for each in diagnostics.items]
        put(
            json_text(
                {"game": text.name, "items": items, "files": written, "findings": findings, **counts(diagnostics.items)}
            )
        )
        # Items to settle are what this command is for, and are not findings.
        return Exit.GOOD
    say("\n".join(_listed(collated.items, books_in(sources, sigla))))
    for path in written:
        say(f"wrote {path}")
    return Exit.GOOD


def _readable(game: str) -> GameText:
    """Read the game's files for one of its texts. Raises Failure if they have faults."""
    text = read_game(game)
    own = {file.name for file in (text.game, *text.parts)}
    # Names that the game lacks are not faults here: the transcriptions may bring them.
    faults = [each for each in text.diagnostics if each.span.file in own and each.code in (*FILE_CODES, *SYNTAX_CODES)]
    if faults:
        raise Failure(faults)
    return text


def _beside(text: GameText, decisions: str | None) -> list[Path]:
    """List the transcriptions beside the game. Without them and without decisions there is nothing to check."""
    folder = text.folder / TRANSCRIPTIONS
    if is_there(folder) and not is_folder(folder):
        raise click.UsageError(f"{folder} is not a folder")
    files = sorted(folder.glob("*.ludex"))
    if not files and decisions is None and not is_there(text.folder / DECISIONS_FILE):
        raise click.UsageError(f"there is nothing to check: no transcription in {folder}, and no {DECISIONS_FILE}")
    return files


def _decided(
    text: GameText, named: str | None, sigla: tuple[str, ...], diagnostics: Diagnostics
) -> tuple[TextDecision, ...]:
    """Read the decisions in a file: the one named, or the one beside the game, if there is one."""
    path = Path(named) if named is not None else text.folder / DECISIONS_FILE
    if named is None and not is_there(path):
        return ()
    content, faults = read_text(path)
    diagnostics.extend(faults)
    if content is None:
        return ()
    decided, faults = read_decisions(content, shown_path(path), sigla)
    diagnostics.extend(faults)
    return decided


def _write(text: GameText, files: Mapping[str, str], folder: Path) -> list[str]:
    """Write the files of the game, and copy its component data if it is missing there."""
    make_folder(folder)
    data = text.component_texts
    for name in (*files, *data):
        # All files are looked for before the first is written, so that no folder is left with half a game.
        if is_there(folder / name):
            raise click.UsageError(f"{folder / name} exists already; name a folder without it")
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
    sorts = Counter(item.sort for item in items)
    parts = ", ".join(f"{count} {sort}" for sort, count in sorts.items())
    yield f"{plural(len(items), 'item')} to settle ({parts})" if items else "nothing to settle"


def _item(item: Item, books: Books | None) -> Iterator[str]:
    message = f": {visible(item.message)}" if item.message else ""
    siglum = f"  ({visible(item.siglum)})" if item.siglum else ""
    yield f"  {visible(item.path)}{siglum}{message}"
    for sigla, words in item.words.items():
        first, *rest = words.split("\n") if words else [""]
        yield f"    {sigla}: {visible(first)}"
        yield from (f"        {visible(row)}" for row in rest)
    for siglum, lines in item.lines.items():
        yield style(f"    [{siglum} {lines_text(lines)}]", dim=True)
        for quoted in books.quoted(siglum, lines) if books else ():
            yield style(f"      {quoted.document} {quoted.line} | {visible(quoted.words)}", dim=True)
