"""Words of the glossary: what a clause names, and by which word each text calls it.

A game's and its editions' terms give the word for a thing in each language. Where a clause names a thing and one text
does so too, another that uses a word for it elsewhere but not here may speak of something else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import combinations

from ludex.grammar import syntax as s

from ..clauses import Stated
from .hint import Hint, listed
from .passages import Agreed, Passages, lines_of, nodes, spans_of
from .reading import Line
from .wordforms import akin, content, occurs, stems


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words for things.

    Attributes:
        words: by the thing's path and language, every word that some file gives it.
        paths: of words that only one type of the game has, their paths.
        kinds: by type, the paths of those words of it that no other thing is called by in any language.
        own: the terms of each edition, that stand on lines of its own text.
    """

    words: Mapping[tuple[str, str], tuple[str, ...]]
    paths: Mapping[str, str]
    kinds: Mapping[str, tuple[str, ...]]
    own: Mapping[str, tuple[s.Term, ...]]

    def words_for(self, thing: str, edition: str) -> tuple[str, ...]:
        return self.words.get((thing, language_of(edition)), ())

    def own_words(self, thing: str, edition: str) -> tuple[str, ...]:
        """Those that the edition's own terms give it."""
        terms = (term for term in self.own.get(edition, ()) if term.name == thing)
        return tuple(word.text for term in terms for word in term.words if word.language == language_of(edition))


def language_of(edition: str) -> str:
    """`ru` of `ru.margin`."""
    return edition.partition(".")[0]


def glossary(texts: Mapping[str, s.Module], shared: s.Module | None) -> Glossary:
    """The words that a game's files give to things."""
    words: dict[tuple[str, str], dict[str, None]] = {}
    modules = (*texts.values(), *((shared,) if shared else ()))
    for term in (term for module in modules for term in _terms(module)):
        for word in term.words:
            words.setdefault((term.name, word.language), {})[word.text] = None
    paths = _paths(shared, modules)
    own = {name: tuple(term for term in _terms(module) if term.authority.citations) for name, module in texts.items()}
    return Glossary({key: tuple(each) for key, each in words.items()}, paths, _kinds(paths.values(), words), own)


