"""Positions: written states of play, from which a play can begin."""
