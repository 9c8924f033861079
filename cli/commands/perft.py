"""`ludex perft`: counts the plays of a given length."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..command import GAME, Count, TableSettings, format_option, subcommand, table_options
from ..positions import begun, from_option
from ..reporting import put, say


@subcommand("perft", "perft tic_tac_toe --depth 6\nperft pig --depth 4 --by turn --players 3")
@click.argument("game", type=GAME)
@click.option("--depth", type=Count(min=0), metavar="N", required=True, help="Number of steps.")
@click.option(
    "--by",
    type=click.Choice(["event", "turn"]),
    default="event",
    show_default=True,
    help="The unit of a step: an event, or a player's whole turn.",
)
@from_option
@table_options
@format_option
def command(
    game: str,
    depth: int,
    by: str,
    start: str | None,
    table: TableSettings,
    format: str,  # noqa: A002 - the option's name
) -> None:
    """Count the ways to play 1, 2, ... N steps: the leaves of the tree of everything that can happen.

    Each chance outcome counts as a move; a play that ends earlier counts for nothing. Where no play is so long, the
    counts end with 0.
    """
    from ludex.interpreter import LONGEST_TURN, EndlessTurn, Engine, leaf_counts

    from ..reporting import json_text

    play = None if start is None else begun(game, start, table)
    engine = Engine.kept(table.load(game)) if play is None or play.engine is None else play.engine
    state = engine.start() if play is None or play.state is None else play.state
    # The counts begin with depth 1; the one play of no steps is counted here.
    counts = leaf_counts(engine, state, depth, by_turn=by == "turn") if depth else iter((1,))
    try:
        if format == "json":
            put(json_text({"game": engine.game.name, "by": by, "depth": depth, "leaves": list(counts)}))
        else:
            _print(counts, first=min(depth, 1))
    except EndlessTurn:
        fault = f"a turn of `{engine.game.name}` may go on for more than {LONGEST_TURN} moves; count by events"
        raise click.UsageError(fault) from None


def _print(counts: Iterator[int], first: int) -> None:
    """Print each count as soon as it is known."""
    for depth, leaves in enumerate(counts, start=first):
        say(f"depth {depth:2}  {leaves}")
