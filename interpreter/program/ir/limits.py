"""How far lowering goes: what is copied for constants that are known before play, and what is not.

More copies make Python faster, which has no other way to make use of what is known; a compiler of machine code needs
few, and takes long over many.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are numbers of parts of expressions and statements.

    Attributes:
        loop: a loop of an expression over constants is unrolled if its turns come to no more than this; loops: and all
            such loops of a game to no more than this.
        choice: the values of a choice are gone through one by one if the tests behind it come to no more than this.
        variants: a define is lowered anew for constant arguments until its variants come to this.
        split: a unit of no more parts that lists moves is lowered anew for each player who may decide.
        flow: a loop of the flow over constants is unrolled if its turns come to no more than this.
        shared: an action of more parts that is performed in several places is lowered once.
        views: whether the program itself answers what everybody can see (`views.py`).
    """

    loop: int = 15_000
    loops: int = 200_000
    choice: int = 20_000
    variants: int = 40_000
    split: int = 1_000
    flow: int = 3_000
    shared: int = 400
    views: bool = False


WIDE = Limits()
"""For code in Python that runs for long."""
COMPACT = Limits(loop=300, loops=20_000, choice=200, variants=2_000, split=0, flow=1_500, shared=200, views=True)
"""For native code, and for Python that has to start soon."""
