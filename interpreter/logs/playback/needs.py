"""Needs of the lines of a log: where the pieces that they name have to be, and what has to be in the places.

What an event needs is learned from random plays of the game: what was in a place before a player named it in this role,
and where a piece was. If something is not as a line needs it, an event before this line has to name it, too; if none of
the log does, one is missing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...generator import Generator
from ...information.event_visibility import is_hidden
from ...play.engine import Engine
from ...program import State
from ...state.events import ChanceEvent, Event, SpecFault
from ...state.pools import entries_of
from ...state.stock import PieceKind
from ...state.zones import indexed
from ..structure import Deal, Entry

NEVER = 1 << 30
"""The index of a line that does not exist; greater than all others."""
LEARNED = 1_500
"""The least number of events of random plays from which is learned, and of those with which it is compared."""
LONGEST_PLAY = 500
"""The most events of one random play."""
LEAST_EVENTS = 50
"""A random play counts as so many events at least, since its beginning takes work, too."""
CELLS_COMPARED = 4
"""To look at so many cells counts as one unit of work."""
_APART = 7
"""The distance of the states of a random play that are compared with its later events."""
_RARE = 0.05
"""A need is one if so few of the states that were compared are exceptions."""


class Role(NamedTuple):
    """What something is named as. player: of a move; name: of its action, or of the chance statement."""

    player: int | None
    name: str
    argument: str


class Watch(NamedTuple):
    """What a role watches of a named thing: the `cells` of an element; without any, the place of the piece."""

    element: str
    look: Callable[[Sequence[Hashable]], Hashable] | None


Aspect: TypeAlias = tuple[Role, str]
"""A role, and the element of the cells that are watched."""
NamedAs: TypeAlias = tuple[Role, PieceKind]
Where: TypeAlias = Mapping[PieceKind, tuple[int, ...]]
"""The cells in which each piece is."""
Unmet: TypeAlias = frozenset[tuple[int, PieceKind]]
"""Lines, each with something that is not as it needs it."""


def mentioned_by(game: m.Game, event: Event | None) -> list[NamedAs]:
    """List what an event names, apart from players."""
    if isinstance(event, ChanceEvent):
        if event.path not in game.chances or is_hidden(event.outcome):
            return []
        return [(Role(None, event.path, ""), (str(game.chances[event.path].outcome), event.outcome))]
    if event is None or event.action not in game.moves:
        return []
    types, found = {name: of for name, of, _ in game.moves[event.action].arguments}, list[NamedAs]()
    for name, value in event.arguments:
        if name not in types or is_hidden(value) or value is None:
            continue
        of = t.strip_optional(types[name])
        item = t.element_type(of)
        items = (value,) if item is None else value if isinstance(value, tuple | frozenset) else ()
        role = Role(event.player, event.action, name)
        found += [(role, (str(item or of), each)) for each in items if not isinstance(item or of, t.PlayerType)]
    return found


class _Watched:
    """The cells that are watched for each value that an event may name."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self._zones = [
            (str(each.type), each.offset, each.offset + each.count) for each in game.elements if each.is_zone
        ]
        self.zone_cells = sum(end - start for _, start, end in self._zones)
        cells = defaultdict[tuple[PieceKind, int | None, str], list[int]](list)
        for element in game.elements:
            # What a move needs is on the board of its player, and not on those of the others.
            owners = [at for at, of in enumerate(element.indices) if isinstance(of, t.PlayerType)]
            for cell, (_, indices) in enumerate(indexed(element), element.offset):
                owner = indices[owners[0]] if owners else None
                for of, index in zip(element.indices, indices, strict=True):
                    if not isinstance(of, t.PlayerType):
                        cells[(str(of), index), owner, element.name].append(cell)
        self._watches = defaultdict[tuple[PieceKind, int | None], list[Watch]](list)
        for (value, owner, name), listed in cells.items():
            self._watches[value, owner].append(Watch(name, itemgetter(*listed)))

    def where(self, state: State) -> Where:
        found, cells = defaultdict[PieceKind, tuple[int, ...]](tuple), state.cells
        for of, start, end in self._zones:
            for cell, held in enumerate(cells[start:end], start):
                # Most cells are empty.
                if held is not None and held != ():
                    for piece in entries_of(held):
                        found[of, piece] += (cell,)
        return found

    def watches(self, mention: NamedAs) -> Iterator[Watch]:
        role, value = mention
        yield Watch("", None)
        yield from self._watches.get((value, None), ())
        if role.player is not None:
            yield from self._watches.get((value, role.player), ())

    def looks(self, state: State, mentions: Sequence[NamedAs]) -> Iterator[tuple[Aspect, Hashable]]:
        where = self.where(state)
        for mention in mentions:
            for watch in self.watches(mention):
                yield (mention[0], watch.element), _look(watch, mention[1], state, where)


