"""`ludex migrate`: migrates logs to a changed spec if the change does not affect them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path

import click

from ludex.grammar import STDIN, Failure, Message, is_there, read_bytes
from ludex.interpreter import (
    LogText,
    Migrated,
    Migration,
    PassedOver,
    Validator,
    logs_of,
    not_this_engine,
    packed_like,
    with_fingerprint,
    without_packing,
)
from ludex.spec import Budget, OpenGame, compare_versions, read_game, version_of

from ..command import GAME, budget_option, format_option, message_lang_option, subcommand
from ..log_arguments import validator_of
from ..many_logs.found_logs import with_input_once
from ..reporting import (
    Exit,
    Reporter,
    Texts,
    demand_writable,
    diagnostic_json,
    exit_of,
    json_text,
    make_folder,
    put,
    say,
    visible,
    words,
    write_file,
)
from ..verdicts.text_writer import passed_over_rows

FOLDER = click.Path(file_okay=False, path_type=Path)


@subcommand(
    "migrate",
    "migrate logs/ --to my_game --from-spec old/my_game --out carried\nmigrate game.yaml --to boreal --in-place",
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--to", "new", type=GAME, metavar="GAME", required=True, help="The changed spec.")
@click.option("--from-spec", "old", type=GAME, metavar="GAME", help="The spec by which the logs were recorded.")
@click.option("--out", type=FOLDER, metavar="DIR", help="Write the migrated logs into this folder.")
@click.option("--in-place", is_flag=True, help="Write the new fingerprint into the logs themselves.")
@click.option("--undecided", is_flag=True, help="Migrate also logs that leave too much unknown to decide.")
@message_lang_option
@budget_option
@format_option
def command(
    logs: tuple[str, ...],
    new: str,
    old: str | None,
    out: Path | None,
    in_place: bool,
    undecided: bool,
    budget: Budget,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Migrate logs to a changed spec: a log whose game is the same by both gets the new fingerprint.

    LOG is a file, a folder, a pattern in quotes, or `-`. If the change affects a log, the report
    names the event and the clause. Without --out and --in-place nothing is written. A file is not written if one of
    its logs cannot be migrated, or leaves too much unknown to decide.
    """
    if out is not None and in_place:
        raise click.UsageError(Message("usage-out-or-in-place"))
    if STDIN in logs and (in_place or out is not None):
        raise click.UsageError(Message("usage-stdin-stays", option="--in-place" if in_place else "--out"))
    if out is not None:
        make_folder(out)
        # A folder that cannot be written is reported first, as judging the logs may take hours.
        demand_writable(out / "log")
    carrier = Migration(
        _judge(new, budget), None if old is None else _judge(old, budget), cache(partial(_changed, old, new, budget))
    )
    results: list[_Result] = []
    passed_over: list[PassedOver] = []
    for name in with_input_once(logs, passed_over):
        # Files are judged one by one, as a file is written only if each of its logs can be carried.
        for file, sources in groupby(_logs(name, passed_over), lambda each: each.file):
            place = Path(file) if in_place else out / _below(file, name) if out is not None else None
            for result in _of_file(carrier, list(sources), place, undecided, in_place):
                results.append(result)
                if format == "text":
                    _tell(result)
    if format == "json":
        put(json_text([_to_json(each) for each in results]))
    else:
        for row in passed_over_rows(passed_over):
            say(row)
        say(_summary(results))
    return max(each.exit for each in results)


@dataclass(frozen=True, slots=True)
class _Result:
    """The result for one log.

    place: where its file was written; None if it was not. undecided: the log is carried even if it is undecided.
    """

    source: LogText
    carried: Migrated
    place: Path | None
    undecided: bool = False

    @property
    def is_open(self) -> bool:
        return self.carried.is_undecided and not self.undecided

    @property
    def exit(self) -> Exit:
        can_be = not self.carried.findings and self.carried.fingerprint is not None and not self.is_open
        return Exit.GOOD if can_be else exit_of(self.carried.findings) or Exit.FINDINGS


