"""Intermediate results of the pipeline, as `ludex check --stage` prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import Declaration, Diagnostic, Diagnostics

from ..model import ClauseInfo
from .loader import GameText, _edition
from .request import Request


@dataclass(frozen=True, slots=True)
class Declared:
    """An edition of a game, no name resolved.

    Attributes:
        edition: the text that is played; None for a game that has only one.
        clauses: by path, each with the text that states it.
        silent: paths of rules that some text states and that are not in force here.
    """

    edition: str | None
    declarations: tuple[Declaration, ...]
    clauses: Mapping[str, ClauseInfo]
    silent: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def declared(text: GameText, request: Request) -> Declared:
    """The declarations of a game that are in force in an edition."""
    report = Diagnostics()
    report.extend(text.diagnostics)
    edition = _edition(text, request, report)
    if edition is not None and edition not in text.names:
        return Declared(None, (), {}, (), report.sorted())
    found = text.edition(edition, request.silence)
    report.extend(found.twice.items)
    return Declared(edition, found.declarations, found.clauses, found.silent, report.sorted())
