"""`ludex diff` of a game that is written as one text with an apparatus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ludex.grammar import Failure, read_text
from ludex.interpreter import Limits, Played, played_row
from ludex.spec import (
    DECISIONS_FILE,
    Decision,
    GameText,
    Section,
    TextRow,
    read_decisions,
    rows,
    shown_path,
    witnessed,
)

from ..exits import Exit
from ..files import write_file
from ..report import json_text, progress
from ..terminal import put, say, unstyled
from .text import to_text

if TYPE_CHECKING:
    from ..diff import Wanted

PLAYED = (Section.CONTRADICTION, Section.DUTY, Section.OMISSION, Section.VAGUENESS)


def report(text: GameText, named: Sequence[str], wanted: Wanted) -> Exit:
    """Print or write the report. named: the texts to compare; all of them if none is named."""
    if wanted.form not in ("text", "json"):
        raise click.UsageError("a game of several texts in one is told as text or json")
    for name in named:
        if name not in text.texts:
            raise click.UsageError(f"`{text.name}` has no text `{name}`; it has {', '.join(text.texts)}")
    if any(fault.is_error for fault in text.diagnostics):
        raise Failure(text.diagnostics)
    everything = rows(witnessed(text.declarations, text.texts), text.texts, _decisions(text))
    found = [row for row in everything if parts(row, named) and _is_asked(row, wanted.clauses)]
    played = _played(text, found, wanted) if wanted.play else {}
    titles = text.game.header.titles
    title = titles.get("en") or next(iter(titles.values()), text.name)
    if wanted.form == "json":
        told = json_text({"game": text.name, "rows": [row_to_json(row, played.get(row.name)) for row in found]})
    else:
        told = to_text(title, found, played, text.texts, everything=wanted.everything)
    if wanted.out is not None:
        write_file(wanted.out, told if wanted.form == "json" else unstyled(told) + "\n")
    elif wanted.form == "json":
        put(told)
    else:
        say(told)
    return Exit.FINDINGS if any(row.matters for row in found) else Exit.GOOD


def parts(row: TextRow, named: Sequence[str]) -> bool:
    """Whether a row tells some of these texts from each other; any row, if none is named."""
    if not named:
        return True
    groups = [set(said.lines) for said in row.said] + [set(row.silent), set(row.lost)]
    return sum(not group.isdisjoint(named) for group in groups) > 1


def _is_asked(row: TextRow, clauses: Sequence[str]) -> bool:
    return not clauses or any(path == name or path.startswith(f"{name}.") for path in row.clauses for name in clauses)


def _decisions(text: GameText) -> tuple[Decision, ...]:
    """What is decided beside the game. Raises Failure where the file has faults."""
    path = text.folder / DECISIONS_FILE
    if not path.exists():  # what is there and is no file is reported by whoever reads it
        return ()
    content, faults = read_text(path)
    if content is None:
        raise Failure(faults)
    found, faults = read_decisions(content, shown_path(path), tuple(text.texts))
    if any(fault.is_error for fault in faults):
        raise Failure(faults)
    return found


def _played(text: GameText, found: Sequence[TextRow], wanted: Wanted) -> Mapping[str, Played]:
    """By the name of a row, what it does at the table, for those that bind players."""
    asked = [row for row in found if row.matters and row.section in PLAYED]
    played: dict[str, Played] = {}
    with progress(len(asked), "looking for games") as bar:
        for row in asked:
            played[row.name] = played_row(text, row, Limits(wanted.events, wanted.seconds), wanted.seed)
            if bar is not None:
                bar.update(1)
    return played


def row_to_json(row: TextRow, played: Played | None) -> dict[str, Any]:
    """A row for programs."""
    told: dict[str, Any] = {
        "section": row.section.value,
        "name": row.name,
        "clauses": list(row.clauses),
        "about": dict(row.about),
        "said": [
            {
                "lines": dict(said.lines),
                "words": dict(said.words),
                "between": [dict(each) for each in said.between],
                "adds": dict(said.adds),
            }
            for said in row.said
        ],
        "silent": dict(row.silent),
        "lost": list(row.lost),
        "binds": row.binds,
        "kind": row.kind,
        "why": row.why,
        "readers": row.readers,
    }
    if played is not None:
        shown = played.shown
        told["play"] = {
            "pair": list(played.pair or ()),
            "effect": played.parting,
            "log": [dict(line) for line in shown.lines] if shown else [],
            "events": played.searched.events if played.searched else 0,
            "why": played.why,
        }
    return told
