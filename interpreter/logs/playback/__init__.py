"""Replay of one log, and the findings on it."""
