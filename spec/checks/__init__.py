"""Semantic checks of an elaborated game."""
