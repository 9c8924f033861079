"""`ludex test`: runs the examples of a game, and tests the beginning of a play."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import click

from ludex.grammar import Diagnostic
from ludex.grammar import syntax as s
from ludex.interpreter import Put, Reference, check_beginning, run_example
from ludex.spec import Game, GameText, Request, build, read_game
from ludex.spec import model as m
from ludex.spec import to_json as value_to_json

from ..command import ALL, GAME, TableSettings, format_option, subcommand, tables_options
from ..reporting import Exit, Reporter, diagnostic_json, exit_of, json_text, plural, put, say, style
from ..view.edition_summary import edition_json, edition_row


@dataclass(frozen=True, slots=True)
class Ran:
    """An example at one table, or the beginning of a play at it, with its failures.

    Attributes:
        options, readings: those that differ from the defaults.
        example: None for the beginning.
        put: the place of the example's moves.
    """

    edition: str
    players: int
    options: Mapping[str, object]
    readings: Mapping[str, str]
    example: m.Example | None
    findings: tuple[Diagnostic, ...]
    put: Put | None


@subcommand("test", "test boreal\ntest boreal --edition ru")
@click.argument("game", type=GAME)
@tables_options("all of them")
@format_option
def command(game: str, table: TableSettings, format: str) -> Exit:  # noqa: A002 - the option's name
    """Run the examples of a game, in every edition and for every number of players that they name.

    At each of these tables the beginning of a play is tested, too.
    """
    text = read_game(game, table.allowed)
    begun: list[Ran] = []
    ran: list[Ran] = []
    games: dict[str, Game] = {}
    for built in _games(text, table):
        games.setdefault(built.edition, built)
        reference = Reference(built)
        # A fault is reported at the edition's first table that has it; an example runs at the first that it fits.
        reported = {_clauses(each) for other in begun if other.edition == built.edition for each in other.findings}
        if findings := tuple(each for each in check_beginning(reference) if _clauses(each) not in reported):
            begun.append(_ran(built, None, findings))
        known = {each.example.name for each in ran if each.example and each.edition == built.edition}
        for example in built.examples:
            if example.name not in known:
                run = run_example(reference, example)
                ran.append(_ran(built, example, run.findings, run.put))
    if format == "json":
        put(json_text(_to_json(text.name, games, begun, ran)))
    else:
        _print(game, games, begun, ran)
    return exit_of(finding for each in (*begun, *ran) for finding in each.findings)


def _clauses(finding: Diagnostic) -> tuple[str, ...]:
    return finding.code.code, *(rule.clause for rule in finding.why)


def _games(text: GameText, table: TableSettings) -> Iterator[Game]:
    """Load the game for every table that an example asks for. Raises Failure if the spec has faults."""
    editions = (table.edition,) if table.edition not in (None, ALL) else text.names or (None,)
    for edition in editions:
        for players in (table.players,) if table.players else _casts(text):
            request = replace(table.request(), players=players, edition=edition)
            game, example_requests = _built(text, request)
            yield game
            # Options that are given hold for all examples, whatever those ask for.
            if not table.option:
                # The other numbers of players have their turn in this loop.
                yield from (_built(text, other)[0] for other in example_requests if other.players == players)


def _built(text: GameText, request: Request) -> tuple[Game, tuple[Request, ...]]:
    """Build the game for a table; list the other tables that its examples ask for."""
    built = build(text, request)
    return built.playable(), built.example_requests


def _casts(text: GameText) -> list[int]:
    """List the numbers of players in the examples; an example that names nobody is for the smallest table."""
    nodes = (node for file in text.files for node in file.module.declarations)
    examples = (node for node in nodes if isinstance(node, s.ExampleDeclaration))
    sizes = {len(check.names) for node in examples for check in node.checks if isinstance(check, s.Cast)}
    low, high = text.game.header.players
    return sorted({low} | {size for size in sizes if low <= size <= high})


def _ran(game: Game, example: m.Example | None, findings: tuple[Diagnostic, ...], put: Put | None = None) -> Ran:
    options = {each.name: value_to_json(each.type, each.value) for each in game.options if each.value != each.default}
    readings = {each.name: each.chosen for each in game.forks if each.chosen != each.default}
    return Ran(game.edition, game.players, options, readings, example, findings, put)


# ---- reports ---------------------------------------------------------------------------------------------------


def _print(named: str, games: Mapping[str, Game], begun: list[Ran], ran: list[Ran]) -> None:
    reporter = Reporter()
    several = len({each.players for each in (*begun, *ran)}) > 1
    for edition, game in games.items():
        rows = [each for each in (*begun, *ran) if each.edition == edition]
        if not rows:
            continue
        say(f"{game.name}, edition {edition}" if game.editions else game.name)
        row = edition_row(game, named)
        if row:
            say(f"  {row}")
        for each in rows:
            verdict = style("FAIL", fg="red", bold=True) if each.findings else style("ok  ", fg="green")
            name = each.example.name if each.example else "the beginning of a play"
            say(f"  {verdict}  {name}{_table(each, several)}")
            if each.put and each.put.passed and not each.findings:
                say(style(f"        {each.put.words}", dim=True))
            reporter.print(each.findings)
    failed = sum(bool(each.findings) for each in ran)
    total = f"{plural(len(ran), 'example')}, {f'{failed} failed' if failed else 'all hold'}" if ran else "no examples"
    say(total + ("; the beginning of a play fails" if begun else ""))


def _table(ran: Ran, several: bool) -> str:
    """Write the table in words. several: the examples have different numbers of players."""
    parts = [f"{ran.players} players"] if several else []
    parts += [f"{name}={json.dumps(value, ensure_ascii=False).strip(chr(34))}" for name, value in ran.options.items()]
    parts += [f"{name}={reading}" for name, reading in ran.readings.items()]
    return f" ({', '.join(parts)})" if parts else ""


def _to_json(name: str, games: Mapping[str, Game], begun: list[Ran], ran: list[Ran]) -> dict[str, Any]:
    failed = sum(bool(each.findings) for each in ran)
    return {
        "game": name,
        "editions": [edition_json(game) for game in games.values()],
        "beginnings": [_table_json(each) | _findings_json(each) for each in begun],
        "examples": [
            {
                **_table_json(each),
                "example": each.example.name,
                "holds": not each.findings,
                "put": {"at": each.put.at, "passed": list(each.put.passed)} if each.put else None,
                **_findings_json(each),
            }
            for each in ran
            if each.example
        ],
        "passed": len(ran) - failed,
        "failed": failed,
    }


def _table_json(ran: Ran) -> dict[str, Any]:
    return {"edition": ran.edition, "players": ran.players, "options": ran.options, "readings": ran.readings}


def _findings_json(ran: Ran) -> dict[str, Any]:
    return {"findings": [diagnostic_json(finding) for finding in ran.findings]}
