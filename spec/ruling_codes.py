"""The catalogue of faults in rulings on divergences: D1xx."""

from __future__ import annotations

from ludex.grammar import Code

RULINGS_LAYOUT = Code(
    "D101",
    "rulings-layout",
    "A file of rulings on divergences is not laid out as one, so it is unclear what was decided.",
    "Write a list `rulings`; each has `clause`, `says` (a fingerprint for each edition), `decision` and `reason`. "
    "`ludex diff GAME --format rulings` writes such a list, to be filled in.",
)
RULING_EDITION = Code(
    "D103",
    "ruling-edition",
    "A ruling speaks of an edition that the game does not have, or follows one of which it says nothing.",
    "Use a name from the game's `editions:` line; `decision` is `accept`, or one of the editions under `says`.",
)
RULING_TWICE = Code(
    "D104",
    "ruling-twice",
    "Two rulings are about one clause, so it is unclear which counts.",
    "Keep one of them.",
)

RULING_CODES: tuple[Code, ...] = (
    RULINGS_LAYOUT,
    RULING_EDITION,
    RULING_TWICE,
)
