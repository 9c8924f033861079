"""`ludex check`: faults of a spec, and the intermediate forms of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ludex.grammar import Diagnostic, Failure, format_declaration, lexemes
from ludex.interpreter import listing, lower
from ludex.spec import Checked, Game, GameText, OpenGame, build, check, declared, read_game, types

from ..command import ALL, GAME, Table, format_option, sources_option, subcommand, tables_options
from ..reporting import (
    Books,
    Exit,
    Reporter,
    counts,
    exit_of,
    json_text,
    place,
    plural,
    put,
    say,
    summary,
    table,
    to_json,
)
from ..view.dump import dump
from ..view.edition_summary import origin_words

STAGES = ("tokens", "tree", "declarations", "model", "program")


@subcommand("check", "check boreal\ncheck boreal --stage declarations --edition aid")
@click.argument("games", type=GAME, metavar="GAME...", nargs=-1, required=True)
@click.option("--stage", type=click.Choice(STAGES), help="Print what this stage makes of the game instead.")
@click.option("--strict", is_flag=True, help="End with exit code 1 where there are only warnings, too.")
@tables_options("all of them")
@sources_option
@format_option
def command(
    games: tuple[str, ...],
    stage: str | None,
    strict: bool,
    table: Table,
    sources: Path | None,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Find the mistakes of a spec: names, types, flow, components, citations.

    Every edition and number of players is checked, unless the options name a table. A spec with errors is not played;
    warnings change nothing of what is played.
    """
    if stage is not None:
        return max(_show_stage(name, stage, table) for name in games)
    # This asks for what is checked without it.
    if table == Table(edition=ALL):
        table = Table(budget=table.budget)
    games_checked = [(name, _check(name, table, sources)) for name in games]
    diagnostics = [diagnostic for _, checked in games_checked for diagnostic in checked.diagnostics]
    if format == "json":
        put(json_text(_to_json(games_checked)))
    else:
        for name, checked in games_checked:
            books = Books(sources, checked.text.documents, checked.text.modules) if sources and checked.text else None
            Reporter(books=books).print(checked.diagnostics)
            if len(games) > 1:
                say(f"{name}: {summary(checked.diagnostics)}{_scope(checked, table)}")
        say(summary(diagnostics) + (_scope(games_checked[0][1], table) if len(games) == 1 else ""))
    return max(exit_of(diagnostics), Exit.FINDINGS if strict and diagnostics else Exit.GOOD)


def _check(name: str, table: Table, sources: Path | None) -> Checked:
    """Check every table of the game, or those asked for."""
    try:
        game = OpenGame(name, table.allowed)
        requests = [] if table.is_default else [each.request() for each in table.editions(game)]
        return check(game, requests, sources)
    except Failure as failure:
        return Checked(None, failure.diagnostics)


def _scope(checked: Checked, asked: Table) -> str:
    """Describe the checked tables: ` (2 to 4 players; editions ru, en; option size)`."""
    text = checked.text
    # An error may have ended the check before every table was checked.
    if text is None or any(fault.is_error for fault in checked.diagnostics):
        return ""
    least, most = text.game.header.players
    players = f"{least} to {most} players" if least < most else plural(least, "player")
    editions, options = list(text.names), list(text.option_names)
    if not asked.is_default:
        players = plural(asked.players or least, "player")
        named = [] if asked.edition == ALL else [asked.edition or text.default_edition or ""]
        editions, options = [name for name in named or editions if name], []
    settings = (("edition", editions), ("option", options))
    parts = [f"{word}{'s' * (len(names) > 1)} {', '.join(names)}" for word, names in settings if names]
    return f" ({'; '.join([players, *parts])})"


def _to_json(games_checked: list[tuple[str, Checked]]) -> dict[str, Any]:
    games = [
        {"game": name, "findings": [to_json(each) for each in checked.diagnostics], **counts(checked.diagnostics)}
        for name, checked in games_checked
    ]
    return {"games": games, **counts(each for _, checked in games_checked for each in checked.diagnostics)}


# ---- stages ----------------------------------------------------------------------------------------------------


def _show_stage(name: str, stage: str, asked: Table) -> Exit:
    text = read_game(name, asked.allowed)
    rows, diagnostics = _stage(text, stage, asked)
    say("\n".join(rows))
    # On standard error, so that the stage itself can be piped to another program.
    if diagnostics:
        reporter = Reporter()
        for diagnostic in diagnostics:
            say(reporter.text(diagnostic), err=True)
        say(summary(diagnostics), err=True)
    return exit_of(diagnostics)


def _stage(text: GameText, stage: str, asked: Table) -> tuple[list[str], tuple[Diagnostic, ...]]:
    match stage:
        case "tokens":
            return list(_token_rows(text)), text.diagnostics
        case "tree":
            return list(_tree_rows(text)), text.diagnostics
        case "declarations":
            merged = declared(text, asked.request())
            return list(_declaration_rows(merged.declarations, merged.clauses, merged.silent)), merged.diagnostics
        case "model":
            built = build(text, asked.request())
            return list(_model_rows(built.game)) if built.game else [], built.diagnostics
        case _:
            built = build(text, asked.request())
            # A program is made of a checked game only.
            return list(listing(lower(built.game))) if built.game and not built.errors else [], built.diagnostics


def _token_rows(text: GameText) -> Iterator[str]:
    for file in text.files:
        yield f"# {file.name}"
        depth = 0
        for lexeme in lexemes(file.text, file.name):
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(lexeme.kind, 0)
            at = f"{lexeme.span.line}:{lexeme.span.column}"
            yield f"{at:>8}  {'  ' * depth}{lexeme.kind:<12} {lexeme.text}".rstrip()


def _tree_rows(text: GameText) -> Iterator[str]:
    for file in text.files:
        yield f"# {file.name}"
        if file.module.header:
            yield from dump(file.module.header)
        for node in file.module.declarations:
            yield from dump(node)


def _declaration_rows(declarations: Any, clauses: Any, silent: tuple[str, ...]) -> Iterator[str]:
    for node in declarations:
        yield format_declaration(node)
        yield ""
    yield f"# {len(clauses)} clauses: path, kind, where it comes from, its place"
    rows = [
        (f"# {each.path}", each.kind, origin_words(each.origin, each.stated_by), place(each.span))
        for each in clauses.values()
    ]
    yield from table(rows) if rows else ()
    if silent:
        yield f"# silent here: {', '.join(silent)}"


def _model_rows(game: Game) -> Iterator[str]:
    yield f"{game.name}, edition {game.edition}, {game.players} players, silence {game.silence}"
    yield f"fingerprint {game.fingerprint}"
    for name, type_ in game.types.items():
        yield f"type {name}: {_members(type_)}"
    for component in game.components:
        columns = ", ".join(f"{name}: {type_}" for name, type_ in component.columns)
        yield f"component {component.name}: {len(component.ids)} kinds, {sum(component.copies)} pieces ({columns})"
    for element in game.elements:
        indices = f"({', '.join(map(str, element.indices))})" if element.indices else ""
        cells = f"cells {element.offset}..{element.offset + element.count - 1}"
        yield f"{element.kind} {element.name}{indices}: {element.type}, {element.visibility}, {cells}"
    parts: tuple[Any, ...] = (*game.defines.values(), *game.actions.values())
    parts += (*filter(None, [game.setup]), game.play, *game.scores, *game.winner, *game.refills)
    parts += (*game.invariants, *game.examples)
    for part in parts:
        yield ""
        yield from dump(part)


def _members(type_: Any) -> str:
    count = types.size(type_)
    return f"{type(type_).__name__}, {count} values" if count is not None else type(type_).__name__
