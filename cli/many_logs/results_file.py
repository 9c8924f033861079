"""The results file of `ludex validate --results`: an SQLite database with a row per log and a row per finding.

docs/results.md describes its tables. Each batch of logs is one transaction, so a run that is killed leaves whole logs;
the next run judges what is missing, or has changed since.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from hashlib import sha256
from pathlib import Path

import click

from ludex.grammar import Diagnostic, Message, open_bytes
from ludex.interpreter import FindingRow, LogRow, LogText, log_row

from .log_judging import Judge, LogToJudge, VerdictText

APPLICATION = 0x4C554458
"""The number that distinguishes a results file from other databases in SQLite's own header: `LUDX`."""
MAGIC = b"SQLite format 3\0"
"""The beginning of every SQLite database."""
PATIENCE = 30
"""Seconds to wait for another run that writes into the file."""


@dataclass(frozen=True, slots=True)
class RunColumns:
    """Columns of a log's row about its run, before those of `LogRow`.

    Attributes:
        sha256: the digest of the log's bytes.
        asked: the options.
        rules: the fingerprints of the rules of all editions that judged it.
        ludex: the version of Ludex.
        report, report_sha256: the whole report as JSON, and its digest.
    """

    sha256: str
    asked: str
    rules: str | None
    ludex: str
    report: str
    report_sha256: str


def _columns(*rows: type) -> dict[str, str]:
    """Return the columns for the fields of rows of plain values, with their SQL types. A list is a text in JSON."""
    own = {each.name: str(each.type) for row in rows for each in fields(row) if each.name != "findings"}
    return {
        name: ("INTEGER" if of.startswith("int") else "TEXT") + " NOT NULL" * (not of.endswith("| None"))
        for name, of in own.items()
    }


_OF_LOG = _columns(RunColumns, LogRow)
_OF_FINDING = {"log": "INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE", "number": "INTEGER NOT NULL"}
_OF_FINDING |= _columns(FindingRow)


def _table(name: str, columns: Mapping[str, str], key: str) -> str:
    rows = "".join(f"  {column} {of},\n" for column, of in columns.items())
    return f"CREATE TABLE {name} (\n{rows}  {key}\n);\n"


TABLES = _table("logs", {"id": "INTEGER PRIMARY KEY", **_OF_LOG}, "UNIQUE (file, number, asked)")
TABLES += _table("findings", _OF_FINDING, "PRIMARY KEY (log, number)")
TABLES_VERSION = len(_OF_LOG) + len(_OF_FINDING)
"""The version of the tables: later versions add columns, and never rename one."""
_PUT_LOG = f"""
INSERT INTO logs ({", ".join(_OF_LOG)}) VALUES ({", ".join("?" * len(_OF_LOG))})
ON CONFLICT (file, number, asked) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _OF_LOG)}
RETURNING id"""
_PUT_FINDING = f"INSERT INTO findings ({', '.join(_OF_FINDING)}) VALUES ({', '.join('?' * len(_OF_FINDING))})"
_FIND = "SELECT sha256, ludex, rules, line, report_sha256, report FROM logs WHERE file = ? AND number = ? AND asked = ?"


