"""The baseline: random tic-tac-toe in plain Python, without an interpreter.

It does what a playout of the engine does, no more and no less: list the legal moves, pick one, play it, and test
whether the game is over. It gives no reasons, records no clauses, and plays nothing else.
"""

from __future__ import annotations

from random import Random

NAME = "tic_tac_toe by hand"

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_random = Random(0)


def playout() -> int:
    """Play one random game; return the number of its moves."""
    board = [0] * 9
    player = 1
    for played in range(1, 10):
        free = [cell for cell in range(9) if not board[cell]]
        board[free[_random.randrange(len(free))]] = player
        if any(board[a] == board[b] == board[c] == player for a, b, c in LINES):
            return played
        player = 3 - player
    return 9
