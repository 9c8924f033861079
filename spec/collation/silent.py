"""Clauses that some texts state and others leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludex.grammar import Diagnostics
from ludex.grammar import syntax as s

from ..headers import Text, read_header, read_texts
from ..places import Places
from .citing import Lines, cited_lines
from .items import Item, item_of
from .tree import apparatus_of, clauses_in


def texts_of_game(modules: Sequence[s.Module]) -> dict[str, Text]:
    """The texts of a game by siglum, as its files say. modules: the game file first."""
    header = read_header(modules[0], Diagnostics(), Places({}))
    return read_texts(header, modules, Diagnostics(), Places({})) if header else {}


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


def _silent_at(clause: Any, texts: dict[str, Text]) -> frozenset[str]:
    stated = dict(_stated_lines(clause))
    if not stated or isinstance(clause, s.ForkDeclaration):
        return frozenset()
    return frozenset(each for each in texts if each not in stated and not _is_excused(texts[each], stated))


def _stated_lines(clause: Any) -> Iterator[tuple[str, Lines]]:
    """Who says something of the clause, and where; a mark of silence is no such thing."""
    silent = {each for entry in apparatus_of(clause) if isinstance(entry, s.Omission) for each in entry.sigla}
    said = {each for entry in apparatus_of(clause) if isinstance(entry, s.Variant | s.Ruled) for each in entry.sigla}
    lines = dict(cited_lines(clause))
    for siglum in (*lines, *(said - lines.keys())):
        if siglum not in silent:
            yield siglum, lines.get(siglum, ())


def _is_excused(text: Text, stated: dict[str, Lines]) -> bool:
    if text.summary in stated:
        return True
    return any(
        siglum in stated and all(low <= first and last <= high for first, last in stated[siglum])
        for siglum, (low, high) in text.lacuna
    )
