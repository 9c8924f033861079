"""`ludex convert`: a log in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..command import budget_option, message_lang_option, subcommand
from ..log_arguments import game_option
from ..reporting import Exit

if TYPE_CHECKING:
    from ludex.interpreter import LogForm
    from ludex.spec import Budget

_FORMS: dict[str, LogForm] = {"jsonl": "json", "yaml": "yaml", "ludexlog": "text"}


@subcommand("convert", "convert game.jsonl game.ludexlog\nconvert game.ludexlog --to yaml")
@click.argument("log", metavar="LOG")
@click.argument("out", metavar="[OUT]", required=False, type=click.Path(path_type=Path))
@click.option("--to", type=click.Choice(list(_FORMS)), help="The form.  [default: by the ending of OUT]")
@click.option("--fill", is_flag=True, help="Add missing lines, with `unknown` in place of their values.")
@game_option
@message_lang_option
@budget_option
def command(log: str, out: Path | None, to: str | None, fill: bool, games: tuple[str, ...], budget: Budget) -> Exit:
    """Write a log in another form, without loss: JSON Lines, YAML, or text in the notation of moves.

    Without OUT, or with `-`, the log is printed. A file that exists is not overwritten. A text log stays in its
    language; a log of another form gets the words of --lang. The logs of a file with several go into one
    file of JSON Lines, or each into a file in the folder OUT. If --fill cannot find all that is missing, it says from
    which line on, and the exit code is 1.
    """
    from ludex.grammar import STDIN, Message, is_there
    from ludex.interpreter import ENDINGS, form_of, without_packing

    from ..log_arguments import log_validator, read_each
    from ..reporting import Reporter, Texts, escape, is_folder, language, make_folder, put, write_file, write_new_files

    out = None if out == Path("-") else out
    if to is None and out is None:
        raise click.UsageError(Message("usage-out-or-to"))
    if to is None and out is not None and out.suffix.lower() not in ENDINGS:
        raise click.UsageError(Message("usage-out-ending", name=str(out)))
    # A path of nothing would be the current folder; the reader says that the name is empty.
    if log.strip() and is_folder(Path(log)):
        raise click.UsageError(Message("usage-folder", name=log))
    texts: dict[str, str] = {}
    form = _FORMS[to] if to is not None else form_of(str(out))
    logs, judge = read_each(log, texts), log_validator(games, budget)
    # Only a file of JSON Lines can hold several.
    is_divided = len(logs) > 1 and form != "json"
    if is_divided and (out is None or out.suffix.lower() in ENDINGS):
        raise click.UsageError(Message("usage-several-logs", name=logs[0].file, count=len(logs)))
    if out is not None and is_there(out) and not (is_divided and is_folder(out)):
        raise click.UsageError(Message("usage-exists", name=str(out)))
    folder = out if is_divided or out is None else out.parent
    reports = [judge.play(each, fills=True).report if fill else None for each in logs]
    made = [
        judge.convert(each, form, report.template if report else (), language(), folder)
        for each, report in zip(logs, reports, strict=True)
    ]
    faults = [fault for each in made if not isinstance(each, str) for fault in each]
    if faults:
        Reporter(Texts(texts)).show(faults)
        return Exit.UNREADABLE
    written = [each for each in made if isinstance(each, str)]
    if out is None:
        put(escape("".join(written)).removesuffix("\n"))
    elif is_divided:
        stem = "log" if log == STDIN else Path(without_packing(log)).stem
        ending = next(ending for ending, name in _FORMS.items() if name == form)
        names = (f"{stem}-{number:0{len(str(len(logs)))}}.{ending}" for number in range(1, len(logs) + 1))
        make_folder(out)
        write_new_files({out / name: text for name, text in zip(names, written, strict=True)})
    else:
        write_file(out, "".join(written))
    # The template is written even so: it has the lines up to there.
    unfilled = [finding for report in reports if report is not None for finding in report.unfilled]
    Reporter(Texts(texts)).print(unfilled, err=True)
    return Exit.FINDINGS if unfilled else Exit.GOOD
