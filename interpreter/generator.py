"""The random generator of every random play: xoshiro256**, seeded by SplitMix64, with Lemire's bounded draws.

`docs/random-play.md` defines it, with its sources, for implementations in other languages. The definition is frozen: a
change would change every game that is known by its seed. All words have 64 bits.

- Game n of a run is seeded with the n-th output of SplitMix64, which starts from the run's seed. So a game depends only
  on the run's seed and its own number, however many workers play. Runs count their games from 1.
- The state of xoshiro256** is the first four outputs of SplitMix64, started from the game's own seed.
- A draw below n takes words until the first k, read as one number x with the first word on top, can count to n; k is 1
  up to n = 2^64, and a draw below 1 takes a word too. The result is the quotient of x * n and 2^(64 k). Where the
  remainder is less than 2^(64 k) mod n, x is thrown away and k new words are taken, so that all results are equally
  likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TypeVar

from ludex.grammar import shown_value

Item = TypeVar("Item")
LARGEST_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
"""The step of SplitMix64: 2^64 divided by the golden ratio, made odd."""


class Generator:
    """The random draws of one game.

    >>> Generator(seed=7, game=2).below(6)
    1

    Attributes:
        state: the four words of xoshiro256**.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int, game: int = 1) -> None:
        """Seed the generator.

        Args:
            seed: of the run.
            game: the number of the game in the run.

        Both are whole numbers from 0 to 2^64 - 1; raises TypeError or ValueError for anything else.
        """
        own = splitmix64(checked_word(seed, "seed"), checked_word(game, "game"))
        self.state = splitmix64(own, 1), splitmix64(own, 2), splitmix64(own, 3), splitmix64(own, 4)

    def word(self) -> int:
        """Draw the next output of xoshiro256**, a number from 0 to 2^64 - 1."""
        first, second, third, fourth = self.state
        five = second * 5 & LARGEST_WORD
        third ^= first
        fourth ^= second
        self.state = (
            first ^ fourth,
            second ^ third,
            third ^ (second << 17 & LARGEST_WORD),
            fourth << 45 & LARGEST_WORD | fourth >> 19,
        )
        return (five << 7 | five >> 57) * 9 & LARGEST_WORD

    def below(self, end: int) -> int:
        """Draw a whole number from 0 to end - 1, each equally likely; `end` may be of any size.

        Raises TypeError if it is not a whole number, ValueError if it is below 1.
        """
        if not isinstance(end, int):  # with an endless number the draw would not end
            raise TypeError(f"`end` must be a whole number, not {shown_value(end)}")
        if end < 1:
            raise ValueError(f"`end` must be 1 or more, not {shown_value(end)}")
        drawn, bits = self.word(), 64
        product = drawn * end
        # Most draws end here. What follows would find the same by a slow `%`.
        if product & LARGEST_WORD >= end:
            return product >> 64
        while True:
            while end > 1 << bits:
                drawn, bits = drawn << 64 | self.word(), bits + 64
            product = drawn * end
            if product & (1 << bits) - 1 >= (1 << bits) % end:
                return product >> bits
            drawn, bits = self.word(), 64

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of the items, each equally likely. Raises ValueError if there are none."""
        if not items:
            raise ValueError("`items` must be one or more, to draw one of them")
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw an index into the weights, with probability proportional to the weight.

        It is the first index at which the running sum exceeds one draw below the total. Raises ValueError if the
        weights do not add up to 1 or more.
        """
        ends = list(accumulate(weights))
        if not ends or ends[-1] < 1:
            raise ValueError("`weights` must add up to 1 or more")
        return bisect_right(ends, self.below(ends[-1]))


def splitmix64(seed: int, number: int) -> int:
    """Compute the output of SplitMix64 with this number, from 1 on, for a seed."""
    word = seed + number * _GOLDEN & LARGEST_WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & LARGEST_WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & LARGEST_WORD
    return word ^ word >> 31


def checked_word(given: object, name: str) -> int:
    """Return the given word; raise TypeError if it is not a whole number, ValueError if it does not fit in 64 bits."""
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(f"`{name}` must be a whole number, not {shown_value(given)}")
    if not 0 <= given <= LARGEST_WORD:
        raise ValueError(f"`{name}` must be a whole number from 0 to {LARGEST_WORD}, not {shown_value(given)}")
    return given


def drawn(shares: Sequence[tuple[Item, Fraction]], rng: Generator) -> Item:
    """Draw one of the items by its probability, in whole numbers, so that every machine draws the same.

    shares: items with their probabilities, which add up to 1.
    """
    scale = lcm(*(share.denominator for _, share in shares))
    weights = [share.numerator * (scale // share.denominator) for _, share in shares]
    assert sum(weights) == scale, "the probabilities do not add up to 1"
    return shares[rng.weighted(weights)][0]
