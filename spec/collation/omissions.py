"""Omissions: clauses that some texts attest and others leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludex.grammar import Diagnostics, LineRanges
from ludex.grammar import syntax as s

from ..text import Text, read_header, read_texts
from .citing import cited_lines
from .clause_tree import apparatus_of, clauses_in, rewritten, with_apparatus
from .open_items import Item, item_of


def texts_of_game(modules: Sequence[s.Module]) -> dict[str, Text]:
    """Return the texts of a game by siglum. modules: the files of the game, the game file first."""
    header = read_header(modules[0], Diagnostics())
    return read_texts(header, modules, Diagnostics()) if header else {}


def omissions(modules: Sequence[s.Module]) -> Iterator[Item]:
    """Yield an item for each clause that texts leave out, but not for the clauses inside it.

    A text omits nothing where it is torn; a summary omits nothing that only the text it sums up states."""
    texts = texts_of_game(modules)
    silent: dict[str, frozenset[str]] = {}
    for module in modules:
        for node in module.declarations:
            for path, parent, clause in clauses_in(node):
                # Parents come first, so the parent's texts are known here.
                silent[path] = _silent_at(clause, texts)
                if silent[path] - silent.get(parent, frozenset()):
                    sigla = ", ".join(each for each in texts if each in silent[path])
                    yield item_of("omitted", path, sigla, clause, None)


def without_needless_marks(modules: Sequence[s.Module]) -> tuple[s.Module, ...]:
    """Return the files without redundant marks of silence.

    A mark is redundant if the text is a summary or torn there, or if a clause around it has the mark already."""
    texts = texts_of_game(modules)
    # A mark is judged by the clauses around it too, so all must be known.
    clauses = {path: (parent, each) for m in modules for d in m.declarations for path, parent, each in clauses_in(d)}

    def is_needless(siglum: str, path: str) -> bool:
        stated = [lines for _, _, each in clauses_in(clauses[path][1]) if (lines := stated_lines(each))]
        if siglum in texts and stated and all(is_excused(texts[siglum], lines) for lines in stated):
            return True
        while path := clauses[path][0]:
            if siglum in _marked(clauses[path][1]):
                return True
        return False

    def without(path: str, node: Any) -> Any:
        needless = {siglum for siglum in _marked(node) if is_needless(siglum, path)}
        if not needless:
            return node
        kept = (
            replace(each, sigla=tuple(one for one in each.sigla if one not in needless))
            if isinstance(each, s.Omission)
            else each
            for each in apparatus_of(node)
        )
        return with_apparatus(node, tuple(each for each in kept if each.sigla))

    return tuple(
        replace(module, declarations=tuple(rewritten(node, without) for node in module.declarations))
        for module in modules
    )


def _marked(clause: Any) -> frozenset[str]:
    """Return the sigla of the texts that are marked as silent at a clause."""
    omissions = (each for each in apparatus_of(clause) if isinstance(each, s.Omission))
    return frozenset(siglum for each in omissions for siglum in each.sigla)


def _silent_at(clause: Any, texts: dict[str, Text]) -> frozenset[str]:
    stated = stated_lines(clause)
    if not stated or isinstance(clause, s.ForkDeclaration):
        return frozenset()
    return frozenset(each for each in texts if each not in stated and not is_excused(texts[each], stated))


def stated_lines(clause: Any) -> dict[str, LineRanges]:
    """Return the lines of each text that states the clause or a variant of it, by siglum."""
    silent = _marked(clause)
    ruled_or_varying = {
        each for entry in apparatus_of(clause) if isinstance(entry, s.Variant | s.Ruled) for each in entry.sigla
    }
    lines = dict(cited_lines(clause))
    # A ruling or a variant may cite no lines, and its text still has the clause.
    return {each: lines.get(each, ()) for each in (*lines, *(ruled_or_varying - lines.keys())) if each not in silent}


def is_excused(text: Text, stated: Mapping[str, LineRanges]) -> bool:
    """Return whether a text that lacks a clause omits nothing by that, since it is a summary or torn there.

    stated: the lines of the texts that state the clause."""
    if text.summary in stated:
        return True
    return any(text.has_lost(siglum, span) for siglum, lines in stated.items() for span in lines)
