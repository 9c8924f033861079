"""A hint: a place where a transcriber may have erred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

HintKind = Literal["number", "modality", "negation", "comparison", "term", "phase", "page", "name"]


@dataclass(frozen=True, slots=True)
class Hint:
    """Texts that do not say the same where their clauses do. It is no finding: the clauses agree.

    Attributes:
        kind: of what the words are that tell it.
        clause: its path in the first edition that states it.
        editions: those whose lines are to be read again.
        spans: by edition, all that were compared, the document, first and last line of each span that is cited.
        words: by edition, the words that tell it; none where they are missing.
        why: in a sentence.
    """

    kind: HintKind
    clause: str
    editions: tuple[str, ...]
    spans: Mapping[str, tuple[tuple[str, int, int], ...]]
    words: Mapping[str, tuple[str, ...]]
    why: str


def listed(names: tuple[str, ...] | list[str]) -> str:
    """`ru`, `ru and en`, `ru, en and he`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
