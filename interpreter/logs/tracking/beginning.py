"""The beginning of a log: the start of the game, or the position that the header names in `from`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from ludex.grammar import MISSING_FILE, Diagnostic, Json, Message, is_there
from ludex.spec import model as m
from ludex.spec import to_json

from ...play.engine import Engine
from ...program import State
from .. import log_codes
from ..record import Log, Record
from ..structure import Header, Problem, once_each, quoted, read_log_header

ReadLog: TypeAlias = Callable[[str], Log]
"""Reads the log in a file."""


def beginning(engine: Engine, header: Header, record: Record, read: ReadLog) -> State | tuple[Diagnostic, ...]:
    """Return the state in which the log begins, or what is wrong with its position. Raises SpecFault.

    record: the log's first line, in which `header` was read.
    """
    if header.start is None:
        return engine.start()
    if not isinstance(header.start, str):
        return recorded_state(engine, header.start, header.names, record, "/from")
    # The file is looked for beside the log first, so that a folder of logs can be moved with its positions.
    path = next((path for path in _places(header.start, record) if is_there(path)), None)
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
    errors = position_faults(log.faults)
    if errors or log.header is None or log.header.data is None:
        return errors
    header, problems = read_log_header(log.header.data)
    if header is None:
        return tuple(problem.at(log.header) for problem in once_each(problems))
    # A position file has a position and nothing else; a log with one begins in it.
    if not isinstance(header.start, dict) or log.events:
        message = Message("from-is-log", file=log.file)
        hint = Message("from-is-log-hint", command="ludex show LOG --format position")
        return (Diagnostic(log_codes.NO_POSITION, message, named.place("/from"), hint, pointer="/from"),)
    if other := _difference(header, engine.game):
        return (Diagnostic(log_codes.OTHER_POSITION, other, log.header.place()),)
    return recorded_state(engine, header.start, header.names, log.header, "/from")


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