class Results:
    """An open results file. asked: the settings under which logs are judged, as text; version: that of Ludex."""

    def __init__(self, connection: sqlite3.Connection, asked: str, version: str) -> None:
        self._connection, self._asked, self._version = connection, asked, version

    def looked_up(self, logs: Iterable[LogText], judge: Judge) -> Iterator[LogToJudge]:
        """Add to each log the report of an earlier run, if neither the log, its place, its rules nor Ludex changed."""
        return (LogToJudge(source, self._kept(source, judge)) for source in logs)

    def _kept(self, source: LogText, judge: Judge) -> str | None:
        key = _text(source.file), source.number, self._asked
        # What could not be read to its end may be readable now, and its bytes do not say so.
        row = None if source.faults else self._connection.execute(_FIND, key).fetchone()
        if row is None:
            return None
        *then, report = row
        rules = judge.rules_of(source)
        # The row has the report's own digest, so that a row that somebody edited is judged again.
        # The report names lines of the file, and these change when a log before it does.
        now = [_digest(source.content), self._version, rules, source.line, _digest(str(report).encode())]
        return str(report) if rules is not None and then == now else None

    def put(self, batch: Iterable[tuple[LogToJudge, VerdictText]]) -> None:
        """Write the logs that were judged, in one transaction."""
        with self._connection:
            for asked, answer in batch:
                if answer.report is not None:
                    self._put(asked.source, answer)
                if asked.source.next_line is None:
                    # In an earlier run the file may have had more logs.
                    last = _text(asked.source.file), self._asked, asked.source.number
                    self._connection.execute("DELETE FROM logs WHERE file = ? AND asked = ? AND number > ?", last)

    def _put(self, source: LogText, answer: VerdictText) -> None:
        assert answer.report is not None
        row = log_row(json.loads(answer.report))
        report = _text(answer.report)
        digests = _digest(source.content), _digest(report.encode())
        own = RunColumns(digests[0], self._asked, answer.rules, self._version, report, digests[1])
        columns = (*astuple(own), *row.as_dict().values())
        ((key,),) = self._connection.execute(_PUT_LOG, [*map(_value, columns)])
        # An updated row keeps its id, and with it the findings of the earlier run.
        self._connection.execute("DELETE FROM findings WHERE log = ?", (key,))
        rows = ([key, number, *map(_value, astuple(each))] for number, each in enumerate(row.findings, 1))
        self._connection.executemany(_PUT_FINDING, rows)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _value(value: object) -> object:
    """Return a value as SQLite has it: lists are JSON."""
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False)
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    """Return a text that is UTF-8: a file's name need not be."""
    return text.encode("utf-8", "backslashreplace").decode()


@contextmanager
def open_results(path: Path, asked: str, version: str) -> Iterator[Results]:
    """Open a results file, or make a new one. Raises UsageError for a file that is none, or that cannot be written."""
    # SQLite treats a file that is shorter than its own header as empty, and overwrites it.
    if (beginning := _beginning(path)) and not beginning.startswith(MAGIC):
        raise click.UsageError(Message("usage-other-database", name=str(path)))
    try:
        # The path includes its folder: SQLite would open `:memory:` as a database in memory, and the results
        # would be lost.
        connection = sqlite3.connect(path.absolute(), timeout=PATIENCE)
    except (sqlite3.Error, ValueError) as fault:  # a name that no file can have is a ValueError
        raise _unusable(path, fault) from None
    try:
        _prepare(connection, path)
        yield Results(connection, asked, version)
    except sqlite3.Error as fault:
        raise _unusable(path, fault) from None
    finally:
        connection.close()


def _beginning(path: Path) -> bytes:
    stream = open_bytes(path)
    if isinstance(stream, Diagnostic):
        # The file is missing, or SQLite says why it cannot be opened.
        return b""
    with stream:
        return stream.read(len(MAGIC))


def _unusable(path: Path, fault: Exception) -> click.UsageError:
    return click.UsageError(Message("usage-no-results", name=str(path), reason=str(fault)))


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    # Without this setting SQLite ignores ON DELETE CASCADE.
    connection.execute("PRAGMA foreign_keys = ON")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    # An empty file is a new one; another program's database has tables, even if it has no number.
    is_new = not application and not connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    if not is_new and (application, version) != (APPLICATION, TABLES_VERSION):
        entry = "usage-results-of-other" if application == APPLICATION else "usage-other-database"
        raise click.UsageError(Message(entry, name=str(path)))
    # A table that somebody changed is found now, not when the first logs have been judged.
    for table, columns in () if is_new else (("logs", _OF_LOG), ("findings", _OF_FINDING)):
        there = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        if not there.issuperset(columns):
            raise click.UsageError(Message("usage-results-damaged", name=str(path), table=table))
    # Others can read the file while a long run writes. A loss of power may undo the last batches, which are then judged
    # again, but never breaks the file.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if is_new:
        tables = TABLES.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")  # another run may be making them
        # The lock is taken first, so that of two runs that make the tables one waits for the other.
        settings = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {TABLES_VERSION};"
        connection.executescript(f"BEGIN IMMEDIATE; {tables} {settings} COMMIT;")
