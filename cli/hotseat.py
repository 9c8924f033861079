"""The talk of `ludex play`: what is shown to whom, what may be typed, what comes of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import click

from ludex.interpreter import Awaits, Event, Move
from ludex.spec import model as m

from .menu import Menu, chances_menu, moves_menu
from .report import plural, width
from .session import Happened, Session
from .sight import everything
from .terminal import ask, say, style
from .view import Seen, Viewer

HELP = """\
  a number    that choice
  a move      as it stands in the list
  Enter       the only choice, where there is only one
  back        to the step before, where a move is chosen in steps
  view        the table again
  cards       what is printed on every piece in sight
  log         what has happened, as you saw it
  undo        take the last move back
  save FILE   write the log
  quit        stop here (or q)
A colon before a word (`:undo`) makes it a command where a move has the same name."""


class Stopped(Exception):
    """The players want to stop, or the input has ended."""


class HotSeat:
    """Leads the players through a play.

    called: the game, by name or path. watched: people sit at a terminal; then the screen is cleared between players who
    must not see each other's hands.
    """

    def __init__(
        self, session: Session, called: str, enters_chance: bool, watched: bool, language: str | None = None
    ) -> None:
        self.session, self.engine = session, session.engine
        self.called, self.enters_chance, self.watched = called, enters_chance, watched
        self.viewer = Viewer(self.engine.game, session.names, language)
        self.seat: int | None = None
        """Who has the device, and has seen the table as it is now; None: it must be shown."""

    def run(self) -> None:
        """To the end of the play, or until the players stop."""
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
        """How the play is taken up again."""
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
        say(f"How did it come out{whose}: {self.viewer.speech.word(chances[0][0].path)}?")
        event = self._chosen(chances_menu(chances, self.viewer))
        if event is not None:
            self._kept(lambda: self.session.take(event))

    def _kept(self, play: Callable[[], object]) -> None:
        """Play on; that the log cannot be written is told, and ends no play."""
        try:
            play()
        except click.UsageError as fault:
            say(f"the log was not kept: {fault.message}")

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
        """Whether any player sees now what others do not, or has chosen what they do not know yet."""
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
        """The news and the table as the player sees them."""
        for happened in self.session.news(seat):
            if not (isinstance(happened.event, Move) and happened.event.player == seat):
                say(f"  {self._told(happened, seat)}")
        observation = self.engine.observe(self.session.state, seat)
        say("\n".join(["", *self.viewer.rows(observation, width(), explain), ""]))

    def _told(self, happened: Happened, onlooker: int) -> str:
        """An event as somebody saw it (-1: as everybody did)."""
        event = happened.seen[onlooker]
        whose = "" if happened.owner is None else f" for {self.viewer.player(happened.owner)}"
        who = self.viewer.player(event.player) if isinstance(event, Move) else f"chance{whose}"
        return f"{who}: {self.viewer.event(event)}"

    # ---- the prompt

    def _chosen(self, menu: Menu, seat: int | None = None) -> Event | None:
        """The event that is chosen; None if the play was taken back instead."""
        steps = [menu]
        self._list(steps[-1])
        while True:
            text = self._ask("> ").strip()
            if not text and len(steps[-1].choices) == 1:
                text = "1"
            choice = None if text.startswith(":") else steps[-1].typed(text, self.viewer)
            if choice is not None and len(choice.events) == 1:
                return choice.events[0]
            if choice is not None:
                moves = [event for event in choice.events if isinstance(event, Move)]
                steps.append(moves_menu(moves, self.viewer))
                self._list(steps[-1])
            elif text.lstrip(":") == "back" and len(steps) > 1:
                steps.pop()
                self._list(steps[-1])
            elif text and self._command(text, steps[-1], seat):
                return None

    def _list(self, menu: Menu) -> None:
        say("\n".join(menu.rows()))

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
        """Whether the play is another now."""
        word, _, rest = text.lstrip(":").partition(" ")
        match word:
            case "help" | "?":
                say(HELP)
            case "view" if seat is not None:
                self._show(seat)
                self._list(menu)
            case "cards" if seat is not None:
                self._show(seat, explain=True)
                self._list(menu)
            case "log":
                onlooker = -1 if seat is None else seat
                say("\n".join(f"  {self._told(happened, onlooker)}" for happened in self.session.history))
            case "undo":
                return self._undo()
            case "save":
                self._save(rest.strip())
            case "quit" | "q":
                raise Stopped("stopped")
            case _:
                say(f"type a number from 1 to {len(menu.choices)}, or `help`")
        return False

    def _undo(self) -> bool:
        if not self.session.can_undo:
            held = f"; what {self.session.resumed.log.file} holds stays there" if self.session.resumed else ""
            say(f"there is no move to take back{held}")
            return False
        self._kept(self.session.undo)
        self.seat = None
        return True

    def _save(self, name: str) -> None:
        file = Path(name) if name else self.session.file
        if file is None:
            say("save where? `save FILE`")
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
        say("\n".join(f"  {self._told(happened, -1)}" for happened in self.session.last_news()))
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


def _tells_more(element: m.Element, own: Seen, others: Seen) -> bool:
    """Whether a player's view of an element tells something that others do not see; an empty hand is no secret."""
    part = "zones" if element.is_zone else "states"
    mine, theirs = own[part][element.name], others[part][element.name]
    cells = zip(mine.values(), theirs.values(), strict=True) if element.indices else [(mine, theirs)]
    return any(shown not in (held, {"count": 0}) for held, shown in cells)
