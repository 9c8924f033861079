"""Printers of the report for programs and spreadsheets: JSON with its JSON Schema, CSV, XLSX."""

from __future__ import annotations

import csv
import types
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from io import BytesIO, StringIO
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ludex.grammar import runs_right_to_left
from ludex.spec import JsonSchema

from ..reporting import no_formula
from . import report_model as r
from .phrases import Phrases

MOST_LETTERS = 32_767
"""The largest number of characters in a cell of a workbook."""


def report_json(report: r.DiffReport) -> dict[str, Any]:
    """Write the report as `report_schema` describes it."""
    return asdict(report)


def report_schema() -> JsonSchema:
    """Make the JSON Schema (2020-12) from the report's model. Readers must accept further fields."""
    defs: dict[str, JsonSchema] = {}
    root = _schema(r.DiffReport, defs)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `ludex diff --format json` prints",
        **root,
        "$defs": defs,
    }


def _schema(kind: Any, defs: dict[str, JsonSchema]) -> JsonSchema:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        name = kind.__name__  # type: ignore[union-attr]
        if name not in defs:
            # The class is entered before its fields, as one of them may be of the same class.
            defs[name] = {}
            hints = get_type_hints(kind)
            properties = {each.name: _schema(hints[each.name], defs) for each in fields(kind)}
            description = " ".join((kind.__doc__ or "").split())
            defs[name] = {
                "description": description,
                "type": "object",
                "properties": properties,
                "required": list(properties),
            }
        return {"$ref": f"#/$defs/{name}"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each, defs) for each in arguments]}
    if origin is tuple:
        several: JsonSchema = {"type": "array", "items": _schema(arguments[0], defs)}
        exactly = len(arguments) if arguments[-1] is not Ellipsis else None
        return several | ({"minItems": exactly, "maxItems": exactly} if exactly else {})
    plain = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
    return {"type": plain[kind]}


# ---- tables -----------------------------------------------------------------------------------------------------


def _table(report: r.DiffReport) -> Iterator[list[str]]:
    """Enumerate the rows of the table: the heads, a row for each difference, with two columns for each text, and the
    comparison as a whole."""
    phrases = Phrases(report.language)
    heads = ["section", "about", "what differs", "effect", "kind", "name"]
    # Rulings are on the texts of one game, never on two specs.
    heads[5:5] = ["state", "decide", "counts", "comment"] if report.whole is None else []
    of_texts = [head for text in report.texts for head in (text.title, f"{phrases['lines']}: {text.title}")]
    yield [*(phrases[head] for head in heads[:3]), *of_texts, *(phrases[head] for head in heads[3:])]
    for chapter in report.chapters:
        for row in chapter.rows:
            cells = [cell for text in report.texts for cell in _of_text(row, text.siglum, phrases)]
            ruled = _ruled(row, phrases) if report.whole is None else ()
            yield [chapter.title, row.about, row.sentence, *cells, phrases[row.effect], row.kind, *ruled, row.name]
    empty = [""] * (len(heads) - 3 + len(of_texts))
    if report.whole is not None:
        yield [phrases["whole"], "", report.whole.words, *empty]
    # The warning must be in the table itself: a spreadsheet shows no message beside it.
    if not report.complete:
        yield ["", "", phrases["incomplete"], *empty]


def _ruled(row: r.DifferenceRow, phrases: Phrases) -> tuple[str, ...]:
    """Write the status of the row, and its ruling."""
    state = " ".join([phrases[row.state], *([phrases["new"]] if row.is_new else [])])
    decision = phrases[f"d {row.ruled.decision}"] if row.ruled.decision else ""
    return state, decision, row.ruled.counts, row.ruled.comment


def _of_text(row: r.DifferenceRow, siglum: str, phrases: Phrases) -> tuple[str, str]:
    statements: list[str] = []
    lines: list[str] = []
    for part in row.parts:
        for saying in part.sayings:
            for text in saying.texts:
                if text.siglum == siglum:
                    statements.append(
                        (f"; {phrases['and both']} " if saying.stance == "both" else f" {phrases['or']} ").join(
                            saying.words
                        )
                        or phrases[saying.stance]
                    )
                    lines.append(text.lines)
    return " ".join(dict.fromkeys(statements)), "; ".join(dict.fromkeys(filter(None, lines)))


def to_csv(report: r.DiffReport) -> str:
    """Write the table as CSV, with a byte order mark, by which spreadsheets recognise the encoding."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(map(no_formula, row) for row in _table(report))
    return "\ufeff" + out.getvalue()


def to_xlsx(report: r.DiffReport) -> bytes:
    """Write the table as a workbook with one sheet."""
    from xlsxwriter import Workbook

    out = BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("ludex")
        head = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        body = book.add_format({"text_wrap": True, "valign": "top"})
        if runs_right_to_left(report.language):
            sheet.right_to_left()
        table = list(_table(report))
        for at, row in enumerate(table):
            for column, words in enumerate(row):
                # Each cell is a string, so that `=1+1` in a spec is not a formula.
                sheet.write_string(at, column, words[:MOST_LETTERS], body if at else head)
        sheet.set_column(0, len(table[0]) - 1, 22)
        sheet.set_column(2, 2 + 2 * len(report.texts), 40)
        sheet.freeze_panes(1, 2)
        sheet.autofilter(0, 0, len(table) - 1, len(table[0]) - 1)
    return out.getvalue()
