"""Tables of every shipped game, with plays at them: seeded, or drawn by Hypothesis."""

from __future__ import annotations

import atexit
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from hypothesis import strategies as st

from ludex.grammar import syntax
from ludex.interpreter import Engine, Event, State, line_of
from ludex.spec import GameText, Request, declared, read_game, shipped_games

from ..once import engine_once
from ..tables import Table as Table
from ..tiers import PythonTier, Through, options_of

GAMES = shipped_games()
REFERENCE = Path(__file__).parents[2] / "docs" / "language.md"
LONGEST = 120
"""Laws follow a play for at most so many events; a law of its own says that every play ends."""

LONG = 40
"""The most events of a play about which the reference or native code are asked."""
MANY = 6
"""A game with more editions and numbers of players than this has one number of players for each edition, in turn."""


def _tables(name: str) -> Iterator[Table]:
    """Return the tables of a game: the fewest, some and the most players in the first edition, the fewest in the
    others.

    Where these would be many, each edition has one number of players, in turn. The first table is repeated with another
    reading of every fork.
    """
    text = read_game(name)
    low, high = text.game.header.players
    editions, numbers = text.names or (None,), sorted({low, (low + high) // 2, high})
    if len(editions) + len(numbers) > MANY:
        yield from (Table(name, players, edition) for edition, players in zip(editions, cycle(numbers)))
    else:
        yield from (Table(name, players, editions[0]) for players in numbers)
        yield from (Table(name, low, edition) for edition in editions[1:])
    open_forks = (node for node in _declarations(text) if isinstance(node, syntax.ForkDeclaration) and not node.decided)
    others = (
        (fork.name, next(each.name for each in fork.readings if each.name != fork.default)) for fork in open_forks
    )
    if readings := tuple(others):
        yield Table(name, low, text.default_edition, readings)


def _declarations(text: GameText) -> tuple[syntax.Declaration, ...]:
    """Return the declarations of its first edition. Games are parsed on demand, to keep the collection of
    tests fast.
    """
    return declared(text, Request()).declarations


TABLES = tuple(table for name in GAMES for table in _tables(name))


def _hides(name: str) -> bool:
    elements = (
        node
        for node in _declarations(read_game(name))
        if isinstance(node, syntax.StateDeclaration | syntax.ZoneDeclaration)
    )
    return any(node.visibility not in (None, "open") for node in elements)


HIDING = tuple(name for name in GAMES if _hides(name))
"""Games with information that is hidden from some player."""


def _samples() -> Iterator[Table]:
    """Return the games of the language reference and of `samples/`, with the fewest and the most players.

    Games from the reference are written to files that exist as long as the tests run.
    """
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    for text in re.findall(r"^```ludex\n(.*?)^```", REFERENCE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        file = Path(folder.name) / f"{text.split()[1]}.ludex"
        file.write_text(text, "utf-8")
    for file in (*sorted(Path(folder.name).iterdir()), *sorted((Path(__file__).parent / "samples").iterdir())):
        for players in sorted(set(read_game(file).game.header.players)):
            yield Table(str(file), players)


SAMPLES = tuple(_samples())


def game_of(table: Table, **_: object) -> str:
    """Return the game, for tests of some tables of each game: `drawn(1, by=game_of)`."""
    return table.game


def engine_of(table: Table) -> Engine:
    return engine_once(table.made())


# ---- plays ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A state, which must not be changed, and the event that follows. options: every possible event."""

    state: State
    event: Event
    options: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A play at a table, from its start as far as it was followed.

    Attributes:
        final: the state after the last event.
        through: who is asked about it, if not the engine in Python.
        few: how many events are tried in a state, where trying all would take too long.
        begins: whether it is from the start of the game.
    """

    table: Table
    positions: tuple[Position, ...] = field(repr=False)
    final: State = field(repr=False)
    through: Through | None = None
    few: int | None = None
    begins: bool = True

    @property
    def engine(self) -> Engine:
        return engine_of(self.table) if self.through is None else cast("Engine", self.through)

    def under(self, tier: Any, extent: int | None, rng: random.Random, few: int, at_the_end: bool = False) -> Play:
        """Return a part of it about which a tier is asked. extent: the number of events; None for all."""
        if isinstance(tier, PythonTier):
            return self
        many = min(LONG if extent is None else extent, len(self.positions))
        first = len(self.positions) - many
        first = first if at_the_end else rng.randint(0, first)
        positions, final = self.positions[first : first + many], self.states[first + many]
        return Play(self.table, positions, final, Through(tier), few, begins=first == 0)

    def some(self, events: Iterable[Event], rng: random.Random, times: int = 1) -> list[Event]:
        """Return the events, or few of them. times: a factor for these."""
        every = list(events)
        return every if self.few is None else rng.sample(every, min(times * self.few, len(every)))

    @property
    def events(self) -> list[Event]:
        return [position.event for position in self.positions]

    @property
    def states(self) -> list[State]:
        return [*(position.state for position in self.positions), self.final]

    @property
    def lines(self) -> list[Mapping[str, Any]]:
        """Return the events as lines of a log."""
        return [line_of(self.engine.game, event) for event in self.events]


def afresh(engine: Engine, state: State) -> State:
    """Return an equal state without cached results.

    It comes from the reference's form. From JSON it would take up to a hundred times as long, because the reference
    then judges whether the state can be; `a_state_survives_json_and_goes_on_alike` looks at that in every state.
    """
    return engine.from_reference(engine.to_reference(state))


def follow(table: Table, choose: Callable[[Sequence[Event]], Event | None], limit: int = LONGEST) -> Play:
    """Follow a play in which `choose` picks every event, until it picks none."""
    engine = engine_of(table)
    state, positions = engine.start(), list[Position]()
    while len(positions) < limit and not engine.is_terminal(state):
        options = options_of(engine, state)
        event = choose(options)
        if event is None:
            break
        positions.append(Position(state, event, options))
        state = engine.apply(state, event)
    return Play(table, tuple(positions), state)


@cache
def seeded(table: Table, seed: int, limit: int = LONGEST) -> Play:
    """Return the play of this seed; all possible events are equally likely."""
    return follow(table, random.Random(seed).choice, limit)


@st.composite
def drawn(draw: st.DrawFn) -> Play:
    """A strategy for plays at any table; each drawn number picks a possible event."""
    table = draw(st.sampled_from((*TABLES, *SAMPLES)))
    picks = iter(draw(st.lists(st.integers(0, 999), min_size=1, max_size=60)))

    def choose(options: Sequence[Event]) -> Event | None:
        pick = next(picks, None)
        return None if pick is None else options[pick % len(options)]

    return follow(table, choose)
