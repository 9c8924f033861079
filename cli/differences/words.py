"""The words in which games, tables and small states are told, for people who play."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ludex.interpreter import UNSEEN, Finding, Shown, Side, Situation, player_words

from ..report import plural
from .telling import listed, two_readings

EMPTY = (" = none", " = {}")
STOPS = "the rules do not say"
MOST_TOLD = 8
"""So many cells and names of a small state are told."""
MOST_HELD = 80
"""So many letters of what one of them holds."""
_CELL = re.compile(r"(\w+)(\(.*?\))? = (.*)", re.DOTALL)


# ---- events -----------------------------------------------------------------------------------------------------


def event_words(line: Mapping[str, Any]) -> str:
    """A line of a log: `Anna: take(n: 3)`, `seat(2) declines`, `chance, turn.throw: 4`."""
    if "chance" in line:
        return f"chance, {line['chance']}: {value_words(line.get('outcome'))}"
    if line.get("action") == "decline":
        return f"{_player(line.get('player'))} declines"
    if "action" in line:
        arguments = ", ".join(f"{name}: {value_words(value)}" for name, value in dict(line.get("args") or {}).items())
        return f"{_player(line.get('player'))}: {line['action']}{f'({arguments})' if arguments else ''}"
    return json.dumps(dict(line), ensure_ascii=False)


def events_of(shown: Shown) -> list[Mapping[str, Any]]:
    """The log's events, without its header."""
    return list(shown.lines[1:])


def _player(player: object) -> str:
    return player_words(player - 1) if isinstance(player, int) else str(player)


# ---- values -----------------------------------------------------------------------------------------------------


def value_words(value: object) -> str:
    """A value of a log or of a table."""
    match value:
        case str():
            return value
        case dict() if value == UNSEEN:
            return "unseen"
        case dict():
            return "(" + ", ".join(f"{name}: {value_words(part)}" for name, part in value.items()) + ")"
        case list():
            return _list_words(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _list_words(values: Sequence[object]) -> str:
    """Pieces side by side that nobody has seen are counted."""
    parts: list[str] = []
    for is_unseen, run in groupby(values, lambda each: each == UNSEEN):
        some = list(run)
        parts.extend([f"{len(some)} unseen"] if is_unseen else map(value_words, some))
    return "[" + ", ".join(parts) + "]"


# ---- where they part --------------------------------------------------------------------------------------------


def parting_words(shown: Shown) -> str:
    """Where in the game the two part."""
    events = len(shown.lines) - 1
    if shown.line > len(shown.lines):
        return f"{plural(shown.players, 'player')}, {plural(events, 'event')}; what it comes to is not the same"
    return f"{plural(shown.players, 'player')}, after {plural(shown.line - 2, 'event')}"


def in_short(shown: Shown) -> str:
    """What the game shows, in one sentence: "en allows `Anna: take(n: 3)`, he refuses it"."""
    left, right = shown.left, shown.right
    if shown.line > len(shown.lines):
        return f"the same game ends otherwise: {left.edition}: {left.told}; {right.edition}: {right.told}"
    events = events_of(shown)
    event = f"`{event_words(events[-1])}`" if events else "set-up"
    if left.allowed is None:
        goes, stops = (right, left) if STOPS in left.told else (left, right)
        return f"{event}: by {goes.edition} play goes on; by {stops.edition} {_stop(stops)}"
    allows, refuses = (left, right) if left.allowed else (right, left)
    return f"{allows.edition} allows {event}, {refuses.edition} refuses it"


def _stop(side: Side) -> str:
    """Where its rules end, without what was said of the event before."""
    return side.told[max(0, side.told.find(STOPS)) :]


def side_words(side: Side) -> str:
    """What one edition says where the game parts them."""
    verdict = f" {_verdict(side)}" if side.allowed is not None else ""
    return f"{side.edition}{_played_as(side)}{verdict}{': ' if side.told else ''}{side.told}"


def _verdict(side: Side) -> str:
    return "allows it" if side.allowed else "refuses it"


def _played_as(side: Side) -> str:
    """Which game it was, where that is no edition as it stands."""
    return f" (played as {side.where})" if side.where else ""


def side_clauses(side: Side) -> list[str]:
    """The clauses by which a side answers, each with what it cites."""
    return [f"{path}{''.join(f' [{each}]' for each in cited)}" for path, cited in side.clauses]


# ---- small states -----------------------------------------------------------------------------------------------


def situation_words(finding: Finding) -> Iterator[str]:
    """A small state that tells the two readings apart, in a line; two where each allows what the other does not."""
    decision = finding.decision
    if decision is None or len(finding.divergence.groups) < 2:
        return
    left, right, is_silent = two_readings(finding)
    if decision.left_only is not None and decision.left_only == decision.right_only:
        yield f"{_where(decision.left_only)}: what follows is not the same"
        return
    if decision.left_only is not None:
        told = "allowed only with the clause" if is_silent else f"only {left} allows it"
        yield f"{_where(decision.left_only)}: {told}"
    if decision.right_only is not None:
        told = "allowed only without the clause" if is_silent else f"only {right} allows it"
        yield f"{_where(decision.right_only)}: {told}"


def _where(situation: Situation) -> str:
    """What is empty there is not listed, and what many places hold alike is told once."""
    held = [each for each in situation.told if not each.endswith(EMPTY)]
    told = [*_gathered(held), *(["nothing else there"] if len(held) < len(situation.told) else [])]
    with_ = f", with {'; '.join(told)}" if situation.told else ""
    return f"{plural(situation.players, 'player')} at {situation.place}{with_}"


def _gathered(held: Sequence[str]) -> list[str]:
    """`filling = bare at 24 places` for 24 cells of that name; the first ones of them all if they are many."""
    cells = [(found[1], found[2] or "", found[3]) for each in held if (found := _CELL.fullmatch(each))]
    told: list[str] = []
    for (name, value), run in groupby(cells, lambda cell: (cell[0], cell[2])):
        places = [place for _, place, _ in run]
        kept = _shortened(value)
        if len(places) > 2:
            told.append(f"{name} = {kept} at {len(places)} places")
        else:
            told.extend(f"{name}{place} = {kept}" for place in places)
    # Names (who acts, what is chosen) stand behind the cells, and matter most.
    more = len(told) - MOST_TOLD
    return told if more <= 0 else [*told[: MOST_TOLD // 2], f"{more} more", *told[-(MOST_TOLD // 2) :]]


def _shortened(value: str) -> str:
    """A list with its first members, if it is long."""
    if len(value) <= MOST_HELD or not value.startswith("{"):
        return value
    members = value[1:-1].split(", ")
    return f"{{{listed(members, 4)}}}"
