"""Of what kind a difference between two forms is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .building import NOTHING, negation, together
from .names import Form

Kind = Literal[
    "value", "modality", "condition", "missing", "extra", "order", "destination", "scope", "actor", "timing",
    "reference", "layout", "example", "term",
]  # fmt: skip

CONDITIONS = frozenset(
    {
        "and",
        "or",
        "not",
        "=",
        "!=",
        "<=",
        "in",
        "not in",
        "empty",
        "held",
        "unless",
        "can",
        "is",
        "some",
        "every",
    }
)
JUNCTIONS = frozenset({"and", "or", "+", "*", "set", "one of", "max", "min", "do"})
NAMED = frozenset({"of", "number", "perform", "values", "can", "window"})
"""Heads behind which a name stands: with another name it is another thing."""
CASES = frozenset({"match", "table"})
ATOMS = frozenset({"word", "name", "player", "clause", "arm"})
WEIGHT: tuple[Kind, ...] = (
    "modality", "actor", "destination", "order", "missing", "extra", "scope", "timing", "condition", "reference",
    "value",
)  # fmt: skip
"""Of several kinds in one clause the first counts: what changes most about how the clause is played."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two parts of two forms that differ, and the heads around them, outermost first."""

    left: Form
    right: Form
    around: tuple[str, ...]


def apart(left: Form, right: Form, around: tuple[str, ...] = ()) -> Iterator[Apart]:
    """The smallest parts at which two forms differ."""
    if left == right:
        return
    if "do" in (_head(left), _head(right)) and not _reordered(left, right):
        yield from _junctions_apart("do", _steps(left), _steps(right), around)
    elif _head(left) == _head(right) == "if":
        yield from _conditionals_apart(left, right, around)
    elif not _alike(left, right):
        yield Apart(left, right, around)
    else:
        assert isinstance(left, tuple)
        assert isinstance(right, tuple)
        yield from _parts_apart(left, right, around)


def _parts_apart(left: tuple[Form, ...], right: tuple[Form, ...], around: tuple[str, ...]) -> Iterator[Apart]:
    head = str(left[0])
    if (head in NAMED and left[1] != right[1]) or _reordered(left, right):
        yield Apart(left, right, around)
    elif head in JUNCTIONS:
        yield from _junctions_apart(head, left[1:], right[1:], around)
    elif head in CASES and left[1] == right[1]:
        yield from _cases_apart(left, right, (*around, head))
    elif len(left) != len(right):
        yield Apart(left, right, around)
    else:
        for one, other in zip(left[1:], right[1:], strict=True):
            yield from apart(one, other, (*around, head))


def _junctions_apart(
    head: str, left: Sequence[Form], right: Sequence[Form], around: tuple[str, ...]
) -> Iterator[Apart]:
    """What only one of two junctions has; of two that have something else in one place the difference there."""
    mine, theirs = _without(left, right), _without(right, left)
    if head == "do":
        for one in [*mine]:
            other = next((each for each in theirs if _same_deed(one, each)), None)
            if other is not None:
                mine.remove(one)
                theirs.remove(other)
                yield from apart(one, other, (*around, head))
    if len(mine) == len(theirs) == 1:
        yield from apart(mine[0], theirs[0], (*around, head))
    elif mine or theirs:
        rest = [NOTHING if not each else each[0] if len(each) == 1 else (head, *each) for each in (mine, theirs)]
        yield Apart(rest[0], rest[1], (*around, head))


def _same_deed(one: Form, other: Form) -> bool:
    """Whether two steps do one thing in two ways."""
    return isinstance(one, tuple) and isinstance(other, tuple) and one[:2] == other[:2]


def _conditionals_apart(left: Form, right: Form, around: tuple[str, ...]) -> Iterator[Apart]:
    """As they stand, or one turned round: whichever leaves less."""
    match left, right:
        case ("if", asked, then, otherwise), ("if", also, yes, no):
            straight = [*_three((asked, then, otherwise), (also, yes, no), around)]
            turned = [*_three((asked, then, otherwise), (negation(also), no, yes), around)]
            yield from min(straight, turned, key=len)


