"""Comparison of a game's texts, or of two specs, and rulings on the differences."""
