"""Validation of a log in two stages, structure and play, with one report.

Structure: the header names a game, and every line is one that this game knows. Play: the events are replayed, and the
recorder's claims are compared with the states. The replay stops at the first illegal event, as nothing later can be
judged; the structure of later lines is still checked. A line with a structural fault is not reported again by the
replay.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path

from ludex.grammar import Diagnostic, Failure, Message, Note, enumerated
from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ...play.engine import Engine
from ...program import State
from ..log_codes import NO_PLAYER, REFUSED_CODES, UNFIT_CODES
from ..playback.log_replay import replay_log
from ..record import Log, LogForm, Record, read_log
from ..structure import Header, allowed_files, once_each, read_log_header
from ..tracking.beginning import ReadLog, beginning
from ..tracking.report import LeftOut, Play, Report, Verdict, reported, verdict_of
from ..tracking.tracker import ReplayOptions
from .header_game import (
    Load,
    at_misnamed_tags,
    beside_finding,
    confined,
    doubtful_tags,
    faults_of_other_members,
    fingerprint_finding,
    game_of,
    is_other_beside,
    located,
)

MOST_ENGINES = 64
"""The largest number of compiled games that are kept: logs may ask for any number of games."""

_MOST_PLACES = 1_024
"""The largest number of pairs of a game and a folder for which the place of the game is kept."""

MOST_OPTIONS = 8
"""The largest number of other settings of options that are tried for a log that names none."""

SHORTEST_RUN = 3
"""The smallest number of consecutive values of an option that are written as a range."""

NOWHERE = sys.maxsize
"""The line number of a fault that does not exist; greater than all others."""


def validate_log(log: Log, load: Load) -> Report:
    """Validate a log. `load` gives the game that the header names. Never raises for the content of the log."""
    return Validator(load).validate(log)


class Validator:
    """Validates logs. Games are loaded and compiled once for all logs with the same settings."""

    def __init__(
        self,
        load: Load,
        given: Iterable[str] = (),
        compiled: Callable[[m.Game], Engine] = Engine,
        read: ReadLog = read_log,
        files: bool | str | Path = True,
    ) -> None:
        """Make a validator.

        Args:
            load: gives the game that a header names.
            given: names of games that `load` knows besides the shipped ones; see `game_of`.
            compiled: gives the engine of a game, which need not be a new one.
            read: reads the position file that a log names in `from`.
            files: the files that a log may name, as its game or its position: any (True), none (False), or those in a
                folder. No other file is looked at.
        """
        self._given, self._compiled, self._read, self._files = tuple(given), compiled, read, allowed_files(files)
        self._load = confined(load, self._given, self._files)
        self._engines: dict[str, Engine] = {}
        self._places: dict[tuple[str, str], tuple[str, bool]] = {}

    def validate(self, log: Log) -> Report:
        """Validate the log."""
        return self.play(log, ends=False).report

    def play(
        self,
        log: Log,
        until: int | None = None,
        edition: str | None = None,
        fills: bool = False,
        start: str | None = None,
        goes_on: bool = False,
        resyncs: bool = False,
        plays: int = 1,
        ends: bool = True,
        until_line: int | None = None,
    ) -> Play:
        """Replay the log to its end or for `until` events, with the report.

        Args:
            edition: the edition to judge by, if not the log's own; the log's fingerprint is then not checked.
            fills: whether to list all lines that are missing, instead of stopping at the first.
            start: the path of the position in which the log begins, if its header does not say it.
            goes_on: whether to judge what is after the first event that is refused: a line that is wrong in any case
                is one more finding, one that may be wrong only because of that event is a consequence.
            resyncs: whether to continue from the next recorded position after such an event; with `goes_on` also from a
                claim of state that is true in one only of the games that may be.
            plays: how many plays are searched for where all that the log allows are too many to follow.
            ends: whether the state at the end is wanted; if not, a gap after which nothing is recorded takes no work.
            until_line: the index of the last line that is judged, which is more than an event; None: all are.
        """
        findings: list[Diagnostic] = []
        record = log.header
        if record is None or record.data is None:
            return _unplayed(log, findings)
        header, found = read_log_header(record.data)
        problems, misnamed = at_misnamed_tags(record, found)
        if header is not None and edition is not None:
            # A fingerprint is that of the log's own edition.
            header = replace(header, edition=edition, fingerprint=None)
            problems = [problem for problem in problems if problem.pointer != "/fingerprint"]
        if header is not None and start is not None:
            header = replace(header, start=start)
        findings.extend(problem.at(record) for problem in once_each(problems))
        engine = self._engine(header, record, findings) if header else None
        if header is None:
            # A misspelt setting may be why the header cannot be read. With a game, `_engine` looks for such tags.
            findings.extend(doubtful_tags(record, None, misnamed))
            findings.extend(faults_of_other_members(record, problems, self._load, self._given, self._files))
        if header is None or engine is None:
            return _unplayed(log, findings, header)
        begins = self._begins(header, record, engine)
        options = ReplayOptions(fills=fills, goes_on=goes_on, resyncs=resyncs, plays=plays, ends=ends)
        play = replay_log(log, header, engine, findings, begins, options, until, until_line)
        # Each setting that is tried replays the whole log, which is too much for a look at its beginning.
        is_part = until is not None or until_line is not None
        if is_part:
            return play
        is_sound = not any(finding.is_error for finding in findings)
        return replace(play, report=self._with_options(play.report, log, header, engine, is_sound))

    def convert(
        self,
        log: Log,
        form: LogForm,
        missing: Sequence[LeftOut] = (),
        language: str | None = None,
        folder: Path | None = None,
    ) -> str | tuple[Diagnostic, ...]:
        """Write the log in a form, without loss; return its faults if a part of it cannot be read.

        Args:
            missing: lines that are written into it, as in the report of a play with `fills`.
            language: of the game's terms in a text log, where the log itself is in none.
            folder: where it will be, if that is another folder, to which the paths in its header then refer.
        """
        from .conversion import converted  # it reads and writes text logs, which judging most logs does not need

        text = converted(log, form, self._load, self._given, missing, language, None, folder)
        if isinstance(text, str) or NO_PLAYER not in [fault.code for fault in text]:
            return text
        play = self.play(log)  # only a play says whose moves they are that name no player
        if play.log is None:
            return tuple(finding for finding in play.report.findings if finding.is_error)
        unread = {record.place().line for record in play.log.events if record.data is None}
        if unread:
            # Whether the log is legal is not asked: where no play leads, only the players are missing.
            return tuple(fault for fault in text if fault.span.line in unread)
        return converted(log, form, self._load, self._given, missing, language, play.log, folder)

    def _with_options(self, report: Report, log: Log, header: Header, engine: Engine, is_sound: bool) -> Report:
        """Add a note to the first finding of a log that sets no options: those it was judged by, and those by which
        it would be legal.

        Only a line that the rules refuse or do not know gets this note, and only if some option would know the line.
        is_sound: the header has no error, which would be there with every option.
        """
        unsaid = [option for option in engine.game.options if option.name not in header.options]
        first = next((finding for finding in report.findings if finding.code in (*REFUSED_CODES, *UNFIT_CODES)), None)
        if not unsaid or first is None:
            return report
        tried = [
            (option, value, *self._with_option(log, header, option, value))
            for option, value in islice(_other_options(unsaid), MOST_OPTIONS)
        ]
        # A line that the game does not know at all is the option's fault only if some value makes it known.
        if first.code in UNFIT_CODES:
            helping = {option.name for option, _, line, _ in tried if line > first.span.line}
            unsaid = [option for option in unsaid if option.name in helping]
        if not unsaid:
            return report
        legal = _values_in_words([(option, value) for option, value, _, is_legal in tried if is_legal and is_sound])
        judged = enumerated(f"{option.name} = {show(option.type, option.value)}" for option in unsaid)
        note = Message("verdict-option", options=judged)
        if legal:
            note = Message("verdict-option-legal", message=note, options=enumerated(legal, "or"))
        explained = replace(first, notes=(*first.notes, Note(note)))
        return replace(report, findings=tuple(explained if each is first else each for each in report.findings))

    def _with_option(self, log: Log, header: Header, option: m.OptionSetting, value: t.Value) -> tuple[int, bool]:
        """Find the line of the first error with the option set so, `NOWHERE` if there is none, and whether the log is
        legal then, if its header has no error."""
        findings: list[Diagnostic] = []
        # A wrong fingerprint is a fault in the first line, before every other one.
        options = {**header.options, option.name: to_json(option.type, value)}
        other = replace(header, options=options, fingerprint=None)
        assert log.header is not None
        engine = self._engine(other, log.header, findings)
        if engine is None:
            # A table that cannot be loaded would help no log.
            return 0, False
        begins = self._begins(other, log.header, engine)
        # Only the line of the first fault is wanted: explaining every refusal would take most of the time.
        report = replay_log(log, other, engine, findings, begins, ReplayOptions(explains=False)).report
        # Faults of the text count, too: the replay stops at a line that cannot be read, and finds none after it.
        line = min((finding.span.line for finding in report.findings if finding.is_error), default=NOWHERE)
        return line, report.verdict is Verdict.LEGAL

    def _begins(self, header: Header, record: Record, engine: Engine) -> Callable[[], State | tuple[Diagnostic, ...]]:
        return partial(beginning, engine, header, record, self._read, self._files)

    def editions(self, log: Log) -> tuple[str, ...]:
        """List the editions of the game that the log names; () if there is no such game, or it has none."""
        record = log.header
        header = read_log_header(record.data)[0] if record is not None and record.data is not None else None
        if header is None or record is None:
            return ()
        try:
            return self._load(self._located(header, record)[0].game).editions
        except Failure:
            return ()

    def engine_of(self, log: Log, edition: str | None = None) -> Engine | None:
        """Return the engine by which the log is judged; None if no game could be loaded.

        edition: the edition to judge by, if not the log's own.
        """
        record = log.header
        header = read_log_header(record.data)[0] if record is not None and record.data is not None else None
        if header is None or record is None:
            return None
        return self._engine(header if edition is None else replace(header, edition=edition), record, [])

    def _engine(self, header: Header, record: Record, findings: list[Diagnostic]) -> Engine | None:
        header, is_other_beside = self._located(header, record)
        key = _setting_key(header)
        if key not in self._engines:
            game = game_of(header, record, self._load, self._given)
            if not isinstance(game, m.Game):
                findings.extend(game)
                return None
            # The oldest goes first; a dictionary keeps its order.
            while len(self._engines) >= MOST_ENGINES:
                del self._engines[next(iter(self._engines))]
            self._engines[key] = self._compiled(game)
        engine = self._engines[key]
        if is_other_beside:
            findings.append(beside_finding(header, record))
        warning = fingerprint_finding(header, record, engine.game)
        if warning is not None:
            findings.append(warning)
        findings.extend(doubtful_tags(record, engine.game))
        return engine

    def _located(self, header: Header, record: Record) -> tuple[Header, bool]:
        """Look up where the game is, and whether the log's folder has another of its name; once for each folder."""
        key = header.game, os.path.dirname(record.file)  # noqa: PTH120 - a path takes long to make, and each log does
        if key not in self._places:
            while len(self._places) >= _MOST_PLACES:
                del self._places[next(iter(self._places))]
            resolved = located(header, record, self._given, self._files)
            self._places[key] = resolved.game, is_other_beside(resolved, record, self._given, self._files)
        game, is_beside = self._places[key]
        return header if game == header.game else replace(header, game=game), is_beside


