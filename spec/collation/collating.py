"""Collation: merges transcriptions into one text with an apparatus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludex.grammar import declared_functions, format_module, parse
from ludex.grammar import syntax as s

from ..loading.game_text import GameText
from .applying_decisions import apply_decisions
from .merging import merge, with_silences
from .omissions import omissions, without_needless_marks
from .open_items import SORTS, Item
from .text_decisions import TextDecision
from .transcription import Transcription


@dataclass(frozen=True, slots=True)
class Collated:
    """The result of a collation.

    Attributes:
        files: the files of the game in canonical layout, by name.
        items: the open items, in the order of `SORTS`.
    """

    files: dict[str, str]
    items: tuple[Item, ...]


def collate(game: GameText, texts: Sequence[Transcription], decisions: Sequence[TextDecision] = ()) -> Collated:
    """Merge transcriptions into a game, and apply decisions.

    Transcriptions are merged in their order: if two differ in a clause, the words of the first become the clause's,
    those of the second a variant. A decided clause is not an open item, unless the decision has to be written in by
    hand."""
    sources = (game.game, *game.parts)
    modules: tuple[s.Module, ...] = tuple(file.module for file in sources)
    items: list[Item] = []
    # A text is merged into the result of the texts before it, so that it can join their variants.
    for text in texts:
        merged = merge(modules, text)
        # Inserted clauses share the span of their place, and the next text needs spans to place its own.
        modules = _reparsed(merged.modules)
        items += merged.items
    # Only now is it known which clauses there are that a text can lack.
    for text in texts:
        modules = with_silences(modules, text)
    modules = _reparsed(modules)
    settled = apply_decisions(modules, decisions)
    # Decisions add marks of silence as well, so needless ones are known only now.
    modules = _reparsed(without_needless_marks(settled.modules))
    decided = {path for decision in decisions for path in decision.clauses}
    # A person has answered these already.
    items = [item for item in (*items, *omissions(modules)) if item.path not in decided]
    items += settled.items
    order = list(SORTS)
    # Sorting is stable, so within a sort the items keep the order of the clauses.
    items.sort(key=lambda item: order.index(item.sort))
    files = {file.path.name: _layout(module, modules) for file, module in zip(sources, modules, strict=True)}
    return Collated(files, tuple(items))


def _reparsed(modules: tuple[s.Module, ...]) -> tuple[s.Module, ...]:
    """Return the files parsed from their own layout, which gives each inserted node a span of its own."""
    return tuple(read_again(module, modules) for module in modules)


def _layout(module: s.Module, modules: tuple[s.Module, ...]) -> str:
    return format_module(module, frozenset().union(*map(declared_functions, modules)))


def read_again(module: s.Module, modules: tuple[s.Module, ...] = ()) -> s.Module:
    """Return a file parsed from its own layout. modules: all files of the game, for the names that they declare."""
    parsed = parse(_layout(module, modules or (module,)), module.span.file)
    # The layout of a valid tree can be read again; a fault here is one of the layout.
    assert not parsed.diagnostics, [str(each) for each in parsed.diagnostics]
    return parsed.module
