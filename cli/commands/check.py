"""`ludex check`: faults of a spec, and the intermediate forms of the pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ludex.grammar import Diagnostic, Failure
from ludex.spec import OpenGame, WholeCheck, check

from ..command import ALL, GAME, TableSettings, format_option, sources_option, subcommand, tables_options
from ..reporting import (
    Books,
    Exit,
    Reporter,
    counts,
    diagnostic_json,
    exit_of,
    json_text,
    plural,
    put,
    say,
    summary,
)

STAGES = ("tokens", "tree", "declarations", "model", "program")


@subcommand("check", "check boreal\ncheck boreal --stage declarations --edition aid")
@click.argument("games", type=GAME, metavar="GAME...", nargs=-1, required=True)
@click.option("--stage", type=click.Choice(STAGES), help="Print the output of this stage of the pipeline instead.")
@click.option("--strict", is_flag=True, help="Exit with code 1 also if there are only warnings.")
@tables_options("all of them")
@sources_option
@format_option
def command(
    games: tuple[str, ...],
    stage: str | None,
    strict: bool,
    table: TableSettings,
    sources: Path | None,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Find the mistakes of a spec: names, types, flow, components, citations.

    Every edition and number of players is checked, unless the options name a table. A spec with errors is not played;
    warnings do not change the game that is played.
    """
    if stage == "program" and format == "json":
        return _programs(games, table)
    if stage is not None:
        if format == "json":
            raise click.UsageError(f"--format json prints the program alone as data; leave it out with --stage {stage}")
        return max(_show_stage(name, stage, table) for name in games)
    # `--edition all` asks for what is checked without it.
    if table == TableSettings(edition=ALL):
        table = TableSettings(budget=table.budget)
    games_checked = [(name, _check(name, table, sources)) for name in games]
    diagnostics = [diagnostic for _, checked in games_checked for diagnostic in checked.diagnostics]
    if format == "json":
        put(json_text(_to_json(games_checked)))
    else:
        for name, checked in games_checked:
            text = checked.game.text if sources and checked.game else None
            books = Books(sources, text.documents, text.modules) if sources and text else None
            Reporter(books=books).print(checked.diagnostics)
            if len(games) > 1:
                say(f"{name}: {summary(checked.diagnostics)}{_scope(checked, table)}")
        say(summary(diagnostics) + (_scope(games_checked[0][1], table) if len(games) == 1 else ""))
    return max(exit_of(diagnostics), Exit.FINDINGS if strict and diagnostics else Exit.GOOD)


def _check(name: str, table: TableSettings, sources: Path | None) -> WholeCheck:
    """Check every table of the game, or those asked for."""
    try:
        game = OpenGame(name, table.allowed)
        requests = [] if table.is_default else [each.request() for each in table.editions(game)]
        return check(game, requests, sources)
    except Failure as failure:
        return WholeCheck(None, failure.diagnostics)


def _scope(checked: WholeCheck, asked: TableSettings) -> str:
    """Describe the checked tables: ` (2 to 4 players; editions ru, en; option size)`."""
    # An error may have ended the check before every table was checked.
    if checked.game is None or any(fault.is_error for fault in checked.diagnostics):
        return ""
    game, _ = checked.game.overview()
    least, most = game.players
    players = f"{least} to {most} players" if least < most else plural(least, "player")
    editions, options = list(game.editions), list(game.options)
    if not asked.is_default:
        players = plural(asked.players or least, "player")
        named = [] if asked.edition == ALL else [asked.edition or next(iter(game.editions), "")]
        editions, options = [name for name in named or editions if name], []
    settings = (("edition", editions), ("option", options))
    parts = [f"{word}{'s' * (len(names) > 1)} {', '.join(names)}" for word, names in settings if names]
    return f" ({'; '.join([players, *parts])})"


def _to_json(games_checked: list[tuple[str, WholeCheck]]) -> dict[str, Any]:
    games = [
        {
            "game": name,
            "findings": [diagnostic_json(each) for each in checked.diagnostics],
            **counts(checked.diagnostics),
        }
        for name, checked in games_checked
    ]
    return {"games": games, **counts(each for _, checked in games_checked for each in checked.diagnostics)}


def _programs(games: tuple[str, ...], asked: TableSettings) -> Exit:
    """Print the programs in the form in which they are stored."""
    from ludex.interpreter import lower, program_to_json
    from ludex.spec import build, read_game

    parts, diagnostics = list[dict[str, Any]](), list[Diagnostic]()
    for name in games:
        built = build(read_game(name, asked.allowed), asked.request())
        made = built.game if built.game and not built.errors else None
        (part,) = _to_json([(name, WholeCheck(None, built.diagnostics))])["games"]
        parts.append({**part, "program": program_to_json(lower(made)) if made else None})
        diagnostics += built.diagnostics
    put(json_text({"games": parts, **counts(diagnostics)}))
    return exit_of(diagnostics)


def _show_stage(name: str, stage: str, asked: TableSettings) -> Exit:
    # A game from the cache is checked without the parser, and no game is lowered for a check.
    from ludex.spec import read_game

    from ..stages.listing import stage_rows

    rows, diagnostics = stage_rows(read_game(name, asked.allowed), stage, asked.request())
    say("\n".join(rows))
    # Diagnostics go to the standard error, so that the stage itself can be piped to another program.
    if diagnostics:
        reporter = Reporter()
        for diagnostic in diagnostics:
            say(reporter.text(diagnostic), err=True)
        say(summary(diagnostics), err=True)
    return exit_of(diagnostics)
