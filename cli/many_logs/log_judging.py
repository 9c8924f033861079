"""Judging of any number of logs: in this process, or in several, with the same output."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING

import click

from ludex.grammar import Message, value_class
from ludex.interpreter import Engine, Log, LogText, Play, Verdict, parse_log, report_of_fault, under_editions
from ludex.spec import DEFAULT_BUDGET, Budget

from ..command import ALL
from ..log_arguments import log_validator
from ..reporting import speak
from ..verdicts.judged import Judged, LogTally, OwnFault
from ..verdicts.writer import writer

if TYPE_CHECKING:
    from concurrent.futures import Future

BATCH, BATCH_BYTES = 32, 1_000_000
"""The most logs that are given to a worker process at once, and about the most bytes."""
_WAITING = 3
"""Batches that wait for each worker process, so that none is idle; more would take memory."""
MOST_HEADERS = 4_096
"""The largest number of headers of which the engine is remembered."""


@value_class
class JudgingTask:
    """The settings by which each log is judged: plain data, for worker processes.

    Attributes:
        games: paths of specs that are given beside the shipped ones.
        edition: the edition to judge by; None: the log's own; `all`: each.
        sources: the folder of the rulebooks' texts.
        fill: list all lines that are missing.
        first: judge nothing after the first event that is refused.
        resync: continue from the next position or sufficient claim after such an event.
        only_failing, quiet: which logs are reported.
        keeps: the report of each log is wanted, for a results file.
        language: of the reports, those in the results file too.
    """

    games: tuple[str, ...]
    budget: Budget
    edition: str | None
    sources: Path | None
    format: str
    fill: bool = False
    first: bool = False
    resync: bool = False
    only_failing: bool = False
    quiet: bool = False
    keeps: bool = False
    language: str | None = None
    files: str | None = None

    @property
    def setting(self) -> str:
        """The settings on which a verdict depends, apart from the log and its rules, as text."""
        # Defaults are left out, so that rows of an earlier version keep their key when an option is added.
        times = f"budget {self.budget}" if self.budget != DEFAULT_BUDGET else ""
        edition = f"edition {self.edition}" if self.edition else ""
        language = f"language {self.language}" if self.language else ""
        files = f"files {os.path.realpath(self.files)}" if self.files else ""
        return "; ".join(
            filter(
                None,
                (
                    edition,
                    "fill" if self.fill else "",
                    "first" if self.first else "",
                    "resync" if self.resync else "",
                    times,
                    language,
                    files,
                ),
            )
        )


@value_class
class LogToJudge:
    """A log to judge. kept: its report of an earlier run, as JSON text, if it is still valid."""

    source: LogText
    kept: str | None = None


@value_class
class VerdictText:
    """The text of a verdict; if a results file wants it, the report as JSON text and the fingerprint of the rules."""

    text: str
    report: str | None = None
    rules: str | None = None


class Judge:
    """Judges the logs of one task, and loads each game once."""

    def __init__(self, task: JudgingTask) -> None:
        self.task = task
        self._validator = log_validator(task.games, task.budget, task.files)
        self._writer = writer(task.format).for_task(task.sources)
        self._engines: dict[tuple[Path, bytes], tuple[Engine, ...]] = {}

    # A task is sent with every batch, and a judge that is made again would load its games again.
    @staticmethod
    @cache
    def of(task: JudgingTask) -> Judge:
        """Return the judge of a task in a worker process, where it is made once."""
        return Judge(task)

    def answer(self, asked: LogToJudge, tally: LogTally) -> VerdictText:
        """Judge a log, count it, and write its verdict. Raises UsageError if its game lacks the edition.

        Where Ludex itself fails, that is the verdict of this log: it is one of perhaps a million.
        """
        own: OwnFault | None = None
        try:
            judged = self._judged(asked)
            answer = self._written(judged, asked.kept is not None)
        except (click.ClickException, ImportError):  # wrong usage, or a missing package: the same for every log
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, the other logs are judged
            judged = Judged(asked.source, Play(report_of_fault(asked.source, fault)))
            answer = self._written(judged, False)
            if judged.verdict is Verdict.FAULT:
                kind = f"{type(fault).__name__}, while it judged {asked.source.name}"
                own = OwnFault(kind, "".join(format_exception(fault)))
        tally.add(judged, own)
        return answer

    def _written(self, judged: Judged, is_kept: bool) -> VerdictText:
        is_shown = not self.task.quiet and not (self.task.only_failing and judged.verdict is Verdict.LEGAL)
        text = self._writer.log(judged) if is_shown else ""
        # A report from the file is in the file already.
        if not self.task.keeps or is_kept:
            return VerdictText(text)
        # Without the rules, a report is not reused by another run: what failed may succeed there.
        rules = self.rules_of(judged.source) if judged.games else None
        return VerdictText(text, json.dumps(judged.data, ensure_ascii=False), rules)

    def _judged(self, asked: LogToJudge) -> Judged:
        source = asked.source
        if asked.kept is not None:
            games = tuple(engine.game for engine in self._engines_of(source))
            return Judged(source, None, games, kept=json.loads(asked.kept))
        log = source.log()
        play = self._validator.play(
            log,
            edition=self._named(log),
            fills=self.task.fill,
            goes_on=not self.task.first,
            resyncs=self.task.resync,
            ends=False,
        )
        plays, editions = [play], None
        if self.task.edition == ALL:
            editions = under_editions(self._validator, log, play)
            plays += [under.play for under in editions]
        return Judged(source, play, tuple(each.engine.game for each in plays if each.engine), editions)

    def _named(self, log: Log) -> str | None:
        """Return the edition asked for, if the game of the log has several. Raises UsageError if it has no such one."""
        edition = self.task.edition
        if edition in (None, ALL):
            return None
        known = self._validator.editions(log)
        if known and edition not in known:
            name = log.header.data.get("game") if log.header and log.header.data else log.file
            raise click.UsageError(
                Message("usage-no-edition", game=str(name), edition=str(edition), names=tuple(known))
            )
        # A folder may also hold logs of games with one text, which no edition's name fits.
        return edition if known else None

    def rules_of(self, source: LogText) -> str | None:
        """Return the fingerprints of all rules by which the log is judged; None if its verdict rests on more than
        these: no game can be loaded, or the play begins in a position file."""
        try:
            return " ".join(engine.game.fingerprint for engine in self._engines_of(source)) or None
        except (click.ClickException, ImportError):
            raise
        except Exception:  # noqa: BLE001 - a fault of Ludex: the log is judged again, and `answer` reports it
            return None

    def _engines_of(self, source: LogText) -> tuple[Engine, ...]:
        """Find the engines by the log's header. Logs of one folder with equal headers have the same."""
        first = source.content.partition(b"\n")[0]
        # The header of a log in YAML or in the notation takes more than one line.
        if not first.startswith(b"{"):
            return self._loaded(source.log())
        # The key contains the folder, as the game of a header may be a spec that lies beside the log.
        key = Path(source.file).parent, first
        if key not in self._engines:
            # If they contain dates or names, the headers of an archive may all differ.
            while len(self._engines) >= MOST_HEADERS:
                # The oldest goes: an archive is mostly in the order of its making, so an old header seldom comes again.
                del self._engines[next(iter(self._engines))]
            self._engines[key] = self._loaded(parse_log(first, source.file))
        return self._engines[key]

    def _loaded(self, log: Log) -> tuple[Engine, ...]:
        # The position file may change while the rules stay as they are, so that such a verdict is never reused.
        if log.header and log.header.data and isinstance(log.header.data.get("from"), str):
            return ()
        asked = self.task.edition
        editions = self._validator.editions(log) if asked == ALL else ()
        engines = (self._validator.engine_of(log, each) for each in editions or (self._named(log),))
        return tuple(filter(None, engines))


