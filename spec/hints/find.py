"""All hints about some texts of one game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ludex.grammar import syntax as s

from .glossary import glossary, term_hints, wording_hints
from .hint import Hint
from .numbers import Excused, number_hints
from .passages import agreed, lines_of, passages
from .reading import Reader
from .references import lettering_hints, page_hints, phase_hints
from .senses import sense_hints
from .spellings import spelling_hints


def find_hints(
    editions: Mapping[str, s.Module],
    texts: Mapping[str, Sequence[str]],
    shared: s.Module | None = None,
    excused: Collection[Excused] = frozenset(),
) -> tuple[Hint, ...]:
    """Places where a transcriber may have erred: clauses agree, and the words of the lines that they cite do not.

    editions: what each text says, by its name. texts: the lines of each document at hand, by its tag; what is cited of
    others, and lines beyond the end of a text, tell nothing. shared: the game file. excused: numbers of lines that are
    no numbers of rules. The order is that of the clauses; what concerns one text alone comes last.
    """
    found = agreed(editions)
    at = passages(editions, found, Reader(texts))
    words = glossary(editions, shared)
    of_clauses = [
        *number_hints(found, at, frozenset(excused)),
        *sense_hints(found, at),
        *term_hints(found, at, words),
        *phase_hints(found, at),
        *page_hints(found, at),
    ]
    order = {each.clause: place for place, each in reversed(list(enumerate(found)))}
    of_clauses.sort(key=lambda hint: order[hint.clause])
    of_texts = (*wording_hints(at, words), *spelling_hints(at, words), *lettering_hints(at))
    return tuple(_once((*of_clauses, *of_texts)))


def _once(hints: Iterable[Hint]) -> Iterator[Hint]:
    """Without those that tell the same of the same lines, or of some of them and a clause inside."""
    told: list[Hint] = []
    for hint in hints:
        if not any(_covers(earlier, hint) for earlier in told):
            told.append(hint)
            yield hint


def _covers(earlier: Hint, hint: Hint) -> bool:
    if hint.kind == "number" and _above(hint.clause) and _above(hint.clause) == _above(earlier.clause):
        return earlier.kind == "number" and set(hint.editions) <= set(earlier.editions)  # rows of one table
    is_same_place = hint.clause == earlier.clause or hint.clause.startswith(f"{earlier.clause}.")
    is_same_text = all(_share_lines(hint, earlier, name) for name in hint.spans)
    return (
        hint.kind == earlier.kind
        and hint.kind != "name"
        and (is_same_place or is_same_text)
        and set(hint.editions) <= set(earlier.editions)
        and all(set(hint.words[name]) <= set(earlier.words.get(name, ())) for name in hint.words)
    )


def _share_lines(one: Hint, other: Hint, edition: str) -> bool:
    return not set(lines_of(one.spans[edition])).isdisjoint(lines_of(other.spans.get(edition, ())))


def _above(clause: str) -> str:
    return clause.rpartition(".")[0]
