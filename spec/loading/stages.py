"""Intermediate results of the pipeline, as `ludex check --stage` prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import Declaration, Diagnostic, Diagnostics

from ..model import ClauseInfo
from .game_text import GameText
from .loader import requested_edition
from .request import Request


@dataclass(frozen=True, slots=True)
class DeclaredEdition:
    """An edition of a game before its names are resolved.

    Attributes:
        edition: the text that is played; None for a game that has only one.
        clauses: the clauses by path, each with the text that states it.
        silent: paths of the rules that another text states and that are not in force here.
    """

    edition: str | None
    declarations: tuple[Declaration, ...]
    clauses: Mapping[str, ClauseInfo]
    silent: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def declared(text: GameText, request: Request) -> DeclaredEdition:
    """Return the declarations that are in force in an edition, and the diagnostics up to this stage."""
    diagnostics = Diagnostics()
    diagnostics.extend(text.diagnostics)
    edition = requested_edition(text, request, diagnostics)
    if edition is not None and edition not in text.names:
        return DeclaredEdition(None, (), {}, (), diagnostics.sorted())
    in_force = text.edition(edition, request.silence)
    diagnostics.extend(in_force.twice.items)
    return DeclaredEdition(edition, in_force.declarations, in_force.clauses, in_force.silent, diagnostics.sorted())
