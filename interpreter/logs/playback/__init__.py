"""Replay of one log, line by line."""
