"""Diagnostic codes of play, P3xx and P9xx: examples that do not hold, and specs that fail.

The codes of logs are in `logs/log_codes.py`.
"""

from __future__ import annotations

from ludex.grammar import Code, codes_in

EXAMPLE_REFUSED = Code(
    "P301",
    "example-move-refused",
    "An example makes or allows a move that the rules refuse.",
    "Read the rulebook's example again: either a clause is stricter than the text, or the position lacks something.",
    explanation="The report names the clauses that forbid it.",
)
EXAMPLE_ALLOWED = Code(
    "P302",
    "example-move-allowed",
    "An example says that a move is refused, but the rules allow it.",
    "The clause that should forbid it is missing, or too lax, or the position makes the move legal after all.",
)
EXAMPLE_OTHER_REASON = Code(
    "P303",
    "example-other-reason",
    "An example says which clause refuses a move.",
    "Name one of the clauses that do refuse it, or mend the clause that should.",
    explanation="The move is refused, but that clause allows it.",
)
EXAMPLE_EXPECTATION = Code(
    "P304",
    "example-expectation",
    "An expectation of an example is false in the position that it reaches.",
    "Compare it with the rulebook: a clause differs from the text, or the example leaves out a step.",
)
EXAMPLE_CHANCE = Code(
    "P305",
    "example-chance",
    "An example and the rules disagree about chance: an outcome is missing where a chance event is awaited, is given "
    "where none is awaited, or is not possible.",
    "Write `after chance` and an outcome exactly where the rules await a chance event.",
)
EXAMPLE_NOT_OFFERED = Code(
    "P306",
    "example-not-offered",
    "The play never reaches a decision that offers the example's move to its player.",
    "Check the player and the move's name; `given` may have to set states on which the flow depends.",
)
EXAMPLE_POSITION = Code(
    "P307",
    "example-position",
    "The position of an example cannot be set up, because it waits for an event, such as a draw.",
    "Put the pieces in their places with `put`: a position has no events.",
)
EXAMPLE_INVARIANT = Code(
    "P308",
    "example-breaks-invariant",
    "The position of an example, or one that its moves reach, breaks an invariant of the spec.",
    "Correct the position if the example left something out. Otherwise the invariant is wrong, or a rule lets "
    "something appear or vanish.",
)
BEGINNING_INVARIANT = Code(
    "P309",
    "beginning-breaks-invariant",
    "The first state of a play, in which set-up has run up to the first event, breaks an invariant of the spec.",
    "Correct an initial value or a step of set-up; if the state is right, correct the invariant.",
)
SPEC_FAULT = Code(
    "P901",
    "spec-fault",
    "The rules as written do not say what happens here: a number leaves its range, something does not exist, two "
    "exceptions contradict each other, or the play never ends and awaits no event.",
    "Mend the named clause; if the text leaves something open, write a fork or a ruling.",
)

PLAY_CODES = codes_in(globals())
