"""Lowering: turns a checked game into a program."""
