"""The known part of a play with an unknown state: for people, below the picture of it, and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.grammar import enumerated
from ludex.interpreter import Engine, PossibleView, State
from ludex.spec import to_json

from ..reporting import words
from .observation_text import MOST_PIECES_LISTED, Viewer

MOST_OPEN = 3
"""The most unknown places that a message names."""


def public_part(engine: Engine, example: State, view: PossibleView) -> dict[str, Any]:
    """Make an observation of what is known. example: a state that the play may be in."""
    seen = engine.public_view(example)
    # The example has one of many possible contents, so only what is common to all is shown.
    return seen | {group: {name: view.held[name] for name in seen[group]} for group in ("states", "zones")}


def may_hold_rows(view: PossibleView, viewer: Viewer) -> Iterator[str]:
    """Write the candidates for each unknown place, and the number of its unknown pieces."""
    for each in view.may_hold:
        indices = [viewer.in_words(of, index) for of, index in zip(each.element.indices, each.indices, strict=True)]
        place = viewer.called(each.element) + (f"({', '.join(indices)})" if indices else "")
        kinds = [viewer.in_words(each.element.type, value) for value in each.values]
        left = len(kinds) - MOST_PIECES_LISTED
        more = [viewer.frame("more", count=left)] if left > 0 else []
        listed = ", ".join([*kinds[:MOST_PIECES_LISTED], *more])
        # A state always holds one value, so that there is nothing to count.
        if not each.element.is_zone:
            yield words("show-may-be", place=place, values=listed if more else enumerated(kinds, "or"))
            continue
        # Least and most are enough for a reader, and are one number if they agree.
        count = "-".join(str(count) for count in sorted({each.counts[0], each.counts[-1]}))
        yield words("show-may-hold", place=place, count=count, values=listed)


def open_words(view: PossibleView, viewer: Viewer) -> str:
    """Write the unknown places of a play after a sentence, in one line; nothing if no place differs."""
    rows = list(may_hold_rows(view, viewer))
    more = [viewer.frame("more", count=len(rows) - MOST_OPEN)] if len(rows) > MOST_OPEN else []
    return f". {'; '.join([*rows[:MOST_OPEN], *more])}" if rows else ""


def may_hold_json(view: PossibleView) -> list[dict[str, Any]]:
    """Write the same as JSON."""
    return [
        {
            "of": each.element.name,
            "at": [to_json(of, index) for of, index in zip(each.element.indices, each.indices, strict=True)],
            "count": list(each.counts),
            "values": [to_json(each.element.type, value) for value in each.values],
        }
        for each in view.may_hold
    ]
