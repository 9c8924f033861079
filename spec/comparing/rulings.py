"""Rulings: a team's decisions about the rows of a report, as a YAML file.

    game: nimm
    rulings:
      - row: "take.most"
        says: "bkdfhajcei"
        decision: "differ"            # or same, reading, publisher
        counts: "ru"                  # the text that is followed
        comment: "the number was changed in the second printing"

A ruling refers to a row by its name. It holds as long as the texts say the same about it (`mark_of`). No decision is
ever lost: the decisions that a later file replaces are kept in `earlier`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ludex.grammar import Diagnostic, Diagnostics, Note, Span, did_you_mean, lines_text, shown_text, whole_file
from ludex.grammar import yaml_tree as y

from ..collation.text_decisions import layout_faults
from ..values.type_schema import JsonSchema
from .ruling_codes import RULING_EDITION, RULING_GAME, RULING_TWICE, RULINGS_LAYOUT
from .text_differences import AttestedReading, TextRow

RULINGS_FILE = "rulings.yaml"
"""The name of the file, in the folder of the game."""
ROW_DECISIONS = ("same", "differ", "reading", "publisher")
"""Decisions of a team on a row: the texts say the same, they differ, they differ only in the transcribers' reading, or
the publisher has to decide."""
_HINT = "`ludex diff GAME --format rulings` writes such a file, to be filled in"
_KEPT = ("says", "decision", "counts", "comment")


@dataclass(frozen=True, slots=True)
class RowRuling:
    """A ruling on one row.

    Attributes:
        row: the name of the row.
        says: the mark of the row (`mark_of`) when the ruling was made.
        decision: one of `ROW_DECISIONS`; empty while nobody decided.
        counts: if the texts differ, the siglum of the one that is followed; may be empty.
        earlier: the rulings that this one replaced, the latest first.
        span: its place in the file.
    """

    row: str
    says: str
    decision: str = ""
    counts: str = ""
    comment: str = ""
    earlier: tuple[RowRuling, ...] = ()
    span: Span | None = None

    @property
    def content(self) -> tuple[str, str, str]:
        """The fields that a person fills in; all empty while nobody did."""
        return self.decision, self.counts, self.comment


def mark_of(row: TextRow) -> str:
    """Return a digest of ten letters, from `a` to `p`, of the readings of a row.

    It changes when the texts of the row say something else, or the row covers something else."""
    readings = [_readings_of(part) for part in row.parts]
    # Sorted keys give the same digest for the same readings.
    digest = sha256(json.dumps(readings, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    # Letters alone: YAML would read a mark such as `1234567890` or `12e4567890` as a number.
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest[:10])


def _readings_of(row: TextRow) -> list[Any]:
    return [list(map(_reading_of, row.readings)), sorted(row.silent), sorted(row.lost)]


def _reading_of(reading: AttestedReading) -> list[Any]:
    says = _one(reading.words) or [lines_text(lines) for lines in reading.lines.values()]
    return [says, [_one(words) for words in reading.between], sorted(reading.lines)]


def _one(words: Mapping[str, str]) -> str:
    """Return the sentence in English, else in the first language, so that adding a translation changes no mark."""
    return words.get("en") or next(iter(words.values()), "")


# ---- reading ----------------------------------------------------------------------------------------------------


def rulings_schema() -> JsonSchema:
    """Return the JSON Schema (2020-12) of a file of rulings."""
    kept: JsonSchema = {
        "says": {"description": "ten letters that stand for what the texts said", "type": "string", "maxLength": 40},
        # A field that is still to be filled in is empty or null.
        "decision": {"enum": [*ROW_DECISIONS, "", None]},
        "counts": {"description": "of texts that differ, the one that is followed", "type": ["string", "null"]},
        "comment": {"type": ["string", "null"]},
    }
    before: JsonSchema = {"type": "object", "properties": kept, "additionalProperties": False}
    name: JsonSchema = {"description": "the name of the row", "type": "string", "minLength": 1, "maxLength": 400}
    ruling: JsonSchema = {
        "type": "object",
        "properties": {
            "row": name,
            **kept,
            "earlier": {"description": "what this took the place of", "type": "array", "items": before},
        },
        "required": ["row", "says"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rulings on where the texts of a game part",
        "type": "object",
        "properties": {"game": {"type": "string"}, "rulings": {"type": ["array", "null"], "items": ruling}},
        "required": ["rulings"],
        "additionalProperties": False,
    }


def read_row_rulings(
    text: str, file: str, texts: Collection[str], game: str | None = None
) -> tuple[tuple[RowRuling, ...], tuple[Diagnostic, ...]]:
    """Return the rulings of a file, and its faults.

    text, file: its content and name. texts: the sigla of the game. game: its name; by default any name is accepted."""
    diagnostics = Diagnostics()
    # An empty file is valid YAML, but a user who gives one gave the wrong one.
    if not text.strip():
        return (), (Diagnostic(RULINGS_LAYOUT, "the file is empty", whole_file(file), _HINT),)
    root, faults = y.read_yaml(text, file)
    diagnostics.extend(faults)
    if root is None:
        return (), diagnostics.sorted()
    diagnostics.extend(layout_faults(root, rulings_schema(), RULINGS_LAYOUT, _HINT))
    if diagnostics.has_errors:
        return (), diagnostics.sorted()
    data: Any = y.plain(root)
    if game is not None and data.get("game", game) != game:
        message = f"these rulings are about the game `{shown_text(data['game'])}`, and not about `{game}`"
        return (), (Diagnostic(RULING_GAME, message, y.locate(root, "/game"), "correct `game:` if they are not"),)
    rulings = tuple(
        replace(_ruling(each), span=y.locate(root, f"/rulings/{at}/row"))
        for at, each in enumerate(data["rulings"] or ())
    )
    diagnostics.extend(_faults(rulings, texts))
    return rulings, diagnostics.sorted()


def _ruling(record: Mapping[str, Any]) -> RowRuling:
    says, decision, counts, comment = (record.get(name) or "" for name in _KEPT)
    before = tuple(_ruling({"row": record["row"], **each}) for each in record.get("earlier", ()))
    return RowRuling(record["row"], says, decision, counts, comment, before)


def _faults(rulings: Sequence[RowRuling], texts: Collection[str]) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for ruling in rulings:
        assert ruling.span is not None
        if ruling.counts and ruling.counts not in texts:
            hint = did_you_mean(ruling.counts, texts) or f"the game has {', '.join(texts)}"
            message = f"the game has no text `{shown_text(ruling.counts)}`"
            yield Diagnostic(RULING_EDITION, message, ruling.span, hint)
        if ruling.row in first:
            note = Note("the first is here", first[ruling.row])
            message = f"there is a ruling on `{shown_text(ruling.row)}` already"
            yield Diagnostic(RULING_TWICE, message, ruling.span, None, (note,))
        first.setdefault(ruling.row, ruling.span)


# ---- joining and writing ----------------------------------------------------------------------------------------


def joined_rulings(older: Iterable[RowRuling], newer: Iterable[RowRuling]) -> tuple[RowRuling, ...]:
    """Return the rulings of two files as one.

    If both have a ruling on a row, the newer one counts, and the older one is kept in `earlier`. But the older one
    counts if the newer one is empty, or is one that the older one has already replaced."""
    by_row = {each.row: each for each in older}
    for each in newer:
        before = by_row.get(each.row)
        by_row[each.row] = each if before is None else _joined(before, each)
    return tuple(by_row.values())


def _joined(older: RowRuling, newer: RowRuling) -> RowRuling:
    known = [each.content for each in older.earlier]
    if newer.content == older.content and newer.says != older.says:
        first, rest = newer, (*newer.earlier, *older.earlier)  # the same decision, for the texts as they are now
    elif not any(newer.content) or newer.content == older.content or newer.content in known:
        first, rest = older, (*older.earlier, *newer.earlier)
    else:
        first, rest = newer, (*newer.earlier, older, *older.earlier)
    # The dictionary is built backwards, so that of equal rulings the newest stays.
    once = {each.content: replace(each, earlier=(), span=None) for each in reversed(rest)}
    kept = tuple(each for content, each in reversed(once.items()) if any(content) and content != first.content)
    return replace(first, earlier=kept)


def rulings_text(game: str, rulings: Iterable[RowRuling], notes: Iterable[str] = ()) -> str:
    """Return the content of a file of rulings. notes: comment lines for its head, each with its `#`."""
    head = [*notes, f"game: {_quoted(game)}"]
    body = [line for ruling in rulings for line in _lines(ruling)]
    return "\n".join([*head, "rulings:" if body else "rulings: []", *body]) + "\n"


def _lines(ruling: RowRuling) -> Iterator[str]:
    yield f"  - row: {_quoted(ruling.row)}"
    yield from (f"    {line}" for line in _kept(ruling))
    if ruling.earlier:
        yield "    earlier:"
        for each in ruling.earlier:
            first, *others = _kept(each)
            yield f"      - {first}"
            yield from (f"        {line}" for line in others)


def _kept(ruling: RowRuling) -> list[str]:
    kept = ((name, getattr(ruling, name)) for name in _KEPT)
    return [f"{name}: {_quoted(value)}" for name, value in kept if value or name in ("says", "decision")]


def _quoted(text: str) -> str:
    """Return a string literal that YAML and JSON read alike; characters that YAML cannot hold become blanks."""
    return json.dumps(y.NO_CHARACTER.sub(" ", text), ensure_ascii=False).replace("\ufeff", "\\ufeff")


def notes_in(text: str) -> tuple[str, ...]:
    """Return the comment lines of a file of rulings, which a rewritten file keeps at its head."""
    return tuple(line.rstrip() for line in text.split("\n") if line.lstrip().startswith("#"))
