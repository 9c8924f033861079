"""The catalogue of faults in rulings on divergences: D1xx."""

from __future__ import annotations

from ludex.grammar import Code, Severity

RULINGS_LAYOUT = Code(
    "D101",
    "rulings-layout",
    "A file of rulings on divergences is not laid out as one, so it is unclear what was decided.",
    "Write a list `rulings`; each has `clause`, `says` (a fingerprint for each edition), `decision` and `reason`. "
    "`ludex diff GAME --format rulings` writes such a list, to be filled in.",
)
RULING_WITHOUT_REASON = Code(
    "D102",
    "ruling-without-reason",
    "A ruling does not say why it was taken, so nobody can tell later whether it still holds. It is passed over: the "
    "divergence counts as undecided.",
    "Write a sentence behind `reason`.",
    Severity.WARNING,
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
RULING_LAPSED = Code(
    "D105",
    "ruling-lapsed",
    "What a ruling was about has changed since: an edition states the clause otherwise, or the lines it cites are not "
    "what they were. The divergence counts as undecided until somebody looks at it again.",
    "Compare the editions again; if the ruling still holds, put the new fingerprints into it.",
    Severity.WARNING,
)
RULING_IDLE = Code(
    "D106",
    "ruling-idle",
    "A ruling is about a clause at which the editions do not part, or which none of them has (any more).",
    "Delete the ruling, or put the clause's path right.",
    Severity.WARNING,
)

RULING_CODES: tuple[Code, ...] = (
    RULINGS_LAYOUT,
    RULING_WITHOUT_REASON,
    RULING_EDITION,
    RULING_TWICE,
    RULING_LAPSED,
    RULING_IDLE,
)
