"""`ludex schema`: the JSON Schema of a game's logs, of its component file, or of a report."""

from __future__ import annotations

import click

from ludex.grammar import Message

from ..command import GAME, TableSettings, lang_option, subcommand, table_options
from ..reporting import put


@subcommand("schema", "schema boreal --lang ru > boreal.schema.json\nschema boreal --components\nschema --report texts")
@click.argument("game", type=GAME, required=False)
@click.option("--components", is_flag=True, help="The schema of the component file instead.")
@click.option("--decisions", is_flag=True, help="The schema of the file of decisions on its texts instead.")
@click.option(
    "--report",
    type=click.Choice(["texts", "rulings"]),
    help="The schema of a report of `diff`, or of a file of rulings, instead; needs no GAME.",
)
@lang_option
@table_options
def command(
    game: str | None, components: bool, decisions: bool, report: str | None, lang: str | None, table: TableSettings
) -> None:
    """Print the JSON Schema (2020-12) of a game's logs at one table; any validator can use it.

    With --lang it has titles and descriptions in the game's own words, which an editor shows.
    """
    from ludex.interpreter import log_schema
    from ludex.spec import component_schema, decisions_schema, read_game, rulings_schema

    from ..diff_report import report_schema
    from ..reporting import json_text
    from ..view.display_names import chosen_language

    if report is not None:
        if game is not None or components or decisions or lang is not None or not table.is_default:
            raise click.UsageError(Message("usage-report-alone"))
        schemas = {"texts": report_schema, "rulings": rulings_schema}
        put(json_text(schemas[report]()))
        return
    if game is None:
        raise click.UsageError(Message("usage-no-schema"))
    if decisions:
        put(json_text(decisions_schema(read_game(game).names)))
        return
    loaded = table.load(game)
    if components and not loaded.components:
        raise click.UsageError(Message("usage-no-components", game=loaded.name))
    if components:
        put(json_text(component_schema(loaded.components)))
    else:
        put(json_text(log_schema(loaded, language=chosen_language(loaded, lang))))
