"""Numbers: of a clause that agrees, and of the lines beside it.

`ludex coverage` looks for each number of a line in the clauses that cite it. Here it is the other way round, and
across: the clause contains a number that the lines of one edition do not say though another's do; or the lines of one
say a number of which the other's lines know nothing, and every clause that cites them is shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludex.grammar import syntax as s

from ..clauses import Stated, numbers_in
from ..sources.number_words import number_word
from .hint import Hint, listed
from .passages import Agreed, Passages, is_ruled, lines_of, nodes, spans
from .reading import Line

UNREAD = frozenset({"example", "component", "column", "term", "type"})
"""Clauses that hold numbers in other ways than by writing them."""
FEW = 4
"""More numbers than these would not tell which one is meant."""
SMALL = 2
"""Nothing and one are seldom written: `take a card` is one card, `without` is none."""


Excused = tuple[str, int, int]
"""A document, a line and a number that need be in no clause (`ru.excuses`)."""


def number_hints(found: tuple[Agreed, ...], at: Passages, excused: frozenset[Excused]) -> Iterator[Hint]:
    """One hint for each clause and each set of numbers that is missing in the same editions; what a clause contains
    goes before what only lines say."""
    told = {(name, (document, line), number) for document, line, number in excused for name in at.clauses}
    for each in found:
        written = {name: tuple(dict.fromkeys(_of_clause(each, name, at))) for name in each.stated}
        read = {name: tuple(dict.fromkeys(_of_lines(each, name, at, told))) for name in each.stated}
        yield from _hints(each, written, read, at)


# ---- numbers of the clause --------------------------------------------------------------------------------------


def _of_clause(each: Agreed, name: str, at: Passages) -> Iterator[int]:
    """The numbers of an edition's clause that its lines do not say, though those of another edition do."""
    clause = each.stated[name]
    if not at.own(name, clause) or is_ruled(clause):
        return
    known = at.reader.numbers(at.wide(name, clause))
    numbers = {number for number in _written(clause) if number >= SMALL}
    numbers -= _counted_off(name, clause, at)
    if len(numbers) == 1 and clause.kind in ("fact", "arm"):
        yield from (number for number in numbers if _is_contradicted(number, name, clause, at))
    for number in sorted(numbers):
        if number not in known and any(_says(each, other, number, at) for other in each.stated):
            yield number


def _is_contradicted(number: int, edition: str, clause: Stated, at: Passages) -> bool:
    """Whether some span that the clause cites says numbers, and not the only one of the clause."""
    cited = (at.reader.numbers(lines_of((span,))) for span in spans(clause))
    return any(max(said, default=0) >= SMALL and number not in said for said in cited)


def _counted_off(edition: str, clause: Stated, at: Passages) -> set[int]:
    """The rows of a table that its lines tell by their order."""
    return set(_of_patterns(clause)) if at.reader.counts_off(at.own(edition, clause)) else set()


def _of_patterns(clause: Stated) -> Iterator[int]:
    """The numbers that say for which row of a table a clause is."""
    for node in nodes(clause):
        if isinstance(node, s.Pattern) and node.kind == "number":
            yield from (number for number in (node.low, node.high) if number is not None)


def _written(clause: Stated) -> Iterator[int]:
    """The numbers of a clause by itself."""
    yield from (node.value for node in nodes(clause) if isinstance(node, s.Integer))
    yield from _of_patterns(clause)


def _says(each: Agreed, name: str, number: int, at: Passages) -> bool:
    return number in at.reader.numbers(at.own(name, each.stated[name]))


# ---- numbers of the lines ---------------------------------------------------------------------------------------


def _of_lines(each: Agreed, name: str, at: Passages, told: set[tuple[str, Line, int]]) -> Iterator[int]:
    """The numbers of other editions' lines that are nowhere in this edition's."""
    if not at.own(name, each.stated[name]) or not at.is_direct(name, each.stated[name]):
        return
    rows = _counted_off(name, each.stated[name], at)
    for other, clause in each.stated.items():
        if other == name or not at.is_direct(other, clause):
            continue
        for line in at.own(other, clause):
            said = {number: words for number, words in at.reader.numbers([line]).items() if number not in rows}
            for number, words in said.items():
                mark = name, line, number
                if _counts(number, words) and mark not in told and not _explained(number, line, other, name, at):
                    told.add(mark)
                    yield number


def _counts(number: int, words: tuple[str, ...]) -> bool:
    """Whether the number is a count: the second player may as well be the next one, and two as a pair."""
    kinds = (number_word(word) for word in words)
    return number >= SMALL and any(kind is None or kind.kind == "cardinal" for kind in kinds)


def _explained(number: int, line: Line, edition: str, other: str, at: Passages) -> bool:
    """Whether some clause that cites the line says the number and is not shared with the other edition, or is, and its
    lines there say the number."""
    for clause in at.citing[edition].get(line, ()):
        partner = at.partners.get((edition, clause.path), {}).get(other)
        if partner is None and (clause.kind in UNREAD or number in numbers_in(clause.node)):
            return True
        if partner is not None and number in at.reader.numbers(at.wide(other, partner)):
            return True
    return False


# ---- telling ----------------------------------------------------------------------------------------------------

Missing = Mapping[str, tuple[int, ...]]
"""The numbers that are missing, by edition."""


def _hints(each: Agreed, written: Missing, read: Missing, at: Passages) -> Iterator[Hint]:
    missing = written if any(written.values()) else read
    together: dict[tuple[int, ...], list[str]] = {}
    for name, numbers in missing.items():
        if numbers:
            together.setdefault(numbers, []).append(name)
    if all(missing.values()) and len(missing) == 2:  # each says what the other does not
        together = {(): list(missing)}
    for numbers, names in together.items():
        words = {
            name: _instead(each, name, at) if name in names else _words(each, name, numbers, at) for name in each.stated
        }
        why = _why(numbers, names, words, in_clause=missing is written)
        yield Hint("number", each.clause, tuple(names), each.spans, words, why)


def _words(each: Agreed, name: str, numbers: tuple[int, ...], at: Passages) -> tuple[str, ...]:
    said = at.reader.numbers(at.own(name, each.stated[name]))
    return tuple(dict.fromkeys(word for number in numbers for word in said.get(number, ())))


def _instead(each: Agreed, name: str, at: Passages) -> tuple[str, ...]:
    """The numbers that an edition's lines say and its clause does not contain, if they are few."""
    clause = each.stated[name]
    known = set(_written(clause))
    said = at.reader.numbers(at.own(name, clause))
    other = [word for number, words in said.items() if number >= SMALL and number not in known for word in words]
    return tuple(other) if len(other) <= FEW else ()


def _why(numbers: tuple[int, ...], names: list[str], words: Mapping[str, tuple[str, ...]], *, in_clause: bool) -> str:
    instead = [f"{name} says {listed(words[name])}" for name in names if words[name]]
    if not numbers:
        return "the lines do not say the same numbers" + (f": {', '.join(instead)}" if instead else "")
    saying = [name for name in words if name not in names and words[name]]
    there = f"the lines of {listed(saying)}" if saying else ""
    if in_clause:
        told = f"the clause contains {_told(numbers)}{f', and {there} say so' if there else ''}"
        return f"{told}; {' and '.join(instead)}" if instead else f"{told}; the lines of {listed(names)} do not"
    return f"{there} say {_told(numbers)}; those of {listed(names)} do not"


def _told(numbers: tuple[int, ...]) -> str:
    return listed([str(number) for number in numbers])
