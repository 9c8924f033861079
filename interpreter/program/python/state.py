"""The state of a play in a compiled program."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol

from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ...state.contents import Ticket
from ...state.events import Trace
from ...state.pools import entries_of
from ...state.zones import empty_cell, indexed
from ..ir import code as c

_SHOWN, _LONGEST = 9, 60
"""`repr` shows at most this many cells, and this many characters of them."""


class StateOwner(Protocol):
    """The program to which states belong."""

    @property
    def game(self) -> m.Game:
        """The game that is played."""

    def key(self, play: State) -> Hashable:
        """Return a key that is equal only for states of one program with equal futures."""


class State:
    """A state of play. It has the attributes that `pools.py` and `zones.py` need of a state.

    Attributes:
        cells: the buffer: the cells of the game's elements, then the slots of routines.
        owner: the program it belongs to; None for a bare state, which equals no other.
        pools: what the tickets of unknown pieces may turn out to be (see `pools.py`).
        wait: the number of the current wait; 0 at the end.
        known: memoized results of units, valid while the cells do not change.
        active: recursive calls under way, for which the spec states a value.
        public: it is a public state: what not everybody sees is unknown (see `../ir/three_valued.py`).
        trial: this play only finds out whether a move is legal. probe: it only finds the next decision.
        trace: the tracer's data.
        may_refuse: a failing requirement refuses the move under way; otherwise it is a fault.
    """

    __slots__ = (
        "active",
        "cells",
        "known",
        "may_refuse",
        "normal",
        "owner",
        "pools",
        "probe",
        "public",
        "trace",
        "trial",
        "wait",
    )

    def __init__(self, cells: list[Any], owner: StateOwner | None = None) -> None:
        self.cells, self.owner = cells, owner
        self.pools: tuple[tuple[Any, ...], ...] = ()
        self.wait = 0
        self.known: dict[Any, Any] = {}
        self.active: set[Any] = set()
        self.normal: Any = None
        self.trial = self.probe = self.public = False
        self.may_refuse = True
        self.trace: Trace | None = None

    def clone(self) -> State:
        """Return an independent copy."""
        return self._with(set())

    def _with(self, active: set[Any]) -> State:
        copy = State.__new__(State)
        copy.cells, copy.owner, copy.pools, copy.wait = self.cells[:], self.owner, self.pools, self.wait
        # The memo is shared: a clone that changes a cell takes a new one, and never empties this one.
        copy.known, copy.active, copy.normal = self.known, active, self.normal
        # A copy is not a trial, whatever it was made from.
        copy.trial, copy.probe, copy.may_refuse, copy.trace = False, False, True, None
        copy.public = self.public
        return copy

    def within(self) -> State:
        """Return a copy for a question inside an expression."""
        return self._with(self.active)

    def become(self, other: State) -> None:
        """Take over the content of another state, which must not be used any more."""
        self.cells, self.pools, self.wait = other.cells, other.pools, other.wait
        self.known, self.normal = other.known, other.normal

    def key(self) -> Hashable:
        """Return a canonical value: equal exactly for equal states of one game."""
        return (self.wait, *self.cells) if self.owner is None else self.owner.key(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        one, two = self.owner, other.owner
        if one is None or two is None:
            return self is other
        return (one is two or one.game.fingerprint == two.game.fingerprint) and self.key() == other.key()

    def __hash__(self) -> int:
        return object.__hash__(self) if self.owner is None else hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        # The memo is left out: it would contain values of functions that the other process does not have.
        return _restored, (self.cells, self.owner, self.pools, self.wait)

    def __copy__(self) -> State:
        return self.clone()

    def __repr__(self) -> str:
        shown = self.cells if self.owner is None else self.cells[: self.owner.game.cell_count]
        cells = ", ".join(map(repr, shown[:_SHOWN]))
        more = f", ... {len(shown)} in all" if len(shown) > _SHOWN else ""
        where = f"waits at {self.wait}" if self.wait else "over"
        return f"<State: {cells if len(cells) <= _LONGEST else f'{cells[:_LONGEST]}...'}{more}; {where}>"

    def __str__(self) -> str:
        """Write what every state and zone holds, hidden pieces included, a line each: `mark(Cell(1, 1)): seat(2)`.

        What is empty is left out; a piece that nobody has seen is `?`; the top of a pile comes last.
        """
        if self.owner is None:
            return repr(self)
        return "\n".join(
            f"{element.name}({name}): {words}" if name else f"{element.name}: {words}"
            for element in self.owner.game.elements
            for cell, (name, _) in enumerate(indexed(element), start=element.offset)
            if (words := _words(element, self.cells[cell]))
        )

    @property
    def items(self) -> int:
        """The number of cells, and of items in collections, zones and pools."""
        collections = (value for value in self.cells if type(value) in (tuple, frozenset))
        return len(self.cells) + sum(map(len, collections)) + sum(map(len, self.pools))

    def put(self, cell: int, value: t.Value) -> None:
        """Store a value in a cell."""
        self.cells[cell] = value
        self.known = {}

    def set_pools(self, pools: Iterable[tuple[t.Value, ...]]) -> None:
        """Replace the pools."""
        self.pools = tuple(pools)

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        """Replace the entries of the pool with this number, or add the next new one."""
        self.pools = (*self.pools[:number], entries, *self.pools[number + 1 :])


def demand_own(state: State, game: m.Game) -> None:
    """Raise ValueError if it is a state of another game, edition, number of players or setting."""
    # Most states are of the engine that is asked.
    if state.owner is None or state.owner.game is game:
        return
    own, of = table_words(game), table_words(state.owner.game)
    if own != of:
        raise ValueError(f"`state` is of {of}; this engine plays {own}")
    if _setting(state.owner.game) != _setting(game):
        other = "another spec, or of other options or readings"
        raise ValueError(f"`state` is of {other}; `state_to_json` carries it over")


def _setting(game: m.Game) -> tuple[object, ...]:
    options = tuple(option.value for option in game.options)
    # Games are compared by what decides about their states, as the same spec may be loaded twice.
    return game.fingerprint, game.silence, options, tuple(fork.chosen for fork in game.forks)


def table_words(game: m.Game) -> str:
    """Name a game with its edition and number of players."""
    return f"{game.name}, edition {game.edition}, {game.players} players"


def _words(element: m.Element, content: t.Value) -> str:
    if not element.is_zone:
        return "" if content in (None, (), frozenset()) else show(element.type, content)
    return ", ".join("?" if isinstance(piece, Ticket) else show(element.type, piece) for piece in entries_of(content))


def _restored(cells: list[Any], owner: StateOwner | None, pools: tuple[tuple[Any, ...], ...], wait: int) -> State:
    """Rebuild a pickled state."""
    state = State(cells, owner)
    state.pools, state.wait = pools, wait
    return state


def cells_before_play(program: c.Program) -> list[Any]:
    """Return the contents of the cells before play."""
    cells: list[Any] = []
    for element in program.game.elements:
        initial = empty_cell(element) if element.initial is None else element.initial.value
        cells += [initial] * element.count
    # The last cell is the stack on which recursive actions put their cells aside.
    return cells + [None] * (program.cells - len(cells) + 1)
