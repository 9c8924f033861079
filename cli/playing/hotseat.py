"""Dialogue of `ludex play`: shows each player the state, reads commands and moves, and answers them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

import click

from ludex.interpreter import HIDDEN, Awaits, ChanceEvent, Event, Move
from ludex.spec import model as m

from ..reporting.diagnostics import plural, width
from ..reporting.source_excerpts import broken
from ..reporting.terminal import ask, say, style
from ..view.observation_text import Seen, Viewer
from ..view.referee_view import everything
from .menu import Menu, chances_menu, menu_of, moves_menu
from .session import Happened, Session

HELP = """\
  a number    the choice with this number
  a move      as in the list, or its values alone: `place(7, 7)`, `7 7`; the first few words narrow the list
  Enter       the only choice, where there is only one; else the list again
  back        to the step before, where a move is chosen in steps
  view        the table again
  cards       what is printed on every piece in sight
  log         all events, as you saw them
  undo        take back the last move
  save FILE   write the log
  quit        stop here (or q)
A colon before a word (`:undo`) makes it a command where a move has the same name."""

MOST_NEWS = 12
"""Most rows of news that are shown by default."""


class Stopped(Exception):
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
        except Stopped as stop:
            say(f"{stop} after {plural(len(self.session.history), 'event')}{self._where()}{self._how_on()}")

    def _how_on(self) -> str:
        """Say how to resume the play."""
        if not self.session.is_kept:
            return "; no log was kept (`--save FILE` keeps one)" if self.session.has_played else ""
        return f"\nto go on: ludex play {shlex.quote(self.called)} --resume {shlex.quote(str(self.session.file))}"

    def _where(self) -> str:
        return f"; the log is in {self.session.file}" if self.session.is_kept else ""

    # ---- chance

    def _chance(self) -> None:
        if not self.enters_chance:
            self._kept(self.session.draw)
            return
        chances = self.engine.chance(self.session.state)
        owner = self.engine.chance_for(self.session.state)
        whose = "" if owner is None else f" for {self.viewer.player(owner)}"
        say(f"What is the outcome{whose} of {self.viewer.speech.word(chances[0][0].path)}?")
        event = self._chosen(chances_menu(chances, self.viewer))
        if event is not None:
            self._kept(lambda: self.session.take(event))

    def _kept(self, play: Callable[[], object]) -> None:
        """Play on; if the log cannot be written, say so and continue."""
        try:
            play()
        except click.UsageError as fault:
            say(f"the log was not written: {fault.message}")

    # ---- decisions

    def _decision(self) -> None:
        seat = self.engine.to_move(self.session.state)[0]
        if self.seat != seat:
            self._hand_over(seat)
        if self.seat != seat or self.session.has_news(seat):
            self._show(seat)
        self.seat = seat
        moves = self.engine.legal_moves(self.session.state, seat)
        say(f"{style(self.viewer.player(seat), bold=True)} to move")
        event = self._chosen(moves_menu(moves, self.viewer), seat)
        if event is not None:
            self._kept(lambda: self.session.take(event))

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
        if self.engine.game.players < 2 or not self._has_secrets():
            return
        if self.watched:
            click.clear()
            self._ask(f"Pass the device to {self.viewer.player(seat)}, who presses Enter ")
            click.clear()
        else:
            say(f"--- for {self.viewer.player(seat)} alone ---")

    def _show(self, seat: int, explain: bool | None = None) -> None:
        """Show the news and the state as the player sees them."""
        self._tell(self.session.news(seat), seat)
        observation = self.engine.observe(self.session.state, seat)
        say("\n".join(["", *self.viewer.rows(observation, width(), explain), ""]))

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
            say(f"  ... {plural(len(rows) - MOST_NEWS, 'row')} before these (`log` has all)")
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
                parts.append(f"{count} unseen")
            elif count > 1:
                parts = [f"{parts[0]} ({count} times)"]
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
        return "" if happened.owner is None else f"  # for {self.viewer.player(happened.owner)}"

    # ---- the prompt

    def _chosen(self, menu: Menu, seat: int | None = None) -> Event | None:
        """Ask for a choice; return the event, or None after an undo."""
        steps = [menu]
        self._list(steps[-1])
        while True:
            text = self._ask("> ").strip()
            if not text and len(steps[-1].choices) == 1:
                text = "1"
            choice = None if text.startswith(":") else steps[-1].typed(text, self.viewer, seat)
            if choice is not None and len(choice.ways) == 1:
                return choice.ways[0].event
            if choice is not None:
                steps.append(menu_of(choice.ways, self.viewer))
                self._list(steps[-1])
            elif not text:
                self._list(steps[-1])
            elif text.lstrip(":") == "back" and len(steps) > 1:
                steps.pop()
                self._list(steps[-1])
            elif self._command(text, steps[-1], seat):
                return None

    def _list(self, menu: Menu) -> None:
        say("\n".join(menu.rows(width())))

    def _ask(self, prompt: str) -> str:
        try:
            text = ask(prompt)
            if not self.watched:
                say(text)
            return text
        except EOFError:
            say()
            raise Stopped("the input ended") from None

    def _command(self, text: str, menu: Menu, seat: int | None) -> bool:
        """Carry out a typed command; return whether the play has changed."""
        word, _, rest = text.lstrip(":").partition(" ")
        match word:
            case "help" | "?":
                say(HELP)
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
                raise Stopped("stopped")
            case _:
                misread = menu.misread(text, self.viewer)
                say(f"{f'{misread}; ' if misread else ''}type {menu.wanted}, or `help`")
        return False

    def _undo(self) -> bool:
        if not self.session.can_undo:
            kept = f"; the moves in {self.session.resumed.log.file} are kept" if self.session.resumed else ""
            say(f"there is no move to take back{kept}")
            return False
        self._kept(self.session.undo)
        self.seat = None
        return True

    def _save(self, name: str) -> None:
        file = Path(name) if name else self.session.file
        if file is None:
            say("name the file: `save FILE`")
        elif not self.session.history:
            say("nothing was played yet, so nothing was written")
        else:
            try:
                self.session.save(file)
                say(f"saved in {file}")
            except click.UsageError as fault:
                say(fault.message)

    # ---- the end

    def _end(self) -> None:
        state = self.session.state
        self._tell(self.session.last_news(), -1)
        say("\n".join(["", *self.viewer.rows(everything(self.engine, state), width()), ""]))
        say("The game is over.")
        for seat, scores in enumerate(self.engine.scores(state)):
            parts = ", ".join(f"{self.viewer.speech.word(path)} {points}" for path, points in scores.breakdown)
            say(f"  {self.viewer.player(seat)}: {scores.total}{f' ({parts})' if parts else ''}")
        say(f"{self._winners()}{self._where()}")

    def _winners(self) -> str:
        outcome = self.engine.winners(self.session.state)
        who = " and ".join(self.viewer.player(seat) for seat in outcome.winners)
        by = f" ({self.viewer.speech.word(outcome.criterion)})" if outcome.criterion else ""
        if outcome.undecided:
            return "A tie that the rules do not decide."
        verb = "share the win" if outcome.shared else "win" if len(outcome.winners) > 1 else "wins"
        return f"{who} {verb}{by}" if who else "Nobody wins."


def _is_unseen(event: Event) -> bool:
    return isinstance(event, ChanceEvent) and event.outcome is HIDDEN


def _tells_more(element: m.Element, own: Seen, others: Seen) -> bool:
    """Test whether a player's view of an element has hidden information; an empty hand has none."""
    part = "zones" if element.is_zone else "states"
    mine, theirs = own[part][element.name], others[part][element.name]
    cells = zip(mine.values(), theirs.values(), strict=True) if element.indices else [(mine, theirs)]
    return any(shown not in (held, {"count": 0}) for held, shown in cells)
