"""The compiled engine: a game as a program, printed as Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ludex.spec import value_of
from ludex.spec import model as m
from ludex.spec import types as t

from ..events import DECLINE, Awaits, ChanceEvent, Event, Move, Outcome, Scores
from ..instructions import Concealed
from ..pools import HiddenCells, entries_of, normalise, outcomes, route_of, settle
from ..state import Ticket
from ..walk import highest_slot
from ..zones import Place, add, reveal, take, unseen
from . import code as c
from .lower import lower
from .moves import Numbers
from .python import load
from .runtime import DECLINED, Play, Runtime


class Compiled:
    """Plays one game by its program."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self.numbers = Numbers(game)
        self.program = lower(game)
        self.runtime = Runtime(self.program)
        self.runtime.numbers = self.numbers
        self.source, _ = load(self.program, self.runtime)
        self._hidden = _hidden_cells(game)
        self._blank = self._cells()
        self._moves: dict[tuple[int, int], Move] = {}

    def _cells(self) -> list[Any]:
        cells: list[Any] = []
        for element in self.game.elements:
            cells += self._initial(element)
        return cells + [None] * (self.program.cells - len(cells) + 1)

    def _initial(self, element: m.Element) -> list[t.Value]:
        if element.initial is None:
            empty = {"state": t.zero(element.type), "one": None, "pile": (), "bag": ()}
            return [empty[element.kind]] * element.count
        assert highest_slot(element.initial) >= 0
        return [
            value_of(element.initial, dict(enumerate(index, start=1)), self.game.defines, path=element.name)
            for index in product(*map(t.values, element.indices))
        ]

    # ---- where a state stands

    def start(self) -> Play:
        """The state in which the first event is awaited."""
        state = Play(self._blank[:])
        state.may_refuse = False
        self._run(state, self.program.first)
        return state

    def _run(self, S: Play, block: int) -> None:
        self.runtime.run(S, block)
        if S.pools:
            normalise(S, self._hidden)  # type: ignore[arg-type]

    def awaits(self, S: Play) -> Awaits:
        """What the state waits for."""
        match self.program.waits[S.wait]:
            case None:
                return Awaits.NOTHING
            case c.Decision() | c.Together():
                return Awaits.MOVE
        return Awaits.CHANCE

    def is_terminal(self, S: Play) -> bool:
        """Whether the game is over."""
        return S.wait == 0

    def to_move(self, S: Play) -> tuple[int, ...]:
        """Seats that must decide now."""
        match self.program.waits[S.wait]:
            case c.Decision() as decision:
                return (self.runtime.me(S, decision),)
            case c.Together():
                return tuple(self.runtime.waiting(S, S.wait))
        return ()

    # ---- moves

    def legal_ids(self, S: Play, player: int | None = None) -> list[int]:
        """The numbers of the legal moves of a player, in order; of the one who is to move if none is given."""
        wait = self.program.waits[S.wait]
        if isinstance(wait, c.Decision):
            me = wait.me
            player = me.value if isinstance(me, c.Const) else S.cells[me.base]  # type: ignore[union-attr]
        elif not isinstance(wait, c.Together):
            return []
        units, cells = self.runtime.units, S.cells
        first, *others = wait.options
        found: list[int] = units[first.lists](S, cells, player)
        if first.refusable:
            found = self._tried(S, first, found)
        for option in others:
            more = units[option.lists](S, cells, player)
            found = found + (self._tried(S, option, more) if option.refusable else more)
        if isinstance(wait, c.Decision) and wait.statement.optional:
            found.append(0)
        elif not found and self.runtime.concealed(S.wait) is not Concealed.NOTHING:
            found.append(0)
        return found

    def _tried(self, S: Play, option: c.Option, ids: list[int]) -> list[int]:
        numbered = self.numbers.by_name[option.name]
        return [each for each in ids if self.runtime.tried(S, S.wait, option, numbered.values(each)) is None]

    def legal_moves(self, S: Play, player: int | None = None) -> tuple[Move, ...]:
        """All legal moves, of one player or of all that are to move, in a fixed order, `decline` last."""
        wait = self.program.waits[S.wait]
        if not isinstance(wait, c.Decision | c.Together):
            return ()
        moves: list[Move] = []
        for seat in self.to_move(S):
            if player in (None, seat):
                moves += self._legal(S, wait, seat)
        return tuple(dict.fromkeys(moves))

    def _legal(self, S: Play, wait: c.Decision | c.Together, seat: int) -> list[Move]:
        moves: list[Move] = []
        for option in wait.options:
            for values in self.runtime.instances(S, option, seat):
                if not option.refusable or self.runtime.tried(S, S.wait, option, values) is None:
                    pairs = zip((argument.name for argument in option.arguments), values, strict=True)
                    moves.append(Move(seat, option.name, tuple(pairs)))
        optional = isinstance(wait, c.Decision) and wait.statement.optional
        if optional or (not moves and self.runtime.concealed(S.wait) is not Concealed.NOTHING):
            moves.append(Move(seat, DECLINE))
        return moves

    def chance(self, S: Play) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        """The awaited chance event's outcomes with their probabilities, in a fixed order."""
        wait = self.program.waits[S.wait]
        if isinstance(wait, c.Chance):
            counts = Counter(self.runtime.units[wait.lists](S, S.cells))
            total = counts.total()
            return tuple(
                (ChanceEvent(wait.statement.path, value), Fraction(count, total)) for value, count in counts.items()
            )
        if isinstance(wait, c.Hidden):
            found = outcomes(S, self._drawn(S, wait))  # type: ignore[arg-type]
            return tuple((ChanceEvent(wait.statement.path, piece, via), share) for piece, via, share in found)
        return ()

    def _drawn(self, S: Play, wait: c.Hidden) -> tuple[Any, ...]:
        entries = entries_of(S.cells[S.cells[wait.cells[0]]])
        if wait.kind == "draw":
            return entries if wait.source.kind == "bag" else entries[-1:]
        position = next(at for at in reversed(range(len(entries))) if type(entries[at]) is Ticket)
        return (entries[position],)

    # ---- playing

    def apply(self, S: Play, event: Event) -> Play:
        """The state after a legal event; the given one is left as it is."""
        after = S.clone()
        self.advance(after, event)
        return after

    def advance(self, S: Play, event: Event) -> None:
        """Play a legal event in the state itself."""
        wait = self.program.waits[S.wait]
        S.may_refuse, S.trial, S.probe = isinstance(event, Move), False, False
        if isinstance(event, ChanceEvent):
            assert isinstance(wait, c.Chance | c.Hidden)
            self._come_out(S, wait, event)
        elif isinstance(wait, c.Decision):
            if event.action == DECLINE:
                self._run(S, wait.then)
                return
            values = tuple(value for _, value in event.arguments)
            option = self._option(S, wait, event, values)
            self.runtime.bind(S, option, values)
            self._run(S, option.entry)
        else:
            assert isinstance(wait, c.Together)
            said = S.cells[wait.stated]
            stated: tuple[Any, ...] = DECLINED
            if event.action != DECLINE:
                values = tuple(value for _, value in event.arguments)
                stated = wait.options.index(self._option(S, wait, event, values)), values
            S.cells[wait.stated] = (*said[: event.player], stated, *said[event.player + 1 :])
            self._run(S, wait.then)

    def _option(self, S: Play, wait: c.Decision | c.Together, move: Move, values: Sequence[t.Value]) -> c.Option:
        named = [option for option in wait.options if option.name == move.action]
        for option in named:
            if self.runtime.units[option.admits](S, S.cells, move.player, *values):
                if not option.refusable or self.runtime.tried(S, S.wait, option, values) is None:
                    return option
        raise ValueError(move)

    def _come_out(self, S: Play, wait: c.Chance | c.Hidden, event: ChanceEvent) -> None:
        if isinstance(wait, c.Chance):
            S.cells[wait.cell] = event.outcome
            S.known = {}
            self._run(S, wait.then)
            return
        state: Any = S
        step, cells = wait.statement, S.cells
        source, target = Place(wait.source, cells[wait.cells[0]]), Place(wait.target, cells[wait.cells[1]])
        route = route_of(state, self._drawn(S, wait), event.outcome, event.via)
        assert route is not None
        if wait.kind == "draw":
            settle(state, route, event.outcome)
            take(state, source, Ticket(route[0]) if route else event.outcome, step)
            add(state, target, (event.outcome,), wait.bottom, step)
            cells[wait.cells[2]] -= 1
        else:
            position = unseen(state, source)
            assert position is not None
            settle(state, route, event.outcome)
            reveal(state, source, position, event.outcome)
        self._run(S, wait.then)

    # ---- points

    def scores(self, S: Play) -> tuple[Scores, ...]:
        """Every seat's points as they would count now."""
        found = []
        for player in range(self.game.players):
            parts = tuple((path, self.runtime.units[unit](S, S.cells, player)) for path, unit in self.program.scores)
            found.append(Scores(sum(points for _, points in parts), parts))
        return tuple(found)

    def winners(self, S: Play) -> Outcome:
        """Who has won, judged by the winner clauses now."""
        level = list(range(self.game.players))
        for criterion, unit in self.program.winner:
            if criterion.kind == "share" or unit is None:
                return Outcome(tuple(level), criterion.path, shared=len(level) > 1)
            results = {player: self.runtime.units[unit](S, S.cells, player) for player in level}
            best = max(results.values()) if criterion.kind == "highest" else min(results.values())
            level = [player for player, result in results.items() if result == best]
            if len(level) == 1:
                return Outcome(tuple(level), criterion.path)
        return Outcome(tuple(level) if self.program.winner else (), undecided=True)


def _hidden_cells(game: m.Game) -> HiddenCells:
    hidden = [element for element in game.elements if element.is_zone and element.visibility == "hidden"]
    cells = tuple(cell for element in hidden for cell in range(element.offset, element.offset + element.count))
    bags = (range(element.offset, element.offset + element.count) for element in hidden if element.kind == "bag")
    return HiddenCells(cells, frozenset(cell for bag in bags for cell in bag))


