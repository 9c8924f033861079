"""The beginning of a log: the start of the game, or the position that the header names in `from`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from ludex.grammar import MISSING_FILE, Diagnostic, Json, Message, is_there, shown_text, whole_file
from ludex.spec import model as m
from ludex.spec import to_json

from ...play.engine import Engine
from ...program import State
from .. import log_codes
from ..record import Log, Record
from ..structure import ANY_FILE, Header, NamedFiles, Problem, once_each, quoted, read_log_header

ReadLog: TypeAlias = Callable[[str], Log]
"""Reads the log in a file."""


def beginning(
    engine: Engine, header: Header, record: Record, read: ReadLog, files: NamedFiles = ANY_FILE
) -> State | tuple[Diagnostic, ...]:
    """Return the state in which the log begins, or what is wrong with its position. Raises SpecFault.

    record: the log's first line, in which `header` was read; files: those that a log may name.
    """
    if header.start is None:
        return engine.start()
    if not isinstance(header.start, str):
        return recorded_state(engine, header.start, header.names, record, "/from")
    # The file is looked for beside the log first, so that a folder of logs can be moved with its positions.
    places = [path for path in _places(header.start, record) if files.allow(path)]
    if not places:
        message, hint = Message("from-forbidden", name=quoted(header.start)), Message("from-forbidden-hint")
        return (Diagnostic(log_codes.FORBIDDEN_FILE, message, record.place("/from"), hint, pointer="/from"),)
    path = next((path for path in places if is_there(path)), None)
    if path is None:
        message = Message("from-no-file", name=quoted(header.start))
        return (Diagnostic(MISSING_FILE, message, record.place("/from"), Message("from-looked"), pointer="/from"),)
    return _in_file(engine, read(str(path)), record)


def _places(name: str, record: Record) -> tuple[Path, Path]:
    return Path(record.file).parent / name, Path(name)


def recorded_state(
    engine: Engine,
    data: Json,
    names: tuple[str, ...],
    record: Record,
    pointer: str,
    keeps_invariants: bool = True,
) -> State | tuple[Diagnostic, ...]:
    """Return the state that a record has as a position, at the pointer; or what is wrong with it. Raises SpecFault.

    keeps_invariants: whether the invariants of the game must hold in it.
    """
    from ..position.position import read_position  # it loads the reference, which most logs do not need

    read = read_position(engine.reference, data, names, pointer, keeps_invariants)
    if isinstance(read, tuple):
        return tuple(problem.at(record) for problem in once_each(read))
    try:
        # Not every place in the rules is one at which a play can stop and wait.
        return engine.from_reference(read)
    except ValueError:
        return (Problem(log_codes.POSITION_PLACE, f"{pointer}/flow", Message("from-never-here")).at(record),)


def _in_file(engine: Engine, log: Log, named: Record) -> State | tuple[Diagnostic, ...]:
    """Return the state in a position file. named: the record that names it."""
    data = log.header.data if log.header is not None else None
    # A position file has a position and nothing else; a log with one begins in it. Any file of the machine may be named
    # here, so a report shows no part of another one.
    is_position = data is not None and "ludex" in data and isinstance(data.get("from"), dict) and not log.events
    if log.header is None or data is None or not is_position:
        return (_no_position(log, named),)
    errors = position_faults(log.faults)
    if errors:
        return errors
    header, problems = read_log_header(data)
    if header is None:
        return tuple(problem.at(log.header) for problem in once_each(problems))
    if other := _difference(header, engine.game):
        return (Diagnostic(log_codes.OTHER_POSITION, other, log.header.place()),)
    return recorded_state(engine, data["from"], header.names, log.header, "/from")


def _no_position(log: Log, named: Record) -> Diagnostic:
    """Make the finding for a file that is not a position, at the name that the log gives it."""
    place = named.place("/from")
    if log.header is not None and "ludex" in (log.header.data or {}):
        message = Message("from-is-log", file=log.file)
        hint = Message("from-is-log-hint", command="ludex show LOG --format position")
        return Diagnostic(log_codes.NO_POSITION, message, place, hint, pointer="/from")
    fault = next(iter(position_faults(log.faults)), None)
    # A fault of a file as a whole, such as that nobody may read it, shows no part of it.
    if fault is not None and fault.span == whole_file(log.file):
        message = Message("from-file-fault", file=log.file, message=fault.message)
        return replace(fault, message=message, span=place, pointer="/from")
    message = Message("from-unread", file=log.file)
    hint = Message("from-unread-hint", command=f"ludex validate {shown_text(log.file)}")
    # The code says whether it can be read at all, as where the position is given to a command.
    return Diagnostic(fault.code if fault else log_codes.NO_POSITION, message, place, hint, pointer="/from")


def position_faults(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the errors about the file of a position, which is read as a log."""
    return tuple(
        replace(finding, message=Message("position-empty-file")) if finding.code is log_codes.EMPTY_LOG else finding
        for finding in findings
        if finding.is_error
    )


def _difference(header: Header, game: m.Game) -> str | None:
    """Say in which setting a position's header differs from the game that is played; None: in none."""
    own: dict[str, tuple[Json, Json]] = {
        # A header may name the game by the file of its spec.
        "game": (Path(header.game).stem, game.name),
        "edition": (header.edition or next(iter(game.editions), game.edition), game.edition),
        "players": (header.players, game.players),
        "silence": (header.silence or "borrow", game.silence),
    }
    for option in game.options:
        own[option.name] = (
            header.options.get(option.name, to_json(option.type, option.default)),
            to_json(option.type, option.value),
        )
    for fork in game.forks:
        own[fork.name] = header.readings.get(fork.name, fork.default), fork.chosen
    other = next(((name, has, wanted) for name, (has, wanted) in own.items() if has != wanted), None)
    if other is None:
        return None
    name, has, wanted = other
    return Message("from-other-game", setting=name, found=str(has), wanted=str(wanted))
