"""`ludex games`: the shipped games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..command import GAME, TableSettings, format_option, lang_option, subcommand, table_options
from ..reporting import Exit, put, say, style

if TYPE_CHECKING:
    from ludex.grammar import Diagnostic
    from ludex.spec import Overview


@subcommand("games", "games\ngames boreal --lang ru\ngames boreal --moves")
@click.argument("names", type=GAME, metavar="[GAME]...", nargs=-1)
@click.option("--moves", is_flag=True, help="Print the cheat sheet of GAME: every move in words and in the notation.")
@lang_option
@format_option
@table_options
def command(names: tuple[str, ...], moves: bool, lang: str | None, format: str, table: TableSettings) -> Exit:  # noqa: A002 - the option's name
    """List the games that come with Ludex; describe those that are named; or, with --moves, list the moves of one."""
    from ludex.grammar import Message, languages
    from ludex.spec import overview, shipped_games

    if moves:
        return _moves(names, lang, table, format == "json")
    if not table.is_default:
        raise click.UsageError(Message("usage-with-moves"))
    overviews = [overview(name) for name in names or shipped_games()]
    if lang is not None and not any(lang in (*languages(), *game.titles) for game, _ in overviews):
        raise click.BadParameter(Message("usage-language", tag=lang, names=languages()))
    games, faults = [game for game, _ in overviews], [fault for _, each in overviews for fault in each]
    if format == "json":
        from ..reporting import json_text

        put(json_text({"games": [_to_json(*each, lang) for each in overviews]}))
    elif names:
        say("\n\n".join("\n".join(_about(game, lang)) for game in games))
    else:
        say("\n".join(_list(games, lang)))
    if not faults:
        return Exit.GOOD
    from ..reporting import Reporter, exit_of

    # In JSON the faults are with their games.
    if format == "text":
        Reporter().show(faults)
    return exit_of(faults)


def _moves(names: tuple[str, ...], lang: str | None, table: TableSettings, as_json: bool) -> Exit:
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


def _list(games: Sequence[Overview], language: str | None) -> list[str]:
    from ..reporting import table, translated, words

    head = [words(f"games-head-{name}") for name in ("game", "players", "editions", "options", "title")]
    rows = [
        (
            game.name,
            players_words(game.players),
            ", ".join(game.editions) or "-",
            ", ".join(game.options) or "-",
            translated(_title(game, language)),
        )
        for game in games
    ]
    return table([head, *rows])


def players_words(players: tuple[int, int]) -> str:
    """Write a number of players: `2`, or `2-6`"""
    low, high = players
    return f"{low}" if low == high else f"{low}-{high}"


def _title(game: Overview, language: str | None) -> str:
    titles = game.titles
    return titles.get(language or "en") or titles.get("en") or next(iter(titles.values()), game.name)


def _about(game: Overview, language: str | None) -> Iterator[str]:
    from ..reporting import cells, padded, translated, words

    entries = ("titles", "players", "editions", "texts", "options", "fork", "folder")
    labels = {entry: words(f"games-{entry}") for entry in entries}
    wide = max(map(cells, labels.values()))

    def row(entry: str, text: str) -> str:
        return f"  {padded(labels[entry], wide)}  {text}"

    yield style(game.name, bold=True)
    yield row("titles", ", ".join(f"{translated(title)} ({tag})" for tag, title in game.titles.items()) or "-")
    yield row("players", players_words(game.players))
    yield row("editions", ", ".join(game.editions) or "-")
    yield row("texts", ", ".join(f"{tag}: {name}" for tag, name in game.documents.items()) or "-")
    yield row("options", ", ".join(game.options) or "-")
    for fork in game.forks:
        yield row("fork", fork.name)
        for name, text in fork.readings_in(language).items():
            default = f"  ({words('games-default')})" if name == fork.default else ""
            yield f"  {' ' * wide}    {name}{default}: {translated(text)}"
    yield row("folder", game.folder)


def _to_json(game: Overview, faults: Sequence[Diagnostic], language: str | None) -> dict[str, Any]:
    from ..reporting import diagnostic_json

    return {
        "name": game.name,
        "titles": dict(game.titles),
        "players": {"from": game.players[0], "to": game.players[1]},
        "editions": list(game.editions),
        "documents": dict(game.documents),
        "options": list(game.options),
        "forks": {fork.name: {"readings": fork.readings_in(language), "default": fork.default} for fork in game.forks},
        "folder": game.folder,
        "findings": [diagnostic_json(fault) for fault in faults],
    }
