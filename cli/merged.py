"""`ludex show --merged`: a game as one edition plays it, each clause with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from ludex.grammar import Authority, Failure
from ludex.spec import (
    Account,
    Declared,
    GameText,
    LeftOut,
    Origin,
    PlayedRow,
    Request,
    declared,
    left_out,
    played_rows,
    read_game,
    texts_of,
)

from .books import Books
from .editions import account_words, origin_words
from .exits import Exit
from .report import json_text, plural, table
from .texts import visible

STYLES: Mapping[Origin | None, Mapping[str, Any]] = {
    Origin.OWN: {"fg": "green"},
    Origin.BORROWED: {"fg": "yellow"},
    Origin.RULED: {"fg": "magenta"},
}
DIM: Mapping[str, Any] = {"dim": True}


def show_merged(game: str, edition: str, silence: str, sources: Path | None, as_json: bool) -> Exit:
    """Print the game as the edition plays it. Raises Failure where its files cannot be read, or it has no such
    edition."""
    text = read_game(game)
    merged = declared(text, Request(edition=edition, silence=silence))
    if any(diagnostic.is_error for diagnostic in merged.diagnostics):
        raise Failure(merged.diagnostics)
    rows, missing = list(played_rows(text, merged)), left_out(text, merged)
    books = Books(sources, text.documents) if sources else None
    if as_json:
        click.echo(json_text(_to_json(text, merged, rows, missing, silence, books)))
    else:
        click.echo("\n".join(_rows(text, merged, rows, missing, silence, books)))
    return Exit.GOOD


# ---- for people ------------------------------------------------------------------------------------------------


def _rows(
    text: GameText,
    merged: Declared,
    rows: list[PlayedRow],
    missing: tuple[LeftOut, ...],
    silence: str,
    books: Books | None,
) -> Iterator[str]:
    name = f"{text.name}, edition {merged.edition}" if merged.edition else text.name
    literal = ", to the letter" if silence == "literal" else ""
    yield click.style(f"{name}{literal}: {account_words(Account.of(merged.clauses.values()))}", bold=True)
    yield ""
    yield from _spec_rows(text, merged, rows, books)
    if missing:
        yield ""
        yield click.style(f"not in force: {plural(len(missing), 'clause')} that other editions state", bold=True)
        told = [(f"  {each.path}", each.kind, each.layer, _authority_words(each.authority)) for each in missing]
        yield from table(told)


def _spec_rows(text: GameText, merged: Declared, rows: list[PlayedRow], books: Books | None) -> Iterator[str]:
    margins = [origin_words(row.origin, row.layer, merged.edition, text.name) for row in rows]
    width = max(map(len, margins))
    for row, margin in zip(rows, margins, strict=True):
        style = STYLES.get(row.origin, DIM)
        yield f"{click.style(f'{margin:<{width}} |', **style)} {visible(row.text)}".rstrip()
        for quoted in books.cited(row.text) if books else ():
            place = f"{quoted.document} {quoted.line}"
            indent = " " * (len(row.text) - len(row.text.lstrip()) + 2)
            yield click.style(f"{place:>{width}} | {indent}# {visible(quoted.words)}", dim=True)


def _authority_words(authority: Authority) -> str:
    citations = (f"[{each.document} {', '.join(_span(*span) for span in each.lines)}]" for each in authority.citations)
    return " ".join([*citations, *(reason.kind for reason in authority.reasons)])


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# ---- for programs ----------------------------------------------------------------------------------------------


def _to_json(
    text: GameText,
    merged: Declared,
    rows: list[PlayedRow],
    missing: tuple[LeftOut, ...],
    silence: str,
    books: Books | None,
) -> dict[str, Any]:
    account, texts = Account.of(merged.clauses.values()), texts_of(rows)
    return {
        "game": text.name,
        "edition": merged.edition,
        "silence": silence,
        "counts": {origin.value: count for origin, count in account.counts.items()},
        "lenders": dict(account.lenders),
        "clauses": [
            {
                "clause": clause.path,
                "kind": clause.kind,
                "origin": clause.origin,
                "stated_by": clause.layer,
                **_authority_json(clause.authority),
                "file": clause.span.file,
                "line": clause.span.line,
                "text": texts.get(clause.path, ""),
                **({"words": _words_json(texts.get(clause.path, ""), books)} if books else {}),
            }
            for clause in account.clauses
        ],
        "left_out": [
            {"clause": each.path, "kind": each.kind, "stated_by": each.layer, **_authority_json(each.authority)}
            for each in missing
        ],
        "findings": [],
    }


def _authority_json(authority: Authority) -> dict[str, Any]:
    return {
        "citations": [{"document": each.document, "lines": each.lines} for each in authority.citations],
        "rulings": [reason.text for reason in authority.reasons if reason.kind == "ruling"],
        "conventions": [reason.text for reason in authority.reasons if reason.kind == "convention"],
    }


def _words_json(text: str, books: Books) -> list[dict[str, Any]]:
    return [{"document": each.document, "line": each.line, "words": each.words} for each in books.cited(text)]
