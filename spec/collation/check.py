"""Whether everything that transcriptions say is in the apparatus or decided, and decisions and citations agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ludex.grammar import Diagnostic
from ludex.grammar import syntax as s

from ..layers import NOUNS
from .citing import Lines, cited_lines, lines_text
from .codes import DECIDED_LINES, DECIDED_NOTHING, NOT_COLLATED
from .decisions import Decision, Said
from .fold import clauses_of, fold
from .transcription import Transcription
from .tree import apparatus_of


def check_collation(
    modules: Sequence[s.Module], texts: Iterable[Transcription], decisions: Iterable[Decision]
) -> Iterator[Diagnostic]:
    """What is open. modules: the files of the game, the game file first."""
    decisions = tuple(decisions)
    decided = {path: each for each in decisions for path in each.clauses}
    known: dict[str, Any] = {path: node for module in modules for path, _, node in clauses_of(module)}
    known |= {node.name: node for module in modules for node in module.declarations if isinstance(node, NOUNS)}
    transcribed: set[str] = set()
    for text in texts:
        transcribed.update(path for path, _, _ in clauses_of(text.module))
        for path, node in fold(modules, text).fresh:
            if path not in decided:
                message = f"the apparatus does not have `{path}` as the transcription of `{text.siglum}` does"
                yield Diagnostic(NOT_COLLATED, message, node.span)
    for decision in decisions:
        there = {path: known[path] for path in decision.clauses if path in known}
        for path in decision.clauses:
            if path not in known and path not in transcribed:
                yield Diagnostic(DECIDED_NOTHING, f"there is no clause `{path}`", decision.span)
        for siglum, said in decision.texts.items() if there else ():
            yield from _lines(there, siglum, said, decision)


def _lines(there: dict[str, Any], siglum: str, said: Said, decision: Decision) -> Iterator[Diagnostic]:
    """Clauses that cite lines of a text that were not decided, and lines that none of them cites."""
    wanted = _numbers(said.lines) if said.readings else set()
    cited: set[int] = set()
    for path, node in there.items():
        own = _numbers(_said_lines(node, siglum))
        cited |= own
        if own - wanted:
            message = f"`{path}` cites {siglum} {_spans(own - wanted)}, and that was not decided"
            yield Diagnostic(DECIDED_LINES, message, decision.span)
    if wanted - cited:
        message = f"no clause of this decision cites {siglum} {_spans(wanted - cited)}"
        yield Diagnostic(DECIDED_LINES, message, decision.span)


def _said_lines(node: Any, siglum: str) -> Lines:
    """The lines by which a text says something of a clause; those near which it is silent are none."""
    if isinstance(node, s.ForkDeclaration):
        authorities = (node.authority, *(reading.authority for reading in node.readings))
        cited = (each for authority in authorities for each in authority.citations if each.document == siglum)
        return tuple(span for each in cited for span in each.lines)
    silent = {each for entry in apparatus_of(node) if isinstance(entry, s.Omission) for each in entry.sigla}
    return () if siglum in silent else dict(cited_lines(node)).get(siglum, ())


def _numbers(lines: Lines) -> set[int]:
    return {number for first, last in lines for number in range(first, min(last, first + 10_000) + 1)}


def _spans(numbers: set[int]) -> str:
    """The numbers as lines are cited."""
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return lines_text(tuple(spans))
