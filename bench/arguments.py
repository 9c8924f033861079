"""Types of the benchmarks' command-line arguments; argparse reports a wrong value, and ends with exit code 2."""

from __future__ import annotations

from argparse import ArgumentTypeError

from ludex.spec import shipped_games

MOST = 1_000_000
"""Larger numbers are taken for typing errors."""


def game(name: str) -> str:
    """Parse the name of a shipped game."""
    if name not in shipped_games():
        raise ArgumentTypeError(f"there is no shipped game {name}")
    return name


def count(written: str) -> int:
    """Parse a number from 0 on."""
    if not written.isdecimal() or int(written) > MOST:
        raise ArgumentTypeError(f"{written} is not a number from 0 to {MOST}")
    return int(written)


def positive(written: str) -> int:
    """Parse a number from 1 on."""
    if not count(written):
        raise ArgumentTypeError(f"{written} is not a number from 1 to {MOST}")
    return count(written)


def seconds(written: str) -> float:
    """Parse a time. `nan` is rejected, since it is in no range."""
    try:
        number = float(written)
    except ValueError:
        number = 0.0
    if not 0 < number <= MOST:
        raise ArgumentTypeError(f"{written} is not a number of seconds above 0, up to {MOST}")
    return number
