"""Dialogue of `ludex play`: shows each player the state, reads commands and moves, and answers them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

import click

from ludex.grammar import Diagnostic, Failure, Json, Message, Note
from ludex.interpreter import (
    HIDDEN,
    TYPED_FAULTS,
    Awaits,
    ChanceEvent,
    Event,
    Move,
    RefusalKind,
    TypedLine,
    explain,
    own_refusal,
    reasons,
)
from ludex.spec import model as m

from ..reporting import ask, broken, cells, padded, say, style, translated, width, words
from ..view.observation_picture import picture_rows
from ..view.observation_text import Observation, Viewer
from ..view.referee_view import everything
from ..view.verdict_words import ended_words, winners_words
from .menu import Menu, chances_menu, menu_of, moves_menu
from .session import Happened, Session

MOST_NEWS = 12
"""The largest number of rows of news that are shown by default."""
_RESULT = re.compile(r"^\s*result\b|\bresign", re.IGNORECASE)
"""The words of a result that the players make."""


_RESULT_HINT = "text-result-hint"
"""The hint that says how a result is written."""


class PlayStopped(Exception):
    """Raised if the players want to stop, or the input has ended."""


class HotSeat:
    """Leads the players through a play.

    Attributes:
        called: the game, by name or path.
        watched: people sit at a terminal; its screen is cleared between players who have secrets from each other.
    """

    def __init__(
        self, session: Session, called: str, enters_chance: bool, watched: bool, language: str | None = None
    ) -> None:
        self.session, self.engine = session, session.engine
        self.called, self.enters_chance, self.watched = called, enters_chance, watched
        self.viewer = Viewer(self.engine.game, session.names, language)
        self.seat: int | None = None
        """The player who has the device and has seen the current state; None: it must be shown."""

    def run(self) -> None:
        """Run to the end of the play, or until the players stop."""
        try:
            while not self.session.over:
                if self.engine.awaits(self.session.state) is Awaits.CHANCE:
                    self._chance()
                else:
                    self._decision()
            self._end()
        except PlayStopped as stop:
            reason = words("play-stopped-after", stop=str(stop), count=len(self.session.history))
            say(f"{reason}{self._where()}{self._how_on()}")

    def _how_on(self) -> str:
        """Say how to resume the play."""
        if not self.session.is_kept:
            return f"; {words('play-no-log', option='--save FILE')}" if self.session.has_played else ""
        command = f"ludex play {shlex.quote(self.called)} --resume {shlex.quote(str(self.session.file))}"
        return f"\n{words('play-go-on', command=command)}"

    def _where(self) -> str:
        return f"; {words('play-log-is-in', file=str(self.session.file))}" if self.session.is_kept else ""

    # ---- chance

    def _chance(self) -> None:
        if not self.enters_chance:
            self._kept(self.session.draw)
            return
        chances = self.engine.chance(self.session.state)
        owner = self.engine.chance_for(self.session.state)
        clause = self.viewer.speech.word(chances[0][0].path)
        if owner is None:
            say(words("play-outcome", clause=clause))
        else:
            say(words("play-outcome-for", clause=clause, player=self.viewer.player(owner)))
        self._take(chances_menu(chances, self.viewer))

    def _kept(self, play: Callable[[], object]) -> None:
        """Play on; if the log cannot be written, say so and continue."""
        try:
            play()
        except click.UsageError as fault:
            say(words("play-not-written", reason=fault.message))

    # ---- decisions

    def _decision(self) -> None:
        # Players who decide at once have the device one after another; nobody sees the earlier choices
        # (`_has_secrets`).
        seat = self.engine.to_move(self.session.state)[0]
        if self.seat != seat:
            self._hand_over(seat)
        if self.seat != seat or self.session.has_news(seat):
            self._show(seat)
        self.seat = seat
        moves = self.engine.legal_moves(self.session.state, seat)
        say(words("play-to-move", player=style(self.viewer.player(seat), bold=True)))
        self._take(moves_menu(moves, self.viewer), seat)

    def _has_secrets(self) -> bool:
        """Test whether some player sees hidden information, or has made a choice that the others do not know yet.

        Without secrets the device is passed on without clearing the screen.
        """
        state, engine = self.session.state, self.engine
        open_to_all = engine.public_view(state)
        views = [engine.observe(state, seat) for seat in range(engine.game.players)]
        if any("stated" in view for view in views):
            return True
        return any(_tells_more(element, view, open_to_all) for view in views for element in engine.game.elements)

    def _hand_over(self, seat: int) -> None:
        # Alone nobody has to look away.
        if self.engine.game.players < 2 or not self._has_secrets():
            return
        # A script has no screen to clear and nobody to pass it on to.
        if self.watched:
            click.clear()
            self._ask(f"{words('play-pass', player=self.viewer.player(seat))} ")
            click.clear()
        else:
            say(words("play-alone", player=self.viewer.player(seat)))

    def _show(self, seat: int, explain: bool | None = None) -> None:
        """Show the news and the state as the player sees them."""
        self._tell(self.session.news(seat), seat)
        observation = self.engine.observe(self.session.state, seat)
        say("\n".join(["", *picture_rows(self.viewer, observation, width(), explain), ""]))

    def _tell(self, news: list[Happened], onlooker: int) -> None:
        """Print the events since the player's last turn, without the player's own moves; of many, the last.

        Outcomes of chance by one clause are grouped in one row.
        """
        rows: list[list[str]] = []
        for by_chance, events in groupby(news, key=lambda each: isinstance(each.event, ChanceEvent)):
            if by_chance:
                rows += self._brought(events, onlooker)
            else:
                moves = (each for each in events if isinstance(each.event, Move) and each.event.player != onlooker)
                rows += ([self._event_row(each, onlooker)] for each in moves)
        if len(rows) > MOST_NEWS:
            say(f"  ... {words('play-rows-before', count=len(rows) - MOST_NEWS, command='log')}")
        for parts in rows[-MOST_NEWS:]:
            say("\n".join(f"  {row}" for row in broken(parts, width() - 2)))

    def _brought(self, events: Iterable[Happened], onlooker: int) -> Iterator[list[str]]:
        """Group the outcomes of chance by clause and by receiver; those that the onlooker does not see are counted."""
        groups: dict[tuple[str, int | None], list[Happened]] = {}
        for happened in events:
            assert isinstance(happened.event, ChanceEvent)
            groups.setdefault((happened.event.path, happened.owner), []).append(happened)
        for group in groups.values():
            seen = [each for each in group if not _is_unseen(each.seen[onlooker])]
            first, *others = seen or group[:1]
            parts = [self.viewer.notation(first.seen[onlooker]), *(self._outcome(each, onlooker) for each in others)]
            count = len(group) - len(seen)
            if count and seen:
                parts.append(words("play-unseen", count=count))
            elif count > 1:
                parts = [words("play-times", event=parts[0], count=count)]
            yield [*parts[:-1], f"{parts[-1]}{self._whose(first)}"]

    def _outcome(self, happened: Happened, onlooker: int) -> str:
        event = happened.seen[onlooker]
        assert isinstance(event, ChanceEvent)
        return self.viewer.result(event)

    def _event_row(self, happened: Happened, onlooker: int) -> str:
        """Write an event as a player saw it (-1: as everybody did)."""
        return f"{self.viewer.notation(happened.seen[onlooker])}{self._whose(happened)}"

    def _whose(self, happened: Happened) -> str:
        """Say who receives the outcome of chance, as a comment of the notation."""
        if happened.owner is None:
            return ""
        return f"  # {words('play-for', player=self.viewer.player(happened.owner))}"

    # ---- the prompt

    def _take(self, menu: Menu, seat: int | None = None) -> None:
        """Ask for a choice, and play it."""
        chosen = self._chosen(menu, seat)
        if chosen is not None:
            self._kept(lambda: self.session.take(*chosen))

    def _chosen(self, menu: Menu, seat: int | None = None) -> tuple[Event, dict[str, Json]] | None:
        """Ask for a choice; return the event with its remarks, or None after an undo or a result."""
        steps = [menu]
        self._list(steps[-1])
        while True:
            text = self._ask("> ").strip()
            # Enter takes the only choice.
            if not text and len(steps[-1].items) == 1:
                text = "1"
            # A colon marks a command, since a game may call a move `undo`.
            is_command = text.startswith(":")
            line, fault = (None, None) if is_command else self._line(text, seat)
            if line is not None and line.end is not None:
                self._kept(partial(self.session.end, line))
                return None
            choice = (
                None if is_command else steps[-1].typed(text, self.viewer, line.event if line is not None else None)
            )
            if choice is not None and len(choice.ways) == 1:
                event = choice.ways[0].event
                return event, line.remarks if line is not None and line.event == event else {}
            if choice is not None:
                steps.append(menu_of(choice.ways, self.viewer))
                self._list(steps[-1])
            elif not text:
                self._list(steps[-1])
            elif text.lstrip(":") == "back" and len(steps) > 1:
                steps.pop()
                self._list(steps[-1])
            elif fault is not None and (_RESULT.search(text) or _is_understood(fault)):
                say("; ".join(translated(part) for part in (fault.message, fault.hint) if part))
            elif line is not None and line.event is not None and (why := self._refused(line.event, seat)):
                say("\n".join([*why, words("play-type", what=steps[-1].wanted, command="help")]))
            elif self._command(text, steps[-1], seat):
                return None

    def _line(self, text: str, seat: int | None) -> tuple[TypedLine | None, Diagnostic | None]:
        """Read a text as a line of a text log; if it is none that can be played, return why."""
        try:
            return self.viewer.line(text, seat), None
        except Failure as failure:
            return None, failure.diagnostics[0]

    def _refused(self, event: Event, seat: int | None) -> list[str]:
        """Say why an event of the game is not legal now; [] if it is legal, or this player may not know why not.

        seat: the player who reads it; None: everybody may.
        """
        state, reference = self.session.state, self.engine.reference
        refusal = self.engine.refusal(state, event)
        names, seen = self.session.names, self.engine.to_reference(state)
        if refusal is None:
            return []
        notes: tuple[Note, ...] = ()
        if isinstance(event, Move) and event.player == seat:
            # What others hide must not be among the reasons.
            refusal = own_refusal(reference, seen, event)
            notes = reasons(reference, seen, refusal, names, viewer=seat) if refusal else ()
        elif isinstance(event, Move) and refusal.kind is not RefusalKind.WRONG_PLAYER:
            return []
        known = Message("play-unknown-reason") if refusal is None else explain(refusal, self.engine.game, names).message
        written = self.viewer.notation(event, mover=isinstance(event, Move) and event.player != seat)
        rows = [words("play-not-legal", event=f"`{written}`", reason=translated(known))]
        return [*rows, *(f"  {translated(note.message)}" for note in notes)]

    def _list(self, menu: Menu) -> None:
        say("\n".join(menu.rows(width())))

    def _ask(self, prompt: str) -> str:
        try:
            text = ask(prompt)
            # The answers of a script have no echo of their own.
            if not self.watched:
                say(text)
            return text
        except EOFError:
            say()
            raise PlayStopped(words("play-input-ended")) from None

    def _command(self, text: str, menu: Menu, seat: int | None) -> bool:
        """Carry out a typed command; return whether the play has changed."""
        word, _, rest = text.lstrip(":").partition(" ")
        match word:
            case "help" | "?":
                say("\n".join(_help()))
            case "view" if seat is not None:
                self._show(seat)
            case "cards" if seat is not None:
                self._show(seat, explain=True)
            case "log":
                onlooker = -1 if seat is None else seat
                say("\n".join(f"  {self._event_row(happened, onlooker)}" for happened in self.session.history))
            case "undo":
                return self._undo()
            case "save":
                self._save(rest.strip())
            case "quit" | "q":
                raise PlayStopped(words("play-stopped"))
            case _:
                misread = menu.misread(text, self.viewer)
                type_ = words("play-type", what=menu.wanted, command="help")
                say(f"{misread}; {type_}" if misread else type_)
        return False

    def _undo(self) -> bool:
        if not self.session.can_undo:
            resumed = self.session.resumed
            say(words("play-no-undo-kept", file=resumed.log.file) if resumed else words("play-no-undo"))
            return False
        self._kept(self.session.undo)
        # The state that this player has seen is no longer there.
        self.seat = None
        return True

    def _save(self, name: str) -> None:
        file = Path(name) if name else self.session.file
        if file is None:
            say(words("play-name-the-file", command="save FILE"))
        elif not self.session.history:
            say(words("play-nothing-yet"))
        else:
            try:
                self.session.save(file)
                say(words("play-saved", file=str(file)))
            except click.UsageError as fault:
                say(translated(fault.message))

    # ---- the end

    def _end(self) -> None:
        state = self.session.state
        self._tell(self.session.last_news(), -1)
        say("\n".join(["", *picture_rows(self.viewer, everything(self.engine, state), width()), ""]))
        if self.session.ended is not None:
            assert self.session.ended.end is not None
            say(f"{ended_words(self.session.ended.end, self.viewer.speech.players)}{self._where()}")
            return
        say(words("play-game-over"))
        for seat, scores in enumerate(self.engine.scores(state)):
            parts = ", ".join(f"{self.viewer.speech.word(path)} {points}" for path, points in scores.breakdown)
            say(f"  {self.viewer.player(seat)}: {scores.total}{f' ({parts})' if parts else ''}")
        say(f"{self._winners()}{self._where()}")

    def _winners(self) -> str:
        outcome = self.engine.winners(self.session.state)
        if outcome.undecided:
            return words("play-tie")
        return winners_words(outcome, self.viewer.speech.players, self.viewer.speech) or words("play-nobody-wins")


def _help() -> Iterator[str]:
    """List what can be typed at the prompt."""
    rows = [
        (words("play-help-a-number"), words("play-help-number")),
        (words("play-help-a-move"), words("play-help-move", samples="`place(7, 7)`, `7 7`")),
        ("Enter", words("play-help-enter")),
        ("result WAY", words("play-help-result", samples="`result agreed`, `result resigned 1`")),
        *((word, words(f"play-help-{word}")) for word in ("back", "view", "cards", "log", "undo")),
        ("save FILE", words("play-help-save")),
        ("quit", words("play-help-quit", short="q")),
    ]
    width = max(cells(head) for head, _ in rows)
    yield from (f"  {padded(head, width)}   {meaning}" for head, meaning in rows)
    yield words("play-help-colon", sample="`:undo`")


def _is_unseen(event: Event) -> bool:
    return isinstance(event, ChanceEvent) and event.outcome is HIDDEN


def _tells_more(element: m.Element, own: Observation, others: Observation) -> bool:
    """Test whether a player's view of an element has hidden information; an empty hand has none."""
    part = "zones" if element.is_zone else "states"
    mine, theirs = own[part][element.name], others[part][element.name]
    cells = zip(mine.values(), theirs.values(), strict=True) if element.indices else [(mine, theirs)]
    return any(shown not in (held, {"count": 0}) for held, shown in cells)


def _is_understood(diagnostic: Diagnostic) -> bool:
    """Test whether a line that cannot be played is understood: as a line of a log, or as a result."""
    message, hint = diagnostic.message, diagnostic.hint
    is_line = isinstance(message, Message) and message.entry in TYPED_FAULTS
    return is_line or (isinstance(hint, Message) and hint.entry == _RESULT_HINT)
