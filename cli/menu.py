"""What can be chosen now. Many moves are chosen in steps: the action, then one argument after the other, a record field
by field, a set piece by piece."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from ludex.grammar import nearest
from ludex.interpreter import ChanceEvent, Event, Move
from ludex.spec import types as t

from .report import plural
from .texts import bare, cells, padded
from .view import Viewer

MOST_LISTED = 15
"""More moves than this are chosen in steps."""
MOST_ROWS = 9
"""More choices than this stand in several columns."""
FEW = 3
"""So many words that may come next are named where none is like the one typed."""
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
        if by_key is not None or not _tokens(text):
            return by_key
        found = self._found(text, viewer)
        whole = _each_once(way for way, each in found if each.is_all)
        begun = _each_once(way for way, each in found if not each.unread)
        return Choice("", text, whole or begun) if whole or begun else None

    def misread(self, text: str, viewer: Viewer) -> str | None:
        """What of a text that means no choice is not understood, or not on offer, and what is nearest to it; None where
        nothing was typed that could be part of a move."""
        found = [each for _, each in self._found(text, viewer)]
        if not found or not _tokens(text):
            return None
        least = min(len(each.unread) for each in found)
        best = [each for each in found if len(each.unread) == least]
        (word, *_), read = best[0].unread, best[0].read
        known = _all_tokens(viewer.event(way.event) for way in self.ways)
        expected = {each for one in best for each in one.expected}
        after = f" after `{' '.join(read)}`" if read else ""
        if not expected:
            return f"nothing comes{after}, but `{word}` was typed"
        is_number = bool(_NUMBER.fullmatch(word))
        meant = f"; {near}" if (read or not is_number) and (near := _nearest(word, expected)) else ""
        return f"`{word}` is not {'on offer' if is_number or word in known else 'understood'}{after}{meant}"

    def _found(self, text: str, viewer: Viewer) -> list[tuple[Way, _Read]]:
        """How far the text is each of the ways."""
        viewers = [viewer] if viewer.own is viewer else [viewer, viewer.own]
        said = [(way, saying) for way in self.ways for each in viewers for saying in _sayings(way, each)]
        spare = set().union(*(_labels(self.ways, each) for each in viewers))
        words = _tokens(text)
        words = _plain(words, spare) or words
        return [
            (way, _read([[_plain(piece, spare) for piece in part] for part in saying], words)) for way, saying in said
        ]


Words: TypeAlias = list[str]
_SPELT = {"true": "yes", "false": "no"}
"""Truth values may be typed as the language writes them."""


@dataclass(frozen=True, slots=True)
class _Read:
    """How far typed words say an event.

    Attributes:
        read, unread: the words that do, and those after them.
        expected: the words that may come next; none where all was said.
    """

    read: Words
    unread: Words
    expected: set[str]

    @property
    def is_all(self) -> bool:
        return not self.unread and not self.expected


def _tokens(text: str) -> Words:
    return _TOKEN.findall(bare(text).casefold())


def _plain(words: Words, spare: set[str]) -> Words:
    """The words that tell events apart."""
    return [_SPELT.get(word, word) for word in words if word not in spare]


def _read(parts: Iterable[list[Words]], words: Words) -> _Read:
    """Reads the parts from the words, one after the other; the pieces of a part in any order."""
    at = 0
    for pieces in parts:
        left = sorted(filter(None, pieces), key=len, reverse=True)
        while left:
            piece = next((each for each in left if words[at : at + len(each)] == each), None)
            if piece is None:
                shared = [_shared(each, words[at:]) for each in left]
                at += max(shared)
                expected = {each[max(shared)] for each, count in zip(left, shared, strict=True) if count == max(shared)}
                return _Read(words[:at], words[at:], expected)
            left.remove(piece)
            at += len(piece)
    return _Read(words[:at], words[at:], set())


def _shared(one: Words, other: Words) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


def _nearest(word: str, expected: set[str]) -> str | None:
    """Which of the words that may come is nearest; where none is near, all of them if they are few."""
    numbers = [each for each in expected if _NUMBER.fullmatch(each)]
    if _NUMBER.fullmatch(word) and numbers:
        return f"the nearest is `{min(numbers, key=lambda each: (abs(int(each) - int(word)), int(each)))}`"
    near = nearest(word, expected)
    if near is None:
        return " or ".join(f"`{each}`" for each in sorted(expected)) + " is" if len(expected) <= FEW else None
    return f"the nearest is `{near}`"


def _sayings(way: Way, viewer: Viewer) -> Iterator[list[list[Words]]]:
    """How an event may be typed, part by part: as it is shown, by its values alone, with the action's name or without
    it, or by what is still to be chosen."""
    text = viewer.event(way.event)
    yield [[_tokens(text)]]
    if isinstance(way.event, ChanceEvent):
        yield [[_tokens(text.partition(": ")[2])]]
        return
    if way.rest:
        yield [_pieces(part) for part in way.rest]
    action, *values = map(_pieces, _parts(way.event, viewer))
    yield [action, *values]
    if any(map(any, values)):
        yield values


def _pieces(part: Part) -> list[Words]:
    return [_tokens(word) for word in part.words] if part.several else [_tokens(" ".join(part.words))]


def _labels(ways: Iterable[Way], viewer: Viewer) -> set[str]:
    """The words in the texts of events that say no value: names of records, and what is asked where no value is called
    so."""
    game, asked, stated = viewer.game, list[str](), list[t.Type]()
    for path in {way.event.path for way in ways if isinstance(way.event, ChanceEvent)}:
        stated.append(game.chances[path].outcome)
    for action in {way.event.action for way in ways if isinstance(way.event, Move) and way.event.arguments}:
        asked += [viewer.asked(action, name) for name, _, _ in game.moves[action].arguments]
        stated += [of for _, of, _ in game.moves[action].arguments]
    records = [viewer.speech.word(name, name) for of in stated for name in _records(of)]
    values = [word for way in ways for part in _values(way.event, viewer) for word in part.words]
    return _all_tokens(records) | (_all_tokens(asked) - _all_tokens(values))


def _all_tokens(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _tokens(text)}


def _values(event: Event, viewer: Viewer) -> Iterable[Part]:
    """What is stated with a move, without the action."""
    return islice(_parts(event, viewer), 1, None) if isinstance(event, Move) else ()


def _each_once(ways: Iterable[Way]) -> tuple[Way, ...]:
    """A way may be said in several ways."""
    return tuple({id(way): way for way in ways}.values())


def _records(of: t.Type) -> Iterator[str]:
    match of:
        case t.Record(name=name, fields=fields):
            yield name
            for _, each in fields:
                yield from _records(each)
        case t.Optional() | t.SetOf() | t.BagOf() | t.ListOf():
            yield from _records(of.of)


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
