"""`ludex schema`: the JSON Schema of a game's logs, or of its component file."""

from __future__ import annotations

import click

from .command import Table, subcommand, table_options


@subcommand("schema", "schema boreal > boreal.schema.json\nschema boreal --components")
@click.argument("game")
@click.option("--components", is_flag=True, help="The schema of the component file instead.")
@table_options
def command(game: str, components: bool, table: Table) -> None:
    """Print the JSON Schema (2020-12) of a game's logs, made from its signatures; any validator can use it."""
    from ludex.interpreter import log_schema
    from ludex.spec import component_schema

    from .report import json_text

    made = table.load(game)
    if components and not made.components:
        raise click.UsageError(f"`{made.name}` has no component file")
    click.echo(json_text(component_schema(made.components) if components else log_schema(made)))
