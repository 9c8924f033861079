"""Fast paths: services specialized for one statement and its kinds of zones, so that the usual case takes one call.

A fast path handles at most a single piece. In any other case it changes nothing, and calls the general service
(`pieces.py`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ludex.spec import model as m
from ludex.spec import types as t

from ...state.contents import Ticket
from ...state.pools import OUTCOME, Route
from ...state.zones import ENTRIES
from ..ir import code as c
from ..ir.unknown_values import Undetermined
from .state import State

if TYPE_CHECKING:
    from .pieces import Services

Reveal: TypeAlias = Callable[[State, t.Value, Route | None], None]
"""Reveals the piece that a chance event brings, by the route if it can come by several."""
Weigh: TypeAlias = Callable[[State], tuple[Sequence[t.Value], Sequence[int]]]
"""Lists what a chance event may bring, in order, and the integer weight of each."""


THERE = {
    "bag": ("(at := bisect_left(held, piece)) < len(held) and held[at] == piece", "held[:at] + held[at + 1 :]"),
    "pile": ("held and held[-1] == piece", "held[:-1]"),
    "one": ("held == piece", "None"),
}
"""By the kind of a zone: the test that it `held` the piece in the usual place, and the rest without the piece."""
ADDED = {
    "bag": "(*more[: (to := bisect_right(more, piece))], piece, *more[to:])",
    "one": "piece",
    "top": "(*more, piece)",
    "bottom": "(piece, *more)",
}
"""By the kind of a zone that holds `more`: its contents with a piece."""
SINGLE = {"one": ("held is None", "type(piece := held) is int", "None")}
"""By the kind of a zone: whether it is empty, whether it held a single piece, and what it holds without it."""
SINGLES = ("not held", "len(held) == 1 and type(piece := held[0]) is int", "()")
WORK = {"one": "1"}
"""By the kind of a zone: the work of going through it."""
MOVE = """
def made(general, meter, step):
    def bound(play, source, target, piece):
        cells = play.cells
        held, more = cells[source], cells[target]
        try:
            if type(piece) is int and {is_apart} and {there}:
                cells[source], cells[target] = {rest}, {added}
                meter.left -= {work}
                if meter.left < 0:
                    raise meter.over(step.path, step.span)
                return
        except Undetermined:
            pass
        general(play, source, target, (piece,))
    return bound
"""
LEAVE = """
def made(general, meter, step):
    def bound(play, source, piece):
        cells = play.cells
        held = cells[source]
        if type(piece) is int and play.trace is None and {there}:
            cells[source] = {rest}
            meter.left -= {work}
            if meter.left < 0:
                raise meter.over(step.path, step.span)
            return
        general(play, source, (piece,))
    return bound
"""
MOVE_ALL = """
def made(general, meter, step):
    def bound(play, source, target):
        cells = play.cells
        held = cells[source]
        if {is_empty}:
            return
        more = cells[target]
        try:
            if {is_single} and {is_apart}:
                cells[source], cells[target] = {empty}, {added}
                return
        except Undetermined:
            pass
        general(play, source, target)
    return bound
"""
REVEAL = """
def made(general, meter, step, services, from_, to_, left):
    def bound(play, piece, via):
        cells, pools = play.cells, play.pools
        source, target = cells[from_], cells[to_]
        held, more = cells[source], cells[target]
        top = held[-1]
        if via is None and type(top) is Ticket and {is_apart}:
            pool = pools[top.pool]
            at = bisect_left(pool, piece) if type(pool[-1]) is int else len(pool)
            if at < len(pool) and pool[at] == piece:
                rest = pool[:at] + pool[at + 1 :]
                if pool is services.distinct:
                    services.distinct = rest
                if len(pools) == 1:
                    play.pools = (rest,)
                else:
                    play.put_pool(top.pool, rest)
                cells[source], cells[target] = held[:-1], {added}
                cells[left] -= 1
                meter.left -= len(held) // {ENTRIES} + 1
                if meter.left < 0:
                    raise meter.over(step.path, step.span)
                return
        general(play, piece, via)
    return bound
