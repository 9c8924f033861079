"""Citations of a game, over all its texts: the input of citation checks, coverage and number accounting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ludex.grammar import Diagnostic, Diagnostics, Failure, Severity, Span
from ludex.grammar import syntax as s

from ..budget import DEFAULT_BUDGET, Budget
from ..loading.game_cache import OpenGame
from ..loading.loader import GameText, SourceFile, check_text
from ..loading.request import Request
from ..text.apparatus import all_stated, attested
from ..text.clauses import Stated, name_span, numbers_in, stated
from ..text.origins import Footing
from .citations import check_sources
from .files import read_sources
from .texts import SILENCE, CitedClause, CitedGame, Document, Part

SOURCES = "sources"
"""The folder beside a game file in which fingerprints, confirmations and excuses stand."""


def cited_game(text: GameText, words: Path | None = None) -> tuple[CitedGame, tuple[Diagnostic, ...]]:
    """Everything that is known of the texts of a game and of the clauses that cite them, and the faults of the stored
    files. words: the folder of the texts, if they are at hand."""
    sources, faults = read_sources(sources_folder(text), tuple(_documents(text)), words)
    parts = tuple(Part(each.siglum, _tag(text, each.siglum), each.lines, each.span) for each in text.texts.values())
    clauses = tuple(clause for file in text.files for clause in cited_clauses(text, file))
    return CitedGame(sources, parts, clauses), faults


def _tag(text: GameText, siglum: str) -> str:
    """The tag of the document that a text is part of: two texts may share one, as a book and its margin do. What is
    stored of it goes by the siglum of the first."""
    name = text.documents.get(siglum)
    return next((tag for tag, document in text.documents.items() if document == name), siglum)


def sources_folder(text: GameText) -> Path:
    """Where the stored files stand, told from where the reader is if that is above."""
    folder = text.folder / SOURCES
    try:
        return folder.resolve().relative_to(Path.cwd().resolve())
    except (OSError, ValueError):
        return folder


def _documents(text: GameText) -> Iterator[Document]:
    """Each document once, under the first of its tags."""
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
    """The clauses of one file that rest on something of their own, and those that rest on nothing at all or on the
    file's convention.

    One that inherits its parent's authority, or that is made of clauses with an authority, is not told again; nor is a
    term that rests on nothing, since it states no rule."""
    if text.texts:
        return (*_header(file), *_attested(text, file))
    return (*_header(file), *_standing(file, stated(file.module.declarations), text.footings))


def _standing(file: SourceFile, clauses: Iterable[Stated], footings: Mapping[str, Footing]) -> Iterator[CitedClause]:
    """Of some clauses those that rest on something of their own, or on nothing; terms only if they say on what."""
    for clause in clauses:
        footing = footings.get(clause.path)
        if footing and footing.holder == clause.path and (clause.kind != "term" or clause.authority):
            yield _cited(file, clause, footing.authority)


def _attested(text: GameText, file: SourceFile) -> Iterator[CitedClause]:
    """What each text says of each clause of a file, with its own lines; and what no text says."""
    for clause in all_stated(file.module.declarations):
        if clause.kind in ("text", "silent"):
            continue
        found = list(attested(clause))
        for each in found:
            kind = SILENCE if isinstance(each.entry, s.Omission) else clause.kind
            node = each.entry.body if isinstance(each.entry, s.Variant) else clause.node
            citations = tuple(
                replace(citation, document=_tag(text, each.text)) for citation in each.authority.citations
            )
            span, reasons = name_span(each.entry or clause.node), each.authority.reasons
            yield CitedClause(each.text, clause.path, kind, span, citations, reasons, numbers_in(node))
        if not found:
            yield from _standing(file, [clause], text.footings)


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
        name_span(clause.node),
        authority.citations,
        authority.reasons,
        numbers_in(clause.node),
    )


# ---- a whole check ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """What a full check comes to. `text`: None if there is no game to check."""

    text: GameText | None
    diagnostics: tuple[Diagnostic, ...]


def check(
    name_or_path: str | Path | OpenGame,
    requests: Sequence[Request] = (),
    words: Path | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Checked:
    """Every diagnostic of a game and of its citations: for every text and number of players, or for some tables.

    words: the folder of the rulebooks' texts, if they are at hand. Citations are checked if the files parse. budget:
    how much work the spec may ask for.
    """
    report = Diagnostics()
    try:
        game = name_or_path if isinstance(name_or_path, OpenGame) else OpenGame(name_or_path, budget)
        report.extend(game.faults(requests, lambda text: check_text(text, requests)))
        text = game.text
    except Failure as failure:
        return Checked(None, failure.diagnostics)
    if not text.failed:
        cited, faults = cited_game(text, words)
        report.extend(map(_advised, (*faults, *check_sources(cited))))
    return Checked(text, report.sorted())


def _advised(fault: Diagnostic) -> Diagnostic:
    """A fault of a citation as a warning: it changes nothing of what is played. `ludex coverage`, which asks whether
    the text bears the clauses, has it as an error."""
    return replace(fault, code=replace(fault.code, severity=Severity.WARNING))