def _logs(name: str, passed_over: list[PassedOver]) -> Iterator[LogText]:
    """Find the logs that a name means; collect the files that are passed over."""
    for each in logs_of(name):
        if isinstance(each, LogText):
            yield each
        else:
            passed_over.append(each)


def _below(file: str, name: str) -> Path:
    """Return the path of a file below the folder of this name; its name alone if it was not found in a folder."""
    path = Path(file)
    return path.relative_to(name) if path != Path(name) and path.is_relative_to(name) else Path(path.name)


def _judge(spec: str, budget: Budget) -> Validator:
    """Make a validator that judges logs by this spec, if they name its game."""
    game = OpenGame(spec, budget)
    own = game.overview()[0].name

    def opened(name: str) -> OpenGame:
        # A log may name the game by the file of its spec.
        if name != own and Path(name).stem != own:
            raise not_this_engine(Message("game-given", names=f'"{own}"'), Message("game-given-hint"))
        return game

    return validator_of(opened, (own,))


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


def _of_file(
    carrier: Migration, sources: Sequence[LogText], place: Path | None, undecided: bool, in_place: bool
) -> list[_Result]:
    """Test the logs of one file; write it if all of them can be carried, and that is wanted.

    undecided: carry those, too, of which nobody can say whether the change matters. in_place: the file itself may be
    changed.
    """
    results = [_Result(each, carrier.test(each.log()), place, undecided) for each in sources]
    if place is None or any(each.exit != Exit.GOOD for each in results):
        return [replace(each, place=None) for each in results]
    file = sources[0].file
    text = "".join(map(_with_fingerprint, results)).encode()
    # Nothing changes, so the file keeps its time and its packing.
    if place == Path(file) and text == b"".join(each.content for each in sources):
        return results
    content = packed_like(file, text)
    # To carry the same logs a second time does no harm; any other file there is not ours. The file is read again, as an
    # earlier log of this run may have written it.
    # A folder for new files may be the one of the logs.
    if not in_place and is_there(place) and read_bytes(place, len(content), anew=True) != content:
        raise click.UsageError(Message("usage-exists-other", name=str(place)))
    make_folder(place.parent)
    write_file(place, content)
    return results


def _summary(results: Sequence[_Result]) -> str:
    unclear = sum(each.is_open for each in results)
    cannot = sum(bool(each.carried.findings) for each in results)
    total = words("count-logs", count=len(results))
    row = words("migrate-sum", logs=total, can=len(results) - cannot - unclear, cannot=cannot)
    return words("migrate-sum-undecided", sum=row, count=unclear) if unclear else row


def _with_fingerprint(result: _Result) -> str:
    source, fingerprint = result.source, result.carried.fingerprint
    assert fingerprint is not None
    content, file = source.content.decode("utf-8"), without_packing(source.file)
    text = with_fingerprint(content, file, fingerprint, result.carried.settings)
    if text is None:
        raise click.UsageError(Message("usage-no-fingerprint", name=source.name))
    return text


def _tell(result: _Result) -> None:
    source, carried = result.source, result.carried
    name = source.name
    content = {source.file: source.content.decode("utf-8", "replace")}
    reporter = Reporter(Texts(content, {source.file: source.line}))
    if carried.findings:
        reporter.print(carried.findings)
        say(words("migrate-cannot", file=name))
        return
    if carried.settings:
        settings = json.dumps(dict(carried.settings), ensure_ascii=False)
        say(words("migrate-settings", file=name, settings=visible(settings)))
    for remark in carried.remarks:
        say(reporter.text(remark))
    if result.is_open:
        say(words("migrate-undecided", file=name))
    elif result.place is None:
        say(words("migrate-can", file=name))
    else:
        say(words("migrate-can-written", file=name, place=str(result.place)))


def _to_json(result: _Result) -> dict[str, object]:
    source, carried = result.source, result.carried
    return {
        "file": source.file,
        "number": source.number,
        "line": source.line,
        "carried": not carried.findings and not result.is_open,
        "undecided": carried.is_undecided,
        "fingerprint": carried.fingerprint,
        "settings": dict(carried.settings),
        "written": None if result.place is None else str(result.place),
        "findings": [diagnostic_json(each) for each in (*carried.findings, *carried.remarks)],
    }
