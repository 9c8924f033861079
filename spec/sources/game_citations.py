"""Citations of a game, over all its texts: the input of citation checks, coverage and number accounting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ludex.grammar import Diagnostic, Severity, Span
from ludex.grammar import syntax as s

from ..loading.game_text import GameText, SourceFile
from ..text import Footing, Stated, all_stated, attested, numbers_in, stated
from .citations import check_sources
from .files import STORED, read_sources
from .texts import SILENCE, CitedClause, CitedGame, Document, DocumentPart

SOURCES = "sources"
"""The folder of fingerprints, confirmations and excuses, in the folder of the game."""


def cited_game(text: GameText, words: Path | None = None) -> tuple[CitedGame, tuple[Diagnostic, ...]]:
    """Return the documents of a game with the clauses that cite them, and the faults of the stored files.

    words: the folder of the documents, if they are at hand."""
    sources, faults = read_sources(sources_folder(text), tuple(_documents(text)), words)
    parts = tuple(
        DocumentPart(each.siglum, _tag(text, each.siglum), each.lines, each.span) for each in text.texts.values()
    )
    clauses = tuple(clause for file in text.files for clause in cited_clauses(text, file))
    return CitedGame(sources, parts, clauses), faults


def _tag(text: GameText, siglum: str) -> str:
    """Return the tag of the document that a text is part of.

    Two texts may share a document, such as a book and its margin. Its tag is the siglum of the first."""
    name = text.documents.get(siglum)
    # Several texts may share a document, whose lines are stored once, under its first tag.
    return next((tag for tag, document in text.documents.items() if document == name), siglum)


def sources_folder(text: GameText) -> Path:
    """Return the folder of the stored files, relative to the working directory if it is inside it."""
    folder = text.folder / SOURCES
    try:
        # Reports show the path that a user would type here.
        return folder.resolve().relative_to(Path.cwd().resolve())
    except (OSError, ValueError):
        # The game is outside the working directory, or the directory is gone.
        return folder


def _documents(text: GameText) -> Iterator[Document]:
    """Yield each document once, with the first of its tags."""
    header = text.game.module.header
    values = (
        (value for entry in header.entries if entry.label == "document" for value in entry.values) if header else ()
    )
    places: dict[str | None, Span] = {value.tag: value.span for value in values}
    for tag, name in text.documents.items():
        if _tag(text, tag) == tag:
            yield Document(tag, name, places[tag])


# ---- clauses ----------------------------------------------------------------------------------------------------


def cited_clauses(text: GameText, file: SourceFile) -> tuple[CitedClause, ...]:
    """Return the clauses of one file with an authority of their own, with the file's convention, or with none at all.

    A clause that inherits its parent's authority, or that only contains clauses with an authority, is left out, and so
    is a term without an authority, since it states no rule."""
    # Without texts a clause follows the footing of its file.
    if text.texts:
        return (*_header(file), *_attested(text, file))
    return (*_header(file), *_with_footing(file, stated(file.module.declarations), text.footings))


def _with_footing(
    file: SourceFile, clauses: Iterable[Stated], footings: Mapping[str, Footing]
) -> Iterator[CitedClause]:
    """Yield those of some clauses that are the holders of their own footing; terms only with an authority."""
    for clause in clauses:
        footing = footings.get(clause.path)
        if footing and footing.holder == clause.path and (clause.kind != "term" or clause.authority):
            yield _cited(file, clause, footing.authority)


def _attested(text: GameText, file: SourceFile) -> Iterator[CitedClause]:
    """Yield each clause of a file once for each text that attests it, with that text's lines, else once without."""
    for clause in all_stated(file.module.declarations):
        if clause.kind in ("text", "silent"):
            continue
        attestations = list(attested(clause))
        for each in attestations:
            kind = SILENCE if isinstance(each.entry, s.Omission) else clause.kind
            node = each.entry.body if isinstance(each.entry, s.Variant) else clause.node
            citations = tuple(
                replace(citation, document=_tag(text, each.text)) for citation in each.authority.citations
            )
            span, reasons = (each.entry or clause.node).span.brief, each.authority.reasons
            yield CitedClause(each.text, clause.path, kind, span, citations, reasons, numbers_in(node))
        if not attestations:
            yield from _with_footing(file, [clause], text.footings)


def _header(file: SourceFile) -> Iterator[CitedClause]:
    header = file.module.header
    if header is not None and header.authority:
        yield CitedClause(
            file.header.name,
            "header",
            "header",
            header.span,
            header.authority.citations,
            header.authority.reasons,
            numbers_in(header.entries),
        )


def _cited(file: SourceFile, clause: Stated, authority: s.Authority) -> CitedClause:
    return CitedClause(
        file.header.name,
        clause.path,
        clause.kind,
        clause.node.span.brief,
        authority.citations,
        authority.reasons,
        numbers_in(clause.node),
    )


# ---- faults -----------------------------------------------------------------------------------------------------


def citation_faults(text: GameText, words: Path | None = None) -> tuple[Diagnostic, ...]:
    """Return the faults of the citations, and of the stored files, as warnings.

    words: the folder of the documents, if they are at hand."""
    # A file that cannot be parsed lacks clauses, whose rows in the lock would be reported as unused.
    if text.failed:
        return ()
    cited, faults = cited_game(text, words)
    # A game can be played with wrong citations.
    return tuple(map(_advised, (*faults, *check_sources(cited))))


def _advised(diagnostic: Diagnostic) -> Diagnostic:
    """Return a fault of a citation as a warning, since it changes nothing in play. `ludex coverage` reports it
    as an error."""
    return replace(diagnostic, code=replace(diagnostic.code, severity=Severity.WARNING))


def stored_files(text: GameText) -> tuple[str, ...]:
    """Return the paths of the stored files in the game's folder, whether they exist or not."""
    return tuple(f"{SOURCES}/{document.tag}{ending}" for document in _documents(text) for ending in STORED)
