"""Conversion of a log into another form, without loss."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ludex.grammar import Diagnostic, Json, Message, is_there
from ludex.spec import model as m
from ludex.spec import shipped_games

from ..collection.splitting import is_header_data
from ..log_codes import SECOND_LOG_HEADER
from ..record import Log, LogForm, new_recording, with_comments
from ..structure import HEADER_MEMBERS, once_each, read_log_header
from ..text_logs.text_reader import in_game
from ..text_logs.text_writer import TextWriter, language_of
from ..tracking.report import LeftOut
from .header_game import Load, game_of, located


def converted(
    log: Log,
    form: LogForm,
    load: Load,
    given: Iterable[str] = (),
    missing: Sequence[LeftOut] = (),
    language: str | None = None,
    read: Log | None = None,
    folder: Path | None = None,
) -> str | tuple[Diagnostic, ...]:
    """Write the log in a form; return its faults if a part of it cannot be read.

    Lines are written as Ludex writes them: players of moves by name, values in their order; the comments of a YAML log
    become notes. Whether the log is legal is not asked: a line that the game does not know stays as it is. load, given:
    as in `game_of`; missing: lines to write into it;
    language: of a text log, where the log itself is in none; read: the log with its lines, where these do not say all;
    folder: where the log will be, if not beside the other.
    """
    record = log.header
    errors = tuple(fault for fault in log.faults if fault.is_error)
    if errors or record is None or record.data is None:
        return errors
    header, problems = read_log_header(record.data)
    if header is None:
        return tuple(problem.at(record) for problem in once_each(problems))
    header = located(header, record, given)
    game = game_of(header, record, load, given)
    if not isinstance(game, m.Game):
        return game
    spoken = language_of(log, game, header.names)
    log, faults = in_game(with_comments(read or log), game, header.names)
    if faults:
        return tuple(faults)
    if spoken is None and form == "text" and language in game.languages:
        spoken = language
    second = next((event for event in log.events if event.data is not None and is_header_data(event.data)), None)
    if second is not None:
        return (Diagnostic(SECOND_LOG_HEADER, Message("second-header-in-file"), second.place(), pointer=""),)
    writer = TextWriter(game, header.names, spoken)
    # Missing lines are grouped by place and not by number: one goes before the line at which the replay missed it.
    before: dict[tuple[int, int], list[Mapping[str, Json]]] = {}
    for each in missing:
        before.setdefault((each.span.line, each.span.column), []).append(each.data)
    lines: list[Mapping[str, Json]] = []
    for event in log.events:
        place = event.place()
        lines += map(writer.canonical, before.pop((place.line, place.column), ()))
        lines += [] if event.data is None else [writer.canonical(event.data)]
    assert log.header is not None
    data = _tagged(log.header.data or {}, spoken)
    if folder is not None:
        path = None if header.game in (*given, *shipped_games()) else header.game
        data = _moved(data, path, Path(record.file).parent, folder)
    return new_recording(_in_order(data), form, writer).text(lines)


def _moved(data: Mapping[str, Json], game: str | None, here: Path, folder: Path) -> Mapping[str, Json]:
    """Return the header as it is in another folder: relative paths of a position and a game lead to the same files.

    game: the path of the game; None if it is found by its name wherever the log is. here: the folder of the log.
    """
    if here.resolve() == folder.resolve():
        return data
    files = {"game": Path(game)} if game is not None else {}
    if isinstance(data.get("from"), str):
        files["from"] = here / data["from"]
    # A position that is not there is reported where the log is judged.
    moved = {
        name: os.path.relpath(path, folder)
        for name, path in files.items()
        if is_there(path) and not Path(str(data[name])).is_absolute()
    }
    return {**data, **moved}


def _tagged(header: Mapping[str, Json], language: str | None) -> Mapping[str, Json]:
    """Return the header with the tag of its language, from which a text in the same words can be made again."""
    return {**header, "tags": {**header.get("tags", {}), "language": language}} if language else header


def _in_order(header: Mapping[str, Json]) -> dict[str, Json]:
    # The members of the format come first, in its order, and then those that it does not know.
    first = {name: header[name] for name in HEADER_MEMBERS if name in header}
    return {**first, **header}
