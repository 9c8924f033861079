"""What lies on the table before each of the last events of a witness, on both sides: the pictures of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ludex.interpreter import Apart, Finding, Shown, Validator, parse_log, write_line
from ludex.spec import Game, GameText, Request, build

from ..sight import everything
from ..view import Viewer

MOST = 12
"""The picture is made before so many events at the end; a page with all of them would be slow to open."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The table before an event.

    Attributes:
        at: so many events have been played.
        left, right: as each side has it, line by line.
    """

    at: int
    left: tuple[str, ...]
    right: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether both sides have it alike."""
        return self.left == self.right


def log_text(shown: Shown) -> str:
    """The log as a file holds it."""
    return "".join(f"{write_line(line)}\n" for line in shown.lines)


def positions(findings: tuple[Finding, ...], text: GameText) -> dict[str, tuple[tuple[Picture, ...], ...]]:
    """By the divergence's id, the pictures of each of its witnesses. text: the game that was compared."""

    def load(
        name: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> Game:
        return build(text, Request(players, edition, silence, options or {}, readings or {})).playable()

    validator = Validator(load)
    return {
        each.divergence.id: tuple(tuple(_pictures(shown, validator)) for shown in each.witnesses)
        for each in findings
        if each.witnesses
    }


def _pictures(shown: Shown, validator: Validator) -> Iterator[Picture]:
    """The log is played in the game that its header names; the other side differs from it in cells that are known."""
    play = validator.play(parse_log(log_text(shown), "witness.jsonl"))
    if play.engine is None:
        return
    engine, viewer = play.engine, Viewer(play.engine.game)
    is_left = shown.lines[0].get("edition") == shown.left.edition
    apart = {each.after: each for each in shown.apart}
    state, count = engine.start(), len(shown.lines)
    for at in range(count):
        if at >= count - MOST:
            seen = everything(engine, state)
            there = _there(seen, apart.get(at), is_left)
            mine, theirs = tuple(viewer.rows(seen)), tuple(viewer.rows(there))
            yield Picture(at, mine, theirs) if is_left else Picture(at, theirs, mine)
        if at >= len(play.events) or engine.advance(state, play.events[at]) is not None:
            return


def _there(seen: Mapping[str, Any], apart: Apart | None, is_left: bool) -> Mapping[str, Any]:
    """The table of the other side. is_left: `seen` is the left one's."""
    if apart is None:
        return seen
    found = deepcopy(dict(seen))
    for cell in apart.cells:
        held = cell.right if is_left else cell.left
        for group in ("states", "zones"):
            if cell.name in found[group] and cell.at:
                found[group][cell.name][cell.at] = held
            elif cell.name in found[group]:
                found[group][cell.name] = held
    return found
