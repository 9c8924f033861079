"""Completeness check of a collation: each reading is in the apparatus or decided; decisions agree with citations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ludex.grammar import Diagnostic, lines_text
from ludex.grammar import syntax as s

from .citing import numbers_of, spans_of, stating_lines
from .collation_codes import DECIDED_LINES, DECIDED_NOTHING, DECIDED_READING, NOT_COLLATED
from .merging import clauses_of, known_clauses, merge
from .text_decisions import TextDecision, TextEntry
from .transcription import Transcription


def check_collation(
    modules: Sequence[s.Module], texts: Iterable[Transcription], decisions: Iterable[TextDecision]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each reading that is neither collated nor decided, and each decision that is not applied.

    modules: the files of the game, the game file first. texts: the transcriptions."""
    decisions = tuple(decisions)
    # A decision on a clause settles it, however the transcribers wrote it.
    decided = {path: each for each in decisions for path in each.clauses}
    known = known_clauses(modules)
    transcribed: set[str] = set()
    for text in texts:
        # A decision may be about a clause that only a transcription has as yet.
        transcribed.update(path for path, _, _ in clauses_of(text.module))
        for path, node in merge(modules, text).fresh:
            if path not in decided:
                message = f"the apparatus does not have `{path}` as the transcription of `{text.siglum}` does"
                yield Diagnostic(NOT_COLLATED, message, node.span)
    for decision in decisions:
        there = {path: known[path] for path in decision.clauses if path in known}
        # What no text states need not be a clause.
        for path in decision.clauses if decision.verdict != "none" else ():
            if path not in known and path not in transcribed:
                yield Diagnostic(DECIDED_NOTHING, f"there is no clause `{path}`", decision.span)
        if there and decision.left_open and not any(isinstance(each, s.ForkDeclaration) for each in there.values()):
            sigla = ", ".join(f"`{each}`" for each in decision.left_open)
            verb = "leaves" if len(decision.left_open) == 1 else "leave"
            message = f"{sigla} {verb} a question open, and the decision names no fork of the game for it"
            yield Diagnostic(DECIDED_READING, message, decision.span)
        for node in there.values():
            if isinstance(node, s.ForkDeclaration):
                yield from _readings(node, decision)
        # Without a clause in the game, every line of the decision would be reported as not cited.
        for siglum, entry in decision.texts.items() if there else ():
            yield from _lines(there, siglum, entry, decision)


def _readings(fork: s.ForkDeclaration, decision: TextDecision) -> Iterator[Diagnostic]:
    """Report readings of a decision that the fork does not have, and texts that the fork cites for another reading."""
    by_reading: dict[str, set[str]] = {reading.name: _documents(reading.authority) for reading in fork.readings}
    for siglum, entry in decision.texts.items():
        absent = [name for name in entry.readings if name not in by_reading]
        # A silent text has no reading, and `""` is the name of none.
        cited = _documents(fork.authority) if len(entry.readings) > 1 else by_reading.get("".join(entry.readings), ())
        if absent:
            message = f"the fork `{fork.name}` has no reading {' or '.join(f'`{each}`' for each in absent)}"
            yield Diagnostic(DECIDED_READING, message, decision.span)
        elif entry.readings and siglum not in cited:
            decided = f"reads `{entry.readings[0]}`" if len(entry.readings) == 1 else "leaves it open"
            message = f"`{siglum}` {decided}, but the fork `{fork.name}` does not cite it there"
            yield Diagnostic(DECIDED_READING, message, decision.span)


def _documents(authority: s.Authority) -> set[str]:
    return {each.document for each in authority.citations}


def _lines(there: dict[str, Any], siglum: str, entry: TextEntry, decision: TextDecision) -> Iterator[Diagnostic]:
    """Report lines of a text that a clause cites against the decision, and decided lines that no clause cites."""
    # The lines of a silent text are those where it would speak, which no clause cites.
    wanted = numbers_of(entry.lines) if entry.readings else set()
    cited: set[int] = set()
    for path, node in there.items():
        own = stating_lines(node).get(siglum, set())
        cited |= own
        if own - wanted:
            message = f"`{path}` cites {siglum} {lines_text(spans_of(own - wanted))}, which the decision does not name"
            yield Diagnostic(DECIDED_LINES, message, decision.span)
    if wanted - cited:
        message = f"no clause of this decision cites {siglum} {lines_text(spans_of(wanted - cited))}"
        yield Diagnostic(DECIDED_LINES, message, decision.span)
