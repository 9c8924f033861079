"""The words of one game in the notation: its own names, and its terms where they are unambiguous.

A thing can always be written by its name in the spec. Its terms, in every language, are read too, if nothing else of
the same kind has that word; otherwise the word means nothing, and the reader says what it could mean. The writer uses
only words that the reader understands, so that what is written is read as what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from string import ascii_letters

from ludex.spec import model as m
from ludex.spec import types as t

from ..state.events import DECLINE
from .syntax import NONE_WORD, is_word

_FIELD = re.compile(r"\{(\w+)(?::([aA]))?\}")
"""A part of a record's template: `{column}`, or `{column:a}` for a number that is written as a letter."""
_LETTERS = {"a": ascii_letters[:26], "A": ascii_letters[26:]}
_BETWEEN = "_."
"""Signs between the words of a name."""
_WORDS = (t.Words, t.ComponentType, t.Range)
FEW_WORDS = 4
"""The largest number of words with which a type is shown by its words."""


class Names:
    """The things of one kind, such as the words of a type, and the words for them.

    Attributes:
        known: the thing's own name, by each word that means one thing.
        doubtful: what a word may mean that stands for several things.
    """

    def __init__(self, own: Iterable[str], said: Callable[[str], Iterable[tuple[str, str]]]) -> None:
        """own: the names of the things; said: the words for a thing, each with its language, "" if it has none."""
        self.known = {name: name for name in own}
        self._words: dict[tuple[str, str], str] = {}
        self._signs: dict[str, list[str]] = {}
        meant: dict[str, dict[str, None]] = {}
        for name in list(self.known):
            for language, text in said(name):
                # A term may have several words, and the notation ends a word at a blank.
                word = "_".join(text.split())
                # The spec's own names go before terms, so that they can always be written.
                if word not in self.known and is_word(word):
                    meant.setdefault(word, {})[name] = None
                    self._words.setdefault((name, language), word)
                    if language == m.NOTATION:
                        self._signs.setdefault(name, []).append(word)
        # A word for several things means none of them: a reader must never guess.
        self.known.update((word, next(iter(names))) for word, names in meant.items() if len(names) == 1)
        self.doubtful = {word: tuple(names) for word, names in meant.items() if len(names) > 1}
        self.most = max((word.count("_") + 1 for word in (*self.known, *self.doubtful)), default=1)
        """The largest number of words that may be written for one, as `God card` for `God_card`."""

    def meanings(self, word: str) -> tuple[str, ...]:
        """Return the things that a word may mean."""
        return (self.known[word],) if word in self.known else self.doubtful.get(word, ())

    def begun(self, word: str) -> tuple[str, ...]:
        """Return the things that a word may mean, or else those whose words begin with it: `swap` for `swap_market`."""
        begins = tuple(f"{word}{sign}" for sign in _BETWEEN)
        longer = (self.meanings(each) for each in (*self.known, *self.doubtful) if each.startswith(begins))
        return self.meanings(word) or tuple(dict.fromkeys(name for names in longer for name in names))

    def word(self, name: str, language: str | None = None) -> str:
        """Return the word for a thing: its sign in the notation, else its word in the language, else its name."""
        words = (self._words.get((name, tag)) for tag in (m.NOTATION, language or m.NOTATION))
        return next((word for word in words if word is not None and self.known.get(word) == name), name)

    def signs(self, name: str) -> tuple[str, ...]:
        """Return all signs of a thing, the one that is written first; its name if it has none."""
        signs = (sign for sign in self._signs.get(name, ()) if self.known.get(sign) == name)
        return tuple(dict.fromkeys((self.word(name), *signs)))