def _other_options(options: Iterable[m.OptionSetting]) -> Iterator[tuple[m.OptionSetting, t.Value]]:
    """Enumerate each option at each of its other values, one at a time."""
    return ((option, value) for option in options for value in t.values(option.type) if value != option.value)


def _values_in_words(values: Iterable[tuple[m.OptionSetting, t.Value]]) -> list[str]:
    """Write values of options: `heap_1 = 2 to 8`, or one by one where they do not follow each other."""
    listed: list[str] = []
    for option, group in groupby(values, lambda each: each[0]):
        held = [value for _, value in group]
        is_run = all(isinstance(value, int) and not isinstance(value, bool) for value in held)
        if is_run and len(held) >= SHORTEST_RUN and held == list(range(held[0], held[0] + len(held))):
            low, high = show(option.type, held[0]), show(option.type, held[-1])
            listed.append(Message("verdict-option-range", name=option.name, low=low, high=high))
        else:
            listed += [f"{option.name} = {show(option.type, value)}" for value in held]
    return listed


def _setting_key(header: Header) -> str:
    """Return a key that is equal for headers that ask for the same game at the same table."""
    # Names, tags, the fingerprint and the position make no other game.
    setting = [header.game, header.players, header.edition, header.silence, header.options, header.readings]
    # The options are sorted, as the order in which a header names its options means nothing.
    return json.dumps(setting, sort_keys=True)


def _unplayed(log: Log, findings: list[Diagnostic], header: Header | None = None) -> Play:
    """Return the report on a log whose game could not be loaded: no line can be judged."""
    findings = [*log.faults, *findings]
    return Play(Report(log.file, verdict_of(findings), reported(findings), header, events=len(log.events)))
