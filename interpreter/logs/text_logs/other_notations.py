"""Signs of other notations that people write in text logs out of habit, as in chess records and forum posts.

None of this is read. Only where a line cannot be read it is looked for, so it cannot hide anything that a game's own
notation has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ludex.grammar import Message, enumerated

from ...event_notation.syntax import NotationFault
from ..record import BRACKETED

Hint: TypeAlias = Callable[[re.Match[str], Sequence[str]], str]
"""Says how something is written here. Takes the match, and the players' names by seat."""


def explained(fault: NotationFault, text: str, players: Sequence[str]) -> NotationFault:
    """Return the fault; where the line has a sign of another notation there, one that says how it is written here.

    text: the line; players: their names by seat.
    """
    for pattern, begins, hint in _SIGNS:
        for match in pattern.finditer(text):
            start, end = match.span("sign")
            if start == fault.start or (not begins and start < fault.start < end):
                message = Message("text-other-notation", sign=f"`{match['sign']}`")
                return NotationFault(start, end, message, hint(match, players))
    return fault


def resignation(text: str, players: Sequence[str]) -> NotationFault | None:
    """Return the fault of a line by which a player resigns as if that were a move, or a tag."""
    match = _RESIGNS.match(text)
    if match is None or match["who"] not in players:
        return None
    message = Message("text-other-notation", sign=f"`{match['sign']}`")
    return NotationFault(*match.span("sign"), message, _line(f"result resigned {match['who']}"))


def _line(*ways: str) -> str:
    return Message("text-result-hint", ways=enumerated([f"`{way}`" for way in ways], "or"))


def _write(text: str) -> str:
    return Message("write", text=f"`{text}`")


def _score(match: re.Match[str], players: Sequence[str]) -> str:
    # Such scores are of two players; of more, the first and the last are as good as any for an example.
    first, last = players[0], players[-1]
    if "½" in match["sign"] or "/" in match["sign"] or match["sign"].isalpha():
        return _line("claim winners none", "result agreed")
    winner, loser = (last, first) if match["sign"].startswith("0") else (first, last)
    return _line(f"claim winners {winner}", f"result resigned {loser}", f"result time {loser}")


def _resigned(match: re.Match[str], players: Sequence[str]) -> str:
    return _line(f"result resigned {match['who'] if match['who'] in players else players[0]}")


def _comment(match: re.Match[str], _: Sequence[str]) -> str:
    return Message("text-comment-hint", comment=f"`# {match['words'].strip()}`")


_RESIGNS = re.compile(
    r"\s*(?P<sign>(?:result\s*:\s*)?(?P<who>[^:\s]+)\s*:?\s*(?:resign|resigns|resigned))\s*(?:[#;]|\Z)", re.IGNORECASE
)
# A word is looked for from its beginning only: from each of its letters, a long word would take time by its square.
# What is looked for; whether a fault must begin there, as its inside may be a value of the game (braces with commas are
# a set); how it is written.
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
        lambda at, _: _line(f"claim winners {at['who']}"),
    ),
    (re.compile(r"\A\s*(?P<sign>winner (?P<who>[^\s#]+))"), False, lambda at, _: _line(f"claim winners {at['who']}")),
    (
        re.compile(r"\A\s*(?P<sign>(?:scores|winners|over|not over)\b(?:[^#]*[^#\s])?)"),
        True,
        lambda at, _: _line(f"claim {at['sign']}"),
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
