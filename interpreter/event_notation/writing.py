"""Writer of the notation: turns an event into a text that the reader reads as the same event."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.grammar import Message, in_language, shown_value
from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ..information.event_visibility import HIDDEN
from ..information.visibility import UNSEEN_ACTION
from ..state.api_arguments import checked, checked_names
from ..state.domains import is_value
from ..state.events import ChanceEvent, Event, Move
from .spoken import beside, in_each_language
from .syntax import NONE_WORD, UNSEEN, is_word, quoted_word
from .vocabulary import Vocabulary

_LONGEST = 1_000
"""The longest text of an object that is not a value of the game."""


class NotationWriter:
    """Writes the events of one game.

    language: terms in this language are used where they are unambiguous; None: the names in the spec. Signs of the
    notation are used in any case.
    """

    def __init__(self, game: m.Game, names: Sequence[str] = (), language: str | None = None) -> None:
        self.game, self.language = game, language
        self.vocabulary = Vocabulary(game, names)

    def event(self, event: Event) -> str:
        """Write an event: `Anna: study s07 at 1,2`, `roll.throw = 4`. What the game does not know stays as it is."""
        if isinstance(event, Move):
            return f"{self.mover(event.player)}: {self.move(event)}"
        via = "" if event.via is None else f" via {' '.join(map(str, event.via))}"
        return f"{self.chance(event.path)} = {self.outcome(event)}{via}"

    def mover(self, seat: int) -> str:
        """Write the player before a move."""
        # Refused events are written, too, and they may name a seat at which nobody sits.
        name = self.vocabulary.player(seat, self.language) if 0 <= seat < self.game.players else str(seat + 1)
        return name if all(map(is_word, name.split(" "))) or name == f"seat({seat + 1})" else quoted_word(name)

    def move(self, move: Move) -> str:
        """Write a move without its player."""
        if move.action == UNSEEN_ACTION and move.action not in self.game.moves:
            return UNSEEN
        words = self.vocabulary
        types = dict(words.arguments(move.action))
        labels = words.labels(move.action)
        missing = set(labels.known) | set(labels.doubtful)
        parts: list[str] = []
        for name, value in move.arguments:
            text = self.value(types.get(name), value)
            # A value that reads like the name of an argument needs its own name before it.
            if text in missing or (parts and words.has_label(move.action, name)):
                parts.append(labels.word(name, self.language))
            parts.append(text)
        # A value that reads like an action would be read as one.
        is_silent = move.action == words.nameless and parts and not self._is_action(parts[0])
        return " ".join(parts if is_silent else [words.actions.word(move.action, self.language), *parts])

    def _is_action(self, word: str) -> bool:
        return word == UNSEEN or word in self.vocabulary.actions.known or word in self.vocabulary.actions.doubtful

    def chance(self, path: str) -> str:
        """Write the name of a chance event."""
        return self.vocabulary.chances.word(path, self.language)

    def outcome(self, event: ChanceEvent) -> str:
        """Write the outcome of a chance event."""
        signature = self.game.chances.get(event.path)
        return self.value(signature.outcome if signature else None, event.outcome)

    def value(self, type_: t.Type | None, value: t.Value) -> str:
        """Write a value of the type; an object that is not a value of it as Python does."""
        if value is HIDDEN:
            return UNSEEN
        # Some items are hidden, so that the whole is not a value of its type.
        if isinstance(type_, t.Collection) and isinstance(value, tuple) and HIDDEN in value:
            return self._items(type_, value)
        if type_ is not None and is_value(type_, value):
            return self._value(type_, value)
        return value if isinstance(value, str) else shown_value(value, _LONGEST)

    def _value(self, type_: t.Type, value: t.Value) -> str:
        match type_:
            case t.Optional(of=of):
                return NONE_WORD if value is None else self._value(of, value)
            case t.Bool():
                return "yes" if value else "no"
            case t.Words():
                return self._word(type_, *type_.members[value])
            case t.ComponentType(ids=ids):
                return _safe(self.vocabulary.words(type_).word(ids[value], self.language))
            case t.PlayerType():
                name = self.vocabulary.player(value, self.language)
                # A bare number is read as a seat.
                return name if name == str(value + 1) else _safe(name)
            case t.Record(fields=fields, members=members):
                _, words = self.vocabulary.terse(type_)
                return words.get(value) or self._parts(fields, members[value])
            case t.SetOf():
                return self._items(type_, t.in_order(type_.of, value))
            case t.BagOf() | t.ListOf():
                return self._items(type_, value)
            case _:
                return str(value)

    def _word(self, type_: t.Words, name: str, data: tuple[t.Value, ...]) -> str:
        case = type_.case(name)
        word = _safe(self.vocabulary.words(type_).word(name, self.language))
        return f"{word}({self._parts(case.fields, data)})" if case is not None and case.fields else word

    def _parts(self, fields: Sequence[tuple[str, t.Type]], parts: Sequence[t.Value]) -> str:
        return ",".join(self._part(of, part) for (_, of), part in zip(fields, parts, strict=True))

    def _part(self, type_: t.Type, value: t.Value) -> str:
        """Write a value among others; a record of several fields is then in brackets."""
        text = self.value(type_, value)
        return f"({text})" if isinstance(t.strip_optional(type_), t.Record) and "," in text else text

    def _items(self, type_: t.Collection, items: Sequence[t.Value]) -> str:
        opening, closing = "[]" if isinstance(type_, t.ListOf) else "{}"
        return f"{opening}{', '.join(self._part(type_.of, item) for item in items)}{closing}"


def _safe(word: str) -> str:
    return word if is_word(word) else quoted_word(word)


_BOOLEANS = {True: "view-yes", False: "view-no"}


def plainly(game: m.Game, type_: t.Type, value: t.Value, names: Sequence[str] = ()) -> str:
    """Write a value as the spec does; one that has a sign, such as `10♠`, by its sign, as moves are written."""
    writer, kind = NotationWriter(game, names), t.strip_optional(t.element_type(type_) or t.strip_optional(type_))
    has_signs = isinstance(kind, t.Record) and bool(writer.vocabulary.terse(kind)[1])
    is_partial = isinstance(value, tuple) and HIDDEN in value
    return writer.value(type_, value) if has_signs or is_partial else show(type_, value, names)


def shown(game: m.Game, type_: t.Type, value: t.Value, names: Sequence[str] = ()) -> str:
    """Write a value as the spec does and, in a language, in the notation with the game's terms.

    The language's own words for yes, no and nothing are for reading only: the notation has English ones.
    """
    plain = "view-none" if value is None else _BOOLEANS[value] if isinstance(value, bool) else None

    def write(language: str | None) -> str:
        if language is None:
            return NONE_WORD if value is None else plainly(game, type_, value, names)
        if plain is not None:
            return in_language(Message(plain), language)
        written = NotationWriter(game, names, language).value(type_, value)
        # A reading of a fork is called by a sentence, which is not a word of the notation.
        is_unsaid = isinstance(type_, t.Words) and written == type_.members[value][0]
        return beside(written, game.word(f"{type_}.{written}", language)) if is_unsaid else written

    return in_each_language(game, write)


@checked(game=m.Game, event=(Move, ChanceEvent))
def notation(game: m.Game, event: Event, names: Sequence[str] = ()) -> str:
    """Write the event in the notation. names: the players' names by seat, if they have any."""
    return NotationWriter(game, checked_names(names, game.players)).event(event)