def _three(left: Sequence[Form], right: Sequence[Form], around: tuple[str, ...]) -> Iterator[Apart]:
    yield from apart(left[0], right[0], (*around, "asked"))
    for one, other in zip(left[1:], right[1:], strict=True):
        yield from apart(one, other, (*around, "if"))


def _cases_apart(left: tuple[Form, ...], right: tuple[Form, ...], around: tuple[str, ...]) -> Iterator[Apart]:
    """The cases that are told otherwise; of one that only one side tells, what the other says of all others."""
    mine, theirs = ({_case(each)[0]: _case(each)[1] for each in form[2:]} for form in (left, right))
    for value in dict.fromkeys((*mine, *theirs)):
        one = mine.get(value, mine.get("otherwise", NOTHING))
        other = theirs.get(value, theirs.get("otherwise", NOTHING))
        yield from apart(one, other, around)


def _case(form: Form) -> tuple[Form, Form]:
    match form:
        case ("case", value, told):
            return value, told
        case _:
            return form, NOTHING


def _alike(left: Form, right: Form) -> bool:
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return False
    return left[0] == right[0] and isinstance(left[0], str) and left[0] not in ATOMS


def _steps(form: Form) -> Sequence[Form]:
    if form == NOTHING:
        return ()
    return form[1:] if isinstance(form, tuple) and form[0] == "do" else (form,)


def _without(parts: Sequence[Form], others: Sequence[Form]) -> list[Form]:
    rest, kept = Counter(others), []
    for part in parts:
        if rest[part]:
            rest[part] -= 1
        else:
            kept.append(part)
    return kept


def kind_of(left: Form, right: Form) -> Kind:
    """How two forms of one clause differ."""
    found = {_kind(each) for each in apart(left, right)}
    return next(kind for kind in WEIGHT if kind in found)


def _kind(found: Apart) -> Kind:
    left, right, around = found.left, found.right, found.around
    heads = {_head(left), _head(right)}
    if left != NOTHING != right and _offers(left) != _offers(right):
        return "modality"
    if around[-1:] == ("as",) or heads & {"as", "all players"} or "me" in (left, right) or _is_another(left, right):
        return "actor"
    if "to" in around or {left, right} == {"top", "bottom"}:
        return "destination"
    if _reordered(left, right):
        return "order"
    if NOTHING in (left, right) and around[-1:] in ((), ("do",), ("one of",), ("if",)):
        return "missing" if right == NOTHING else "extra"
    return _kind_of_what(left, right, around)


def _kind_of_what(left: Form, right: Form, around: tuple[str, ...]) -> Kind:
    heads = {_head(left), _head(right)}
    if (left in TRUTHS) != (right in TRUTHS) or (_head(left) == "if") != (_head(right) == "if"):
        return "condition"
    if _turned_inside_out(left, right):
        return "order"
    if heads == {"some", "every"} or heads & {"each", "each player", "times"}:
        return "scope"
    if {"over", "from", "within"} & {*around} or heads & {"over", "from", "within"}:
        return "scope"
    if "window" in around or heads & {"until", "window", "end game"}:
        return "timing"
    if _is_value(left) and _is_value(right) and left != NOTHING != right:
        return "value"
    if heads & CONDITIONS or (CONDITIONS | {"asked"}) & {*around} or heads & {"if", "require"}:
        return "condition"
    return "reference" if heads <= {"of", "number", "perform", None} else "value"


PLAYERS = frozenset({"opponent", "next", "previous", "seat"})


def _is_another(left: Form, right: Form) -> bool:
    """Whether one side is another player, told from the one on the other side."""
    for one, other in ((left, right), (right, left)):
        match one:
            case ("of", str() as name, *parts) if name in PLAYERS and other in parts:
                return True
            case ("of", "seat", _) if _head(other) in ("name", "of"):
                return True
    return False


def _offers(form: Form) -> int:
    """How much in a form may be done and need not be."""
    if not isinstance(form, tuple):
        return 0
    return (_head(form) in ("may", "may again")) + sum(map(_offers, form))


TRUTHS: tuple[Form, ...] = (("true",), ("false",))


def _turned_inside_out(left: Form, right: Form) -> bool:
    """Each player three times, or three times each player."""
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return False
    inner = _head(left[-1]), _head(right[-1])
    return left[0] != right[0] and inner == (right[0], left[0]) and {left[0], right[0]} <= FLOW


