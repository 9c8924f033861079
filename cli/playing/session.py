"""A play in progress at one device: its events, what each player has been shown, undo, saving."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import click

from ludex.grammar import is_there, read_bytes
from ludex.interpreter import (
    MAX_LOG_BYTES,
    Engine,
    Event,
    Form,
    Generator,
    Line,
    Log,
    Move,
    Recording,
    State,
    continued,
    end_claim,
    form_of,
    header_of,
    line_of,
    new_recording,
    pick,
    write_line,
)

from ..reporting.output_files import check_writable, write_file


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the play, and how each player (by seat; the last entry: an onlooker) saw it. owner: of chance, the
    player to whom it brought something."""

    event: Event
    seen: tuple[Event, ...]
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """The log of a play that is gone on with.

    Attributes:
        text: all of its file.
        events: what was played there, declines that it leaves out included.
        recording: the text as a place for more lines; None if its layout has none.
    """

    log: Log
    text: str
    events: tuple[Event, ...]
    form: Form
    recording: Recording | None

    @property
    def place(self) -> str:
        return _place(Path(self.log.file))

    @property
    def records(self) -> list[Line]:
        """The header and all lines."""
        return [record.data or {} for record in (self.log.header, *self.log.events) if record is not None]


def resume(log: Log, text: str, events: tuple[Event, ...]) -> Resumed:
    """The log, read from the text without a fault, as one that is gone on with."""
    form = form_of(log.file, text)
    return Resumed(log, text, events, form, continued(text, form))


class Session:
    """A play, from its start or from the end of a log.

    Attributes:
        seed: of what chance draws. How it comes out depends on the seed and on all that was played before
            (`docs/random-play.md`), so that who takes a move back cannot draw again by the same move, nor learn what
            another one would have met.
        file: where the log is written after every event; None: nowhere.
    """

    def __init__(
        self, engine: Engine, names: tuple[str, ...], seed: int, file: Path | None, resumed: Resumed | None = None
    ) -> None:
        self.engine, self.names, self.seed, self.file, self.resumed = engine, names, seed, file, resumed
        self.written: dict[str, str] = {resumed.place: resumed.text} if resumed else {}
        """The texts of files as this play has read or written them: only what is still so is written over."""
        self.state: State = engine.start()
        self.history: list[Happened] = []
        self.shown = [0] * engine.game.players
        """So many events each player has been told."""
        self._follow(resumed.events if resumed else ())
        self.begun_at = len(self.history)
        """So many events stand in the log that is gone on with."""

    @property
    def over(self) -> bool:
        return self.engine.is_terminal(self.state)

    def take(self, event: Event) -> None:
        """Play a legal event and keep the log up to date. Raises click.UsageError if it cannot be written; the event is
        played then."""
        self._play(event)
        self.keep()

    def _follow(self, events: Iterable[Event]) -> None:
        for event in events:
            self._play(event)

    def _play(self, event: Event) -> None:
        onlookers = (*range(self.engine.game.players), None)
        seen = tuple(self.engine.view_of_event(self.state, event, onlooker) for onlooker in onlookers)
        owner = self.engine.chance_for(self.state)
        refusal = self.engine.advance(self.state, event)
        assert refusal is None, refusal
        self.history.append(Happened(event, seen, owner))

    def draw(self) -> None:
        """Let chance decide what it is to decide now."""
        lines = (line_of(self.engine.game, happened.event) for happened in self.history)
        digest = sha256("".join(f"{write_line(line)}\n" for line in lines).encode()).digest()
        rng = Generator(self.seed, int.from_bytes(digest[:8], "big"))
        self.take(pick(self.engine, self.state, rng).event)

    def news(self, seat: int) -> list[Happened]:
        """What has happened since the player was last told; he is told now."""
        news = self.history[self.shown[seat] :]
        self.shown[seat] = len(self.history)
        return news

    def has_news(self, seat: int) -> bool:
        return self.shown[seat] < len(self.history)

    def last_news(self) -> list[Happened]:
        """What nobody has been told of yet."""
        return self.history[max(self.shown) :]

    @property
    def can_undo(self) -> bool:
        """Whether there is a move since the play was begun or resumed. What stands in a log is not taken back: its
        lines would be lost."""
        return any(isinstance(happened.event, Move) for happened in self.history[self.begun_at :])

    def undo(self) -> None:
        """Take back the last move and what followed from it, and bring the log up to date (see `take`)."""
        last = max(at for at, happened in enumerate(self.history) if isinstance(happened.event, Move))
        events = [happened.event for happened in self.history[:last]]
        self.state, self.history = self.engine.start(), []
        self._follow(events)
        self.shown = [min(count, last) for count in self.shown]
        self.keep()

    # ---- logs

    @property
    def is_kept(self) -> bool:
        """Whether there is a log at all that is kept up to date."""
        return self.file is not None and _place(self.file) in self.written

    @property
    def has_played(self) -> bool:
        """Whether anything has happened that no log holds yet."""
        return len(self.history) > self.begun_at

    def keep(self) -> None:
        """Bring the log up to date; where nothing was played, nothing is written."""
        if self.file is not None and (self.has_played or self.is_kept):
            self.save(self.file)

    def save(self, file: Path) -> None:
        """Write the log as the file's name ends. Raises click.UsageError if it cannot be written, or would write over
        what this play has not written itself."""
        place, text = _place(file), self.text(self._form(file))
        if self.written.get(place) == text:
            return
        self.refuse_to_overwrite(file)
        write_file(file, text)
        self.written[place] = text

    def check(self, file: Path) -> None:
        """Tell before the play begins if its log could not be written there."""
        self.refuse_to_overwrite(file)
        check_writable(file)
        if self._is_resumed(file) and self.resumed and self.resumed.recording is None:
            raise click.UsageError(f"no line can be added to {file} as it is laid out; --save FILE takes another")

    def refuse_to_overwrite(self, file: Path) -> None:
        """A file is written over only as long as it holds what this play has read or written there."""
        known = self.written.get(_place(file))
        held = read_bytes(file, MAX_LOG_BYTES)
        if not is_there(file) or (known is not None and held == known.encode()):
            return
        if known is not None:
            raise click.UsageError(f"somebody else has changed {file} meanwhile; `save FILE` keeps the play in another")
        raise click.UsageError(f"{file} is there already; choose another name, or go on with it by --resume")

    def text(self, form: Form) -> str:
        """The log: of a play that was resumed all that its log holds, and what was played since; of a whole play with a
        claim about its end."""
        game, resumed = self.engine.game, self.resumed
        lines = [line_of(game, happened.event, self.names) for happened in self.history[self.begun_at :]]
        if self.over and lines:
            lines.append(end_claim(self.engine, self.state))
        if resumed is None:
            return new_recording(header_of(game, self.names).to_json(), form).text(lines)
        if resumed.recording is not None and resumed.form == form:
            return resumed.recording.text(lines)
        header, *others = resumed.records
        return new_recording(header, form).text([*others, *lines])

    def _form(self, file: Path) -> Form:
        return self.resumed.form if self.resumed and self._is_resumed(file) else form_of(str(file))

    def _is_resumed(self, file: Path) -> bool:
        """Whether it is the log that is gone on with."""
        return self.resumed is not None and _place(file) == self.resumed.place


def _place(file: Path) -> str:
    """The file itself, whatever name leads to it."""
    try:
        return os.path.realpath(file)
    except ValueError:
        return str(file)