def _kinds(paths: Iterable[str], words: Mapping[tuple[str, str], Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    called: dict[tuple[str, frozenset[frozenset[str]]], set[str]] = {}
    for (thing, language), each in words.items():
        for word in each:
            called.setdefault((language, frozenset(map(stems, content(word)))), set()).add(thing)
    shared = {thing for things in called.values() if len(things) > 1 for thing in things}
    found: dict[str, list[str]] = {}
    for path in paths:
        if path not in shared:
            found.setdefault(path.partition(".")[0], []).append(path)
    return {name: tuple(each) for name, each in found.items() if len(each) > 1}


def _terms(module: s.Module) -> Iterator[s.Term]:
    for node in module.declarations:
        if isinstance(node, s.TermsDeclaration):
            yield from node.terms


def _paths(shared: s.Module | None, modules: Iterable[s.Module]) -> dict[str, str]:
    """Of the words of types that are the name of nothing else, their paths."""
    bound = {name for module in modules for node in module.declarations for name in _bound(node)}
    found: dict[str, list[str]] = {}
    for node in shared.declarations if shared else ():
        if isinstance(node, s.TypeDeclaration) and isinstance(node.body, s.WordsBody):
            for variant in node.body.words:
                found.setdefault(variant.name, []).append(f"{node.name}.{variant.name}")
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1 and name not in bound}


def _bound(node: object) -> Iterator[str]:
    """The names that a declaration gives to anything but words of types."""
    match node:
        case tuple():
            for part in node:
                yield from _bound(part)
        case s.TypeDeclaration() | s.TermsDeclaration():
            return
        case s.Node():
            name = getattr(node, "name", None)
            if isinstance(name, str) and not isinstance(node, s.Name | s.Pattern | s.TypeName):
                yield name
            for each in fields(node):
                yield from _bound(getattr(node, each.name))


# ---- things that a clause names ---------------------------------------------------------------------------------


def term_hints(found: tuple[Agreed, ...], at: Passages, words: Glossary) -> Iterator[Hint]:
    """For each clause and thing at most one hint."""
    used = {name: at.reader.stems(lines) for name, lines in at.citing.items()}
    for each in found:
        if each.kind == "term":
            continue
        names = [name for name, clause in each.stated.items() if at.own(name, clause) and at.is_direct(name, clause)]
        if len(names) < 2:
            continue
        for thing in _things(each.stated[names[0]], words):
            if hint := _missing(each, thing, names, at, words, used):
                yield hint
        for things in words.kinds.values():
            if hint := _exchanged(each, things, names, at, words):
                yield hint


def _things(clause: Stated, words: Glossary) -> list[str]:
    """The things that the clause names by a word of a type."""
    named = (node.name or "" for node in nodes(clause) if isinstance(node, s.Name | s.Pattern))
    return sorted({words.paths[name] for name in named if name in words.paths})


def _missing(
    each: Agreed, thing: str, names: list[str], at: Passages, words: Glossary, used: Mapping[str, frozenset[str]]
) -> Hint | None:
    """A hint where all other texts name the thing beside the clause, and some that name it elsewhere do not."""
    own = {name: at.reader.stems(at.own(name, each.stated[name])) for name in names}
    wide = {name: at.reader.stems(at.wide(name, each.stated[name])) for name in names}
    said = {name: _said(thing, name, own[name], words) for name in names}
    saying = [name for name in names if said[name]]
    silent = [name for name in names if not _said(thing, name, wide[name], words)]
    lacking = [name for name in silent if any(occurs(word, used[name]) for word in words.own_words(thing, name))]
    if not saying or not lacking or len(saying) + len(lacking) < len(names):
        return None
    expected = "; ".join(f"{name} elsewhere: {', '.join(words.own_words(thing, name))}" for name in lacking)
    why = (
        f"the clause names `{thing}`, and so do the lines of {listed(saying)}; "
        f"those of {listed(lacking)} have no word for it ({expected})"
    )
    told = {name: said.get(name, ()) for name in each.stated}
    return Hint("term", each.clause, tuple(lacking), each.spans, told, why)


def _exchanged(each: Agreed, things: tuple[str, ...], names: list[str], at: Passages, words: Glossary) -> Hint | None:
    """A hint where one text speaks of one thing of a type, and another of another one."""
    things = tuple(thing for thing in things if all(words.words_for(thing, name) for name in names))
    own = {name: _named(things, name, at.own(name, each.stated[name]), at, words) for name in names}
    single = {name: next(iter(named)) for name, named in own.items() if len(named) == 1}
    for one, other in combinations(single, 2):
        if single[one] == single[other]:
            continue
        wide = {name: _named(things, name, at.wide(name, each.stated[name]), at, words) for name in (one, other)}
        if single[one] not in wide[other] and single[other] not in wide[one]:
            told = {name: own.get(name, {}).get(single.get(name, ""), ()) for name in each.stated}
            why = f"the lines of {one} speak of `{single[one]}`, and those of {other} of `{single[other]}`"
            return Hint("term", each.clause, (one, other), each.spans, told, why)
    return None


def _named(
    things: tuple[str, ...], edition: str, lines: Collection[Line], at: Passages, words: Glossary
) -> dict[str, tuple[str, ...]]:
    """The things that the lines name, with the words for each."""
    text = at.reader.stems(lines)
    said = {thing: _said(thing, edition, text, words) for thing in things}
    return {thing: each for thing, each in said.items() if each}


def _said(thing: str, edition: str, text: frozenset[str], words: Glossary) -> tuple[str, ...]:
    """The words for a thing that stand in a text."""
    return tuple(word for word in words.words_for(thing, edition) if occurs(word, text))


# ---- the terms themselves ---------------------------------------------------------------------------------------


def wording_hints(at: Passages, words: Glossary) -> Iterator[Hint]:
    """Terms of which less than half the words, and nothing akin to them, stand in the lines that they cite."""
    for edition, terms in words.own.items():
        for term in terms:
            where = spans_of(term.authority)
            text = at.reader.words(lines_of(where))
            for word in term.words if text else ():
                wanted = content(word.text)
                if sum(any(akin(each, other) for other in text) for each in wanted) * 2 < len(wanted):
                    path = f"terms.{term.name}.{word.language}"
                    why = f"the lines that are cited for the word of `{term.name}` do not use it"
                    yield Hint("name", path, (edition,), {edition: where}, {edition: (word.text,)}, why)
