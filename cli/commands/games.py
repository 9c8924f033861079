"""`ludex games`: the shipped games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..command import GAME, Table, format_option, lang_option, subcommand, table_options
from ..reporting import Exit, put, say, style

if TYPE_CHECKING:
    from ludex.grammar import Diagnostic
    from ludex.spec import Overview


@subcommand("games", "games\ngames boreal\ngames boreal --moves --lang ru")
@click.argument("names", type=GAME, metavar="[GAME]...", nargs=-1)
@click.option("--moves", is_flag=True, help="Print the cheat sheet of GAME: every move in words and in the notation.")
@lang_option
@format_option
@table_options
def command(names: tuple[str, ...], moves: bool, lang: str | None, format: str, table: Table) -> Exit:  # noqa: A002 - the option's name
    """List the games that come with Ludex; or tell more about some; or, with --moves, list the moves of one."""
    from ludex.grammar import Message
    from ludex.spec import overview, shipped_games

    if moves:
        return _moves(names, lang, table, format == "json")
    if lang is not None or not table.is_default:
        raise click.UsageError(Message("usage-with-moves"))
    overviews = [overview(name) for name in names or shipped_games()]
    games, faults = [game for game, _ in overviews], [fault for _, each in overviews for fault in each]
    if format == "json":
        from ..reporting import json_text

        put(json_text({"games": [_to_json(*each) for each in overviews]}))
    elif names:
        say("\n\n".join("\n".join(_about(game)) for game in games))
    else:
        say("\n".join(_list(games)))
    if not faults:
        return Exit.GOOD
    from ..reporting import Reporter, exit_of

    # In JSON they are with their games.
    if format == "text":
        Reporter().show(faults)
    return exit_of(faults)


def _moves(names: tuple[str, ...], lang: str | None, table: Table, as_json: bool) -> Exit:
    """Print the cheat sheet of one game."""
    from ludex.grammar import Message
    from ludex.interpreter import Engine

    from ..reporting import json_text, width
    from ..view.cheat_sheet import cheat_sheet
    from ..view.display_names import chosen_language

    if len(names) != 1:
        raise click.UsageError(Message("usage-one-game"))
    game = table.load(names[0])
    sheet = cheat_sheet(Engine(game), chosen_language(game, lang))
    if as_json:
        put(json_text({"game": game.name, "edition": game.edition, **sheet.to_json()}))
    else:
        say("\n".join(sheet.rows(width())))
    return Exit.GOOD


def _list(games: Sequence[Overview]) -> list[str]:
    from ..reporting import table

    head = ("GAME", "PLAYERS", "EDITIONS", "OPTIONS", "TITLE")
    rows = [
        (
            game.name,
            players_words(game.players),
            ", ".join(game.editions) or "-",
            ", ".join(game.options) or "-",
            _title(game),
        )
        for game in games
    ]
    return table([head, *rows])


def players_words(players: tuple[int, int]) -> str:
    """Write a number of players: `2`, or `2-6`"""
    low, high = players
    return f"{low}" if low == high else f"{low}-{high}"


def _title(game: Overview) -> str:
    return game.titles.get("en") or next(iter(game.titles.values()), game.name)


def _about(game: Overview) -> Iterator[str]:
    yield style(game.name, bold=True)
    yield f"  titles    {', '.join(f'{words} ({tag})' for tag, words in game.titles.items()) or '-'}"
    yield f"  players   {players_words(game.players)}"
    yield f"  editions  {', '.join(game.editions) or '-'}"
    yield f"  texts     {', '.join(f'{tag}: {name}' for tag, name in game.documents.items()) or '-'}"
    yield f"  options   {', '.join(game.options) or '-'}"
    for fork in game.forks:
        yield f"  fork      {fork.name}"
        for name, words in fork.readings.items():
            yield f"              {name}{'  (default)' if name == fork.default else ''}: {words}"
    yield f"  folder    {game.folder}"


def _to_json(game: Overview, faults: Sequence[Diagnostic]) -> dict[str, Any]:
    from ..reporting import to_json

    return {
        "name": game.name,
        "titles": dict(game.titles),
        "players": {"from": game.players[0], "to": game.players[1]},
        "editions": list(game.editions),
        "documents": dict(game.documents),
        "options": list(game.options),
        "forks": {fork.name: {"readings": dict(fork.readings), "default": fork.default} for fork in game.forks},
        "folder": game.folder,
        "findings": [to_json(fault) for fault in faults],
    }
