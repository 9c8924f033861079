"""formatter."""
