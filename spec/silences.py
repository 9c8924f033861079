"""Marks of silence: clauses that an edition's text does not state, and the lines near which they would stand.

A mark states no rule, and nothing is decided by it: reports that lay editions side by side show its lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ludex.grammar import Citation, Diagnostic, Note, Span, nearest
from ludex.grammar import syntax as s

from . import codes
from .clauses import name_span, stated
from .places import Places

NO_RULES = frozenset({"silent", "term"})


def silences(module: s.Module) -> dict[str, tuple[Citation, ...]]:
    """By the path of each clause that a text is marked to be silent about: the lines near which it would stand."""
    return {node.path: node.authority.citations for node in _marks(module)}


def near(path: str, marked: Mapping[str, tuple[Citation, ...]]) -> tuple[Citation, ...]:
    """Where a clause would stand: as the mark of it says, or of the nearest clause around it; nothing if none does."""
    while path and path not in marked:
        path = path.rpartition(".")[0]
    return marked.get(path, ())


def check_silences(modules: Sequence[s.Module], places: Places) -> tuple[Diagnostic, ...]:
    """What is wrong with the marks of a game's files."""
    paths = {module.span.file: _stated(module) for module in modules}
    return tuple(fault for module in modules for fault in _faults(module, paths, places))


def _marks(module: s.Module) -> list[s.SilentDeclaration]:
    return [node for node in module.declarations if isinstance(node, s.SilentDeclaration)]


def _stated(module: s.Module) -> dict[str, Span]:
    return {
        clause.path: name_span(clause.node) for clause in stated(module.declarations) if clause.kind not in NO_RULES
    }


def _faults(module: s.Module, paths: Mapping[str, Mapping[str, Span]], places: Places) -> Iterator[Diagnostic]:
    file, seen = module.span.file, dict[str, Span]()
    elsewhere = {path for name, known in paths.items() if name != file for path in known}
    for node in _marks(module):
        place = places.word(node.span, node.path)
        if module.header is not None and module.header.kind == "game":
            message = "this file is no edition: it has no text that could be silent"
            yield Diagnostic(codes.SILENT_OF_NOTHING, message, places.head(node.span), _IN_AN_EDITION)
        elif node.path in paths[file]:
            notes = (Note("it is stated here", paths[file][node.path]),)
            message = f"the edition states `{node.path}` itself"
            yield Diagnostic(codes.SILENT_AND_STATED, message, place, _ONE_OF_THEM, notes)
        elif node.path not in elsewhere:
            message = f"no other file of the game states `{node.path}`"
            yield Diagnostic(codes.SILENT_OF_NOTHING, message, place, _meant(node.path, elsewhere))
        elif node.path in seen:
            message = f"`{node.path}` is marked already"
            yield Diagnostic(codes.DUPLICATE_NAME, message, place, None, (Note("it is marked here", seen[node.path]),))
        elif not node.authority.citations:
            message = f"the mark of `{node.path}` names no lines"
            yield Diagnostic(codes.NO_AUTHORITY, message, place, _CITE)
        seen.setdefault(node.path, place)


_IN_AN_EDITION = "write it into the file of the edition whose text is silent"
_ONE_OF_THEM = "take the mark away, or the clause"
_CITE = "end the line with the lines near which the clause would stand: `[en 12-14]`"


def _meant(path: str, known: Collection[str]) -> str | None:
    found = nearest(path, known)
    return f"did you mean `{found}`?" if found else None
