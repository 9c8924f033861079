"""`ludex convert`: a log in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..command import budget_option, message_lang_option, subcommand
from ..log_arguments import game_option
from ..reporting import Exit

if TYPE_CHECKING:
    from ludex.interpreter import Form
    from ludex.spec import Budget

FORMS: dict[str, Form] = {"jsonl": "json", "yaml": "yaml", "ludexlog": "text"}


@subcommand("convert", "convert game.jsonl game.ludexlog\nconvert game.ludexlog --to yaml")
@click.argument("log", metavar="LOG")
@click.argument("out", metavar="[OUT]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--to", type=click.Choice(list(FORMS)), help="The form.  [default: by the ending of OUT]")
@click.option("--fill", is_flag=True, help="Write missing lines into it, with `unknown` for what is to be filled in.")
@game_option
@message_lang_option
@budget_option
def command(log: str, out: Path | None, to: str | None, fill: bool, games: tuple[str, ...], budget: Budget) -> Exit:
    """Write a log in another form, without loss: JSON Lines, YAML, or text in the notation of moves.

    Without OUT, or with `-`, the log is printed. A file that exists is not overwritten. A text log stays in its
    language; one that is made of another log has the words of --lang.
    """
    from ludex.grammar import Message, is_there
    from ludex.interpreter import ENDINGS, form_of

    from ..log_arguments import read, validator
    from ..reporting import Reporter, Texts, escaped, is_folder, language, put, write_file

    out = None if out == Path("-") else out
    if to is None and out is None:
        raise click.UsageError(Message("usage-out-or-to"))
    if to is None and out is not None and out.suffix.lower() not in ENDINGS:
        raise click.UsageError(Message("usage-out-ending", name=str(out)))
    if out is not None and is_there(out):
        raise click.UsageError(Message("usage-exists", name=str(out)))
    # A path of nothing would be the current folder; the reader says that the name is empty.
    if log.strip() and is_folder(Path(log)):
        raise click.UsageError(Message("usage-folder", name=log))
    texts: dict[str, str] = {}
    form = FORMS[to] if to is not None else form_of(str(out))
    text = validator(games, budget).convert(read(log, texts), form, fill, language(), out.parent if out else None)
    if not isinstance(text, str):
        Reporter(Texts(texts)).show(text)
        return Exit.UNREADABLE
    if out is None:
        put(escaped(text).removesuffix("\n"))
    else:
        write_file(out, text)
    return Exit.GOOD
