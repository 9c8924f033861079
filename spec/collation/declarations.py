"""Merging of declarations: those that only a transcription has are added at the end, with their comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludex.grammar import Identifier, Span
from ludex.grammar import syntax as s

from ..text import NOUNS, fork_path, key_of
from .citing import cited, lines_of
from .clause_normal_form import form
from .clause_tree import BEYOND_LINE, moved, shifted
from .open_items import Item, item_of
from .transcription import Transcription

DeclarationKey = tuple[str, str]
NOT_ADDED = s.SilentDeclaration | s.TermsDeclaration | s.TextDeclaration


@dataclass(frozen=True, slots=True)
class Merged:
    """The files of a game with one more text, and the open items.

    Attributes:
        fresh: path and node of each clause that the game did not have as the text has it, whether it was added or not.
    """

    modules: tuple[s.Module, ...]
    items: tuple[Item, ...]
    fresh: tuple[tuple[str, Any], ...] = ()


def merged_declarations(modules: Sequence[s.Module], text: Transcription) -> Merged:
    """Merge the declarations of a transcription into the files of a game.

    Declarations that only the transcription has are added. Nouns, forks and examples that both have get its citations.
    Terms get its words in languages that the game does not have."""
    there = {key_of(node): node for module in modules for node in module.declarations}
    merging = _Merging(text, there, {}, [], [], [])
    for node in text.module.declarations:
        merging.take(node)
    changed = [replace(each, declarations=tuple(map(merging.changed, each.declarations))) for each in modules]
    head = _with_terms(_with_text(_with_new(changed[0], merging.new, text.module), text), text.module)
    return Merged((head, *changed[1:]), tuple(merging.items), tuple(merging.fresh))


@dataclass(slots=True)
class _Merging:
    text: Transcription
    there: dict[DeclarationKey, s.Declaration]
    mended: dict[DeclarationKey, s.Declaration]
    new: list[s.Declaration]
    items: list[Item]
    fresh: list[tuple[str, Any]]

    def changed(self, node: s.Declaration) -> s.Declaration:
        return self.mended.get(key_of(node), node)

    def take(self, node: s.Declaration) -> None:
        key = key_of(node)
        ours = self.there.get(key)
        if isinstance(node, NOT_ADDED):
            return
        # A noun that already cites the text is collated, so only new ones are fresh.
        if isinstance(node, NOUNS) and node.authority.citations and not (ours and self.is_cited(ours)):
            self.fresh.append((_path(node), node))
        if ours is None:
            self.new.append(node)
        elif isinstance(node, s.ForkDeclaration) and isinstance(ours, s.ForkDeclaration):
            self.mended[key] = _cited(ours, node, self.text.siglum)
            if _question(node) != _question(ours):
                self.item("fork", node, ours)
        elif isinstance(node, s.ExampleDeclaration):
            self.example(node, ours)
        elif isinstance(node, NOUNS):
            self.mended[key] = _cited(ours, node, self.text.siglum)
            if form(node) != form(ours):
                self.item("declared", node, ours)

    def is_cited(self, ours: Any) -> bool:
        readings = ours.readings if isinstance(ours, s.ForkDeclaration) else ()
        authorities = (ours.authority, *(each.authority for each in readings))
        return any(lines_of(each, self.text.siglum) for each in authorities)

    def example(self, node: s.ExampleDeclaration, ours: s.Declaration) -> None:
        if form(node) == form(ours):
            self.mended[key_of(node)] = _cited(ours, node, self.text.siglum)
            return
        # Two examples of one name may both hold, each for its text.
        named = replace(node, name=Identifier(f"{node.name}_{self.text.siglum}", node.name.span))
        if key_of(named) not in self.there:
            self.new.append(named)

    def item(self, sort: Any, node: Any, ours: Any) -> None:
        # Items of nouns and of clauses have one form, so that one report shows both.
        self.items.append(item_of(sort, _path(node), self.text.siglum, ours, node))


def _path(node: Any) -> str:
    return fork_path(node.name) if isinstance(node, s.ForkDeclaration) else str(node.name)


def _cited(ours: Any, theirs: Any, siglum: str) -> Any:
    return replace(ours, authority=cited(ours.authority, siglum, lines_of(theirs.authority, siglum)))


def _question(fork: s.ForkDeclaration) -> tuple[frozenset[str], str]:
    return frozenset(reading.name for reading in fork.readings), fork.default


# ---- added declarations ----------------------------------------------------------------------------------------------


def _with_new(module: s.Module, new: Sequence[s.Declaration], source: s.Module) -> s.Module:
    """Return the file with new declarations after its last line, with their layout and their comments."""
    if not new:
        return module
    last = max((node.span.end_line for node in (*module.declarations, *module.comments)), default=1)
    down, file = last + 1 - new[0].span.line + _comment_lines(new[0], source), module.span.file
    wanted = {key_of(node) for node in new}
    comments: list[s.Comment] = []
    above = source.header.span.end_line if source.header else 0
    for node in source.declarations:
        if key_of(node) in wanted:
            # Comments between two declarations belong to the one below them.
            comments += [each for each in source.comments if above < each.span.line <= node.span.end_line]
        above = node.span.end_line
    return replace(
        module,
        declarations=(*module.declarations, *(shifted(node, file, down) for node in new)),
        comments=(*module.comments, *(shifted(each, file, down) for each in comments)),
    )


def _comment_lines(node: s.Declaration, source: s.Module) -> int:
    """Return how many lines above a declaration its first comment is, plus one for a blank line; 1 without a
    comment."""
    ends = [each.span.end_line for each in source.declarations if each.span.end_line < node.span.line]
    above = max([*ends, source.header.span.end_line if source.header else 0])
    lines = [each.span.line for each in source.comments if above < each.span.line < node.span.line]
    return node.span.line - min(lines) + 1 if lines else 1


def _with_terms(module: s.Module, source: s.Module) -> s.Module:
    """Return the file with the terms of both. If both have a word in a language, the game's stays."""
    theirs = [term for node in source.declarations if isinstance(node, s.TermsDeclaration) for term in node.terms]
    own = next((node for node in module.declarations if isinstance(node, s.TermsDeclaration)), None)
    if not theirs:
        return module
    if own is None:
        last = max((node.span.end_line for node in (*module.declarations, *module.comments)), default=1)
        place = Span(module.span.file, last + 2, 1, last + 2, 1)
        new = moved(s.TermsDeclaration(place, tuple(theirs), s.Authority(place)), place)
        return replace(module, declarations=(*module.declarations, new))
    # A dictionary keeps the order of the terms, and finds each by its name.
    terms = {term.name: term for term in own.terms}
    place = replace(own.span, line=own.span.end_line, column=BEYOND_LINE, end_column=BEYOND_LINE)
    for term in theirs:
        terms[term.name] = _united(terms[term.name], term) if term.name in terms else moved(term, place)
    changed = replace(own, terms=tuple(terms.values()))
    return replace(module, declarations=tuple(changed if each is own else each for each in module.declarations))


