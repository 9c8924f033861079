"""`ludex play`: a game at the terminal, with all players at one device (hotseat)."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path

import click

from ludex.grammar import STDIN, Message, read_bytes
from ludex.interpreter import MAX_LOG_BYTES, Engine, Play, is_partial, possible_view, read_log, replay

from ..command import GAME, SEED, TableSettings, check_names, lang_option, names_option, subcommand, table_options
from ..log_arguments import log_validator, read_named_log, tell_warnings
from ..playing.hotseat import HotSeat
from ..playing.session import Session, resume
from ..positions import begun, from_option
from ..reporting import Exit, Reporter, Texts, exit_of, language, say, words
from ..verdicts.judged import EXITS
from ..view.display_names import chosen_language
from ..view.edition_summary import edition_row
from ..view.observation_text import Viewer
from ..view.possible_rows import open_words
from ..view.verdict_words import early_end_words

SEEDS = 10**9
"""Upper bound of a fresh seed."""


@subcommand(
    "play", "play tic_tac_toe\nplay boreal --names Anna,Boris --save game.jsonl\nplay boreal --resume game.jsonl"
)
@click.argument("game", type=GAME)
@names_option
@click.option(
    "--chance",
    type=click.Choice(["draw", "enter"]),
    default="draw",
    show_default=True,
    help="Let the program draw, or enter the outcomes.",
)
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Keep a log up to date.")
@click.option("--resume", metavar="LOG", help="Continue the play of a log, and the log.")
@from_option
@click.option(
    "--seed", type=SEED, metavar="N", help="Seed of the program's draws.  [default: a new one, which is printed]"
)
@lang_option
@table_options
def command(
    game: str,
    names: tuple[str, ...],
    chance: str,
    save: Path | None,
    resume: str | None,
    start: str | None,
    seed: int | None,
    lang: str | None,
    table: TableSettings,
) -> Exit:
    """Play a game at the terminal: numbered legal moves, a picture of the table, undo, logs.

    Where hands are hidden, the screen shows only what the player to move may know, and asks to pass the device on.
    Chance is drawn by the program, or entered as it happened at a real table. `help` at the prompt lists what can be
    typed there.
    """
    drawn_with = secrets.randbelow(SEEDS) if seed is None else seed
    if resume is not None and start is not None:
        raise click.UsageError(Message("usage-resume-or-from"))
    if resume is not None:
        session = _resumed(game, resume, names, save, table, drawn_with)
        if isinstance(session, Exit):
            return session
    else:
        session = _begun(game, names, save, start, table, drawn_with, lang)
    played = session.engine.game
    language = chosen_language(played, lang)
    row = edition_row(played, game)
    if row:
        say(words("sum-edition", game=played.name, edition=played.edition, words=row))
    again = words("play-seed", option=f"--seed {drawn_with}")
    is_fresh = seed is None and chance == "draw" and bool(played.chances)
    if is_fresh:
        say(again)
    watched = sys.stdin.isatty() and sys.stdout.isatty()
    HotSeat(session, game, enters_chance=chance == "enter", watched=watched, language=language).run()
    if is_fresh and watched and session.history:  # between players the screen was cleared
        say(again)
    return Exit.GOOD


def _begun(
    game: str,
    names: tuple[str, ...],
    save: Path | None,
    start: str | None,
    table: TableSettings,
    seed: int,
    lang: str | None,
) -> Session:
    play = None if start is None else begun(game, start, table)
    if play is None or play.engine is None:
        engine = Engine(table.load_for(game, names))
    else:
        engine = play.engine
        names = names or (play.report.header.names if play.report.header else ())
        check_names(engine.game, names)
    language = chosen_language(engine.game, lang)
    session = Session(engine, names, seed, save, start=play.state if play else None, language=language)
    # A file that cannot be written is reported before the first move, which would be lost.
    if save is not None:
        session.check(save)
    return session


def _leads_to_its_end(play: Play) -> bool:
    """Return whether the events of a log lead to its end, as all of it is known."""
    if play.engine is None or play.state is None or any(map(is_partial, play.events)):
        return False
    again = replay(play.engine, play.events, play.start)
    return again.refusal is None and again.state.key() == play.state.key()


def _resumed(
    game: str, log: str, names: tuple[str, ...], save: Path | None, table: TableSettings, seed: int
) -> Session | Exit:
    """Resume the play of a log; return the exit code if the log is faulty."""
    if names or not table.is_default:
        raise click.UsageError(Message("usage-resume-table"))
    if log == STDIN:
        raise click.UsageError(Message("usage-resume-file"))
    record = read_log(log) if log.strip() else read_named_log(log, {})  # lines are added to it, so it is not unpacked
    play = log_validator((game,), table.allowed).play(record)
    faults = [finding for finding in play.report.findings if finding.is_error]
    if faults or play.engine is None:
        Reporter().show(faults)
        return max(exit_of(faults), EXITS[play.report.verdict]) or Exit.FINDINGS
    if play.engine.game.name != _name_of(game):
        raise click.UsageError(Message("usage-of-other-game", file=log, other=play.engine.game.name, game=game))
    is_followed = _leads_to_its_end(play)
    if not is_followed and (play.state is None or play.report.stopped_at is not None):
        viewer = Viewer(play.engine.game, play.report.header.names if play.report.header else (), language())
        open_ones = open_words(possible_view(play.belief), viewer) if play.belief is not None else ""
        raise click.UsageError(Message("usage-unknown-end", file=log, open=open_ones))
    if play.report.early_end is not None:
        raise click.UsageError(Message("usage-ends", file=log, words=early_end_words(play.report)))
    tell_warnings(play.report, Texts({}))
    header, file = play.report.header, save or Path(log)
    # The bytes of the log are kept as they are, comments and layout included.
    content = read_bytes(Path(log), MAX_LOG_BYTES)
    before = resume(record, content.decode() if isinstance(content, bytes) else "", play)
    if not is_followed:  # nobody can take back what was not recorded
        before = replace(before, events=())
    start = play.start if is_followed else play.state
    session = Session(play.engine, header.names if header else (), seed, file, before, start)
    session.check(file)
    return session


def _name_of(game: str) -> str:
    from ludex.spec import read_game

    return read_game(game).name
