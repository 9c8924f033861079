"""Rulings: a team's decisions about the rows of a report, as a YAML file.

    game: nimm
    rulings:
      - row: "take.most"
        says: "bkdfhajcei"
        decision: "differ"            # or same, reading, publisher
        counts: "ru"                  # the text that is followed
        comment: "the number was changed in the second printing"

A ruling is on a row by its name. It holds as long as the texts say what they said (`mark_of`). Nothing that was decided
is ever lost: what a later file replaces is kept in `earlier`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ludex.grammar import Diagnostic, Diagnostics, Note, Span, did_you_mean, shown_text, whole_file
from ludex.grammar import yaml_tree as y

from ..collation.decisions import layout_faults
from ..values.schema import Schema
from .ruling_codes import RULING_EDITION, RULING_GAME, RULING_TWICE, RULINGS_LAYOUT
from .text_differences import TextRow

RULINGS_FILE = "rulings.yaml"
"""Its name, beside the game."""
ROW_DECISIONS = ("same", "differ", "reading", "publisher")
"""The texts say the same; they differ; it is a reading of the transcribers; the publisher has to say."""
_HINT = "`ludex diff GAME --format rulings` writes such a file, to be filled in"
KEPT = ("says", "decision", "counts", "comment")


@dataclass(frozen=True, slots=True)
class RowRuling:
    """A ruling on one row.

    Attributes:
        row: its name.
        says: the mark of what the texts said then.
        decision: one of `ROW_DECISIONS`; empty while nobody decided.
        counts: of texts that differ, the siglum of the one that is followed, if one is.
        earlier: what this took the place of, the last first.
        span: where it stands in its file.
    """

    row: str
    says: str
    decision: str = ""
    counts: str = ""
    comment: str = ""
    earlier: tuple[RowRuling, ...] = ()
    span: Span | None = None

    @property
    def told(self) -> tuple[str, str, str]:
        """What somebody wrote."""
        return self.decision, self.counts, self.comment


def mark_of(row: TextRow) -> str:
    """Ten letters that change when the texts of a row say something else, or the row covers something else."""
    said = [_said(part) for part in row.parts]
    digest = sha256(json.dumps(said, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest[:10])


def _said(row: TextRow) -> list[Any]:
    groups = [
        [_one(said.words) or list(said.lines.values()), [_one(each) for each in said.between], sorted(said.lines)]
        for said in row.said
    ]
    return [groups, sorted(row.silent), sorted(row.lost)]


def _one(words: Mapping[str, str]) -> str:
    """In one language always: a translation of a sentence changes nothing."""
    return words.get("en") or next(iter(words.values()), "")


# ---- reading ----------------------------------------------------------------------------------------------------


def rulings_schema() -> Schema:
    """The JSON Schema (2020-12) of a file of rulings."""
    kept: Schema = {
        "says": {"description": "ten letters that stand for what the texts said", "type": "string", "maxLength": 40},
        "decision": {"enum": [*ROW_DECISIONS, "", None]},
        "counts": {"description": "of texts that differ, the one that is followed", "type": ["string", "null"]},
        "comment": {"type": ["string", "null"]},
    }
    before: Schema = {"type": "object", "properties": kept, "additionalProperties": False}
    name: Schema = {"description": "the name of the row", "type": "string", "minLength": 1, "maxLength": 400}
    ruling: Schema = {
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
    """The rulings of a text, and every fault in it. texts: the sigla of the game. game: its name; any, if none is
    given."""
    report = Diagnostics()
    if not text.strip():
        return (), (Diagnostic(RULINGS_LAYOUT, "the file is empty", whole_file(file), _HINT),)
    root, faults = y.read_yaml(text, file)
    report.extend(faults)
    if root is None:
        return (), report.sorted()
    report.extend(layout_faults(root, rulings_schema(), RULINGS_LAYOUT, _HINT))
    if report.has_errors:
        return (), report.sorted()
    data: Any = y.plain(root)
    if game is not None and data.get("game", game) != game:
        message = f"these rulings are about the game `{shown_text(data['game'])}`, and not about `{game}`"
        return (), (Diagnostic(RULING_GAME, message, y.locate(root, "/game"), "correct `game:` if they are not"),)
    found = tuple(
        replace(_ruling(each), span=y.locate(root, f"/rulings/{at}/row"))
        for at, each in enumerate(data["rulings"] or ())
    )
    report.extend(_faults(found, texts))
    return found, report.sorted()


def _ruling(record: Mapping[str, Any]) -> RowRuling:
    says, decision, counts, comment = (record.get(name) or "" for name in KEPT)
    before = tuple(_ruling({"row": record["row"], **each}) for each in record.get("earlier", ()))
    return RowRuling(record["row"], says, decision, counts, comment, before)


def _faults(found: Sequence[RowRuling], texts: Collection[str]) -> Iterator[Diagnostic]:
    first: dict[str, Span] = {}
    for ruling in found:
        assert ruling.span is not None
        if ruling.counts and ruling.counts not in texts:
            hint = did_you_mean(ruling.counts, texts) or f"the game has {', '.join(texts)}"
            message = f"the game has no text `{shown_text(ruling.counts)}`"
            yield Diagnostic(RULING_EDITION, message, ruling.span, hint)
        if ruling.row in first:
            note = Note("the first stands here", first[ruling.row])
            message = f"there is a ruling on `{shown_text(ruling.row)}` already"
            yield Diagnostic(RULING_TWICE, message, ruling.span, None, (note,))
        first.setdefault(ruling.row, ruling.span)


# ---- joining and writing ----------------------------------------------------------------------------------------


def joined_rulings(older: Iterable[RowRuling], newer: Iterable[RowRuling]) -> tuple[RowRuling, ...]:
    """Two files as one. Of a row on which both have something, the newer one's word holds, and the older one's is kept
    in `earlier`, unless the newer one says nothing, or what the older one replaced long ago."""
    found = {each.row: each for each in older}
    for each in newer:
        there = found.get(each.row)
        found[each.row] = each if there is None else _joined(there, each)
    return tuple(found.values())


def _joined(older: RowRuling, newer: RowRuling) -> RowRuling:
    known = [each.told for each in older.earlier]
    if newer.told == older.told and newer.says != older.says:
        first, rest = newer, (*newer.earlier, *older.earlier)  # the same was decided again
    elif not any(newer.told) or newer.told == older.told or newer.told in known:
        first, rest = older, (*older.earlier, *newer.earlier)
    else:
        first, rest = newer, (*newer.earlier, older, *older.earlier)
    once = {each.told: replace(each, earlier=(), span=None) for each in reversed(rest)}
    kept = tuple(each for told, each in reversed(once.items()) if any(told) and told != first.told)
    return replace(first, earlier=kept)


def rulings_text(game: str, rulings: Iterable[RowRuling], notes: Iterable[str] = ()) -> str:
    """A file of rulings. notes: lines of comment for its head, as they are."""
    head = [*notes, f"game: {quoted(game)}"]
    body = [line for ruling in rulings for line in _lines(ruling)]
    return "\n".join([*head, "rulings:" if body else "rulings: []", *body]) + "\n"


def _lines(ruling: RowRuling) -> Iterator[str]:
    yield f"  - row: {quoted(ruling.row)}"
    yield from (f"    {line}" for line in _kept(ruling))
    if ruling.earlier:
        yield "    earlier:"
        for each in ruling.earlier:
            first, *others = _kept(each)
            yield f"      - {first}"
            yield from (f"        {line}" for line in others)


def _kept(ruling: RowRuling) -> list[str]:
    kept = ((name, getattr(ruling, name)) for name in KEPT)
    return [f"{name}: {quoted(value)}" for name, value in kept if value or name in ("says", "decision")]


def quoted(text: str) -> str:
    """A string as both YAML and JSON read it; a sign that a YAML file cannot hold is a blank."""
    return json.dumps(y.NO_CHARACTER.sub(" ", text), ensure_ascii=False).replace("\ufeff", "\\ufeff")


def notes_in(text: str) -> tuple[str, ...]:
    """The lines of comment of a file of rulings, which a rewritten file keeps at its head."""
    return tuple(line.rstrip() for line in text.split("\n") if line.lstrip().startswith("#"))
