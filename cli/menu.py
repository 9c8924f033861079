"""What can be chosen now. Many moves are chosen in steps: the action, then one argument after the other, a record field
by field, a set piece by piece."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ludex.interpreter import ChanceEvent, Event, Move
from ludex.spec import types as t

from .report import plural
from .texts import bare, cells, padded
from .view import Viewer

MOST_LISTED = 15
"""More moves than this are chosen in steps."""
MOST_ROWS = 9
"""More choices than this stand in several columns."""
DONE = "done"
_GAP = "   "
_TOKEN = re.compile(r"-?\w+")
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is stated with a move: a value, or the pieces of a set or bag, which are chosen in any order.

    Attributes:
        asked: what it is called; words: the values in words; taken: of the pieces chosen already.
    """

    values: tuple[object, ...]
    several: bool = False
    asked: str = field(default="", compare=False)
    words: tuple[str, ...] = field(default=(), compare=False)
    taken: tuple[str, ...] = field(default=(), compare=False)

    def without(self, value: object) -> Part:
        """The pieces that are left when one is chosen."""
        at = self.values.index(value)
        values, words = self.values[:at] + self.values[at + 1 :], self.words[:at] + self.words[at + 1 :]
        return replace(self, values=values, words=words, taken=(*self.taken, self.words[at]))


