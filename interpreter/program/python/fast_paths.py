"""Fast paths: services specialized for one statement and its kinds of zones; moves are printed in place.

A fast path handles at most a single piece. In any other case it changes nothing, and calls the general service
(`pieces.py`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...state.contents import Ticket
from ...state.pools import OUTCOME, Route, hidden_cells, looked_through, stays_normal, ways_to
from ...state.zones import ENTRIES
from ..ir import code as c
from ..ir.three_valued import Undetermined
from .pieces import FEW_KINDS, counted
from .state import State

if TYPE_CHECKING:
    from .pieces import Services

Reveal: TypeAlias = Callable[[State, t.Value, Route | None], None]
"""Reveals the piece that a chance event brings, by the route if it can come by several."""
Weigh: TypeAlias = Callable[[State], tuple[Sequence[t.Value], Sequence[int]]]
"""Lists what a chance event may bring, in order, and the integer weight of each."""


_POOLS = 1000
"""The number of pools that a drawing statement memoizes with their counts."""
THERE = {
    "bag": ("(at := bisect_left(held, piece)) < len(held) and held[at] == piece", "held[:at] + held[at + 1 :]"),
    "pile": ("held and held[-1] == piece", "held[:-1]"),
    "one": ("held == piece", "None"),
}
"""Code by the kind of a zone: the test that it `held` the piece in the usual place, and the rest without the piece."""
ADDED = {
    "bag": "(*more[: (to := bisect_right(more, piece))], piece, *more[to:])",
    "one": "piece",
    "top": "(*more, piece)",
    "bottom": "(piece, *more)",
}
"""Code by the kind of a zone that holds `more`: its contents with a piece."""
_SINGLE = {"one": ("held is not None", "type(piece := held) is int", "None")}
"""Code by the kind of a zone: whether it is not empty, whether it has a single piece, and its contents without that
piece."""
SINGLES = ("held", "len(held) == 1 and type(piece := held[0]) is int", "()")
_WORK = {"one": "1"}
"""Code by the kind of a zone: the work of iterating over it."""
REVEAL = """
def make(general, meter, step, services, hidden, from_, to_, left):
    def bound(play, piece, via):
        cells, pools = play.cells, play.pools
        source, target = cells[from_], cells[to_]
        held, more = cells[source], cells[target]
        top = held[-1]
        if via is None and type(top) is Ticket and {is_apart}:
            pool, known = pools[top.pool], services.weighed
            is_known = known[0] is pools and known[1] == top.pool
            if type(pool[-1]) is int:
                at = bisect_left(pool, piece)
            else:  # the piece may be one of the pool itself, or of one in it: the event names no route, so there is one
                at = pool.index(piece) if piece in pool else len(pool)
            if at < len(pool) and pool[at] == piece:
                rest = pool[:at] + pool[at + 1 :]
                cells[source], cells[target] = held[:-1], {added}
                cells[left] -= 1
                if len(pools) == 1:
                    play.pools = (rest,)
                else:
                    was_normal = play.normal is not None and play.normal[0] is pools
                    play.put_pool(top.pool, rest)
                    if was_normal and stays_normal(play, hidden, source, top):
                        play.normal = play.pools, hidden.held(cells)
                if is_known and known[2] is pool:  # no piece is in it twice
                    services.weighed = play.pools, top.pool, rest, known[3][1:]
                elif is_known and (at == len(rest) or rest[at] != piece):
                    services.weighed = play.pools, top.pool, *without(known[2], known[3], piece)
                meter.left -= len(held) // {ENTRIES} + 1
                if meter.left < 0:
                    raise meter.over(step.path, step.span)
                return
        general(play, piece, via)
    return bound