def _look(watch: Watch, piece: PieceKind, state: State, where: Where) -> Hashable:
    return where.get(piece, ()) if watch.look is None else watch.look(state.cells)


def _plays(engine: Engine, seed: int) -> Iterator[list[tuple[State, Event]]]:
    """Yield random plays with so many events, as far as the rules allow."""
    left, number = LEARNED, 0
    while left > 0:
        number += 1
        play = list[tuple[State, Event]]()
        engine.meter.begin_game()
        # The events before a fault of the rules are as good as others.
        with suppress(SpecFault):
            play.extend(islice(_play(engine, Generator(seed, number)), LONGEST_PLAY))
        left -= max(LEAST_EVENTS, len(play))
        yield play


def _play(engine: Engine, generator: Generator) -> Iterator[tuple[State, Event]]:
    state = engine.start()
    while not engine.is_terminal(state):
        if engine.is_chance(state):
            event: Event = engine.sample_chance(state, generator)
        else:
            moves = engine.legal_moves(state, engine.to_move(state)[0])
            event = moves[generator.below(len(moves))]
        yield state, event
        engine.check_game(state)
        state = engine.apply(state, event)


def _learned(engine: Engine, watched: _Watched) -> Mapping[Aspect, frozenset[Hashable]]:
    """Learn what events need."""
    seen = defaultdict[Aspect, set[Hashable]](set)
    for play in _plays(engine, 0):
        for state, event in play:
            for aspect, content in watched.looks(state, mentioned_by(engine.game, event)):
                seen[aspect].add(content)
    compared, exceptions = Counter[Aspect](), Counter[Aspect]()
    # Other plays test what was learned: contents that were merely not seen in the first would look like a need.
    for play in _plays(engine, 1):
        following = dict[PieceKind, Role]()
        # Backwards, so that `following` has the next event that names each piece.
        for at in range(len(play) - 1, -1, -1):
            state, event = play[at]
            following |= {piece: role for role, piece in mentioned_by(engine.game, event)}
            if at % _APART == 0:
                for aspect, content in watched.looks(state, [(role, piece) for piece, role in following.items()]):
                    compared[aspect] += 1
                    exceptions[aspect] += content not in seen[aspect]
    return {
        aspect: frozenset(contents)
        for aspect, contents in seen.items()
        if compared[aspect] and exceptions[aspect] <= _RARE * compared[aspect]
    }


class Needs:
    """What the lines of one log need."""

    def __init__(self, engine: Engine, entries: Sequence[Entry | None]) -> None:
        self._watched = _Watched(engine.game)
        self._learned = _learned(engine, self._watched)
        self._named = defaultdict[PieceKind, list[tuple[int, Role]]](list)
        self._checks = dict[int, list[tuple[int, PieceKind, Watch, frozenset[Hashable]]]]()
        for at, entry in enumerate(entries):
            for event in () if entry is None else _events(entry):
                for role, piece in mentioned_by(engine.game, event):
                    self._named[piece].append((at, role))

    def unmet(self, at: int, state: State) -> Unmet:
        """Return what is not as the lines from this one on need it: of each thing the next line that names it."""
        where = self._watched.where(state)
        return frozenset(
            [
                (line, piece)
                for line, piece, watch, needed in self._checks_from(at)
                if _look(watch, piece, state, where) not in needed
            ]
        )

    def work(self, at: int) -> int:
        """Return the units of work of `unmet`."""
        return (len(self._checks_from(at)) + self._watched.zone_cells) // CELLS_COMPARED

    def _checks_from(self, at: int) -> list[tuple[int, PieceKind, Watch, frozenset[Hashable]]]:
        # A search looks at very many states before one line.
        if at not in self._checks:
            listed = self._checks[at] = []
            for piece, named in self._named.items():
                number = bisect_left(named, at, key=itemgetter(0))
                if number < len(named):
                    line, role = named[number]
                    for watch in self._watched.watches((role, piece)):
                        needed = self._learned.get((role, watch.element))
                        if needed is not None:
                            listed.append((line, piece, watch, needed))
        return self._checks[at]


def _events(entry: Entry) -> Iterator[Event]:
    if entry.event is not None:
        yield entry.event
    if isinstance(entry.several, Deal):
        yield from (ChanceEvent(entry.several.path, card) for card in entry.several.cards)
