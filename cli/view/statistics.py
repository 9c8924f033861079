"""Statistics of random games, in numbers that do not depend on the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ludex.interpreter import RandomGame, player_words

PLACES = 1
"""Decimal places of a mean."""


class Statistics:
    """Accumulates statistics game by game; it keeps counts only, so its size does not grow with the number of games."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.games = self.ended = self.shared = self.undecided = 0
        self.lengths: Counter[int] = Counter()
        self.moves: Counter[int] = Counter()
        self.widths: Counter[int] = Counter()
        self.rounds: dict[str, Counter[int]] = {}
        self.choices = 0
        self.scores: list[Counter[int]] = [Counter() for _ in range(players)]
        self.wins: Counter[int] = Counter()
        self.alone: Counter[int] = Counter()
        self.criteria: Counter[str] = Counter()
        self.passed: Counter[str] = Counter()
        self.passed_games: Counter[str] = Counter()

    def add(self, played: RandomGame) -> None:
        self.games += 1
        self.lengths[played.events] += 1
        self.moves[played.moves] += 1
        self.widths[played.widest] += 1
        self.choices += played.choices
        self.passed.update(played.passed)
        self.passed_games.update(played.passed.keys())
        # A game that was cut off has neither a winner nor points that compare with those of a whole one.
        if played.outcome is None:
            return
        self.ended += 1
        for path, times in played.rounds.items():
            self.rounds.setdefault(path, Counter())[times] += 1
        for seat, points in enumerate(played.scores):
            self.scores[seat][points] += 1
        outcome = played.outcome
        # A single best player shares nothing, though the rules would let several share the win.
        self.shared += outcome.shared and len(outcome.winners) > 1
        self.undecided += outcome.undecided
        if not outcome.undecided:
            self.wins.update(outcome.winners)
        if not outcome.undecided and len(outcome.winners) == 1:
            self.alone.update(outcome.winners)
        if outcome.criterion:
            self.criteria[outcome.criterion] += 1

    @property
    def total_events(self) -> int:
        return sum(length * count for length, count in self.lengths.items())

    # ---- for people

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """List the rows of a table: what, least, mean, median, most."""
        rows = [("", "least", "mean", "median", "most")]
        rows.append(("events a game", *_spread(self.lengths)))
        rows.append(("decisions a game", *_spread(self.moves)))
        rows += [(f"times through {path}", *_spread(times)) for path, times in sorted(self.rounds.items())]
        decisions = sum(number * count for number, count in self.moves.items())
        mean = _decimal(Fraction(self.choices, decisions)) if decisions else "-"
        rows.append(("legal moves at a decision", "", mean, "", str(max(self.widths, default=0))))
        rows += [(f"points of {player_words(seat)}", *_spread(scores)) for seat, scores in enumerate(self.scores)]
        return rows

    def endings(self) -> Iterator[str]:
        if not self.ended:
            return
        won = ", ".join(f"{player_words(seat)} {_share(self.alone[seat], self.ended)}" for seat in range(self.players))
        alone = " alone" if self.shared else ""
        # What is left has ended without a winner, and all parts must add up.
        nobody = self.ended - self.alone.total() - self.shared - self.undecided
        lost = f"; by nobody {_share(nobody, self.ended)}" if nobody else ""
        shared = f"; shared {_share(self.shared, self.ended)}" if self.shared else ""
        undecided = f"; undecided {_share(self.undecided, self.ended)}" if self.undecided else ""
        yield f"won{alone} by {won}{shared}{undecided}{lost}"
        if self.criteria:
            parts = ", ".join(f"{path} {_share(count, self.ended)}" for path, count in sorted(self.criteria.items()))
            yield f"decided by {parts}"

    def passed_rows(self) -> list[tuple[str, str, str]]:
        # Equal counts are ordered by path, so that equal runs print equal tables.
        most = sorted(self.passed.items(), key=lambda item: (-item[1], item[0]))
        return [
            (f"{count:,}", path, f"in {_share(self.passed_games[path], self.games)} of games") for path, count in most
        ]

    # ---- for programs

    def to_json(self) -> dict[str, Any]:
        decisions = sum(number * count for number, count in self.moves.items())
        return {
            "games": self.games,
            "ended": self.ended,
            "events": _numbers(self.lengths),
            "decisions": _numbers(self.moves),
            "rounds": {path: _numbers(times) for path, times in sorted(self.rounds.items())},
            "legal_moves": {
                "mean": float(Fraction(self.choices, decisions)) if decisions else None,
                "most": max(self.widths, default=0),
            },
            "scores": [_numbers(scores) for scores in self.scores],
            "wins": [self.wins[seat] for seat in range(self.players)],
            "wins_alone": [self.alone[seat] for seat in range(self.players)],
            "shared": self.shared,
            "undecided": self.undecided,
            "decided_by": dict(sorted(self.criteria.items())),
            "passed_over": {
                path: {"times": count, "games": self.passed_games[path]} for path, count in sorted(self.passed.items())
            },
        }


def _mean(counts: Counter[int]) -> Fraction:
    return Fraction(sum(value * count for value, count in counts.items()), counts.total())


def _median(counts: Counter[int]) -> int:
    """Return the median, of two middle values the lower one."""
    # The lower one is a value that occurs, and a mean of two might not.
    left = (counts.total() + 1) // 2
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    raise AssertionError("no games")


def _spread(counts: Counter[int]) -> tuple[str, str, str, str]:
    if not counts:
        return ("-", "-", "-", "-")
    return str(min(counts)), _decimal(_mean(counts)), str(_median(counts)), str(max(counts))


def _numbers(counts: Counter[int]) -> dict[str, Any] | None:
    if not counts:
        return None
    return {
        "least": min(counts),
        "mean": float(_mean(counts)),
        "median": _median(counts),
        "most": max(counts),
    }


def _decimal(number: Fraction) -> str:
    # Rounded as a fraction: the nearest float of a half may be below it, and would be rounded down.
    return f"{float(round(number, PLACES)):.{PLACES}f}"


def _share(count: int, of: int) -> str:
    return f"{float(round(Fraction(100 * count, of), 1)):.1f} %" if of else "-"