"""


def _without(pieces: tuple[t.Value, ...], weights: tuple[int, ...], piece: t.Value) -> tuple[tuple[t.Value, ...], ...]:
    """Leave out a drawn piece, of which there was one: the others weigh as much as before."""
    at = bisect_left(pieces, piece)
    return pieces[:at] + pieces[at + 1 :], weights[:at] + weights[at + 1 :]


_NAMES: Mapping[str, Any] = {
    "bisect_left": bisect_left, "bisect_right": bisect_right, "Ticket": Ticket, "Undetermined": Undetermined,
    "stays_normal": stays_normal, "without": _without,
}  # fmt: skip
FastPathMaker: TypeAlias = Callable[..., Callable[..., None]]
"""Makes a fast path of what it needs of one statement."""


@cache
def _specialized(text: str, **parts: str) -> FastPathMaker:
    """Compile a fast path for one combination of kinds of zones."""
    names = dict(_NAMES)
    exec(text.format(ENTRIES=ENTRIES, **parts), names)  # noqa: S102 - the text is one of the above
    specialized: FastPathMaker = names["make"]
    return specialized


def _there(source: m.Element) -> dict[str, str]:
    there, rest = THERE[source.kind]
    return {"there": there, "rest": rest, "work": _WORK.get(source.kind, f"len(held) // {ENTRIES} + 1")}


def _is_usual(zone: m.Element) -> bool:
    """Return whether pieces can be taken from a zone, and added to it, without a look at anything else."""
    return not (zone.kind == "bag" and zone.visibility == "hidden")


def _takes(zone: m.Element) -> bool:
    """Return whether a piece can be added to a zone in the usual way, if there is room for it (`_apart`)."""
    return zone.kind == "one" or _is_usual(zone)


def _added(source: m.Element, target: m.Element, bottom: bool) -> str:
    return ADDED[("bottom" if bottom else "top") if target.kind == "pile" else target.kind]


def _known(*zones: m.Element) -> list[str]:
    """Return the test that no unknown piece has to be compared."""
    return ["not S.public"] if any(zone.kind == "bag" for zone in zones) else []


def _apart(one: m.Element, two: m.Element, source: str, target: str) -> list[str]:
    """Return the tests that a piece can be put into another place than its own, which has room for it."""
    tests = [f"{source} != {target}"] if one is two else []
    if two.kind == "one":
        return [*tests, "more is None"]
    return tests if two.most is None else [*tests, f"len(more) < {two.most}"]


def _named(**places: str) -> tuple[list[str], dict[str, str]]:
    """Return statements that give names to the cells that are not constants, and how each cell is called."""
    # A place that is computed is computed once, and before any zone changes.
    named = {name: cell for name, cell in places.items() if not cell.isdigit()}
    return [f"{name} = {cell}" for name, cell in named.items()], {**places, **dict(zip(named, named, strict=True))}


def _unless(tests: Sequence[str], done: Sequence[str], general: str) -> list[str]:
    return [f"if {' and '.join(tests)}:", *(f"    {line}" for line in done), "else:", f"    {general}"]


def _worked(work: str, over: str) -> list[str]:
    return [f"M.left = m = M.left - ({work})", f"if m < 0: raise {over}"]


def printed_move(step: m.Statement, at: int, over: str, source: str, target: str, piece: str) -> list[str]:
    """Print the move of a piece from one zone to another. over: the exception of too much work."""
    assert isinstance(step, m.MovePiece)
    one, two = step.source.element, step.target.element
    if not (_is_usual(one) and _takes(two)):
        return [f"R.move(S, {at}, {source}, {target}, ({piece},))"]
    first, cells = _named(source=source, target=target)
    source, target, there, added = cells["source"], cells["target"], _there(one), _added(one, two, step.bottom)
    # An unknown piece, or none, is left to the general service.
    tests = ["type(piece) is int", *_known(one, two), *_apart(one, two, source, target), there["there"]]
    done = [f"s[{source}], s[{target}] = {there['rest']}, {added}", *_worked(there["work"], over)]
    first += [f"piece = {piece}", f"held, more = s[{source}], s[{target}]"]
    return [*first, *_unless(tests, done, f"R.move(S, {at}, {source}, {target}, (piece,))")]


def printed_leave(step: m.Statement, at: int, over: str, source: str, piece: str) -> list[str]:
    """Print the removal of a piece from the game."""
    assert isinstance(step, m.MovePiece | m.RemovePiece)
    if not _is_usual(step.source.element):
        return [f"R.leave(S, {at}, {source}, ({piece},))"]
    first, cells = _named(source=source)
    source, there = cells["source"], _there(step.source.element)
    # A tracer counts the pieces that leave the game, which only the general service reports.
    tests = ["type(piece) is int", "S.trace is None", *_known(step.source.element), there["there"]]
    done = [f"s[{source}] = {there['rest']}", *_worked(there["work"], over)]
    first += [f"piece = {piece}", f"held = s[{source}]"]
    return [*first, *_unless(tests, done, f"R.leave(S, {at}, {source}, (piece,))")]


def printed_move_all(step: m.Statement, at: int, over: str, source: str, target: str) -> list[str]:
    """Print the move of all pieces, usually none or one, from one zone to another."""
    assert isinstance(step, m.MovePiece | m.MoveAll)
    one, two = step.source.element, step.target.element
    if not _takes(two):
        return [f"R.move_all(S, {at}, {source}, {target})"]
    first, cells = _named(source=source, target=target)
    source, target = cells["source"], cells["target"]
    # A ticket is not `int`, so a zone that holds one is left to the general service.
    is_there, is_single, empty = _SINGLE.get(one.kind, SINGLES)
    tests = [is_single, *_known(two), *_apart(one, two, source, target)]
    done = [f"s[{source}], s[{target}] = {empty}, {_added(one, two, step.bottom)}"]
    moved = [f"more = s[{target}]", *_unless(tests, done, f"R.move_all(S, {at}, {source}, {target})")]
    return [*first, f"held = s[{source}]", f"if {is_there}:", *(f"    {line}" for line in moved)]


def is_revealing(step: m.DrawPieces) -> bool:
    """Return whether an unseen piece on top of the source must be revealed when it is drawn."""
    return step.source.element.kind == "pile" and step.target.element.visibility != "hidden"


def draw(services: Services, at: int) -> Callable[..., bool]:
    """Specialize the draw until an unseen piece must be revealed, usually the first."""
    is_open = is_revealing(services.step(at))

    def bound(play: State, source: int, target: int, left: int) -> bool:
        cells = play.cells
        if is_open and cells[left] > 0:
            held = cells[cells[source]]
            if held and type(held[-1]) is Ticket:
                return False
        return services.draw(play, at, source, target, left)

    return bound


def revealing(services: Services, wait: c.Waiting | None, general: Reveal) -> Reveal:
    """Specialize the revelation of a piece that is drawn from a pile, usually a ticket of a pool without tickets."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile" or not _takes(wait.target):
        return general
    added = _added(wait.source, wait.target, wait.bottom)
    is_apart = " and ".join(_apart(wait.source, wait.target, "source", "target")) or "True"
    reveal = _specialized(REVEAL, added=added, is_apart=is_apart)
    hidden = hidden_cells(services.program.game)
    return reveal(general, services.meter, wait.statement, services, hidden, *wait.cells)


