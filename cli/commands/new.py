"""`ludex new`: creates a spec, a small complete game that its author replaces."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..command import pairs, subcommand
from ..reporting import make_folder, say, write_new_files


def _players(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    least, dots, most = value.partition("..")
    try:
        return int(least), int(most if dots else least)
    except ValueError:
        raise click.BadParameter(f"`{value}` is not a number of players, such as 4 or 2..4") from None


def _name_of(file: str) -> str:
    """Return the name of the file of a text, which may be written later. Raises ValueError if it cannot be one."""
    if not file:
        raise ValueError("a text has a file: `--text en=snails.txt`")
    if file.endswith(("/", os.sep)) or Path(file).is_dir():
        raise ValueError(f"`{file}` is a folder; name the file of the text")
    return Path(file).name


@subcommand("new", "new snails --players 2..4\nnew snails --text en=snails.txt")
@click.argument("name")
@click.option("--players", callback=_players, default="2", metavar="N..M", help="The number of players.  [default: 2]")
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="TAG=FILE",
    callback=pairs,
    help="A text of the rulebook.",
)
def command(name: str, players: tuple[int, int], texts: tuple[tuple[str, str], ...]) -> None:
    """Create a spec: a small game that can be played, with a remark at each part.

    It is written to NAME/NAME.ludex. No file is overwritten.
    """
    from ludex.spec import new_spec, shipped_games

    # The name alone would always mean the shipped game.
    if name in shipped_games():
        raise click.UsageError(f"`{name}` is a game that comes with Ludex; choose another name")
    try:
        spec = new_spec(name, players, {tag: _name_of(file) for tag, file in texts})
    except ValueError as reason:
        raise click.UsageError(str(reason)) from None
    path = Path(name, f"{name}.ludex")
    make_folder(path.parent)
    write_new_files({path: spec})
    say(f"wrote {path}")
    say(f"Play it with `ludex play {name}`, change it, and let `ludex check {name}` and `ludex test {name}` judge it.")
    for folder in dict.fromkeys(Path(file).parent for _, file in texts):
        say(f"`ludex coverage {name} --sources {folder} --record` keeps fingerprints of the text's lines.")
