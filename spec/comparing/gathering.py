"""Which divergences are one: what hangs under a clause that is missing or is shared out otherwise, what stands in a
stretch that is left out, and helpers, which say nothing by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..model import ClauseKind
from .divergences import Divergence, Gap
from .gaps import gaps
from .rows import Row

TOLD_ONLY: frozenset[ClauseKind] = frozenset({"note", "example", "term"})
"""What changes nothing in play: a stretch is named after something else, if it holds anything else."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """What tells which divergences belong together.

    Attributes:
        inside: by row, the row of a clause around it in which other editions say what is said there.
        users: by the row of a helper, the rows of the clauses in which it is put in.
    """

    editions: tuple[str, ...]
    rows: Sequence[Row]
    inside: Mapping[str, str]
    users: Mapping[str, frozenset[str]]


def gathered(found: Iterable[Divergence], how: Gathering) -> list[Divergence]:
    """A clause that editions lack takes along the clauses inside it that the same ones lack, the first of a stretch
    that they leave out all others there, and a clause that uses a helper the helper."""
    made = _Gathered(how, gaps(how.rows, how.editions))
    for each in found:
        made.add(each)
    made.put_helpers_in()
    return [replace(each, under=tuple(under)) for each, under in zip(made.kept, made.under, strict=True)]


Key = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class _Gathered:
    """The divergences that are told, what is under each, and where each row is told."""

    how: Gathering
    gaps: Mapping[tuple[str, str], Gap]
    kept: list[Divergence] = field(default_factory=list)
    under: list[list[str]] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)
    missing: dict[Key, int] = field(default_factory=dict)
    stretches: dict[tuple[Gap, tuple[str, ...]], int] = field(default_factory=dict)
    helpers: dict[str, list[Divergence]] = field(default_factory=dict)

    def add(self, each: Divergence) -> None:
        is_missing = each.kind in ("missing", "extra")
        helper = each.row.clause.split(".")[0]
        if is_missing and helper in self.how.users:
            self.helpers.setdefault(helper, []).append(each)
            return
        gap = self._gap(each) if is_missing else None
        place = self._place(each, gap) if is_missing else None
        if place is None:
            place = len(self.kept)
            self.kept.append(each)
            self.under.append([])
        else:
            self._put_under(place, each, gap)
        self.at[each.row.clause] = place
        if is_missing:
            self.missing.setdefault((each.row.clause, _silent(each)), place)
        if gap:
            self.stretches.setdefault((gap, _silent(each)), place)

    def _gap(self, each: Divergence) -> Gap | None:
        """The stretch in which it is left out; a text that marks where it would say it leaves out no more than that."""
        silent = _silent(each)
        if any(name in each.row.near for name in silent):
            return None
        return next((gap for name in silent if (gap := self.gaps.get((name, each.row.clause)))), None)

    def _place(self, each: Divergence, gap: Gap | None) -> int | None:
        around = self.how.inside.get(each.row.clause)
        if around in self.at:
            return self.at[around]
        silent = _silent(each)
        if gap is not None and (gap, silent) in self.stretches:
            return self.stretches[gap, silent]
        parts = each.row.clause.split(".")
        prefixes = (".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
        return next((self.missing[prefix, silent] for prefix in prefixes if (prefix, silent) in self.missing), None)

    def _put_under(self, place: int, each: Divergence, gap: Gap | None = None) -> None:
        """One more clause under a divergence; where it stands in the same stretch, that is what is left out."""
        head = self.kept[place]
        is_of_it = gap is not None and self.stretches.get((gap, _silent(each))) == place
        told = replace(gap, editions=_silent(each)) if gap and is_of_it and head.gap is None else head.gap
        if is_of_it and head.row.kind in TOLD_ONLY and each.row.kind not in TOLD_ONLY:
            self.under[place].insert(0, head.row.clause)
            self.kept[place] = replace(each, gap=told)
        else:
            self.under[place].append(each.row.clause)
            self.kept[place] = replace(head, gap=told)

    def put_helpers_in(self) -> None:
        """Each helper under the first clause that uses it and in which those that lack it say something else. One whose
        users all say the same says nothing."""
        waiting = dict(self.helpers)
        while True:
            homes = {
                helper: home
                for helper, bundle in waiting.items()
                if (home := self._home(helper, bundle[0])) is not None
            }
            if not homes:
                return
            for helper, home in homes.items():
                for each in waiting.pop(helper):
                    self._put_under(home, each)
                    self.at[each.row.clause] = home

    def _home(self, helper: str, found: Divergence) -> int | None:
        places = sorted({self.at[user] for user in self.how.users[helper] if user in self.at})
        return next((place for place in places if _parts(self.kept[place], found)), None)


def _silent(each: Divergence) -> tuple[str, ...]:
    """Those whose silence is told: not those that say it in another clause."""
    last = each.groups[-1]
    return last if each.row.statements[last[0]] is None else ()


def _parts(each: Divergence, helper: Divergence) -> bool:
    """Whether an edition that has the helper and one that has not stand in different groups."""
    where = {name: at for at, group in enumerate(each.groups) for name in group}
    return any(where[one] != where[other] for one in helper.row.stated for other in helper.row.silent)
