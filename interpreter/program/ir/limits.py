"""Limits of specialization: how much code lowering copies for values that are known before play.

More copies (unrolled loops, inlined calls, specialized variants) make Python faster, which cannot use such knowledge in
any other way. A compiler of machine code needs few, and takes long over many.
"""

from __future__ import annotations

from dataclasses import replace

from ludex.grammar import value_class


@value_class
class Limits:
    """Limits on copying, in parts of expressions and statements.

    Attributes:
        loop: a loop of an expression over constants is unrolled if the copies together are not larger than this; loops:
            the same for all unrolled loops of a game together.
        choice: the values of a choice are unrolled if the tests after it are not larger than this.
        variants: how many variants of one define are specialized for constant arguments.
        split: a unit that lists moves, if no larger than this, is specialized for each player who may decide.
        flow: a loop of the flow over constants is unrolled if the copies together are not larger than this.
        shared: an action larger than this that is performed in several places is lowered once, not inlined.
        often: a function that has been called so often is lowered again within `WIDE` limits; never, if 0.
    """

    loop: int = 15_000
    loops: int = 200_000
    choice: int = 20_000
    variants: int = 40_000
    split: int = 1_000
    flow: int = 3_000
    shared: int = 400
    often: int = 0


WIDE = Limits()
"""The limits for Python code that runs for long."""
COMPACT = Limits(300, 20_000, 200, 2_000, split=0, flow=1_500, shared=200, often=10_000)
"""The limits for Python code that has to start soon.

To lower a loop again takes as long as going through it some ten thousand times, whatever its size. So relowering takes
at most as long as play did before it.
"""
SCANNED = replace(COMPACT, choice=0)
"""The limits for native code, which tests all values of a choice at once where it finds a loop over them."""
