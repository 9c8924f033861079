"""Clues of a log about what is missing from it: which pieces come up, and who names them afterwards."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from ludex.spec import model as m

from ...generator import Generator
from ...information.event_visibility import is_hidden
from ...state.events import ChanceEvent, Event, Move
from ...state.stock import PieceKind
from ...unknowns import named_pieces

NEVER = 1 << 30
"""The index of a line that does not exist; greater than all others."""


class Clues:
    """The lines of a log in which pieces come up by chance, and in which moves name them.

    They only order what is tried: the likeliest first.
    """

    def __init__(self, game: m.Game, events: Sequence[Event | None]) -> None:
        self.game, self._generator = game, Generator(0)
        self._drawn, self._named = defaultdict[PieceKind, list[int]](list), defaultdict[PieceKind, list[int]](list)
        self._events = events
        self._kinds = {str(each.outcome) for each in game.chances.values()}
        for at, event in enumerate(events):
            if isinstance(event, ChanceEvent) and event.path in game.chances and not is_hidden(event.outcome):
                self._drawn[self._piece(event)].append(at)
            elif isinstance(event, Move) and event.action in game.moves:
                for piece in named_pieces(game, event):
                    self._named[piece].append(at)

    def ordered(self, events: Sequence[Event], at: int, receiver: int | None) -> list[Event]:
        """Return the events of one kind that may be missing before a line, the likeliest first.

        receiver: the seat of the player whose place receives the piece of a chance event; None if there is none.
        """
        listed = list(events)
        for end in range(len(listed) - 1, 0, -1):
            other = self._generator.below(end + 1)
            listed[end], listed[other] = listed[other], listed[end]
        return sorted(listed, key=lambda event: self._rank(event, at, receiver))

    def contradicts(self, event: ChanceEvent, at: int, receiver: int | None) -> bool:
        """Return whether another player than the one who receives the piece of a recorded event is the next to name it.

        If there are several such pieces, another of them may be meant."""
        piece = self._piece(event)
        named = _first(self._named[piece], at + 1)
        if receiver is None or named >= _first(self._drawn[piece], at + 1):
            return False
        before = bisect_left(self._drawn[piece], at)
        are_several = before and _first(self._named[piece], self._drawn[piece][before - 1]) >= at
        return not are_several and self._namer(named) != receiver

    def _rank(self, event: Event, at: int, receiver: int | None) -> tuple[int, int]:
        if isinstance(event, Move):
            pieces = named_pieces(self.game, event) if event.action in self.game.moves else ()
            return sum(piece[0] in self._kinds and self._next(piece, at)[0] == 0 for piece in pieces), 0
        first, line = self._next(self._piece(event), at)
        if first == 0 and receiver is not None and self._namer(line) != receiver:
            return 2, -line
        return first, line

    def _next(self, piece: PieceKind, at: int) -> tuple[int, int]:
        """Return what the lines from this one on say of a piece: it is named (0), nothing (1), or it comes up (3)."""
        named, drawn = _first(self._named[piece], at), _first(self._drawn[piece], at)
        if named == drawn:
            return 1, 0
        return (0, named) if named < drawn else (3, -drawn)

    def _piece(self, event: ChanceEvent) -> PieceKind:
        return str(self.game.chances[event.path].outcome), event.outcome

    def _namer(self, line: int) -> int | None:
        event = self._events[line]
        return event.player if isinstance(event, Move) else None


def _first(lines: Sequence[int], at: int) -> int:
    """Return the first of some lines that is this one or a later one."""
    number = bisect_left(lines, at)
    return lines[number] if number < len(lines) else NEVER
