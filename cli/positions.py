"""Positions as arguments of commands: `--from FILE`."""

from __future__ import annotations

import json

import click

from ludex.grammar import Failure, Message, Unreadable
from ludex.interpreter import Play, Verdict, position_faults, position_of
from ludex.spec import to_json

from .command import AnyFunction, TableSettings
from .log_arguments import log_validator, read_named_log


def from_option(function: AnyFunction) -> AnyFunction:
    """Add the option --from; the function gets the file's name, or None, as `start`."""
    help_ = "Begin in the position in this file, or at the end of this log."
    return click.option("--from", "start", metavar="FILE", help=help_)(function)


def begun(game: str, start: str, table: TableSettings) -> Play:
    """Return the play whose end is the position, with its engine. Raises Failure, or UsageError if it is of another
    game."""
    from ludex.spec import read_game

    # A position names its own table.
    if not table.is_default:
        raise click.UsageError(Message("usage-from-table"))
    play = log_validator((game,), table.allowed).play(read_named_log(start, {}))
    faults = position_faults(play.report.findings)
    if faults or play.engine is None:
        raise (Unreadable if play.report.verdict is Verdict.UNREADABLE else Failure)(faults)
    # `game` may be a path, while a position has the name.
    name = read_game(game).name
    if play.engine.game.name != name:
        raise click.UsageError(Message("usage-position-of", file=start, other=play.engine.game.name, game=name))
    if play.state is None:
        raise click.UsageError(Message("usage-unknown-begin", file=start))
    return play


def position_in(game: str, start: str, table: TableSettings) -> tuple[TableSettings, str]:
    """Return the table of the position, and the position as JSON, in which players are seats. Raises as `begun`."""
    play = begun(game, start, table)
    engine, state = play.engine, play.state
    assert engine is not None
    assert state is not None
    played = engine.game
    # Values are in the notation of the command line, as a table goes to worker processes as plain text.
    options = tuple((each.name, json.dumps(to_json(each.type, each.value))) for each in played.options)
    readings = tuple((fork.name, fork.chosen) for fork in played.forks)
    edition = played.edition if played.editions else None
    own = TableSettings(played.players, edition, options, readings, played.silence, table.budget)
    return own, json.dumps(position_of(engine.reference, engine.to_reference(state)))