def weighing(services: Services, wait: c.Waiting | None, general: Weigh) -> Weigh:
    """Specialize the list of what may be drawn from a pile, usually from a pool without tickets, with integer
    weights."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile":
        return general
    step, meter, source = wait.statement, services.meter, wait.cells[0]
    # Each statement has its own table: its pieces have one type, while pieces of two types may be equal (1 and `True`).
    counted_few = lru_cache(_POOLS)(counted)

    def weighed(play: State, pool: tuple[t.Value, ...]) -> tuple[tuple[t.Value, ...], tuple[int, ...]] | None:
        """List what a piece of a pool may be, in order, and the weights; None if a piece has several routes."""
        if type(pool[-1]) is not Ticket:
            return counted_few(pool) if len(pool) <= FEW_KINDS else counted(pool)
        ways = ways_to(play, pool)
        if ways is None:
            return None
        pieces = tuple(sorted(ways[0]))
        return pieces, tuple(map(ways[0].__getitem__, pieces))

    def bound(play: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        cells, pools = play.cells, play.pools
        top = cells[cells[source]][-1]
        pool = pools[top.pool] if type(top) is Ticket else ()
        if not pool:
            return general(play)
        known = services.weighed
        if known[0] is not pools or known[1] != top.pool:
            found = weighed(play, pool)
            if found is None:
                return general(play)
            known = services.weighed = pools, top.pool, *found
        meter.left -= OUTCOME * (len(pool) if type(pool[-1]) is int else looked_through(play, pool))
        if meter.left < 0:
            raise meter.over(step.path, step.span)
        return known[2:]

    return bound


def _stated(services: Services, at: int) -> Callable[..., int]:
    """Specialize the search for the option that the next player has stated, who becomes `me`; -1 if none is left."""
    wait = services.program.waits[at]
    assert isinstance(wait, c.Together)
    places = [[argument.cell for argument in option.arguments] for option in wait.options]

    def bound(play: State, choices_cell: int, seat: int, me: int) -> int:
        cells = play.cells
        choices = cells[choices_cell]
        for player in range(cells[seat], len(choices)):
            choice = choices[player]
            if choice is not None and choice[0] >= 0:
                option, values = choice
                cells[seat], cells[me] = player + 1, player
                # All have chosen by now, so that nothing after a choice can refuse it.
                play.may_refuse = False
                for cell, value in zip(places[option], values, strict=True):
                    if cell is not None:
                        cells[cell] = value
                play.known = {}
                return int(option)
        return -1

    return bound


FAST_PATHS: Mapping[str, Callable[[Services, int], Callable[..., Any]]] = {"draw": draw, "stated": _stated}
"""The fast paths by the names of the services."""
PRINTED: Mapping[str, Callable[..., list[str]]] = {
    "move": printed_move,
    "leave": printed_leave,
    "move_all": printed_move_all,
}
"""The fast paths that are printed in place, by the names of the services."""
