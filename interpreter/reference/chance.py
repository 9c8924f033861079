"""Chance statements: how each begins, its outcomes and their probabilities, and how it continues.

A chance event is a die, or an unseen piece that is revealed: it is drawn, or moved with all others to where it is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.grammar import Message
from ludex.spec import Unknown, piece_flow
from ludex.spec import model as m
from ludex.spec import types as t

from ..state.contents import Ticket
from ..state.domains import is_value
from ..state.events import SpecFault
from ..state.pools import PoolEntry, Route, outcomes, route_of, settle, shuffled
from ..state.zones import ZoneCell, add, cell_of, clear, fault, reveal, shuffle, size_at, take, unseen
from .control import Next, UndeterminedFlow
from .pieces import move_all, move_some

if TYPE_CHECKING:
    from .run import Run

Turning: TypeAlias = m.MoveAll | m.MovePiece | m.SwapPieces
"""Statements that first reveal all unseen pieces that they move to where those are seen."""
Outcomes: TypeAlias = list[tuple[t.Value, Route | None, Fraction]]

# ---- outcomes


def outcomes_of(run: Run) -> Outcomes:
    """Return every outcome of the awaited chance event, with its route where it needs one, and its probability."""
    step = run.step
    if isinstance(step, m.RandomValue):
        # In a bag each value has the weight of its copies.
        counts = Counter(random_values(run, step))
        return [(value, None, Fraction(count, counts.total())) for value, count in counts.items()]
    return outcomes(run, drawn_entries(run))


def admits(run: Run, outcome: t.Value, via: Route | None) -> bool:
    """Test whether the awaited chance event can have this outcome."""
    step = run.step
    if isinstance(step, m.RandomValue):
        # The type is compared too, since in Python `True == 1`.
        return via is None and is_value(step.type, outcome) and outcome in random_values(run, step)
    source, _ = places(run)
    return is_value(source.element.type, outcome) and route_of(run, drawn_entries(run), outcome, via) is not None


def resolve(run: Run, outcome: t.Value, via: Route | None) -> Next:
    """Continue the run with this outcome."""
    step = run.step
    if isinstance(step, m.RandomValue):
        run.write(step.slot, outcome)
        return Next.DONE
    (source, _), entries = places(run), drawn_entries(run)
    route = route_of(run, entries, outcome, via)
    assert route is not None
    if isinstance(step, Turning):
        position = unseen(run, source)
        assert position is not None
        # The piece is revealed where it lies; the statement moves it when all that it uncovers are known.
        settle(run, route, outcome)
        reveal(run, source, position, outcome)
        return _turn(run, step)
    # The zone holds a ticket of the outermost pool or, if the route is empty, an open piece in a bag.
    settle(run, route, outcome)
    take(run, source, Ticket(route[0]) if route else outcome, step)
    return received(run, outcome)


def received(run: Run, entry: PoolEntry) -> Next:
    """Put a piece that was drawn where it goes, and draw the next one."""
    step, (_, target) = run.step, places(run)
    assert isinstance(step, m.DrawPieces)
    add(run, target, (entry,), step.bottom, step)
    left, *cells = run.let_go()
    run.keep((left - 1, *cells))
    return _draw_on(run, step)


def places(run: Run) -> tuple[ZoneCell, ZoneCell]:
    """Return the place of the piece to reveal, and the place where it goes."""
    step = run.step
    if isinstance(step, m.DrawPieces):
        # The cells are those from the beginning of the statement, since an index may read pieces drawn since.
        _, source, target = run.frame.kept[-1]
        return ZoneCell(step.source.element, source), ZoneCell(step.target.element, target)
    assert isinstance(step, Turning)
    one, two = _both(run, step)
    # A swap may uncover pieces in either direction.
    return (one, two) if one.hidden else (two, one)


def drawn_entries(run: Run) -> tuple[PoolEntry, ...]:
    """Return the entries of which a random one is revealed: all of a bag, or the next one."""
    source, _ = places(run)
    entries = source.entries(run)
    if not isinstance(run.step, m.DrawPieces):
        position = unseen(run, source)
        assert position is not None
        return (entries[position],)
    # In a pile only the top can be drawn; the piece behind its ticket is random.
    return entries if source.element.kind == "bag" else entries[-1:]


# ---- dice


def _random(run: Run, step: m.RandomValue) -> Next:
    if not random_values(run, step):
        raise SpecFault(Message("fault-no-draw"), step.path, step.span)
    return Next.WAIT


def random_values(run: Run, step: m.RandomValue) -> list[t.Value]:
    """Return the possible values, each as often as the domain contains it.

    Raises UndeterminedFlow if the domain or the condition is unknown.
    """
    slots, values = dict(enumerate(run.frame.slots)), []
    for item in run.items(step.domain, step.path):
        allowed = step.where is None or run.evaluation.of(step.where, slots | {step.slot: item}, step.path)
        # An unknown condition leaves the shares of all values unknown.
        if isinstance(allowed, Unknown):
            raise UndeterminedFlow
        if allowed:
            values.append(item)
    return values


# ---- drawing


def _draw(run: Run, step: m.DrawPieces) -> Next:
    count = run.known(step.count, step.path)
    run.keep((count, run.place(step.source, step.path).cell, run.place(step.target, step.path).cell))
    return _draw_on(run, step)


def _draw_on(run: Run, step: m.DrawPieces) -> Next:
    source, target = places(run)
    left, *cells = run.let_go()
    while left > 0:
        run.meter.take(size_at(run, source) + size_at(run, target), step.path, step.span)
        # The refill after the last draw did nothing if its source was empty; now the source may have pieces.
        if not source.entries(run):
            _refill(run, source, step)
        # `draw n` draws fewer pieces if there are no more.
        if not source.entries(run):
            break
        if _is_chance(run, source, target):
            run.keep((left, *cells))
            return Next.WAIT
        entry = next_entry(run, source)
        take(run, source, entry, step)
        add(run, target, (entry,), step.bottom, step)
        left -= 1
    # An emptied zone is refilled at once, without pieces that are discarded before the next draw.
    if not source.entries(run):
        _refill(run, source, step)
    return Next.DONE


def _is_chance(run: Run, source: ZoneCell, target: ZoneCell) -> bool:
    """Test whether moving a piece between the places reveals a random one to somebody."""
    if source.element.kind == "bag":
        # A bag has no next piece, so the drawn piece is random even if the content is known.
        return not (source.hidden and target.hidden)
    return not target.hidden and type(source.entries(run)[-1]) is Ticket


def next_entry(run: Run, source: ZoneCell) -> PoolEntry:
    """Return the entry to move without a chance event: the top of a pile or, unseen, any entry of a hidden bag."""
    entries = source.entries(run)
    # Tickets of one pool are alike. Otherwise which entry leaves must stay unknown, so all become tickets of a new
    # pool.
    if source.element.kind == "bag" and not (type(entries[0]) is Ticket and entries[0] == entries[-1]):
        entries = shuffled(run, entries)
        run.put(source.cell, entries)
    return entries[-1]


def _refill(run: Run, place: ZoneCell, step: m.Statement) -> None:
    for refill in run.game.refills:
        zone, source = _fixed(run, refill.zone, refill), _fixed(run, refill.source, refill)
        if zone == place:
            entries = source.entries(run)
            # Nobody recorded these pieces, and a refill is not a chance event that could reveal them.
            if not zone.hidden and any(type(entry) is Ticket for entry in entries):
                raise fault(Message("fault-come-to-light"), refill)
            clear(run, source)
            add(run, zone, entries, False, step)
            shuffle(run, zone)


def _fixed(run: Run, zone: m.ZoneRef, refill: m.Refill) -> ZoneCell:
    indices = tuple(run.evaluation.of(index, {}, refill.path) for index in zone.indices)
    return ZoneCell(zone.element, cell_of(zone.element, indices))


# ---- moving all


def go_on_drawing(run: Run) -> Next:
    """Continue with the statement that draws or turns pieces, until it awaits an event or is done."""
    step = run.step
    if isinstance(step, m.DrawPieces):
        return _draw_on(run, step)
    assert isinstance(step, Turning)
    return _turn(run, step)


def _move(run: Run, step: m.MovePiece) -> Next:
    return _all(run, step) if step.piece is None else move_some(run, step)


def _all(run: Run, step: Turning) -> Next:
    one, two = piece_flow(step).moved[0]
    run.keep((run.place(one, step.path).cell, run.place(two, step.path).cell))
    return _turn(run, step)


def _turn(run: Run, step: Turning) -> Next:
    """Wait until every piece is revealed that the move makes visible; then move all."""
    one, two = _both(run, step)
    swaps = isinstance(step, m.SwapPieces)
    # Between two hidden zones, and from open to hidden, nobody learns anything.
    hidden = one if one.hidden and not two.hidden else two if swaps and two.hidden and not one.hidden else None
    if hidden is not None and unseen(run, hidden) is not None:
        return Next.WAIT
    run.let_go()
    if isinstance(step, m.SwapPieces):
        here, there = run.cells[one.cell], run.cells[two.cell]
        run.put(one.cell, there)
        run.put(two.cell, here)
    else:
        move_all(run, one, two, step.bottom, step)
    return Next.DONE


def _both(run: Run, step: Turning) -> tuple[ZoneCell, ZoneCell]:
    one, two = piece_flow(step).moved[0]
    cells = run.frame.kept[-1]
    return ZoneCell(one.element, cells[0]), ZoneCell(two.element, cells[1])


CHANCES: Mapping[type, Any] = {
    m.RandomValue: _random,
    m.DrawPieces: _draw,
    m.MovePiece: _move,
    m.MoveAll: _all,
    m.SwapPieces: _all,
}
