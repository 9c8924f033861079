"""Attestation of clauses: adding citations to a clause, and keeping the rulings of its texts apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ludex.grammar import Identifier, LineRanges, Span
from ludex.grammar import syntax as s

from .clause_tree import apparatus_of, body_of, moved, place_after, with_apparatus


def also_attested(node: Any, siglum: str, authority: s.Authority) -> Any:
    """Return the clause with the authority of one more text.

    A ruling counts only for the texts whose transcriptions have it. If they differ in that, the texts with a ruling
    get an entry `ruled`."""
    # A mark of order says nothing about the words.
    entry = next((each for each in apparatus_of(node) if siglum in each.sigla and not isinstance(each, s.Order)), None)
    if entry is not None:
        return _in_entry(node, entry, siglum, authority)
    own, mine = _rulings(node.authority), _rulings(authority)
    # Without lines no text supports the old ruling, so that of the first text replaces it.
    if not node.authority.citations:
        kept = tuple(each for each in node.authority.reasons if each.kind != "ruling")
        reasons = (*authority.reasons, *(each for each in kept if not authority.reasons))
        return replace(node, authority=_at(node, s.Authority(authority.span, authority.citations, reasons)))
    if own == mine:
        return replace(node, authority=_at(node, cited(node.authority, siglum, lines_of(authority, siglum))))
    if mine:
        return with_entry(
            node, s.Ruled(node.span, (Identifier(siglum, node.span),), "; ".join(mine), _plain(authority))
        )
    # The first texts needed a ruling and this one does not, so they change places with it.
    documents = dict.fromkeys(each.document for each in node.authority.citations)
    sigla = tuple(Identifier(each, node.span) for each in documents)
    ruled = s.Ruled(node.span, sigla, "; ".join(own), _plain(node.authority))
    return replace(with_entry(node, ruled), authority=_at(node, authority))


def _in_entry(node: Any, entry: s.Entry, siglum: str, authority: s.Authority) -> Any:
    """Return the clause with more lines in an entry `ruled`; any other entry of the text stays as it is."""
    if not isinstance(entry, s.Ruled):
        return node
    more = replace(entry, authority=cited(entry.authority, siglum, lines_of(authority, siglum)))
    # Entries can be equal, as two variants of one text are, so the one that is meant is found by identity.
    return with_apparatus(node, tuple(more if each is entry else each for each in apparatus_of(node)))


def _rulings(authority: s.Authority) -> tuple[str, ...]:
    return tuple(each.text for each in authority.reasons if each.kind == "ruling")


def _plain(authority: s.Authority) -> s.Authority:
    return replace(authority, reasons=())


def _at(node: Any, authority: s.Authority) -> s.Authority:
    """Return an authority with the span of the clause's authority, so that comments stay at their lines."""
    # The layout writes a comment after the node at its line.
    place = node.authority.span
    return replace(authority, span=place)


def cited(authority: s.Authority, siglum: str, lines: LineRanges) -> s.Authority:
    """Return the authority with more lines of a text after those that it already cites."""
    if not lines:
        return authority
    for at, citation in enumerate(authority.citations):
        if citation.document == siglum:
            united = (*citation.lines, *(each for each in lines if each not in citation.lines))
            changed = replace(citation, lines=united)
            return replace(authority, citations=(*authority.citations[:at], changed, *authority.citations[at + 1 :]))
    return replace(authority, citations=(*authority.citations, s.Citation(authority.span, siglum, lines)))


def lines_of(authority: s.Authority, siglum: str) -> LineRanges:
    return tuple(each for citation in authority.citations if citation.document == siglum for each in citation.lines)


def cited_lines(node: Any) -> Iterator[tuple[str, LineRanges]]:
    """Yield each siglum with all lines cited at a clause: for the clause, its variants and its omissions."""
    lines: dict[str, LineRanges] = {}
    authorities = (node.authority, *(each.authority for each in apparatus_of(node)))
    for authority in authorities:
        for citation in authority.citations:
            before = lines.get(citation.document, ())
            lines[citation.document] = (*before, *(each for each in citation.lines if each not in before))
    yield from lines.items()


def stating_lines(node: Any) -> dict[str, set[int]]:
    """Return the numbers of the lines in which each text states a clause or its variant, by siglum.

    The lines near which a text is silent are left out."""
    if isinstance(node, s.ForkDeclaration):
        authorities = (node.authority, *(reading.authority for reading in node.readings))
        cited = (each for authority in authorities for each in authority.citations)
        numbers: dict[str, set[int]] = {}
        for each in cited:
            numbers.setdefault(each.document, set()).update(numbers_of(each.lines))
        return numbers
    # A mark of silence cites the lines where the text would speak.
    silent = {each for entry in apparatus_of(node) if isinstance(entry, s.Omission) for each in entry.sigla}
    return {siglum: numbers_of(lines) for siglum, lines in cited_lines(node) if siglum not in silent}


def numbers_of(lines: LineRanges) -> set[int]:
    """Return the numbers of all lines in some ranges."""
    # A mistyped range such as `1-999999999` must not fill the memory.
    return {number for first, last in lines for number in range(first, min(last, first + 10_000) + 1)}


def spans_of(numbers: set[int]) -> LineRanges:
    """Return line numbers as sorted ranges; inverse of `numbers_of`."""
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return tuple(spans)


def with_entry(node: Any, entry: s.Entry) -> Any:
    """Return the clause with one more entry in its apparatus, which is placed after the clause's own words."""
    return with_apparatus(node, (*apparatus_of(node), moved(entry, _end_of_words(node))))


def _end_of_words(node: Any) -> Span:
    """Return the place after a clause's body, before its exceptions."""
    body = body_of(node)
    # The exceptions of a value lie inside the span of its body, and entries come before them.
    if isinstance(body, s.ValueBody):
        return place_after(body.value)
    return place_after(node if body is None else body)
