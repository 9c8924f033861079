"""Printer of the report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludex.grammar import runs_right_to_left
from ludex.spec import ROW_DECISIONS, RowRuling

from . import report_model as r
from .phrases import Phrases, effects

SCRIPTED = ("decided", "undecided", "open all", "close all")
"""Phrases that the page's script writes."""
TEMPLATES = Path(__file__).with_name("templates")


def to_page(report: r.DiffReport, rulings: Sequence[RowRuling] = (), notes: Sequence[str] = ()) -> str:
    """Return the page, which needs no network.

    rulings, notes: all rulings of the file, also those on rows that are not shown, and its comments. The file that the
    page offers for download contains them all.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    phrases = Phrases(report.language)
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        # Specs and rulebooks are quoted, and may hold what a browser takes for markup or a script.
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2").render(
        report=report,
        said=phrases,
        effects=effects,
        direction="rtl" if runs_right_to_left(report.language) else "ltr",
        decisions=ROW_DECISIONS,
        weighed=r.DECIDED_SECTIONS,
        data={
            "game": report.game,
            "said": {name: phrases[name] for name in SCRIPTED},
            "rulings": list(map(_filed, rulings)),
            "notes": list(notes),
        },
        # These are our own files, which escaping would spoil.
        style=Markup(_read("page.css")),
        script=Markup(_read("page.js")),
    )


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")


def _filed(ruling: RowRuling) -> dict[str, Any]:
    members = {name: value for name, value in asdict(ruling).items() if name not in ("span", "earlier")}
    return members | {"earlier": list(map(_filed, ruling.earlier))}
