"""The table of random play in each tier, beside OpenSpiel's engines of the same games in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from math import exp, log

from ludex.interpreter import Reference
from ludex.interpreter.program import Compiled
from ludex.spec import load

from .drivers import by_compiled, by_native, by_reference, peer, whole_plays
from .measure import Effort, figure, per_second, table

RATIO = "to OpenSpiel"
HEAD = ["", "OpenSpiel", "reference", "compiled", RATIO, "native", RATIO, "whole plays", RATIO]


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table."""
    lines: list[list[str]] = []
    compared: list[list[float]] = []
    for name in games:
        other, paces = peer(name), _paces(name, effort)
        of_peer = per_second(other, effort) if other else 0.0
        ratios = [pace / of_peer if of_peer else 0.0 for pace in paces]
        if of_peer:
            compared.append(ratios)
        cells = [_shown(of_peer), _shown(paces[0])]
        for pace, ratio in zip(paces[1:], ratios[1:], strict=True):
            cells += [_shown(pace), _shown(ratio)]
        lines.append([name, *cells])
    for title, of in ((f"geometric mean of {len(compared)}", _mean), ("least", min)):
        if compared:
            means = [of(column) for column in zip(*compared, strict=True)]
            lines.append([title, "", "", *(cell for ratio in means[1:] for cell in ("", _shown(ratio)))])
    yield from table("random: events a second, driven from Python; whole plays by `playouts`", HEAD, lines)


def _paces(name: str, effort: Effort) -> list[float]:
    """Return the events a second of the reference, the compiled engine, native code from Python, and its whole plays.

    Native code has 0 where it is not installed, or does not carry the game.
    """
    game = load(name)
    paces = [per_second(by_reference(Reference(game)), effort), per_second(by_compiled(Compiled(game)), effort)]
    if find_spec("llvmlite") is None:
        return [*paces, 0.0, 0.0]
    from ludex.interpreter.program.native import Native, NotCarried

    try:
        engine = Native(game)
    except NotCarried:
        return [*paces, 0.0, 0.0]
    plays = whole_plays(engine)
    while not engine.is_settled:  # better code may still come
        plays()
    return [*paces, per_second(by_native(engine), effort), per_second(plays, effort)]


def _mean(ratios: tuple[float, ...]) -> float:
    """Return the geometric mean; 0 if one of the ratios is."""
    return exp(sum(map(log, ratios)) / len(ratios)) if min(ratios) else 0.0


def _shown(value: float) -> str:
    return figure(value) if value else ""