def _head(form: Form) -> str | None:
    return str(form[0]) if isinstance(form, tuple) and form else None


def _is_value(form: Form) -> bool:
    match form:
        case int() | ("word", _):
            return True
        case ("set" | ".." | "+" | "*" | "words", *parts):
            return all(map(_is_value, parts))
        case _:
            return False


def _reordered(left: Form, right: Form) -> bool:
    """The same parts, in another order."""
    if not isinstance(left, tuple) or not isinstance(right, tuple) or _head(left) != "do" != _head(right):
        return False
    return left != right and sorted(map(repr, left)) == sorted(map(repr, right))


def common_clauses(forms: Sequence[Form]) -> frozenset[str]:
    """The labels of clauses that stand in every one of some forms."""
    sets = [frozenset(labels(form)) for form in forms]
    return frozenset.intersection(*sets) if sets else frozenset()


def labels(form: Form) -> Iterator[str]:
    """The labels of the clauses and arms that stand in a form."""
    return _named(form, ("clause", "arm"))


def overlapping(forms: Sequence[Form]) -> frozenset[str]:
    """The names of arms that not all forms have and that speak of what an arm of another name speaks of elsewhere."""
    sets = [frozenset(arms(form)) for form in forms]
    common = frozenset.intersection(*sets) if sets else frozenset[str]()
    apart_ = [(at, name) for at, names in enumerate(sets) for name in names - common]
    return frozenset(
        name
        for at, name in apart_
        if any(here != at and name != other and _meet(name, other) for here, other in apart_)
    )


def arms(form: Form) -> Iterator[str]:
    """The arms of matches that stand in a form by name."""
    return _named(form, ("arm",))


def _named(form: Form, heads: tuple[str, ...]) -> Iterator[str]:
    match form:
        case (str() as head, str() as label) if head in heads:
            yield label
        case (*parts,):
            for part in parts:
                yield from _named(part, heads)
        case _:
            return


def _meet(one: str, other: str) -> bool:
    """Whether two arms speak of one value: `1,2` and `2..5` do; `otherwise` speaks of any."""
    return "otherwise" in (one, other) or bool({*_spoken(one)} & {*_spoken(other)})


def _spoken(name: str) -> Iterator[str]:
    for each in name.split(","):
        low, _, high = each.partition("..")
        yield from map(str, range(int(low), int(high) + 1)) if high else (each,)


def without_clauses(form: Form, kept: frozenset[str]) -> Form:
    """A form without the clauses inside it, but for some: what else stands there is compared, and their order."""
    match form:
        case ("clause" | "arm", label) | ("require", ("clause", label)):
            return form if label in kept else NOTHING
        case ("do" | "one of" as head, *parts):
            left = [part for part in (without_clauses(each, kept) for each in parts) if part != NOTHING]
            return NOTHING if not left else left[0] if len(left) == 1 and head == "do" else (head, *left)
        case ("match", subject, *parts) if any(True for _ in arms(("match", *parts))):
            return ("match", subject, *(part for part in parts if without_clauses(part, kept) != NOTHING))
        case (*parts,) if parts:
            return tuple(without_clauses(part, kept) for part in parts)
        case _:
            return form


NAMING = frozenset({"local", "let"})


def gives_names(form: Form) -> bool:
    """Whether a step of an action gives a name to something."""
    match form:
        case ("do" | "action", *parts):
            return any(map(gives_names, parts))
        case _:
            return _head(form) in NAMING


def without_names(form: Form) -> Form:
    """An action without its steps that give names."""
    match form:
        case ("do", *parts):
            return together(part for part in parts if _head(part) not in NAMING)
        case ("action", *parts):
            return ("action", *map(without_names, parts))
        case (str() as head, *_) if head in NAMING:
            return NOTHING
        case _:
            return form


FLOW = frozenset({"each", "each player", "all players", "as", "until", "times"})


def without_flow(form: Form) -> Form:
    """A form without the flow around the clauses inside it, which adds nothing to their paths."""
    match form:
        case (str() as head, *_, inside) if head in FLOW and any(True for _ in labels(inside)):
            return without_flow(inside)
        case ("do", *parts):
            return ("do", *map(without_flow, parts))
        case _:
            return form
