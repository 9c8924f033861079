"""Strategies for lines of logs, good and damaged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from ludex.interpreter import EARLY_ENDS
from ludex.spec import to_json
from ludex.spec.values.types import BagOf, ListOf, Optional, PlayerType, SetOf, Type, values

from .log_games import CHANCES, ELEMENTS, MOVES, NAMES


def json_of(type_: Type) -> st.SearchStrategy[Any]:
    """The JSON of any value of the type."""
    match type_:
        case Optional(of=of):
            return st.none() | json_of(of)
        case SetOf(of=of):
            return st.lists(json_of(of), max_size=3, unique_by=json.dumps)
        case BagOf(of=of) | ListOf(of=of):
            return st.lists(json_of(of), max_size=3)
        case PlayerType():
            return st.sampled_from([1, 2])
        case _:
            return st.sampled_from([to_json(type_, value) for value in values(type_)])


PLAYERS = st.sampled_from([1, 2, "Alyona", "Elena"])


def written(type_: Type) -> st.SearchStrategy[Any]:
    return json_of(type_) | PLAYERS if isinstance(type_, PlayerType) else json_of(type_)


def moves() -> st.SearchStrategy[Any]:
    strategies = [
        st.fixed_dictionaries(
            {
                "player": PLAYERS,
                "action": st.just(name),
                "args": st.fixed_dictionaries({argument: written(type_) for argument, type_ in arguments}),
            },
            optional={"note": st.just("why not"), "claim": claims(), "clock": st.just("0:04:31")},
        )
        for name, arguments in MOVES.items()
    ]
    return st.one_of([*strategies, st.fixed_dictionaries({"player": PLAYERS, "action": st.just("decline")})])


def chances() -> st.SearchStrategy[Any]:
    strategies = [
        st.fixed_dictionaries(
            {"chance": st.just(path), "outcome": written(type_)},
            optional={"note": st.just(""), "via": st.just([0, 2]), "claim": claims()},
        )
        for path, type_ in CHANCES.items()
    ]
    return st.one_of(strategies)


def cells() -> st.SearchStrategy[Any]:
    strategies: list[st.SearchStrategy[Any]] = []
    for element in ELEMENTS:
        of: dict[str, st.SearchStrategy[Any]] = {"of": st.just(element.name)}
        if element.indices:
            of["at"] = st.tuples(*map(written, element.indices)).map(lambda indices: [*indices])
        if element.kind in ("bag", "pile"):
            holds = st.lists(json_of(element.type), max_size=3)
            strategies.append(st.fixed_dictionaries({**of, "is": holds}, optional={"size": st.integers(0, 9)}))
            strategies.append(st.fixed_dictionaries({**of, "size": st.integers(0, 9)}))
        else:
            value = json_of(element.type)
            strategies.append(
                st.fixed_dictionaries({**of, "is": st.none() | value if element.kind == "one" else value})
            )
    return st.one_of(strategies)


def claims() -> st.SearchStrategy[Any]:
    points = st.integers(-9, 99)
    return st.dictionaries(st.sampled_from(["scores", "winners", "terminal", "state"]), st.none(), min_size=1).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {
                name: {
                    "scores": st.lists(points, min_size=2, max_size=2)
                    | st.fixed_dictionaries({}, optional={"Alyona": points, "2": points}).filter(bool),
                    "winners": st.sampled_from([[], [1], ["Elena"], ["Alyona", 2]]),
                    "terminal": st.booleans(),
                    "state": st.lists(cells(), min_size=1, max_size=3),
                }[name]
                for name in chosen
            }
        )
    )


def results() -> st.SearchStrategy[Any]:
    """Results that the rules do not decide, with the members that each may have."""
    members = {"player": PLAYERS, "winners": st.sampled_from([[1], ["Elena"], [1, 2]])}
    kinds = [
        st.fixed_dictionaries(
            {"by": st.just(by), **{name: members[name] for name in kind.demanded}},
            optional={name: members[name] for name in kind.optional},
        )
        for by, kind in EARLY_ENDS.items()
    ]
    return st.fixed_dictionaries({"result": st.one_of(kinds)}, optional={"note": st.just("late")})


def deals() -> st.SearchStrategy[Any]:
    """Several chance events of one clause in a line."""
    strategies = [
        st.fixed_dictionaries(
            {"deal": st.just(path), "cards": st.lists(written(type_) | st.just("unknown"), min_size=1, max_size=3)},
            optional={"to": PLAYERS, "note": st.just("")},
        )
        for path, type_ in CHANCES.items()
    ]
    return st.one_of(strategies)


GAPS = st.fixed_dictionaries({"gap": st.sampled_from([True, "chance", 1, 1000])}, optional={"note": st.just("")})
REMARKS = claims().map(lambda claim: {"claim": claim}) | st.just({"note": "x"})
LINES = results() | moves() | chances() | deals() | GAPS | REMARKS
ODD_ONES: tuple[Any, ...] = (
    *(None, True, 0, 1, 1.0, 1.5, -1, 10**19, "", "l01", "l99", "gain", "Alyona", "1", "unknown", [], {}, [1]),
    *(["l01", "l01"], {"level": 1, "col": 3}, {"level": 3, "col": 3}, "resigned", "0:99", "0:09\n"),
    *({"gain": {"x": 2}}, {"gain": {"x": 9}}, {"gain": {"x": 2, "y": 1}}),
)
ODD: st.SearchStrategy[Any] = st.sampled_from(ODD_ONES).map(deepcopy)
NAMED = (
    *("player", "action", "args", "chance", "outcome", "via", "claim", "note", "ludex", "card", "of", "is", "at"),
    *("size", "scores", "winners", "terminal", "state", "level", "x", "Alyona", "2", "result", "by", "clock"),
    *("deal", "to", "cards", "gap"),
)
WORDS = st.sampled_from(NAMED)


@st.composite
def damaged(draw: st.DrawFn, lines: st.SearchStrategy[Any], odd: st.SearchStrategy[Any] = ODD) -> Any:
    """A line with one or two changes at any place. odd: the values that are inserted."""
    line = json.loads(json.dumps(draw(lines)))
    for _ in range(draw(st.integers(1, 2))):
        holders = [line]
        for holder in holders:
            items = holder.values() if isinstance(holder, dict) else holder
            holders.extend(item for item in items if isinstance(item, dict | list))
        holder = draw(st.sampled_from(holders))
        change(draw, holder, odd)
    return line


def change(draw: st.DrawFn, holder: Any, odd: st.SearchStrategy[Any]) -> None:
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    how = draw(st.sampled_from(["drop", "put", "add", "rename"]))
    if how == "add" or not keys:
        if isinstance(holder, dict):
            holder[draw(WORDS)] = draw(odd)
        else:
            holder.append(draw(odd))
    elif how == "rename" and isinstance(holder, dict):
        holder[draw(WORDS)] = holder.pop(draw(st.sampled_from(keys)))
    elif how == "drop":
        del holder[draw(st.sampled_from(keys))]
    else:
        holder[draw(st.sampled_from(keys))] = draw(odd)


def unsayable(line: Any, names: Sequence[str] = NAMES) -> bool:
    """Return whether JSON Schema cannot express the fault: one player with two names."""
    seats: dict[Any, int] = {}
    for seat, name in enumerate(names, 1):
        seats |= {name: seat, str(seat): seat, seat: seat}
    for holder, name in (("claim", "scores"), ("claim", "winners"), ("result", "winners")):
        held = line.get(holder) if isinstance(line, dict) else None
        named = held.get(name) if isinstance(held, dict) else None
        if isinstance(named, dict | list) and all(isinstance(item, str | int) for item in named):
            known = [seats.get(item, item) for item in named]
            if len(set(known)) < len(known):
                return True
    return False


def mutated(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The text with a piece removed, inserted or changed."""

    @st.composite
    def change(draw: st.DrawFn) -> str:
        text = draw(texts)
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 5)))
        return text[:start] + draw(st.text("{}[]\",:\\ \n\t019.eE+-tfnuNI'a\ud800", max_size=3)) + text[end:]

    return change()
