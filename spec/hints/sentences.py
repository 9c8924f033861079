"""Sentences side by side: where two editions cite as many sentences for a clause, the first is the first.

A line need not end where its sentence does. So a passage is taken to whole sentences: those of which a good part stands
in the lines that are cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, starmap

from ..clauses import Stated
from .passages import Passages
from .reading import Line

REACH = 4
"""So many lines around a cited one may belong to its sentence."""
PART = 3
"""A sentence belongs to lines in which at least a third of it stands; where there is none, the one that has most."""
LENGTHS = (0.4, 2.5)
"""A translation is about as long as its original."""

_END = re.compile(r"(?<!\bi\.e)(?<!\be\.g)(?<!стр)(?<!т\.е)(?<!т\.д)(?<!т\.п)[.!?;](?=[\s)\"»”]|$)[)\"»”]*")


def side_by_side(stated: Mapping[str, Stated], at: Passages) -> Iterator[tuple[str, str, str, str]]:
    """Each sentence of one edition with that of another: two editions, two sentences. Nothing where they cite different
    numbers of sentences, sentences of which one is much longer, or parts of sentences."""
    sentences = {name: sentences_of(name, clause, at) for name, clause in stated.items()}
    for one, other in combinations(sentences, 2):
        if len(sentences[one]) != len(sentences[other]):
            continue
        pairs = list(zip(sentences[one], sentences[other], strict=True))
        if all(starmap(_may_be_one, pairs)):
            yield from ((one, other, left, right) for left, right in pairs)


def _may_be_one(left: str, right: str) -> bool:
    """Whether one sentence may be the other's translation."""
    is_whole = not left[0].islower() and not right[0].islower()
    return is_whole and LENGTHS[0] <= len(left) / len(right) <= LENGTHS[1]


def sentences_of(edition: str, clause: Stated, at: Passages) -> tuple[str, ...]:
    """The sentences that a clause cites."""
    runs = _runs(sorted(at.own(edition, clause)))
    return tuple(sentence for run in runs for sentence in _of_run(run, edition, at))


def _runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that follow each other."""
    runs: list[list[Line]] = []
    for line in lines:
        follows = runs and runs[-1][-1] == (line[0], line[1] - 1)
        runs[-1:] = [[*runs[-1], line]] if follows else [*runs[-1:], [line]]
    return runs


def _of_run(run: Sequence[Line], edition: str, at: Passages) -> list[str]:
    before, after = _beside(run[0], -1, edition, at)[::-1], _beside(run[-1], 1, edition, at)
    texts = ["".join(f"{at.reader.text(line)} " for line in part) for part in (before, run, after)]
    start, end, text = len(texts[0]), len(texts[0]) + len(texts[1]), "".join(texts)
    marks = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    parts = [(first, last) for first, last in pairwise(marks) if text[first:last].strip()]
    held = {part: min(part[1], end) - max(part[0], start) for part in parts}
    chosen = [part for part in parts if held[part] * PART >= part[1] - part[0]] or [max(parts, key=held.__getitem__)]
    return [" ".join(text[first:last].split()) for first, last in chosen]


def _beside(line: Line, step: int, edition: str, at: Passages) -> list[Line]:
    """The lines before or behind one, up to the next blank one or one of another edition."""
    found: list[Line] = []
    document, number = line
    while len(found) < REACH and at.may_hold(edition, (document, number := number + step)):
        found.append((document, number))
    return found
