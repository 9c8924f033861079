"""Reader of a line that somebody types at a prompt, as in a text log: an event with its remarks, or a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludex.grammar import Failure, Json, Message, Span
from ludex.spec import model as m

from ...event_notation.syntax import NotationFault
from ...state.events import Event
from ..record import Record, TextLayout
from ..structure import EarlyEnd, Entry, LineReader, loser_among_winners, once_each
from .other_notations import Addressee, explained, resignation
from .text_lines import SHOWN, fault_at
from .text_reader import TextReader

NOT_TYPED = frozenset({"claim", "deal", "gap", "position"})
"""Parts of a line that a log may have, and that are not typed at a prompt."""
TYPED_FAULTS = frozenset({"typed-one-move", "typed-in-log-only"})
"""The messages about a line that a log may have."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of a text log that somebody types.

    Attributes:
        event: None where the line is another one than an event.
        end: the result with which the players end the game.
        data: the members of the line, as a log has them.
    """

    event: Event | None
    end: EarlyEnd | None
    data: Mapping[str, Json]

    @property
    def remarks(self) -> dict[str, Json]:
        """The members that are not part of the event."""
        return {name: self.data[name] for name in ("clock", "note") if name in self.data}


def typed_line(game: m.Game, text: str, names: Sequence[str] = (), player: int | None = None) -> TypedLine:
    """Read a line with one event, perhaps with a number, a clock and a comment, or with a result.

    player: the seat of the player whose move it is. Raises Failure if it is no such line.
    """
    reader = TextReader(game, names, begins_anew=False)
    try:
        if (resigned := resignation(text, reader.players)) and "resign" not in game.moves:
            raise resigned
        content, *others = reader.lines(text, lambda: None if player is None else (player,))
        # One player must not answer for the next, who may not have seen what this one does.
        if others:
            first, second = (text[slice(*each.places[""])] for each in (content, others[0]))
            hint = Message("typed-first", move=f"`{first}`")
            raise NotationFault(*others[0].places[""], Message("typed-one-move", move=f"`{second}`"), hint)
        # A claim about what is hidden would be answered, too.
        for part in NOT_TYPED & content.data.keys():
            place = content.places.get(f"/{part}", content.places[""])
            raise NotationFault(*place, Message("typed-in-log-only", part=f"`{part}`"), Message("typed-instead"))
    except NotationFault as fault:
        mover = None if player is None else reader.players[player]
        fault = explained(fault, text, Addressee(reader.players, mover, takes_claims=False))
        raise Failure([fault_at(fault, Span(SHOWN, 1, fault.start + 1, 1, fault.end + 1))]) from fault
    entry = LineReader(game, tuple(names)).read(content.data)
    wrong = loser_among_winners(entry.end) if isinstance(entry, Entry) and entry.end else None
    problems = (wrong,) if wrong else () if isinstance(entry, Entry) else once_each(entry)
    if problems or not isinstance(entry, Entry):
        record = Record(content.data, TextLayout(SHOWN, 1, content.places, content.named))
        raise Failure([problem.at(record) for problem in problems])
    return TypedLine(entry.event, entry.end, content.data)
