"""What stands between the stages of the pipeline, for a reader who wants to look: `ludex check --stage`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import Declaration, Diagnostic, Diagnostics

from .clauses import collect
from .layers import layered
from .loader import GameText, Request, _edition, _stack
from .model import ClauseInfo


@dataclass(frozen=True, slots=True)
class Declared:
    """A game as one edition has it: the layers merged, no name resolved.

    Attributes:
        clauses: by path, with the layer that states each.
        silent: paths that some file of the game states and that are not in force here.
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
    if edition is not None and edition not in text.editions:
        return Declared(None, (), {}, (), report.sorted())
    stack = _stack(text, edition, request.silence)
    merged = layered([file.module for file in stack], [file.module for file in text.files], report)
    own = frozenset(file.header.name for file in (stack[0], text.game))
    clauses = collect(merged.declarations, text.layers, own, report)
    return Declared(edition, merged.declarations, clauses, merged.silent, report.sorted())
