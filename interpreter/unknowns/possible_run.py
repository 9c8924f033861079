"""A run of the reference from a possible state: it splits where the flow depends on unknown values.

The rules are evaluated with partial knowledge (`ludex.spec.Evaluation`). A statement that cannot continue raises
`UndeterminedFlow`; then one of the unknown things that it read is made known in every way it can be, and each of the
runs continues by itself. Nothing else is ever assumed, so the runs together cover every play that the record allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ludex.grammar import Message
from ludex.spec import Truth, Unknown, free_slots, is_known, nodes, per_node
from ludex.spec import model as m
from ludex.spec import types as t

from ..reference.chance import drawn_entries, random_values
from ..reference.control import Mode, Next, RequirementFault, UndeterminedFlow
from ..reference.run import STEP_LIMIT, Rules, Run
from ..reference.scoring import points_of, scores, winners
from ..stack.places import AWAITING
from ..stack.routines import without_dead
from ..stack.state import Frame, StackState
from ..state.contents import DrawnTicket, Ticket
from ..state.events import Outcome, Scores, SpecFault, TooManyStates, Trace
from ..state.pools import HiddenCells, PoolEntry, arranged, entries_of, make_canonical, routes, settle, shuffled
from ..state.zones import ZoneCell, cell_of, fault, take
from .possible_evaluation import PossibleEvaluation
from .unknown_values import OneOf, PartlyKnownBag, Unidentified, kinds_in, one_of, unknowns_in, with_value

FEW_CANDIDATES = 8
"""An unknown value is made known even where that is not necessary, if it has at most this many candidates."""


POSSIBLE = Mode(is_partial=True)

MOST_VALUES = 2_000
"""A type of more values than this has no list of candidates."""


class Assumption(UndeterminedFlow):
    """The flow depends on a value with too many unknown parts: the run continues for each of these values."""

    def __init__(self, values: tuple[t.Value, ...]) -> None:
        self.values = values
        super().__init__()


class Placing(UndeterminedFlow):
    """A requirement fails unless a ticket is a certain piece: the run continues for each way in which one is."""

    def __init__(self, run: PossibleRun, ways: list[tuple[Any, ...]]) -> None:
        self.cells, self.pools, self.ways = tuple(run.cells), run.pools, ways
        super().__init__()

    def applies_to(self, run: PossibleRun) -> bool:
        """Return whether the tickets are where they were when the requirement was read."""
        return (self.cells, self.pools) == (tuple(run.cells), run.pools)


class PossibleRun(Run):
    """A run from a possible state.

    read: what was read and is unknown, since it was last emptied: the numbers of cells that hold tickets, and unknown
    values. An unknown piece that is read twice is the same object.
    passed: the states at whose decision the run continued as if it offered nothing.
    turned: the pieces that were turned up without a chance event, as somebody knew where they were: the path of each
    statement and the cell in which the piece lies now.
    excluded: the type and value of a piece that nothing unknown in a zone is taken to be.
    demanded: what the requirements of the move under way ask of its unknown arguments.
    """

    def __init__(
        self,
        rules: Rules,
        state: StackState,
        mode: Mode = POSSIBLE,
        trace: Trace | None = None,
        active: set[Any] | None = None,
    ) -> None:
        super().__init__(rules, state, mode, trace, active)
        if not mode.is_public:
            active = self.evaluation.active
            self.evaluation = PossibleEvaluation(self.game.defines, self, active, self.meter, mode.is_partial)
        self.read: dict[int | OneOf, None] = {}
        self._shown: dict[int, tuple[Any, t.Value]] = {}
        self.questions, self.assumed = 0, tuple[t.Value, ...]()
        self.passed: tuple[StackState, ...] = ()
        self.turned: tuple[tuple[str, int], ...] = ()
        self.excluded: tuple[t.Type, t.Value] | None = None
        self.demanded: Demanded | None = None

    def within(self, frames: Iterable[Frame], mode: Mode = POSSIBLE) -> Run:
        inner = super().within(frames, mode)
        assert isinstance(inner, PossibleRun)
        inner.read = self.read  # shared: what the inner run could not decide is what this one divides by
        inner._shown = dict(self._shown)  # a piece that nobody has seen is the same one there
        inner.excluded = self.excluded
        return inner

    def state(self) -> StackState:
        """Return the current state."""
        make_canonical(self, zone_cells(self.rules))
        return StackState(tuple(self.cells), self.pools, without_dead(self.rules.routines, self.frames))

    def copy(self) -> PossibleRun:
        """Return a copy that runs on by itself."""
        run = PossibleRun(self.rules, StackState(tuple(self.cells), self.pools, tuple(self.frames)), self.mode)
        run.passed, run.turned, run.demanded = self.passed, self.turned, self.demanded
        return run

    def is_all_known(self) -> bool:
        """Return whether nothing is unknown that somebody has seen."""
        # A ticket in a hidden zone is a piece that nobody has seen at the table, either; elsewhere it stands for one
        # that the record leaves out.
        hidden = frozenset(self.rules.hidden.cells)
        return not unknowns_in((*self.cells, *self.frames)) and not any(
            type(entry) is DrawnTicket or (type(entry) is Ticket and cell not in hidden)
            for cell, held in enumerate(self.cells)
            for entry in entries_of(held)
        )

    # ---- reading

    def held(self, element: m.Element, indices: tuple[t.Value, ...]) -> t.Value:
        cell = cell_of(element, indices)
        held = self.cells[cell]
        if not element.is_zone:
            if isinstance(held, OneOf):
                self.read[held] = None
            return held
        # What is read is noted before it is known whether the outcome depends on it: dividing picks among these.
        self.read.update(dict.fromkeys(unknowns_in(held)))
        has_tickets = any(isinstance(entry, Ticket) for entry in entries_of(held))
        if not has_tickets and (self.excluded is None or not entries_of(held)):
            return held
        if has_tickets:
            self.read[cell] = None
        # A zone that is read twice shows the same objects, so that `card = card` holds of a piece nobody has seen.
        shown = self._shown.get(cell)
        if shown is None or shown[0] != (held, self.pools):
            entries = tuple([self._piece(element.type, entry) for entry in entries_of(held)])
            shown = self._shown[cell] = (held, self.pools), entries[0] if element.kind == "one" else entries
        return shown[1]

    def _piece(self, of: t.Type, entry: PoolEntry) -> t.Value:
        if self.excluded is not None and of == self.excluded[0]:
            return self._other_piece(entry, self.excluded[1])
        return Unidentified(entry, kinds_in(self.pools, (entry,))) if isinstance(entry, Ticket) else entry

    def _other_piece(self, entry: PoolEntry, excluded: t.Value) -> t.Value:
        """Return an entry as one that is not this piece, unless it is known to be."""
        if isinstance(entry, Ticket):
            return Unidentified(entry, kinds_in(self.pools, (entry,)) - {excluded})
        others = [each for each in entry.candidates if each != excluded] if isinstance(entry, OneOf) else []
        return one_of(others) if others else entry

    def value(self, expr: m.Expr, path: str | None) -> t.Value:
        """Evaluate an expression in the innermost frame.

        A value that depends on much that is unknown is unknown itself: one of its type.
        """
        value = self._evaluated(expr, path)
        if type(value) is not Unknown or self.is_cheap():
            return value
        if (t.size(expr.type) or MOST_VALUES + 1) > MOST_VALUES:
            return value
        return OneOf(t.values(expr.type))

    def _evaluated(self, expr: m.Expr, path: str | None) -> t.Value:
        self.read.update(dict.fromkeys(unknowns_in(self.frame.slots)))
        return super().value(expr, path)

    def known(self, expr: m.Expr, path: str | None) -> t.Value:
        value = self._evaluated(expr, path)
        if not isinstance(value, Unknown):
            return value
        if self.is_cheap() or (t.size(expr.type) or FEW_CANDIDATES + 1) > FEW_CANDIDATES:
            raise UndeterminedFlow
        return self._answer(tuple(t.values(expr.type)))

    def _answer(self, values: tuple[Any, ...]) -> Any:
        """Return the one of the values that this run assumes. Raises Assumption where it has not divided yet."""
        # A trial ends at an unknown value: the run around it divides, and tries again.
        if self.mode.is_trial or self.mode.is_probe:
            raise UndeterminedFlow
        self.questions += 1
        if self.questions > len(self.assumed):
            raise Assumption(values)
        return self.assumed[self.questions - 1]

    # ---- writing

    def write(self, slot: int, value: t.Value) -> None:
        super().write(slot, _writable(value))

    def call(self, name: str, slots: tuple[t.Value, ...]) -> None:
        # What an argument may be is found out before the call: in the new frame nothing says what it was made from.
        self.read.update(dict.fromkeys(unknowns_in(tuple(self.frames))))
        super().call(name, tuple(map(_writable, slots)))

    def put(self, cell: int, held: t.Value) -> None:
        more = len(entries_of(held)) - len(entries_of(self.cells[cell]))
        # Other statements may have the path of a chance event, but they turn nothing up.
        draws = bool(self.frames) and isinstance(self.step, AWAITING) and self.step.path in self.game.chances
        if more > 0 and draws and cell not in self.rules.hidden.cells:
            self.turned += ((self.step.path, cell),) * more
        super().put(cell, _writable(held))
        self._shown.pop(cell, None)  # an equal ticket may be another piece

    def put_pool(self, number: int, entries: tuple[t.Value, ...]) -> None:
        unknown: dict[int | OneOf, None] = dict.fromkeys(unknowns_in(entries))
        if unknown:  # a pool counts pieces, so each has to be known
            self.read.update(unknown)
            raise UndeterminedFlow
        super().put_pool(number, entries)

    def take(self, place: ZoneCell, piece: t.Value, at: m.Statement) -> PoolEntry:
        if isinstance(piece, OneOf) and piece not in place.entries(self):
            return self._take_one_of(place, piece, at)
        if isinstance(piece, Unidentified):
            take(self, place, piece.ticket, at)
            return piece.ticket
        if piece in place.entries(self):
            take(self, place, piece, at)
            return piece
        tickets = (entry for entry in dict.fromkeys(place.entries(self)) if isinstance(entry, Ticket))
        ways: list[tuple[Any, Any]] = [
            (ticket, route) for ticket in tickets for kind, route, _ in routes(self, (ticket,)) if kind == piece
        ]
        ways += [(unknown, None) for unknown in self._unlike(place.entries(self)) if unknown.may_be(piece)]
        if not ways:
            take(self, place, piece, at)  # which says that it is not there
        # Where the piece could have come by several routes, what is left behind differs: the run divides.
        entry, route = ways[0] if len(ways) == 1 else self._answer(tuple(ways))
        take(self, place, entry, at)
        if isinstance(entry, OneOf):
            self._know({entry.number: piece})
        else:
            settle(self, route, piece)
        return piece

    def _unlike(self, entries: Iterable[PoolEntry]) -> list[OneOf]:
        """Return the unknown values among the entries of a zone; of those that differ in nothing, one."""
        unknown = Counter(each for each in entries if isinstance(each, OneOf))
        if len(unknown) < 2:
            return list(unknown)
        everywhere = Counter(unknowns_in((*self.cells, *self.frames)))
        alike = {(each.candidates, None if everywhere[each] == 1 else each): each for each in unknown}
        return list(alike.values())

    def _take_one_of(self, place: ZoneCell, piece: OneOf, at: m.Statement) -> PoolEntry:
        """Take a piece that nobody has recorded. Where many may be meant, the zone's pieces are mixed: that forgets
        which was taken, and covers every one of them."""
        kinds = kinds_in(self.pools, place.entries(self)) & set(piece.candidates)
        if not kinds:
            raise fault(Message("fault-not-here"), at)
        if len(place.entries(self)) == 1:
            (entry,) = place.entries(self)
            take(self, place, entry, at)
            return entry
        unseen = any(type(entry) is Ticket for entry in place.entries(self))
        if len(kinds) <= FEW_CANDIDATES or unseen or any(isinstance(entry, OneOf) for entry in place.entries(self)):
            self.read = {piece: None}
            raise UndeterminedFlow
        mixed = [DrawnTicket(ticket.pool) for ticket in shuffled(self, place.entries(self))]
        self.put(place.cell, tuple(mixed[1:]))
        return mixed[0]

    def any_legal(self, verdicts: Iterable[Truth]) -> Truth:
        # The first instance that may be legal settles it: to find one that surely is would take long.
        return next((verdict for verdict in verdicts if verdict is not False), False)

    def items(self, domain: m.Expr, path: str | None) -> tuple[t.Value, ...]:
        items = super().items(domain, path)
        if not is_known(items):
            raise UndeterminedFlow
        return items

    def demand(self, requirement: m.Requirement) -> None:
        # Whether this requirement alone is in doubt decides here; doubts about earlier ones are added again after it.
        doubted, self.doubt = self.doubt, False
        super().demand(requirement)
        if self.doubt and not self.mode.is_trial:
            ways = self.ways_needed(requirement, dict(enumerate(self.frame.slots)))
            if ways:
                raise Placing(self, ways)
            if ways is not None:
                self.doubt = False
            elif self.is_cheap():
                raise UndeterminedFlow
        self.doubt |= doubted

    def is_cheap(self) -> bool:
        """Return whether what was read and is unknown can be divided into few ways."""
        ways = [len(ways) for each in self.read if (ways := self._ways(each))]
        return bool(ways) and min(ways) <= FEW_CANDIDATES

    # ---- what is known from elsewhere

    def holding(self, element: m.Element, indices: tuple[t.Value, ...], value: t.Value) -> Iterator[PossibleRun]:
        """Yield the runs in which a state or zone holds this."""
        cell = cell_of(element, indices)
        held = self.cells[cell]
        if isinstance(held, OneOf):
            if held.may_be(value):
                yield self.with_known(held, value)
        elif not element.is_zone:
            if held == value:
                yield self
        elif element.kind == "bag":
            yield from self._bag_of(cell, value)
        else:
            yield from self._entries_are(cell, entries_of(value))

    def showing(self, turned: Sequence[tuple[str, t.Value]]) -> Iterator[PossibleRun]:
        """Yield the runs in which these pieces were turned up first, by these statements."""
        if [path for path, _ in turned] != [path for path, _ in self.turned[: len(turned)]]:
            return
        runs: list[PossibleRun] = [self]
        for (_, cell), (_, piece) in zip(self.turned, turned, strict=False):
            shown = [run for run in runs if piece in entries_of(run.cells[cell])]
            runs = [
                *shown,
                *(run.with_known(*way) for run in runs if run not in shown for way in run._ways_in(cell, piece)),
            ]
        yield from runs

    def _with(self, cell: int, piece: t.Value) -> list[PossibleRun]:
        """Return the runs in which the piece is in a zone."""
        if piece in entries_of(self.cells[cell]):
            return [self]
        return [self.with_known(*way) for way in self._ways_in(cell, piece)]

    def _bag_of(self, cell: int, pieces: tuple[t.Value, ...]) -> Iterator[PossibleRun]:
        """Yield the runs in which the tickets of a bag are the pieces that it does not show."""
        entries = self.cells[cell]
        missing = Counter(pieces) - Counter(entries)
        known = Counter(each for each in entries if not isinstance(each, Ticket | OneOf))
        if len(entries) != len(pieces) or known - Counter(pieces):
            return
        if not missing:
            yield self
            return
        # Pieces are assigned one at a time, in a fixed order, so that no assignment is found twice in another order.
        piece = min(missing)
        for way in self._ways_in(cell, piece):
            yield from self.with_known(*way)._bag_of(cell, pieces)

    def _entries_are(self, cell: int, pieces: tuple[t.Value, ...]) -> Iterator[PossibleRun]:
        """Yield the runs in which the entries of a zone are these pieces, one by one."""
        entries = entries_of(self.cells[cell])
        if len(entries) != len(pieces) or any(
            not isinstance(entry, Ticket | OneOf) and entry != piece
            for entry, piece in zip(entries, pieces, strict=True)
        ):
            return
        for entry, piece in zip(entries, pieces, strict=True):
            if isinstance(entry, OneOf):
                if entry.may_be(piece):
                    yield from self.with_known(entry, piece)._entries_are(cell, pieces)
                return
        # The last ticket is sought, as `_with` replaces the last entry that equals the ticket.
        last = next((at for at in reversed(range(len(entries))) if isinstance(entries[at], Ticket)), None)
        if last is None:
            yield self
            return
        for way in self._ways_of(cell, entries[last], pieces[last]):
            yield from self.with_known(*way)._entries_are(cell, pieces)

    def _ways_in(self, cell: int, piece: t.Value) -> Iterator[tuple[Any, ...]]:
        """Yield the ways in which something unknown in a zone is this piece."""
        entries = entries_of(self.cells[cell])
        for ticket in dict.fromkeys(entry for entry in entries if isinstance(entry, Ticket)):
            yield from self._ways_of(cell, ticket, piece)
        yield from ((unknown, piece) for unknown in self._unlike(entries) if unknown.may_be(piece))

    def _ways_of(self, cell: int, ticket: PoolEntry, piece: t.Value) -> list[tuple[Any, ...]]:
        return [(cell, ticket, kind, route) for kind, route, _ in routes(self, (ticket,)) if kind == piece]

    def may_score(self, seat: int, points: int) -> bool:
        """Return whether a player may have so many points."""
        parts = points_of(self.game, self.evaluation, seat)
        return self._is_open(parts) or sum(parts) == points

    def may_win(self, seats: frozenset[int]) -> bool:
        """Return whether these players may have won. It is not decided where what the winner clauses ask is unknown."""
        # If the winners are not known, every claim may be true.
        if self._is_open(self._criteria()):
            return True
        outcome = winners(self.game, self.evaluation)
        return seats == (frozenset() if outcome.undecided else frozenset(outcome.winners))

    def _is_open(self, values: tuple[t.Value, ...]) -> bool:
        """Return whether values are not known, and too much would have to be. Raises Undetermined if little would."""
        if not is_known(values) and self.is_cheap():
            raise UndeterminedFlow
        return not is_known(values)

    def result(self) -> tuple[tuple[Scores, ...], Outcome] | None:
        """Return the points and the winners; None if they depend on unknown values."""
        seats = range(self.game.players)
        if not is_known((*self._criteria(), *(points_of(self.game, self.evaluation, seat) for seat in seats))):
            return None
        return tuple(scores(self.game, self.evaluation, seat) for seat in seats), winners(self.game, self.evaluation)

    def _criteria(self) -> tuple[t.Value, ...]:
        """Return what the winner clauses ask of every player."""
        return tuple(
            self.evaluation.of(criterion.value, {0: seat}, criterion.path)
            for criterion in self.game.winner
            if criterion.value is not None
            for seat in range(self.game.players)
        )

    # ---- dividing

    def assuming(self, values: tuple[t.Value, ...]) -> PossibleRun:
        """Return a copy in which the questions of the next statement, in order, have these answers."""
        run = self.copy()
        run.assumed = values
        return run

    def divided(self, read: Iterable[int | OneOf]) -> list[PossibleRun]:
        """Return the runs that differ in one of the unknown things: the one with the fewest candidates.

        Raises Refusing if a requirement of the move under way fails in every one of them, SpecFault if nothing is
        unknown that could decide: the rules have no value here; and TooManyStates if something is unknown that was not
        read, since a state may only be dropped for what is known.
        """
        ways = [ways for each in read if (ways := self._ways(each))]
        if not ways:
            if not self.is_all_known():
                raise TooManyStates
            raise SpecFault(Message("fault-no-value"), *self.routine.place)
        fewest = min(ways, key=len)
        unknown = fewest[0][0]
        alike = self._alike(unknown) if isinstance(unknown, OneOf) else []
        runs = self._divided_in_order(unknown, alike) if alike else [self.with_known(*way) for way in fewest]
        failed = [run.demanded.failed() if run.demanded is not None else None for run in runs]
        if None not in failed:
            requirement = next(filter(None, failed))
            raise RequirementFault(Message("fault-too-late"), requirement.path, requirement.span)
        return [run for run, requirement in zip(runs, failed, strict=True) if requirement is None]

    def _alike(self, unknown: OneOf) -> list[OneOf]:
        """Return the other unknown values that could change places with this one: they lie in the same bag, and have
        the same candidates."""
        everywhere = Counter(unknowns_in((*self.cells, *self.frames)))
        bags = (held for frame in self.frames for held in frame.slots if isinstance(held, PartlyKnownBag))
        bag = next((held for held in bags if unknown in held), ())
        same = (each for each in bag if isinstance(each, OneOf) and each.candidates == unknown.candidates)
        return [each for each in same if each is not unknown and everywhere[each] == everywhere[unknown] == 1]

    def _divided_in_order(self, unknown: OneOf, alike: Sequence[OneOf]) -> list[PossibleRun]:
        """Return the runs in which this value is the first, in the order of the candidates, of those that are alike."""
        runs = list[PossibleRun]()
        for at, value in enumerate(unknown.candidates):
            run, left = self.copy(), unknown.candidates[at:]
            others = {each.number: one_of(left) if len(left) > 1 else value for each in alike}
            run._know({unknown.number: value, **others})
            runs.append(run)
        return runs

    def ways_needed(self, requirement: m.Requirement, slots: dict[int, t.Value]) -> list[tuple[Any, ...]] | None:
        """Decide a requirement by asking only whether unknown pieces are one that it names.

        Returns the ways in which one of them is that piece, if the requirement fails where none is; an empty list if it
        holds however many are; None if this decides nothing. To know each unknown piece takes as many runs as there are
        kinds, and most of them are refused.
        """
        values = dict.fromkeys((of, slots.get(slot)) for of, slot in piece_slots(self.rules)(requirement))
        named = [(of, piece) for of, piece in values if piece is not None and is_known(piece)]
        # Most requirements are settled by what is known, whatever pieces they name.
        if not named or self.copy()._holds(requirement, slots) is not None:
            return None
        for of, piece in named:
            decided = self._decided_by(requirement, slots, of, piece)
            if decided is not None:
                return decided
        return None

    def _decided_by(
        self, requirement: m.Requirement, slots: dict[int, t.Value], of: t.Type, piece: t.Value
    ) -> list[tuple[Any, ...]] | None:
        # First none of the unknown pieces is this one, then one of them, then two, ...
        run, is_first = self.copy(), True
        while True:
            run.read.clear()
            holds = run._holds(requirement, slots)
            if holds is not None:
                return [] if holds and not is_first else None
            without = run.copy()
            without.excluded = of, piece
            holds_without = without._holds(requirement, slots)
            run.read |= without.read  # the requirement may read more where it is known that no piece is this one
            ways = run.ways_to_hold(of, piece)
            if holds_without is False and is_first:
                return ways or None
            # If several unknown pieces could be this one, none is chosen.
            if not holds_without or ways is None or len(ways) > 1:
                return None
            if not ways:
                return []
            run, is_first = run.with_known(*ways[0]), False

    def _holds(self, requirement: m.Requirement, slots: dict[int, t.Value]) -> bool | None:
        verdict = self.evaluation.verdict(requirement, slots)
        return verdict if isinstance(verdict, bool) else None

    def ways_to_hold(self, of: t.Type, piece: t.Value) -> list[tuple[Any, ...]] | None:
        """Return the ways in which one of the unknown pieces that were read is this one; None if its place matters."""
        ways, bags = list[tuple[Any, ...]](), zone_cells(self.rules).bags
        for cell in (cell for cell, each in zone_types(self.rules).items() if each == of):
            unknown = [entry for entry in entries_of(self.cells[cell]) if isinstance(entry, Ticket | OneOf)]
            if cell in self.read or any(isinstance(entry, OneOf) and entry in self.read for entry in unknown):
                # A way names a ticket and not its place, so it cannot distinguish equal tickets in a pile.
                if cell not in bags and len(unknown) > 1:
                    return None
                ways += self._ways_in(cell, piece)
        return ways

    def _ways(self, unknown: int | OneOf) -> list[tuple[Any, ...]]:
        if isinstance(unknown, OneOf):
            return [(unknown, value) for value in unknown.candidates]
        tickets = [entry for entry in entries_of(self.cells[unknown]) if isinstance(entry, Ticket)]
        if not tickets:
            return []
        return [(unknown, tickets[-1], piece, route) for piece, route, _ in routes(self, tickets[-1:])]

    def with_known(self, unknown: int | OneOf, *way: Any) -> PossibleRun:
        run = self.copy()
        if isinstance(unknown, OneOf):
            run._know({unknown.number: way[0]})
            return run
        ticket, piece, route = way
        settle(run, route, piece)
        run.cells[unknown] = _replaced(run.cells[unknown], ticket, piece, unknown in zone_cells(self.rules).bags)
        return run

    def _know(self, known: Mapping[int, t.Value]) -> None:
        """Replace unknown values, by their numbers, wherever they are."""
        bags = zone_cells(self.rules).bags
        if self.demanded is not None:
            self.demanded = self.demanded.knowing(known)
        # Most cells hold a number, or nothing.
        for cell, held in [(at, held) for at, held in enumerate(self.cells) if held and held.__class__ is not int]:
            replaced = with_value(held, known)
            if replaced is not held:
                self.put(cell, arranged(replaced) if cell in bags else replaced)
        self.frames = [with_value(frame, known) for frame in self.frames]

    def possible_outcomes(self) -> set[t.Value]:
        """Return everything that the awaited chance event may bring."""
        if isinstance(self.step, m.RandomValue):
            return set(random_values(self, self.step))
        return set(kinds_in(self.pools, drawn_entries(self)))

    def completed(self) -> PossibleRun:
        """Return a run in which all is known that somebody has seen: of what it may be, the first in each place."""
        hidden = frozenset(self.rules.hidden.cells)
        unknown: list[int | OneOf] = [
            cell
            for cell, held in enumerate(self.cells)
            if any(
                type(entry) is DrawnTicket or (type(entry) is Ticket and cell not in hidden)
                for entry in entries_of(held)
            )
        ]
        unknown += unknowns_in(tuple(self.cells))
        unknown += unknowns_in(tuple(self.frames))
        ways = next((ways for each in unknown if (ways := self._ways(each))), None)
        return self if ways is None else self.with_known(*ways[0]).completed()

    def onward(self, then: Next) -> list[tuple[PossibleRun, Next]]:
        """Run to the next event, or to where the run divides. Return the runs to continue with; none at the event."""
        for _ in range(STEP_LIMIT):
            if not self.frames or then is Next.WAIT:
                return []
            # A statement that turns out to need something unknown may have changed the state already.
            before = self.copy()
            self.read.clear()
            self.meter.take(1, *self.routine.place)
            self.doubt = False
            try:
                after = self.begin() if then is Next.BEGIN else self.leave()
            except Assumption as assumption:
                return [(before.assuming((*self.assumed, value)), then) for value in assumption.values]
            except Placing as placing:
                ways = placing.ways if placing.applies_to(before) else []
                divided = [before.with_known(*way) for way in ways] or before.divided(self.read)
                return [(each, then) for each in divided]
            except UndeterminedFlow:
                return [(each, then) for each in before.divided(self.read)]
            if after is Next.WAIT and self._may_pass_on():
                here = StackState(tuple(self.cells), self.pools, tuple(self.frames))
                if here not in self.passed:  # a loop in which nothing happens never ends
                    before.passed = (*self.passed, here)
                    return [(self, Next.WAIT), (before, Next.DONE)]
            then, self.questions, self.assumed = after, 0, ()
        raise self.meter.over(*self.routine.place)

    def _may_pass_on(self) -> bool:
        """Return whether the decision that was reached may be one that everybody sees to offer nothing.

        Then the play continues without it. Values that are hidden from a player cannot make this visible to everybody;
        values that only the recorder did not see can.
        """
        return isinstance(self.step, m.Decide) and self.doubt and any(map(self._is_open_to_all, self.read))

    def _is_open_to_all(self, unknown: int | OneOf) -> bool:
        if isinstance(unknown, OneOf):
            return True
        return any(
            element.visibility == "open" and element.offset <= unknown < element.offset + element.count
            for element in self.game.elements
        )


class Demanded(NamedTuple):
    """The requirements of a move on partly unknown arguments.

    before: the state in which the move was made, as little known as it was then; slots: with the arguments bound;
    asked: which requirements hold there, by their numbers and the values that they read.
    """

    before: PossibleRun
    requirements: tuple[m.Requirement, ...]
    slots: tuple[t.Value, ...]
    asked: dict[Any, bool | None]

    def knowing(self, known: Mapping[int, t.Value]) -> Demanded:
        """Return the same for arguments of which more is known."""
        return self._replace(slots=tuple(with_value(held, known) for held in self.slots))

    def failed(self) -> m.Requirement | None:
        """Return a requirement that surely fails; None if none does."""
        for number, requirement in enumerate(self.requirements):
            # Most that turns out says nothing new about most requirements.
            key = number, *(self.slots[slot] for slot in slots_read(self.before.rules)(requirement))
            if key not in self.asked:
                self.asked[key] = self.before._holds(requirement, dict(enumerate(self.slots)))
            if self.asked[key] is False:
                return requirement
        return None


def _replaced(held: t.Value, entry: PoolEntry, piece: t.Value, is_bag: bool) -> t.Value:
    """Replace the last entry of a zone that equals the given one."""
    if not isinstance(held, tuple) or isinstance(held, Ticket):
        return piece
    at = len(held) - 1 - held[::-1].index(entry)
    entries = (*held[:at], piece, *held[at + 1 :])
    return arranged(entries) if is_bag else entries


@lru_cache(16)
def zone_cells(rules: Rules) -> HiddenCells:
    """Return the cells that may hold tickets here: those of all zones."""
    zones = [(each, range(each.offset, each.offset + each.count)) for each in rules.game.elements if each.is_zone]
    bags = frozenset(cell for each, cells in zones if each.kind == "bag" for cell in cells)
    return HiddenCells(tuple(cell for _, cells in zones for cell in cells), bags)


@lru_cache(16)
def zone_types(rules: Rules) -> dict[int, t.Type]:
    """Return the type of the pieces of each cell of a zone."""
    zones = (each for each in rules.game.elements if each.is_zone)
    return {cell: each.type for each in zones for cell in range(each.offset, each.offset + each.count)}


@lru_cache(16)
def slots_read(rules: Rules) -> Callable[[Any], frozenset[int]]:
    """Return a function that finds the slots that a part of this game reads, memoized as long as the game is in use."""
    return per_node(free_slots)


@lru_cache(16)
def piece_slots(rules: Rules) -> Callable[[m.Requirement], list[tuple[t.Type, int]]]:
    """Return a function that finds the slots that a requirement names for pieces, each with the type of the piece."""
    of_pieces = frozenset(zone_types(rules).values())

    def found(requirement: m.Requirement) -> list[tuple[t.Type, int]]:
        names = (each for each in nodes(requirement) if isinstance(each, m.Local))
        typed = dict.fromkeys((t.strip_optional(each.type), each.slot) for each in names)
        return [(of, slot) for of, slot in typed if of in of_pieces]

    return per_node(found)


def _writable(value: Any) -> Any:
    """Return a value that a state may hold: an unknown one only if it keeps its identity. Raises Undetermined."""
    if isinstance(value, tuple) and not isinstance(value, Ticket):
        return type(value)(map(_writable, value)) if not is_known(value) else value
    if is_known(value) or isinstance(value, OneOf):
        return value
    raise UndeterminedFlow
