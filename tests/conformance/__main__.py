"""`python -m tests.conformance GAME --plays 1000`: Ludex and OpenSpiel in lockstep. See docs/conformance.md."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from .lockstep import Disagreement, Lockstep, Tally, at_random
from .pair import Pair
from .pairs import MAPPED, pairs_of


def main() -> int:
    asked = _arguments()
    pairs = [pair for game in asked.games or MAPPED for pair in pairs_of(game) if asked.only in str(pair)]
    agreed = [_agree(pair, asked.plays, asked.seed) for pair in pairs]
    return 0 if agreed and all(agreed) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description="Compare Ludex with OpenSpiel.")
    parser.add_argument("games", metavar="GAME", nargs="*", help="all if none is named")
    parser.add_argument("--plays", type=int, default=1000, help="of each setting (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first play (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose OpenSpiel name contains this")
    asked = parser.parse_args()
    for game in set(asked.games) - set(MAPPED):
        parser.error(f"there is no mapping of {game}; there is one of {', '.join(MAPPED)}")
    return asked


def _agree(pair: Pair, plays: int, seed: int) -> bool:
    tally, start = Tally(), time.monotonic()
    try:
        for number in range(plays):
            rng = random.Random(f"{pair} {seed + number}")
            Lockstep(pair, at_random(rng), rng, tally).run()
    except Disagreement as found:
        print(f"{pair}: DISAGREEMENT (seed {seed + tally.plays})\n{found}", file=sys.stderr)
        return False
    finally:
        print(f"{pair}: {'; '.join(_told(tally, time.monotonic() - start))}", flush=True)
    return True


def _told(tally: Tally, seconds: float) -> Iterator[str]:
    yield f"{tally.plays:,} plays, {tally.points:,} points, {tally.choices:,} choices compared"
    yield f"{tally.events:,} events, {tally.actions:,} actions"
    yield from (f"apart {count:,} times: {why}" for why, count in tally.apart.items())
    yield from (f"{count:,} plays left early: {why}" for why, count in tally.early.items())
    yield f"{seconds:.0f} s"


sys.exit(main())
