"""The header of a log: which game was played, by whom, under which rules."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ludex.grammar import Code, Json, Message, did_you_mean, enumerated, escaped, suggested
from ludex.spec import is_whole, to_json
from ludex.spec import model as m

from ...state.api_arguments import checked, checked_names
from .. import log_codes
from ..record import VERSION
from .problems import Problem, few, it_has, missing_member, quoted, unknown_members, wrong_value

HEADER_MEMBERS = (
    "ludex",
    "game",
    "edition",
    "silence",
    "fingerprint",
    "players",
    "options",
    "readings",
    "tags",
    "ids",
    "note",
    "from",
)
_YEAR = "[1-9][0-9]{3}"
_LEAP_YEAR = "([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)"
DATE = "|".join(
    (
        f"{_YEAR}(-(0[1-9]|1[0-2]))?",
        f"{_YEAR}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])",
        f"{_YEAR}-(0[469]|11)-(0[1-9]|[12][0-9]|30)",
        f"{_YEAR}-02-(0[1-9]|1[0-9]|2[0-8])",
        f"{_LEAP_YEAR}-02-29",
    )
)
"""The form of a date of which the day, or the month, may not be known; a schema has nothing but a form to test it."""
SILENCES = ("borrow", "literal")
_BLOCKING = frozenset({"game", "players", "edition", "silence", "options", "readings", "from"})
"""Members without which it is unknown what was played: a fault in one of them prevents the replay."""


@dataclass(frozen=True, slots=True)
class Header:
    """The content of the first line of a log. None: the game's own default (fingerprint: nothing is claimed).

    Attributes:
        players: number of players.
        names: the players' names by seat; () if the log gives only their number.
        options, readings: those that the log names; values as written in the log.
        tags: where and when the game was played, by name: `TAGS` of text headers and others.
        ids: how a club or a site identifies the players, by their names.
        start: the position in which the play begins, or the path of a file with it; None: the game's beginning.
    """

    game: str
    players: int
    names: tuple[str, ...] = ()
    edition: str | None = None
    silence: str | None = None
    fingerprint: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    note: str | None = None
    start: str | Mapping[str, Json] | None = None

    def to_json(self) -> dict[str, Json]:
        """Write the header as a line of a log."""
        members: dict[str, Json] = {
            "ludex": VERSION,
            "game": self.game,
            "edition": self.edition,
            "silence": self.silence,
            "fingerprint": self.fingerprint,
            # Names give the number as well.
            "players": list(self.names) or self.players,
            "options": dict(self.options) or None,
            "readings": dict(self.readings) or None,
            "tags": dict(self.tags) or None,
            "ids": dict(self.ids) or None,
            "note": self.note,
            "from": self.start if self.start is None or isinstance(self.start, str) else dict(self.start),
        }
        return {name: value for name, value in members.items() if value is not None}


@checked(game=m.Game, path=str, note=str, start=Mapping)
def header_of(
    game: m.Game,
    names: Sequence[str] = (),
    path: str | None = None,
    note: str | None = None,
    start: Mapping[str, Json] | None = None,
) -> Header:
    """Make the header for a log of this game, with the fingerprint of its rules; defaults are left out.

    Args:
        names: the players' names by seat.
        path: the path of a game that is not shipped.
        start: the position in which the play begins, if that is not the game's beginning.

    Raises ValueError if there are names, but not one for each player, and for what no header can hold, such as the
    same name twice.
    """
    header = Header(
        game=path or game.name,
        players=game.players,
        names=checked_names(names, game.players),
        edition=game.edition if game.editions else None,
        silence=game.silence if game.silence != "borrow" else None,
        fingerprint=game.fingerprint,
        options={each.name: to_json(each.type, each.value) for each in game.options if each.value != each.default},
        readings={fork.name: fork.chosen for fork in game.forks if fork.chosen != fork.default},
        note=note,
        start=start,
    )
    # No log is begun that cannot be read again.
    if problem := next(_problems(header.to_json()), None):
        raise ValueError(f"{problem.pointer}: {problem.message}")
    return header


def read_log_header(data: Mapping[str, Json]) -> tuple[Header | None, tuple[Problem, ...]]:
    """Read a header; return it, or None if its faults leave open what was played, and all faults."""
    problems = tuple(_problems(data))
    if any(_blocks(problem) for problem in problems):
        # To continue with a guess would report faults of another game.
        return None, problems
    players = data["players"]
    names = tuple(players) if isinstance(players, list) else ()
    fingerprint, note = data.get("fingerprint"), data.get("note")
    header = Header(
        game=data["game"],
        players=len(names) or players,
        names=names,
        edition=data.get("edition"),
        silence=data.get("silence"),
        # A fault here does not prevent the replay, so that the value is left out.
        fingerprint=fingerprint if isinstance(fingerprint, str) else None,
        options=data.get("options", {}),
        readings=data.get("readings", {}),
        tags=_texts(data.get("tags")),
        ids=_texts(data.get("ids")),
        note=note if isinstance(note, str) else None,
        start=data.get("from"),
    )
    return header, problems


def _texts(data: Json) -> dict[str, str]:
    """Return the members that are texts; others were reported."""
    members = data.items() if isinstance(data, dict) else ()
    return {name: text for name, text in members if isinstance(text, str)}


def _blocks(problem: Problem) -> bool:
    if problem.code in (log_codes.NO_HEADER, log_codes.FORMAT_VERSION, log_codes.HEADER_MISSING):
        return True
    # The first part of the pointer is the member.
    return problem.pointer.split("/")[1] in _BLOCKING


def _problems(data: Mapping[str, Json]) -> Iterator[Problem]:
    if "ludex" not in data:
        # Without a header, or in another version, each other member would be reported, too.
        yield _no_header(data)
        return
    # In Python `true` and `1.0` are equal to 1.
    if data["ludex"] != VERSION or isinstance(data["ludex"], bool | float):
        yield wrong_value("/ludex", Message("format-version", version=VERSION), data["ludex"], log_codes.FORMAT_VERSION)
        return
    yield from unknown_members(data, HEADER_MEMBERS, "", lambda: Message("the-header"), log_codes.HEADER_FIELD)
    if "game" not in data:
        yield _missing("game", Message("name-of-game"), "Game: boreal")
    if "players" not in data:
        yield _missing("players", Message("number-or-names"), "Players: Anna, Boris")
    for name in ("game", "edition", "fingerprint", "note"):
        if name in data and not isinstance(data[name], str):
            yield _wrong(f"/{name}", Message("a-text"), data[name])
    if "players" in data:
        yield from _players(data["players"])
    yield from _settings(data)
    if "from" in data and not isinstance(data["from"], str | dict):
        yield _wrong("/from", Message("from-expected"), data["from"])
    if "tags" in data:
        yield from _remarks("tags", Message("tags-by-name"), data["tags"])
    if "ids" in data:
        yield from _remarks("ids", Message("ids-by-name"), data["ids"])
        yield from _nobodies(data["ids"], data.get("players"))


def _remarks(member: str, what: str, data: Json) -> Iterator[Problem]:
    """Yield the faults of texts by name, which only people read. A date must be one, as logs are sorted by it."""
    if not isinstance(data, dict):
        yield _wrong(f"/{member}", what, data)
        return
    for name, text in data.items():
        pointer = f"/{member}/{escaped(name)}"
        if not isinstance(text, str):
            yield _wrong(pointer, Message("a-text"), text)
        elif member == "tags" and name == "date" and not re.fullmatch(DATE, text):
            samples = enumerated(("2026-11-23", "2026-11", "2026"), "or")
            yield replace(_wrong(pointer, Message("a-date", samples=samples), text), hint=partial(_meant_date, text))


def _meant_date(text: str) -> str | None:
    """Say how a date that was written with the day first is meant, if it can be one."""
    match = re.fullmatch(r"\s*([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})\s*", text)
    if match is None:
        return None
    day, month, year = (int(part) for part in match.groups())
    # With the month first it may mean another day.
    is_clear = "." in text or day > 12
    is_date = year >= 1000 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
    return suggested(f"{year:04}-{month:02}-{day:02}" if is_clear and is_date else None)


def _is_seat(name: str, count: int) -> bool:
    # A text of many digits is not a number of a seat, and takes long to read.
    return re.fullmatch("[1-9][0-9]{0,3}", name) is not None and int(name) <= count


def _nobodies(ids: Json, players: Json) -> Iterator[Problem]:
    """Yield the names in `ids` that no player has."""
    names = [name for name in players if isinstance(name, str)] if isinstance(players, list) else []
    # Without names the players are known by their seats.
    count = len(players) if isinstance(players, list) else players if is_whole(players) else 0
    given = ids if isinstance(ids, dict) and count else ()
    strangers = [name for name in given if name not in names and not _is_seat(name, count)]

    def problem(name: str) -> Problem:
        message = Message("ids-of-nobody", name=quoted(name))
        pointer = f"/ids/{escaped(name)}"
        hint = (lambda: did_you_mean(name, names) or it_has(names)) if names else None
        return Problem(log_codes.UNKNOWN_PLAYER, pointer, message, hint, at_name=True)

    yield from few(strangers, problem)


def _no_header(data: Mapping[str, Json]) -> Problem:
    if "game" in data or "players" in data:
        message = Message("header-no-version", version=VERSION)
        hint = Message("header-begin-with", sample=f'{{"ludex": {VERSION}, ...')
        yaml_hint = Message("header-add", sample=f"`ludex: {VERSION}`")
    else:
        message = Message("log-no-header")
        hint = Message("such-as", sample=f'{{"ludex": {VERSION}, "game": "tic_tac_toe", "players": 2}}')
        members = (f"`ludex: {VERSION}`", "`game: tic_tac_toe`", "`players: 2`")
        yaml_hint = Message("such-as", sample=enumerated(members))
    return Problem(log_codes.NO_HEADER, "", message, hint, yaml_hint=yaml_hint)


def _missing(name: str, what: str, tag: str) -> Problem:
    """Make the problem of a member that is missing. tag: how it is written in a text log, as an example."""
    problem = missing_member(name, "", Message("the-header"), what, log_codes.HEADER_MISSING)
    return replace(problem, tag_hint=Message("header-add", sample=f"`{tag}`"))


def _wrong(pointer: str, expected: str, data: Json, code: Code = log_codes.HEADER_VALUE) -> Problem:
    return wrong_value(pointer, expected, data, code)


def _players(players: Json) -> Iterator[Problem]:
    if isinstance(players, list):
        yield from _names(players)
    elif not isinstance(players, int) or isinstance(players, bool):
        yield _wrong("/players", Message("number-or-names"), players)
    elif players < 1:
        yield _wrong("/players", Message("at-least-one-player"), players, log_codes.WRONG_PLAYERS)


def _names(names: list[Json]) -> Iterator[Problem]:
    if not names:
        yield _wrong("/players", Message("at-least-one-player"), names, log_codes.WRONG_PLAYERS)
    seen: set[str] = set()
    for at, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            yield _wrong(f"/players/{at}", Message("a-name"), name)
        elif name.isascii() and name.isdigit():
            # Claims name players by seat number or by name, both in one place.
            yield _wrong(f"/players/{at}", Message("a-name-no-number"), name)
        elif name in seen:
            message = Message("same-name", name=quoted(name))
            yield Problem(log_codes.WRONG_PLAYERS, f"/players/{at}", message, Message("same-name-hint"))
        else:
            seen.add(name)


def _settings(data: Mapping[str, Json]) -> Iterator[Problem]:
    silence = data.get("silence", "borrow")
    if silence not in SILENCES:
        yield _wrong("/silence", enumerated(SILENCES, "or"), silence)
    for name in ("options", "readings"):
        if not isinstance(data.get(name, {}), dict):
            yield _wrong(f"/{name}", Message(f"{name}-by-name"), data[name])
    readings = data.get("readings", {})
    for fork, reading in readings.items() if isinstance(readings, dict) else ():
        if not isinstance(reading, str):
            yield _wrong(f"/readings/{escaped(fork)}", Message("name-of-reading"), reading)