Batch = Sequence[LogToJudge]
Answers = list[VerdictText]


def answered(judge: Judge, logs: Iterable[LogToJudge], jobs: int, tally: LogTally) -> Iterator[tuple[Batch, Answers]]:
    """Judge logs, in their order, however many processes do it. Yields batches of logs with their answers.

    One process answers each log before it takes the next.
    """
    # A verdict is shown as soon as there is one, and a short run needs no processes, whose start takes longer.
    if jobs == 1:
        for asked in logs:
            yield (asked,), [judge.answer(asked, tally)]
        return
    from ludex.interpreter import worker_processes

    with worker_processes(jobs) as pool:
        waiting: deque[tuple[Batch, Future[tuple[Answers, LogTally]]]] = deque()
        for batch in _batches(logs):
            waiting.append((batch, pool.submit(_answer_batch, judge.task, batch)))
            # The first batch must be done before a later one is shown, as the logs keep their order.
            while waiting and (len(waiting) > jobs * _WAITING or waiting[0][1].done()):
                yield _taken(waiting.popleft(), tally)
        while waiting:
            yield _taken(waiting.popleft(), tally)


def _taken(done: tuple[Batch, Future[tuple[Answers, LogTally]]], tally: LogTally) -> tuple[Batch, Answers]:
    batch, future = done
    answers, counts = future.result()
    tally.take(counts)
    return batch, answers


def _batches(logs: Iterable[LogToJudge]) -> Iterator[Batch]:
    batch: list[LogToJudge] = []
    size = 0
    for asked in logs:
        source = asked.source
        # To parse the bytes again takes a worker less time than to unpickle what was parsed.
        batch.append(replace(asked, source=replace(source, parsed=None)) if source.parsed else asked)
        size += len(source.content)
        # Batches wait in memory, so that those of long logs hold fewer of them.
        if len(batch) == BATCH or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _answer_batch(task: JudgingTask, batch: Batch) -> tuple[Answers, LogTally]:
    """Answer a batch in a worker process."""
    speak(task.language)
    judge, tally = Judge.of(task), LogTally()
    return [judge.answer(asked, tally) for asked in batch], tally
