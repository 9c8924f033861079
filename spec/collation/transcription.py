"""Transcriptions: one text of a game, written as a file `edition SIGLUM of GAME`.

It is parsed and nothing more: old transcriptions stay readable when the vocabulary of the game changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ludex.grammar import Diagnostics, mapped, nodes_in, parse_kept, read_text, whole_file
from ludex.grammar import syntax as s

from .collation_codes import NO_DOCUMENT, NO_TRANSCRIPTION, SEVERAL_DOCUMENTS_CITED, TRANSCRIBED_TWICE

_TEXT_ENTRIES = ("title", "lines")


@dataclass(frozen=True, slots=True)
class Transcription:
    """A transcription of one text.

    Attributes:
        module: the parsed file, with all citations under the siglum.
        document: the name of the file whose lines it cites.
        entries: the entries of its header that a `text` declaration has too.
    """

    siglum: str
    module: s.Module
    document: str
    entries: tuple[s.HeaderEntry, ...]


def read_transcriptions(
    paths: Iterable[Path], game: str, documents: Mapping[str, str], diagnostics: Diagnostics
) -> tuple[Transcription, ...]:
    """Read and return the valid transcriptions; the faults of the others are added to `diagnostics`.

    game: the name of the game. documents: the file of each text of the game, by tag."""
    by_siglum: dict[str, Transcription] = {}
    for path in paths:
        read = _read(path, game, documents, diagnostics)
        if read is not None and read.siglum in by_siglum:
            # The first file stays, as neither is known to be the better.
            message = f"the text `{read.siglum}` is transcribed in another file already"
            diagnostics.report(TRANSCRIBED_TWICE, message, whole_file(str(path)))
        elif read is not None:
            by_siglum[read.siglum] = read
    return tuple(by_siglum.values())


def _read(path: Path, game: str, documents: Mapping[str, str], diagnostics: Diagnostics) -> Transcription | None:
    text, faults = read_text(path)
    diagnostics.extend(faults)
    if text is None:
        return None
    parsed = parse_kept(text, str(path))
    diagnostics.extend(parsed.diagnostics)
    header = parsed.module.header
    if header is None:
        return None
    if header.kind != "edition" or header.of != game or "." in header.name:
        hint = f"it begins with `edition SIGLUM of {game}`"
        diagnostics.report(NO_TRANSCRIPTION, f"this is not a transcription of a text of `{game}`", header.span, hint)
        return None
    own: dict[str | None, str | None] = {
        value.tag: value.text for entry in header.entries if entry.label == "document" for value in entry.values
    }
    cited = sorted({each.document for each in nodes_in(parsed.module.declarations) if isinstance(each, s.Citation)})
    # A transcription cites its text by its own name, or by the one that the game has for it.
    tag = next((each for each in cited if each != header.name), header.name)
    if len(cited) > 1:
        place = next(e.span for e in nodes_in(parsed.module) if isinstance(e, s.Citation) and e.document == cited[1])
        names = ", ".join(f"`{each}`" for each in cited)
        diagnostics.report(SEVERAL_DOCUMENTS_CITED, f"lines of several documents are cited: {names}", place)
        return None
    # The transcription knows its own file best.
    document = own.get(tag) or documents.get(header.name) or documents.get(tag)
    if document is None:
        diagnostics.report(NO_DOCUMENT, f"the file of the text `{header.name}` is not given", header.span)
        return None
    # From here on the text has one siglum, whatever name the citations used.
    module = cited_as(parsed.module, header.name)
    return Transcription(
        header.name, module, document, tuple(entry for entry in header.entries if entry.label in _TEXT_ENTRIES)
    )


def cited_as(node: s.Module, siglum: str) -> s.Module:
    """Return the file with all its citations under one siglum."""
    return mapped(node, lambda piece: replace(piece, document=siglum) if isinstance(piece, s.Citation) else piece)
