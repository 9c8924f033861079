"""Where editions part: what a divergence is, and what is made anew when some of them turn out to say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from ..clauses import differ_in_numbers, numbers_in
from .kinds import (
    Kind,
    apart,
    common_clauses,
    gives_names,
    kind_of,
    overlapping,
    without_clauses,
    without_flow,
    without_names,
)
from .names import Form
from .rows import Row


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of a text of which editions say nothing at all.

    Attributes:
        editions: those that leave it out.
        of: the edition whose text was gone through.
        document, lines: where in its document the stretch begins, and where its last clause does.
        at_end: the first of `editions` has come to its own end; else it goes on behind the stretch.
    """

    editions: tuple[str, ...]
    of: str
    document: str
    lines: tuple[int, int]
    at_end: bool


@dataclass(frozen=True, slots=True)
class Divergence:
    """Editions that do not say the same.

    Attributes:
        id: from the clause and what is said of it; the same as long as neither changes.
        groups: the editions that say one thing, side by side; those that are silent are the last group.
        odd: the one edition that stands alone against several that agree; no group is called right.
        internal: a text and a summary of its own contradict each other.
        under: clauses that are no findings of their own: what stands in a stretch that the same editions leave out, or
            inside of a clause that they lack or share out otherwise.
        gap: of the first clause of a stretch that editions leave out: where it lies.
        idle: it asks for nothing and does nothing, whoever states it; so it cannot matter in play.
        whole: what is said is shared out otherwise among the clauses inside, so it can only be exchanged with them.
    """

    id: str
    row: Row
    kind: Kind
    groups: tuple[tuple[str, ...], ...]
    odd: str | None
    internal: bool
    under: tuple[str, ...] = ()
    gap: Gap | None = None
    whole: bool = False
    idle: bool = False


def divergence(row: Row, groups: Sequence[tuple[str, ...]], kind: Kind) -> Divergence:
    """The editions that speak, by what they say; with them such as say it in another clause."""
    silent = tuple(name for name in row.silent if not any(name in group for group in groups))
    told = (*groups, silent) if silent else tuple(groups)
    return Divergence(_id(row), row, kind, told, _odd(groups), _internal(groups))


def merged(found: Divergence, equal: Iterable[Iterable[str]]) -> Divergence:
    """The divergence as it is when some editions turn out to mean the same: their groups are one.

    Args:
        equal: editions that say the same though in other words, in any number of sets.
    """
    groups = [group for group in found.groups if found.row.statements[group[0]] is not None]
    for alike in map(set, equal):
        joined = [group for group in groups if alike & {*group}]
        if len(joined) > 1:
            at = groups.index(joined[0])
            groups = [group for group in groups if group not in joined]
            groups.insert(at, tuple(name for group in joined for name in group))
    if set(groups) <= set(found.groups):
        return found
    made = divergence(found.row, groups, _kind_now(found, groups))
    return replace(made, under=found.under, gap=found.gap, whole=found.whole, idle=found.idle)


def _kind_now(found: Divergence, groups: Sequence[tuple[str, ...]]) -> Kind:
    if len(groups) > 1:
        return found.kind if found.kind == "timing" else kind_between(found.row, groups)
    return silence(found.row, groups) if found.row.silent else found.kind


# ---- kinds ------------------------------------------------------------------------------------------------------


def kind_between(row: Row, groups: Sequence[tuple[str, ...]]) -> Kind:
    """How the first two groups differ."""
    match row.kind:
        case "example":
            return "example"
        case "term":
            return "term"
        case _:
            return _kind_between(row, groups[0][0], groups[1][0])


def _kind_between(row: Row, one: str, other: str) -> Kind:
    """Where the same numbers are written, it is not a number that differs: `> 2` against `>= 2`. In the setup another
    place in a zone is where things lie, and so is another word in a note."""
    forms, stated = own_forms(row), row.stated
    left, right = forms[one], forms[other]
    if left == right:  # then it is inside of them
        return "condition"
    kind = kind_of(left, right)
    if kind != "order" and row.kind != "note" and differ_in_numbers(stated[one].node, stated[other].node):
        return "value"
    match kind:
        case "value" if row.kind == "note" and not (isinstance(left, int) or isinstance(right, int)):
            return "layout"
        case "value" if numbers_in(stated[one].node) == numbers_in(stated[other].node) and _compares(left, right):
            return "condition"
        case "destination" if row.clause.startswith("setup.") and not _goes_elsewhere(left, right):
            return "layout"
        case _:
            return kind


def _goes_elsewhere(left: Form, right: Form) -> bool:
    """Whether it goes to another zone, not only to another place in one."""
    zones = ((each.left, each.right) for each in apart(left, right) if each.around[-1:] == ("to",))
    return any(isinstance(one, tuple) and isinstance(other, tuple) and one[:2] != other[:2] for one, other in zones)


def _compares(left: Form, right: Form) -> bool:
    """Whether two forms differ in a comparison of numbers."""
    return any("<=" in each.around for each in apart(left, right))


def silence(row: Row, groups: Sequence[tuple[str, ...]]) -> Kind:
    """Only one of several speaks, or only a text that was not named first: then the clause is extra. groups: those that
    say it, in this clause or in another."""
    names, speaking = list(row.statements), [name for group in groups for name in group]
    is_extra = len(speaking) == 1 and (len(names) > 2 or names[0] not in speaking)
    return "extra" if is_extra else "missing"


def own_forms(row: Row) -> Mapping[str, Form]:
    """What each edition says in the clause by itself. Of the clauses inside it only the order of common ones counts;
    and where one text says nothing of the flow around them (who in what order, how often), it does not deny it. What an
    action gives names to, where one text does without, counts where they are used."""
    stated = row.stated
    said = {name: clause.form for name, clause in stated.items()}
    if row.kind == "action" and not all(map(gives_names, said.values())):
        said = {name: without_names(form) for name, form in said.items()}
    told = [*said.values()]
    kept = common_clauses(told) | overlapping(told) if len(told) > 1 else frozenset[str]()
    forms = {name: without_clauses(form, kept) for name, form in said.items()}
    bare = {name: without_flow(form) for name, form in forms.items()}
    return bare if any(bare[name] == form for name, form in forms.items()) else forms


# ---- who stands where -------------------------------------------------------------------------------------------


def _odd(groups: Sequence[tuple[str, ...]]) -> str | None:
    """Of three or more that speak, the one against whom the others agree."""
    alone = [names[0] for names in groups if len(names) == 1]
    return alone[0] if len(groups) == 2 and len(alone) == 1 else None


def _internal(groups: Sequence[tuple[str, ...]]) -> bool:
    """Whether a text stands in one group and a summary of its own (`ru.margin` of `ru`) in another."""
    where = {name: at for at, names in enumerate(groups) for name in names}
    wholes = ((name, name.rpartition(".")[0]) for name in where)
    return any(whole in where and where[whole] != where[name] for name, whole in wholes if whole)


def _id(row: Row) -> str:
    told = repr((row.clause, sorted((name, repr(clause.form)) for name, clause in row.stated.items()), row.silent))
    return sha256(told.encode()).hexdigest()[:8]
