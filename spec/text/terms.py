"""Terms: the vocabulary of a game, with words in several languages.

A term names something that some file of the game declares, by its path: a declaration (`drop`), a part of one
(`Card.jack`, `drop.column`), a row of a component's table (`Card.l03`), a clause (`turn.first.earn`). It may also name
a seat (`seat(1)`) or declining (`decline`), which are not declared, or the reason of a clause or file
(`stock.empty.ruling`, `nim.convention`) or of what is `ruled` for one text (`stock.empty.ruling.he`). Terms state no
rules: only the display of a game uses them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ludex.grammar import Diagnostic, Diagnostics, Note, child_nodes, nearest, suggested
from ludex.grammar import syntax as s

from ..components import ComponentFile
from ..model import NOTATION, Term, Wording
from ..spec_codes import BAD_WORD, UNKNOWN_TERM, WORD_TWICE
from .clauses import pattern_name, stated
from .headers import LANGUAGE_HINT, FileHeader, is_language

_SIGNS = re.compile(r'[^\s,(){}\[\]":;=#]*')
_FIELD = re.compile(r"\{(\w+)(:[aA])?\}")
_NAMELESS = ("example", "note", "term", "silent")
"""Kinds of clauses that are never shown at the table, so a term cannot name them."""


# ---- names ------------------------------------------------------------------------------------------


def _names_of(modules: Iterable[s.Module], tables: Mapping[str, ComponentFile], players: int) -> frozenset[str]:
    """Return everything that a term can name: the paths of all declarations and their parts, seats and `decline`.

    tables: component files by the name in the spec. players: the greatest number of players."""
    declarations = [node for module in modules for node in module.declarations]
    seats = {f"seat({number})" for number in range(1, players + 1)}
    reasons = (name for name, _ in _reasons(declarations))
    conventions = (f"{module.header.name}.convention" for module in modules if module.header)
    names = (name for node in declarations for name in _names(node, tables))
    return frozenset((*names, *reasons, *conventions, *seats, "decline"))


def _names(node: s.Declaration, tables: Mapping[str, ComponentFile]) -> Iterator[str]:
    for clause in stated((node,)):
        if clause.kind not in _NAMELESS:
            yield clause.path
    match node:
        case s.TypeDeclaration(name=name, body=s.WordsBody(words=variants)):
            for variant in variants:
                yield f"{name}.{variant.name}"
                yield from (f"{name}.{variant.name}.{part.name}" for part in variant.fields)
        case s.TypeDeclaration(name=name, body=s.RecordBody(fields=parts)):
            yield from (f"{name}.{part.name}" for part in parts)
        case s.ComponentDeclaration(name=name, file=str(file)) if file in tables:
            table = tables[file].tables.get(name)
            yield from (f"{name}.{row}" for row in (table.ids if table else ()))
        case s.WindowDeclaration(name=name):
            yield name
        case s.ForkDeclaration(name=name, readings=readings):
            yield from (f"{name}.{reading.name}" for reading in readings)
        case s.ActionDeclaration(name=name, body=body, parameters=parameters):
            yield from (f"{name}.{parameter.name}" for parameter in parameters)
            yield from _chosen(body, name)
        case s.SetupDeclaration(body=body):
            yield from _chosen(body, "setup")
        case s.PlayDeclaration(body=body):
            yield from _chosen(body, "play")


def _reasons(declarations: Iterable[s.Declaration]) -> Iterator[tuple[str, s.Reason]]:
    """Yield the reasons of clauses, in every text, by the names that terms have for them."""
    for clause in stated(tuple(declarations)):
        yield from ((f"{clause.path}.{reason.kind}", reason) for reason in clause.authority.reasons)
        for entry in (entry for entry in clause.apparatus if isinstance(entry, s.Ruled)):
            # One text may be ruled otherwise than another, so that each has a term of its own.
            reason = s.Reason(entry.span, "ruling", entry.reason)
            yield from ((f"{clause.path}.ruling.{siglum}", reason) for siglum in entry.sigla)


def _chosen(node: s.Node, path: str) -> Iterator[str]:
    """Yield the choices that a move states, by the path of their clause."""
    match node:
        case s.ChooseValue(generators=generators):
            yield from (f"{path}.{generator.name}" for generator in generators)
        case s.Clause(label=label, body=body):
            yield from _chosen(body, f"{path}.{label}")
        case s.StepArm(patterns=patterns, body=arm):
            yield from _chosen(arm, f"{path}.{pattern_name(patterns)}")
        case _:
            for inner in child_nodes(node):
                yield from _chosen(inner, path)


# ---- faults ----------------------------------------------------------------------------------


def check_terms(
    modules: Sequence[s.Module], tables: Mapping[str, ComponentFile], players: int
) -> tuple[Diagnostic, ...]:
    """Return the faults of the terms of a game: unknown names, repeated words, malformed words. Arguments as
    `_names_of`."""
    diagnostics = Diagnostics()
    if not any(map(_terms, modules)):
        return ()
    known = _names_of(modules, tables, players)
    given: dict[tuple[str, str], s.TermWord] = {}
    signs: dict[tuple[str, str], s.Term] = {}
    for term in (term for module in modules for term in _terms(module)):
        _check_name(term, known, diagnostics)
        twice = []
        for word in term.words:
            _check_word(word, diagnostics)
            if word.language == NOTATION:
                _check_sign(term, word, known, signs, diagnostics)
            # A thing may have several signs, of which the first is written; but it is put together in one way only.
            is_sign = word.language == NOTATION and word.text and not _FIELD.search(word.text)
            earlier = given.setdefault((term.name, f"{NOTATION} {word.text}" if is_sign else word.language), word)
            if earlier is not word:
                twice.append((word, earlier))
        for word, earlier in twice[:1]:
            message = f"`{term.name}` has a word in `{word.language}` already"
            diagnostics.report(WORD_TWICE, message, word.span, notes=(Note("the other one", earlier.span),))
    return diagnostics.sorted()


def _terms(module: s.Module) -> list[s.Term]:
    return [term for node in module.declarations if isinstance(node, s.TermsDeclaration) for term in node.terms]


def _check_name(term: s.Term, known: Collection[str], diagnostics: Diagnostics) -> None:
    if term.name in known:
        return
    message = f"`{term.name}` names nothing that the game declares"
    place = term.name.span
    diagnostics.report(UNKNOWN_TERM, message, place, _suggestion(term.name, known), unknown=term.name)


def _suggestion(name: str, known: Collection[str]) -> str | None:
    """Suggest a path: the only one that ends in the same word, else the nearest."""
    last = name.rpartition(".")[2]
    placed = [path for path in known if path.endswith(f".{last}") or path == last]
    near = placed[0] if len(placed) == 1 else nearest(name, placed or known)
    return suggested(near)


def _check_word(word: s.TermWord, diagnostics: Diagnostics) -> None:
    if word.language == NOTATION:
        return
    if not is_language(word.language):
        message = f"`{word.language}` is not a language tag"
        diagnostics.report(BAD_WORD, message, word.language.span, LANGUAGE_HINT)
    if not word.text.strip():
        hint = "leave the language out if there is no word yet; the name in the spec is then shown"
        diagnostics.report(BAD_WORD, "this word is empty", word.span, hint)


def _check_sign(
    term: s.Term,
    word: s.TermWord,
    known: Collection[str],
    signs: dict[tuple[str, str], s.Term],
    diagnostics: Diagnostics,
) -> None:
    """Report a sign of the notation that cannot be read back."""
    used = [name for name, _ in _FIELD.findall(word.text)]
    parts = {name for name in known if name.rpartition(".")[0] == term.name}
    holder = term.name.rpartition(".")[0]
    if _SIGNS.fullmatch(_FIELD.sub("", word.text)) is None:
        diagnostics.report(BAD_WORD, 'a sign of the notation has no blanks, brackets or `,:;=#"`', word.span)
    elif used and {f"{term.name}.{name}" for name in used} != parts:
        fields = " and ".join(f"`{{{name.rpartition('.')[2]}}}`" for name in sorted(parts))
        hint = f"the fields are {fields}" if parts else "only a record has fields"
        diagnostics.report(BAD_WORD, "the notation of a record names each of its fields once", word.span, hint)
    elif word.text and holder and (first := signs.setdefault((holder, word.text), term)) is not term:
        diagnostics.report(BAD_WORD, f"`{word.text}` is the sign of `{first.name}` already", word.span)


# ---- merged terms ---------------------------------------------------------------------------------------------


def merged_terms(declarations: Iterable[s.Declaration]) -> s.TermsDeclaration | None:
    """Return all terms of a game as one declaration, each name once; None if there are none."""
    blocks = [node for node in declarations if isinstance(node, s.TermsDeclaration)]
    merged: dict[str, s.Term] = {}
    for term in (term for block in blocks for term in block.terms):
        merged[term.name] = _joined(merged[term.name], term) if term.name in merged else term
    return replace(blocks[0], terms=tuple(merged.values())) if blocks else None


def _joined(one: s.Term, more: s.Term) -> s.Term:
    return replace(one, words=(*one.words, *more.words), authority=one.authority or more.authority)


def resolved_terms(declarations: Sequence[s.Declaration], headers: Iterable[FileHeader]) -> dict[str, Term]:
    """Return the terms of a game as model nodes, by name.

    Those of a reason are also found by its text (`Reason.term`): several clauses may rest on one reason or file.

    declarations: all of the game's, with what any text says."""
    merged = merged_terms(declarations)
    terms = merged.terms if merged else ()
    words = ((term.name, (Wording(word.language, word.text, word.span) for word in term.words)) for term in terms)
    named: dict[str, Term] = {name: Term(name, tuple(each)) for name, each in words}
    conventions = [(f"{header.name}.convention", header.convention) for header in headers if header.convention]
    by_name = (*_reasons(declarations), *conventions)
    return named | {reason.term: named[name] for name, reason in by_name if name in named}
