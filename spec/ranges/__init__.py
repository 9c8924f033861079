"""Interval analysis: which numbers, and how many items, an expression can have."""
