"""Earlier records of a piece: the lines that name a piece which a refused line puts elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ludex.grammar import Message, Note, Span, value_class
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import in_each_language
from ...event_notation.writing import NotationWriter
from ...state.events import ChanceEvent, Move, Refusal
from ...state.stock import PieceKind
from ..structure import Deal, Entry, Lines
from .event_findings import NEAREST

NamedValues: TypeAlias = Iterator[tuple[t.Type | None, t.Value, str]]
"""What a line names: the type, the value and the pointer to it."""


@value_class
class PieceCounts:
    """The pieces of a play: how many there are of each kind."""

    game: m.Game
    pieces: Counter[PieceKind]

    def has_one(self, of: t.Type, value: t.Value) -> bool:
        """Test whether a value is a piece, and the only one of its kind: of equal pieces another one may be meant."""
        return self.pieces.get((str(of), value)) == 1


def recorded_before(stock: PieceCounts, refusal: Refusal, lines: Lines, refused_at: Span) -> Iterator[Note]:
    """Say in which lines the piece of a refused event is recorded as well: the outcome, or what a move cannot have.

    lines: up to the one of the event.
    """
    event, game = refusal.event, stock.game
    if isinstance(event, ChanceEvent):
        yield from piece_recorded(game, _outcome(game, event.path), event.outcome, lines, refused_at)
    elif refusal.argument is not None and event.action in game.moves:
        types = {name: of for name, of, _ in game.moves[event.action].arguments}
        of, value = types.get(refusal.argument), dict(event.arguments).get(refusal.argument)
        if of is not None and stock.has_one(of, value):
            yield from piece_recorded(game, of, value, lines, refused_at)


def piece_recorded(game: m.Game, of: t.Type | None, piece: t.Value, lines: Lines, refused_at: Span) -> Iterator[Note]:
    """Say in which lines a piece came up or, if that is not recorded, which moves name it.

    Dice take no piece away, so there is no note about them.
    """
    if of is None or isinstance(of, t.Range | t.Bool):
        return
    places = _places(game, of, piece, lines, _came_up) or _places(game, of, piece, lines, _moved)
    word = in_each_language(game, lambda language: NotationWriter(game, (), language).value(of, piece))
    others = [place for place in places if place != refused_at]
    yield from (Note(Message("verdict-came-up", piece=word), place) for place in others[-NEAREST:])


def _places(
    game: m.Game, of: t.Type, piece: t.Value, lines: Lines, named: Callable[[m.Game, Entry], NamedValues]
) -> list[Span]:
    return [
        record.place(pointer)
        for record, entry in lines
        if entry is not None
        for type_, value, pointer in named(game, entry)
        if value == piece and type_ == of
    ]


def _came_up(game: m.Game, entry: Entry) -> NamedValues:
    if isinstance(entry.event, ChanceEvent):
        yield _outcome(game, entry.event.path), entry.event.outcome, "/outcome"
    if isinstance(entry.several, Deal):
        of = _outcome(game, entry.several.path)
        yield from ((of, card, f"/cards/{at}") for at, card in enumerate(entry.several.cards))


def _moved(game: m.Game, entry: Entry) -> NamedValues:
    if isinstance(entry.event, Move) and entry.event.action in game.moves:
        types = {name: of for name, of, _ in game.moves[entry.event.action].arguments}
        yield from ((types.get(name), value, f"/args/{name}") for name, value in entry.event.arguments)


def _outcome(game: m.Game, path: str) -> t.Type | None:
    return game.chances[path].outcome if path in game.chances else None
