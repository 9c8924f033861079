"""`ludex new-log`: creates a log to be written by hand in an editor, with its schema beside it."""

from __future__ import annotations

from pathlib import Path

import click

from ..command import GAME, TableSettings, lang_option, names_option, subcommand, table_options
from ..reporting import say, words, write_new_files

_ENDINGS = (".yaml", ".yml")


@subcommand("new-log", "new-log boreal --names Anna,Boris\nnew-log pig --players 3 --lang ru club/evening.yaml")
@click.argument("game", type=GAME)
@click.argument("out", type=click.Path(path_type=Path), metavar="[OUT.yaml]", required=False)
@names_option
@lang_option
@table_options
def command(game: str, out: Path | None, names: tuple[str, ...], lang: str | None, table: TableSettings) -> None:
    """Begin a log in YAML, and write the schema of its game beside it.

    An editor with yaml-language-server (VS Code, Neovim, Emacs and others) finds the schema by the first line of the
    log. It then completes and explains what you write. No file is overwritten.
    """
    from ludex.grammar import Message
    from ludex.interpreter import log_schema, new_log

    from ..reporting import json_text
    from ..view.display_names import chosen_language

    loaded = table.load_for(game, names)
    out = out or Path(f"{loaded.name}.yaml")
    if out.suffix not in _ENDINGS:
        raise click.UsageError(Message("usage-yaml-name", name=str(out)))
    schema = out.with_suffix(".schema.json")
    # Without a language the schema would have no titles, by which editors name what can be written.
    language = chosen_language(loaded, lang) or next(
        (tag for tag in ("en", *loaded.languages) if tag in loaded.languages), None
    )
    write_new_files(
        {
            schema: json_text(log_schema(loaded, names, language)) + "\n",
            out: new_log(loaded, schema.name, names, language or "en"),
        }
    )
    say(words("wrote-two", one=str(out), other=str(schema)))
