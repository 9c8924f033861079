"""Which clause of one edition is which of another: by path, and where a path is not shared, by what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .building import NOTHING, TRUE, weight
from .names import Form
from .order import Part, conditions, course, in_one_order, told
from .said import Said

TELLING = 6
"""So many parts a form needs for two clauses of other names to be taken for one: less is said in many places."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Rows of a table with a column for each edition; a row is named after the path in the first edition that has it.

    Attributes:
        row_of: by edition and path.
        path_in: by row and edition.
        moved: rows whose clause stands under another parent in some editions: the editions by parent.
        parts: by edition, parent and kind, all that its clauses say there, taken apart.
        courses: by edition and parent, what its clauses say in order, as far as that was asked for.
    """

    clauses: Mapping[str, Mapping[str, Said]]
    row_of: Mapping[tuple[str, str], str]
    path_in: Mapping[str, Mapping[str, str]]
    moved: Mapping[str, tuple[tuple[str, ...], ...]]
    parts: Mapping[tuple[str, str | None, str], Counter[Form]]
    courses: dict[tuple[str, str], list[Part]] = field(default_factory=dict)

    def shared_out(self, row: str, one: str, other: str) -> bool:
        """Whether the two editions say the same around a row and only share it out among their clauses otherwise: each
        part of what one says in the row stands somewhere under the same parent in the other one."""
        covered = self._is_covered(row, one, other) and self._is_covered(row, other, one)
        return covered and self._in_one_order(row, one, other)

    def _in_one_order(self, row: str, one: str, other: str) -> bool:
        paths = ((name, path) for name in (one, other) if (path := self.path_in[row].get(name)) is not None)
        stated = [self.clauses[name][path] for name, path in paths]
        around = {clause.parent for clause in stated}
        if len(around) > 1 or None in around:
            return False
        said = {part for clause in stated for part in told(clause)}
        mine, theirs = (self._course(name, str(stated[0].parent)) for name in (one, other))
        return in_one_order(mine, theirs, said)

    def _course(self, edition: str, around: str) -> list[Part]:
        key = edition, around
        if key not in self.courses:
            self.courses[key] = course(self.clauses[edition], around)
        return self.courses[key]

    def _is_covered(self, row: str, by: str, other: str) -> bool:
        path = self.path_in[row].get(by)
        if path is None:
            return True
        clause = self.clauses[by][path]
        said, counterpart = parts_of(clause), self.path_in[row].get(other)
        if not said:  # it stands there to say that there is nothing
            return counterpart is not None and clause.kind in ("require", "step") and clause.form in (NOTHING, TRUE)
        if counterpart is not None and said == parts_of(self.clauses[other][counterpart]):
            return False  # then only their order differs
        here, there = self._around(by, clause), self._around(other, clause)
        if clause.kind == "require":  # to ask for it twice is to ask for it
            return all(there[part] for part in said)
        return all(here[part] == there[part] for part in said)

    def _around(self, edition: str, clause: Said) -> Counter[Form]:
        return self.parts.get((edition, clause.parent, clause.kind), Counter())


def align(clauses: Mapping[str, Mapping[str, Said]], whole: Callable[[str, str], Form] | None = None) -> Alignment:
    """Align the clauses of some editions, by edition and path. Linear in their number: clauses without a counterpart
    are looked up by what they say, never compared two by two.

    Args:
        whole: by edition and path, what a clause says with all that is inside it.
    """
    number = len(clauses)
    times = Counter(path for stated in clauses.values() for path in stated)
    row_of: dict[tuple[str, str], str] = {}
    known: dict[tuple[str, Form], tuple[str, str]] = {}
    for name, stated in clauses.items():
        keys = {
            path: (clause.kind, clause.form if whole is None else whole(name, path))
            for path, clause in stated.items()
            if times[path] < number
        }
        unique = _unique(keys.values())
        for path in stated:
            key = keys.get(path)
            partner = known.get(key) if key and key in unique else None
            is_new = partner is not None and path not in clauses[partner[0]] and partner[1] not in stated
            row_of[name, path] = row_of[partner] if partner and is_new else path
            if key and key in unique:
                known.setdefault(key, (name, path))
    path_in: dict[str, dict[str, str]] = {}
    for (name, path), row in row_of.items():
        path_in.setdefault(row, {})[name] = path
    return Alignment(clauses, row_of, path_in, dict(_moved(path_in, clauses)), _all_parts(clauses))


def _unique(keys: Iterable[tuple[str, Form]]) -> set[tuple[str, Form]]:
    """What is said once in an edition and tells much: by that a clause of another name can be known."""
    return {key for key, times in Counter(keys).items() if times == 1 and weight(key[1]) >= TELLING}


def parts_of(clause: Said) -> Counter[Form]:
    """What the clause says, in parts that could as well be clauses of their own: conditions of a requirement, steps one
    after another. Nothing of other kinds."""
    match clause.kind, clause.form:
        case "require", form if form != TRUE:
            return Counter(conditions(form))
        case "step", ("do", *parts):
            return Counter(parts)
        case "step", form if form != NOTHING:
            return Counter([form])
        case _:
            return Counter()


def _all_parts(clauses: Mapping[str, Mapping[str, Said]]) -> dict[tuple[str, str | None, str], Counter[Form]]:
    found: dict[tuple[str, str | None, str], Counter[Form]] = {}
    for name, stated in clauses.items():
        for clause in stated.values():
            key = name, clause.parent, clause.kind
            found.setdefault(key, Counter()).update(parts_of(clause))
    return found


def _moved(
    path_in: Mapping[str, Mapping[str, str]], clauses: Mapping[str, Mapping[str, Said]]
) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    for row, paths in path_in.items():
        by_parent: dict[str | None, list[str]] = {}
        for name, path in paths.items():
            by_parent.setdefault(clauses[name][path].parent, []).append(name)
        if len(by_parent) > 1:
            yield row, tuple(tuple(names) for names in by_parent.values())