"""
NAMES: Mapping[str, Any] = {
    "bisect_left": bisect_left, "bisect_right": bisect_right, "Ticket": Ticket, "Undetermined": Undetermined,
}  # fmt: skip
Made: TypeAlias = Callable[..., Callable[..., None]]
"""Makes a fast path of what it needs of one statement."""


@cache
def _made(text: str, **parts: str) -> Made:
    """Compile a fast path for one combination of kinds of zones."""
    names = dict(NAMES)
    exec(text.format(ENTRIES=ENTRIES, **parts), names)  # noqa: S102 - the text is one of the above
    specialized: Made = names["made"]
    return specialized


def _there(source: m.Element) -> dict[str, str]:
    there, rest = THERE[source.kind]
    return {"there": there, "rest": rest, "work": WORK.get(source.kind, f"len(held) // {ENTRIES} + 1")}


def _is_usual(zone: m.Element) -> bool:
    """Return whether pieces can be taken from a zone, and added to it, without a look at anything else."""
    return not (zone.kind == "bag" and zone.visibility == "hidden")


def _takes(zone: m.Element) -> bool:
    """Return whether any number of pieces can be added to a zone."""
    return zone.kind == "one" or (zone.most is None and _is_usual(zone))


def _added(source: m.Element, target: m.Element, bottom: bool) -> dict[str, str]:
    kind = ("bottom" if bottom else "top") if target.kind == "pile" else target.kind
    tests = ["source != target"] if source is target else []
    tests += ["more is None"] if kind == "one" else []
    return {"added": ADDED[kind], "is_apart": " and ".join(tests) or "True"}


def move(services: Services, at: int) -> Callable[..., None]:
    """Specialize: move a piece from one zone to another."""
    step = services.step(at)
    source, target = step.source.element, step.target.element

    def general(play: State, source: int, target: int, pieces: Sequence[t.Value]) -> None:
        services.move(play, at, source, target, pieces)

    if not (_is_usual(source) and _takes(target)):
        return lambda play, source, target, piece: general(play, source, target, (piece,))
    return _made(MOVE, **_there(source), **_added(source, target, step.bottom))(general, services.meter, step)


def leave(services: Services, at: int) -> Callable[..., None]:
    """Specialize: remove a piece from the game."""
    step = services.step(at)
    source = step.source.element

    def general(play: State, source: int, pieces: Sequence[t.Value]) -> None:
        services.leave(play, at, source, pieces)

    if not _is_usual(source):
        return lambda play, source, piece: general(play, source, (piece,))
    return _made(LEAVE, **_there(source))(general, services.meter, step)


def move_all(services: Services, at: int) -> Callable[..., None]:
    """Specialize: move all pieces from one zone to another, usually none or one."""
    step = services.step(at)
    source, target = step.source.element, step.target.element

    def general(play: State, source: int, target: int) -> None:
        services.move_all(play, at, source, target)

    if not _takes(target):
        return general
    is_empty, is_single, empty = SINGLE.get(source.kind, SINGLES)
    given = {"is_empty": is_empty, "is_single": is_single, "empty": empty}
    return _made(MOVE_ALL, **given, **_added(source, target, step.bottom))(general, services.meter, step)


def is_revealing(step: m.DrawPieces) -> bool:
    """Whether an unseen piece on top of the source must be revealed when it is drawn."""
    return step.source.element.kind == "pile" and step.target.element.visibility != "hidden"


def draw(services: Services, at: int) -> Callable[..., bool]:
    """Specialize: draw until an unseen piece must be revealed, usually the first."""
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
    """Specialize: reveal the piece that is drawn from a pile, usually a ticket of a pool without tickets."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile" or not _takes(wait.target):
        return general
    reveal = _made(REVEAL, **_added(wait.source, wait.target, wait.bottom))
    return reveal(general, services.meter, wait.statement, services, *wait.cells)


def weighing(services: Services, wait: c.Waiting | None, general: Weigh) -> Weigh:
    """Specialize: what may be drawn from a pile, usually from a pool without tickets, and the weight of each result."""
    if not isinstance(wait, c.Hidden) or wait.kind != "draw" or wait.source.kind != "pile":
        return general
    step, meter, source = wait.statement, services.meter, wait.cells[0]

    def bound(play: State) -> tuple[Sequence[t.Value], Sequence[int]]:
        cells = play.cells
        top = cells[cells[source]][-1]
        pool = play.pools[top.pool] if type(top) is Ticket else ()
        if not pool or type(pool[-1]) is Ticket:
            return general(play)
        meter.left -= OUTCOME * len(pool)
        if meter.left < 0:
            raise meter.over(step.path, step.span)
        if pool is services.distinct:
            return pool, (1,) * len(pool)
        return services.counted_pool(pool)

    return bound


def stated(services: Services, at: int) -> Callable[..., int]:
    """Specialize: find the option that the next player has stated, and name that player `me`; -1 if none is left."""
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
                play.may_refuse = False
                for cell, value in zip(places[option], values, strict=True):
                    if cell is not None:
                        cells[cell] = value
                play.known = {}
                return int(option)
        return -1

    return bound


FAST_PATHS: Mapping[str, Callable[[Services, int], Callable[..., Any]]] = {
    "move": move,
    "leave": leave,
    "move_all": move_all,
    "draw": draw,
    "stated": stated,
}
"""The fast paths by the names of the services."""
