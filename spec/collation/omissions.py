"""Omissions: clauses that some texts attest and others leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludex.grammar import Diagnostics
from ludex.grammar import syntax as s

from ..text.headers import Text, read_header, read_texts
from .citing import Lines, cited_lines
from .clause_tree import apparatus_of, clauses_in, rewritten, with_apparatus
from .open_items import Item, item_of


def texts_of_game(modules: Sequence[s.Module]) -> dict[str, Text]:
    """The texts of a game by siglum, as its files say. modules: the game file first."""
    header = read_header(modules[0], Diagnostics())
    return read_texts(header, modules, Diagnostics()) if header else {}


def omissions(modules: Sequence[s.Module]) -> Iterator[Item]:
    """Each clause that texts leave out, the outermost of those inside one another. What a text has lost, or what only
    the text has that it sums up, it does not leave out."""
    texts = texts_of_game(modules)
    found: dict[str, frozenset[str]] = {}
    for module in modules:
        for node in module.declarations:
            for path, parent, clause in clauses_in(node):
                found[path] = _silent_at(clause, texts)
                if found[path] - found.get(parent, frozenset()):
                    sigla = ", ".join(each for each in texts if each in found[path])
                    yield item_of("omitted", path, sigla, clause, None)


def without_needless_marks(modules: Sequence[s.Module]) -> tuple[s.Module, ...]:
    """The files without marks of silence that say nothing: of a text that sums up one that has the clause, or that is
    lost there, and of a text that is marked around the clause already."""
    texts = texts_of_game(modules)
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
    """The texts that are marked as silent at a clause."""
    omissions = (each for each in apparatus_of(clause) if isinstance(each, s.Omission))
    return frozenset(siglum for each in omissions for siglum in each.sigla)


def _silent_at(clause: Any, texts: dict[str, Text]) -> frozenset[str]:
    stated = stated_lines(clause)
    if not stated or isinstance(clause, s.ForkDeclaration):
        return frozenset()
    return frozenset(each for each in texts if each not in stated and not is_excused(texts[each], stated))


def stated_lines(clause: Any) -> dict[str, Lines]:
    """Who says something of the clause, and where; a mark of silence is no such thing."""
    silent = _marked(clause)
    said = {each for entry in apparatus_of(clause) if isinstance(entry, s.Variant | s.Ruled) for each in entry.sigla}
    lines = dict(cited_lines(clause))
    return {each: lines.get(each, ()) for each in (*lines, *(said - lines.keys())) if each not in silent}


def is_excused(text: Text, stated: Mapping[str, Lines]) -> bool:
    """Whether a text leaves nothing out by not saying a clause. stated: the lines of the texts that do."""
    if text.summary in stated:
        return True
    return any(text.has_lost(siglum, span) for siglum, lines in stated.items() for span in lines)
