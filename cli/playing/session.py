"""Session of `ludex play`: a play at one device, with its events, the news for each player, undo, and its log."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import click

from ludex.grammar import Json, Message, is_there, read_bytes
from ludex.interpreter import (
    MAX_LOG_BYTES,
    Engine,
    Event,
    Generator,
    LineData,
    Log,
    LogForm,
    Move,
    Play,
    Recording,
    State,
    TextWriter,
    TypedLine,
    continued,
    end_claim,
    form_of,
    header_of,
    language_of,
    line_of,
    new_recording,
    pick,
    position_of,
    write_line,
)

from ..reporting import demand_writable, write_file


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the play, with each player's view of it (by seat; the last: an onlooker's).

    owner: of a chance event, the player who receives its outcome. remarks: other members of its line in the log.
    """

    event: Event
    seen: tuple[Event, ...]
    owner: int | None = None
    remarks: LineData = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resumed:
    """The log of a play that is resumed.

    Attributes:
        text: the file's text.
        events: the events played, including declines that the log leaves out.
        recording: the text with the place for more lines; None if its layout has none.
    """

    log: Log
    text: str
    events: tuple[Event, ...]
    form: LogForm
    recording: Recording | None

    @property
    def place(self) -> str:
        return _place(Path(self.log.file))

    @property
    def records(self) -> list[LineData]:
        """The header and all lines."""
        return [record.data or {} for record in (self.log.header, *self.log.events) if record is not None]


def resume(log: Log, text: str, play: Play) -> Resumed:
    """Make the record of a play to resume, from a log that was read from the text without a fault."""
    assert play.engine is not None
    form = form_of(log.file, text)
    game, names = play.engine.game, play.report.header.names if play.report.header else ()
    writer = TextWriter(game, names, language_of(log, game, names))
    return Resumed(play.log or log, text, play.events, form, continued(text, form, writer))


