"""`ludex migrate`: carries logs to a changed spec where the change cannot matter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludex.grammar import Failure, Message, is_there, read_bytes
from ludex.interpreter import (
    MAX_LOG_BYTES,
    Carried,
    Carrier,
    Engine,
    Validator,
    not_this_engine,
    read_log,
    with_fingerprint,
)
from ludex.spec import Budget, Game, OpenGame, Request, compare_versions, read_game, version_of

from ..command import GAME, budget_option, format_option, message_lang_option, subcommand
from ..reporting.diagnostics import Reporter, json_text, to_json
from ..reporting.exit_codes import Exit, exit_of
from ..reporting.language import words
from ..reporting.output_files import check_writable, make_folder, write_file
from ..reporting.terminal import put, say

if TYPE_CHECKING:
    from ludex.interpreter import Log


FOLDER = click.Path(file_okay=False, path_type=Path)


@subcommand(
    "migrate",
    "migrate logs/*.jsonl --to my_game --from-spec old/my_game --out carried\nmigrate game.yaml --to boreal --in-place",
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--to", "new", type=GAME, metavar="GAME", required=True, help="The changed spec.")
@click.option("--from-spec", "old", type=GAME, metavar="GAME", help="The spec by which the logs were recorded.")
@click.option("--out", type=FOLDER, metavar="DIR", help="Write what can be carried to this folder.")
@click.option("--in-place", is_flag=True, help="Write the new fingerprint into the logs themselves.")
@message_lang_option
@budget_option
@format_option
def command(
    logs: tuple[str, ...],
    new: str,
    old: str | None,
    out: Path | None,
    in_place: bool,
    budget: Budget,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Carry logs to a changed spec: a log whose game is the same by both gets the new fingerprint.

    Where the change matters, say at which event, and name the clause. Without --out and --in-place nothing is written.
    """
    if out is not None and in_place:
        raise click.UsageError(Message("usage-out-or-in-place"))
    if out is not None:
        make_folder(out)
        check_writable(out / "log")
    carrier = Carrier(
        _judge(new, budget), None if old is None else _judge(old, budget), cache(partial(_changed, old, new, budget))
    )
    results = [_one(carrier, Path(name), out, in_place) for name in logs]
    if format == "json":
        put(json_text([_to_json(name, each, place) for name, (_, each, place) in zip(logs, results, strict=True)]))
    else:
        for name, (_, each, place) in zip(logs, results, strict=True):
            _tell(name, each, place)
        carried = sum(not each.findings for _, each, _ in results)
        say(words("migrate-sum", logs=words("count-logs", count=len(logs)), can=carried, cannot=len(logs) - carried))
    return max(code for code, _, _ in results)


def _judge(spec: str, budget: Budget) -> Validator:
    """Make a validator that judges logs by this spec, if they name its game."""
    opened = OpenGame(spec, budget)
    own = opened.overview()[0].name

    def load(
        name: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> Game:
        if name != own and Path(name).stem != own:
            raise not_this_engine(Message("game-given", names=f'"{own}"'), Message("game-given-hint"))
        return opened.load(Request(players, edition, silence, options or {}, readings or {}))

    return Validator(load, (own,), Engine.kept)


def _changed(old: str | None, new: str, budget: Budget) -> tuple[str, ...]:
    """List the clauses that differ between the two specs."""
    if old is None:
        return ()
    texts = [read_game(each, budget) for each in (old, new)]
    for text in texts:
        if text.failed:
            raise Failure(text.diagnostics)
    shared = [name for name in texts[0].names if name in texts[1].names]
    edition = next(iter(shared), None)
    one, other = (version_of(siglum, siglum, text, edition) for siglum, text in zip("ab", texts, strict=True))
    return tuple(path for row in compare_versions(one, other).rows for path in row.clauses or (row.name,))


def _one(carrier: Carrier, path: Path, out: Path | None, in_place: bool) -> tuple[Exit, Carried, Path | None]:
    """Test one log, and write it if it can be carried and that is wanted; return where."""
    log: Log = read_log(path)
    carried = carrier.test(log)
    if carried.findings or carried.fingerprint is None:
        return exit_of(carried.findings) or Exit.FINDINGS, carried, None
    if out is None and not in_place:
        return Exit.GOOD, carried, None
    content = read_bytes(path, MAX_LOG_BYTES, anew=True)
    if not isinstance(content, bytes):
        raise Failure([content])
    text = with_fingerprint(content.decode("utf-8"), str(path), carried.fingerprint)
    if text is None:
        raise click.UsageError(Message("usage-no-fingerprint", name=str(path)))
    place = path if out is None else out / path.name
    if out is not None and is_there(place) and read_bytes(place, MAX_LOG_BYTES, anew=True) != text.encode():
        raise click.UsageError(Message("usage-exists-other", name=str(place)))
    if text.encode() != content or place != path:
        write_file(place, text)
    return Exit.GOOD, carried, place


def _tell(name: str, carried: Carried, place: Path | None) -> None:
    if carried.findings:
        Reporter().print(carried.findings)
        say(words("migrate-cannot", file=name))
        return
    for remark in carried.remarks:
        say(Reporter().text(remark))
    if place is None:
        say(words("migrate-can", file=name))
    else:
        say(words("migrate-can-written", file=name, place=str(place)))


def _to_json(name: str, carried: Carried, place: Path | None) -> dict[str, object]:
    return {
        "file": name,
        "carried": not carried.findings,
        "fingerprint": carried.fingerprint,
        "written": None if place is None else str(place),
        "findings": [to_json(each) for each in (*carried.findings, *carried.remarks)],
    }
