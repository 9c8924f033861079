"""Judging recorded games beside python-chess, which reads games in PGN. The games are random.

The work is alike and not the same: both read a text, find each move among what is legal, and play it. A move in PGN
names a piece and a square, so that the reader looks for the piece that can go there. A line of a log names both
squares.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from ludex.spec import load

from . import work
from .measure import Effort, figure, per_second, table

GAMES = 10
LONGEST = 120
"""Limit of a game of chess, in half-moves: a random one may be longer."""


def rows(games: tuple[str, ...], effort: Effort) -> Iterator[str]:
    """Yield the table: python-chess, then our board games without chance or hidden pieces."""
    title = "chess: moves of recorded games read and judged a second"
    head = ["", "moves/s", "of python-chess"]
    if not find_spec("chess"):
        yield from table(f"{title} (python-chess is not installed)", head, [["", "", ""]])
        return
    peer = per_second(_pgn(), effort)
    measured = [["python-chess, PGN", figure(peer), "1"]]
    for name in games:
        if not load(name).chances:
            ours = per_second(work.Plays(name).validate, effort)
            measured.append([name, figure(ours), figure(ours / peer)])
    yield from table(title, head, measured)


def _pgn() -> Callable[[], int]:
    """Return a function that reads a game; it returns the number of half-moves."""
    import chess
    import chess.pgn

    draw, texts = random.Random(0), []
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < LONGEST:
            board.push(draw.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))

    def read() -> int:
        game = chess.pgn.read_game(io.StringIO(draw.choice(texts)))
        assert game is not None
        assert not game.errors
        return int(game.end().ply())

    return read
