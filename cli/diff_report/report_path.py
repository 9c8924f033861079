"""The path of a report, which never overwrites anything but an older report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludex.grammar import Diagnostic, is_there, languages, read_bytes

from ..reporting import demand_writable, is_folder, make_folder, say, write_file
from .phrases import Phrases

if TYPE_CHECKING:
    from .diff_options import DiffOptions

SUFFIXES = {"text": ".txt", "json": ".json", "html": ".html", "csv": ".csv", "xlsx": ".xlsx", "rulings": ".yaml"}
_HEAD = 1000
"""Number of bytes at the beginning of a file that show whether it is a report."""


def _in_any_language(phrase: str) -> str:
    return "|".join(re.escape(Phrases(language)[phrase]) for language in languages())


BEGINS: Mapping[str, str] = {
    "text": rf"[^\n]*: ({_in_any_language('parting')})\n",
    "json": r'\{\s*"game":[^}]*"title":',
    "html": r'<!DOCTYPE html>(?s:.)*<meta name="generator" content="Ludex">',
    "csv": rf"\ufeff({_in_any_language('section')}),",
    "xlsx": r"PK\x03\x04",
}
"""The beginning of a report, by its format. A file of rulings is read, and its content kept."""


def report_file(game: str, options: DiffOptions) -> Path | None:
    """Return the file of a report, None for the terminal; a folder gets `GAME.html`.

    Raises UsageError, before the long search, if the file cannot be written or would overwrite something else than a
    report.
    """
    out = options.out
    if out is None:
        if options.form == "xlsx":
            raise click.UsageError("a workbook goes into a file: name it with --out")
        return None
    if is_folder(out) or not (out.suffix or is_there(out)):
        make_folder(out)
        out /= f"{game}{SUFFIXES[options.form]}"
    demand_writable(out)
    if not _is_replaceable(out, options.form):
        raise click.UsageError(f"{out} exists already and is not a report; name another file, or remove it")
    return out


def _is_replaceable(path: Path, form: str) -> bool:
    if form not in BEGINS or not is_there(path):
        return True
    content = read_bytes(path, _HEAD)
    if isinstance(content, Diagnostic):
        return False
    # An empty file loses nothing; `mktemp` makes such files.
    return not content or re.match(BEGINS[form], content.decode(errors="replace")) is not None


def write_report(content: str | bytes, place: Path) -> None:
    """Write a report, and print where."""
    write_file(place, content)
    say(f"wrote {place}")
