"""Reader of one event in the notation, as prompts and the Python interface take it."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.grammar import Diagnostic, Failure, Span
from ludex.spec import model as m

from ...event_notation.reading import NotationReader
from ...event_notation.syntax import NotationFault, split_at
from ...state.api_arguments import checked, checked_names, checked_seat
from ...state.events import Event
from ..record import Record, TextLayout
from ..structure import LineReader, once_each

SHOWN = "text"
"""The name of a text without a file, in diagnostics."""


@checked(game=m.Game, text=str)
def parse_event(game: m.Game, text: str, names: Sequence[str] = (), player: int | None = None) -> Event:
    """Read an event in the notation: `Anna: study s07 at 1,2`, `roll.throw = 4`. A comment may follow, after `#`.

    Args:
        names: the players' names by seat, if they have any.
        player: the seat of the player whose move it is, if the text need not name one.

    Raises Failure, whose diagnostics give the place in the text, if it is not an event of the game; ValueError if two
    players have the same name.
    """
    names = checked_names(names, game.players)
    if len(set(names)) < len(names):
        raise ValueError("`names` must differ, as the text says by name who moves")
    seat = None if player is None else checked_seat(player, game.players)
    try:
        content = NotationReader(game, names).event(text, 0, split_at(text, "#"), seat)
    except NotationFault as fault:
        raise Failure([fault_at(fault, Span(SHOWN, 1, fault.start + 1, 1, fault.end + 1))]) from fault
    record = Record(content.data, TextLayout(SHOWN, 1, content.places, content.named))
    entry = LineReader(game, names).read(content.data)
    if isinstance(entry, tuple):
        raise Failure([problem.at(record) for problem in once_each(entry)])
    assert entry.event is not None
    return entry.event


def fault_at(fault: NotationFault, span: Span) -> Diagnostic:
    """Make the diagnostic of a fault in the notation."""
    return Diagnostic(fault.code, fault.message, span, fault.hint)
