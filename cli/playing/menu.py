"""Menu of moves: many moves are chosen in steps, first the action, then each argument, a record by its fields, a set by
its pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from ludex.grammar import enumerated, nearest
from ludex.interpreter import ChanceEvent, Event, Move
from ludex.spec import types as t

from ..reporting import cells, padded, without_directions, words
from ..view.observation_text import Viewer

MOST_LISTED = 15
"""More moves than this are chosen in steps."""
MOST_ROWS = 9
"""More items than this are printed in several columns."""
_FEW = 3
"""The largest number of possible next words that are listed if none resembles the typed one."""
DONE = "done"
_GAP = "   "
_NOTHING = "{}"
"""The empty set or bag, as it is typed."""
_TOKEN = re.compile(r"-?\w+|\{\s*\}")
_NUMBER = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class MovePart:
    """One part of a move: a value, or the pieces of a set or bag, which are chosen in any order.

    Attributes:
        asked: its name; words: the values in words; taken: the pieces chosen already.
        of: the type of a value, or of a piece; None for the action, or the end of a list.
        labels: words that may be typed before it and are not values: the argument's name, and those of records.
    """

    values: tuple[object, ...]
    several: bool = False
    asked: str = field(default="", compare=False)
    words: tuple[str, ...] = field(default=(), compare=False)
    taken: tuple[str, ...] = field(default=(), compare=False)
    of: t.Type | None = field(default=None, compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)

    def without(self, value: object) -> MovePart:
        """Remove a chosen piece."""
        at = self.values.index(value)
        values, words = self.values[:at] + self.values[at + 1 :], self.words[:at] + self.words[at + 1 :]
        return replace(self, values=values, words=words, taken=(*self.taken, self.words[at]))


@dataclass(frozen=True, slots=True)
class Way:
    """An event, with its parts that are still to be chosen."""

    event: Event
    rest: tuple[MovePart, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuItem:
    """The events that are chosen by typing the key: one, or several among which the next step decides."""

    key: str
    label: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """The items of the current step. question: which part of a move is asked for."""

    items: tuple[MenuItem, ...]
    ways: tuple[Way, ...]
    question: str = ""

    def rows(self, width: int) -> list[str]:
        """Write the items one below another; in columns if they are many."""
        margin = max(len(item.key) for item in self.items)
        labels = [f"{item.key:>{margin}}  {item.label}".rstrip() for item in self.items]
        widest = max(map(cells, labels))
        columns = 1 if len(labels) <= MOST_ROWS else max(1, (width - 2 + len(_GAP)) // (widest + len(_GAP)))
        height = -(-len(labels) // columns)
        rows = (_GAP.join(padded(each, widest) for each in labels[row::height]).rstrip() for row in range(height))
        return [*([f"{self.question}:"] if self.question else []), *(f"  {row}" for row in rows)]

    @property
    def wanted(self) -> str:
        """Say what to type."""
        in_order = all(item.key == str(number) for number, item in enumerate(self.items, start=1))
        return words("play-number", count=len(self.items)) if in_order else words("play-sign")

    def typed(self, text: str, viewer: Viewer, event: Event | None = None) -> MenuItem | None:
        """Find the item that is meant: by its key, in the notation, or by the words of a move, all of them or the
        first few. event: what the text means in the notation."""
        by_key = next((item for item in self.items if item.key == text.casefold()), None)
        if by_key is not None or not text:
            return by_key
        # The notation names one event at most.
        written = tuple(way for way in self.ways if way.event == event)
        if written or not _tokens(text):
            return MenuItem("", text, written) if written else None
        readings = self._matches(text, viewer)
        whole = _each_once(way for way, each in readings if each.is_all)
        begun = _each_once(way for way, each in readings if not each.unread)
        # The same values may be a whole move of one action and begin a move of another; unless the name was typed, the
        # next step asks.
        others = {_name(way.event) for way in begun} - {_name(way.event) for way in whole}
        is_sure = not others or any(each.is_all and each.is_named for _, each in readings)
        ways = whole if whole and is_sure else begun
        return MenuItem("", text, ways) if ways else None

    def misread(self, text: str, viewer: Viewer) -> str | None:
        """Explain what is wrong with a text that means no item, with the nearest word; None if no part of it is a
        move."""
        readings = [each for _, each in self._matches(text, viewer)]
        if not readings or not _tokens(text):
            return None
        least = min(len(each.unread) for each in readings)
        best = [each for each in readings if len(each.unread) == least]
        (word, *_), read = best[0].unread, best[0].read
        known = _all_tokens(viewer.event(way.event) for way in self.ways)
        expected = {each for one in best for each in one.expected}
        is_number = bool(_NUMBER.fullmatch(word))
        what = "not-offered" if is_number or word in known else "not-understood"
        entry = f"play-{what if expected else 'nothing-may-come'}"
        fault = words(f"{entry}-after", word=word, read=" ".join(read)) if read else words(entry, word=word)
        # A number with nothing before it is rather meant as the number of an item.
        near = _nearest(word, expected) if expected and (read or not is_number) else None
        return f"{fault}; {near}" if near else fault

    def _matches(self, text: str, viewer: Viewer) -> list[tuple[Way, _Read]]:
        """Match the text against each of the ways."""
        # In each language the names of the spec can be typed, too.
        viewers = [viewer] if viewer.own is viewer else [viewer, viewer.own]
        return [
            (way, replace(_read(saying, words), is_named=is_named))
            for way in self.ways
            for each in viewers
            for is_named, saying in _sayings(way, each)
            for words in _spellings(text, each)
        ]


WordList: TypeAlias = list[str]


@dataclass(frozen=True, slots=True)
class MenuWord:
    """A word of a move. is_label: it is not a value and may be left out."""

    text: str
    is_label: bool = False


WordRow: TypeAlias = list[MenuWord]
_SPELT = {"true": "yes", "false": "no"}
"""Truth values may be typed as in the language."""


@dataclass(frozen=True, slots=True)
class _Read:
    """Match of typed words with an event.

    Attributes:
        read, unread: the words that match, without labels, and those after them.
        expected: the possible next words; none if all were typed.
        is_named: whether the event's own name is among the words, or was chosen before.
    """

    read: WordList
    unread: WordList
    expected: set[str]
    is_named: bool = False

    @property
    def is_all(self) -> bool:
        return not self.unread and not self.expected


def _tokens(text: str) -> WordList:
    words = ("".join(word.split()) for word in _TOKEN.findall(without_directions(text).casefold()))
    return [_SPELT.get(word, word) for word in words]


def _spellings(text: str, viewer: Viewer) -> list[WordList]:
    """Return the words of a text as they are typed, and with the words of values in place of their signs."""
    words, parts = _tokens(text), re.split(r"([\s,{}\[\]()]+)", without_directions(text))
    spelt = _tokens("".join(viewer.terse.get(part.casefold(), part) for part in parts))
    return [words] if spelt == words else [words, spelt]


def _read(parts: Iterable[list[WordRow]], words: WordList) -> _Read:
    """Match the parts against the words, in order; the pieces of a part in any order. Labels alone match nothing."""
    reached, read = {0}, list[MenuWord]()
    for pieces in parts:
        left = list(pieces)
        while left:
            # Labels may be left out, so that the pieces before may have taken more or fewer of the words: `reached` has
            # each end.
            onward = [piece for piece in left if _after(piece, words, reached)[-1]]
            if not onward:
                at, known, expected = _stuck(left, words, reached)
                return _as_far([*read, *known], at, words, expected)
            # A shorter piece may be the beginning of a longer one.
            piece = max(onward, key=len)
            left.remove(piece)
            reached = _after(piece, words, reached)[-1]
            read += piece
    return _as_far(read, max(reached), words, set())


def _as_far(read: Iterable[MenuWord], at: int, words: WordList, expected: set[str]) -> _Read:
    without_labels = _without_labels(read)
    return _Read(without_labels, words[at:] if without_labels else words, expected)


def _after(piece: WordRow, words: WordList, reached: set[int]) -> list[set[int]]:
    """Compute how many words may have been typed before each word of a piece, and after the last one."""
    counts = [reached]
    for word in piece:
        onward = {at + 1 for at in counts[-1] if words[at : at + 1] == [word.text]}
        counts.append(onward | counts[-1] if word.is_label else onward)
    return counts


def _stuck(pieces: Iterable[WordRow], words: WordList, reached: set[int]) -> tuple[int, WordRow, set[str]]:
    """Find where no piece matches: the number of matched words, the matched words of a piece, the possible next
    words."""
    ends = [
        (max(ends), piece[:done], _without_labels(piece[done:])[0])
        for piece in pieces
        for done, ends in enumerate(_after(piece, words, reached))
        if ends
    ]
    furthest = max(at for at, _, _ in ends)
    known = max((known for at, known, _ in ends if at == furthest), key=len)
    return furthest, known, {word for at, _, word in ends if at == furthest}


def _without_labels(words: Iterable[MenuWord]) -> WordList:
    return [word.text for word in words if not word.is_label]


def _nearest(word: str, expected: set[str]) -> str | None:
    """Find the nearest possible word; if none is near, list all of them if they are few."""
    numbers = [each for each in expected if _NUMBER.fullmatch(each)]
    if _NUMBER.fullmatch(word) and numbers:
        close = min(numbers, key=lambda each: (abs(int(each) - int(word)), int(each)))
        return words("play-nearest", word=f"`{close}`")
    near = nearest(word, expected)
    if near is None:
        if len(expected) > _FEW:
            return None
        return words("play-possible", words=enumerated((f"`{each}`" for each in sorted(expected)), "or"))
    return words("play-nearest", word=f"`{near}`")


def _sayings(way: Way, viewer: Viewer) -> Iterator[tuple[bool, list[list[WordRow]]]]:
    """Enumerate the ways to type an event, part by part: with its name, without it, or only what is still to be
    chosen.

    Each comes with whether the event's name is known then.
    """
    event = way.event
    if isinstance(event, ChanceEvent):
        name, outcome = _plain(viewer.speech.word(event.path)), viewer.game.chances[event.path].outcome
        spoken = list(_spoken(outcome, event.outcome, viewer))
        yield True, [[name], [spoken]]
        yield False, [[spoken]]
        return
    if way.rest:
        yield True, [_pieces(part, viewer) for part in way.rest]
    action, *values = (_pieces(part, viewer) for part in _parts(event, viewer))
    yield True, [action, *values]
    if any(map(any, values)):
        yield False, values


def _plain(text: str, is_label: bool = False) -> WordRow:
    return [MenuWord(word, is_label) for word in _tokens(text)]


def _pieces(part: MovePart, viewer: Viewer) -> list[WordRow]:
    """List what is typed for a part; the pieces of a set or bag, each by itself."""
    labels = [word for label in part.labels for word in _plain(label, is_label=True)]
    if part.of is None:
        return [_plain(" ".join(part.words))]
    if not part.several:
        return [labels + list(_spoken(part.of, part.values[0], viewer))]
    if not part.values:
        return [] if part.taken else [[*labels, MenuWord(_NOTHING)]]
    return [[*labels, *_spoken(part.of, piece, viewer)] for piece in part.values]


def _spoken(of: t.Type, value: t.Value, viewer: Viewer) -> Iterator[MenuWord]:
    """Enumerate the words of a value as it may be typed: records with their names or without."""
    match of:
        case t.Optional() if value is not None:
            yield from _spoken(of.of, value, viewer)
        case t.Record(name=name, fields=fields, members=members):
            yield from _plain(viewer.speech.word(name, name), is_label=True)
            for (_, each), held in zip(fields, members[value], strict=True):
                yield from _spoken(each, held, viewer)
        case t.SetOf() | t.BagOf() | t.ListOf():
            for item in value:
                yield from _spoken(of.of, item, viewer)
        case _:
            yield from _plain(viewer.stated(of, value))


def _all_tokens(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _tokens(text)}


def _name(event: Event) -> str:
    return event.action if isinstance(event, Move) else event.path


def _each_once(ways: Iterable[Way]) -> tuple[Way, ...]:
    """Remove repeated ways."""
    # Several readings of a text may lead to the same way.
    return tuple({id(way): way for way in ways}.values())


# ---- chance -----------------------------------------------------------------------------------------------------


def chances_menu(chances: Sequence[tuple[ChanceEvent, Fraction]], viewer: Viewer) -> Menu:
    """Make a menu of every outcome of a chance event with its probability."""
    ways = tuple(Way(event) for event, _ in chances)
    labels = (f"{viewer.notation(event)}  ({share})" for event, share in chances)
    return Menu(tuple(_numbered((label, (way,)) for label, way in zip(labels, ways, strict=True))), ways)


def _numbered(groups: Iterable[tuple[str, tuple[Way, ...]]]) -> Iterator[MenuItem]:
    return (MenuItem(str(number), label, ways) for number, (label, ways) in enumerate(groups, start=1))


# ---- moves ------------------------------------------------------------------------------------------------------


def moves_menu(moves: Iterable[Move], viewer: Viewer) -> Menu:
    """Make a menu of the moves one by one if they are few; else of their first difference."""
    return menu_of([Way(move, tuple(_parts(move, viewer))) for move in moves], viewer, is_step=False)


def menu_of(ways: Sequence[Way], viewer: Viewer, is_step: bool = True) -> Menu:
    """Make a menu of some ways to move.

    is_step: a part of the move was chosen before. Then even a few moves are chosen by the part in which they differ, as
    a player who has typed one part expects to type the next.
    """
    narrowed = _undecided(ways)
    groups = _groups(narrowed)
    by_number = all(_NUMBER.fullmatch(word) for word, _ in groups if word != DONE)
    is_piece = bool(groups) and narrowed[0].rest[0].several
    goes_on = is_step and (by_number or is_piece)
    if len(groups) < 2 or (len(ways) <= MOST_LISTED and not goes_on):
        return Menu(tuple(_numbered((viewer.notation(way.event, mover=False), (way,)) for way in ways)), tuple(ways))
    numbers = iter(range(1, len(groups) + 1))
    keys = [word if by_number or word == DONE else str(next(numbers)) for word, _ in groups]
    choices = (
        MenuItem(key, _label("" if key == word else word, ways, viewer, is_piece), tuple(ways))
        for key, (word, ways) in zip(keys, groups, strict=True)
    )
    return Menu(tuple(choices), tuple(ways), _question(narrowed, viewer))


def _question(ways: Sequence[Way], viewer: Viewer) -> str:
    """Ask for the first part of the ways; no question for the action itself."""
    part, event = ways[0].rest[0], ways[0].event
    if not part.asked or not isinstance(event, Move):
        return ""
    question = f"{viewer.action(event.action)} {part.asked}"
    return words("play-with", question=question, taken=", ".join(part.taken)) if part.taken else question


def _label(word: str, ways: Sequence[Way], viewer: Viewer, is_piece: bool) -> str:
    if len(ways) == 1:
        return word if is_piece else viewer.notation(ways[0].event, mover=False)
    return f"{word} ...  ({words('count-moves', count=len(ways))})".lstrip()


def _undecided(ways: Sequence[Way]) -> Sequence[Way]:
    """Remove the first parts that all ways share, and the pieces that all have."""
    while all(way.rest for way in ways):
        first = ways[0].rest[0]
        # What all ways share leaves nothing to choose.
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
    """Group the ways by their first part, in words; one whose pieces are chosen in any order is in several groups."""
    groups: dict[object, tuple[str, list[Way]]] = {}
    for way in ways:
        if not way.rest:
            continue
        part = way.rest[0]
        if not part.several or not part.values:
            word = part.words[0] if part.words else DONE
            # This choice gets a key that no piece has, as its values may be those of a piece.
            groups.setdefault((part.values, DONE), (word, []))[1].append(replace(way, rest=way.rest[1:]))
            continue
        # Of equal pieces one is offered.
        for value, word in dict(zip(part.values, part.words, strict=True)).items():
            groups.setdefault(value, (word, []))[1].append(_chosen(way, value))
    # The end of a list is the last choice.
    return sorted(groups.values(), key=lambda group: group[0] == DONE)


def _parts(move: Move, viewer: Viewer) -> Iterator[MovePart]:
    """Enumerate all parts of a move, the action first."""
    yield MovePart((move.action,), words=(viewer.action(move.action),))
    types = {name: of for name, of, _ in viewer.game.moves[move.action].arguments} if move.arguments else {}
    for name, value in move.arguments:
        asked = viewer.asked(move.action, name)
        yield from _of_value(types[name], value, asked, viewer, (asked,))


def _of_value(
    of: t.Type, value: t.Value, asked: str, viewer: Viewer, labels: tuple[str, ...] = ()
) -> Iterator[MovePart]:
    match of:
        case t.Record(name=record, fields=fields, members=members):
            labels = (*labels, viewer.speech.word(record, record))
            for (name, each), held in zip(fields, members[value], strict=True):
                called = viewer.speech.word(f"{of}.{name}", name)
                yield from _of_value(each, held, f"{asked} {called}", viewer, labels)
                labels = ()
        case t.SetOf() | t.BagOf():
            # `none` compares with no other piece.
            pieces = tuple(sorted(value, key=lambda piece: (piece is not None, piece)))
            words = tuple(viewer.in_words(of.of, piece) for piece in pieces)
            yield MovePart(pieces, True, asked, words, of=of.of, labels=labels)
        case t.ListOf():
            for item in value:
                yield MovePart((item,), False, asked, (viewer.in_words(of.of, item),), of=of.of, labels=labels)
                labels = ()
            # A list ends by a choice, as a shorter one may be the beginning of a longer one.
            yield MovePart((DONE,), False, asked)
        case _:
            yield MovePart((value,), False, asked, (viewer.stated(of, value),), of=of, labels=labels)
