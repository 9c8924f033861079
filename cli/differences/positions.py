"""What lies on the table before each of the last events of a witness: the picture that the page shows beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ludex.interpreter import Finding, Shown, Validator, parse_log, write_line
from ludex.spec import Game

from ..sight import everything
from ..view import Viewer

MOST = 12
"""The picture is made before so many events at the end; a page with all of them would be slow to open."""


def log_text(shown: Shown) -> str:
    """The log as a file holds it."""
    return "".join(f"{write_line(line)}\n" for line in shown.lines)


def positions(findings: tuple[Finding, ...], load: Callable[..., Game]) -> dict[str, tuple[str, ...]]:
    """By the divergence's id, a picture for each event of its witness; empty where it is too far from the end."""
    validator = Validator(load)
    return {each.divergence.id: tuple(_pictures(each.witness, validator)) for each in findings if each.witness}


def _pictures(shown: Shown, validator: Validator) -> Iterator[str]:
    play = validator.play(parse_log(log_text(shown), "witness.jsonl"))
    if play.engine is None:
        return
    engine, viewer = play.engine, Viewer(play.engine.game)
    state, count = engine.start(), len(shown.lines) - 1
    for at in range(count):
        yield "\n".join(viewer.rows(everything(engine, state))) if at >= count - MOST else ""
        if at >= len(play.events) or engine.advance(state, play.events[at]) is not None:
            return