class Vocabulary:
    """The words of one game at one table. names: the players' names by seat; () if they have none."""

    def __init__(self, game: m.Game, names: Sequence[str] = ()) -> None:
        self.game, self.names = game, tuple(names)
        self.actions = Names((*game.moves, DECLINE), self._action_words)
        self.chances = Names(game.chances, self._path_words)
        self.elements = Names(game.element, self._terms_of)
        nameless = [name for name in game.moves if self._is_silent(name)]
        # With two such actions it would not be clear which is meant.
        self.nameless = nameless[0] if len(nameless) == 1 else None
        """The action whose name may be left out, as its term in the notation is empty."""
        self.labels = cache(self._labels)
        self.words = cache(self._type_words)
        self.terse = cache(self._terse)

    def _terms_of(self, path: str) -> Iterator[tuple[str, str]]:
        term = self.game.terms.get(path)
        return ((word.language, word.text) for word in (term.words if term else ()))

    def _is_silent(self, path: str) -> bool:
        return self.game.word(path, m.NOTATION) == ""

    def _action_words(self, name: str) -> Iterator[tuple[str, str]]:
        yield from self._terms_of(name)
        yield from _endings(name)

    def _path_words(self, path: str) -> Iterator[tuple[str, str]]:
        yield from self._terms_of(path)
        yield from _endings(path)

    # ---- parts of a move

    def arguments(self, action: str) -> tuple[tuple[str, t.Type], ...]:
        """Return the arguments of an action with their types, in the order in which they are written."""
        signature = self.game.moves.get(action)
        return tuple((name, of) for name, of, _ in signature.arguments) if signature else ()

    def _labels(self, action: str) -> Names:
        return Names((name for name, _ in self.arguments(action)), lambda name: self._terms_of(f"{action}.{name}"))

    def has_label(self, action: str, argument: str) -> bool:
        """Test whether the argument's name is written before its value: not before the first, nor if the game says
        so."""
        return argument != self.arguments(action)[0][0] and not self._is_silent(f"{action}.{argument}")

    def takes(self, action: str, word: str) -> bool:
        """Test whether a word can follow the name of an action. Only a word that no writer puts there cannot."""
        types = [of for _, of in self.arguments(action)]
        return word in self.labels(action).known or any(self._can_begin(t.strip_optional(of), word) for of in types)

    def _can_begin(self, type_: t.Type, word: str) -> bool:
        if isinstance(type_, t.Words | t.ComponentType) and self.words(type_).meanings(word):
            return True
        signs = self.terse(type_)[0] if isinstance(type_, t.Record) else {}
        return word in signs or not word.isalpha() or not (signs or isinstance(type_, _WORDS))

    # ---- values

    def _type_words(self, type_: t.Words | t.ComponentType) -> Names:
        own = type_.ids if isinstance(type_, t.ComponentType) else (case.name for case in type_.cases)
        return Names(own, lambda name: self._terms_of(f"{type_}.{name}"))

    def _terse(self, type_: t.Record) -> tuple[Mapping[str, int], Mapping[int, str]]:
        """Return the short words for records of a type, and back: those of its template that mean one record."""
        template = self.game.word(type_.name, m.NOTATION)
        pieces = _FIELD.split(template or "")
        # A template that leaves a field out cannot be read back.
        if len(type_.fields) < 2 or sorted(pieces[1::3]) != sorted(name for name, _ in type_.fields):
            return {}, {}
        meant: dict[str, dict[int, None]] = {}
        for position, parts in enumerate(type_.members):
            values = {name: (of, part) for (name, of), part in zip(type_.fields, parts, strict=True)}
            signs = [
                self._in_template(*values[name], how) for name, how in zip(pieces[1::3], pieces[2::3], strict=True)
            ]
            for texts in product(*signs):
                word = "".join(text for pair in zip(pieces[::3], (*texts, ""), strict=True) for text in pair)
                # Signs put together may not be one word of the notation any more.
                if "" not in texts and is_word(word):
                    meant.setdefault(word, {})[position] = None
        one = {word: next(iter(positions)) for word, positions in meant.items() if len(positions) == 1}
        # Of several words for a record the first is written.
        return one, {position: word for word, position in reversed(one.items())}

    def letter(self, type_: t.Record, field: str, value: int) -> str | None:
        """Return the letter for a number in a field, if records of the type are written with one."""
        template = self.game.word(type_.name, m.NOTATION) or ""
        of = dict(type_.fields)[field]
        how = next((how for name, how in _FIELD.findall(template) if name == field and how), None)
        return self._in_template(of, value, how)[0] or None if how else None

    def _in_template(self, type_: t.Type, value: t.Value, how: str | None) -> tuple[str, ...]:
        """List the signs of a field of a record for its template, the one that is written first; "" if it has none."""
        match type_:
            case t.Range(low=low) if how:
                return (_LETTERS[how][value - low : value - low + 1],)
            case t.Range():
                return (str(value),)
            case t.Words() if type_.plain:
                return self.words(type_).signs(type_.members[value][0])
            case t.ComponentType(ids=ids):
                return self.words(type_).signs(ids[value])
            case _:
                return ("",)

    # ---- forms

    def shape(self, action: str, language: str | None = None) -> str:
        """Show how a move is written, without its player: `study Place at level,col`."""
        labels, arguments = self.labels(action), self.arguments(action)
        words = [] if action == self.nameless and arguments else [self.actions.word(action, language)]
        for name, of in arguments:
            words += [labels.word(name, language)] if self.has_label(action, name) else []
            words.append(self.form(of, language))
        return " ".join(words)

    def form(self, type_: t.Type, language: str | None = None) -> str:
        """Show how the values of a type are written: `level,col`, `{Card, ...}`, `a1..h8`."""
        match type_:
            case t.Record(members=members):
                words = self.terse(type_)[1]
                if len(words) == len(members) > 0:
                    return f"{words[0]}..{words[len(members) - 1]}"
                return self.fields_form(type_, language)
            case t.Words() if type_.plain and len(type_.cases) <= FEW_WORDS:
                return "|".join(self.words(type_).word(case.name, language) for case in type_.cases)
            case t.SetOf(of=of) | t.BagOf(of=of):
                return f"{{{self.form(of, language)}, ...}}"
            case t.ListOf(of=of):
                return f"[{self.form(of, language)}, ...]"
            case t.Optional(of=of):
                return f"{self.form(of, language)}|{NONE_WORD}"
            case t.Bool():
                return "yes|no"
            case t.Range(low=low, high=high):
                return f"{low}..{high}" if low < high else str(low)
            case t.PlayerType(count=count):
                return "|".join(self.player(seat, language) for seat in range(count))
            case _:
                return self._called(str(type_), str(type_), language)

    def fields_form(self, type_: t.Record, language: str | None = None) -> str:
        """Show how a record is written field by field, whatever signs the game has: `rank,suit`."""
        return ",".join(self._called(f"{type_.name}.{name}", name, language) for name, _ in type_.fields)

    def _called(self, path: str, name: str, language: str | None) -> str:
        """Name a type or field in a form, in the language if it has one word for it."""
        return "_".join((self.game.word(path, language) or name).split())

    # ---- players

    def player(self, seat: int, language: str | None = None) -> str:
        """Name a player: by the name in the log, else by the game's name for the seat, else by the number of it."""
        if self.names:
            return self.names[seat]
        term = self.game.terms.get(f"seat({seat + 1})")
        name = (self.game.word(term.name, language) or term.words[0].text) if term else ""
        # Two seats with one name in some language are distinguished by their numbers.
        return name if self.players.get(name) == seat else str(seat + 1)

    @cached_property
    def players(self) -> Mapping[str, int]:
        """The seats by all names that mean one: the names in the log first, then the game's names for its seats."""
        seats = range(self.game.players)
        meant: dict[str, set[int]] = {}
        for seat in seats:
            for _, text in self._terms_of(f"seat({seat + 1})"):
                meant.setdefault(text, set()).add(seat)
        known = {word: min(each) for word, each in meant.items() if len(each) == 1}
        known.update((f"seat({seat + 1})", seat) for seat in seats)
        # These are added last, so that a log's own names win over everything, even `seat(2)`.
        known.update((name, seat) for seat, name in enumerate(self.names))
        return known


def _endings(path: str) -> Iterator[tuple[str, str]]:
    """Yield the endings of a path (`swap_market` of `resolve.swap_market`), which mean it if no other path ends so."""
    while "." in path:
        path = path.partition(".")[2]
        yield "", path
