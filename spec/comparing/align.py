"""Which clause of one edition is which of another: by path, and where a path is not shared, by what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .building import NOTHING, TRUE, junction, weight
from .names import Form
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
    """

    clauses: Mapping[str, Mapping[str, Said]]
    row_of: Mapping[tuple[str, str], str]
    path_in: Mapping[str, Mapping[str, str]]
    moved: Mapping[str, tuple[tuple[str, ...], ...]]
    parts: Mapping[tuple[str, str | None, str], Counter[Form]]

    def shared_out(self, row: str, one: str, other: str) -> bool:
        """Whether the two editions say the same around a row and only share it out among their clauses otherwise: each
        part of what one says in the row stands somewhere under the same parent in the other one."""
        return self._is_covered(row, one, other) and self._is_covered(row, other, one)

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


def conditions(form: Form) -> Iterator[Form]:
    """All that is asked for, each by itself: also of what is put before the bracket, `a or b and c`."""
    match form:
        case ("and", *parts):
            for part in parts:
                yield from conditions(part)
        case ("or", *parts) if sum(1 for part in parts if is_all(part)) == 1:
            inner = next(part for part in parts if is_all(part))
            others = [part for part in parts if part != inner]
            assert isinstance(inner, tuple)
            for part in inner[1:]:
                yield from conditions(junction("or", (*others, part)))
        case _:
            yield form


def is_all(form: Form) -> bool:
    """Whether it is a conjunction."""
    return isinstance(form, tuple) and form[0] == "and"


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
