"""`ludex show --merged`: a game by one of its texts, each clause with its origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludex.grammar import Authority, Citation, Failure
from ludex.spec import (
    Account,
    DeclaredEdition,
    GameText,
    LeftOutRule,
    ListingRow,
    Origin,
    Request,
    declared,
    left_out,
    listing_rows,
    read_game,
    rows_by_clause,
    silences,
)

from ..reporting import Books, Exit, books_in, json_text, plural, put, say, style, table, visible
from .edition_summary import account_words, origin_words

STYLES: Mapping[Origin | None, Mapping[str, Any]] = {
    Origin.OWN: {"fg": "green"},
    Origin.BORROWED: {"fg": "yellow"},
    Origin.RULED: {"fg": "magenta"},
}
DIM: Mapping[str, Any] = {"dim": True}


def show_merged(game: str, edition: str, silence: str, sources: Path | None, as_json: bool) -> Exit:
    """Print an edition of the game. Raises Failure if its files cannot be read, or it has no such edition."""
    text = read_game(game)
    merged = declared(text, Request(edition=edition, silence=silence))
    # A text with faults has no certain clauses to list.
    if any(diagnostic.is_error for diagnostic in merged.diagnostics):
        raise Failure(merged.diagnostics)
    books = books_in(sources, text.documents)
    shown = _Merged(text, merged, silence, tuple(listing_rows(text, merged)), left_out(text, merged), books)
    if as_json:
        put(json_text(_to_json(shown)))
    else:
        say("\n".join(_rows(shown)))
    return Exit.GOOD


@dataclass(frozen=True, slots=True)
class _Merged:
    """The content of the listing. books: the rulebooks' texts, if the reader has them."""

    text: GameText
    declared: DeclaredEdition
    silence: str
    rows: tuple[ListingRow, ...]
    missing: tuple[LeftOutRule, ...]
    books: Books | None

    @property
    def account(self) -> Account:
        return Account.of(self.declared.clauses.values())

    @property
    def silences(self) -> Mapping[str, tuple[Citation, ...]]:
        """The clauses on which the text is marked as silent, with the lines nearest to them."""
        return silences(self.text.declarations, self.declared.edition) if self.declared.edition else {}


# ---- for people ------------------------------------------------------------------------------------------------


def _rows(shown: _Merged) -> Iterator[str]:
    edition = shown.declared.edition
    name = f"{shown.text.name}, edition {edition}" if edition else shown.text.name
    literal = ", to the letter" if shown.silence == "literal" else ""
    yield style(f"{name}{literal}: {account_words(shown.account)}", bold=True)
    yield ""
    yield from _spec_rows(shown)
    if shown.missing:
        yield ""
        yield style(f"not in force: {plural(len(shown.missing), 'clause')}", bold=True)
        rows = [
            (f"  {each.path}", each.kind, each.stated_by, _authority_words(each.authority)) for each in shown.missing
        ]
        yield from table(rows)
    if shown.silences:
        yield ""
        count = plural(len(shown.silences), "clause")
        yield style(f"looked for and not there: {count}, each with the lines near which it would be", bold=True)
        yield from table([(f"  {path}", _cited_words(lines)) for path, lines in sorted(shown.silences.items())])


def _spec_rows(shown: _Merged) -> Iterator[str]:
    margins = [origin_words(row.origin, row.stated_by) for row in shown.rows]
    # The margin is as wide as its widest word, so that all lines of the spec begin in one column.
    width = max(map(len, margins))
    for row, margin in zip(shown.rows, margins, strict=True):
        how = STYLES.get(row.origin, DIM)
        yield f"{style(f'{margin:<{width}} |', **how)} {visible(row.text)}".rstrip()
        for quoted in shown.books.cited(row.citations) if shown.books else ():
            place = f"{quoted.document} {quoted.line}"
            # The quotation is indented like the line that it explains.
            indent = " " * (len(row.text) - len(row.text.lstrip()) + 2)
            yield style(f"{place:>{width}} | {indent}# {visible(quoted.words)}", dim=True)


def _authority_words(authority: Authority) -> str:
    return " ".join(filter(None, [_cited_words(authority.citations), *(reason.kind for reason in authority.reasons)]))


def _cited_words(citations: Iterable[Citation]) -> str:
    return " ".join(each.term for each in citations)


# ---- for programs ----------------------------------------------------------------------------------------------


def _to_json(shown: _Merged) -> dict[str, Any]:
    account, rows, books = shown.account, rows_by_clause(shown.rows), shown.books
    return {
        "game": shown.text.name,
        "edition": shown.declared.edition,
        "silence": shown.silence,
        "counts": {origin.value: count for origin, count in account.counts.items()},
        "lenders": dict(account.lenders),
        "clauses": [
            {
                "clause": clause.path,
                "kind": clause.kind,
                "origin": clause.origin,
                "stated_by": clause.stated_by,
                **_authority_json(clause.authority),
                "file": clause.span.file,
                "line": clause.span.line,
                "text": "\n".join(row.text for row in rows.get(clause.path, ())),
                **({"words": _words_json(rows.get(clause.path, ()), books)} if books else {}),
            }
            for clause in account.clauses
        ],
        "left_out": [
            {"clause": each.path, "kind": each.kind, "stated_by": each.stated_by, **_authority_json(each.authority)}
            for each in shown.missing
        ],
        "silent": [{"clause": path, "near": _cited_json(lines)} for path, lines in sorted(shown.silences.items())],
        "findings": [],
    }


def _authority_json(authority: Authority) -> dict[str, Any]:
    return {
        "citations": _cited_json(authority.citations),
        "rulings": [reason.text for reason in authority.reasons if reason.kind == "ruling"],
        "conventions": [reason.text for reason in authority.reasons if reason.kind == "convention"],
    }


def _cited_json(citations: Iterable[Citation]) -> list[dict[str, Any]]:
    return [{"document": each.document, "lines": each.lines} for each in citations]


def _words_json(rows: Iterable[ListingRow], books: Books) -> list[dict[str, Any]]:
    quoted = books.cited(citation for row in rows for citation in row.citations)
    return [{"document": each.document, "line": each.line, "words": each.words} for each in quoted]
