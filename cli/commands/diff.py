"""`ludex diff`: the differences between the texts of a game, or two specs, with their effect in play and witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludex.grammar import STDIN, languages

from ..command import GAME, Count, Seconds, budget_option, seed_option, sources_option, subcommand
from ..reporting import Exit, say

if TYPE_CHECKING:
    from ludex.spec import GameText

EFFORT = 16000
"""Events for each row."""
FORMATS = ("text", "json", "html", "csv", "xlsx", "rulings")


@subcommand("diff", "diff boreal\ndiff boreal ru aid --format html --out boreal.html\ndiff boreal --check")
@click.argument("game", type=GAME, metavar="GAME|A")
@click.argument("editions", nargs=-1, metavar="[TEXT...|B]")
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    metavar="NAME",
    help="Show only this clause and the clauses inside it, with all details; may be given several times.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(languages()),
    default="en",
    show_default=True,
    help="The language of the report.",
)
@click.option("--details", is_flag=True, help="Show all details of all rows.")
@click.option("--all", "everything", is_flag=True, help="Show also rows that bind nobody or concern only a summary.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="For people, for a spreadsheet, for programs; or a file of decisions to fill in.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE|DIR",
    help="Write the report to a file, or into a folder under the name of the game.",
)
@sources_option
@seed_option
@budget_option
@click.option(
    "--effort",
    "events",
    type=Count(1, 1_000_000_000),
    default=EFFORT,
    show_default=True,
    metavar="N",
    help="Events to play for each row, in search of a game that shows it.",
)
@click.option(
    "--seconds",
    type=Seconds(0.01, 86_400),
    default=240.0,
    show_default=True,
    metavar="S",
    help="Stop the search for one row after this many seconds.",
)
@click.option(
    "--jobs",
    type=Count(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Search with this many processes.",
)
@click.option("--no-play", "play", is_flag=True, flag_value=False, default=True, help="Do not search for games.")
@click.option("--fresh", is_flag=True, help="Search again, without results of earlier runs; store none.")
@click.option("--check", is_flag=True, help="List only undecided rows; the exit code is 0 if there are none.")
@click.option(
    "--rulings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file of a team's rulings.  [default: rulings.yaml beside the game, if it exists]",
)
def command(game: str, editions: tuple[str, ...], **given: Any) -> Exit:
    """Compare the texts of a game, or two specs: what each says, its effect in play, and a game that shows it.

    With one GAME all its texts are compared, or those that are named. With A and B two specs are compared: games,
    folders or files (`-` is the standard input), such as two versions of one game, or two texts that were written down
    alone. The exit code is 1 if they differ in something that binds players.
    """
    from ludex.spec import read_game

    from ..diff_report import DiffOptions, report_editions

    options = DiffOptions(**given)
    if _is_of_specs(game, editions):
        from ..diff_report.compare_specs import report_specs

        if not editions:
            raise click.UsageError("name the spec to compare the standard input with")
        return report_specs(game, editions[0], editions[1:], options)
    text = read_game(game, options.budget)
    if not text.texts:
        raise click.UsageError(_no_texts(text))
    return report_editions(text, editions, options)


def _is_of_specs(game: str, named: Sequence[str]) -> bool:
    """Test whether two specs are compared."""
    if game != "-" and not named:
        return False
    from ..diff_report.compare_specs import is_spec

    return game == STDIN or (is_spec(named[0]) and not _is_text(game, named[0]))


def _is_text(game: str, named: str) -> bool:
    """Test whether a word that could be a spec is a text of the game; a note then says that the text is meant."""
    from ludex.grammar import Failure
    from ludex.spec import read_game

    # A path or the standard input names no text.
    if "/" in named or "\\" in named or named == "-":
        return False
    try:
        is_text = named in read_game(game).names
    # The next step reads the game, and reports the fault.
    except Failure:
        return False
    if is_text:
        say(f"note: `{named}` is a text of `{game}`; `./{named}` is the spec in this folder", err=True)
    return is_text


def _no_texts(text: GameText) -> str:
    return f"`{text.name}` has one text only; to compare it with another spec, name that too: `ludex diff A B`"
