"""The line of a log that is to be explained: what it is, and which events it records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import Json, Message

from ..record import Log
from ..tracking.report import Play
from .validate import Validator

TELLING = {"position": "a-position", "claim": "a-claim", "result": "a-result"}
"""The members of a line that say something of the state, each with the entry of its name."""


@dataclass(frozen=True, slots=True)
class AskedLine:
    """A line of a log that is to be explained.

    Attributes:
        line: its number in the file, from 1.
        index: its number among the lines after the header, from 0; -1: the header.
        before: how many events are recorded in the lines before it.
        count: how many it records itself.
        kinds: what it is, besides events: each a phrase such as `a claim`.
        tells: whether it says something of the state: it has a claim, a position or a result.
    """

    line: int
    index: int
    before: int
    count: int
    kinds: tuple[str, ...]
    tells: bool


def line_at(validator: Validator, log: Log, line: int) -> AskedLine | Play | None:
    """Find the line of a log with this number in its file; None if nothing is recorded there.

    Returns the play, with its report, if the log has no game that could be played. Where several lines of a log are
    written in one, the first with an event is meant, or the first of all.
    """
    # Without a game a text log has no lines that were read, and the fault of the log is what a reader has to know.
    play = validator.play(log, until=0)
    if play.engine is None:
        return play
    here = [each for each in _lines(play.log or log) if each.line == line]
    return next((each for each in here if each.count), here[0] if here else None)


def line_of_event(validator: Validator, log: Log, number: int) -> AskedLine | None:
    """Find the line of a log that records the event with this number, from 1; None if there is none."""
    lines = _lines(validator.play(log, until=0).log or log)
    return next((each for each in lines if each.before < number <= each.before + each.count), None)


def _lines(log: Log) -> list[AskedLine]:
    lines = list[AskedLine]()
    if log.header is not None:
        lines.append(AskedLine(log.header.place().line, -1, 0, 0, (Message("the-header"),), False))
    before = 0
    for index, record in enumerate(log.events):
        count = _events_in(record.data)
        kinds, tells = _kinds(record.data or {})
        lines.append(AskedLine(record.place().line, index, before, count, kinds, tells))
        before += count
    return lines


def _events_in(data: Mapping[str, Json] | None) -> int:
    if data is None or {"action", "player", "chance"} & set(data):
        return 1
    cards = data.get("cards")
    return len(cards) if isinstance(cards, list) else 0


def _kinds(data: Mapping[str, Json]) -> tuple[tuple[str, ...], bool]:
    """Return what a line is, and whether it says something of the state."""
    telling = tuple(Message(entry) for member, entry in TELLING.items() if member in data)
    return telling or (Message("a-gap" if "gap" in data else "a-note"),), bool(telling)
