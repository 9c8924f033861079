"""What is decided of two readings of a clause, and the small state that tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ludex.spec import types as t

Meaning: TypeAlias = Literal["equal", "stricter", "looser", "incomparable", "unknown"]
"""What the right reading is against the left one; `stricter`: it allows less."""
Direction: TypeAlias = Literal["stricter", "looser"]
Cell: TypeAlias = tuple[str, tuple[t.Value, ...]]
"""A cell by its element's name and its indices."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A small state in which two readings do not come to the same. Only what they look at is told.

    Attributes:
        players: how many sit at the table.
        place: the path of the action or clause where they part.
        told: it in words, one for each cell and name: `priests(first) = 0`, `task = t3`.
        cells: what lies where. Cells and names are lost where a finding is taken up from the cache.
        names: what the names stand for there: who acts (`me`), what is chosen.
    """

    players: int
    place: str
    told: tuple[str, ...]
    cells: tuple[tuple[str, tuple[t.Value, ...], t.Value], ...] = field(default=(), compare=False)
    names: tuple[tuple[str, t.Type, t.Value], ...] = field(default=(), compare=False)

    @property
    def goal(self) -> Mapping[Cell, t.Value]:
        """The cells as something to search for."""
        return {(name, indices): value for name, indices, value in self.cells}


@dataclass(frozen=True, slots=True)
class Decision:
    """What the right reading is against the left one.

    All states are looked at that the cells can hold, whether play comes to them or not; only for `equal` it may be
    enough that they come to the same wherever play comes to them, which the reason says then. So `equal` is certain of
    any play; `stricter` says that it never allows more, and allows less in a state such as `left_only`.

    Attributes:
        reason: why it is unknown, what it is that differs, or what `equal` rests on.
        by: what decided it: `form` (the same words once they are put in order), `enumeration`, `solver`; empty if
            nothing did.
        left_only: where only the left reading allows what is named, or the two come to different things.
        right_only: where only the right one does, or the same as `left_only`.
        at_most: what an unknown verdict is if it is not `equal`, where that much is plain.
    """

    verdict: Meaning
    reason: str = ""
    by: str = ""
    left_only: Situation | None = None
    right_only: Situation | None = None
    at_most: Direction | None = None

    @property
    def direction(self) -> Direction | None:
        """What it is if it is not `equal`, as far as that is known."""
        match self.verdict:
            case "stricter" | "looser" as known:
                return known
            case _:
                return self.at_most


EQUAL = Decision("equal", "", "form")


def resting(decision: Decision, states: Iterable[str]) -> Decision:
    """A decision that makes use of what these states can hold in play, with that as the reason if it is `equal`."""
    names = sorted(states)
    if decision.verdict != "equal" or not names:
        return decision
    return replace(decision, reason=f"by what `{'`, `'.join(names)}` can hold wherever play comes to it")


def unread(decision: Decision, elements: Iterable[str]) -> Decision:
    """A decision that makes use of it that nothing ever asks for what these states or zones come to hold."""
    names = sorted(elements)
    if decision.verdict != "equal" or not names:
        return decision
    told = f"since nothing asks any more for what `{'`, `'.join(names)}` then hold{'s' if len(names) == 1 else ''}"
    return replace(decision, reason=told)


def both(one: Decision, two: Decision) -> Decision:
    """What two parts of a reading come to together, or one reading at two tables."""
    if one.verdict == "equal" or two.verdict == "equal":
        kept, other = (two, one) if one.verdict == "equal" else (one, two)
        by = max(kept.by, other.by) if kept.verdict == "equal" else kept.by
        return replace(kept, by=by)
    left, right = one.left_only or two.left_only, one.right_only or two.right_only
    reason, by = one.reason or two.reason, max(one.by, two.by)
    verdicts = {one.verdict, two.verdict}
    if "incomparable" in verdicts:
        first = one if one.verdict == "incomparable" else two
        return Decision("incomparable", first.reason, first.by, first.left_only or left, first.right_only or right)
    if "unknown" in verdicts:
        if left is not None and right is not None and left is not right:
            return Decision("incomparable", "each allows what the other does not", by, left, right)
        first = one if one.verdict == "unknown" else two
        at_most = one.direction if one.direction == two.direction else None
        return Decision("unknown", first.reason, "", left, right, at_most)
    if len(verdicts) == 1:
        return Decision(one.verdict, reason, by, left, right)
    return Decision("incomparable", "each allows what the other does not", by, left, right)


def together(decisions: Iterable[Decision]) -> Decision:
    """What all of them come to."""
    found = EQUAL
    for each in decisions:
        found = both(found, each)
    return found