def _united(own: s.Term, other: s.Term) -> s.Term:
    known = {word.language for word in own.words}
    words = (moved(word, own.span) for word in other.words if word.language not in known)
    authority = own.authority
    for citation in other.authority.citations:
        authority = cited(authority, citation.document, citation.lines)
    return replace(own, words=(*own.words, *words), authority=authority)


def _with_text(module: s.Module, text: Transcription) -> s.Module:
    """Return the file with the text in its header, and with the `text` declaration that the transcription gives."""
    header = module.header
    assert header is not None
    at = next((entry for entry in header.entries if entry.label == "document"), None)
    place = at.span if at else header.span
    # A new entry must not displace comments inside the old ones.
    end = replace(place, column=BEYOND_LINE, line=place.end_line)
    value = s.HeaderValue(end, Identifier(text.siglum, end), text.document)
    if at is None:
        entries = (*header.entries, s.HeaderEntry(end, Identifier("document", end), (value,)))
    elif any(each.tag == text.siglum for each in at.values):
        entries = header.entries
    else:
        more = replace(at, values=(*at.values, value))
        entries = tuple(more if each is at else each for each in header.entries)
    header = replace(header, entries=entries)
    declared = {node.name for node in module.declarations if isinstance(node, s.TextDeclaration)}
    if not text.entries or text.siglum in declared:
        return replace(module, header=header)
    place = replace(header.span, line=header.span.end_line, column=BEYOND_LINE, end_column=BEYOND_LINE)
    new = moved(s.TextDeclaration(place, Identifier(text.siglum, place), text.entries, s.Authority(place)), place)
    # Texts are declared before everything else, and a new one goes after them.
    first = next((at for at, node in enumerate(module.declarations) if not isinstance(node, s.TextDeclaration)), 0)
    declarations = (*module.declarations[:first], new, *module.declarations[first:])
    return replace(module, header=header, declarations=declarations)
