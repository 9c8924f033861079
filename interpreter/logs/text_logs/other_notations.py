"""Signs of other notations that people write in text logs out of habit, as in chess records and forum posts.

None of this is read. Only where a line cannot be read it is looked for, so it cannot hide anything that a game's own
notation has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ludex.grammar import Message, enumerated

from ...event_notation.syntax import NotationFault
from ..record import BRACKETED


@dataclass(frozen=True, slots=True)
class Addressee:
    """The reader of a hint that says how a line is written.

    Attributes:
        players: their names by seat.
        mover: the name of the player who types the line; None if nobody says so.
        takes_claims: whether claims are read, too.
    """

    players: Sequence[str]
    mover: str | None = None
    takes_claims: bool = True


Hint: TypeAlias = Callable[[re.Match[str], Addressee], str]
"""Says how something is written here."""


def explained(fault: NotationFault, text: str, told: Addressee) -> NotationFault:
    """Return the fault; where the line has a sign of another notation there, one that says how it is written here."""
    for pattern, begins, hint in _SIGNS:
        for match in pattern.finditer(text):
            start, end = match.span("sign")
            if start == fault.start or (not begins and start < fault.start < end):
                message = Message("text-other-notation", sign=f"`{match['sign']}`")
                return NotationFault(start, end, message, hint(match, told))
    return fault


def resignation(text: str, players: Sequence[str]) -> NotationFault | None:
    """Return the fault of a line by which a player resigns as if that were a move, or a tag."""
    match = _RESIGNS.match(text)
    if match is None or match["who"] not in players:
        return None
    message = Message("text-other-notation", sign=f"`{match['sign']}`")
    return NotationFault(*match.span("sign"), message, _line(Addressee(players), f"result resigned {match['who']}"))


def _line(told: Addressee, *ways: str) -> str:
    taken = [way for way in ways if told.takes_claims or not way.startswith("claim")]
    return Message("text-result-hint", ways=enumerated([f"`{way}`" for way in taken], "or"))


def _write(text: str) -> str:
    return Message("write", text=f"`{text}`")


def _score(match: re.Match[str], told: Addressee) -> str:
    # Such scores are of two players; of more, the first and the last are as good as any for an example.
    first, last = told.players[0], told.players[-1]
    if "½" in match["sign"] or "/" in match["sign"] or match["sign"].isalpha():
        return _line(told, "claim winners none", "result agreed")
    winner, loser = (last, first) if match["sign"].startswith("0") else (first, last)
    return _line(told, f"claim winners {winner}", f"result resigned {loser}", f"result time {loser}")


def _won(match: re.Match[str], told: Addressee) -> str:
    return _line(told, f"claim winners {match['who']}", f"result adjudicated; winners {match['who']}")


def _resigned(match: re.Match[str], told: Addressee) -> str:
    named = match.groupdict().get("who")
    some = (told.mover,) if told.mover else dict.fromkeys((told.players[0], told.players[-1]))
    who = (named,) if named in told.players else some
    return _line(told, *(f"result resigned {each}" for each in who))


def _comment(match: re.Match[str], _: Addressee) -> str:
    return Message("text-comment-hint", comment=f"`# {match['words'].strip()}`")


_RESIGNS = re.compile(
    r"\s*(?P<sign>(?:result\s*:\s*)?(?P<who>[^:\s]+)\s*:?\s*(?:resign|resigns|resigned))\s*(?:[#;]|\Z)", re.IGNORECASE
)
# A word is looked for from its beginning only: from each of its letters, a long word would take time by its square.
# Each entry has the pattern of a sign; whether a fault must begin there, as the inside may be a value of the game (in
# braces with commas it is a set); and how Ludex writes it.
_SIGNS: tuple[tuple[re.Pattern[str], bool, Hint], ...] = (
    (
        re.compile(
            r"(?<!\S)(?P<sign>1 ?[-–:] ?0|0 ?[-–:] ?1|1/2 ?[-–] ?1/2|½ ?[-–] ?½|½|(?i:draw|ничья|תיקו))(?![^\s;])"
        ),
        False,
        _score,
    ),
    (re.compile(r"(?<!\S)(?P<sign>(?P<who>\S+) (?:resigns|resigned|сдался|сдалась|נכנע|נכנעה))\b"), False, _resigned),
    (
        re.compile(r"(?<!\S)(?P<sign>(?P<who>\S+) (?:wins|won|победил|победила|выиграл|выиграла|ניצח|ניצחה))\b"),
        False,
        _won,
    ),
    (
        re.compile(r"\A\s*(?P<sign>(?i:resigns?|resigned)|сдаюсь|сдался|сдалась|נכנעתי|נכנע|נכנעה)\s*(?=[#;]|\Z)"),
        False,
        _resigned,
    ),
    (re.compile(r"\A\s*(?P<sign>winner (?P<who>[^\s#]+))"), False, _won),
    (
        re.compile(r"\A\s*(?P<sign>(?:scores|winners|over|not over)\b(?:[^#]*[^#\s])?)"),
        True,
        lambda at, told: _line(replace(told, takes_claims=True), f"claim {at['sign']}"),
    ),
    (re.compile(r"(?<!\S)(?P<sign>\*)(?![^\s;])"), True, lambda *_: Message("text-unfinished-hint")),
    (
        re.compile(r"\A\s*(?P<sign>(?P<number>[0-9]{1,6})\)?)(?=\s+[^\s0-9])"),
        True,
        lambda at, _: _write(f"{at['number']}."),
    ),
    (re.compile(r"(?P<sign>\{(?P<words>[^{},\"]+)(?:\}|\Z))"), True, _comment),
    (re.compile(r"(?P<sign>\((?P<words>\s*[0-9]{1,6}\.[^()]*)\)?)"), False, _comment),
    (re.compile(r"(?P<sign>//(?P<words>.*))"), True, _comment),
    (re.compile(r"(?<!\S)(?P<sign>\$[0-9]+|\.{2,}|…)"), True, lambda *_: Message("text-leave-out-hint")),
    (re.compile(r"(?<!\S)(?P<sign>(?P<move>[^\s!?+]+)[!?+]+)(?!\S)"), True, lambda at, _: _write(at["move"])),
    (
        re.compile(f"(?P<sign>{BRACKETED.pattern})"),
        False,
        lambda at, _: Message("text-tag-hint", tag=f"`{at['name']}: {at['value']}`"),
    ),
)
