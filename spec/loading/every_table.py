"""Check of a game for every table: each edition and number of players, and variants of options and readings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from ludex.grammar import (
    Diagnostic,
    Diagnostics,
    Failure,
    Note,
    Span,
    whole_file,
)
from ludex.grammar import syntax as s

from ..budget import OverBudget
from ..table_checks import held_everywhere
from ..values.codec import to_json
from ..values.types import Value, values
from .game_text import GameText, read_game
from .loader import Assembled, assemble, example_requests, subject_of, unique
from .request import Request


def check_game(name_or_path: str | Path) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of a game, for each edition and each number of players.

    A stage runs only if the stages before it found no error."""
    try:
        return check_every_table(read_game(name_or_path))
    except Failure as failure:
        return failure.diagnostics


def check_every_table(text: GameText, asked: Sequence[Request] = ()) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of a game that was read already.

    If elaboration reports an error, the checks after it do not run, since they would report consequences of it.
    asked: if given, only these tables are checked, without their variants."""
    # This is imported late: a game from the cache is not checked.
    from ..checks.checking import check_all_tables, check_one_table

    diagnostics = Diagnostics()
    tables, all_of_them = _tables(text, asked)
    if not all_of_them:
        diagnostics.extend([OverBudget("tables", _most_tables(text), None, whole_file(text.game.name)).diagnostic()])
    diagnostics.extend(_merged_reports(text, tables))
    checks = [check for table in tables if table.elaborated for check in table.elaborated.table_checks]
    if not diagnostics.has_errors:
        subjects = [subject_of(text, table, table.elaborated) for table in tables if table.elaborated]
        diagnostics.extend(fault for subject in subjects for fault in check_one_table(subject))
        if not diagnostics.has_errors:
            checks += [check for subject in subjects for check in check_all_tables(subject)]
    diagnostics.extend(held_everywhere(checks))
    return diagnostics.sorted()


def _tables(text: GameText, asked: Sequence[Request]) -> tuple[list[Assembled], bool]:
    """Return the tables to check, and whether these are all. If they are too many, only the first ones are made."""
    low, high = text.game.header.players
    every = (Request(players, edition) for edition in text.names or (None,) for players in range(low, high + 1))
    most = _most_tables(text)
    # One more than allowed is listed, which shows that there are too many.
    first, *others = islice(asked or every, most + 1)
    tables = [assemble(text, first)]
    if len(others) >= most:
        return tables, False
    tables += [assemble(text, request) for request in others]
    # Variants of a faulty table would report its faults again.
    if asked or not all(table.sound for table in tables):
        return tables, True
    of_examples = list(unique(request for table in tables for request in example_requests(table, low)))
    variants = (request for request in _variants(tables) if request not in of_examples)
    # An example is about the table that it names, so that variants are elaborated without any.
    asked_for = chain(((request, True) for request in of_examples), ((request, False) for request in variants))
    further = list(islice(unique(asked_for), most + 1 - len(tables)))
    if len(tables) + len(further) > most:
        return tables, False
    return tables + [assemble(text, request, examples) for request, examples in further], True


WORK_PER_WORD = 3
"""Units of work that each word of a game's files counts at each of its tables."""


def _most_tables(text: GameText) -> int:
    """Return how many tables of a game may be checked: all together may take the work of one whole game."""
    words = sum(file.size for file in text.files)
    return max(1, text.budget.game // (WORK_PER_WORD * max(1, words)))


def _variants(tables: Iterable[Assembled]) -> Iterator[Request]:
    """Yield the tables with one option changed from its default, or one fork read otherwise, at the fewest players.

    Their combinations would be too many to check."""
    for table in tables:
        elaborated, request = table.elaborated, table.request
        if elaborated is None or request.players != min(t.request.players or 0 for t in tables):
            continue
        for option in elaborated.options:
            for value in _tried(values(option.type), option.default):
                yield replace(request, options={option.name: to_json(option.type, value)})
        for fork in (fork for fork in elaborated.forks if not fork.decided):
            for name, _ in fork.readings:
                if name != fork.default:
                    yield replace(request, readings={fork.name: name})


ALL_TRIED = 8
"""The largest number of other values of an option that are all checked; of more, only the first and the last are."""


def _tried(domain: Sequence[Value], default: Value) -> list[Value]:
    """Return the values of an option that are checked besides the default."""
    others = [value for value in domain if value != default]
    return others if len(others) <= ALL_TRIED else [others[0], others[-1]]


def _merged_reports(text: GameText, tables: Sequence[Assembled]) -> Iterator[Diagnostic]:
    """Yield the reports of all tables. A report that not every table of its edition gives has a note with its table."""
    examples = [node.span for node in text.declarations if isinstance(node, s.ExampleDeclaration)]
    for table in tables:
        alike = [other for other in tables if other.request.edition == table.request.edition]
        for fault in table.diagnostics.items:
            # An example names its own table, so a note with the table would add nothing to its reports.
            everywhere = all(_reports(other, fault) for other in alike)
            if everywhere or any(_within(fault.span, example) for example in examples):
                yield fault
            else:
                yield replace(fault, notes=(*fault.notes, Note(_setting_words(table.request))))


def _reports(assembled: Assembled, diagnostic: Diagnostic) -> bool:
    return any(other.code == diagnostic.code and other.span == diagnostic.span for other in assembled.diagnostics.items)


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.line <= inner.line <= outer.end_line


def _setting_words(request: Request) -> str:
    options = [f"the option `{name}` at {json.dumps(value)}" for name, value in request.options.items()]
    readings = [f"the reading `{reading}` of `{name}`" for name, reading in request.readings.items()]
    if options or readings:
        return f"found with {' and '.join([*options, *readings])}"
    return f"found at a table of {request.players}"
