"""`python -m bench`: measures how fast Ludex is on this machine, and prints plain tables (see `docs/benchmarks.md`)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from ludex.spec import shipped_games

from . import baseline, chess_peer, edit, judge, native, payments, start, structure, tiers, work
from .arguments import game, positive, seconds
from .measure import Effort, figure, machine, per_second, table
from .profiling import hot_spots


def main() -> int:
    asked = _arguments()
    games = tuple(asked.games) or shipped_games()
    effort = Effort(asked.repeats, asked.seconds)
    if asked.profile:
        print("\n\n".join(hot_spots(name, asked.lines, 6 * effort.seconds) for name in games))
        return 0
    print(machine())
    print(f"medians of {effort.repeats} repeats of at least {effort.seconds} s each; in-process figures by CPU time\n")
    for name, part in PARTS.items():
        # Each line is printed at once, since a part takes minutes.
        if not asked.only or name in asked.only:
            print("\n".join(part(games, effort)), end="\n\n", flush=True)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Ludex on this machine.")
    parser.add_argument("games", metavar="GAME", nargs="*", type=game, help="shipped games; all if none is named")
    parser.add_argument(
        "--repeats", type=positive, default=5, help="figures are medians of so many (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=seconds, default=0.5, help="each takes at least so long (default: %(default)s)"
    )
    parser.add_argument(
        "--only", choices=PARTS, action="append", help="measure this part, the first word of its title; repeatable"
    )
    parser.add_argument("--profile", action="store_true", help="show where plays and replays spend their time instead")
    parser.add_argument("--lines", type=positive, default=25, help="of a profile (default: %(default)s)")
    return parser.parse_args()


# ---- the parts of the report ----------------------------------------------------------------------------------------


def _starts(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Measure starts, each in a process of its own."""
    rows = []
    asked = chain([("--help",), ("games",)], *map(start.commands, games))
    for arguments in asked:
        cold, warm = start.ludex(arguments, effort.repeats)
        name = " ".join(arguments).replace("spec/games/", "")
        rows.append([name, *(figure(1000 * seconds) for taken in (cold, warm) for seconds in (taken.wall, taken.cpu))])
    bare = start.bare(effort.repeats)
    rows.append(["(python -c pass)", "", "", figure(1000 * bare.wall), figure(1000 * bare.cpu)])
    head = ["", "cold", "cold, CPU", "warm", "warm, CPU"]
    yield from table("start: `ludex ...`, milliseconds by the clock and of CPU time", head, rows)


def _texts(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    rows = []
    for name in games:
        text = work.Texts(name)
        parsed, checked = per_second(text.parse, effort), per_second(text.check, effort)
        loaded = per_second(text.load, effort)
        rows.append([name, str(text.lines), figure(parsed), figure(checked), figure(1000 / loaded)])
    head = ["", "lines", "parsed/s", "checked/s", "load, ms"]
    yield from table("texts: lines a second", head, rows)


def _plays(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    by_hand = per_second(baseline.playout, effort)
    rows = [[baseline.NAME, figure(per_second(lambda: baseline.playout() and 1, effort)), figure(by_hand), "1", "", ""]]
    for name in games:
        play = work.Plays(name)
        moves = per_second(play.playout, effort)
        rows.append(
            [
                name,
                figure(moves / play.mean_length),
                figure(moves),
                figure(moves / by_hand, 2),
                figure(per_second(play.judge, effort)),
                figure(per_second(play.validate, effort)),
            ]
        )
    head = ["", "playouts/s", "events/s", "of baseline", "judged/s", "validated/s"]
    yield from table("plays: random playouts, and events of logs, a second", head, rows)


def _states(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    names = list(work.STATE_WORK)
    rows = []
    for name in games:
        states = work.States(name)
        costs = [1e6 / per_second(states.doing(each), effort) for each in names]
        rows.append([name, *map(figure, costs)])
    yield from table("states: microseconds for one, in the middle of a play", ["", *names], rows)


def _payments(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Measure payments, always in the same two games."""
    rows = []
    for hands in payments.payments():
        seconds = [1 / per_second(payment.listed, effort) for payment in hands]
        for payment, taken in zip(hands, seconds, strict=True):
            row = [f"{payment.ways:,}", f"{payment.moves:,}", figure(1000 * taken), figure(taken / seconds[0], 2)]
            rows.append([payment.name, *row, figure(1e6 * taken / payment.moves)])
    head = ["", "ways to pay", "legal moves", "ms", "of the first", "µs a move"]
    yield from table("payments: legal moves where a price is paid exactly", head, rows)


PARTS: Mapping[str, Callable[[tuple[str, ...], Effort], Iterator[str]]] = {
    "start": _starts,
    "texts": _texts,
    "plays": _plays,
    "states": _states,
    "payments": _payments,
    "edit": edit.rows,
    "random": tiers.rows,
    "judge": judge.rows,
    "native": native.rows,
    "structure": structure.rows,
    "chess": chess_peer.rows,
}
"""The tables by the first word of their titles: functions from the games to measure to the lines of a table."""


if __name__ == "__main__":
    sys.exit(main())
