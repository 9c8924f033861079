"""`ludex games`: what comes with Ludex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from .command import GAME, format_option, subcommand
from .exits import Exit
from .terminal import put, say, style

if TYPE_CHECKING:
    from ludex.grammar import syntax
    from ludex.spec import GameText


@subcommand("games", "games\ngames boreal")
@click.argument("names", type=GAME, metavar="[GAME]...", nargs=-1)
@format_option
def command(names: tuple[str, ...], format: str) -> Exit:  # noqa: A002 - the option's name
    """List the games that come with Ludex; or tell more about some."""
    from ludex.spec import read_game, shipped_games

    from .exits import exit_of
    from .report import Reporter, json_text

    texts = [read_game(name) for name in names or shipped_games()]
    if format == "json":
        put(json_text({"games": [_to_json(text) for text in texts]}))
    elif names:
        say("\n\n".join("\n".join(_about(text)) for text in texts))
    else:
        say("\n".join(_list(texts)))
    faults = [diagnostic for text in texts for diagnostic in text.diagnostics]
    if faults and format == "text":
        Reporter().show(faults)
    return exit_of(faults)


def _list(texts: list[GameText]) -> list[str]:
    from .report import table

    head = ("GAME", "PLAYERS", "EDITIONS", "OPTIONS", "TITLE")
    rows = [
        (
            text.name,
            players_words(text.game.header.players),
            ", ".join(text.names) or "-",
            ", ".join(option_names(text)) or "-",
            _title(text),
        )
        for text in texts
    ]
    return table([head, *rows])


def players_words(players: tuple[int, int]) -> str:
    """`2`, or `2-6`"""
    low, high = players
    return f"{low}" if low == high else f"{low}-{high}"


def _title(text: GameText) -> str:
    titles = text.game.header.titles
    return titles.get("en") or next(iter(titles.values()), text.name)


def _about(text: GameText) -> Iterator[str]:
    header = text.game.header
    yield style(text.name, bold=True)
    yield f"  titles    {', '.join(f'{words} ({tag})' for tag, words in header.titles.items()) or '-'}"
    yield f"  players   {players_words(header.players)}"
    yield f"  editions  {', '.join(text.names) or '-'}"
    yield f"  texts     {', '.join(f'{tag}: {name}' for tag, name in text.documents.items()) or '-'}"
    yield f"  options   {', '.join(option_names(text)) or '-'}"
    for fork in _forks(text):
        yield f"  fork      {fork.name}"
        for reading in fork.readings:
            chosen = "  (default)" if reading.name == fork.default else ""
            yield f"              {reading.name}{chosen}: {reading.text}"
    yield f"  folder    {_folder(text)}"


def _to_json(text: GameText) -> dict[str, Any]:
    from .report import to_json

    header = text.game.header
    return {
        "name": text.name,
        "titles": dict(header.titles),
        "players": {"from": header.players[0], "to": header.players[1]},
        "editions": list(text.names),
        "documents": dict(text.documents),
        "options": option_names(text),
        "forks": {
            fork.name: {"readings": {each.name: each.text for each in fork.readings}, "default": fork.default}
            for fork in _forks(text)
        },
        "folder": _folder(text),
        "findings": [to_json(fault) for fault in text.diagnostics],
    }


def option_names(text: GameText) -> list[str]:
    """The options of a game, as its files declare them."""
    from ludex.grammar import syntax

    found = (node for file in text.files for node in file.module.declarations)
    return list(dict.fromkeys(node.name for node in found if isinstance(node, syntax.OptionDeclaration)))


def _forks(text: GameText) -> list[syntax.ForkDeclaration]:
    from ludex.grammar import syntax

    found = (node for file in text.files for node in file.module.declarations)
    return list({node.name: node for node in found if isinstance(node, syntax.ForkDeclaration)}.values())


def _folder(text: GameText) -> str:
    from ludex.spec import shown_path

    return shown_path(text.folder)