@dataclass(frozen=True, slots=True)
class Way:
    """An event, and the parts of it that are still to be chosen."""

    event: Event
    rest: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen by typing the key: an event, or several among which the next step decides."""

    key: str
    label: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What can be chosen now. question: what is asked, where a part of a move is."""

    choices: tuple[Choice, ...]
    ways: tuple[Way, ...]
    question: str = ""

    def rows(self, width: int) -> list[str]:
        """The choices one below another; in columns where they are many."""
        margin = max(len(choice.key) for choice in self.choices)
        told = [f"{choice.key:>{margin}}  {choice.label}".rstrip() for choice in self.choices]
        widest = max(map(cells, told))
        columns = 1 if len(told) <= MOST_ROWS else max(1, (width - 2 + len(_GAP)) // (widest + len(_GAP)))
        height = -(-len(told) // columns)
        rows = (_GAP.join(padded(each, widest) for each in told[row::height]).rstrip() for row in range(height))
        return [*([f"{self.question}:"] if self.question else []), *(f"  {row}" for row in rows)]

    @property
    def wanted(self) -> str:
        """What to type, in words."""
        in_order = all(choice.key == str(number) for number, choice in enumerate(self.choices, start=1))
        return f"a number from 1 to {len(self.choices)}" if in_order else "what stands before a choice"

    def typed(self, text: str, viewer: Viewer) -> Choice | None:
        """The choice that is meant: by its key, or by the words of a move, all of them or the first few."""
        by_key = next((choice for choice in self.choices if choice.key == text.casefold()), None)
        words = _tokens(text)
        if by_key is not None or not words:
            return by_key
        said = [(way, tuple(_sayings(way, viewer))) for way in self.ways]
        whole = tuple(way for way, sayings in said if words in sayings)
        begun = tuple(way for way, sayings in said if any(each[: len(words)] == words for each in sayings))
        return Choice("", text, whole or begun) if whole or begun else None


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(bare(text).casefold())


def _sayings(way: Way, viewer: Viewer) -> Iterator[list[str]]:
    """How an event may be typed: as it is shown, or by its values alone, with the action's name or without it."""
    yield _tokens(" ".join(word for part in way.rest for word in part.words))
    for each in (viewer, viewer.own):
        text = each.event(way.event)
        yield _tokens(text)
        if isinstance(way.event, ChanceEvent):
            yield _tokens(text.partition(": ")[2])
        else:
            action, *values = (_tokens(" ".join(part.words)) for part in _parts(way.event, each))
            stated = [word for value in values for word in value]
            yield action + stated
            yield stated


# ---- chance -----------------------------------------------------------------------------------------------------


def chances_menu(chances: Sequence[tuple[ChanceEvent, Fraction]], viewer: Viewer) -> Menu:
    """Every outcome of a chance event with its probability."""
    ways = tuple(Way(event) for event, _ in chances)
    labels = (f"{viewer.event(event)}  ({share})" for event, share in chances)
    return Menu(tuple(_numbered((label, (way,)) for label, way in zip(labels, ways, strict=True))), ways)


def _numbered(groups: Iterable[tuple[str, tuple[Way, ...]]]) -> Iterator[Choice]:
    return (Choice(str(number), label, ways) for number, (label, ways) in enumerate(groups, start=1))


# ---- moves ------------------------------------------------------------------------------------------------------


def moves_menu(moves: Iterable[Move], viewer: Viewer) -> Menu:
    """The moves one by one where they are few; else what they differ in first."""
    return menu_of([Way(move, tuple(_parts(move, viewer))) for move in moves], viewer, is_step=False)


def menu_of(ways: Sequence[Way], viewer: Viewer, is_step: bool = True) -> Menu:
    """What can be chosen among some ways to move; is_step: a part of the move was chosen before. Then few moves,
    too, are chosen by the number or the piece in which they differ: who has typed one goes on so."""
    narrowed = _undecided(ways)
    groups = _groups(narrowed)
    by_number = all(_NUMBER.fullmatch(word) for word, _ in groups if word != DONE)
    is_piece = bool(groups) and narrowed[0].rest[0].several
    goes_on = is_step and (by_number or is_piece)
    if len(groups) < 2 or (len(ways) <= MOST_LISTED and not goes_on):
        return Menu(tuple(_numbered((viewer.event(way.event), (way,)) for way in ways)), tuple(ways))
    numbers = iter(range(1, len(groups) + 1))
    keys = [word if by_number or word == DONE else str(next(numbers)) for word, _ in groups]
    choices = (
        Choice(key, _label("" if key == word else word, found, viewer, is_piece), tuple(found))
        for key, (word, found) in zip(keys, groups, strict=True)
    )
    return Menu(tuple(choices), tuple(ways), _question(narrowed, viewer))


def _question(ways: Sequence[Way], viewer: Viewer) -> str:
    """What the first part of the ways is; nothing where it is the action itself."""
    part, event = ways[0].rest[0], ways[0].event
    if not part.asked or not isinstance(event, Move):
        return ""
    taken = f" (with {', '.join(part.taken)})" if part.taken else ""
    return f"{viewer.action(event.action)} {part.asked}{taken}"


def _label(word: str, ways: Sequence[Way], viewer: Viewer, is_piece: bool) -> str:
    if len(ways) == 1:
        return word if is_piece else viewer.event(ways[0].event)
    return f"{word} ...  ({plural(len(ways), 'move')})".lstrip()


def _undecided(ways: Sequence[Way]) -> Sequence[Way]:
    """The ways without the first parts in which all are alike, and without the pieces that all have."""
    while all(way.rest for way in ways):
        first = ways[0].rest[0]
        if all(way.rest[0] == first for way in ways):
            ways = [replace(way, rest=way.rest[1:]) for way in ways]
            continue
        shared = Counter(first.values) if first.several else Counter()
        for way in ways:
            shared &= Counter(way.rest[0].values) if way.rest[0].several else Counter()
        for piece in shared.elements():
            ways = [_chosen(way, piece) for way in ways]
        break
    return ways


def _chosen(way: Way, piece: object) -> Way:
    return replace(way, rest=(way.rest[0].without(piece), *way.rest[1:]))


def _groups(ways: Sequence[Way]) -> list[tuple[str, list[Way]]]:
    """The ways by their first part, in words; a way whose pieces are chosen in any order is in several groups."""
    groups: dict[object, tuple[str, list[Way]]] = {}
    for way in ways:
        if not way.rest:
            continue
        part = way.rest[0]
        if not part.several or not part.values:
            word = part.words[0] if part.words else DONE
            groups.setdefault((part.values, DONE), (word, []))[1].append(replace(way, rest=way.rest[1:]))
            continue
        for value, word in dict(zip(part.values, part.words, strict=True)).items():
            groups.setdefault(value, (word, []))[1].append(_chosen(way, value))
    return sorted(groups.values(), key=lambda group: group[0] == DONE)


def _parts(move: Move, viewer: Viewer) -> Iterator[Part]:
    """All that is stated with a move, the action first."""
    yield Part((move.action,), words=(viewer.action(move.action),))
    types = {name: of for name, of, _ in viewer.game.moves[move.action].arguments} if move.arguments else {}
    for name, value in move.arguments:
        yield from _of_value(types[name], value, viewer.asked(move.action, name), viewer)


def _of_value(of: t.Type, value: t.Value, asked: str, viewer: Viewer) -> Iterator[Part]:
    match of:
        case t.Record(fields=fields, members=members):
            for (name, each), held in zip(fields, members[value], strict=True):
                called = viewer.speech.word(f"{of}.{name}", name)
                yield from _of_value(each, held, f"{asked} {called}", viewer)
        case t.SetOf() | t.BagOf():
            pieces = tuple(sorted(value, key=lambda piece: (piece is not None, piece)))
            yield Part(pieces, True, asked, tuple(viewer.said(of.of, piece) for piece in pieces))
        case t.ListOf():
            yield from (Part((item,), False, asked, (viewer.said(of.of, item),)) for item in value)
            yield Part((DONE,), False, asked)
        case _:
            yield Part((value,), False, asked, (viewer.stated(of, value),))
