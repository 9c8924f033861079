"""Fingerprints of what editions say in a divergence: of the meaning of a clause, and of the lines that it cites.

A ruling keeps them, and lapses when one changes. The wording of the encoding and the numbers of
the lines do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from ..sources.texts import CitedGame, Source, span_fingerprint
from .divergences import Divergence
from .said import Said

SILENT = "silent"
LENGTH = 8


def marks_of(divergence: Divergence, cited: CitedGame) -> dict[str, str]:
    """By edition: `meaning-lines`, `meaning` where nothing is cited, `silent` where the edition says nothing (with a
    fingerprint of the clauses under this one, if there are any). cited: what is stored of the game's texts."""
    sources = {source.document.tag: source for source in cited.sources}
    silent = "-".join(filter(None, (SILENT, _digest(divergence.under) if divergence.under else "")))
    return {
        edition: silent if clause is None else _mark(edition, clause, sources)
        for edition, clause in divergence.row.statements.items()
    }


def _mark(edition: str, clause: Said, sources: Mapping[str, Source]) -> str:
    lines = tuple(_lines(edition, clause, sources))
    return "-".join(filter(None, (_digest((clause.kind, repr(clause.form))), _digest(lines) if lines else "")))


def _lines(edition: str, clause: Said, sources: Mapping[str, Source]) -> Iterator[str]:
    """The fingerprint of each cited span as the clause was compared with it; if it never was, as the text is stored; if
    it is not stored, the lines' numbers."""
    for citation in clause.authority.citations:
        source = sources.get(citation.document)
        confirmed = source.lock.by_key() if source and source.lock else {}
        stored = source.stored.fingerprints if source and source.stored else ()
        for first, last in citation.lines:
            known = confirmed.get((edition, clause.path, first, last))
            if known is not None:
                yield known.fingerprint
            elif 1 <= first <= last <= len(stored):
                yield span_fingerprint(stored, first, last)
            else:
                yield f"{citation.document} {first}-{last}"


def _digest(parts: Iterable[str]) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]
