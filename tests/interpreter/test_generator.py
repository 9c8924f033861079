"""The random generator: published values, bounded draws, and the same plays from a seed in every tier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, pairwise

import pytest

from ludex.interpreter import Awaits, ChanceEvent, Engine, Event, Generator, Simulation, State, pick, playout
from ludex.interpreter.generator import LARGEST_WORD, splitmix64
from ludex.interpreter.program.engine.compiled import Compiled
from ludex.spec import load

from ..games.plays import GAMES
from ..once import engine_once, game_once


class Words(Generator):
    """A generator with given words, in place of those of xoshiro256**."""

    __slots__ = ("left",)

    def __init__(self, *words: int) -> None:
        super().__init__(0)
        self.left = list(words)

    def word(self) -> int:
        return self.left.pop(0)


def test_splitmix64_gives_the_published_values() -> None:
    """The values are from the reference program, seeded with 1234567 and with 0."""
    assert [splitmix64(1234567, number) for number in range(1, 6)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [splitmix64(0, number) for number in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_xoshiro256_gives_the_published_values() -> None:
    """The values are from the reference program, in the state 1, 2, 3, 4."""
    rng = Generator(0)
    rng.state = (1, 2, 3, 4)
    assert [rng.word() for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_the_first_words_of_games_are_frozen() -> None:
    """Plays are identified by their seeds, so no change of the generator may change these words."""
    assert [Generator(0, game).word() for game in (1, 2)] == [18110106563157542208, 7421629122807502682]
    assert Generator(LARGEST_WORD, LARGEST_WORD).word() == 17496976453768031505
    assert Generator(0).state == Generator(0, 1).state
    assert Generator(5, 3).state == tuple(splitmix64(splitmix64(5, 3), at) for at in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("words", "end", "drawn"),
    [
        ((0,), 1, 0),
        ((LARGEST_WORD,), 6, 5),
        ((2**63 + 1,), 6, 3),
        ((0, 2**63 + 1), 6, 3),  # 2^64 mod 6 is 4: the remainder 0 has one word less
        ((0,), 8, 0),
        ((LARGEST_WORD,), 2**64, LARGEST_WORD),
        ((1, 0), 2**65, 2),
        ((0, 0, LARGEST_WORD, LARGEST_WORD), 2**64 + 1, 2**64),
        ((2**63, 0, 1), 3 * 2**127, 3 * 2**126),
    ],
)
def test_a_bounded_draw_is_computed_from_words(words: Sequence[int], end: int, drawn: int) -> None:
    """A draw takes as many words as the bound needs, and rejects words that would make one result more likely."""
    rng = Words(*words)
    assert rng.below(end) == drawn
    assert not rng.left


@pytest.mark.parametrize("end", [3, 6, 7, 100])
def test_all_results_of_a_draw_are_equally_likely(end: int) -> None:
    """All words of 64 bits cannot be tried; the test checks the words at which results change, and the number of
    rejected words before each result.
    """
    least = 2**64 % end
    firsts = [-(-(result << 64) // end) for result in range(end + 1)]
    for result, (first, behind) in enumerate(pairwise(firsts)):
        thrown = sum(word * end % 2**64 < least for word in range(first, first + 2))
        assert behind - first - thrown == 2**64 // end
        assert Words(first + thrown).below(end) == Words(behind - 1).below(end) == result


def test_weights_are_probabilities() -> None:
    assert [Words(word << 61).weighted([1, 0, 5, 2]) for word in range(8)] == [0, 2, 2, 2, 2, 2, 3, 3]
    huge = [10**40, 3 * 10**40]
    counted = Counter(Generator(1, game).weighted(huge) for game in range(1, 2001))
    assert 430 < counted[0] < 570


@pytest.mark.parametrize("end", [0, -1])
def test_a_draw_from_nothing_is_refused(end: int) -> None:
    with pytest.raises(ValueError, match=f"must be 1 or more, not {end}"):
        Generator(0).below(end)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ((-1,), ValueError, "`seed` must be a whole number from 0 to 18446744073709551615, not -1"),
        ((2**64,), ValueError, "`seed` must be a whole number from 0"),
        ((0, 2**64), ValueError, "`game` must be a whole number from 0"),
        (("7",), TypeError, "`seed` must be a whole number, not '7'"),
        ((True,), TypeError, "`seed` must be a whole number, not True"),
        ((0, 1.5), TypeError, "`game` must be a whole number, not 1.5"),
    ],
)
def test_a_value_that_is_no_seed_is_refused(given: tuple[int, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Generator(*given)


# ---- which draw decides what


def test_all_random_plays_use_this_generator() -> None:
    engine = engine_once(game_once("leduc_poker"))
    assert [*playout(Compiled(engine.game), Generator(3, 2))] == [*playout(engine, Generator(3, 2))]
    with pytest.raises(TypeError, match="`engine` must be"):
        playout(engine.game, Generator(3, 2))  # type: ignore[arg-type]


def test_a_decision_and_a_chance_event_take_one_draw_each() -> None:
    """The draws are repeated by hand, as described in `docs/random-play.md`."""
    engine, by_hand = Engine(load("leduc_poker")), Generator(3, 2)
    state = engine.start()
    for turn in playout(engine, Generator(3, 2)):
        options: list[Event] = [*engine.legal_moves(state)]
        if engine.awaits(state) is Awaits.CHANCE:
            outcomes = engine.chance(state)
            least = next(n for n in range(1, 1000) if all((share * n).denominator == 1 for _, share in outcomes))
            options = [event for event, share in outcomes for _ in range(int(share * least))]
        assert turn.event == options[by_hand.below(len(options))]
        engine.advance(state, turn.event)


def test_moves_of_a_policy_take_no_draw() -> None:
    engine, rng, by_hand = Engine(load("pig")), Generator(1), Generator(1)
    turns = list(islice(playout(engine, rng, lambda _, moves: moves[0]), 40))
    thrown = [turn.event for turn in turns if turn.choices == 6]
    assert thrown
    assert [event.outcome for event in thrown] == [by_hand.below(6) + 1 for _ in thrown]  # type: ignore[union-attr]
    assert rng.state == by_hand.state


class Sack:
    """A stand-in for an engine: five red cards, one green and two blue, of which one is drawn."""

    def chance(self, state: State) -> tuple[tuple[ChanceEvent, Fraction], ...]:
        shares = (Fraction(5, 8), Fraction(1, 8), Fraction(1, 4))
        return tuple((ChanceEvent("draw", card), share) for card, share in enumerate(shares))


class Drawn(Generator):
    """A stand-in for a generator: it returns a given number and asserts the bound."""

    __slots__ = ("end", "number")

    def __init__(self, end: int, number: int) -> None:
        super().__init__(0)
        self.end, self.number = end, number

    def below(self, end: int) -> int:
        assert end == self.end
        return self.number


def test_chance_is_drawn_below_the_least_common_denominator() -> None:
    state = Engine(load("pig")).start()
    cards = [pick(Sack(), state, Drawn(8, number)).event.outcome for number in range(8)]  # type: ignore[arg-type,union-attr]
    assert cards == [0, 0, 0, 0, 0, 1, 2, 2]


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", GAMES)
def test_one_seed_gives_one_play_in_every_tier(name: str) -> None:
    engine = engine_once(game_once(name))
    compiled, rng = Compiled(engine.game), Generator(11, 2)
    play = compiled.start()
    for turn in islice(playout(engine, Generator(11, 2)), 150):
        event = pick(compiled, play, rng).event
        assert event == turn.event
        play = compiled.apply(play, event)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", GAMES)
def test_a_log_has_the_same_bytes_in_every_engine(name: str) -> None:
    game = game_once(name)
    one, two = (Simulation(game, audit).play(Generator(5, 1)) for audit in (False, True))
    assert (one.log, one.passed, one.rounds, one.choices) == (two.log, two.passed, two.rounds, two.choices)
