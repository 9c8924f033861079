"""Reader of players and values in the logs of one table, by seat number or by name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ludex.grammar import Json, Message, at_pointer, did_you_mean, in_language, shown_text, suggested
from ludex.spec import JsonFault, all_faults, from_json, show
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import beside, in_each_language
from ...event_notation.writing import NotationWriter, plainly
from ...event_notation.written_values import WrittenValues
from ...explanation.wording import player_words
from ...information.event_visibility import HIDDEN
from .. import log_codes
from .problems import Problem, is_unknown, quoted, value_problem, wrong_value


def is_player(type_: t.Type) -> bool:
    """Test whether a log may write a value of the type as a player's name."""
    return isinstance(t.strip_optional(type_), t.PlayerType)


class SeatedTable:
    """Reads the values in one game's logs. names: the players' names by seat, () if they have none."""

    def __init__(self, game: m.Game, names: tuple[str, ...] = ()) -> None:
        self.game = game
        self.names = names
        self.shown = tuple(map(shown_text, names))
        self.seats = {name: seat for seat, name in enumerate(names)}
        self._written: WrittenValues | None = None

    def seat(self, data: Json) -> int | None:
        """Return the seat, from 0, of a seat number from 1 or a name; None if the table has no such player."""
        if isinstance(data, str):
            return self.seats.get(data)
        if isinstance(data, int) and not isinstance(data, bool) and 1 <= data <= self.game.players:
            return data - 1
        return None

    def player(self, seat: int) -> str:
        """Name the player at the seat, for a report."""
        return player_words(seat, self.shown)

    def cell_words(self, element: m.Element, indices: tuple[t.Value, ...]) -> str:
        """Name one state or zone, for a report: `hand(Elena)`, in each language with its term in brackets."""

        def write(language: str | None) -> str:
            # Only a player without a name is called otherwise in another language.
            shown = ", ".join(
                in_language(self.player(at), language) if isinstance(of, t.PlayerType) else show(of, at)
                for of, at in zip(element.indices, indices, strict=True)
            )
            own = f"{element.name}({shown})" if shown else element.name
            return own if language is None else beside(own, self.game.word(element.name, language))

        return in_each_language(self.game, write)

    def value_words(self, type_: t.Type, value: t.Value) -> str:
        """Write a value as the spec does, and in each language by the game's terms."""

        def write(language: str | None) -> str:
            if language is None:
                return plainly(self.game, type_, value)
            return NotationWriter(self.game, self.names, language).value(type_, value)

        return in_each_language(self.game, write)

    def unknown_player(self, pointer: str, data: Json, at_name: bool = False) -> Problem:
        expected = Message("expected-seat", count=self.game.players)
        if self.names:
            names = ", ".join(map(quoted, self.names))
            expected = Message("expected-seat-or-name", count=self.game.players, names=names)
        problem = wrong_value(pointer, expected, data, log_codes.UNKNOWN_PLAYER)
        hint = (lambda: did_you_mean(data, self.names)) if isinstance(data, str) else None
        return Problem(problem.code, pointer, problem.message, hint, at_name)

    def plain(self, type_: t.Type, data: Json) -> Json:
        """Return the data of a value, parts of which may be written as the notation writes them."""
        return self._words().data(type_, data)

    def _words(self) -> WrittenValues:
        # Most logs have no such text, and the words of a game take long to make.
        self._written = self._written or WrittenValues(self.game)
        return self._written

    def stated(self, type_: t.Type, data: Json, pointer: str, problems: list[Problem]) -> t.Value:
        """Read what an event states; `HIDDEN` for what the recorder could not see: the whole, or items of a list."""
        # A game may have a word `unknown` of its own, which is a value like others.
        if is_unknown(data) and isinstance(from_json(type_, data), JsonFault):
            return HIDDEN
        if not (isinstance(type_, t.BagOf | t.ListOf) and isinstance(data, list) and any(map(is_unknown, data))):
            return self.value(type_, data, pointer, problems)
        items = [self.stated(type_.of, item, f"{pointer}/{at}", problems) for at, item in enumerate(data)]
        # After a fault there is a None among the items, which cannot be sorted.
        if isinstance(type_, t.ListOf) or problems:
            return tuple(items)
        # A bag has one order, so that equal bags are equal. What is hidden has none, and is last.
        return (*sorted(item for item in items if item is not HIDDEN), *(item for item in items if item is HIDDEN))

    def value(self, type_: t.Type, data: Json, pointer: str, problems: list[Problem]) -> t.Value:
        """Read a value of the type, a player also by name; on faults append a problem for each and return None."""
        value = from_json(type_, data)
        if not isinstance(value, JsonFault):
            return value
        # `unknown` is not a misspelt name: the problem below says that it cannot be here.
        if is_player(type_) and isinstance(data, str) and not is_unknown(data):
            if data in self.seats:
                return self.seats[data]
            if self.plain(type_, data) == data:
                problems.append(self.unknown_player(pointer, data))
                return None
        plain = self.plain(type_, data)
        written = from_json(type_, plain)
        if not isinstance(written, JsonFault):
            return written
        # A problem is about the data as written, but never about a part of a sign.
        faults = [
            fault
            for fault in all_faults(type_, plain, written)
            if at_pointer(plain, fault.pointer) == at_pointer(data, fault.pointer)
        ]
        for fault in faults or [value]:
            problem = value_problem(fault, data, pointer)
            problems.append(problem if problem.hint else replace(problem, hint=partial(self._near, fault, data)))
        return None

    def _near(self, fault: JsonFault, data: Json) -> str | None:
        """Return the hint that names the record which a text may mean."""
        text = at_pointer(data, fault.pointer)
        near = self._words().near(fault.type, text) if isinstance(text, str) and fault.type is not None else None
        return suggested(near)
