"""An observation in words: players, values, cells and events of one game, by its own names or its terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ludex.interpreter import HIDDEN, HIDDEN_JSON, ChanceEvent, Event, NotationWriter, TypedLine, typed_line
from ludex.spec import (
    EMPTY,
    NOT_SEEN,
    JsonFault,
    from_json,
    named_types,
    shape_of,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..reporting import without_directions
from .display_names import Speech

NONE_SIGN = "-"
"""An empty collection; a value that is none or false."""
MOST_PIECES_LISTED = 8
"""The largest number of pieces that are named of a pile or bag that is not a player's."""

Observation = Mapping[str, Any]


class Viewer:
    """Words for one game's observations. names: the players', by seat; () if they have none. language: of the words
    in them; None: the spec's own names. isolating, around: see `Speech`."""

    def __init__(
        self,
        game: m.Game,
        names: Sequence[str] = (),
        language: str | None = None,
        isolating: bool | None = None,
        around: str | None = None,
    ) -> None:
        self.game = game
        self.speech = Speech(game, names, language, isolating, around)
        self.frame = self.speech.frame
        self.writer = NotationWriter(game, names, language)
        # One viewer serves for both where the words are the spec's anyhow.
        self.own = (
            Viewer(game, names, None, isolating, "en") if language or self.speech.around not in (None, "en") else self
        )
        """The same in the spec's own names, which may always be typed."""

    # ---- values in words

    def player(self, seat: int) -> str:
        return self.speech.players[seat]

    def of_player(self, element: m.Element, seat: int) -> str:
        """Name a player's part of an element: `hand of Anna`."""
        return self.frame("of", element=self.called(element), player=self.player(seat))

    def value(self, type_: t.Type, data: Any, brief: bool = False) -> str:
        """Write a value, given as JSON, in words; `.` for none."""
        if data == HIDDEN_JSON:
            return NOT_SEEN
        value = from_json(type_, data)
        # What does not fit the type is shown as it is, since a picture must not fail.
        return str(data) if isinstance(value, JsonFault) else self.in_words(type_, value, brief)

    def in_words(self, type_: t.Type, value: t.Value, brief: bool = False) -> str:
        """Write a value in words; players by their names, records of words without theirs (`four spades`).

        brief: write players without a name by their number alone.
        """
        match type_:
            case t.Optional():
                return EMPTY if value is None else self.in_words(type_.of, value, brief)
            case t.PlayerType():
                # A number takes one column of a grid, and a name would take many.
                return str(value + 1) if brief and not self.speech.named else self.player(value)
            case t.Bool():
                return self.frame("yes" if value else "no")
            # A collection of collections, such as all earlier positions of the board, would fill the page.
            case t.SetOf() | t.BagOf() | t.ListOf() if isinstance(type_.of, t.SetOf | t.BagOf | t.ListOf):
                return self.frame("noted", count=len(value)) if value else NONE_SIGN
            case t.SetOf():
                return ", ".join(self.in_words(type_.of, item) for item in sorted(value, key=_none_first)) or NONE_SIGN
            case t.BagOf() | t.ListOf():
                return ", ".join(self.in_words(type_.of, item) for item in value) or NONE_SIGN
            case t.Record() if all(isinstance(of, t.Words) for _, of in type_.fields):
                parts = zip(type_.fields, type_.members[value], strict=True)
                return self.speech.phrase(self.in_words(of, part) for (_, of), part in parts)
            case t.Words() if type_.members[value][1]:
                return self._with_data(type_, value, brief)
            case _:
                return self.speech.value(type_, value)

    def called(self, element: m.Element) -> str:
        return self.speech.word(element.name)

    def _with_data(self, type_: t.Words, value: t.Value, brief: bool) -> str:
        word, data = type_.members[value]
        case = type_.case(word)
        assert case is not None
        inside = (self.in_words(of, part, brief) for (_, of), part in zip(case.fields, data, strict=True))
        return f"{self.speech.word(f'{type_}.{word}', word)}({', '.join(inside)})"

    def cell(self, element: m.Element, data: Any, brief: bool = False) -> str:
        """Return the words for the content of one cell of an element."""
        if (count := unseen_count(element, data)) is not None:
            return self._unseen(element, count)
        match element.kind:
            case "one":
                return self.value(t.optional(element.type), data, brief)
            case "pile" | "bag":
                return ", ".join(self.items(element, data))
            case _:
                return self.value(element.type, data, brief)

    def items(self, element: m.Element, data: Any) -> list[str]:
        """Return the words for the content of one cell of an element, piece by piece."""
        if element.kind not in ("pile", "bag") or isinstance(data, dict):
            return [self.cell(element, data)]
        # A player decides by the whole of a hand, so that none of it is left out.
        most = None if shape_of(element).by_player else MOST_PIECES_LISTED
        if element.kind == "pile":
            # The top of a pile is its last item, but the first that somebody looks for.
            return self._listed(element.type, data[::-1], most, self.frame("top"))
        return self._listed(element.type, data, most)

    def event(self, event: Event) -> str:
        """Write an event in words, as somebody sees it: `study(card: l03, at: Site(1, 1))`, `roll.throw: ?`."""
        if isinstance(event, ChanceEvent):
            return f"{self.speech.word(event.path)}: {self.outcome(event)}"
        # Declining is not an action of the game, so that it has no entry there.
        types = {name: of for name, of, _ in self.game.moves[event.action].arguments} if event.arguments else {}
        inside = ", ".join(
            f"{self.asked(event.action, name)}: {self.stated(types[name], value)}" for name, value in event.arguments
        )
        action = self.action(event.action)
        return f"{action}({inside})" if inside else action

    def notation(self, event: Event, mover: bool = True) -> str:
        """Write an event in the notation, as a log and the prompt take it. mover: with the player of a move."""
        text = self.writer.event(event) if mover or isinstance(event, ChanceEvent) else self.writer.move(event)
        return self._safe(text)

    def result(self, event: ChanceEvent) -> str:
        """Write the outcome of a chance event in the notation."""
        return self._safe(self.writer.outcome(event))

    def _safe(self, text: str) -> str:
        return self.speech.notation(text)

    def line(self, text: str, player: int | None) -> TypedLine:
        """Read a line as a text log has it, a move of the player unless it names one. Raises Failure."""
        # The words around a text from right to left are marked, and marks are not part of the notation.
        return typed_line(self.game, without_directions(text), self.writer.vocabulary.names, player)

    @cached_property
    def terse(self) -> Mapping[str, str]:
        """The words of the values that have a sign, by the sign: `ten spades` for `10♠`."""
        types = [of for move in self.game.moves.values() for _, of, _ in move.arguments]
        types += [chance.outcome for chance in self.game.chances.values()]
        found: dict[str, str] = {}
        for of in named_types(types).values():
            if isinstance(of, t.Record):
                for sign, position in self.writer.vocabulary.terse(of)[0].items():
                    parts = zip(of.fields, of.members[position], strict=True)
                    # Signs of several types may be alike; the first that is asked for wins.
                    found.setdefault(sign.casefold(), " ".join(self.stated(each, part) for (_, each), part in parts))
        return found

    def outcome(self, event: ChanceEvent) -> str:
        """Return the outcome of a chance event, in words."""
        return self.stated(self.game.chances[event.path].outcome, event.outcome)

    def action(self, name: str) -> str:
        """Return the word for a move; no spec has a word of its own for declining."""
        return self.speech.word(name)

    def asked(self, action: str, argument: str) -> str:
        """Return the word for an argument of a move."""
        return self.speech.word(f"{action}.{argument}", argument)

    def stated(self, type_: t.Type, value: Any) -> str:
        """Return the arguments or outcome of an event, in words."""
        if value is HIDDEN:
            return NOT_SEEN
        # Brackets keep several outcomes apart from several arguments.
        if isinstance(type_, t.SetOf | t.BagOf | t.ListOf):
            return "{" + ", ".join(self.stated(type_.of, item) for item in value) + "}"
        if isinstance(type_, t.Optional):
            return self.frame("none") if value is None else self.stated(type_.of, value)
        return self.speech.value(type_, value) if isinstance(type_, t.Record) else self.in_words(type_, value)

    def _listed(self, of: t.Type, pieces: Sequence[Any], most: int | None, remark: str = "") -> list[str]:
        if not pieces:
            return [NONE_SIGN]
        if all(piece == HIDDEN_JSON for piece in pieces):
            return [self.frame("unseen", count=len(pieces))]
        words = [self.value(of, piece) for piece in pieces]
        # Equal pieces of a pile are not counted together, since its order is seen.
        kinds = [(word, 1) for word in words] if remark else _counted(words)
        shown = [word if count == 1 else f"{word} x{count}" for word, count in kinds[:most]]
        left = sum(count for _, count in kinds[most:]) if most is not None else 0
        more = self.frame("more", count=left) if left else ""
        # A single piece has no order.
        order = remark if len(words) > 1 else ""
        return [*shown[:-1], " ".join(filter(None, [shown[-1], more, order]))]

    def _unseen(self, element: m.Element, count: int) -> str:
        if element.kind == "one":
            return NOT_SEEN if count else EMPTY
        return self.frame("hidden", count=count) if count else NONE_SIGN


def _counted(words: Iterable[str]) -> list[tuple[str, int]]:
    return list(Counter(words).items())


def _none_first(value: t.Value) -> tuple[bool, Any]:
    # None cannot be compared with another value.
    return value is not None, value


def unseen_count(element: m.Element, data: Any) -> int | None:
    """Return the number of pieces of a cell of which only the number is seen; None for a cell that is seen."""
    is_count = element.is_zone and isinstance(data, dict) and data.keys() == {"count"}
    return data["count"] if is_count else None


def is_nothing(element: m.Element, data: Any) -> bool:
    """Return whether a cell is as empty as it can be: none, no, 0, or a collection or zone without items."""
    count = unseen_count(element, data)
    return not (data if count is None else count)
