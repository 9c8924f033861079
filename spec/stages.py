"""What stands between the stages of the pipeline, for a reader who wants to look: `ludex check --stage`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import Declaration, Diagnostic, Diagnostics

from .loader import GameText, Request, _edition
from .model import ClauseInfo


@dataclass(frozen=True, slots=True)
class Declared:
    """A game as one edition has it: the layers merged, no name resolved.

    Attributes:
        clauses: by path, with the layer that states each.
        silent: paths of rules that some file of the game states and that are not in force here.
    """

    edition: str | None
    declarations: tuple[Declaration, ...]
    clauses: Mapping[str, ClauseInfo]
    silent: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def declared(text: GameText, request: Request) -> Declared:
    """The merged declarations of a game for an edition."""
    report = Diagnostics()
    report.extend(text.diagnostics)
    edition = _edition(text, request, report)
    if edition is not None and edition not in text.names:
        return Declared(None, (), {}, (), report.sorted())
    merged = text.merged(edition, request.silence)
    report.extend((*merged.disagreeing.items, *merged.twice.items))
    return Declared(edition, merged.layers.declarations, merged.clauses, merged.layers.silent, report.sorted())