class Session:
    """A play, from its start or from the end of a log.

    Attributes:
        seed: of the chance events. An outcome depends on the seed and on all events before it (`docs/random-play.md`),
            so a player who takes a move back can neither draw again by the same move nor learn the outcome after
            another one.
        file: the log, which is written after every event; None: none.
        ended: the result with which the players ended the game; None: they did not.
    """

    def __init__(
        self,
        engine: Engine,
        names: tuple[str, ...],
        seed: int,
        file: Path | None,
        resumed: Resumed | None = None,
        start: State | None = None,
        language: str | None = None,
    ) -> None:
        """start: the state in which the play begins; None: the game's beginning. language: of a new text log."""
        self.language = language
        self.engine, self.names, self.seed, self.file, self.resumed = engine, names, seed, file, resumed
        self.written: dict[str, str] = {resumed.place: resumed.text} if resumed else {}
        """The texts of files as this play has read or written them; only a file with this text is overwritten."""
        self.start = start
        self.state = self._first_state()
        self.ended: TypedLine | None = None
        self.history: list[Happened] = []
        self.shown = [0] * engine.game.players
        """Number of events that each player has been shown."""
        self._follow(resumed.events if resumed else ())
        self.begun_at = len(self.history)
        """Number of events in the log that is resumed."""

    def _first_state(self) -> State:
        return self.engine.start() if self.start is None else self.start.clone()

    @property
    def over(self) -> bool:
        return self.ended is not None or self.engine.is_terminal(self.state)

    def take(self, event: Event, remarks: LineData | None = None) -> None:
        """Play a legal event and update the log. Raises click.UsageError if it cannot be written; the event is still
        played. remarks: other members of its line in the log."""
        self._play(event, remarks)
        self.keep()

    def end(self, result: TypedLine) -> None:
        """End the play by a result that the rules do not give, and update the log (see `take`)."""
        self.ended = result
        self.keep()

    def _follow(self, events: Iterable[Event]) -> None:
        for event in events:
            self._play(event)

    def _play(self, event: Event, remarks: LineData | None = None) -> None:
        onlookers = (*range(self.engine.game.players), None)
        # This comes before the event is played: what somebody sees of it depends on the state that it changes.
        seen = tuple(self.engine.view_of_event(self.state, event, onlooker) for onlooker in onlookers)
        owner = self.engine.chance_for(self.state)
        refusal = self.engine.advance(self.state, event)
        assert refusal is None, refusal
        self.history.append(Happened(event, seen, owner, remarks or {}))

    def draw(self) -> None:
        """Draw the outcome of the awaited chance event, from the seed and all events so far (see `seed`)."""
        lines = (line_of(self.engine.game, happened.event) for happened in self.history)
        digest = sha256("".join(f"{write_line(line)}\n" for line in lines).encode()).digest()
        rng = Generator(self.seed, int.from_bytes(digest[:8], "big"))
        self.take(pick(self.engine, self.state, rng).event)

    def news(self, seat: int) -> list[Happened]:
        """Return the events since the player's last news, and mark them as shown."""
        news = self.history[self.shown[seat] :]
        self.shown[seat] = len(self.history)
        return news

    def has_news(self, seat: int) -> bool:
        return self.shown[seat] < len(self.history)

    def last_news(self) -> list[Happened]:
        """Return the events that nobody has been shown."""
        return self.history[max(self.shown) :]

    @property
    def can_undo(self) -> bool:
        """Whether there is a move since the play was begun or resumed. Lines of the resumed log are never removed."""
        return any(isinstance(happened.event, Move) for happened in self.history[self.begun_at :])

    def undo(self) -> None:
        """Take back the last move and all events after it, and update the log (see `take`)."""
        last = max(at for at, happened in enumerate(self.history) if isinstance(happened.event, Move))
        before = self.history[:last]
        self.state, self.history = self._first_state(), []
        for happened in before:
            self._play(happened.event, happened.remarks)
        # What is taken back was news, and what comes in its place will be.
        self.shown = [min(count, last) for count in self.shown]
        self.keep()

    # ---- logs

    @property
    def is_kept(self) -> bool:
        """Whether a log is written after every event."""
        return self.file is not None and _place(self.file) in self.written

    @property
    def has_played(self) -> bool:
        """Whether events were played since the play was begun or resumed."""
        return len(self.history) > self.begun_at or self.ended is not None

    def keep(self) -> None:
        """Update the log; if nothing was played, nothing is written."""
        if self.file is not None and (self.has_played or self.is_kept):
            self.save(self.file)

    def save(self, file: Path) -> None:
        """Write the log in the format of the file's ending.

        Raises click.UsageError if it cannot be written, or would overwrite what this play has not written.
        """
        place, text = _place(file), self.text(self._form(file))
        # Nothing has changed, so the file keeps its time.
        if self.written.get(place) == text:
            return
        self.refuse_to_overwrite(file)
        write_file(file, text)
        self.written[place] = text

    def check(self, file: Path) -> None:
        """Test before the play that its log can be written there. Raises click.UsageError if not."""
        self.refuse_to_overwrite(file)
        demand_writable(file)
        if self._is_resumed(file) and self.resumed and self.resumed.recording is None:
            raise click.UsageError(Message("usage-layout", name=str(file)))

    def refuse_to_overwrite(self, file: Path) -> None:
        """Raise click.UsageError if the file does not hold what this play has read or written there."""
        known = self.written.get(_place(file))
        # The file is read again, since another program may have written it meanwhile.
        content = read_bytes(file, MAX_LOG_BYTES, anew=True)
        if not is_there(file) or (known is not None and content == known.encode()):
            return
        if known is not None:
            raise click.UsageError(Message("usage-changed", name=str(file), command="save FILE"))
        raise click.UsageError(Message("usage-exists-resume", name=str(file)))

    def text(self, form: LogForm) -> str:
        """Write the log: the resumed log with the events since, and a claim about the end of a finished play."""
        game, resumed = self.engine.game, self.resumed
        played = self.history[self.begun_at :]
        lines: list[LineData] = [{**line_of(game, each.event, self.names), **each.remarks} for each in played]
        if self.ended is not None:
            lines.append(self.ended.data)
        # A finished log that is resumed has its claim already.
        elif self.over and lines:
            lines.append(end_claim(self.engine, self.state))
        if resumed is None:
            begun = header_of(game, self.names, start=self._position())
            tags = {"language": self.language} if form == "text" and self.language else {}
            return new_recording(
                replace(begun, tags=tags).to_json(), form, TextWriter(game, self.names, self.language)
            ).text(lines)
        if resumed.recording is not None and resumed.form == form:
            return resumed.recording.text(lines)
        header, *others = resumed.records
        writer = TextWriter(game, self.names, language_of(resumed.log, game, self.names))
        return new_recording(header, form, writer).text([*others, *lines])

    def _position(self) -> dict[str, Json] | None:
        """Write the state in which the play begins, if that is not the game's beginning."""
        engine, start = self.engine, self.start
        return None if start is None else position_of(engine.reference, engine.to_reference(start), self.names)

    def _form(self, file: Path) -> LogForm:
        return self.resumed.form if self.resumed and self._is_resumed(file) else form_of(str(file))

    def _is_resumed(self, file: Path) -> bool:
        """Test whether the file is the resumed log."""
        return self.resumed is not None and _place(file) == self.resumed.place


def _place(file: Path) -> str:
    """Resolve the file's path, so that every name of a file is the same."""
    try:
        return os.path.realpath(file)
    # No file can have this name, such as one with a null character.
    except ValueError:
        return str(file)
